"""How commands print: results on stdout, notes and errors on stderr; and how they fail."""

import os
import sys
from contextlib import contextmanager, suppress
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, NoReturn

import typer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TextIO

    from puzzlehunt.engines.base import Engine
    from puzzlehunt.game.game import Game
    from puzzlehunt.views.screen import Screen


_BAR_AND_TIME = 66
"""Width of a progress bar with its label and the time that is left (columns)."""


def open_screen() -> "Screen":
    """Return the screen: results on stdout, notes on stderr."""
    from puzzlehunt.views.screen import Screen

    return Screen()


def print_json(value: dict[str, Any]) -> None:
    """Print a JSON object on one line, with escapes where stdout is not UTF-8."""
    import json

    from puzzlehunt.views.escapes import in_json

    is_utf8 = sys.stdout.encoding.casefold() in ("utf-8", "utf8")
    print(in_json(json.dumps(value, ensure_ascii=not is_utf8)))


def result(text: str, end: str = "\n") -> None:
    """Print results on stdout as text; what a terminal would obey is escaped."""
    from puzzlehunt.views.escapes import printable

    print(printable(text), end=end, flush=True)


def note(text: str) -> None:
    """Print a line on stderr, apart from the results; what a terminal would obey is escaped."""
    from puzzlehunt.views.escapes import printable

    print(printable(text), file=sys.stderr)


def has_input(stream: "TextIO") -> bool:
    """Return whether a pipe or a file has something to be read; none of it is read.

    Of a terminal, and where the system does not say, that is false.
    """
    with suppress(OSError, ValueError, ImportError):
        if stream.seekable():
            here = stream.tell()
            end = stream.seek(0, os.SEEK_END)
            stream.seek(here)
            return end > here
        if not stream.isatty():
            import array
            import fcntl
            import termios

            waiting = array.array("i", [0])
            fcntl.ioctl(stream.fileno(), termios.FIONREAD, waiting)
            return waiting[0] > 0
    return False


def ask(question: str) -> str | None:
    """Ask a person at a terminal; return the line that they type, None where the input ends."""
    from puzzlehunt.views.escapes import printable

    try:
        return input(f"{printable(question)}: ").strip()
    except EOFError:
        print()
        return None


@contextmanager
def progress_bar(games: int) -> "Iterator[Callable[[int], None]]":
    """Show a progress bar on stderr; yield a function to call with how many more games are done.

    There is no bar where stderr is no terminal, nor where `games` is 0: an unknown number.
    """
    if not (games and sys.stderr.isatty()):
        yield lambda _done: None
        return
    # On a narrow screen a bar of typer's own width would break into lines; 0 is what has room.
    width = 0 if get_terminal_size().columns < _BAR_AND_TIME else 36
    with typer.progressbar(length=games, label="games", width=width, file=sys.stderr) as bar:
        yield bar.update


def progress_note(text: str) -> None:
    """Print a line about progress on stderr, over the progress bar if there is one."""
    if sys.stderr.isatty():
        from puzzlehunt.views.escapes import printable

        print(f"\r{printable(text).ljust(get_terminal_size().columns - 1)}", file=sys.stderr)
    else:
        note(text)


def fail(message: str, status: int) -> NoReturn:
    """Print an error message and leave with an exit status."""
    from puzzlehunt.views.escapes import shortened

    lines = shortened(message.strip()).splitlines() or [""]
    with suppress(OSError):
        print(f"puzzlehunt: {lines[0]}", *lines[1:], sep="\n", file=sys.stderr)
    raise SystemExit(status)


def fail_without_candidates(
    game: "Game", engine: "Engine", answer: dict[str, Any] | None = None
) -> NoReturn:
    """Print that no candidate is left, and whether a wider word list has some; leave with status 1.

    `answer` is printed as JSON, too; None where no JSON was asked for.
    """
    from puzzlehunt.views.explanations import contradiction_line

    wider, hint = wider_words(game)
    if answer is not None:
        print_json(answer | wider)
    fail(f"{contradiction_line(game, engine)}\n{hint}", 1)


def wider_words(game: "Game") -> tuple[dict[str, Any], str]:
    """Return the candidates of a wider word list, as JSON and as a line; both empty if none."""
    from puzzlehunt.explanation.remaining import wider_candidates
    from puzzlehunt.views.candidates import wider_line
    from puzzlehunt.views.json import wider_json

    wider = wider_candidates(game, game.history)
    if wider is None:
        return {}, ""
    return {"wider": wider_json(wider)}, f"{wider_line(wider)} (--words {wider.name})"
