"""Comparing strategies: the same secrets for all, and statistics that can be checked by hand."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlehunt.game.files import gamefile
from puzzlehunt.lab.comparison import all_published, compare, published
from puzzlehunt.lab.statistics import holm, interval, sign_flip_p_value
from puzzlehunt.views.tournaments import published_table

# Statistics.


@given(st.lists(st.integers(-3, 3), max_size=9))
def test_the_permutation_test_counts_all_ways_to_give_signs(differences):
    sums = [
        sum(s * d for s, d in zip(signs, differences, strict=True))
        for signs in product([1, -1], repeat=len(differences))
    ]
    as_far = sum(abs(total) >= abs(sum(differences)) for total in sums)
    assert sign_flip_p_value(np.array(differences, dtype=np.int64)) == pytest.approx(
        as_far / len(sums)
    )


@pytest.mark.slow
@pytest.mark.parametrize("size", [5, 200])
def test_the_bootstrap_is_that_of_scipy(size):
    from scipy import stats

    values = np.random.default_rng(size).integers(-2, 5, size)
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=4999, batch=max(1, 4_000_000 // size),
        method="percentile", rng=np.random.default_rng(3),
    ).confidence_interval  # fmt: skip
    ours = interval(values, 3)
    assert ours == pytest.approx((theirs.low, theirs.high), rel=1e-12, abs=1e-12)


def test_holms_correction_is_that_of_the_paper():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


# Comparisons.


def test_all_secrets_played_without_chance_make_a_difference_exact():
    found = compare(gamefile.load("3x4"), ["entropy", "first", "consistent"])
    exact = {(pair.first, pair.second): pair.exact for pair in found.pairs}
    assert exact == {
        ("entropy", "first"): True,
        ("entropy", "consistent"): False,
        ("first", "consistent"): False,
    }
    totals = {name: int(one.guesses["played"].sum()) for name, one in found.results.items()}
    assert found.pairs[0].difference.total == totals["entropy"] - totals["first"]
    sampled = compare(gamefile.load("3x4"), ["entropy", "first"], secrets=20)
    assert not sampled.pairs[0].exact
    assert sampled.games == 20


# Published figures.


def test_published_rows_are_whole_and_name_their_source():
    for row in all_published():
        assert row.source
        assert row.mean is not None
        if row.histogram:
            assert sum(row.histogram.values()) == row.games
            assert sum(n * times for n, times in row.histogram.items()) == row.total
            assert max(row.histogram) == row.worst


OPENINGS = {
    "minimax": "AABB",
    "entropy": "ABCD",
    "expected-size": "AABC",
    "parts": "AABC",
    "first": "AAAA",
}


@pytest.fixture(scope="module")
def mastermind():
    """The results of strategies whose totals were published."""
    return compare(gamefile.load("4x6"), [*OPENINGS]).results


@pytest.mark.parametrize("strategy", OPENINGS)
def test_published_totals_of_mastermind_come_out(strategy, mastermind):
    rows = [row for row in published(gamefile.load("4x6")) if row.strategy == strategy]
    result = mastermind[strategy]
    told = result.summary("played")
    assert result.game.format_code(result.opening) == OPENINGS[strategy]
    assert [row.fits(result) for row in rows] == [True]
    assert rows[0].total in (None, told.total)
    assert rows[0].mean == pytest.approx(told.average, abs=0.0005)
    assert "the same" in published_table(rows, [result]).rows[0][-2] or rows[0].total is None


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["minimax", "parts", "first"])
def test_published_tables_of_nethack_come_out(strategy):
    game = gamefile.load("nethack")
    (row,) = (row for row in published(game) if row.strategy == strategy)
    keys = {"pool": row.pool, "ties": row.ties, "opening": row.opening}
    settings = {key: value for key, value in keys.items() if value}
    found = compare(game.with_play(settings), [strategy], count="known")
    (result,) = found.results.values()
    assert row.fits(result)
    assert result.summary("known").total == row.total
    assert result.known == Counter(row.histogram or result.known)
    assert max(result.known) == row.worst
    if strategy == "parts":
        assert result.summary("played").total == 86869
