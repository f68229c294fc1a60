"""The program: its commands in the order of `puzzlehunt --help`, and its errors."""

import atexit
import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from functools import cache, partial
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup
from typer.main import get_command, get_command_name

from puzzlehunt import __version__
from puzzlehunt.cli import command_line
from puzzlehunt.cli.options import is_address
from puzzlehunt.cli.streams import (
    INTERRUPTED,
    closed_pipes_ignored,
    discard_stdout,
    fail,
    prepare_streams,
)
from puzzlehunt.errors import (
    LimitError,
    NoCandidatesError,
    PuzzlehuntError,
    UnknownNameError,
    did_you_mean,
    in_one_line,
    in_own_file,
)
from puzzlehunt.views.escapes import shortened

_NEW_OBJECTS = 150_000
"""How many new objects begin a search for unused cycles of objects; Python's 700 is too eager."""
_SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"]}


class Program(TyperGroup):
    """The group of all commands; the name of a game is short for `play` with that name."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments; without arguments, run `play` in a terminal, otherwise `--help`."""
        if not args and not ctx.resilient_parsing:
            is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
            args = ["play"] if is_terminal else ["--help"]
        return super().parse_args(ctx, args)

    def make_context(self, *args: Any, **options: Any) -> Any:
        """Return the context of the arguments; messages of errors are made printable."""
        with _printable_usage_errors():
            return super().make_context(*args, **options)

    def invoke(self, ctx: Any) -> Any:
        """Run the command; messages of errors are made printable, and Ctrl-C has one, too."""
        try:
            with _printable_usage_errors():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            fail("stopped", INTERRUPTED)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the name of the command that the arguments call, the command, and its arguments.

        For a game's name the command is `play`. Raises UnknownNameError for an unknown name.
        """
        is_completed = ctx.resilient_parsing
        if args[0] == "help" and not is_completed:
            if not args[1:]:
                print(ctx.get_help())
                raise typer.Exit
            args = [args[1], "--help"]
        if not args[0].startswith("-") and args[0] not in self.commands:
            from puzzlehunt.game.files.gamefile import built_in_games, is_game

            if is_address(args[0]) or is_game(args[0]):
                args = ["play", *args]
            elif not is_completed:
                hint = did_you_mean(args[0], [*self.commands, *built_in_games()])
                if "did you mean" not in hint:
                    hint = "; puzzlehunt --help lists the commands, puzzlehunt games the games"
                raise UnknownNameError(f"no command or game {args[0]!r}{hint}")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Return the commands that begin with the typed text or, if there are none, the games."""
        commands = super().shell_complete(ctx, incomplete)
        if commands or not incomplete:
            return commands
        game, *_ = self.commands["games"].params
        completed: list[Any] = game.shell_complete(ctx, incomplete)
        return completed


@contextmanager
def _printable_usage_errors() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        # Typer does not export the class of these errors.
        if isinstance(message := getattr(error, "message", None), str):
            error.message = shortened(message)  # type: ignore[attr-defined]
        raise


app = typer.Typer(
    name="puzzlehunt",
    cls=Program,
    help="Play guessing games whose answers you can only half read.\n\n"
    "GAME is a built-in name (see `puzzlehunt games`), a game or session file, or a size such as "
    "4x6 (positions x symbols).",
    epilog="Try: puzzlehunt play cryptic, or in short: puzzlehunt cryptic",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings=_SETTINGS,
)
app.add_typer(command_line.app)
app.add_typer(command_line.lab, name="lab", help="Play whole tournaments and count guesses.")


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        print(f"puzzlehunt {__version__}")
        raise typer.Exit


@app.callback()
def _program(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Options of the program itself."""


@cache
def command(first: str = "") -> TyperGroup:
    """Return the whole command line as one command; later calls return the same object.

    If `first`, the first word of the arguments, is the name of a command, that is its only one:
    to make all of them takes longer than to make the first suggestion of a small game.
    """
    alone = copy(app)
    alone.registered_groups = []
    alone.registered_commands = [
        one
        for one in command_line.app.registered_commands
        if one.callback and get_command_name(one.callback.__name__) == first
    ]
    program = get_command(alone if alone.registered_commands else app)
    assert isinstance(program, TyperGroup)
    groups = [program, *(one for one in program.commands.values() if isinstance(one, TyperGroup))]
    for one in (each for group in groups for each in (group, *group.commands.values())):
        for parameter in one.get_params(typer.Context(one, **_SETTINGS)):
            parameter.process_value = partial(_processed, parameter)  # type: ignore[method-assign]
    return program


def _processed(parameter: Any, ctx: Any, value: Any) -> Any:
    """Return the value of a parameter as typer does, but texts without pydantic: that is slow."""
    kind = getattr(getattr(parameter, "type_descriptor", None), "annotation", None)
    if kind == list[str] and value and all(map(str.isprintable, value)):
        value = [*value]
    elif not (
        (value in (None, (), parameter.default) and not parameter.required)
        or (kind is str and isinstance(value, str) and value.isprintable())
    ):
        return type(parameter).process_value(parameter, ctx, value)
    return parameter.callback(ctx, parameter, value) if parameter.callback else value


def main() -> NoReturn:
    """Run the command line, print an error as a short message, and exit with a status."""
    prepare_streams()
    gc.set_threshold(_NEW_OBJECTS)
    # Else, pydantic reads the metadata of every installed package, and no plug-in is of use here.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    atexit.register(gc.freeze)  # else, Python searches all objects again when it exits
    try:
        with closed_pipes_ignored():
            command(*sys.argv[1:2])(prog_name="puzzlehunt")
    except LimitError as error:
        fail(f"{error}; {error.hint}", 3)
    except PuzzlehuntError as error:
        # A line break comes from what the message repeats, such as the name of a file.
        message = str(error).strip().replace("\n", "\\n")
        fail(message, 1 if isinstance(error, NoCandidatesError) else 2)
    except (MemoryError, RecursionError):
        fail("that is too large for this machine; try a smaller game, or --engine symbolic", 2)
    except OSError as error:
        discard_stdout()
        where = f"{error.filename}: " if error.filename else ""
        fail(f"{where}{error.strerror or error}", 2)
    except Exception as error:
        if os.environ.get("PUZZLEHUNT_TRACEBACK"):
            raise
        where = "PUZZLEHUNT_TRACEBACK=1 shows where"
        fail(in_own_file(error) or f"this should not happen ({in_one_line(error)}); {where}", 2)
    raise SystemExit(0)
