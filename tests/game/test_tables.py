"""Tables: a heading names the columns, and the rows below it are read by them."""

from functools import cache

import pytest

from puzzlehunt.errors import InvalidTurnError
from puzzlehunt.game.blocks import Block, read_block
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.history import History
from puzzlehunt.game.tables import read_heading

load = cache(gamefile.load)


def read(game: str, *lines: str) -> Block:
    return read_block(load(game), lines, History())


def rows(game: str, *lines: str) -> list[str]:
    block = read(game, *lines)
    assert block.problems == ()
    return [load(game).format_turn(turn) for turn in block.turns]


@pytest.mark.parametrize(
    ("game", "lines", "read"),
    [
        ("cryptic", ["Guess Black White Red", "HORSE 1 2 0"], "HORSE BWW__"),
        ("cryptic", ["Guess\tBlack\tWhite\tRed", "HORSE\t1\t\t2"], "HORSE BRR__"),
        ("cryptic", ["Guess,Red,White,Black", "HORSE,1,,2"], "HORSE BBR__"),
        ("cryptic", ["Guess Red White Black", "HORSE 1 0 2"], "HORSE BBR__"),
        ("cryptic", ["Whites\tGuess\tBlacks", "1\tHORSE\t2"], "HORSE BBW__"),
        ("cryptic", ["Guess;In place;Elsewhere", "HORSE;1;2"], "HORSE BWW__"),
        ("cryptic", ["Guess,Black pegs,White pegs", 'HORSE,">=1",1-2'], "HORSE 1-4b 1-2w"),
        ("cryptic", ["Puzzle Guess Clue", "3 HORSE B_WR_"], "HORSE BWR__"),
        ("cryptic", ["Puzzle\tGuess\tClue", "Hunt 5\tHORSE\tB_WR_"], "HORSE BWR__"),
        ("cryptic", ["Clue Guess", "BWR HORSE"], "HORSE BWR__"),
        ("cryptic", ["Name,Guess,Clue", "Bob,HORSE,1 black, 2 red"], "HORSE BRR__"),
        ("cryptic", ["Guess M1 M2 M3 M4 M5", "HORSE B W _ R _"], "HORSE BWR__"),
        ("cryptic", ["Guess\tM1\tM2\tM3", "HORSE\tB\t\tW"], "HORSE BW___"),
        ("cryptic", ["| # | Guess | Red |", "|---|---|---|", "| 1 | HORSE | 2 |"], "HORSE RR___"),
        ("cryptic", ["```", "Guess,Red,Black", "`HORSE`,1,", "```"], "HORSE R____"),
        ("cryptic", ["Guess,Clue,Doubt", "HORSE,RR,20%"], "HORSE RR___ ?20%"),
        ("cryptic", ["Guess,Clue,Doubt", "HORSE,,?"], "HORSE * ?"),
        ("cryptic", ["Guess,Red,White,Black", "HORSE B_WR_"], "HORSE BWR__"),
        ("mastermind", ["Guess Black White", "RRGB 1 2"], "RRGB BWW"),
        ("mastermind", ["Guess\tBlack\tWhite", "RRGB\t1\t"], "RRGB 1b"),
        ("mastermind", ["Guess Black White Red", "RRGB 1 2 0"], "RRGB BWW"),
        ("mastermind", ["P1,P2,P3,P4,White,Black", "R,red,G,B,1,2"], "RRGB BBW"),
        ("mastermind", ["Guess,,,,White,Black", "R,R,G,B,1,2"], "RRGB BBW"),
        ("nethack", ["Tune Gears Tumblers", "AABBC 1 2"], "AABBC 1G2T"),
        ("nethack", ["Tune\tTumblers\tGears", "AABBC\t1\t"], "AABBC 1T"),
        ("bulls-and-cows", ["Code Cows Bulls", "0123 1 2"], "0123 2A1B"),
        ("jotto", ["Date,Word,Letters", "2024-05-12,HORSE,2"], "HORSE CC"),
        ("jotto", ["Word Jots", "HORSE 2"], "HORSE CC"),
        ("jotto", ["Guess Count", "HORSE 2"], "HORSE CC"),
        ("bulls-and-cows", ["Guess Score", "1234 1A2B"], "1234 1A2B"),
        ("cryptic", ["Guess Black Pegs White Pegs", "HORSE 1 2"], "HORSE BWW__"),
        ("cryptic", ["Guess Pegs", "HORSE BW"], "HORSE BW___"),
        ("wordle", ["Guess 1 2 3 4 5", "CRANE G Y . . G"], "CRANE GY..G"),
        ("wordle", ["Word,Result,,,,", "CRANE,G,,Y,.,."], "CRANE G_Y.."),
        ("wordle", ["Word,Result,,,,", "CRANE,GY..G,,,,"], "CRANE GY..G"),
        ("dordle", ["Guess\tBoard 1\tBoard 2", "CRANE\tGY...\t"], "CRANE GY... *"),
    ],
)
def test_rows_are_read_by_the_columns_of_their_heading(
    game: str, lines: list[str], read: str
) -> None:
    assert rows(game, *lines) == [read]


def test_a_row_of_blank_cells_is_a_guess_of_which_nothing_was_read_or_nothing() -> None:
    block = ["Guess,Red,Black", "HORSE,,", ",,", "FLESH,2,1"]
    assert rows("cryptic", *block) == ["HORSE *", "FLESH BRR__"]


def test_a_second_heading_begins_a_second_table() -> None:
    block = ["Guess,Red,Black", "HORSE,1,2", "", "Guess,Black,Red", "FLESH,1,2"]
    assert rows("cryptic", *block) == ["HORSE BBR__", "FLESH BRR__"]


def test_the_notes_of_a_table_stay_with_their_rows() -> None:
    block = read("cryptic", "row,guess,clue,note,by,at", '1,HORSE,BWR,"so, so",Bob,14:03')
    (turn,) = block.turns
    assert (load("cryptic").format_turn(turn), turn.note) == ("HORSE BWR__", "so, so")


@pytest.mark.parametrize(
    ("game", "lines", "problem"),
    [
        ("cryptic", ["Guess Red White Black", "HORSE 1 2"], "has 3 words for the columns guess"),
        ("cryptic", ["Guess,Red", "HORSE,1,2"], "has 3 cells for the 2 columns guess, red"),
        ("cryptic", ["Guess,Red", ",2"], "',2' has no guess in its column"),
        ("cryptic", ["Guess,Red,Black", "HORSE,R,1"], "'R' is no number of red"),
        ("cryptic", ["Guess,Clue,Red", "HORSE,BW,1"], "two clues in one row: '1 red' and 'BW'"),
        ("cryptic", ["Guess,Clue,Doubt", "HORSE,BW,huh"], "'huh' in a column of doubts"),
        ("mastermind", ["Guess Black White Red", "RRGB 1 1 2"], "red is not counted in this game"),
        ("mastermind", ["Guess Red Green", "RRGB 1 2"], "red is not counted in this game"),
        ("wordle", ["Guess Green Yellow", "CRANE 1 2"], "green is not counted in this game"),
    ],
)
def test_a_row_that_does_not_go_with_its_heading_is_refused(
    game: str, lines: list[str], problem: str
) -> None:
    block = read(game, *lines)
    assert [(one.line, problem in one.message) for one in block.problems] == [(2, True)]


@pytest.mark.parametrize("game", ["cryptic", "mastermind", "nethack", "wordle", "jotto", "dordle"])
@pytest.mark.parametrize(
    "line",
    ["Guess Black White Red", "Puzzle Guess Clue", "Tune Gears Tumblers", "Guess M1 M2 M3"],
)
def test_a_heading_is_one_in_every_game_and_never_a_row(game: str, line: str) -> None:
    assert read_heading(load(game), line) is not None
    assert read(game, line).turns == ()
    with pytest.raises(InvalidTurnError, match="is a heading, not a row"):
        load(game).parse_turn(line)


@pytest.mark.parametrize(
    ("game", "line"),
    [
        ("cryptic", "GUESS BWR"),
        ("cryptic", "GUESS *"),
        ("cryptic", "GUESS"),
        ("cryptic", "WORDS 1b 2w"),
        ("cryptic", "CODES black black white"),
        ("wordle", "WORDS green yellow grey grey green"),
        ("wordle", "GUESS 1 2 0 1 0"),
        ("mastermind", "1 2 3 4 1 1"),
    ],
)
def test_a_row_is_no_heading_though_its_words_could_be_titles(game: str, line: str) -> None:
    assert read_heading(load(game), line) is None
    assert len(rows(game, line)) == 1


@pytest.mark.parametrize("line", ["GUESS B W R", "GUESS 1 2", "GUESS black"])
def test_a_line_that_may_be_a_heading_or_a_row_is_asked_about_in_a_block(line: str) -> None:
    block = read("cryptic", line, "HORSE 1 2 0")
    assert [problem.line for problem in block.problems] == [1]
    assert "may be a heading or a row" in block.problems[0].message


def test_a_heading_is_read_where_it_is_written_as_the_question_about_it_says() -> None:
    (problem,) = read("jotto", "Guess Common", "HORSE 2").problems
    assert "in a heading put commas between the titles" in problem.message
    assert rows("jotto", "Guess, Common", "HORSE, 2") == ["HORSE CC"]
    (problem,) = read("cryptic", "Guess B W R", "HORSE 1 0 2").problems
    assert "in a heading write the names of marks in full as the titles" in problem.message
    assert rows("cryptic", "Guess Black White Red", "HORSE 1 0 2") == ["HORSE BRR__"]


@pytest.mark.parametrize(("game", "line"), [("wordle", "GUESS 1 2 0 0 1"), ("cryptic", "GUESS 9")])
def test_a_row_that_cannot_be_is_not_passed_over_as_a_heading(game: str, line: str) -> None:
    assert [problem.line for problem in read(game, line).problems] == [1]
