"""A game: what its rows are read by."""

import hashlib
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from textwrap import shorten
from types import EllipsisType
from typing import TYPE_CHECKING, Any, Self, cast

from puzzlehunt.channel.model import PERFECT, Channel
from puzzlehunt.codes.alphabet import FOREIGN, Alphabet, Code
from puzzlehunt.codes.named_codes import NamedCodes
from puzzlehunt.codes.spaces import BoardSpace, CodeSpace, WordSpace, describe_lengths, split
from puzzlehunt.errors import (
    InvalidCodeError,
    PuzzlehuntError,
    TooLargeError,
    check_type,
    counted,
    unknown_name,
)
from puzzlehunt.game import blocks, facts, meaning, turn_notation
from puzzlehunt.game.history import History, Rows, Shown, Turn
from puzzlehunt.game.play import Host, Play
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.boards import BoardsRule
from puzzlehunt.rules.by_score import FunctionRule, ScoreRule
from puzzlehunt.rules.columns import ColumnsRule
from puzzlehunt.rules.notation.clue import NEVER, Clue, Feedback

if TYPE_CHECKING:
    from puzzlehunt.channel.likelihood import Likelihood
    from puzzlehunt.kernels.feedback_matrix import Table
    from puzzlehunt.kernels.packed_codes import CodeArray


@dataclass(frozen=True, repr=False)
class Game(Shown):
    """A game: its codes, rule, channel and settings, and their notation; immutable.

    - `secrets`: the codes that may be hidden. `guesses`: the codes that may be suggested; a player
      may type any code of the right length.
    - `hard`: hard mode, in which every guess must use the clues of earlier turns.
    - `channel`: how a feedback may be hidden, falsified or misread before it is a clue.
    - `host`: how the codemaker answers, and what it gives away before the first guess.
    - `history`: the turns and facts that the game starts from. `about`: the game in a line.

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
    hard: bool = False
    channel: Channel = PERFECT
    host: Host = field(default_factory=Host)
    history: History = field(default_factory=History, hash=False)
    about: str = ""
    _wider: Callable[[], Iterable[tuple[str, "Game"]]] = field(default=tuple, compare=False)

    def __post_init__(self) -> None:
        kinds = {"secrets": CodeSpace, "guesses": CodeSpace, "rule": Rule}
        for name, kind in (kinds | {"play": Play, "channel": Channel, "history": History}).items():
            check_type(name, getattr(self, name), kind)
        if self.hard and self.rule.no_constraint:
            raise PuzzlehuntError(f"no hard mode here: {self.rule.no_constraint}")
        if isinstance(self.rule, ScoreRule | ColumnsRule):
            object.__setattr__(self, "rule", self.rule.for_codes(self.secrets, self.guesses))

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
        asked = hidden if guesses is None else list(guesses)
        if len(hidden) < 2 or not asked:
            raise ValueError("a game needs two secrets and a guess, or there is nothing to find")
        weights = dict.fromkeys(hidden, 1.0) if weights is None else weights
        if missing := [value for value in hidden if value not in weights]:
            raise ValueError(f"weights: none is given for {missing[0]!r:.40}")
        values = tuple(dict.fromkeys((*hidden, *asked)))
        alphabet = NamedCodes.of(values)
        code_of = dict(zip(values, alphabet.codes, strict=True))
        spaces = (
            WordSpace(alphabet, {code_of[value]: weights[value] for value in hidden}),
            WordSpace.of(alphabet, [code_of[value] for value in asked]),
        )
        rule = FunctionRule(score, value_of=lambda code: values[alphabet.number_of(code)])
        rule = rule.for_codes(*spaces, wins=not only_questions)
        play = Play(strategy="book" if channel == PERFECT else "entropy")
        return cls(title, *spaces, rule, play, channel=channel)

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
    def only_questions(self) -> bool:
        """Whether no guess can win.

        The game then ends when one secret is left, and a number of guesses is the number of
        questions that were asked.
        """
        both = self.one_board.secrets.common_code(self.guesses)
        return self.rule.winning == NEVER or both is None

    @cached_property
    def _likelihood(self) -> "Likelihood":
        from puzzlehunt.channel.likelihood import Likelihood

        return Likelihood(self.rule, self.channel)

    # Codes.

    def parse_guess(self, guess: Hashable) -> Code:
        """Return the code of a guess, given as text, value or code; the game need not suggest it.

        Raises InvalidCodeError.
        """
        if not isinstance(guess, str):
            return self._code(guess, "guess")
        try:
            code = self.alphabet.parse(guess, foreign=self.alphabet.ignores_foreign)
        except InvalidCodeError:
            if {"_", "?"}.isdisjoint(self.alphabet.tokens(guess)):
                raise
            ways = "leave the row out, or write the likeliest guess and doubt the row with ?"
            raise InvalidCodeError(f"{guess}: a guess must be known in full; {ways}") from None
        if self.alphabet.cuts_overlong:
            code = code[: self.one_board.length]
        return self._checked(code, guess, "guess")

    def parse_secret(self, secret: Hashable) -> Code:
        """Return the code of a secret, as `parse_guess` does; it need not be one of the game's.

        If several codes are hidden at once, their texts are separated by `/`.
        """
        if not isinstance(secret, str):
            return self._code(secret, "secret")
        parts = [part.strip() for part in secret.split("/")] if self.boards > 1 else [secret]
        if len(parts) != self.boards:
            problem = f"expected {self.boards} secrets with / between them, not {len(parts)}"
            raise InvalidCodeError(f"{secret!r}: {problem}")
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

    def _code(self, value: Hashable, role: str) -> Code:
        space = self.guesses if role == "guess" else self.secrets
        code: Any = self.alphabet.code_of(value)
        least = FOREIGN if self.alphabet.ignores_foreign and role == "guess" else 0
        symbols = range(least, len(self.alphabet))
        fits = isinstance(code, tuple) and len(code) in space.lengths
        fits = fits and all(map(symbols.__contains__, code))
        if fits and (code in space or not self.rule.only_listed):
            return cast(Code, code)
        example = self.format_code(next(iter(space)))
        ways = f"such as {example}, or symbol numbers from 0 to {len(self.alphabet) - 1}"
        raise InvalidCodeError(f"{value!r:.60} is not a {role} of {self.title}; {ways}")

    # Scores.

    def score(self, guess: Hashable, secret: Hashable) -> Feedback:
        """Return the full feedback of a guess against a secret.

        Raises InvalidCodeError, and RuleError if nobody knows the rule.
        """
        meaning.check_explained(self)
        return self.rule.score(self.parse_guess(guess), self.parse_secret(secret))

    def score_all(
        self, guesses: "Iterable[Hashable] | CodeArray", secrets: "Iterable[Hashable] | CodeArray"
    ) -> "Table":
        """Return an array (G, S) of the feedbacks of G guesses against S secrets, as numbers.

        A number n stands for `game.rule.feedbacks[n]`. Codes are texts, tuples, or the rows of an
        array of symbol numbers (N, length). Raises InvalidCodeError, and TooLargeError in a game of
        several boards, where `game.one_board` scores one board.

        >>> game = puzzlehunt.load("mastermind")
        >>> table = game.score_all(["RRGB", "OOOO"], ["RYGO", "RRGB", "YYYY"])
        >>> table.shape, [game.rule.feedbacks[n] for n in table[0]]
        ((2, 3), [Pegs(black=2, white=0), Pegs(black=4, white=0), Pegs(black=0, white=0)])
        """
        if self.boards > 1:
            raise TooLargeError("too many answers to number; game.one_board scores one board")
        arrays = []
        for read, codes in ((self.parse_guess, guesses), (self.parse_secret, secrets)):
            listed = codes.tolist() if hasattr(codes, "tolist") else codes
            check_type("codes", listed, Iterable, "codes or texts")
            each = (read(tuple(code) if isinstance(code, list) else code) for code in listed)
            arrays.append(self.rule.rows_of(each))
        return self.rule.table(*arrays)

    # Clues, turns and facts.

    parse_fact = facts.parse_fact

    def as_history(self, history: Rows) -> History:
        """Return a history unchanged, or make it from the lines of a text or from other rows.

        A row is a turn, a fact, a line or a pair (guess, answer). A line such as `/fact no Q` is a
        fact; any other, and a pair, is what `turn` takes. Raises what these raise.
        """
        rows = history
        if isinstance(history, str):
            rows = [line for line in history.splitlines() if line.strip()]
        check_type("history", rows, Iterable, "a History, or lines such as ['GUESS CLUE']")
        items = tuple(blocks.as_item(self, row) for row in rows)
        return history if isinstance(history, History) else History(items)

    def turn(self, guess: Hashable, answer: Feedback | Clue | EllipsisType = ...) -> Turn:
        """Return the turn of a line `GUESS CLUE`, or of a guess and the answer to it.

        The guess is a code, its text or its value; the answer is a text such as `B_WR_`, a full
        feedback such as `Pegs(1, 2)`, or a clue; `*` if nothing was read. Raises InvalidCodeError,
        InvalidClueError, and InvalidTurnError for a line without a guess or a clue.
        """
        if answer is ...:
            return blocks.read_row(self, cast(str, guess), needs_clue=True)
        code = self.parse_guess(guess)
        return turn_notation.with_text(self, Turn(code, turn_notation.clue_of(self, code, answer)))


def fingerprint(game: Game, by_names: bool = True) -> str:
    """Return 12 hexadecimal digits (48 bits), the same for games whose best play is the same.

    Every version has the same: by it, trees, books and checkpoints identify their game. Unless
    `by_names`, symbols are hashed by their places, so that 4x6 is Mastermind in six colours.
    """
    formula, rule = game.one_board.secrets.formula, game.one_board.rule
    digest = f" {rule.digest}" if rule.only_listed else ""
    rule_options = "".join(f" {key}={rule.options[key]}" for key in sorted(rule.options))
    options = (
        (game.boards > 1, f"boards {game.boards}"),
        (game.play.attempts is not None, f"attempts {game.play.attempts}"),
        (game.hard, "hard"),
        (formula is not None, f"formula {formula}"),
        (game.host.gives, f"gives {' '.join(game.host.gives)}"),
        (game.channel != PERFECT, f"channel {game.channel}"),
        (game.host.adversarial, "host adversarial"),
        (game.only_questions, "only questions"),
    )
    lines = [
        f"symbols {' '.join(game.alphabet.symbols) if by_names else len(game.alphabet)}",
        f"secrets {_space_text(game.one_board.secrets)}",
        f"guesses {_space_text(game.guesses)}",
        f"rule {rule.name}{rule_options}{digest}",
        # A default has no line, so that new options change no game.
        *(line for is_set, line in options if is_set),
    ]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


def _space_text(space: CodeSpace) -> str:
    if space.free:
        distinct = " distinct" if space.distinct else ""
        return f"{space.lengths[0]} to {space.lengths[-1]}{distinct}"
    digest = hashlib.sha256()
    for code in space:
        digest.update(f"{code} {space.weight(code)}\n".encode())
    return f"words {digest.hexdigest()}"
