"""Rows that may lie, and doubted rows, as logic takes them: the engines, the export, and costs.

Held against a brute force that shares no code with the channel.
"""

import random
import re
from itertools import combinations

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from lying_games import (
    ENGINES,
    LIES,
    brute_force,
    check_candidates,
    every_lie,
    few,
    fewer,
    seeds,
    some_lies,
)
from puzzlehunt.channel.model import prior_of_lies
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.engines.sampling.annealing import anneal
from puzzlehunt.engines.smtlib import Encoding, read_model, script
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.history import History, Turn
from random_games import short_searches
from script_answers import answer_of_cvc5, answer_of_z3

# Candidates.


@every_lie
@given(seeds)
@settings(max_examples=1)
def test_engines_and_brute_force_agree_where_rows_lie(lying_game, lies, seed):
    check_candidates(lying_game(seed, lies))


@some_lies
@given(seeds, st.data())
@few
def test_any_subset_of_rows_that_lie_can_be_asked_for(lying_game, lies, seed, data):
    game = lying_game(seed, lies)
    engines = [open_engine(game, name) for name in ENGINES]
    places = st.sets(st.integers(0, len(game.history) - 1))
    for chosen in data.draw(st.lists(places, min_size=1, max_size=4)):
        asked = sorted(chosen)
        expected = bool(brute_force(game, [game.history.items[place] for place in asked]))
        assert [engine.satisfiable(asked) for engine in engines] == [expected] * len(engines)


@some_lies
@given(seeds, st.integers(1, 12))
@fewer
def test_samples_are_candidates_where_rows_lie(lying_game, lies, seed, size):
    game = lying_game(seed, lies)
    expected = brute_force(game)
    with short_searches():
        samples = [open_engine(game, name).sample(size, random.Random(seed)) for name in ENGINES]
    for sample in samples:
        assert set(sample.codes) <= set(expected)
        assert bool(sample.codes) == bool(expected)
        if sample.complete:
            assert list(sample.codes) == expected


@given(seeds)
@fewer
def test_local_search_forgives_as_many_rows_as_may_lie(lying_game, seed):
    game = lying_game(seed, LIES["one row"], "repeats", "distinct", "tunes")
    expected = brute_force(game)
    items, rng = game.history.items, random.Random(seed)
    assert anneal(game, items, max(1, len(expected)), rng) == set(expected)


def test_a_huge_space_is_sampled_where_rows_lie():
    game = gamefile.load("16x6", ["lies={at_most: 2}"])
    engine, rng = open_engine(game, "symbolic"), random.Random(4)
    secret = game.secrets.random(rng)
    for place in range(6):
        guess = game.secrets.random(rng)
        about = game.secrets.random(rng) if place in (1, 3) else secret
        engine.push(Turn(guess, game.rule.notation.full_clue(game.score(guess, about), guess)))
    assert engine.satisfiable()
    sample = engine.sample(10, random.Random(0))
    assert len(sample.codes) == 10
    assert all(game.fits(History(engine.items), code) for code in sample.codes)


# The script.


@some_lies
@pytest.mark.parametrize("run", [answer_of_z3, answer_of_cvc5], ids=["z3", "cvc5"])
@given(seeds)
@few
def test_solvers_answer_a_script_of_rows_that_lie(lying_game, run, lies, seed):
    game = lying_game(seed, lies)
    expected = brute_force(game)
    answer = run(script(game, game.history))
    assert answer.split()[0] == ("sat" if expected else "unsat")
    code = read_model(game, answer)
    assert code in expected if expected else code is None
    assert code is None or game.fits(game.history, code)


@some_lies
@given(seeds)
@few
def test_a_script_of_rows_that_lie_admits_the_candidates_and_no_others(lying_game, lies, seed):
    game = lying_game(seed, lies)
    solver = z3.Solver(ctx=z3.Context())
    solver.from_string(script(game, game.history))
    names = [[node.symbol_name() for node in row] for row in Encoding(game).position_booleans]
    expected = set(brute_force(game))
    for secret in list(game.secrets)[:40]:
        places = [z3.Bool(names[p][s], solver.ctx) for p, s in enumerate(secret)]
        assert (solver.check(places) == z3.sat) == (secret in expected)


def test_a_script_says_which_rows_may_lie_and_how_many(game_of):
    game = game_of(
        "{secret: {symbols: AB, length: 2}, lies: {at_most: 1},"
        " turns: [AA B, AB W ?, 'BA *', AB won], facts: [contains A]}"
    )
    text = script(game, game.history)
    assert re.findall(r"^\(declare-const (lie_\d) Bool\)$", text, re.MULTILINE) == [
        "lie_1",
        "lie_3",
    ]
    assert "\n; lie_N: turn N lies; 1 does at most.\n(assert (! (<= (+ (ite lie_1 1 0)" in text
    assert "lie" not in script(gamefile.load("4x6"), History())


def test_a_model_that_breaks_more_rows_than_may_lie_is_refused(run):
    rows = ("-t", "RRRR BBB ?", "-t", "RRGG none", "-t", "BBYY none")
    model = " ".join(f"(define-fun p{n}_{s} () Bool true)" for n, s in enumerate("RRBB", start=1))
    told = run("export", "liar", *rows, "--read", "-", stdin=f"sat ({model})")
    assert told.status == 1
    assert told.err == "puzzlehunt: RRBB does not fit the rows\n"
    told = run("export", "liar", *rows[:4], "--read", "-", stdin=f"sat ({model})")
    assert (told.status, told.out) == (0, "RRBB\n")


@pytest.mark.parametrize(("played", "length"), [(2, 5), (3, 3), (4, 2), (0, 3)])
@pytest.mark.parametrize("most", [0, 1, 2, 7])
def test_the_prior_of_a_set_of_lies_counts_all_sets_of_as_many_turns(played, length, most):
    turns = max(played, length)
    numbers = range(min(most, turns) + 1)
    for lies in range(played + 2):
        shares = []
        for number in numbers:
            sets = list(combinations(range(turns), number))
            given = [one for one in sets if [n for n in one if n < played] == list(range(lies))]
            shares.append(len(given) / len(sets) if lies <= played else 0)
        expected = sum(shares) / len(numbers)
        assert prior_of_lies(lies, played, most, length) == pytest.approx(expected)
