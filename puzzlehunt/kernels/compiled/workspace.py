"""The work arrays of `search`: a stack of frames, one for each guess of a path, and shared arrays.

A path consists of the guesses from the first one to the current one.
"""

from typing import Any, NamedTuple

import numpy as np

from puzzlehunt.kernels.compiled.jit import inlined
from puzzlehunt.kernels.feedback_matrix import Table
from puzzlehunt.kernels.problem import Keys, Numbers, Problem, ShortIndices

BOUND_BINS = 256
"""Number of different lower bounds that are counted when the guesses with the least are chosen."""
MEASURED_AT_ONCE, COUNTED_AT_ONCE = 128, 256
"""Number of guesses handled together: their parts' sizes, or their sets of answers, fit the
processor's cache."""


_COUNTS = (
    "count attempts later bound best guess tries tried total part parts lower_bound most_parts used"
)
STATE = np.dtype(
    [(name, np.int64) for name in _COUNTS.split()]
    + [(name, np.uint64) for name in ("first_key", "second_key")]
)
"""The numbers of a frame:

- of its state: the size, the attempts left before and after the guess, the bound
- the value of the best guess so far, and this guess
- how many guesses are to be searched, and how many were begun
- of the guess being searched: its lower bound, the index of its next unsettled part, and how many
  unsettled parts it has
- the lower bound of the state, the most parts that any guess makes of it, and the smallest k for
  which the first k symbols include all that were guessed
- the two keys of the state (Zobrist, 1970)
"""


class Frame(NamedTuple):
    """The arrays for one guess of a path; in the stack, each array has a row for each frame.

    - `state`: the numbers of STATE
    - `members`: the candidates
    - `ordered`: the candidates, sorted by their answers to the guess
    - `start`, `size`, `part_keys`, `part_bounds`: for each part that the guess makes, where it
      begins in `ordered`, how many candidates it has, its two keys, its lower bound
    - `unsettled`: the answers whose parts have no value yet, the largest part first
    - `size_bounds` (secrets + 1,): the lower bound of a part of each size
    - `shortlist`, `shortlist_bounds`: the guesses to search, and their lower bounds
    """

    state: Any
    members: ShortIndices
    ordered: ShortIndices
    start: Numbers
    size: Numbers
    part_keys: Keys
    part_bounds: Numbers
    unsettled: Numbers
    size_bounds: Numbers
    shortlist: Numbers
    shortlist_bounds: Numbers


class Scratch(NamedTuple):
    """Work arrays that are used for one frame at a time.

    - `every`: 0, 1, 2, ..., as many numbers as secrets and as guesses
    - `answers`: the answers of the candidates
    - `own_guesses`: the candidates as indices of guesses
    - `seen`: which answers have occurred
    - `masks`: the set of answers to each of some guesses, one bit for each answer
    - `row`: the answers of one secret to these guesses
    - `part_count_bounds` (guesses,): the lower bound of each guess by the number of its parts
    - `times`: how many guesses have each lower bound
    - `chosen`: the guesses that get an estimate, `size_keys`: a hash of the sizes of their parts
    - `sizes` (guesses at once, answers): zeros before and after `ranking.estimate_all`
    - `parts` (guesses at once,): the number of parts of these guesses so far
    - `more_bound`: by how much the last candidate of a part of each size raises the bound
    - `estimates`, `part_size_bounds` (guesses,): the estimate of each guess, and the lower bound
      that follows from the sizes of its parts
    """

    every: ShortIndices
    answers: ShortIndices
    own_guesses: ShortIndices
    seen: Numbers
    masks: Keys
    row: Table
    part_count_bounds: Numbers
    times: Numbers
    chosen: ShortIndices
    size_keys: Keys
    sizes: ShortIndices
    parts: Numbers
    more_bound: Numbers
    estimates: Numbers
    part_size_bounds: Numbers


class Workspace(NamedTuple):
    """The stack of frames, and the work arrays that are used for one frame at a time.

    `stop` (1,) is shared by all threads. It is 0 until the search is to be stopped.
    """

    frames: Frame
    scratch: Scratch
    stop: Numbers


@inlined
def frame_at(frames: Frame, depth: int) -> Frame:
    """Return the frame at a depth of the stack: one row of each array."""
    return Frame(
        frames.state[depth],
        frames.members[depth],
        frames.ordered[depth],
        frames.start[depth],
        frames.size[depth],
        frames.part_keys[depth],
        frames.part_bounds[depth],
        frames.unsettled[depth],
        frames.size_bounds[depth],
        frames.shortlist[depth],
        frames.shortlist_bounds[depth],
    )


def new_scratch(problem: Problem, guesses: int) -> Scratch:
    """Return new arrays for a problem, and for a number of guesses or columns."""
    secrets, answers = len(problem.feedback), problem.answers
    return Scratch(
        every=np.arange(max(secrets, guesses), dtype=np.int32),
        answers=np.empty(secrets, np.int32),
        own_guesses=np.empty(secrets, np.int32),
        seen=np.empty(answers, np.int64),
        masks=np.empty(COUNTED_AT_ONCE, np.uint64),
        row=np.empty(COUNTED_AT_ONCE, problem.feedback.dtype),
        part_count_bounds=np.empty(guesses, np.int64),
        times=np.empty(BOUND_BINS, np.int64),
        chosen=np.empty(guesses, np.int32),
        size_keys=np.empty(guesses, np.uint64),
        sizes=np.zeros((MEASURED_AT_ONCE, answers), np.int32),
        parts=np.empty(MEASURED_AT_ONCE, np.int64),
        more_bound=np.empty(secrets + 1, np.int64),
        estimates=np.empty(guesses, np.int64),
        part_size_bounds=np.empty(guesses, np.int64),
    )


def new_workspace(problem: Problem, guesses: int, depth: int, stop: Numbers) -> Workspace:
    """Return a workspace for paths of up to `depth` guesses."""
    secrets = len(problem.feedback)
    of_guesses, of_answers = (depth, guesses), (depth, problem.answers)
    frames = Frame(
        state=np.zeros(depth, STATE),
        members=np.empty((depth, secrets), np.int32),
        ordered=np.empty((depth, secrets), np.int32),
        start=np.empty((depth, problem.answers + 1), np.int64),
        size=np.empty(of_answers, np.int64),
        part_keys=np.empty((*of_answers, 2), np.uint64),
        part_bounds=np.empty(of_answers, np.int64),
        unsettled=np.empty(of_answers, np.int64),
        size_bounds=np.empty((depth, secrets + 1), np.int64),
        shortlist=np.empty(of_guesses, np.int64),
        shortlist_bounds=np.empty(of_guesses, np.int64),
    )
    return Workspace(frames, new_scratch(problem, problem.feedback.shape[1]), stop)
