"""The values of a command's options, and the game that they describe."""

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import Parameter, Signature
from keyword import iskeyword
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from puzzlehunt.cli.options import (
    FORCE,
    GAME,
    GAME_TO_PLAY,
    HISTORY,
    JSON,
    READS,
    ROWS,
    ROWS_AND_CODE,
    SECONDS,
    SET,
    STRATEGY,
    TURN,
    Option,
)
from puzzlehunt.cli.output import has_input, note, print_json
from puzzlehunt.codes.files import read_bytes
from puzzlehunt.errors import InvalidTurnError, LimitError, PuzzlehuntError, SessionError

if TYPE_CHECKING:
    from puzzlehunt.engines.base import Engine
    from puzzlehunt.game.files.document import Document
    from puzzlehunt.game.game import Game
    from puzzlehunt.game.history import Turn

Value = TypeVar("Value")

_MOST_BYTES = 64_000_000
"""Largest file of rows or secrets that is read (bytes)."""
_ROW = re.compile(r"\S[\s,;|:]+\S")
"""What stands between guess and clue in an argument that is a whole row."""
STDIN = "-"
"""What names stdin where a file, or a row, is expected."""
_FORCE_MEND = "--force writes over it"
"""What helps where a file exists."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The value of each option that a command takes: as given, or its default."""

    values: Mapping[Option[Any], Any]

    def __getitem__(self, option: Option[Value]) -> Value:
        value: Value = self.values[option]
        return value

    def get(self, option: Option[Value]) -> Value | None:
        """Return the value of an option, None where the command does not take it."""
        return self.values.get(option)

    def with_value(self, option: Option[Value], value: Value) -> "Asked":
        """Return these values with that of one option replaced."""
        return Asked({**self.values, option: value})

    @property
    def game_options(self) -> dict[Option[Any], str]:
        """The options given that set a key of the game, with values as written in a game file."""
        return {
            option: str(value)
            for option, value in self.values.items()
            if option.key and value is not None
        }

    def in_section(self, section: str) -> "Asked":
        """Return only the options that set keys of one section of a game file, such as `play`."""
        values = {
            option: value
            for option, value in self.values.items()
            if option.key.startswith(f"{section}.")
        }
        return Asked(values)


def takes(*options: Option[Any]) -> Callable[[Callable[[Asked], None]], Callable[..., None]]:
    """Return a decorator that gives a command its options; help lists them in this order.

    The command is called with all values in one `Asked`; to typer it shows a parameter for each
    option.
    """
    options_by_name = {_parameter_name(option): option for option in options}

    def decorate(command: Callable[[Asked], None]) -> Callable[..., None]:
        def typer_command(**given: Any) -> None:
            values = {
                option: given.get(name, option.parameter.default)
                for name, option in options_by_name.items()
            }
            for option in (GAME, GAME_TO_PLAY):
                if name := values.get(option):
                    values[option] = _own_name(name)
            _run(command, Asked(values))

        typer_command.__name__, typer_command.__doc__ = command.__name__, command.__doc__
        typer_command.__signature__ = Signature(  # type: ignore[attr-defined]
            [_parameter(name, option) for name, option in options_by_name.items()]
        )
        return typer_command

    return decorate


def _own_name(name: str) -> str:
    """Return the name of a game as it is written in the list of games."""
    from puzzlehunt.game.files.gamefile import own_name

    return name if is_address(name) else own_name(name)


def _run(command: Callable[[Asked], None], asked: Asked) -> None:
    """Run a command within the limits that it takes.

    Where it takes JSON and has none to print, that says that nothing is known.
    """
    from puzzlehunt.session.limits import limited

    try:
        with limited(asked.get(SECONDS) or 0):
            command(asked)
    except LimitError:
        if asked.get(JSON):
            print_json({"count": None})
        raise
    if HISTORY in asked.values and not _has_rows(asked) and has_input(sys.stdin):
        note("stdin was not read; for the rows that wait there: --history -")


def _has_rows(asked: Asked) -> bool:
    """Return whether rows were given, or said where to find; a code to explain is none."""
    words = asked.get(ROWS_AND_CODE) or []
    is_code = len(words) == 1 and words != [STDIN] and not _ROW.search(words[0])
    return bool((words and not is_code) or any(map(asked.get, (ROWS, TURN, HISTORY))))


def _parameter_name(option: Option[Any]) -> str:
    """Return the name of an option as a Python parameter: `try_` for `--try`."""
    name = re.sub(r"\W", "_", option.name.lower().lstrip("-"))
    return f"{name}_" if iskeyword(name) else name


def _parameter(name: str, option: Option[Any]) -> Parameter:
    """Return an option as a parameter that typer understands."""
    return Parameter(
        name, Parameter.KEYWORD_ONLY, default=option.parameter, annotation=option.value_type
    )


# The game that is asked about.


def open_game(asked: Asked, name: str | None = None) -> "Game":
    """Return a game with the keys that options change, and the turns that options add.

    `name` is a built-in name, a file or NxK, by default the argument GAME. Raises PuzzlehuntError
    where name and options describe no game.
    """
    return game_of(asked, open_document(asked, asked[GAME] if name is None else name))


def open_document(asked: Asked, name: str) -> "Document":
    """Return the file of a game, by the game's name, with the keys that options change."""
    from puzzlehunt.game.files import gamefile
    from puzzlehunt.session.settings import with_reads

    found = board_document(name) if is_address(name) else gamefile.find_document(name, Path())
    document = changed_keys(asked).inherit(found)
    if READS in asked.game_options:
        document = with_reads(document, asked.game_options[READS], "--reads")
    return document


def is_address(name: str) -> bool:
    """Return whether a game's name is the address of a board that a server keeps."""
    return name.startswith(("http://", "https://"))


def board_document(address: str) -> "Document":
    """Return a board that a server keeps as a game file with its rows. Raises PuzzlehuntError."""
    from puzzlehunt.web.remote import document_of

    return document_of(address)


def game_of(asked: Asked, document: "Document") -> "Game":
    """Return the game of a document with the turns that options add. Raises PuzzlehuntError."""
    from puzzlehunt.game.files import gamefile
    from puzzlehunt.session.limits import allow
    from puzzlehunt.strategies.registry import check_known

    allow_local_modules(asked.game_options.get(STRATEGY, ""))
    game = gamefile.build(document)
    check_known(game.play.strategy)
    check_solver(game)
    allow(2 * game.play.budget)
    return with_rows(game, asked.get(ROWS) or [], asked.get(TURN) or [], asked.get(HISTORY))


def changed_keys(asked: Asked) -> "Document":
    """Return a document of the keys that `--set` and other options change.

    Its `inherit` applies them to a game file. `--reads` is left out, since what it changes depends
    on the game.
    """
    from puzzlehunt.game.files.document import Document, apply_settings, set_option

    document = apply_settings(Document({}), asked.get(SET) or [])
    for option, value in asked.game_options.items():
        if option is not READS:
            document = set_option(document, option.name, tuple(option.key.split(".")), value)
    return document


def allow_local_modules(*strategies: str) -> None:
    """Let strategies written `module:function` be imported from the current folder."""
    from puzzlehunt.game.play import names_code

    folder = str(Path.cwd())
    if any(map(names_code, strategies)) and folder not in sys.path:
        sys.path.insert(0, folder)


def check_solver(game: "Game") -> None:
    """Raise SolverError for a game whose solver is not installed."""
    if game.play.solver is not None:
        from puzzlehunt.engines.solvers.choice import command_of

        command_of(game.play.solver)


def engine_with_history(game: "Game") -> "Engine":
    """Return an engine for the game to which the game's history was pushed."""
    from puzzlehunt.engines.choice import open_engine

    engine = open_engine(game)
    engine.follow(game.history)
    return engine


# Its turns.


def whole_rows(words: "Sequence[str]") -> "Sequence[str]":
    """Return the rows that arguments write; if none has guess and clue, all of them are one row.

    `-`, by which rows on stdin are meant, is none of them.
    """
    rows = [word for word in words if word != STDIN]
    return rows if any(map(_ROW.search, rows)) else list(filter(None, [" ".join(rows)]))


def with_rows(
    game: "Game",
    words: "Sequence[str]",
    turns: "Sequence[str]" = (),
    history: str | None = None,
) -> "Game":
    """Return the game with more turns after its own: from words, `-t` and the file of `--history`.

    Words are arguments, as `whole_rows` takes them; `-` among them are the rows on stdin.
    """
    sources = [(repr(row), row) for row in whole_rows(words)]
    sources += [(f"-t {turn!r}", turn) for turn in turns if turn != STDIN]
    for source, text in sources:
        try:
            game = _with_merged(game, [game.parse_turn(text)])
        except PuzzlehuntError as error:
            raise InvalidTurnError(f"{source}: {error}") from None
    logs = [STDIN] if STDIN in [*words, *turns] else []
    for name in dict.fromkeys([*logs, *filter(None, [history])]):
        game = _with_log(game, name)
    return game


def _with_log(game: "Game", name: str) -> "Game":
    """Return the game with the turns of a file; it may hold a shared result, rows of squares."""
    from puzzlehunt.game.blocks import read_block
    from puzzlehunt.game.shared import read_shared

    lines = read_lines(name)
    try:
        shared = read_shared(game, lines)
        if shared is not None:
            return replace(game, history=shared.fill(game, game.history))
    except PuzzlehuntError as error:
        raise InvalidTurnError(f"{name}: {error}") from None
    block = read_block(game, lines, game.history)
    for problem in block.problems:
        raise InvalidTurnError(f"{name}:{problem.line}: {problem.message}")
    return _with_merged(game, block.turns, is_log=True)


def _with_merged(game: "Game", turns: "Sequence[Turn]", is_log: bool = False) -> "Game":
    """Return the game with turns merged in; a note says which turn contradicted one before it.

    Raises IllegalGuessError.
    """
    from puzzlehunt.game.merging import illegal_guesses, merge
    from puzzlehunt.views.turns import change_line

    merged = merge(game, game.history, turns, is_log)
    for _, illegal in illegal_guesses(game, merged):
        raise illegal
    for placed in (*merged.changed, *merged.overruled):
        if placed.effect == "replaced":
            note(change_line(game, placed))
    return replace(game, history=merged.history)


def read_lines(name: str) -> list[str]:
    """Return the lines of a file, or of stdin for `-`. Raises SessionError."""
    try:
        if name == STDIN:
            return sys.stdin.read().splitlines()
        return read_bytes(Path(name), _MOST_BYTES).decode("utf-8-sig").splitlines()
    except OSError as error:
        raise SessionError(f"{name}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise SessionError(f"{name}: this is not a text file in UTF-8") from None


# What is written.


def check_free(asked: Asked, *files: Path | None) -> None:
    """Raise SessionError, before long work, for a file that `write_file` would refuse."""
    from puzzlehunt.game.files import atomic

    for file in files:
        if file is not None:
            atomic.check_free(file, overwrite=asked[FORCE], mend=_FORCE_MEND)


def write_file(asked: Asked, file: Path, data: str | bytes) -> None:
    """Write a new file, or with `--force` over one that is there, but for games and sessions.

    Raises SessionError where it cannot be written.
    """
    from puzzlehunt.game.files.atomic import write_new

    write_new(file, data, overwrite=asked[FORCE], mend=_FORCE_MEND)
