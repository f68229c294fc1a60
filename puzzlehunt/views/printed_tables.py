"""Tables for terminals and for Markdown; in a narrow terminal each row becomes a paragraph."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from rich.cells import cell_len
from rich.console import Console
from rich.table import Column
from rich.table import Table as RichTable
from rich.text import Text

from puzzlehunt.views.escapes import printable

Cell: TypeAlias = str | Text
_LEAST_TEXT = 14
"""Width below which a column of text is too narrow to be read (columns)."""
_LONGEST_WORD = 20
"""Longest word that is not broken, in a column of text (columns)."""
_INDENT = "  "


@dataclass(frozen=True)
class Table:
    """A table with a header; `text_columns` are the titles of the columns that hold text.

    All other columns hold numbers. `unbroken` are the titles of columns whose cells stay on one
    line. `gap` is the space between columns in a terminal (columns).
    """

    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    text_columns: tuple[str, ...] = ()
    unbroken: tuple[str, ...] = ()
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

    def rich(self) -> RichTable:
        """Return the table for a terminal; a column without a title is dimmed."""
        padding = (0, 1, 0, self.gap - 1)
        table = RichTable(box=None, pad_edge=False, padding=padding, header_style="dim")
        for name, is_number in zip(self.header, self.numeric, strict=True):
            table.add_column(
                name,
                justify="right" if is_number else "left",
                overflow="fold",
                no_wrap=name in self.unbroken,
                style=None if name else "dim",
            )
        for row in self.rows:
            table.add_row(*(c if isinstance(c, Text) else Text(printable(c)) for c in row))
        return table


def games_table(rows: Iterable[Sequence[str]], width: int) -> Table:
    """Return the built-in games as a table: name, secrets, what it is, feedback, source.

    The last two are left out where a game would take more than one line of a width (columns).
    """
    header = ("game", "secrets", "what", "feedback", "source")
    columns = list(zip(header, *rows, strict=True))
    widths = [max(map(cell_len, column)) + 2 for column in columns]
    shown = next((count for count in (5, 4) if sum(widths[:count]) - 2 <= width), 3)
    cells = tuple(zip(*columns[:shown], strict=True))
    return Table(cells[0], cells[1:], ("game", *header[2:]), unbroken=("game", "secrets"))


# Each row as a paragraph.


def fits(table: RichTable, width: int) -> bool:
    """Return whether a table fits a width (columns); if it does, set its columns' widths."""
    _, right, _, left = table.padding
    room = width - (left + right) * (len(table.columns) - 1)
    natural = [
        max([cell_len(str(column.header)), *(_text(cell).cell_len for cell in column.cells)])
        for column in table.columns
    ]
    least = [_least_width(column) for column in table.columns]
    if sum(least) > room:
        return False
    room -= sum(least)
    lacks = [wanted - has for wanted, has in zip(natural, least, strict=True)]
    by_lack = sorted(range(len(lacks)), key=lacks.__getitem__)
    for number, place in enumerate(by_lack):
        given = min(lacks[place], room // (len(lacks) - number))
        room -= given
        table.columns[place].width = least[place] + given
    return True


def _least_width(column: Column) -> int:
    cells = [_text(cell) for cell in column.cells]
    widest = max((cell.cell_len for cell in cells), default=0)
    if column.justify != "right" and not column.no_wrap:
        words = [cell_len(word) for cell in cells for word in cell.plain.split()]
        longest = min(_LONGEST_WORD, max(words, default=0))
        widest = max(longest, min(widest, _LEAST_TEXT))
    return max([widest, *map(cell_len, str(column.header).split())])


def paragraphs(table: RichTable, width: int) -> Iterator[Text]:
    """Yield the lines of a table whose rows are written as paragraphs.

    The first cell of a row is a line of its own. The other cells are indented below it, each after
    the title of its column. Numbers share lines; a text has its own. Empty cells are left out.
    """
    first, *others = table.columns
    console = Console(width=width)
    for title, *cells in zip(first.cells, *(column.cells for column in others), strict=True):
        yield _text(title)
        numbers: list[Text] = []
        for column, cell in zip(others, map(_text, cells), strict=True):
            if not cell.plain.strip():
                continue
            if column.justify == "right":
                numbers.append(Text.assemble((f"{column.header} ", "dim"), cell))
                continue
            yield from _joined(numbers, width)
            numbers = []
            text = Text.assemble((f"{column.header}: ", "dim"), cell)
            for number, line in enumerate(text.wrap(console, max(8, width - 2 * len(_INDENT)))):
                yield Text.assemble(_INDENT * (1 + (number > 0)), line)
        yield from _joined(numbers, width)


def _joined(parts: list[Text], width: int) -> Iterator[Text]:
    line = Text(_INDENT)
    for place, part in enumerate(parts):
        comma = "," if place < len(parts) - 1 else ""
        if line.cell_len > len(_INDENT) and line.cell_len + part.cell_len + len(comma) > width:
            line.rstrip()
            yield line
            line = Text(_INDENT)
        line = Text.assemble(line, part, f"{comma} ")
    if parts:
        line.rstrip()
        yield line


def _text(cell: object) -> Text:
    return cell if isinstance(cell, Text) else Text(str(cell))
