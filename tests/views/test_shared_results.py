"""Texts with emoji rows fill the rows that are unread."""

import pytest

from player import Player

GUILT = "Wordle 1,327 X/6*\n\n⬛⬛⬛⬛⬛\n⬜🟨⬜🟨⬜\n⬛🟨🟨⬛🟩\n\nhttps://example.org/share"
FILLED = ["CRANE .....", "SLOTH .Y.Y.", "DIGIT .YY.G"]


def test_a_shared_result_fills_the_rows_that_are_unread() -> None:
    player = Player("wordle").say("CRANE", "SLOTH", "DIGIT")
    assert player.rows == ["CRANE *", "SLOTH *"]
    player.say(GUILT)
    assert player.rows == FILLED
    assert player.out.count("try ") == 1
    assert [line[:9] for line in player.out.splitlines()[:3]] == [
        *("1. CRANE:", "2. SLOTH:", "3. DIGIT:"),
    ]
    assert player.conversation.expected_line is None
    assert player.say("/undo").rows == ["CRANE *", "SLOTH *"]
    assert len(player.say("/redo").rows) == 3


def test_rows_that_were_read_stay_and_the_others_are_filled_in_order() -> None:
    player = Player("wordle").say("CRANE *", "SLOTH .Y.Y.", "DIGIT *")
    player.say("shared text\n⬛⬛⬛⬛⬛\n⬛🟨🟨⬛🟩")
    assert player.rows == FILLED


def test_guesses_may_stand_before_a_shared_result() -> None:
    player = Player("wordle").say("CRANE\nSLOTH\nnerdlegame 104 4/6\n⬛⬛⬛⬛⬛\n⬛🟨⬛🟨⬛")
    assert player.rows == FILLED[:2]
    assert player.say("/undo").rows == []


def test_a_guess_and_its_squares_on_two_lines_are_a_turn_as_ever() -> None:
    player = Player("wordle").say("DIGIT *", "CRANE\n⬛⬛🟨⬛⬛")
    assert player.rows == ["DIGIT *", "CRANE ..Y.."]
    player.say("SLOTH 🟩⬛⬛⬛⬛\nMOUND\n⬛⬛⬛⬛⬛")
    assert player.rows[2:] == ["SLOTH G....", "MOUND ....."]


@pytest.mark.parametrize(
    "text", ["x\n⬛⬛🟨⬛⬛", "⬛⬛🟨⬛⬛\n⬛🟩⬛⬛", "🟩🟩🟩🟩⬛\n🟩🟩🟩🟩⬛"]
)
def test_a_shared_result_that_is_not_of_these_guesses_is_one_line(text: str) -> None:
    player = Player("wordle").say("CRANE", "SLOTH").say(text)
    assert (len(player.notes.splitlines()), player.out) == (1, "")
    assert player.rows == ["CRANE *"]
    assert player.prompt == "SLOTH clue> "


def test_a_bad_row_among_squares_is_no_header() -> None:
    player = Player("wordle").say("CRNE ⬛⬛🟨⬛⬛\n⬛🟩⬛⬛⬛")
    assert "/undo" not in player.say("⬛🟩⬛⬛⬛\n/undo").out


@pytest.mark.parametrize("bad", ["SL0TH", "2. SL0TH", "SLOTHS", "SLOT"])
def test_a_mistyped_guess_before_squares_is_named_and_no_header(bad: str) -> None:
    player = Player("wordle").say(f"CRANE\n{bad}\nMOUTH\n⬛⬛🟨⬛⬛\n⬛🟩⬛⬛⬛")
    assert (len(player.notes.splitlines()), player.rows) == (1, [])
    for text in (f"{bad}\n⬛⬛🟨⬛⬛", f"MOUTH\n⬛⬛🟨⬛⬛\n{bad}\n⬛🟩⬛⬛⬛"):
        player.say("CRANE", text)
        assert (player.prompt, player.rows) == ("CRANE clue> ", [])


@pytest.mark.parametrize("header", ["Peaks #1,234", "Peaks 123 4/6", "Ok"])
def test_a_header_is_no_guess(header: str) -> None:
    player = Player("peaks").say("CRANE *", "SLOTH *", f"{header}\n🔼🔽🔼🔼🟩\n🔽🔼🔼🔽🔽\nGreat!")
    assert player.rows == ["CRANE ><>>=", "SLOTH <>><<"]
    assert player.notes == ""


def test_a_guess_before_squares_may_have_a_number_and_a_comment() -> None:
    player = Player("wordle").say("#1 CRANE\n2. SLOTH # no idea\n⬛⬛⬛⬛⬛\n⬛🟨⬛🟨⬛")
    assert player.rows == FILLED[:2]


def test_a_shared_result_of_two_boards_holds_a_row_of_each_on_a_line() -> None:
    player = Player("dordle").say("CRANE", "SLATE", "SMITE")
    player.say(
        "Daily Dordle 0597 2&3/7\n"
        "⬛⬛🟩⬛🟩 ⬛⬛⬛⬛🟩\n🟩🟩🟩🟩🟩 🟩⬛⬛🟩🟩\n⬛⬛⬛⬛⬛ 🟩🟩🟩🟩🟩\nexample.org/dordle"
    )
    assert player.rows == ["CRANE ..G.G ....G", "SLATE GGGGG G..GG", "SMITE * GGGGG"]
    assert player.out.splitlines()[:4] == [
        "1. CRANE: ..G.G | ....G",
        "2. SLATE: solved | G..GG",
        "3. SMITE: done | solved",
        "Solved in 3 guesses: SLATE/SMITE",
    ]


def test_a_shared_result_may_show_its_boards_two_by_two() -> None:
    player = Player("quordle").say("CRANE *", "SLATE *", "SMITE *")
    player.say(
        "Daily Quordle 12\n2️⃣3️⃣\n1️⃣🟥\n"
        "⬛⬛🟩⬛🟩 ⬛⬛⬛⬛🟩\n🟩🟩🟩🟩🟩 🟩⬛⬛🟩🟩\n⬛⬛⬛⬛⬛ 🟩🟩🟩🟩🟩\n\n"
        "🟩🟩🟩🟩🟩 ⬛⬛⬛⬛🟩\n⬛⬛⬛⬛⬛ 🟩⬛⬛🟩🟩\n⬜⬜⬜⬜⬜ 🟩🟩🟩🟩🟩\n"
    )
    assert player.rows == [
        "CRANE ..G.G ....G GGGGG ....G",
        "SLATE GGGGG G..GG * G..GG",
        "SMITE * GGGGG * GGGGG",
    ]


@pytest.mark.parametrize(
    "text", ["⬛⬛🟩⬛🟩 ⬛⬛⬛⬛\n⬛⬛🟩⬛🟩 ⬛⬛⬛⬛🟩", "⬛⬛🟩⬛🟩\n\n⬛⬛🟩⬛🟩"]
)
def test_squares_that_are_not_of_the_boards_are_one_line(text: str) -> None:
    player = Player("dordle").say("CRANE *", "SLATE *", text)
    assert player.rows == ["CRANE * *", "SLATE * *"]


def test_arrows_are_shared_where_the_rule_has_them() -> None:
    player = Player("peaks").say("CRANE *", "Word Peaks #12 X/6\n🔼🔽🟩🔼🔼")
    assert player.rows == ["CRANE ><=>>"]


def test_counts_have_no_shared_results() -> None:
    player = Player("mastermind").say("RGBY *", "x y\n🟩🟩🟩🟩")
    assert player.rows == ["RGBY *"]
