"""Strategies by name: the built-in ones, those of other packages, trees and functions.

A package adds a strategy with an entry point in the group `puzzlehunt.strategies`; on the command
line `module:function` names a pure function of the counts of a partition, smaller is better.
"""

import sys
from contextlib import redirect_stdout
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TypeAlias

from puzzlehunt.errors import StrategyError, UnknownNameError, in_one_line, unknown_name
from puzzlehunt.game.play import TREE_PREFIX, strategy_name
from puzzlehunt.rules.rule_registry import package_of, plug_ins
from puzzlehunt.strategies import BUILT_IN
from puzzlehunt.strategies.base import Strategy
from puzzlehunt.strategies.measures import Cost, Measure
from puzzlehunt.strategies.oneply import OnePly, of_function
from puzzlehunt.strategies.search.tree_file import Replay, read

GROUP = "puzzlehunt.strategies"


StrategyLike: TypeAlias = str | Strategy | type[Strategy] | Cost
"""What `find_strategy` takes: a strategy, its class, its name, or a function of counts."""


def find_strategy(choice: object) -> Strategy:
    """Return the strategy for a name, `tree:FILE`, or `module:function`.

    It also accepts a strategy, its class, or a function of a partition's counts. Raises
    UnknownNameError, and TreeError for a file that is not a tree.

    >>> from puzzlehunt.strategies import find_strategy
    >>> find_strategy("entropy")
    <OnePly: entropy>
    """
    if isinstance(choice, Strategy):
        return choice
    if isinstance(choice, str):
        strategy = _named(choice)
    else:
        strategy = _as_strategy(strategy_name(choice), choice)
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
    entry = next((each for each in plug_ins(GROUP) if each.name == name), None)
    if entry is None and ":" not in name:
        raise unknown_name("strategy", name, [*BUILT_IN, *(one.name for one in plug_ins(GROUP))])
    module, _, attribute = name.partition(":")
    try:
        with redirect_stdout(sys.stderr):
            target = entry.load() if entry else getattr(import_module(module), attribute)
    except (Exception, SystemExit) as error:  # noqa: BLE001  (others' code may raise anything)
        not_found = isinstance(error, ImportError | AttributeError)  # which say so themselves
        reason = str(error) if not_found else in_one_line(error)
        package = f" of the package {package_of(entry)}" if entry else ""
        raise UnknownNameError(f"strategy {name!r}{package} cannot be loaded: {reason}") from None
    return _as_strategy(name, target)


def _as_strategy(name: str, target: object) -> Strategy:
    if isinstance(target, Strategy):
        return target
    if callable(target) and not isinstance(target, type):
        return of_function(name, target)
    if not (isinstance(target, type) and issubclass(target, Strategy)):
        raise UnknownNameError(
            f"strategy {name!r} is neither a strategy nor a function of counts, but {target!r:.40}"
        )
    try:
        return target()
    except (Exception, SystemExit) as error:  # noqa: BLE001  (others' code may raise anything)
        raise StrategyError(f"strategy {name}: {in_one_line(error)}") from None
