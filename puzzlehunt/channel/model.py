"""The channel: how a true feedback becomes a clue.

The codemaker may lie, marks may stay unread, and a player may misread a turn. `Likelihood` computes
the resulting chances of clues.
"""

import math
from dataclasses import dataclass

from puzzlehunt.errors import check_number, check_type

LOG_ZERO = -math.inf
"""The logarithm of probability 0; all log chances are natural logarithms."""

MISREAD = 0.05
"""Default probability that a turn is misread, in games with unread marks."""


PROBABLY = 0.5
"""Least probability that a turn is misread, so that no candidate is the secret, at which that is
the first thing to say, and guesses are no longer chosen as if all turns were right."""


@dataclass(frozen=True, slots=True)
class Rate:
    """The probability that a mark of some kind is read.

    If `pseudo_count` is None, it is known to be `mean`. Otherwise it is learned: its prior is the
    Beta distribution with this mean and a weight of `pseudo_count` observed marks.
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
        """The parameters of the Beta distribution, for marks read and for marks not read."""
        pseudo_count = self.pseudo_count or 0.0
        return self.mean * pseudo_count, (1 - self.mean) * pseudo_count


LEARNED = Rate(0.5, 2.0)
"""A rate of which nothing is known: all from 0 to 1 are equally likely (uniform)."""
EASY, HARD = Rate(2 / 3, 3.0), Rate(1 / 3, 3.0)
"""Rates of which little is known: two of three marks are read (easy), or one of three (hard)."""
ROUGH_PSEUDO_COUNT = 10.0
"""The pseudo-count of a rate that is known roughly (number of marks)."""


@dataclass(frozen=True, slots=True)
class Lies:
    """How a codemaker lies; all 0 for one that does not.

    `exactly` is the number of false marks in each turn, at any positions; `at_most` is how many
    turns of a game may lie; `chance` is the probability (0 to 1) that a turn lies. A turn that lies
    by `at_most` or `chance` shows any feedback but the true one, all equally likely. The turn that
    wins never lies.
    """

    exactly: int = 0
    at_most: int = 0
    chance: float = 0.0

    def __post_init__(self) -> None:
        check_number("exactly", self.exactly, 0, whole=True)
        check_number("at_most", self.at_most, 0, whole=True)
        check_number("chance", self.chance, 0, 1)


@dataclass(frozen=True, slots=True)
class Channel:
    """How a true feedback becomes a clue: marks may be false, unread or misread.

    `reads` is the rate at which each kind of mark is read, in the rule's order of kinds; if it is
    None, unread marks are not weighed. `misread` is the probability that a turn is misread.
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
        """Whether clues can make some candidates likelier than others, not just exclude secrets."""
        return self != PERFECT

    @property
    def learned_kinds(self) -> tuple[int, ...]:
        """The kinds of marks whose rates are learned from the turns."""
        rates = self.reads or ()
        return tuple([k for k, rate in enumerate(rates) if rate.pseudo_count is not None])

    @property
    def answers_anew(self) -> bool:
        """Whether a repeated guess may get another answer, since the codemaker may lie."""
        return self.lies != Lies()

    @property
    def rules_out(self) -> bool:
        """Whether a clue can rule secrets out, which it cannot if each turn may lie by chance."""
        return not self.lies.chance


MOST_LIES = 1_000
"""Most turns of a game that may be said to lie."""
LYING_TURNS = 10
"""How many turns a budget of lies is thought to cover, in a game without a limit of attempts."""


def prior_of_lies(lies: int, played: int, most: int, length: int) -> float:
    """Return the prior probability that exactly one given set of `lies` turns are lies.

    `played` is how many turns were played. In a game of `length` turns, or of `played` if these are
    more, all numbers of lying turns from 0 to `most` are equally likely, and so are all sets of
    turns of each size.
    """
    length = max(length, played)
    totals = range(min(most, length) + 1)
    if lies > played:
        return 0.0
    chances = []
    # How many sets of n turns there are, and how many of them with the given ones: step by step,
    # since these numbers may have thousands of digits.
    sets, with_given = math.comb(length, lies), 1
    for n in totals[lies:]:
        chances.append(with_given / sets)
        sets = sets * (length - n) // (n + 1)
        with_given = with_given * (length - played - (n - lies)) // (n - lies + 1)
    return sum(chances) / len(totals)


PERFECT = Channel()
"""The channel in which no mark is false, unread or misread."""
