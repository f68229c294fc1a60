"""Tables: a heading that names the columns, and the rows below it.

Without a heading `turn_notation` reads the cells of a row in the order of guess, clue and notes.
"""

import csv
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from puzzlehunt.errors import AmbiguousClueError, InvalidTurnError
from puzzlehunt.game.pasted import undecorated
from puzzlehunt.game.turn_notation import Line, split_note
from puzzlehunt.rules.notation.cells import cell_separator, cells_of
from puzzlehunt.rules.notation.synonyms import plain

if TYPE_CHECKING:
    from puzzlehunt.game.game import Game

Role: TypeAlias = Literal["guess", "clue", "count", "mark", "note", "doubt", "other"]
"""The role of a column; each cell of a `mark` column is one mark, or the clue of one board."""


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


@dataclass(frozen=True, slots=True)
class Heading:
    """The columns of a table, in order: the role of each, and its title.

    The title of a column of counts is the name of the kind.
    """

    roles: tuple[Role, ...]
    titles: tuple[str, ...]

    def line(self, game: "Game", text: str) -> Line | None:
        """Return a row of the table split into guess and clue; a row of blank cells has no text.

        None for a line without cells, which is read without the heading. Raises InvalidTurnError,
        InvalidClueError or AmbiguousClueError for a row that does not fit the columns.
        """
        row, note = split_note(_ROW_NUMBER.sub("", plain(text)), game.alphabet)
        cells = _cells(row, game)
        if not cells[1:] or not any(cells):
            return Line("") if cells[1:] else None
        texts: dict[Role, list[str]] = {role: [] for role in self.roles}
        fitting = self._fitting(row, cells)
        for role, title, cell in zip(self.roles, self.titles, fitting, strict=True):
            if role == "count":
                texts[role].append(f"{cell} {title}" if cell.strip("-\u2013\u2014_?") else "")
            else:
                texts[role].append(undecorated(cell, game.own_signs))
        counts = ", ".join(filter(None, texts.get("count", [])))
        marks = ("|" if game.boards > 1 else ",").join(texts.get("mark", []))
        clues = [clue for clue in (counts, *texts.get("clue", []), marks) if clue.strip(",|")]
        if len(clues) > 1:
            raise AmbiguousClueError(f"two clues in one row: {' and '.join(map(repr, clues))}")
        guess, clue = "".join(texts["guess"]), "".join(clues)
        if doubt := "".join(texts.get("doubt", [])):
            clue = f"{clue or '*'} ?{doubt.lstrip('?')}"
        notes = ", ".join(filter(None, [*texts.get("note", []), note]))
        return Line(row.strip() if guess or clue else "", guess, clue, notes)

    def _fitting(self, row: str, cells: list[str]) -> list[str]:
        """Return the cells of the columns; the last one may have commas in it."""
        size = len(self.roles)
        if any(cells[size:]) and cell_separator(row) == "," and self.roles[-1] in ("clue", "note"):
            cells = [*cells[: size - 1], ", ".join(cells[size - 1 :])]
        if any(cells[size:]):
            raise InvalidTurnError(f"{row.strip()!r} has {len(cells)} cells for {size} columns")
        return [*cells, *[""] * size][:size]


def _cells(row: str, game: "Game") -> list[str]:
    """Return the cells of a row, which may be quoted or between bars."""
    if '"' in row and (sign := cell_separator(row)):
        (cells,) = csv.reader([row.strip(" \r\n")], delimiter=sign, skipinitialspace=True)
        return [cell.strip() for cell in cells]
    cells = cells_of(undecorated(row.lstrip(" ").rstrip(), game.own_signs).removeprefix("|"))
    return ["" if cell == '""' else cell for cell in cells]


# Headings.


def read_heading(game: "Game", text: str) -> Heading | None:
    """Parse a line as the heading of a table of rows; None if it is not one.

    One cell of a heading is a known name of the guess, and another one of its clue. Raises
    AmbiguousClueError for such words without commas or tabs between, which may be a row.
    """
    cells = _cells(text, game)
    is_table, titles = len(cells) > 1, cells if len(cells) > 1 else text.split()
    found = [_column(game, title.strip(" *_:").casefold(), is_table) for title in titles]
    columns = [column for column in found if column is not None]
    roles, names = [role for role, _ in columns], [name for _, name in columns]
    if "guess" not in roles and "answer" in names:
        roles[names.index("answer")] = "guess"
    numbers = [re.sub("[a-z ]", "", name) for role, name in columns if role == "mark"]
    in_order = numbers == [str(number) for number in range(1, len(numbers) + 1)]
    differ = len({*names} - {""}) == len(names) - names.count("")
    has_clue = not {"clue", "count", "mark"}.isdisjoint(roles)
    is_heading = len(columns) == len(found) and has_clue and in_order and differ
    if roles.count("guess") != 1 or not is_heading:
        return None
    if not is_table and (len(titles) > 2 or len(titles[1]) > 1):
        raise AmbiguousClueError(f"{text.strip()!r}: a heading needs commas, a clue no blanks")
    return Heading(tuple(roles), tuple(names)) if is_table else None


def _column(game: "Game", title: str, is_table: bool) -> tuple[Role, str] | None:
    """Return the role and the title of a column; in a table, an unknown one is that of notes."""
    kind = game.rule.notation.kind_called(title) if any(map(str.isalpha, title)) else ""
    roles = [role for role, pattern in _TITLES.items() if pattern.fullmatch(title)]
    if title == "?":
        kind = "unread"
    if kind and (kind.casefold() == title or not roles):
        return "count", kind
    return ((roles or ["note"])[0], title) if roles or is_table else None
