"""The words for turns, facts, chances, measures, and what was evaluated."""

from collections.abc import Iterable, Sequence

from puzzlehunt.engines.base import Engine
from puzzlehunt.errors import in_number
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History, ItemName
from puzzlehunt.strategies.adviser import Advice
from puzzlehunt.strategies.measures import GUESSES_ON_AVERAGE


def name_item(game: Game, history: History, name: ItemName) -> str:
    """Return how a player would name an item: `3. HORSE BWR__`, or `fact: contains E`."""
    if isinstance(name, Fact):
        return f"fact: {name}"
    return f"{name}. {game.format_turn(history.turn(name))}"


def name_items(names: Sequence[ItemName], last: str = ", ") -> str:
    """Return some items in a few words: `rows 1, 4`, `row 2, fact contains E`.

    `last` separates the last item from the others: with ` and ` it is `rows 1 and 4`.
    """
    said = [str(number) for number in turn_numbers(names)]
    if said:
        said[0] = f"{in_number('row', len(said))} {said[0]}"
    said += [f"fact {text}" for text in fact_texts(names)]
    return last.join(filter(None, [", ".join(said[:-1]), *said[-1:]]))


def turn_numbers(names: Iterable[ItemName]) -> list[int]:
    """Return the numbers of the turns among some items."""
    return [name for name in names if isinstance(name, int)]


def fact_texts(names: Iterable[ItemName]) -> list[str]:
    """Return the texts of the facts among some items."""
    return [name.text for name in names if isinstance(name, Fact)]


def percent(chance: float) -> str:
    """Return a chance as a person reads it: `25 %`, `2.1 %`, `under 0.1 %`."""
    if chance and chance < 0.001:
        return "under 0.1 %"
    return f"{chance * 100:.0f} %" if chance >= 0.0995 else f"{chance * 100:.1f} %"


ESTIMATED_GUESSES = "estimated guesses"
"""The unit of values that compare guesses, half a guess more or less than what play takes."""


def measure_text(advice: Advice) -> str:
    """Return the unit of the suggestions' values (`bits`); without values, the guess's purpose."""
    if advice.question:
        return advice.question
    is_estimate = advice.measure == GUESSES_ON_AVERAGE and not advice.is_average
    return ESTIMATED_GUESSES if is_estimate else advice.measure


def contradiction_line(game: Game, engine: Engine) -> str:
    """Return a line that names the first item which left no candidate."""
    place, history = engine.first_conflict(), History(engine.items)
    alone = "" if engine.proves else f", {unconfirmed_text(game)}"
    if place is None:
        return f"no candidate was found{alone}"
    item = name_item(game, history, *history.named([place]))
    return f"the clues contradict each other: nothing fits since {item}{alone}"


def unconfirmed_text(game: Game) -> str:
    """Return the caveat for an answer that relies on the game's solver alone."""
    return f"as {game.play.solver} says; nobody can confirm it"
