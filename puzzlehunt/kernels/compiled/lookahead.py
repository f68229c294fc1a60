"""The cost of guesses, two guesses ahead.

A table (guesses, secrets) of feedbacks, places of secrets in it, and costs in fixed point: what
`Lookahead` of `strategies/deep.py` says in numpy, which is the specification.
"""

from typing import Any

import numba
import numpy as np

from puzzlehunt.kernels.compiled.decorators import in_parallel, inlined, kernel
from puzzlehunt.kernels.compiled.grouping import UNLIMITED, added_up, group


@inlined
def _cost(
    table: Any, alive: Any, g: Any, prices: Any, winning: Any, one: Any, sizes: Any, answers: Any
) -> Any:
    """Return twice the cost of a guess, and one more if it is no candidate."""
    count = len(alive)
    hit = 0
    for i in range(count):
        answers[i] = table[g, alive[i]]
        hit |= answers[i] == winning
    cost = count * one + added_up(answers, count, prices, False, UNLIMITED, sizes)
    return (cost - hit * one) * 2 + 1 - hit


@kernel
def _cheapest(
    table: Any, alive: Any, own: Any, most: Any, prices: Any, winning: Any, one: Any, sizes: Any,
    guesses: Any, costs: Any,
) -> Any:  # fmt: skip
    """Fill in the cheapest guesses in order; return how many, one if it cannot be bettered."""
    count = len(alive)
    answers = np.empty(count, table.dtype)
    perfect = (2 * count - 1) * one * 2
    for i in range(count):
        g = own[alive[i]]
        if g >= 0 and _cost(table, alive, g, prices, winning, one, sizes, answers) == perfect:
            guesses[0], costs[0] = g, perfect
            return 1
    perfect = 2 * count * one * 2 + 1
    found = 0
    for g in range(table.shape[0]):
        cost = _cost(table, alive, g, prices, winning, one, sizes, answers)
        if found == most and cost >= costs[most - 1]:
            continue
        place = found if found < most else most - 1
        while place > 0 and costs[place - 1] > cost:
            costs[place], guesses[place] = costs[place - 1], guesses[place - 1]
            place -= 1
        costs[place], guesses[place] = cost, g
        if found < most:
            found += 1
        if cost <= perfect:
            return 1
    return found


@kernel
def _split(
    table: Any, alive: Any, guess: Any, winning: Any, one: Any, start: Any, ordered: Any
) -> Any:
    """Put candidates in order of their parts, which begin at `start`; return a cost from below."""
    count = len(alive)
    answers = np.empty(count, table.dtype)
    for i in range(count):
        answers[i] = table[guess, alive[i]]
    group(answers, alive, count, start, ordered)
    total = count * one
    for part in range(len(start) - 1):
        size = start[part + 1] - start[part]
        if size and part != winning:
            total += (2 * size - 1) * one
    return total


# What candidates cost, by how far one looks. These call each other in one direction only: numba
# cannot keep functions that call themselves.


@kernel
def _leaf(
    table: Any, alive: Any, own: Any, left: Any, prices: Any, last: Any, winning: Any, one: Any,
    lost: Any, sizes: Any,
) -> Any:  # fmt: skip
    """Return the one-ply cost of the cheapest guess."""
    count = len(alive)
    if left == 1 or count == 1:
        return count * one + (count - 1) * lost
    if count == 2:
        return 3 * one
    guesses = np.empty(1, np.int64)
    costs = np.empty(1, np.int64)
    used = last if left == 2 else prices
    _cheapest(table, alive, own, 1, used, winning, one, sizes, guesses, costs)
    return costs[0] >> 1


@kernel
def _rescued(
    table: Any, alive: Any, own: Any, rescue: Any, left: Any, prices: Any, last: Any, winning: Any,
    one: Any, lost: Any, never: Any, sizes: Any,
) -> Any:  # fmt: skip
    """Return the cost of the cheapest guess; with three left, of the best that is looked into."""
    count, feedbacks = len(alive), len(sizes)
    if left != 3 or count <= 2:
        return _leaf(table, alive, own, left, prices, last, winning, one, lost, sizes)
    guesses = np.empty(rescue, np.int64)
    costs = np.empty(rescue, np.int64)
    found = _cheapest(table, alive, own, rescue, prices, winning, one, sizes, guesses, costs)
    if costs[0] >> 1 <= 2 * count * one:
        return costs[0] >> 1
    start = np.empty(feedbacks + 1, np.int64)
    ordered = np.empty(count, alive.dtype)
    best = never
    for i in range(found):
        total = _split(table, alive, guesses[i], winning, one, start, ordered)
        for part in range(feedbacks):
            size = start[part + 1] - start[part]
            if size == 0 or part == winning:
                continue
            if size == count:
                total = never
            if total >= best:
                break
            members = ordered[start[part] : start[part + 1]]
            value = _leaf(table, members, own, left - 1, prices, last, winning, one, lost, sizes)
            total += value - (2 * size - 1) * one
        best = min(best, total)
        if best < lost and i >= 3:
            break
    return best


@kernel
def _looked_into(
    table: Any, alive: Any, own: Any, deeper: Any, rescue: Any, left: Any, prices: Any, last: Any,
    winning: Any, one: Any, lost: Any, never: Any, sizes: Any,
) -> Any:  # fmt: skip
    """Return the cost of the best of the guesses that are looked into."""
    count, feedbacks = len(alive), len(sizes)
    if deeper == 0 or left <= 3 or count <= 2:
        return _rescued(
            table, alive, own, rescue, left, prices, last, winning, one, lost, never, sizes
        )
    guesses = np.empty(deeper, np.int64)
    costs = np.empty(deeper, np.int64)
    found = _cheapest(table, alive, own, deeper, prices, winning, one, sizes, guesses, costs)
    if costs[0] >> 1 <= 2 * count * one:
        return costs[0] >> 1
    start = np.empty(feedbacks + 1, np.int64)
    ordered = np.empty(count, alive.dtype)
    best = never
    for i in range(found):
        total = _split(table, alive, guesses[i], winning, one, start, ordered)
        for part in range(feedbacks):
            size = start[part + 1] - start[part]
            if size == 0 or part == winning:
                continue
            if size == count:
                total = never
            if total >= best:
                break
            if size > 2:
                members = ordered[start[part] : start[part + 1]]
                value = _rescued(
                    table, members, own, rescue, left - 1, prices, last, winning, one, lost, never,
                    sizes,
                )  # fmt: skip
                total += value - (2 * size - 1) * one
        best = min(best, total)
    return best


@kernel
def _guess_value(
    table: Any, alive: Any, own: Any, guess: Any, deeper: Any, rescue: Any, left: Any, prices: Any,
    last: Any, winning: Any, one: Any, lost: Any, never: Any, sizes: Any, bound: Any,
) -> Any:  # fmt: skip
    """Return what a guess costs, each part looked into; anything from `bound` on if no less."""
    count, feedbacks = len(alive), len(sizes)
    start = np.empty(feedbacks + 1, np.int64)
    ordered = np.empty(count, alive.dtype)
    total = _split(table, alive, guess, winning, one, start, ordered)
    for part in range(feedbacks):
        size = start[part + 1] - start[part]
        if size == 0 or part == winning:
            continue
        if size == count:
            return never
        if total >= bound:
            return total
        if size > 2 or left <= 2:
            value = _looked_into(
                table, ordered[start[part] : start[part + 1]], own, deeper, rescue, left - 1,
                prices, last, winning, one, lost, never, sizes,
            )  # fmt: skip
            total += value - (2 * size - 1) * one
    return total


@in_parallel
def costs_of_all(
    table: Any, alive: Any, prices: Any, winning: Any, one: Any, feedbacks: Any
) -> Any:
    """Return twice the cost of every guess, and one more where it is no candidate."""
    guesses = table.shape[0]
    costs = np.empty(guesses, np.int64)
    for block in numba.prange((guesses + 255) // 256):
        sizes = np.zeros(feedbacks, np.int64)
        answers = np.empty(len(alive), table.dtype)
        for g in range(block * 256, min(guesses, block * 256 + 256)):
            costs[g] = _cost(table, alive, g, prices, winning, one, sizes, answers)
    return costs


@in_parallel
def values_of_some(
    table: Any, alive: Any, own: Any, guesses: Any, deeper: Any, rescue: Any, left: Any,
    prices: Any, last: Any, winning: Any, one: Any, lost: Any, never: Any, feedbacks: Any,
    bound: Any,
) -> Any:  # fmt: skip
    """Return what some guesses cost, each part looked into."""
    values = np.empty(len(guesses), np.int64)
    for i in numba.prange(len(guesses)):
        values[i] = _guess_value(
            table, alive, own, guesses[i], deeper, rescue, left, prices, last, winning, one, lost,
            never, np.zeros(feedbacks, np.int64), bound,
        )  # fmt: skip
    return values
