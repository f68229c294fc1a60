"""A guess that waits for its clue: kept in the file of its game, and no row of it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from player import Opened, Player
from puzzlehunt.game.files import gamefile

Program = Callable[..., Any]
OURS = "# ours\ngame: 4x3  # small\nturns:\n- AABB BW  # one\n"
WAITING = "# Row 2 waits for its clue: ABCA\n"
ANSWERED = "- ABCA B\n"


@pytest.fixture
def ours(home: Path) -> Path:
    path = home / "ours.yaml"
    path.write_text(OURS, newline="")
    return path


def test_a_pending_guess_survives_the_end_of_the_program(ours: Path, opened: Opened) -> None:
    assert opened(ours).say("ABCA").prompt == "ABCA clue> "
    # As after a kill: nothing was typed since.
    assert ours.read_text() == OURS + WAITING
    player = opened(ours)
    assert player.prompt == "ABCA clue> "
    assert not player.say("/quit").conversation.is_open
    player = opened(ours).say("B")
    assert player.rows == ["AABB BW", "ABCA B"]
    assert ours.read_text() == OURS + ANSWERED
    assert opened(ours).prompt == player.prompt == "> "


def test_a_pending_guess_rules_nothing_out(ours: Path, opened: Opened, run: Program) -> None:
    before = {command: run(command, "ours.yaml", "--json") for command in ("candidates", "suggest")}
    opened(ours).say("AACB")
    assert "AACB" in ours.read_text()
    for command, answer in before.items():
        assert run(command, "ours.yaml", "--json") == answer
    assert len(gamefile.load(ours).history) == 1


@pytest.mark.parametrize("line", ["/undo", "/new", "BB", "CCCC *", "*"])
def test_a_pending_guess_is_gone_once_it_is_answered_or_taken_back(
    line: str, ours: Path, opened: Opened
) -> None:
    opened(ours).say("ABCA", line)
    text = ours.read_text()
    assert "waits" not in text
    assert (text == OURS) == (line == "/undo")
    assert opened(ours).prompt == "> "


def test_a_pending_guess_outlasts_changes_of_other_rows(ours: Path, opened: Opened) -> None:
    opened(ours).say("ABCA # from Ann", "/doubt 1", "/drop 1", "/strategy parts")
    player = opened(ours)
    assert player.prompt == "ABCA clue> "
    (turn,) = player.say("B").session.history.turns
    assert (turn.note, player.rows) == ("from Ann", ["ABCA B"])


def test_a_guess_of_a_row_stands_again_to_be_completed(ours: Path, opened: Opened) -> None:
    opened(ours).say("AABB")
    assert opened(ours).prompt == "AABB clue> "
    assert opened(ours).say("BW").rows == ["AABB BW"]
    assert opened(ours).prompt == "> "


def test_rows_that_an_editor_adds_answer_a_pending_guess(ours: Path, opened: Opened) -> None:
    opened(ours).say("ABCA").session.close()
    text = ours.read_text()
    ours.write_text(text.replace(WAITING, "- CCCC *\n" + WAITING))
    assert opened(ours).prompt == "ABCA clue> "
    ours.write_text(text.replace(WAITING, "- CCCC *\n" + ANSWERED + WAITING))
    assert opened(ours).prompt == "> "


def test_rows_that_an_editor_adds_below_a_pending_guess_are_rows(
    ours: Path, opened: Opened
) -> None:
    opened(ours).say("ABCA").session.close()
    more = "- CCCC *  # mine\n"
    ours.write_text(ours.read_text() + more)
    player = opened(ours)
    assert (player.rows, player.prompt) == (["AABB BW", "CCCC *"], "ABCA clue> ")
    player.say("B")
    assert ours.read_text() == OURS + more + ANSWERED


def test_a_pipe_goes_on_with_a_pending_guess_and_records_its_own_at_the_end(
    ours: Path, opened: Opened, run: Program
) -> None:
    opened(ours).say("ABCA").session.close()
    for lines in ("BB\nCCCC\n", "CABC\n/quit\n"):
        assert run("play", "--session", "ours.yaml", stdin=lines).status == 0
    assert ours.read_text().startswith(OURS + "- ABCA BB\n- CCCC *\n")
    assert opened(ours).prompt == "CABC clue> "


def test_a_game_without_a_file_records_its_pending_guess_when_it_ends() -> None:
    player = Player("4x3").say("ABCA", "/quit")
    assert player.rows == ["ABCA *"]
