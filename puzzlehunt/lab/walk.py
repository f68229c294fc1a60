"""How many guesses many secrets take: a strategy's decision tree is walked once for all of them."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.kernels.packed_codes import Indices
from puzzlehunt.lab import compiled_walk
from puzzlehunt.lab.outcomes import Outcomes
from puzzlehunt.strategies.base import Strategy
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.search.growing import grown, guess_of, tells_nothing

Progress = Callable[[int], None]
"""Called with how many more secrets are done."""


def walk(
    position: Position,
    strategy: Strategy,
    wanted: Indices,
    opening: Code | None = None,
    progress: Progress = lambda _done: None,
) -> Outcomes:
    """Return how a strategy does on the wanted secrets (places in `position.secrets`), in order.

    The first guess is `opening`, if given. Only branches that hold a wanted secret are walked.
    Raises StrategyError if the strategy makes a guess that tells nothing.
    """
    wanted = np.sort(wanted)
    if compiled_walk.suits(position, strategy) and not compiled_walk.too_small(position):
        counts = walk_compiled(position, strategy, wanted, opening, progress)
    else:
        counts = walk_one_by_one(position, strategy, wanted, opening, progress)
    played, known = counts[:, wanted]
    return Outcomes(position.secrets.codes[wanted], played, known)


def walk_compiled(
    position: Position,
    strategy: Strategy,
    wanted: Indices,
    opening: Code | None = None,
    progress: Progress = lambda _done: None,
) -> npt.NDArray[np.int32]:
    """Return the same as `walk_one_by_one` in compiled code, where `compiled_walk.suits`."""
    guess = guess_of(position, strategy, opening)
    try:
        return compiled_walk.walk(position, strategy, wanted, guess, progress)
    except compiled_walk.TellsNothingError as error:
        raise tells_nothing(position.game, error.args[0]) from None


def walk_one_by_one(
    position: Position,
    strategy: Strategy,
    wanted: Indices,
    opening: Code | None = None,
    progress: Progress = lambda _done: None,
) -> npt.NDArray[np.int32]:
    """Return (2, secrets): guesses until played and until known, of the wanted secrets.

    The strategy, which may be any, is asked in one position after the other.
    """
    counts = np.zeros((2, len(position.secrets)), dtype=np.int32)
    asked = np.zeros(len(position.secrets), dtype=np.bool_)
    asked[wanted] = True
    for node in grown(position, strategy, opening, asked):
        known = node.depth if len(node.position.candidates) == 1 else node.depth + 1
        for feedback, candidates in node.parts:
            won = feedback == position.game.rule.winning
            here = candidates[asked[candidates]]
            if len(here) and (won or len(candidates) == 1):
                counts[:, here] = [[node.depth + (1 if won else 2)], [known]]
                progress(len(here))
    return counts
