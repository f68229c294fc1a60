"""The conversation in a real terminal: prompts, keys, pasted blocks, and coming back."""

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from terminals import (
    CTRL_C,
    CTRL_D,
    LOG,
    UP,
    Terminal,
    check_paste,
    check_refused_block,
    kept,
    kept_before,
)

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
    assert "2. FLESH: 2 red, 3 unread" in shown
    assert kept(home) == ["HORSE BWRR_", "FLESH RR___"]
    terminal.enter("/undo 3")
    check_refused_block("\x1b[200~HORSE B_WR_\nWORSE __RW_\nZONES RRX\n\x1b[201~", terminal, home)
    terminal.enter("/undo")
    check_paste("\x1b[200~" + "\n".join(LOG) + "\n\x1b[201~", terminal, home)
    # A guess that stands at the end is no row.
    terminal.enter("FLESH", prompt="FLESH clue>")
    assert terminal.leave() == 0
    assert kept(home) == []


def test_a_row_typed_again_as_a_correction_replaces_it_at_a_prompt(
    play: Callable[..., Terminal], home: Path
) -> None:
    terminal = play("play", "cryptic")
    terminal.prompt()
    terminal.enter("HORSE BB")
    shown = terminal.enter("HORSE BW")
    assert "replaced 1. HORSE: was BB___, now BW___" in shown
    assert "to keep both: /edit 1 BBW__" in shown
    assert kept(home) == ["HORSE BW___"]
    terminal.enter("/edit 1 BBW__")
    assert kept(home) == ["HORSE BBW__"]
    assert terminal.leave() == 0


def test_the_next_start_asks_to_resume_or_to_start_anew(
    play: Callable[..., Terminal], home: Path
) -> None:
    first = play("play", "cryptic")
    first.prompt()
    first.type("HORSE B_WR_\r" + CTRL_D)  # in one breath, and nothing is lost
    assert first.wait() == 0
    assert kept(home) == ["HORSE BWR__"]
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


@pytest.mark.parametrize("end", ["kill -9", "/quit\r"])
def test_a_guess_still_waits_for_its_clue_when_the_game_is_resumed(
    end: str, play: Callable[..., Terminal], home: Path
) -> None:
    first = play("play", "4x3")
    first.prompt()
    first.enter("AABB BW")
    first.enter("CABC", prompt="CABC clue>")
    if end == "kill -9":
        first.kill()
    else:
        first.type(end)
        assert first.wait() == 0
    assert kept(home, "4x3") == ["AABB BW"]
    second = play("play", "4x3")
    second.until(lambda screen: "1 row, CABC waiting for its clue, or start anew?" in screen)
    second.type("\r")
    second.prompt("CABC clue>")
    assert "2. CABC: 1 black, 1 white" in second.enter("BW")
    second.leave()
    assert kept(home, "4x3") == ["AABB BW", "CABC BW"]


def test_the_question_whether_to_resume_is_asked_again_and_takes_a_row_for_a_row(
    play: Callable[..., Terminal], home: Path
) -> None:
    path = kept_before(home, "game: 4x3\nturns: [AABB BW]\n")
    first = play("play", "4x3")
    question = "Resume your game of 1 row, or start anew? [R/n]"
    first.until(lambda screen: question in screen)
    first.type("what?\r")
    shown = first.until(lambda screen: screen.count(question) == 2)
    assert "yes resumes it; no starts anew, and the old game is kept; quit leaves" in shown
    first.type("CABC BW\r")
    assert "2. CABC: 1 black, 1 white" in first.prompt()
    assert first.leave() == 0
    assert kept(home, "4x3") == ["AABB BW", "CABC BW"]
    text = path.read_text()
    second = play("play", "4x3")
    second.until(lambda screen: "Resume your game of 2 rows, or" in screen)
    second.type("quit\r")
    assert second.wait() == 0
    assert (path.read_text(), [*path.parent.glob("*.yaml")]) == (text, [path])


def test_rows_of_the_command_line_do_not_join_an_old_game_by_themselves(
    play: Callable[..., Terminal], home: Path
) -> None:
    kept_before(home, "game: 4x3\nturns: [AABB BW]\n")
    terminal = play("4x3", "CABC BW")
    question = "Resume your game of 1 row and add 1 row, or start anew with it? [r/N]"
    terminal.until(lambda screen: question in screen)
    terminal.type("\r")
    terminal.prompt()
    terminal.leave()
    assert kept(home, "4x3") == ["CABC BW"]


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


@pytest.mark.parametrize("command", [[], ["play"]])
def test_without_a_game_a_terminal_lists_the_games_and_asks_which(
    command: list[str], play: Callable[..., Terminal]
) -> None:
    terminal = play(*command)
    terminal.until(lambda screen: screen.endswith("Which game:"))
    assert "bulls-and-cows" in terminal.screen
    terminal.type("wordel\r")
    terminal.until(
        lambda screen: screen.endswith("Which game:") and "did you mean wordle?" in screen
    )
    terminal.type("4 X 2\r")
    terminal.prompt()
    assert "4x2 (16 codes)" in terminal.screen
    assert terminal.leave() == 0
