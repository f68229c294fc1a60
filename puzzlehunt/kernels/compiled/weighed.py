"""What guesses cost where candidates are weighed.

`weighed_costs` of `strategies/weighed.py` does the same in numpy and is the specification.
"""

from typing import Any

import numba
import numpy as np

from puzzlehunt.kernels.compiled.decorators import in_parallel, inlined


@inlined
def _part_cost(
    weight: Any, surprise: Any, largest: Any, later: Any, growth: Any, unreached: Any
) -> Any:
    """Return what a part that does not win costs.

    `weight` is the sum of its candidates' shares, `largest` the largest of them, `surprise` the sum
    of -share * ln(share); `later` is how many guesses are left for it.
    """
    if later == 0:
        return weight * unreached
    if later == 1:
        return weight + (weight - largest) * unreached
    size = max(2.0, np.exp(np.log(weight) + surprise / weight))
    more = max(0.0, growth * np.log(size / 2) - 0.5 + 1 / size)
    return 2 * weight - largest + weight * more


@in_parallel
def weighed_costs(
    table: Any, shares: Any, surprises: Any, winning: Any, feedbacks: Any, later: Any, growth: Any,
    unreached: Any,
) -> Any:  # fmt: skip
    """Return (guesses,): the cost of each guess of a table (guesses, candidates).

    `shares` (candidates,) are the candidates' chances, `surprises` their -share * ln(share).
    """
    guesses, candidates = table.shape
    costs = np.empty(guesses)
    for g in numba.prange(guesses):
        weights, largest = np.zeros(feedbacks), np.zeros(feedbacks)
        sums = np.zeros(feedbacks)
        present = np.empty(min(feedbacks, candidates), np.int64)
        parts = 0
        for c in range(candidates):
            answer = table[g, c]
            if weights[answer] == 0:
                present[parts] = answer
                parts += 1
            weights[answer] += shares[c]
            sums[answer] += surprises[c]
            largest[answer] = max(largest[answer], shares[c])
        cost = 1.0
        for part in range(parts):
            answer = present[part]
            if answer != winning:
                cost += _part_cost(
                    weights[answer], sums[answer], largest[answer], later, growth, unreached
                )
        costs[g] = cost
    return costs
