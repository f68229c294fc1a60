"""Measures: the value of a guess, as a pure function of the counts of its partition.

Counts are along the last axis, one for each of F feedbacks: numbers of candidates, or weights. A
count of zero adds nothing. If a player sees less than the feedback, counts are of V clues.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlehunt.kernels.feedback_matrix import Counts

GUESSES_ON_AVERAGE = "guesses on average"
"""The unit of values that count the guesses to the end of the game, the suggested one included."""
BITS = "bits"
"""The unit of values that measure the information of an answer."""

Values: TypeAlias = npt.NDArray[np.float64]
Cost: TypeAlias = Callable[[Counts], Counts]
"""A function from counts (..., F) to costs (...); the guess with the smallest cost is the best."""

DECIMALS = 9
"""Values in bits are rounded to this many decimals, so that equal partitions have equal values."""
STEPS_PER_BIT = 2.0**36
"""Products n * log2(n) are rounded to whole steps, so that their sums are exact."""


def largest(counts: Counts) -> Values:
    """Return the largest count: the number of candidates left in the worst case."""
    return np.asarray(counts.max(axis=-1), dtype=np.float64)


def expected_size(counts: Counts) -> Values:
    """Return sum(n * n) / sum(n): how many candidates will be left on average."""
    exact = counts.astype(np.float64)
    total = np.maximum(np.einsum("...i->...", exact), np.finfo(np.float64).tiny)
    return np.asarray(np.einsum("...i,...i->...", exact, exact) / total)


def information_gain(counts: Counts, noise: Values | float = 0.0) -> Values:
    """Return -sum(p * log2(p)) with p = n / sum(n), less `noise`: the bits that the answer tells.

    Equal partitions get equal values, in whatever order their counts are: sums are exact, in steps
    of 2**-36, and the value is rounded to nine decimals.
    """
    total = np.einsum("...i->...", counts.astype(np.float64))
    if counts.dtype.kind != "f":
        steps = n_log2_n(np.arange(counts.max(initial=0) + 1)).take(counts)
        products = np.einsum("...i->...", steps) / STEPS_PER_BIT
    else:
        weighed = counts * np.log2(counts, out=np.zeros_like(counts), where=counts > 0)
        products = np.einsum("...i->...", weighed)
    bits = np.log2(total) - products / total
    return np.asarray(np.round(bits - noise, DECIMALS))


def n_log2_n(numbers: Counts) -> npt.NDArray[np.int64]:
    """Return n * log2(n) of whole numbers, 0 for 0, in steps of 2**-36."""
    exact = numbers.astype(np.float64)
    exact *= np.log2(np.maximum(exact, 1))
    return np.round(exact * STEPS_PER_BIT).astype(np.int64)


def parts(counts: Counts) -> Values:
    """Return how many counts are above zero: how many different answers there can be."""
    present = (counts > 0).view(np.uint8)
    return np.asarray(np.einsum("...i->...", present, dtype=np.float64, casting="safe"))


@dataclass(frozen=True, slots=True)
class Measure:
    """A named value of a partition; `sign` is 1 if a smaller value is better, -1 if a larger."""

    name: str
    unit: str
    value_of: Callable[[Counts], Values]
    sign: int
    uses_weights: bool = False
    """Whether it is about the secret: counts are sums of the candidates' weights, where they have
    some, and of what a player will see of an answer. Others count the candidates themselves."""
    adds_per_part: Callable[[npt.NDArray[np.int64]], npt.NDArray[np.int64]] | None = None
    """What a part of n candidates adds to a whole number that is smallest for the best guess, in
    steps of 1 / STEPS_PER_BIT for a value in bits; None if no such sum is known."""
    takes_largest: bool = False
    """Whether the parts are not summed: the largest `adds_per_part` alone counts."""


MINIMAX = Measure(
    "minimax", "largest group", largest, 1, adds_per_part=lambda n: n, takes_largest=True
)
EXPECTED_SIZE = Measure(
    "expected-size", "left on average", expected_size, 1, adds_per_part=lambda n: n * n
)
ENTROPY = Measure("entropy", BITS, information_gain, -1, uses_weights=True, adds_per_part=n_log2_n)
PARTS = Measure("parts", "parts", parts, -1, adds_per_part=lambda n: np.maximum(n - 1, 0))
MEASURES = {each.name: each for each in (MINIMAX, EXPECTED_SIZE, ENTROPY, PARTS)}
