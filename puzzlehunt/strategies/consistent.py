"""Consistent play: a candidate drawn with the seed, the first in code order, or the middle one."""

from typing import ClassVar

from puzzlehunt.strategies.base import Strategy, Suggestion
from puzzlehunt.strategies.position import Position


class Consistent(Strategy):
    """Draws among the candidates, uniformly."""

    name: ClassVar[str] = "consistent"
    measure = "any candidate"
    deterministic = False
    looks_at_partitions = False

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        indices = range(len(position.candidates))
        drawn = position.rng.sample(indices, min(top, len(indices)))
        return [self.rate(position, position.candidate(index)) for index in drawn], True


class First(Strategy):
    """Plays the first candidate in code order (Shapiro, 1983)."""

    name: ClassVar[str] = "first"
    measure = "the first candidate"
    looks_at_partitions = False
    takes_code_order = True

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        indices = range(min(top, len(position.candidates)))
        return [self.rate(position, position.candidate(index)) for index in indices], True


class Median(Strategy):
    """Plays the middle candidate in code order; of two, the first."""

    name: ClassVar[str] = "median"
    measure = "the middle candidate"

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        middle = (len(position.candidates) - 1) // 2
        indices = range(len(position.candidates))
        nearest = sorted(indices, key=lambda index: abs(index - middle))[:top]
        return [self.rate(position, position.candidate(index)) for index in nearest], True
