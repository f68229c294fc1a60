"""Strategies by name: the built-in ones, those of other packages, trees and functions.

A package adds a strategy with an entry point in the group `puzzlehunt.strategies`; on the command
line `module:function` names a pure function of the counts of a partition, smaller is better.
"""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, TypeAlias

from puzzlehunt.errors import StrategyError, UnknownNameError, in_one_line, unknown_name
from puzzlehunt.game.play import TREE_PREFIX, strategy_name
from puzzlehunt.strategies.base import Strategy
from puzzlehunt.strategies.consistent import Consistent, First, Median
from puzzlehunt.strategies.deep import Deep
from puzzlehunt.strategies.evenness import Evenness
from puzzlehunt.strategies.hard import Hard
from puzzlehunt.strategies.measures import MEASURES
from puzzlehunt.strategies.oneply import OnePly, of_function
from puzzlehunt.strategies.optimal import Optimal
from puzzlehunt.strategies.replay import Book, Replay
from puzzlehunt.strategies.structured import Structured
from puzzlehunt.strategies.weighed import Weighed


def _deep() -> Strategy:
    return Deep(partial(OnePly, MEASURES["entropy"]), Optimal, Weighed, Hard)


BUILT_IN: dict[str, Callable[[], Strategy]] = {
    "consistent": Consistent,
    "first": First,
    "median": Median,
    "leptokurtic": partial(Evenness, 1.0),
    "mesokurtic": partial(Evenness, 0.5),
    "platykurtic": partial(Evenness, 0.0),
    **{name: partial(OnePly, measure) for name, measure in MEASURES.items()},
    "deep": _deep,
    "optimal": Optimal,
    "book": lambda: Book(_deep),
    "structured": lambda: Structured(partial(OnePly, MEASURES["entropy"])),
}


def strategy_names() -> list[str]:
    """Return the names of all strategies, those of other packages included."""
    return [*BUILT_IN, *entry_points(group="puzzlehunt.strategies").names]


StrategyLike: TypeAlias = str | Strategy | type[Strategy] | Callable[[Any], Any]
"""What `find_strategy` takes: a strategy, its class, its name, or a function of counts."""


def find_strategy(choice: object) -> Strategy:
    """Return the strategy of a name, of `tree:FILE`, or of `module:function`.

    A strategy is returned as it is; its class, and a function of a partition's counts, may be given
    themselves instead of by name. Raises UnknownNameError, and TreeError for a file that is no
    tree.
    """
    if not isinstance(choice, str):
        return _as_strategy(strategy_name(choice), choice)
    return _named(choice)


def _named(name: str) -> Strategy:
    if name in BUILT_IN:
        return BUILT_IN[name]()
    if name.startswith(TREE_PREFIX):
        return Replay(Path(name.removeprefix(TREE_PREFIX)))
    for entry in entry_points(group="puzzlehunt.strategies", name=name):
        return _as_strategy(name, entry.load())
    if ":" in name:
        module, _, attribute = name.partition(":")
        try:
            target = getattr(import_module(module), attribute)
        except (Exception, SystemExit) as error:  # noqa: BLE001  (others' code may raise anything)
            reason = str(error) if isinstance(error, _NOT_FOUND) else in_one_line(error)
            raise UnknownNameError(f"strategy {name!r} cannot be loaded: {reason}") from None
        return _as_strategy(name, target)
    raise unknown_name("strategy", name, strategy_names())


_NOT_FOUND = (ImportError, AttributeError)
"""Errors of a module or name that is not there, which say so themselves."""


def _as_strategy(name: str, target: object) -> Strategy:
    """Return the strategy of a loaded object: an instance, a class, or a function of counts."""
    if isinstance(target, Strategy):
        return target
    if isinstance(target, type):
        return _made(name, target)
    if callable(target):
        return of_function(name, target)
    raise UnknownNameError(
        f"strategy {name!r} is neither a strategy nor a function of counts, but {target!r:.40}"
    )


def _made(name: str, target: type) -> Strategy:
    """Return the strategy of a class."""
    if not issubclass(target, Strategy):
        raise UnknownNameError(
            f"strategy {name!r} is a class that is no puzzlehunt.Strategy; a function of counts "
            "is one too"
        )
    try:
        return target()
    except (Exception, SystemExit) as error:  # noqa: BLE001  (others' code may raise anything)
        raise StrategyError(f"strategy {name}: {in_one_line(error)}") from None
