"""Tables for terminals, and parts of a sentence in lines that break between them."""

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from rich.cells import cell_len
from rich.table import Table as RichTable
from rich.text import Text

from puzzlehunt.views.escapes import printable

Cell: TypeAlias = str | Text
LINE_WIDTH = 40
"""Longest line of a conversation (columns), to fit a phone; only long codes are longer."""
_LEAST_TEXT = 14
"""Width below which a column of text is too narrow to be read (columns)."""


def wrapped(*parts: str, width: int = LINE_WIDTH) -> list[str]:
    """Return parts joined by commas, in lines of `width` columns that break between parts."""
    joined = ", ".join(part.replace(" ", "\N{NO-BREAK SPACE}") for part in parts)
    lines = textwrap.wrap(joined, width, break_long_words=False, break_on_hyphens=False)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


@dataclass(frozen=True)
class Table:
    """A table with a header; `text_columns` are the titles of the columns that hold text.

    All other columns hold numbers, which are not broken. `gap` is the space between columns in a
    terminal (columns).
    """

    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    text_columns: tuple[str, ...] = ()
    gap: int = 2

    @classmethod
    def of(
        cls, header: Sequence[str], rows: Iterable[Sequence[Cell]], text_columns: Sequence[str] = ()
    ) -> "Table":
        """Return a table of rows, each as long as the header."""
        return cls(tuple(header), tuple(map(tuple, rows)), tuple(text_columns))

    @classmethod
    def of_columns(
        cls, columns: Mapping[str, Sequence[Cell]], text_columns: Sequence[str] = ()
    ) -> "Table":
        """Return a table of columns of one length, by their titles; empty ones are left out."""
        shown = {title: cells for title, cells in columns.items() if any(map(str, cells))}
        return cls.of(list(shown), zip(*shown.values(), strict=True), text_columns)

    @property
    def numeric(self) -> list[bool]:
        """Whether each column holds numbers."""
        return [name not in self.text_columns for name in self.header]

    def _is_wrapped(self, number: int) -> bool:
        """Return whether the cells of a column are texts of several words, which may be broken."""
        return not self.numeric[number] and any(" " in str(row[number]) for row in self.rows)

    def width(self, most_text: int = _LEAST_TEXT) -> int:
        """Return how many columns the table takes if texts are broken to at most `most_text`."""
        columns = enumerate(zip(self.header, *self.rows, strict=True))
        widest = {number: max(cell_len(str(cell)) for cell in cells) for number, cells in columns}
        for number in filter(self._is_wrapped, widest):
            widest[number] = min(widest[number], most_text)
        return sum(widest.values()) + self.gap * (len(widest) - 1)

    def rich(self) -> RichTable:
        """Return the table for a terminal; a column without a title is dimmed."""
        padding = (0, 1, 0, self.gap - 1)
        table = RichTable(box=None, pad_edge=False, padding=padding, header_style="dim")
        for number, (name, is_number) in enumerate(zip(self.header, self.numeric, strict=True)):
            table.add_column(
                name,
                justify="right" if is_number else "left",
                overflow="fold",
                no_wrap=not self._is_wrapped(number),
                style=None if name else "dim",
            )
        for row in self.rows:
            table.add_row(*(c if isinstance(c, Text) else Text(printable(c)) for c in row))
        return table

    def paragraphs(self, width: int) -> Iterator[str]:
        """Yield lines of a width (columns) that have the rows as paragraphs.

        The first cell of a row stands alone, the others are below it, after their titles.
        """
        for first, *others in self.rows:
            yield str(first)
            parts = zip(self.header[1:], map(str, others), strict=True)
            named = (f"{title} {cell}" for title, cell in parts if cell)
            for line in wrapped(*named, width=width - 2):
                yield from textwrap.wrap(line, width, initial_indent="  ", subsequent_indent="    ")


def games_table(rows: Iterable[Sequence[str]], width: int) -> Table:
    """Return the built-in games as a table: name, secrets, what it is, feedback, source.

    The last two are left out on a screen that is too narrow for all on one line (columns).
    """
    header = ("game", "secrets", "what", "feedback", "source")
    table = Table.of(header, rows, ("game", *header[2:]))
    if table.width(width) <= width:
        return table
    return Table.of(header[:3], (row[:3] for row in table.rows), table.text_columns)
