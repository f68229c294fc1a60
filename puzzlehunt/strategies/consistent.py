"""Consistent play: a candidate drawn with the seed, or the first in code order."""

from typing import ClassVar

from puzzlehunt.errors import StrategyError
from puzzlehunt.game.game import Game
from puzzlehunt.strategies.base import Strategy, Suggestion
from puzzlehunt.strategies.position import Position


class _Candidates(Strategy):
    """Guesses candidates alone, and so plays no game in which no guess is the secret."""

    def for_game(self, game: Game) -> Strategy:
        """Return this strategy. Raises StrategyError for a game of questions alone."""
        if game.only_questions:
            raise StrategyError(
                f"{self.name}: guesses candidates, and no guess of {game.title} is one; try entropy"
            )
        return self


class Consistent(_Candidates):
    """Draws among the candidates, uniformly."""

    name: ClassVar[str] = "consistent"
    measure = "any candidate"
    deterministic = False
    uses_partitions = False

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        indices = range(len(position.candidates))
        drawn = position.rng.sample(indices, min(top, len(indices)))
        return [self.rate(position, position.candidate(index)) for index in drawn], True


class First(_Candidates):
    """Plays the first candidate in code order (Shapiro, 1983)."""

    name: ClassVar[str] = "first"
    measure = "the first candidate"
    uses_partitions = False
    takes_code_order = True

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        indices = range(min(top, len(position.candidates)))
        return [self.rate(position, position.candidate(index)) for index in indices], True
