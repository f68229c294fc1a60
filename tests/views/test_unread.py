"""Which unread mark is worth solving next: as it is typed, asked for, printed and kept as JSON."""

import json
from collections.abc import Callable
from typing import Any

import puzzlehunt
from player import Player
from puzzlehunt.session.outcomes import UnreadRanked

Program = Callable[..., Any]


def test_the_next_mark_changes_with_what_is_read() -> None:
    player = Player("heart-2018").say("/edit 24 BRRR_", "/next 1")
    assert player.out.splitlines()[1].split()[1] != "PRATE"
    (outcome,) = player.outcomes
    assert isinstance(outcome, UnreadRanked)
    assert outcome.limit == 1


def test_marks_of_several_boards_name_their_board_in_forty_columns() -> None:
    player = Player("dordle").say("CRANE G_.__ .....", "SLOTH * *").say("/next 9")
    header, *rows = player.out.splitlines()
    assert header.split() == ["row", "board", "tile", "mark", "all"]
    assert {row.split()[3] for row in rows if row.startswith("2. SLOTH *")} == {"1", "2"}
    assert all(len(line) <= 40 for line in player.out.splitlines())


# On the command line.


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


def test_rows_that_contradict_each_other_end_with_status_1(run: Program) -> None:
    done = run("suggest", "4x6", "-t", "AAAA BBB", "-t", "BBBB BB", "--unread", "--json")
    assert done.status == 1
    answer = json.loads(done.out)
    assert (answer["count"], answer["unread"]) == (0, [])


def test_a_guess_and_the_marks_are_not_asked_for_at_once(run: Program) -> None:
    done = run("suggest", "4x6", "--unread", "--try", "AABB")
    assert (done.status, done.out) == (2, "")


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
