"""The channel: what happens to a true feedback before it is a clue, and how often.

The codemaker may lie, marks may stay unread, and a player may misread a turn. `Likelihood` says
what that means for the clues of a rule.
"""

import math
from dataclasses import dataclass

NEVER = -math.inf
"""The logarithm of probability 0; all log chances are natural logarithms."""

MISREAD = 0.05
"""Default probability that a turn is misread, in games with unread marks."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How often marks of a kind are read: `mean`, a probability.

    If `worth` is None, the rate is known. Otherwise it is learned: before the first turn it has a
    Beta distribution with this mean, worth as much as having seen `worth` marks.
    """

    mean: float
    worth: float | None = None

    @property
    def learned(self) -> bool:
        """Whether the rate is learned from the turns."""
        return self.worth is not None

    @property
    def beta(self) -> tuple[float, float]:
        """The parameters of the Beta distribution, for marks read and for marks not read."""
        worth = self.worth or 0.0
        return self.mean * worth, (1 - self.mean) * worth


LEARNED = Rate(0.5, 2.0)
"""A rate of which nothing is known: all from 0 to 1 are equally likely (uniform)."""
EASY, HARD = Rate(2 / 3, 3.0), Rate(1 / 3, 3.0)
"""Rates of which little is known: two of three marks are read, or one; worth three marks."""
ROUGH_WORTH = 10.0
"""The worth of a rate that is known roughly (marks)."""


@dataclass(frozen=True, slots=True)
class Lies:
    """How a codemaker lies; all 0 for one that does not.

    `exactly` is the number of false marks in each turn, at any position; `at_most` is how many
    turns of a game may lie; `chance` is the probability that a turn lies. A turn that lies by
    `at_most` or `chance` shows any feedback but the true one, all equally likely. The turn that
    wins never lies.
    """

    exactly: int = 0
    at_most: int = 0
    chance: float = 0.0


@dataclass(frozen=True, slots=True)
class Channel:
    """What happens to a true feedback before it is a clue.

    `reads` is how often each kind of mark is read, in the rule's order of kinds; if it is None,
    unread marks are not weighed. `misread` is the probability that a turn is misread.
    """

    reads: tuple[Rate, ...] | None = None
    misread: float = 0.0
    lies: Lies = Lies()

    @property
    def weighs(self) -> bool:
        """Whether clues make some candidates likelier than others, beside ruling secrets out."""
        return self != PERFECT

    @property
    def learns(self) -> bool:
        """Whether some rate is learned from the turns."""
        return any(rate.worth is not None for rate in self.reads or ())

    @property
    def rules_out(self) -> bool:
        """Whether a clue can rule secrets out, which it cannot if each turn may lie by chance."""
        return not self.lies.chance


LYING_TURNS = 10
"""Turns over which a budget of lies is spread, in a game without a limit of attempts (turns)."""


def prior_of_lies(lies: int, played: int, most: int, length: int) -> float:
    """Return the prior probability that of `played` turns one given set of `lies` turns lies.

    In a game of `length` turns, or of `played` if these are more, all numbers of lying turns up to
    `most` are equally likely, and so are all sets of that many turns.
    """
    length = max(length, played)
    totals = range(min(most, length) + 1)
    chances = [
        math.comb(length - played, n - lies) / math.comb(length, n) for n in totals if n >= lies
    ]
    return sum(chances) / len(totals) if lies <= played else 0.0


PERFECT = Channel()
"""The channel in which no mark is false, unread or misread."""
