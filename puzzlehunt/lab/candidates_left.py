"""The number of candidates after each guess, in every game of a tournament."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlehunt.engines.choice import open_engine
from puzzlehunt.errors import TooLargeError, UnknownNameError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.kernels.packed_codes import code_of, indices_in
from puzzlehunt.lab.batches import LAB_ONLY, Player, opening_of
from puzzlehunt.lab.tournament import Tournament
from puzzlehunt.strategies.search.grow import grow

CandidatesLeft: TypeAlias = npt.NDArray[np.int64]
"""(T + 1, N): candidates left after 0, 1, ... T guesses in each of N games.

A game that is over has one candidate left: its secret.
"""
_TOO_LARGE = "how candidates shrink can only be told where all can be counted"


def candidates_left(
    result: Tournament,
    budget: int | None = None,
    progress: Callable[[int], None] = lambda _done: None,
) -> CandidatesLeft:
    """Replay the games of a result; return the number of candidates left after each guess.

    `progress` is called with how many more games are done. Raises TooLargeError if candidates
    cannot be counted, UnknownNameError for a strategy that keeps none.
    """
    game, player = result.game, Player(result.game, budget)
    if player.by_hand:
        name = game.play.strategy_name
        raise UnknownNameError(f"{name} has no list of candidates to count")
    if player.engine.listed is None:
        raise TooLargeError(_TOO_LARGE)
    by_tree = player.shares_tree and not game.gives
    return (_by_tree if by_tree else _game_by_game)(result, player, progress)


def is_countable(game: Game) -> bool:
    """Return whether the candidates of a game can be counted, as `candidates_left` needs."""
    listed = game.play.strategy not in LAB_ONLY
    return listed and open_engine(game).listed is not None


def left_after(game: Game, history: History) -> list[int]:
    """Return how many candidates there are at first, and after each item of a history.

    Raises TooLargeError if candidates cannot be counted.
    """
    engine = open_engine(game)
    counts = []
    for end in range(len(history) + 1):
        engine.follow(history.items[:end])
        count = engine.count().exact
        if count is None:
            raise TooLargeError(_TOO_LARGE)
        counts.append(count)
    return counts


def _by_tree(result: Tournament, player: Player, progress: Callable[[int], None]) -> CandidatesLeft:
    """Return the candidates left, from one decision tree for all secrets."""
    position = player.position(())
    secrets = indices_in(position.secrets.codes, result.outcomes.secrets)
    wanted = np.zeros(len(position.secrets), dtype=np.bool_)
    wanted[secrets] = True
    tree = grow(position, player.strategy, opening_of(result.game), wanted, progress)
    left = tree.left()
    by_secret = np.ones((len(left), len(wanted)), dtype=np.int64)
    by_secret[:, tree.order] = left
    return by_secret[:, secrets]


def _game_by_game(
    result: Tournament, player: Player, progress: Callable[[int], None]
) -> CandidatesLeft:
    """Return the candidates left, playing each game with the tournament's random numbers."""
    games: list[list[int]] = []
    for number, secret in enumerate(map(code_of, result.outcomes.secrets)):
        counts = [advice.count for _, advice in player.turns(number, secret)]
        games.append([1 if count is None else count for count in counts])
        progress(1)
    left = np.ones((1 + max(map(len, games)), len(games)), dtype=np.int64)
    for number, column in enumerate(games):
        left[: len(column), number] = column
    last = int(np.flatnonzero((left > 1).any(axis=1)).max(initial=-1))
    return left[: last + 2]
