"""The guesses of a state in order: the least estimate first, with a lower bound of each."""

import numpy as np

from puzzlehunt.kernels.compiled.bounds import (
    estimate_all,
    fill_part_count_bounds,
    separating_candidate,
)
from puzzlehunt.kernels.compiled.heap import sort_least
from puzzlehunt.kernels.compiled.jit import inlined, inner
from puzzlehunt.kernels.compiled.workspace import (
    ATTEMPTS,
    BOUND,
    BOUND_BINS,
    COUNT,
    LATER,
    MOST_PARTS,
    TRIES,
    Frame,
    Scratch,
)
from puzzlehunt.kernels.problem import (
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
_ESTIMATED = 16
"""Number of guesses that get an estimate, for each one that is then searched."""


@inlined
def _promising(
    scratch: Scratch, guesses: ShortIndices, lowest: int, bound: int, wanted: int
) -> tuple[int, int]:
    """Choose the guesses that get an estimate; return how many, and the least bound of the others.

    If at least as many are `wanted` as there are guesses, all are chosen whose lower bound is below
    the bound. Else at least so many are chosen, whatever the bound: those with the lowest, and all
    others with the same as the last of them. `lowest` is the lowest.
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


@inlined
def shortlist(scratch: Scratch, frame: Frame, found: int, width: int, bound: int, lost: int) -> int:
    """Put the `width` chosen guesses with the least estimates in order; drop those of no use.

    Returns how many are kept: those whose lower bound is below the bound. Which have the least
    estimates does not depend on the bound, so that the value of a state does not depend on the way
    to it. `lost` is 1 where guesses that lose fewer candidates come first.
    """
    estimates = scratch.estimates.estimates
    part_size_bounds = scratch.estimates.part_size_bounds
    shortlist, shortlist_bounds = frame.shortlist, frame.shortlist_bounds
    limit = min(bound, UNINFORMATIVE) if width >= found else UNINFORMATIVE
    listed = np.int64(0)
    for j in range(found):
        if part_size_bounds[j] < limit:
            unsolved = min(part_size_bounds[j] // UNSOLVED_COST, 127) * lost
            shortlist[listed] = (((unsolved << 36) + estimates[j]) << GUESS_BITS) + j
            listed += 1
    kept = 0
    for place in range(sort_least(shortlist, listed, width)):
        j = shortlist[place] & _GUESS_MASK
        if part_size_bounds[j] < bound:
            shortlist[kept] = scratch.chosen[j]
            shortlist_bounds[kept] = part_size_bounds[j]
            kept += 1
    return kept


@inner
def fill_size_bounds(numbers: Numbers, size_bounds: Numbers, most_parts: int) -> None:
    """Fill in the lower bounds of parts by their sizes where no guess has more parts."""
    guesses, reached = 1, 1  # the next candidate takes so many guesses, which find so many
    size_bounds[0] = 0
    for size in range(1, numbers[COUNT] + 1):
        while size > reached and guesses < numbers[LATER]:
            guesses, reached = guesses + 1, reached * most_parts
        lost = UNSOLVED_COST if size > reached else 0
        size_bounds[size] = size_bounds[size - 1] + guesses + lost


@inlined
def rank(
    problem: Problem, limits: Limits, scratch: Scratch, frame: Frame, known: int,
    guesses: ShortIndices, column: int,
) -> tuple[int, int, int]:  # fmt: skip
    """Put the guesses to search in order; return lower bound, value or 0, and guess of the state.

    `known` is a lower bound; where the bound is reached, or a value found, there is no order.
    """
    numbers, members = frame.numbers, frame.members[: frame.numbers[COUNT]]
    count, attempts, bound = numbers[COUNT], numbers[ATTEMPTS], numbers[BOUND]
    width = limits.widths[count]
    value, guess = separating_candidate(
        problem.feedback, members, np.int64(0), count, problem.guess_of, attempts, scratch.seen
    )
    if value:
        return value, value, guess
    most_parts, lowest, _ = fill_part_count_bounds(
        problem, scratch.masks, members, guesses, column, _NONE_ENOUGH
    )
    most_parts = min(numbers[MOST_PARTS], most_parts)
    lower_bound = max(known, lowest)
    if lower_bound < bound:
        found, bound_of_others = _promising(scratch, guesses, lowest, bound, _ESTIMATED * width)
        fill_size_bounds(numbers, frame.size_bounds, most_parts)
        chosen = scratch.chosen[:found]
        least = estimate_all(
            problem, numbers[LATER], scratch.estimates, frame.size_bounds, members, chosen,
            column if found == len(guesses) else _NO_COLUMN,
        )  # fmt: skip
        lower_bound = max(lower_bound, min(bound_of_others, least))
        if lower_bound < bound:
            numbers[MOST_PARTS] = most_parts
            numbers[TRIES] = shortlist(scratch, frame, found, width, bound, 1)
    return lower_bound, np.int64(0), _NO_GUESS
