"""Opens an engine by its name. `auto` is `explicit` if all secrets can be listed, else `symbolic`.

If the game names an SMT solver, `auto` is always `symbolic`, the engine that uses such solvers.
"""

from collections.abc import Iterable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TypeAlias

from puzzlehunt.codes.alphabet import MOST_SYMBOLS
from puzzlehunt.engines.base import MOST_LISTED, CandidateView, Engine
from puzzlehunt.errors import PuzzlehuntError, check_type, unknown_name
from puzzlehunt.game.files.gamefile import as_game
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Row
from puzzlehunt.game.merging import merge
from puzzlehunt.game.play import ENGINES

EngineLike: TypeAlias = Engine | Game | str | Path
"""What `as_engine` takes: an engine, or a game, its name or its file."""


def chosen(game: Game, name: str) -> str:
    """Return the name of an engine; `auto` is resolved. Raises UnknownNameError."""
    if name not in ENGINES:
        raise unknown_name("engine", name, ENGINES)
    if game.rule.no_constraint:
        if name in ("auto", "explicit") and game.play.solver is None:
            return "explicit"
        asked = f"the {name} engine" if game.play.solver is None else "a solver"
        raise PuzzlehuntError(f"{asked} cannot play here: {game.rule.no_constraint}")
    if name != "auto":
        return name
    if game.play.solver is not None:
        return "symbolic"
    listable = game.one_board.secrets.size <= MOST_LISTED and len(game.alphabet) <= MOST_SYMBOLS
    return "explicit" if listable else "symbolic"


def open_engine(game: Game | str | Path, name: str | None = None) -> Engine:
    """Return an engine for a game, with the turns and facts of the game's history.

    `game` is a game, its name or its file. `name` is the name of the engine, by default the one in
    the game's `play` settings. A game of several boards gets an engine for each board. Raises
    UnknownNameError, and PuzzlehuntError for an engine that cannot play this or is not installed.

    >>> import puzzlehunt
    >>> puzzlehunt.open_engine("heart-2018")
    <ExplicitEngine of 'Cryptic Mastermind, a log of 2018': 27 items, 47 left>
    >>> puzzlehunt.open_engine("16x6", "symbolic").satisfiable()
    True
    """
    game = as_game(game)
    if game.boards > 1:
        kind, more = "product", [partial(open_engine, name=name)]
    else:
        kind, more = chosen(game, name or game.play.engine), []
    # Imported by name, since some files need numpy or another package.
    file = import_module(f"puzzlehunt.engines.{kind}")
    engine: Engine = getattr(file, f"{kind.title()}Engine")(game, *more)
    engine.follow(game.history)
    return engine


def candidates(game: Game | str | Path, turns: Iterable[Row] = ()) -> CandidateView:
    """Return the codes that are still possible in a game after some turns, in code order.

    `game` is a game, its name or its file. A turn may be a line such as `CRANE GY..G`; it comes
    after those of the game, or completes the one of the same guess. The result can be iterated
    over (codes), counted with `len()`, and searched with `in` (a code or its text); `texts` writes
    the codes, and is empty if the turns contradict each other. Raises the errors of `Game.as_item`
    and `open_engine`.

    >>> import puzzlehunt
    >>> left = puzzlehunt.candidates("mastermind", ["RRGG 1b 1w", "RYBO 1b"])
    >>> len(left), "RBRP" in left, left.texts(3)
    (74, True, ['RGYB', 'RGYY', 'RGYP'])
    """
    return as_engine(as_game(game), turns).candidates()


def as_engine(engine: EngineLike, turns: Iterable[Row] = ()) -> Engine:
    """Return an engine unchanged, or one for a game, after its history and the turns.

    Raises TypeError for turns beside an engine, which has its own.
    """
    if not isinstance(engine, Engine):
        check_type("engine", engine, Game | str | Path, "an engine, or a game or its name")
        opened = open_engine(engine)
        opened.follow(history_after(opened.game, turns))
        return opened
    if [*turns]:
        raise TypeError("turns: an engine has its own; push them, or give a game")
    return engine


def history_after(game: Game, turns: Iterable[Row]) -> History:
    """Return a game's history with turns merged into it; see `candidates`.

    A `History` that begins with that of the game is the whole history.
    """
    history, given = game.history, game.as_history(turns)
    if isinstance(turns, History) and given.items[: len(history)] == history.items:
        return given
    return merge(game, history, given).history
