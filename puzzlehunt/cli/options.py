"""What the commands' options are called, and the game that they describe."""

import json
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from puzzlehunt.errors import InvalidTurnError, PuzzlehuntError, SessionError

if TYPE_CHECKING:
    from puzzlehunt.engines.base import Engine
    from puzzlehunt.game.game import Game
    from puzzlehunt.strategies.base import Budget
    from puzzlehunt.views.screen import Screen

CODES = {"ignore_unknown_options": True}
"""The context of commands whose arguments may start with `-`, as some codes do."""

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A built-in name, a file, or NxK.")]
Turns = Annotated[
    list[str] | None,
    typer.Option("-t", "--turn", metavar='"GUESS CLUE"', help="A row; as often as you like."),
]
LogFile = Annotated[
    str | None, typer.Option("--history", metavar="FILE", help="Rows, one a line; - reads stdin.")
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Change a key, as in secret.length=4."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
EngineName = Annotated[
    str | None,
    typer.Option("--engine", metavar="NAME", help="auto, explicit, symbolic, linear or logic."),
]
SolverName = Annotated[
    str | None,
    typer.Option(
        "--solver", metavar="NAME|COMMAND", help="z3, cvc5, or what speaks SMT-LIB: 'z3 -in'."
    ),
]
StrategyName = Annotated[
    str | None,
    typer.Option(
        "--strategy",
        metavar="NAME",
        help="entropy, deep, optimal, minimax, expected-size, parts, consistent, first, "
        "tree:FILE, or module:function.",
    ),
]
PoolName = Annotated[
    str | None, typer.Option("--pool", metavar="POOL", help="Guess candidates, secrets or all.")
]
TiesName = Annotated[
    str | None, typer.Option("--ties", metavar="TIES", help="first, or a candidate before it.")
]
Opening = Annotated[str | None, typer.Option("--opening", metavar="CODE", help="The first guess.")]
SecretWords = Annotated[
    str | None,
    typer.Option("--words", metavar="LIST", help="The secrets: a built-in list, or a file."),
]
GuessWords = Annotated[
    str | None,
    typer.Option("--guesses", metavar="LIST", help="What may be guessed besides, as for --words."),
]
Reads = Annotated[
    str | None,
    typer.Option(
        "--reads", metavar="RATES", help="How often marks are read: black=0.1,white=0.13; or learn."
    ),
]
Seed = Annotated[int | None, typer.Option("--seed", metavar="N", help="The seed of all chance.")]
Seconds = Annotated[
    float | None, typer.Option("--budget", metavar="SECONDS", help="Time for one suggestion.")
]
Guesses = Annotated[
    int | None,
    typer.Option("--budget", metavar="N", min=1, help="Guesses evaluated for one suggestion."),
]


def open_game(
    name: str,
    settings: list[str] | None,
    *,
    reads: str | None = None,
    secret_words: str | None = None,
    guess_words: str | None = None,
    host: str | None = None,
    **play: object,
) -> "Game":
    """Return the game with `--set`, and with the options that stand for keys of the game.

    All others are keys under `play`.
    """
    from puzzlehunt.game.files import gamefile
    from puzzlehunt.game.files.document import set_option
    from puzzlehunt.session.settings import changed, with_reads
    from puzzlehunt.strategies.registry import find_strategy

    find_modules_here(str(play.get("strategy")))
    lists = given({"secret": secret_words, "guess": guess_words})
    found = gamefile.find_document(name, Path())
    document = changed(found, given(play), settings or [], lists)
    if host is not None:
        document = set_option(document, "--host", ("host",), host)
    if reads is not None:
        document = with_reads(document, reads)
    game = gamefile.build(document)
    find_strategy(game.play.strategy)
    check_solver(game)
    return game


def find_modules_here(*strategies: str) -> None:
    """Have `module:function` found in the current folder, where one is named."""
    here = str(Path.cwd())
    if any(":" in name for name in strategies) and here not in sys.path:
        sys.path.insert(0, here)


def check_solver(game: "Game") -> None:
    """Raise SolverError where the game asks for a solver that is not there."""
    if game.play.solver is not None:
        from puzzlehunt.engines.solvers.choice import command_of

        command_of(game.play.solver)


def given(options: dict[str, object]) -> dict[str, str]:
    """Return the options that were given, as a game file writes them."""
    return {key: str(value) for key, value in options.items() if value is not None}


def with_turns(game: "Game", turns: list[str] | None, history: str | None) -> "Game":
    """Return the game with rows from `-t` and `--history` after its own.

    The file may hold a shared result: guesses, then rows of squares.
    """
    for line in turns or []:
        game = _with_row(game, line, f"-t {line!r}")
    return game if history is None else _with_log(game, history)


def _with_log(game: "Game", name: str) -> "Game":
    from puzzlehunt.game.pasted import read_shared

    lines = read_lines(name)
    try:
        shared = read_shared(game, lines)
        if shared is not None:
            return replace(game, history=shared.fill(game, game.history))
    except PuzzlehuntError as error:
        raise InvalidTurnError(f"{name}: {error}") from None
    for number, line in enumerate(lines, start=1):
        game = _with_row(game, line, f"{name}:{number}", may_be_empty=True)
    return game


def _with_row(game: "Game", text: str, where: str, may_be_empty: bool = False) -> "Game":
    from puzzlehunt.game.lines import parse_next_turn, read_line

    try:
        line = read_line(game, text)
        if may_be_empty and not line.text:
            return game
        turn = parse_next_turn(game, line, game.history)
    except PuzzlehuntError as error:
        raise InvalidTurnError(f"{where}: {error}") from None
    return replace(game, history=game.history.add(turn))


def read_lines(name: str) -> list[str]:
    """Return the lines of a file, or of stdin for `-`. Raises SessionError."""
    try:
        if name == "-":
            return sys.stdin.read().splitlines()
        return Path(name).read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise SessionError(f"{name}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise SessionError(f"{name}: this is not a text file in UTF-8") from None


def open_known(game: "Game") -> "Engine":
    """Return an engine that knows the game's history."""
    from puzzlehunt.engines.choice import open_engine

    engine = open_engine(game)
    engine.follow(game.history)
    return engine


def explain_away(game: "Game", told: dict[str, Any] | None, known: "Engine") -> NoReturn:
    """Say that nothing fits, and where else to look; print what JSON there is, and leave."""
    from puzzlehunt.explain.rows import contradiction

    more, hint = wider_words(game)
    if told is not None:
        print_json(told | more)
    fail(f"{contradiction(game, known)}\n{hint}", 1)


def wider_words(game: "Game") -> tuple[dict[str, Any], str]:
    """Return what a wider word list has left, as JSON and as a line; both empty if nothing."""
    from puzzlehunt.explain.remaining import wider_candidates

    wider = wider_candidates(game, game.history)
    if wider is None:
        return {}, ""
    return {"wider": wider.as_json()}, f"{wider.line()} (--words {wider.name})"


def open_screen() -> "Screen":
    """Return the screen: results on stdout, notes on stderr."""
    from puzzlehunt.views.screen import Screen

    return Screen()


def seconds(game: "Game") -> "Budget":
    """Return the budget of seconds for one suggestion."""
    from puzzlehunt.strategies.base import Budget

    return Budget(seconds=game.play.budget)


def print_json(value: dict[str, Any]) -> None:
    """Print one JSON object on a line."""
    whole = sys.stdout.encoding.casefold() in ("utf-8", "utf8")
    print(json.dumps(value, ensure_ascii=not whole))


def fail(message: str, status: int) -> NoReturn:
    """Print what was wrong and leave with a status."""
    lines = message.strip().splitlines() or [""]
    with suppress(OSError):
        print(f"puzzlehunt: {lines[0]}", *lines[1:], sep="\n", file=sys.stderr)
    raise SystemExit(status)
