"""Candidates chosen by how evenly their symbols occur, without regard to what answers tell.

AABBCC is even, AAAAAB is uneven. The strategies are named like distributions: leptokurtic has a
sharp peak and takes the most uneven candidate, platykurtic is flat and takes the most even.
"""

from typing import ClassVar

import numpy as np

from puzzlehunt.kernels.codes import Places
from puzzlehunt.strategies.base import Strategy, Suggestion
from puzzlehunt.strategies.position import Position


class Evenness(Strategy):
    """Ranks candidates by sum(n * n) over their symbols, each of which occurs n times.

    `rank_wanted` is the place of the best guess in that ranking: from 0, the most even candidate,
    to 1, the most uneven. Equals stand in code order.
    """

    name: ClassVar[str] = "kurtic"
    measure = "evenness of symbols"

    def __init__(self, rank_wanted: float) -> None:
        self.rank_wanted = rank_wanted

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        chosen = self._in_order(position)[:top]
        return [self.rate(position, position.candidate(index)) for index in chosen], True

    def _in_order(self, position: Position) -> Places:
        """Return indices of `position.candidates`: the wanted one first, then the nearest to it."""
        codes = position.secrets.codes[position.candidates]
        squares = np.zeros(len(codes), dtype=np.int64)
        for symbol in np.unique(codes):
            squares += np.square((codes == symbol).sum(axis=1))
        if self.rank_wanted == 1:
            return np.argsort(-squares, kind="stable")
        order = np.argsort(squares, kind="stable")
        best = int((len(order) - 1) * self.rank_wanted)
        distances = np.abs(np.arange(len(order)) - best)
        return order[np.argsort(distances, kind="stable")]
