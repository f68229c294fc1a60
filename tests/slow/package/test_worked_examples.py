"""The page and the figures of `examples/worked`, which take longer."""

import doctest
import statistics
from pathlib import Path

import coins
import plain_examples
import pooled_tests

ROOT = Path(__file__).resolve().parents[3]


def test_the_page_gives_what_it_shows() -> None:
    failed, tried = doctest.testfile(
        str(ROOT / "docs" / "worked-examples.md"), module_relative=False
    )
    assert tried > 15
    assert failed == 0


def test_three_weighings_find_every_coin_of_twelve() -> None:
    plan = list(coins.tree(coins.coin_game(12)))
    assert plain_examples.weighings_of_plan(plan, 12) == [3] * 24


def test_pools_take_fewer_tests_than_single_samples_and_more_than_the_bound() -> None:
    games = (pooled_tests.pool_game(12, most) for most in (6, 1))
    pools, singles = (statistics.mean(pooled_tests.simulated(game, seeds=10)) for game in games)
    assert pooled_tests.fewest(12) < pools < singles
