"""An assistant for puzzles with guesses and half-readable feedback.

The names in `__all__` are the public library; everything else may change. The module of a name is
imported when the name is first used, so that importing the package is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from puzzlehunt.game.notebook import NotebookShown

__version__ = "0.1.0"

if TYPE_CHECKING:
    from puzzlehunt.channel.model import Channel, Lies, Rate
    from puzzlehunt.codes.alphabet import Alphabet, Code
    from puzzlehunt.codes.spaces import SymbolSpace, WordSpace
    from puzzlehunt.engines.base import BoardState, Count, Engine, Listing
    from puzzlehunt.engines.choice import open_engine
    from puzzlehunt.engines.posterior import Posterior
    from puzzlehunt.engines.smtlib import read_model, script
    from puzzlehunt.errors import PuzzlehuntError
    from puzzlehunt.explanation.certainty import Certainty, certain
    from puzzlehunt.explanation.conflict import conflicts, smallest_conflict
    from puzzlehunt.explanation.partition import Partition, partition
    from puzzlehunt.explanation.repair import Repair, repairs
    from puzzlehunt.explanation.review import Review, ReviewedTurn, review
    from puzzlehunt.explanation.suspects import NearMiss, Suspect, near_misses, suspects
    from puzzlehunt.explanation.unread import UnreadMark, UnreadMarks, unread_marks
    from puzzlehunt.explanation.why import Explanation, explain, ruled_out_by
    from puzzlehunt.game.files.gamefile import load
    from puzzlehunt.game.game import Game
    from puzzlehunt.game.history import Fact, History, Turn
    from puzzlehunt.game.play import Play
    from puzzlehunt.lab.comparison import Comparison, compare
    from puzzlehunt.lab.published import published
    from puzzlehunt.lab.tournament import Result, run
    from puzzlehunt.rules.base import Rule
    from puzzlehunt.rules.pegs import Pegs
    from puzzlehunt.session.codemaker import Codemaker, open_codemaker
    from puzzlehunt.session.session import Session
    from puzzlehunt.strategies.adviser import Advice, Adviser, suggest
    from puzzlehunt.strategies.base import Budget, Strategy, Suggestion
    from puzzlehunt.strategies.position import Position
    from puzzlehunt.strategies.registry import find_strategy
    from puzzlehunt.views.plots import plot, plot_game
    from puzzlehunt.web.remote import connect

# The module under `puzzlehunt` that defines each public name.
_NAMES_OF_MODULE = {
    "channel.model": (
        "Channel",
        "Lies",
        "Rate",
    ),
    "codes.alphabet": (
        "Alphabet",
        "Code",
    ),
    "codes.spaces": (
        "SymbolSpace",
        "WordSpace",
    ),
    "engines.base": (
        "BoardState",
        "Count",
        "Engine",
        "Listing",
    ),
    "engines.choice": ("open_engine",),
    "engines.posterior": ("Posterior",),
    "engines.smtlib": (
        "read_model",
        "script",
    ),
    "errors": ("PuzzlehuntError",),
    "explanation.certainty": (
        "Certainty",
        "certain",
    ),
    "explanation.conflict": (
        "conflicts",
        "smallest_conflict",
    ),
    "explanation.partition": (
        "Partition",
        "partition",
    ),
    "explanation.repair": (
        "Repair",
        "repairs",
    ),
    "explanation.review": (
        "Review",
        "ReviewedTurn",
        "review",
    ),
    "explanation.suspects": (
        "NearMiss",
        "Suspect",
        "near_misses",
        "suspects",
    ),
    "explanation.unread": (
        "UnreadMark",
        "UnreadMarks",
        "unread_marks",
    ),
    "explanation.why": (
        "Explanation",
        "explain",
        "ruled_out_by",
    ),
    "game.files.gamefile": ("load",),
    "game.game": ("Game",),
    "game.history": (
        "Fact",
        "History",
        "Turn",
    ),
    "game.play": ("Play",),
    "lab.comparison": (
        "Comparison",
        "compare",
    ),
    "lab.published": ("published",),
    "lab.tournament": (
        "Result",
        "run",
    ),
    "rules.base": ("Rule",),
    "rules.pegs": ("Pegs",),
    "session.codemaker": (
        "Codemaker",
        "open_codemaker",
    ),
    "session.session": ("Session",),
    "strategies.adviser": (
        "Advice",
        "Adviser",
        "suggest",
    ),
    "strategies.base": (
        "Budget",
        "Strategy",
        "Suggestion",
    ),
    "strategies.position": ("Position",),
    "strategies.registry": ("find_strategy",),
    "views.plots": (
        "plot",
        "plot_game",
    ),
    "web.remote": ("connect",),
}
_MODULE_OF_NAME = {name: module for module, names in _NAMES_OF_MODULE.items() for name in names}

__all__ = [
    "Advice",
    "Adviser",
    "Alphabet",
    "BoardState",
    "Budget",
    "Certainty",
    "Channel",
    "Code",
    "Codemaker",
    "Comparison",
    "Count",
    "Engine",
    "Explanation",
    "Fact",
    "Game",
    "History",
    "Lies",
    "Listing",
    "NearMiss",
    "Partition",
    "Pegs",
    "Play",
    "Position",
    "Posterior",
    "PuzzlehuntError",
    "Rate",
    "Repair",
    "Result",
    "Review",
    "ReviewedTurn",
    "Rule",
    "Session",
    "Strategy",
    "Suggestion",
    "Suspect",
    "SymbolSpace",
    "Turn",
    "UnreadMark",
    "UnreadMarks",
    "WordSpace",
    "__version__",
    "certain",
    "compare",
    "conflicts",
    "connect",
    "explain",
    "find_strategy",
    "load",
    "near_misses",
    "open_codemaker",
    "open_engine",
    "partition",
    "plot",
    "plot_game",
    "published",
    "read_model",
    "repairs",
    "review",
    "ruled_out_by",
    "run",
    "script",
    "smallest_conflict",
    "suggest",
    "suspects",
    "unread_marks",
]


if not TYPE_CHECKING:  # to a type checker a name that is none of these is an error

    def __getattr__(name: str) -> Any:
        if name not in _MODULE_OF_NAME:
            raise AttributeError(f"module 'puzzlehunt' has no attribute {name!r}")
        return getattr(import_module(f"puzzlehunt.{_MODULE_OF_NAME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)


def _html(value: object) -> str:
    """Return the HTML of a value for a notebook; `views` is imported only when this is called."""
    markup: str = import_module("puzzlehunt.views.notebook").notebook.show(value)
    return markup


NotebookShown.html = _html
