"""Rules that know an answer only as a whole, without a constraint."""

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from puzzlehunt.codes.alphabet import Code, graphemes, one_spelling
from puzzlehunt.codes.named_codes import text_of
from puzzlehunt.codes.spaces import CodeSpace
from puzzlehunt.errors import (
    ImpossibleClueError,
    InvalidClueError,
    RuleError,
    TooLargeError,
    in_one_line,
)
from puzzlehunt.kernels.feedback_matrix import Table, unsigned_type
from puzzlehunt.kernels.packed_codes import Bits, CodeArray, PackedCodes, code_of
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.notation.clue import (
    NEVER,
    NONE_WORDS,
    UNREAD_WORDS,
    WON_WORDS,
    Clue,
    Feedback,
    Notation,
    Parts,
)
from puzzlehunt.rules.notation.clue_values import CellsClue

if TYPE_CHECKING:
    from puzzlehunt.channel.model import Rate

MOST_SCORES = 20_000_000
"""Most scores (a guess against a secret) of a game with a `ScoreRule`."""
_SEVERAL = re.compile(r"(\d+)\s*([^\W\d_])")
"""A number of equal marks, as in `2X 1Y`."""


class ScoreRule(Rule, Notation):
    """A rule that a subclass defines by `name` and `score` alone.

    A feedback is any hashable value, and its text is `str(feedback)`. The rule becomes part of a
    game by `for_codes`, which scores each of the game's guesses against each of its secrets; until
    then it has no feedbacks. Only listed guesses and secrets have scores. A feedback wins if every
    secret that is guessed gets it, and no other pair of codes does; without such a feedback no
    guess wins, and a game ends when one secret is left.

    A clue is the text of a feedback, `a|b` for one of several, `*` for an answer that was not read,
    and `won`. There is no constraint, so that only the explicit engine works.
    """

    only_listed = True
    unread_mark = UNREAD_WORDS[0]
    none_words = ()
    no_constraint = "a rule by score alone has no constraint"
    feedbacks: Sequence[Feedback] = ()
    """All scores of a game in ascending order or, if they have none, in that of their texts.

    The winning one stands last; if no guess wins, it never occurs.
    """
    winning: Feedback = NEVER
    _spaces: tuple[CodeSpace, CodeSpace] | None = None
    """The secrets and the guesses of the rule's game."""
    _places: tuple[dict[Code, int], dict[Code, int]]
    """The row of each guess in the table of scores, and the column of each secret."""
    _feedback_of: dict[str, Feedback]
    """The feedbacks that occur, by their texts in lower case."""
    _index_of: dict[Feedback, int]
    _table: Table
    _function: Callable[[Any, Any], Hashable] | None = None
    """The score as a function of the values of two codes, until the scores are made."""
    _value_of: Callable[[Code], Any] | None = None

    def __init__(self, length: int = 0, symbols: int = 0, **settings: Any) -> None:
        super().__init__(length, symbols, **settings)

    # What is derived from the scores of a game.

    def for_codes(self, secrets: CodeSpace, guesses: CodeSpace, wins: bool = True) -> Self:
        """Return this rule with the scores of a game's guesses against its secrets.

        If not `wins`, no feedback wins, even if only the secret itself gets it. Raises
        TooLargeError for more than `MOST_SCORES` scores, RuleError for a score that fails or is not
        hashable, and for feedbacks whose texts cannot be told apart.
        """
        if self._spaces == (secrets, guesses) and (wins or self.winning == NEVER):
            return self
        scores = secrets.size * guesses.size
        if scores > MOST_SCORES:
            raise TooLargeError(
                f"rule {self.name}: {guesses.size:,} guesses against {secrets.size:,} secrets are "
                f"{scores:,} scores, more than {MOST_SCORES:,}; subclass CountRule or TileRule, "
                "or take fewer codes"
            )
        rule = copy(self)
        rule.length, rule.symbols = secrets.lengths[-1], len(secrets.alphabet)
        rule._spaces, rule._function, rule._value_of = (secrets, guesses), None, None
        row_of, column_of = ({c: n for n, c in enumerate(space)} for space in (guesses, secrets))
        rule._places = row_of, column_of
        number_of, found = self._scores(row_of, column_of, guesses.alphabet.format)
        values: list[Any] = [*number_of]
        try:
            values.sort()
        except TypeError:
            values.sort(key=text_of)
        rule._feedback_of = self._by_text(values)
        # The feedback wins that each secret gets as the guess, and no other pair of codes.
        own = [found[row_of[code], n] for code, n in column_of.items() if code in row_of]
        is_won = wins and len({*own}) == 1 and len(own) == len(column_of)
        is_won = is_won and np.count_nonzero(found == own[0]) == len(own)
        rule.winning = [*number_of][own[0]] if is_won else NEVER
        losing = [feedback for feedback in values if feedback != rule.winning]
        rule.feedbacks = (*losing, rule.winning)
        rule.winning_index = len(losing)
        rule._index_of = {feedback: index for index, feedback in enumerate(rule.feedbacks)}
        index_of = np.array([rule._index_of[value] for value in number_of])
        rule._table = index_of.astype(unsigned_type(len(rule.feedbacks)))[found]
        texts = repr(tuple(map(text_of, rule.feedbacks))).encode()
        rule.digest = hashlib.blake2b(texts + rule._table.tobytes(), digest_size=16).hexdigest()
        return rule

    def _scores(
        self, guesses: Collection[Code], secrets: Collection[Code], as_text: Callable[[Code], str]
    ) -> tuple[dict[Feedback, int], Table]:
        """Return numbers of the feedbacks, as they were found, and a table (guesses, secrets)."""
        number_of = defaultdict[Feedback, int](count().__next__)
        score: Callable[[Any, Any], Hashable] = self._function or self.score
        value_of: Callable[[Code], Any] = tuple
        if self._function is not None:
            value_of = self._value_of or as_text
        hidden = [*map(value_of, secrets)]
        table = np.empty((len(guesses), len(hidden)), dtype=np.uint32)
        for guess, row in zip(guesses, table, strict=True):
            scored = list[int]()
            try:
                guessed = value_of(guess)
                for secret in hidden:
                    scored.append(number_of[score(guessed, secret)])
            except Exception as error:
                secret_text = as_text([*secrets][len(scored)])
                about = f"rule {self.name}, guess {as_text(guess)}, secret {secret_text}"
                raise RuleError(f"{about}: {in_one_line(error)}") from error
            row[:] = scored
        return number_of, table

    def _by_text(self, feedbacks: Sequence[Feedback]) -> dict[str, Feedback]:
        value_of: dict[str, Feedback] = {}
        for feedback in feedbacks:
            text = text_of(feedback)
            is_taken = value_of.setdefault(text.casefold(), feedback) is not feedback
            is_word = text.casefold() in ("", "?", *UNREAD_WORDS)
            if is_taken or is_word or any(sign in f" {text}" for sign in ("|", " ?", " #")):
                why = "another feedback has it" if is_taken else "it means something else in clues"
                raise RuleError(
                    f"rule {self.name}: {text!r:.40}, the text of {feedback!r:.40}, cannot be a "
                    f"clue: {why if text else 'it is empty'}"
                )
        return value_of

    def _possible(self, guess: Code) -> tuple[Feedback, ...]:
        row = self._table[self._places[0][guess]]
        return tuple(self.feedbacks[index] for index in np.unique(row).tolist())

    def bits(self, codes: CodeArray) -> tuple[Bits, Bits]:
        """Return the row and the column of each code in the table of scores.

        It is beyond the last one for a code that has none.
        """
        places = [[at.get(code_of(code), len(at)) for at in self._places] for code in codes]
        numbers = np.array(places, dtype=np.uint64).reshape(-1, 2)
        return numbers[:, :1], numbers[:, 1:]

    def table(self, guesses: PackedCodes, secrets: PackedCodes) -> Table:
        return self._table[np.ix_(guesses.bits[0][:, 0], secrets.bits[1][:, 0])]

    # Notation.

    @property
    def clue_words(self) -> tuple[str, ...]:
        return (*UNREAD_WORDS, *WON_WORDS, *self._feedback_of)

    def legend(self) -> str:
        return f"{_listed(tuple(self._feedback_of.values()))}, * nothing read"

    def read(self, text: str, guess: Code) -> CellsClue:
        plain = text_of(text)
        if plain.casefold() in (*UNREAD_WORDS, "?"):
            return self.clue_of(())
        if super().says_won(plain) and plain.casefold() not in self._feedback_of:
            raise ImpossibleClueError("no guess wins this game; it ends with one secret left")
        parts = [part.strip().casefold() for part in plain.split("|")]
        if not self._feedback_of.keys() >= {*parts}:
            known = _listed([*self._feedback_of.values()])
            raise InvalidClueError(f"{text.strip()!r:.60} is not an answer here; known: {known}")
        return self.clue_of([self._feedback_of[part] for part in parts])

    def clue_of(self, admitted: Collection[Feedback]) -> CellsClue:
        """Return the clue that admits some of the feedbacks; none of them means nothing read."""
        cell = tuple(sorted({self._index_of[feedback] for feedback in admitted}))
        return CellsClue((cell,), (self.winning_index,), values=tuple(self.feedbacks))

    def says_won(self, text: str) -> bool:
        # The text of a losing feedback may be `won`, too.
        feedback = self._feedback_of.get(text.strip().casefold(), self.winning)
        return super().says_won(text) and feedback == self.winning != NEVER

    def refusal(self, guess: Code, clue: Clue) -> str:
        possible = self._possible(guess)
        if any(feedback in clue for feedback in possible if feedback != self.winning):
            return ""
        return f" with this guess, whose answers are {_listed(possible)}"

    def may_win(self, guess: Code, clue: Clue) -> bool:
        return self.winning in clue and self.winning in self._possible(guess)

    def format(self, clue: CellsClue) -> str:
        return UNREAD_WORDS[0] if clue.nothing_read else "|".join(map(text_of, clue))

    def describe(self, clue: CellsClue) -> str:
        return "nothing read" if clue.nothing_read else " or ".join(map(text_of, clue))

    def full_clue(self, feedback: Feedback, guess: Code) -> CellsClue:
        return self.clue_of((feedback,))


class FunctionRule(ScoreRule):
    """The rule whose score is a function of two values, those of a guess and of a secret.

    `value_of` returns the value of a code; without it, a value is the text of a code. The rule of a
    game keeps the scores instead of the function, so that it can be pickled.
    """

    name = "function"

    def __init__(
        self,
        function: Callable[[Any, Any], Hashable],
        name: str = "",
        value_of: Callable[[Code], Hashable] | None = None,
    ) -> None:
        self._function, self._value_of = function, value_of
        self.name = name or getattr(function, "__name__", "").strip("<>") or "function"  # type: ignore[misc]
        super().__init__()

    def score(self, guess: Code, secret: Code) -> Feedback:
        rows, columns = self._places
        return self.feedbacks[int(self._table[rows[guess], columns[secret]])]


@dataclass(frozen=True, slots=True)
class UnknownClue(CellsClue):
    """An answer as it was typed: its marks in order (None for an unread one), or its numbers.

    Its one place has the digit 0, and 1 if the guess won.
    """

    signs: tuple[str | None, ...] = ()
    numbers: tuple[int, ...] = ()

    @property
    def nothing_read(self) -> bool:
        return bool(self.signs) and not any(self.signs)

    def __and__(self, other: CellsClue) -> CellsClue | None:
        return other if self == other or self.nothing_read else None


class UnknownRule(Rule, Notation):
    """The rule of a game whose marks nobody explained: it knows only whether a guess is the secret.

    The feedback is then (1,), else (0,). Marks are kept as typed, for `engines/legends.py`. `meant`
    is the rule behind them and `reads` its read rates, if the game says so.
    """

    meant: Rule | None = None
    reads: "tuple[Rate, ...] | None" = None

    name = "unknown"
    short_guesses = True
    no_constraint = "nobody knows yet what the marks mean"
    feedbacks: Sequence[Parts] = ((0,), (1,))

    @property
    def settings(self) -> tuple[object, ...]:
        return (*super().settings, self.meant, self.reads)

    def score(self, guess: Code, secret: Code) -> Parts:
        return (int(guess == secret),)

    def table(self, guesses: PackedCodes, secrets: PackedCodes) -> Table:
        rows = [(secrets.codes == guess).all(axis=1) for guess in guesses.codes]
        return np.array(rows, dtype=np.uint8).reshape(len(guesses), len(secrets))

    def read(self, text: str, guess: Code) -> UnknownClue:
        lost = self.full_clue((0,), guess)
        plain = one_spelling(text).strip()
        if plain.casefold() in (*UNREAD_WORDS, "?", "_"):
            return replace(lost, signs=(None,) * len(guess))
        if plain.casefold() in NONE_WORDS:
            return lost
        words = re.split(r"[\s,;]+", plain)
        # As many digits as the guess has symbols are marks.
        are_marks = len(words) == 1 and len(plain) == len(guess)
        if all(word.isdecimal() and len(word) < 5 for word in words) and not are_marks:
            return replace(lost, numbers=tuple(map(int, words)))
        if _SEVERAL.sub("", plain).strip(" ,;") == "":
            plain = "".join(int(n[-2:]) * mark for n, mark in _SEVERAL.findall(plain))
        signs = tuple(None if s in "_?" else s.upper() for s in graphemes("".join(plain.split())))
        if len(signs) > 2 * max(len(guess), self.length) or len({*signs}) > 7:
            raise InvalidClueError(f"{text.strip()!r:.60}: expected marks such as XYX or 2 1")
        return replace(lost, signs=signs)

    def format(self, clue: UnknownClue) -> str:
        if self.winning in clue:
            return WON_WORDS[0]
        if clue.nothing_read:
            return UNREAD_WORDS[0]
        marks = "".join(sign or "_" for sign in clue.signs)
        return marks or " ".join(map(str, clue.numbers)) or NONE_WORDS[0]

    def describe(self, clue: UnknownClue) -> str:
        return "nothing read" if clue.nothing_read else self.format(clue)

    def full_clue(self, feedback: Parts, guess: Code) -> UnknownClue:
        return UnknownClue((feedback,), (1,))

    def restates(self, old: UnknownClue, new: UnknownClue) -> bool:
        """Return whether the new clue has an answer: it then corrects any other one."""
        return not new.nothing_read


def _listed(feedbacks: Sequence[Feedback]) -> str:
    more = f" and {len(feedbacks) - 12:,} more" if len(feedbacks) > 12 else ""
    return ", ".join(map(text_of, feedbacks[:12])) + more
