"""What guesses cost, by looking two guesses ahead.

The *one-ply cost* of a guess is one guess for each candidate, and the prices of its parts.

`Lookahead` of `strategies/search/deep.py` does the same in numpy and is the specification.
Arguments that all kernels share:

- `table` (guesses, secrets): feedbacks; `winning` is the winning one
- `candidates`: indices of secrets in the table
- `guess_of` (secrets,): the index of each secret among the guesses, -1 for none
- `one_guess`, `unreached`, `useless`: the costs of one guess, of a candidate that the attempts left
  do not reach, and of a guess that tells nothing, in whole numbers: fractions of a guess
- `prices` (sizes,): what a part of each size is estimated to cost; `last_prices`: what it costs
  with one attempt left
- `attempts`: how many guesses are left
- `width`, `recovery_width`: how many guesses are looked into in each part, in general and with
  three attempts left
- `space`: the arrays that they work in
"""

from collections import namedtuple
from typing import Any

import numpy as np

from puzzlehunt.kernels.compiled.jit import inlined, inner, makes_no_array
from puzzlehunt.kernels.compiled.partitions import NO_LIMIT, group, sum_over_parts
from puzzlehunt.kernels.compiled.threads import parallel_for

_GUESSES = 256
"""Fewest guesses that a core takes at a time."""
_LEVELS = 4
"""The guess, the best in its parts, those in their parts, and the cheapest behind these."""


Space = namedtuple("Space", "sizes answers numbers guesses costs starts ordered")
"""Arrays that kernels work in. The last five have a row for each level, a guess looked into.

- `sizes` (feedbacks,): zeros, before and after; `answers` of the candidates
- `numbers`: those that are named below; `guesses`, `costs`: the cheapest guesses in order
- `ordered`: in the first row the candidates, in the next ones those of the level before, in order
  of their answers; `starts`: where the part of each answer begins
"""


def new_space(table: Any, feedbacks: int, candidates: Any, width: int) -> Any:
    """Return the arrays for some candidates, of which the `width` cheapest guesses are sought."""
    return Space(
        sizes=np.zeros(feedbacks, np.int64),
        answers=np.empty(len(candidates), table.dtype),
        numbers=np.empty((_LEVELS, _NUMBERS), np.int64),
        guesses=np.empty((_LEVELS, width), np.int64),
        costs=np.empty((_LEVELS, width), np.int64),
        starts=np.empty((_LEVELS, feedbacks + 1), np.int64),
        ordered=np.empty((_LEVELS, len(candidates)), candidates.dtype),
    )


@inlined
def _cost(
    table: Any, candidates: Any, g: Any, prices: Any, winning: Any, one_guess: Any, sizes: Any,
    answers: Any,
) -> Any:  # fmt: skip
    """Return twice the one-ply cost of the guess g, plus one if it is no candidate."""
    count = len(candidates)
    hit = 0
    for i in range(count):
        answers[i] = table[g, candidates[i]]
        hit |= answers[i] == winning
    cost = count * one_guess + sum_over_parts(answers, count, prices, False, NO_LIMIT, sizes)
    return (cost - hit * one_guess) * 2 + 1 - hit


@inner
def _cheapest(
    table: Any, candidates: Any, guess_of: Any, wanted: Any, prices: Any, winning: Any,
    one_guess: Any, sizes: Any, answers: Any, guesses: Any, costs: Any,
) -> Any:  # fmt: skip
    """Fill in the `wanted` cheapest guesses in order, with their costs by `_cost`; return how many.

    A guess than which none can be cheaper ends the search: fewer are then filled in.
    """
    count = len(candidates)
    best_of_own, best_of_others = (4 * count - 2) * one_guess, 4 * count * one_guess + 1
    kept = 0
    for place in range(count + table.shape[0]):  # first the candidates, and then all guesses
        g = guess_of[candidates[place]] if place < count else place - count
        if g < 0:
            continue
        cost = _cost(table, candidates, g, prices, winning, one_guess, sizes, answers)
        if place < count:
            if cost == best_of_own:
                guesses[0], costs[0] = g, cost
                return 1
            continue
        if kept == wanted and cost >= costs[wanted - 1]:
            continue
        at = kept if kept < wanted else wanted - 1
        while at > 0 and costs[at - 1] > cost:
            costs[at], guesses[at] = costs[at - 1], guesses[at - 1]
            at -= 1
        costs[at], guesses[at] = cost, g
        if kept < wanted:
            kept += 1
        if cost <= best_of_others:
            return 1
    return kept


@inlined
def _partition_by(
    table: Any, candidates: Any, guess: Any, winning: Any, one_guess: Any, answers: Any,
    start: Any, ordered: Any,
) -> Any:  # fmt: skip
    """Group candidates by their answers to a guess; return the least that the guess can cost.

    The part of an answer is ordered[start[answer] : start[answer + 1]].
    """
    count = len(candidates)
    for i in range(count):
        answers[i] = table[guess, candidates[i]]
    group(answers, candidates, count, start, ordered)
    total = count * one_guess
    for answer in range(len(start) - 1):
        size = start[answer + 1] - start[answer]
        if size and answer != winning:
            total += (2 * size - 1) * one_guess
    return total


# The numbers of a level: the size of its part and where this begins, the guesses left; how many
# guesses are looked into, and which is; what it costs so far, the answer whose part is next, and
# the least cost of the guesses before.
_COUNT, _BEGIN, _LEFT, _KEPT, _AT, _TOTAL, _ANSWER, _BEST, _NUMBERS = range(9)


@makes_no_array
def _guess_value(
    table: Any, candidates: Any, guess_of: Any, guess: Any, width: Any, recovery_width: Any,
    attempts: Any, prices: Any, last_prices: Any, winning: Any, one_guess: Any, unreached: Any,
    useless: Any, space: Any, bound: Any,
) -> Any:  # fmt: skip
    """Return what a guess costs, each part looked into.

    A result of `bound` or more says only that the cost is no less than `bound`.

    A part of the guess costs what the best of its `width` cheapest guesses does, and a part of
    those what its cheapest guess does. With three guesses left, the `recovery_width` cheapest are
    looked into: one guess ahead does not show which guess reaches all candidates in time. Parts
    wait on levels, as numba cannot cache functions that call themselves.
    """
    level, count = np.int64(0), len(candidates)
    for i in range(count):
        space.ordered[0, i] = candidates[i]
    space.guesses[0, 0] = guess
    numbers = space.numbers[0]
    numbers[_COUNT], numbers[_BEGIN], numbers[_LEFT], numbers[_BEST] = count, 0, attempts, bound
    numbers[_KEPT], numbers[_AT], numbers[_ANSWER] = 1, 0, -1
    while True:
        numbers, start = space.numbers[level], space.starts[level]
        count, left = numbers[_COUNT], numbers[_LEFT]
        if numbers[_ANSWER] < 0:
            members = space.ordered[level, numbers[_BEGIN] : numbers[_BEGIN] + count]
            numbers[_TOTAL] = _partition_by(
                table, members, space.guesses[level, numbers[_AT]], winning, one_guess,
                space.answers, start, space.ordered[level + 1],
            )  # fmt: skip
            numbers[_ANSWER] = 0
        deeper = False
        while numbers[_ANSWER] < len(space.sizes) and not deeper:
            answer = numbers[_ANSWER]
            size = start[answer + 1] - start[answer]
            numbers[_ANSWER] += 1
            if size == 0 or answer == winning:
                continue
            if size == count:
                numbers[_TOTAL] = useless
            if numbers[_TOTAL] >= numbers[_BEST]:
                break
            if left == 2:
                numbers[_TOTAL] += (size - 1) * (unreached - one_guess)
            if left == 2 or size <= 2:
                continue
            wide = recovery_width if left == 4 else np.int64(0)
            if level == 0 and left > 4:
                wide = width
            part = space.ordered[level + 1, start[answer] : start[answer + 1]]
            kept = _cheapest(
                table, part, guess_of, max(wide, 1), last_prices if left == 3 else prices, winning,
                one_guess, space.sizes, space.answers, space.guesses[level + 1],
                space.costs[level + 1],
            )  # fmt: skip
            value = space.costs[level + 1, 0] >> 1
            if wide == 0 or value <= 2 * size * one_guess:
                numbers[_TOTAL] += value - (2 * size - 1) * one_guess
                continue
            later = space.numbers[level + 1]
            later[_COUNT], later[_BEGIN], later[_LEFT] = size, start[answer], left - 1
            later[_KEPT], later[_AT], later[_ANSWER], later[_BEST] = kept, 0, -1, useless
            deeper = True
        if deeper:
            level += 1
            continue
        if level == 0:
            return numbers[_TOTAL]
        numbers[_BEST] = min(numbers[_BEST], numbers[_TOTAL])
        numbers[_AT] += 1
        numbers[_ANSWER] = -1
        rescued = left == 3 and numbers[_BEST] < unreached and numbers[_AT] > 3
        if rescued or numbers[_AT] == numbers[_KEPT]:
            level -= 1
            space.numbers[level, _TOTAL] += numbers[_BEST] - (2 * count - 1) * one_guess


@makes_no_array
def _fill_costs(
    table: Any, candidates: Any, prices: Any, winning: Any, one_guess: Any, sizes: Any,
    answers: Any, costs: Any,
) -> None:  # fmt: skip
    """Fill `costs` (guesses,) with what `costs_of_all` returns for the guesses of a table."""
    for g in range(len(costs)):
        costs[g] = _cost(table, candidates, g, prices, winning, one_guess, sizes, answers)


def costs_of_all(
    table: Any, candidates: Any, prices: Any, winning: Any, one_guess: Any, feedbacks: Any
) -> Any:
    """Return twice the one-ply cost of each guess, plus one where it is no candidate (guesses,)."""
    costs = np.empty(len(table), np.int64)

    def fill(begin: int, end: int) -> None:
        _fill_costs(
            table[begin:end], candidates, prices, winning, one_guess,
            np.zeros(feedbacks, np.int64), np.empty(len(candidates), table.dtype),
            costs[begin:end],
        )  # fmt: skip

    parallel_for(fill, len(table), _GUESSES)
    return costs


def values_of_some(
    table: Any, candidates: Any, guess_of: Any, guesses: Any, width: Any, recovery_width: Any,
    attempts: Any, prices: Any, last_prices: Any, winning: Any, one_guess: Any, unreached: Any,
    useless: Any, feedbacks: Any, bound: Any,
) -> Any:  # fmt: skip
    """Return what some guesses cost, each part looked into; see `_guess_value` for `bound`."""
    values = np.empty(len(guesses), np.int64)

    def fill(begin: int, end: int) -> None:
        space = new_space(table, feedbacks, candidates, max(width, recovery_width))
        for i in range(begin, end):
            values[i] = _guess_value(
                table, candidates, guess_of, guesses[i], width, recovery_width, attempts, prices,
                last_prices, winning, one_guess, unreached, useless, space,
                bound,
            )  # fmt: skip

    parallel_for(fill, len(guesses), 1)
    return values
