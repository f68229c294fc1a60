"""HTML: elements, tiles and tables, and a screen that collects its output."""

from collections.abc import Iterable

import markupsafe
from rich.text import Text

from puzzlehunt.views.drawn_tiles import COLOURS, TILES, DrawnTile
from puzzlehunt.views.escapes import printable, shortened
from puzzlehunt.views.printed_tables import Cell, Table
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
_LONGEST_SIGN = 2
"""Longest symbol that a tile shows in large print (characters)."""


class Markup(markupsafe.Markup):
    """HTML; texts that are combined with it are escaped and made printable."""

    __slots__ = ()

    @classmethod
    def escape(cls, text: object, /) -> "Markup":
        """Return a text as escaped HTML; values that are already HTML are unchanged."""
        return cls(super().escape(text if isinstance(text, Markup) else printable(str(text))))


def joined(parts: Iterable[str]) -> Markup:
    """Return parts joined as HTML, without anything between them."""
    return Markup("").join(parts)


def element(tag: str, content: str | None, kind: str = "", **attributes: str | bool) -> Markup:
    """Return an element with its content, or a void element; `kind` is its class.

    An attribute that is True is written without a value; one that is False is left out. In the name
    of an attribute, `_` is written for a hyphen, and a name that Python reserves ends with `_`.
    `value` and `data` attributes, which are sent back, keep their text; all others are made
    printable.
    """
    shown = [f' class="{kind}"'] if kind else []
    for key, value in attributes.items():
        name = key.rstrip("_").replace("_", "-")
        if isinstance(value, str):
            sent = name == "value" or name.startswith("data-")
            text = value.encode("utf-8", "replace").decode() if sent else printable(value)
            shown.append(f' {name}="{markupsafe.escape(text)}"')
        elif value:
            shown.append(f" {name}")
    start = f"<{tag}{''.join(shown)}>"
    return Markup(start if content is None else f"{start}{Markup.escape(content)}</{tag}>")


def paragraphs(*texts: str, kind: str = "line") -> Markup:
    """Return texts as paragraphs of a class; empty texts are left out."""
    return joined(element("p", text, kind) for text in texts if text)


def tile_class(tile: DrawnTile) -> str:
    """Return the classes of a tile, with that of its colour."""
    names = ["tile"]
    if len(tile.text) > _LONGEST_SIGN:
        names.append("word")
    if tile.name in COLOURS:
        names.append(f"c-{tile.name}")
    if tile.name in TILES:
        names.append(f"t-{tile.name}")
    return " ".join([*names, "unread"] if tile.unread else names)


def tiles_html(tiles: Iterable[DrawnTile]) -> Markup:
    """Return tiles, one after the other."""
    return joined(
        element("span", tile.text, tile_class(tile), title=tile.name or False) for tile in tiles
    )


def code_text(text: str) -> Markup:
    """Return a code, a clue or both as they are written."""
    return element("span", text, "code long" if is_long(text) else "code")


# Tables.


def table_html(table: Table) -> Markup:
    """Return a table with classes."""
    kinds = ["number" if is_number else "" for is_number in table.numeric]
    columns = zip(table.header, kinds, strict=True)
    head = joined(element("th", title, kind, scope="col") for title, kind in columns)
    rows = []
    for row in table.rows:
        cells = zip(row, kinds, strict=True)
        rows.append(element("tr", joined(element("td", _cell(cell), kind) for cell, kind in cells)))
    body = element("tbody", joined(rows))
    return element("table", element("thead", element("tr", head)) + body)


def text_html(text: str | Text) -> Markup:
    """Return a text as HTML, its styles as classes."""
    if isinstance(text, str):
        return Markup.escape(text)
    ends = sorted({end for span in text.spans for end in (span.start, span.end)})
    parts = []
    for piece in text.divide(ends):
        styles = [text.style, *(span.style for span in piece.spans)]
        names = [name for style in styles if (name := _CLASSES.get(str(style)))]
        parts.append(element("span", piece.plain, names[-1]) if names and piece else piece.plain)
    return joined(parts)


def _cell(cell: Cell) -> Markup:
    shown = text_html(cell)
    long = not isinstance(cell, Markup) and is_long(str(cell))
    return element("span", shown, "long") if long else shown


def is_long(text: str) -> bool:
    """Return whether some word of a text may be too long for a phone."""
    return any(len(word) > _LONGEST_WORD for word in text.split())


class HtmlScreen(Screen):
    """Collects printed output as HTML."""

    def __init__(self) -> None:
        self._parts: list[Markup] = []

    @property
    def html(self) -> Markup:
        """The HTML of everything printed so far."""
        return joined(self._parts)

    @property
    def width(self) -> int:
        """The width of a line (columns): unlimited."""
        return 10_000

    def line(self, text: str | Text = "") -> None:
        """Keep a line of results; a text of several lines keeps its layout."""
        if shown := text_html(text):
            self._parts.append(element("pre", shown) if "\n" in shown else paragraphs(shown))

    def sentence(self, text: str) -> None:
        """Keep a sentence as one line."""
        self.line(text)

    def note(self, text: str) -> None:
        """Keep a note."""
        self._parts.append(element("p", shortened(text), "note"))

    def error(self, text: str) -> None:
        """Keep the message of an error."""
        self._parts.append(element("p", shortened(text.strip()), "error"))

    def table(self, table: Table) -> None:
        """Keep a table of results."""
        self._parts.append(table_html(table))
