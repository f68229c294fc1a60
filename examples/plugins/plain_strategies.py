"""Plain strategies for puzzlehunt: by code order, by evenness, and symbol counts first."""

from typing import ClassVar

import numpy as np

from puzzlehunt import Suggestion
from puzzlehunt.rules import Code
from puzzlehunt.strategies import Position, Strategy, find_strategy


class Median(Strategy):
    """Plays the middle candidate in code order; of two, the first."""

    name = "median"
    measure = "the middle candidate"

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        """Return the middle candidate, then the nearest to it."""
        return _rated(self, position, _from_rank(np.arange(len(position.candidates)), 0.5)[:top])


class Leptokurtic(Strategy):
    """Plays the candidate whose symbols occur most unevenly: AAAAAB before AABBCC.

    The evenness of a code is sum(n * n) over its symbols, each of which occurs n times. The three
    strategies of it are named like distributions with a sharp, a middling and a flat peak. Equals
    stand in code order.
    """

    name = "leptokurtic"
    measure = "evenness of symbols"
    wanted: ClassVar[float] = 1.0
    """The rank of the best guess: from 0, the most even candidate, to 1, the most uneven."""

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        """Return the candidates nearest to the wanted rank."""
        codes = position.secrets.codes[position.candidates]
        squares = np.zeros(len(codes), dtype=np.int64)
        for symbol in np.unique(codes):
            squares += np.square((codes == symbol).sum(axis=1))
        if self.wanted == 1:
            return _rated(self, position, np.argsort(-squares, kind="stable")[:top])
        order = np.argsort(squares, kind="stable")
        return _rated(self, position, _from_rank(order, self.wanted)[:top])


class Mesokurtic(Leptokurtic):
    """Plays the candidate of middling evenness."""

    name = "mesokurtic"
    wanted: ClassVar[float] = 0.5


class Platykurtic(Leptokurtic):
    """Plays the candidate whose symbols occur most evenly."""

    name = "platykurtic"
    wanted: ClassVar[float] = 0.0


class Structured(Strategy):
    """Plays as `entropy`; in a sample of the candidates, after guesses about symbol counts."""

    name = "structured"

    def __init__(self) -> None:
        self._inner = find_strategy("entropy")
        self.measure = self._inner.measure

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        """Return a guess about symbols while one helps, then what `entropy` suggests."""
        sampled = len(position.secrets) < position.game.secrets.size
        guess = _about_symbols(position) if sampled else None
        if guess is None:
            return self._inner.rank(position, top)
        return [self.rate(position, guess)], True

    def rate(self, position: Position, guess: Code) -> Suggestion:
        """Return what a guess is worth to `entropy`."""
        return self._inner.rate(position, guess)


def _about_symbols(position: Position) -> Code | None:
    """Return a guess of two symbols, half of each, one of which occurs in candidates unequally."""
    codes = position.secrets.codes[position.candidates]
    length = codes.shape[1]
    for symbol in range(len(position.game.alphabet)):
        if len(np.unique((codes == symbol).sum(axis=1))) > 1:
            other = max(0, symbol - 1)
            half = (length + symbol % 2) // 2
            for first, then in ((other, symbol), (symbol, other)):
                guess = (first,) * half + (then,) * (length - half)
                if guess not in position.past_guesses and guess in position.game.guesses:
                    return guess
    return None


def _from_rank(order: np.ndarray, wanted: float) -> np.ndarray:
    """Return an order with a relative rank (0 to 1) first, then the nearest to it."""
    distances = np.abs(np.arange(len(order)) - int((len(order) - 1) * wanted))
    return order[np.argsort(distances, kind="stable")]


def _rated(
    strategy: Strategy, position: Position, indices: np.ndarray
) -> tuple[list[Suggestion], bool]:
    """Return some candidates as suggestions, and that all guesses were evaluated."""
    return [strategy.rate(position, position.candidate(int(i))) for i in indices], True
