"""What a guess tells by one column, against the entropy of its answers one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlehunt.rules import column_bits
from puzzlehunt.rules.column_kinds import column_kind
from random_tables import table_game


def entropies(column, shares):
    chances = np.zeros((len(shares), column.size))
    for row, value in zip(chances, column.values, strict=True):
        for other, share in zip(column.values, shares, strict=True):
            row[column.digit(value, other)] += share
    logs = np.log2(np.where(chances, chances, 1))
    return -(chances * logs).sum(axis=1)


@given(st.integers(0, 100_000))
@settings(max_examples=40)
def test_bits_are_the_entropy_of_the_answers(seed):
    rng = np.random.default_rng(seed)
    for column in table_game(seed, rows=0).rule.columns:
        shares = rng.integers(0, 4, len(column.values)) + (np.arange(len(column.values)) == 0)
        shares = shares / shares.sum()
        assert column_bits.bits_of(column, shares) == pytest.approx(entropies(column, shares))


def test_bits_of_many_sets_and_places_are_near_the_entropy(monkeypatch):
    rng = np.random.default_rng(1)
    sets = [",".join(map(str, rng.integers(0, 30, n % 5))) for n in range(900)]
    places = [f"{a:.3f},{b:.3f}" for a, b in rng.normal(20, 15, (400, 2))]
    kinds = ("overlap", sets), ({"distance": "true", "round": "2000", "compass": "8"}, places)
    for kind, cells in kinds:
        column, _ = column_kind("a", kind).filled(cells)
        shares = np.full(len(column.values), 1 / len(column.values))
        monkeypatch.setattr(column_bits, "_MOST_COMPARED", 1_000)
        exact = column_bits.bits_of(column, shares)
        monkeypatch.setattr(column_bits, "_MOST_COMPARED", 200)
        near = column_bits.bits_of(column, shares)
        assert not np.array_equal(near, exact)
        assert np.corrcoef(near, exact)[0, 1] > 0.8


def test_sets_with_a_member_that_all_have_are_never_without_one_in_common(monkeypatch):
    column, _ = column_kind("a", "overlap").filled([f"x,{n}" for n in range(40)])
    monkeypatch.setattr(column_bits, "_MOST_COMPARED", 20)
    shares = np.full(40, 1 / 40)
    assert column_bits.bits_of(column, shares) == pytest.approx(entropies(column, shares))
