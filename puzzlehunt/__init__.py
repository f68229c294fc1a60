"""An assistant for puzzles with guesses and half-readable feedback.

What `__all__` names is the public library; everything else may change. Names are loaded when they
are first used, so that importing the package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from puzzlehunt.version import __version__

if TYPE_CHECKING:
    from puzzlehunt.codes import Alphabet, Code, SymbolSpace, WordSpace
    from puzzlehunt.engines import CountingEngine, Engine, open_engine
    from puzzlehunt.errors import PuzzlehuntError
    from puzzlehunt.explain import Explanation, explained, ruled_out_by, smallest_conflict
    from puzzlehunt.game import Game, Play
    from puzzlehunt.gamefile import load
    from puzzlehunt.history import Fact, History, Turn
    from puzzlehunt.host import Host, open_host
    from puzzlehunt.lab.tournament import Result, run
    from puzzlehunt.rules.base import Rule
    from puzzlehunt.rules.pegs import Pegs
    from puzzlehunt.session import Session
    from puzzlehunt.smtlib import read_model, script
    from puzzlehunt.strategies import Advice, Adviser, Budget, Strategy, Suggestion, find_strategy

_HOMES = {
    "codes": ("Alphabet", "Code", "SymbolSpace", "WordSpace"),
    "engines": ("CountingEngine", "Engine", "open_engine"),
    "errors": ("PuzzlehuntError",),
    "explain": ("Explanation", "explained", "ruled_out_by", "smallest_conflict"),
    "game": ("Game", "Play"),
    "gamefile": ("load",),
    "history": ("Fact", "History", "Turn"),
    "host": ("Host", "open_host"),
    "lab.tournament": ("Result", "run"),
    "rules.base": ("Rule",),
    "rules.pegs": ("Pegs",),
    "session": ("Session",),
    "smtlib": ("read_model", "script"),
    "strategies": ("Advice", "Adviser", "Budget", "Strategy", "Suggestion", "find_strategy"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "Advice",
    "Adviser",
    "Alphabet",
    "Budget",
    "Code",
    "CountingEngine",
    "Engine",
    "Explanation",
    "Fact",
    "Game",
    "History",
    "Host",
    "Pegs",
    "Play",
    "PuzzlehuntError",
    "Result",
    "Rule",
    "Session",
    "Strategy",
    "Suggestion",
    "SymbolSpace",
    "Turn",
    "WordSpace",
    "__version__",
    "explained",
    "find_strategy",
    "load",
    "open_engine",
    "open_host",
    "read_model",
    "ruled_out_by",
    "run",
    "script",
    "smallest_conflict",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'puzzlehunt' has no attribute {name!r}")
    return getattr(import_module(f"puzzlehunt.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
