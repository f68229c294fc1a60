"""Cells: clues in a row of a table, with one count or one mark per cell; cells may be blank."""

import re
from collections.abc import Iterable

from puzzlehunt.errors import AmbiguousClueError

_DASHES = ("-", "\u2013", "\u2014")
"""How a cell without a number is written, unless it is blank."""
_BETWEEN_NUMBERS = re.compile(r"\s*[:/+-]\s*|\s+")
_WIDE_GAP = re.compile(r"\d\s+-\s+\d|\d\s{3,}\d")
"""Numbers that may have a blank cell between them, although no separator shows it."""


def cell_separator(text: str) -> str:
    """Return the separator of a line's cells: tab, bar, semicolon or comma; "" if it has none."""
    return next((sign for sign in "\t|;," if sign in text), "")


def cells_of(text: str) -> list[str]:
    """Return the stripped cells of a text; a text without a separator is one cell."""
    sign = cell_separator(text)
    return [cell.strip() for cell in text.split(sign)] if sign else [text.strip()]


def fitting(cells: list[str], most: int) -> list[str]:
    """Remove blank cells from the end, then from the start, until `most` cells are left.

    More than `most` cells are returned if there are not enough blank ones.
    """
    first, last = 0, len(cells)
    while last > most and not cells[last - 1]:
        last -= 1
    while last - first > most and not cells[first]:
        first += 1
    return cells[first:last]


def numbers_in(text: str, most: int, unread: Iterable[str]) -> list[int | None] | None:
    """Return the number in each of a text's cells, with None for a cell without a number.

    Return None alone if the text is not made of numbers, or if its only number may count any kind.
    `most` is the greatest number of cells, `unread` are the signs for a number that was not read.
    Raises AmbiguousClueError if a blank cell may have been lost.
    """
    cells = cells_of(text)
    if len(cells) == 1:
        cells = _BETWEEN_NUMBERS.split(cells[0])
        if len(cells) < most and _WIDE_GAP.search(text) and all(map(str.isdecimal, cells)):
            raise AmbiguousClueError(
                f"{text.strip()!r} may have a blank cell; with commas it has one for each number: "
                f"{','.join(cells)} or {',,'.join(cells)}"
            )
        if not cells[0]:
            return None  # such as `- 1`
    cells = fitting(cells, most)
    blank = ("", *_DASHES, *unread)
    if not all(cell in blank or (cell.isdecimal() and len(cell) < 5) for cell in cells):
        return None
    is_alone = len(cells) < 2 or (len(cells) < most and not any(cells[1:]))
    if is_alone or all(cell in blank for cell in cells):
        return None
    return [None if cell in blank else int(cell) for cell in cells]
