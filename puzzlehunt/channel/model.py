"""The channel: what happens to a true feedback before it is a clue in somebody's notes, how often.

The codemaker may lie, marks may stay unread, and a player may misread a turn. What that means for
the clues of a rule is its `Likelihood`.
"""

import math
from dataclasses import dataclass

NEVER = -math.inf
"""The logarithm of probability 0. All chances of clues are natural logarithms."""

MISREAD = 0.05
"""Probability that a turn is misread, in games whose marks are hard to read."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How often marks of a kind are read: `mean`, from 0 to 1.

    With `worth` None it is known. Else it is what is believed before the first turn, and weighs as
    much as having seen `worth` marks (a Beta distribution).
    """

    mean: float
    worth: float | None = None

    @property
    def learned(self) -> bool:
        """Whether the rate is learned from the turns."""
        return self.worth is not None

    @property
    def beta(self) -> tuple[float, float]:
        """The parameters of the Beta distribution: marks read, and marks not read."""
        worth = self.worth or 0.0
        return self.mean * worth, (1 - self.mean) * worth


LEARNED = Rate(0.5, 2.0)
"""Nothing is known: every rate from 0 to 1 is as likely (a uniform Beta distribution)."""
EASY, HARD = Rate(2 / 3, 3.0), Rate(1 / 3, 3.0)
"""A rough idea: two of three marks are read, or one of three; it weighs three marks."""
ABOUT = 10.0
"""Weight of a rate that is known roughly (marks)."""


@dataclass(frozen=True, slots=True)
class Lies:
    """How a codemaker lies; 0 everywhere where it does not.

    `exactly` is the number of false marks in each turn, wherever they stand; `at_most` the number
    of turns of a game that may lie; `chance` the probability that a turn lies. A turn that lies by
    `at_most` or `chance` shows any feedback but the true one, each as likely. The turn that wins
    never lies.
    """

    exactly: int = 0
    at_most: int = 0
    chance: float = 0.0


@dataclass(frozen=True, slots=True)
class Channel:
    """What happens to a true feedback before it is a clue.

    `reads` is how often each kind of mark is read, in the rule's order of kinds; with None, an
    unread mark says nothing. `misread` is the probability that a clue is not what was shown.
    """

    reads: tuple[Rate, ...] | None = None
    misread: float = 0.0
    lies: Lies = Lies()

    @property
    def weighs(self) -> bool:
        """Whether clues make secrets more or less likely, and do not only rule some out."""
        return self != PERFECT

    @property
    def learns(self) -> bool:
        """Whether some rate is learned from the turns."""
        return any(rate.worth is not None for rate in self.reads or ())

    @property
    def rules_out(self) -> bool:
        """Whether a clue can rule anything out: not where any turn may lie by chance."""
        return not self.lies.chance


LYING_TURNS = 10
"""Number of turns among which the lying ones are, in a game without a limit of its own."""


def prior_of_lies(lies: int, played: int, most: int, length: int) -> float:
    """Return the prior probability that certain `lies` of the `played` turns, and no others, lie.

    In a game of `length` turns every number of lies up to `most` is as likely, and so is every
    choice of the turns that lie; a game that goes on for longer has them among all turns played.
    """
    length = max(length, played)
    numbers = range(min(most, length) + 1)
    ways = [
        math.comb(length - played, n - lies) / math.comb(length, n) for n in numbers if n >= lies
    ]
    return sum(ways) / len(numbers) if lies <= played else 0.0


PERFECT = Channel()
"""The channel through which every mark is true, read, and read right."""
