"""How rows and facts are numbered and named where something is said of them."""

from collections.abc import Iterable

from puzzlehunt.engines.base import Engine
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History, Turn


def turn_number(history: History, place: int) -> int | None:
    """Return the number (from 1) of the turn at a place in a history, None for a fact."""
    items = history.items
    if not isinstance(items[place], Turn):
        return None
    return sum(isinstance(item, Turn) for item in items[: place + 1])


def turn_numbers(history: History, places: Iterable[int]) -> list[int]:
    """Return the numbers (from 1) of the turns at some places in a history, without the facts."""
    numbers = (turn_number(history, place) for place in places)
    return [number for number in numbers if number is not None]


def fact_texts(history: History, places: Iterable[int]) -> list[str]:
    """Return the texts of the facts at some places in a history, without the turns."""
    items = (history.items[place] for place in places)
    return [item.text for item in items if isinstance(item, Fact)]


def places_on_board(game: Game, history: History, board: int) -> list[int]:
    """Return the places in a history of what it says of one of several boards (from 0)."""
    said = [
        place
        for place, item in enumerate(history)
        if isinstance(item, Turn) or (item.board == board and item.there is not None)
    ]
    return said[: len(game.on_board(history, board))]


def name_item(game: Game, history: History, place: int) -> str:
    """Return how a player would name an item: `3. HORSE BWR__`, or `fact: contains E`."""
    item = history.items[place]
    if isinstance(item, Turn):
        return f"{turn_number(history, place)}. {game.format_turn(item)}"
    return f"fact: {item.text}"


def name_places(history: History, places: Iterable[int]) -> str:
    """Return some items in a few words: `rows 1, 4`, `row 2, fact contains E`."""
    listed = list(places)
    numbers = turn_numbers(history, listed)
    told = [f"{'row' if len(numbers) == 1 else 'rows'} {', '.join(map(str, numbers))}"]
    return ", ".join(told * bool(numbers) + [f"fact {t}" for t in fact_texts(history, listed)])


def contradiction(game: Game, engine: Engine) -> str:
    """Return one line that names the newest item which left no candidate."""
    place = engine.first_conflict()
    if place is None:
        return "the clues agree"
    named = name_item(game, History(engine.items), place)
    return f"the clues contradict each other: nothing fits since {named}"
