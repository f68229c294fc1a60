"""The page and the figures of `examples/worked`, which take longer."""

import doctest
import statistics
from pathlib import Path

import pytest

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


@pytest.mark.parametrize(("most", "exact", "error"), [(6, 4.870, 0.10), (1, 7.833, 0.36)])
def test_simulated_tests_are_as_many_as_the_chances_say(most, exact, error) -> None:
    assert plain_examples.expected_tests(12, most) == pytest.approx(exact, abs=6e-4)
    tests = pooled_tests.simulated(pooled_tests.pool_game(12, most), seeds=20)
    assert statistics.stdev(tests) / len(tests) ** 0.5 == pytest.approx(error, abs=0.01)
    assert abs(statistics.mean(tests) - exact) < 3 * error
    assert exact > pooled_tests.fewest(12)
