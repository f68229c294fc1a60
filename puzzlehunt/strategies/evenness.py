"""Choice by how evenly a candidate's symbols are spread, whatever the answers would tell.

The names are those of distributions: leptokurtic with a sharp peak, platykurtic with a flat one.
"""

from typing import ClassVar

import numpy as np

from puzzlehunt.kernels.codes import Places
from puzzlehunt.strategies.base import Strategy, Suggestion
from puzzlehunt.strategies.position import Position


class Kurtic(Strategy):
    """Takes candidates by the sum of the squares of how often each symbol occurs in them.

    `share` says which, from 0 for the most even to 1 for the most uneven; equals in code order.
    """

    name: ClassVar[str] = "kurtic"
    measure = "evenness of symbols"

    def __init__(self, share: float) -> None:
        self.share = share

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        chosen = self._in_order(position)[:top]
        return [self.rate(position, position.candidate(place)) for place in chosen], True

    def _in_order(self, position: Position) -> Places:
        """Return places in `alive`: first the one that is wanted, then by their distance to it."""
        codes = position.secrets.codes[position.alive]
        squares = np.zeros(len(codes), dtype=np.int64)
        for symbol in np.unique(codes):
            squares += np.square((codes == symbol).sum(axis=1))
        if self.share == 1:
            return np.argsort(-squares, kind="stable")
        order = np.argsort(squares, kind="stable")
        middle = int((len(order) - 1) * self.share)
        apart = np.abs(np.arange(len(order)) - middle)
        return order[np.argsort(apart, kind="stable")]
