"""Programs that play a session file and wait for more lines."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

POSIX = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX systems")


@pytest.fixture
def writer(home: Path) -> Iterator[Callable[[], "subprocess.Popen[str]"]]:
    """A function that starts a program that plays `s.yaml` and waits for more lines."""
    started: list[subprocess.Popen[str]] = []

    def write() -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [sys.executable, "-u", "-m", "puzzlehunt", "play", "cryptic", "--session", "s.yaml"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield write
    for process in started:
        process.kill()
        process.communicate()


def until(process: "subprocess.Popen[str]", text: str) -> None:
    """Read what a writer prints up to a line with a text."""
    assert process.stdout is not None
    for line in process.stdout:
        if text in line:
            return
    raise AssertionError(f"never said {text!r}")


def say(process: "subprocess.Popen[str]", line: str) -> None:
    """Type a line for a writer."""
    assert process.stdin is not None
    process.stdin.write(line + "\n")
    process.stdin.flush()
