"""The conversation in a real terminal: prompts, keys, pasted blocks, and coming back."""

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from terminals import CTRL_C, CTRL_D, LOG, UP, Terminal, check_paste, kept

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are POSIX", allow_module_level=True)

pytest.importorskip("pexpect")


def test_a_game_is_played_at_a_prompt_and_kept_line_by_line(
    play: Callable[..., Terminal], home: Path
) -> None:
    terminal = play("play", "cryptic")
    assert terminal.prompt().splitlines()[-2].startswith("try TARES - 0.4 bits")
    terminal.enter("HORSE B_WR_")
    assert kept(home) == ["HORSE BWR__"]
    terminal.enter("flesh", prompt="FLESH clue>")
    shown = terminal.enter("RR")
    assert "2. FLESH: 2 red, 3 unread" in shown
    assert kept(home) == ["HORSE BWR__", "FLESH RR___"]
    terminal.enter("/undo")
    assert terminal.leave() == 0
    assert kept(home) == ["HORSE BWR__"]


def test_keys_bring_the_last_line_back_and_cancel_a_line(
    play: Callable[..., Terminal], home: Path
) -> None:
    terminal = play("play", "cryptic")
    terminal.prompt()
    terminal.enter("HORSE B_WR_")
    terminal.type(UP)
    terminal.until(lambda screen: terminal.last == "> HORSE B_WR_")
    terminal.type(CTRL_C)
    terminal.prompt()
    terminal.type(UP)
    terminal.until(lambda screen: terminal.last == "> HORSE B_WR_")
    terminal.type("\b" * 5 + "RR\r")
    terminal.until(
        lambda screen: "completed 1. HORSE: was BWR__" in screen and terminal.last == ">"
    )
    assert terminal.leave() == 0
    assert kept(home) == ["HORSE BWRR_"]


def test_ctrl_d_leaves_and_a_standing_guess_is_kept_as_unread(
    play: Callable[..., Terminal], home: Path
) -> None:
    terminal = play("play", "cryptic")
    terminal.prompt()
    terminal.enter("FLESH", prompt="FLESH clue>")
    assert terminal.leave() == 0
    assert kept(home) == ["FLESH *"]


def test_a_line_and_ctrl_d_in_one_breath_lose_nothing(
    play: Callable[..., Terminal], home: Path
) -> None:
    terminal = play("play", "cryptic")
    terminal.prompt()
    terminal.type("HORSE B_WR_\r" + CTRL_D)
    assert terminal.wait() == 0
    assert kept(home) == ["HORSE BWR__"]


def test_the_next_start_asks_to_resume_or_to_start_anew(
    play: Callable[..., Terminal], home: Path
) -> None:
    first = play("play", "cryptic")
    first.prompt()
    first.enter("HORSE B_WR_")
    first.leave()
    second = play("play", "cryptic")
    second.until(lambda screen: "Resume your game of 1 row, or start anew? [R/n]" in screen)
    second.type("\r")
    assert " 1. HORSE BWR__" in second.prompt()
    second.enter("WORSE __RW_")
    second.leave()
    assert kept(home) == ["HORSE BWR__", "WORSE WR___"]
    third = play("play", "cryptic", columns=250)
    third.until(lambda screen: "Resume your game of 2 rows" in screen)
    third.type("n\r")
    assert "HORSE" not in third.prompt()
    third.leave()
    assert kept(home) == []
    (old,) = re.findall(r"the old game is kept: puzzlehunt play (\S+)", third.screen)
    assert Path(old).name.startswith("cryptic-20")
    assert kept(home, Path(old).stem) == ["HORSE BWR__", "WORSE WR___"]


def test_a_file_is_played_on_and_a_second_terminal_sees_it(
    play: Callable[..., Terminal], home: Path
) -> None:
    path = home / "mine.yaml"
    text = "game: 4x3  # ours\nturns:\n- AABB BW  # one\n"
    path.write_text(text)
    first = play("play", "mine.yaml")
    assert " 1. AABB BW" in first.prompt()
    second = play("play", "mine.yaml")
    assert "mine.yaml is open in another puzzlehunt" in second.prompt()
    second.type("/his")
    first.enter("ABCA BB")
    assert path.read_text() == f"{text}- ABCA BB\n"
    second.until(lambda screen: "new: 2. ABCA BB" in screen and second.last == "> /his")
    second.type("tory\r")
    second.until(lambda screen: " 2. ABCA BB" in screen and second.last == ">")
    assert "! another puzzlehunt writes mine.yaml" in second.enter("AAAA *")
    assert first.leave() == 0
    assert "3. AAAA" in second.enter("AAAA *")
    assert second.leave() == 0
    assert path.read_text() == f"{text}- ABCA BB\n- AAAA *\n"
    assert not (home / "state").exists()


def test_a_pasted_log_is_one_block(play: Callable[..., Terminal], home: Path) -> None:
    pasted = "\x1b[200~" + "\n".join(LOG) + "\n\x1b[201~"
    check_paste(pasted, play("play", "cryptic"), home)


def test_the_unfinished_last_line_of_a_plain_paste_belongs_to_the_block(
    play: Callable[..., Terminal], home: Path
) -> None:
    terminal = play("play", "cryptic")
    terminal.prompt()
    terminal.type("\r".join(LOG))
    terminal.until(lambda screen: terminal.last == "  PERIL RW")
    assert kept(home) == []
    terminal.type("\r")
    terminal.until(lambda screen: "27. PERIL" in screen and terminal.last == ">")
    assert "undone: rows 1 to 27" in terminal.enter("/undo")


@pytest.mark.parametrize(
    "keys",
    [
        "\x1b[200~HORSE B_WR_\nWORSE __RW_\nZONES RRX\n\x1b[201~",
        "HORSE B_WR_\rWORSE __RW_\rZONES RRX\r",
    ],
)
def test_after_a_refused_block_the_prompt_is_empty_and_arrow_up_brings_the_block_back(
    keys: str, play: Callable[..., Terminal], home: Path
) -> None:
    terminal = play("play", "cryptic")
    terminal.prompt()
    terminal.type(keys)
    terminal.until(lambda screen: "! line 3: 'RRX'" in screen and terminal.last == ">")
    assert kept(home) == []
    terminal.type(UP)
    terminal.until(lambda screen: terminal.last == "ZONES RRX")
    terminal.type("\b\r")
    terminal.until(lambda screen: "3. ZONES: 2 red" in screen and terminal.last == ">")
    assert kept(home) == ["HORSE BWR__", "WORSE WR___", "ZONES RR___"]


def test_without_a_command_a_terminal_lists_the_games_and_asks_which(
    play: Callable[..., Terminal],
) -> None:
    terminal = play()
    terminal.until(lambda screen: screen.endswith("Which game:"))
    assert "bulls-and-cows" in terminal.screen
    terminal.type("4x2\r")
    terminal.prompt()
    assert "4x2 (16 codes)" in terminal.screen
    assert terminal.leave() == 0
