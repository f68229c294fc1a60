"""Structured play: how often symbols occur is asked first, also where candidates can be listed."""

from collections.abc import Callable
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.kernels.codes import Rows
from puzzlehunt.strategies.base import Strategy, Suggestion
from puzzlehunt.strategies.position import Position


class Structured(Strategy):
    """Plays as the strategy `inner`, after first guesses that ask how often symbols occur.

    `Adviser` makes those with `settling`, because of `settles_symbols_first`; for the longest codes
    it does so anyway.
    """

    name: ClassVar[str] = "structured"
    settles_symbols_first = True

    def __init__(self, inner: Callable[[], Strategy]) -> None:
        self._inner = inner()
        self.measure = self._inner.measure
        self.allows_for_channel = self._inner.allows_for_channel

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        return self._inner.rank(position, top)

    def ranks_by_bits(self) -> bool:
        return self._inner.ranks_by_bits()

    def bits(self, position: Position, guesses: Rows) -> npt.NDArray[np.float64] | None:
        return self._inner.bits(position, guesses)

    def rate(self, position: Position, guess: Code) -> Suggestion:
        return self._inner.rate(position, guess)
