"""What the best guess may do: the chance that it wins, and how much is left if it does not."""

import math
import random
import time
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Engine, check_engine
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.game.history import History
from puzzlehunt.kernels.packed_codes import Indices, array_of
from puzzlehunt.kernels.partitions import table_partitions
from puzzlehunt.strategies.adviser import Advice
from puzzlehunt.strategies.measures import MEASURES, CluePartitions
from puzzlehunt.strategies.pool import Pool
from puzzlehunt.strategies.position import Position

_SAMPLE = 500
"""Number of candidates that are drawn if they cannot be listed."""
_SECONDS = 0.5
"""Time limit for drawing them (seconds)."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a guess may do.

    - `win`: the chance (0 to 1) that the guess is the secret, or one of several; None if unknown
    - `left`: how many candidates are left on average after the answer, if the guess does not win
      and every row is right; in a game of several secrets, how many combinations after any answer.
      None if that is unknown, or if there is no other candidate
    - `share`: the chance (0 to 1) that a candidate is left then, if it is neither the guess nor the
      secret; None if that is unknown, or in a game of several secrets
    - `attempts`: how many guesses the player has left, this one included; None without a limit
    """

    win: float | None
    left: float | None = None
    share: float | None = None
    attempts: int | None = None


def outlook(engine: Engine, advice: Advice) -> Outlook:
    """Return the outlook of the best guess of an advice for the position of an engine.

    If the candidates are too many to be listed, the share is estimated from a sample.
    """
    check_engine(engine)
    game, best = engine.game, advice.suggestions[0]
    made, attempts = len(History(engine.items).turns), game.play.attempts
    attempts = None if attempts is None or attempts <= made else attempts - made
    if advice.question:
        return Outlook(None, attempts=attempts)
    if game.boards > 1:
        win, left = _of_several(engine, best.guess)
        return Outlook(win, left, attempts=attempts)
    win, count = best.chance, advice.count
    position = _position(engine)
    if win is None and not game.channel.misread:
        if not best.candidate:
            win = 0.0
        elif count and position is not None and position.weights is None:
            win = 1 / count
    if position is None:
        return Outlook(win, attempts=attempts)
    others = position.candidates[~_has_found(position, best.guess)]
    number, average = len(others), _average_left(position, best.guess, others)
    if average is None:
        return Outlook(win, attempts=attempts)
    share = (average - 1) / (number - 1) if number > 1 else None
    is_complete = count == len(position.candidates)
    return Outlook(win, average if is_complete else None, share, attempts)


def _of_several(engine: Engine, guess: Code) -> tuple[float | None, float | None]:
    """Return the chance that a guess finds one of several secrets, and how much is left then."""
    missed, left = 1.0, 1.0
    for board in engine.boards():
        if board.secret is not None:
            continue
        listing = board.engine.listed
        if listing is None:
            return None, None
        position = Position.of(board.engine.game, listing, pool=Pool())
        shares = _shares(position, position.candidates)
        missed *= 1 - float(shares @ _has_found(position, guess) / shares.sum())
        average = _average_left(position, guess, position.candidates)
        left *= math.nan if average is None else average
    return 1 - missed, None if math.isnan(left) else left


def _position(engine: Engine) -> Position | None:
    """Return the position of an engine, with a sample of the candidates if they are not listed."""
    listing = engine.listed
    if listing is None:
        rng = random.Random(engine.game.play.seed)
        drawn = engine.sample(_SAMPLE, rng, end=time.monotonic() + _SECONDS)
        if not drawn.codes:
            return None
        listing = ExplicitEngine(engine.game, drawn.codes)
        listing.follow(engine.items)
    return Position.of(engine.game, listing, pool=Pool())


def _has_found(position: Position, guess: Code) -> npt.NDArray[np.bool_]:
    """Return for each candidate (C,) whether a guess finds it."""
    codes, game = position.secrets.codes[position.candidates], position.game
    if game.only_questions:
        return np.zeros(len(codes), dtype=np.bool_)
    wanted = array_of([guess], game.length)[0, : codes.shape[1]]
    found: npt.NDArray[np.bool_] = (codes == wanted).all(axis=1)
    return found


def _shares(position: Position, candidates: Indices) -> npt.NDArray[np.float64]:
    """Return the weight of each of some candidates (C,); equal weights if all weigh nothing."""
    equal = np.ones(len(candidates))
    weights = equal if position.weights is None else position.weights[candidates]
    return weights if weights.any() else equal


def _average_left(position: Position, guess: Code, candidates: Indices) -> float | None:
    """Return how many of some candidates the answer to a guess leaves on average, if known."""
    rule, observation = position.game.rule, position.observation
    if not len(candidates) or (observation is not None and not observation.complete):
        return None
    rows = rule.rows(array_of([guess], position.game.length))
    count = partial(
        table_partitions, rule.table(rows, position.secrets[candidates]), len(rule.feedbacks)
    )
    shares = _shares(position, candidates)
    if observation is None:
        clues = CluePartitions(count(shares), possible=count(None))
    else:
        clues = observation.partitions(count, shares, candidates)
    return float(MEASURES["expected-size"].value_of(clues)[0])
