"""What a guess would tell: counts per feedback, and the measures on them.

Every measure is a pure function of the counts along the last axis. Counts may be numbers of
candidates or weights; zeros count for nothing. Where not all of an answer is seen, counts are those
of what is seen: see `Seen`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Values: TypeAlias = npt.NDArray[np.float64]
Cost: TypeAlias = Callable[[npt.NDArray[Any]], npt.NDArray[Any]]
"""Counts (..., F) to one cost (...); the guess with the smallest is the best."""

_SHARP = 9
IN_STEPS = 2.0**36
"""Products n * log2(n) are rounded to one part in so many, so that their sums are exact."""


def largest(counts: npt.NDArray[Any]) -> Values:
    """Return the largest count: how many candidates may be left at worst."""
    return np.asarray(counts.max(axis=-1), dtype=np.float64)


def expected_size(counts: npt.NDArray[Any]) -> Values:
    """Return sum(n * n) / sum(n): how many candidates will be left on average."""
    exact = counts.astype(np.float64)
    squares = np.einsum("...i,...i->...", exact, exact)
    return np.asarray(squares / np.einsum("...i->...", exact))


def entropy(counts: npt.NDArray[Any]) -> Values:
    """Return -sum(p * log2(p)) with p = n / sum(n): the bits that the answer will tell.

    Equal partitions get equal values, in whatever order their counts stand: sums of numbers are
    exact, in steps of 2**-36, and the value is rounded to nine decimals.
    """
    total = np.einsum("...i->...", counts.astype(np.float64))
    if counts.dtype.kind != "f":
        products = in_steps(np.arange(counts.max(initial=0) + 1)).take(counts)
        total_of_products = np.einsum("...i->...", products) / IN_STEPS
        return np.asarray(np.round(np.log2(total) - total_of_products / total, _SHARP))
    weighed = counts * np.log2(counts, out=np.zeros_like(counts), where=counts > 0)
    return np.asarray(np.round(np.log2(total) - np.einsum("...i->...", weighed) / total, _SHARP))


def in_steps(numbers: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Return n * log2(n) of whole numbers, 0 for 0, in steps of 2**-36."""
    exact = numbers.astype(np.float64)
    exact *= np.log2(np.maximum(exact, 1))
    return np.round(exact * IN_STEPS).astype(np.int64)


def parts(counts: npt.NDArray[Any]) -> Values:
    """Return how many counts are above zero: how many different answers there can be."""
    present = (counts > 0).view(np.uint8)
    return np.asarray(np.einsum("...i->...", present, dtype=np.float64, casting="safe"))


@dataclass(frozen=True, slots=True)
class Seen:
    """What may be seen after a guess: (..., V) how much weight shows each clue.

    `noise` are the bits (...) of it that chance adds and the secret does not. `could` is how many
    candidates could show each clue; None where each shows one, and `counts` says it.
    """

    counts: npt.NDArray[Any]
    noise: npt.NDArray[np.float64] | float = 0.0
    could: npt.NDArray[Any] | None = None

    @property
    def left(self) -> npt.NDArray[Any]:
        """How many candidates are left after each clue."""
        return self.counts if self.could is None else self.could


def _bits(seen: Seen) -> Values:
    """Return the mutual information of the secret and what is seen."""
    return np.asarray(np.round(entropy(seen.counts) - seen.noise, _SHARP))


def _expected(seen: Seen) -> Values:
    """Return how many candidates are left on average."""
    if seen.could is None:
        return expected_size(seen.counts)
    total = np.maximum(seen.counts.sum(axis=-1), np.finfo(np.float64).tiny)
    return np.asarray((seen.counts * seen.could).sum(axis=-1) / total)


@dataclass(frozen=True, slots=True)
class Measure:
    """A named value of what may be seen; `sign` is -1 where more is better, 1 where less is."""

    name: str
    unit: str
    of: Callable[[Seen], Values]
    sign: int
    weighed: bool = False
    """Whether it looks at weights, where candidates have them; else at numbers of candidates."""
    adds: Callable[[npt.NDArray[np.int64]], npt.NDArray[np.int64]] | None = None
    """What a part of n candidates adds to a sum of whole numbers that orders guesses as the value
    does, the smallest first; None where no such sum is known."""
    worst: bool = False
    """Whether the largest of what the parts add counts, and not their sum."""
    fine: bool = False
    """Whether sums are in steps of 1 / IN_STEPS, of which a value in bits is rounded."""
    told: Cost | None = None
    """What the answer tells, in bits by this measure, so that several boards can be added up."""

    def value(self, counts: npt.NDArray[Any]) -> Values:
        """Return the value where every answer is seen as it is."""
        return self.of(Seen(counts))

    def cost(self, counts: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the value, where every answer is seen, turned so that smaller is better."""
        return self.cost_of(Seen(counts))

    def cost_of(self, seen: Seen) -> npt.NDArray[Any]:
        """Return the value turned so that smaller is better."""
        return self.sign * self.of(seen)

    def bits(self, counts: npt.NDArray[Any]) -> Values:
        """Return how much the answer tells, in bits or what stands for them."""
        return np.asarray(-self.cost(counts) if self.told is None else self.told(counts))


def _bits_of(left: Cost) -> Cost:
    """Return how many bits are told where a measure says how many candidates are left."""
    return lambda counts: np.round(np.log2(counts.sum(axis=-1) / left(counts)), _SHARP)


MEASURES = {
    "minimax": Measure(
        "minimax",
        "largest group",
        lambda seen: largest(seen.left),
        1,
        told=_bits_of(largest),
        adds=lambda n: n,
        worst=True,
    ),
    "expected-size": Measure(
        "expected-size",
        "left on average",
        _expected,
        1,
        told=_bits_of(expected_size),
        adds=lambda n: n * n,
    ),
    "entropy": Measure("entropy", "bits", _bits, -1, weighed=True, adds=in_steps, fine=True),
    "parts": Measure(
        "parts",
        "parts",
        lambda seen: parts(seen.counts),
        -1,
        told=lambda n: np.round(np.log2(parts(n)), _SHARP),
        adds=lambda n: np.maximum(n - 1, 0),
    ),
}
