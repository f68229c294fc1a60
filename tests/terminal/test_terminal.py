"""The conversation in a real terminal: prompts, keys, pasted blocks, and coming back."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from terminals import CTRL_C, LOG, UP, Terminal, check_paste, kept

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are POSIX", allow_module_level=True)

pytest.importorskip("pexpect")


def test_a_game_is_played_at_a_prompt_and_kept_line_by_line(
    play: Callable[..., Terminal], home: Path
) -> None:
    terminal = play("play", "cryptic", "--strategy", "first")
    assert terminal.prompt().splitlines()[-2].startswith("try ")
    terminal.enter("HORSE B_WR_")
    assert kept(home) == ["HORSE BWR__"]
    # Keys: the arrow up brings the last line back, Ctrl-C cancels a line.
    terminal.type(UP)
    terminal.until(lambda screen: terminal.last == "> HORSE B_WR_")
    terminal.type(CTRL_C)
    terminal.prompt()
    terminal.type(UP)
    terminal.until(lambda screen: terminal.last == "> HORSE B_WR_")
    terminal.type("\b" * 5 + "BWRR\r")
    terminal.until(
        lambda screen: "completed 1. HORSE: was BWR__" in screen and terminal.last == ">"
    )
    assert kept(home) == ["HORSE BWRR_"]
    # A guess stands until its clue is typed.
    terminal.enter("flesh", prompt="FLESH clue>")
    shown = terminal.enter("RR")
    assert "2. FLESH" in shown
    assert kept(home) == ["HORSE BWRR_", "FLESH RR___"]
    terminal.enter("/undo 4")
    # Who declines what was read of a block gets the block back by the arrow up.
    terminal.type("\x1b[200~HORSE B_WR_\nWORSE __RW_\nZONES RRX\n\x1b[201~")
    terminal.until(lambda screen: terminal.last == "record the 2? [Y/n]")
    terminal.type("n\r")
    terminal.until(lambda screen: terminal.last == ">")
    assert kept(home) == []
    terminal.type(UP + UP)
    terminal.until(lambda screen: terminal.last == "ZONES RRX")
    terminal.type("\b\r")
    terminal.until(lambda screen: "3. ZONES: 2 red" in screen and terminal.last == ">")
    assert kept(home) == ["HORSE BWR__", "WORSE WR___", "ZONES RR___"]
    terminal.enter("/undo")
    check_paste("\x1b[200~" + "\n".join(LOG) + "\n\x1b[201~", terminal, home)
    # A guess that stands at the end stands again.
    terminal.enter("FLESH", prompt="FLESH clue>")
    assert terminal.leave() == 0
    assert kept(home) == ["FLESH *"]


def test_a_terminal_follows_a_sheet_and_leaves_it_alone(
    play: Callable[..., Terminal], home: Path
) -> None:
    terminal = play("play", "4x6", "--watch", "sheet.csv", "--strategy", "first")
    assert "sheet.csv is not there yet" in terminal.prompt()
    terminal.type("/his")
    (home / "sheet.csv").write_text("guess,clue\nAABB,BW\n")
    terminal.until(lambda screen: "new: 1. AABB BW" in screen and terminal.last == "> /his")
    terminal.enter("tory")
    assert terminal.leave() == 0
    assert [path.name for path in home.iterdir()] == ["sheet.csv"]
    assert (home / "sheet.csv").read_text() == "guess,clue\nAABB,BW\n"
