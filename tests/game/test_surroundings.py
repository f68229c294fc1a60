"""What stands before, between and around rows: read where there is no doubt, listed elsewhere."""

import random
from functools import cache

import pytest

from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.blocks import read_block
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.history import History
from puzzlehunt.game.surroundings import is_heading
from random_turns import random_turn

load = cache(gamefile.load)


def row(game: str, line: str) -> str:
    opened = load(game)
    return opened.format_turn(opened.parse_turn(line))


@pytest.mark.parametrize(
    ("game", "line", "read"),
    [
        ("cryptic", "1 WORST _R___", "WORST R____"),
        ("cryptic", "12\tWORST\t_\tR\t_\t_\t_", "WORST R____"),
        ("cryptic", "#3: WORST _R___", "WORST R____"),
        ("cryptic", "Guess 3: WORST _R___", "WORST R____"),
        ("cryptic", "| 7 | WORST | RR |", "WORST RR___"),
        ("cryptic", "- WORST RR", "WORST RR___"),
        ("cryptic", "> WORST RR", "WORST RR___"),
        ("cryptic", "NAME: WORST RR", "WORST RR___"),
        ("cryptic", "ALICE: WORST RR", "WORST RR___"),
        ("cryptic", "Alice B: WORST RR ?", "WORST RR___ ?"),
        ("cryptic", "<alice> WORST RR", "WORST RR___"),
        ("cryptic", "[14:03] NAME WORST RR", "WORST RR___"),
        ("cryptic", "[14:03] NAME: WORST RR", "WORST RR___"),
        ("cryptic", "[05/12/2024, 14:03:22] Alice: 4. WORST RR", "WORST RR___"),
        ("cryptic", "05/12/2024, 2:03 PM - Alice: WORST RR", "WORST RR___"),
        ("cryptic", "14:03 WORST RR", "WORST RR___"),
        ("cryptic", "> 3. [14:03] <al> 4. WORST RR", "WORST RR___"),
        ("cryptic", "WORST = RR", "WORST RR___"),
        ("cryptic", "WORST - RR", "WORST RR___"),
        ("cryptic", "WORST -> RR", "WORST RR___"),
        ("cryptic", "WORST->RR", "WORST RR___"),
        ("cryptic", "WORST => 1 black, 2 red", "WORST BRR__"),
        ("cryptic", "WORST \u2014 R, R, _, _, _", "WORST RR___"),
        ("cryptic", "W O R S T R R", "WORST RR___"),
        ("cryptic", "W O R S T: R R", "WORST RR___"),
        ("cryptic", "w,o,r,s,t,_,r,_,_,_", "WORST R____"),
        ("cryptic", "3. W O R S T -> R R", "WORST RR___"),
        ("mastermind", "red red green blue BW", "RRGB BW"),
        ("mastermind", "Red, red, green, blue: 1 black, 1 white", "RRGB BW"),
        ("mastermind", "red-red-green-blue = BW", "RRGB BW"),
        ("mastermind", "1 1 2 3 1 1", "RRGB BW"),
        ("mastermind", "R R G B B W", "RRGB BW"),
        ("mansions-of-madness", "1 red red blue green yellow W _", "RRBGY W_"),
        ("nethack", "1 AABBC 1g 1t", "AABBC 1G1T"),
        ("nethack", "A A B B C 1g 1t", "AABBC 1G1T"),
        ("nethack", "AABBC - 1 gear", "AABBC 1G"),
        ("nethack", "Bob: AABBC You hear 1 gear turn.", "AABBC 1G0T"),
        ("bulls-and-cows", "1 0123 1A2B", "0123 1A2B"),
        ("bulls-and-cows", "0 1 2 3 1 2", "0123 1A2B"),
        ("bulls-and-cows", "0123 = 1A2B", "0123 1A2B"),
        ("wordle", "1 CRANE GY..G", "CRANE GY..G"),
        ("wordle", "CRANE - GY--G", "CRANE GY..G"),
        ("wordle", "CRANE -G-Y-", "CRANE .G.Y."),
        ("wordle", "C R A N E G Y . . G", "CRANE GY..G"),
        ("wordle", "C R A N E - G - - -", "CRANE .G..."),
        ("peaks", "CRANE = <>=><", "CRANE <>=><"),
        ("peaks", "CRANE =<>=>", "CRANE =<>=>"),
        ("nerdle", "12+35=47 = ..GG.GY.", "12+35=47 ..GG.GY."),
        ("dordle", "3: CRANE -> GY..G .....", "CRANE GY..G ....."),
    ],
)
def test_what_stands_around_a_row_is_passed_over(game: str, line: str, read: str) -> None:
    assert row(game, line) == read


@pytest.mark.parametrize(
    ("game", "line", "problem"),
    [
        ("cryptic", "1 WORST XX", "'XX' is no clue here; B black"),
        ("cryptic", "ALICE WORST RR", "what is 'WORST'"),
        ("cryptic", "NAME: WORSTS RR", "NAME"),
        ("cryptic", "[14:03] NAME BWRRR", "[14"),
        ("mastermind", "red red green BW", "'red' has 1 symbol"),
        ("mastermind", "R R G B B W W W W", "cannot happen"),
        ("cryptic", "WORST -> HORSE -> RR", "is no clue here"),
    ],
)
def test_what_cannot_be_read_without_doubt_is_an_error(game: str, line: str, problem: str) -> None:
    with pytest.raises(PuzzlehuntError, match=problem.replace("[", r"\[")):
        row(game, line)


@pytest.mark.parametrize(
    "block",
    [
        "Guess,Clue\nHORSE,B_WR_\nFLESH,*\nZONES,RR",
        "#\tGuess\t1\t2\t3\t4\t5\n1\tHORSE\tB\t_\tW\tR\t_\n2\tFLESH\t*\n3\tZONES\tR\tR",
        "|no|word|marks|\n|--|----|-----|\n|1|HORSE|B_WR_|\n|2|FLESH|*|\n|3|ZONES|RR|",
        "Alice \u2014 Today at 14:03\nHORSE B_WR_\nFLESH *\nBob - Today at 2:05 PM\nZONES RR",
        "[14:03] Alice: HORSE\n[14:04] GM: B_WR_\n[14:05] FLESH *\n[14:06] Bob: ZONES\nGM: RR",
        "Alice  14:03\nHORSE\nGM  14:04\nB_WR_\nFLESH *\nZONES\nRR",
        "1 HORSE B_WR_\n\n2 FLESH\n\n3 ZONES RR",
        "HORSE -> B_WR_\nFLESH = *\nZONES - RR",
        "H O R S E B _ W R _\nF L E S H\nZ O N E S R R",
    ],
)
def test_headings_names_and_times_of_a_block_are_passed_over(block: str) -> None:
    game = load("cryptic")
    read = read_block(game, block.splitlines(), History())
    assert read.problems == ()
    rows = [game.format_turn(turn) for turn in read.turns]
    assert rows == ["HORSE BWR__", "FLESH *", "ZONES RR___"]


def test_lines_that_are_neither_row_nor_heading_are_listed_by_their_numbers() -> None:
    lines = ["Guess Clue", "HORSE B_WR_", "", "so close!", "Bob", "ZONES RRX"]
    read = read_block(load("cryptic"), lines, History())
    assert [problem.line for problem in read.problems] == [4, 5, 6]


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("Guess Black White", True),
        ("Row | Word | Marks", True),
        ("=====", True),
        ("14:03", True),
        ("Alice B, 05.12.2024 14:03", True),
        ("Alice", False),
        ("so close", False),
        ("1 2 3", False),
        ("HORSE 14", False),
        ("", False),
        ("x" * 10_000, False),
    ],
)
def test_a_heading_is_told_from_a_row_that_is_mistyped(line: str, heading: bool) -> None:
    assert is_heading(line) == heading


def test_a_line_with_two_readings_is_refused_with_both() -> None:
    game = gamefile.load("mastermind", ("marks={miss: X}",))
    with pytest.raises(PuzzlehuntError, match="in two ways: RRRR BWX_ or RRRR BW__"):
        game.parse_turn("1 1 1 1 1 1 1")


@pytest.mark.parametrize(
    "name",
    ["cryptic", "mastermind", "nethack", "bulls-and-cows", "jotto", "grand", "fallout", "xordle"],
)
def test_a_row_can_be_typed_as_it_was_said_to_be_understood(name: str) -> None:
    game, rng = load(name), random.Random(name)
    for number in range(1, 41):
        turn = random_turn(game, rng)
        said = game.parse_turn(f"{number}. {game.describe_turn(turn)}")
        assert (said.guess, {*said.clue}) == (turn.guess, {*turn.clue})
        assert said.doubt == turn.doubt


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("wordle", "CRANE GY_.."),
        ("wordle", "CRANE [GY]...."),
        ("peaks", "CRANE <<>_="),
        ("dordle", "CRANE GY... ....."),
        ("warmle", "CRANE GY..Y ?20%"),
    ],
)
def test_a_row_of_tiles_can_be_typed_as_it_was_said_to_be_understood(name: str, row: str) -> None:
    game = load(name)
    turn = game.parse_turn(row)
    assert game.parse_turn(game.describe_turn(turn)) == turn
