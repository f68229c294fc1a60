"""The program: its commands in the order of `puzzlehunt --help`, and its errors."""

import atexit
import gc
import os
import re
import sys
from contextlib import suppress
from io import UnsupportedOperation
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperArgument, TyperGroup, TyperOption
from typer.main import get_command

from puzzlehunt import __version__, errors
from puzzlehunt.cli import files, lab, playing, questions
from puzzlehunt.cli.options import MOVED, games, is_address
from puzzlehunt.cli.streams import INTERRUPTED, fail, prepare_streams

_DASHED = re.compile(r"-(?![a-z]|-[a-z]|-?$)")
"""Pattern of a code, a clue or a row that begins with a dash; a blank hides that from click."""
_DIGITS = re.compile(r"[0-9]{1,9}")


class Program(TyperGroup):
    """The group of all commands; the name of a game is short for `play` with that name."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments; without any, run `play` in a terminal, otherwise `--help`."""
        if not args and not ctx.resilient_parsing:
            is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
            args = ["play"] if is_terminal else ["--help"]
        return super().parse_args(ctx, [f" {one}" if _DASHED.match(one) else one for one in args])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command of the arguments, after its name and before its own arguments.

        For a game's name it is `play`. Raises UnknownNameError for an unknown name.
        """
        if not args[0].startswith("-") and args[0] not in self.commands:
            from puzzlehunt.game.files.gamefile import own_name, path_of

            if is_address(args[0]) or own_name(args[0]) or path_of(args[0]):
                args = ["play", *args]
            elif not ctx.resilient_parsing:
                hint = errors.did_you_mean(args[0], [*self.commands, *games()])
                if "did you mean" not in hint:
                    hint = "; puzzlehunt --help lists the commands, puzzlehunt games the games"
                raise errors.UnknownNameError(f"no command or game {args[0]!r}{hint}")
        return super().resolve_command(ctx, args)


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
for commands in (playing, questions, files):
    app.add_typer(commands.app)
app.add_typer(lab.app, name="lab", help="Play whole tournaments and count guesses.")


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


_process_value = TyperOption.process_value


def _processed(self: Any, ctx: Any, value: Any) -> Any:
    """Return a value of a parameter as typer does, but most without pydantic, which is slow."""
    kind, least = self.type_descriptor.annotation, self.type_descriptor.parameter_info.min or 0
    is_number = kind in (int, float) and _DIGITS.fullmatch(str(value)) and int(value) >= least
    is_plain = is_number or kind in (str, list[str]) or value in (None, (), self.default)
    if not is_plain or (self.required and not value):
        return _process_value(self, ctx, value)
    value = kind(value) if is_number or (value and kind == list[str]) else value
    return self.callback(ctx, self, value) if self.callback else value


TyperOption.process_value = TyperArgument.process_value = _processed  # type: ignore[method-assign]


def _discard_stdout() -> None:
    """Redirect stdout to the null device, so that flushing it at exit cannot fail again."""
    with suppress(UnsupportedOperation):  # a stream in memory is no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run() -> None:
    """Run a command; exit as if the signal SIGPIPE ended it if the reader of stdout is gone."""
    try:
        if get_command(app)(prog_name="puzzlehunt", standalone_mode=False) == INTERRUPTED:
            fail("stopped", INTERRUPTED)
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit) as left:
        # Typer may have caught the error, and exits with status 1.
        if not isinstance(left if isinstance(left, OSError) else left.__context__, BrokenPipeError):
            raise
        _discard_stdout()
        raise SystemExit(128 + 13) from None


def main() -> NoReturn:
    """Run the command line, print an error as a short message, and exit with a status."""
    prepare_streams()
    # Else, pydantic reads the metadata of every installed package, and no plug-in is of use here.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    # Else, numpy starts a thread for each core, which no product here is large enough to need.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    atexit.register(gc.freeze)  # else, Python searches all objects again when it exits
    try:
        _run()
    except errors.LimitError as error:
        fail(f"{error}; {error.hint}", 3)
    except errors.PuzzlehuntError as error:
        # A line break comes from what the message repeats, such as the name of a file.
        message = str(error).strip().replace("\n", "\\n")
        fail(message, 1 if isinstance(error, errors.NoCandidatesError) else 2)
    except (MemoryError, RecursionError):
        small = "try a smaller game, or --set play.engine=symbolic"
        fail(f"that is too large for this machine; {small}", 2)
    except OSError as error:
        _discard_stdout()
        where = f"{error.filename}: " if error.filename else ""
        fail(f"{where}{error.strerror or error}", 2)
    except Exception as error:
        usage: Any = error  # if it is typer's, whose class is not exported
        if hasattr(error, "show") and isinstance(getattr(error, "message", None), str):
            usage.message = errors.shortened(usage.message)
            if type(error).__name__ == "NoSuchOption":
                has_keys = any("--set" in one.opts for one in usage.ctx.command.params)
                if has_keys and (key := MOVED.get(usage.option_name)):
                    usage.message += f"; it is a key: --set {key}=VALUE"
                    usage.possibilities = None
                elif not usage.option_name.startswith("--"):
                    usage.message += "; before a row or code that begins with a dash, write --"
            usage.show()
            about = usage.ctx.command.help if usage.ctx else ""
            if example := re.search(r"^ *(puzzlehunt .*)", about or "", re.MULTILINE):
                print(f"As in: {example[1]}", file=sys.stderr)
            raise SystemExit(usage.exit_code) from None
        if os.environ.get("PUZZLEHUNT_TRACEBACK"):
            raise
        where = "PUZZLEHUNT_TRACEBACK=1 shows where"
        fail(
            errors.in_own_file(error)
            or f"this should not happen ({errors.in_one_line(error)}); {where}",
            2,
        )
    raise SystemExit(0)
