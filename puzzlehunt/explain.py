"""Why: which turns cannot all be right, and which rule a code out.

A tool over the engine's interface: any engine serves.
"""

from dataclasses import dataclass
from typing import Any

from puzzlehunt.codes import Code
from puzzlehunt.engines import Engine
from puzzlehunt.game import Game
from puzzlehunt.history import Fact, History, Turn


def smallest_conflict(engine: Engine) -> list[int]:
    """Return places in `engine.items` that cannot all be right; [] if all agree.

    The set is minimal: without any one of its members the rest agree. Members are dropped oldest
    first, so that the newest rows stay (deletion; Chinneck and Dravnieks, 1991).
    """
    first = engine.first_conflict()
    if first is None:
        return []
    kept = list(range(first + 1))
    for place in range(first):
        fewer = [other for other in kept if other != place]
        if not engine.satisfiable(fewer):
            kept = fewer
    return kept


def ruled_out_by(game: Game, history: History, code: Code) -> list[int]:
    """Return the places in the history of all that rules a code out; [] if it fits everything."""
    return [place for place, item in enumerate(history) if not game.fits(History((item,)), code)]


def turn_number(history: History, place: int) -> int | None:
    """Return the number (from 1) of the turn at a place in a history, None for a fact."""
    items = history.items
    if not isinstance(items[place], Turn):
        return None
    return sum(isinstance(item, Turn) for item in items[: place + 1])


def name_item(game: Game, history: History, place: int) -> str:
    """Return how a player would name an item: `3. HORSE BWR__`, or `fact: contains E`."""
    item = history.items[place]
    if isinstance(item, Turn):
        return f"{turn_number(history, place)}. {game.format_turn(item)}"
    return f"fact: {item.text}"


@dataclass(frozen=True, slots=True)
class Explanation:
    """Whether a history agrees with itself, and what rules a code out; places in the history."""

    game: Game
    history: History
    conflict: tuple[int, ...]
    code: Code | None = None
    because: tuple[int, ...] = ()

    @property
    def candidate(self) -> bool:
        """Whether the code is a secret of the game that nothing rules out."""
        return not self.because and self.code is not None and self.code in self.game.secrets

    def lines(self) -> list[str]:
        """Return the explanation in words."""
        told = []
        if self.conflict:
            told.append("These cannot all be right; without any one of them the rest agree:")
            told += [f"  {name_item(self.game, self.history, p)}" for p in self.conflict]
        elif self.code is None:
            told.append("The rows agree with each other.")
        if self.code is not None:
            told += why_lines(self.game, self.history, self.code)
        return told

    def as_json(self) -> dict[str, Any]:
        """Return the explanation under the keys of `explain --json`; turns count from 1."""
        told: dict[str, Any] = {
            "consistent": not self.conflict,
            "conflict": self._turns(self.conflict),
            "conflict_facts": self._facts(self.conflict),
        }
        if self.code is not None:
            told["code"] = self.game.format_code(self.code)
            told["candidate"] = self.candidate
            told["because"] = self._turns(self.because)
            told["because_facts"] = self._facts(self.because)
        return told

    def _facts(self, places: tuple[int, ...]) -> list[str]:
        items = (self.history.items[place] for place in places)
        return [item.text for item in items if isinstance(item, Fact)]

    def _turns(self, places: tuple[int, ...]) -> list[int]:
        return [n for p in places if (n := turn_number(self.history, p)) is not None]


def explained(game: Game, engine: Engine, code: Code | None = None) -> Explanation:
    """Return the explanation of what an engine knows, and of a code if one is given."""
    history = History(engine.items)
    because = () if code is None else tuple(ruled_out_by(game, history, code))
    return Explanation(game, history, tuple(smallest_conflict(engine)), code, because)


def why_lines(game: Game, history: History, code: Code) -> list[str]:
    """Return, a line each, what rules a code out, or that it is still in."""
    named = game.format_code(code)
    places = ruled_out_by(game, history, code)
    if not places:
        in_list = code in game.secrets
        return [f"{named}: {'still in' if in_list else 'fits every row, but cannot be a secret'}"]
    return [f"{named} is out by {name_item(game, history, place)}" for place in places]


def contradiction(game: Game, engine: Engine) -> str:
    """Return one line that names the newest item which left no candidate."""
    place = engine.first_conflict()
    if place is None:
        return "the clues agree"
    named = name_item(game, History(engine.items), place)
    return f"the clues contradict each other: nothing fits since {named}"
