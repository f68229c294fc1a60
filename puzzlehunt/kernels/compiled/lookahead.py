"""Depth-limited search: the cost of guesses, found by looking two guesses ahead.

`kernels/reference_lookahead.py` does the same in numpy; it is the specification, and defines which
guesses are searched. In the problem's `guess_of`, a secret that is not a guess has the index -1.
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
"""A core takes at least this many guesses at a time."""
_LEVELS = 4
"""Levels of a search: a guess, the best in its parts, those in their parts, the cheapest next."""


class Widths(NamedTuple):
    """How many guesses are searched in each part.

    `recovery` is used in a part with three attempts left, `inner` in all others.
    """

    inner: int
    recovery: int


class Space(NamedTuple):
    """The work arrays of the kernels; all but the first two have a row for each level of search.

    - `sizes` (answers,): zeros before and after a call
    - `answers` (candidates,): the answers of the candidates to a guess
    - `numbers`: the state of a level, in the columns `_COUNT` to `_BEST`
    - `guesses`, `costs`: the cheapest guesses of a level in order, and their costs
    - `starts`: where the part of each answer begins in `ordered`
    - `ordered`: in the first row the candidates; in each later row, the candidates of the level
      before, sorted by their answers
    """

    sizes: Numbers
    answers: Table
    numbers: Numbers
    guesses: Numbers
    costs: Numbers
    starts: Numbers
    ordered: Indices


# The numbers of a level. Of its part: the size, where it begins, and the guesses left. Then: how
# many guesses are searched, the index of the current one, its cost so far, the answer whose part is
# next, and the least cost of the guesses before.
_COUNT, _BEGIN, _LEFT, _KEPT, _AT, _TOTAL, _ANSWER, _BEST, _NUMBERS = range(9)


def _new_space(problem: Problem, candidates: Indices, width: int) -> Space:
    """Return the work arrays for some candidates, with room for the `width` cheapest guesses."""
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
    """Return twice the one-ply cost of a guess, plus one if it is not a candidate."""
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

    A guess that no other can undercut ends the search; then only this guess is filled in.
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
    """Return the cost of a guess, found by searching each of its parts.

    A result of `bound` or more means only that the cost is no less than `bound`.

    In each part of the guess, the cheapest guesses are searched, `widths.inner` of them; the part
    costs as much as the best of these. A part of a searched guess costs as much as its own cheapest
    guess. With three guesses left, `widths.recovery` guesses are searched, because one guess ahead
    does not show which guess reaches all candidates in time. The search keeps its own stack of
    levels, because numba cannot cache functions that call themselves.
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
    """Fill `costs` with the costs that `costs_of_all` returns for the guesses from `begin` on."""
    cost_to_go = problem.cost_to_go[later]
    for j in range(len(costs)):
        costs[j] = _cost(problem, candidates, begin + j, cost_to_go, space)


def costs_of_all(problem: Problem, candidates: Indices, attempts: int) -> Numbers:
    """Return (guesses,): twice the one-ply cost of a guess, plus one unless it is a candidate."""
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
    """Return the costs of some guesses, found by searching each of their parts.

    A value of `bound` or more means only that the cost is no less than `bound`.
    """
    values = np.empty(len(guesses), np.int64)

    def fill(begin: int, end: int) -> None:
        space = _new_space(problem, candidates, max(widths))
        for i in range(begin, end):
            values[i] = _guess_value(
                problem, candidates, guesses[i], attempts, widths, space, bound
            )

    parallel_for(fill, len(guesses), 1)
    return values
