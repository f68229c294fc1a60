"""What a strategy is: it picks the next guess in a position."""

import time
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.kernels.codes import Rows, array_of

if TYPE_CHECKING:
    from puzzlehunt.strategies.measures import Measure
    from puzzlehunt.strategies.position import Position


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A guess and what it is worth: `value` in the strategy's unit, `worst` the largest group.

    `chance` is how likely it is to win now, among the candidates; None where all are alike.
    """

    guess: Code
    value: float | None
    worst: int | None
    candidate: bool
    chance: float | None = None


@dataclass(frozen=True, slots=True)
class Budget:
    """How much may be evaluated: guesses (reproducible), or seconds (for a person who waits).

    With `compiled` the compiled kernels serve small work, too: much of it is to come, as in a
    tournament. Else they are loaded where one piece of work is worth it. Results are the same.
    """

    guesses: int | None = None
    seconds: float | None = None
    compiled: bool = False


class Strategy(ABC):
    """Picks the next guess."""

    name: ClassVar[str]
    measure: str
    """What the value of a suggestion is, in words: `bits`, `largest group`."""
    deterministic: bool = True
    through_channel: bool = True
    """Whether what it says of a guess counts in that answers may be unread or false."""
    counts: bool = True
    """Whether it looks at partitions; one that does not is served by fewer candidates."""

    compiled_from: ClassVar[int] = 20_000_000
    """Guesses times secrets of a game from which a tournament uses the compiled kernels."""

    def bits(self, position: "Position", guesses: Rows) -> npt.NDArray[np.float64] | None:
        """Return how much the answer to each guess tells, in bits; None where it does not look."""
        return None

    def ranks_by_bits(self, secrets: int) -> bool:
        """Return whether, of so many secrets at once, it ranks guesses by the bits that they tell.

        Those are bits by what will be observed, as the strategy `entropy` counts them.
        """
        return False

    asks_for_symbols: bool = False
    """Whether it always settles first how often symbols occur, by guesses made for that."""
    in_order: bool = False
    """Whether it takes candidates as they come in code order, so that no sample will do."""
    whole: bool = False
    """Whether it has to know all candidates, so that no sample will do."""

    def one_ply(self) -> "Measure | None":
        """Return the measure by which alone it takes the best of all guesses; None if it does not.

        Its decision tree can then be walked in compiled code.
        """
        return None

    def trouble(self, position: "Position") -> str:
        """Return in a few words why it cannot serve in a position; nothing if it can."""
        return ""

    def plans(self, position: "Position") -> bool:
        """Return whether `prepare` finds out all that is asked in the positions behind this one."""
        return False

    def prepare(self, position: "Position", opening: Code | None = None) -> None:  # noqa: B027
        """Get ready for all positions behind this one; with an opening, for those after it."""

    @abstractmethod
    def rank(self, position: "Position", top: int) -> tuple[list[Suggestion], bool]:
        """Return up to `top` suggestions, best first, and whether all guesses were evaluated."""

    def choose(self, position: "Position") -> Rows:
        """Return the best guess alone, as arrays of one row."""
        ranked, _ = self.rank(position, 1)
        return position.game.rule.rows(array_of([ranked[0].guess], position.game.length))

    def rate(self, position: "Position", guess: Code) -> Suggestion:
        """Return what a guess of the player's is worth here."""
        rule = position.game.rule
        rows = rule.rows(array_of([guess], position.game.length))
        secrets = position.secrets[position.candidates]
        worst = int(rule.partitions(rows, secrets, compiled=position.budget.compiled).max())
        candidate = bool((secrets.codes == rows.codes).all(axis=1).any())
        chance = None if position.weights is None else float(position.chances(rows)[0])
        return Suggestion(guess, None, worst, candidate, chance)


def deadline(budget: Budget) -> float:
    """Return the moment, by the monotonic clock, at which a budget of seconds ends."""
    return float("inf") if budget.seconds is None else time.monotonic() + budget.seconds
