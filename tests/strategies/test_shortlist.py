"""Looking ahead where all candidates are known, but guesses are too many to list."""

import random
from dataclasses import replace

import numpy as np
import pytest

from puzzlehunt.engines.choice import open_engine
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.history import Turn
from puzzlehunt.kernels.packed_codes import array_of, code_of
from puzzlehunt.session.session import Session
from puzzlehunt.strategies.adviser import Adviser
from puzzlehunt.strategies.measures import BITS, GUESSES_ON_AVERAGE
from puzzlehunt.strategies.pool import Pool
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.registry import find_strategy


def engine_with_few_left(size, seed, most=60):
    """Return an engine of a game of which some random guesses leave a few candidates."""
    game = gamefile.load(size)
    rng = random.Random(seed)
    secret = game.secrets.random(rng)
    engine = open_engine(game)
    for _ in range(50):
        if engine.sample(most + 1, random.Random(0), end=None).complete:
            return engine
        guess = game.guesses.random(rng)
        engine.push(Turn(guess, game.rule.notation.full_clue(game.score(guess, secret), guess)))
    raise AssertionError("too many are left")


def all_left(engine):
    """Return all candidates of an engine that has a few of them."""
    drawn = engine.sample(1_000, random.Random(0))
    assert drawn.complete
    return drawn.codes


def position_of(engine):
    """Return the position of an engine that has a few candidates, with codes near them."""
    codes = ExplicitEngine(engine.game, all_left(engine))
    pool = Pool.near_candidates(engine.game, codes.secrets(), random.Random(1))
    position = Position.of(engine.game, codes, pool=pool)
    past = tuple(item.guess for item in engine.items)
    return replace(position, used_symbols=None, nothing_known=False, past_guesses=past)


def test_where_all_guesses_are_too_many_codes_near_the_candidates_are_guessed_too():
    game = gamefile.load("16x6")
    rng = random.Random(4)
    secrets = game.rule.rows(array_of([game.secrets.random(rng) for _ in range(40)], 16))
    pool = Pool.near_candidates(game, secrets, random.Random(1))
    again = Pool.near_candidates(game, secrets, random.Random(1))
    assert pool.basis
    assert np.array_equal(pool.guesses.codes, again.guesses.codes)
    assert np.array_equal(pool.guesses.codes[:40], secrets.codes)
    others = pool.guesses.codes[40:]
    assert len(others) > 1_000
    assert len(np.unique(pool.guesses.codes, axis=0)) == len(pool.guesses)
    changed = (others[:, None] != secrets.codes).sum(axis=2).min(axis=1)
    assert set(changed.tolist()) == {1, 2, 3, 4}
    assert all(code_of(code) in game.guesses for code in others)


@pytest.mark.parametrize("size", ["10x6", "16x6"])
def test_the_best_guesses_and_all_candidates_are_chosen_from(size):
    position = position_of(engine_with_few_left(size, 1))
    entropy = find_strategy("entropy")
    few = entropy.among_the_best(position, 20)
    again = replace(position, rng=random.Random(0))
    best = {each.guess for each in entropy.rank(again, 20)[0]}
    guesses, guess_of = few.choices()
    candidates = {position.candidate(n) for n in range(len(position.candidates))}
    assert {code_of(code) for code in guesses.codes} == best | candidates
    assert len(guesses) == len(best | candidates)
    assert np.array_equal(guesses.codes[guess_of], few.secrets.codes[few.candidates])


def played_out(adviser, engine, candidates):
    """Return how many guesses an adviser takes for all candidates of an engine together."""
    game, begun, total, guesses = engine.game, engine.items, 0, {}
    for secret in candidates:
        items = begun
        while items == begun or items[-1].guess != secret:
            if items not in guesses:
                engine.follow(items)
                guesses[items] = adviser.advise(engine).suggestions[0].guess
            guess = guesses[items]
            items = (*items, game.turn(guess, game.score(guess, secret)))
            total += 1
    engine.follow(begun)
    return total


@pytest.mark.slow
def test_looking_ahead_takes_no_more_guesses_than_bits_do():
    by_lookahead = by_bits = 0
    for seed in range(4):
        engine = engine_with_few_left("10x6", seed, 300)
        candidates = all_left(engine)
        by_lookahead += played_out(Adviser(engine.game), engine, candidates)
        by_bits += played_out(Adviser(engine.game, "entropy"), engine, candidates)
    assert by_lookahead < by_bits


def test_what_is_looked_ahead_is_measured_in_guesses():
    engine = engine_with_few_left("10x6", 2)
    adviser = Adviser(engine.game)
    advice = adviser.advise(engine, 5)
    count = len(all_left(engine))
    assert (advice.measure, advice.count) == (GUESSES_ON_AVERAGE, count)
    assert advice.basis == "candidates and codes near them, of too many guesses"
    values = [suggestion.value for suggestion in advice.suggestions]
    assert values == sorted(values)
    assert 2 - 1 / count <= values[0] < 4
    rated = adviser.rate(engine, advice.suggestions[0].guess).suggestions[0]
    assert values[0] - 0.5 < rated.value < values[0] + 0.5
    assert Adviser(engine.game, "entropy").advise(engine).measure == BITS


def test_what_was_advised_in_guesses_is_not_compared_in_bits():
    engine = engine_with_few_left("10x6", 3)
    asked, fresh = Session(engine.game, "10x6"), Session(engine.game, "10x6")
    asked.play(*engine.items)
    guess = asked.advise(1, budget=asked.answers.budget).suggestions[0].guess
    asked.play(Turn(guess, engine.game.parse_clue("BBBBBBBBBB", guess)))
    fresh.play(*asked.history.turns)
    assert asked.answers.review(60) == fresh.answers.review(60)


def test_guesses_are_candidates_where_a_sample_stands_for_them():
    rows = "turns=[AAAABBBBCCCCDDDD BBBBWW, ABCDEFABCDEFABCD WWWWWWWWB]"
    game = gamefile.load("16x6", [rows])
    advice = Adviser(game).advise(open_engine(game, "symbolic"), 5)
    assert advice.basis.startswith("a sample of ")
    assert all(suggestion.candidate for suggestion in advice.suggestions)
