"""Who follows a board, and what they did last.

Nothing of it is stored: a server that is started again knows of no one.
"""

import asyncio
from collections.abc import Callable

from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.views.page.people import chips, news_html, next_colour, what_changed
from puzzlehunt.web.store import Entry

_MOST_COLOURS = 500
_SOON = 0.3
"""Time for which changes of who follows are gathered (seconds)."""


class Presence:
    """The people on one board. `show` is called with the name and the HTML of a fragment."""

    def __init__(self, show: Callable[[str, str], None]) -> None:
        self._show = show
        self._followers: dict[object, str] = {}
        self._colours: dict[str, int] = {}
        self._update: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._followers)

    @property
    def names(self) -> list[str]:
        """The names of those who follow the board, each once, in order."""
        return sorted({name for name in self._followers.values() if name})

    @property
    def guests(self) -> int:
        """How many follow the board without a name."""
        return sum(not name for name in self._followers.values())

    def colour(self, name: str) -> int:
        """Return the number of a person's colour on this board."""
        if name not in self._colours:
            if len(self._colours) >= _MOST_COLOURS:
                self._colours.clear()
            self._colours[name] = next_colour(name, self._colours.values())
        return self._colours[name]

    def come(self, key: object, name: str) -> None:
        """Note a follower, known by a key."""
        self._followers[key] = name
        self._show_people_soon()

    def go(self, key: object) -> None:
        """Forget a follower."""
        del self._followers[key]
        self._show_people_soon()

    def _show_people_soon(self) -> None:
        """Show who is there, once for all who come and go at about the same time."""
        if self._update is None:
            self._update = asyncio.get_running_loop().call_later(_SOON, self._show_people)

    def _show_people(self) -> None:
        self._update = None
        people = [(name, self.colour(name)) for name in self.names]
        self._show("people", chips(people, self.guests))

    def news(self, game: Game, entry: Entry, before: History, after: History) -> str:
        """Return what a change did (HTML), "" if it concerned neither rows nor facts."""
        what, kind = what_changed(game, before, after, is_undo=bool(entry.undoes))
        colour = self.colour(entry.by)
        return news_html(entry.by, colour, what, kind, entry.version, entry.once) if what else ""
