"""Opens an engine by its name. `auto` is `explicit` if all secrets can be listed, else `symbolic`.

If the game names an SMT solver, `auto` is always `symbolic`, the engine that uses such solvers.
"""

from functools import partial
from importlib import import_module

from puzzlehunt.codes.alphabet import MOST_SYMBOLS
from puzzlehunt.engines.base import MOST_LISTED, CandidateView, Engine
from puzzlehunt.errors import PuzzlehuntError, unknown_name
from puzzlehunt.game import meaning
from puzzlehunt.game.files.gamefile import GameLike, as_game
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Rows
from puzzlehunt.game.play import ENGINES


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


def open_engine(game: GameLike, name: str | None = None) -> Engine:
    """Return an engine for a game, with the turns and facts of the game's history.

    `game` is as in `candidates`. `name` is the name of the engine, by default the one in the game's
    `play` settings. A game of several boards gets an engine for each board. Raises
    UnknownNameError, and PuzzlehuntError for an engine that cannot play this or is not installed.

    >>> puzzlehunt.engines.open_engine("heart-2018")
    <ExplicitEngine of 'Cryptic Mastermind, a log of 2018': 27 items, 47 left>
    >>> puzzlehunt.engines.open_engine("16x6", "symbolic").satisfiable()
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


def candidates(game: GameLike, rows: Rows | None = None) -> CandidateView:
    """Return the codes that are still possible in a game, in code order.

    `game` is a game, what `load` takes, or a session; `rows`, which may be lines such as `CRANE
    GY..G`, are added to its own, and one whose guess is on the board completes its row. The result
    can be iterated over and indexed (texts), counted with `len()`, and searched with `in` (a code
    or its text); it is empty if the rows contradict each other. Raises the errors of `load`,
    `Game.as_history` and `open_engine`, and RuleError with `legend: unknown`.

    >>> left = puzzlehunt.candidates("mastermind", ["RRGG 1b 1w", "RYBO 1b"])
    >>> len(left), "RBRP" in left, left[:3]
    (74, True, ['RGYB', 'RGYY', 'RGYP'])
    """
    return as_engine(game, rows).candidates()


def as_engine(game: GameLike, rows: Rows | None = None) -> Engine:
    """Return the engine of a game with its rows, to which `rows` are added, as `as_game` does.

    Without `rows`, an engine is returned unchanged, and that of a session is its own. Raises
    RuleError if nobody explained the marks; whoever has an engine knows what it leaves out.
    """
    engine = getattr(game, "engine", game)
    if rows is not None or not isinstance(engine, Engine):
        engine = open_engine(as_game(game, rows))
    if engine is not game:
        meaning.check_explained(engine.game)
    return engine
