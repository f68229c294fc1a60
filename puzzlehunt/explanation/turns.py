"""Numbers of turns, from 1 without the facts, and places of items (turns, facts), from 0."""

from collections.abc import Iterable

from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Item, Turn


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


def numbers_by_place(history: Iterable[Item]) -> dict[int, int]:
    """Return the number (from 1) of each turn of a history, by the turn's place."""
    places = (place for place, item in enumerate(history) if isinstance(item, Turn))
    return {place: number for number, place in enumerate(places, start=1)}


def places_on_board(game: Game, history: History, board: int) -> list[int]:
    """Return the places in a history of the turns and facts that bear on a board (from 0)."""
    places = [
        place
        for place, item in enumerate(history)
        if isinstance(item, Turn) or (item.board == board and item.board_constraint is not None)
    ]
    # A board's own history ends with the turn that solves it.
    return places[: len(game.on_board(history, board))]
