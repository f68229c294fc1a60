"""Depth-limited search: what guesses cost, by looking two guesses ahead.

`kernels/lookahead.py` does the same in numpy, says what is searched, and is the specification. In
the problem, the index of a secret that is not a guess is -1.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlehunt.kernels.compiled.grouping import NO_LIMIT, group, sum_over_parts
from puzzlehunt.kernels.compiled.jit import inlined, inner, makes_no_array
from puzzlehunt.kernels.compiled.threads import parallel_for
from puzzlehunt.kernels.feedback_matrix import Table
from puzzlehunt.kernels.packed_codes import Indices
from puzzlehunt.kernels.problem import ONE, UNINFORMATIVE_UNITS, UNSOLVED_UNITS, Numbers, Problem

_GUESSES = 256
"""Fewest guesses that a core takes at a time."""
_LEVELS = 4
"""The guess, the best in its parts, those in their parts, and the cheapest behind these."""


class Widths(NamedTuple):
    """How many guesses are searched in each part: in general, and with three attempts left."""

    inner: int
    recovery: int


class Space(NamedTuple):
    """Work arrays of the kernels. The last five have a row for each level of the search.

    - `sizes` (answers,): zeros, before and after; `answers` of the candidates
    - `numbers`: those that are named below; `guesses`, `costs`: the cheapest guesses in order
    - `ordered`: in the first row the candidates, in the next ones those of the level before, in
      order of their answers; `starts`: the start of each answer's part
    """

    sizes: Numbers
    answers: Table
    numbers: Numbers
    guesses: Numbers
    costs: Numbers
    starts: Numbers
    ordered: Indices


# The numbers of a level: the size of its part and where this begins, the guesses left; how many
# guesses are searched, and which is; what it costs so far, the answer whose part is next, and the
# least cost of the guesses before.
_COUNT, _BEGIN, _LEFT, _KEPT, _AT, _TOTAL, _ANSWER, _BEST, _NUMBERS = range(9)


def _new_space(problem: Problem, candidates: Indices, width: int) -> Space:
    """Return the arrays for some candidates, of which the `width` cheapest guesses are sought."""
    return Space(
        sizes=np.zeros(problem.answers, np.int64),
        answers=np.empty(len(candidates), problem.feedback.dtype),
        numbers=np.empty((_LEVELS, _NUMBERS), np.int64),
        guesses=np.empty((_LEVELS, width), np.int64),
        costs=np.empty((_LEVELS, width), np.int64),
        starts=np.empty((_LEVELS, problem.answers + 1), np.int64),
        ordered=np.empty((_LEVELS, len(candidates)), candidates.dtype),
    )


@inlined
def _cost(
    problem: Problem, candidates: Indices, guess: int, cost_to_go: Numbers, space: Space
) -> int:
    """Return twice the one-ply cost of a guess, plus one if it is no candidate."""
    count, answers = len(candidates), space.answers
    hit = 0
    for i in range(count):
        answers[i] = problem.feedback[candidates[i], guess]
        hit |= answers[i] == problem.winning
    cost = count * ONE + sum_over_parts(answers, count, cost_to_go, False, NO_LIMIT, space.sizes)
    return (cost - hit * ONE) * 2 + 1 - hit


@inner
def _cheapest(
    problem: Problem, candidates: Indices, cost_to_go: Numbers, space: Space, level: int,
    wanted: int,
) -> int:  # fmt: skip
    """Fill in the `wanted` cheapest guesses in order, with their costs by `_cost`; return how many.

    A guess than which none can be cheaper ends the search: fewer are then filled in.
    """
    guesses, costs, count = space.guesses[level], space.costs[level], len(candidates)
    best_of_own, best_of_others = (4 * count - 2) * ONE, 4 * count * ONE + 1
    kept = 0
    for at in range(count + problem.feedback.shape[1]):  # first the candidates, then all guesses
        guess = problem.guess_of[candidates[at]] if at < count else at - count
        if guess < 0:
            continue
        cost = _cost(problem, candidates, guess, cost_to_go, space)
        if at < count:
            if cost == best_of_own:
                guesses[0], costs[0] = guess, cost
                return 1
            continue
        if kept == wanted and cost >= costs[wanted - 1]:
            continue
        place = kept if kept < wanted else wanted - 1
        while place > 0 and costs[place - 1] > cost:
            costs[place], guesses[place] = costs[place - 1], guesses[place - 1]
            place -= 1
        costs[place], guesses[place] = cost, guess
        if kept < wanted:
            kept += 1
        if cost <= best_of_others:
            return 1
    return kept


@inlined
def _partition_by(
    problem: Problem, candidates: Indices, guess: int, space: Space, level: int
) -> int:
    """Group candidates by their answers to a guess; return the least that the guess can cost.

    The part of an answer is ordered[start[answer] : start[answer + 1]] of the next level.
    """
    count, answers, start = len(candidates), space.answers, space.starts[level]
    for i in range(count):
        answers[i] = problem.feedback[candidates[i], guess]
    group(answers, candidates, count, start, space.ordered[level + 1])
    total = count * ONE
    for answer in range(len(start) - 1):
        size = start[answer + 1] - start[answer]
        if size and answer != problem.winning:
            total += (2 * size - 1) * ONE
    return total


@makes_no_array
def _guess_value(
    problem: Problem, candidates: Indices, guess: int, attempts: int, widths: Widths, space: Space,
    bound: int,
) -> int:  # fmt: skip
    """Return what a guess costs, each part searched.

    A result of `bound` or more says only that the cost is no less than `bound`.

    A part of the guess costs what the best of its cheapest guesses does, as many as the inner
    width, and a part of those what its cheapest guess does. With three guesses left, as many as the
    recovery width are searched: one guess ahead does not show which guess reaches all candidates in
    time. Parts wait on levels, as numba cannot cache functions that call themselves.
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
            tried = space.guesses[level, numbers[_AT]]
            numbers[_TOTAL] = _partition_by(problem, members, tried, space, level)
            numbers[_ANSWER] = 0
        deeper = False
        while numbers[_ANSWER] < len(space.sizes) and not deeper:
            answer = numbers[_ANSWER]
            size = start[answer + 1] - start[answer]
            numbers[_ANSWER] += 1
            if size == 0 or answer == problem.winning:
                continue
            if size == count:
                numbers[_TOTAL] = UNINFORMATIVE_UNITS
            if numbers[_TOTAL] >= numbers[_BEST]:
                break
            if left == 2:
                numbers[_TOTAL] += (size - 1) * (UNSOLVED_UNITS - ONE)
            if left == 2 or size <= 2:
                continue
            wide = widths.recovery if left == 4 else np.int64(0)
            if level == 0 and left > 4:
                wide = widths.inner
            part = space.ordered[level + 1, start[answer] : start[answer + 1]]
            cost_to_go = problem.cost_to_go[1 if left == 3 else 2]
            kept = _cheapest(problem, part, cost_to_go, space, level + 1, max(wide, 1))
            value = space.costs[level + 1, 0] >> 1
            if wide == 0 or value <= 2 * size * ONE:
                numbers[_TOTAL] += value - (2 * size - 1) * ONE
                continue
            later = space.numbers[level + 1]
            later[_COUNT], later[_BEGIN], later[_LEFT] = size, start[answer], left - 1
            later[_KEPT], later[_AT], later[_ANSWER], later[_BEST] = (
                kept,
                0,
                -1,
                UNINFORMATIVE_UNITS,
            )
            deeper = True
        if deeper:
            level += 1
            continue
        if level == 0:
            return numbers[_TOTAL]
        numbers[_BEST] = min(numbers[_BEST], numbers[_TOTAL])
        numbers[_AT] += 1
        numbers[_ANSWER] = -1
        recovered = left == 3 and numbers[_BEST] < UNSOLVED_UNITS and numbers[_AT] > 3
        if recovered or numbers[_AT] == numbers[_KEPT]:
            level -= 1
            space.numbers[level, _TOTAL] += numbers[_BEST] - (2 * count - 1) * ONE


@makes_no_array
def _fill_costs(
    problem: Problem, begin: int, candidates: Indices, later: int, space: Space, costs: Numbers
) -> None:
    """Fill `costs` with what `costs_of_all` returns for the guesses from `begin` on."""
    cost_to_go = problem.cost_to_go[later]
    for j in range(len(costs)):
        costs[j] = _cost(problem, candidates, begin + j, cost_to_go, space)


def costs_of_all(problem: Problem, candidates: Indices, attempts: int) -> Numbers:
    """Return (guesses,): twice the one-ply cost of each, plus one if it is not a candidate."""
    costs = np.empty(problem.feedback.shape[1], np.int64)

    def fill(begin: int, end: int) -> None:
        space = _new_space(problem, candidates, 1)
        _fill_costs(problem, begin, candidates, min(attempts - 1, 2), space, costs[begin:end])

    parallel_for(fill, len(costs), _GUESSES)
    return costs


def values_of_some(
    problem: Problem, candidates: Indices, guesses: Indices, attempts: int, widths: Widths,
    bound: int,
) -> npt.NDArray[np.int64]:  # fmt: skip
    """Return what some guesses cost, each part searched; see `_guess_value` for `bound`."""
    values = np.empty(len(guesses), np.int64)

    def fill(begin: int, end: int) -> None:
        space = _new_space(problem, candidates, max(widths))
        for i in range(begin, end):
            values[i] = _guess_value(
                problem, candidates, guesses[i], attempts, widths, space, bound
            )

    parallel_for(fill, len(guesses), 1)
    return values
