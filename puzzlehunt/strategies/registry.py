"""Strategies by name: the built-in ones, those of other packages, trees and functions.

A package adds a strategy with an entry point in the group `puzzlehunt.strategies`; on the command
line `module:function` names a pure function of the counts of a partition, smaller is better.
"""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

from puzzlehunt.errors import UnknownNameError, unknown_name
from puzzlehunt.strategies.base import Strategy
from puzzlehunt.strategies.consistent import Consistent, First, Median
from puzzlehunt.strategies.deep import Deep
from puzzlehunt.strategies.evenness import Evenness
from puzzlehunt.strategies.measures import MEASURES
from puzzlehunt.strategies.oneply import OnePly, of_function
from puzzlehunt.strategies.optimal import Optimal
from puzzlehunt.strategies.replay import TREE_PREFIX, Replay
from puzzlehunt.strategies.structured import Structured

BUILT_IN: dict[str, Callable[[], Strategy]] = {
    "consistent": Consistent,
    "first": First,
    "median": Median,
    "leptokurtic": partial(Evenness, 1.0),
    "mesokurtic": partial(Evenness, 0.5),
    "platykurtic": partial(Evenness, 0.0),
    **{name: partial(OnePly, measure) for name, measure in MEASURES.items()},
    "deep": lambda: Deep(partial(OnePly, MEASURES["entropy"]), Optimal),
    "optimal": Optimal,
    "structured": lambda: Structured(partial(OnePly, MEASURES["entropy"])),
}


def strategy_names() -> list[str]:
    """Return the names of all strategies, those of other packages included."""
    return [*BUILT_IN, *entry_points(group="puzzlehunt.strategies").names]


def find_strategy(name: str) -> Strategy:
    """Return the strategy of a name, of `tree:FILE`, or of `module:function`.

    Raises UnknownNameError, and TreeError for a file that is no tree.
    """
    if name in BUILT_IN:
        return BUILT_IN[name]()
    if name.startswith(TREE_PREFIX):
        return Replay(Path(name.removeprefix(TREE_PREFIX)))
    for entry in entry_points(group="puzzlehunt.strategies", name=name):
        return _as_strategy(name, entry.load())
    if ":" in name:
        module, _, attribute = name.partition(":")
        try:
            return _as_strategy(name, getattr(import_module(module), attribute))
        except (ImportError, AttributeError, ValueError) as error:
            raise UnknownNameError(f"strategy {name!r} cannot be loaded: {error}") from None
    raise unknown_name("strategy", name, strategy_names())


def _as_strategy(name: str, target: object) -> Strategy:
    """Return the strategy of a loaded object: an instance, a class, or a function of counts."""
    if isinstance(target, Strategy):
        return target
    if isinstance(target, type) and issubclass(target, Strategy):
        return target()
    if callable(target):
        return of_function(name, target)
    raise UnknownNameError(f"strategy {name!r} is neither a strategy nor a function of counts")
