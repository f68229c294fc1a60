"""Selection of the guesses to search, if all of them would be too many."""

import numpy as np
import numpy.typing as npt

from puzzlehunt.kernels.lookahead import in_order
from puzzlehunt.kernels.packed_codes import Indices, PackedCodes, code_of
from puzzlehunt.kernels.problem import ONE, cost_to_go
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.search.grow import parts_of
from puzzlehunt.strategies.symmetry import orbit_representatives

_FEWEST_CELLS, _CELLS_BY_BUDGET = 1 << 20, 4_096
"""Cells of a table of some of the guesses: with a small budget; else times the budget's square."""
_LEAST_SELECTED = 1_000
"""A table has at least this many guesses."""
_OPENINGS = 12
"""At most this many first guesses are compared by looking two guesses ahead."""


def selected(position: Position, budget: int) -> tuple[PackedCodes, Indices]:
    """Return the candidates and the most promising guesses together, and the candidates' places.

    Their number grows with the `budget` (the guesses searched in each position).
    """
    guesses, guess_of = position.choices()
    cells = max(_FEWEST_CELLS, _CELLS_BY_BUDGET * budget**2)
    most = max(_LEAST_SELECTED, cells // len(position.candidates))
    if most >= len(guesses):
        return guesses, guess_of
    chosen = np.zeros(len(guesses), dtype=np.bool_)
    chosen[guess_of] = True
    chosen[most_promising(position, most)] = True
    return guesses[chosen], (np.cumsum(chosen) - 1)[guess_of]


def best_opening(position: Position) -> Indices:
    """Return the index of the best first guess, in an array of length 1.

    It looks two guesses ahead: a part of a partition costs what its most promising guess is
    estimated to take.
    """
    guesses, _ = position.choices()
    tried = most_promising(position, _OPENINGS)
    totals = [_total_behind(position, guesses[tried[n : n + 1]]) for n in range(len(tried))]
    return tried[[int(np.argmin(totals))]]


def _total_behind(position: Position, guess: PackedCodes) -> int:
    """Return how many guesses are estimated to follow a guess, for all candidates together."""
    rule, total = position.game.rule, 0
    for answer, candidates in parts_of(position, guess):
        if answer != rule.winning_index:
            feedback = rule.feedbacks[answer]
            part = position.after(code_of(guess.codes[0]), candidates, feedback)
            best = most_promising(part, 1)
            total += len(candidates) * ONE + int(_estimates(part, part.choices()[0], best)[0])
    return total


def most_promising(position: Position, most: int) -> Indices:
    """Return the indices of up to `most` guesses, the least estimate first.

    The estimate of a guess is how many guesses its parts take together. Ties go to candidates, then
    to code order. Of guesses that are alike, one is returned.
    """
    guesses, guess_of = position.choices()
    tried = orbit_representatives(position, guesses.codes)
    estimates = _estimates(position, guesses, tried)
    is_candidate = np.zeros(len(guesses), dtype=np.bool_)
    is_candidate[guess_of[guess_of >= 0]] = True
    estimates = 2 * estimates + 1 - is_candidate[tried]
    return in_order(estimates, tried, most)


def _estimates(position: Position, guesses: PackedCodes, tried: Indices) -> npt.NDArray[np.int64]:
    """Return (tried,): how many guesses the parts of each guess are estimated to take."""
    rule, secrets = position.game.rule, position.secrets[position.candidates]
    cost_of_part = cost_to_go(len(secrets), ONE)
    counts = rule.partitions(guesses[tried], secrets, compiled=True)
    estimates = cost_of_part[counts].sum(axis=1)
    if counts.shape[1] == len(rule.feedbacks):  # else the winning answer is not known apart
        estimates -= cost_of_part[counts[:, rule.winning_index]]
    return np.asarray(estimates)
