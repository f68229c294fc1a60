"""How clues about the columns of a table are written and read: `= > ~< _ 1200kmNE`.

A clue has a cell for each column, in order, with blanks, commas or signs between them: marks,
squares and arrows, or words; or each cell names its column: `period higher, block equal`. `parse`
reads back what `format` writes.
"""

import math
import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import cast

from puzzlehunt.errors import ImpossibleClueError, InvalidClueError, counted
from puzzlehunt.rules.column_kinds import ColumnKind, DistanceColumn, MarkedColumn
from puzzlehunt.rules.notation.cells_clue import CellsClue, whole
from puzzlehunt.rules.notation.clue import UNREAD, UNREAD_SQUARE, UNREAD_WORDS, Cell, marks_line
from puzzlehunt.rules.notation.synonyms import UNREAD_SIGNS, plain

_UNREAD_SIGNS = ("_", "?", *UNREAD_SIGNS, *UNREAD_WORDS)
_SEPARATOR = re.compile(r"[,;|\t](?![^\[]*\])")
"""A comma, a bar or a tab, unless it is in brackets."""
_PART = re.compile(r"\[[^\]]*\]|[^\s,;|\u2190-\U0010ffff]+|[^\s,;|]")
"""Brackets, a word, or one sign: squares and arrows need no blanks between them."""
_MOST_PARTS = 5
"""The most parts of one cell: `500 - 1000 km NE`."""

_NUMBER = r"\d+(?:\.\d\d?)?(?!\d)"
"""Three digits behind a dot may be thousands."""
_DISTANCE = re.compile(
    rf"(?:(?P<low>{_NUMBER})(?:\s*(?:-|\u2013|to)\s*(?P<high>{_NUMBER}))?\s*(?P<unit>km|%)?)?"
    r"\s*(?P<point>[^\d.]*)(?P<dot>\.?)"
)
_ARROWS = dict(zip("⬆↗➡↘⬇↙⬅↖", ("N", "NE", "E", "SE", "S", "SW", "W", "NW"), strict=True))


class ColumnTexts:
    """The texts of clues about some columns, in their order."""

    def __init__(self, columns: Sequence[ColumnKind]) -> None:
        self._columns = cast(tuple[MarkedColumn | DistanceColumn, ...], tuple(columns))
        self._sizes = tuple(column.size for column in columns)
        self._titles = ", ".join(column.title for column in columns)
        names = sorted([re.escape(column.title) for column in columns], key=len, reverse=True)
        named = rf"({'|'.join(names)})(?![^\W\d_])\s*:?\s*(\S.*)"
        self._named_cell = re.compile(named, re.IGNORECASE)

    def clue(self, cells: Sequence[Cell], won: bool = False) -> CellsClue:
        """Return the clue of what each column may have answered."""
        return CellsClue(tuple(cells), self._sizes, (int(won),))

    def parse(self, text: str) -> CellsClue:
        """Return the clue of a text. If all columns are equal, it wins, unless a dot follows them.

        Raises InvalidClueError for a text that is no clue, ImpossibleClueError for one with another
        number of columns.
        """
        shown = plain(text).strip(" \r\n")
        count = len(self._columns)
        if shown.casefold() in _UNREAD_SIGNS:
            return self.clue([UNREAD] * count)
        cells, words = [cell.strip() for cell in _SEPARATOR.split(shown)], shown.split()
        if (named := self._named(cells)) is not None:
            return self.clue(named)
        if len(cells) != count or count == 1:
            are_cells = len(words) == count and None not in map(self._read, range(count), words)
            cells = words if are_cells else self._joined(shown)
        found = [self._cell(place, cell) for place, cell in enumerate(cells[:count])]
        more, are_equal = cells[count:], {*found} == {(0,)}
        if len(found) < count or (more and (more != ["."] or not are_equal)):
            has = f"{text!r:.60} has {counted(len(cells), 'answer')} for {counted(count, 'column')}"
            raise ImpossibleClueError(f"{has}, {self._titles}; write _ for one that was not read")
        return self.clue(found, won=are_equal and not more)

    def _named(self, parts: Sequence[str]) -> list[Cell] | None:
        """Return the cells of `period higher, block equal`; None if no column is named first."""
        places = {column.title.casefold(): n for n, column in enumerate(self._columns)}
        cells: dict[int, Cell] = {}
        for part in filter(None, parts):
            named = self._named_cell.fullmatch(part)
            if not named or (place := places.get(named[1].casefold())) is None:
                if not cells:
                    return None
                raise InvalidClueError(f"{part!r:.60} names no column: {self._titles}")
            if place in cells:
                raise InvalidClueError(f"{named[1]} is told twice")
            cells[place] = self._cell(place, named[2])
        return [cells.get(place, UNREAD) for place in range(len(self._columns))] if cells else None

    def _joined(self, text: str) -> list[str]:
        """Return each column's cell, of as many parts as make one, then what makes no cell."""
        parts, cells = _PART.findall(text), list[str]()
        while parts and len(cells) < len(self._columns):
            tried = [(" ".join(parts[:most]), parts[most:]) for most in range(_MOST_PARTS, 0, -1)]
            read = (each for each in tried if self._read(len(cells), each[0]) is not None)
            cell, parts = next(read, (" ".join(parts), []))
            cells.append(cell)
        return cells + parts

    def _cell(self, place: int, text: str) -> Cell:
        """Return the cell of a whole text, such as `lower or equal`. Raises InvalidClueError."""
        if (cell := self._read(place, text or "_")) is None:
            title = self._columns[place].title
            legend = self.legend_of(place)
            raise InvalidClueError(f"{text!r:.60} is no answer of the column {title}: {legend}")
        return cell

    def _read(self, place: int, text: str) -> Cell | None:
        """Return the cell of a whole text; None if it is no answer of the column at a place."""
        folded, column = text.casefold(), self._columns[place]
        if folded in _UNREAD_SIGNS:
            return UNREAD
        inside = folded[1:-1] if folded[0] == "[" and folded[-1] == "]" else folded
        digits: set[int] = set()
        for part in re.split(r"[|,]|\sor\s", inside):
            if isinstance(column, DistanceColumn):
                found = _distance_digits(column, part.strip())
            else:
                found = _signs(column).get("".join(part.split()), ())
            if not found:
                return None
            digits.update(found)
        return whole(sorted(digits), column.size)

    def format(self, clue: CellsClue) -> str:
        """Return the text of a clue; `parse` returns an equal clue for this text."""
        if clue.nothing_read:
            return "*"
        dot = " ." if {*clue.cells} == {(0,)} and not clue.won else ""
        return " ".join(map(self.format_cell, range(clue.marks), clue.cells)) + dot

    def format_cell(self, place: int, cell: Cell) -> str:
        """Return the text of one column's cell: `>`, `_`, `[=|~>]`, `1000-1500kmNE`."""
        parts = self._parts(place, cell, in_words=False)
        return f"[{'|'.join(parts)}]" if len(parts) > 1 else parts[0] if parts else "_"

    def describe_cell(self, place: int, cell: Cell) -> str:
        """Return one column's cell in words: `higher`, `all or some`, `1200 km NE`, `unread`."""
        return " or ".join(self._parts(place, cell, in_words=True)) or "unread"

    def _parts(self, place: int, cell: Cell, *, in_words: bool) -> list[str]:
        column = self._columns[place]
        if isinstance(column, MarkedColumn):
            return [column.marks[digit][in_words] for digit in cell]
        texts = _distance_texts(column, cell)
        is_plain = in_words and len(cell) == 1 and texts[0][-1] != "."
        return [column.described(cell[0])] if is_plain else texts

    def shared(self, clue: CellsClue) -> str:
        """Return the signs of a shared result."""
        pairs = zip(self._columns, clue.cells, strict=True)
        return " ".join(
            column.shared(cell[0]) if len(cell) == 1 else UNREAD_SQUARE for column, cell in pairs
        )

    def describe(self, clue: CellsClue) -> str:
        """Return a clue in words: `period higher, block equal, 3 unread`."""
        if clue.nothing_read:
            return "nothing read"
        if {*clue.cells} == {(0,)}:
            return "equal in all columns" + ", but another row" * (not clue.won)
        said = [
            f"{self._columns[place].title} {self.describe_cell(place, cell)}"
            for place, cell in enumerate(clue.cells)
            if cell
        ]
        unread = clue.marks - len(said)
        return ", ".join(said + [f"{unread} unread"] * bool(unread))

    def legend_of(self, place: int) -> str:
        """Return the marks of one column with their names: `= equal, < lower, > higher`."""
        column = self._columns[place]
        if isinstance(column, MarkedColumn):
            return marks_line(column.marks)
        unit = "%" if column.percent else "km"
        point = f", or in a direction, as 10{unit}{column.points[1]}" if column.directions else ""
        return f"= equal, up to {column.told(column.steps - 1)}{unit}, as 10-20{unit}{point}"


@lru_cache
def _signs(column: MarkedColumn) -> dict[str, Sequence[int]]:
    """Return the digits that each sign and word means, in lower case without blanks."""
    own = {name: (digit,) for digit, names in enumerate(column.marks) for name in names}
    return {sign.replace(" ", ""): digits for sign, digits in {**column.signs, **own}.items()}


def _distance_digits(column: DistanceColumn, text: str) -> Sequence[int]:
    """Return the digits that a distance, a direction or both mean; none if it is no answer."""
    if text in ("=", "🟩", "equal", "same"):
        return (0,)
    if text in ("missing", "n/a", "-"):
        return (column.size - 1,) if column.blank is not None else ()
    found, unit = _DISTANCE.fullmatch(text), "%" if column.percent else "km"
    if not found or not (found["low"] or found["point"]) or found["unit"] not in (None, unit):
        return ()
    steps, points = range(column.steps), [*range(len(column.points))]
    if low := found["low"]:
        size = 1.0 if column.percent else column.step
        first, last = (math.floor(float(n) / size + 0.5) for n in (low, found["high"] or low))
        steps = range(first, min(last + 1, column.steps))
    if point := found["point"].strip():
        name = _ARROWS.get(point, point.upper())
        points = [number for number in points if column.points[number] == name]
    digits = [1 + step * len(column.points) + number for step in steps for number in points]
    nearest = 100 if column.percent else 0
    if point or found["dot"] or nearest not in steps:
        return digits
    return [0] if column.directions and [*steps] == [nearest] else [0, *digits]


def _distance_texts(column: DistanceColumn, cell: Cell) -> list[str]:
    """Return the texts of parts of a cell: ranges of distances, each in one direction or in all.

    A dot follows one that would mean `=`, too.
    """
    points, unit = len(column.points), "%" if column.percent else "km"
    nearest = 100 if column.percent else 0
    steps_of: dict[str, list[int]] = {}
    for digit in cell:
        step, point = divmod(digit - 1, points)
        if 0 <= step < column.steps:
            steps_of.setdefault(column.points[point], []).append(step)
    listed = list(steps_of.values())
    if len(listed) == points == listed.count(listed[0]):
        steps_of = {"": listed[0]}
    texts = ["-"] * any(digit > column.steps * points for digit in cell)
    for name, steps in steps_of.items():
        if name and len(steps) == column.steps:
            texts.append(name)
            continue
        for _, run in groupby(enumerate(steps), lambda pair: pair[1] - pair[0]):
            (_, first), *_, (_, last) = 2 * list(run)
            number = column.told(first) + (f"-{column.told(last)}" if last > first else "")
            dot = "." if not name and first <= nearest <= last else ""
            texts.append(f"{number}{unit}{name}{dot}")
    return texts + ["="] * (0 in cell)
