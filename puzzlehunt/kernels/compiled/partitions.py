"""Partitions: candidates grouped by their answers to a guess, counted, and summed over the groups.

`answers` (n,) are whole numbers from 0 up, one for each of n secrets.

By two popcounts: `guess_places` and `guess_repeats` (guesses, words) are the `position_bits` and
`count_bits` of the guesses, `secret_places` and `secret_repeats` (secrets, words) those of the
secrets. With m of their places and n of their repeats in common, the feedback of two codes is
offsets[n] + m, an index in the rule's feedbacks.

Weighed: `weighed_costs` of `strategies/weighed.py` does the same in numpy and is the specification.
"""

from typing import Any

import numpy as np

from puzzlehunt.kernels.compiled.jit import inlined, kernel, numba
from puzzlehunt.kernels.compiled.threads import parallel_for

NO_LIMIT = np.iinfo(np.int64).max
"""A limit that no sum exceeds."""
_ONE_BY_ONE = 16
"""Up to so many secrets are always added up one by one, so that it can end at the limit."""


@inlined
def group(answers: Any, members: Any, n: Any, starts: Any, ordered: Any) -> None:
    """Fill `ordered` with n members sorted by answer, stably (a counting sort).

    The members with the answer a become ordered[starts[a] : starts[a + 1]]; `starts` is filled in,
    and has one number more than there are different answers.
    """
    starts[:] = 0
    for i in range(n):
        starts[answers[i] + 1] += 1
    for answer in range(len(starts) - 1):
        starts[answer + 1] += starts[answer]
    for i in range(n):
        answer = answers[i]
        ordered[starts[answer]] = members[i]
        starts[answer] += 1
    for answer in range(len(starts) - 2, 0, -1):
        starts[answer] = starts[answer - 1]
    starts[0] = 0


@inlined
def sum_over_parts(
    answers: Any, n: Any, summands: Any, largest: Any, limit: Any, counts: Any
) -> Any:
    """Return the sum of the groups' summands, or with `largest` the size of the largest group.

    A group of k secrets has the summand summands[k]; summands[0] is 0. A sum above `limit` may be
    incomplete. `counts` (different answers,) are zeros, before and after.
    """
    total = np.int64(0)
    if n <= _ONE_BY_ONE or 4 * n <= len(counts):
        counted = 0
        while counted < n and total <= limit:
            count = counts[answers[counted]] + 1
            counts[answers[counted]] = count
            total = max(total, count) if largest else total + summands[count] - summands[count - 1]
            counted += 1
        for i in range(counted):
            counts[answers[i]] = 0
        return total
    for i in range(n):
        counts[answers[i]] += 1
    if largest:
        for count in counts:
            total = max(total, count)
    else:
        for count in counts:
            total += summands[count]
    counts[:] = 0
    return total


def _popcount_of(_context: Any, _word: Any) -> Any:
    """Return the processor's own population count; numba has no numpy.bitwise_count."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return numba.int64(numba.uint64), generate


popcount: Any = numba.extending.intrinsic(_popcount_of) if numba else np.bitwise_count


@kernel
def popcount_partitions(
    guess_places: Any, guess_repeats: Any, secret_places: Any, secret_repeats: Any, offsets: Any,
    weights: Any, counts: Any,
) -> None:  # fmt: skip
    """Fill `counts` (guesses, feedbacks), which are zeros, with the partition of every guess.

    Each secret adds its weight to its feedback. A single weight in `weights` is that of every
    secret.
    """
    weights_differ = weights.shape[0] > 1
    one_word = guess_places.shape[1] == 1 and guess_repeats.shape[1] == 1
    weight = weights[0]
    for g in range(guess_places.shape[0]):
        places, repeats = guess_places[g, 0], guess_repeats[g, 0]
        for s in range(secret_places.shape[0]):
            if one_word:
                index = offsets[popcount(repeats & secret_repeats[s, 0])]
                index += popcount(places & secret_places[s, 0])
            else:
                index = 0
                for word in range(guess_repeats.shape[1]):
                    index += popcount(guess_repeats[g, word] & secret_repeats[s, word])
                index = offsets[index]
                for word in range(guess_places.shape[1]):
                    index += popcount(guess_places[g, word] & secret_places[s, word])
            if weights_differ:
                weight = weights[s]
            counts[g, index] += weight


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

    parallel_for(fill, len(table), _GUESSES)
    return costs
