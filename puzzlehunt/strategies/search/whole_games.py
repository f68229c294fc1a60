"""What searches of whole games share, in hard mode (`hard`) and out of it (`search`).

A *cost* is how many guesses candidates take together, and UNSOLVED_COST more for each of them that
is not found with the attempts left.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from threading import Lock

import numpy as np
import numpy.typing as npt

from puzzlehunt.errors import counted
from puzzlehunt.kernels.packed_codes import PackedCodes
from puzzlehunt.kernels.problem import UNSOLVED_COST
from puzzlehunt.strategies.base import Suggestion
from puzzlehunt.strategies.position import Position

FULLY_SEARCHED = 12
"""Most candidates of a part in which all guesses are looked into, whatever the budget."""
MOST_GUESSES = 1 << 18
"""Most guesses of a game: a remembered part holds the number of a guess in 18 bits."""
MOST_FEEDBACKS = 10_000
"""Cap on the feedbacks of a rule: every frame of a search has arrays of that length (memory)."""
_LARGEST_QUICK_TABLE = 4_000_000
"""Cap on the table of guesses and candidates if a person waits (cells)."""
_STEPS = 64
"""Into how many steps the candidates of a part are divided by which its floor rises in turn."""
TABLE_BLOCK = 1 << 22
"""Size of a block of a table, which is held twice while it is made (cells)."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The place of a guess, and how many guesses the candidates take with the best play found.

    `value` counts the guesses of all candidates together, this guess included; `unreached` is how
    many candidates are not found with the attempts left.
    """

    guess: int
    value: int
    unreached: int = 0

    @classmethod
    def of(cls, cost: int, guess: int) -> "SearchResult":
        """Return the choice of a guess with a cost."""
        unreached, value = divmod(cost, UNSOLVED_COST)
        return cls(guess, value, unreached)

    def rated(self, suggestion: Suggestion, candidates: int) -> Suggestion:
        """Return a suggestion with the guesses on average, None where some are not found."""
        average = None if self.unreached else round(self.value / candidates, 4)
        return replace(suggestion, value=average)


class StoppedError(Exception):
    """A search was stopped by another thread."""


def in_threads(work: Callable[[int], None], pieces: int, stop: npt.NDArray[np.int64]) -> None:
    """Do numbered pieces of work in threads, the first ones first.

    Whatever interrupts this thread sets `stop` (1,) until the others have ended, which read it.
    """
    from concurrent.futures import ThreadPoolExecutor

    from puzzlehunt.kernels.compiled.threads import threads

    try:
        with ThreadPoolExecutor(threads()) as pool:
            try:
                list(pool.map(work, range(pieces)))
            except BaseException:
                stop[0] = 1
                raise
    finally:
        stop[0] = 0


def bound_increment(candidates: int, turn: int, missing: int) -> int:
    """Return by how much the floor of a part rises in a turn (0, 1, ...) of all parts.

    Each turn it is a little more, and no more than what is missing in all.
    """
    if missing >= UNSOLVED_COST:  # a lost candidate costs too many steps
        return missing
    return min(missing, max(1, candidates * turn // _STEPS))


def cost_of_parts(
    least: Sequence[int],
    others: int,
    bound: int,
    cost_of: Callable[[int, int], int],
    stop: npt.NDArray[np.int64],
) -> int:
    """Return the cost of a guess whose parts are searched in threads, the first ones first.

    The parts cost no less than `least`, and `others` is added to their costs. `cost_of` returns the
    cost of a part, by its number; from a bound, which it is given too, it may return less than the
    cost. So may this function from `bound` on: then parts are left out. `stop` as in `in_threads`.
    """
    total, lock = others + sum(least), Lock()

    def search(number: int) -> None:
        nonlocal total
        slack = bound - total
        if slack > 0:
            cost = cost_of(number, slack + least[number])
            with lock:
                total += cost - least[number]

    in_threads(search, len(least), stop)
    return total


def unsupported_reason(position: Position, guesses: int, largest: int) -> str:
    """Return in a few words why whole games cannot be searched, "" if they can.

    A table of so many `guesses` and all candidates may have `largest` cells, and fewer if a person
    waits.
    """
    if position.weights is not None or position.observation is not None:
        return "candidates that are not equally likely, or rows that may be wrong"
    person_waits = position.budget.person_waits
    most = _LARGEST_QUICK_TABLE if person_waits else largest
    if guesses * len(position.candidates) > most or guesses > MOST_GUESSES:
        what = f"{counted(guesses, 'guess')} and {counted(len(position.candidates), 'candidate')}"
        return f"{what} while a person waits" if person_waits else f"{what}, which are too many"
    if len(position.game.rule.feedbacks) > MOST_FEEDBACKS:
        return f"{len(position.game.rule.feedbacks):,} answers, which are too many"
    if (position.choices()[1] < 0).any():
        return "a candidate that may not be guessed"
    return ""


def same_game(ours: Position, position: Position) -> bool:
    """Return whether these are positions of one game, with the same secrets and guesses."""
    return (
        ours.game.rule is position.game.rule
        and equal_codes(ours.secrets, position.secrets)
        and equal_codes(ours.pool.guesses, position.pool.guesses)
    )


def equal_codes(first: PackedCodes | None, second: PackedCodes | None) -> bool:
    """Return whether these are the same codes in the same order."""
    if first is None or second is None or first is second:
        return first is second
    return np.array_equal(first.codes, second.codes)
