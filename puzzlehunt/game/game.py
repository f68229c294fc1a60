"""A game: what its rows are read by, and what they say about the secret."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from textwrap import shorten
from types import EllipsisType
from typing import TYPE_CHECKING, Any, Literal, Self, cast

from puzzlehunt.channel.model import PERFECT, Channel, Rate
from puzzlehunt.codes.alphabet import FOREIGN, Alphabet, Code
from puzzlehunt.codes.constraints import TRUE, AllOf, AnyOf, Constraint, holds
from puzzlehunt.codes.named_codes import NamedCodes
from puzzlehunt.codes.spaces import BoardSpace, CodeSpace, WordSpace, describe_lengths, split
from puzzlehunt.errors import (
    IllegalGuessError,
    ImpossibleClueError,
    InvalidClueError,
    InvalidCodeError,
    PuzzlehuntError,
    RuleError,
    TooLargeError,
    check_type,
    counted,
    unknown_name,
)
from puzzlehunt.game import blocks, facts, turn_notation
from puzzlehunt.game.history import FACT, Fact, History, Item, Row, Rows, Turn
from puzzlehunt.game.notebook import Shown
from puzzlehunt.game.play import Gift, HostName, Play
from puzzlehunt.rules.base import Rule, is_not_secret
from puzzlehunt.rules.boards import BoardsClue, BoardsRule
from puzzlehunt.rules.by_score import FunctionRule, ScoreRule
from puzzlehunt.rules.columns import ColumnsRule
from puzzlehunt.rules.notation.clue import NEVER, Clue, Feedback, OwnClue

if TYPE_CHECKING:
    from puzzlehunt.channel.likelihood import Likelihood
    from puzzlehunt.kernels.feedback_matrix import Table
    from puzzlehunt.kernels.packed_codes import CodeArray
    from puzzlehunt.rules.notation.clue import FeedbackArray, Mask


@dataclass(frozen=True, slots=True)
class HiddenRule:
    """What is known of a rule whose marks nobody explained (None: nothing), and its read rates."""

    rule: Rule | None = None
    reads: tuple[Rate, ...] | None = None


@dataclass(frozen=True, repr=False)
class Game(Shown):
    """A game: its codes, rule, channel and settings, and their notation; immutable.

    - `secrets`: the codes that may be hidden. `guesses`: the codes that may be suggested; a player
      may type any code of the right length.
    - `cut_overlong`: a guess longer than the secret is cut to the secret's length.
    - `ignore_foreign`: characters of a guess that are not symbols are accepted, and match nothing.
    - `only_questions`: no guess is the secret. The game ends when one secret is left, and a number
      of guesses is the number of questions that were asked. Always so if no guess can win.
    - `formula`: the name of the formula that generates the secrets, such as `equations`.
    - `hard`: hard mode, in which every guess must use the clues of earlier turns.
    - `channel`: how a feedback may be hidden, falsified or misread before it is a clue.
    - `host`: how the codemaker answers. `gives`: what it gives away before the first guess.
    - `history`: the turns and facts that the game starts from.
    - `hidden`: what is known of the rule, if nobody explained the marks of the answers.
    - `about`, `source`: the game in a line, and where it comes from, for the list of games.
    - `wider_games`: yields pairs of the name of a wider word list and this game with that list.

    >>> import puzzlehunt
    >>> game = puzzlehunt.load("mastermind")
    >>> game.score("RRGB", "RYGO")
    Pegs(black=2, white=0)
    >>> game.parse_guess("red-red-green-blue")
    (0, 0, 1, 2)
    """

    title: str
    secrets: CodeSpace
    guesses: CodeSpace
    rule: Rule
    play: Play = field(default_factory=Play)
    cut_overlong: bool = False
    ignore_foreign: bool = False
    formula: str | None = None
    hard: bool = False
    channel: Channel = PERFECT
    host: HostName = "truthful"
    gives: tuple[Gift, ...] = ()
    history: History = field(default_factory=History)
    about: str = ""
    source: str = ""
    only_questions: bool = False
    hidden: HiddenRule | None = None
    wider_games: Callable[[], Iterable[tuple[str, "Game"]]] = field(default=tuple, compare=False)

    def __post_init__(self) -> None:
        kinds: dict[str, type] = {"secrets": CodeSpace, "guesses": CodeSpace, "rule": Rule}
        for name, kind in (kinds | {"play": Play, "channel": Channel, "history": History}).items():
            check_type(name, getattr(self, name), kind)
        if self.hard and self.rule.no_constraint:
            raise PuzzlehuntError(f"no hard mode here: {self.rule.no_constraint}")
        if isinstance(self.rule, ScoreRule | ColumnsRule):
            rule = self.rule.for_codes(self.secrets, self.guesses, not self.only_questions)
            object.__setattr__(self, "rule", rule)
        if self.rule.winning == NEVER:
            object.__setattr__(self, "only_questions", True)

    def __repr__(self) -> str:
        secrets, guesses = counted(self.secrets.size, "secret"), counted(self.guesses.size, "guess")
        played = f"{len(self.history.turns)} played"
        return f"<Game {shorten(self.title, 60)!r}: {secrets}, {guesses}, {played}>"

    @classmethod
    def from_function(
        cls,
        secrets: Iterable[Hashable],
        guesses: Iterable[Hashable] | None,
        score: Callable[[Any, Any], Hashable],
        *,
        title: str = "untitled",
        weights: Mapping[Any, float] | None = None,
        channel: Channel = PERFECT,
        only_questions: bool = False,
    ) -> Self:
        """Return the game whose secrets and guesses are any values, scored by a function.

        `guesses` are by default the secrets; all others are questions, which are never the secret.
        `score(guess, secret)` returns any hashable value, and is called for every pair now.
        `weights` says how likely each secret is, in any scale. The text of a value or feedback is
        what `str` returns; two values must have different texts, or ValueError is raised. A
        feedback wins as `ScoreRule` says; without such a feedback, if some secret is no guess, or
        if `only_questions` is true, no guess wins. Raises the errors of `ScoreRule.for_codes`, too.
        """
        hidden = list(dict.fromkeys(secrets))
        asked = hidden if guesses is None else list(dict.fromkeys(guesses))
        if len(hidden) < 2 or not asked:
            raise ValueError("a game needs two secrets and a guess, or there is nothing to find")
        weights = dict.fromkeys(hidden, 1.0) if weights is None else weights
        if missing := [value for value in hidden if value not in weights]:
            raise ValueError(f"weights: none is given for {missing[0]!r:.40}")
        values = tuple(dict.fromkeys((*hidden, *asked)))
        alphabet = NamedCodes.of(values)
        code_of = dict(zip(values, alphabet.codes, strict=True))
        codes = sorted(code_of[value] for value in asked)
        return cls(
            title=title,
            secrets=WordSpace(alphabet, {code_of[value]: weights[value] for value in hidden}),
            guesses=WordSpace(alphabet, dict.fromkeys(codes, 1.0)),
            rule=FunctionRule(score, value_of=lambda code: values[alphabet.number_of(code)]),
            play=Play(strategy="book" if channel == PERFECT else "entropy"),
            channel=channel,
            only_questions=only_questions,
        )

    def with_play(self, changes: Mapping[str, object]) -> Self:
        """Return this game with some of its `play` settings changed. Raises UnknownNameError."""
        check_type("changes", changes, Mapping, "settings such as {'attempts': 8}")
        if unknown := [key for key in changes if key not in Play.__slots__]:
            raise unknown_name("setting of play", unknown[0], Play.__slots__)
        return replace(self, play=replace(self.play, **changes))  # type: ignore[arg-type]

    # What it is made of.

    @cached_property
    def alphabet(self) -> Alphabet:
        """The symbols of codes, with every name they may be typed by."""
        return self.guesses.alphabet

    @property
    def length(self) -> int:
        """How many symbols a secret has; that of several boards has those of all."""
        return self.rule.length

    @cached_property
    def boards(self) -> int:
        """The number of boards; each has its own secret and clues."""
        return self.secrets.boards

    @cached_property
    def one_board(self) -> Self:
        """The game that is played on each of several boards, without history."""
        if self.boards == 1:
            return self
        rule = cast(BoardsRule, self.rule).single_rule
        secrets = cast(BoardSpace, self.secrets).single
        return replace(self, secrets=secrets, rule=rule, history=History())

    @cached_property
    def likelihood(self) -> "Likelihood":
        """What may be the truth behind each clue of this game, and how likely the clue then is."""
        from puzzlehunt.channel.likelihood import Likelihood

        return Likelihood(self.rule, self.channel)

    @cached_property
    def own_signs(self) -> frozenset[str]:
        """Every character of the symbols and marks, in lower and in upper case."""
        marks = [mark for mark, _ in self.rule.notation.named_marks()]
        text = "".join([*self.alphabet.symbols, *self.alphabet.aliases, *marks])
        return frozenset(text + text.casefold() + text.upper())

    def check_explained(self) -> None:
        """Raise RuleError if nobody explained what the marks of this game mean."""
        if self.hidden is not None:
            raise RuleError("nobody can answer a guess with `legend: unknown`; leave that out")

    # Codes.

    def parse_guess(self, text: str) -> Code:
        """Parse a guess, whether or not the game would suggest it. Raises InvalidCodeError."""
        try:
            code = self.alphabet.parse(text, foreign=self.ignore_foreign)
        except InvalidCodeError:
            if {"_", "?"}.isdisjoint(self.alphabet.tokens(text)):
                raise
            ways = "leave the row out, or write the likeliest guess and doubt the row with ?"
            raise InvalidCodeError(f"{text}: a guess must be known in full; {ways}") from None
        if self.cut_overlong:
            code = code[: self.one_board.length]
        return self._checked(code, text, "guess")

    def parse_lone_guess(self, text: str) -> Code:
        """Parse a text that is alone on a line as a guess, if it can mean nothing else.

        Raises InvalidCodeError, also for foreign characters but those that `format_code` writes.
        """
        guess = self.parse_guess(text)
        names, meant = dict.fromkeys(self.alphabet.foreign_names(text)), self.format_code(guess)
        if not names:
            return guess
        if self.begins_with_count(text):
            raise InvalidCodeError(f"{text} is not a guess; a clue follows its guess: GUESS CLUE")
        problem = f"this game takes it for {meant}, without {', '.join(names)}"
        raise InvalidCodeError(f"{text}: {problem}; if you played that, write {meant}")

    def begins_with_count(self, text: str) -> bool:
        """Return whether a text begins with a digit that is not a symbol, so it is not a guess."""
        first = text[:1]
        return first.isdecimal() and first not in self.alphabet and text not in self.alphabet

    def parse_secret(self, text: str) -> Code:
        """Parse a secret, whether or not it is one of the game's secrets.

        If several codes are hidden at once, they are separated by `/`. Raises InvalidCodeError.
        """
        parts = [part.strip() for part in text.split("/")] if self.boards > 1 else [text]
        if len(parts) != self.boards:
            problem = f"expected {self.boards} secrets with / between them, not {len(parts)}"
            raise InvalidCodeError(f"{text!r}: {problem}")
        codes = [self._checked(self.alphabet.parse(part), part, "secret") for part in parts]
        return tuple(symbol for code in codes for symbol in code)

    def _checked(self, code: Code, text: str, role: str) -> Code:
        """Return a code of one board unchanged. Raises InvalidCodeError if a role forbids it."""
        space = self.guesses if role == "guess" else self.one_board.secrets
        if len(code) not in space.lengths:
            lengths = describe_lengths(space.lengths)
            symbols = counted(len(code), "symbol")
            raise InvalidCodeError(f"{text!r} has {symbols}; a {role} has {lengths}")
        if code in space:
            return code
        name = self.format_code(code)
        if self.rule.only_listed:
            raise InvalidCodeError(f"{name} is not a {role} of this game, and has no score")
        if role == "guess" and self.only_questions and code in self.secrets:
            raise InvalidCodeError(f"{name} may be the secret, which is never a guess here")
        return code

    def format_code(self, code: Code) -> str:
        """Return the text of a code; `parse_guess` or `parse_secret` reads it back."""
        if self.boards > 1 and len(code) == self.length:
            return "/".join(map(self.alphabet.format, split(code, self.boards)))
        return self.alphabet.format(code)

    def is_listed(self, guess: Code) -> bool:
        """Return whether a code is among the game's guesses or secrets."""
        return guess in self.guesses or guess in self.one_board.secrets

    def is_code(self, value: object, *, role: str = "guess") -> bool:
        """Return whether a value can be a code of a guess (or of the other `role`, secret).

        The code need not be in a list of the game, unless the rule scores only listed codes.
        """
        space = self.guesses if role == "guess" else self.secrets
        if self.rule.only_listed or not isinstance(value, tuple):
            return isinstance(value, tuple) and value in space
        least = FOREIGN if self.ignore_foreign and role == "guess" else 0
        symbols = range(least, len(self.alphabet))
        return len(value) in space.lengths and all(map(symbols.__contains__, value))

    def as_guess(self, guess: Hashable) -> Code:
        """Return a guess, given as a code, its text or its value. Raises InvalidCodeError."""
        return self.parse_guess(guess) if isinstance(guess, str) else self._code(guess, "guess")

    def as_secret(self, secret: Hashable) -> Code:
        """Return a secret, given as a code, its text or its value. Raises InvalidCodeError."""
        if isinstance(secret, str):
            return self.parse_secret(secret)
        return self._code(secret, "secret")

    def _code(self, value: Hashable, role: str) -> Code:
        code: Any = self.alphabet.code_of(value) if self.alphabet.names_codes else value
        if self.is_code(code, role=role):
            return cast(Code, code)
        example = self.format_code(next(iter(self.guesses if role == "guess" else self.secrets)))
        ways = f"such as {example}, or symbol numbers from 0 to {len(self.alphabet) - 1}"
        raise InvalidCodeError(f"{value!r:.60} is not a {role} of {self.title}; {ways}")

    def check_guess(self, guess: Hashable, history: History) -> None:
        """Raise IllegalGuessError for a guess that hard mode forbids after a history."""
        guess = self.as_guess(guess)
        for number, turn in enumerate(history.turns if self.hard else (), start=1):
            demand = self.rule.hard_mode_constraint(turn.guess, turn.clue)
            if not turn.doubted and not holds(demand, guess):
                problem = f"does not use the clue of row {number} ({self.format_turn(turn)})"
                raise IllegalGuessError(f"{self.format_code(guess)} {problem}; this is hard mode")

    # Scores.

    def score(self, guess: Hashable, secret: Hashable) -> Feedback:
        """Return the full feedback of a guess against a secret.

        Raises InvalidCodeError, and RuleError if nobody knows the rule.
        """
        self.check_explained()
        return self.rule.score(self.as_guess(guess), self.as_secret(secret))

    def score_all(
        self,
        guesses: "Iterable[Hashable] | CodeArray",
        secrets: "Iterable[Hashable] | CodeArray",
    ) -> "Table":
        """Return an array (G, S) of the feedbacks of G guesses against S secrets, as numbers.

        A number n stands for `game.rule.feedbacks[n]`. Codes are texts, tuples, or the rows of an
        array of symbol numbers (N, length). Raises InvalidCodeError, and TooLargeError in a game of
        several boards, where `game.one_board` scores one board.

        >>> import puzzlehunt
        >>> game = puzzlehunt.load("mastermind")
        >>> table = game.score_all(["RRGB", "OOOO"], ["RYGO", "RRGB", "YYYY"])
        >>> table.shape, [game.rule.feedbacks[n] for n in table[0]]
        ((2, 3), [Pegs(black=2, white=0), Pegs(black=4, white=0), Pegs(black=0, white=0)])
        """
        if self.boards > 1:
            raise TooLargeError("too many answers to number; game.one_board scores one board")
        from puzzlehunt.kernels.packed_codes import array_of

        arrays = []
        for read, codes in ((self.as_guess, guesses), (self.as_secret, secrets)):
            listed = codes.tolist() if hasattr(codes, "tolist") else codes
            check_type("codes", listed, Iterable, "codes or texts")
            each = (read(tuple(code) if isinstance(code, list) else code) for code in listed)
            arrays.append(self.rule.rows(array_of(each, self.length)))
        return self.rule.table(*arrays)

    # Clues, turns and facts.

    def unread_clue(self, guess: Code) -> Clue:
        """Return the clue that says nothing: no mark of the feedback was read."""
        return self.rule.notation.unread_clue(guess)

    def unread_turn(self, history: History) -> Turn | None:
        """Return the last turn of a history if nothing of its answer was read, else None."""
        return next((t for t in history.turns[-1:] if t.clue == self.unread_clue(t.guess)), None)

    def parse_clue(self, text: str, guess: Hashable) -> Clue:
        """Parse a clue about a guess.

        A clue that only the winning feedback can explain, of which something was read, is the
        winning one. Raises InvalidClueError, and ImpossibleClueError for what cannot happen.
        """
        check_type("text", text, str, "a text")
        guess = self.as_guess(guess)
        if self.boards > 1 or not self.channel.weighs:
            return self.rule.parse(text, guess)
        # No secret need be able to cause a false feedback.
        clue = self.rule.parse(text, guess, checked=not self.channel.answers_anew)
        won = self.rule.notation.full_clue(self.rule.winning, guess)
        if self.rule.wins(clue):
            return won
        if clue == self.unread_clue(guess) or self.likelihood.may_be_shown(guess, clue):
            return clue
        shown = self.likelihood.narrowed(clue)
        if shown is not None and self.rule.may_win(guess, shown):
            return won
        problem = "cannot happen: no secret could answer so, even with the game's lies and rates"
        raise ImpossibleClueError(f"{text.strip()!r} {problem}")

    def parse_fact(self, text: str) -> Fact:
        """Return the fact that a text writes. Raises PuzzlehuntError.

        In a game of several boards the text begins with the number of a board: `2: H____`.
        """
        check_type("text", text, str, "a text")
        return facts.parse_fact(self, text)

    def as_item(self, item: Row) -> Item:
        """Return a turn or a fact unchanged, or make it from a line or a pair (guess, answer).

        A line such as `/fact no Q` is a fact; any other, and a pair, is what `turn` takes. Raises
        what these raise, and TypeError for anything else.
        """
        if isinstance(item, str):
            return blocks.read_item(self, item) if item.startswith(FACT) else self.turn(item)
        if isinstance(item, tuple) and len(item) == 2:
            return self.turn(*item)
        expected = "a Turn, a Fact, a line such as 'GUESS CLUE' or a pair (guess, answer)"
        check_type("row", item, Turn | Fact, expected)
        if isinstance(item, Turn):
            # A clue of another game would silently leave nothing.
            self._check_clue(item.clue, self.as_guess(item.guess))
        return item

    def as_history(self, history: Rows) -> History:
        """Return a history unchanged, or make it from the lines of a text or from `as_item`'s."""
        rows = history.splitlines() if isinstance(history, str) else history
        check_type("history", rows, Iterable, "a History, or lines such as ['GUESS CLUE']")
        items = tuple(map(self.as_item, rows))
        return history if isinstance(history, History) else History(items)

    def turn(self, guess: Hashable, answer: str | Feedback | Clue | EllipsisType = ...) -> Turn:
        """Return the turn of a line `GUESS CLUE`, or of a guess and the answer to it.

        The guess is a code, its text or its value; the answer is a text such as `B_WR_`, a full
        feedback such as `Pegs(1, 2)`, or a clue; `*` if nothing was read. Raises InvalidCodeError,
        InvalidClueError, and InvalidTurnError for a line without a guess or a clue.
        """
        if answer is ...:
            return blocks.read_row(self, cast(str, guess), needs_clue=True)
        code = self.as_guess(guess)
        return turn_notation.with_text(self, Turn(code, self._clue_of(code, answer)))

    def _clue_of(self, guess: Code, answer: str | Feedback | Clue) -> Clue:
        if isinstance(answer, str):
            return self.parse_clue(answer, guess)
        if self.rule.no_constraint and answer in self.rule.feedbacks:
            answer = self.rule.notation.full_clue(answer, guess)
        elif isinstance(answer, tuple):
            fits_boards = answer and len(answer) % self.boards == 0
            parts = split(answer, self.boards) if fits_boards else [()]
            if any(part not in self.one_board.rule.feedbacks for part in parts):
                problem = f"is not a feedback of {self.title}"
                example = self.score(guess, next(iter(self.secrets)))
                raise InvalidClueError(f"{answer!r:.60} {problem}; one is {example!r}")
            answer = self.rule.notation.full_clue(answer, guess)
        self._check_clue(answer, guess)
        may_be = self.channel.weighs or self.rule.may_win(guess, answer)
        if not may_be and self.rule.refusal(guess, answer):
            described = self.rule.notation.describe(answer)
            raise ImpossibleClueError(f"{described} cannot happen with {self.format_code(guess)}")
        return answer

    def _check_clue(self, clue: Clue, guess: Code) -> None:
        unread = self.unread_clue(guess)
        if type(clue) is not type(unread) or clue.shape != unread.shape:
            hint = "game.turn takes an answer as text or feedback"
            raise InvalidClueError(f"{clue!r:.80} is not a clue of {self.title}; {hint}")

    def format_turn(self, turn: Turn) -> str:
        """Return a turn as a line, which `turn` parses."""
        check_type("turn", turn, Turn, "a Turn, as Game.turn makes it")
        return turn_notation.format_turn(self, turn)

    def describe_turn(self, turn: Turn) -> str:
        """Return a turn as it was understood: `HORSE: 1 black, 1 white, 1 red, 2 unread`."""
        return f"{self.format_code(turn.guess)}: {turn_notation.describe_answer(self, turn)}"

    # What turns and facts say about the secret.

    def violated(self, turn: Turn, feedback: Feedback) -> Literal["", "clue", "win"]:
        """Return what of a turn a secret with this feedback contradicts: "" if nothing.

        It is a win (or that the game went on) if just one of them wins, the turn or the feedback;
        no lie explains that. Only a doubted turn that wins may be wrong.
        """
        wins, clue_wins = feedback == self.rule.winning, self.rule.wins(turn.clue)
        if wins != clue_wins and not (clue_wins and turn.doubted):
            return "win"
        clues = None if wins else self._true_clues(turn)
        return "" if clues is None or any(feedback in clue for clue in clues) else "clue"

    def _true_clues(self, turn: Turn) -> Iterable[OwnClue] | None:
        """Return clues of which one has the true feedback; None if it may be any feedback."""
        if turn.doubted or self.channel.lies.chance:
            return None
        return [turn.clue] if self.channel == PERFECT else self.likelihood.clues(turn.clue)

    def win_conflicts(self, turn: Turn, feedbacks: "FeedbackArray") -> "Mask":
        """Return (F,): for which of some feedbacks (F, parts) `violated` is a win."""
        wins, clue_wins = self.rule.win_mask(feedbacks), self.rule.wins(turn.clue)
        return wins & False if clue_wins and turn.doubted else wins != clue_wins

    def admitted(self, turn: Turn, feedbacks: "FeedbackArray") -> "Mask":
        """Return (F,): for which of some feedbacks (F, parts) `violated` is nothing."""
        clues = self._true_clues(turn)
        admitted = self.rule.win_mask(feedbacks) | (clues is None)
        for clue in clues or ():
            admitted |= clue.mask(feedbacks)
        return admitted & ~self.win_conflicts(turn, feedbacks)

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
        if self.boards == 1:
            return history
        items: list[Item] = []
        for item in history:
            if isinstance(item, Fact):
                items += [item] if item.board == board else []
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

        First those that no lie explains: facts and wins. Then those whose clue may be a lie.
        """
        places: dict[str, list[int]] = {"": [], "clue": [], "win": []}
        for place, item in enumerate(history):
            if isinstance(item, Fact):
                violated = "" if holds(item.constraint, secret) else "win"
            else:
                violated = self.violated(item, self.rule.score(item.guess, secret))
            places[violated].append(place)
        return places["win"], places["clue"]

    def winning_guesses(self, history: History) -> list[Code | None]:
        """Return for each secret the guess that found it without doubt, None for others."""
        wins = self.one_board.rule.wins
        boards = (self.on_board(history, board).turns for board in range(self.boards))
        return [
            next((turn.guess for turn in turns if wins(turn.clue) and not turn.doubted), None)
            for turns in boards
        ]

    def is_won(self, history: History) -> bool:
        """Return whether all secrets are found, the last turn wins, and nothing is contradicted."""
        codes = self.winning_guesses(history)
        if None in codes or history.turns[-1].guess not in codes:
            return False
        return self.fits(history, tuple(symbol for code in codes for symbol in code or ()))
