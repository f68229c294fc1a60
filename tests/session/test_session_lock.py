"""Two programs, one session file."""

import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from puzzlehunt.game.files import gamefile
from writers import POSIX

Program = Callable[..., Any]


def _until(process: "subprocess.Popen[str]", text: str) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        if text in line:
            return
    raise AssertionError(f"never said {text!r}")


def _say(process: "subprocess.Popen[str]", line: str) -> None:
    assert process.stdin is not None
    process.stdin.write(line + "\n")
    process.stdin.flush()


def test_a_second_writer_is_told_and_changes_nothing_and_readers_need_no_lock(
    writer: Callable[[], Any], start: Program, run: Program, home: Path
) -> None:
    first = writer()
    _say(first, "HORSE B_WR_")
    _until(first, "1. HORSE")
    _until(first, "left")
    before = (home / "s.yaml").read_bytes()
    second = start("play", "cryptic", "--session", "s.yaml", input=b"WORSE __RW_\n")
    assert second.returncode == 2
    assert second.stdout == b""
    assert b"is open in another puzzlehunt, which writes it; nothing was changed" in second.stderr
    assert (home / "s.yaml").read_bytes() == before
    assert run("candidates", "s.yaml", "--limit", "1").status == 0
    assert run("check", "s.yaml").out.splitlines()[0].endswith(", 1 row")
    _say(first, "WORSE __RW_")
    _until(first, "2. WORSE")
    assert len(gamefile.load("s.yaml").history) == 2


@POSIX
def test_the_lock_dies_with_its_process(
    writer: Callable[[], Any], start: Program, home: Path
) -> None:
    first = writer()
    _say(first, "HORSE B_WR_")
    _until(first, "1. HORSE")
    first.send_signal(signal.SIGKILL)
    first.wait(30)
    second = start("play", "cryptic", "--session", "s.yaml", input=b"WORSE __RW_\n")
    assert second.returncode == 0
    assert len(gamefile.load("s.yaml").history) == 2
