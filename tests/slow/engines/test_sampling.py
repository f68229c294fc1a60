"""Counts and chains of huge spaces, as often as it takes."""

import math

import pytest

from puzzlehunt.engines.sampling.sampler import Sampler
from sampled_games import check_chains, fitting, played, played_out


def test_counts_are_right_within_their_bounds_as_often_as_promised():
    inside = 0
    for seed in range(40):
        game, items, _ = played("6x4", seed, 2)
        true = len(fitting(game, items))
        found = Sampler(game).count(items, seed)
        assert found.number is None or math.isclose(found.number, true, rel_tol=0.25)
        inside += found.low <= true <= found.high
    assert inside >= 34


@pytest.mark.parametrize(("size", "seed", "most"), [("24x8", 5, 30), ("32x10", 1, 45)])
def test_codes_beyond_a_solver_are_found(size, seed, most):
    guesses, bases = played_out(size, seed, "play.strategy=entropy")
    assert guesses <= most
    assert all("candidates" in basis or basis == "the rows alone" for basis in bases[:-1])


def test_chains_over_distinct_symbols_come_to_all_candidates_about_as_often():
    game, items, _ = played("4x8", 2, 2, "secret.distinct=true")
    check_chains(game, items)
