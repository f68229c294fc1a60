"""What a clue is under every rule, and the words that mean the same in every game."""

import re
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import InvalidClueError

FeedbackArray: TypeAlias = npt.NDArray[np.int64]
"""(F, parts): F feedbacks, one a row."""

Feedback: TypeAlias = Hashable
"""The full, truthful answer to a guess.

Under a rule that counts or marks tiles it is `Parts`, under a `ScoreRule` what its `score` returns.
"""

OwnFeedback: TypeAlias = Any
"""A feedback of the type that the rule's own `score` returns, as an argument of its methods."""

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
NEVER = WON_WORDS[:1]
"""The winning feedback of a rule under which no guess wins; games end with one secret left."""


_BLANK = re.compile(r"(?:^|(?<=[,;|\t])) *(?=[,;|\t]|$)")
"""Matches a cell of a table's row without text, between two separators."""


def cell_separator(text: str) -> str:
    """Return the separator of a line's cells: tab, bar, semicolon or comma; "" if it has none."""
    return next((sign for sign in "\t|;," if sign in text), "")


def cells_of(text: str) -> list[str]:
    """Return the stripped cells of a text; a text without a separator is one cell."""
    sign = cell_separator(text)
    return [cell.strip() for cell in text.split(sign)] if sign else [text.strip()]


def with_blanks(text: str) -> str:
    """Return a text with `_` in its blank cells."""
    return _BLANK.sub("_", text) if text.strip(" \t,;|") else ""


OwnClue: TypeAlias = Any
"""A clue of the class that the notation makes."""


class Clue(Protocol):
    """What a player read of one feedback, as the set of feedbacks that it may have been."""

    def __contains__(self, feedback: OwnFeedback) -> bool: ...
    def __iter__(self) -> Iterator[Feedback]: ...
    def __len__(self) -> int: ...
    def __and__(self, other: OwnClue) -> "Clue | None":
        """Return the intersection with a clue about the same guess; None if there is none."""

    @property
    def shape(self) -> object:
        """What all clues about a guess have in common."""


def check_marks(
    marks: Sequence[tuple[str | None, str]], signs: str, words: Iterable[str] = ()
) -> None:
    """Raise ValueError if a mark or a name is not allowed, or has two meanings.

    `marks` are pairs (mark, name of its kind), with None for the mark of a kind without one.
    `signs` and `words` have another meaning in clues.
    """
    meant = dict.fromkeys((*WON_WORDS, *NONE_WORDS, *words), -1)
    for kind, (mark, label) in enumerate(marks):
        if mark is not None and (len(mark) != 1 or mark.isdigit() or mark in f"{signs} \t"):
            why = "it must be one letter or sign that means nothing else in clues"
            raise ValueError(f"{mark!r} cannot be a mark: {why}")
        for word in (mark, label, f"{label}s", f"{label}es"):
            if word and meant.setdefault(word.casefold(), kind) != kind:
                raise ValueError(f"{word!r} means something else in clues already: rename {label}")


def marks_line(marks: Iterable[tuple[str, str]]) -> str:
    """Return marks with their names in one line: `B black, W white`."""
    return ", ".join(f"{mark} {label}" for mark, label in marks)


class Notation(ABC):
    """How the clues of one game are written, and read."""

    unread_mark: str = "_"
    """The sign that is written for an unread mark."""
    unread_words: tuple[str, ...] = UNREAD_WORDS
    """The texts that mean that nothing was read, in lower case."""
    none_words: tuple[str, ...] = NONE_WORDS
    """The words for a feedback without any mark, in lower case."""
    miss_has_mark: bool = True
    """Whether the last kind, the miss, is written with a mark of its own."""
    shared_signs: AbstractSet[str] = frozenset()
    """The squares or circles that represent marks in a shared result."""

    @abstractmethod
    def read(self, text: str, guess: Code) -> Clue:
        """Return the clue that a text, which does not say that the guess won, states about it.

        Raises InvalidClueError, of a kind of its own for what cannot be or has two meanings.
        """

    @abstractmethod
    def format(self, clue: OwnClue) -> str:
        """Return the text of a clue, which is read back as the same clue."""

    @abstractmethod
    def describe(self, clue: OwnClue) -> str:
        """Return a clue in words, on one line."""

    @abstractmethod
    def full_clue(self, feedback: OwnFeedback, guess: Code) -> Clue:
        """Return the clue of a player who read all marks of a feedback."""

    def unread_clue(self, guess: Code) -> Clue:
        """Return the clue that says nothing: no mark of the feedback was read."""
        return self.read(UNREAD_WORDS[0], guess)

    def named_marks(self) -> list[tuple[str, str]]:
        """Return pairs (mark, the game's name for it), one for each mark; by default none."""
        return []

    def readings(self, guess: Code) -> list[tuple[str, str]]:
        """Return pairs (explanation, example clue) that say how clues are understood.

        The examples fit a guess as long as `guess`, but perhaps no secret can cause them.
        """
        return []

    @property
    def clue_words(self) -> tuple[str, ...]:
        """All words that are whole clues in this game, in lower case."""
        return (*self.unread_words, *WON_WORDS, *self.none_words)

    def legend(self) -> str:
        """Return one line that lists the marks with their names, unread marks last."""
        return marks_line(
            [*self.named_marks(), (self.unread_mark, "unread"), (UNREAD_WORDS[0], "nothing read")]
        )

    def kind_called(self, name: str) -> str:
        """Return the game's name for the kind of mark that a word names, "" if it names none."""
        return ""

    def says_won(self, text: str) -> bool:
        """Return whether a text says that the guess won, by a word or a sentence of the game."""
        return text.strip().casefold() in WON_WORDS

    def sentence_start(self, line: str) -> int | None:
        """Return the index in a line where a sentence of the game begins; None if there is none."""
        return None

    def quoted(self, text: str, clue: OwnClue) -> str:
        """Return a clue as a message refers to it: by the text that was typed."""
        return f"{text.strip()!r:.60}"

    def restates(self, old: OwnClue, new: OwnClue) -> bool:
        """Return whether a new clue corrects an old one about the same guess: by default, never.

        A correction replaces the old clue, even if some feedback agrees with both clues.
        """
        return False


class MarkNotation(Notation):
    """The notation of clues that are written as marks.

    `marks` has the mark of each kind, None for a kind without one. `other_marks` maps further marks
    to their cells. `signs` are the marks as they are written, with a dot for a kind without one.
    """

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
        words = sorted((mark for mark in self._cell_of if len(mark) > 1), key=len, reverse=True)
        self._one_mark = re.compile(
            "|".join([r"\[[^\]]*\]", *map(re.escape, words), "."]), re.IGNORECASE
        )

    def read_cells(self, squeezed: str, text: str) -> list[Cell]:
        """Return the cells of marks such as `B[BW]_`, written without blanks.

        Raises InvalidClueError for a sign that is not a mark, in the `text` that was typed.
        """
        cells = []
        for part in self._one_mark.findall(squeezed):
            is_set = len(part) > 1 and part[0] == "["
            marks = [*part[1:-1]] if is_set else [part]
            wrong = [mark for mark in marks if mark.casefold() not in self._cell_of]
            found = [self._cell_of.get(mark.casefold(), UNREAD) for mark in marks]
            if is_set and (not found or UNREAD in found):
                wrong.append(part)
            if wrong:
                words = [word for word in text.split() if wrong[0] in word and word != text]
                why = f"{[*words, wrong[0]][0]!r} is not a mark"
                raise InvalidClueError(f"{text!r} is not a clue here: {why}; {self.legend()}")
            cells.append(tuple(sorted({*chain.from_iterable(found)})))
        return cells

    def format_cell(self, cell: Cell) -> str:
        """Return the mark of a cell, or several in brackets: `B`, `_`, `[BW]`."""
        signs = "".join(self.signs[kind] for kind in cell)
        return f"[{signs}]" if len(cell) > 1 else signs or self.unread_mark
