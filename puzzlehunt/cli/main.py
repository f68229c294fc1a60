"""The program: its commands in the order of `puzzlehunt --help`, and its errors."""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from puzzlehunt import __version__
from puzzlehunt.cli import (
    candidates,
    explain,
    export,
    games,
    host,
    lab_compare,
    lab_run,
    lab_trees,
    play,
    review,
    score,
    serve,
    solve,
    suggest,
)
from puzzlehunt.cli.options import DASHED_CODES
from puzzlehunt.cli.output import fail
from puzzlehunt.errors import (
    LimitError,
    NoCandidatesError,
    PuzzlehuntError,
    UnknownNameError,
    did_you_mean,
)

_CLOSED_PIPE = 128 + 13
"""Exit status where the reader of stdout is gone: that of a program which SIGPIPE ended."""


_STATUSES: dict[type[PuzzlehuntError], int] = {NoCandidatesError: 1, LimitError: 3}
"""Exit statuses of errors; that of all others is 2."""


class Program(TyperGroup):
    """The commands; a game's name in place of a command plays that game."""

    def make_context(self, *args: Any, **options: Any) -> Any:
        """Return the context of the arguments; what an error repeats of them is printable."""
        with _printable_usage_errors():
            return super().make_context(*args, **options)

    def invoke(self, ctx: Any) -> Any:
        """Run the command; what an error repeats of its arguments is printable."""
        with _printable_usage_errors():
            return super().invoke(ctx)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that the arguments begin with, its name, and its own arguments.

        Raises UnknownNameError where they begin with neither a command nor a game.
        """
        is_completed = ctx.resilient_parsing
        if args[0] == "help" and not is_completed:
            if not args[1:]:
                print(ctx.get_help())
                raise typer.Exit
            args = [args[1], "--help"]
        if not args[0].startswith("-") and args[0] not in self.commands:
            if _is_game(args[0]):
                args = ["play", *args]
            elif not is_completed:
                raise _no_command(args[0], self.commands)
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Return the commands that begin as typed, or else the games."""
        commands = super().shell_complete(ctx, incomplete)
        if commands or not incomplete:
            return commands
        game, *_ = self.commands["play"].params
        return game.shell_complete(ctx, incomplete)


@contextmanager
def _printable_usage_errors() -> Iterator[None]:
    """Escape in a wrong usage's message what a terminal would obey: it names what was typed."""
    try:
        yield
    except Exception as error:
        # Typer does not export the class of these errors.
        if isinstance(message := getattr(error, "message", None), str):
            from puzzlehunt.views.escapes import shortened

            error.message = shortened(message)  # type: ignore[attr-defined]
        raise


def _is_game(name: str) -> bool:
    from puzzlehunt.cli.asked import is_address
    from puzzlehunt.game.files.gamefile import is_game

    return is_address(name) or is_game(name)


def _no_command(name: str, commands: Iterable[str]) -> UnknownNameError:
    """Return the error for a name that is neither that of a command nor that of a game."""
    from puzzlehunt.game.files.gamefile import built_in_games

    hint = did_you_mean(name, [*commands, *built_in_games()])
    if "did you mean" not in hint:
        hint = "; puzzlehunt --help lists the commands, puzzlehunt games the games"
    return UnknownNameError(f"no command or game {name!r}{hint}")


app = typer.Typer(
    name="puzzlehunt",
    cls=Program,
    help="Play guessing games whose answers you can only half read.\n\n"
    "GAME is a built-in name (see `puzzlehunt games`), a game or session file, or a size such as "
    "4x6 (positions x symbols).",
    epilog="Try: puzzlehunt play cryptic, or in short: puzzlehunt cryptic",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(play.play)
app.command()(suggest.suggest)
app.command()(candidates.candidates)
app.command(context_settings=DASHED_CODES)(score.score)
app.command()(host.host)
app.command()(solve.solve)
app.command()(serve.serve)
app.command(context_settings=DASHED_CODES)(explain.explain)
app.command()(review.review)
app.command()(export.export)
app.command()(games.check)
app.command()(games.games)
app.command()(games.init)

lab = typer.Typer(rich_markup_mode=None)
lab.command("run")(lab_run.run)
lab.command("compare")(lab_compare.compare)
lab.command("plot")(lab_compare.plot)
lab.command("report")(lab_compare.report)
lab.command("verify")(lab_trees.verify)
lab.command("book")(lab_trees.book)
app.add_typer(lab, name="lab", help="Play whole tournaments and count guesses.")


def _print_version(asked: bool) -> None:
    if asked:
        print(f"puzzlehunt {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _without_command(
    context: typer.Context,
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """With no command, list the games and ask for one in a terminal; print the help elsewhere."""
    if context.invoked_subcommand is not None:
        return
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        print(context.get_help())
        return
    play.play()


def main() -> NoReturn:
    """Run the command line; print any error in a line or two, and leave with an exit status."""
    _prepare_streams()
    try:
        with _ignoring_broken_pipes():
            app(prog_name="puzzlehunt")
    except PuzzlehuntError as error:
        # A line break comes from what the message repeats, such as the name of a file.
        message = str(error).strip().replace("\n", "\\n")
        fail(message, _STATUSES.get(type(error), 2))
    except KeyboardInterrupt:
        fail("stopped", 2)
    except (MemoryError, RecursionError):
        fail("that is too large for this machine; try a smaller game, or --engine symbolic", 2)
    except OSError as error:
        _discard_stdout()
        where = f"{error.filename}: " if error.filename else ""
        fail(f"{where}{error.strerror or error}", 2)
    except Exception as error:
        if os.environ.get("PUZZLEHUNT_TRACEBACK"):
            raise
        kind = type(error).__name__
        fail(f"this should not happen ({kind}: {error}); PUZZLEHUNT_TRACEBACK=1 shows where", 2)
    raise SystemExit(0)


@contextmanager
def _ignoring_broken_pipes() -> Iterator[None]:
    """Leave without a message when the reader of stdout is gone, as in `puzzlehunt ... | head`.

    The exit status is that of a program which the signal SIGPIPE ended. Click catches the error
    too, and leaves with the status 1.
    """
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        _leave_closed_pipe()
    except SystemExit as left:
        if isinstance(left.__context__, BrokenPipeError):
            _leave_closed_pipe()
        raise


def _leave_closed_pipe() -> NoReturn:
    _discard_stdout()
    raise SystemExit(_CLOSED_PIPE) from None


def _discard_stdout() -> None:
    """Send stdout to nowhere: Python flushes it once more at exit, which would fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _prepare_streams() -> None:
    """Open closed standard streams, and replace characters that cannot be decoded or encoded.

    Closed streams read and write nothing. A byte order mark before piped input is skipped.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nowhere = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - it stays open
            setattr(sys, name, nowhere)
    if isinstance(sys.stdin, TextIOWrapper) and not sys.stdin.isatty():
        is_utf8 = sys.stdin.encoding.casefold() in ("utf-8", "utf8")
        sys.stdin.reconfigure(encoding="utf-8-sig" if is_utf8 else None, errors="replace")
    _keep_stdout_for_results()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _keep_stdout_for_results() -> None:
    """Send to stderr what libraries written in C print on stdout: it would spoil JSON and CSV.

    HiGHS does so now and then, even where it is told to be silent. Results go to a copy of stdout.
    """
    stdout = sys.stdout
    if not isinstance(stdout, TextIOWrapper) or stdout is not sys.__stdout__ or stdout.isatty():
        return
    results = os.dup(stdout.fileno())
    os.dup2(sys.stderr.fileno(), stdout.fileno())
    sys.stdout = os.fdopen(
        results,
        "w",
        buffering=1 if stdout.line_buffering or stdout.write_through else -1,
        encoding=stdout.encoding,
    )
