"""Many random games whose rows lie or are doubted, by every engine and by brute force."""

import random

import pytest
from hypothesis import given, settings

from lying_games import (
    ENGINES,
    KINDS,
    brute_force,
    check_candidates,
    check_ranking,
    codes,
    doubting,
    every_lie,
    few,
    followed,
    lists,
    seeds,
)
from puzzlehunt.engines.linear import LinearEngine
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn


@every_lie
@pytest.mark.parametrize("kind", KINDS)
@given(seeds)
@settings(max_examples=15)
def test_engines_and_brute_force_agree_where_rows_of_every_kind_lie(lying_game, lies, kind, seed):
    check_candidates(lying_game(seed, lies, kind), whole=True)


def some_costs(rng: random.Random, items) -> dict[int, int]:
    turns = [place for place, item in enumerate(items) if isinstance(item, Turn)]
    chosen = rng.sample(turns, rng.randint(0, len(turns)))
    return {place: rng.choice([1, 1, 2, 3, 3322]) for place in chosen}


def check_cheapest(game: Game, seed: int, whole: bool = False) -> None:
    rng = random.Random(seed)
    engines = [followed(game, name) for name in ENGINES]
    for _ in range(2):
        costs, limit = some_costs(rng, game.history), rng.choice([0, 1, 3, 10_000])
        expected = brute_force(game, costs=costs)[:limit]
        for engine in engines:
            most = limit if whole or not isinstance(engine, LinearEngine) else min(limit, 5)
            assert engine.cheapest(costs, most) == expected[:most]
    assert all(lists(engine, codes(brute_force(game)), whole) for engine in engines)


@every_lie
@given(seeds)
@few
def test_the_cheapest_are_those_that_brute_force_finds(lying_game, lies, seed):
    check_cheapest(lying_game(seed, lies), seed)


@pytest.mark.parametrize("kind", [*KINDS, "merged"])
@given(seeds)
@few
def test_the_cheapest_of_games_of_every_kind(random_game, kind, seed):
    check_cheapest(random_game(seed, kind), seed)


@every_lie
@pytest.mark.parametrize("kind", KINDS)
@given(seeds)
@settings(max_examples=15)
def test_the_cheapest_where_rows_of_every_kind_lie(lying_game, lies, kind, seed):
    check_cheapest(lying_game(seed, lies, kind), seed, whole=True)


@pytest.mark.parametrize("kind", ["repeats", "distinct", "tunes", "halves", "formulas", "merged"])
@given(seeds)
@settings(max_examples=20)
def test_the_cheapest_are_the_likeliest_in_many_games(random_game, kind, seed):
    check_ranking(doubting(random_game, seed, kind))
