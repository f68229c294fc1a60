"""The screen: it prints results on one stream, notes and errors on another; and its tables.

Everything that colour shows is also shown by text. Whatever is printed is made harmless here.
"""

import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TextIO, TypeAlias, TypeVar

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table as RichTable
from rich.text import Text
from rich.theme import Theme

from puzzlehunt.errors import printable, shortened
from puzzlehunt.views.drawn_tiles import STYLES

Cell: TypeAlias = str | Text
T = TypeVar("T")
LINE_WIDTH = 40
"""Longest line of a conversation (columns), to fit a phone; only long codes are longer."""
_UNWRAPPED_WIDTH = 10_000
"""Width of lines in a file or a pipe, which are not wrapped (columns)."""
_LEAST_WIDTH = 80
"""Least width of a screen on which columns of text are broken to fit (columns)."""


def wrapped(*parts: str) -> list[str]:
    """Return parts joined by commas, in lines that fit a phone and break between parts."""
    joined = ", ".join(part.replace(" ", "\N{NO-BREAK SPACE}") for part in parts)
    lines = textwrap.wrap(joined, LINE_WIDTH, break_long_words=False, break_on_hyphens=False)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def cell(value: T | None, shown: Callable[[T], str], missing: str = "") -> str:
    """Return a value as a table shows it; `missing` if it is None."""
    return missing if value is None else shown(value)


class Table:
    """A table of columns by their titles; those whose cells are all empty are left out.

    `text_columns` are the titles of those that hold text; the others hold numbers. `gap` is the
    space between columns in a terminal (characters).
    """

    def __init__(
        self, columns: Mapping[str, Sequence[Cell]], text_columns: Sequence[str] = (), gap: int = 2
    ) -> None:
        shown = {title: cells for title, cells in columns.items() if any(map(str, cells))}
        self.header = [*shown]
        self.rows = [*zip(*shown.values(), strict=True)]
        self.numeric = [title not in text_columns for title in shown]
        """Whether each column holds numbers."""
        self._gap = gap

    def rich(self) -> RichTable:
        """Return the table for a terminal; texts with blanks may break, and no other cells."""
        padding = (0, 1, 0, self._gap - 1)
        table = RichTable(box=None, pad_edge=False, padding=padding, header_style="dim")
        columns = zip(self.header, self.numeric, zip(*self.rows, strict=True), strict=True)
        for title, is_number, cells in columns:
            table.add_column(
                title,
                justify="right" if is_number else "left",
                overflow="fold",
                no_wrap=is_number or not any(" " in str(cell) for cell in cells),
                style=None if title else "dim",
            )
        for row in self.rows:
            table.add_row(*row)
        return table

    def paragraphs(self, width: int) -> Iterator[str]:
        """Yield the rows as paragraphs of a width (columns).

        The first cell of a row stands alone, the others are below it, after their titles.
        """
        for first, *others in self.rows:
            yield str(first)
            parts = zip(self.header[1:], map(str, others), strict=True)
            named = ", ".join(f"{title} {cell}" for title, cell in parts if cell)
            yield from textwrap.wrap(named, width, initial_indent="  ", subsequent_indent="    ")


class Screen:
    """Prints results on stdout, notes and errors on stderr, or on two other streams."""

    def __init__(self, out: TextIO | None = None, notes: TextIO | None = None) -> None:
        self._out, self._notes = _Console(out or sys.stdout), _Console(notes or sys.stderr)

    @property
    def width(self) -> int:
        """The width of a terminal (columns); 0 for a file or a pipe."""
        return 0 if self._out.soft_wrap else self._out.width

    def line(self, text: str | Text = "") -> None:
        """Print a line of results."""
        self._out.one(text)

    def lines(self, lines: Iterable[str | Text]) -> None:
        """Print lines of results."""
        for line in lines:
            self.line(line)

    def columns(self, texts: Sequence[Text]) -> None:
        """Print texts side by side in a terminal, otherwise one a line."""
        widest = 2 + max((text.cell_len for text in texts), default=0)
        number = max(1, self.width // widest)
        for start in range(0, len(texts), number):
            *others, last = texts[start : start + number]
            for text in others:
                text.pad_right(widest - text.cell_len)
            self.line(Text.assemble(*others, last))

    def sentence(self, text: str) -> None:
        """Print a sentence, in a terminal on lines that break between words."""
        width = self.width or _UNWRAPPED_WIDTH
        self.lines(textwrap.wrap(text, width, subsequent_indent="  ", break_on_hyphens=False))

    def note(self, text: str) -> None:
        """Print a note, dimmed."""
        self._notes.one(Text(shortened(text), style="dim"))

    def offer(self, text: str, line: str) -> None:
        """Print a note, and the line that shows more."""
        self.note(f"{text}: {line}")

    def typed(self, prompt: str, line: str) -> None:
        """Print a prompt and a line read from a pipe, as if it was typed."""
        self.line(Text.assemble(prompt, (line, "bold")))

    def error(self, text: str) -> None:
        """Print the message of an error, on one line."""
        text = text.strip().replace("\n", "\\n")
        self._notes.one(Text.assemble(("! ", "bold red"), shortened(text)))

    def table(self, table: Table) -> None:
        """Print a table of results, or each row as a paragraph if the screen is too narrow."""
        shown, unlimited = table.rich(), self._out.options.update_width(_UNWRAPPED_WIDTH)
        width = self._out.width
        may_break = width >= _LEAST_WIDTH and not all(one.no_wrap for one in shown.columns)
        if may_break or self._out.measure(shown, options=unlimited).maximum <= width:
            self._out.print(shown)
        else:
            self.lines(table.paragraphs(width))


class _Console(Console):
    """A console that escapes control characters, wherever a text comes from."""

    def __init__(self, stream: TextIO) -> None:
        width = None if stream.isatty() else _UNWRAPPED_WIDTH
        super().__init__(
            file=stream, highlight=False, emoji=False, markup=False, width=width,
            soft_wrap=width is not None, force_jupyter=False,
            theme=Theme({name: colour.style for name, colour in STYLES.items()}),
        )  # fmt: skip

    def one(self, text: str | Text) -> None:
        """Print a line; if it is not wrapped or coloured, write it directly, which is faster."""
        if self.color_system is None and self.soft_wrap:
            self.file.write(f"{printable(str(text))}\n")
            self.file.flush()
        else:
            self.print(text)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterator[Segment]:
        """Yield the segments of a text or table, with control characters escaped."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(printable(segment.text), segment.style)
