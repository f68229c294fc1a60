"""A game: its secrets, its guesses, its rule, its channel, and what a turn says of the secret."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from functools import cached_property
from math import log10
from textwrap import shorten
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from puzzlehunt.channel.model import PERFECT, Channel
from puzzlehunt.channel.support import Support, support_of
from puzzlehunt.codes.alphabet import FOREIGN, Alphabet, Code
from puzzlehunt.codes.constraints import TRUE, AllOf, AnyOf, Bound, Constraint, holds, shifted
from puzzlehunt.codes.formulas import Formula
from puzzlehunt.codes.product_spaces import split
from puzzlehunt.codes.spaces import CodeSpace, describe_lengths
from puzzlehunt.errors import (
    IllegalGuessError,
    ImpossibleClueError,
    InvalidCodeError,
    check_type,
    counted,
    in_number,
    unknown_name,
)
from puzzlehunt.game import facts, given, lines, tables
from puzzlehunt.game.history import Fact, History, Item, Turn
from puzzlehunt.game.notebook import NotebookShown
from puzzlehunt.game.play import Play
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.boards import BoardsClue
from puzzlehunt.rules.families import in_place
from puzzlehunt.rules.notation.clue import Clue, Feedback

if TYPE_CHECKING:
    from puzzlehunt.channel.likelihood import Likelihood
    from puzzlehunt.rules.notation.clue import FeedbackArray, Mask

HostName: TypeAlias = Literal["truthful", "adversarial"]
"""How the codemaker answers: by one secret, or so that as many secrets as possible remain."""
Gift: TypeAlias = Literal["first", "sum", "row", "letters"]
"""What the codemaker gives away: the secret's first symbol, the sum of its symbols, or a turn.

The guess of the turn is one of the game's guesses (`row`), or any symbols (`letters`).
"""


_MOST_COMPARED = 50_000
"""Words of a list from which on errors propose no nearest word: comparing all takes too long."""


@dataclass(frozen=True, repr=False)
class Game(NotebookShown):
    """The rules of one game; nothing in it changes during play.

    - `secrets`: the codes that may be hidden. `guesses`: the codes that may be suggested; a player
      may type any code of the right length.
    - `cut_overlong`: a guess longer than the secret is cut to the secret's length, and cannot win.
    - `ignore_foreign`: characters of a guess that are no symbols are accepted, and match nothing.
    - `formula`: what guesses, like secrets, must be, such as a true equation.
    - `hard`: hard mode, in which every guess must use the clues of earlier turns.
    - `channel`: how a feedback may be hidden, falsified or misread before it is a clue.
    - `host`: how the codemaker answers. `gives`: what it gives away before the first guess.
    - `wider_games`: yields the names of wider word lists, each with this game on that list.
    - `history`: the turns and facts that the game starts from.
    - `about`, `source`: the game in a line, and where it comes from, for the list of games.
    """

    title: str
    secrets: CodeSpace
    guesses: CodeSpace
    rule: Rule
    play: Play = field(default_factory=Play)
    cut_overlong: bool = False
    ignore_foreign: bool = False
    formula: Formula | None = None
    hard: bool = False
    channel: Channel = PERFECT
    host: HostName = "truthful"
    gives: tuple[Gift, ...] = ()
    wider_games: Callable[[], Iterable[tuple[str, "Game"]]] = field(default=tuple, compare=False)
    history: History = field(default_factory=History)
    about: str = ""
    source: str = ""

    def __post_init__(self) -> None:
        kinds = {"rule": Rule, "play": Play, "channel": Channel, "history": History}
        for key, kind in kinds.items():
            check_type(key, getattr(self, key), kind)
        for key in ("secrets", "guesses"):
            check_type(key, getattr(self, key), CodeSpace, "a space of codes")

    def __repr__(self) -> str:
        sizes = {"secret": self.secrets.size, "guess": self.guesses.size}
        secrets, guesses = (f"{_size_text(n)} {in_number(noun, n)}" for noun, n in sizes.items())
        return (
            f"<Game {shorten(self.title, 60)!r}: {secrets}, {guesses}, "
            f"{len(self.history.turns)} played>"
        )

    def __getstate__(self) -> dict[str, object]:
        """Return what is pickled: nothing that can be computed again."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def is_like(self, other: "Game") -> bool:
        """Return whether another game has the same codes and the same rule."""
        ours = self.rule, self.secrets, self.guesses
        return self is other or ours == (other.rule, other.secrets, other.guesses)

    @property
    def alphabet(self) -> Alphabet:
        """The symbols of codes, with every name they may be typed by."""
        return self.guesses.alphabet

    @property
    def length(self) -> int:
        """How many symbols a secret has."""
        return self.rule.length

    @property
    def boards(self) -> int:
        """How many boards the game has, each with a secret and a clue of its own."""
        return self.rule.boards

    @property
    def secrets_at_once(self) -> int:
        """How many codes are hidden at once; a secret of the game is all of them, joined."""
        return self.rule.secrets

    @cached_property
    def one_board(self) -> "Game":
        """The game that is played on each of several boards, without history."""
        if self.boards == 1:
            return self
        rule = self.rule.single_rule
        return replace(self, secrets=self.secrets.single, rule=rule, history=History())

    @cached_property
    def support(self) -> Support:
        """Which feedbacks of this game's rule may be the truth behind each clue."""
        return support_of(self.rule, self.channel)

    @cached_property
    def likelihood(self) -> "Likelihood":
        """How likely each clue is, given the true feedback of this game's rule."""
        from puzzlehunt.channel.likelihood import likelihood_of

        return likelihood_of(self.support)

    def with_play(self, changes: Mapping[str, object]) -> "Game":
        """Return this game with some of its `play` settings changed. Raises UnknownNameError."""
        check_type("changes", changes, Mapping, "settings such as {'attempts': 8}")
        known = [each.name for each in fields(Play)]
        if unknown := [key for key in changes if key not in known]:
            raise unknown_name("setting of play", unknown[0], known)
        return replace(self, play=replace(self.play, **changes))  # type: ignore[arg-type]

    # Codes.

    def parse_guess(self, text: str) -> Code:
        """Return the code that a text writes, whether or not the game would suggest it.

        Raises InvalidCodeError for unknown symbols and wrong lengths.
        """
        code = self.alphabet.parse(text, foreign=self.ignore_foreign)
        if self.cut_overlong:
            code = code[: self.length // self.secrets_at_once]
        if len(code) not in self.guesses.lengths:
            raise InvalidCodeError(self.wrong_length(text, code, self.guesses, "guess"))
        if self.formula is not None and (trouble := self.formula.trouble(self.format_code(code))):
            raise InvalidCodeError(trouble)
        return code

    def parse_lone_guess(self, text: str) -> Code:
        """Return the code of a text that stands alone, where it need not be meant for a guess.

        Characters that are no symbols are then no guess, even in a game that accepts them, unless
        they are written as `format_code` writes them. Raises InvalidCodeError.
        """
        guess = self.parse_guess(text)
        names = list(dict.fromkeys(self.alphabet.foreign_names(text)))
        if not names:
            return guess
        if self.begins_with_count(text):
            raise InvalidCodeError(f"{text} is no guess; a clue follows its guess: GUESS CLUE")
        nouns = "is no symbol" if len(names) == 1 else "are no symbols"
        raise InvalidCodeError(
            f"{text}: {', '.join(names)} {nouns} of this game, which takes it for "
            f"{self.format_code(guess)}; if you played that, write {self.format_code(guess)}"
        )

    def begins_with_count(self, text: str) -> bool:
        """Return whether a text begins with a digit that is no symbol: it is no guess then."""
        return text[:1].isdecimal() and self.alphabet.number(text[0]) is None

    def counts_as(self, text: str) -> Code | None:
        """Return the code that a guess counts as, None if it is just what was written.

        Characters that are no symbols count as `FOREIGN`, and those after the end do not count.
        """
        guess = self.parse_guess(text)
        names = self.alphabet.tokens(text, foreign=self.ignore_foreign)
        whole = len(names) == len(guess) and not self.alphabet.foreign_names(text)
        return None if whole else guess

    def is_cut(self, text: str) -> bool:
        """Return whether a guess is longer than what counts of it."""
        names = self.alphabet.tokens(text, foreign=self.ignore_foreign)
        return self.cut_overlong and len(names) > self.length // self.secrets_at_once

    def parse_secret(self, text: str) -> Code:
        """Return the code that a text writes, whether or not it is among the game's secrets.

        Where several codes are hidden at once, `/` stands between them. Raises InvalidCodeError.
        """
        if self.secrets_at_once > 1:
            return given.secrets_written(self, text)
        code = self.alphabet.parse(text)
        if len(code) != self.length:
            raise InvalidCodeError(self.wrong_length(text, code, self.secrets, "secret"))
        return code

    def wrong_length(self, text: str, code: Code, space: CodeSpace, role: str) -> str:
        """Return the error message for a guess or secret (`role`) whose length is not in a space.

        Where the space is a short word list, the message names the nearest word.
        """
        lengths = describe_lengths(space.lengths)
        message = f"{text!r} has {counted(len(code), 'symbol')}; a {role} has {lengths}"
        # One letter more or less is a slip; what is shorter still is a word of another line.
        is_slip = len(code) - 1 in space.lengths or len(code) + 1 in space.lengths
        is_short_list = space.listed and space.size < _MOST_COMPARED
        compared = space if is_slip and is_short_list else ()
        if near := get_close_matches(code, compared, n=1, cutoff=0.7):
            message += f"; did you mean {self.format_code(tuple(near[0]))}?"
        return message

    def format_code(self, code: Code) -> str:
        """Return the text of a code; `parse_guess` or `parse_secret` reads it back."""
        if self.secrets_at_once > 1 and len(code) == self.length:
            return "/".join(map(self.alphabet.format, split(code, self.secrets_at_once)))
        return self.alphabet.format(code)

    def is_listed(self, guess: Code) -> bool:
        """Return whether a code is among the game's guesses or secrets."""
        return guess in self.guesses or guess in self.one_board.secrets

    def is_code(self, guess: object) -> bool:
        """Return whether a value is a code that may be guessed, listed or not."""
        symbols = range(FOREIGN if self.ignore_foreign else 0, len(self.alphabet))
        return (
            isinstance(guess, tuple)
            and len(guess) in self.guesses.lengths
            and all(map(symbols.__contains__, guess))
        )

    @cached_property
    def has_guess_list(self) -> bool:
        """Whether guesses come from a word list, so that players are told of one outside it."""
        return self.guesses.listed and self.formula is None

    def check_guess(self, guess: Code | str, history: History) -> None:
        """Raise IllegalGuessError for a guess that hard mode forbids after a history."""
        guess = given.as_guess(self, guess)
        for number, turn in enumerate(history.turns if self.hard else (), start=1):
            if not turn.doubted and not holds(self.hard_mode_constraint(turn), guess):
                raise IllegalGuessError(
                    f"{self.format_code(guess)} does not use the clue of row {number} "
                    f"({self.format_turn(turn)}); this is hard mode"
                )

    def hard_mode_constraint(self, turn: Turn) -> Constraint:
        """Return the constraint that hard mode puts on every guess after a turn."""
        return self.rule.hard_mode_constraint(turn.guess, turn.clue)

    # Turns.

    def parse_clue(self, text: str, guess: Code | str) -> Clue:
        """Return the clue that a text writes about a guess.

        A clue that can only be read of the winning feedback is the clue that wins, but where
        nothing was read, since the game went on. Raises InvalidClueError for a text that is no
        clue, ImpossibleClueError for a clue that no feedback could lead to.
        """
        text, guess = given.as_text(text), given.as_guess(self, guess)
        if self.boards > 1 or not self.channel.weighs:
            return self.rule.parse(text, guess)
        # What is false may be what no secret could cause.
        read = self.rule.parse_unchecked if self.channel.answers_anew else self.rule.parse
        clue = read(text, guess)
        if self.rule.wins(clue):
            return self.rule.full_clue(self.rule.winning, guess)
        if clue == self.unread_clue(guess):
            return clue
        if trouble := self.support.trouble(clue):
            raise ImpossibleClueError(f"{text.strip()!r} cannot be read here: {trouble}")
        if self.support.may_be_shown(guess, clue):
            return clue
        won = self.rule.full_clue(self.rule.winning, guess)
        if self.support.may_be_win(clue) and self.rule.is_possible(guess, won):
            return won
        raise ImpossibleClueError(
            f"{text.strip()!r} cannot happen: no secret could answer so, lies included"
        )

    def unread_clue(self, guess: Code) -> Clue:
        """Return the clue that says nothing: no mark of the feedback was read."""
        return self.rule.unread_clue(guess)

    def parse_turn(self, line: str) -> Turn:
        """Return the turn that a line writes: a guess, then its clue; without a clue, unread.

        Raises InvalidCodeError, InvalidClueError, or InvalidTurnError for a line without a guess.
        """
        tables.refuse_heading(self, given.as_text(line))
        return lines.parse_turn(self, lines.read_line(self, line))

    def as_item(self, item: Item | str) -> Item:
        """Return a turn or a fact as it is, or the one that a line writes.

        A line such as `/fact no Q` writes a fact, any other a turn. Raises what `parse_turn` and
        `parse_fact` raise, InvalidCodeError and InvalidClueError for a turn of another game, and
        TypeError for what is no item and no line.
        """
        if not isinstance(item, str):
            return given.check_item(self, item)
        if item.startswith(facts.FACT):
            return self.parse_fact(item.removeprefix(facts.FACT))
        return self.parse_turn(item)

    def as_turn(self, turn: Turn | str) -> Turn:
        """Return a turn as it is, or the one that a line writes. Raises what `as_item` raises."""
        return given.as_turn(self.as_item(turn))

    def as_history(self, history: Iterable[Item | str] | str) -> History:
        """Return a history as it is, or that of some lines, turns and facts.

        A text is a history of its lines. Raises what `as_item` raises.
        """
        return given.as_history(self, history)

    def turn(
        self, guess: Code | str, answer: str | Feedback | Clue = "*", doubt: float = 0.0
    ) -> Turn:
        """Return the turn of a guess, a code or its text, and the answer to it.

        The answer is a text such as `B_WR_`, a full feedback such as `Pegs(1, 2)`, or a clue; by
        default nothing was read. `doubt` is the probability (0 to 1) that the turn is wrong. Raises
        InvalidCodeError, InvalidClueError, ImpossibleClueError.
        """
        return given.turn_of(self, guess, answer, doubt)

    def format_turn(self, turn: Turn) -> str:
        """Return the line that writes a turn; `parse_turn` reads it back."""
        return lines.format_turn(self, given.as_turn(turn))

    def describe_turn(self, turn: Turn) -> str:
        """Return a turn as it was understood: `HORSE: 1 black, 1 white, 1 red, 2 unread`."""
        given.as_turn(turn)
        return f"{self.format_code(turn.guess)}: {lines.describe_answer(self, turn)}"

    def parse_fact(self, text: str) -> Fact:
        """Return the fact that a text writes. Raises InvalidFactError.

        In a game of several boards the text begins with the number of a board: `2: H____`.
        """
        return facts.parse_fact(self, given.as_text(text))

    # What a turn says.

    def score(self, guess: Code | str, secret: Code | str) -> Feedback:
        """Return the full feedback of a guess against a secret, codes or their texts.

        Raises InvalidCodeError.
        """
        return self.rule.score(given.as_guess(self, guess), given.as_secret(self, secret))

    def admits(self, turn: Turn, feedback: Feedback) -> bool:
        """Return whether secrets that answer the turn's guess with this feedback stay candidates.

        A guess that did not win is not the secret, whatever was read of its feedback: the game went
        on. A doubted turn rules out that one secret only. Where two secrets share a board, the game
        goes on after the first: only `tried_pairs` are ruled out so.
        """
        return not self.contradicts_win(turn, feedback) and self.clue_admits(turn, feedback)

    def contradicts_win(self, turn: Turn, feedback: Feedback) -> bool:
        """Return whether the turn's clue wins and the feedback does not, or the other way round.

        No budget of lies forgives this. A doubted turn whose clue wins contradicts no feedback,
        since the clue may be wrong; a doubted turn whose clue does not win contradicts the winning
        feedback, since the game went on.
        """
        if self.ends(feedback):
            return not self.rule.wins(turn.clue)
        return feedback != self.rule.winning and not turn.doubted and self.rule.wins(turn.clue)

    def ends(self, feedback: Feedback) -> bool:
        """Return whether a feedback ends the game: it wins, and no other secret is on the board."""
        return self.rule.win_ends and feedback == self.rule.winning

    def clue_admits(self, turn: Turn, feedback: Feedback) -> bool:
        """Return whether this feedback could have led to the turn's clue.

        True for every doubted turn, and for the feedback that ends the game: `contradicts_win`
        judges that.
        """
        if turn.doubted or self.ends(feedback) or not self.channel.rules_out:
            return True
        if self.channel == PERFECT:
            return feedback in turn.clue
        return self.support.admits(turn.clue, feedback)

    def win_conflicts(self, turn: Turn, feedbacks: "FeedbackArray") -> "Mask":
        """Return (F,): which feedbacks (F, parts) `contradicts_win` says of a turn."""
        wins = self.rule.win_mask(feedbacks)
        if not self.rule.wins(turn.clue):
            return wins & self.rule.win_ends
        return ~wins if not turn.doubted else wins & False

    def admitted(self, turn: Turn, feedbacks: "FeedbackArray") -> "Mask":
        """Return (F,): which feedbacks (F, parts) `clue_admits` says of a turn."""
        ends = self.rule.win_mask(feedbacks) & self.rule.win_ends
        if turn.doubted or not self.channel.rules_out:
            return ends | True
        clues = [turn.clue] if self.channel == PERFECT else self.support.clues(turn.clue)
        for clue in clues:
            ends |= self.rule.mask(clue, feedbacks)
        return ends

    def constraint(self, turn: Turn, before: Iterable[Item] = ()) -> Constraint:
        """Return the constraint on the secret that a turn puts on it after some items.

        In a game of several boards the constraint is right only where no board was solved before
        the turn; `item_constraint` is right for all.
        """
        return AllOf((self.clue_constraint(turn), self.losing_guess_constraint(turn, before)))

    def clue_constraint(self, turn: Turn) -> Constraint:
        """Return the constraint on the secret that `clue_admits` its feedback to the guess."""
        if self.rule.wins(turn.clue) and not turn.doubted:
            return self.rule.constraint(turn.guess, turn.clue)
        if turn.doubted or not self.channel.rules_out:
            return TRUE
        if self.channel == PERFECT or self.boards > 1:
            return self.rule.constraint(turn.guess, turn.clue)
        clues = self.support.clues(turn.clue)
        parts = [self.rule.constraint(turn.guess, clue) for clue in clues]
        return parts[0] if len(parts) == 1 else AnyOf(tuple(parts))

    def may_lie(self, turn: Turn) -> bool:
        """Return whether the game's budget of lying turns may forgive this turn."""
        has_budget = self.channel.lies.at_most > 0
        return has_budget and not turn.doubted and not self.rule.wins(turn.clue)

    def losing_guess_constraint(self, turn: Turn, before: Iterable[Item] = ()) -> Constraint:
        """Return the constraint that the game went on after a turn, which some items came before.

        That is that the guess is not the secret; for a winning turn, none. Where two secrets share
        a board, it is that they are none of the `tried_pairs`.
        """
        if not self.rule.win_ends:
            pairs = self.tried_pairs(before, turn)
            return AllOf(tuple(Bound(None, in_place(pair), self.length - 1) for pair in pairs))
        return TRUE if self.rule.wins(turn.clue) else self.rule.is_not_secret(turn.guess)

    def tried_pairs(self, before: Iterable[Item], turn: Turn) -> list[Code]:
        """Return the secrets, two on one board, that a turn rules out since the game was not over.

        It was not over after the items `before`, nor after the turn itself unless its clue wins: so
        not both secrets had been guessed. Those that earlier turns rule out so are left out, and
        there are none where each secret has a board to itself.
        """
        if self.rule.win_ends:
            return []
        tried = [item for item in before if isinstance(item, Turn)]
        found = [place for place, other in enumerate(tried) if self.rule.wins(other.clue)]
        later = [(tried[place].guess, tried[:place]) for place in found]
        if not self.rule.wins(turn.clue):
            later.append((turn.guess, tried))
        pairs = {
            min(guess, other.guess) + max(guess, other.guess)
            for guess, earlier in later
            for other in earlier
        }
        return sorted(pair for pair in pairs if pair in self.secrets)

    def on_board(self, history: History, board: int) -> History:
        """Return the history of one of several boards (from 0), which ends when it is solved."""
        items: list[Item] = []
        for item in history:
            if isinstance(item, Fact):
                if item.board == board and item.board_constraint is not None:
                    items.append(Fact(item.text, item.board_constraint))
                continue
            clue = cast(BoardsClue, item.clue).clues[board]
            items.append(Turn(item.guess, clue, item.doubt))
            if self.one_board.rule.wins(clue) and not item.doubted:
                break
        return History(tuple(items))

    def item_constraint(self, history: History, place: int) -> Constraint:
        """Return the constraint that the item at a place (0-based) of a history puts on the secret.

        Of several boards only those are constrained that were unsolved before the item.
        """
        item = history.items[place]
        if self.boards == 1:
            if isinstance(item, Fact):
                return item.constraint
            return self.constraint(item, history.items[:place])
        one_board, length = self.one_board, self.one_board.length
        before, after = History(history.items[:place]), History(history.items[: place + 1])
        parts = []
        for board in range(self.boards):
            items = self.on_board(after, board).items
            if len(items) > len(self.on_board(before, board).items):
                new = items[-1]
                constraint = new.constraint if isinstance(new, Fact) else one_board.constraint(new)
                parts.append(shifted(constraint, board * length, length))
        return AllOf(tuple(parts))

    def fits(self, history: History, secret: Code | str) -> bool:
        """Return whether a secret agrees with a whole history: the specification of engines."""
        check_type("history", history, History)
        secret = given.as_secret(self, secret)
        if self.boards > 1:
            return all(
                self.one_board.fits(self.on_board(history, board), part)
                for board, part in enumerate(split(secret, self.boards))
            )
        unforgivable, forgivable = self.violations(history, secret)
        return not unforgivable and len(forgivable) <= self.channel.lies.at_most

    def violations(self, history: History, secret: Code) -> tuple[list[int], list[int]]:
        """Return the places (0-based) of the items that a secret contradicts, in two lists.

        The first list is unforgivable, since no lie explains it: facts, and turns that the secret
        would have won though they lost, or the other way round. The second is forgivable: turns
        whose clue does not admit the secret's feedback, which a budget of lying turns may forgive.
        The game must have one board.
        """
        unforgivable: list[int] = []
        forgivable: list[int] = []
        for place, item in enumerate(history):
            if isinstance(item, Fact):
                if not holds(item.constraint, secret):
                    unforgivable.append(place)
                continue
            feedback = self.rule.score(item.guess, secret)
            ended = secret in self.tried_pairs(history.items[:place], item)
            if ended or self.contradicts_win(item, feedback):
                unforgivable.append(place)
            elif not self.clue_admits(item, feedback):
                forgivable.append(place)
        return unforgivable, forgivable

    def winning_guesses(self, history: History) -> list[Code | None]:
        """Return for each secret the guess that found it, None for a secret not found yet.

        The secrets are in the order of the boards; two that share one board are in the order in
        which they were found. Doubted turns do not count, and no `overlong` ones.
        """
        turns = [turn for turn in history.turns if not (turn.doubted or turn.overlong)]
        if self.boards > 1:
            boards = (self.on_board(history, board).turns for board in range(self.boards))
            wins = self.one_board.rule.wins
            return [
                next((t.guess for t in turns if wins(t.clue) and not t.doubted), None)
                for turns in boards
            ]
        winners = list(dict.fromkeys(turn.guess for turn in turns if self.rule.wins(turn.clue)))
        missing = self.secrets_at_once - len(winners)
        return [*winners[: self.secrets_at_once], *[None] * missing]

    def is_won(self, history: History) -> bool:
        """Return whether all secrets are found, one by the last turn, and contradict no item."""
        if not history.turns:
            return False
        codes = [code for code in self.winning_guesses(history) if code is not None]
        if len(codes) < self.secrets_at_once or history.turns[-1].guess not in codes:
            return False
        if self.secrets.joint:
            codes.sort()
        return self.fits(history, tuple(symbol for code in codes for symbol in code))

    def all_guessed(self, history: History, secret: Code) -> bool:
        """Return whether each of the codes that make up a secret was guessed."""
        guesses = {turn.guess for turn in history.turns if not turn.overlong}
        return set(split(secret, self.secrets_at_once)) <= guesses


def _size_text(size: int) -> str:
    """Return the size of a space: `3,461`, or of a large one its magnitude: `10^77`."""
    return f"{size:,}" if size < 10**15 else f"10^{int(log10(size))}"
