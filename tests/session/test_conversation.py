"""The conversation: what a line means, what is answered, and where it is printed."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from player import Player
from puzzlehunt.errors import GameFileError
from puzzlehunt.game.files import gamefile
from puzzlehunt.session.commands import COMMANDS
from puzzlehunt.session.outcomes import BlockRefused

ROOT = Path(__file__).resolve().parents[2]
LOG = [
    line.removeprefix("  - ")
    for line in (ROOT / "examples" / "heart-2018.yaml").read_text().splitlines()
    if line.startswith("  - ")
]
Program = Callable[..., Any]
ENTROPY = ("play.opening=TARES",)
"""Settings of a game that is played by bits; `Player` takes the first candidate else."""


# Rows.


def test_a_row_is_echoed_as_it_was_understood_and_answered_with_what_is_left() -> None:
    player = Player("cryptic", settings=ENTROPY).say("horse b_wr_")
    assert player.out == (
        "1. HORSE: 1 black, 1 white, 1 red, 2 unread\n"
        "933 left (17 %: a row is misread)\n"
        "try HARES - 0.5 bits, wins 0.2 %\n"
    )
    assert player.notes == ""


def test_the_greeting_says_what_is_played_how_clues_are_written_and_what_to_try() -> None:
    lines = Player("heart-2018").greeting.splitlines()
    assert lines[0] == "Cryptic Mastermind, a log of 2018 (3,386 codes)"
    assert [line.split(". ")[1].split()[0] for line in lines[1:28]] == [r.split()[0] for r in LOG]
    assert lines[28].startswith("B black, W white, R red, _ unread")
    assert lines[29] == "type GUESS CLUE, as COMES BWR__ (/help)"
    assert lines[30] == "47 left (9.9 %: a row is misread)"
    assert lines[31].startswith("try ")


def test_a_guess_alone_stands_until_its_clue_comes() -> None:
    player = Player("cryptic").say("flesh")
    assert player.rows == []
    assert player.prompt == "FLESH clue> "
    player.say("RR")
    assert player.rows == ["FLESH RR___"]
    assert player.prompt == "> "


def test_another_guess_or_the_end_records_a_standing_one_as_unread() -> None:
    player = Player("cryptic").say("FLESH", "HORSE")
    assert player.rows == ["FLESH *"]
    assert player.prompt == "HORSE clue> "
    assert player.say("WORSE __RW_").rows == ["FLESH *", "HORSE *", "WORSE WR___"]
    assert player.say("ZONES").end().rows[-1] == "ZONES *"
    assert Player("cryptic").say("FLESH", "/quit").rows == ["FLESH *"]


def test_the_same_guess_again_still_stands() -> None:
    player = Player("cryptic").say("FLESH", "flesh")
    assert player.rows == []
    assert player.say("FLESH RR").rows == ["FLESH RR___"]


def test_a_clue_alone_answers_the_suggestion_and_says_which_guess_that_was() -> None:
    player = Player("cryptic")
    suggested = player.suggested
    assert player.say("B_WR_").rows == [f"{suggested} BWR__"]
    assert player.out.startswith(f"1. {suggested}: 1 black")
    assert player.say("/suggest 3", "RR ?").rows[1].endswith(" RR___ ?")


@pytest.mark.parametrize(
    ("game", "clue", "row"),
    [
        ("cryptic", "1 2", "BWW__"),
        ("cryptic", "B _ W R _", "BWR__"),
        ("cryptic", "B _ W R ?", "BWR__"),
        ("cryptic", "B_WR_ ?", "BWR__ ?"),
        ("cryptic", "[BW] R R", "RR[BW]__"),
        ("cryptic", "2 red, 1 white", "WRR__"),
        ("cryptic", "*", "*"),
        ("cryptic", "unread", "*"),
        ("mastermind", "none", "none"),
        ("mastermind", "2 1", "BBW"),
        ("bulls-and-cows", "1A2B", "1A2B"),
        ("nethack", "You hear 2 tumblers click and 1 gear turn.", "1G2T"),
        ("nethack", "silence", "0G0T"),
    ],
)
def test_every_way_to_write_a_clue_may_stand_alone(game: str, clue: str, row: str) -> None:
    player = Player(game)
    suggested = player.suggested
    assert player.say(clue).rows == [f"{suggested} {row}"]


def test_a_lone_word_that_could_be_both_is_a_clue_and_the_echo_says_how_to_write_the_other() -> (
    None
):
    both = ("secret={symbols: BWRX, length: 4}", "title=both")
    player = Player("4x4", settings=both)
    suggested = player.suggested
    player.say("BWWB")
    assert player.rows == [f"{suggested} BBWW"]
    assert "read as a clue; the guess is written BWWB *" in player.notes
    assert player.say("BWWB *").rows[1] == "BWWB *"
    assert "read as a clue" not in player.notes


def test_a_clue_that_answers_nothing_asks_for_its_guess() -> None:
    player = Player("cryptic", coach=True)
    for clue in ("B_WR_", "*", "unread", "1 2", "won"):
        assert "to which guess?" in player.say(clue).notes
    assert player.say("FLESH", "B_WR_").rows == ["FLESH BWR__"]


@pytest.mark.parametrize("word", sorted({*COMMANDS} - {"help", "quit"}))
def test_a_word_that_is_a_commands_name_asks_for_the_slash(word: str) -> None:
    player = Player("cryptic").say(word)
    assert player.notes.startswith(f"/{word}? ")
    assert player.say(word.upper()).notes.startswith(f"/{word}? ")
    assert player.rows == []
    assert player.conversation.pending_guess is None


def test_a_commands_name_can_be_guessed_all_the_same() -> None:
    player = Player("cryptic", settings=("secret={words: [HELP, SAVE, QUIT, LAMB], length: 4}",))
    assert player.say("HELP *", "save RRRR").rows == ["HELP *", "SAVE RRRR"]


def test_an_empty_line_records_nothing_and_shows_the_suggestion_again() -> None:
    player = Player("cryptic").say("HORSE B_WR_")
    shown = player.out.splitlines()[1:]
    for empty in ("", "   ", "\t\n"):
        player.say(empty)
        assert player.out.splitlines() == shown
    assert player.rows == ["HORSE BWR__"]
    assert player.say("FLESH", "").prompt == "FLESH clue> "


def test_a_comment_is_no_line() -> None:
    player = Player("cryptic").say("# nothing yet", "HORSE B_WR_ # from the wall")
    assert player.rows == ["HORSE BWR__"]


def test_a_guess_in_no_list_is_played_with_a_note() -> None:
    player = Player("cryptic").say("HERZL *")
    assert player.rows == ["HERZL *"]
    assert player.notes == "HERZL is in no list; it counts as a guess all the same\n"
    assert player.say("HERZX").notes.startswith("HERZX is in no list")
    assert Player("4x6").say("AABB 1 1").notes == ""


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("HORSES B_WR_", "'HORSES' has 6 symbols; a guess has 5; did you mean "),
        ("HÖRSE B_WR_", "'Ö' is no symbol of this game"),
        ("HORSE X", "'X' is no mark"),
        ("HORSE BBBBW", "cannot happen"),
        ("HORSE BBBBBB", "6 marks for 5 pegs"),
        ("HORSE 3 3", "cannot happen"),
        ("HORSE [B", "never closed"),
        ("HORSE none", "a miss has its own mark"),
        ("HORSE 2 cows", "'cows' is not counted here"),
    ],
)
def test_a_bad_line_says_why_and_records_nothing(line: str, problem: str) -> None:
    player = Player("cryptic").say(line)
    assert problem in player.notes
    assert player.notes.startswith("! ")
    assert len(player.notes.splitlines()) == 1
    assert (player.out, player.rows) == ("", [])


@pytest.mark.parametrize(
    "line",
    [
        "AABBCD 5 gears turn",
        "AABBCDE You hear 5 gears turn.",
        "AABBCx 5G0T",
        "AABBCD | 5 gears",
        "AABBCD\n5 gears turn",
    ],
)
def test_five_gears_for_more_than_five_notes_are_the_tune_to_be_played_alone(line: str) -> None:
    player = Player("nethack").say(*line.split(" | "))
    assert player.rows == ["AABBCx 5G0T"]
    assert "1. AABBCx: right, but more was played: play AABBC alone\n" in player.out
    assert player.out.splitlines()[-2:] == ["1 left", "try AABBC - the only one left"]
    assert not player.session.is_won
    assert player.say("AABBCD 5g").out.startswith("1. AABBCx 5G0T is known already\n")
    player.say("AABBC You see a drawbridge coming down!")
    assert player.rows == ["AABBC 5G0T"]
    assert "completed 1. AABBC: was AABBCx 5G0T, now 5G0T\n" in player.out
    assert player.session.is_won
    assert player.say("AABBCD 5g").rows == ["AABBC 5G0T"]


def test_a_tune_with_more_notes_that_won_all_the_same_is_won() -> None:
    for line in ("AABBCD won", "AABBCD You see a drawbridge coming down!", "AABBC 5 gears"):
        assert Player("nethack").say(line).session.is_won
    # What did not win is the row of the five notes.
    assert Player("nethack").say("AABBCD 2t1g", "AABBCDE").end().rows == ["AABBC 1G2T"]
    assert Player("nethack").say("AABBCDE", "1g").rows == ["AABBC 1G"]


@pytest.mark.parametrize(
    ("line", "row"),
    [
        ("AABBC You hear 1 gear turn.", "AABBC 1G0T"),
        ("AABBC, you hear 2 tumblers click and 1 gear turn", "AABBC 1G2T"),
        ("1) aabbc -- You hear 1 tumbler click. --", "AABBC 0G1T"),
        ("AABBC You hear 3 gears turn.", "AABBC 3G0T"),
        ("hh You hear 2 tumblers click.", "BB 0G2T"),
        ("hhx 2 tumblers", "BBx 2T"),
        ("AABBCDE 2t1g", "AABBC 1G2T"),
        ("AABBC silence", "AABBC 0G0T"),
        ("AABBC nothing", "AABBC 0G0T"),
        ("AABBC I heard nothing", "AABBC 0G0T"),
        ("AABBC\nI heard nothing", "AABBC 0G0T"),
        ("AABBC 1 gear, don't remember tumblers", "AABBC 1G"),
        ("AABBC 1 gear turn, don't remember tumblers", "AABBC 1G"),
        ("AABBC couldn't hear it", "AABBC *"),
        ("AABBC You see a drawbridge coming down!", "AABBC 5G0T"),
        ("AABBC\tthe drawbridge going down", "AABBC 5G0T"),
        ("AABBC You hear gears turning and chains rattling.", "AABBC 5G0T"),
    ],
)
def test_nethacks_sentences_are_read_anywhere_in_a_line(line: str, row: str) -> None:
    assert Player("nethack").say(line).rows == [row]


def test_a_doubted_row_rules_out_nothing_but_its_guess() -> None:
    player = Player("cryptic").say("HORSE BBBBR ?")
    assert player.out.startswith("1. HORSE: 4 black, 1 red (doubted)\n3,385 left\n")
    assert player.say("/doubt 1").out.startswith("1. HORSE: 4 black, 1 red\n")
    assert player.rows == ["HORSE BBBBR"]
    assert player.say("/doubt 1").rows == ["HORSE BBBBR ?"]


@pytest.mark.parametrize("line", ["HEART won", "HEART solved", "heart BBBBB", "HEART 5b"])
def test_the_winning_row_ends_the_suggestions(line: str) -> None:
    player = Player("cryptic").say("HORSE B_WR_", line)
    assert "\n2. HEART: solved\nSolved in 2 guesses: HEART\n" in player.out
    assert player.suggested == ""
    assert player.say("", "/suggest").out == "Solved in 2 guesses: HEART\n" * 2
    assert player.say("/undo").out.splitlines()[1].startswith("933 left ")


def test_won_alone_answers_what_stands() -> None:
    player = Player("cryptic")
    suggested = player.suggested
    assert player.say("won").out.splitlines()[1] == f"Solved in 1 guess: {suggested}"


# Contradictions.


def test_a_contradiction_names_the_newest_row_that_made_it_impossible() -> None:
    player = Player("mastermind").say("RRRR B", "GGGG B", "RGBY none", "YYYY B")
    assert player.rows == ["RRRR B", "GGGG B", "RGBY none", "YYYY B"]
    assert (
        "Nothing fits: no code agrees with all rows.\n"
        "It became impossible with 3. RGBY none\n"
        "Rows 1 and 3 cannot both be right: row 1\n"
        "  needs 1 of R; row 3 leaves none of\n"
        "  them.\n"
        "Mend a row: /edit 3 CLUE, /drop 3, /undo\n"
    ) in player.out
    assert player.say("/candidates").notes == "none\n"


def test_a_contradiction_is_told_in_full_once_and_then_in_one_line() -> None:
    player = Player("mastermind").say("RRRR B", "GGGG B", "RGBY none")
    still = "Still nothing fits since 3. RGBY none: /repair, /conflicts\n"
    for nothing in ("", "/suggest", "/try RGBY"):
        assert player.say(nothing).out == still
    assert player.say("YYYY B").out == f"4. YYYY: 1 black, 0 white\n{still}"
    # Another contradiction is told in full, and so is one that comes back.
    assert "It became impossible with 2. RGBY none" in player.say("/drop 1").out
    assert player.say("").out == "Still nothing fits since 2. RGBY none: /repair, /conflicts\n"
    player.say("/undo")
    assert "Still" in player.say("").out
    assert "Nothing fits" not in player.say("/drop 3").out
    assert "Mend a row: /edit 3 CLUE" in player.say("/undo").out
    assert "won, but other rows say" in player.say("OOOO won").out


def test_the_number_of_a_repair_is_asked_about_where_rows_have_changed_the_repairs() -> None:
    player = Player("mastermind").say("RRRR B", "RGBY none", "YYYY BB")
    rows = player.rows
    assert player.say("1").rows == rows
    assert "these are the repairs now; which one?" in player.notes
    assert player.out.startswith("1) 2. RGBY none -> clue BB\n   3. YYYY BB -> clue none")
    assert player.say("1").rows == ["RRRR B", "RGBY BB", "YYYY none"]
    assert Player("mastermind").say("RRRR B", "RGBY none", "1").rows[0] == "RRRR none"


@pytest.mark.parametrize("mend", ["/edit 3 BB", "/drop 3", "/undo", "/doubt 3", "/drop 1"])
def test_any_row_can_be_mended(mend: str) -> None:
    player = Player("mastermind").say("RRRR B", "GGGG B", "RGBY none", mend)
    assert player.suggested or mend == "/drop 1"
    assert ("nothing fits" in player.say("").out) == (mend == "/drop 1")


def test_a_fact_that_makes_the_game_impossible_is_named() -> None:
    player = Player("mastermind").say("RRRR B", "/fact no R")
    assert "It became impossible with fact: no R" in player.out
    assert "Mend a row: /undo\n" in player.out
    assert player.say("/undo").suggested


# Blocks.


def test_the_log_of_a_hunt_is_one_block_with_one_suggestion_and_one_undo() -> None:
    player = Player("cryptic").say("\n".join(LOG))
    assert len(player.rows) == 27
    assert player.out.count("try ") == 1
    assert player.out.splitlines()[-2] == "47 left (9.9 %: a row is misread)"
    assert re.findall(r"^(\w+) is in no list", player.notes, re.MULTILINE) == [
        *("PERTH", "HERZL", "CLARE"),
    ]
    assert player.rows == Player("heart-2018").rows
    assert player.say("/undo").rows == []
    assert len(player.say("/redo").rows) == 27


@pytest.mark.parametrize(
    "block",
    [
        "HORSE B_WR_\nFLESH *\nZONES RR",
        "1. HORSE B_WR_\n2. FLESH\n3. ZONES RR",
        "#1 HORSE B_WR_\n#2 FLESH\n#3 ZONES RR",
        "1) HORSE,B_WR_\r\n2) FLESH,*\r\n3) ZONES,RR___\r\n",
        "HORSE\tB\t_\tW\tR\t_\nFLESH\t\t\t\t\t\nZONES\tR\tR\t_\t_\t_",
        "HORSE;B;_;W;R;?\nFLESH\nZONES | RR",
        "# the wall\n\nHORSE B_WR_ # smudged\n\n\nFLESH unread\nZONES RR",
        "HORSE\nB_WR_\nFLESH\nZONES\nRR",
        "horse:b_wr_\nflesh:*\nzones:rr",
    ],
)
def test_a_block_is_read_however_it_is_written(block: str) -> None:
    player = Player("cryptic").say(block)
    assert player.rows == ["HORSE BWR__", "FLESH *", "ZONES RR___"]
    assert player.say("/undo").rows == []


def test_a_block_of_sentences_is_read() -> None:
    block = (
        "AABBC\nYou hear 1 gear turn.\nDDEEF\nYou hear 2 tumblers click and 1 gear turn.\nGGGGG\n"
    )
    assert Player("nethack").say(block).rows == ["AABBC 1G0T", "DDEEF 1G2T", "GGGGG *"]


def test_the_drawbridge_that_comes_down_ends_the_game() -> None:
    player = Player("nethack").say("AABBC", "You see a drawbridge coming down!")
    assert player.rows == ["AABBC 5G0T"]
    assert "Solved in 1 guess: AABBC" in player.out
    assert "cannot be a secret" in Player("nethack").say("AAB the drawbridge coming up").notes
    assert Player("mastermind").say("RRGG You see a drawbridge coming down!").rows == []


def test_doubts_in_a_block_stand_with_the_row_or_with_its_clue() -> None:
    player = Player("cryptic").say("HORSE B_WR_ ?\nZONES\nRR ?\nFLESH\nB_WR_ ?")
    assert player.rows == ["HORSE BWR__ ?", "ZONES RR___ ?", "FLESH BWR__ ?"]


def test_bad_lines_of_a_block_are_listed_together_and_nothing_is_recorded() -> None:
    block = "HORSE B_WR_\nZONS RR\nFLESH *\nWORSE XX\n/undo"
    player = Player("cryptic").say("EBONY RRWRR").say(block)
    assert player.rows == ["EBONY WRRRR"]
    assert re.findall(r"^! line (\d):", player.notes, re.MULTILINE) == ["2", "4", "5"]
    assert "nothing was recorded" in player.notes
    assert player.out == ""
    (refused,) = player.outcomes
    assert isinstance(refused, BlockRefused)
    assert (refused.text, len(refused.problems)) == (block, 3)


def test_a_block_records_a_standing_guess_first() -> None:
    player = Player("cryptic").say("FLESH", "HORSE B_WR_\nZONES RR")
    assert player.rows == ["FLESH *", "HORSE BWR__", "ZONES RR___"]
    assert player.say("/undo").rows == ["FLESH *"]


def test_the_first_line_of_a_block_may_answer_a_standing_guess() -> None:
    player = Player("cryptic").say("FLESH", "RR\nHORSE B_WR_")
    assert player.rows == ["FLESH RR___", "HORSE BWR__"]
    assert player.conversation.pending_guess is None


# Commands.


def test_suggest_prints_a_table_of_as_many_guesses_as_asked() -> None:
    player = Player("cryptic", settings=ENTROPY).say("HORSE B_WR_", "/suggest 3")
    rows = player.out.splitlines()[-4:]
    assert rows[0].split() == ["guess", "bits", "at", "worst", "left", "wins"]
    assert rows[1].split()[0] == "HARES"
    assert len(player.say("/suggest").out.splitlines()) == 6
    assert len(player.say("/s 2").out.splitlines()) == 3


def test_candidates_prints_codes_and_says_whether_there_are_more() -> None:
    player = Player("3x2").say("/candidates 3")
    assert player.out == "AAA\nAAB\nABA\n"
    assert player.notes == "... and 5 more: /candidates 8\n"
    player.say("/c 100")
    assert (len(player.out.split()), player.notes) == (8, "")


def test_all_candidates_are_listed_where_they_are_not_too_many() -> None:
    player = Player("mastermind").say("/candidates all")
    assert (len(player.out.split()), player.notes) == (1296, "")
    assert Player("mastermind").say("RRRR BBBB", "/c ALL").out.splitlines()[-1] == "RRRR"
    player = Player("7x6", settings=("play.opening=AABBCCD", "play.strategy=first")).say(
        "/candidates all"
    )
    assert player.out == ""
    assert player.notes.startswith("! more than 100,000 are left; /candidates 1000")


def test_why_names_the_rows_that_rule_a_code_out() -> None:
    player = Player("cryptic").say("HORSE B_WR_", "WORSE BB", "/fact no T", "/why heart")
    assert player.out.splitlines()[-3:] == [
        "HEART is out by 2. WORSE BB___",
        "  it would show WWRRR, 2 marks off",
        "HEART is out by fact: no T",
    ]
    assert player.say("/undo", "/drop 2", "/w HEART").out.splitlines()[-1] == "HEART: still in"
    assert "still in" not in player.say("/w AAAAA").out


def test_try_says_what_a_guess_is_worth_beside_the_best_and_whether_it_may_win() -> None:
    player = Player("mastermind", settings=("play.strategy=deep",)).say(
        "RRGG BW", "/try RGYO", "/try OOOO"
    )
    mine, more, other, rest = player.out.splitlines()[-4:]
    assert re.fullmatch(r"RGYO - \d\.\d\d guesses \(best [A-Z]{4} \d\.\d\d\),", mine)
    assert re.fullmatch(r"at worst \d+ left, may be the secret", more)
    assert re.fullmatch(r"OOOO - \d\.\d\d guesses \(best [A-Z]{4} \d\.\d\d\),", other)
    assert re.fullmatch(r"at worst \d+ left, cannot be the secret", rest)
    assert player.rows == ["RRGG BW"]


def test_history_prints_facts_and_rows_with_the_numbers_that_commands_take() -> None:
    player = Player("cryptic").say("/history")
    assert player.out == "nothing yet\n"
    player.say("HORSE B_WR_", "/fact contains E", "WORSE __RW_ ?", "/history")
    assert player.out.splitlines()[-3:] == [
        " 1. HORSE BWR__",
        "    fact: contains E",
        " 2. WORSE WR___ ?",
    ]


def test_edit_changes_a_clue_or_the_whole_row_or_shows_it() -> None:
    player = Player("cryptic").say("HORSE B_WR_", "WORSE __RW_")
    assert player.say("/edit 1 BB").rows == ["HORSE BB___", "WORSE WR___"]
    assert player.out.startswith(
        "1. HORSE: 2 black, 3 unread\nreplaced 1. HORSE: was BWR__, now BB___\n"
    )
    assert player.say("/e 2 ZONES RR").rows == ["HORSE BB___", "ZONES RR___"]
    assert "replaced 2. ZONES: was WORSE WR___, now RR___\n" in player.out
    assert "\nreplaced" not in player.say("/e 2 RR").out
    assert player.say("/edit 2 RRR ?").rows == ["HORSE BB___", "ZONES RRR__ ?"]
    assert player.say("/edit 1").out == "1. HORSE BB___\n"
    assert "/edit 1 CLUE" in player.notes
    assert player.say("/undo", "/undo", "/undo").rows == ["HORSE BWR__", "WORSE WR___"]


def test_a_row_is_named_by_its_number_or_by_its_guess() -> None:
    player = Player("cryptic").say("HORSE BW", "WORSE __RW_")
    assert player.say("/edit horse BWRR").rows == ["HORSE BWRR_", "WORSE WR___"]
    assert player.say("/doubt WORSE 20%", "/drop HORSE").rows == ["WORSE WR___ ?20%"]
    assert "/edit 1 CLUE" in player.say("/edit WORSE").notes
    assert "no row has this number or guess" in player.say("/drop HORSE").notes
    digits = Player("bulls-and-cows").say("0123 1A2B", "4567 1B")
    assert digits.say("/drop 4567").rows == ["0123 1A2B"]
    liar = Player("liar").say("RRGG BW", "RRGG B")
    assert "RRGG is in rows 1 and 2: which? e.g. /drop 2" in liar.say("/drop RRGG").notes


def test_a_row_whose_guess_becomes_that_of_another_is_merged_with_it() -> None:
    player = Player("cryptic").say("HORSE BW", "HOUSE R", "/edit 2 HORSE RR")
    assert player.rows == ["HORSE BWRR_"]
    assert "completed 1. HORSE: was BW___, now BWRR_\n" in player.out
    assert player.say("/undo").rows == ["HORSE BW___", "HOUSE R____"]


@pytest.mark.parametrize(
    ("game", "row", "more", "now"),
    [
        ("cryptic", "HORSE BW", "R", "HORSE BWR__"),
        ("cryptic", "HORSE BWR", "RR", "HORSE BWRRR"),
        ("cryptic", "HORSE BW", "1r", "HORSE BWR__"),
        ("cryptic", "HORSE *", "[BW]", "HORSE [BW]____"),
        ("mastermind", "RRGG BW", "W", "RRGG BWW"),
        ("mastermind", "RRGG B___", "W", "RRGG BW__"),
        ("mastermind", "RRGG none", "W", "RRGG W"),
        ("nethack", "AABBC 1g", "2t", "AABBC 1G2T"),
        ("wordle", "CRANE G____", "____G", "CRANE G___G"),
        ("dordle", "CRANE * G____", "..... *", "CRANE ..... G____"),
        ("jotto", "CRANE 2", "C", "CRANE CCC"),
    ],
)
def test_add_puts_marks_beside_those_of_a_row(game: str, row: str, more: str, now: str) -> None:
    player = Player(game).say(row, f"/add 1 {more}")
    assert player.rows == [now]
    assert f"\ncompleted 1. {now.split()[0]}: was " in player.out
    assert player.say("/undo", f"/add {row.split()[0]} {more}").rows == [now]


@pytest.mark.parametrize(
    ("game", "row", "command", "problem"),
    [
        ("cryptic", "HORSE BWRRR", "/add 1 R", "all 5 marks of this row were read: BWRRR"),
        ("cryptic", "HORSE BBB", "/add 1 BW", "cannot happen"),
        ("cryptic", "HORSE BBB", "/add 1 X", "'X' is no mark"),
        ("cryptic", "HORSE BBB", "/add 1", "which mark? /add ROW MARK, e.g. /add 1 B"),
        ("cryptic", "HORSE BBB", "/add", "which row? e.g. /add 1"),
        ("nethack", "AABBC 1g1t", "/add 1 >=2t", "contradicts what stands there, 1G1T"),
        ("wordle", "CRANE G____", "/add 1 Y____", "contradicts what stands there, G____"),
        ("wordle", "CRANE G____", "/add 1 Y", "'Y' marks 1 tile; the guess has 5"),
    ],
)
def test_a_mark_that_cannot_be_added_is_one_line(
    game: str, row: str, command: str, problem: str
) -> None:
    player = Player(game).say(row, command)
    assert problem in player.notes
    assert (len(player.notes.splitlines()), player.rows) == (1, Player(game).say(row).rows)


def test_drop_takes_a_row_out_and_undo_puts_it_back() -> None:
    player = Player("cryptic").say("HORSE B_WR_", "WORSE __RW_", "/drop 1")
    assert player.rows == ["WORSE WR___"]
    assert player.out.splitlines()[-3] == "dropped: 1. HORSE BWR__"
    assert player.say("/u").rows == ["HORSE BWR__", "WORSE WR___"]


def test_facts_restrict_and_undo_as_turns_do() -> None:
    player = Player("cryptic").say("/fact H____")
    assert player.out.startswith("fact: H____\n")
    start = int(player.out.splitlines()[1].split()[0])
    player.say("/fact contains T", "/fact no Q", "HORSE B_WR_")
    left = [player.session.game.format_code(c) for c in player.session.engine.candidates()]
    assert 0 < len(left) < start
    assert all(word[0] == "H" and "T" in word for word in left)
    player.say("/undo", "/undo", "/undo")
    assert player.out.splitlines()[-2] == f"{start} left"
    player.say("/undo")
    assert len(player.session.history) == 0


def test_undo_takes_some_steps_back_at_once_and_says_which_rows() -> None:
    player = Player("cryptic").say("HORSE BW", "WORSE WR", "HORSE BWR", "/fact no Q", "/drop 2")
    player.say("/undo 4")
    assert player.rows == ["HORSE BW___"]
    assert player.out.splitlines()[:2] == [
        "back: 1. HORSE BW___, not BWR__",
        "undone: fact: no Q",
    ]
    assert player.say("/redo 3").out.splitlines()[:3] == [
        "redone: 2. WORSE WR___",
        "redone: 1. HORSE BWR__, not BW___",
        "redone: fact: no Q",
    ]
    assert player.say("/redo 9").out.startswith("dropped: 2. WORSE WR___\n")
    assert player.say("/undo 99", "/undo").notes == "! nothing to undo\n"
    assert player.say("/redo", "FLESH").say("/undo 2").rows == []
    assert player.out.startswith("undone: FLESH\nundone: 1. HORSE BW___\n")
    assert "expected a number" in player.say("/undo WORSE").notes


def test_an_undo_of_steps_that_cancel_each_other_says_so() -> None:
    player = Player("cryptic").say("HORSE BW", "/doubt 1", "/doubt 1", "/undo 2")
    assert player.out.splitlines()[-3:-2] == ["undone: the rows are as they were"]


def test_undo_first_takes_back_a_guess_that_waits() -> None:
    player = Player("cryptic").say("HORSE B_WR_", "FLESH", "/undo")
    assert player.conversation.pending_guess is None
    assert player.rows == ["HORSE BWR__"]


def test_there_is_an_end_to_undo_and_redo() -> None:
    player = Player("cryptic").say("/undo")
    assert player.notes == "! nothing to undo\n"
    assert player.say("/redo").notes == "! nothing to redo\n"


def test_strategy_changes_how_guesses_are_picked_or_says_how() -> None:
    player = Player("cryptic", settings=ENTROPY).say("/strategy")
    assert player.out == "entropy\n"
    assert "at worst" in player.say("/strategy minimax").out
    assert player.say("/strategy").out == "minimax\n"
    assert "did you mean minimax?" in player.say("/strategy minmax").notes
    assert player.say("/strategy").out == "minimax\n"


def test_new_says_how_many_rows_it_drops() -> None:
    player = Player("heart-2018").say("/new")
    assert player.out.startswith("A new game; /undo brings back 27 rows\n")
    assert player.say("/undo").out.startswith("back: rows 1 to 27\n")
    player = Player("3x3").say("/new")
    assert player.out.startswith("A new game\n")
    player.say("/fact no A", "BCB B", "CBB")
    assert player.say("/new").out.startswith("A new game; /undo brings back 2 rows and 1 fact\n")


@pytest.mark.parametrize("line", ["Alice - Today at 14:03", "|---|---|", "```"])
def test_a_heading_alone_is_passed_over_and_said_to_be_one(line: str) -> None:
    player = Player("cryptic").say(line)
    assert player.notes == "a heading, passed over; rows are typed GUESS CLUE\n"
    # A word alone is not one.
    assert "'no' has 2 symbols" in player.say("no").notes
    assert (player.out, player.rows) == ("", [])
    assert player.say("HORSE BW").rows == ["HORSE BW___"]


def test_a_row_that_won_and_cannot_have_is_said_to_be_the_odd_one() -> None:
    player = Player("3x3").say("AAB BB", "CCC won")
    assert "CCC won, but other rows say it cannot be it.\n" in player.out
    assert "Nothing fits" not in player.out


def test_new_forgets_everything_and_can_be_undone() -> None:
    player = Player("heart-2018").say("/fact no Q", "FLESH", "/new")
    assert len(player.session.history) == 0
    assert player.conversation.pending_guess is None
    assert len(player.say("/undo").rows) == 27


def test_save_keeps_the_game_in_a_file_from_now_on(home: Path) -> None:
    player = Player("cryptic").say("HORSE B_WR_", "/save")
    assert "/save FILE" in player.notes
    assert player.say("/save s.yaml", "WORSE __RW_").out.startswith("saved: s.yaml\n")
    assert len(gamefile.load("s.yaml").history) == 2
    assert player.say("/save").out == "saved: s.yaml\n"
    (home / "notes.txt").write_text("precious\n")
    assert "exists already" in player.say("/save notes.txt").notes
    assert (home / "notes.txt").read_text() == "precious\n"
    player.session.close()


def test_export_prints_the_script_or_writes_it(home: Path) -> None:
    player = Player("3x3").say("ABC B", "/export")
    script = player.out[player.out.index("; ") :]
    assert script.endswith("(check-sat)\n(get-model)\n")
    assert player.say("/export game.smt2").out == "written: game.smt2\n"
    assert (home / "game.smt2").read_text() == script


def test_help_explains_every_command() -> None:
    player = Player("cryptic").say("/help")
    for command in COMMANDS.values():
        assert f"/{command.syntax}" in player.out
    assert "B black, W white, R red" in player.out
    assert player.say("/h undo").out.split() == ["/undo", "[N]", "take", "it", "back"]


def test_quit_leaves() -> None:
    for line in ("/quit", "/q", "/QUIT", "/quit now"):
        player = Player("cryptic").say(line)
        assert not player.conversation.is_open


def test_where_a_slash_is_a_symbol_commands_and_their_short_forms_are_still_commands() -> None:
    player = Player("2x2", settings=("secret={symbols: AU/, length: 2}",))
    assert player.say("1. /u *", "/A 1 0").rows == ["/U *", "/A B"]
    assert player.say("/u").rows == ["/U *"]
    assert "no symbol" in player.say("/x").notes
    assert player.say("/certain").out == "nothing is certain yet\n"
    assert not player.say("/fact A_", "/q now").conversation.is_open
    player = Player("nerdle").say("/s 2")
    assert player.suggested in player.out


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("/sugest", "no command /sugest; did you mean /suggest?"),
        ("/sug", "did you mean /suggest?"),
        ("/hist", "did you mean /history?"),
        ("/x", "no command /x; /help lists them"),
        ("/", "no command /; /help lists them"),
        ("/ undo", "nothing to undo"),
        ("/edit", "which row? e.g. /edit 1"),
        ("/edit 99999999999 B", "no row has this number"),
        ("/edit 4 B", "no row 4; there is no row yet"),
        ("/drop 0", "no row 0"),
        ("/drop -1", "no row has this number or guess"),
        ("/doubt x", "no row has this number or guess"),
        ("/candidates 0", "expected a number above 0"),
        ("/candidates ²", "expected a number above 0"),
        ("/suggest many", "expected a number above 0"),
        ("/fact", "is no fact"),
        ("/fact contains", "is no fact"),
        ("/fact contains 7", "'7' is no symbol"),
        ("/fact HORS_E", "a pattern has 5 places"),
        ("/why", "which code? e.g. /why "),
        ("/try HORSES", "6 symbols"),
        ("/strategy os:nothing", "only loaded at the start"),
        ("/save ~nobody-of-that-name/x", "no such home folder"),
        ("/export ~nobody-of-that-name/x", "no such home folder"),
        ("/save a\0b", "null"),
        ("/export a\0b", "null"),
        ("/save " + "x" * 5_000, "cannot be written"),
        ("/export nowhere/x", "there is no folder nowhere; make it first"),
    ],
)
def test_a_bad_command_is_one_line_and_changes_nothing(line: str, problem: str, home: Path) -> None:
    player = Player("cryptic").say(line)
    assert problem in player.notes
    assert player.notes.startswith("! ")
    assert len(player.notes.splitlines()) == 1
    assert len(player.session.history) == 0
    assert list(home.iterdir()) == []


# Coaching, width, control characters.


def test_a_coach_counts_and_keeps_suggestions_for_when_they_are_asked() -> None:
    player = Player("cryptic", coach=True, settings=ENTROPY)
    assert "try " not in player.greeting
    assert player.say("HORSE B_WR_").out.splitlines()[1:] == ["933 left (17 %: a row is misread)"]
    assert "TARES" in player.say("/suggest").out


@pytest.mark.parametrize("game", ["cryptic", "heart-2018", "nethack", "mastermind", "4x6"])
def test_all_that_is_printed_in_play_fits_40_columns(game: str) -> None:
    player = Player(game, settings=("play.strategy=deep",) if game in ("mastermind", "4x6") else ())
    lines = player.greeting.splitlines()[1:]
    for line in ("1 1", "RR", "* ?", "/fact contains A", "/history", "/undo", "/suggest", "/help"):
        lines += player.say(line).out.splitlines()
    legend = player.session.game.rule.legend()
    too_long = [line for line in lines if len(line) > 40 and legend not in line]
    assert too_long == []


def test_a_terminal_does_not_obey_what_was_typed_or_what_a_file_says() -> None:
    with pytest.raises(GameFileError, match="a control character"):
        Player("cryptic", settings=(r'title="\e[2Jwiped\e]0;x\a"',))
    player = Player("cryptic")
    for line in (
        *("\x1b[31mHORSE B", "HORSE \x1b]0;x\x07", "/fact \u202eabc", "/x\x1b[2J", "HORSE B\x9b"),
        "HO\x08RSE B\nHORSE\x1b B",
    ):
        printed = player.say(line).out + player.notes
        assert printed
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", printed)


@pytest.mark.parametrize("line", ["x", "[", "HORSE [", "HORSE B", "/y", "9", "HORSE 9", "/fact _"])
def test_an_endless_line_is_answered_with_a_short_one(line: str) -> None:
    player = Player("cryptic").say(line + line[-1] * 100_000)
    assert 0 < len(player.notes) < 2_000


# Rows that are probably misread.

MISREAD = ("SABER R", "DURST R", "WEIGH BBR", "WATCH RR", "WINGS RRR", "WRITE W", "DEIST RRR")


def test_a_row_that_is_probably_misread_is_named_once_and_before_the_tenth_row() -> None:
    """The answer to WEIGH has one black; a white or a red mark was read as the second."""
    player = Player("cryptic", coach=True).say(*MISREAD)
    assert "Maybe misread" not in player.out
    player.say("LEACH WR")
    assert "Maybe misread (/suspect):\n3. WEIGH BBR__: 9" in player.out
    assert "Maybe misread" not in player.say("HIRED RR").out


def test_no_row_of_a_real_log_is_called_misread() -> None:
    player = Player("cryptic", coach=True)
    for turn in gamefile.load("heart-2018").history.turns:
        said = player.say(player.session.game.format_turn(turn)).out
        assert "Maybe misread" not in said
        assert "if none is" not in said
    assert len(player.rows) > 20
