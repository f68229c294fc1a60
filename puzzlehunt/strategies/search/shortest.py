"""The strategy `shortest`, which takes the fewest guesses in the worst case."""

from dataclasses import replace
from itertools import count
from typing import ClassVar

import numpy as np

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import StrategyError
from puzzlehunt.game.game import Game
from puzzlehunt.kernels import fast
from puzzlehunt.kernels.packed_codes import PackedCodes, code_of
from puzzlehunt.kernels.problem import UNLIMITED
from puzzlehunt.strategies.base import Strategy, Suggestion
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.search.optimal import Optimal


class Shortest(Optimal):
    """Finds every candidate with the attempts left; if that is impossible, with the fewest more.

    Without a limit of attempts, it takes the fewest guesses in the worst case. Which guesses do so
    is a question of yes or no: no average is minimised, so that far larger games can be searched.
    """

    name: ClassVar[str] = "shortest"
    measure = "guesses at worst"
    books = ()
    optimal = False
    proves = False
    _first_found = True

    def for_game(self, game: Game) -> Strategy:
        """Return this strategy. Raises StrategyError for games of questions alone."""
        if game.only_questions:
            raise StrategyError("shortest: no guess can win in this game; try --strategy optimal")
        return self

    def unsupported_reason(self, position: Position) -> str:
        if not fast.is_installed():
            return 'anything without the extra "puzzlehunt[fast]"'
        return "hard mode" if position.game.hard else super().unsupported_reason(position)

    def quickly(self, position: Position) -> Suggestion | None:
        return None

    def prepare(self, position: Position, opening: Code | None = None) -> None:
        self._searching_for(position)

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        """Return only the best guess, and how many guesses it takes at worst."""
        attempts, guesses = self._found(position)
        return [
            replace(Strategy.rate(self, position, code_of(guesses.codes[0])), value=attempts)
        ], True

    def choose(self, position: Position) -> PackedCodes:
        return self._found(position)[1]

    def rate(self, position: Position, guess: Code) -> Suggestion:
        return Strategy.rate(self, position, guess)

    def _found(self, position: Position) -> tuple[int, PackedCodes]:
        """Return how many guesses are enough for all candidates, and the best guess as one row.

        With a limit, no fewer guesses than the attempts left are considered.
        """
        if len(position.candidates) == 1:
            return 1, position.secrets[position.candidates]
        searched, state = self._searching_for(position)
        for attempts in count(min(max(2, position.attempts or 0), UNLIMITED)):
            guess = searched.search.finds_all(state._replace(attempts=attempts))
            if guess is not None:
                return attempts, searched.guesses[np.array([guess])]
        raise AssertionError("with as many guesses as candidates, all are found")
