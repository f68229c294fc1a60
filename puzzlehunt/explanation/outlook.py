"""What the best guess may do: the chance that it wins, and how much is left if it does not."""

import math
from dataclasses import dataclass, replace

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Engine, check_engine
from puzzlehunt.errors import NoCandidatesError
from puzzlehunt.explanation.unread import listed_or_sampled
from puzzlehunt.game.history import History
from puzzlehunt.kernels.packed_codes import Indices, array_of
from puzzlehunt.strategies.adviser import Advice
from puzzlehunt.strategies.pool import Pool
from puzzlehunt.strategies.position import Budget, Position
from puzzlehunt.strategies.registry import find_strategy

_BUDGET = Budget(seconds=1.0)
"""For a sample of the candidates if they are not listed."""


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
    try:
        listing, _ = listed_or_sampled(engine, _BUDGET)
        position = Position.of(game, listing, pool=Pool())
    except NoCandidatesError:
        return Outlook(win, attempts=attempts)
    if win is None and not game.channel.misread:
        if not best.candidate:
            win = 0.0
        elif count and position.weights is None:
            win = 1 / count
    others = _others(position, best.guess)
    average = _average_left(position, best.guess, others)
    if average is None:
        return Outlook(win, attempts=attempts)
    share = (average - 1) / (len(others) - 1) if len(others) > 1 else None
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
        missed *= 1 - position.chance(guess)
        average = _average_left(position, guess, position.candidates)
        left *= math.nan if average is None else average
    return 1 - missed, None if math.isnan(left) else left


def _others(position: Position, guess: Code) -> Indices:
    """Return the candidates that a guess does not find."""
    if position.game.only_questions:
        return position.candidates
    codes = position.secrets.codes[position.candidates]
    found = codes == array_of([guess], position.game.length)[:, : codes.shape[1]]
    others: Indices = position.candidates[~found.all(axis=1)]
    return others


def _average_left(position: Position, guess: Code, candidates: Indices) -> float | None:
    """Return how many of some candidates the answer to a guess leaves on average, if known."""
    weights, observation = position.weights, position.observation
    if not len(candidates) or (observation is not None and not observation.complete):
        return None
    if weights is not None and not weights[candidates].any():
        weights = None
    among = replace(position, candidates=candidates, weights=weights, probabilities=None)
    return find_strategy("expected-size").rate(among, guess).value
