"""Depth-limited search: the cost of guesses, by looking two guesses ahead (Pearl, 1984).

The *one-ply cost* of a guess is one for each candidate plus, for each part of the partition, an
estimate of the guesses that the part will take. For the guesses with the smallest one-ply costs,
the parts are searched: each costs as much as the best guess found in it. The costs of small parts
are exact: one candidate takes one guess, two candidates take three guesses in all.

Costs are fixed-point numbers, so that sums do not depend on the order of the candidates.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from puzzlehunt.kernels.feedback_matrix import Counts, Table, table_blocks, table_partitions
from puzzlehunt.kernels.packed_codes import Indices, Mask
from puzzlehunt.kernels.problem import (
    ONE,
    UNINFORMATIVE_UNITS,
    UNSOLVED_UNITS,
    Numbers,
    cost_to_go,
    guesses_to_go,
)

LOOKED_INTO, _LOOKED_INTO_BELOW = 30, 5
"""Limits of the guesses searched: in the position itself, and in each part of their partitions."""


def priced(table: Table, feedbacks: int, cost_to_go: Numbers) -> Numbers:
    """Return (G,): for each guess of a table (G, S), the sum of the costs to go of its parts."""
    # Of few candidates, comparing each with all is quickest, then counting, then sorting.
    secrets = table.shape[1]
    if secrets > 16 and feedbacks <= 4 * secrets:
        blocks = table_blocks(len(table), max(secrets, feedbacks), 1 << 16)
        counts = (table_partitions(table[block], feedbacks) for block in blocks)
        return np.concatenate([cost_to_go[each].sum(axis=1) for each in counts])
    blocks = table_blocks(len(table), secrets, 1 << 20)
    sizes = np.maximum(np.arange(len(cost_to_go)), 1)
    if secrets <= 64 and not (cost_to_go % sizes).any():
        shares = cost_to_go // sizes  # whole numbers
        return np.concatenate([_priced_by_comparing(table[block], shares) for block in blocks])
    return np.concatenate([_priced_by_sorting(table[block], cost_to_go) for block in blocks])


def part_costs(sizes: Numbers, attempts: int, asks: bool = False) -> Numbers:
    """Return the estimated costs of parts of some sizes; those of up to two candidates are exact.

    `attempts` are left for the guess that parts the candidates and all later ones.
    """
    if attempts <= 2:  # of each part, one candidate is found
        return np.where(sizes > 0, sizes * ONE + (sizes - 1) * UNSOLVED_UNITS, 0)
    if not asks:
        return guesses_to_go(sizes, ONE)
    # Taken to be halved by each question.
    each = np.rint(ONE * (1 + np.log2(np.maximum(sizes, 1)))).astype(np.int64)
    return np.asarray(sizes * each)


def one_ply_costs(is_found: Mask, size: int, attempts: int, of_parts: Numbers) -> Numbers:
    """Return (G,): twice the one-ply cost of each guess, plus one if it is not a candidate.

    `is_found` (G,) is whether it is one, `size` how many there are, `of_parts` what its parts cost.
    """
    found = is_found.astype(np.int64)
    # A candidate that is found at once takes no guess as a part of its own.
    one_ply = (size - found) * ONE + of_parts
    if attempts == 1:
        one_ply = size * ONE + (size - found) * UNSOLVED_UNITS
    return np.asarray(2 * one_ply + 1 - found)


def _priced_by_comparing(table: Table, shares: Numbers) -> Numbers:
    """Return what `priced` does, from each candidate's share of its part's cost to go."""
    answers, secrets = table.T, table.shape[1]
    sizes = np.zeros(answers.shape, dtype=np.uint8)
    for place in range(secrets):
        sizes += answers == answers[place]
    return np.asarray(shares[sizes].sum(axis=0))


def _priced_by_sorting(table: Table, cost_to_go: Numbers) -> Numbers:
    """Return what `priced` does; quick if there are far more feedbacks than secrets."""
    answers = np.sort(np.ascontiguousarray(table), axis=1)
    begins = np.ones(answers.shape, dtype=np.bool_)
    np.not_equal(answers[:, 1:], answers[:, :-1], out=begins[:, 1:])
    sizes = np.diff(np.flatnonzero(begins), append=answers.size)
    parts = np.count_nonzero(begins, axis=1)
    return np.add.reduceat(cost_to_go[sizes], np.cumsum(parts) - parts)


@dataclass(frozen=True)
class DepthLimitedSearch:
    """A table of feedbacks, and methods that find the cost of guesses by looking ahead.

    - `table` (guesses, candidates): indices of feedbacks, all below `feedbacks`; `winning` is the
      index of the winning one
    - `guess_of` (candidates,): the place of each candidate among the guesses, -1 for none
    - `attempts`: how many guesses are left
    - `work`: cap on the scores (a guess against a candidate) of one choice
    - `asks`: whether no guess is the secret; a guess more, and an attempt, then names a known one
    """

    table: Table
    guess_of: Indices
    winning: int
    feedbacks: int
    attempts: int
    work: int
    asks: bool = False

    @cached_property
    def _estimated(self) -> Numbers:
        """The estimated costs of parts of each size, with three attempts or more."""
        size = self.table.shape[1]
        return part_costs(np.arange(size + 1), 3, True) if self.asks else cost_to_go(size, ONE)

    @cached_property
    def _by_candidate(self) -> Table:
        """The table with a row for each candidate, from which some are quickly taken."""
        return self.table.T.copy()

    def costs(self) -> Numbers:
        """Return (G,): twice the one-ply cost of each guess, plus one if it is not a candidate."""
        return self._costs_in(self.table, self.attempts)

    def _costs_in(self, table: Table, attempts: int) -> Numbers:
        count, is_found = table.shape[1], (table == self.winning).any(axis=1)
        costs = self._estimated[: count + 1]
        if attempts <= 2:
            costs = part_costs(np.arange(count + 1), attempts)
        return one_ply_costs(is_found, count, attempts, priced(table, self.feedbacks, costs))

    def _cheapest_of(self, candidates: Indices, attempts: int) -> int:
        """Return the least one-ply cost of a guess that is one of the candidates."""
        guesses = self.guess_of[candidates]
        table = self.table[np.ix_(guesses[guesses >= 0], candidates)]
        return int(self._costs_in(table, attempts).min(initial=UNINFORMATIVE_UNITS)) >> 1

    def value(self, guess: int, bound: int) -> int:
        """Return the cost of a guess (its place in the table), found by searching its parts.

        A value of `bound` or more means only that the cost is no less than `bound`.
        """
        if self.attempts == 1:
            return int(self._costs_in(self.table[[guess]], 1)[0]) >> 1
        # Each of LOOKED_INTO guesses scores the table once, and once more for each inner guess.
        affordable = self.work // max(1, self.table.size) // LOOKED_INTO - 1
        inner_width = min(_LOOKED_INTO_BELOW, affordable) if affordable >= 2 else 0
        candidates = np.arange(self.table.shape[1])
        return self._guess_value(candidates, guess, inner_width, self.attempts, bound)

    def _guess_value(
        self, candidates: Indices, guess: int, inner_width: int, attempts: int, bound: int
    ) -> int:
        """Return the cost of a guess, or, once it reaches `bound`, a lower bound of the cost.

        In each part, `inner_width` guesses are searched; if 0, its cheapest one-ply cost counts.
        """
        answers = self.table[guess, candidates]
        counts = np.bincount(answers)
        parts = np.flatnonzero(counts)
        parts = parts[parts != self.winning]
        sizes = counts[parts]
        if len(parts) == 1 and sizes[0] == len(candidates):
            return UNINFORMATIVE_UNITS
        least = np.where(sizes > 2, (2 * sizes - 1) * ONE, self._estimated[np.minimum(sizes, 2)])
        total = len(candidates) * ONE + int(least.sum())
        columns = parts.tolist(), sizes.tolist(), least.tolist()
        for part, size, lower_bound in zip(*columns, strict=True):
            if total >= bound:
                return total
            if size > 2 or attempts <= 2:
                value = self._value(candidates[answers == part], inner_width, attempts - 1)
                total += value - lower_bound
        return total

    def _value(self, candidates: Indices, inner_width: int, attempts: int) -> int:
        """Return the cost of some candidates if the best of the guesses searched is made."""
        count = len(candidates)
        if attempts == 1 or count == 1:
            return count * ONE + (count - 1) * UNSOLVED_UNITS
        if count == 2:
            return int(self._estimated[2])
        # A guess that is not a candidate costs no less than two guesses for each candidate.
        least_of_others = 2 * count * ONE
        if count <= 16:
            cheapest = self._cheapest_of(candidates, attempts)
            if cheapest <= least_of_others:
                return cheapest
        costs = self._costs_in(self._by_candidate[candidates].T, attempts)
        cheapest = int(costs.min()) >> 1
        # With three attempts left, more guesses are searched: the first ones may lose a candidate.
        recovers = attempts == 3
        is_leaf = attempts == 2 or (inner_width == 0 and not recovers)
        if is_leaf or cheapest <= least_of_others:
            return cheapest
        best, most = UNINFORMATIVE_UNITS, 20 if recovers else inner_width
        for number, guess in enumerate(in_order(costs, np.arange(len(costs)), most).tolist()):
            best = min(best, self._guess_value(candidates, guess, 0, attempts, best))
            if recovers and best < UNSOLVED_UNITS and number >= 3:
                break
        return best


def in_order(costs: Numbers, tried: Indices, most: int, ties: Counts | int = 0) -> Indices:
    """Return the `most` cheapest guesses of `tried`, the cheapest first.

    `costs` has the cost of each guess of `tried`. Of equal ones those with the least `ties` come
    first, then those first in code order.
    """
    ranks = np.broadcast_to(ties, costs.shape)
    if most < len(costs):
        near = costs <= np.partition(costs, most - 1)[most - 1]
        costs, tried, ranks = costs[near], tried[near], ranks[near]
    return tried[np.lexsort((tried, ranks, costs))][:most]
