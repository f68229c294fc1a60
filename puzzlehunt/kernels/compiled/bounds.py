"""Lower bounds of guesses that need no search, and the estimates by which guesses are sorted.

A *part* consists of the candidates that an answer leaves. If the guesses are consecutive columns of
the feedback matrix, which is far faster, `column` is the first of these columns; otherwise -1.
"""

from typing import Any

import numpy as np

from puzzlehunt.kernels.compiled.grouping import popcount
from puzzlehunt.kernels.compiled.jit import inlined, inner, makes_no_array
from puzzlehunt.kernels.compiled.workspace import (
    COUNTED_AT_ONCE,
    MEASURED_AT_ONCE,
    Masks,
    Scratch,
    new_masks,
)
from puzzlehunt.kernels.feedback_matrix import Table
from puzzlehunt.kernels.problem import (
    UNINFORMATIVE,
    Numbers,
    Problem,
    ShortIndices,
    tree_size_bound,
)

MOST_COUNTED = 256
"""Parts are counted, one bit each, only for rules with at most this many answers."""
_FEW = 32
"""In a part of at most this many candidates, a separating candidate is sought first."""
_NO_COLUMN = np.int64(-1)
"""No consecutive columns."""


@inlined
def _mark_answers(
    problem: Problem, masks: Masks, members: ShortIndices, guesses: ShortIndices, column:
    int, first: int, wide: int, word: int,
) -> None:  # fmt: skip
    """Set one bit for each answer that the guesses from index `first` on get.

    If `word` is -1, the bits are set in `few_masks`, otherwise in `masks`, whose words have 64
    bits: a guess with more answers needs several words, and this call fills the one numbered
    `word`. The operation `& 31` tells the compiler that no bit of `few_masks` is above 31. Only
    then does it handle eight guesses at once.
    """
    many_masks, few_masks, feedback = masks.masks, masks.few_masks, problem.feedback
    for j in range(wide):
        many_masks[j] = 0
        few_masks[j] = 0
    for i in range(len(members)):
        answers = feedback[members[i], max(column, 0) + first : max(column, 0) + first + wide]
        if column < 0:
            answers = masks.answers[:wide]
            for j in range(wide):
                answers[j] = feedback[members[i], guesses[first + j]]
        if word < 0:
            for j in range(wide):
                few_masks[j] |= np.uint32(np.uint32(1) << (answers[j] & np.uint32(31)))
        else:
            for j in range(wide):
                bit = np.uint64(1) << (np.uint64(answers[j]) & np.uint64(63))
                many_masks[j] |= bit if answers[j] >> 6 == word else np.uint64(0)


@makes_no_array
def fill_part_count_bounds(
    problem: Problem, masks: Masks, members: ShortIndices, guesses: ShortIndices, column: int,
    enough: int,
) -> tuple[int, int, int]:  # fmt: skip
    """Fill in the lower bound of each guess that follows from the number of its parts.

    Returns the largest number of parts, the least bound, and the first guess with that bound. The
    count ends early at a bound of at most `enough`.

    Each of n candidates takes this guess and a second one. In each of the p parts, all candidates
    but one also take a third guess. The bound is therefore 3n - p guesses, and one less if the
    guess is a candidate. If a rule has more than 256 answers, parts are not counted: every bound is
    0, and the largest number of parts is the number of answers.
    """
    bounds, count = masks.part_count_bounds, len(members)
    number, most_parts, best = len(guesses), np.int64(1), np.int64(-1)
    least: Any = UNINFORMATIVE
    counted = problem.answers <= MOST_COUNTED
    if not counted:
        most_parts, least = np.int64(problem.answers), np.int64(0)
        for j in range(number):
            bounds[j] = 0
    few, win = problem.answers <= 32, np.uint64(problem.winning & 63)
    for first in range(0, number if counted else 0, COUNTED_AT_ONCE):
        wide = min(COUNTED_AT_ONCE, number - first)
        block = bounds[first : first + wide]  # twice the number of parts, and one more for a hit
        for j in range(wide):
            block[j] = 0
        for word in range((problem.answers + 63) // 64):
            _mark_answers(
                problem, masks, members, guesses, column, first, wide, np.int64(-1) if few else word
            )
            has_win = np.int64(problem.winning // 64 == word)
            for j in range(wide):
                mask = np.uint64(masks.few_masks[j]) if few else masks.masks[j]
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
    feedback: Table, members: ShortIndices, begin: int, end: int, guess_of: ShortIndices,
    attempts: int, seen: Numbers,
) -> tuple[int, int]:  # fmt: skip
    """Return value and guess of a part if guessing one of its candidates separates it.

    The guess gives every candidate an answer of its own, except that two candidates may share one.
    No other guess does better. Returns 0 and -1 if there is no such candidate.

    `feedback` has the answers of secrets (rows) to guesses (columns). The candidates of the part
    are the secrets members[begin:end]; `guess_of` has the index of each secret among the guesses.
    `seen` is a work array with one number for each answer.
    """
    count, all_but_two = end - begin, np.int64(-1)
    for i in range(begin, end):
        guess = guess_of[members[i]]
        for answer in range(len(seen)):
            seen[answer] = 0
        parts = 0
        for j in range(begin, end):
            answer = feedback[members[j], guess]
            parts += seen[answer] == 0
            seen[answer] = 1
            if parts + end - j < count:
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
    sizes, cost, bound, parts = scratch.sizes, scratch.cost, scratch.bound, scratch.parts
    more_cost, more_bound = scratch.more_cost, scratch.more_bound
    number, count, least = len(guesses), len(members), UNINFORMATIVE
    for size in range(1, count + 1):
        more_cost[size] = problem.cost_to_go[size] - problem.cost_to_go[size - 1]
        more_bound[size] = size_bounds[size] - size_bounds[size - 1]
    for first in range(0, number, MEASURED_AT_ONCE):
        wide = min(MEASURED_AT_ONCE, number - first)
        for j in range(wide):
            cost[j] = bound[j] = parts[j] = 0
        for i in range(count):
            row = problem.feedback[members[i]]
            for j in range(wide):
                part = row[column + first + j] if column >= 0 else row[guesses[first + j]]
                size = sizes[j, part] + 1
                sizes[j, part] = size
                cost[j] += more_cost[size]
                bound[j] += more_bound[size]
                parts[j] += size == 1
        for j in range(wide):
            hit = sizes[j, problem.winning]
            useless = parts[j] == 1 and hit == 0
            total = UNINFORMATIVE if useless else count + bound[j] - hit * more_bound[1]
            least = min(least, total)
            scratch.estimates[first + j] = (cost[j] - hit * more_cost[1]) * 2 + 1 - hit
            scratch.part_size_bounds[first + j] = total
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
    total, masks = len(members) + sum(least), new_masks(len(most_told), problem.feedback.dtype)
    if attempts == 1 or problem.answers > MOST_COUNTED:
        return total
    for part, before in zip(parts.tolist(), least, strict=True):
        if total >= bound or sizes[part] <= 2:
            break
        found = _bound_of_part(problem, masks, most_told, members[answers == part])
        total += max(0, found - before)
    return total


def _bound_of_part(
    problem: Problem, masks: Masks, most_told: Numbers, members: ShortIndices
) -> int:
    """Return the least lower bound that any guess has in a part, by the number of its parts."""
    count, own = len(members), problem.guess_of[members]
    least, most = 3 * count, count + (count > _FEW)
    if count <= _FEW or problem.candidates_only:
        enough = np.int64(2 * count)
        _, least, _ = fill_part_count_bounds(problem, masks, members, own, _NO_COLUMN, enough)
        if least <= enough or problem.candidates_only:
            return least
    # First a few guesses; then, in each step, the guesses whose answers need the same number of
    # words.
    ends = np.searchsorted(-most_told, [-255, -191, -127, -63, -31])
    first, every = 0, np.arange(len(most_told), dtype=np.int32)
    steps = {min(COUNTED_AT_ONCE, len(most_told)), *ends.tolist(), len(most_told)} - {0}
    for end in sorted(steps):
        told = 3 * count - least
        last = min(end, int(np.searchsorted(-most_told, -told)))
        if told >= most or first >= last:
            break
        narrow = problem._replace(answers=min(problem.answers, int(most_told[first]) + 1))
        enough = np.int64(3 * count - min(most, int(most_told[first])))
        _, found, _ = fill_part_count_bounds(
            narrow, masks, members, every[first:last], np.int64(first), enough
        )
        first, least = last, min(least, found)
    return least
