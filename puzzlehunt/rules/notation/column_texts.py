"""How a clue about the columns of a table is read: `= > ~< _ 1200kmNE`, `period higher`."""

import re
from collections.abc import Sequence

from puzzlehunt.errors import ImpossibleClueError, InvalidClueError, counted
from puzzlehunt.rules.column_kinds import UNREAD_CELLS, ColumnKind
from puzzlehunt.rules.notation.clue import UNREAD, Cell
from puzzlehunt.rules.notation.synonyms import plain

_LEFT_OUT = re.compile(r"(?:^|(?<=[,;|\t])) *(?=[,;|\t]|$)")
"""Matches a cell without text between two separators."""
_SIGN, _END = "\u2190-\U0010ffff", r"[\s,;|]"
"""Squares and arrows, between which nothing need stand, and what ends other answers."""
_ANSWERS = re.compile(rf"[{_SIGN}]|[^\s,;|{_SIGN}]+")


def read_cells(columns: Sequence[ColumnKind], text: str) -> tuple[list[Cell], bool]:
    """Return the cell of each column, and whether a text says that the guess won.

    The cells stand in the order of the columns, with blanks, commas or signs between them, or each
    behind its column's title. A guess wins if all columns are equal, unless a dot follows them.

    Raises InvalidClueError for a text that is no clue, ImpossibleClueError for one with another
    number of columns.
    """
    rest, titles = plain(text).strip(" \r\n|"), ", ".join(column.title for column in columns)
    if rest.casefold() in UNREAD_CELLS:
        return [UNREAD] * len(columns), False
    rest, cells = _LEFT_OUT.sub("_", rest) if rest else "", dict[int, Cell]()
    longest_first = sorted(range(len(columns)), key=lambda place: -len(columns[place].title))
    groups = "|".join(f"({re.escape(columns[place].title)})" for place in longest_first)
    title = re.compile(rf"(?:{groups})(?![^\W\d_])\s*:?\s*", re.IGNORECASE)
    is_named = title.match(rest)
    while rest and (is_named or len(cells) < len(columns)):
        place = len(cells)
        if is_named:
            named = title.match(rest)
            if not named or not named.lastindex:
                raise InvalidClueError(f"{rest!r:.60} names no column: {titles}")
            place, rest = longest_first[named.lastindex - 1], rest[named.end() :]
            if place in cells:
                raise InvalidClueError(f"{columns[place].title} is told twice")
        cells[place], rest = _first_cell(columns[place], rest)
    are_equal = {*cells.values()} == {(0,)}
    if not is_named and (len(cells) < len(columns) or rest not in ("", "." * are_equal)):
        count = len(cells) + len(_ANSWERS.findall(rest))
        has = f"{text!r:.60} has {counted(count, 'answer')} for {counted(len(columns), 'column')}"
        raise ImpossibleClueError(f"{has}, {titles}; write _ for one that was not read")
    listed = [cells.get(place, UNREAD) for place in range(len(columns))]
    return listed, are_equal and not (is_named or rest)


def _first_cell(column: ColumnKind, text: str) -> tuple[Cell, str]:
    """Return the cell of the longest answer at the beginning of a text, and the text behind it."""
    part = re.findall(r"^\[[^\]]*\]|^[^,;|\t]*", text)[0]
    for end in range(len(part), 0, -1):
        behind = text[end:]
        is_end = not behind or re.match(rf"[\s,;|{_SIGN}]", behind) or text[end - 1] >= _SIGN[0]
        if is_end and (cell := column.read(part[:end])) is not None:
            return cell, re.sub(r"^\s*[,;|]?\s*", "", behind)
    raise InvalidClueError(
        f"{part.strip()!r:.60} is no answer of the column {column.title}: {column.legend()}"
    )
