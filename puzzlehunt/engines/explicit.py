"""The explicit engine: every candidate in an array, filtered turn by turn."""

import random
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes import Code, WordSpace
from puzzlehunt.engines.base import CountingEngine, Sample
from puzzlehunt.game import Game
from puzzlehunt.history import Item, Turn
from puzzlehunt.kernels import Mask, Rows, array_of, code_of, satisfied, space_array

Places = npt.NDArray[np.intp]


class ExplicitEngine(CountingEngine):
    """Holds all secrets of a game, or of a sample of its candidates.

    `codes` limits the engine to some secrets. Raises TooLargeError for too many.
    """

    def __init__(self, game: Game, codes: Iterable[Code] | None = None) -> None:
        super().__init__(game)
        array = (
            space_array(game.secrets, game.length)
            if codes is None
            else array_of(codes, game.length)
        )
        self._all = game.rule.rows(array)
        self._weights = self._space_weights() if codes is None else None
        self._alive: list[Places] = [np.arange(len(array))]

    def _space_weights(self) -> npt.NDArray[np.float64] | None:
        space = self.game.secrets
        if not isinstance(space, WordSpace):
            return None
        weights = np.fromiter(space.weights.values(), dtype=np.float64, count=space.size)
        return None if (weights == weights[0]).all() else weights

    def push(self, item: Item) -> None:
        alive = self._alive[-1]
        self._alive.append(alive[self._agrees(item, self._all[alive])])
        self._items.append(item)

    def pop(self) -> None:
        self._items.pop()
        self._alive.pop()

    def _agrees(self, item: Item, rows: Rows) -> Mask:
        """Return which of some secrets agree with a turn or a fact."""
        if not isinstance(item, Turn):
            return satisfied(item.constraint, rows.codes)
        rule = self.game.rule
        guess = rule.rows(array_of([item.guess], self.game.length))
        present, where = np.unique(rule.table(guess, rows)[0], return_inverse=True)
        feedbacks = rule.feedbacks
        admitted = [self.game.admits(item, feedbacks[index]) for index in present.tolist()]
        return np.array(admitted, dtype=np.bool_)[where]

    def satisfiable(self, chosen: Sequence[int] | None = None) -> bool:
        if chosen is None:
            return self.count() > 0
        alive = self._alive[0]
        for place in chosen:
            alive = alive[self._agrees(self._items[place], self._all[alive])]
            if not len(alive):
                return False
        return bool(len(alive))

    def candidates(self) -> Iterator[Code]:
        return (code_of(self._all.codes[place]) for place in self._alive[-1])

    def sample(self, size: int, rng: random.Random, end: float | None = None) -> Sample:
        alive = self._alive[-1]
        places = range(len(alive))
        chosen = places if len(alive) <= size else sorted(rng.sample(places, size))
        codes = tuple(code_of(self._all.codes[alive[place]]) for place in chosen)
        return Sample(codes, len(alive) <= size)

    def count(self) -> int:
        return len(self._alive[-1])

    def every(self) -> Rows:
        return self._all

    def places(self) -> Places:
        return self._alive[-1]

    def weights(self) -> npt.NDArray[np.float64] | None:
        return self._weights
