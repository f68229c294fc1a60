"""Guesses that are looked for near the candidates, where all guesses are too many to list."""

import math
import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from puzzlehunt.engines.choice import open_engine
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from puzzlehunt.kernels.packed_codes import array_of, code_of
from puzzlehunt.strategies import adviser
from puzzlehunt.strategies.adviser import Adviser
from puzzlehunt.strategies.measures import MEASURES
from puzzlehunt.strategies.pool import Pool
from puzzlehunt.strategies.position import Budget, Position
from puzzlehunt.strategies.registry import find_strategy


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


TWO_ROWS = "turns=[AAAABBBBCCCCDDDD BBBBWW, ABCDEFABCDEFABCD WWWWWWWWB]"


def sampled(game: Game, count: int = 150) -> Position:
    """Return a position of a huge game in which a seeded sample stands for all candidates."""
    engine = open_engine(game, "symbolic")
    codes = engine.sample(count, random.Random(5)).codes
    made = tuple(turn.guess for turn in game.history.turns)
    position = Position.of(game, ExplicitEngine(game, codes), pool=Pool.for_sample(game))
    return replace(position, used_symbols=None, nothing_known=False, past_guesses=made)


def plain_bits(game: Game, position: Position, guess) -> float:
    """Return the entropy of a guess by the rule's specification."""
    secrets = [code_of(code) for code in position.secrets.codes[position.candidates]]
    counts = Counter(game.rule.score(guess, secret) for secret in secrets).values()
    return sum(n * math.log2(len(secrets) / n) for n in counts) / len(secrets)


@pytest.mark.parametrize(
    ("size", "settings"),
    [
        ("16x6", [TWO_ROWS]),
        ("10x9", ["rule={name: pegs, counts: [black]}", "turns=[AABBCCDDEE B]"]),
        ("7x26", ["secret.distinct=true", "turns=[ABCDEFG BW]"]),
    ],
)
def test_steps_from_the_best_guesses_lead_to_better_ones_that_may_be_made(size, settings):
    game = gamefile.load(size, settings)
    position = sampled(game)
    strategy = find_strategy("entropy")
    candidates = replace(position, pool=Pool())
    without = strategy.rank(candidates, 1)[0][0]
    found, complete = strategy.rank(position, 20)
    assert complete
    assert found[0].value > without.value
    assert [s.value for s in found] == sorted((s.value for s in found), reverse=True)
    assert len({s.guess for s in found}) == 20
    for suggestion in found:
        assert suggestion.guess in game.guesses
        assert suggestion.guess not in position.past_guesses
        assert suggestion.value == pytest.approx(plain_bits(game, position, suggestion.guess))
        assert suggestion.candidate == (plain_place(position, suggestion.guess) is not None)


def plain_place(position: Position, guess) -> int | None:
    secrets = [code_of(code) for code in position.secrets.codes]
    return secrets.index(guess) if guess in secrets else None


@pytest.mark.parametrize("measure", MEASURES)
def test_steps_are_for_every_measure_and_repeat_themselves(measure):
    position = sampled(gamefile.load("16x6", [TWO_ROWS]))
    strategy = find_strategy(measure)
    again = replace(position, rng=random.Random(0))
    found, other = strategy.rank(position, 5), strategy.rank(again, 5)
    assert found == other
    best = strategy.rank(replace(position, pool=Pool()), 1)[0][0].value
    assert MEASURES[measure].sign * found[0][0].value <= MEASURES[measure].sign * best


def test_steps_are_the_same_with_compiled_kernels_and_without():
    game = gamefile.load("16x6", [TWO_ROWS])
    strategy = find_strategy("entropy")
    compiled = replace(sampled(game), budget=Budget(compiled=True))
    assert strategy.rank(sampled(game), 10) == strategy.rank(compiled, 10)


@pytest.mark.parametrize(
    ("size", "settings", "steps"),
    [
        ("16x6", [], True),
        ("16x6", ["play.pool=secrets"], True),
        ("16x6", ["play.pool=candidates"], False),
        ("16x6", ["hard=true"], False),
        ("16x6", ["reads=0.5"], False),
        ("16x6", ["lies={chance: 0.1}"], False),
        ("10x9", ["rule=order"], False),
        ("4x6", ["play.engine=symbolic"], False),
    ],
)
def test_steps_are_for_guesses_too_many_to_list_that_may_all_be_made(size, settings, steps):
    assert Pool.for_sample(gamefile.load(size, settings)).takes_steps == steps


def test_no_steps_are_taken_where_a_budget_says_how_many_guesses_to_evaluate():
    position = sampled(gamefile.load("16x6", [TWO_ROWS]))
    limited = replace(position, budget=Budget(guesses=300))
    found, complete = find_strategy("entropy").rank(limited, 300)
    assert complete
    assert all(suggestion.candidate for suggestion in found)


@pytest.mark.parametrize(("size", "steps"), [(100, False), (600, True)])
def test_no_steps_are_taken_from_a_few_candidates_that_stand_for_many(monkeypatch, size, steps):
    monkeypatch.setattr(adviser, "LARGEST_SAMPLE", size)
    game = gamefile.load("16x6", [TWO_ROWS])
    engine = open_engine(game, "symbolic")
    advice = Adviser(game).advise(engine, 5)
    assert advice.basis == f"a sample of {size} candidates"
    assert all(suggestion.candidate for suggestion in advice.suggestions) != steps
