"""Statistics of games: guesses, intervals of averages, and paired differences of strategies.

An interval is a percentile bootstrap of the mean (Efron, 1979). The p-value of a difference
exchanges the two strategies on each secret at random, which changes the sign of the secret's
difference (Fisher's permutation test of pairs, 1935).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

GuessNumbers: TypeAlias = npt.NDArray[np.int32]
CountName: TypeAlias = Literal["played", "known"]
COUNTS: tuple[CountName, ...] = get_args(CountName)
"""Guesses until the secret is played, or until one candidate is left."""
BEYOND_CHANCE = 0.05
"""A difference is more than chance if its p-value, corrected for all pairs, is below this."""
_BOOTSTRAPS = 4999


class Summary(NamedTuple):
    """The guesses of some games together: how many games took each number, the fewest first.

    `total` are the guesses of all games, `average` those of a game, and `worst` those of the
    longest game; None without games.
    """

    histogram: Counter[int]
    total: int
    average: float | None
    worst: int | None

    @classmethod
    def of(cls, guesses: GuessNumbers) -> "Summary":
        """Return the summary of games, given the guesses of each (N,)."""
        histogram = Counter(sorted(guesses.tolist()))
        total, games = int(guesses.sum()), len(guesses)
        return cls(histogram, total, total / games if games else None, max(histogram, default=None))


@dataclass(frozen=True, slots=True)
class Difference:
    """How many more guesses the first of two strategies takes than the second.

    `total` is the sum of the differences over all secrets, `mean` their mean. `interval` is
    the 95 % interval of the mean, None for a single game. `p` (0 to 1) is the chance of a total at
    least as far from 0 if the two strategies' guesses were exchanged at random for each secret;
    `adjusted_p` is corrected for the number of pairs that are compared.
    """

    total: int
    mean: float
    interval: tuple[float, float] | None
    p: float
    adjusted_p: float

    @property
    def beyond_chance(self) -> bool:
        """Whether the difference is significant."""
        return self.adjusted_p < BEYOND_CHANCE


def differences(pairs: Iterable[tuple[GuessNumbers, GuessNumbers]], seed: int) -> list[Difference]:
    """Return how strategies differ in pairs, given their guesses (N,) for the same N secrets."""
    values = [first.astype(np.int64) - second for first, second in pairs]
    ps = list(map(sign_flip_p_value, values))
    return [
        Difference(int(each.sum()), float(each.mean()), interval(each, seed), p, adjusted)
        for each, p, adjusted in zip(values, ps, holm(ps), strict=True)
    ]


def interval(values: npt.NDArray[np.integer], seed: int = 0) -> tuple[float, float] | None:
    """Return the ends of the 95 % interval of the mean of some values (N,); None for fewer than 2.

    The ends are percentiles of the means of many samples of N values, drawn with replacement.
    """
    count = len(values)
    if count < 2:
        return None
    rng = np.random.default_rng(seed)
    step = max(1, 4_000_000 // count)  # values that are in memory at once
    sizes = (min(step, _BOOTSTRAPS - begin) for begin in range(0, _BOOTSTRAPS, step))
    means = [values[rng.integers(0, count, (size, count))].mean(axis=1) for size in sizes]
    ends = np.quantile(np.concatenate(means), [0.025, 0.975]).round(10)
    return float(ends[0]), float(ends[1])


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
    factorials = np.cumsum(np.log(np.arange(number + 1).clip(1)))  # their logarithms
    logs = factorials + factorials[::-1]
    chances = np.exp(logs.min() - logs)
    return np.asarray(chances / chances.sum())


def holm(ps: Sequence[float]) -> list[float]:
    """Return p-values adjusted by Holm's method, which controls the family-wise error rate.

    Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of
    Statistics 6 (1979), 65-70.
    """
    order = np.argsort(ps, kind="stable")
    adjusted = np.empty(len(ps))
    stepwise = np.arange(len(ps), 0, -1) * np.asarray(ps, float)[order]
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(stepwise))
    return adjusted.tolist()
