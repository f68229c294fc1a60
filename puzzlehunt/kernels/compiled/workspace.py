"""The work arrays of `search`: a frame for each guess of a path, and shared ones."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlehunt.kernels.compiled.jit import inlined
from puzzlehunt.kernels.feedback_matrix import Table
from puzzlehunt.kernels.problem import AllowedTable, Keys, Numbers, Problem, ShortIndices

_PAIRED = 256
"""Most candidates of a part whose answers to each other are noted."""
BOUND_BINS = 256
"""Number of bounds that are told apart when the guesses with the lowest are chosen."""
MEASURED_AT_ONCE, COUNTED_AT_ONCE = 128, 256
"""Number of guesses whose parts' sizes, or whose sets of answers, fit the processor's cache."""


class Frame(NamedTuple):
    """The arrays of one guess of the path; in a stack, a row for each.

    - `numbers`: the numbers that are named below; `zobrist_key`: the two keys of the state
    - `members`: the candidates; `ordered`: the same, sorted by answer to the guess; `indices`:
      those by index in `members`
    - `start`, `size`, `part_keys`, `part_bounds`: where each part that the guess makes begins in
      `ordered`, how many candidates it has, its two keys, its lower bound
    - `unsettled`: the answers whose parts have no value yet, the largest part first
    - `size_bounds` (secrets + 1,): the lower bound of a part of each size
    - `shortlist`, `shortlist_bounds`: the guesses to search, and their lower bounds
    - `partition_keys`: a hash of the partition by each; `pairs`: the answers of candidates to each
      other; `allowed`: the guesses that hard mode allows. These are empty in the other mode
    """

    numbers: Numbers
    zobrist_key: Keys
    members: ShortIndices
    ordered: ShortIndices
    indices: ShortIndices
    start: Numbers
    size: Numbers
    part_keys: Keys
    part_bounds: Numbers
    unsettled: Numbers
    size_bounds: Numbers
    shortlist: Numbers
    shortlist_bounds: Numbers
    partition_keys: Keys
    pairs: Table
    allowed: ShortIndices


class Masks(NamedTuple):
    """The work arrays of `bounds.fill_part_count_bounds`.

    - `masks`, `few_masks`: the answers that guesses get, one bit each; `answers`: those of one
      secret
    - `part_count_bounds` (guesses,): the lower bound of each guess by the number of its parts
    """

    masks: Keys
    few_masks: npt.NDArray[np.uint32]
    answers: Table
    part_count_bounds: Numbers


class Estimates(NamedTuple):
    """The work arrays of `bounds.estimate_all`.

    - `sizes` (guesses at once, answers), zeros before and after; `cost`, `bound`, `parts` of these
      guesses; `more_cost`, `more_bound`: what the last candidate of a part adds
    - `estimates`, `part_size_bounds` (guesses,): the estimate of each guess, and its lower bound by
      the sizes of its parts
    """

    sizes: ShortIndices
    cost: Numbers
    bound: Numbers
    parts: Numbers
    more_cost: Numbers
    more_bound: Numbers
    estimates: Numbers
    part_size_bounds: Numbers


class Scratch(NamedTuple):
    """Arrays that serve one frame at a time.

    - `every`: 0, 1, 2, ...; `answers` of the candidates; `own_guesses`: these as guesses
    - `seen`: which answers have occurred; `sizes`: zeros, before and after
    - `times`: how many guesses have each bound; `chosen`: the guesses that get an estimate
    - `tiles` (3, length): what hard mode demands
    """

    masks: Masks
    estimates: Estimates
    every: ShortIndices
    answers: ShortIndices
    own_guesses: ShortIndices
    seen: Numbers
    sizes: Numbers
    times: Numbers
    chosen: ShortIndices
    tiles: Numbers


class Workspace(NamedTuple):
    """The stack of frames, and what serves one of them at a time.

    `stop` (1,) is not 0 once the search is to be stopped; it is shared by all threads.
    """

    frames: Frame
    scratch: Scratch
    stop: Numbers


# The numbers of a frame: the size of its state, the attempts left before and after its guess, the
# bound; the value of the best guess so far, and that guess; how many guesses to search, and how
# many were begun. Of the guess that is searched: its lower bound, which of its unsettled parts is
# next, how many these are. The lower bound of the state, the most parts that any guess makes of it,
# and how many of the first symbols hold all those guessed so far. In hard mode: how many guesses
# are allowed, which of the values is wanted, and which is searched; how many guesses are inside the
# beam; the guess of the safe value, -1 once it was tried.
(
    COUNT, ATTEMPTS, LATER, BOUND, BEST, GUESS, TRIES, TRIED, TOTAL, PART, PARTS, LOWER_BOUND,
    MOST_PARTS, USED, ALLOWED, WANTED, MODE, INSIDE, SAFE_GUESS, _NUMBERS,
) = range(20)  # fmt: skip


@inlined
def frame_at(frames: Frame, depth: int) -> Frame:
    """Return the frame of a guess on the path."""
    return Frame(
        frames.numbers[depth],
        frames.zobrist_key[depth],
        frames.members[depth],
        frames.ordered[depth],
        frames.indices[depth],
        frames.start[depth],
        frames.size[depth],
        frames.part_keys[depth],
        frames.part_bounds[depth],
        frames.unsettled[depth],
        frames.size_bounds[depth],
        frames.shortlist[depth],
        frames.shortlist_bounds[depth],
        frames.partition_keys[depth],
        frames.pairs[depth],
        frames.allowed[depth],
    )


def new_masks(guesses: int, answer_type: Any) -> Masks:
    """Return empty arrays for a number of guesses; `answer_type` is that of the feedback matrix."""
    return Masks(
        masks=np.empty(COUNTED_AT_ONCE, np.uint64),
        few_masks=np.empty(COUNTED_AT_ONCE, np.uint32),
        answers=np.empty(COUNTED_AT_ONCE, answer_type),
        part_count_bounds=np.empty(guesses, np.int64),
    )


def new_estimates(secrets: int, guesses: int, answers: int) -> Estimates:
    """Return arrays for parts up to a number of secrets."""
    return Estimates(
        sizes=np.zeros((MEASURED_AT_ONCE, answers), np.int32),
        cost=np.empty(MEASURED_AT_ONCE, np.int64),
        bound=np.empty(MEASURED_AT_ONCE, np.int64),
        parts=np.empty(MEASURED_AT_ONCE, np.int64),
        more_cost=np.empty(secrets + 1, np.int64),
        more_bound=np.empty(secrets + 1, np.int64),
        estimates=np.empty(guesses, np.int64),
        part_size_bounds=np.empty(guesses, np.int64),
    )


def new_workspace(
    problem: Problem, guesses: int, allowed: AllowedTable | None, depth: int, stop: Numbers
) -> Workspace:
    """Return a workspace for paths of up to `depth` guesses."""
    secrets, answers, dtype = len(problem.feedback), problem.answers, problem.feedback.dtype
    free = allowed is None
    paired = min(secrets, _PAIRED) if free else 0
    of_guesses, of_answers = (depth, guesses), (depth, answers)
    frames = Frame(
        numbers=np.zeros((depth, _NUMBERS), np.int64),
        zobrist_key=np.empty((depth, 2), np.uint64),
        members=np.empty((depth, secrets), np.int32),
        ordered=np.empty((depth, secrets), np.int32),
        indices=np.empty((depth, secrets), np.int32),
        start=np.empty((depth, answers + 1), np.int64),
        size=np.empty(of_answers, np.int64),
        part_keys=np.empty((depth, answers if free else 0, 2), np.uint64),
        part_bounds=np.empty(of_answers, np.int64),
        unsettled=np.empty(of_answers, np.int64),
        size_bounds=np.empty((depth, secrets + 1), np.int64),
        shortlist=np.empty(of_guesses, np.int64),
        shortlist_bounds=np.empty(of_guesses, np.int64),
        partition_keys=np.empty((depth, guesses if free else 0), np.uint64),
        pairs=np.empty((depth, paired, paired), dtype),
        allowed=np.empty((depth, 0 if free else guesses), np.int32),
    )
    scratch = Scratch(
        masks=new_masks(guesses if free else 0, dtype),
        estimates=new_estimates(secrets, guesses, answers),
        every=np.arange(secrets, dtype=np.int32),
        answers=np.empty(secrets, np.int32),
        own_guesses=np.empty(secrets, np.int32),
        seen=np.empty(answers, np.int64),
        sizes=np.zeros(answers, np.int64),
        times=np.empty(BOUND_BINS, np.int64),
        chosen=np.empty(guesses, np.int32),
        tiles=np.zeros((3, 0 if allowed is None else allowed.codes.shape[1]), np.int64),
    )
    return Workspace(frames, scratch, stop)
