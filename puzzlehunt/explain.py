"""Why: which turns cannot all be right, and which rule a code out.

A tool over the engine's interface: any engine serves.
"""

from puzzlehunt.codes import Code
from puzzlehunt.engines import Engine
from puzzlehunt.game import Game
from puzzlehunt.history import History, Turn


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
    return [
        place
        for place, item in enumerate(history)
        if not game.fits(History((item,)), code)
    ]


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
