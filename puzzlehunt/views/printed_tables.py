"""Tables for terminals, and parts of a sentence in lines that break between them."""

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from rich.table import Table as RichTable
from rich.text import Text

Cell: TypeAlias = str | Text
LINE_WIDTH = 40
"""Longest line of a conversation (columns), to fit a phone; only long codes are longer."""
_ALL_COLUMNS = 180
"""Least width of a screen with all columns of the table of games (columns)."""


def wrapped(*parts: str, width: int = LINE_WIDTH) -> list[str]:
    """Return parts joined by commas, in lines of `width` columns that break between parts."""
    joined = ", ".join(part.replace(" ", "\N{NO-BREAK SPACE}") for part in parts)
    lines = textwrap.wrap(joined, width, break_long_words=False, break_on_hyphens=False)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


@dataclass(frozen=True)
class Table:
    """A table with a header; `text_columns` are the titles of the columns that hold text.

    All other columns hold numbers. `gap` is the space between columns in a terminal (columns).
    """

    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    text_columns: Sequence[str] = ()
    gap: int = 2

    @classmethod
    def of_columns(
        cls, columns: Mapping[str, Sequence[Cell]], text_columns: Sequence[str] = ()
    ) -> "Table":
        """Return a table of columns of one length, by their titles; empty ones are left out."""
        shown = {title: cells for title, cells in columns.items() if any(map(str, cells))}
        return cls([*shown], [*zip(*shown.values(), strict=True)], text_columns)

    @property
    def numeric(self) -> list[bool]:
        """Whether each column holds numbers."""
        return [name not in self.text_columns for name in self.header]

    def rich(self) -> RichTable:
        """Return the table for a terminal; texts with blanks may break, and no other cells."""
        padding = (0, 1, 0, self.gap - 1)
        table = RichTable(box=None, pad_edge=False, padding=padding, header_style="dim")
        for number, (name, is_number) in enumerate(zip(self.header, self.numeric, strict=True)):
            table.add_column(
                name,
                justify="right" if is_number else "left",
                overflow="fold",
                no_wrap=is_number or not any(" " in str(row[number]) for row in self.rows),
                style=None if name else "dim",
            )
        for row in self.rows:
            table.add_row(*row)
        return table

    def paragraphs(self, width: int) -> Iterator[str]:
        """Yield lines of a width (columns) that have the rows as paragraphs.

        The first cell of a row stands alone, the others are below it, after their titles.
        """
        for first, *others in self.rows:
            yield str(first)
            parts = zip(self.header[1:], map(str, others), strict=True)
            named = ", ".join(f"{title} {cell}" for title, cell in parts if cell)
            yield from textwrap.wrap(named, width, initial_indent="  ", subsequent_indent="    ")


def games_table(rows: Iterable[Sequence[str]], width: int) -> Table:
    """Return the built-in games as a table: name, secrets, what it is, feedback, source.

    The last two are left out on a screen that is too narrow (columns).
    """
    header = ("game", "secrets", "what", "feedback", "source")
    shown = len(header) if width >= _ALL_COLUMNS else 3
    return Table(header[:shown], [row[:shown] for row in rows], ("game", *header[2:]))
