"""Lists of what was found about a history, and the boards about which something can be found."""

from collections.abc import Iterable
from textwrap import shorten
from typing import TypeVar

from puzzlehunt.engines.base import Engine
from puzzlehunt.game.history import History
from puzzlehunt.game.notebook import NotebookShown

Found = TypeVar("Found")


def open_boards(engine: Engine) -> list[tuple[int | None, Engine]]:
    """Return the engine of each unsolved board, with the board (from 0; None for the only one)."""
    boards = enumerate(engine.boards())
    several = engine.game.boards > 1
    return [(number if several else None, one.engine) for number, one in boards if not one.secret]


class Findings(list[Found], NotebookShown):
    """A list of suspects, repairs, certainties or near misses, with the history they are about.

    It is an ordinary list; notebooks show it in words. `title` is what it lists, such as
    `Suspects`.
    """

    def __init__(self, title: str, engine: Engine, found: Iterable[Found] = ()) -> None:
        super().__init__(found)
        self.title, self.game, self.history = title, engine.game, History(engine.items)

    def __repr__(self) -> str:
        first = f", first {shorten(repr(self[0]), 160)}" if self else ""
        return f"<{self.title}: {len(self) or 'none'}{first}>"
