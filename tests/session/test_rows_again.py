"""Rows typed and pasted again: what is said of them, and what one undo takes back."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from player import Player
from puzzlehunt.errors import GameFileError
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.serialise import read_back
from puzzlehunt.session.session import Session
from terminals import LOG

Program = Callable[..., Any]


def test_a_row_typed_again_with_more_marks_completes_it_and_says_so() -> None:
    player = Player("cryptic").say("HORSE BW", "ZONES RR", "HORSE BWR")
    assert player.rows == ["HORSE BWR__", "ZONES RR___"]
    assert player.out.splitlines()[-4:-2] == [
        "1. HORSE: 1 black, 1 white, 1 red, 2 unread",
        "completed 1. HORSE: was BW___, now BWR__",
    ]
    assert player.say("/undo").rows == ["HORSE BW___", "ZONES RR___"]


def test_a_row_typed_again_otherwise_replaces_it_and_says_so() -> None:
    player = Player("cryptic").say("HORSE BW", "HORSE RRRRR")
    assert player.rows == ["HORSE RRRRR"]
    assert "replaced 1. HORSE: was BW___, now RRRRR\n" in player.out
    assert player.say("HORSE won").rows == ["HORSE BBBBB"]
    assert "Solved in 1 guess" in player.out
    assert player.say("HORSE BBBB").out.splitlines()[0] == "1. HORSE BBBBB says that already"
    assert player.say("HORSE RRRRR").out.splitlines()[-2] == "207 left (2.2 %: a row is misread)"


def test_a_row_typed_again_as_a_correction_replaces_it_and_says_how_to_keep_both() -> None:
    player = Player("cryptic").say("HORSE BB", "HORSE BW")
    assert player.rows == ["HORSE BW___"]
    assert "replaced 1. HORSE: was BB___, now BW___\n" in player.out
    assert player.notes == "to keep both: /edit 1 BBW__\n"
    assert player.say("/edit 1 BBW__").rows == ["HORSE BBW__"]
    assert player.notes == ""
    # Less than what stands there changes nothing, and the line says what would.
    assert player.say("HORSE BB").rows == ["HORSE BBW__"]
    assert player.notes == "to replace it: /edit 1 BB___\n"
    assert player.say("/edit 1 BB___", "/undo").rows == ["HORSE BBW__"]


def test_a_row_that_a_later_one_of_its_block_replaces_is_named(run: Program, home: Path) -> None:
    player = Player("cryptic").say("HORSE BB\nZONES RR\nHORSE BW")
    assert player.rows == ["HORSE BW___", "ZONES RR___"]
    assert player.out.splitlines()[2] == "replaced 1. HORSE: was BB___, now BW___"
    player.say("HORSE BW\nHORSE BB")
    assert player.out.count("replaced 1. HORSE: was BW___, now BB___") == 1
    (home / "log").write_text("HORSE BB\nZONES RR\nHORSE BW\n")
    done = run("candidates", "cryptic", "--history", "log", "--limit", "1")
    assert done.err.startswith("replaced 1. HORSE: was BB___, now BW___\n")


def test_a_row_typed_again_as_it_stands_is_known_and_no_step() -> None:
    player = Player("cryptic").say("HORSE BW", "horse b_w__")
    left, suggestion = Player("cryptic").say("HORSE BW").out.splitlines()[-1:] * 2
    assert player.out.splitlines()[-1] == suggestion == left
    assert "1. HORSE BW___ is known already\n" in player.out
    assert "1. HORSE BW___ says that already\n" in player.say("HORSE *").out
    assert player.say("/undo").rows == []


def test_a_guess_on_the_board_may_stand_again() -> None:
    player = Player("cryptic").say("HORSE BW", "HORSE")
    assert player.prompt == "HORSE clue> "
    assert player.say("BWR").rows == ["HORSE BWR__"]
    assert player.say("HORSE", "FLESH").rows == ["HORSE BWR__"]
    assert player.prompt == "FLESH clue> "


def test_a_log_pasted_twice_weighs_once() -> None:
    player = Player("cryptic").say("\n".join(LOG), "/candidates 1")
    once = player.out[player.out.index("47 left") :].splitlines()[2:]
    assert once[0].split() == ["HEART", "23", "%"]
    player.say("\n".join(LOG))
    left = "47 left (9.9 %: a row is misread)"
    assert player.out.splitlines()[:2] == ["rows: 27 known", left]
    assert player.say("\n".join(LOG + LOG), "/candidates 1").out.splitlines()[-len(once) :] == once
    assert len(player.rows) == 27
    assert player.say("/undo").rows == []


def test_a_growing_sheet_is_one_step_and_the_summary_counts_its_rows() -> None:
    player = Player("cryptic").say("WORST R\nHORSE BW\nZONES RRRRB\nFLESH")
    player.say("WORST R\nHORSE BWR\nHOUSE RR\nZONES RRRRW\nFLESH\nEBONY RRWRR")
    assert player.rows == [
        *("WORST R____", "HORSE BWR__", "HOUSE RR___", "ZONES WRRRR", "FLESH *", "EBONY WRRRR"),
    ]
    assert player.out.splitlines()[:7] == [
        "2. HORSE: 1 black, 1 white, 1 red, 2 unread",
        "completed 2. HORSE: was BW___, now BWR__",
        "3. HOUSE: 2 red, 3 unread",
        "4. ZONES: 1 white, 4 red",
        "replaced 4. ZONES: was BRRRR, now WRRRR",
        "6. EBONY: 1 white, 4 red",
        "rows: 2 new, 1 replaced, 1 completed, 2 known",
    ]
    assert player.say("/undo").rows == ["WORST R____", "HORSE BW___", "ZONES BRRRR", "FLESH *"]


def test_where_the_game_lies_a_guess_typed_again_is_a_new_row_and_a_log_pasted_again_is_not() -> (
    None
):
    player = Player("liar").say("RRGG BW", "RRGG B", "BBYY none")
    assert player.rows == ["RRGG BW", "RRGG B", "BBYY none"]
    player.say("RRGG BW\nRRGG B\nBBYY none\nOOPP W")
    assert player.rows == ["RRGG BW", "RRGG B", "BBYY none", "OOPP W"]


def test_where_the_game_lies_a_row_becomes_unread_as_a_file_of_it_is_read() -> None:
    game = gamefile.load("2x3", ["lies={chance: 0.2}", "turns=[AB B, AB W, BC W]"])
    session = Session(game, "2x3")
    session.edit(1, game.parse_turn("AB *"))
    assert [game.format_turn(turn) for turn in session.history.turns] == ["AB W", "BC W"]
    assert read_back(game, session.history) == session.history
    session.undo()
    assert session.history == game.history


def test_rates_by_which_a_row_could_not_be_read_are_refused_and_name_it() -> None:
    game = gamefile.load("2x3", ["turns=['12 *', '13 1 0']"])
    session = Session(game, "2x3")
    with pytest.raises(GameFileError, match=r"^/rates black=0: row 2: 'B' cannot be"):
        session.set_reads("black=0", "/rates")
    assert session.game == game
    tiles = Session(gamefile.load("2x3", ["rule=marks", "turns=['12 G_']"]), "2x3")
    tiles.settings["rule"] = "marks"
    with pytest.raises(GameFileError, match="row 1: AB G_ would mean that the guess won"):
        tiles.set_reads("absent=1,elsewhere=1,right=0.5", "/rates")


def test_a_shared_result_pasted_again_is_known() -> None:
    squares = "Wordle 3/6\n\n🟩🟨⬛⬛🟩\n🟩⬛⬛⬛🟩"
    player = Player("wordle").say("CRANE\nCLOSE", squares)
    assert player.rows == ["CRANE GY..G", "CLOSE G...G"]
    assert player.say(squares).out.splitlines()[0] == "rows: 2 known"
    assert player.say("CRANE\nCLOSE\n" + squares).out.splitlines()[0] == "rows: 2 known"
    player.say("CRANE\nCLOSE\nCURVE\n" + squares + "\n🟩🟩🟩🟩🟩")
    assert player.rows == ["CRANE GY..G", "CLOSE G...G", "CURVE GGGGG"]
    player.say("⬛⬛⬛⬛⬛\n" * 3)
    assert "row 1 of the text contradicts row 1, CRANE GY..G" in player.notes


@pytest.mark.parametrize("how", ["options", "a log", "a game file", "a log twice"])
def test_rows_that_stand_twice_weigh_once_wherever_they_come_from(
    how: str, run: Program, home: Path
) -> None:
    (home / "log").write_text("\n".join(LOG))
    (home / "twice").write_text("\n".join(LOG + LOG))
    (home / "twice.yaml").write_text(
        "game: cryptic\nturns:\n" + "".join(f"  - {row}\n" for row in LOG + LOG)
    )
    arguments = {
        "options": ("heart-2018", *(word for row in LOG for word in ("-t", row))),
        "a log": ("heart-2018", "--history", "log"),
        "a game file": ("twice.yaml",),
        "a log twice": ("cryptic", "--history", "twice"),
    }[how]
    assert run("candidates", *arguments, "--limit", "1").out == "HEART\t23 %\n"


def test_an_option_that_contradicts_a_row_replaces_it_and_a_note_says_so(run: Program) -> None:
    done = run("candidates", "mastermind", "-t", "RRGG B", "-t", "RRGG BB", "--limit", "1")
    assert done.err.startswith("replaced 1. RRGG: was B, now BB\n")
    assert done.out == run("candidates", "mastermind", "-t", "RRGG BB", "--limit", "1").out
    assert gamefile.load("mastermind", ("turns=[RRGG B, RRGG BB]",)).history.turns[0].text == (
        "RRGG BB"
    )


def test_a_tune_that_was_not_played_alone_is_advised_wherever_it_comes_from(
    run: Program, home: Path
) -> None:
    (home / "log").write_text("AABBCD\n5 gears turn\n")
    (home / "tune.yaml").write_text("game: nethack\nturns: [AABBCDE 5 gears]\n")
    by_option = ("nethack", "-t", "AABBCD You hear 5 gears turn.")
    for game in (by_option, ("nethack", "--history", "log"), ("tune.yaml",)):
        suggested = run("suggest", *game, "--json").out
        assert '"guess": "AABBC"' in suggested
        assert '"count": 1' in suggested
    run("play", "nethack", "--session", "s.yaml", stdin="AABBCDE 5 gears turn\n")
    assert "- AABBCx 5G0T\n" in (home / "s.yaml").read_text()
    done = run("play", "s.yaml", stdin="/history\n")
    assert " 1. AABBCx 5G0T\n1 left\ntry AABBC" in done.out or "AABBCx 5G0T" in done.out


def test_check_says_which_rows_of_a_file_stand_twice(run: Program, home: Path) -> None:
    rows = "[HORSE BW, ZONES RR, HORSE BWR, ZONES RR, ZONES BBBB]"
    (home / "game.yaml").write_text(f"game: cryptic\nturns: {rows}\n")
    assert run("check", "game.yaml").err.splitlines()[-3:] == [
        "note: completed 1. HORSE: was BW___, now BWR__",
        "note: row 2 stands twice: ZONES RR___",
        "note: replaced 2. ZONES: was RR___, now BBBB_",
    ]
