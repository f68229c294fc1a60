"""Branch and bound over a feedback matrix, in hard mode too.

The *value* of a state is how many guesses its candidates take together under the best play among
the guesses searched; UNSOLVED_COST is added for each candidate that is not found in time. A *lower
bound* is how many a state, or a guess with all its parts, takes at least. Values from a *bound* on
may be inexact.

Hard mode has an `AllowedTable`; its states hold the guesses that are still allowed. Out of hard
mode, where every guess is, `allowed` is None, and in hard mode `query` is: what only the other mode
needs is then not compiled. Every value of hard mode is that of a play that was found:

- the *safe* value, which ignores the beam width: guesses are tried by their estimate, each of their
  parts having its safe value, until one loses nothing; where all lose, the one that loses least
- the value with a beam: the best of the `widths` guesses with the smallest estimates, and of the
  guess with the safe value, each of their parts having its value with that beam

An estimate depends on the sizes of parts and the attempts left alone. So by induction over states
no value is above the safe value, and none with a wider beam above one with a narrower.

One function goes down the tree with its own stack, because numba cannot cache recursive functions.
`kernels/reference_search.py` is the same search of hard mode by functions that call themselves.
"""

from typing import NamedTuple

import numpy as np

from puzzlehunt.kernels import problem as shared
from puzzlehunt.kernels.compiled.allowed_guesses import allow, fill_key, rank_allowed
from puzzlehunt.kernels.compiled.bounds import (
    after,
    fill_part_count_bounds,
    separating_candidate,
    tree_size_bound,
)
from puzzlehunt.kernels.compiled.jit import inlined, inner, makes_no_array
from puzzlehunt.kernels.compiled.partitions import group
from puzzlehunt.kernels.compiled.ranking import fill_size_bounds, rank
from puzzlehunt.kernels.compiled.transposition_table import TranspositionTable, probe, store
from puzzlehunt.kernels.compiled.workspace import (
    ALLOWED,
    ATTEMPTS,
    BEST,
    BOUND,
    COUNT,
    GUESS,
    INSIDE,
    LOWER_BOUND,
    MODE,
    MOST_PARTS,
    PART,
    PARTS,
    SAFE_GUESS,
    TOTAL,
    TRIED,
    TRIES,
    USED,
    WANTED,
    Frame,
    Workspace,
    frame_at,
)
from puzzlehunt.kernels.problem import (
    NO_BOUND,
    SAFE_TRIES_ALL,
    UNSOLVED_COST,
    AllowedTable,
    Limits,
    Problem,
    Root,
    ShortIndices,
)

UNBOUND = 1 << 50
"""A bound of this or more (guesses) is no bound: no value has been found yet."""
TOO_DEEP, STOPPED = -1, -2
"""Returned as a value where the stack has too few frames, and where the search was stopped."""
OF_STATE, OF_GUESS, BOUND_OF_GUESS = 0, 1, 2
"""What is asked for: the value of a state, of one guess in it, or only a lower bound of that."""
_NO_COLUMN = np.int64(-1)
"""No consecutive columns; a variable, so that nothing is compiled for a literal."""
_SAFE, _BEAM = np.int64(shared.SAFE), np.int64(shared.BEAM)


class Query(NamedTuple):
    """What `solve` is asked for out of hard mode: OF_STATE, OF_GUESS or BOUND_OF_GUESS.

    `first_guesses` are the guesses to choose from, one with the last two; `second_guesses` those in
    its parts. In later parts, and in these too if no second guesses are given, they are a block of
    `all_guesses`, which are the problem's columns.
    """

    asked: int
    first_guesses: ShortIndices
    second_guesses: ShortIndices
    all_guesses: ShortIndices


# The parts of a guess.


@inlined
def _pair_up(problem: Problem, frame: Frame) -> None:
    """Note the answers of the candidates of a frame's state to each other, if these are few."""
    count, members, pairs = frame.numbers[COUNT], frame.members, frame.pairs
    if count <= len(pairs):
        for i in range(count):
            row = problem.feedback[members[i]]
            for j in range(count):
                pairs[i, j] = row[problem.guess_of[members[j]]]


@inlined
def _bounds_of_parts(problem: Problem, frame: Frame) -> int:
    """Fill in the lower bounds of the parts of a guess by their sizes; return that of the guess."""
    total = frame.numbers[COUNT] + 0
    for part in range(problem.answers):
        size, bound = frame.start[part + 1] - frame.start[part], np.int64(0)
        if size and part != problem.winning:
            bound = frame.size_bounds[size]
        frame.size[part], frame.part_bounds[part] = size, bound
        total += bound
    return total


@inlined
def _list_parts(
    problem: Problem, workspace: Workspace, frame: Frame, total: int, query: Query | None
) -> int:
    """List the parts of a guess that have no value yet, the largest first; return its lower bound.

    Unless in hard mode, parts that the guess of a candidate separates are given their values. This
    ends where the bound, which is `total` before, is no better than the best guess.
    """
    numbers, start, size, unsettled = frame.numbers, frame.start, frame.size, frame.unsettled
    attempts = after(numbers[ATTEMPTS])
    parts = 0
    for part in range(problem.answers):
        if size[part] <= 2 or part == problem.winning or attempts == 1:
            continue
        if query is not None:
            before = frame.part_bounds[part]
            if numbers[COUNT] <= len(frame.pairs) and before <= 2 * size[part]:
                value, _ = separating_candidate(
                    frame.pairs, frame.indices, start[part], start[part + 1], workspace.every,
                    attempts, workspace.seen,
                )  # fmt: skip
                bound = value or 2 * size[part]
                frame.part_bounds[part] = bound
                total += bound - before
                if total >= numbers[BEST]:
                    break
                if value:
                    continue
        at = parts
        while at > 0 and size[unsettled[at - 1]] < size[part]:
            unsettled[at] = unsettled[at - 1]
            at -= 1
        unsettled[at] = part
        parts += 1
    numbers[PARTS] = parts
    return total


@inlined
def _probe_parts(
    problem: Problem, limits: Limits, table: TranspositionTable, frame: Frame, total: int
) -> int:
    """Look up the parts of a guess that have no value; return the guess's lower bound, which rises.

    Those that have a value are taken out of `unsettled`.
    """
    numbers, unsettled, ordered = frame.numbers, frame.unsettled, frame.ordered
    attempts = after(numbers[ATTEMPTS])
    kept = 0
    for at in range(numbers[PARTS]):
        part = unsettled[at]
        first, second = limits.keys[attempts, _BEAM, 0], limits.keys[attempts, _BEAM, 1]
        for i in range(frame.start[part], frame.start[part + 1]):
            first ^= problem.secret_keys[ordered[i], 0]
            second ^= problem.secret_keys[ordered[i], 1]
        frame.part_keys[part, 0], frame.part_keys[part, 1] = first, second
        known, value, _ = probe(table, first, second)
        before = frame.part_bounds[part]
        bound = value or max(before, known)
        frame.part_bounds[part] = bound
        total += bound - before
        if total >= numbers[BEST]:
            break
        if not value:
            unsettled[kept] = part
            kept += 1
    numbers[PARTS] = kept
    return total


@inlined
def _partition_key(problem: Problem, frame: Frame) -> int:
    """Return a hash of the partition of a state by a guess; it is never 0."""
    partition_key = np.uint64(1)
    for part in range(problem.answers):
        if frame.size[part]:
            key = np.uint64(0)
            for i in range(frame.start[part], frame.start[part + 1]):
                key ^= problem.secret_keys[frame.ordered[i], 0]
            mixed = (key ^ (key >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
            partition_key += mixed ^ (mixed >> np.uint64(29))
            if part == problem.winning:
                partition_key += np.uint64(1)
    return partition_key


@inner
def _partition_by(
    problem: Problem, limits: Limits, table: TranspositionTable, workspace: Workspace,
    frame: Frame, guess: int, query: Query | None,
) -> tuple[int, int]:  # fmt: skip
    """Divide the state of a frame by a guess; return the guess's lower bound and the partition key.

    The answers whose parts have no value yet are listed in `unsettled`, largest part first. The key
    is 0 where the bound is no better than the best guess, and in hard mode.
    """
    numbers, members, ordered, indices = frame.numbers, frame.members, frame.ordered, frame.indices
    answers, count = workspace.answers, numbers[COUNT]
    for i in range(count):
        answers[i] = problem.feedback[members[i], guess]
    group(answers, workspace.every, count, frame.start, indices)
    total, partition_key = _bounds_of_parts(problem, frame), np.uint64(0)
    if total < numbers[BEST]:
        total = _list_parts(problem, workspace, frame, total, query)
    if total < numbers[BEST]:
        for i in range(count):
            ordered[i] = members[indices[i]]
    if query is not None:
        if total < numbers[BEST]:
            total = _probe_parts(problem, limits, table, frame, total)
        if total < numbers[BEST]:
            partition_key = _partition_key(problem, frame)
    return total, partition_key


@inlined
def _bound_parts(
    problem: Problem, table: TranspositionTable, workspace: Workspace, frame: Frame, total:
    int, all_guesses: ShortIndices,
) -> int:  # fmt: skip
    """Return the lower bound of a guess by a one-ply bound of each of its unsettled parts.

    `total` is its bound before. The smallest parts come first, because they take the least time;
    this ends where the bound is no better than the best guess. What was found is stored.
    """
    numbers, part_bounds = frame.numbers, frame.part_bounds
    attempts = after(numbers[ATTEMPTS])
    few = numbers[COUNT] <= len(frame.pairs)
    used = max(numbers[USED], problem.used[frame.shortlist[numbers[TRIED] - 1]])
    first_column, after_last = problem.orbits[used, 0], problem.orbits[used, 1]
    for at in range(numbers[PARTS] - 1, -1, -1):
        part = frame.unsettled[at]
        size, start, before = frame.size[part], frame.start[part], part_bounds[part]
        if before > max(2 * size, tree_size_bound(size, numbers[MOST_PARTS], attempts)):
            continue
        value, guess = np.int64(0), np.int64(-1)
        if not few:
            value, guess = separating_candidate(
                problem.feedback, frame.ordered, start, start + size, problem.guess_of, attempts,
                workspace.seen,
            )  # fmt: skip
        bound = value
        if not value:
            guesses, column = all_guesses[first_column:after_last], first_column
            members = frame.ordered[start : start + size]
            if problem.candidates_only:
                column = _NO_COLUMN
                guesses = workspace.own_guesses[:size]
                for i in range(size):
                    guesses[i] = problem.guess_of[members[i]]
            _, least, guess = fill_part_count_bounds(
                problem, workspace.masks, members, guesses, column, max(before, 2 * size)
            )
            bound = max(before, least)
            if least == 2 * size and attempts >= 3:
                value = bound
        first, second = frame.part_keys[part, 0], frame.part_keys[part, 1]
        store(table, first, second, size, (bound, value, guess))
        total += bound - before
        part_bounds[part] = bound
        if total >= numbers[BEST]:
            break
    return total


@inlined
def _begin_beam(limits: Limits, frame: Frame) -> None:
    """Go on from the safe value of a state to its value with a beam."""
    numbers = frame.numbers
    numbers[MODE], numbers[TRIED], numbers[SAFE_GUESS] = _BEAM, 0, numbers[GUESS]
    numbers[INSIDE] = min(numbers[TRIES], limits.widths[numbers[COUNT]])
    if numbers[BEST] >= numbers[BOUND]:
        numbers[BEST], numbers[GUESS] = numbers[BOUND], -1


# One state after the other.


@inlined
def _probe_state(
    limits: Limits, table: TranspositionTable, frame: Frame, mode: int, allowed: AllowedTable | None
) -> tuple[int, int, int]:
    """Return lower bound, value or 0, and guess that are stored of a frame's state."""
    first, second = frame.zobrist_key[0], frame.zobrist_key[1]
    if allowed is not None:
        first ^= limits.keys[frame.numbers[ATTEMPTS], mode, 0]
        second ^= limits.keys[frame.numbers[ATTEMPTS], mode, 1]
    return probe(table, first, second)


@inlined
def _store_state(
    limits: Limits, table: TranspositionTable, frame: Frame, found: tuple[int, int, int],
    allowed: AllowedTable | None,
) -> None:  # fmt: skip
    """Store lower bound, value or 0, and guess of a frame's state."""
    first, second = frame.zobrist_key[0], frame.zobrist_key[1]
    if allowed is not None:
        first ^= limits.keys[frame.numbers[ATTEMPTS], frame.numbers[MODE], 0]
        second ^= limits.keys[frame.numbers[ATTEMPTS], frame.numbers[MODE], 1]
    store(table, first, second, frame.numbers[COUNT], found)


@inlined
def _choices(
    problem: Problem, workspace: Workspace, frame: Frame, depth: int, query: Query
) -> tuple[ShortIndices, int]:
    """Return the guesses to choose from, and the column of the first of consecutive ones, or -1."""
    numbers, guesses, column = frame.numbers, query.first_guesses, _NO_COLUMN
    if depth and problem.candidates_only:
        guesses = workspace.own_guesses[: numbers[COUNT]]
        for i in range(numbers[COUNT]):
            guesses[i] = problem.guess_of[frame.members[i]]
    elif depth == 1 and len(query.second_guesses):
        guesses = query.second_guesses
    elif depth:
        column = problem.orbits[numbers[USED], 0]
        guesses = query.all_guesses[column : problem.orbits[numbers[USED], 1]]
    elif len(guesses) == problem.orbits[-1, 1]:
        column = np.int64(0)
    return guesses, column


@inner
def _enter(
    problem: Problem, limits: Limits, table: TranspositionTable, workspace: Workspace,
    frame: Frame, depth: int, query: Query | None, allowed: AllowedTable | None,
) -> int:  # fmt: skip
    """Begin with the state of a frame; return its value, or a lower bound at or beyond the bound.

    Returns 0 if neither is known at once; then the guesses to search are put in order.
    """
    numbers = frame.numbers
    count, attempts, bound = numbers[COUNT], numbers[ATTEMPTS], numbers[BOUND]
    numbers[GUESS] = problem.guess_of[frame.members[0]]
    if count == 1 or attempts == 1:
        return count + (count - 1) * UNSOLVED_COST
    if count == 2:
        return np.int64(3)
    if allowed is not None:
        fill_key(problem, allowed, frame)
    known, value, guess = _probe_state(limits, table, frame, numbers[WANTED], allowed)
    if value or known >= bound:
        numbers[GUESS] = guess
        return max(value, known)
    lower_bound = known
    if query is not None:
        guesses, column = _choices(problem, workspace, frame, depth, query)
        lower_bound, value, guess = rank(problem, limits, workspace, frame, known, guesses, column)
        if value:
            numbers[GUESS] = guess
        if value or lower_bound >= bound:
            _store_state(limits, table, frame, (lower_bound, value, guess), None)
            return lower_bound
    if allowed is not None:
        lower_bound = rank_allowed(problem, allowed, workspace, frame)
        if lower_bound >= bound:
            return lower_bound
    numbers[LOWER_BOUND] = lower_bound
    numbers[TRIED] = numbers[PART] = 0
    numbers[BEST], numbers[GUESS] = bound, -1
    if allowed is not None:
        numbers[MODE], numbers[BEST], numbers[INSIDE] = _SAFE, NO_BOUND, numbers[TRIES]
        if attempts > SAFE_TRIES_ALL:
            numbers[INSIDE] = min(numbers[TRIES], limits.safe_width)
        if numbers[WANTED] == _BEAM:
            known, value, guess = _probe_state(limits, table, frame, _SAFE, allowed)
            if value:
                numbers[BEST], numbers[GUESS] = value, guess
            if value or limits.safe_width == 0:
                _begin_beam(limits, frame)
    return np.int64(0)


@inlined
def _goes_on(frame: Frame, allowed: AllowedTable | None) -> bool:
    """Return whether a frame has a next guess that may be better."""
    numbers = frame.numbers
    goes_on = numbers[TRIED] < numbers[TRIES] and numbers[BEST] > numbers[LOWER_BOUND]
    if allowed is not None and goes_on:
        inside = numbers[TRIED] < numbers[INSIDE]
        if numbers[MODE] == _SAFE:
            goes_on = inside and numbers[BEST] >= UNSOLVED_COST
        else:
            goes_on = inside or numbers[SAFE_GUESS] >= 0
    return goes_on


@inlined
def _is_skipped(frame: Frame, at: int, allowed: AllowedTable | None) -> bool:
    """Return whether a guess is not searched: it is no better, or outside the beam."""
    numbers = frame.numbers
    skipped = frame.shortlist_bounds[at] >= numbers[BEST]
    if allowed is not None and numbers[MODE] == _BEAM:
        if frame.shortlist[at] == numbers[SAFE_GUESS]:
            numbers[SAFE_GUESS] = -1
        elif at >= numbers[INSIDE]:
            skipped = True
    return skipped


@inlined
def _advance(
    problem: Problem, limits: Limits, table: TranspositionTable, workspace: Workspace,
    frame: Frame, query: Query | None, allowed: AllowedTable | None,
) -> bool:  # fmt: skip
    """Go on to a frame's next guess; return whether its parts must be searched."""
    numbers, partition_keys = frame.numbers, frame.partition_keys
    at = numbers[TRIED]
    guess = frame.shortlist[at]
    numbers[TRIED] += 1
    if query is not None:
        partition_keys[at] = 0
        if at == 0:
            _pair_up(problem, frame)
    if _is_skipped(frame, at, allowed):
        return False
    total, partition_key = _partition_by(problem, limits, table, workspace, frame, guess, query)
    if query is not None:
        partition_keys[at] = partition_key
    if total >= numbers[BEST]:
        return False
    if query is not None:
        for before in range(at):
            if partition_keys[before] == partition_key:
                return False
        if numbers[PARTS] > 1 and numbers[BEST] < UNBOUND:
            total = _bound_parts(problem, table, workspace, frame, total, query.all_guesses)
            if total >= numbers[BEST]:
                return False
    numbers[TOTAL] = total
    if numbers[PARTS]:
        return True
    numbers[BEST], numbers[GUESS] = total, guess
    return False


@inlined
def _end(
    limits: Limits, table: TranspositionTable, frame: Frame, allowed: AllowedTable | None
) -> int:
    """End a state that has no guess left; return its value, 0 where it is searched further."""
    numbers = frame.numbers
    value = numbers[BEST]
    exact = value if numbers[GUESS] >= 0 else 0
    _store_state(limits, table, frame, (value, exact, numbers[GUESS]), allowed)
    if allowed is not None and numbers[MODE] == _SAFE and numbers[WANTED] == _BEAM:
        _begin_beam(limits, frame)
        value = 0
    return value


@inlined
def _descend(
    problem: Problem, workspace: Workspace, frame: Frame, depth: int, allowed: AllowedTable | None
) -> None:
    """Fill the next frame, at `depth`, with the next part of a guess."""
    frames, numbers = workspace.frames, frame.numbers
    later, members = frames.numbers[depth], frames.members[depth]
    part, guess = frame.unsettled[numbers[PART]], frame.shortlist[numbers[TRIED] - 1]
    size, start = frame.size[part], frame.start[part]
    later[COUNT], later[ATTEMPTS] = size, after(numbers[ATTEMPTS])
    later[BOUND] = numbers[BEST] - numbers[TOTAL] + frame.part_bounds[part]
    later[MOST_PARTS] = numbers[MOST_PARTS]
    later[USED] = max(numbers[USED], problem.used[guess])
    for i in range(size):
        members[i] = frame.ordered[start + i]
    if allowed is None:
        frames.zobrist_key[depth, 0] = frame.part_keys[part, 0]
        frames.zobrist_key[depth, 1] = frame.part_keys[part, 1]
    else:
        later[WANTED] = numbers[MODE]
        if numbers[MODE] == _SAFE:
            later[BOUND] = NO_BOUND
        before = frame.allowed[: numbers[ALLOWED]]
        later[ALLOWED] = allow(allowed, guess, part, before, frames.allowed[depth], workspace.tiles)


@inlined
def _add_to_total(frames: Frame, depth: int, value: int) -> None:
    """Add the value of a part to its guess's, which may be the best with its last part."""
    numbers = frames.numbers[depth]
    part = frames.unsettled[depth, numbers[PART]]
    numbers[TOTAL] += value - frames.part_bounds[depth, part]
    numbers[PART] += 1
    if numbers[TOTAL] >= numbers[BEST]:
        numbers[PART] = 0
    elif numbers[PART] == numbers[PARTS]:
        numbers[PART] = 0
        numbers[BEST], numbers[GUESS] = numbers[TOTAL], frames.shortlist[depth, numbers[TRIED] - 1]


@inlined
def _begin(
    problem: Problem, limits: Limits, frames: Frame, root: Root, query: Query | None,
    allowed: AllowedTable | None,
) -> bool:  # fmt: skip
    """Fill the first frame; return whether its guesses are in order already."""
    numbers, candidates = frames.numbers[0], root.candidates
    first, second = limits.keys[root.attempts, _BEAM, 0], limits.keys[root.attempts, _BEAM, 1]
    for i in range(len(candidates)):
        frames.members[0, i] = candidates[i]
        first ^= problem.secret_keys[candidates[i], 0]
        second ^= problem.secret_keys[candidates[i], 1]
    frames.zobrist_key[0, 0], frames.zobrist_key[0, 1] = first, second
    numbers[COUNT], numbers[ATTEMPTS] = len(candidates), root.attempts
    numbers[BOUND], numbers[MOST_PARTS], numbers[USED] = root.bound, root.most_parts, root.used
    entered = False
    if allowed is not None:
        numbers[WANTED], numbers[ALLOWED] = _BEAM, len(root.allowed)
        for i in range(len(root.allowed)):
            frames.allowed[0, i] = root.allowed[i]
    if query is not None and query.asked != OF_STATE:
        entered = True
        fill_size_bounds(numbers, frames.size_bounds[0], root.most_parts)
        numbers[BEST], numbers[GUESS] = root.bound, -1
        numbers[LOWER_BOUND] = numbers[TRIED] = numbers[PART] = 0
        numbers[TRIES] = 1
        frames.shortlist[0, 0], frames.shortlist_bounds[0, 0] = query.first_guesses[0], 0
    return entered


@makes_no_array
def solve(
    problem: Problem, limits: Limits, table: TranspositionTable, workspace: Workspace, root:
    Root, query: Query | None, allowed: AllowedTable | None,
) -> tuple[int, int]:  # fmt: skip
    """Return value and guess of a state; the bound or more says only that the value is no less.

    Returns STOPPED once `workspace.stop` is not 0, and TOO_DEEP where it has too few frames.
    """
    depth, depths = np.int64(0), len(workspace.frames.numbers)
    entered = _begin(problem, limits, workspace.frames, root, query, allowed)
    asked = OF_STATE + 0
    if query is not None:
        asked = query.asked
    while True:
        if workspace.stop[0]:
            return np.int64(STOPPED), np.int64(-1)
        frame = frame_at(workspace.frames, depth)
        numbers, value = frame.numbers, np.int64(0)
        if not entered:
            value = _enter(problem, limits, table, workspace, frame, depth, query, allowed)
            entered = True
            if not value:
                continue
        elif numbers[PART] == 0:
            if _goes_on(frame, allowed):
                if not _advance(problem, limits, table, workspace, frame, query, allowed):
                    continue
                if asked == BOUND_OF_GUESS:
                    return numbers[TOTAL], numbers[GUESS]
            elif depth or asked == OF_STATE:
                value = _end(limits, table, frame, allowed)
                if not value:
                    continue
            else:
                value = numbers[BEST]
        if not value:  # the value of the next part is sought
            if depth + 1 == depths:
                return np.int64(TOO_DEEP), np.int64(-1)
            depth += 1
            _descend(problem, workspace, frame, depth, allowed)
            entered = False
            continue
        # The value of this frame is known; the frame above adds it to the total of its guess.
        if depth == 0:
            return value, numbers[GUESS]
        depth -= 1
        _add_to_total(workspace.frames, depth, value)
