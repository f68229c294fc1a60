"""Unknown: the rule of a game whose marks nobody explained.

All rules agree on one thing: whether the guess is the secret. That is the score. The marks of an
answer are kept as they were typed, and `engines/legends.py` finds what they mean.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, cast

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import TRUE, Bound, Constraint
from puzzlehunt.codes.graphemes import graphemes, one_spelling
from puzzlehunt.errors import InvalidClueError
from puzzlehunt.rules.base import OwnNotation, in_place
from puzzlehunt.rules.notation.cells_clue import CellsClue
from puzzlehunt.rules.notation.clue import UNREAD, UNREAD_WORDS, WON_WORDS, Cell, Clue, Feedback
from puzzlehunt.rules.notation.edits import CellsEdits

if TYPE_CHECKING:
    from puzzlehunt.kernels.feedback_matrix import Table
    from puzzlehunt.kernels.packed_codes import PackedCodes
    from puzzlehunt.rules.base import Indices
    from puzzlehunt.rules.notation.clue import FeedbackArray, Mask

_LOST, _WON = "not solved", "solved"
_SEVERAL = re.compile(r"(\d+)\s*([^\W\d_])")
"""A number of equal marks, as in `2X 1Y`."""
_MOST_SIGNS = 6
"""The most different marks of an answer."""


@dataclass(frozen=True, slots=True)
class UnknownClue(CellsClue):
    """An answer as it was typed: its marks in order (None for an unread one), or its numbers."""

    signs: tuple[str | None, ...] = ()
    numbers: tuple[int, ...] = ()

    def __and__(self, other: CellsClue) -> CellsClue | None:
        return other if self == other or self.nothing_read else None


def _noted(
    cell: Cell, signs: tuple[str | None, ...] = (), numbers: tuple[int, ...] = ()
) -> UnknownClue:
    """Return a clue; the digit of an answer is 1 if it won."""
    return UnknownClue((cell,), (1,), (), (_LOST, _WON), signs, numbers)


class UnknownRule(OwnNotation):
    """The rule that knows only whether a guess is the secret."""

    name: ClassVar[str] = "unknown"
    summary = "marks that nobody explained"
    short_guesses: ClassVar[bool] = True
    edits: ClassVar[CellsEdits] = CellsEdits((None,))
    no_constraint: ClassVar[str] = "nobody knows yet what the marks mean"

    def score(self, guess: Code, secret: Code) -> Feedback:
        return _WON if guess == secret else _LOST

    @property
    def feedbacks(self) -> Sequence[Feedback]:
        return (_LOST, _WON)

    @property
    def losing(self) -> tuple[Feedback, ...]:
        """The feedbacks that do not win."""
        return (_LOST,)

    @cached_property
    def winning(self) -> Feedback:
        return _WON

    def feedback_array(self, indices: "Indices") -> "FeedbackArray":
        return indices.astype("int64").reshape(-1, 1)

    def mask(self, clue: Clue, feedbacks: "FeedbackArray") -> "Mask":
        fits: Mask = feedbacks[:, 0] == (_WON in clue)
        return fits

    def table(self, guesses: "PackedCodes", secrets: "PackedCodes") -> "Table":
        import numpy as np

        rows = [(secrets.codes == guess).all(axis=1) for guess in guesses.codes]
        return np.array(rows, dtype=np.uint8).reshape(len(guesses), len(secrets))

    def constraint(self, guess: Code, clue: Clue) -> Constraint:
        return Bound(self.length, in_place(guess), None) if _WON in clue else TRUE

    def read(self, text: str, guess: Code) -> UnknownClue:
        plain = one_spelling(text).strip()
        if plain.casefold() in (*UNREAD_WORDS, "?", "_"):
            return _noted(UNREAD, signs=(None,) * len(guess))
        if plain.casefold() in self.none_words:
            return _noted((0,))
        words = re.split(r"[\s,;]+", plain)
        is_one_word = len(words) == 1 and len(plain) == len(guess)
        if all(word.isdecimal() and len(word) < 5 for word in words) and not is_one_word:
            return _noted((0,), numbers=tuple(map(int, words)))
        if _SEVERAL.sub("", plain).strip(" ,;") == "":
            plain = "".join(int(n[-2:]) * mark for n, mark in _SEVERAL.findall(plain))
        signs = tuple(None if s in "_?" else s.upper() for s in graphemes("".join(plain.split())))
        if len(signs) > 2 * max(len(guess), self.length) or len({*signs}) > _MOST_SIGNS + 1:
            raise InvalidClueError(
                f"{text.strip()!r:.60}: expected the marks of one answer, such as XYX or 2 1"
            )
        return _noted((0,), signs=signs)

    def unread_clue(self, guess: Code) -> UnknownClue:
        return self.read(UNREAD_WORDS[0], guess)

    def format(self, clue: Clue) -> str:
        assert isinstance(clue, UnknownClue)
        if _WON in clue:
            return WON_WORDS[0]
        if clue.nothing_read:
            return UNREAD_WORDS[0]
        marks = "".join(sign or "_" for sign in clue.signs)
        return marks or " ".join(map(str, clue.numbers)) or self.none_words[0]

    def describe(self, clue: Clue) -> str:
        text = self.format(clue)
        return "nothing read" if text == UNREAD_WORDS[0] else text

    def full_clue(self, feedback: Feedback, guess: Code) -> UnknownClue:
        return _noted((int(feedback == _WON),))

    def restates(self, old: Clue, new: Clue) -> bool:
        """Return whether the new clue has an answer: it then corrects any other one."""
        return not cast(UnknownClue, new).nothing_read

    def json_parts(self, feedback: Feedback, guess: Code) -> dict[str, Any]:
        return {"answer": feedback}
