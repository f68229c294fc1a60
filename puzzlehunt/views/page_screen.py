"""The screen of a page in a browser: what is printed there is kept as HTML with classes only."""

from collections.abc import Iterable
from html import escape
from itertools import pairwise

from rich.style import Style
from rich.table import Table
from rich.text import Text

from puzzlehunt.views.colours import COLOURS, TILES
from puzzlehunt.views.escapes import in_html, shortened
from puzzlehunt.views.markup import Markup
from puzzlehunt.views.screen import Screen

_CLASSES = {
    "bold": "strong",
    "dim": "dim",
    **{colour.style: f"t-{name}" for name, colour in reversed(TILES.items())},
    **{colour.style: f"c-{name}" for name, colour in COLOURS.items()},
}
"""The class of each style that views give to a text."""
_LONGEST_WORD = 12
"""Longest word that a table on a phone has room for, beside its other columns (characters)."""
_WIDTH = 10_000
"""Width of a page, on which nothing is wrapped by its text (columns)."""


class HtmlScreen(Screen):
    """Keeps what is printed as HTML."""

    def __init__(self) -> None:
        self._parts: list[str] = []

    @property
    def html(self) -> Markup:
        """What was printed so far."""
        return Markup("".join(self._parts))

    @property
    def width(self) -> int:
        """The width of a line (columns): as wide as needed."""
        return _WIDTH

    def line(self, text: str | Text = "") -> None:
        """Keep a line of results; a text of several lines stays as it is laid out."""
        shown = text_html(text)
        if not shown:
            return
        self._parts.append(f"<pre>{shown}</pre>" if "\n" in shown else element("p", shown, "line"))

    def note(self, text: str) -> None:
        """Keep a note."""
        self._parts.append(element("p", in_html(shortened(text)), "note"))

    def typed(self, prompt: str, line: str) -> None:
        """Keep a line as if it had been typed."""
        self.line(Text.assemble(prompt, (line, "bold")))

    def error(self, text: str) -> None:
        """Keep the message of an error."""
        self._parts.append(element("p", in_html(shortened(text.strip())), "error"))

    def table(self, table: Table) -> None:
        """Keep a table of results."""
        numeric = [column.justify == "right" for column in table.columns]
        header = [text_html(_text(column.header)) for column in table.columns]
        columns = [[cell_html(cell) for cell in column.cells] for column in table.columns]
        self._parts.append(table_html(header, zip(*columns, strict=True), numeric))


def element(tag: str, content: str, name: str = "") -> Markup:
    """Return an element of a class, or of none, around what is HTML already."""
    attribute = f' class="{name}"' if name else ""
    return Markup(f"<{tag}{attribute}>{content}</{tag}>")


def in_attribute(text: str) -> str:
    """Return a text for an attribute that is sent back: the same text, harmless as HTML."""
    return escape(text.encode("utf-8", "replace").decode())


def table_html(header: Iterable[str], rows: Iterable[Iterable[str]], numeric: list[bool]) -> Markup:
    """Return a table of cells that are HTML; `numeric` says which columns hold numbers."""

    def row(tag: str, scope: str, cells: Iterable[str]) -> str:
        kinds = [' class="number"' if is_number else "" for is_number in numeric]
        parts = (f"<{tag}{scope}{kind}>{c}</{tag}>" for c, kind in zip(cells, kinds, strict=True))
        return element("tr", "".join(parts))

    head = row("th", ' scope="col"', header)
    body = "".join(row("td", "", cells) for cells in rows)
    return element("table", f"<thead>{head}</thead><tbody>{body}</tbody>")


def text_html(text: str | Text) -> str:
    """Return a text as HTML, its styles as classes."""
    if isinstance(text, str):
        return in_html(text)
    plain, spans = text.plain, text.spans
    ends = {end for span in spans for end in (span.start, span.end) if 0 < end < len(plain)}
    parts = []
    for start, end in pairwise(sorted({0, len(plain), *ends})):
        styles = [text.style, *(s.style for s in spans if s.start <= start and end <= s.end)]
        names = [name for style in styles if (name := _class(style))]
        piece = in_html(plain[start:end])
        parts.append(element("span", piece, names[-1]) if names and piece else piece)
    return "".join(parts)


def cell_html(cell: object) -> str:
    """Return a cell of a table as HTML; a long text may break anywhere."""
    text = _text(cell)
    shown = text_html(text)
    return element("span", shown, "long") if is_long(text.plain) else shown


def is_long(text: str) -> bool:
    """Return whether some word of a text may be too long for a phone."""
    return any(len(word) > _LONGEST_WORD for word in text.split())


def _class(style: str | Style) -> str:
    """Return the class of a style, "" for one that a page does not show."""
    return _CLASSES.get(str(style), "")


def _text(cell: object) -> Text:
    return cell if isinstance(cell, Text) else Text(str(cell))
