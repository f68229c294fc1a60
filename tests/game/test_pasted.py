"""What stands before, between and around rows: read where there is no doubt, listed elsewhere."""

from functools import cache

import pytest

from cases import cases
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.blocks import is_heading, read_block
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.history import History
from transcripts import ROWS, answered_rows

load = cache(gamefile.load)


def test_rows_and_tables_are_read_as_was_recorded() -> None:
    text = ROWS.read_text(encoding="utf-8")
    assert text.count("\n=> ") > 200
    assert answered_rows(text) == text


def test_lines_that_are_neither_row_nor_heading_are_listed_by_their_numbers() -> None:
    lines = ["Guess,Clue", "HORSE B_WR_", "", "so close!", "Bob", "ZONES RRX"]
    _, problems = read_block(load("cryptic"), lines, History())
    assert [problem.line for problem in problems] == [4, 5, 6]


@pytest.mark.parametrize(
    ("line", "heading"), [*cases("headings and mistyped rows"), ("x" * 10_000, "False")]
)
def test_a_heading_is_told_from_a_row_that_is_mistyped(line: str, heading: str) -> None:
    assert str(is_heading(line)) == heading


def test_a_line_with_two_readings_is_refused_with_both() -> None:
    game = gamefile.load("mastermind", ("marks={miss: X}",))
    with pytest.raises(PuzzlehuntError, match="in two ways: RRRR BWX_ or RRRR BW__"):
        game.turn("1 1 1 1 1 1 1")
