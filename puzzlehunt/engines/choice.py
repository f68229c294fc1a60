"""Opens an engine by its name. `auto` is `explicit` if all secrets can be listed, else `symbolic`.

If the game names an SMT solver, `auto` is always `symbolic`, the engine that uses such solvers.
"""

from functools import partial
from pathlib import Path

from puzzlehunt.codes.alphabet import MOST_SYMBOLS
from puzzlehunt.codes.product_spaces import MOST_PAIRS
from puzzlehunt.engines.base import Engine
from puzzlehunt.errors import NoConstraintError, unknown_name
from puzzlehunt.game.files.gamefile import as_game
from puzzlehunt.game.game import Game
from puzzlehunt.game.play import ENGINES

_LARGEST_LISTED = 1 << 21
"""`auto` is the explicit engine up to this many secrets; for pairs of words, up to `MOST_PAIRS`."""


def chosen(game: Game, name: str) -> str:
    """Return the name of an engine; `auto` is resolved. Raises UnknownNameError."""
    if name not in ENGINES:
        raise unknown_name("engine", name, ENGINES)
    if game.rule.no_constraint:
        if name in ("auto", "explicit") and game.play.solver is None:
            return "explicit"
        asked = f"the {name} engine" if game.play.solver is None else "a solver"
        raise NoConstraintError(f"{asked} cannot play here: {game.rule.no_constraint}")
    if name != "auto":
        return name
    if game.play.solver is not None:
        return "symbolic"
    secrets = game.one_board.secrets
    most = MOST_PAIRS if secrets.joint else _LARGEST_LISTED
    listable = secrets.size <= most and len(game.alphabet) <= MOST_SYMBOLS
    return "explicit" if listable else "symbolic"


def open_engine(game: Game | str | Path, name: str | None = None) -> Engine:
    """Return an engine for a game, with the turns and facts of the game's history.

    `game` is a game, its name or its file. `name` is the name of the engine, by default the one in
    the game's `play` settings. A game of several boards gets an engine for each board. Raises
    UnknownNameError, NoConstraintError, and MissingPackageError for an engine of an extra that is
    not installed.
    """
    game = as_game(game)
    engine = _opened(game, name)
    engine.follow(game.history)
    return engine


def _opened(game: Game, name: str | None) -> Engine:
    """Return an engine without items."""
    if game.boards > 1:
        from puzzlehunt.engines.product import ProductEngine

        return ProductEngine(game, partial(open_engine, name=name))
    match chosen(game, name or game.play.engine):
        case "explicit":
            from puzzlehunt.engines.explicit import ExplicitEngine

            return ExplicitEngine(game)
        case "linear":
            from puzzlehunt.engines.linear import LinearEngine

            return LinearEngine(game)
        case "logic":
            from puzzlehunt.engines.logic import LogicEngine

            return LogicEngine(game)
        case _:
            from puzzlehunt.engines.explicit import ExplicitEngine
            from puzzlehunt.engines.symbolic import SymbolicEngine

            return SymbolicEngine(game, ExplicitEngine)
