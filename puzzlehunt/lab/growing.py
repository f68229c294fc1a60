"""Decision trees of deterministic strategies: which guess follows which answers."""

from puzzlehunt import __version__
from puzzlehunt.engines.choice import chosen, open_engine
from puzzlehunt.errors import TreeError
from puzzlehunt.game.game import Game
from puzzlehunt.lab.tournament import Result
from puzzlehunt.strategies.base import Strategy
from puzzlehunt.strategies.pool import Pool
from puzzlehunt.strategies.position import Budget, Position
from puzzlehunt.strategies.search.growing import grown, tree_of
from puzzlehunt.strategies.search.tree import Tree, TreeFile, tree_file


def grow(game: Game, strategy: Strategy, budget: Budget) -> Tree:
    """Return the tree of a strategy in a game, from its first guess on.

    Raises TreeError where the same answers do not always lead to the same guess, or where the
    game starts from a log; StrategyError for a guess that tells nothing.
    """
    check_grows(game, strategy)
    engine = open_engine(game, "explicit").listed
    assert engine is not None, "a game that grows a tree has one board"
    engine.follow(())
    position = Position.of(game, engine, Pool.of(game, engine.secrets()), budget=budget)
    opening = None if game.play.opening is None else game.parse_guess(game.play.opening)
    strategy.prepare(position, opening)
    return tree_of(grown(position, strategy, opening))


def check_grows(game: Game, strategy: Strategy) -> None:
    """Raise TreeError where the same answers do not always lead to the same guess."""
    if not strategy.deterministic:
        raise TreeError(
            f"no tree can be made of {game.play.strategy_name}, which guesses by chance"
        )
    if game.history.items or game.gives:
        raise TreeError("no tree can be made of a game that starts with rows or facts")
    if game.secrets_at_once > 1 or game.host != "truthful" or game.channel.weighs:
        raise TreeError("no tree can be made of a game whose answers do not follow from one secret")
    if chosen(game, game.play.engine) != "explicit":
        raise TreeError("no tree can be made of a game whose codes are too many to list")


def grown_file(result: Result, tree: Tree, budget: int | None) -> TreeFile:
    """Return the file of the tree that played a tournament, with its settings and totals."""
    game, played = result.game, result.summary("played")
    more: dict[str, object] = {} if budget is None else {"budget": budget}
    if game.play.attempts is not None:
        more["attempts"] = game.play.attempts
    more |= {"version": __version__, "secrets": played.games, "total": played.total}
    more |= {"known": result.summary("known").total, "worst": played.worst}
    return tree_file(game, result.game_name, tree, more)
