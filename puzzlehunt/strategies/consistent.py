"""Consistent play: any candidate, drawn with the seed, or the first in code order."""

from typing import ClassVar

from puzzlehunt.strategies.base import Position, Strategy, Suggestion


class Consistent(Strategy):
    """Draws among the candidates, uniformly."""

    name: ClassVar[str] = "consistent"
    measure = "any candidate"
    deterministic = False
    counts = False

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        places = range(len(position.alive))
        drawn = position.rng.sample(places, min(top, len(places)))
        return [self.rate(position, position.candidate(place)) for place in drawn], True


class First(Strategy):
    """Plays the first candidate in code order (Shapiro, 1983)."""

    name: ClassVar[str] = "first"
    measure = "the first candidate"
    counts = False
    in_order = True

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        places = range(min(top, len(position.alive)))
        return [self.rate(position, position.candidate(place)) for place in places], True
