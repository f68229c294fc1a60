"""Paired statistics: how far two strategies differ on the same secrets, and what chance explains.

The interval is a percentile bootstrap of the mean difference (Efron, 1979); the test exchanges the
two strategies on each secret at random, which changes the sign of its difference (Fisher's
permutation test of pairs, 1935).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from puzzlehunt.lab.outcomes import GuessNumbers

CONFIDENCE = 0.95
BOOTSTRAPS = 4999
"""Number of bootstrap samples."""
_DRAWN_AT_ONCE = 4_000_000
"""Cap on the values of bootstrap samples held in memory at once."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How many more guesses the first of two strategies takes than the second.

    `total` is the sum of the differences over `games` secrets, `mean` their mean. `low` and `high`
    are the ends of the 95 % interval of the mean, None for a single game. `p` (0 to 1) is how often
    exchanging the two at random makes as large a difference, to either side.
    """

    games: int
    total: int
    mean: float
    low: float | None
    high: float | None
    p: float


def difference(first: GuessNumbers, second: GuessNumbers, seed: int = 0) -> Difference:
    """Return how two strategies differ, given their guesses (N,) for the same N secrets in order.

    Raises ValueError where they have not as many games, or none.
    """
    if len(first) != len(second) or not len(first):
        raise ValueError(f"{len(first)} and {len(second)} games cannot be paired")
    differences = first.astype(np.int64) - second
    rng = np.random.default_rng(seed)
    low, high = interval(differences, rng)
    return Difference(
        games=len(differences),
        total=int(differences.sum()),
        mean=float(differences.mean()),
        low=low,
        high=high,
        p=sign_flip_p_value(differences),
    )


def interval(
    values: npt.NDArray[np.int64], rng: np.random.Generator
) -> tuple[float | None, float | None]:
    """Return the ends of the 95 % interval of the mean of some values (N,); None for fewer than 2.

    They are the percentiles of the means of samples as large, drawn from the values with
    replacement.
    """
    from scipy import stats

    if len(values) < 2:
        return None, None
    if (values == values[0]).all():
        return float(values[0]), float(values[0])
    ends = stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=BOOTSTRAPS,
        batch=max(1, _DRAWN_AT_ONCE // len(values)),
        confidence_level=CONFIDENCE,
        method="percentile",
        rng=rng,
    ).confidence_interval
    return float(ends.low), float(ends.high)


def sign_flip_p_value(differences: npt.NDArray[np.int64]) -> float:
    """Return the chance (0 to 1) that random signs put the sum of differences (N,) as far from 0.

    The chance is exact, as no signs are drawn: of k differences of one size the number of positive
    ones is binomial, and the sums over all sizes are a convolution. `scipy.stats.permutation_test`
    with `permutation_type="samples"` finds the same where it can try all signs.
    """
    from scipy import stats

    sizes, numbers = np.unique(np.abs(differences[differences != 0]), return_counts=True)
    chances = np.ones(1)
    for size, number in zip(sizes.tolist(), numbers.tolist(), strict=True):
        spread = np.zeros(size * number + 1)
        spread[::size] = stats.binom.pmf(np.arange(number + 1), number, 0.5)
        chances = np.convolve(chances, spread)
    positive = (len(chances) - 1 + abs(int(differences.sum()))) // 2
    return min(1.0, 2 * float(chances[positive:].sum()))


def holm(ps: Sequence[float]) -> list[float]:
    """Return p-values corrected for their number.

    If all of them are tested at 5 %, the chance of one false alarm or more is at most 5 %.

    Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of
    Statistics 6 (1979), 65-70.
    """
    order = sorted(range(len(ps)), key=lambda place: ps[place])
    adjusted = [0.0] * len(ps)
    largest = 0.0
    for rank, place in enumerate(order):
        largest = max(largest, min(1.0, (len(ps) - rank) * ps[place]))
        adjusted[place] = largest
    return adjusted
