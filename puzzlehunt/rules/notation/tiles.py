"""Clues about tiles: a mark for each position of the guess, and how marks are written.

Each tile gets a digit, 0, 1 or 2, whose meaning depends on the rule. A clue says for each tile
which digits it may have. `TileNotation.parse` reads back what `TileNotation.format` writes.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from puzzlehunt.errors import ImpossibleClueError, InvalidClueError
from puzzlehunt.rules.notation.cells import cells_of, fitting
from puzzlehunt.rules.notation.clue import (
    NOTHING_WORDS,
    UNREAD_SQUARE,
    UNREAD_WORDS,
    WON_WORDS,
    Cell,
    ComputedFeedbacks,
    Notation,
    Parts,
    check_marks,
)
from puzzlehunt.rules.notation.numbers import NUMBER
from puzzlehunt.rules.notation.phrases import ELSEWHERE, IN_PLACE, says_unread

if TYPE_CHECKING:
    from puzzlehunt.rules.notation.clue import FeedbackArray, Mask

SQUARES = {
    "🟩": 2, "🟧": 2, "💚": 2, "🟨": 1, "🟦": 1, "🟪": 1, "💛": 1,
    "⬛": 0, "⬜": 0, "◼": 0, "◻": 0, "🖤": 0, "🤍": 0,
}  # fmt: skip
"""Maps the squares of shared results, with those for the colour-blind, to digits."""

_COLOURS = {
    "green": "🟩", "orange": "🟧", "yellow": "🟨", "blue": "🟦", "purple": "🟪",
    "grey": "⬛", "gray": "⬛", "black": "⬛", "white": "⬜",
}  # fmt: skip
"""The squares that players name by their colours."""

_INVISIBLE = re.compile("[\ufe0e\ufe0f\u200b\u200d]")
"""Matches invisible characters: they choose how a square is drawn, or join it to the next."""
_DESCRIBED = re.compile(r"(\S+)\s+\([^()]+\)")
"""A clue followed by its words, as `TileNotation.describe` writes it."""
_SQUARES_ALONE = re.compile(f"[{''.join(SQUARES)}{UNREAD_SQUARE}]+")


@dataclass(frozen=True, slots=True)
class TileClue:
    """A clue about tiles: the digits, ascending, that each tile may have; all three if unread."""

    cells: tuple[Cell, ...]

    unread: ClassVar[Cell] = (0, 1, 2)

    @property
    def marks(self) -> int:
        """The number of cells, one for each tile."""
        return len(self.cells)

    def __contains__(self, feedback: Parts) -> bool:
        return all(digit in cell for digit, cell in zip(feedback, self.cells, strict=True))

    def __iter__(self) -> Iterator[Parts]:
        """Iterate over all feedbacks that the clue admits, in ascending order."""
        return product(*self.cells)

    def mask(self, feedbacks: "FeedbackArray") -> "Mask":
        """Return whether the clue admits each of some feedbacks (F, tiles), as an array (F,)."""
        digits = [sum(1 << digit for digit in cell) for cell in self.cells]
        fits: Mask = (1 << feedbacks & digits).min(axis=1) > 0
        return fits

    def losing_parts(self) -> "Iterator[TileClue]":
        """Yield clues that together admit every feedback of this clue except the winning one."""
        if not all(2 in cell for cell in self.cells):
            yield self
            return
        for place, cell in enumerate(self.cells):
            if len(cell) > 1:
                losing = tuple(digit for digit in cell if digit != 2)
                yield TileClue((*self.cells[:place], losing, *self.cells[place + 1 :]))


class TileFeedbacks(ComputedFeedbacks):
    """All feedbacks of `tiles` tiles, in ascending order.

    The index of a feedback is the number that its digits write in base 3.
    """

    def __init__(self, tiles: int) -> None:
        self.tiles = tiles

    def __len__(self) -> int:
        return int(3**self.tiles)

    def at(self, index: int) -> Parts:
        return tuple(index // 3**power % 3 for power in reversed(range(self.tiles)))

    def __contains__(self, value: object) -> bool:
        return isinstance(value, tuple) and len(value) == self.tiles and {*value} <= {0, 1, 2}

    def index(self, value: Parts, start: int = 0, stop: int | None = None) -> int:
        """Return the index of a feedback. Raises ValueError if the sequence does not contain it."""
        if value in self:
            index = int("".join(map(str, (0, *value))), 3)
            if index in range(len(self))[start:stop]:
                return index
        raise ValueError(f"{value} is not a feedback here")


def only_squares(line: str) -> str | None:
    """Return a line of squares without its spaces, None for any other line."""
    text = re.sub(r"\s", "", _INVISIBLE.sub("", line))
    return text if _SQUARES_ALONE.fullmatch(text) else None


class TileNotation(Notation):
    """The notation of clues about tiles in one game.

    `labels` are the names of the digits 0, 1 and 2, `marks` their marks; `unread_mark` is the mark
    of an unread tile. `other_marks` and `other_words` map further marks and words to the digits
    that `parse` reads them as. Raises ValueError for a mark that is not allowed, or that has two
    meanings.
    """

    unread: ClassVar[Cell] = TileClue.unread
    noun: ClassVar[str] = "tile"

    def __init__(
        self,
        labels: tuple[str, str, str],
        marks: tuple[str, str, str],
        unread_mark: str,
        other_marks: Mapping[str, int],
        other_words: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        digits = {**SQUARES, **other_marks, "0": 0, "1": 1, "2": 2}
        cells = {mark: (digit,) for mark, digit in digits.items()} | {UNREAD_SQUARE: self.unread}
        super().__init__(marks, unread_mark, cells)
        self.labels, self.marks = labels, marks
        self.other_marks, self.other_words = dict(other_marks), dict(other_words)
        check_marks([*self.named_marks(), (unread_mark, "unread")], "*[]?/#,;|")

    def unread_clue(self, tiles: int) -> TileClue:
        """Return the clue of `tiles` tiles if none was read."""
        return TileClue(((0, 1, 2),) * tiles)

    def full_clue(self, feedback: Parts) -> TileClue:
        """Return the clue of a feedback if every tile was read."""
        return TileClue(tuple((digit,) for digit in feedback))

    def parse(self, text: str, tiles: int) -> TileClue:
        """Return the clue of a text about a guess of `tiles` tiles.

        Raises InvalidClueError for a text that is not a clue, ImpossibleClueError for one with
        another number of tiles.
        """
        text = self._with_blank_cells(text, tiles)
        word = text.casefold()
        if word in self.unread_words or says_unread(word):
            return self.unread_clue(tiles)
        if (described := _DESCRIBED.fullmatch(word)) and described[1] not in self.unread_words:
            clue = self.parse(described[1], tiles)
            if self.describe(clue).casefold() == word:
                return clue
        if word in WON_WORDS:
            return self.full_clue((2,) * tiles)
        if word in self.none_words:
            raise InvalidClueError(
                f"{text!r} is not used here, every tile has its own mark: write "
                f"{self.marks[0] * tiles}, or * if nothing was read"
            )
        if word in NOTHING_WORDS:
            raise InvalidClueError(
                f"{text!r}: was every tile {self.labels[0]} ({self.marks[0] * tiles}), "
                "or nothing read (*)?"
            )
        named = self._of_words(word)
        squeezed = re.sub(r"[\s,;|]+", "", _INVISIBLE.sub("", text))
        cells = named or self.read_cells(squeezed, text, "".join(self.marks[2:0:-1]))
        if not cells:
            raise InvalidClueError("a clue is empty; write * if nothing was read")
        if len(cells) != tiles:
            raise ImpossibleClueError(self._wrong_number(text, cells, tiles, bool(named)))
        return TileClue(tuple(cells))

    def _wrong_number(
        self, text: str, cells: list[tuple[int, ...]], tiles: int, is_named: bool
    ) -> str:
        """Return the message for cells of another number of tiles; `is_named` if they are words."""
        if len(cells) < tiles and (is_named or len(cells) == 1):
            marks = "".join(map(self.format_cell, cells)) + self.unread_mark * (tiles - len(cells))
            noun = "tile" if len(cells) == 1 else "tiles"
            return (
                f"{text!r} marks {len(cells)} {noun}; the guess has {tiles}: "
                f"write a mark for each, as in {marks}"
            )
        return f"{text!r} has {len(cells)} tiles; the guess has {tiles}"

    def _with_blank_cells(self, text: str, tiles: int) -> str:
        """Return a text with an unread mark in each blank cell, if it has a cell for each tile."""
        cells = fitting(cells_of(text), tiles)
        filled = [cell for cell in cells if cell]
        is_one_each = all(
            len(cell) == 1 or cell[0] == "[" or cell in self._words for cell in filled
        )
        if 1 < len(cells) == tiles and filled and is_one_each:
            return ",".join(cell or self.unread_mark for cell in cells)
        return text.strip(" \t\r\n,;|")

    def _of_words(self, text: str) -> list[tuple[int, ...]]:
        """Return the cells of words for each tile, `green yellow grey`; [] for other texts."""
        for said, word in ((IN_PLACE, "correct"), (ELSEWHERE, "misplaced")):
            text = re.sub(said, word, text) if word in self._words else text
        words = re.split(r"[\s,;|/-]+", text)
        cells = [self._words.get(word) for word in words]
        are_numbers = all(re.fullmatch(NUMBER, number) for number in words[::2])
        if are_numbers and len(words) % 2 == 0 and all(cells[1::2]) and not all(cells):
            raise InvalidClueError(
                f"{text!r} counts tiles; write a mark for each tile of the guess, in its order"
            )
        return [cell for cell in cells if cell] if all(cells) else []

    @cached_property
    def _words(self) -> dict[str, tuple[int, ...]]:
        """The digits that a tile with each word may be: the game's own names, and colours."""
        squares = [(word, self.other_marks.get(square)) for word, square in _COLOURS.items()]
        named = [*squares, *self.other_words.items()]
        words = {word: (digit,) for word, digit in named if digit is not None}
        names = {label: (digit,) for digit, label in enumerate(self.labels)}
        return words | names | {UNREAD_WORDS[1]: (0, 1, 2)}

    def named_marks(self) -> list[tuple[str, str]]:
        """Return pairs (mark, name) for the digits 2, 1 and 0."""
        return [(self.marks[digit], self.labels[digit]) for digit in (2, 1, 0)]

    def readings(self, marks: int) -> list[tuple[str, str]]:
        if marks < 2:
            return []
        right, elsewhere, absent = self.marks[::-1]
        rest = absent * (marks - 1)
        return [
            ("every tile has a mark, none is left out", f"{right}{rest}"),
            (f"{self.unread_mark} is any mark", f"{self.unread_mark}{rest}"),
            ("brackets hold the marks that one tile may have", f"[{right}{elsewhere}]{rest}"),
        ]

    def format(self, clue: TileClue) -> str:
        """Return the text of a clue; `parse` returns an equal clue for this text."""
        if clue == self.unread_clue(len(clue.cells)):
            return "*"
        return self._pattern(clue)

    def _pattern(self, clue: TileClue) -> str:
        return "".join(self.format_cell(cell) for cell in clue.cells)

    def describe(self, clue: TileClue) -> str:
        """Return a clue as marks and in words: `GY._. (1 right, 1 elsewhere, 1 unread)`."""
        if clue == self.unread_clue(len(clue.cells)):
            return "nothing read"
        parts = [f"{n} {self.labels[d]}" for d in (2, 1) if (n := clue.cells.count((d,)))]
        one_of_two = sum(len(cell) == 2 for cell in clue.cells)
        unread = clue.cells.count((0, 1, 2))
        parts += [f"{one_of_two} of two"] * bool(one_of_two) + [f"{unread} unread"] * bool(unread)
        return f"{self._pattern(clue)} ({', '.join(parts) or f'all {self.labels[0]}'})"


def feedback_count(clue: TileClue) -> int:
    """Return how many feedbacks a clue admits."""
    return math.prod(len(cell) for cell in clue.cells)
