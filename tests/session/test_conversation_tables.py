"""Tables, wherever rows enter: typed, pasted, piped, as an option, in a file."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from player import Player
from puzzlehunt.game.files import gamefile

Program = Callable[..., Any]

TABLE = "Guess\tRed\tWhite\tBlack\nHORSE\t1\t\t2\nFLESH\t\t1\t\nZONES\t\t\t\n"
ROWS = ["HORSE BBR__", "FLESH W____", "ZONES *"]


def test_a_table_is_read_by_its_heading_as_a_block_and_line_by_line() -> None:
    assert Player("cryptic").say(TABLE).rows == ROWS
    player = Player("cryptic").say(*TABLE.splitlines())
    assert player.rows == ROWS
    assert "a heading; rows are read by its columns, until an empty line" in player.notes
    assert player.say("", "WORSE 1 2 0").rows[3:] == ["WORSE BWW__"]


def test_a_heading_typed_alone_stands_above_rows_pasted_after_it() -> None:
    player = Player("cryptic").say("Guess,Red,Black", "HORSE,1,2\nFLESH,2,")
    assert player.rows == ["HORSE BBR__", "FLESH RR___"]


def test_blank_cells_are_kept_to_the_end_of_a_typed_line() -> None:
    assert Player("cryptic").say("HORSE\t1\t\t2").rows == ["HORSE BRR__"]
    assert Player("cryptic").say("HORSE 1,,2").rows == ["HORSE BRR__"]
    assert Player("mastermind").say("RRGB\t1\t").rows == ["RRGB 1b"]
    assert Player("wordle").say("CRANE\tG\tY\t\t\t").rows == ["CRANE GY___"]


def test_a_heading_with_the_names_of_marks_is_no_row() -> None:
    player = Player("cryptic").say("Guess Black White Red")
    assert (player.rows, player.out) == ([], "")
    # A word alone, and marks without blanks, are a guess and a row.
    assert player.say("GUESS").prompt == "GUESS clue> "
    assert player.say("BWR").rows == ["GUESS BWR__"]


def test_a_clue_alone_may_have_signs_around_it() -> None:
    for line in ("(B W)", '"BW"', "`B_W`", "b+w", "B:1 W:1", "**BW**", "BW (edited)"):
        assert Player("cryptic").say("HORSE", line).rows == ["HORSE BW___"]
    assert Player("cryptic").say("HORSE", "BW maybe").rows == ["HORSE BW___ ?"]
    assert Player("cryptic").say("HORSE", "B, W, ?, R, ?").rows == ["HORSE BWR__"]


def test_a_question_about_a_line_records_nothing() -> None:
    player = Player("cryptic").say("HORSE B, W, ?")
    assert "is the ? at the end a mark that was not read, or does it doubt the row?" in player.notes
    assert (player.rows, len(player.notes.splitlines())) == ([], 1)


@pytest.mark.parametrize("how", ["pipe", "history", "stdin"])
def test_a_table_in_a_pipe_and_in_a_file_is_read_by_its_heading(
    run: Program, home: Path, how: str
) -> None:
    Path("rows.tsv").write_text(TABLE)
    if how == "pipe":
        done = run("play", "cryptic", "--session", "s.yaml", stdin=TABLE)
        assert "1. HORSE: 2 black, 1 red, 2 unread" in done.out
        game = gamefile.load("s.yaml")
        assert [game.format_turn(turn) for turn in game.history.turns] == ROWS
        return
    source = "rows.tsv" if how == "history" else "-"
    by_table = run("candidates", "cryptic", "--history", source, stdin=TABLE)
    options = [option for row in ROWS for option in ("-t", row)]
    assert by_table.out == run("candidates", "cryptic", *options).out
    assert by_table.status == 0


def test_an_option_and_a_game_file_keep_blank_cells_and_take_no_heading(
    run: Program, home: Path
) -> None:
    expected = run("candidates", "cryptic", "-t", "HORSE BRR").out
    for row in ("HORSE\t1\t\t2", "HORSE 1,,2", "HORSE:1,,2", '"HORSE","1","","2"'):
        assert run("candidates", "cryptic", "-t", row).out == expected
    Path("game.yaml").write_text("game: cryptic\nturns:\n- HORSE 1,,2\n")
    assert run("candidates", "game.yaml").out == expected
    done = run("candidates", "cryptic", "-t", "Guess Black White Red")
    assert (done.status, done.out) == (2, "")
    assert "is a heading, not a row" in done.err
    Path("game.yaml").write_text("game: cryptic\nturns:\n- Guess Black White Red\n")
    assert "is a heading, not a row" in run("check", "game.yaml").err


def test_a_page_whose_lines_come_one_by_one_takes_a_heading_only_with_its_rows() -> None:
    from puzzlehunt.web.lines import TypedLine, conversation_about

    session = Player("cryptic").session
    heading, table = "Guess Red White Black", TypedLine(TABLE)
    (failed,) = conversation_about(session, TypedLine(heading)).handle(heading)
    assert "is a heading; paste it together with its rows" in failed.message
    list(conversation_about(session, table).handle(table.text))
    assert [session.game.format_turn(turn) for turn in session.history.turns] == ROWS
