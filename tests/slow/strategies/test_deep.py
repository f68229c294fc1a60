"""Lookahead: compiled and plain, and what it takes in whole games."""

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from lookaheads import lookaheads
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.document import dump, read_document
from puzzlehunt.lab import tournament
from puzzlehunt.strategies.deep import NEVER

pytestmark = pytest.mark.xdist_group("search")


def with_kernels(ahead):
    return replace(ahead, compiled=True)


@given(lookaheads())
@settings(max_examples=40)
def test_compiled_lookahead_finds_what_the_plain_one_finds(ahead):
    alive = np.arange(ahead.table.shape[1])
    guesses = np.arange(len(ahead.table))
    twin = with_kernels(ahead)
    for left in (2, 1000):
        assert (ahead.costs(alive, left) == twin.costs(alive, left)).all()
    assert (ahead.values(alive, guesses, NEVER) == twin.values(alive, guesses, NEVER)).all()


def document(value):
    return read_document(dump(value), "game.yaml", Path())


def test_mastermind_takes_nearly_as_few_guesses_as_any_play_can():
    game = gamefile.load("4x6", ["play.strategy=deep"])
    assert 5625 <= sum(n * times for n, times in tournament.run(game, "4x6").played.items()) <= 5640


def test_words_with_lists_of_their_usual_size_are_found_in_six():
    value = {
        "secret": {"words": "common", "length": "5"},
        "guess": {"words": "standard"},
        "rule": "marks",
        "play": {"attempts": "6"},
    }
    game = gamefile.build(document(value))
    assert game.play.strategy == "deep"
    words = random.Random(5).sample([game.format_code(code) for code in game.secrets], 1200)
    game = gamefile.build(document({**value, "secret": {"words": words, "length": "5"}}))
    played = tournament.run(game, "words").played
    assert played.total() == 1200
    assert max(played) <= 6
