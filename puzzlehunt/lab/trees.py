"""Decision trees in the lab, as files, and how many candidates the guesses of games leave."""

from itertools import zip_longest

import numpy as np
import numpy.typing as npt

from puzzlehunt import __version__
from puzzlehunt.codes.alphabet import Alphabet
from puzzlehunt.engines.base import open_engine
from puzzlehunt.errors import TooLargeError, TreeError
from puzzlehunt.game.game import Game
from puzzlehunt.kernels.packed_codes import code_of
from puzzlehunt.lab.batches import Player
from puzzlehunt.lab.tournament import Tournament
from puzzlehunt.strategies.search.grow import DecisionTree, grow
from puzzlehunt.strategies.search.tree_file import TreeFile, guesses_of, nameless_fingerprint

_TOO_LARGE = "how candidates shrink can only be told where all can be counted"


def tree_of_game(player: Player) -> DecisionTree:
    """Return the tree of a game's strategy, from its first guess on.

    Raises TreeError if `check_grows` does; StrategyError for an uninformative guess.
    """
    check_grows(player)
    player.plans(player.opening)
    return grow(player.position(), player.strategy, player.opening)


def check_grows(player: Player) -> None:
    """Raise TreeError if the same answers do not always lead to the same guess."""
    game = player.game
    listed = player.shares_tree and not game.alphabet.names_codes
    if not listed or game.rule.no_constraint or game.history.items:
        raise TreeError(
            f"no tree can be made of {game.play.strategy_name} here: it needs guesses that are not "
            "drawn, no rows or facts at the start, and true answers (no scores) about one secret "
            "of symbols, whose codes can be listed"
        )


def file_of_tree(game: Game, name: str, tree: DecisionTree, budget: int | None) -> TreeFile:
    """Return the file of a game's tree, with settings and totals; `name` is the game's."""
    play, symbols = game.play, Alphabet(game.alphabet.symbols)
    head = {
        "game": name,
        "print": nameless_fingerprint(game),
        "strategy": play.strategy_name,
        "pool": play.pool,
        "ties": play.ties,
        "budget": budget,
        "attempts": play.attempts,
        "version": __version__,
        **tree.counts(),
    }
    lines = {key: str(value) for key, value in head.items() if value is not None}
    return TreeFile(guesses_of(tree, symbols), symbols, lines)


def candidates_left(result: Tournament, budget: int | None = None) -> npt.NDArray[np.int64]:
    """Return (T + 1, N): candidates left after 0, 1, ... T guesses in each of N games of a result.

    A game that is over has one candidate left: its secret. Raises TooLargeError if candidates
    cannot be counted.
    """
    player = Player(result.game, budget)
    if player.engine.listed is None:
        raise TooLargeError(_TOO_LARGE)
    if player.shares_tree:
        tree, places = player.tree(result.secrets, player.opening)
        return np.maximum(tree.left(), 1)[:, places]
    # The games are played again, with the tournament's random numbers.
    games = [
        [advice.count or 1 for _, advice in player.turns(number, code_of(secret))]
        for number, secret in enumerate(result.secrets)
    ]
    left = np.array([*zip_longest(*games, fillvalue=1), [1] * len(games)], dtype=np.int64)
    last = int(np.flatnonzero((left > 1).any(axis=1)).max(initial=-1))
    return left[: last + 2]


def left_after(game: Game) -> list[int]:
    """Return how many candidates there are at first, and after each item of a game's history.

    Raises TooLargeError if candidates cannot be counted.
    """
    engine = open_engine(game)
    counts = []
    for end in range(len(game.history) + 1):
        engine.follow(game.history.items[:end])
        count = engine.count().exact
        if count is None:
            raise TooLargeError(_TOO_LARGE)
        counts.append(count)
    return counts
