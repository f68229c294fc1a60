"""Guesses about where a few symbols of a long code stand."""

import random
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlehunt.engines.sampling.placements import (
    PlacementQuery,
    PlacementSearch,
    with_others,
)
from puzzlehunt.engines.sampling.sampler import Sampler
from puzzlehunt.engines.sampling.turn_arrays import FREE
from puzzlehunt.game.files import gamefile
from puzzlehunt.strategies.probes.placement_probe import PlacementProbe
from sampled_games import asked, played_out, symbols_settled, told_in_full

EACH, NOTHING = np.arange(6), np.full((1, 6), FREE)
"""Each of six positions as a block of its own, and nothing placed there."""


def placements_of(code, shown):
    return tuple(symbol if symbol < shown else FREE for symbol in code)


@settings(max_examples=4, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(1, 3))
def test_all_placements_that_fit_are_met_and_no_others(rng, shown):
    game = gamefile.load("6x4")
    secret = game.secrets.random(rng)
    guesses = [tuple(rng.randrange(shown) for _ in range(6)) for _ in range(4)]
    turns, counts = asked(game, secret, guesses)
    question = PlacementQuery.of_symbols(turns, counts, shown, EACH)
    starts = with_others(NOTHING, counts, shown)
    cells, seeded = np.zeros((1, 6), dtype=int), np.random.default_rng(rng.randrange(99))
    found = PlacementSearch(question, starts, cells, seeded).placements(3)
    fitting = {
        placements_of(code, shown)
        for code in product(range(4), repeat=6)
        if sorted(code) == sorted(secret)
        and all(game.score(guess, code)[0] == game.score(guess, secret)[0] for guess in guesses)
    }
    assert found.cost == 0
    assert set(map(tuple, found.codes.tolist())) <= fitting
    assert set(map(tuple, found.ends.tolist())) <= set(map(tuple, found.codes.tolist()))
    if found.complete:
        assert set(map(tuple, found.ends.tolist())) == fitting


@settings(max_examples=3, deadline=None)
@given(st.randoms(use_true_random=False))
def test_placements_in_blocks_are_told_apart_by_blocks_alone(rng):
    game, blocks = gamefile.load("6x4"), np.array([0, 0, 1, 1, 2, 2])
    secret = game.secrets.random(rng)
    in_blocks = [tuple(np.array([rng.randrange(4) for _ in range(3)])[blocks]) for _ in range(3)]
    guesses = [tuple(map(int, guess)) for guess in in_blocks]
    turns, counts = asked(game, secret, [*guesses, (0, 1, 2, 3, 0, 1)])
    question = PlacementQuery.of_symbols(turns, counts, 4, blocks)
    assert len(question.low) == 3
    starts, cells = with_others(NOTHING, counts, 4), np.zeros((1, 6), dtype=int)
    found = PlacementSearch(
        question, starts, cells, np.random.default_rng(rng.randrange(99))
    ).placements(3)
    fitting = {
        tuple(symbol for block in range(3) for symbol in sorted(code[2 * block : 2 * block + 2]))
        for code in product(range(4), repeat=6)
        if sorted(code) == sorted(secret)
        and all(game.score(guess, code)[0] == game.score(guess, secret)[0] for guess in guesses)
    }
    assert set(map(tuple, found.ends.tolist())) <= fitting
    if found.complete:
        assert set(map(tuple, found.ends.tolist())) == fitting


IN_ORDER, SHIFTED = tuple(range(5)) * 4, (1, 2, 3, 4, 0) * 4


def test_turns_that_nothing_fits_give_the_nearest_placements():
    game = gamefile.load("6x4")
    turns, counts = asked(game, (0, 0, 1, 1, 2, 3), [(0,) * 6, (0, 0, 0, 1, 1, 1)])
    counts = np.roll(counts, 1)  # 1, 2, 2, 1: the first guess now has one in place too many
    question = PlacementQuery.of_symbols(turns, counts, 2, EACH)
    starts, cells = with_others(NOTHING, counts, 2), np.zeros((1, 6), dtype=int)
    found = PlacementSearch(question, starts, cells, np.random.default_rng(0)).placements(1)
    assert found.cost == 1
    assert not len(found.ends)
    assert (found.codes == 0).sum(axis=1).tolist() == [1] * len(found.codes)


def test_a_guess_asks_about_a_few_symbols_and_is_the_same_in_a_new_process():
    game = gamefile.load("32x10")
    secret = game.secrets.random(random.Random(3))
    items = symbols_settled(game, secret)
    placer = PlacementProbe(Sampler(game))
    for _ in range(3):
        guess = placer.guess(items)
        assert guess == PlacementProbe(Sampler(game)).guess(items)
        assert len(set(guess)) < 8
        items.append(told_in_full(game, guess, secret))
    assert len({item.guess for item in items}) == len(items)


@pytest.mark.slow
def test_long_codes_are_found_by_their_symbols():
    guesses, _ = played_out("32x10", 1, "play.strategy=entropy")
    assert guesses <= 38
