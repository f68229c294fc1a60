"""Two programs, one session file."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from puzzlehunt.game.files import gamefile
from writers import say, until

Program = Callable[..., Any]


def test_a_second_writer_is_told_and_changes_nothing_and_readers_need_no_lock(
    writer: Callable[[], Any], start: Program, run: Program, home: Path
) -> None:
    first = writer()
    say(first, "HORSE B_WR_")
    until(first, "1. HORSE")
    until(first, "left")
    before = (home / "s.yaml").read_bytes()
    second = start("play", "cryptic", "--session", "s.yaml", input=b"WORSE __RW_\n")
    assert second.returncode == 2
    assert second.stdout == b""
    assert b"is open in another puzzlehunt, which writes it; nothing was changed" in second.stderr
    assert (home / "s.yaml").read_bytes() == before
    assert run("candidates", "s.yaml", "--limit", "1").status == 0
    assert run("check", "s.yaml").out.splitlines()[0].endswith(", 1 row")
    say(first, "WORSE __RW_")
    until(first, "2. WORSE")
    assert len(gamefile.load("s.yaml").history) == 2
