"""What guesses cost where candidates are weighed.

`weighed_costs` of `strategies/weighed.py` does the same in numpy and is the specification.
"""

from typing import Any

import numpy as np

from puzzlehunt.kernels.compiled.decorators import inlined, kernel
from puzzlehunt.kernels.compiled.threads import share

_GUESSES = 64
"""Fewest guesses that a core takes at a time."""


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


@kernel
def _fill_costs(
    table: Any, shares: Any, surprises: Any, winning: Any, feedbacks: Any, later: Any, growth: Any,
    unreached: Any, costs: Any,
) -> None:  # fmt: skip
    """Fill `costs` (guesses,) with what `weighed_costs` returns for the guesses of a table."""
    guesses, candidates = table.shape
    for g in range(guesses):
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


def weighed_costs(
    table: Any, shares: Any, surprises: Any, winning: Any, feedbacks: Any, later: Any, growth: Any,
    unreached: Any,
) -> Any:  # fmt: skip
    """Return (guesses,): the cost of each guess of a table (guesses, candidates).

    `shares` (candidates,) are the candidates' chances, `surprises` their -share * ln(share).
    """
    costs = np.empty(len(table))

    def fill(begin: int, end: int) -> None:
        _fill_costs(
            table[begin:end], shares, surprises, winning, feedbacks, later, growth, unreached,
            costs[begin:end],
        )  # fmt: skip

    share(fill, len(table), _GUESSES)
    return costs
