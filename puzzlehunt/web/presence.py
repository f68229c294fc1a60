"""Who follows a board, what they are about to play, and what they did last.

Nothing of it is stored: a server that is started again knows of no one.
"""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.views.elements import Markup, joined
from puzzlehunt.views.page.people import chips, news_html, next_colour, plan_html, what_changed
from puzzlehunt.web.store import Entry

_MOST_PLANS = 20
_MOST_COLOURS = 500
_LONGEST_PLAN = 60.0
"""How long a guess that nobody plays is shown (seconds)."""
_SOON = 0.3
"""Shortest time between two updates of the guesses that people are about to play (seconds)."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """A guess that somebody is about to play, and the timer that forgets it."""

    guess: Code
    html: Markup
    timer: asyncio.TimerHandle


class Presence:
    """The people on one board. `show` is called with the name and the HTML of a fragment."""

    def __init__(self, show: Callable[[str, str], None]) -> None:
        self._show = show
        self._followers: dict[object, str] = {}
        self._colours: dict[str, int] = {}
        self._plans: dict[str, _Plan] = {}
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
        self._show_people()

    def go(self, key: object) -> None:
        """Forget a follower."""
        del self._followers[key]
        self._show_people()

    def _show_people(self) -> None:
        people = [(name, self.colour(name)) for name in self.names]
        self._show("people", chips(people, self.guests))

    def plan(self, game: Game, tab: str, name: str, guess: str) -> None:
        """Show the guess that somebody is about to play; "" ends that. `tab` tells pages apart.

        Raises PuzzlehuntError if it is not a guess of the game.
        """
        self._forget(tab)
        if guess:
            html = plan_html(game, name, self.colour(name), guess, tab)
            timer = asyncio.get_running_loop().call_later(_LONGEST_PLAN, self._forget, tab)
            self._plans[tab] = _Plan(game.parse_guess(guess), html, timer)
            while len(self._plans) > _MOST_PLANS:
                self._forget(next(iter(self._plans)))

    def _forget(self, tab: str) -> None:
        if (plan := self._plans.pop(tab, None)) is not None:
            plan.timer.cancel()
        if self._update is None:
            self._update = asyncio.get_running_loop().call_later(_SOON, self._show_plans)

    def _show_plans(self) -> None:
        self._update = None
        self._show("plans", joined(plan.html for plan in self._plans.values()))

    def played(self, guesses: Iterable[Code]) -> None:
        """Forget the plans of guesses that are rows by now."""
        known = set(guesses)
        for tab in [tab for tab, plan in self._plans.items() if plan.guess in known]:
            self._forget(tab)

    def news(self, game: Game, entry: Entry, before: History, after: History) -> str:
        """Return what a change did (HTML), "" if it concerned neither rows nor facts."""
        what, kind = what_changed(game, before, after, is_undo=bool(entry.undoes))
        colour = self.colour(entry.by)
        return news_html(entry.by, colour, what, kind, entry.version, entry.once) if what else ""
