"""Decision trees in the lab: guesses for many secrets at once, and the file of a tree."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from puzzlehunt import __version__
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.choice import chosen, open_engine
from puzzlehunt.errors import TreeError
from puzzlehunt.game.game import Game
from puzzlehunt.kernels.packed_codes import Indices
from puzzlehunt.lab.guess_counts import Outcomes
from puzzlehunt.strategies.base import Strategy
from puzzlehunt.strategies.player import planner_of
from puzzlehunt.strategies.pool import Pool
from puzzlehunt.strategies.position import Budget, Position
from puzzlehunt.strategies.search.decision_tree import DecisionTree
from puzzlehunt.strategies.search.grow import Progress, grow
from puzzlehunt.strategies.search.tree_file import TreeFile, tree_file


def walk(
    position: Position,
    strategy: Strategy,
    secrets: Indices,
    opening: Code | None = None,
    progress: Progress = lambda _done: None,
) -> Outcomes:
    """Play a strategy against secrets (indices in `position.secrets`, ascending).

    The first guess is `opening`, if given. Raises StrategyError for an uninformative guess.
    """
    secrets = np.sort(secrets)
    wanted = np.zeros(len(position.secrets), dtype=np.bool_)
    wanted[secrets] = True
    tree = grow(position, strategy, opening, wanted, progress)
    counts = np.zeros((2, len(wanted)), dtype=np.int32)
    counts[:, tree.order] = tree.played(), tree.known()
    played, known = counts[:, secrets]
    return Outcomes(position.secrets.codes[secrets], played, known)


@contextmanager
def thread_limit(jobs: int | None) -> Iterator[None]:
    """Let the compiled kernels use `jobs` cores inside the `with` block (None: all cores)."""
    if jobs is None:
        yield
        return
    from puzzlehunt.kernels.compiled import threads

    with threads.thread_limit(jobs):
        yield


def tree_of_game(game: Game, strategy: Strategy, budget: Budget) -> DecisionTree:
    """Return the tree of a strategy in a game, from its first guess on.

    Raises TreeError if `check_grows` does; StrategyError for an uninformative guess.
    """
    check_grows(game, strategy)
    engine = open_engine(game, "explicit").listed
    assert engine is not None, "a game that grows a tree has one board"
    engine.follow(())
    position = Position.of(game, engine, pool=Pool.of(game, engine.secrets()), budget=budget)
    opening = None if game.play.opening is None else game.parse_guess(game.play.opening)
    if planner := planner_of(strategy, position):
        planner.prepare(position, opening)
    return grow(position, strategy, opening)


def check_grows(game: Game, strategy: Strategy) -> None:
    """Raise TreeError if the same answers do not always lead to the same guess."""
    if not strategy.deterministic:
        raise TreeError(
            f"no tree can be made of {game.play.strategy_name}, which guesses by chance"
        )
    if game.alphabet.names_codes:
        raise TreeError("no tree can be written of values: its file has codes of symbols")
    if game.rule.no_constraint:
        raise TreeError("no tree can be written of a score: its file has answers of numbers")
    if game.history.items or game.gives:
        raise TreeError("no tree can be made of a game that starts with rows or facts")
    if game.boards > 1 or game.host != "truthful" or game.channel.weighs:
        raise TreeError("no tree can be made of a game whose answers do not follow from one secret")
    if chosen(game, game.play.engine) != "explicit":
        raise TreeError("no tree can be made of a game whose codes are too many to list")


def file_of_tree(game: Game, name: str, tree: DecisionTree, budget: int | None) -> TreeFile:
    """Return the file of a game's tree, with settings and totals; `name` is the game's."""
    played = tree.played()
    more: dict[str, object] = {} if budget is None else {"budget": budget}
    if game.play.attempts is not None:
        more["attempts"] = game.play.attempts
    more |= {"version": __version__, "secrets": len(played), "total": int(played.sum())}
    more |= {"known": int(tree.known().sum()), "worst": int(played.max())}
    return tree_file(game, name, tree, more)
