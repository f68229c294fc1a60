"""What the rows of a game are read by: its codes, rule, channel, settings, and their notation."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from math import log10
from textwrap import shorten
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias, cast

from puzzlehunt.channel.model import PERFECT, Channel, Rate
from puzzlehunt.codes.alphabet import FOREIGN, Alphabet, Code
from puzzlehunt.codes.spaces import CodeSpace, describe_lengths, split
from puzzlehunt.errors import (
    ImpossibleClueError,
    InvalidCodeError,
    PuzzlehuntError,
    RuleError,
    check_type,
    counted,
    in_number,
    unknown_name,
)
from puzzlehunt.game.history import History
from puzzlehunt.game.play import Play
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.boards import BoardsRule
from puzzlehunt.rules.by_score import ScoreRule
from puzzlehunt.rules.columns import ColumnsRule
from puzzlehunt.rules.notation.clue import NEVER, Clue, Feedback

if TYPE_CHECKING:
    from puzzlehunt.channel.likelihood import Likelihood

ListedRule: TypeAlias = ScoreRule | ColumnsRule
"""A rule for which `Rule.only_listed` holds."""
HostName: TypeAlias = Literal["truthful", "adversarial"]
"""How the codemaker answers: by one secret, or always so that most secrets remain possible."""
Gift: TypeAlias = Literal["first", "sum", "row", "letters"]
"""What the codemaker gives away: the secret's first symbol, the sum of its symbols, or a turn.

The guess of the turn is one of the game's guesses (`row`), or any symbols (`letters`).
"""


_GAPS = "_.*?"
"""Signs that people write for a symbol that they forgot."""


@dataclass(frozen=True, slots=True)
class HiddenRule:
    """What is known of a rule whose marks nobody explained: the rule, and how often they are read.

    `rule` is None if it may be any rule.
    """

    rule: Rule | None = None
    reads: tuple[Rate, ...] | None = None


@dataclass(frozen=True, repr=False)
class GameSpec:
    """What the rows of a game are read by: codes, rule, channel, settings and their notation.

    - `secrets`: the codes that may be hidden. `guesses`: the codes that may be suggested; a player
      may type any code of the right length.
    - `cut_overlong`: a guess longer than the secret is cut to the secret's length, and cannot win.
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

    def __post_init__(self) -> None:
        check_type("rule", self.rule, Rule)
        check_type("play", self.play, Play)
        check_type("channel", self.channel, Channel)
        check_type("history", self.history, History)
        check_type("secrets", self.secrets, CodeSpace, "a space of codes")
        check_type("guesses", self.guesses, CodeSpace, "a space of codes")
        if self.hard and self.rule.no_constraint:
            raise PuzzlehuntError(f"no hard mode here: {self.rule.no_constraint}")
        if self.rule.only_listed:
            listed = cast(ListedRule, self.rule)
            rule = listed.for_codes(self.secrets, self.guesses, not self.only_questions)
            object.__setattr__(self, "rule", rule)
        if self.rule.winning == NEVER:
            object.__setattr__(self, "only_questions", True)

    def __repr__(self) -> str:
        sizes = {"secret": self.secrets.size, "guess": self.guesses.size}
        counts = [f"{n:,}" if n < 10**15 else f"10^{int(log10(n))}" for n in sizes.values()]
        secrets, guesses = map(in_number, sizes, sizes.values())
        played = f"{len(self.history.turns)} played"
        title = shorten(self.title, 60)
        return f"<Game {title!r}: {counts[0]} {secrets}, {counts[1]} {guesses}, {played}>"

    def __getstate__(self) -> dict[str, object]:
        """Return the state to pickle, without values that can be computed again."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def is_like(self, other: "GameSpec") -> bool:
        """Return whether another game has the same codes and rule."""
        ours = self.rule, self.secrets, self.guesses
        return self is other or ours == (other.rule, other.secrets, other.guesses)

    @cached_property
    def alphabet(self) -> Alphabet:
        """The symbols of codes, with every name they may be typed by."""
        return self.guesses.alphabet

    @property
    def length(self) -> int:
        """How many symbols a secret has."""
        return self.rule.length

    @property
    def secret_length(self) -> int:
        """The number of symbols in the secret of each board; a secret of the game joins them."""
        return self.rule.length // self.boards

    @cached_property
    def boards(self) -> int:
        """The number of boards; each has its own secret and clues."""
        return self.secrets.boards

    @cached_property
    def own_signs(self) -> frozenset[str]:
        """Every character of the symbols and marks, in lower and in upper case."""
        marks = [mark for mark, _ in self.rule.notation.named_marks()]
        text = "".join([*self.alphabet.symbols, *self.alphabet.aliases, *marks])
        return frozenset(text + text.casefold() + text.upper())

    @cached_property
    def tune_labels(self) -> tuple[str, ...]:
        """The names of the marks of a game about NetHack's tune; () for any other game."""
        labels = tuple(label for _, label in self.rule.notation.named_marks())
        return labels if {"gear", "tumbler"} & {*labels} else ()

    @cached_property
    def one_board(self) -> Self:
        """The game that is played on each of several boards, without history."""
        if self.boards == 1:
            return self
        rule = cast(BoardsRule, self.rule).single_rule
        return replace(self, secrets=self.secrets.single, rule=rule, history=History())

    @cached_property
    def likelihood(self) -> "Likelihood":
        """What may be the truth behind each clue of this game, and how likely the clue then is."""
        from puzzlehunt.channel.likelihood import likelihood_of

        return likelihood_of(self.rule, self.channel)

    def with_play(self, changes: Mapping[str, object]) -> Self:
        """Return this game with some of its `play` settings changed. Raises UnknownNameError."""
        check_type("changes", changes, Mapping, "settings such as {'attempts': 8}")
        known = [each.name for each in fields(Play)]
        if unknown := [key for key in changes if key not in known]:
            raise unknown_name("setting of play", unknown[0], known)
        return replace(self, play=replace(self.play, **changes))  # type: ignore[arg-type]

    def parse_guess(self, text: str) -> Code:
        """Parse a guess, whether or not the game would suggest it.

        Raises InvalidCodeError for unknown symbols and wrong lengths.
        """
        try:
            code = self.alphabet.parse(text, foreign=self.ignore_foreign)
        except InvalidCodeError:
            self._refuse_gaps(text)
            raise
        if self.cut_overlong:
            code = code[: self.secret_length]
        if len(code) not in self.guesses.lengths:
            raise _wrong_length(text, code, self.guesses, "guess")
        self._check_listed(code, "guess")
        return code

    def _refuse_gaps(self, text: str) -> None:
        """Raise InvalidCodeError for a guess with signs for symbols that were forgotten."""
        names = self.alphabet.tokens(text)
        gaps = [name for name in names if name in _GAPS and self.alphabet.number(name) is None]
        if gaps and len(names) in self.guesses.lengths:
            raise InvalidCodeError(
                f"{text}: a guess must be known in full; leave the row out, or write the likeliest "
                "guess and doubt the row with ?"
            )

    def parse_lone_guess(self, text: str) -> Code:
        """Parse a text that is alone on a line as a guess, if it can mean nothing else.

        Foreign characters are then refused, even in a game that accepts them, unless they are
        written as `format_code` writes them. Raises InvalidCodeError.
        """
        guess = self.parse_guess(text)
        names, meant = dict.fromkeys(self.alphabet.foreign_names(text)), self.format_code(guess)
        if not names:
            return guess
        if self.begins_with_count(text):
            raise InvalidCodeError(f"{text} is not a guess; a clue follows its guess: GUESS CLUE")
        nouns = "is not a symbol" if len(names) == 1 else "are not symbols"
        raise InvalidCodeError(
            f"{text}: {', '.join(names)} {nouns} of this game, which takes it for {meant}; "
            f"if you played that, write {meant}"
        )

    def begins_with_count(self, text: str) -> bool:
        """Return whether a text begins with a digit that is not a symbol, so it is not a guess."""
        first = text[:1]
        return first.isdecimal() and first not in self.alphabet and text not in self.alphabet

    def is_cut(self, text: str) -> bool:
        """Return whether a typed guess is too long, so that only its beginning counts."""
        names = self.alphabet.tokens(text)
        return self.cut_overlong and len(names) > self.secret_length

    def parse_secret(self, text: str) -> Code:
        """Parse a secret, whether or not it is one of the game's secrets.

        If several codes are hidden at once, they are separated by `/`. Raises InvalidCodeError.
        """
        parts, space, length = [text], self.secrets, self.secret_length
        if self.boards > 1:
            parts, space = [part.strip() for part in text.split("/")], self.secrets.single
            if self.alphabet.number("/") is not None and {*text[length :: length + 1]} == {"/"}:
                # In a game with the symbol `/`, each piece is as long as a secret.
                parts = [text[start : start + length] for start in range(0, len(text), length + 1)]
        if len(parts) != self.boards:
            raise InvalidCodeError(
                f"{text!r}: expected {self.boards} secrets with / between them, not {len(parts)}"
            )
        codes = [self.alphabet.parse(part) for part in parts]
        for part, code in zip(parts, codes, strict=True):
            if len(code) not in space.lengths:
                raise _wrong_length(part, code, space, "secret")
            self._check_listed(code, "secret")
        return tuple(symbol for code in codes for symbol in code)

    def _check_listed(self, code: Code, role: str) -> None:
        """Raise InvalidCodeError for a code that is not listed, in a game that needs it to be."""
        space = self.guesses if role == "guess" else self.secrets
        if self.rule.only_listed and code not in space:
            problem = f"is not a {role} of this game, and no other has a score"
            raise InvalidCodeError(f"{self.format_code(code)} {problem}")
        is_question = role == "guess" and self.only_questions and code not in space
        if is_question and code in self.secrets:
            problem = "may be the secret, which is never a guess of this game"
            raise InvalidCodeError(f"{self.format_code(code)} {problem}")

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
        return self.parse_guess(guess) if isinstance(guess, str) else self._as_code(guess, "guess")

    def as_secret(self, secret: Hashable) -> Code:
        """Return a secret, given as a code, its text or its value. Raises InvalidCodeError."""
        if isinstance(secret, str):
            return self.parse_secret(secret)
        return self._as_code(secret, "secret")

    def _as_code(self, value: Hashable, role: str) -> Code:
        code: Any = self.alphabet.code_of(value) if self.alphabet.names_codes else value
        if not self.is_code(code, role=role):
            example = next(iter(self.guesses if role == "guess" else self.secrets))
            raise InvalidCodeError(
                f"{value!r:.60} is not a {role} of {self.title}: a text such as "
                f"{self.format_code(example)}, or a tuple of symbol numbers from 0 to "
                f"{len(self.alphabet) - 1}"
            )
        checked: Code = code
        return checked

    def parse_clue(self, text: str, guess: Hashable) -> Clue:
        """Parse a clue about a guess.

        If only the winning feedback can explain the clue, the result is the winning clue, unless
        nothing was read. Raises InvalidClueError for a text that is not a clue, ImpossibleClueError
        for a clue that no feedback could lead to.
        """
        text, guess = as_text(text), self.as_guess(guess)
        if self.boards > 1 or not self.channel.weighs:
            return self.rule.parse(text, guess)
        # No secret need be able to cause a false feedback.
        clue = self.rule.parse(text, guess, checked=not self.channel.answers_anew)
        if self.rule.wins(clue):
            return self.rule.notation.full_clue(self.rule.winning, guess)
        if clue == self.unread_clue(guess):
            return clue
        if self.likelihood.may_be_shown(guess, clue):
            return clue
        won = self.rule.notation.full_clue(self.rule.winning, guess)
        if self.likelihood.may_be_win(clue) and self.rule.may_win(guess, won):
            return won
        raise ImpossibleClueError(
            f"{text.strip()!r} cannot happen: no secret could answer so, even with the game's lies "
            "and rates"
        )

    def score(self, guess: Hashable, secret: Hashable) -> Feedback:
        """Return the full feedback of a guess against a secret.

        Raises InvalidCodeError, and RuleError if nobody knows the rule.
        """
        self.check_explained()
        return self.rule.score(self.as_guess(guess), self.as_secret(secret))

    def check_explained(self) -> None:
        """Raise RuleError if nobody explained what the marks of this game mean."""
        if self.hidden is not None:
            raise RuleError("nobody can answer a guess with `legend: unknown`; leave that out")

    def unread_clue(self, guess: Code) -> Clue:
        """Return the clue that says nothing: no mark of the feedback was read."""
        return self.rule.notation.unread_clue(guess)


def _wrong_length(text: str, code: Code, space: CodeSpace, role: str) -> InvalidCodeError:
    lengths = describe_lengths(space.lengths)
    return InvalidCodeError(f"{text!r} has {counted(len(code), 'symbol')}; a {role} has {lengths}")


def as_text(value: object) -> str:
    """Return a text unchanged. Raises TypeError for anything else."""
    check_type("text", value, str, "a text")
    return cast(str, value)
