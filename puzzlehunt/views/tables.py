"""Tables of plain text in a terminal."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from puzzlehunt.views import markup
from puzzlehunt.views.escapes import printable


def text_table(source: markup.Table) -> Table:
    """Return a table for a terminal, given the one that Markdown and HTML are made from."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in source.header:
        table.add_column(
            name, justify="left" if name in source.text_columns else "right", overflow="fold"
        )
    for row in source.rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    return table


def games_table(rows: Sequence[Sequence[str]]) -> Table:
    """Return the built-in games as a table: name, secrets, what it is, feedback, source."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("game", no_wrap=True)
    table.add_column("secrets", justify="right", no_wrap=True)
    for heading in ("what", "feedback", "source"):
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    return table
