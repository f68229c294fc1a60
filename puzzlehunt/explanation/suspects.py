"""Suspects, turns that are probably wrong, and codes that nearly fit: all turns but one.

A misread turn mostly contradicts no other: it quietly rules the secret out.
"""

from dataclasses import dataclass, replace

from puzzlehunt.channel.model import MISREAD
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Engine, Listing, check_engine
from puzzlehunt.errors import check_number
from puzzlehunt.explanation.repair import repairs
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn

NEAR_CHANCE = 0.001
"""Least probability of a code that nearly fits at which the code is shown below the candidates."""
SUSPECT_CHANCE = 0.8
"""Least probability that a turn is wrong at which the turn is named unasked.

At 0.3 every second game in which nothing was misread had such a turn, at 0.8 at most one game in
twenty (`benchmarks/suspects.py`).
"""


@dataclass(frozen=True, slots=True)
class Suspect:
    """A turn, its number (from 1), and the probability (0 to 1) that the turn is wrong."""

    number: int
    turn: Turn
    probability: float


def suspects(engine: Engine) -> list[Suspect]:
    """Return the turns of an engine's history, the likeliest to be wrong first.

    Wrong is misread, a lie, or rightly doubted. Turns of which nothing was read are left out. Where
    the game does not say how often turns are misread, one in twenty (`MISREAD`) is taken to be.
    Where no code fits, whichever turns are misread, the turns that repairs would change are blamed.
    [] where secrets are too many to be weighed, or on several boards.
    """
    check_engine(engine)
    listing = engine.listed
    if listing is None:
        return []
    if assumed_misread(engine.game) is not None:
        listing = _with_misreadings(listing)
    turns = History(engine.items).turns
    wrong = listing.posterior.wrong.tolist()
    if not listing.posterior.probabilities.any():
        wrong = _chances_by_repairs(listing, len(turns))
    suspected = [
        Suspect(number, turn, chance)
        for number, (turn, chance) in enumerate(zip(turns, wrong, strict=True), start=1)
        if turn.clue != engine.game.unread_clue(turn.guess)
    ]
    return sorted(suspected, key=lambda one: -round(one.probability, 9))


def notable_suspect(engine: Engine) -> Suspect | None:
    """Return the turn that is to be named unasked, None if none is suspect enough."""
    likeliest = suspects(engine)[:1] if engine.game.channel.misread else []
    return next((one for one in likeliest if one.probability >= SUSPECT_CHANCE), None)


def assumed_misread(game: Game) -> float | None:
    """Return the share of misread turns that `suspects` assumes; None if the game says it."""
    channel = game.channel
    return MISREAD if channel.reads is None and not channel.misread else None


def _chances_by_repairs(engine: Engine, turns: int) -> list[float]:
    chances = [0.0] * turns
    for repair in repairs(engine):
        for number, _ in repair.turns:
            chances[number - 1] += repair.probability
    return chances


def _with_misreadings(engine: Engine) -> Listing:
    from puzzlehunt.engines.explicit import ExplicitEngine

    channel = replace(engine.game.channel, misread=MISREAD)
    suspicious = ExplicitEngine(replace(engine.game, channel=channel))
    suspicious.follow(engine.items)
    return suspicious


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A code that would be a candidate if one turn were wrong, and its `probability` (0 to 1).

    `numbers` (from 1) are the turns that the code breaks: one, and in a game with a budget of lies
    as many more as the budget forgives.
    """

    code: Code
    probability: float
    numbers: tuple[int, ...]


def near_misses(engine: Engine, limit: int, least: float = 0.0) -> list[NearMiss]:
    """Return up to `limit` codes that fit if one turn is wrong, the likeliest first.

    Codes less probable than `least` are left out. [] in games that do not allow for misread turns.
    """
    check_engine(engine)
    check_number("limit", limit, 0, whole=True)
    check_number("least", least, 0, 1)
    game, listing = engine.game, engine.listed
    if listing is None or not game.channel.misread:
        return []
    history = History(engine.items)
    numbers = history.numbers_by_place()
    near = []
    for code, chance in listing.likeliest(limit, breaking=1):
        if chance < least:
            break
        _, broken = game.violations(history, code)
        near.append(NearMiss(code, chance, tuple(numbers[place] for place in broken)))
    return near
