"""What stands before, between and around rows: read where there is no doubt, listed elsewhere."""

import random
import re
from functools import cache

import pytest

from puzzlehunt.errors import AmbiguousClueError, PuzzlehuntError
from puzzlehunt.game.blocks import read_block
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.history import History
from puzzlehunt.game.pasted import is_heading
from random_turns import random_turn

load = cache(gamefile.load)


def row(game: str, line: str) -> str:
    opened = load(game)
    return opened.format_turn(opened.parse_turn(line))


@pytest.mark.parametrize(
    ("game", "line", "read"),
    [
        ("cryptic", "1 WORST _R___", "WORST R____"),
        ("mastermind", "🔴🔴🟢🟢 BW", "RRGG BW"),
        ("mastermind", "🔴 🔴 🟢 🔵 ⚫⚪", "RRGB BW"),
        ("nerdle", "12 + 35 = 47 ..G..G..", "12+35=47 ..G..G.."),
        ("nerdle", "3 \u00d7 4+5=17: ........", "3*4+5=17 ........"),
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
        ("cryptic", "ALICE WORST RR", "'ALICE' and 'WORST RR' are two rows"),
        ("cryptic", "NAME: WORSTS RR", "NAME"),
        ("cryptic", "[14:03] NAME BWRRR", "[14"),
        ("cryptic", "HORSE BW WORSE RR", "'HORSE BW' and 'WORSE RR' are two rows"),
        ("wordle", "CRANE SLOTH", "'CRANE' and 'SLOTH' are two guesses"),
        ("nethack", "AABBC 1 gear turn. AABBD 2 gears turn.", "are two rows"),
        ("bulls-and-cows", "1234 1A 5678 2B", "'1234 1A' and '5678 2B' are two rows"),
        ("peaks", "CRANE >>>>>>", "'>>>>>>' has 6 tiles; the guess has 5"),
        ("jotto", "CRANE 2c 1", "'2c 1' is no clue; a clue is one number, as 2c"),
        ("cryptic", "CRANE won?", "is no clue here; B black"),
        ("mastermind", "red pink red red BW", "'pink' is no symbol"),
        ("mastermind", "red red green BW", "'red red green' has 3 symbols; a guess has 4"),
        ("mastermind", "R R G B B W W W W", "cannot happen"),
        ("mansions-of-madness", "red red green orange yellow 1 1", "'orange' is no symbol"),
        ("mansions-of-madness", "red red green blu yellow BW", "'blu' is no symbol"),
        ("mansions-of-madness", "red red green blue orange 1 1", "'orange' is no symbol"),
        ("mansions-of-madness", "red red green BW black", "'red red green' has 3 symbols"),
        ("mansions-of-madness", "red red green white white", "'red red green' has 3 symbols"),
        ("cryptic", "HORSE one hit and two misses", "'hit' is not counted here: say black"),
        ("cryptic", "HORSE two hits", "'hits' is not counted here: say black"),
        ("cryptic", "WORST -> HORSE -> RR", "is no clue here"),
        ("cryptic", "HORSE BWR...", "6 marks for 5 pegs"),
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


# Signs.


@pytest.mark.parametrize(
    ("game", "line", "read"),
    [
        ("cryptic", "`HORSE` `B_WR_`", "HORSE BWR__"),
        ("cryptic", "```HORSE B_WR_```", "HORSE BWR__"),
        ("cryptic", '"HORSE" "B_WR_"', "HORSE BWR__"),
        ("cryptic", "\u201cHORSE\u201d \u2018B_WR_\u2019", "HORSE BWR__"),
        ("cryptic", "'HORSE' BWR", "HORSE BWR__"),
        ("cryptic", "**HORSE** *B_WR_*", "HORSE BWR__"),
        ("cryptic", "**HORSE** *", "HORSE *"),
        ("cryptic", "[14:03] Alice: `HORSE` BWR (edited)", "HORSE BWR__"),
        ("cryptic", '"HORSE","B_WR_"', "HORSE BWR__"),
        ("cryptic", '"1";"HORSE";"B, W, R"', "HORSE BWR__"),
        ("cryptic", "HORSE(BWR)", "HORSE BWR__"),
        ("cryptic", "HORSE (B W) ?", "HORSE BW___ ?"),
        ("cryptic", "(HORSE) BWR", "HORSE BWR__"),
        ("cryptic", "[HORSE] BWR", "HORSE BWR__"),
        ("cryptic", "(HORSE BWR)", "HORSE BWR__"),
        ("cryptic", "HORSE [BW]", "HORSE [BW]____"),
        ("cryptic", "HORSE b+w", "HORSE BW___"),
        ("cryptic", "HORSE black & white and red", "HORSE BWR__"),
        ("cryptic", "HORSE B1W1", "HORSE BW___"),
        ("cryptic", "HORSE B:1 W:1", "HORSE BW___"),
        ("cryptic", "HORSE blacks: 1, reds: 2", "HORSE BRR__"),
        ("cryptic", "HORSE black >= 1", "HORSE 1-5b"),
        ("mastermind", "RRGB B=1, W=1", "RRGB BW"),
        ("cryptic", "HORSE BWR maybe", "HORSE BWR__ ?"),
        ("cryptic", "HORSE BWR (not sure)", "HORSE BWR__ ?"),
        ("cryptic", "HORSE B, W, R, maybe.", "HORSE BWR__ ?"),
        ("cryptic", "HORSE: 1 black, 4 unread (doubted, 20 %)", "HORSE B____ ?20%"),
        ("cryptic", "HORSE \u27f6 BWR", "HORSE BWR__"),
        ("cryptic", "HORSE \u27a1\ufe0f BWR", "HORSE BWR__"),
        ("cryptic", "HORSE BWR.", "HORSE BWR__"),
        ("cryptic", "HORSE 1 black, 1 white.", "HORSE BW___"),
        ("cryptic", "HORSE. BWRR.", "HORSE BWRR_"),
        ("cryptic", "HORSE .W..B", "HORSE BWRRR"),
        ("mastermind", "RRGB _.", "RRGB _."),
        ("wordle", "CRANE GY...", "CRANE GY..."),
        ("wordle", '"CRANE" (GY..G)', "CRANE GY..G"),
        ("bulls-and-cows", "0123 (1A2B).", "0123 1A2B"),
        ("jotto", "HORSE (2)", "HORSE CC"),
        ("dordle", "`CRANE` GY..G .....", "CRANE GY..G ....."),
        ("nethack", '"AABBC" 1g 1t.', "AABBC 1G1T"),
        ("nethack", "(AABBC) 1g 1t", "AABBC 1G1T"),
        ("nethack", "AABBC->1g 1t", "AABBC 1G1T"),
        ("nethack", "AABBC=1g, 1t", "AABBC 1G1T"),
        ("nethack", "AABBC(1g 1t)", "AABBC 1G1T"),
    ],
)
def test_quotes_brackets_and_remarks_around_words_are_passed_over(
    game: str, line: str, read: str
) -> None:
    assert row(game, line) == read


@pytest.mark.parametrize(
    ("game", "line", "problem"),
    [
        ("cryptic", "~~HORSE BWR~~", "is no symbol"),
        ("nethack", "~~AABBC 1g 1t", "~ is no symbol"),
        ("nethack", "AABBC1g 1t", "1 is no symbol"),
        ("cryptic", "HORSE BW (R)", "is no clue"),
        ("cryptic", "HORSE (B) (W)", "is no clue"),
        ("cryptic", "HORSE B/W", "is no clue"),
        ("cryptic", "BWBWB \u2190 HORSE", "is no"),
        ("cryptic", "HORSE -1b", "'-1b' is no clue"),
        ("cryptic", "HORSE \u20131b 2w", "is no clue"),
        ("mastermind", "R R G B -1b", "'-1b' is no clue"),
        ("jotto", "HORSE -2", "is no clue"),
        ("cryptic", "HORSE B=1", "write 1B for those read so far, or =1B for all there are"),
        ("cryptic", "HORSE BW_W.", "may end with a full stop or with red: write BW_W or BW_WR"),
        ("wordle", "CRANE GY..G.", "has 6 tiles"),
    ],
)
def test_signs_that_may_mean_two_things_are_not_passed_over(
    game: str, line: str, problem: str
) -> None:
    with pytest.raises(PuzzlehuntError, match=re.escape(problem)):
        row(game, line)


@pytest.mark.parametrize(
    ("game", "line", "read"),
    [
        ("cryptic", "HORSE: B, W, ?, R, ?", "HORSE BWR__"),
        ("cryptic", "HORSE B W _ R ?", "HORSE BWR__"),
        ("cryptic", "HORSE\tB\t?\tW\tR\t?", "HORSE BWR__"),
        ("cryptic", "HORSE 1, 1, ?", "HORSE BW___"),
        ("wordle", "CRANE G,Y,.,., ?", "CRANE GY.._"),
        ("cryptic", "HORSE B W R ?", "HORSE BWR__ ?"),
        ("cryptic", "HORSE BWR, ?", "HORSE BWR__ ?"),
        ("cryptic", "HORSE\tBWR\t?", "HORSE BWR__ ?"),
        ("cryptic", "HORSE B, W, R, R, R, ?", "HORSE BWRRR ?"),
        ("mastermind", "RRGB 1, 2, ?", "RRGB BWW ?"),
        ("mastermind", "RRGB 1 2 ?20%", "RRGB BWW ?20%"),
    ],
)
def test_a_question_mark_that_fills_the_last_place_is_a_mark_and_behind_it_a_doubt(
    game: str, line: str, read: str
) -> None:
    assert row(game, line) == read


@pytest.mark.parametrize("line", ["HORSE B, W, ?", "HORSE\tB\tW\t?", "HORSE B, W, R, ?"])
def test_a_question_mark_in_its_own_cell_of_a_short_row_is_asked_about(line: str) -> None:
    with pytest.raises(AmbiguousClueError, match="is the \\? at the end a mark"):
        row("cryptic", line)


# Tables.


@pytest.mark.parametrize(
    ("game", "line", "read"),
    [
        ("cryptic", "HORSE\t1\t\t2", "HORSE BRR__"),
        ("cryptic", "HORSE 1,,2", "HORSE BRR__"),
        ("cryptic", "HORSE,,1,2", "HORSE WRR__"),
        ("cryptic", "HORSE\t\t\t2", "HORSE RR___"),
        ("cryptic", "HORSE\t1\t\t", "HORSE B____"),
        ("cryptic", "HORSE\t\t1\t0\t2", "HORSE BRR__"),
        ("cryptic", "3\tHORSE\t1\t\t2", "HORSE BRR__"),
        ("cryptic", "| HORSE | 1 | | 2 |", "HORSE BRR__"),
        ("cryptic", '"HORSE","1","","2"', "HORSE BRR__"),
        ("cryptic", "HORSE\t1\t-\t2", "HORSE BRR__"),
        ("cryptic", "HORSE 1 _ 2", "HORSE BRR__"),
        ("cryptic", "HORSE\tB\t\tW\tR\t", "HORSE BWR__"),
        ("cryptic", "HORSE\t\t\t\t\t", "HORSE *"),
        ("mastermind", "RRGB\t1\t", "RRGB 1b"),
        ("mastermind", "RRGB\t\t2", "RRGB 2w"),
        ("mastermind", "RRGB\tB\tW\t\t", "RRGB BW"),
        ("wordle", "CRANE\tG\tY\t\t\tG", "CRANE GY__G"),
        ("wordle", "CRANE G,Y,,,", "CRANE GY___"),
        ("dordle", "CRANE\t\tGY...", "CRANE * GY..."),
        ("dordle", "| CRANE | GY... | |", "CRANE GY... *"),
        ("nethack", "AABBC\t\t1", "AABBC 1T"),
        ("bulls-and-cows", "0123;;1", "0123 1B"),
        ("jotto", "HORSE\t\t2", "HORSE CC"),
    ],
)
def test_a_blank_cell_is_a_count_or_a_mark_that_was_not_read(
    game: str, line: str, read: str
) -> None:
    assert row(game, line) == read


@pytest.mark.parametrize(
    ("game", "line", "problem"),
    [
        ("mastermind", "RRGB\tB\t\tW\t", "is a blank cell between marks a miss"),
        ("cryptic", "HORSE 1 - 2", "1,2 or 1,,2"),
        ("cryptic", "HORSE  1      2", "1,2 or 1,,2"),
        ("cryptic", "HORSE 1,", "1 of what?"),
        ("cryptic", "HORSE,1,,,2", "has 4 numbers; they mean black, white, red"),
        ("wordle", "CRANE\tG\tY\t\tG", "has 3 tiles; the guess has 5"),
    ],
)
def test_a_cell_that_may_be_blank_or_missing_is_asked_about(
    game: str, line: str, problem: str
) -> None:
    with pytest.raises(PuzzlehuntError, match=re.escape(problem)):
        row(game, line)


@pytest.mark.parametrize(
    ("line", "read", "note"),
    [
        ("HORSE\tBWR\tfrom Bob", "HORSE BWR__", "from Bob"),
        ("HORSE\tB\tW\tR\tnice\t14:03", "HORSE BWR__", "nice, 14:03"),
        ("HORSE,1,,2,so close", "HORSE BRR__", "so close"),
        ('"HORSE","1","","2","so, so"', "HORSE BRR__", "so, so"),
        ("| 1 | HORSE | BWR | Bob |", "HORSE BWR__", "Bob"),
        ("HORSE\tBWR\t?\tgarbled", "HORSE BWR__ ?", "garbled"),
    ],
)
def test_words_in_the_last_cells_of_a_row_are_its_note(line: str, read: str, note: str) -> None:
    game = load("cryptic")
    turn = game.parse_turn(line)
    assert (game.format_turn(turn), turn.note) == (read, note)


@pytest.mark.parametrize(
    "line",
    [
        "HORSE\tBW\tRRX",
        "HORSE\tBW\twhte",
        "HORSE\tBW\tX",
        "HORSE\tBW\t1 whte",
        "HORSE\tBW\tnice\tR",
        "HORSE\tBWR\tmaybe\tBob",
        "HORSE\tBWR\tBob\tnot sure",
        "HORSE\tso close",
        "HORSE BW so close",
    ],
)
def test_what_may_be_a_mistyped_clue_is_no_note(line: str) -> None:
    with pytest.raises(PuzzlehuntError):
        row("cryptic", line)


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
