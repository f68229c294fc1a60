"""How probable something must be (0 to 1) to be shown to a person who did not ask for it."""

from puzzlehunt.engines.base import Engine
from puzzlehunt.explanation.suspicion import Suspect, suspects

NEAR_CHANCE = 0.001
"""Least probability of a code that nearly fits at which the code is shown below the candidates."""
SUSPECT_CHANCE = 0.8
"""Least probability that a turn is wrong at which the turn is named unasked.

At 0.3 every second game in which nothing was misread had such a turn, at 0.8 at most one game in
twenty (`benchmarks/suspects.py`).
"""


def notable_suspect(engine: Engine) -> Suspect | None:
    """Return the turn that is to be named unasked, None if none is suspect enough.

    None also in games that do not allow for misread turns.
    """
    likeliest = suspects(engine)[:1] if engine.game.channel.misread else []
    return next((one for one in likeliest if one.probability >= SUSPECT_CHANCE), None)
