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
        places = range(len(position.candidates))
        drawn = position.rng.sample(places, min(top, len(places)))
        return [self.rate(position, position.candidate(place)) for place in drawn], True


class First(Strategy):
    """Plays the first candidate in code order (Shapiro, 1983)."""

    name: ClassVar[str] = "first"
    measure = "the first candidate"
    looks_at_partitions = False
    takes_code_order = True

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        places = range(min(top, len(position.candidates)))
        return [self.rate(position, position.candidate(place)) for place in places], True


class Median(Strategy):
    """Plays the middle candidate in code order; of two, the first."""

    name: ClassVar[str] = "median"
    measure = "the middle candidate"

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        middle = (len(position.candidates) - 1) // 2
        places = sorted(range(len(position.candidates)), key=lambda place: abs(place - middle))[
            :top
        ]
        return [self.rate(position, position.candidate(place)) for place in places], True
