"""Guesses about where a few symbols of a long code stand."""

import random
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlehunt.engines.sampling.placements import Question, find_placements, rows_left_out
from puzzlehunt.engines.sampling.sampler import Sampler
from puzzlehunt.engines.sampling.turn_arrays import FREE
from puzzlehunt.game.files import gamefile
from puzzlehunt.strategies.placing import Placer
from puzzlehunt.strategies.structured import Settler
from sampled_games import played_out, told_in_full


def asked(game, secret, guesses):
    """The turns of some guesses as arrays, and how often each symbol occurs."""
    items = [told_in_full(game, guess, secret) for guess in guesses]
    counts = np.array([secret.count(s) for s in range(len(game.secrets.alphabet))])
    return Sampler(game).turn_arrays(items), counts


def placements_of(code, shown):
    return tuple(symbol if symbol < shown else FREE for symbol in code)


@settings(max_examples=8, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(1, 3))
def test_all_placements_that_fit_are_met_and_no_others(rng, shown):
    game = gamefile.load("6x4")
    secret = game.secrets.random(rng)
    guesses = [tuple(rng.randrange(shown) for _ in range(6)) for _ in range(4)]
    turns, counts = asked(game, secret, guesses)
    question = Question.of(turns, counts, shown)
    found = find_placements(
        question, counts, np.full((1, 6), FREE), 6, np.random.default_rng(rng.randrange(99))
    )
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


def test_a_symbol_that_is_not_asked_about_may_be_in_place_as_often_as_it_occurs():
    game = gamefile.load("6x4")
    secret = (0, 0, 1, 1, 2, 3)
    turns, counts = asked(game, secret, [(0, 0, 0, 2, 2, 2), (0, 1, 2, 3, 0, 1)])
    question = Question.of(turns, counts, 1)
    # The first guess has one other symbol, which occurs once; the second has three.
    assert (question.low.tolist(), question.high.tolist()) == ([2], [3])
    assert rows_left_out(turns, counts, 1) == 1


def test_of_several_starts_the_wrong_ones_are_refuted():
    game = gamefile.load("6x4")
    secret = (0, 1, 2, 3, 2, 3)
    guesses = [(0, 1, 2, 2, 2, 2), (2, 2, 0, 2, 2, 1), (2, 0, 0, 1, 0, 2), (0, 2, 1, 2, 0, 2)]
    turns, counts = asked(game, secret, guesses)
    starts = np.array([[0, FREE, FREE, FREE, FREE, FREE], [FREE, FREE, FREE, FREE, FREE, 0]])
    question = Question.of(turns, counts, 3)
    found = find_placements(question, counts, starts, 4, np.random.default_rng(0))
    assert found.complete
    assert {row[0] for row in found.codes.tolist()} == {0}


def test_turns_that_nothing_fits_give_the_nearest_placements():
    game = gamefile.load("6x4")
    turns, counts = asked(game, (0, 0, 1, 1, 2, 3), [(0,) * 6, (0, 0, 0, 1, 1, 1)])
    counts = np.roll(counts, 1)  # 1, 2, 2, 1: the first guess now has one in place too many
    found = find_placements(
        Question.of(turns, counts, 2), counts, np.full((1, 6), FREE), 1, np.random.default_rng(0)
    )
    assert found.cost == 1
    assert not len(found.ends)
    assert (found.codes == 0).sum(axis=1).tolist() == [1] * len(found.codes)


def symbols_settled(game, secret):
    """The first rows of a game, by which it is known how often each symbol occurs."""
    settler, items = Settler(game), []
    while guess := settler.guess_for_symbols(items):
        items.append(told_in_full(game, guess, secret))
    return items


def test_a_guess_asks_about_a_few_symbols_and_is_the_same_in_a_new_process():
    game = gamefile.load("32x10")
    secret = game.secrets.random(random.Random(3))
    items = symbols_settled(game, secret)
    placer = Placer(Sampler(game))
    for _ in range(3):
        guess = placer.guess(items)
        assert guess == Placer(Sampler(game)).guess(items)
        assert len(set(guess)) < 8
        items.append(told_in_full(game, guess, secret))
    assert len({item.guess for item in items}) == len(items)


def test_where_rows_are_about_all_symbols_or_counts_are_not_known_there_is_no_guess():
    game = gamefile.load("32x10")
    rng = random.Random(4)
    secret = game.secrets.random(rng)
    items = symbols_settled(game, secret)
    assert Placer(Sampler(game)).guess(items[:-2]) is None
    fact = game.parse_fact(f"contains {game.format_code(secret)[0]}")
    assert Placer(Sampler(game)).guess([*items, fact]) is None
    items += [told_in_full(game, game.secrets.random(rng), secret) for _ in range(6)]
    assert Placer(Sampler(game)).guess(items) is None


@pytest.mark.slow
def test_long_codes_are_found_by_their_symbols():
    for number, most in ((1, 38), (2, 38)):
        guesses, _ = played_out("32x10", number, "play.strategy=entropy")
        assert guesses <= most
