"""Clues that one mark, or two, would change: all ways to change them are equally likely."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlehunt.game.files import gamefile
from random_games import game_of_seed

seeds = st.integers(0, 100_000)


@pytest.mark.parametrize(
    ("name", "row", "shares"),
    [
        ("cryptic", "HORSE BBWRR", {"_BWRR": 2 / 5, "BB_RR": 1 / 5, "BBW_R": 2 / 5}),
        ("cryptic", "HORSE BBB__", {"BB___": 1}),
        ("cryptic", "HORSE B[WR][WR]__", {"_[WR][WR]": 1 / 3, "B[WR]_": 2 / 3}),
        ("mastermind", "RRGG BBW", {"BW_": 2 / 3, "BB_": 1 / 3}),
        ("mastermind", "RRGG WWW", {"WW_": 1}),
    ],
)
def test_each_mark_that_was_read_is_as_likely_as_any_to_be_unread(name, row, shares):
    game = gamefile.load(name)
    turn = game.parse_turn(row)
    found = Counter()
    for share, clue in game.likelihood.rule.edits.erasures(turn.clue):
        found[clue] += share
    expected = {game.parse_clue(text, turn.guess): share for text, share in shares.items()}
    assert found == pytest.approx(expected)


@pytest.mark.parametrize("kind", ["repeats", "distinct", "words", "tunes", "halves"])
@given(seeds)
@settings(max_examples=15)
def test_shares_of_blurred_clues_add_up_to_one_where_a_mark_was_read(kind, seed):
    game = game_of_seed(seed, kind)
    for turn in game.history.turns:
        blurred = game.likelihood.rule.edits.erasures(turn.clue)
        assert all(share > 0 for share, _ in blurred)
        assert not blurred or sum(share for share, _ in blurred) == pytest.approx(1)
