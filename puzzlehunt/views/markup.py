"""Tables and tiles as they are shown outside a terminal: in Markdown, and as HTML in notebooks."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from puzzlehunt.views.colours import colour_of
from puzzlehunt.views.escapes import in_html, in_markdown


class Markup(str):
    """A text that is HTML already."""

    __slots__ = ()


def markup(text: str) -> Markup:
    """Return a text as HTML; one that is HTML already stays as it is."""
    return text if isinstance(text, Markup) else Markup(in_html(text))


def tile(text: str, name: str = "") -> Markup:
    """Return one symbol or mark on a tile, in the colours of a name; plain where that has none.

    Colour is never the only sign: pointing at the tile shows the name.
    """
    colour = colour_of(name)
    ground, ink = ("transparent", "inherit") if colour is None else (colour.ground, colour.ink)
    title = "" if colour is None else f' title="{in_html(name)}"'
    style = (
        f"display:inline-block;min-width:1.5em;padding:0 .2em;margin:1px;text-align:center;"
        f"font-family:monospace;font-weight:bold;border:1px solid #999;border-radius:3px;"
        f"background:{ground};color:{ink}"
    )
    return Markup(f'<span style="{style}"{title}>{in_html(text)}</span>')


def lines(*parts: str) -> Markup:
    """Return parts below each other; empty parts are left out."""
    return Markup("".join(f"<div>{markup(part)}</div>" for part in parts if part))


def bar(share: float) -> Markup:
    """Return a bar whose length shows a share, 0 to 1."""
    style = f"background:#0072b2;height:.7em;width:{12 * share:.2f}em"
    return Markup(f'<div style="{style}"></div>')


@dataclass(frozen=True)
class Table:
    """A table with a header; `text_columns` names the columns of text, all others hold numbers."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    text_columns: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, header: Sequence[str], rows: Iterable[Sequence[str]], text_columns: Sequence[str] = ()
    ) -> "Table":
        """Return a table of rows, each as long as the header."""
        return cls(tuple(header), tuple(tuple(row) for row in rows), tuple(text_columns))

    def markdown(self) -> str:
        """Return the table in Markdown, without a last line end."""
        alignments = ["---" if name in self.text_columns else "---:" for name in self.header]
        rows = [self.header, tuple(alignments), *self.rows]
        return "\n".join(f"| {' | '.join(map(in_markdown, row))} |" for row in rows)

    def html(self) -> Markup:
        """Return the table as HTML."""
        cells = [
            ("th", self.header),
            *(("td", row) for row in self.rows),
        ]
        rows = "".join(f"<tr>{self._row(tag, row)}</tr>" for tag, row in cells)
        return Markup(f"<table>{rows}</table>")

    def _row(self, tag: str, row: Sequence[str]) -> str:
        sides = ["left" if name in self.text_columns else "right" for name in self.header]
        return "".join(
            f'<{tag} style="text-align:{side};padding:.1em .6em">{markup(cell)}</{tag}>'
            for side, cell in zip(sides, row, strict=True)
        )
