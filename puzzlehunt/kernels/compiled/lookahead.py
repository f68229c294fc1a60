"""What guesses cost, by looking two guesses ahead.

The *one-ply cost* of a guess is one guess for each candidate, and the prices of its parts.

`Lookahead` of `strategies/deep.py` does the same in numpy and is the specification. Arguments that
all kernels share:

- `table` (guesses, secrets): feedbacks; `winning` is the winning one
- `candidates`: indices of secrets in the table
- `as_guess` (secrets,): the index of each secret among the guesses, -1 for none
- `one_guess`, `unreached`, `useless`: the costs of one guess, of a candidate that the attempts left
  do not reach, and of a guess that tells nothing, in whole numbers: fractions of a guess
- `prices` (sizes,): what a part of each size is estimated to cost; `last_prices`: what it costs
  with one attempt left
- `attempts`: how many guesses are left
- `width`, `rescue_width`: how many guesses are looked into in each part, in general and with three
  attempts left
- `space`: the arrays that they work in
"""

from collections import namedtuple
from typing import Any

import numpy as np

from puzzlehunt.kernels.compiled.decorators import inner, makes_no_array
from puzzlehunt.kernels.compiled.grouping import NO_LIMIT, group, sum_of_groups
from puzzlehunt.kernels.compiled.threads import share

_GUESSES = 256
"""Fewest guesses that a core takes at a time."""


Space = namedtuple("Space", "sizes answers guesses costs starts ordered")
"""Arrays that kernels work in. The last four have a row for each guess that is looked ahead.

- `sizes` (feedbacks,): zeros, before and after; `answers` of the candidates
- `guesses`, `costs`: the cheapest guesses in order
- `starts`, `ordered`: where the part of each answer begins among the candidates in order of answers
"""


def new_space(table: Any, feedbacks: int, candidates: Any, width: int) -> Any:
    """Return the arrays for some candidates, of which the `width` cheapest guesses are sought."""
    return Space(
        sizes=np.zeros(feedbacks, np.int64),
        answers=np.empty(len(candidates), table.dtype),
        guesses=np.empty((3, width), np.int64),
        costs=np.empty((3, width), np.int64),
        starts=np.empty((3, feedbacks + 1), np.int64),
        ordered=np.empty((3, len(candidates)), candidates.dtype),
    )


@inner
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
    cost = count * one_guess + sum_of_groups(answers, count, prices, False, NO_LIMIT, sizes)
    return (cost - hit * one_guess) * 2 + 1 - hit


@inner
def _cheapest(
    table: Any, candidates: Any, as_guess: Any, wanted: Any, prices: Any, winning: Any,
    one_guess: Any, sizes: Any, answers: Any, guesses: Any, costs: Any,
) -> Any:  # fmt: skip
    """Fill in the `wanted` cheapest guesses in order, with their costs by `_cost`; return how many.

    A guess than which none can be cheaper ends the search: fewer are then filled in.
    """
    count = len(candidates)
    perfect = (2 * count - 1) * one_guess * 2
    for i in range(count):
        g = as_guess[candidates[i]]
        if (
            g >= 0
            and _cost(table, candidates, g, prices, winning, one_guess, sizes, answers) == perfect
        ):
            guesses[0], costs[0] = g, perfect
            return 1
    perfect = 2 * count * one_guess * 2 + 1
    kept = 0
    for g in range(table.shape[0]):
        cost = _cost(table, candidates, g, prices, winning, one_guess, sizes, answers)
        if kept == wanted and cost >= costs[wanted - 1]:
            continue
        place = kept if kept < wanted else wanted - 1
        while place > 0 and costs[place - 1] > cost:
            costs[place], guesses[place] = costs[place - 1], guesses[place - 1]
            place -= 1
        costs[place], guesses[place] = cost, g
        if kept < wanted:
            kept += 1
        if cost <= perfect:
            return 1
    return kept


@inner
def _split(
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


# What candidates cost. `_searched_value` looks furthest ahead. It calls `_rescued_value`, and that
# calls `_one_ply_value`. One recursive function would be shorter, but numba cannot cache it.


@inner
def _one_ply_value(
    table: Any, candidates: Any, as_guess: Any, attempts: Any, prices: Any, last_prices: Any,
    winning: Any, one_guess: Any, unreached: Any, space: Any,
) -> Any:  # fmt: skip
    """Return what candidates cost if their cheapest guess by one-ply cost is played."""
    count = len(candidates)
    if attempts == 1 or count == 1:
        return count * one_guess + (count - 1) * unreached
    if count == 2:
        return 3 * one_guess
    guesses, costs = space.guesses[2], space.costs[2]
    used = last_prices if attempts == 2 else prices
    one = np.int64(1)  # a literal 1 is another type to numba, and all would be compiled twice
    _cheapest(
        table, candidates, as_guess, one, used, winning, one_guess, space.sizes, space.answers,
        guesses, costs,
    )  # fmt: skip
    return costs[0] >> 1


@inner
def _rescued_value(
    table: Any, candidates: Any, as_guess: Any, rescue_width: Any, attempts: Any, prices: Any,
    last_prices: Any, winning: Any, one_guess: Any, unreached: Any, useless: Any, space: Any,
) -> Any:  # fmt: skip
    """Return what candidates cost by looking one guess ahead; with three attempts left, two.

    With so few attempts, one guess ahead does not show which guess reaches all candidates in time.
    """
    count, feedbacks = len(candidates), len(space.sizes)
    if attempts != 3 or count <= 2:
        return _one_ply_value(
            table, candidates, as_guess, attempts, prices, last_prices, winning, one_guess,
            unreached, space,
        )  # fmt: skip
    guesses, costs = space.guesses[1], space.costs[1]
    kept = _cheapest(
        table, candidates, as_guess, rescue_width, prices, winning, one_guess, space.sizes,
        space.answers, guesses, costs,
    )  # fmt: skip
    if costs[0] >> 1 <= 2 * count * one_guess:
        return costs[0] >> 1
    start, ordered = space.starts[2], space.ordered[2]
    best = useless
    for i in range(kept):
        total = _split(
            table, candidates, guesses[i], winning, one_guess, space.answers, start, ordered
        )
        for answer in range(feedbacks):
            size = start[answer + 1] - start[answer]
            if size == 0 or answer == winning:
                continue
            if size == count:
                total = useless
            if total >= best:
                break
            members = ordered[start[answer] : start[answer + 1]]
            value = _one_ply_value(
                table, members, as_guess, attempts - 1, prices, last_prices, winning, one_guess,
                unreached, space,
            )  # fmt: skip
            total += value - (2 * size - 1) * one_guess
        best = min(best, total)
        if best < unreached and i >= 3:
            break
    return best


@inner
def _searched_value(
    table: Any, candidates: Any, as_guess: Any, width: Any, rescue_width: Any, attempts: Any,
    prices: Any, last_prices: Any, winning: Any, one_guess: Any, unreached: Any, useless: Any,
    space: Any,
) -> Any:  # fmt: skip
    """Return what candidates cost by the best of the `width` cheapest, each looked into."""
    count, feedbacks = len(candidates), len(space.sizes)
    if width == 0 or attempts <= 3 or count <= 2:
        return _rescued_value(
            table, candidates, as_guess, rescue_width, attempts, prices, last_prices, winning,
            one_guess, unreached, useless, space,
        )  # fmt: skip
    guesses, costs = space.guesses[0], space.costs[0]
    kept = _cheapest(
        table, candidates, as_guess, width, prices, winning, one_guess, space.sizes,
        space.answers, guesses, costs,
    )  # fmt: skip
    if costs[0] >> 1 <= 2 * count * one_guess:
        return costs[0] >> 1
    start, ordered = space.starts[1], space.ordered[1]
    best = useless
    for i in range(kept):
        total = _split(
            table, candidates, guesses[i], winning, one_guess, space.answers, start, ordered
        )
        for answer in range(feedbacks):
            size = start[answer + 1] - start[answer]
            if size == 0 or answer == winning:
                continue
            if size == count:
                total = useless
            if total >= best:
                break
            if size > 2:
                members = ordered[start[answer] : start[answer + 1]]
                value = _rescued_value(
                    table, members, as_guess, rescue_width, attempts - 1, prices, last_prices,
                    winning, one_guess, unreached, useless, space,
                )  # fmt: skip
                total += value - (2 * size - 1) * one_guess
        best = min(best, total)
    return best


@makes_no_array
def _guess_value(
    table: Any, candidates: Any, as_guess: Any, guess: Any, width: Any, rescue_width: Any,
    attempts: Any, prices: Any, last_prices: Any, winning: Any, one_guess: Any, unreached: Any,
    useless: Any, space: Any, bound: Any,
) -> Any:  # fmt: skip
    """Return what a guess costs, each part looked into.

    A result of `bound` or more says only that the cost is no less than `bound`.
    """
    count, feedbacks = len(candidates), len(space.sizes)
    start, ordered = space.starts[0], space.ordered[0]
    total = _split(table, candidates, guess, winning, one_guess, space.answers, start, ordered)
    for answer in range(feedbacks):
        size = start[answer + 1] - start[answer]
        if size == 0 or answer == winning:
            continue
        if size == count:
            return useless
        if total >= bound:
            return total
        if size > 2 or attempts <= 2:
            value = _searched_value(
                table, ordered[start[answer] : start[answer + 1]], as_guess, width, rescue_width,
                attempts - 1, prices, last_prices, winning, one_guess, unreached, useless, space,
            )  # fmt: skip
            total += value - (2 * size - 1) * one_guess
    return total


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

    share(fill, len(table), _GUESSES)
    return costs


def values_of_some(
    table: Any, candidates: Any, as_guess: Any, guesses: Any, width: Any, rescue_width: Any,
    attempts: Any, prices: Any, last_prices: Any, winning: Any, one_guess: Any, unreached: Any,
    useless: Any, feedbacks: Any, bound: Any,
) -> Any:  # fmt: skip
    """Return what some guesses cost, each part looked into; see `_guess_value` for `bound`."""
    values = np.empty(len(guesses), np.int64)

    def fill(begin: int, end: int) -> None:
        space = new_space(table, feedbacks, candidates, max(width, rescue_width))
        for i in range(begin, end):
            values[i] = _guess_value(
                table, candidates, as_guess, guesses[i], width, rescue_width, attempts, prices,
                last_prices, winning, one_guess, unreached, useless, space,
                bound,
            )  # fmt: skip

    share(fill, len(guesses), 1)
    return values
