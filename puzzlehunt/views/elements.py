"""HTML: elements, tiles and tables, and a screen that collects its output."""

from collections.abc import Iterable
from itertools import groupby

import markupsafe
from rich.style import Style
from rich.text import Text

from puzzlehunt.errors import printable, shortened
from puzzlehunt.views.drawn_tiles import DrawnTile, style_of
from puzzlehunt.views.screen import Screen, Table

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


def element(tag: str, content: str | None, kind: str = "", **attributes: str) -> Markup:
    """Return an element with its content, or a void element; `kind` is its class.

    In the name of an attribute, `_` is written for a hyphen.
    """
    given = {"class": kind, **attributes} if kind else attributes
    shown = [
        f' {key.replace("_", "-")}="{Markup.escape(str(text))}"' for key, text in given.items()
    ]
    start = f"<{tag}{''.join(shown)}>"
    return Markup(start if content is None else f"{start}{Markup.escape(content)}</{tag}>")


def paragraphs(*texts: str, kind: str = "line") -> Markup:
    """Return texts as paragraphs of a class; empty texts are left out."""
    return joined(element("p", text, kind) for text in texts if text)


def tile_class(tile: DrawnTile) -> str:
    """Return the classes of a tile, with that of its colour."""
    word = "word" * (len(tile.text) > _LONGEST_SIGN)
    kinds = ["tile", word, style_of(tile.name), "unread" * tile.unread]
    return " ".join(filter(None, kinds))


def tiles_html(tiles: Iterable[DrawnTile]) -> Markup:
    """Return tiles, one after the other."""
    return joined(
        element("span", tile.text, tile_class(tile), **{"title": tile.name} if tile.name else {})
        for tile in tiles
    )


def folded(title: str, content: Markup) -> Markup:
    """Return content that opens with a tap on its title."""
    return element("details", element("summary", title) + content, "opens", data_key=title)


def button(value: str, label: str, kind: str = "", name: str = "tapped", **more: str) -> Markup:
    """Return a button that sends a value under a name; `kind` is its class.

    What is `tapped` is a line, what is `typed` its beginning; `/edit 3` takes row 3 to the tiles.
    """
    return element("button", label, kind, form="ask", name=name, value=value, **more)


def text_html(text: str | Text) -> Markup:
    """Return a text as HTML, its styles as classes; a tap on a code takes it as a guess."""
    if isinstance(text, str):
        return Markup.escape(text)
    ends, parts = sorted({end for span in text.spans for end in (span.start, span.end)}), []
    for guess, pieces in groupby(filter(None, text.divide(ends)), _guess_in):
        shown, line = Markup(""), ""
        for piece in pieces:
            kinds = [text.style, *(span.style for span in piece.spans)]
            kind = next((kind for kind in reversed(kinds) if kind and isinstance(kind, str)), "")
            shown += element("span", piece.plain, kind) if kind else piece.plain
            line += piece.plain
        parts.append(button(line, shown, data_guess=guess) if guess else shown)
    return joined(parts)


def _guess_in(piece: Text) -> str:
    styles = (span.style for span in piece.spans)
    return next((one.meta["guess"] for one in styles if isinstance(one, Style) and one.meta), "")


class HtmlScreen(Screen):
    """Collects printed output as HTML."""

    width = 0

    def __init__(self) -> None:
        self._parts: list[Markup] = []

    @property
    def html(self) -> Markup:
        """The HTML of everything printed so far."""
        return joined(self._parts)

    def line(self, text: str | Text = "") -> None:
        if shown := text_html(text):
            self._parts.append(element("pre", shown) if "\n" in shown else paragraphs(shown))

    def note(self, text: str) -> None:
        self._parts.append(paragraphs(shortened(text), kind="note"))

    def offer(self, text: str, line: str) -> None:
        self._parts.append(paragraphs(button(line, text), kind="note"))

    def error(self, text: str) -> None:
        self._parts.append(paragraphs(shortened(text.strip()), kind="error"))

    def table(self, table: Table) -> None:
        kinds = ["number" if is_number else "" for is_number in table.numeric]
        columns = zip(table.header, kinds, strict=True)
        head = joined(element("th", title, kind, scope="col") for title, kind in columns)
        rows = []
        for row in table.rows:
            cells = zip(map(text_html, row), kinds, strict=True)
            rows.append(element("tr", joined(element("td", cell, kind) for cell, kind in cells)))
        shown = element("thead", element("tr", head)) + element("tbody", joined(rows))
        self._parts.append(element("table", shown))
