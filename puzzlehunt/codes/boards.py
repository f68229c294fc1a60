"""Spaces of several secrets at once: one a board, or two on one board.

The code of all of them is their codes in a row; `/` stands between them where they are written.
"""

import random
from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, product
from typing import TYPE_CHECKING

from puzzlehunt.codes.alphabet import Alphabet, Code
from puzzlehunt.codes.spaces import CodeSpace

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


MOST_PAIRS = 4_000_000
"""So many pairs of secrets can be listed."""


@dataclass(frozen=True, eq=False)
class BoardSpace:
    """One secret a board, each from the same space and independent of the others."""

    single_space: CodeSpace
    boards: int

    @property
    def alphabet(self) -> Alphabet:
        """The symbols of the codes."""
        return self.single_space.alphabet

    @property
    def size(self) -> int:
        """The exact number of ways to fill all boards."""
        return int(self.single_space.size**self.boards)

    @property
    def lengths(self) -> range:
        """How long all secrets are together."""
        total = self.single_space.lengths[0] * self.boards
        return range(total, total + 1)

    def __contains__(self, code: object) -> bool:
        if not isinstance(code, tuple) or len(code) not in self.lengths:
            return False
        return all(secret in self.single_space for secret in split(code, self.boards))

    def __iter__(self) -> Iterator[Code]:
        for secrets in product(self.single_space, repeat=self.boards):
            yield tuple(symbol for secret in secrets for symbol in secret)

    def random(self, rng: random.Random) -> Code:
        """Return all secrets, each drawn uniformly."""
        return tuple(s for _ in range(self.boards) for s in self.single_space.random(rng))


@dataclass(frozen=True, eq=False)
class PairSpace:
    """Two different secrets, the first in code order before the second.

    With `disjoint` they share no symbol.
    """

    single_space: CodeSpace
    disjoint: bool = True

    @property
    def alphabet(self) -> Alphabet:
        """The symbols of the codes."""
        return self.single_space.alphabet

    @property
    def lengths(self) -> range:
        """How long both secrets are together."""
        total = 2 * self.single_space.lengths[0]
        return range(total, total + 1)

    @cached_property
    def _listed(self) -> list[Code]:
        return sorted(self.single_space)

    @cached_property
    def _symbols(self) -> "npt.NDArray[np.uint64]":
        """The symbols of each code in the list, as bits."""
        import numpy as np

        symbols = np.zeros((len(self._listed), -(-len(self.alphabet) // 64)), dtype=np.uint64)
        for place, code in enumerate(self._listed):
            for symbol in code:
                symbols[place, symbol >> 6] |= np.uint64(1 << (symbol & 63))
        return symbols

    def _partners(self, place: int) -> "npt.NDArray[np.intp]":
        """Return the places in the list of all that can follow the one at a place."""
        import numpy as np

        if not self.disjoint:
            return np.arange(place + 1, len(self._listed))
        shared = self._symbols[place + 1 :] & self._symbols[place]
        return np.flatnonzero(~shared.any(axis=1)) + place + 1

    @cached_property
    def _counts(self) -> list[int]:
        """How many pairs each code of the list begins."""
        return [len(self._partners(place)) for place in range(len(self._listed))]

    @property
    def size(self) -> int:
        """The exact number of pairs."""
        if not self.disjoint:
            return self.single_space.size * (self.single_space.size - 1) // 2
        return sum(self._counts)

    def array(self) -> "npt.NDArray[np.uint8]":
        """Return all pairs (N, length) in code order."""
        import numpy as np

        codes = np.array(self._listed, dtype=np.uint8)
        length = codes.shape[1]
        pairs = np.empty((self.size, 2 * length), dtype=np.uint8)
        start = 0
        for place in range(len(codes)):
            partners = self._partners(place)
            stop = start + len(partners)
            pairs[start:stop, :length] = codes[place]
            pairs[start:stop, length:] = codes[partners]
            start = stop
        return pairs

    def __contains__(self, code: object) -> bool:
        if not isinstance(code, tuple) or len(code) not in self.lengths:
            return False
        first, second = split(code, 2)
        apart = not (self.disjoint and set(first) & set(second))
        return (
            apart and first < second and first in self.single_space and second in self.single_space
        )

    def __iter__(self) -> Iterator[Code]:
        for place, first in enumerate(self._listed):
            for partner in self._partners(place):
                yield first + self._listed[partner]

    def random(self, rng: random.Random) -> Code:
        """Return a pair drawn uniformly."""
        ends = list(accumulate(self._counts))
        place = rng.randrange(ends[-1])
        first = bisect(ends, place)
        second = self._partners(first)[place - ends[first]]
        return self._listed[first] + self._listed[int(second)]


def split(code: Code, parts: int) -> list[Code]:
    """Return the codes that stand in a row in one."""
    length = len(code) // parts
    return [code[start : start + length] for start in range(0, len(code), length)]
