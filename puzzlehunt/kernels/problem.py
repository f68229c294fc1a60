"""The data that all searches of whole games share: the problem, and costs.

A *cost* is the number of guesses that some candidates take together, plus UNSOLVED_COST for each
candidate that is not found with the attempts left.
"""

from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlehunt.kernels.feedback_matrix import Table
from puzzlehunt.kernels.packed_codes import Indices

Numbers: TypeAlias = npt.NDArray[np.int64]
ShortIndices: TypeAlias = npt.NDArray[np.int32]
"""An array of indices of codes, of the type that compiled searches use."""
Keys: TypeAlias = npt.NDArray[np.uint64]
"""An array of random numbers of 64 bits, in pairs: they make the keys of states (Zobrist, 1970)."""

UNSOLVED_COST = 1 << 28
"""The cost in guesses of a candidate that is not found in time: more than all guesses together."""
UNINFORMATIVE = UNSOLVED_COST << 16
"""The cost of an uninformative guess: more than the cost of any other guess."""
NO_BOUND = 1 << 60
"""A bound above every value: it excludes nothing."""
UNLIMITED = 63
"""The number of attempts left if there is no limit; it stays the same after a guess."""
GUESS_BITS = 18
"""Number of bits of a guess's index that is packed with other numbers into one word."""

ONE = 720_720
"""The cost of one guess in the fixed-point numbers of estimates. All numbers up to 16 divide it, so
that averages of small parts are exact."""
UNSOLVED_UNITS = 232_792_560 << 16
"""The cost in fixed point of a candidate not found in time. All numbers up to 20 divide it."""
UNINFORMATIVE_UNITS = 1 << 62
"""The cost in fixed point of an uninformative guess."""
GROWTH = 0.4
"""The estimate of the guesses that each candidate takes rises by this number if its part has e
times as many candidates. The number is the same for word games and pegs; lookahead corrects the
estimate."""

FULLY_SEARCHED = 12
"""In a part of at most this many candidates, a search with a budget still searches all guesses."""
ALIKE = 8
"""For each guess inside a beam, so many are examined, so that alike ones can be left out."""


class Problem(NamedTuple):
    """The game that is searched; it does not change during the search.

    - `feedback` (secrets, columns): the index of each feedback, below `answers`; `winning` is the
      index of the winning one. The first columns are all guesses; further columns repeat some of
      them. Memory is contiguous along a row
    - `guess_of` (secrets,): the index of each secret among the guesses
    - `secret_keys` (secrets, 2): a state's key is the exclusive or of its candidates' keys
    - `more_cost` (sizes,): by how much the last candidate of a part of each size raises the
      estimate of the guesses (in steps) that the part takes
    - `candidates_only`: whether only candidates may be guessed
    - `used` (columns,): the smallest k for which the game's first k symbols include those of the
      guess
    - `orbits` (symbols + 1, 2): row k is the range of columns to choose from (begin, and end
      excluded) if the first k symbols include all that were guessed; the later symbols are then
      interchangeable
    """

    feedback: Table
    guess_of: ShortIndices
    winning: int
    answers: int
    secret_keys: Keys
    more_cost: Numbers
    candidates_only: bool
    used: Numbers
    orbits: Numbers


def after(attempts: int) -> int:
    """Return the number of attempts left after one more guess; UNLIMITED stays the same."""
    return attempts if attempts == UNLIMITED else attempts - 1


def tree_size_bound(count: int, parts: int, attempts: int) -> int:
    """Return a lower bound of the cost of `count` candidates if no guess makes more than `parts`.

    One part is the winning answer, so that at most parts^(k - 1) candidates are found within k
    guesses. `attempts` guesses are left; each candidate not found by then adds UNSOLVED_COST.
    """
    total = count
    reached = 1
    for _ in range(1, attempts):
        if count <= reached:
            return total
        total += count - reached
        reached *= parts
    return total + max(0, count - reached) * UNSOLVED_COST


@lru_cache(maxsize=2)
def cost_to_go(size: int, scale: int) -> npt.NDArray[np.int64]:
    """Return (size + 1,): `guesses_to_go` of parts of 0 to `size` candidates."""
    return guesses_to_go(np.arange(size + 1), scale)


def guesses_to_go(sizes: Numbers, scale: int) -> Numbers:
    """Return `scale` times the estimated guesses of parts of some sizes, an array like `sizes`.

    The estimate for n >= 2 candidates is n * (1.5 + 0.4 * ln(n / 2)) guesses together, but no less
    than 2n - 1, which is the number if the first guess finds one candidate and the second guess any
    other.
    """
    several = np.maximum(sizes, 2)
    average = 1.5 + GROWTH * np.log(several / 2)
    average = np.where(sizes > 1, np.maximum(average, (2 * several - 1) / several), 1)
    return np.asarray(sizes * np.rint(average * scale).astype(np.int64))


def new_problem(
    table: Table, guess_of: Indices, winning: int, answers: int, candidates_only: bool = False
) -> Problem:
    """Return a problem in which no guesses are treated as equivalent.

    `table` (secrets, guesses) is its `feedback`; the others are its fields of the same names.
    """
    secrets, guesses = table.shape
    return Problem(
        feedback=table,
        guess_of=guess_of.astype(np.int32),
        winning=winning,
        answers=answers,
        secret_keys=np.random.default_rng(0).integers(0, 1 << 64, (secrets, 2), dtype=np.uint64),
        more_cost=np.diff(cost_to_go(secrets, 1 << 12), prepend=0),  # steps that make one guess
        candidates_only=candidates_only,
        used=np.zeros(guesses, dtype=np.int64),
        orbits=np.array([(0, guesses)], dtype=np.int64),
    )
