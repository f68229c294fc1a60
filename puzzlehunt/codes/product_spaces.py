"""Spaces of several secrets at once: one on each board, or two on one board.

Several secrets are one code, the concatenation of their codes; `split` separates them.
"""

import random
from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, product
from typing import TYPE_CHECKING

from puzzlehunt.codes.alphabet import Alphabet, Code
from puzzlehunt.codes.constraints import (
    TRUE,
    AllOf,
    AnyOf,
    At,
    AtLeast,
    Bound,
    Constraint,
    shifted,
)
from puzzlehunt.codes.spaces import CodeSpace

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


MOST_PAIRS = 4_000_000
"""Cap on the size of a `PairSpace` (pairs): the explicit engine holds all of them in one array."""


@dataclass(frozen=True)
class BoardSpace(CodeSpace):
    """One secret on each board, all from `single`, independent of each other."""

    single: CodeSpace
    boards: int

    @property
    def alphabet(self) -> Alphabet:
        return self.single.alphabet

    @property
    def size(self) -> int:
        return int(self.single.size**self.boards)

    @property
    def lengths(self) -> range:
        total = self.single.lengths[0] * self.boards
        return range(total, total + 1)

    def constraint(self) -> Constraint:
        single, length = self.single.constraint(), self.single.lengths[0]
        if single == TRUE:
            return TRUE
        return AllOf(tuple(shifted(single, b * length, length) for b in range(self.boards)))

    def holds(self, code: Code) -> bool:
        if len(code) not in self.lengths:
            return False
        return all(secret in self.single for secret in split(code, self.boards))

    def __iter__(self) -> Iterator[Code]:
        for secrets in product(self.single, repeat=self.boards):
            yield tuple(symbol for secret in secrets for symbol in secret)

    def random(self, rng: random.Random) -> Code:
        return tuple(s for _ in range(self.boards) for s in self.single.random(rng))


@dataclass(frozen=True)
class PairSpace(CodeSpace):
    """Two different secrets of `single`, the first before the second in code order.

    With `disjoint` they have no symbol in common.
    """

    single: CodeSpace
    disjoint: bool = True

    joint = True

    def __getstate__(self) -> dict[str, object]:
        """Return the state to pickle: the fields, without cached values."""
        return {"single": self.single, "disjoint": self.disjoint}

    @property
    def alphabet(self) -> Alphabet:
        return self.single.alphabet

    @property
    def lengths(self) -> range:
        total = 2 * self.single.lengths[0]
        return range(total, total + 1)

    @cached_property
    def _singles(self) -> list[Code]:
        """The codes of `single` in code order."""
        return sorted(self.single)

    @cached_property
    def _symbols(self) -> "npt.NDArray[np.uint64]":
        """The set of symbols of each single code, one bit a symbol (codes, words of 64 bits)."""
        import numpy as np

        symbols = np.zeros((len(self._singles), -(-len(self.alphabet) // 64)), dtype=np.uint64)
        for index, code in enumerate(self._singles):
            for symbol in code:
                symbols[index, symbol >> 6] |= np.uint64(1 << (symbol & 63))
        return symbols

    def _partners(self, first: int) -> "npt.NDArray[np.intp]":
        """Return which second secrets go with a first, all as indices in `_singles`, ascending."""
        import numpy as np

        if not self.disjoint:
            return np.arange(first + 1, len(self._singles))
        shared = self._symbols[first + 1 :] & self._symbols[first]
        return np.flatnonzero(~shared.any(axis=1)) + first + 1

    @cached_property
    def _partner_counts(self) -> list[int]:
        """How many second secrets go with each first one, in code order of the first."""
        return [len(self._partners(first)) for first in range(len(self._singles))]

    @property
    def size(self) -> int:
        if not self.disjoint:
            return self.single.size * (self.single.size - 1) // 2
        return sum(self._partner_counts)

    def array(self) -> "npt.NDArray[np.uint8]":
        """Return (pairs, 2 * length of a secret): all pairs in code order, one a row."""
        import numpy as np

        codes = np.array(self._singles, dtype=np.uint8)
        length = codes.shape[1]
        pairs = np.empty((self.size, 2 * length), dtype=np.uint8)
        start = 0
        for first in range(len(codes)):
            partners = self._partners(first)
            stop = start + len(partners)
            pairs[start:stop, :length] = codes[first]
            pairs[start:stop, length:] = codes[partners]
            start = stop
        return pairs

    def constraint(self) -> Constraint:
        single, length = self.single.constraint(), self.single.lengths[0]
        return AllOf((single, shifted(single, length, length), self.mutual_constraint()))

    def mutual_constraint(self) -> Constraint:
        """Return the constraint that the first secret comes before the second in code order.

        If `disjoint`, it also requires that the two secrets have no symbol in common.
        """
        length, symbols = self.single.lengths[0], len(self.alphabet)
        if not self.disjoint:
            return AnyOf(
                tuple(
                    AllOf((*(self._difference(p, 0, 0) for p in range(n)), self._difference(n, 1)))
                    for n in range(length)
                )
            )
        # Secrets without a common symbol differ in the first position, which therefore orders them.
        halves = range(length), range(length, 2 * length)
        no_common_symbol = [
            Bound(None, tuple((1, AtLeast((s,), 1, half)) for half in halves), 1)
            for s in range(symbols)
        ]
        return AllOf((*no_common_symbol, self._difference(0, 1)))

    def _difference(self, place: int, low: int, high: int | None = None) -> Bound:
        """Return a bound on the second secret's symbol number at a place minus the first's."""
        terms = [
            (sign * symbol, At(place + start, (symbol,)))
            for sign, start in ((-1, 0), (1, self.single.lengths[0]))
            for symbol in range(1, len(self.alphabet))
        ]
        return Bound(low, tuple(terms), high)

    def holds(self, code: Code) -> bool:
        if len(code) not in self.lengths:
            return False
        first, second = split(code, 2)
        if self.disjoint and set(first) & set(second):
            return False
        return first < second and first in self.single and second in self.single

    def __iter__(self) -> Iterator[Code]:
        for first, code in enumerate(self._singles):
            for second in self._partners(first):
                yield code + self._singles[second]

    def random(self, rng: random.Random) -> Code:
        """Return a pair drawn uniformly."""
        ends = list(accumulate(self._partner_counts))
        pair = rng.randrange(ends[-1])
        first = bisect(ends, pair)
        from_last = pair - ends[first]  # negative: it counts back from the last partner
        second = self._partners(first)[from_last]
        return self._singles[first] + self._singles[int(second)]


def split(code: Code, parts: int) -> list[Code]:
    """Return the `parts` secrets of equal length that a code consists of."""
    length = len(code) // parts
    return [code[start : start + length] for start in range(0, len(code), length)]
