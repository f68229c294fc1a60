"""Tables in a real terminal: pasted."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from terminals import Terminal, kept

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are POSIX", allow_module_level=True)

pytest.importorskip("pexpect")

TABLE = "Guess\tRed\tWhite\tBlack\nHORSE\t1\t\t2\nFLESH\t\t1\t\nZONES\t2\t\t\n"
ROWS = ["HORSE BBR__", "FLESH W____", "ZONES RR___"]


def test_a_pasted_table_is_read_by_its_heading_and_keeps_its_blank_cells(
    play: Callable[..., Terminal], home: Path
) -> None:
    terminal = play("play", "cryptic")
    terminal.prompt()
    terminal.type(f"\x1b[200~{TABLE}\x1b[201~")
    terminal.until(lambda screen: "3. ZONES: 2 red" in screen and terminal.last == ">")
    assert kept(home) == ROWS
    terminal.enter("/undo")
    assert kept(home) == []
    terminal.type("\x1b[200~HORSE\t1\t\t2\x1b[201~\r")
    terminal.until(lambda screen: "1. HORSE: 1 black, 2 red" in screen and terminal.last == ">")
    assert kept(home) == ["HORSE BRR__"]
    assert terminal.leave() == 0
