"""What happens to a true answer before it is a row in somebody's notes, and how often.

The codemaker may lie, marks may stay unread, and a player may misread a row. What that means for
the answers of a rule is in `shown`.
"""

import math
from dataclasses import dataclass

NEVER = -math.inf
"""The logarithm of no chance at all. All chances of rows are natural logarithms."""

MISREAD = 0.05
"""The chance that a row is misread, in games whose marks are hard to read."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How often marks of a kind are read: `mean`, known, or believed before the first row.

    A belief is worth as much as having seen `worth` marks (a Beta distribution); None: known.
    """

    mean: float
    worth: float | None = None

    @property
    def learned(self) -> bool:
        """Whether the rows tell how often marks are read."""
        return self.worth is not None

    @property
    def beta(self) -> tuple[float, float]:
        """The parameters of the Beta distribution: marks read and not read, as if seen before."""
        worth = self.worth or 0.0
        return self.mean * worth, (1 - self.mean) * worth


LEARNED = Rate(0.5, 2.0)
"""Nothing is known: all rates are as likely (a uniform Beta)."""
EASY, HARD = Rate(2 / 3, 3.0), Rate(1 / 3, 3.0)
"""A rough idea: two of three marks are read, or one; it is worth three marks."""
ABOUT = 10.0
"""What a rate that is known roughly is worth, in marks."""


@dataclass(frozen=True, slots=True)
class Lies:
    """How rows lie: so many marks of each (`exactly`), so many rows at most, or by chance.

    The row that wins never lies. A row that lies by chance, or within `at_most`, shows any answer
    but the true one, each as likely; one of `exactly` so many false marks has those anywhere.
    """

    exactly: int = 0
    at_most: int = 0
    chance: float = 0.0


@dataclass(frozen=True, slots=True)
class Channel:
    """What happens to a true answer before it becomes a row.

    `reads` is how often each kind of mark is read, in the rule's order of kinds; None: an unread
    mark says nothing. `misread` is the chance that a row is not what was shown.
    """

    reads: tuple[Rate, ...] | None = None
    misread: float = 0.0
    lies: Lies = Lies()

    @property
    def weighs(self) -> bool:
        """Whether rows say more than which answers they admit."""
        return self != PERFECT

    @property
    def learns(self) -> bool:
        """Whether some rate is learned from the rows."""
        return any(rate.worth is not None for rate in self.reads or ())

    @property
    def rules_out(self) -> bool:
        """Whether a row can rule anything out."""
        return not self.lies.chance


LYING_ROWS = 10
"""Among the first so many rows are those that lie, in a game without a limit of its own."""


def lying_so(lies: int, played: int, most: int, length: int) -> float:
    """Return how likely it is, before the rows, that just some `lies` of those played are false.

    Before them, any number of lies up to `most` is as likely in a game of `length` rows, and so
    are any rows; a game that goes on for longer has them among the rows played.
    """
    length = max(length, played)
    numbers = range(min(most, length) + 1)
    ways = [
        math.comb(length - played, n - lies) / math.comb(length, n) for n in numbers if n >= lies
    ]
    return sum(ways) / len(numbers) if lies <= played else 0.0


PERFECT = Channel()
"""The channel through which every mark is told, read and right."""
