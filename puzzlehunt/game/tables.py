"""Tables: a heading that names the columns, and the rows below it.

Without a heading `turn_notation` reads the cells of a row in the order of guess, clue and notes.
"""

import csv
import itertools
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from puzzlehunt.errors import (
    AmbiguousClueError,
    InvalidClueError,
    InvalidTurnError,
    PuzzlehuntError,
)
from puzzlehunt.game.pasted import undecorated
from puzzlehunt.game.spec import GameSpec
from puzzlehunt.game.turn_notation import Line, read_line, read_turn, split_note
from puzzlehunt.rules.notation.cells import cell_separator

Role: TypeAlias = Literal["guess", "clue", "count", "mark", "note", "doubt", "no count", "other"]
"""The role of a column.

The cells of a `count` column are numbers of marks of one kind. A `mark` column has one mark in each
cell, or the clue of one of several boards. A `no count` column counts a kind of marks that the game
does not have.
"""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its role, its title, and for a count the name of the kind."""

    role: Role
    title: str
    kind: str = ""


_TITLES: dict[Role, re.Pattern[str]] = {
    "guess": re.compile(r"guess(?:es)?|words?|codes?|tunes?|guessed"),
    "clue": re.compile(
        r"answers?|clues?|counts?|feedback|hints?|jots?|marks?|pegs|repl(?:y|ies)|responses?|results?"
        r"|scores?|squares|tiles"
    ),
    "note": re.compile(r"notes?|comments?|remarks?"),
    "doubt": re.compile(r"doubt(?:ed|ful)?|maybe|\?"),
    "no count": re.compile(
        r"blacks?|bulls?|colou?rs?|common|cows?|gears?|greens?|gr[ae]ys?|hits|matches|misses|oranges?"
        r"|reds?|tumblers?|whites?|yellows?"
    ),
    "other": re.compile(
        r"#|at|attempts?|author|by|date|id|left|name|no|nr|number|player|puzzles?|rounds?|rows?"
        r"|solved|team|time|try|turns?|who"
    ),
}
"""Titles that columns may have in every game, by role."""
_NUMBERED = re.compile(r"[a-z]{0,8} ?[1-9]\d?")
"""A title such as `M1`, `mark 2` or `3`: of a column of marks, or, if no column holds the guess, of
the guess's symbols."""
_NOUNS = re.compile(r"pegs?|pins?|marks?")
"""Nouns that may follow the name of a kind of marks in the title of the same column."""
_ROW_NUMBER = re.compile(r"^\s*#(?=\d)")
_MOST_COLUMNS = 300
_LONGEST_LINE = 3_000
"""Greatest length of a line of a table that has a heading (characters)."""
_COUNT = re.compile(r"(?:>=|<=|≥|≤|>|<|=)?\s*\d{1,4}(?:\s*[-\u2013]\s*\d{1,4})?\+?")
_COUNTS: tuple[Role, ...] = ("count", "no count")
_BLANK = ("", "-", "\u2013", "\u2014", "_", "?")
"""Cells of a column of counts that say that no count was read."""
_DOUBTS = {"": "", "no": "", "0": "", "?": " ?", "x": " ?", "yes": " ?", "1": " ?", "maybe": " ?"}
_PERCENT = re.compile(r"\d{1,3}(?:\.\d{1,4})?\s*%")


@dataclass(frozen=True, slots=True)
class Heading:
    """The columns of a table, in order; `may_be_row` means that the heading itself may be a row."""

    columns: tuple[Column, ...]
    may_be_row: bool = False

    @property
    def title(self) -> str:
        """The titles of the columns, for messages."""
        return ", ".join(column.title for column in self.columns if column.title)

    def unless_row(self, text: str) -> "Heading":
        """Return this heading. Raises AmbiguousClueError if its line may be a row of the table."""
        if self.may_be_row:
            is_short = len(self.columns) == 2 and len(self.columns[1].title) > 1
            heading = "put commas between" if is_short else "write the names of marks in full as"
            raise AmbiguousClueError(
                f"{text.strip()!r} may be a heading or a row; in a heading {heading} the titles, "
                "in a row write the marks without blanks"
            )
        return self

    def line(self, game: GameSpec, text: str) -> Line | None:
        """Return a row of the table split into guess and clue; a row of blank cells has no text.

        None for a line that is read without the heading: it has no cells, or no number in them.
        Raises InvalidTurnError and InvalidClueError for a row that does not fit the columns.
        """
        row, note = split_note(_ROW_NUMBER.sub("", text), game.alphabet)
        cells, sign = _cells(row)
        if not (self._fits(row, cells) if not sign else any(cells)):
            return Line("") if sign else None
        cells = self._fitting(row, cells, sign)
        texts: dict[Role, list[str]] = {}
        for column, cell in zip(self.columns, cells, strict=True):
            texts.setdefault(column.role, []).append(_text(game, column, cell))
        symbols = " ".join(texts.get("guess", [])).split()
        guess = ("-" if game.alphabet.number("-") is None else "").join(symbols)
        clue = _clue(game, texts)
        if not guess and clue:
            raise InvalidTurnError(f"{row.strip()!r} has no guess in its column")
        said = "".join(texts.get("doubt", []))
        doubt = f" ?{said}" if _PERCENT.fullmatch(said) else _DOUBTS.get(said.casefold())
        if doubt is None:
            raise InvalidTurnError(f"{said!r} in a column of doubts: write ? or nothing")
        if guess and doubt and not clue:
            clue = "*"
        notes = ", ".join(filter(None, [*texts.get("note", []), note]))
        return Line(guess and row.strip(), guess, clue + doubt, note=notes, written=text)

    def _fits(self, row: str, words: list[str]) -> bool:
        """Return whether words are one per column, and the row cannot be read without the table."""
        roles = [column.role for column in self.columns]
        numbers = [word for word in words if _COUNT.fullmatch(word)]
        if len(words) == len(roles):
            values = [w for w, role in zip(words, roles, strict=True) if role in _COUNTS]
            is_turned_round = "clue" in roles and roles.index("clue") < roles.index("guess")
            has_counts = all(word in (*_BLANK, *numbers) for word in values)
            return is_turned_round or (bool(values) and has_counts)
        if not set(roles).isdisjoint(_COUNTS) and len(numbers) > 1:
            raise InvalidTurnError(
                f"{row.strip()!r} has {len(words)} words for the columns {self.title}; "
                "where a cell is blank, part them by commas"
            )
        return False

    def _fitting(self, row: str, cells: list[str], sign: str) -> list[str]:
        columns = len(self.columns)
        while len(cells) > columns and not cells[-1]:
            cells = cells[:-1]
        if sign == "," and len(cells) > columns and self.columns[-1].role in ("clue", "note"):
            cells = [*cells[: columns - 1], ", ".join(cells[columns - 1 :])]
        if len(cells) > columns:
            raise InvalidTurnError(
                f"{row.strip()!r} has {len(cells)} cells for the {columns} columns {self.title}"
            )
        return [*cells, *[""] * (columns - len(cells))]


def _text(game: GameSpec, column: Column, cell: str) -> str:
    if column.role not in _COUNTS:
        return undecorated(cell, game.own_signs)
    if cell in _BLANK or (column.role == "no count" and cell == "0"):
        return ""
    if column.role == "no count":
        raise InvalidClueError(f"{column.title or 'an unnamed column'} is not counted in this game")
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
    if '"' in row:
        (cells,) = csv.reader([row], delimiter=sign, skipinitialspace=True)
    else:
        cells = row.split(sign)
    return [cell.strip() for cell in cells], sign


def _clue(game: GameSpec, texts: dict[Role, list[str]]) -> str:
    marks = texts.get("mark", [])
    parts = [", ".join(filter(None, texts.get("count", []))), *texts.get("clue", [])]
    if any(marks):
        parts.append(("|" if game.boards > 1 else ",").join(marks))
    filled = [part for part in parts if part]
    if len(filled) > 1:
        raise AmbiguousClueError(f"two clues in one row: {' and '.join(map(repr, filled))}")
    return "".join(filled)


# Headings.


def refuse_heading(game: GameSpec, text: str) -> None:
    """Raise InvalidTurnError for a line that is the heading of a table and no row."""
    heading = read_heading(game, text)
    if heading is not None and not heading.may_be_row:
        raise InvalidTurnError(f"{text.strip()!r} is a heading, not a row; rows are GUESS CLUE")


def read_heading(game: GameSpec, text: str) -> Heading | None:
    """Parse a line as the heading of a table of rows; None if it is not one.

    Each cell of a heading is a known name of a column, and one of them is the guess.
    """
    if len(text) > _LONGEST_LINE:
        return None
    titles, sign = _cells(text)
    titles = [title.strip(" *_`\"':").casefold() for title in titles]
    titles = titles if sign else _with_nouns(game, titles)
    numbered = [_NUMBERED.fullmatch(title) is not None for title in titles]
    has_guess = any(map(_TITLES["guess"].fullmatch, titles))
    length = game.secret_length
    has_words = any(title and not n for title, n in zip(titles, numbered, strict=True))
    has_symbols = has_words and sum(numbered) >= length > 1
    if not 1 < len(titles) <= _MOST_COLUMNS or not (has_guess or has_symbols):
        return None
    columns: list[Column] = []
    for title, is_number in zip(titles, numbered, strict=True):
        column = Column("mark", title) if is_number else _column(game, title)
        if not title and columns:
            column = _continued(columns)
        if column is None:
            return None
        columns.append(column)
    columns = _with_symbols(game, columns)
    names = Counter(column.kind or column.title for column in columns if column.title)
    roles = {column.role for column in columns}
    has_clue = not roles.isdisjoint(("clue", "count", "no count", "mark"))
    is_counted = _are_counted(itertools.compress(titles, numbered))
    if "guess" not in roles or not has_clue or max(names.values()) > 1 or not is_counted:
        return None
    return Heading(tuple(columns), _may_be_row(game, text, columns))


def _with_nouns(game: GameSpec, words: list[str]) -> list[str]:
    titles: list[str] = []
    for word in words:
        kind = _kind(game, titles[-1]) if titles and _NOUNS.fullmatch(word) else ""
        if kind and _kind(game, f"{titles[-1]} {word}") == kind:
            titles[-1] += f" {word}"
        else:
            titles.append(word)
    return titles


def _are_counted(titles: Iterable[str]) -> bool:
    """Return whether numbered titles are counted from 1 for each word before their numbers."""
    counts: Counter[str] = Counter()
    for title in titles:
        word = title.rstrip("0123456789")
        counts[word.strip()] += 1
        if int(title.removeprefix(word)) != counts[word.strip()]:
            return False
    return True


def _column(game: GameSpec, title: str) -> Column | None:
    kind = _kind(game, title)
    roles = [role for role, pattern in _TITLES.items() if pattern.fullmatch(title)]
    if kind and (kind.casefold() == title or roles in ([], ["no count"])):
        return Column("count", title, kind)
    return Column(roles[0], title) if roles else None if title else Column("other", "")


def _continued(columns: list[Column]) -> Column:
    if columns[-1].role == "clue":
        columns[-1] = replace(columns[-1], role="mark")
    role = columns[-1].role
    return Column(role if role in ("guess", "mark") else "no count", "")


def _kind(game: GameSpec, title: str) -> str:
    return game.rule.kind_called(title) if any(map(str.isalpha, title)) else ""


def _with_symbols(game: GameSpec, columns: list[Column]) -> list[Column]:
    """Return columns in which the first numbered ones are the guess, if no other is."""
    length = game.secret_length
    places = [place for place, column in enumerate(columns) if column.role == "mark"][:length]
    if len(places) < length or any(column.role == "guess" for column in columns):
        return columns
    return [
        replace(column, role="guess") if place in places else column
        for place, column in enumerate(columns)
    ]


def _may_be_row(game: GameSpec, text: str, columns: list[Column]) -> bool:
    """Return whether a heading may be a row: one of two words, or one whose marks are letters."""
    titles = [c.title for c in columns if c.role == "count" or c.title.isdecimal()]
    is_short = len(columns) == 2 and _cells(text)[1] == ""
    if not is_short and (not titles or any(len(title) > 1 for title in titles)):
        return False
    try:
        line = read_line(game, text)
        game.parse_lone_guess(line.guess)
        read_turn(game, line)
    except PuzzlehuntError:
        return False
    return True
