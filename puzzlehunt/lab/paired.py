"""What two strategies differ by on the same secrets, and whether chance would do as much.

The interval is a percentile bootstrap of the mean difference (Efron, 1979); the test exchanges the
two strategies on each secret, which turns the sign of its difference (Fisher's permutation test of
pairs, 1935).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from puzzlehunt.lab.outcomes import GuessNumbers

CONFIDENCE = 0.95
BOOTSTRAPS = 4999
"""So many times the secrets are drawn anew."""
_AT_ONCE = 4_000_000
"""So many numbers are drawn at a time."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How many guesses more the first of two strategies takes than the second, a secret.

    `mean` is over `games` secrets and `total` their sum. `low` and `high` are the ends of the 95 %
    interval of the mean, None for a single game. `p` (0 to 1) is how often exchanging the two at
    random makes as large a difference, to either side.
    """

    games: int
    total: int
    mean: float
    low: float | None
    high: float | None
    p: float


def difference(first: GuessNumbers, second: GuessNumbers, seed: int = 0) -> Difference:
    """Return what two strategies differ by; both (N,) are guesses for the same N secrets in order.

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
        p=sign_flips(differences),
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
    found = stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=BOOTSTRAPS,
        batch=max(1, _AT_ONCE // len(values)),
        confidence_level=CONFIDENCE,
        method="percentile",
        rng=rng,
    ).confidence_interval
    return float(found.low), float(found.high)


def sign_flips(differences: npt.NDArray[np.int64]) -> float:
    """Return how often (0 to 1) random signs make the sum of differences (N,) as far from 0.

    All ways to give signs are counted, and none drawn: of k differences of one size the positive
    ones are binomial, and the sums of all sizes are their convolution. It is what
    `scipy.stats.permutation_test` with its `samples` finds where it can try all ways.
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
    """Return p-values made larger for their number, so that all together err in 5 % at most.

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
