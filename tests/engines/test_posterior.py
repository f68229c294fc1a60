import math
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bayes import Bayes, Notes
from puzzlehunt.engines.base import open_engine
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.errors import ImpossibleClueError
from puzzlehunt.game.files import gamefile
from random_games import game_of, noisy_game

seeds = st.integers(0, 100_000)


def followed(game, history=None):
    engine = ExplicitEngine(game)
    engine.follow(game.history if history is None else history)
    return engine


# Rates that are learned.


def moments(game):
    """The weights of all secrets, and the means of each learned rate and of its square.

    All rates are integrated by the rule of Gauss, which is exact here: what is integrated is a
    polynomial, of which the Beta densities are a part.
    """
    told = game.channel.reads
    learned = [kind for kind, rate in enumerate(told) if rate.learned]
    nodes, shares = np.polynomial.legendre.leggauss(10)
    texts = []
    for turn in game.history.turns:
        noted = Notes(game, turn.code, [0.5 if rate.learned else rate.mean for rate in told])
        rows = {text for feedback in noted.answers for text in noted.row(feedback)}
        texts.append([text for text in rows if noted.clue(text) == turn.clue])
    prior = np.array([float(Bayes(game).prior(s)) for s in game.secrets])
    weights, means = np.zeros(game.secrets.size), np.zeros((len(learned), 2))
    for places in product(range(len(nodes)), repeat=len(learned)):
        rates = [rate.mean for rate in told]
        share = 1.0
        for kind, place in zip(learned, places, strict=True):
            rates[kind] = x = (nodes[place] + 1) / 2
            a, b = told[kind].beta
            beta = math.gamma(a + b) / math.gamma(a) / math.gamma(b)
            share *= shares[place] / 2 * beta * x ** (a - 1) * (1 - x) ** (b - 1)
        likely = share * prior
        for turn, same in zip(game.history.turns, texts, strict=True):
            noted = Notes(game, turn.code, rates)
            of = {f: sum(noted.row(f).get(text, 0.0) for text in same) for f in noted.answers}
            likely *= [of[tuple(game.score(turn.code, secret))] for secret in game.secrets]
        weights += likely
        learned_now = np.array([rates[kind] for kind in learned])
        means += likely.sum() * np.array([learned_now, learned_now**2]).T
    return learned, weights, means / (weights.sum() or 1.0)


@pytest.mark.parametrize("rows", [1, 2, 3])
@given(seeds)
@settings(max_examples=4)
def test_learned_rates_are_integrated_over_all_rows_at_once(rows, seed):
    game = noisy_game(seed, "learn", rows=rows)
    assume(game.history.turns and sum(rate.learned for rate in game.channel.reads) < 3)
    learned, weights, means = moments(game)
    posterior = followed(game).posterior
    expected = weights / (weights.sum() or 1.0)
    assert posterior.probabilities.tolist() == pytest.approx(expected.tolist(), rel=1e-8, abs=1e-13)
    for kind, (mean, square) in zip(learned, means, strict=True):
        rate, spread = posterior.rates[kind]
        if weights.sum():
            assert rate.mean == pytest.approx(mean)
            assert spread == pytest.approx(math.sqrt(square - mean**2), rel=1e-5)


# Logic is what is left where nothing is a matter of chance.


def test_many_unlikely_rows_keep_exact_ratios():
    value = {"secret": {"symbols": "ABC", "length": "2"}, "marks": {"miss": "R"}}
    reads = {"black": "0.001", "white": "0.002", "miss": "0.003", "misread": "0"}
    game = game_of({**value, "reads": reads})
    turns = [game.turn(f"A{'BC'[n % 2]} R_") for n in range(300)]
    posterior = followed(game, turns).posterior
    logs = dict(zip(game.secrets, posterior.logs, strict=True))
    read, unread = math.log(0.003), {"B": 0.999, "W": 0.998, "R": 0.997}
    both = 300 * (read + math.log(2 * unread["R"]))
    one_black = 300 * (read + math.log(unread["B"]))
    assert posterior.logs.max() < -700
    assert logs[(0, 0)] == pytest.approx(one_black, rel=1e-12)
    assert logs[(1, 1)] == pytest.approx(150 * (read + math.log(unread["B"])) + both / 2, rel=1e-12)
    assert sum(posterior.probabilities) == pytest.approx(1)
    ratio = math.exp(logs[(0, 0)] - logs[(1, 1)])
    found = dict(zip(game.secrets, posterior.probabilities, strict=True))
    assert found[(0, 0)] / found[(1, 1)] == pytest.approx(ratio, rel=1e-9)


# What is possible, and what is not.


def test_more_rows_than_a_byte_counts_are_counted():
    secret = {"symbols": "ABC", "length": "2"}
    game = game_of({"secret": secret, "rule": "matches", "lies": {"at_most": "300"}})
    engine = followed(game, [game.turn("AB 1")] * 300)
    assert (2, 2) in list(engine.candidates().codes)
    engine.push("AB 1")
    assert list(engine.candidates().codes) == [(0, 0), (0, 2), (1, 1), (2, 1)]


def test_what_wins_is_no_lie():
    engine = followed(gamefile.load("fibble", ["facts=['CRA[TVZ]E']", "turns=[CRANE GGGG_]"]))
    assert list(engine.candidates().codes) == []
    assert max(engine.posterior.logs) == -math.inf


def test_an_answer_that_is_not_known_yet_says_nothing():
    """Every mark is read, and so nothing unread could be an answer."""
    game = game_of({"secret": {"symbols": "AB", "length": "2"}, "reads": "1", "turns": ["AB"]})
    for name in ("explicit", "symbolic"):
        assert list(open_engine(game, name).candidates().codes) == [(0, 0), (1, 0), (1, 1)]


@pytest.mark.parametrize("clue", ["1 0", "B_"])
def test_a_mark_that_is_never_read_is_refused(clue):
    game = gamefile.load("mastermind", ["reads={black: 0}"])
    with pytest.raises(ImpossibleClueError, match="given the game's lies and rates"):
        game.turn(f"RRGG {clue}")
    assert game.turn("RRGG 1w")
    assert game.turn("RRGG 0-1b")


def test_candidates_too_unlikely_for_a_number_are_weighed_as_without_clues():
    reads = {"black": "1e-300", "white": "1", "miss": "1", "misread": "0.3"}
    value = {"secret": {"symbols": "ABCD", "length": "3"}, "marks": {"miss": "R"}, "reads": reads}
    engine = followed(game_of({**value, "turns": ["ABB BRR", "ACC BRR", "ADD BRR"]}))
    assert engine.likeliest(2) == [((0, 0, 0), 0.0)]
    assert engine.weights() is None
