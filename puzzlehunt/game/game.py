"""A game: what its rows are read by, and what they say about the secret."""

import warnings
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Self, cast

from puzzlehunt.channel.model import PERFECT, Channel
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import TRUE, AllOf, AnyOf, Constraint, holds
from puzzlehunt.codes.named_codes import NamedCodes
from puzzlehunt.codes.spaces import WordSpace, split
from puzzlehunt.errors import (
    IllegalGuessError,
    ImpossibleClueError,
    InvalidClueError,
    InvalidTurnError,
    TooLargeError,
    check_type,
)
from puzzlehunt.game import facts, tables, turn_notation
from puzzlehunt.game.history import Fact, History, Item, Row, Turn
from puzzlehunt.game.notebook import NotebookShown
from puzzlehunt.game.play import Play
from puzzlehunt.game.spec import GameSpec, as_text
from puzzlehunt.rules.base import is_not_secret
from puzzlehunt.rules.boards import BoardsClue
from puzzlehunt.rules.by_score import MOST_SCORES, FunctionRule
from puzzlehunt.rules.notation.clue import Clue, Feedback

if TYPE_CHECKING:
    from puzzlehunt.kernels.feedback_matrix import Table
    from puzzlehunt.kernels.packed_codes import CodeArray
    from puzzlehunt.rules.notation.clue import FeedbackArray, Mask


@dataclass(frozen=True, repr=False)
class Game(GameSpec, NotebookShown):
    """A game, with methods for its turns, facts and histories; immutable.

    - `wider_games`: yields pairs of the name of a wider word list and this game with that list.

    >>> import puzzlehunt
    >>> game = puzzlehunt.load("mastermind")
    >>> game.score("RRGB", "RYGO")
    Pegs(black=2, white=0)
    >>> game.parse_guess("red-red-green-blue")
    (0, 0, 1, 2)
    """

    wider_games: Callable[[], Iterable[tuple[str, "Game"]]] = field(default=tuple, compare=False)

    @classmethod
    def from_function(
        cls,
        secrets: Iterable[Hashable],
        guesses: Iterable[Hashable] | None,
        score: Callable[[Any, Any], Hashable],
        *,
        title: str = "untitled",
        weights: Mapping[Any, float] | None = None,
        play: Play | None = None,
        channel: Channel = PERFECT,
        only_questions: bool = False,
    ) -> Self:
        """Return the game whose secrets and guesses are any values, scored by a function.

        `guesses` are by default the secrets; all others are questions, which are never the secret.
        `score(guess, secret)` returns the feedback, any hashable value. `weights` says how likely
        each secret is, in any scale; without it all are equally likely. The text of a value or
        feedback is what `str` returns; two values must have different texts. A feedback wins as
        `ScoreRule` says; without such a feedback, if some secret is no guess, or if
        `only_questions` is true, no guess wins. `score` is called for every pair now, and not
        later. Warns (UserWarning) of secrets that no question tells apart. Raises ValueError for
        values that have the same text, and the errors of `ScoreRule.for_codes`.
        """
        hidden = list(dict.fromkeys(secrets))
        asked = hidden if guesses is None else list(dict.fromkeys(guesses))
        if len(hidden) < 2 or not asked:
            raise ValueError("a game needs two secrets and a guess, or there is nothing to find")
        if weights is not None and (missing := [v for v in hidden if v not in weights]):
            raise ValueError(f"weights: none is given for {missing[0]!r:.40}")
        values = list(dict.fromkeys((*hidden, *asked)))
        alphabet = NamedCodes.of(values)
        code_of = dict(zip(values, alphabet.codes, strict=True))
        value_of = dict(zip(alphabet.codes, values, strict=True))
        likely = {code_of[value]: weights[value] if weights else 1.0 for value in hidden}
        codes = sorted(code_of[value] for value in asked)
        game = cls(
            title=title,
            secrets=WordSpace(alphabet, likely),
            guesses=WordSpace(alphabet, dict.fromkeys(codes, 1.0)),
            rule=FunctionRule(score, value_of=value_of.__getitem__),
            play=play or Play(strategy="book" if channel == PERFECT else "entropy"),
            channel=channel,
            only_questions=only_questions,
        )
        for line in game.alike_lines():
            warnings.warn(line, stacklevel=2)
        return game

    def alike_lines(self) -> Iterator[str]:
        """Yield a line that names two secrets which no question tells apart, if there are any.

        Nothing is yielded for a game in which guesses win, or with more than `MOST_SCORES` scores.
        """
        if not self.only_questions or self.secrets.size * self.guesses.size > MOST_SCORES:
            return
        secrets, seen, alike = list(self.secrets), dict[bytes, Code](), list[tuple[Code, Code]]()
        for secret, answers in zip(secrets, self.score_all(self.guesses, secrets).T, strict=True):
            first = seen.setdefault(answers.tobytes(), secret)
            if first is not secret:
                alike.append((first, secret))
        if alike:
            one, other = map(self.format_code, alike[0])
            more = f", and {len(alike) - 1:,} more like that" if alike[1:] else ""
            yield f"no question tells {one} and {other} apart{more}"

    def check_guess(self, guess: Hashable, history: History) -> None:
        """Raise IllegalGuessError for a guess that hard mode forbids after a history."""
        guess = self.as_guess(guess)
        for number, turn in enumerate(history.turns if self.hard else (), start=1):
            demand = self.rule.hard_mode_constraint(turn.guess, turn.clue)
            if not turn.doubted and not holds(demand, guess):
                raise IllegalGuessError(
                    f"{self.format_code(guess)} does not use the clue of row {number} "
                    f"({self.format_turn(turn)}); this is hard mode"
                )

    def score_all(
        self,
        guesses: "Iterable[Hashable] | CodeArray",
        secrets: "Iterable[Hashable] | CodeArray",
    ) -> "Table":
        """Return an array (G, S) of the feedbacks of G guesses against S secrets, as numbers.

        A number n stands for the feedback `game.rule.feedbacks[n]`; the array has the smallest
        unsigned type that holds all numbers. Codes are texts, tuples, or the rows of an array of
        symbol numbers (N, length), which saves reading texts. Raises InvalidCodeError, and
        TooLargeError in a game of several boards, where `game.one_board` scores one board.

        >>> import puzzlehunt
        >>> game = puzzlehunt.load("mastermind")
        >>> table = game.score_all(["RRGB", "OOOO"], ["RYGO", "RRGB", "YYYY"])
        >>> table.shape, [game.rule.feedbacks[n] for n in table[0]]
        ((2, 3), [Pegs(black=2, white=0), Pegs(black=4, white=0), Pegs(black=0, white=0)])
        """
        if self.boards > 1:
            raise TooLargeError(
                "several boards have too many answers to number; game.one_board scores one board"
            )
        from puzzlehunt.kernels.packed_codes import array_of

        rows = [
            array_of(map(read, _listed(codes)), self.length)
            for read, codes in ((self.as_guess, guesses), (self.as_secret, secrets))
        ]
        return self.rule.table(*map(self.rule.rows, rows))

    def parse_turn(self, line: str) -> Turn:
        """Parse a line: a guess, then its clue; without a clue, the turn is unread.

        Raises InvalidCodeError, InvalidClueError, or InvalidTurnError for a line without a guess.
        """
        if tables.read_heading(self, as_text(line)) is not None:
            raise InvalidTurnError(f"{line.strip()!r} is a heading, not a row; rows are GUESS CLUE")
        return turn_notation.read_turn(self, turn_notation.read_line(self, line))[0]

    def as_item(self, item: Row) -> Item:
        """Return a turn or a fact unchanged, or make it from a line or a pair (guess, answer).

        A line such as `/fact no Q` is a fact, any other a turn; a pair has what `turn` takes.
        Raises what `parse_turn` and `parse_fact` raise, InvalidCodeError and InvalidClueError for a
        turn of another game, and TypeError for anything else.
        """
        if isinstance(item, str):
            if item.startswith(facts.FACT):
                return self.parse_fact(item.removeprefix(facts.FACT))
            return self.parse_turn(item)
        if isinstance(item, tuple) and len(item) == 2:
            return self.turn(*item)
        if not isinstance(item, Turn | Fact):
            raise TypeError(
                "expected a Turn, a Fact, a line such as 'GUESS CLUE' or a pair (guess, answer), "
                f"not {item!r:.60}"
            )
        if isinstance(item, Turn):
            # A clue of another game would silently leave nothing.
            self._check_clue(item.clue, self.as_guess(item.guess))
        return item

    def _check_clue(self, clue: Clue, guess: Code) -> None:
        unread = self.unread_clue(guess)
        if type(clue) is not type(unread) or clue.shape != unread.shape:
            hint = "game.turn takes an answer as text or feedback"
            raise InvalidClueError(f"{clue!r:.80} is not a clue of {self.title}; {hint}")

    def as_turn(self, turn: Row) -> Turn:
        """Return a turn unchanged, or make it as `as_item` does. Raises what that raises."""
        item = self.as_item(turn)
        check_type("turn", item, Turn, "a Turn, as Game.turn makes it")
        return cast(Turn, item)

    def as_history(self, history: Iterable[Row] | str) -> History:
        """Return a history unchanged, or make it from lines, pairs, turns and facts.

        A text is split into lines. Raises what `as_item` raises.
        """
        if isinstance(history, History):
            for item in history:
                self.as_item(item)
            return history
        rows = history.splitlines() if isinstance(history, str) else history
        check_type("history", rows, Iterable, "a History, or lines such as ['GUESS CLUE']")
        return History(tuple(map(self.as_item, rows)))

    def turn(
        self, guess: Hashable, answer: str | Feedback | Clue = "*", *, doubt: float = 0.0
    ) -> Turn:
        """Return the turn of a guess (a code, its text or its value), and the answer to it.

        The answer is a text such as `B_WR_`, a full feedback such as `Pegs(1, 2)`, or a clue; by
        default nothing was read. `doubt` is the probability (0 to 1) that the turn is wrong. Raises
        InvalidCodeError, InvalidClueError, ImpossibleClueError.
        """
        code = self.as_guess(guess)
        return turn_notation.with_text(self, Turn(code, self._clue_of(code, answer), doubt))

    def _clue_of(self, guess: Code, answer: str | Feedback | Clue) -> Clue:
        if isinstance(answer, str):
            return self.parse_clue(answer, guess)
        if self.rule.no_constraint and answer in self.rule.feedbacks:
            answer = self.rule.notation.full_clue(answer, guess)
        elif isinstance(answer, tuple):
            possible = self.one_board.rule.feedbacks
            fits_boards = answer and len(answer) % self.boards == 0
            parts = split(answer, self.boards) if fits_boards else [()]
            if any(part not in possible for part in parts):
                example = self.score(guess, next(iter(self.secrets)))
                raise InvalidClueError(
                    f"{answer!r:.60} is not a feedback of {self.title}; one is {example!r}"
                )
            answer = self.rule.notation.full_clue(answer, guess)
        self._check_clue(answer, guess)
        is_win, weighs = self.rule.may_win(guess, answer), self.channel.weighs
        if not weighs and not is_win and self.rule.refusal(guess, answer):
            raise ImpossibleClueError(
                f"{self.rule.notation.describe(answer)} cannot happen with "
                f"{self.format_code(guess)}"
            )
        return answer

    def format_turn(self, turn: Turn) -> str:
        """Return a turn as a line, which `parse_turn` parses."""
        check_type("turn", turn, Turn, "a Turn, as Game.turn makes it")
        return turn_notation.format_turn(self, turn)

    def describe_turn(self, turn: Turn) -> str:
        """Return a turn as it was understood: `HORSE: 1 black, 1 white, 1 red, 2 unread`."""
        return f"{self.format_code(turn.guess)}: {turn_notation.describe_answer(self, turn)}"

    def parse_fact(self, text: str) -> Fact:
        """Return the fact that a text writes. Raises PuzzlehuntError.

        In a game of several boards the text begins with the number of a board: `2: H____`.
        """
        return facts.parse_fact(self, as_text(text))

    def violated(self, turn: Turn, feedback: Feedback) -> Literal["", "clue", "win"]:
        """Return what of a turn a secret with this feedback contradicts: "" if nothing.

        It contradicts a win (or that the game went on) if just one of two wins, the turn's clue or
        the feedback; no lie explains that. A doubted clue that wins may be wrong; one that does not
        win still contradicts the winning feedback.
        """
        wins = self.rule.wins(turn.clue)
        if feedback == self.rule.winning:
            return "" if wins else "win"
        if wins and not turn.doubted:
            return "win"
        clues = self._true_clues(turn)
        return "" if clues is None or any(feedback in clue for clue in clues) else "clue"

    def _true_clues(self, turn: Turn) -> Iterable[Clue] | None:
        """Return clues of which one has the true feedback; None if it may be any feedback."""
        if turn.doubted or self.channel.lies.chance:
            return None
        return [turn.clue] if self.channel == PERFECT else self.likelihood.clues(turn.clue)

    def win_conflicts(self, turn: Turn, feedbacks: "FeedbackArray") -> "Mask":
        """Return (F,): for which of some feedbacks (F, parts) `violated` is a win."""
        wins = self.rule.win_mask(feedbacks)
        if not self.rule.wins(turn.clue):
            return wins
        return ~wins if not turn.doubted else wins & False

    def admitted(self, turn: Turn, feedbacks: "FeedbackArray") -> "Mask":
        """Return (F,): whether a turn's clue, win or loss aside, admits each of some feedbacks."""
        admitted, clues = self.rule.win_mask(feedbacks), self._true_clues(turn)
        if clues is None:
            return admitted | True
        for clue in clues:
            admitted |= self.rule.mask(clue, feedbacks)
        return admitted

    def constraint(self, turn: Turn) -> Constraint:
        """Return the constraint on the secret that follows from a turn, in a game of one board."""
        return AllOf((self.clue_constraint(turn), self.losing_guess_constraint(turn)))

    def clue_constraint(self, turn: Turn) -> Constraint:
        """Return the constraint that a secret meets if the clue admits its feedback."""
        if self.rule.wins(turn.clue) and not turn.doubted:
            return self.rule.constraint(turn.guess, turn.clue)
        if (clues := self._true_clues(turn)) is None:
            return TRUE
        parts = [self.rule.constraint(turn.guess, clue) for clue in clues]
        return parts[0] if len(parts) == 1 else AnyOf(tuple(parts))

    def may_lie(self, turn: Turn) -> bool:
        """Return whether a turn may be one of the limited number of lies in the game."""
        has_budget = self.channel.lies.at_most > 0
        return has_budget and not turn.doubted and not self.rule.wins(turn.clue)

    def losing_guess_constraint(self, turn: Turn) -> Constraint:
        """Return that the guess is not the secret, because the game went on."""
        return TRUE if self.rule.wins(turn.clue) else is_not_secret(self.rule, turn.guess)

    def on_board(self, history: History, board: int) -> History:
        """Return the part of a history about one board (from 0), up to the turn that solves it."""
        items: list[Item] = []
        for item in history:
            if isinstance(item, Fact):
                if item.board == board:
                    items.append(Fact(item.text, item.constraint))
                continue
            clue = cast(BoardsClue, item.clue).clues[board]
            items.append(Turn(item.guess, clue, item.doubt))
            if self.one_board.rule.wins(clue) and not item.doubted:
                break
        return History(tuple(items))

    def fits(self, history: History, secret: Hashable) -> bool:
        """Return whether a secret agrees with a whole history; engines must find the same."""
        check_type("history", history, History)
        secret = self.as_secret(secret)
        if self.boards > 1:
            return all(
                self.one_board.fits(self.on_board(history, board), part)
                for board, part in enumerate(split(secret, self.boards))
            )
        unforgivable, forgivable = self.violations(history, secret)
        return not unforgivable and len(forgivable) <= self.channel.lies.at_most

    def violations(self, history: History, secret: Code) -> tuple[list[int], list[int]]:
        """Return the places (0-based) of the items that a secret of one board contradicts.

        The first list has those that no lie can explain: facts, and turns that contradict a win.
        The second has those that a lie can explain: turns whose clue does not admit the feedback.
        """
        unforgivable: list[int] = []
        forgivable: list[int] = []
        for place, item in enumerate(history):
            if isinstance(item, Fact):
                if not holds(item.constraint, secret):
                    unforgivable.append(place)
                continue
            if violated := self.violated(item, self.rule.score(item.guess, secret)):
                (forgivable if violated == "clue" else unforgivable).append(place)
        return unforgivable, forgivable

    def winning_guesses(self, history: History) -> list[Code | None]:
        """Return for each secret the guess that found it, None for a secret not found yet.

        Doubted and `overlong` turns do not count.
        """
        wins, boards = self.one_board.rule.wins, [history]
        if self.boards > 1:
            boards = [self.on_board(history, board) for board in range(self.boards)]
        return [
            next((t.guess for t in turns if wins(t.clue) and not (t.doubted or t.overlong)), None)
            for turns in (board.turns for board in boards)
        ]

    def is_won(self, history: History) -> bool:
        """Return whether all secrets are found, the last turn wins, and nothing is contradicted."""
        if not history.turns:
            return False
        codes = [code for code in self.winning_guesses(history) if code is not None]
        if len(codes) < self.boards or history.turns[-1].guess not in codes:
            return False
        return self.fits(history, tuple(symbol for code in codes for symbol in code))


def _listed(codes: "Iterable[Hashable] | CodeArray") -> list[Hashable]:
    """Return codes as a list; the rows of an array (N, length) become tuples."""
    listed = codes.tolist() if hasattr(codes, "tolist") else codes
    check_type("codes", listed, Iterable, "codes or texts")
    if isinstance(listed, str):
        return [listed]
    return [tuple(code) if isinstance(code, list) else code for code in listed]
