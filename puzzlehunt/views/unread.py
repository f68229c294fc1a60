"""Unread marks in a table: what reading each is expected to tell."""

from typing import TYPE_CHECKING

from puzzlehunt.views.basis import basis_text
from puzzlehunt.views.markup import Table
from puzzlehunt.views.screen import Screen
from puzzlehunt.views.tables import text_table

if TYPE_CHECKING:
    from puzzlehunt.explanation.unread import UnreadMark, UnreadMarks
    from puzzlehunt.game.game import Game

NOTHING_UNREAD = "no unread mark would tell anything"
_NUMBERS = ("mark", "all")
"""The columns of numbers."""


def telling_marks(ranked: "UnreadMarks", limit: int) -> "list[UnreadMark]":
    """Return up to `limit` marks, the most telling first, without those that would tell nothing."""
    return [mark for mark in ranked.marks if _bits(mark.bits) != _bits(0)][:limit]


def unread_table(ranked: "UnreadMarks", limit: int) -> Table:
    """Return a table of unread marks: row, board, tile, bits of the mark, and of all in the row.

    Columns that no mark needs are left out.
    """
    game, marks = ranked.game.one_board, telling_marks(ranked, limit)
    columns = {
        "row": [f"{mark.number}. {game.format_turn(mark.turn)}" for mark in marks],
        "board": ["" if mark.board is None else str(mark.board + 1) for mark in marks],
        "tile": [_tile(game, mark) for mark in marks],
        "mark": [_bits(mark.bits) for mark in marks],
        "all": [_bits(mark.turn_bits) for mark in marks],
    }
    shown = {name: cells for name, cells in columns.items() if any(cells)}
    text_columns = [name for name in shown if name not in _NUMBERS]
    return Table.of(list(shown), zip(*shown.values(), strict=True), text_columns)


def show_unread(ranked: "UnreadMarks", limit: int, screen: Screen) -> None:
    """Print the table of up to `limit` unread marks, and what its numbers are."""
    if not telling_marks(ranked, limit):
        screen.note(NOTHING_UNREAD)
        return
    screen.table(text_table(unread_table(ranked, limit)))
    screen.note("(bits expected of one mark, and of all)")
    if ranked.basis is not None:
        screen.note(f"(from {basis_text(ranked.basis)})")


def _tile(game: "Game", mark: "UnreadMark") -> str:
    """Return a tile, its position from 1 and its symbol, as `3 A`; "" where marks lack order."""
    if mark.position is None:
        return ""
    return f"{mark.position + 1} {game.format_code((mark.turn.guess[mark.position],))}"


def _bits(bits: float) -> str:
    return f"{bits:.2f}"
