"""Sorts the guesses of a state, the least estimate first, and computes a lower bound of each.

A *part* consists of the candidates that an answer leaves. If the guesses are consecutive columns of
the feedback matrix, which is far faster, `column` is the first of these columns; otherwise -1.
"""

from typing import Any

import numpy as np

from puzzlehunt.kernels.compiled.grouping import popcount
from puzzlehunt.kernels.compiled.jit import inlined, inner, makes_no_array
from puzzlehunt.kernels.compiled.workspace import (
    BOUND_BINS,
    COUNTED_AT_ONCE,
    MEASURED_AT_ONCE,
    Frame,
    Scratch,
    new_scratch,
)
from puzzlehunt.kernels.feedback_matrix import Table
from puzzlehunt.kernels.problem import (
    ALIKE,
    GUESS_BITS,
    UNINFORMATIVE,
    UNSOLVED_COST,
    Numbers,
    Problem,
    ShortIndices,
    tree_size_bound,
)

MOST_COUNTED = 256
"""Parts are counted, one bit each, only for rules with at most this many answers."""
_FEW = 32
"""In a part of at most this many candidates, a separating candidate is sought first."""
NO_COLUMN, _NO_GUESS, _NONE_ENOUGH = np.int64(-1), np.int64(-1), np.int64(-1)
"""No consecutive columns, no best guess, no bound that is low enough; variables, so that nothing is
compiled for a literal."""
_GUESS_MASK = (1 << GUESS_BITS) - 1


@inlined
def _mark_answers(
    problem: Problem, scratch: Scratch, members: ShortIndices, guesses: ShortIndices, column: int,
    first: int, wide: int, word: int,
) -> None:  # fmt: skip
    """Set one bit in `masks` for each answer that the guesses from index `first` on get.

    A guess with more than 64 answers needs several words; this call fills the one numbered `word`.
    """
    masks, feedback = scratch.masks, problem.feedback
    for j in range(wide):
        masks[j] = 0
    for i in range(len(members)):
        answers = feedback[members[i], max(column, 0) + first : max(column, 0) + first + wide]
        if column < 0:
            answers = scratch.row[:wide]
            for j in range(wide):
                answers[j] = feedback[members[i], guesses[first + j]]
        for j in range(wide):
            bit = np.uint64(1) << (np.uint64(answers[j]) & np.uint64(63))
            masks[j] |= bit if answers[j] >> 6 == word else np.uint64(0)


@makes_no_array
def fill_part_count_bounds(
    problem: Problem, scratch: Scratch, members: ShortIndices, guesses: ShortIndices, column: int,
    enough: int,
) -> tuple[int, int, int]:  # fmt: skip
    """Fill in the lower bound of each guess that follows from the number of its parts.

    Returns the largest number of parts, the least bound, and the first guess with that bound. The
    count ends early at a bound of at most `enough`.

    For n candidates in p parts it is 3n - p guesses, and one less if the guess is a candidate, as
    `docs/certificates.md` argues. If a rule has more than 256 answers, parts are not counted: every
    bound is 0, and the largest number of parts is the number of answers.
    """
    bounds, count = scratch.part_count_bounds, len(members)
    number, most_parts, best = len(guesses), np.int64(1), np.int64(-1)
    least: Any = UNINFORMATIVE
    counted = problem.answers <= MOST_COUNTED
    if not counted:
        most_parts, least = np.int64(problem.answers), np.int64(0)
        for j in range(number):
            bounds[j] = 0
    win = np.uint64(problem.winning & 63)
    for first in range(0, number if counted else 0, COUNTED_AT_ONCE):
        wide = min(COUNTED_AT_ONCE, number - first)
        block = bounds[first : first + wide]  # twice the number of parts, and one more for a hit
        for j in range(wide):
            block[j] = 0
        for word in range((problem.answers + 63) // 64):
            _mark_answers(problem, scratch, members, guesses, column, first, wide, word)
            has_win = np.int64(problem.winning // 64 == word)
            for j in range(wide):
                mask = scratch.masks[j]
                block[j] += 2 * popcount(mask) + np.int64((mask >> win) & np.uint64(1)) * has_win
        least_here = UNINFORMATIVE
        for j in range(wide):
            parts, hit = block[j] >> 1, block[j] & 1
            most_parts = max(most_parts, parts)
            block[j] = UNINFORMATIVE if parts == 1 and hit == 0 else 3 * count - parts - hit
            least_here = min(least_here, block[j])
        if least_here < least:
            least, at = least_here, 0
            while block[at] > least:
                at += 1
            best = np.int64(guesses[first + at])
        if least <= enough:
            break
    return most_parts, least, best


@inner
def separating_candidate(
    problem: Problem, members: ShortIndices, attempts: int, seen: Numbers
) -> tuple[int, int]:
    """Return value and guess of a part if guessing one of its candidates separates it.

    The guess gives every candidate an answer of its own, except that two candidates may share one.
    No other guess does better. Returns 0 and -1 if there is no such candidate. `seen` is a work
    array with one number for each answer.
    """
    count, all_but_two = len(members), np.int64(-1)
    for i in range(count):
        guess = problem.guess_of[members[i]]
        for answer in range(len(seen)):
            seen[answer] = 0
        parts = 0
        for j in range(count):
            answer = problem.feedback[members[j], guess]
            parts += seen[answer] == 0
            seen[answer] = 1
            if parts < j:
                break
        if parts == count:
            return np.int64(2 * count - 1), np.int64(guess)
        if parts == count - 1 and all_but_two < 0 and attempts >= 3:
            all_but_two = np.int64(guess)
    if all_but_two >= 0:
        return np.int64(2 * count), all_but_two
    return np.int64(0), np.int64(-1)


@makes_no_array
def estimate_all(
    problem: Problem, scratch: Scratch, size_bounds: Numbers, members: ShortIndices,
    guesses: ShortIndices, column: int,
) -> int:  # fmt: skip
    """Fill in the estimate of each guess, and the lower bound that follows from its parts' sizes.

    Returns the least of these bounds.

    The estimate is twice the sum of the parts' costs to go (in steps), and one more for a guess
    that is not a candidate. The bound is the number of candidates plus the sum of `size_bounds`
    over the parts; it is UNINFORMATIVE for an uninformative guess.
    """
    sizes, parts, more_bound = scratch.sizes, scratch.parts, scratch.more_bound
    number, count, least = len(guesses), len(members), UNINFORMATIVE
    for size in range(1, count + 1):
        more_bound[size] = size_bounds[size] - size_bounds[size - 1]
    for first in range(0, number, MEASURED_AT_ONCE):
        wide = min(MEASURED_AT_ONCE, number - first)
        cost = scratch.estimates[first : first + wide]
        bound = scratch.part_size_bounds[first : first + wide]
        for j in range(wide):
            cost[j] = bound[j] = parts[j] = 0
        for i in range(count):
            row = problem.feedback[members[i]]
            for j in range(wide):
                part = row[column + first + j] if column >= 0 else row[guesses[first + j]]
                size = sizes[j, part] + 1
                sizes[j, part] = size
                cost[j] += problem.more_cost[size]
                bound[j] += more_bound[size]
                parts[j] += size == 1
        for j in range(wide):
            hit = sizes[j, problem.winning]
            useless = parts[j] == 1 and hit == 0
            total = UNINFORMATIVE if useless else count + bound[j] - hit * more_bound[1]
            least = min(least, total)
            cost[j] = (cost[j] - hit * problem.more_cost[1]) * 2 + 1 - hit
            bound[j] = total
            for part in range(sizes.shape[1]):
                sizes[j, part] = 0
    return least


def one_ply_bound(
    problem: Problem, most_told: Numbers, members: ShortIndices, answers: Table, attempts: int,
    most_parts: int, bound: int,
) -> int:  # fmt: skip
    """Return a lower bound of a guess's value: its candidates, plus a lower bound of each part.

    The bound of a part is the least bound that any second guess has there, by the number of parts
    that this second guess makes. The `members` (candidates) give the `answers` to the first guess.
    The count stops when the total reaches `bound`.

    The problem's guesses are sorted by `most_told` (guesses,), descending: the number of parts that
    a guess makes of all candidates, plus one if the guess is a candidate. A guess makes no more
    parts of a subset, so that few guesses have to be counted for a large part. After the first
    guess, `attempts` guesses are left; no guess makes more than `most_parts` parts.
    """
    sizes = np.bincount(answers, minlength=problem.answers)
    sizes[problem.winning] = 0
    parts = np.argsort(-sizes, kind="stable")[: np.count_nonzero(sizes)]  # large ones tell most
    least = [tree_size_bound(size, most_parts, attempts) for size in sizes[parts].tolist()]
    total, scratch = len(members) + sum(least), new_scratch(problem, len(most_told))
    if attempts == 1 or problem.answers > MOST_COUNTED:
        return total
    for part, before in zip(parts.tolist(), least, strict=True):
        if total >= bound or sizes[part] <= 2:
            break
        found = _bound_of_part(problem, scratch, most_told, members[answers == part])
        total += max(0, found - before)
    return total


def _bound_of_part(
    problem: Problem, scratch: Scratch, most_told: Numbers, members: ShortIndices
) -> int:
    """Return the least lower bound that any guess has in a part, by the number of its parts."""
    count, own = len(members), problem.guess_of[members]
    least, most = 3 * count, count + (count > _FEW)
    if count <= _FEW or problem.candidates_only:
        enough = np.int64(2 * count)
        _, least, _ = fill_part_count_bounds(problem, scratch, members, own, NO_COLUMN, enough)
        if least <= enough or problem.candidates_only:
            return least
    for first in range(0, len(most_told), COUNTED_AT_ONCE):
        told = min(most, int(most_told[first]))
        if told <= 3 * count - least:
            break
        guesses = scratch.every[first : min(first + COUNTED_AT_ONCE, len(most_told))]
        _, found, _ = fill_part_count_bounds(
            problem, scratch, members, guesses, np.int64(first), np.int64(3 * count - told)
        )
        least = min(least, found)
    return least


# The shortlist.


@inlined
def mixed(one: np.uint64, other: np.uint64) -> np.uint64:
    """Return a hash of two numbers of 64 bits."""
    first = (one ^ (one >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    second = (other ^ (other >> np.uint64(31))) * np.uint64(0x94D049BB133111EB)
    return first ^ (second >> np.uint64(7)) ^ (second << np.uint64(9))


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
    bounds = scratch.part_count_bounds
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
def _sort(numbers: Numbers, count: int) -> None:
    """Sort the first `count` numbers (Shell, 1959); numba takes seconds to compile numpy's sort."""
    gap = count // 2
    while gap > 0:
        for start in range(gap, count):
            number, place = numbers[start], start
            while place >= gap and numbers[place - gap] > number:
                numbers[place] = numbers[place - gap]
                place -= gap
            numbers[place] = number
        gap //= 2


@inlined
def _is_alike(
    problem: Problem, scratch: Scratch, members: ShortIndices, guess: int, before: int
) -> bool:
    """Return whether a guess has, answer by answer, parts of the same sizes as one `before`.

    Such guesses mostly differ by a symmetry of the state. `before` is how many others there are;
    their keys, and then that of this guess, are in `scratch.size_keys`.
    """
    key, at = np.uint64(0), 0
    for m in range(len(members)):
        answer = np.uint64(problem.feedback[members[m], guess])
        key += mixed(np.uint64(0), answer + np.uint64(1))
    scratch.size_keys[before] = key
    while scratch.size_keys[at] != key:
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
    members = frame.members[: frame.state.count]
    limit = min(bound, UNINFORMATIVE) if width >= found else UNINFORMATIVE
    listed = np.int64(0)
    for j in range(found):
        if part_size_bounds[j] < limit:
            # One number to sort by: lost candidates, then the estimate, then the place.
            unsolved = min(part_size_bounds[j] // UNSOLVED_COST, 127)
            shortlist[listed] = (((unsolved << 36) + estimates[j]) << GUESS_BITS) + j
            listed += 1
    narrow, kept, distinct = width < found, 0, 0
    _sort(shortlist, listed)
    for place in range(listed):
        j = shortlist[place] & _GUESS_MASK
        if narrow:
            if distinct == width or place == width * ALIKE:
                break
            if _is_alike(problem, scratch, members, scratch.chosen[j], distinct):
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
    problem: Problem, width: int, scratch: Scratch, frame: Frame, known: int,
    guesses: ShortIndices, column: int,
) -> tuple[int, int, int]:  # fmt: skip
    """Fill the frame's shortlist with up to `width` guesses to search, best first.

    Returns the state's lower bound, its value (0 if unknown), and the guess of that value (or -1).
    `known` is a lower bound of the state. The shortlist is not filled if the lower bound reaches
    the frame's bound, or if the value is found at once.
    """
    state, members = frame.state, frame.members[: frame.state.count]
    attempts, bound = state.attempts, state.bound
    value, guess = separating_candidate(problem, members, attempts, scratch.seen)
    if value:
        return value, value, guess
    most_parts, lowest, _ = fill_part_count_bounds(
        problem, scratch, members, guesses, column, _NONE_ENOUGH
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
            column if found == len(guesses) else NO_COLUMN,  # all: still one after the other
        )  # fmt: skip
        lower_bound = max(lower_bound, min(bound_of_others, least))
        if lower_bound < bound:
            state.most_parts = most_parts
            state.tries = _shortlist(problem, scratch, frame, found, width, bound)
    return lower_bound, np.int64(0), _NO_GUESS
