"""Which unread mark is worth solving next: as it is typed, asked for, printed and kept as JSON."""

import json
from collections.abc import Callable
from typing import Any

import pytest

import puzzlehunt
from player import Player
from puzzlehunt.session.outcomes import UnreadRanked

Program = Callable[..., Any]


def test_next_ranks_the_unread_marks_of_the_rows() -> None:
    player = Player("heart-2018").say("/next")
    header, *rows = player.out.splitlines()
    assert header.split() == ["row", "mark", "all"]
    assert rows[0].split() == ["24.", "PRATE", "BR___", "0.68", "2.53"]
    assert len(rows) == 5
    assert player.notes == "(bits expected of one mark, and of all)\n"
    assert all(len(line) <= 40 for line in player.out.splitlines())


def test_next_lists_as_many_marks_as_asked_for() -> None:
    player = Player("heart-2018")
    assert len(player.say("/next 3").out.splitlines()) == 4
    assert len(player.say("/next 99").out.splitlines()) == 27
    assert "expected a number above 0" in player.say("/next 0").notes


def test_the_next_mark_changes_with_what_is_read() -> None:
    player = Player("heart-2018").say("/edit 24 BRRR_", "/next 1")
    assert player.out.splitlines()[1].split()[1] != "PRATE"
    (outcome,) = player.outcomes
    assert isinstance(outcome, UnreadRanked)
    assert outcome.limit == 1


def test_tiles_are_named_by_position_and_symbol() -> None:
    player = Player("wordle").say("CRANE G_.__").say("/next 2")
    header, first, second = player.out.splitlines()
    assert header.split() == ["row", "tile", "mark", "all"]
    assert first.split()[:5] == ["1.", "CRANE", "G_.__", "2", "R"]
    assert second.split()[3:5] == ["5", "E"]


def test_marks_of_several_boards_name_their_board_in_forty_columns() -> None:
    player = Player("dordle").say("CRANE G_.__ .....", "SLOTH * *").say("/next 9")
    header, *rows = player.out.splitlines()
    assert header.split() == ["row", "board", "tile", "mark", "all"]
    assert {row.split()[3] for row in rows if row.startswith("2. SLOTH *")} == {"1", "2"}
    assert all(len(line) <= 40 for line in player.out.splitlines())


@pytest.mark.parametrize("row", ["RRGG BW", "RRRR BB", ""])
def test_where_no_mark_would_tell_anything_one_line_says_so(row: str) -> None:
    player = Player("mastermind").say(row).say("/next")
    assert (player.out, player.notes) == ("", "no unread mark would tell anything\n")


def test_a_standing_contradiction_is_told_instead() -> None:
    player = Player("mastermind").say("RRRR BBB", "GGGG BB", "/next")
    assert "Nothing fits" in player.out


def test_after_a_win_nothing_is_ranked() -> None:
    player = Player("mastermind").say("RRGG [BW]", "RGBY won").say("/next")
    assert "mark" not in player.out.splitlines()[0]


# On the command line.


def test_suggest_unread_prints_the_same_table(run: Program) -> None:
    done = run("suggest", "heart-2018", "--unread", "--top", "3")
    assert done.status == 0
    assert done.out == Player("heart-2018").say("/next 3").out


def test_suggest_unread_prints_its_keys(run: Program) -> None:
    answer = json.loads(run("suggest", "heart-2018", "--unread", "--top", "1", "--json").out)
    assert (answer["count"], answer["exact"]) == (47, True)
    (mark,) = answer["unread"]
    assert (mark["turn"], mark["guess"], mark["clue"], mark["marks"]) == (24, "PRATE", "BR___", 3)
    assert 0 < mark["bits"] < mark["all_bits"]
    assert {"position", "board"}.isdisjoint(mark)


def test_positions_and_boards_count_from_1_in_json(run: Program) -> None:
    rows = ("-t", "CRANE G_.__ .....")
    answer = json.loads(run("suggest", "dordle", *rows, "--unread", "--json").out)
    assert [(mark["board"], mark["position"]) for mark in answer["unread"]] == [
        (1, 5),
        (1, 2),
        (1, 4),
    ]


def test_a_sample_is_said_to_be_one(run: Program) -> None:
    rows = ("-t", "ABCDEFABCD BBWW[BW]")
    assert "from a sample of" in run("suggest", "10x6", *rows, "--unread").err


def test_rows_that_contradict_each_other_end_with_status_1(run: Program) -> None:
    done = run("suggest", "4x6", "-t", "AAAA BBB", "-t", "BBBB BB", "--unread", "--json")
    assert done.status == 1
    answer = json.loads(done.out)
    assert (answer["count"], answer["unread"]) == (0, [])


def test_a_guess_and_the_marks_are_not_asked_for_at_once(run: Program) -> None:
    done = run("suggest", "4x6", "--unread", "--try", "AABB")
    assert (done.status, done.out) == (2, "")
    assert "ask for one of them" in done.err


# In the library, and in notebooks.


def test_a_notebook_shows_the_ranking() -> None:
    game = puzzlehunt.load("heart-2018")
    engine = puzzlehunt.open_engine(game)
    engine.follow(game.history)
    shown = puzzlehunt.unread_marks(engine)._repr_html_()
    assert "24. PRATE BR___" in shown
    assert "<table>" in shown


def test_a_notebook_says_where_nothing_is_unread() -> None:
    engine = puzzlehunt.open_engine(puzzlehunt.load("4x6"))
    assert "no unread mark" in puzzlehunt.unread_marks(engine)._repr_html_()
