"""Tables: a heading that names the columns, and the rows below it.

Without a heading `turn_notation` reads the cells of a row in the order of guess, clue and notes.
"""

import csv
import re
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from puzzlehunt.errors import AmbiguousClueError, InvalidClueError, InvalidTurnError
from puzzlehunt.game.pasted import undecorated
from puzzlehunt.game.spec import GameSpec
from puzzlehunt.game.turn_notation import Line, split_note
from puzzlehunt.rules.notation.cells import cell_separator
from puzzlehunt.rules.notation.synonyms import plain

Role: TypeAlias = Literal["guess", "clue", "count", "mark", "note", "doubt", "other"]
"""The role of a column.

The cells of a `count` column are numbers of marks of one kind. A `mark` column has one mark in each
cell, or the clue of one of several boards.
"""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its role, its title, and for a count the name of the kind."""

    role: Role
    title: str
    kind: str = ""


_TITLES: dict[Role, re.Pattern[str]] = {
    "guess": re.compile(r"guess(?:es|ed)?|words?|codes?|tunes?"),
    "clue": re.compile(
        r"answers?|clues?|counts?|feedback|hints?|jots?|marks?|pegs|repl(?:y|ies)|responses?|results?"
        r"|scores?|squares|tiles"
    ),
    "note": re.compile(r"author|by|comments?|name|notes?|player|puzzles?|remarks?|team|title|who"),
    "doubt": re.compile(r"doubt(?:ed|ful)?|maybe"),
    "other": re.compile(r"#|at|attempts?|date|id|left|no|nr|number|rounds?|rows?|time|try|turns?"),
    "mark": re.compile(r"[a-z]{0,8} ?[1-9]\d?"),
}
"""Titles that columns may have in every game, by role; those of marks are numbered: `M1`, `3`."""
_ROW_NUMBER = re.compile(r"^\s*#(?=\d)")
_MOST_COLUMNS = 300
_LONGEST_LINE = 3_000
"""Greatest length of a line of a table that has a heading (characters)."""
_COUNT = re.compile(r"(?:>=|<=|≥|≤|>|<|=)?\s*\d{1,4}(?:\s*[-\u2013]\s*\d{1,4})?\+?")
_BLANK = ("", "-", "\u2013", "\u2014", "_", "?")
"""Cells of a column of counts that say that no count was read."""


@dataclass(frozen=True, slots=True)
class Heading:
    """The columns of a table, in order."""

    columns: tuple[Column, ...]

    def line(self, game: GameSpec, text: str) -> Line | None:
        """Return a row of the table split into guess and clue; a row of blank cells has no text.

        None for a line without cells, which is read without the heading.
        Raises InvalidTurnError and InvalidClueError for a row that does not fit the columns.
        """
        row, note = split_note(_ROW_NUMBER.sub("", plain(text)), game.alphabet)
        row = row.strip()
        cells, sign = _cells(row)
        if not sign or not any(cells):
            return Line("") if sign else None
        texts: dict[Role, list[str]] = {}
        for column, cell in zip(self.columns, self._fitting(row, cells, sign), strict=False):
            texts.setdefault(column.role, []).append(_text(game, column, cell))
        guess, clue = "".join(texts["guess"]), _clue(game, texts)
        if clue and not guess:
            raise InvalidTurnError(f"{row!r} has no guess in its column")
        if doubt := "".join(texts.get("doubt", [])):
            clue = f"{clue or '*'} ?{doubt.lstrip('?')}"
        notes = ", ".join(filter(None, [*texts.get("note", []), note]))
        return Line(guess and row, guess, clue, notes)

    def _fitting(self, row: str, cells: list[str], sign: str) -> list[str]:
        """Return the cells of the columns; the last one may have commas in it."""
        last = len(self.columns) - 1
        if sign == "," and any(cells[last + 1 :]) and self.columns[-1].role in ("clue", "note"):
            return [*cells[:last], ", ".join(cells[last:])]
        if any(cells[last + 1 :]):
            titles = ", ".join(column.title for column in self.columns)
            raise InvalidTurnError(f"{row!r} has {len(cells)} cells for the columns {titles}")
        return [*cells, *[""] * (last + 1 - len(cells))]


def _text(game: GameSpec, column: Column, cell: str) -> str:
    if not column.title and cell:
        raise InvalidTurnError(f"{cell!r} is in a column without a title")
    if column.role != "count":
        return undecorated(cell, game.own_signs)
    if cell in _BLANK:
        return ""
    if not _COUNT.fullmatch(cell):
        raise InvalidClueError(f"{cell!r} is not a number of {column.kind}")
    return f"{cell} {column.kind}"


def _cells(row: str) -> tuple[list[str], str]:
    row = row.strip(" \r\n")
    sign = cell_separator(row)
    if sign == "|" and row.startswith("|"):
        row = row[1:].removesuffix("|")
    if not sign:
        return row.split(), ""
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if '"' in row else csv.QUOTE_NONE
    (cells,) = csv.reader([row], delimiter=sign, skipinitialspace=True, quoting=quoting)
    return [cell.strip() for cell in cells], sign


def _clue(game: GameSpec, texts: dict[Role, list[str]]) -> str:
    marks = texts.get("mark", [])
    joined = ("|" if game.boards > 1 else ",").join(marks) if any(marks) else ""
    counts = ", ".join(filter(None, texts.get("count", [])))
    filled = [part for part in (counts, *texts.get("clue", []), joined) if part]
    if len(filled) > 1:
        raise AmbiguousClueError(f"two clues in one row: {' and '.join(map(repr, filled))}")
    return "".join(filled)


# Headings.


def refuse_heading(game: GameSpec, text: str) -> None:
    """Raise InvalidTurnError for a line that is the heading of a table and no row."""
    if read_heading(game, text) is not None:
        raise InvalidTurnError(f"{text.strip()!r} is a heading, not a row; rows are GUESS CLUE")


def read_heading(game: GameSpec, text: str) -> Heading | None:
    """Parse a line as the heading of a table of rows; None if it is not one.

    One cell of a heading is a known name of the guess, and another one of its clue. Raises
    AmbiguousClueError for such words without commas or tabs between, which may be a row.
    """
    titles, sign = _cells(text) if len(text) <= _LONGEST_LINE else ([], "")
    titles = [title.strip(" *_`\"':").casefold() for title in titles]
    columns = [column for title in titles if (column := _column(game, title, sign))]
    if not 1 < len(titles) == len(columns) <= _MOST_COLUMNS:
        return None
    if not any(column.role == "guess" for column in columns):
        columns = [replace(c, role="guess") if c.title == "answer" else c for c in columns]
    roles = [column.role for column in columns]
    names = [column.kind or column.title for column in columns if column.title]
    numbers = [c.title.lstrip("abcdefghijklmnopqrstuvwxyz ") for c in columns if c.role == "mark"]
    has_clue = not {"clue", "count", "mark"}.isdisjoint(roles)
    in_order = numbers == [str(number) for number in range(1, len(numbers) + 1)]
    if roles.count("guess") != 1 or not has_clue or len({*names}) < len(names) or not in_order:
        return None
    if not sign and (len(titles) > 2 or len(titles[1]) > 1):
        raise AmbiguousClueError(
            f"{text.strip()!r} may be a heading or a row; in a heading put commas between the "
            "titles, in a row write the marks without blanks"
        )
    return Heading(tuple(columns)) if sign else None


def _column(game: GameSpec, title: str, sign: str) -> Column | None:
    """Return the column of a title; among cells, one that nobody knows is that of notes."""
    kind = game.rule.kind_called(title) if any(map(str.isalpha, title)) else ""
    roles = [role for role, pattern in _TITLES.items() if pattern.fullmatch(title)]
    if title == "?":
        kind = "unread"
    if kind and (kind.casefold() == title or not roles):
        return Column("count", title, kind)
    return Column((roles or ["note"])[0], title) if roles or sign else None
