"""Decision trees in the lab: the tree of a strategy in a game, and its file."""

from puzzlehunt import __version__
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.errors import TreeError
from puzzlehunt.game.game import Game
from puzzlehunt.lab.batches import Player, opening_of
from puzzlehunt.strategies.base import Strategy
from puzzlehunt.strategies.player import planner_of
from puzzlehunt.strategies.position import Budget, Position
from puzzlehunt.strategies.search.decision_tree import DecisionTree
from puzzlehunt.strategies.search.grow import grow
from puzzlehunt.strategies.search.tree_file import TreeFile, tree_file


def tree_of_game(game: Game, strategy: Strategy, budget: Budget) -> DecisionTree:
    """Return the tree of a strategy in a game, from its first guess on.

    Raises TreeError if `check_grows` does; StrategyError for an uninformative guess.
    """
    check_grows(Player(game.with_play({"strategy": strategy})))
    engine = open_engine(game, "explicit").listed
    assert engine is not None, "a game that grows a tree has one board"
    engine.follow(())
    position = Position.of(game, engine, budget=budget)
    if planner := planner_of(strategy, position):
        planner.prepare(position, opening_of(game))
    return grow(position, strategy, opening_of(game))


def check_grows(player: Player) -> None:
    """Raise TreeError if the same answers do not always lead to the same guess."""
    game = player.game
    name = game.play.strategy_name
    if not (player.by_hand or player.strategy.deterministic):
        raise TreeError(f"no tree can be made of {name}, which guesses by chance")
    if game.rule.no_constraint:
        raise TreeError("no tree can be written of a score: its file has answers of numbers")
    if game.history.items or game.gives:
        raise TreeError("no tree can be made of a game that starts with rows or facts")
    if game.alphabet.names_codes or not player.shares_tree:
        raise TreeError(
            f"no tree can be made of {name} here: it needs true answers about one secret of "
            "symbols, whose codes can be listed"
        )


def file_of_tree(game: Game, name: str, tree: DecisionTree, budget: int | None) -> TreeFile:
    """Return the file of a game's tree, with settings and totals; `name` is the game's."""
    played = tree.played()
    more: dict[str, object] = {} if budget is None else {"budget": budget}
    if game.play.attempts is not None:
        more["attempts"] = game.play.attempts
    more |= {"version": __version__, "secrets": len(played), "total": int(played.sum())}
    more |= {"known": int(tree.known().sum()), "worst": int(played.max())}
    return tree_file(game, name, tree, more)
