"""Strategies by name: the built-in ones, those of other packages, trees and functions.

A package adds a strategy with an entry point in the group `puzzlehunt.strategies`. One in a file is
`FILE.py:NAME`: a class, or a pure function of a partition's counts, smaller is better.
"""

from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TypeAlias

from puzzlehunt.errors import StrategyError, UnknownNameError, in_one_line
from puzzlehunt.game.play import TREE_PREFIX, strategy_name
from puzzlehunt.rules.rule_registry import written_by_others
from puzzlehunt.strategies import BUILT_IN
from puzzlehunt.strategies.base import Strategy
from puzzlehunt.strategies.measures import Cost, Measure
from puzzlehunt.strategies.oneply import OnePly, of_function
from puzzlehunt.strategies.search.tree_file import Replay, read

StrategyLike: TypeAlias = str | Strategy | type[Strategy] | Cost
"""What `find_strategy` takes: a strategy, its class, its name, or a function of counts."""


def find_strategy(choice: object) -> Strategy:
    """Return the strategy for a name, `tree:FILE`, or `FILE.py:NAME`.

    It also accepts a strategy, its class, or a function of a partition's counts. Raises
    UnknownNameError, TreeError for a file that is not a tree, and StrategyError for others' faults.

    >>> puzzlehunt.strategies.find_strategy("entropy")
    <OnePly: entropy>
    """
    name = strategy_name(choice)
    strategy = _named(choice) if isinstance(choice, str) else _as_strategy(name, choice)
    if not hasattr(strategy, "measure"):
        raise StrategyError(f"strategy {name} has no measure: the unit of its values, as 'bits'")
    if strategy is not choice:
        strategy.made_by = partial(find_strategy, choice)
    return strategy


def _named(name: str) -> Strategy:
    if name in BUILT_IN:
        module, _, attribute = BUILT_IN[name][0].partition(":")
        found = getattr(import_module(f"puzzlehunt.strategies.{module}"), attribute)
        return OnePly(found) if isinstance(found, Measure) else found()
    if name.startswith(TREE_PREFIX):
        path = Path(name.removeprefix(TREE_PREFIX))
        return Replay(read(path), path)
    return _as_strategy(name, written_by_others("strategy", name, BUILT_IN)[0])


def _as_strategy(name: str, target: object) -> Strategy:
    if isinstance(target, Strategy):
        return target
    if callable(target) and not isinstance(target, type):
        return of_function(name, target)
    if not (isinstance(target, type) and issubclass(target, Strategy)):
        kinds = "expected one strategy: its name, its class or a function of counts"
        raise UnknownNameError(f"strategy {name!r}: {kinds}, not {target!r:.40}")
    try:
        return target()
    except (Exception, SystemExit) as error:  # noqa: BLE001  (others' code may raise anything)
        raise StrategyError(f"strategy {name}: {in_one_line(error)}") from None
