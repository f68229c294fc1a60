"""Branch and bound over a feedback matrix.

The *value* of a state is the number of guesses that its candidates take together if the best of the
guesses searched are made; UNSOLVED_COST is added for each candidate that is not found in time. A
*lower bound* is a number of guesses that a state, or a guess with all its parts, takes at least. A
search is given a *bound*: values of the bound or more may be inexact.

A beam holds one of several alike guesses: `ranking` leaves the others out.

One function descends the tree with a stack of its own, because numba cannot cache recursive
functions.

Results by state are in a lock-free transposition table of fixed size (Greenblatt, 1967; Hyatt and
Mann, 2002), which threads share. It has four numbers of 64 bits for each entry:

- the state's first key
- the state's second key, mixed with the next two numbers
- the state's size and its lower bound
- the state's value, 0 if unknown, and its best guess

If one thread reads an entry while another thread writes it, the mixed key does not match the other
numbers, and the state counts as unknown.
"""

from typing import NamedTuple

import numpy as np

from puzzlehunt.kernels.compiled.grouping import group
from puzzlehunt.kernels.compiled.jit import inlined, inner, makes_no_array
from puzzlehunt.kernels.compiled.ranking import (
    NO_COLUMN,
    fill_part_count_bounds,
    mixed,
    rank,
    separating_candidate,
)
from puzzlehunt.kernels.compiled.workspace import Frame, Scratch, Workspace, frame_at
from puzzlehunt.kernels.problem import (
    FULLY_SEARCHED,
    GUESS_BITS,
    UNLIMITED,
    UNSOLVED_COST,
    Keys,
    Problem,
    ShortIndices,
)

UNBOUND = 1 << 50
"""A bound of this many guesses or more means that no value has been found yet."""
TOO_DEEP, STOPPED = -1, -2
"""Returned as a value if the stack has too few frames, and if the search was stopped."""
_VALUE_BITS = 44
"""Number of bits that a value takes in an entry."""
_GUESS_MASK, _VALUE_MASK = (1 << GUESS_BITS) - 1, (1 << _VALUE_BITS) - 1
_WAYS = 4
"""Number of entries in which a given state may be kept."""


class Query(NamedTuple):
    """What `solve` computes, for which state, and the guesses that it chooses from.

    - `candidates`, `attempts`: the state: its candidates, and the attempts left
    - `used`: the first `used` symbols include all that were guessed
    - `bound`: a value of `bound` or more is only a lower bound
    - `width`: the beam: how many guesses are searched in a state of more than FULLY_SEARCHED
      candidates
    - `attempt_keys` (attempts, 2): the part of a state's key (two numbers) that depends on the
      attempts left and on the width of the beam
    - `guesses`: the guesses to choose from. Later guesses come from a block of the problem's
      columns, or from the candidates if only these may be guessed
    """

    candidates: ShortIndices
    attempts: int
    used: int
    bound: int
    width: int
    attempt_keys: Keys
    guesses: ShortIndices


# The transposition table.


@inner
def probe(table: Keys, first_key: np.uint64, second_key: np.uint64) -> tuple[int, int, int]:
    """Return lower bound, value and best guess of a state from the table.

    Bound and value are 0 if unknown. The guess is meaningless if the value is 0.
    """
    at = np.int64(first_key & np.uint64(len(table) - 1)) & ~(_WAYS - 1)
    for way in range(at, at + _WAYS):
        if table[way, 0] == first_key:
            size_and_bound, value_and_guess = table[way, 2], table[way, 3]
            if table[way, 1] == second_key ^ mixed(size_and_bound, value_and_guess):
                value = np.int64(value_and_guess >> np.uint64(GUESS_BITS))
                guess = np.int64(value_and_guess & np.uint64(_GUESS_MASK))
                return np.int64(size_and_bound & np.uint64(_VALUE_MASK)), value, guess
    return np.int64(0), np.int64(0), np.int64(-1)


@inner
def store(
    table: Keys, first_key: np.uint64, second_key: np.uint64, size: int,
    found: tuple[int, int, int],
) -> None:  # fmt: skip
    """Store what was found for a state (lower bound, value, guess); the smallest state gives way.

    Of the entries in which the state may be kept, its own is replaced, or else that of the smallest
    state.
    """
    bound, value, guess = found
    at = np.int64(first_key & np.uint64(len(table) - 1)) & ~(_WAYS - 1)
    index, smallest = int(at), np.int64(1 << 60)
    for way in range(at, at + _WAYS):
        if table[way, 0] == first_key:
            index = way
            break
        size_there = np.int64(table[way, 2] >> np.uint64(_VALUE_BITS))
        if size_there < smallest:
            index, smallest = way, size_there
    size_and_bound = np.uint64(bound) | (np.uint64(size) << np.uint64(_VALUE_BITS))
    value_and_guess = (np.uint64(value) << np.uint64(GUESS_BITS)) | np.uint64(max(guess, 0))
    table[index, 0] = first_key
    table[index, 2] = size_and_bound
    table[index, 3] = value_and_guess
    table[index, 1] = second_key ^ mixed(size_and_bound, value_and_guess)


# The parts of a guess.


@inlined
def _list_parts(problem: Problem, scratch: Scratch, frame: Frame, total: int) -> int:
    """List the parts of a guess that have no value yet, the largest first; return its lower bound.

    Parts that guessing a candidate separates get their values here. `total` is the lower bound of
    the guess before. The function ends early when this bound reaches the value of the best guess.
    """
    state, start, size, unsettled = frame.state, frame.start, frame.size, frame.unsettled
    attempts, parts = state.later, 0
    for part in range(problem.answers):
        if size[part] <= 2 or part == problem.winning or attempts == 1:
            continue
        before = frame.part_bounds[part]
        if before <= 2 * size[part]:
            value, _ = separating_candidate(
                problem, frame.ordered[start[part] : start[part + 1]], attempts, scratch.seen
            )
            bound = value or 2 * size[part]
            frame.part_bounds[part] = bound
            total += bound - before
            if total >= state.best:
                break
            if value:
                continue
        at = parts
        while at > 0 and size[unsettled[at - 1]] < size[part]:
            unsettled[at] = unsettled[at - 1]
            at -= 1
        unsettled[at] = part
        parts += 1
    state.parts = parts
    return total


@inlined
def _probe_parts(problem: Problem, table: Keys, frame: Frame, query: Query, total: int) -> int:
    """Look up the unsettled parts of a guess in the table; return the guess's new lower bound.

    Parts whose value is found are removed from `unsettled`. `total` is the lower bound before.
    """
    state, unsettled, ordered = frame.state, frame.unsettled, frame.ordered
    attempts, kept = state.later, 0
    for at in range(state.parts):
        part = unsettled[at]
        first, second = query.attempt_keys[attempts, 0], query.attempt_keys[attempts, 1]
        for i in range(frame.start[part], frame.start[part + 1]):
            first ^= problem.secret_keys[ordered[i], 0]
            second ^= problem.secret_keys[ordered[i], 1]
        frame.part_keys[part, 0], frame.part_keys[part, 1] = first, second
        known, value, _ = probe(table, first, second)
        before = frame.part_bounds[part]
        bound = value or max(before, known)
        frame.part_bounds[part] = bound
        total += bound - before
        if total >= state.best:
            break
        if not value:
            unsettled[kept] = part
            kept += 1
    state.parts = kept
    return total


@inlined
def _bound_parts(problem: Problem, table: Keys, scratch: Scratch, frame: Frame, total: int) -> int:
    """Return the lower bound of a guess after raising the bounds of its unsettled parts.

    The new bound of a part is the least of all guesses there, by the number of their parts. `total`
    is the lower bound of the guess before. The smallest parts come first, because they take the
    least time. The function ends early when the bound reaches the value of the best guess. The
    bounds of parts are stored in the table.
    """
    state, part_bounds = frame.state, frame.part_bounds
    used = max(state.used, problem.used[frame.shortlist[state.tried - 1]])
    first_column, after_last = problem.orbits[used, 0], problem.orbits[used, 1]
    for at in range(state.parts - 1, -1, -1):
        part = frame.unsettled[at]
        size, start, before = frame.size[part], frame.start[part], part_bounds[part]
        if before > max(2 * size, frame.size_bounds[size]):
            continue
        members = frame.ordered[start : start + size]
        guesses, column = scratch.every[first_column:after_last], first_column
        if problem.candidates_only:
            column = NO_COLUMN
            guesses = scratch.own_guesses[:size]
            for i in range(size):
                guesses[i] = problem.guess_of[members[i]]
        _, least, guess = fill_part_count_bounds(
            problem, scratch, members, guesses, column, max(before, 2 * size)
        )
        bound = max(before, least)
        value = bound if least == 2 * size and state.later >= 3 else np.int64(0)
        first, second = frame.part_keys[part, 0], frame.part_keys[part, 1]
        store(table, first, second, size, (bound, value, guess))
        total += bound - before
        part_bounds[part] = bound
        if total >= state.best:
            break
    return total


@inner
def _partition_by(
    problem: Problem, table: Keys, scratch: Scratch, frame: Frame, query: Query
) -> bool:
    """Divide the state of a frame by its next guess; return whether its parts must be searched."""
    state, answers, count = frame.state, scratch.answers, frame.state.count
    guess, total = frame.shortlist[state.tried - 1], count + 0
    for i in range(count):
        answers[i] = problem.feedback[frame.members[i], guess]
    group(answers, frame.members, count, frame.start, frame.ordered)
    for part in range(problem.answers):
        size, bound = frame.start[part + 1] - frame.start[part], np.int64(0)
        if size and part != problem.winning:
            bound = frame.size_bounds[size]
        frame.size[part], frame.part_bounds[part] = size, bound
        total += bound
    if total < state.best:
        total = _list_parts(problem, scratch, frame, total)
    if total < state.best:
        total = _probe_parts(problem, table, frame, query, total)
    if total < state.best and state.parts > 1 and state.best < UNBOUND:
        total = _bound_parts(problem, table, scratch, frame, total)
    if total >= state.best:
        return False
    state.total = total
    if state.parts:
        return True
    state.best, state.guess = total, guess
    return False


# One state after the other.


@inner
def _enter(
    problem: Problem, table: Keys, scratch: Scratch, frame: Frame, depth: int, query: Query
) -> int:
    """Begin the search of a frame's state; return its value, or a lower bound of `bound` or more.

    Returns 0 if neither is known at once; the guesses to search are then sorted.
    """
    state, members = frame.state, frame.members
    count, attempts, bound = state.count, state.attempts, state.bound
    state.lower_bound, state.guess = 0, problem.guess_of[members[0]]
    if count == 1 or attempts == 1:
        return count + (count - 1) * UNSOLVED_COST
    if count == 2:
        return np.int64(3)
    known, value, guess = probe(table, state.first_key, state.second_key)
    if value or known >= bound:
        state.guess = guess
        return max(value, known)
    guesses, column = query.guesses, NO_COLUMN
    if depth and problem.candidates_only:
        guesses = scratch.own_guesses[:count]
        for i in range(count):
            guesses[i] = problem.guess_of[members[i]]
    elif depth:
        column = problem.orbits[state.used, 0]
        guesses = scratch.every[column : problem.orbits[state.used, 1]]
    elif len(guesses) == problem.orbits[-1, 1]:
        column = np.int64(0)
    width = len(guesses) if count <= FULLY_SEARCHED else query.width
    known, value, guess = rank(problem, width, scratch, frame, known, guesses, column)
    if value or known >= bound:
        if value:
            state.guess = guess
        store(table, state.first_key, state.second_key, count, (known, value, guess))
        return known
    state.lower_bound = known
    state.tried = state.part = 0
    state.best, state.guess = bound, -1
    return np.int64(0)


@inlined
def _finds_next(frame: Frame) -> bool:
    """Move on to a frame's next guess that may be better; return whether there is one."""
    state = frame.state
    while state.tried < state.tries and state.best > state.lower_bound:
        at = state.tried
        state.tried += 1
        if frame.shortlist_bounds[at] < state.best:
            return True
    return False


@inlined
def _descend(problem: Problem, frames: Frame, frame: Frame, depth: int) -> None:
    """Fill the next frame, at `depth`, with the next part of a guess."""
    state = frame.state
    below, members = frames.state[depth], frames.members[depth]
    part, guess = frame.unsettled[state.part], frame.shortlist[state.tried - 1]
    size, start = frame.size[part], frame.start[part]
    below.count, below.attempts = size, state.later
    below.later = state.later if state.later == UNLIMITED else state.later - 1
    below.bound = state.best - state.total + frame.part_bounds[part]
    below.most_parts = state.most_parts
    below.used = max(state.used, problem.used[guess])
    for i in range(size):
        members[i] = frame.ordered[start + i]
    below.first_key, below.second_key = frame.part_keys[part, 0], frame.part_keys[part, 1]


@inlined
def _begin(problem: Problem, frames: Frame, query: Query) -> None:
    """Fill the first frame with the query's state; its keys are those of its secrets together."""
    state, candidates, attempts = frames.state[0], query.candidates, query.attempts
    first_key, second_key = query.attempt_keys[attempts, 0], query.attempt_keys[attempts, 1]
    for i in range(len(candidates)):
        frames.members[0, i] = candidates[i]
        first_key ^= problem.secret_keys[candidates[i], 0]
        second_key ^= problem.secret_keys[candidates[i], 1]
    state.first_key, state.second_key = first_key, second_key
    state.count, state.attempts = len(candidates), attempts
    state.later = attempts if attempts == UNLIMITED else attempts - 1
    state.bound, state.most_parts, state.used = query.bound, problem.answers, query.used


@makes_no_array
def solve(problem: Problem, table: Keys, workspace: Workspace, query: Query) -> tuple[int, int]:
    """Return value and guess of a state; a value of `query.bound` or more is only a lower bound.

    In place of the value, returns STOPPED once `workspace.stop` is not 0, and TOO_DEEP if the
    workspace has too few frames.
    """
    depth, entered = np.int64(0), False
    _begin(problem, workspace.frames, query)
    while not workspace.stop[0]:
        frame = frame_at(workspace.frames, depth)
        state, value = frame.state, np.int64(0)
        descends = entered and state.part > 0
        if not entered:
            value = _enter(problem, table, workspace.scratch, frame, depth, query)
            entered = True
        elif not descends:
            if _finds_next(frame):
                descends = _partition_by(problem, table, workspace.scratch, frame, query)
            else:
                value = state.best
                exact = value if state.guess >= 0 else 0
                keys = state.first_key, state.second_key
                store(table, *keys, state.count, (value, exact, state.guess))
        if descends:
            depth += 1
            if depth == len(workspace.frames.state):
                return np.int64(TOO_DEEP), np.int64(-1)
            _descend(problem, workspace.frames, frame, depth)
            entered = False
        elif value and depth == 0:
            return value, state.guess
        elif value:  # added to the total of the guess above, which may be the best guess now
            depth -= 1
            frames, state = workspace.frames, workspace.frames.state[depth]
            part = frames.unsettled[depth, state.part]
            state.total += value - frames.part_bounds[depth, part]
            state.part += 1
            if state.total >= state.best:
                state.part = 0
            elif state.part == state.parts:
                state.best, state.part = state.total, 0
                state.guess = frames.shortlist[depth, state.tried - 1]
    return np.int64(STOPPED), np.int64(-1)
