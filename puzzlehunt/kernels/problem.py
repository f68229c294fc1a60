"""What every search of whole games shares: the problem, its limits, a state of it, and costs.

A *cost* is how many guesses candidates take together, and UNSOLVED_COST more for each of them that
is not found with the attempts left.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlehunt.kernels.feedback_matrix import Table
from puzzlehunt.kernels.packed_codes import CodeArray, Indices, Mask

Numbers: TypeAlias = npt.NDArray[np.int64]
ShortIndices: TypeAlias = npt.NDArray[np.int32]
"""Indices of codes, as compiled searches take them."""
Keys: TypeAlias = npt.NDArray[np.uint64]
"""Random numbers, by pairs (Zobrist, 1970)."""

UNSOLVED_COST = 1 << 28
"""The cost in guesses of a candidate that is not found in time: more than all guesses together."""
UNINFORMATIVE = UNSOLVED_COST << 16
"""The cost of an uninformative guess: more than any other guess costs."""
NO_BOUND = 1 << 60
"""More than any value."""
UNLIMITED = 63
"""Number of attempts left that stands for no limit: it does not become smaller."""
GUESS_BITS = 18
"""Number of bits that a guess takes where it is packed with other numbers."""
SAFE, BEAM = 0, 1
"""The two values of a state: by the safe pass, and with a beam."""
SAFE_TRIES_ALL = 3
"""With so many attempts left, or fewer, the safe pass tries all guesses."""

ONE = 720_720
"""The cost of one guess in fixed point, where costs are estimates. All numbers up to 16 divide it,
so that averages of small parts are exact."""
UNSOLVED_UNITS = 232_792_560 << 16
"""The cost in fixed point of a candidate not found in time. All numbers up to 20 divide it."""
UNINFORMATIVE_UNITS = 1 << 62
"""The cost in fixed point of an uninformative guess."""
GROWTH = 0.4
"""Guesses that a candidate is estimated to take more when its part has e times as many candidates.
One number serves word games and pegs; lookahead corrects the estimate."""


FULLY_SEARCHED = 12
"""Most candidates of a part in which all guesses are searched, whatever the budget."""
_SCALE, _HARD_SCALE = 1 << 12, 1 << 10
"""How many steps make one guess in the estimates of parts, by which guesses are put in order."""
_SAFE_WIDTH = 40
"""Guesses that are tried for a safe play of hard mode, with more than three attempts left."""
_MOSTLY_SOLVED = (1, 4, 15, 60)
"""Candidates that are mostly found in hard mode with 1, 2, ... attempts left."""
_PENALTIES = (50, 10, 3, 1)
"""Guesses that the estimate adds for each candidate more than those, by attempts left."""


class Problem(NamedTuple):
    """The game that is searched; it never changes.

    - `feedback` (secrets, columns): one of the `answers`, of which `winning` wins. The first
      columns are those of all guesses. In hard mode a column is contiguous, else a row
    - `guess_of` (secrets,): the index of each secret among the guesses
    - `secret_keys` (secrets, 2): a state's key is the exclusive or of those of its candidates
    - `cost_to_go` (attempts, sizes): what a part of each size is estimated to take with so many
      attempts left, in steps; the last row serves for more
    - `candidates_only`: whether only candidates may be guessed
    - `used` (columns,): how many of the game's first symbols include all those of a guess
    - `orbits` (symbols + 1, 2): the columns to choose from, begin and end, the end excluded, by how
      many of the first symbols include all those guessed before: later symbols are interchangeable
    """

    feedback: Table
    guess_of: ShortIndices
    winning: int
    answers: int
    secret_keys: Keys
    cost_to_go: Numbers
    candidates_only: bool
    used: Numbers
    orbits: Numbers


class AllowedTable(NamedTuple):
    """Which guesses hard mode allows after a guess and its answer.

    - `codes` (guesses, length), `occurrences` (guesses, symbols): the guesses, and how often each
      symbol occurs in each; `digits` (answers, length): of each tile, 2 for a symbol to be kept in
      place, 1 for one to be used
    - `feedback` (guesses, guesses): or else the feedback to each guess if another were the secret,
      which then has to be the one that was given; (0, 0) with tiles
    - `keys` (guesses, 2): a state's key is the exclusive or of those of its guesses, too
    - `representative` (symbols + 1, guesses): whether a guess is tried if the first k symbols
      include all that were guessed
    """

    codes: CodeArray
    occurrences: CodeArray
    digits: CodeArray
    feedback: Table
    keys: Keys
    representative: Mask


class Limits(NamedTuple):
    """Which guesses are searched.

    - `widths` (sizes,): how many guesses are searched in a state of each size, the beam
    - `safe_width`: how many the safe pass tries with many attempts left; 0 for no safe pass
    - `keys` (attempts, 2, 2): of the attempts left, and of both values of a state, which differ by
      beam
    """

    widths: Numbers
    safe_width: int
    keys: Keys


class Root(NamedTuple):
    """The state that a search begins with: candidates, allowed guesses, and the attempts left.

    A value of `bound` or more is only known to be no less. No guess makes more than `most_parts`
    parts. The first `used` symbols include all that were guessed. If every guess is allowed,
    `allowed` is empty.
    """

    candidates: ShortIndices
    allowed: ShortIndices
    attempts: int
    used: int
    most_parts: int
    bound: int


def after(attempts: int) -> int:
    """Return how many attempts are left after one more guess."""
    return attempts if attempts == UNLIMITED else attempts - 1


def tree_size_bound(count: int, parts: int, attempts: int) -> int:
    """Return the lower bound of `count` candidates where no guess makes more than `parts` parts.

    With the winning answer among the parts, k guesses together find at most parts^(k - 1)
    candidates. `attempts` guesses are left; each candidate that they cannot find costs
    UNSOLVED_COST.
    """
    total = count
    reached = 1
    for _ in range(1, attempts):
        if count <= reached:
            return total
        total += count - reached
        reached *= parts
    return total + max(0, count - reached) * UNSOLVED_COST


def cost_to_go(size: int, scale: int) -> npt.NDArray[np.int64]:
    """Return the guesses that parts of 0 to `size` candidates are estimated to take, times `scale`.

    A part of n >= 2 candidates takes n * (1.5 + 0.4 * ln(n / 2)), and no less than 2n - 1: then
    the first guess finds one candidate, and the second any other.
    """
    count = np.arange(1, size + 1)
    average = 1.5 + GROWTH * np.log(np.maximum(count, 2) / 2)
    average = np.maximum(average, (2 * count - 1) / count)
    average[:1] = 1
    return np.concatenate(([0], count * np.rint(average * scale).astype(np.int64)))


def new_problem(
    table: Table,
    guess_of: Indices,
    winning: int,
    answers: int,
    candidates_only: bool = False,
    hard: bool = False,
) -> Problem:
    """Return a problem in which no guesses are treated as equivalent.

    `table` (secrets, guesses) has the feedbacks, of so many `answers`, `guess_of` (secrets,) the
    index of each secret among the guesses.
    """
    secrets, guesses = table.shape
    return Problem(
        feedback=table,
        guess_of=guess_of.astype(np.int32),
        winning=winning,
        answers=answers,
        secret_keys=np.random.default_rng(0).integers(0, 1 << 64, (secrets, 2), dtype=np.uint64),
        cost_to_go=_hard_cost_to_go(secrets) if hard else cost_to_go(secrets, _SCALE)[None],
        candidates_only=candidates_only,
        used=np.zeros(guesses, dtype=np.int64),
        orbits=np.array([(0, guesses)], dtype=np.int64),
    )


def _hard_cost_to_go(size: int) -> Numbers:
    """Return what parts of 0 to `size` candidates are estimated to take, by the attempts left."""
    count = np.arange(size + 1)
    rows = [cost_to_go(size, _HARD_SCALE)] * (len(_PENALTIES) + 2)
    for left, (enough, guesses) in enumerate(zip(_MOSTLY_SOLVED, _PENALTIES, strict=True), start=1):
        rows[left] = rows[left] + np.maximum(count - enough, 0) * guesses * _HARD_SCALE
    return np.stack(rows)


def limits_of(secrets: int, guesses: int, hard: bool, width: int | None) -> Limits:
    """Return the limits of a search with a beam width, None for all; safe values ignore it."""
    widths = np.full(secrets + 1, width or guesses, dtype=np.int64)
    widths[: FULLY_SEARCHED + 1] = guesses
    shape = (UNLIMITED + 1, 2, 2)
    keys = np.random.default_rng(0).integers(0, 1 << 64, shape, dtype=np.uint64)
    rng = np.random.default_rng((1, width or 0))
    keys[:, BEAM] = rng.integers(0, 1 << 64, (UNLIMITED + 1, 2), dtype=np.uint64)
    is_beam = width is not None and width < guesses
    return Limits(widths, _SAFE_WIDTH if hard and is_beam else 0, keys)
