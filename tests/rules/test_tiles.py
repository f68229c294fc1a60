"""Clues of one mark a tile: how they are written, and the sequence of all feedbacks."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notations import TILES
from puzzlehunt.rules.marks import MarksRule
from puzzlehunt.rules.notation.tiles import (
    SQUARES,
    TileFeedbacks,
    TileNotation,
    only_squares,
)

notations = st.sampled_from([*TILES.values()])


# How the marks of one tile are written.


def test_a_mark_of_the_game_comes_before_what_it_means_elsewhere():
    rule = MarksRule(3, 26, marks={"right": "b", "elsewhere": "x", "absent": "-"})
    assert [*rule.parse("bx-", (0, 1, 2))] == [(2, 1, 0)]


@pytest.mark.parametrize("square", SQUARES)
def test_every_square_is_a_mark_in_every_game(square):
    for notation in TILES.values():
        assert notation.parse(f"{square}\ufe0f", 1).cells == ((SQUARES[square],),)


# What is refused.


@pytest.mark.parametrize("mark", ["", "GG", " ", "1", "*", "[", "]", "?", "/", "#", ",", ";", "|"])
def test_what_cannot_be_a_mark_is_refused(mark):
    with pytest.raises(ValueError, match="cannot be a mark: it must be one letter or sign"):
        TileNotation(("a", "b", "c"), (".", "Y", mark), "_", {})
    with pytest.raises(ValueError, match="cannot be a mark"):
        TileNotation(("a", "b", "c"), (".", "Y", "G"), mark, {})


def test_marks_and_names_that_stand_for_two_things_are_refused():
    with pytest.raises(ValueError, match="the mark 'y' stands for c and b"):
        TileNotation(("a", "b", "c"), (".", "y", "Y"), "_", {})
    with pytest.raises(ValueError, match=r"the mark '\.' stands for"):
        TileNotation(("a", "b", "c"), (".", "Y", "G"), ".", {})
    with pytest.raises(ValueError, match=r"the name .* stands for two kinds of marks"):
        TileNotation(("a", "b", "a"), (".", "Y", "G"), "_", {})


# What holds for every clue.


@given(notations, st.lists(st.integers(0, 2), min_size=1, max_size=8).map(tuple))
def test_an_answer_read_in_full_admits_itself_alone(notation, feedback):
    clue = notation.full_clue(feedback)
    assert list(clue) == [feedback]
    assert notation.parse("".join(map(str, feedback)), len(feedback)) == clue


# Rows of squares in shared results.


@pytest.mark.parametrize(
    ("line", "squares"),
    [
        ("🟩🟨⬛⬛🟩", "🟩🟨⬛⬛🟩"),
        (" ⬛️⬜️🟧🟦 ", "⬛⬜🟧🟦"),
        ("🟩🟨 ⬛⬛", "🟩🟨⬛⬛"),
        ("Wordle 812 4/6", None),
        ("🟩🟨⬛⬛🟩 1", None),
        ("GY..G", None),
        ("", None),
    ],
)
def test_a_line_of_squares_and_nothing_else_is_told_apart(line, squares):
    assert only_squares(line) == squares


# All feedbacks, as a sequence that is never listed.


@pytest.mark.parametrize("tiles", [0, 1, 2, 3, 5])
def test_feedbacks_are_all_rows_of_digits_in_ascending_order(tiles):
    every = list(product(range(3), repeat=tiles))
    feedbacks = TileFeedbacks(tiles)
    assert len(feedbacks) == len(every)
    assert list(feedbacks) == every
    assert list(reversed(feedbacks)) == every[::-1]
    assert [feedbacks[place] for place in range(-len(every), len(every))] == every * 2
    assert [feedbacks.index(feedback) for feedback in every] == list(range(len(every)))
    assert all(feedback in feedbacks for feedback in every)


@given(st.slices(27))
def test_slices_of_feedbacks_are_those_of_a_list(some):
    feedbacks = TileFeedbacks(3)
    assert feedbacks[some] == list(feedbacks)[some]


@pytest.mark.parametrize("place", [9, -10, 100])
def test_there_is_no_feedback_beyond_the_ends(place):
    with pytest.raises(IndexError):
        TileFeedbacks(2)[place]


@pytest.mark.parametrize("value", [(2,), (2, 1, 0), (0, 3), (0, -1), "00", None])
def test_what_is_no_feedback_has_no_place(value):
    feedbacks = TileFeedbacks(2)
    assert value not in feedbacks
    with pytest.raises(ValueError, match="is no feedback here"):
        feedbacks.index(value)


def test_a_feedback_is_looked_for_between_two_places():
    feedbacks = TileFeedbacks(2)
    assert feedbacks.index((1, 0), 3) == feedbacks.index((1, 0), 0, 4) == 3
    assert feedbacks.index((1, 0), -6, -5) == 3
    for start, stop in [(4, None), (0, 3), (-5, None)]:
        with pytest.raises(ValueError, match="is no feedback here"):
            feedbacks.index((1, 0), start, stop)


def test_feedbacks_of_many_tiles_are_not_listed():
    feedbacks = TileFeedbacks(39)
    last = (2,) * 39
    assert len(feedbacks) == 3**39
    assert feedbacks.index(last) == 3**39 - 1
    assert feedbacks[-1] == feedbacks[3**39 - 1] == last
    assert last in feedbacks
