import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bayes import Bayes
from puzzlehunt.channel.model import Channel, Lies
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.errors import ImpossibleClueError
from puzzlehunt.game.files import gamefile

seeds = st.integers(0, 100_000)


def followed(game, history=None):
    engine = ExplicitEngine(game)
    engine.follow(game.history if history is None else history)
    return engine


# The posterior is the prior times how likely all rows are, if a secret is the right one.


@pytest.mark.parametrize("doubt", [0.2, 0.5, 0.99])
def test_a_doubt_is_how_likely_the_row_is_to_say_just_anything(game_of, doubt):
    game = game_of("{secret: {symbols: ABC, length: 2}}")
    turn = replace(game.parse_turn("AB W"), doubt=doubt)
    probability = dict(
        zip(game.secrets, followed(game, [turn]).posterior.probabilities, strict=True)
    )
    told, not_told = (0, 2), (2, 2)
    ratio = (1 - doubt + doubt / 6) / (doubt / 6)
    assert probability[(2, 0)] == pytest.approx(probability[not_told] * ratio)
    assert probability[told] == pytest.approx(probability[not_told])
    assert probability[(0, 1)] == 0


def test_a_doubted_win_leaves_the_others_possible(game_of):
    game = game_of("{secret: {symbols: ABC, length: 2}, turns: [AB won ?40%]}")
    probability = dict(zip(game.secrets, followed(game).posterior.probabilities, strict=True))
    anything = 0.4 / 6
    assert probability[(0, 1)] == pytest.approx((0.6 + anything) / (0.6 + 9 * anything))
    assert probability[(2, 2)] == pytest.approx(anything / (0.6 + 9 * anything))


# Rates that are learned.


def moments(game, notes):
    """The weights of all secrets, and the means of each learned rate and of its square.

    All rates are integrated by the rule of Gauss, which is exact here: what is integrated is a
    polynomial, of which the Beta densities are a part.
    """
    told = game.channel.reads
    learned = [kind for kind, rate in enumerate(told) if rate.learned]
    nodes, shares = np.polynomial.legendre.leggauss(10)
    texts = []
    for turn in game.history.turns:
        noted = notes(game, turn.guess, [0.5 if rate.learned else rate.mean for rate in told])
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
            noted = notes(game, turn.guess, rates)
            of = {f: sum(noted.row(f).get(text, 0.0) for text in same) for f in noted.answers}
            likely *= [of[tuple(game.score(turn.guess, secret))] for secret in game.secrets]
        weights += likely
        learned_now = np.array([rates[kind] for kind in learned])
        means += likely.sum() * np.array([learned_now, learned_now**2]).T
    return learned, weights, means / (weights.sum() or 1.0)


@given(seeds)
@settings(max_examples=6)
def test_learned_rates_are_integrated_over_all_rows_at_once(noisy_game, notes, seed):
    game = noisy_game(seed, "learn", rows=2)
    assume(game.history.turns and sum(rate.learned for rate in game.channel.reads) < 3)
    learned, weights, means = moments(game, notes)
    posterior = followed(game).posterior
    expected = weights / (weights.sum() or 1.0)
    assert posterior.probabilities.tolist() == pytest.approx(expected.tolist(), rel=1e-8, abs=1e-13)
    for kind, (mean, square) in zip(learned, means, strict=True):
        rate, spread = posterior.rates[kind]
        if weights.sum():
            assert rate.mean == pytest.approx(mean)
            assert spread == pytest.approx(math.sqrt(square - mean**2), rel=1e-5)


def test_what_is_learned_is_the_same_in_whatever_order_rows_came(noisy_game):
    game = noisy_game(3, "learn", rows=4)
    turns = list(game.history.turns)
    assert len(turns) > 2
    there, back = followed(game, turns).posterior, followed(game, turns[::-1]).posterior
    assert there.probabilities.tolist() == pytest.approx(back.probabilities.tolist())
    assert [rate.mean for rate, _ in there.rates] == pytest.approx([r.mean for r, _ in back.rates])


def test_where_marks_are_often_read_an_unread_mark_is_one_that_seldom_is(game_of):
    shape = {"secret": {"symbols": "ABC", "length": "3"}, "marks": {"miss": "R"}}
    rows = ["AAA RRR", "AAB RRR", "BBA RR_"]
    seldom = game_of({**shape, "reads": "learn", "turns": [*rows, "BBC R__"]})
    learned = dict(zip(("black", "white", "miss"), followed(seldom).posterior.rates, strict=True))
    assert learned["miss"][0].mean > 0.7 > learned["black"][0].mean
    assert learned["miss"][0].pseudo_count > learned["black"][0].pseudo_count


def test_a_row_is_nearly_as_suspect_as_if_the_learned_rates_were_stated():
    learning = gamefile.load("heart-2018", ["reads=learn"])
    posterior = followed(learning).posterior
    kinds = zip(("black", "white", "miss"), posterior.rates, strict=True)
    stated = ", ".join(f"{kind}: {rate.mean}" for kind, (rate, _) in kinds)
    known = followed(gamefile.load("heart-2018", [f"reads={{{stated}}}"])).posterior
    assert posterior.wrong.tolist() == pytest.approx(known.wrong.tolist(), abs=0.09)
    assert posterior.wrong.max() < 0.1


# Logic is what is left where nothing is a matter of chance.


def test_many_unlikely_rows_keep_exact_ratios(game_of):
    value = {"secret": {"symbols": "ABC", "length": "2"}, "marks": {"miss": "R"}}
    reads = {"black": "0.001", "white": "0.002", "miss": "0.003", "misread": "0"}
    game = game_of({**value, "reads": reads})
    turns = [game.parse_turn(f"A{'BC'[n % 2]} R_") for n in range(300)]
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


def test_weights_of_words_count_among_the_candidates_alone(game_of):
    game = game_of("{secret: {words: [AB 4, AC 3, BC 2, CC 1]}, turns: [AA 1b]}")
    chances = followed(game).likeliest(5)
    assert chances == [((0, 1), pytest.approx(4 / 7)), ((0, 2), pytest.approx(3 / 7))]


def test_a_row_that_is_a_lie_is_forgiven_once(game_of):
    value = {"secret": {"symbols": "ABC", "length": "2"}, "lies": {"at_most": "1"}}
    engine = followed(game_of({**value, "turns": ["AB none", "AC none"]}))
    assert list(engine.candidates()) == [(1, 1), (2, 2)]
    assert engine.posterior.wrong.tolist() == pytest.approx([0.5, 0.5])


def test_more_rows_than_a_byte_counts_are_counted(game_of):
    secret = {"symbols": "ABC", "length": "2"}
    game = game_of({"secret": secret, "rule": "matches", "lies": {"at_most": "300"}})
    engine = followed(game, [game.parse_turn("AB 1")] * 300)
    assert (2, 2) in list(engine.candidates())
    engine.push("AB 1")
    assert list(engine.candidates()) == [(0, 0), (0, 2), (1, 1), (2, 1)]


def test_lies_by_chance_rule_out_no_more_than_the_guess(game_of):
    value = {"secret": {"symbols": "ABC", "length": "2"}, "lies": {"chance": "0.2"}}
    game = game_of({**value, "turns": ["AB none", "CC W"]})
    assert set(game.secrets) - {*followed(game).candidates()} == {(0, 1), (2, 2)}
    assert game.channel == Channel(lies=Lies(chance=0.2))


def test_what_wins_is_no_lie():
    engine = followed(gamefile.load("fibble", ["facts=['CRA[TVZ]E']", "turns=[CRANE GGGG_]"]))
    assert list(engine.candidates()) == []
    assert max(engine.posterior.logs) == -math.inf


def test_an_answer_that_is_not_known_yet_says_nothing(game_of):
    """Every mark is read, and so nothing unread could be an answer."""
    game = game_of({"secret": {"symbols": "AB", "length": "2"}, "reads": "1", "turns": ["AB"]})
    for name in ("explicit", "symbolic"):
        assert list(open_engine(game, name).candidates()) == [(0, 0), (1, 0), (1, 1)]


@pytest.mark.parametrize("clue", ["1 0", "B_"])
def test_a_mark_that_is_never_read_is_refused(clue):
    game = gamefile.load("mastermind", ["reads={black: 0}"])
    with pytest.raises(ImpossibleClueError, match="even with the game's lies and rates"):
        game.parse_turn(f"RRGG {clue}")
    assert game.parse_turn("RRGG 1w")
    assert game.parse_turn("RRGG 0-1b")


def test_candidates_too_unlikely_for_a_number_are_weighed_as_without_clues(game_of):
    reads = {"black": "1e-300", "white": "1", "miss": "1", "misread": "0.3"}
    value = {"secret": {"symbols": "ABCD", "length": "3"}, "marks": {"miss": "R"}, "reads": reads}
    engine = followed(game_of({**value, "turns": ["ABB BRR", "ACC BRR", "ADD BRR"]}))
    assert engine.likeliest(2) == [((0, 0, 0), 0.0)]
    assert engine.weights() is None
