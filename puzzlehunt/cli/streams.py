"""The standard streams: results on stdout, notes and errors on stderr, rows on stdin."""

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache
from io import TextIOWrapper, UnsupportedOperation
from pathlib import Path
from shutil import get_terminal_size
from typing import NoReturn, TextIO

import typer

from puzzlehunt.codes.files import read_bytes
from puzzlehunt.errors import LimitError, SessionError
from puzzlehunt.session.limits import limited
from puzzlehunt.system import HAS_POSIX
from puzzlehunt.views.escapes import in_json, printable, shortened

STDIN = "-"
"""Argument that means stdin, in place of a file or a row."""
INTERRUPTED = 128 + 2
"""Exit status after Ctrl-C, as of a program that the signal SIGINT ended."""
_ROW = re.compile(r"\S[\s,;|:]+\S")
"""Pattern found in an argument that is a whole row: a separator between guess and clue."""


# What is printed.


def print_json(value: Mapping[str, object]) -> None:
    """Print a JSON object on one line; non-ASCII characters are escaped if stdout is not UTF-8."""
    is_utf8 = sys.stdout.encoding.casefold() in ("utf-8", "utf8")
    print(in_json(json.dumps(value, ensure_ascii=not is_utf8)))


def result(text: str, end: str = "\n") -> None:
    """Print results on stdout as text; control characters are escaped."""
    print(printable(text), end=end, flush=True)


def note(text: str) -> None:
    """Print a line on stderr, apart from the results; control characters are escaped."""
    print(printable(text), file=sys.stderr)


def fail(message: str, status: int) -> NoReturn:
    """Print an error message on stderr, and exit with a status."""
    lines = shortened(message.strip()).splitlines() or [""]
    with suppress(OSError):
        print(f"puzzlehunt: {lines[0]}", *lines[1:], sep="\n", file=sys.stderr)
    raise SystemExit(status)


@contextmanager
def answered(seconds: float, json: bool = False) -> Iterator[None]:
    """Limit the time of an answer; without one in time, `json` prints that the count is unknown."""
    try:
        with limited(seconds):
            yield
    except LimitError:
        if json:
            print_json({"count": None})
        raise


@contextmanager
def progress_bar(games: int) -> Iterator[Callable[[int], None]]:
    """Show a progress bar of `games` games on stderr; yield a function that advances the bar.

    The function is called with the number of games played since the last call. There is no bar if
    stderr is not a terminal, or if `games` is 0 (an unknown number).
    """
    if not (games and sys.stderr.isatty()):
        yield lambda _done: None
        return
    # On a narrow screen a bar of typer's own width would break into lines; 0 is what has room.
    width = 0 if get_terminal_size().columns < 66 else 36
    with typer.progressbar(length=games, label="games", width=width, file=sys.stderr) as bar:
        yield bar.update


def progress_note(text: str) -> None:
    """Print a line about progress on stderr, over the progress bar if there is one."""
    text = printable(text)
    if sys.stderr.isatty():
        text = f"\r{text.ljust(get_terminal_size().columns - 1)}"
    print(text, file=sys.stderr)


# What is read.


def ask(question: str) -> str | None:
    """Print a question and return the line typed in answer, None if the input ends."""
    try:
        return input(f"{printable(question)}: ").strip()
    except EOFError:
        print()
        return None


def read_lines(name: str) -> list[str]:
    """Return the lines of a file, or of stdin for `-`. Raises SessionError."""
    try:
        if name == STDIN:
            return _piped_lines(sys.stdin)
        return read_bytes(Path(name), 64_000_000).decode("utf-8-sig").splitlines()
    except OSError as error:
        raise SessionError(f"{name}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise SessionError(f"{name}: this is not a text file in UTF-8") from None


@lru_cache(maxsize=1)
def _piped_lines(stream: TextIO) -> list[str]:
    """Return the lines of a stream, which can be read only once."""
    return stream.read().splitlines()


def has_row(words: Iterable[str]) -> bool:
    """Return whether one of the arguments is a whole row, with a guess and a clue."""
    return any(map(_ROW.search, words))


# The streams themselves.


def prepare_streams() -> None:
    """Prepare stdin, stdout and stderr at the start of the program.

    A closed stream is replaced by the null device. Characters that cannot be decoded or encoded are
    replaced, and a byte order mark at the start of piped input is skipped.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nowhere = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - it stays open
            setattr(sys, name, nowhere)
    if isinstance(sys.stdin, TextIOWrapper) and not sys.stdin.isatty():
        encoding = _encoding_of(sys.stdin)
        is_utf8 = encoding.casefold() in ("utf-8", "utf8")
        sys.stdin.reconfigure(encoding="utf-8-sig" if is_utf8 else encoding, errors="replace")
    _keep_stdout_for_results()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding=_encoding_of(stream), errors="backslashreplace")


def _encoding_of(stream: TextIO) -> str:
    # Windows would write files in the code page of the console.
    is_set = HAS_POSIX or stream.isatty() or os.environ.get("PYTHONIOENCODING")
    return stream.encoding if is_set else "utf-8"


def _keep_stdout_for_results() -> None:
    """Redirect the output of libraries written in C from stdout to stderr.

    Such output, which HiGHS prints now and then even if told to be silent, makes JSON and CSV
    unreadable. Python writes results to a copy of stdout.
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


@contextmanager
def closed_pipes_ignored() -> Iterator[None]:
    """Exit without a message if the reader of stdout is gone, as in `puzzlehunt ... | head`.

    The exit status is that of a program that the signal SIGPIPE ended, even if typer has caught the
    error and exits with status 1.
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
    discard_stdout()
    raise SystemExit(128 + 13) from None  # the status of a program that SIGPIPE ended


def discard_stdout() -> None:
    """Redirect stdout to the null device, so that flushing it at exit cannot fail again."""
    with suppress(UnsupportedOperation):  # a stream in memory is no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
