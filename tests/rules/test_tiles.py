"""Clues of one mark a tile: how they are written, and the sequence of all feedbacks."""

import pytest

from notations import TILES
from puzzlehunt.rules.built_in import MarksRule
from puzzlehunt.rules.notation.tiles import SQUARES, TileNotation

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
    with pytest.raises(ValueError, match="cannot be a mark: it m"):
        TileNotation(("a", "b", "c"), (".", "Y", mark), "_", {})
    with pytest.raises(ValueError, match="cannot be a mark"):
        TileNotation(("a", "b", "c"), (".", "Y", "G"), mark, {})
