"""Statistics of games: intervals of averages, and paired differences of strategies.

The interval of a difference is a percentile bootstrap of its mean (Efron, 1979). Its p-value
exchanges the two strategies on each secret at random, which changes the sign of the secret's
difference (Fisher's permutation test of pairs, 1935).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from puzzlehunt.lab.guess_counts import GuessNumbers

CONFIDENCE = 0.95
BOOTSTRAPS = 4999
"""Number of bootstrap samples."""
_DRAWN_AT_ONCE = 4_000_000
"""Cap on the values of bootstrap samples held in memory at once."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How many more guesses the first of two strategies takes than the second.

    `total` is the sum of the differences over `games` secrets, `mean` their mean. `low` and `high`
    are the ends of the 95 % interval of the mean, None for a single game. `p` (0 to 1) is the
    chance of a total at least as far from 0 if the two strategies' guesses were exchanged at random
    for each secret.
    """

    games: int
    total: int
    mean: float
    low: float | None
    high: float | None
    p: float


def difference(first: GuessNumbers, second: GuessNumbers, seed: int = 0) -> Difference:
    """Return the difference of two strategies, given their guesses (N,) for the same N secrets.

    Both arrays are in the same order of secrets. Raises ValueError if their lengths differ or are
    0.
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

    The ends are percentiles of the means of many samples, each of N values drawn with replacement.
    """
    if len(values) < 2:
        return None, None
    if (values == values[0]).all():
        return float(values[0]), float(values[0])
    means = np.empty(BOOTSTRAPS)
    step = max(1, _DRAWN_AT_ONCE // len(values))
    for begin in range(0, BOOTSTRAPS, step):
        block = means[begin : begin + step]
        drawn = rng.integers(0, len(values), (len(block), len(values)))
        block[:] = values[drawn].mean(axis=1)
    tail = (1 - CONFIDENCE) / 2
    low, high = np.percentile(means, [100 * tail, 100 * (1 - tail)])
    return float(low), float(high)


def mean_interval(values: npt.NDArray[np.int32]) -> tuple[float, float]:
    """Return Student's 95 % interval of the mean of a sample (N,) of two values or more."""
    mean, error = float(values.mean()), float(values.std(ddof=1)) / math.sqrt(len(values))
    reach = t_quantile(len(values) - 1) * error
    return mean - reach, mean + reach


def t_quantile(degrees: int) -> float:
    """Return t, where Student's distribution has 95 % of its mass between -t and t.

    Newton's method on the finite sums of Abramowitz and Stegun, Handbook of Mathematical Functions
    (1964), 26.7.3 and 26.7.4. The mass between -t and t is concave in t, so that each step ends
    before the quantile.
    """
    first = 2 + degrees % 2
    factors = np.arange(first, degrees - 1, 2)
    half_log = math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)
    height = 2 * math.exp(half_log) / math.sqrt(degrees * math.pi)
    t, before = NormalDist().inv_cdf((1 + CONFIDENCE) / 2), 0.0
    while t > before:
        angle = math.atan(t / math.sqrt(degrees))
        sine, cosine = math.sin(angle), math.cos(angle)
        terms = np.cumprod(np.concatenate(([1.0], (factors - 1) / factors * cosine**2)))
        if degrees % 2 == 0:
            mass = sine * float(terms.sum())
        else:
            mass = 2 / math.pi * (angle + (degrees > 1) * sine * cosine * float(terms.sum()))
        density = height * cosine ** (degrees + 1)
        before, t = t, t + (CONFIDENCE - mass) / density
    return t


def sign_flip_p_value(differences: npt.NDArray[np.int64]) -> float:
    """Return the p-value (0 to 1) of the sum of N differences (N,), by a permutation test.

    The p-value is the chance that the sum is at least as far from 0 if the sign of every difference
    is drawn at random. The chance is exact: among k differences of one size the number of positive
    ones is binomial, and the sum over all sizes is a convolution. `scipy.stats.permutation_test`
    with `permutation_type="samples"` gives the same when it can try all signs.
    """
    sizes, numbers = np.unique(np.abs(differences[differences != 0]), return_counts=True)
    chances = np.ones(1)
    for size, number in zip(sizes.tolist(), numbers.tolist(), strict=True):
        spread = np.zeros(size * number + 1)
        spread[::size] = fair_binomial(number)
        chances = np.convolve(chances, spread)
    positive = (len(chances) - 1 + abs(int(differences.sum()))) // 2
    return min(1.0, 2 * float(chances[positive:].sum()))


def fair_binomial(number: int) -> npt.NDArray[np.float64]:
    """Return (number + 1,): the chances of 0, 1, ... heads in `number` tosses of a fair coin."""
    heads = np.arange(number // 2, number)
    falling = np.cumprod(np.concatenate(([1.0], (number - heads) / (heads + 1))))
    chances = np.concatenate((falling[: number % 2 : -1][: (number + 1) // 2], falling))
    return np.asarray(chances / chances.sum())


def holm(ps: Sequence[float]) -> list[float]:
    """Return p-values adjusted by Holm's method, which controls the family-wise error rate.

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
