"""How clues about the columns of a table are written and read: `= > ~< _ 1200kmNE`.

A clue has a cell for each column, in order: marks, squares and arrows, or words; or each cell names
its column: `period higher, block equal`. `parse` reads back what `format` writes.
"""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from puzzlehunt.errors import (
    AmbiguousClueError,
    ImpossibleClueError,
    InvalidClueError,
    counted,
)
from puzzlehunt.rules.column_kinds import (
    POINTS,
    ColumnKind,
    DistanceColumn,
    MarkedColumn,
    OrderColumn,
)
from puzzlehunt.rules.notation.clue import UNREAD, UNREAD_SQUARE, UNREAD_WORDS, Cell
from puzzlehunt.rules.notation.column_clue import ColumnsClue

_INVISIBLE = re.compile("[\ufe0e\ufe0f\u200b\u200d]")
_CELLS = re.compile(r"[,;|\t]")
_BETWEEN = re.compile(r"[\s,;|]*")
_UNREAD_SIGNS = ("_", "?", UNREAD_SQUARE, UNREAD_WORDS[1])
_UNREAD_COUNT = re.compile(r"\d+ unread")
_ALL_EQUAL, _ANOTHER = "equal in all columns", "but another row"
_NUMBER = r"\d+(?:\.\d+)?"
_DISTANCE = re.compile(
    rf"(?P<about>~|about\s)?\s*(?P<bound>>=|<=|[≥≤])?\s*(?P<low>{_NUMBER})"
    rf"(?:\s*(?:-|\u2013|to)\s*(?P<high>{_NUMBER}))?\s*(?P<unit>km|mi|%)?",
    re.IGNORECASE,
)
_THOUSANDS = re.compile(r"(?<![\w.,])[1-9]\d{0,2}(?:,\d{3})+(?!\d)")
_UNCLEAR = re.compile(r"(?<![\w.,])([1-9]\d{0,2})\.(\d{3})(?!\d)")
"""A distance whose dot may begin a fraction or part thousands."""
_POINT = re.compile(r"(?:(?:north|south|east|west)(?:[- ]?(?=[nsew]))?){1,3}|[nesw]{1,3}")
_ABOUT = 0.1
"""`~1200` is a number from 10 % below to 10 % above."""
_MILE = 1.609344
_ARROWS = dict(zip("⬆↗➡↘⬇↙⬅↖", ("N", "NE", "E", "SE", "S", "SW", "W", "NW"), strict=True))


class ColumnTexts:
    """The texts of clues about some columns, in their order."""

    def __init__(self, columns: Sequence[ColumnKind]) -> None:
        self._columns = tuple(columns)
        self._sizes = tuple(column.size for column in columns)

    def unread_clue(self) -> ColumnsClue:
        """Return the clue of an answer of which nothing was read."""
        return ColumnsClue((UNREAD,) * len(self._columns), self._sizes)

    # Reading.

    def parse(self, text: str) -> ColumnsClue:
        """Return the clue of a text. If all columns are equal, it wins, unless a dot follows them.

        Raises InvalidClueError for a text that is no clue, ImpossibleClueError for one with another
        number of columns, AmbiguousClueError for one with two meanings.
        """
        shown = self._without_commas(_INVISIBLE.sub("", text).strip(" \r\n"))
        plain = shown.casefold()
        if len(shown) != len(plain):
            shown = plain
        if plain in (*UNREAD_WORDS, *_UNREAD_SIGNS):
            return self.unread_clue()
        if plain in (_ALL_EQUAL, f"{_ALL_EQUAL}, {_ANOTHER}"):
            return ColumnsClue(((0,),) * len(self._columns), self._sizes, won=plain == _ALL_EQUAL)
        cells = self._named(shown) or self._listed(shown) or self._apart(plain)
        if cells is None:
            found = list(dict.fromkeys(self._read(plain, 0, 0)))
            if len(found) > 1:
                ways = " or ".join(self._written(each) for each in found[:2])
                raise AmbiguousClueError(
                    f"{text.strip()!r} can be read in two ways: {ways}; put commas between columns"
                )
            if not found:
                raise self._trouble(text.strip(), shown)
            cells = found[0]
        not_won = len(cells) > len(self._columns)
        cells = cells[: len(self._columns)]
        all_equal = {*cells} == {(0,)}
        return ColumnsClue(cells, self._sizes, won=all_equal and not not_won)

    def _named(self, text: str) -> tuple[Cell, ...] | None:
        """Return the cells of `period higher, block equal`; None if no column is named first."""
        parts = [part.strip() for part in _CELLS.split(text) if part.strip()]
        titles = [column.title.casefold() for column in self._columns]
        cells: dict[int, Cell] = {}
        for part in parts:
            matching = [
                (len(title), place)
                for place, title in enumerate(titles)
                if re.match(rf"{re.escape(title)}(?![^\W\d_])\s*:?\s*\S", part.casefold())
            ]
            if not matching:
                if not cells:
                    return None
                if _UNREAD_COUNT.fullmatch(part):
                    continue
                raise InvalidClueError(f"{part!r:.60} names no column: {self._titles()}")
            length, place = max(matching)
            if place in cells:
                raise InvalidClueError(f"{self._columns[place].title} is told twice")
            cells[place] = self._cell(place, part[length:].lstrip(" :"))
        return tuple(cells.get(place, UNREAD) for place in range(len(titles)))

    def _listed(self, text: str) -> tuple[Cell, ...] | None:
        """Return the cells of a text with a comma or tab between its columns; None for others."""
        cells = [cell.strip() for cell in _CELLS.split(text)]
        if len(cells) != len(self._columns) or len(cells) < 2:
            return None
        if "[" in text and any(cell.count("[") != cell.count("]") for cell in cells):
            return None
        return tuple(
            self._cell(place, cell) if cell else UNREAD for place, cell in enumerate(cells)
        )

    def _apart(self, text: str) -> tuple[Cell, ...] | None:
        """Return the cells of a text with blanks between its columns alone; None for others."""
        words = text.split()
        if len(words) != len(self._columns):
            return None
        cells = []
        for place, word in enumerate(words):
            whole = [cell for end, cell in self._cells_at(word, 0, place) if end == len(word)]
            if len(whole) != 1:
                return None
            cells += whole
        return tuple(cells)

    def _cell(self, place: int, text: str) -> Cell:
        """Return the cell of a whole text, such as `lower or equal`. Raises InvalidClueError."""
        plain = text.casefold()
        if " or " in plain and not plain.startswith("["):
            plain = f"[{plain}]"
        for end, cell in self._cells_at(plain, 0, place):
            if end == len(plain):
                return cell
        raise InvalidClueError(self._problem(place, text))

    def _read(self, text: str, start: int, place: int) -> Iterator[tuple[Cell, ...]]:
        """Yield all ways to read the columns from `place` on, and a dot if all are equal."""
        between = _BETWEEN.match(text, start)
        after = between.end() if between else start
        if place == len(self._columns):
            rest = text[after:]
            if not rest:
                yield ()
            elif rest == ".":
                yield ((0,),)
            return
        for end, cell in self._cells_at(text, after, place):
            for rest_cells in self._read(text, end, place + 1):
                is_equal = cell == (0,) and {*rest_cells} <= {(0,)}
                if len(rest_cells) == len(self._columns) - place and not is_equal:
                    continue
                yield (cell, *rest_cells)

    def _cells_at(self, text: str, start: int, place: int) -> Iterator[tuple[int, Cell]]:
        """Yield the cells that a column may have at a place of a text, each with its end."""
        if start >= len(text):
            return
        if text[start] == "[":
            end = text.find("]", start)
            inside = text[start + 1 : end] if end > 0 else ""
            digits: set[int] = set()
            for part in filter(None, re.split(r"[|,]|\sor\s", inside)):
                cell = self._cell(place, part.strip())
                digits.update(cell)
            if digits:
                yield end + 1, _whole(tuple(sorted(digits)), self._sizes[place])
            return
        for sign in _UNREAD_SIGNS:
            if text.startswith(sign, start):
                yield start + len(sign), UNREAD
        column = self._columns[place]
        if isinstance(column, MarkedColumn):
            yield from self._marks_at(text, start, place)
        elif isinstance(column, DistanceColumn):
            yield from _distance_at(column, text, start)

    def _marks_at(self, text: str, start: int, place: int) -> Iterator[tuple[int, Cell]]:
        for sign, digits in self._signs[place]:
            end = start + len(sign)
            is_word = sign[-1].isalpha() and sign.isascii()
            if text.startswith(sign, start) and not (is_word and text[end : end + 1].isalpha()):
                yield end, _whole(digits, self._sizes[place])

    @cached_property
    def _signs(self) -> list[list[tuple[str, tuple[int, ...]]]]:
        """The signs of each column with what they mean, the longest first."""
        listed = []
        for column in self._columns:
            signs: dict[str, tuple[int, ...]] = {}
            if isinstance(column, MarkedColumn):
                signs = dict(column.signs)
                for digit, (mark, name) in enumerate(column.marks):
                    signs[mark] = signs[name] = (digit,)
            listed.append(sorted(signs.items(), key=lambda pair: -len(pair[0])))
        return listed

    def _trouble(self, text: str, shown: str) -> InvalidClueError:
        """Return the error for a text that cannot be read: where reading stopped, and why."""
        place, start, plain = 0, 0, shown.casefold()
        while place < len(self._columns):
            between = _BETWEEN.match(plain, start)
            start = between.end() if between else start
            ends = [end for end, _ in self._cells_at(plain, start, place)]
            if not ends:
                break
            start, place = max(ends), place + 1
        rest = shown[start:].strip(" ,;|")
        count = len(self._columns)
        if not rest:
            missing = count - place
            example = " ".join([shown, *["_"] * missing])
            return ImpossibleClueError(
                f"{text!r} has {place} of {count} columns ({self._titles()}); write _ for one that "
                f"was not read, as in {example}"
            )
        if place == count:
            problem = f"has more than {counted(count, 'column')}, {self._titles()}: {rest!r:.40}"
            return ImpossibleClueError(f"{text!r:.60} {problem}")
        return InvalidClueError(self._problem(place, rest))

    def _without_commas(self, text: str) -> str:
        """Return a text whose distances have no commas. Raises AmbiguousClueError for `15.915`."""
        far = [column for column in self._columns if isinstance(column, DistanceColumn)]
        if len(far) != 1:
            return text
        if not far[0].percent and far[0].step == int(far[0].step):
            for whole, fraction in _UNCLEAR.findall(text):
                ways = f"{whole}{fraction} or {round(float(f'{whole}.{fraction}'))}"
                raise AmbiguousClueError(f"'{whole}.{fraction}' may be {ways}; write one of these")
        return _THOUSANDS.sub(lambda found: found[0].replace(",", ""), text)

    def _problem(self, place: int, text: str) -> str:
        column = self._columns[place]
        if isinstance(column, DistanceColumn) and (found := _DISTANCE.match(text)):
            most = "100 %" if column.percent else f"{column.told(column.steps - 1)} km"
            if not _steps_told(column, found) and (found["unit"] or "%") != "%":
                return f"{text!r:.60}: a distance in the column {column.title} is at most {most}"
        return f"{text!r:.60} is no answer of the column {column.title}: {self.legend_of(place)}"

    def _titles(self) -> str:
        return ", ".join(column.title for column in self._columns)

    # Writing.

    def format(self, clue: ColumnsClue) -> str:
        """Return the text of a clue; `parse` returns an equal clue for this text."""
        if clue == self.unread_clue():
            return "*"
        dot = " ." if {*clue.cells} == {(0,)} and not clue.won else ""
        return self._written(clue.cells) + dot

    def _written(self, cells: Iterable[Cell]) -> str:
        return " ".join(self.format_cell(place, cell) for place, cell in enumerate(cells))

    def format_cell(self, place: int, cell: Cell) -> str:
        """Return the text of one column's cell: `>`, `_`, `[=|~>]`, `1000-1500kmNE`."""
        if not cell:
            return "_"
        column = self._columns[place]
        if isinstance(column, DistanceColumn):
            parts = _distance_texts(column, cell)
        else:
            assert isinstance(column, MarkedColumn), "a column has marks or tells a distance"
            parts = [column.marks[digit][0] for digit in cell]
        return parts[0] if len(parts) == 1 else f"[{'|'.join(parts)}]"

    def describe_cell(self, place: int, cell: Cell) -> str:
        """Return one column's cell in words: `higher`, `all or some`, `1200 km NE`, `unread`."""
        if not cell:
            return "unread"
        column = self._columns[place]
        if isinstance(column, DistanceColumn):
            if len(cell) == 1:
                return column.described(cell[0])
            return " or ".join(_distance_texts(column, cell))
        assert isinstance(column, MarkedColumn), "a column has marks or tells a distance"
        return " or ".join(column.marks[digit][1] for digit in cell)

    def shared(self, clue: ColumnsClue) -> str:
        """Return the signs of a shared result."""
        signs = []
        for place, (column, cell) in enumerate(zip(self._columns, clue.cells, strict=True)):
            if len(cell) != 1:
                signs.append(UNREAD_SQUARE)
            elif isinstance(column, OrderColumn):
                signs.append(column.shared(cell[0]))
            elif isinstance(column, MarkedColumn):
                signs.append(column.squares[cell[0]])
            else:
                signs.append(self.format_cell(place, cell) if cell[0] else "🟩")
        return " ".join(signs)

    def describe(self, clue: ColumnsClue) -> str:
        """Return a clue in words: `period higher, block equal, 3 unread`."""
        read = [
            f"{self._columns[place].title} {self.describe_cell(place, cell)}"
            for place, cell in enumerate(clue.cells)
            if cell
        ]
        unread = len(clue.cells) - len(read)
        if not read:
            return "nothing read"
        if {*clue.cells} == {(0,)}:
            return _ALL_EQUAL if clue.won else f"{_ALL_EQUAL}, {_ANOTHER}"
        return ", ".join(read + [f"{unread} unread"] * bool(unread))

    def legend_of(self, place: int) -> str:
        """Return the marks of one column with their names: `= equal, < lower, > higher`."""
        column = self._columns[place]
        if isinstance(column, MarkedColumn):
            return ", ".join(f"{mark} {name}" for mark, name in column.marks)
        assert isinstance(column, DistanceColumn), "a column has marks or tells a distance"
        unit = "%" if column.percent else "km"
        number = "87%" if column.percent else "1200km"
        point = column.points[2 if column.directions == 16 else 1] if column.directions else ""
        return f"= equal, {number}{point}, 10-20{unit}, ~15{unit}"


def _whole(digits: tuple[int, ...], size: int) -> Cell:
    """Return a cell of some digits: `UNREAD` if they are all."""
    return UNREAD if len(digits) == size else digits


# Distances.


def _distance_at(column: DistanceColumn, text: str, start: int) -> Iterator[tuple[int, Cell]]:
    points = len(column.points)
    every = range(column.steps * points)
    for sign in ("=", "🟩", "equal", "same"):
        if text.startswith(sign, start):
            yield start + len(sign), (0,)
    if column.blank is not None:
        for sign in ("missing", "n/a", "-"):
            if text.startswith(sign, start):
                yield start + len(sign), (column.size - 1,)
    if (alone := _point_end(column, text, start)) is not None:
        yield alone[0], tuple(1 + n for n in every if n % points in alone[1])
    match = _DISTANCE.match(text, start)
    if match is None:
        return
    steps = _steps_told(column, match)
    if not steps:
        return
    stop = match.end()
    space = re.compile(r"\s*").match(text, stop)
    after = space.end() if space else stop
    pointed = _point_end(column, text, after)
    if pointed is not None:
        stop, among = pointed
        yield stop, tuple(1 + step * points + point for step in steps for point in among)
    digits = tuple(1 + step * points + point for step in steps for point in range(points))
    if text[match.end() : match.end() + 1] == ".":
        yield match.end() + 1, _whole(digits, column.size)
    elif pointed is None:
        nearest = 100 if column.percent else 0
        equal = (0,) if nearest in steps else ()
        is_same = column.directions and [*steps] == [nearest] and not match["bound"]
        yield match.end(), equal if is_same else _whole(equal + digits, column.size)


def _point_end(column: DistanceColumn, text: str, start: int) -> tuple[int, tuple[int, ...]] | None:
    """Return the end of a direction at a place of a text, and the numbers of what it may be.

    A direction between two of the compass may be either. None if no direction is there.
    """
    if not column.directions:
        return None
    if (name := _ARROWS.get(text[start : start + 1])) is not None:
        return start + 1, (column.points.index(name),)
    word = _POINT.match(text, start)
    if word is None or re.match(r"[^\W\d_]|/", text[word.end() :]):
        return None
    name = "".join(re.findall("[nesw]", re.sub("(?<=[nsew])[a-z]{3,4}", "", word[0]))).upper()
    if name not in POINTS:
        return None
    turn, parts = divmod(POINTS.index(name), 16 // column.directions)
    either = (turn, (turn + 1) % column.directions)
    return word.end(), tuple(sorted(either)) if parts else (turn,)


def _steps_told(column: DistanceColumn, match: re.Match[str]) -> range:
    """Return the steps that a number or a range of numbers may be."""
    unit, bound = match["unit"], match["bound"]
    if unit and (unit == "%") != column.percent:
        return range(0)
    scale = _MILE if unit == "mi" else 1.0
    low = float(match["low"]) * scale
    high = float(match["high"]) * scale if match["high"] else low
    size = 1.0 if column.percent else column.step
    if bound in (">=", "≥"):
        high = math.inf
    elif bound:
        low = 0.0
    elif match["about"]:
        low, high = low * (1 - _ABOUT), high * (1 + _ABOUT)
    elif unit == "mi":
        low, high = low - _MILE / 2, high + _MILE / 2
    if low == high or match["about"] or unit == "mi":
        first, last = math.floor(low / size + 0.5), math.floor(high / size + 0.5)
    else:
        first = math.ceil(low / size - 1e-9)
        last = column.steps if high == math.inf else math.floor(high / size + 1e-9)
        if last < first:  # all of the range is told as a number beside it
            first, last = math.floor(low / size + 0.5), math.floor(high / size + 0.5)
    return range(max(0, first), min(last, column.steps - 1) + 1)


def _distance_texts(column: DistanceColumn, cell: Cell) -> list[str]:
    """Return the texts of parts of a cell: ranges of distances, each in one direction or in all."""
    points, unit = len(column.points), "%" if column.percent else "km"
    texts, told = [], [digit - 1 for digit in cell if digit]
    if column.blank is not None and told and told[-1] == column.size - 2:
        told.pop()
        texts.append("-")
    of_point: dict[int, list[int]] = {}
    for number in told:
        of_point.setdefault(number % points, []).append(number // points)
    nearest = 100 if column.percent else 0
    has_equal = 0 in cell
    in_all = len(of_point) == points and len({*map(tuple, of_point.values())}) == 1
    every = {-1: next(iter(of_point.values()))} if in_all else of_point
    for point, steps in sorted(every.items()):
        name = column.points[point] if point >= 0 else ""
        if name and len(steps) == column.steps:
            texts.append(name)
            continue
        for first, last in _runs(steps):
            told_as = column.told(first)
            if last > first:
                told_as += f"-{column.told(last)}"
            dot = ""
            if point < 0 and first <= nearest <= last:
                is_alone = column.directions and first == last
                dot = "." if is_alone or not has_equal else ""
                has_equal = bool(is_alone and has_equal)
            texts.append(f"{told_as}{unit}{name}{dot}")
    return texts + ["="] * has_equal


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and last of each run of numbers without gaps, given in ascending order."""
    first = last = numbers[0]
    for number in numbers[1:]:
        if number > last + 1:
            yield first, last
            first = number
        last = number
    yield first, last
