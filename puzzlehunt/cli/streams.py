"""The standard streams: results on stdout, notes and errors on stderr, rows on stdin."""

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache
from io import TextIOWrapper
from pathlib import Path
from typing import NoReturn, TextIO

import puzzlehunt
from puzzlehunt.codes.files import read_text
from puzzlehunt.errors import LimitError, printable, shortened
from puzzlehunt.session.limits import limited, longest_wait
from puzzlehunt.system import HAS_POSIX
from puzzlehunt.views.escapes import in_json

STDIN = "-"
"""Argument that means stdin, in place of a file or a row."""
INTERRUPTED = 128 + 2
"""Exit status after Ctrl-C, as of a program that the signal SIGINT ended."""


def print_json(value: Mapping[str, object]) -> None:
    """Print a JSON object on one line, in ASCII if stdout is not UTF-8."""
    is_utf8 = sys.stdout.encoding.casefold() in ("utf-8", "utf8")
    print(in_json(json.dumps(value, ensure_ascii=not is_utf8)), flush=True)


def result(text: str, end: str = "\n") -> None:
    """Print results on stdout as text; control characters are escaped."""
    print(printable(text), end=end, flush=True)


def note(text: str) -> None:
    """Print a line on stderr, apart from the results; control characters are escaped."""
    print(printable(text), file=sys.stderr)


def fail(message: str, status: int) -> NoReturn:
    """Print an error message on stderr, and exit with a status."""
    with suppress(OSError):
        print(f"puzzlehunt: {shortened(message.strip())}", file=sys.stderr)
    raise SystemExit(status)


@contextmanager
def answered(seconds: float, game: "puzzlehunt.Game", json: bool = False) -> Iterator[None]:
    """Limit the time of an answer; without one, `json` prints that the count is unknown."""
    try:
        with limited(longest_wait(game.play.budget, seconds)):
            yield
    except LimitError:
        if json:
            print_json({"count": None})
        raise


def read_lines(name: str) -> list[str]:
    """Return the lines of a file, or of stdin for `-`. Raises SessionError."""
    if name == STDIN:
        return _piped_lines(sys.stdin)
    return read_text(Path(name)).removeprefix("\ufeff").splitlines()


@lru_cache(maxsize=1)
def _piped_lines(stream: TextIO) -> list[str]:
    return stream.read().splitlines()


def prepare_streams() -> None:
    """Prepare stdin, stdout and stderr at the start of the program.

    A closed stream is the null device. What cannot be decoded or encoded is replaced, and a byte
    order mark at the start of piped input is skipped. Libraries written in C print on stderr: what
    HiGHS prints now and then would make JSON and CSV unreadable.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nowhere = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - it stays open
            setattr(sys, name, nowhere)
    # Windows would read and write files in the code page of the console.
    is_set = HAS_POSIX or os.environ.get("PYTHONIOENCODING")
    if isinstance(sys.stdin, TextIOWrapper) and not sys.stdin.isatty():
        encoding = sys.stdin.encoding if is_set else "utf-8"
        is_utf8 = encoding.casefold() in ("utf-8", "utf8")
        sys.stdin.reconfigure(encoding="utf-8-sig" if is_utf8 else encoding, errors="replace")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            encoding = stream.encoding if is_set else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")
    stdout = sys.stdout
    if isinstance(stdout, TextIOWrapper) and stdout is sys.__stdout__ and not stdout.isatty():
        buffering = 1 if stdout.line_buffering or stdout.write_through else -1
        results = os.dup(stdout.fileno())
        os.dup2(sys.stderr.fileno(), stdout.fileno())
        sys.stdout = os.fdopen(results, "w", buffering, stdout.encoding, "backslashreplace")
