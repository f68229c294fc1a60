"""The order of the symbols in a few blocks, by listing both halves of the blocks.

Three blocks of five positions have 1.7 million orders. Those of six blocks are pairs of two such
halves whose symbols in place add up to the number of each turn. All such pairs are counted, and
some are drawn uniformly, while chains (`placements`) may miss some.
"""

import itertools
import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from puzzlehunt.engines.sampling.meet_in_the_middle import JoinedHalves, Keys
from puzzlehunt.engines.sampling.placements import PlacementQuery, Placements
from puzzlehunt.engines.sampling.turn_arrays import Numbers

_LARGEST_HALF = 4_000_000
"""Most orders of half of the blocks that are listed."""
_DRAWN = 720
"""Most orders that are listed, and how many are drawn where there are more."""
_NOTHING_FITS = 1000
"""The cost that is given if nothing fits; that of the nearest is not looked for."""


@dataclass(frozen=True, slots=True, eq=False)
class _CellOrders:
    """All orders of the symbols of one cell, (N, places), and its `places` (places,)."""

    symbols: Numbers
    places: Numbers

    def __len__(self) -> int:
        return len(self.symbols)

    @classmethod
    def of(cls, start: Numbers, places: Numbers) -> "_CellOrders":
        every = sorted(set(itertools.permutations(start[places].tolist())))
        return cls(np.array(every), places)


class Orders:
    """All orders of the symbols in cells that fit a question, for each of several starts.

    `starts` and `cells` (N, length) are those of `PlacementSearch`, and so is `placements`.
    """

    def __init__(
        self,
        question: PlacementQuery,
        starts: Numbers,
        cells: Numbers,
        generator: np.random.Generator,
    ) -> None:
        self._question, fit = question.narrowed(starts, cells)
        self._starts, self._cells, self._generator = starts[fit], cells[fit], generator
        self._found: Placements | None = None

    @property
    def can_be_listed(self) -> bool:
        """Whether both halves are small enough, and all turns have an exact number in place."""
        exact = (self._question.low == self._question.high).all()
        places = zip(self._starts, self._cells, strict=True)
        return bool(exact) and all(
            math.prod(map(len, half)) <= _LARGEST_HALF
            for start, cells in places
            for half in _halves(start, cells)
        )

    def placements(self, effort: int, end: float | None = None) -> Placements:
        """Return all placements if they are few, otherwise a random sample.

        The work does not depend on the effort or the moment `end`.
        """
        if self._found is None:
            self._found = self._joined()
        return self._found

    def _joined(self) -> Placements:
        """Return the orders whose keys add up to that of what the turns say."""
        turns = len(self._question.low)
        weights = self._generator.integers(0, 2**64, turns, dtype=np.uint64)
        listed: dict[bytes, _Listed] = {}
        totals, drawn = [], []
        for start, cells in zip(self._starts, self._cells, strict=True):
            fixed, moving = np.flatnonzero(cells < 0), start[cells >= 0].tobytes()
            if moving not in listed:
                listed[moving] = _Listed(start, cells, self._question.at, weights)
            told = self._question.low - self._question.at[fixed, start[fixed]].sum(axis=0)
            total, codes = listed[moving].joined(start, _key(told, weights), self._generator)
            totals.append(total)
            drawn.append(codes)
        left = sum(totals)
        if not left:
            unknown = np.empty((0, self._starts.shape[1]), dtype=np.int64)
            return Placements(self._starts, _NOTHING_FITS, unknown, False, True)
        complete = left <= _DRAWN
        if not complete:
            drawn = [
                codes[: math.ceil(_DRAWN * total / left)]
                for total, codes in zip(totals, drawn, strict=True)
            ]
        codes = np.concatenate(drawn)
        return Placements(codes, 0, np.unique(codes, axis=0), complete, True)


class _Listed:
    """All orders of both halves of the cells of a start, by their keys."""

    def __init__(
        self, start: Numbers, cells: Numbers, at: npt.NDArray[np.int16], weights: Keys
    ) -> None:
        self._halves = _halves(start, cells)
        every = [_keys(half, at, weights) for half in self._halves]
        self._orders = [np.argsort(keys) for keys in every]
        self._keys = [keys[order] for keys, order in zip(every, self._orders, strict=True)]

    def joined(
        self, start: Numbers, target: Keys, generator: np.random.Generator
    ) -> tuple[int, Numbers]:
        """Return how many pairs of halves have keys that add up to a target, and their codes.

        These are all of them, or `_DRAWN` that are drawn. Cells that keep their symbols have those
        of `start`.
        """
        matches = JoinedHalves(self._keys[0], target - self._keys[1])
        many = matches.total > _DRAWN
        chosen = generator.integers(0, matches.total, _DRAWN) if many else np.arange(matches.total)
        codes = start[None].repeat(len(chosen), axis=0)
        pairs = zip(self._halves, self._orders, matches.pairs(chosen), strict=True)
        for half, order, numbers in pairs:
            places = np.unravel_index(order[numbers], tuple(map(len, half)))
            for cell, which in zip(half, places, strict=True):
                codes[:, cell.places] = cell.symbols[which]
        return matches.total, codes


def _halves(start: Numbers, cells: Numbers) -> tuple[list[_CellOrders], list[_CellOrders]]:
    """Return the cells that move in two halves, with about as many orders each."""
    every = [
        _CellOrders.of(start, np.flatnonzero(cells == n)) for n in np.unique(cells[cells >= 0])
    ]
    halves: tuple[list[_CellOrders], list[_CellOrders]] = ([], [])
    for cell in sorted(every, key=len, reverse=True):
        min(halves, key=lambda half: math.prod(map(len, half))).append(cell)
    return halves


def _key(in_place: npt.NDArray[np.integer], weights: Keys) -> Keys:
    """Return (N,): a key of the symbols in place, (N, turns).

    The key of a sum is the sum of the keys, modulo 2**64. Two that differ have the same key hardly
    ever: with random weights the chance is some 2**-63.
    """
    return np.asarray((in_place.astype(np.uint64) * weights).sum(axis=-1, dtype=np.uint64))


def _keys(half: list[_CellOrders], at: npt.NDArray[np.int16], weights: Keys) -> Keys:
    """Return the keys of all orders of half of the cells, those of the last cell side by side."""
    keys = np.zeros(1, dtype=np.uint64)
    for cell in half:
        in_place = at[cell.places, cell.symbols].sum(axis=1)
        keys = (keys[:, None] + _key(in_place, weights)).ravel()
    return keys
