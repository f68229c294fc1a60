"""What to guess next: called, this room lists the strategies, `puzzlehunt.strategies()`.

Authors of strategies import what is imported here.

>>> puzzlehunt.strategies()["minimax"]
'smallest largest part'
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING

from puzzlehunt.system import Room

if TYPE_CHECKING:
    from puzzlehunt.strategies.adviser import Adviser as Adviser
    from puzzlehunt.strategies.base import Strategy as Strategy
    from puzzlehunt.strategies.base import Suggestion as Suggestion
    from puzzlehunt.strategies.position import Position as Position
    from puzzlehunt.strategies.registry import find_strategy as find_strategy

BUILT_IN = {
    "book": ("player:book", "the opening book of the game, else as `deep`"),
    "deep": ("player:deep", "fewest guesses still to come, two guesses ahead"),
    "optimal": ("search.optimal:Optimal", "proved to take the fewest guesses, in small games"),
    "entropy": ("measures:ENTROPY", "most bits"),
    "minimax": ("measures:MINIMAX", "smallest largest part"),
    "expected-size": ("measures:EXPECTED_SIZE", "fewest left on average"),
    "parts": ("measures:PARTS", "most different answers"),
    "consistent": ("consistent:Consistent", "any candidate"),
    "first": ("consistent:First", "the first candidate"),
}
"""The built-in strategies: where the class, maker or measure of each is, and what it plays."""
_HOMES = {
    "Adviser": "adviser", "Position": "position", "Strategy": "base", "Suggestion": "base",
    "find_strategy": "registry",
}  # fmt: skip
__all__ = list(_HOMES)


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def named() -> dict[str, str]:
    """Return the names of all strategies, each with what it plays."""
    from puzzlehunt.rules.rule_registry import told_by_packages

    return told_by_packages("strategy") | {name: about for name, (_, about) in BUILT_IN.items()}


sys.modules[__name__].__class__ = Room
