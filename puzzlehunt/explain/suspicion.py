"""Suspects: rows that are probably misread though nothing contradicts them, and what nearly fits.

A misread row mostly contradicts nothing: it quietly rules the answer out.
"""

from dataclasses import dataclass, replace

from puzzlehunt.channel.model import MISREAD
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Engine, Listing
from puzzlehunt.explain.repair import repairs
from puzzlehunt.game.history import History, Turn


@dataclass(frozen=True, slots=True)
class Suspect:
    """A turn, by its number from 1, and how likely it is to be wrong."""

    number: int
    turn: Turn
    probability: float


def suspects(engine: Engine) -> list[Suspect]:
    """Return all turns, those that are likeliest to be wrong first, by what an engine knows.

    Rows of which nothing was read are left out. Wrong is misread, a lie, or rightly doubted. A game
    that does not say how often rows are misread is taken to have one in twenty. Where nothing fits
    whatever is misread, those are blamed that repairs would mend. [] where secrets are too many to
    be weighed, or on several boards.
    """
    listing = engine.listed
    if listing is None:
        return []
    if engine.game.channel.reads is None and not engine.game.channel.misread:
        listing = _suspicious(listing)
    turns = History(engine.items).turns
    wrong = listing.posterior.wrong.tolist()
    if not listing.posterior.probabilities.any():
        wrong = _blamed(listing, len(turns))
    found = [
        Suspect(number, turn, chance)
        for number, (turn, chance) in enumerate(zip(turns, wrong, strict=True), start=1)
        if turn.clue != engine.game.unread_clue(turn.guess)
    ]
    return sorted(found, key=lambda one: (-round(one.probability, 9), one.number))


def _blamed(engine: Engine, turns: int) -> list[float]:
    """Return how likely each turn is to be wrong where nothing fits, by the repairs."""
    blamed = [0.0] * turns
    for repair in repairs(engine):
        for number, _ in repair.turns:
            blamed[number - 1] += repair.probability
    return blamed


def _suspicious(engine: Engine) -> Listing:
    """Return an engine for the same history that takes rows to be misread now and then."""
    from puzzlehunt.engines.explicit import ExplicitEngine

    channel = replace(engine.game.channel, misread=MISREAD)
    other = ExplicitEngine(replace(engine.game, channel=channel))
    other.follow(engine.items)
    return other


@dataclass(frozen=True, slots=True)
class Near:
    """A secret that would fit if one row were wrong: how likely it is, and what it breaks (from 1).

    It breaks one row, and in a game with a budget of lies as many more as that forgives.
    """

    code: Code
    probability: float
    numbers: tuple[int, ...]


def nearly(engine: Engine, limit: int, least: float = 0.0) -> list[Near]:
    """Return up to so many secrets that fit if one row is wrong, the likeliest first.

    None that is less likely than `least`. [] in games that do not allow for misread rows.
    """
    game, listing = engine.game, engine.listed
    if listing is None or not game.channel.misread:
        return []
    history = History(engine.items)
    numbers = {place: n for n, place in enumerate(_places(history), start=1)}
    found = []
    for code, chance in listing.likeliest(limit, breaking=1):
        if chance < least:
            break
        _, maybe = game.violations(history, code)
        found.append(Near(code, chance, tuple(numbers[place] for place in maybe)))
    return found


def _places(history: History) -> list[int]:
    return [place for place, item in enumerate(history) if isinstance(item, Turn)]
