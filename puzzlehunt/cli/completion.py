"""What a shell completes: the values that options and arguments may have.

Each function takes what was typed so far. Shells run the program for every press of the key, so
nothing heavy is imported before it is known what is asked for.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

Completer = Callable[[str], Iterable[str]]
"""Returns the values that begin with what was typed so far; others are left out later."""


def one_of(values: Iterable[str]) -> Completer:
    """Return a completer of some values."""
    return lambda _typed: values


def games(typed: str) -> list[str]:
    """Return the names of the built-in games, and the game files that begin as typed."""
    from puzzlehunt.game.files.gamefile import built_in_games

    return [*built_in_games(), *game_files(typed)]


def game_files(typed: str) -> list[str]:
    """Return the game files in the folder that was typed, as they would be typed."""
    folder = typed[: typed.rfind("/") + 1]
    try:
        names = sorted(path.name for path in Path(folder or ".").expanduser().glob("*.yaml"))
    except (OSError, RuntimeError):
        return []
    return [folder + name for name in names]


def strategies(_typed: str) -> list[str]:
    """Return the names of all strategies but those of the lab alone."""
    from puzzlehunt.strategies.registry import strategy_names

    return strategy_names()


def lab_strategies(_typed: str) -> list[str]:
    """Return the names of all strategies."""
    from puzzlehunt.lab.tournament import lab_strategies

    return lab_strategies()


def word_lists(_typed: str) -> list[str]:
    """Return the names of the built-in word lists."""
    from puzzlehunt.codes.words import built_in_lists

    return built_in_lists()


def hosts(_typed: str) -> tuple[str, ...]:
    """Return the names of the ways in which a codemaker answers."""
    from typing import get_args

    from puzzlehunt.game.game import HostName

    return get_args(HostName)


def counts(_typed: str) -> Iterable[str]:
    """Return which guesses of a tournament can be counted."""
    from puzzlehunt.lab.outcomes import COUNTS

    return COUNTS


def plots(_typed: str) -> Iterable[str]:
    """Return the kinds of plots."""
    from puzzlehunt.views.plots import PLOTS

    return PLOTS
