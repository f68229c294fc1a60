"""Consistent play: a candidate drawn with the seed, or the first in code order."""

from puzzlehunt.strategies.base import Strategy, Suggestion
from puzzlehunt.strategies.position import Position


class Consistent(Strategy):
    """Draws among the candidates, uniformly."""

    name = "consistent"
    measure = "any candidate"
    deterministic = False
    draws = "any"

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        indices = range(len(position.candidates))
        drawn = position.rng.sample(indices, min(top, len(indices)))
        return [self.rate(position, position.candidate(index)) for index in drawn], True


class First(Strategy):
    """Plays the first candidate in code order (Shapiro, 1983)."""

    name = "first"
    measure = "the first candidate"
    draws = "first"

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        indices = range(min(top, len(position.candidates)))
        return [self.rate(position, position.candidate(index)) for index in indices], True
