"""Unknown: the rule of a game whose marks nobody explained.

All rules agree on one thing: whether the guess is the secret. That is the score. The marks of an
answer are kept as they were typed, and `engines/legends.py` finds what they mean.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, cast

import numpy as np

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.graphemes import graphemes, one_spelling
from puzzlehunt.errors import InvalidClueError
from puzzlehunt.kernels.feedback_matrix import Table
from puzzlehunt.kernels.packed_codes import PackedCodes
from puzzlehunt.rules.base import OwnNotation
from puzzlehunt.rules.notation.cells_clue import CellsClue
from puzzlehunt.rules.notation.clue import NONE_WORDS, UNREAD_WORDS, WON_WORDS, Clue, Parts
from puzzlehunt.rules.notation.edits import CellsEdits

_SEVERAL = re.compile(r"(\d+)\s*([^\W\d_])")
"""A number of equal marks, as in `2X 1Y`."""


@dataclass(frozen=True, slots=True)
class UnknownClue(CellsClue):
    """An answer as it was typed: its marks in order (None for an unread one), or its numbers.

    The digit of its one place is 1 if the guess won, otherwise 0.
    """

    signs: tuple[str | None, ...] = ()
    numbers: tuple[int, ...] = ()

    @property
    def nothing_read(self) -> bool:
        """Whether no mark was read."""
        return bool(self.signs) and not any(self.signs)

    def __and__(self, other: CellsClue) -> CellsClue | None:
        return other if self == other or self.nothing_read else None


class UnknownRule(OwnNotation):
    """The rule that knows only whether a guess is the secret: its feedback is (1,), else (0,)."""

    name: ClassVar[str] = "unknown"
    summary = "marks that nobody explained"
    short_guesses: ClassVar[bool] = True
    edits: ClassVar[CellsEdits] = CellsEdits(())
    no_constraint: ClassVar[str] = "nobody knows yet what the marks mean"
    feedbacks: Sequence[Parts] = ((0,), (1,))

    def score(self, guess: Code, secret: Code) -> Parts:
        return (int(guess == secret),)

    def table(self, guesses: PackedCodes, secrets: PackedCodes) -> Table:
        rows = [(secrets.codes == guess).all(axis=1) for guess in guesses.codes]
        return np.array(rows, dtype=np.uint8).reshape(len(guesses), len(secrets))

    def read(self, text: str, guess: Code) -> UnknownClue:
        plain = one_spelling(text).strip()
        lost = ((0,),), (2,)
        if plain.casefold() in (*UNREAD_WORDS, "?", "_"):
            return UnknownClue(*lost, signs=(None,) * len(guess))
        if plain.casefold() in NONE_WORDS:
            return UnknownClue(*lost)
        words = re.split(r"[\s,;]+", plain)
        is_one_word = len(words) == 1 and len(plain) == len(guess)
        if all(word.isdecimal() and len(word) < 5 for word in words) and not is_one_word:
            return UnknownClue(*lost, numbers=tuple(map(int, words)))
        if _SEVERAL.sub("", plain).strip(" ,;") == "":
            plain = "".join(int(n[-2:]) * mark for n, mark in _SEVERAL.findall(plain))
        signs = tuple(None if s in "_?" else s.upper() for s in graphemes("".join(plain.split())))
        if len(signs) > 2 * max(len(guess), self.length) or len({*signs}) > 7:
            raise InvalidClueError(f"{text.strip()!r:.60}: expected marks such as XYX or 2 1")
        return UnknownClue(*lost, signs=signs)

    def unread_clue(self, guess: Code) -> UnknownClue:
        return self.read(UNREAD_WORDS[0], guess)

    def format(self, clue: Clue) -> str:
        own = cast(UnknownClue, clue)
        if self.winning in own:
            return WON_WORDS[0]
        if own.nothing_read:
            return UNREAD_WORDS[0]
        marks = "".join(sign or "_" for sign in own.signs)
        return marks or " ".join(map(str, own.numbers)) or NONE_WORDS[0]

    def describe(self, clue: Clue) -> str:
        return "nothing read" if cast(UnknownClue, clue).nothing_read else self.format(clue)

    def full_clue(self, feedback: Parts, guess: Code) -> UnknownClue:
        return UnknownClue((feedback,), (2,))

    def restates(self, old: Clue, new: Clue) -> bool:
        """Return whether the new clue has an answer: it then corrects any other one."""
        return not cast(UnknownClue, new).nothing_read
