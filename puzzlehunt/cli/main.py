"""The command line: a thin caller of the library. Each command stands in the file of its kind.

These files alone parse options; `main` is the program.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from puzzlehunt import __version__
from puzzlehunt.cli import ask, compare, files, lab, play, review
from puzzlehunt.cli.options import CODES, fail
from puzzlehunt.errors import NoCandidatesError, PuzzlehuntError

app = typer.Typer(
    name="puzzlehunt",
    help="Play guessing games whose answers you can only half read.\n\n"
    "GAME is a built-in name (see `puzzlehunt games`), a game or session file, or a size such as "
    "4x6 (positions x symbols).",
    epilog="Try: puzzlehunt play cryptic",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(play.play)
app.command()(ask.suggest)
app.command()(ask.candidates)
app.command(context_settings=CODES)(ask.score)
app.command()(play.host)
app.command()(play.solve)
app.command(context_settings=CODES)(ask.explain)
app.command()(review.review)
app.command()(files.export)
app.command()(files.check)
app.command()(files.games)
app.command()(files.init)

_lab = typer.Typer(rich_markup_mode=None)
_lab.callback()(lab.about)
_lab.command("run")(lab.run)
_lab.command("compare")(compare.compare)
_lab.command("plot")(compare.plot)
_lab.command("report")(compare.report)
_lab.command("verify")(lab.verify)
_lab.command("book")(lab.book)
app.add_typer(_lab, name="lab")


def _version(shown: bool) -> None:
    if shown:
        print(f"puzzlehunt {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _bare(
    context: typer.Context,
    _version_: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    if context.invoked_subcommand is not None:
        return
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        print(context.get_help())
        return
    files.games()
    play.play(typer.prompt("Which game"))


def main() -> NoReturn:
    """Run the command line; every error is one or two lines and an exit status."""
    _mend_streams()
    try:
        with _broken_pipes_are_quiet():
            app()
    except PuzzlehuntError as error:
        fail(str(error), 1 if isinstance(error, NoCandidatesError) else 2)
    except KeyboardInterrupt:
        fail("stopped", 2)
    except (MemoryError, RecursionError):
        fail("that is too large for this machine; try a smaller game, or --engine symbolic", 2)
    except OSError as error:
        _lead_nowhere()
        where = f"{error.filename}: " if error.filename else ""
        fail(f"{where}{error.strerror or error}", 2)
    except Exception as error:
        if os.environ.get("PUZZLEHUNT_TRACEBACK"):
            raise
        kind = type(error).__name__
        fail(f"this should not happen ({kind}: {error}); PUZZLEHUNT_TRACEBACK=1 shows where", 2)
    raise SystemExit(0)


@contextmanager
def _broken_pipes_are_quiet() -> Iterator[None]:
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        _lead_nowhere()


def _lead_nowhere() -> None:
    """Make stdout swallow what is still in it, so that leaving does not fail once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _mend_streams() -> None:
    """Make closed streams lead nowhere, and show what cannot be decoded or encoded as it can be."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nowhere = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - it stays open
            setattr(sys, name, nowhere)
    if isinstance(sys.stdin, TextIOWrapper) and not sys.stdin.isatty():
        marked = sys.stdin.encoding.casefold() in ("utf-8", "utf8")
        sys.stdin.reconfigure(encoding="utf-8-sig" if marked else None, errors="replace")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
