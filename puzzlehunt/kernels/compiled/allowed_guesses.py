"""Hard mode: the guesses that it allows after an answer, in order, and the key of its states."""

import numpy as np

from puzzlehunt.kernels.compiled.jit import inner, kernel
from puzzlehunt.kernels.compiled.ranking import fill_size_bounds, shortlist
from puzzlehunt.kernels.compiled.workspace import (
    ALLOWED,
    COUNT,
    LATER,
    MOST_PARTS,
    TRIES,
    USED,
    Frame,
    Scratch,
    Workspace,
    frame_at,
)
from puzzlehunt.kernels.problem import (
    NO_BOUND,
    UNLIMITED,
    AllowedTable,
    Keys,
    Numbers,
    Problem,
    Root,
    ShortIndices,
)


@inner
def rank_allowed(problem: Problem, allowed: AllowedTable, scratch: Scratch, frame: Frame) -> int:
    """Put the allowed guesses that tell something in order; return the least of their bounds.

    Of guesses that are alike the first alone is put in order; all others stay allowed.
    """
    numbers, members, feedback = frame.numbers, frame.members, problem.feedback
    count, later = numbers[COUNT], numbers[LATER]
    cost_to_go = problem.cost_to_go[min(later, len(problem.cost_to_go) - 1)]
    sizes, answers, size_bounds = scratch.sizes, scratch.answers, frame.size_bounds
    representative, winning = allowed.representative[numbers[USED]], problem.winning
    estimates = scratch.estimates.estimates
    part_size_bounds = scratch.estimates.part_size_bounds
    fill_size_bounds(numbers, size_bounds, numbers[MOST_PARTS])
    kept, found, most_parts, least = np.int64(0), np.int64(0), np.int64(1), NO_BOUND
    for i in range(numbers[ALLOWED]):
        guess = frame.allowed[i]
        parts = np.int64(0)
        for m in range(count):
            answer = np.int64(feedback[members[m], guess])
            if sizes[answer] == 0:
                answers[parts] = answer
                parts += 1
            sizes[answer] += 1
        bound, estimate = count + 0, np.int64(0)
        for p in range(parts):
            answer = answers[p]
            size = sizes[answer]
            sizes[answer] = 0
            if answer != winning:
                bound += size_bounds[size]
                estimate += cost_to_go[size]
        if parts > 1:
            frame.allowed[kept] = guess
            kept += 1
            if representative[guess]:
                scratch.chosen[found] = guess
                estimates[found], part_size_bounds[found] = estimate, bound
                found += 1
            least = min(least, bound)
            most_parts = max(most_parts, parts)
    numbers[ALLOWED], numbers[TRIES] = kept, shortlist(scratch, frame, found, found, NO_BOUND, 0)
    if most_parts < numbers[MOST_PARTS]:
        numbers[MOST_PARTS] = most_parts
        fill_size_bounds(numbers, frame.size_bounds, most_parts)
    return least


@inner
def allow(
    allowed: AllowedTable, guess: int, answer: int, before: ShortIndices, later:
    ShortIndices, tiles: Numbers,
) -> int:  # fmt: skip
    """Fill in the guesses of `before` that hard mode allows after an answer; return how many."""
    count = 0
    if len(allowed.feedback):
        row = allowed.feedback[guess]
        for i in range(len(before)):
            if row[before[i]] == answer:
                later[count] = before[i]
                count += 1
        return count
    codes, occurrences = allowed.codes, allowed.occurrences
    length, symbols = codes.shape[1], occurrences.shape[1]
    positions, letters, needed = tiles[0], tiles[1], tiles[2]
    kept = used = 0
    for position in range(length):
        digit, symbol = allowed.digits[answer, position], np.int64(codes[guess, position])
        if digit == 0 or symbol >= symbols:
            continue
        if digit == 2:
            positions[kept] = position
            kept += 1
        at = 0
        while at < used and letters[at] != symbol:
            at += 1
        if at == used:
            letters[at], needed[at] = symbol, 0
            used += 1
        needed[at] += 1
    for i in range(len(before)):
        g, right = before[i], True
        for j in range(kept):
            if codes[g, positions[j]] != codes[guess, positions[j]]:
                right = False
                break
        if right:
            for j in range(used):
                if occurrences[g, letters[j]] < needed[j]:
                    right = False
                    break
        if right:
            later[count] = g
            count += 1
    return count


@inner
def fill_key(problem: Problem, allowed: AllowedTable, frame: Frame, key: Keys) -> None:
    """Fill in the key of a state of hard mode; `key` (2,) is that of its attempts and its mode."""
    first, second = key[0], key[1]
    for m in range(frame.numbers[COUNT]):
        first ^= problem.secret_keys[frame.members[m], 0]
        second ^= problem.secret_keys[frame.members[m], 1]
    for i in range(frame.numbers[ALLOWED]):
        first ^= allowed.keys[frame.allowed[i], 0]
        second ^= allowed.keys[frame.allowed[i], 1]
    frame.zobrist_key[0], frame.zobrist_key[1] = first, second


@kernel
def ranked_allowed(
    problem: Problem, allowed: AllowedTable, workspace: Workspace, root: Root
) -> Numbers:
    """Return (N, 2): the allowed guesses that tell something, best estimate first, with bounds."""
    frame = frame_at(workspace.frames, np.int64(0))
    numbers = frame.numbers
    for m in range(len(root.candidates)):
        frame.members[m] = root.candidates[m]
    for i in range(len(root.allowed)):
        frame.allowed[i] = root.allowed[i]
    numbers[COUNT], numbers[ALLOWED] = len(root.candidates), len(root.allowed)
    numbers[LATER] = root.attempts - (root.attempts < UNLIMITED)
    numbers[MOST_PARTS], numbers[USED] = problem.answers, 0
    rank_allowed(problem, allowed, workspace.scratch, frame)
    ranked = np.empty((numbers[TRIES], 2), np.int64)
    for i in range(len(ranked)):
        ranked[i, 0], ranked[i, 1] = frame.shortlist[i], frame.shortlist_bounds[i]
    return ranked


@kernel
def allowed_after(
    allowed: AllowedTable, guess: int, answer: int, before: ShortIndices
) -> ShortIndices:
    """Return the guesses of `before` that hard mode allows after a guess and its answer."""
    later = np.empty(len(before), np.int32)
    tiles = np.empty((3, allowed.codes.shape[1]), np.int64)
    count = allow(allowed, guess, answer, before, later, tiles)
    return later[:count]
