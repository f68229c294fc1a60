"""Two programs and one session file, and a program that is killed."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from puzzlehunt.codes.words import built_in
from puzzlehunt.game.files import gamefile

POSIX = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX systems")


@pytest.fixture
def writer(home: Path) -> Iterator[Callable[[], "subprocess.Popen[str]"]]:
    """A function that starts a program that plays `s.yaml` and waits for more lines."""
    started: list[subprocess.Popen[str]] = []

    def write() -> "subprocess.Popen[str]":
        command = ["-u", "-m", "puzzlehunt", "play", "cryptic", "--session", "s.yaml"]
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        started.append(subprocess.Popen([sys.executable, *command], text=True, **pipes))
        return started[-1]

    yield write
    for process in started:
        process.kill()
        process.communicate()


def until(process: Any, text: str) -> None:
    """Read what a writer prints up to a line with a text."""
    assert any(text in line for line in process.stdout), f"never said {text!r}"


def say(process: Any, line: str) -> None:
    process.stdin.write(line + "\n")
    process.stdin.flush()


@POSIX
def test_a_killed_program_loses_nothing_that_it_acknowledged(
    writer: Callable[[], Any], home: Path
) -> None:
    rng = random.Random(1)
    words = [word for word, _ in built_in("large", [5])]
    for _ in range(8):
        (home / "s.yaml").unlink(missing_ok=True)
        process = writer()
        guesses = rng.sample(words, 60)
        for guess in guesses:
            process.stdin.write(f"{guess} *\n" if rng.random() < 0.7 else f"{guess} ___R_\n")
        process.stdin.flush()
        seen = process.stdout.readline()
        assert seen.startswith("Cryptic")
        time.sleep(rng.random() ** 2)
        process.send_signal(signal.SIGKILL)
        acknowledged = [
            line.split(": ")[0] for line in process.stdout.read().splitlines() if ": " in line
        ]
        rows = gamefile.load("s.yaml").history.turns
        game = gamefile.load("cryptic")
        in_file = [f"{n}. {game.format_code(t.code)}" for n, t in enumerate(rows, start=1)]
        assert in_file[: len(acknowledged)] == acknowledged
        assert len(in_file) <= len(acknowledged) + 1
        assert [row.split()[1] for row in in_file] == [g.upper() for g in guesses[: len(in_file)]]


@POSIX
def test_the_lock_dies_with_its_process(
    writer: Callable[[], Any], start: Callable[..., Any], home: Path
) -> None:
    first = writer()
    say(first, "HORSE B_WR_")
    until(first, "1. HORSE")
    first.send_signal(signal.SIGKILL)
    first.wait(30)
    second = start("play", "cryptic", "--session", "s.yaml", input=b"WORSE __RW_\n")
    assert second.returncode == 0
    assert len(gamefile.load("s.yaml").history) == 2
