"""Turns, facts and chances as a sentence names them: `rows 1 and 4`, `25 %`."""

from collections.abc import Iterable

from puzzlehunt.errors import in_number
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History, Turn


def name_item(game: Game, history: History, place: int) -> str:
    """Return how a player would name an item: `3. HORSE BWR__`, or `fact: contains E`."""
    item = history.items[place]
    if isinstance(item, Turn):
        return f"{history.turn_number(place)}. {game.format_turn(item)}"
    return f"fact: {item.text}"


def name_places(history: History, places: Iterable[int], last: str = ", ") -> str:
    """Return the items at some places in a few words: `rows 1, 4`, `row 2, fact contains E`.

    `last` separates the last item from the others: with ` and ` it is `rows 1 and 4`.
    """
    listed = list(places)
    names = [str(number) for number in history.turn_numbers(listed)]
    if names:
        names[0] = f"{in_number('row', len(names))} {names[0]}"
    names += [f"fact {text}" for text in fact_texts(history, listed)]
    return last.join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def fact_texts(history: History, places: Iterable[int]) -> list[str]:
    """Return the texts of the facts at some places in a history, without the turns."""
    items = (history.items[place] for place in places)
    return [item.text for item in items if isinstance(item, Fact)]


def percent(chance: float) -> str:
    """Return a chance as a person reads it: `25 %`, `2.1 %`, `under 0.1 %`."""
    if chance and chance < 0.001:
        return "under 0.1 %"
    return f"{chance * 100:.0f} %" if chance >= 0.0995 else f"{chance * 100:.1f} %"
