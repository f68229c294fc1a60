"""Lists of what was found about a history, which show themselves in words."""

from collections.abc import Iterable
from textwrap import shorten
from typing import TypeVar

from puzzlehunt.engines.base import Engine
from puzzlehunt.game.history import History
from puzzlehunt.game.notebook import NotebookShown

Found = TypeVar("Found")


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
