"""Sorts the guesses of a state, the least estimate first, and computes a lower bound of each."""

from typing import Any

import numpy as np

from puzzlehunt.kernels.compiled.bounds import (
    estimate_all,
    fill_part_count_bounds,
    separating_candidate,
)
from puzzlehunt.kernels.compiled.jit import inlined, inner
from puzzlehunt.kernels.compiled.transposition_table import mixed
from puzzlehunt.kernels.compiled.workspace import BOUND_BINS, Frame, Scratch
from puzzlehunt.kernels.problem import (
    ALIKE,
    GUESS_BITS,
    UNINFORMATIVE,
    UNSOLVED_COST,
    Limits,
    Numbers,
    Problem,
    ShortIndices,
)

_NO_GUESS, _NO_COLUMN, _NONE_ENOUGH = np.int64(-1), np.int64(-1), np.int64(-1)
"""No best guess, no consecutive columns, no bound that is low enough; variables, so that nothing is
compiled for a literal."""
_GUESS_MASK = (1 << GUESS_BITS) - 1


@inlined
def _promising(
    scratch: Scratch, guesses: ShortIndices, lowest: int, bound: int, wanted: int
) -> tuple[int, int]:
    """Choose the guesses that get an estimate; return how many, and the least bound of the others.

    If there are no more guesses than are `wanted`, the choice is every guess whose lower bound is
    below `bound`. Otherwise `bound` has no effect: at least `wanted` guesses are chosen, those with
    the least lower bounds, and all guesses that tie with the last of them. `lowest` is the least of
    the lower bounds.
    """
    number, times, chosen = len(guesses), scratch.times, scratch.chosen
    bounds = scratch.masks.part_count_bounds
    cut = min(bound, UNINFORMATIVE)
    if wanted < number:
        cut = UNINFORMATIVE
        for step in range(BOUND_BINS):
            times[step] = 0
        for j in range(number):
            times[min(bounds[j] - lowest, BOUND_BINS - 1)] += 1
        reached = 0
        for step in range(BOUND_BINS - 1):
            reached += times[step]
            if reached >= wanted:
                cut = lowest + step + 1
                break
    found, bound_of_others = 0, UNINFORMATIVE
    for j in range(number):
        if bounds[j] < cut:
            chosen[found] = guesses[j]
            found += 1
        else:
            bound_of_others = min(bound_of_others, bounds[j])
    return found, bound_of_others


@inner
def _sift(heap: Numbers, place: int, size: int) -> None:
    """Move a number down to its place in a heap of `size` numbers, the largest of them first."""
    number = heap[place]
    child = 2 * place + 1
    while child < size:
        if child + 1 < size and heap[child + 1] > heap[child]:
            child += 1
        if heap[child] <= number:
            break
        heap[place] = heap[child]
        place, child = child, 2 * child + 1
    heap[place] = number


@inner
def _sort_least(numbers: Numbers, count: int, wanted: int) -> int:
    """Move the `wanted` least of the first `count` numbers to the front, sorted; return how many.

    A binary heap (Williams, 1964) is used because numba takes seconds to compile numpy's sort.
    """
    size = min(count, wanted)
    first = np.int64(0)  # a literal 0 is another type to numba, and `_sift` would be compiled twice
    for place in range(size // 2 - 1, -1, -1):
        _sift(numbers, place, size)
    for place in range(size, count):
        if numbers[place] < numbers[0]:
            numbers[0], numbers[place] = numbers[place], numbers[0]
            _sift(numbers, first, size)
    for last in range(size - 1, 0, -1):
        numbers[0], numbers[last] = numbers[last], numbers[0]
        _sift(numbers, first, last)
    return size


@inlined
def _is_alike(problem: Problem, frame: Frame, guess: int, before: int) -> bool:
    """Return whether a guess has, answer by answer, parts of the same sizes as one `before`.

    Such guesses mostly differ by a symmetry of the state. `before` is how many others there are;
    their keys, and then that of this guess, are in `frame.partition_keys`.
    """
    key = np.uint64(0)
    for m in range(frame.state.count):
        answer = np.uint64(problem.feedback[frame.members[m], guess])
        key += mixed(np.uint64(0), answer + np.uint64(1))
    frame.partition_keys[before] = key
    at = 0
    while frame.partition_keys[at] != key:
        at += 1
    return at < before


@inlined
def _shortlist(
    problem: Problem, scratch: Scratch, frame: Frame, found: int, width: int, bound: int
) -> int:
    """Fill the shortlist with the best of the first `found` chosen guesses; return how many.

    At most `width` are selected: those that lose the fewest candidates, then those with the least
    estimates. If some are left out (a beam), only the first of several alike guesses is selected.
    Of those selected, the ones whose lower bound reaches `bound` are dropped; in a beam only
    afterwards, so that the value of a state does not depend on the guesses that led to it.
    """
    estimates, part_size_bounds = scratch.estimates, scratch.part_size_bounds
    shortlist, shortlist_bounds = frame.shortlist, frame.shortlist_bounds
    limit = min(bound, UNINFORMATIVE) if width >= found else UNINFORMATIVE
    listed = np.int64(0)
    for j in range(found):
        if part_size_bounds[j] < limit:
            # One number to sort by: lost candidates, then the estimate, then the place.
            unsolved = min(part_size_bounds[j] // UNSOLVED_COST, 127)
            shortlist[listed] = (((unsolved << 36) + estimates[j]) << GUESS_BITS) + j
            listed += 1
    narrow, kept, distinct = width < found, 0, 0
    for place in range(_sort_least(shortlist, listed, width * ALIKE if narrow else width)):
        j = shortlist[place] & _GUESS_MASK
        if narrow:
            if distinct == width:
                break
            if _is_alike(problem, frame, scratch.chosen[j], distinct):
                continue
            distinct += 1
        if part_size_bounds[j] < bound:
            shortlist[kept] = scratch.chosen[j]
            shortlist_bounds[kept] = part_size_bounds[j]
            kept += 1
    return kept


@inner
def fill_size_bounds(state: Any, size_bounds: Numbers, most_parts: int) -> None:
    """Fill in the lower bound of a part of each size, if no guess makes more than `most_parts`."""
    guesses, reached = 1, 1  # guesses that the next candidate takes, and candidates they can find
    size_bounds[0] = 0
    for size in range(1, state.count + 1):
        while size > reached and guesses < state.later:
            guesses, reached = guesses + 1, reached * most_parts
        lost = UNSOLVED_COST if size > reached else 0
        size_bounds[size] = size_bounds[size - 1] + guesses + lost


@inlined
def rank(
    problem: Problem, limits: Limits, scratch: Scratch, frame: Frame, known: int,
    guesses: ShortIndices, column: int,
) -> tuple[int, int, int]:  # fmt: skip
    """Fill the frame's shortlist with the guesses to search, best first: the beam of its size.

    Returns the state's lower bound, its value (0 if unknown), and the guess of that value (or -1).
    `known` is a lower bound of the state. The shortlist is not filled if the lower bound reaches
    the frame's bound, or if the value is found at once.
    """
    state, members = frame.state, frame.members[: frame.state.count]
    count, attempts, bound = state.count, state.attempts, state.bound
    width = limits.widths[count]
    value, guess = separating_candidate(
        problem.feedback, members, np.int64(0), count, problem.guess_of, attempts, scratch.seen
    )
    if value:
        return value, value, guess
    most_parts, lowest, _ = fill_part_count_bounds(
        problem, scratch.masks, members, guesses, column, _NONE_ENOUGH
    )
    most_parts = min(state.most_parts, most_parts)
    lower_bound = max(known, lowest)
    if lower_bound < bound:
        # For each guess that will be searched, 16 get an estimate.
        found, bound_of_others = _promising(scratch, guesses, lowest, bound, 16 * width)
        fill_size_bounds(state, frame.size_bounds, most_parts)
        chosen = scratch.chosen[:found]
        least = estimate_all(
            problem, scratch, frame.size_bounds, members, chosen,
            column if found == len(guesses) else _NO_COLUMN,  # all: still one after the other
        )  # fmt: skip
        lower_bound = max(lower_bound, min(bound_of_others, least))
        if lower_bound < bound:
            state.most_parts = most_parts
            state.tries = _shortlist(problem, scratch, frame, found, width, bound)
    return lower_bound, np.int64(0), _NO_GUESS
