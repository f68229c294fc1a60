"""A guess that waits for its clue: the last row of its game, without a clue."""

from pathlib import Path

import pytest

from player import Opened, Player
from program import Program

OURS = "# ours\ngame: 4x3  # small\nturns:\n- AABB BW\n"
WAITING = "- ABCA\n"
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
    assert opened(ours).say("B").rows == ["AABB BW", "ABCA B"]
    assert ours.read_text() == OURS + ANSWERED
    assert opened(ours).prompt == "> "


def test_a_pending_guess_rules_nothing_out(ours: Path, opened: Opened, run: Program) -> None:
    before = run("candidates", "ours.yaml", "--json")
    opened(ours).say("AACB")
    assert "AACB" in ours.read_text()
    assert run("candidates", "ours.yaml", "--json") == before
    player = Player("cryptic").say("HORSE B_WR_").say("/rates", "/why FLESH")
    told = player.out
    assert player.say("FLESH", "/rates", "/why FLESH").out == told
    assert player.say("*").say("/rates", "/why FLESH").out != told


@pytest.mark.parametrize("line", ["/undo", "/new", "BB", "CCCC *", "*"])
def test_a_pending_guess_is_gone_once_it_is_answered_or_taken_back(
    line: str, ours: Path, opened: Opened
) -> None:
    opened(ours).say("ABCA", line)
    text = ours.read_text()
    assert WAITING not in text
    assert (text == OURS) == (line == "/undo")
    assert opened(ours).prompt == "> "


def test_a_pending_guess_outlasts_changes_of_other_rows(ours: Path, opened: Opened) -> None:
    opened(ours).say("ABCA # from Ann", "/doubt 1", "/drop 1", "/strategy parts")
    player = opened(ours)
    assert player.prompt == "ABCA clue> "
    (turn,) = player.say("B").session.history.turns
    assert (turn.note, player.rows) == ("from Ann", ["ABCA B"])


def test_what_is_said_of_a_row_without_a_clue_is_kept(ours: Path, opened: Opened) -> None:
    opened(ours).say("ABCA # from Ann", "/doubt 2", "*")
    assert ours.read_text() == OURS + "- 'ABCA * ? # from Ann'\n"
    assert opened(ours).session.history.turns[1].doubt == 0.5


def test_a_pending_guess_keeps_its_doubt_or_is_edited(ours: Path, opened: Opened) -> None:
    player = opened(ours).say("ABCA", "/doubt 2", "B")
    assert player.rows == ["AABB BW", "ABCA B ?"]
    assert player.say("/undo").prompt == "ABCA clue> "
    assert player.say("CCCC", "/edit 3 B").prompt == "> "


def test_undo_takes_back_a_clue_and_then_its_guess(ours: Path, opened: Opened) -> None:
    player = opened(ours).say("ABCA", "B", "/undo")
    assert (player.rows, player.prompt) == (["AABB BW", "ABCA *"], "ABCA clue> ")
    assert opened(ours).say("W", "/undo", "/undo").rows == ["AABB BW"]
    assert ours.read_text() == OURS


def test_a_pipe_goes_on_with_a_pending_guess_and_keeps_its_own(
    ours: Path, opened: Opened, run: Program
) -> None:
    opened(ours).say("ABCA").session.close()
    assert run("play", "--session", "ours.yaml", stdin="BB\nCCCC\n").status == 0
    assert ours.read_text() == OURS + "- ABCA BB\n- CCCC\n"
    assert opened(ours).prompt == "CCCC clue> "
