"""The channel: how a true feedback becomes a clue.

The codemaker may lie, marks may stay unread, and a player may misread a turn.
"""

import math
from dataclasses import dataclass

from puzzlehunt.errors import check_number, check_type

LOG_ZERO = -math.inf
"""The logarithm of probability 0; all log chances are natural logarithms."""

MISREAD = 0.05
"""Default probability that a turn is misread, in games with unread marks."""
PROBABLY = 0.5
"""Probability that the secret is not a candidate, because a turn is misread, above which guesses
are no longer chosen as if all turns were right."""
SUSPICION = 0.95
"""Least such probability that players hear of, with the likeliest wrong turn; in at most
one of 20 games without such a turn (`benchmarks/results/suspects.md`)."""


@dataclass(frozen=True, slots=True)
class Rate:
    """The probability that a mark of some kind is read.

    If `pseudo_count` is None, the rate is known to be `mean`. Otherwise it is learned from the
    turns: its prior is the Beta distribution with this mean and the weight of so many marks.

    >>> puzzlehunt.Rate(0.25).learned, puzzlehunt.Rate(0.5, 2.0).learned
    (False, True)
    """

    mean: float
    pseudo_count: float | None = None

    def __post_init__(self) -> None:
        check_number("mean", self.mean, 0, 1)
        if self.pseudo_count is not None:
            check_number("pseudo_count", self.pseudo_count, 0)

    @property
    def learned(self) -> bool:
        """Whether the rate is learned from the turns."""
        return self.pseudo_count is not None

    @property
    def beta(self) -> tuple[float, float]:
        """The two parameters of the Beta distribution: for marks read, and for marks not read."""
        pseudo_count = self.pseudo_count or 0.0
        return self.mean * pseudo_count, (1 - self.mean) * pseudo_count


LEARNED = Rate(0.5, 2.0)
"""A rate about which nothing is known: all values from 0 to 1 are equally likely (uniform)."""


@dataclass(frozen=True, slots=True)
class Lies:
    """How a codemaker lies; all fields are 0 for a codemaker who never lies.

    `exactly` is the number of false marks in each turn, at any positions; `at_most` is how many
    turns of a game may lie; `chance` is the probability (0 to 1) that a turn lies. With `at_most`
    or `chance`, a turn that lies shows a losing feedback other than the true one; all of them are
    equally likely. The turn that wins never lies.

    >>> puzzlehunt.Lies(at_most=1)
    Lies(exactly=0, at_most=1, chance=0.0)
    """

    exactly: int = 0
    at_most: int = 0
    chance: float = 0.0

    def __post_init__(self) -> None:
        check_number("exactly", self.exactly, 0, whole=True)
        check_number("at_most", self.at_most, 0, 1000, whole=True)
        check_number("chance", self.chance, 0, 1)
        if [self.exactly, self.at_most, self.chance].count(0) < 2:
            raise ValueError("exactly: expected one of exactly, at_most and chance")


@dataclass(frozen=True, slots=True)
class Channel:
    """How a true feedback becomes a clue: marks may be false, unread or misread.

    `reads` holds the rate at which each kind of mark is read, in the rule's order of kinds. If it
    is None, an unread mark may be of any kind. `misread` is the chance that a turn is misread.

    >>> puzzlehunt.load("cryptic").channel.misread
    0.05
    >>> puzzlehunt.Channel(reads=(puzzlehunt.Rate(0.5),) * 3).weighs
    True
    """

    reads: tuple[Rate, ...] | None = None
    misread: float = 0.0
    lies: Lies = Lies()

    def __post_init__(self) -> None:
        check_type("reads", self.reads, tuple | None, "a tuple of Rates")
        for rate in self.reads or ():
            check_type("reads", rate, Rate)
        check_number("misread", self.misread, 0, 1)
        check_type("lies", self.lies, Lies)

    @property
    def weighs(self) -> bool:
        """Whether a clue may make one candidate likelier than another, not only exclude secrets."""
        return self != PERFECT

    @property
    def learned_kinds(self) -> tuple[int, ...]:
        """The kinds of marks whose rates are learned from the turns."""
        return tuple([kind for kind, rate in enumerate(self.reads or ()) if rate.learned])

    @property
    def answers_anew(self) -> bool:
        """Whether a repeated guess may get a different feedback, since the codemaker may lie."""
        return self.lies != Lies()


LYING_TURNS = 10
"""Assumed number of turns of a game without a limit of attempts, for the chance of each lie."""

PERFECT = Channel()
"""The channel in which no mark is false, unread or misread."""
