"""Find the order of the symbols in a few blocks by meeting in the middle.

Six blocks of five positions are divided into two halves of three blocks. The symbols of a half have
at most 1.7 million orders, which are all listed. Two orders, one of each half, are joined if their
symbols in place add up to the number in each turn's clue. All such pairs are counted, and a uniform
sample is drawn if they are many. The chains of `placements`, in contrast, may miss some.
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
"""The orders of one half of the blocks are listed if there are at most this many."""
_DRAWN = 720
"""Up to this many orders are all returned; of more, about this many are drawn at random."""
_NOTHING_FITS = 1000
"""The cost of the result if nothing fits. The nearest order and its true cost are not computed."""


@dataclass(frozen=True, slots=True, eq=False)
class _CellOrders:
    """All orders of the symbols of one cell.

    `symbols` (N, places) has one order in each row; `places` (places,) are the cell's positions.
    """

    symbols: Numbers
    places: Numbers

    def __len__(self) -> int:
        return len(self.symbols)

    @classmethod
    def of(cls, start: Numbers, places: Numbers) -> "_CellOrders":
        every = sorted(set(itertools.permutations(start[places].tolist())))
        return cls(np.array(every), places)


class Orders:
    """The orders of symbols within cells that fit a query, from each of several starts.

    It takes the place of a `PlacementSearch`, with the same arguments, if the orders can be listed:
    `starts` (N, length) are codes, and `cells` (N, length) numbers the cell of each position, -1
    for a position that keeps its symbol.
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
        """Whether the orders can be listed.

        They can if both halves have few enough, and if each turn has an exact number of symbols in
        place.
        """
        exact = (self._question.low == self._question.high).all()
        places = zip(self._starts, self._cells, strict=True)
        return bool(exact) and all(
            math.prod(map(len, half)) <= _LARGEST_HALF
            for start, cells in places
            for half in _halves(start, cells)
        )

    def placements(self, effort: int, end: float | None = None) -> Placements:
        """Return all orders that fit if they are few, otherwise a random sample of them.

        If none fits, return the starts at a very high cost. `effort` and `end` are ignored; they
        are there because `PlacementSearch.placements` has them.
        """
        if self._found is None:
            self._found = self._joined()
        return self._found

    def _joined(self) -> Placements:
        """Return the joined orders whose keys add up to the key of the turns' numbers in place."""
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
    """All orders of both halves of the cells of a start, sorted by key."""

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
        """Return how many pairs of orders have keys that add up to a target, and codes of pairs.

        The codes are those of all pairs, or of `_DRAWN` drawn ones if there are more. Positions
        that keep their symbols have those of `start`.
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
    """Return the orders of each cell, divided into halves with about equally many in all."""
    every = [
        _CellOrders.of(start, np.flatnonzero(cells == n)) for n in np.unique(cells[cells >= 0])
    ]
    halves: tuple[list[_CellOrders], list[_CellOrders]] = ([], [])
    for cell in sorted(every, key=len, reverse=True):
        min(halves, key=lambda half: math.prod(map(len, half))).append(cell)
    return halves


def _key(in_place: npt.NDArray[np.integer], weights: Keys) -> Keys:
    """Return (N,): a key for each row of numbers of symbols in place, (N, turns).

    The key of a sum is the sum of the keys, modulo 2**64. Two different rows almost never have the
    same key: with random weights, the chance is about 2**-63.
    """
    return np.asarray((in_place.astype(np.uint64) * weights).sum(axis=-1, dtype=np.uint64))


def _keys(half: list[_CellOrders], at: npt.NDArray[np.int16], weights: Keys) -> Keys:
    """Return the keys of all orders of a half; the order of its last cell changes fastest."""
    keys = np.zeros(1, dtype=np.uint64)
    for cell in half:
        in_place = at[cell.places, cell.symbols].sum(axis=1)
        keys = (keys[:, None] + _key(in_place, weights)).ravel()
    return keys
