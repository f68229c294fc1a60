"""More keys, pastes and returns in a real terminal."""

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from terminals import CTRL_D, Terminal, kept, kept_before

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are POSIX", allow_module_level=True)

pytest.importorskip("pexpect")


def test_a_changed_game_is_another_game_to_resume(
    play: Callable[..., Terminal], home: Path
) -> None:
    first = play("play", "cryptic")
    first.prompt()
    first.enter("HORSE B_WR_")
    first.leave()
    second = play("play", "cryptic", "--set", "secret.length=6")
    assert "resumed" not in second.prompt()
    second.enter("HORSES RR")
    second.leave()
    third = play("play", "cryptic")
    assert "resumed your game of 1 row; /new starts anew" in third.prompt()


def test_a_log_that_was_mended_is_resumed_too(play: Callable[..., Terminal], home: Path) -> None:
    first = play("play", "heart-2018")
    first.prompt()
    first.enter("/drop 1")
    first.leave()
    second = play("play", "heart-2018")
    second.until(lambda screen: "resumed your game of 26 rows" in screen)


def test_a_second_terminal_is_told_that_its_own_game_is_not_kept(
    play: Callable[..., Terminal], home: Path
) -> None:
    first = play("play", "cryptic")
    first.prompt()
    first.enter("HORSE B_WR_")
    second = play("play", "cryptic")
    assert "puzzlehunt serve" in " ".join(second.prompt().split())
    second.enter("WORSE __RW_")
    assert second.leave() == 0
    assert kept(home) == ["HORSE BWR__"]


def test_a_state_folder_that_cannot_be_written_is_one_line(
    play: Callable[..., Terminal], home: Path
) -> None:
    (home / "state").write_text("")
    terminal = play("play", "cryptic")
    assert terminal.prompt().count("/save FILE") == 1
    assert "HORSE:" in terminal.enter("HORSE B_WR_")
    assert terminal.leave() == 0


def test_a_narrow_terminal_breaks_lines_between_words(play: Callable[..., Terminal]) -> None:
    terminal = play("play", "heart-2018", columns=40)
    terminal.prompt()
    for line in ("/suggest 3", "/help", "HORSE BBBBR", "/why HEART"):
        terminal.enter(line)
    lines = terminal.screen.splitlines()
    assert max(map(len, lines)) <= 40
    whole = " ".join(terminal.screen.split())
    for words in ("* nothing read", "was suggested", "Nothing fits: rows", "/drop, /undo"):
        assert words in whole


def test_colours_are_shown_in_a_terminal_unless_nobody_wants_them(
    play: Callable[..., Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    colour = re.compile(r"\x1b\[[0-9;]*(?:3[0-7]|4[0-7]|38;5;\d+|9[0-7])[;m]")
    coloured = play("suggest", "mastermind")
    assert coloured.wait() == 0
    assert colour.search(coloured.raw)
    monkeypatch.setenv("NO_COLOR", "1")
    plain = play("suggest", "mastermind")
    assert plain.wait() == 0
    assert not colour.search(plain.raw)
    assert plain.screen == coloured.screen


def test_the_next_start_resumes_and_new_starts_anew(
    play: Callable[..., Terminal], home: Path
) -> None:
    first = play("play", "cryptic")
    first.prompt()
    first.type("HORSE B_WR_\r" + CTRL_D)  # in one breath, and nothing is lost
    assert first.wait() == 0
    assert kept(home) == ["HORSE BWR__"]
    second = play("play", "cryptic")
    assert "resumed your game of 1 row; /new starts anew" in second.prompt()
    second.enter("WORSE __RW_")
    second.leave()
    assert kept(home) == ["HORSE BWR__", "WORSE WR___"]
    third = play("play", "cryptic", columns=250)
    assert "resumed your game of 2 rows" in third.prompt()
    third.enter("/new")
    third.leave()
    assert kept(home) == []


def test_rows_of_the_command_line_do_not_join_an_old_game_by_themselves(
    play: Callable[..., Terminal], home: Path
) -> None:
    kept_before(home, "game: 4x3\nturns: [AABB BW]\n")
    terminal = play("4x3", "CABC BW", columns=250)
    terminal.prompt()
    terminal.leave()
    assert kept(home, "4x3") == ["CABC BW"]
    (old,) = re.findall(r"the old game is kept: puzzlehunt play (\S+)", terminal.screen)
    assert kept(home, Path(old).stem) == ["AABB BW"]


def test_a_file_is_played_on_in_one_terminal_at_a_time(
    play: Callable[..., Terminal], home: Path
) -> None:
    path = home / "mine.yaml"
    text = "game: 4x3  # ours\nturns:\n- AABB BW\n"
    path.write_text(text)
    first = play("play", "mine.yaml")
    assert "AABB BW" in first.prompt()
    second = play("play", "mine.yaml", columns=250)
    assert second.wait() == 2
    assert "to play together: puzzlehunt serve" in second.screen
    first.enter("ABCA BB")
    assert first.leave() == 0
    assert path.read_text() == f"{text}- ABCA BB\n"
    assert not (home / "state").exists()


@pytest.mark.parametrize("command", [[], ["play"]])
def test_without_a_game_a_terminal_lists_the_games_and_asks_which(
    command: list[str], play: Callable[..., Terminal]
) -> None:
    terminal = play(*command)
    terminal.until(lambda screen: screen.endswith("Which game:"))
    assert "bulls-and-cows" in terminal.screen
    terminal.type("4 X 2\r")
    terminal.prompt()
    assert "16 codes" in terminal.screen
    assert terminal.leave() == 0
