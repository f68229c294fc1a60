"""What a clue is under every rule, and the words that mean the same in every game."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from puzzlehunt.errors import InvalidClueError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    FeedbackArray: TypeAlias = npt.NDArray[np.int64]
    """(F, parts): F feedbacks, one a row."""
    Mask: TypeAlias = npt.NDArray[np.bool_]

Feedback: TypeAlias = Any
"""The full, truthful answer to a guess, a hashable value.

Under a rule that counts or marks tiles it is `Parts`, under a `ScoreRule` what its `score` returns.
"""

Parts: TypeAlias = tuple[int, ...]
"""A feedback of numbers: counts of marks, or a digit for each tile."""

Cell: TypeAlias = tuple[int, ...]
"""One mark as it was read: the numbers of the kinds, or the digits, that the mark may be."""

UNREAD: Cell = ()
"""The cell of a mark that was not read."""

UNREAD_SQUARE = "❓"
"""The sign for an unread mark among squares or circles."""

# What a player writes if nothing was read, if the guess won, and if there was no mark at all.
UNREAD_WORDS = ("*", "unread", "nothing read")
WON_WORDS = ("won", "solved", "found")
NONE_WORDS = ("none",)


class Clue(Protocol):
    """What a player read of one feedback, as the set of feedbacks that it may have been."""

    def __contains__(self, feedback: Feedback) -> bool: ...
    def __iter__(self) -> Iterator[Feedback]: ...


def check_marks(
    marks: Sequence[tuple[str | None, str]], signs: str, words: Iterable[str] = ()
) -> None:
    """Raise ValueError if a mark or a name is not allowed, or has two meanings.

    `marks` are pairs (mark, name of its kind), with None for the mark of a kind without one.
    `signs` and `words` have another meaning in clues.
    """
    meant: dict[str, int] = dict.fromkeys((*WON_WORDS, *NONE_WORDS, *words), -1)
    for kind, (mark, label) in enumerate(marks):
        if mark is not None and (len(mark) != 1 or mark.isdigit() or mark in f"{signs} \t"):
            why = "it must be one letter or sign that means nothing else in clues"
            raise ValueError(f"{mark!r} cannot be a mark: {why}")
        for word in (mark, label, f"{label}s", f"{label}es"):
            if word and meant.setdefault(word.casefold(), kind) != kind:
                raise ValueError(
                    f"{word!r} means something else in clues already: write another mark or name "
                    f"for {label}"
                )


def legend(marks: Iterable[tuple[str, str]], unread_mark: str) -> str:
    """Return one line that lists the marks of a notation with their names, unread marks last."""
    return marks_line([*marks, (unread_mark, "unread"), ("*", "nothing read")])


def marks_line(marks: Iterable[tuple[str, str]]) -> str:
    """Return marks with their names in one line: `B black, W white`."""
    return ", ".join(f"{mark} {label}" for mark, label in marks)


class Notation(ABC):
    """The notation of clues in one game: how they are written as marks, and read.

    `marks` has the mark of each kind, None for a kind without one. `other_marks` maps further marks
    to their cells. `signs` are the marks as they are written, with a dot for a kind without one.
    """

    none_words: tuple[str, ...] = NONE_WORDS
    """The words for a feedback without any mark, in lower case."""

    def __init__(
        self, marks: Sequence[str | None], unread_mark: str, other_marks: Mapping[str, Cell]
    ) -> None:
        self.signs = [mark or "." for mark in marks]
        self.unread_mark = unread_mark
        self._cell_of: dict[str, Cell] = {**other_marks, "_": UNREAD, "?": UNREAD}
        self._cell_of |= {mark.casefold(): (kind,) for kind, mark in enumerate(marks) if mark}
        self._cell_of[unread_mark.casefold()] = UNREAD
        unread = [mark for mark, cell in self._cell_of.items() if cell == UNREAD]
        self.unread_words = (*UNREAD_WORDS, *unread)
        """The texts that mean that nothing was read, in lower case."""

    @abstractmethod
    def named_marks(self) -> list[tuple[str, str]]:
        """Return pairs (mark, the game's name for it), one for each kind that has a mark."""

    @abstractmethod
    def readings(self, marks: int) -> list[tuple[str, str]]:
        """Return pairs (how clues are understood, an example of `marks` marks); [] below 2."""

    def read_cells(self, squeezed: str, text: str) -> list[Cell]:
        """Return the cells of marks such as `B[BW]_`, written without blanks.

        Raises InvalidClueError for a sign that is not a mark, in the `text` that was typed.
        """
        cells = []
        for part in re.findall(r"\[[^\]]*\]|.", squeezed):
            marks = part[1:-1] if len(part) > 1 else part
            inside = [self._cell_of.get(mark.casefold()) for mark in marks]
            if None in inside or (part[0] == "[" and not all([inside, *inside])):
                wrong = part if None not in inside else marks[inside.index(None)]
                words = [word for word in text.split() if wrong in word != text]
                why = f"{[*words, wrong][0]!r} is not a mark"
                known = legend(self.named_marks(), self.unread_mark)
                raise InvalidClueError(f"{text!r} is not a clue here: {why}; {known}")
            cells.append(tuple(sorted({kind for cell in inside for kind in cell or ()})))
        return cells

    def format_cell(self, cell: Cell) -> str:
        """Return the mark of a cell, or several in brackets: `B`, `_`, `[BW]`."""
        if len(cell) == 1:
            return self.signs[cell[0]]
        signs = "".join(self.signs[kind] for kind in cell)
        return self.unread_mark if cell == UNREAD else f"[{signs}]"
