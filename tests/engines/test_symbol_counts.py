"""Symbol counts: all of them, and which ones constraints leave, beside the codes themselves."""

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import holds
from puzzlehunt.engines.sampling.symbol_counts import SymbolCounts, arrangements, bounds_of
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact

seeds = st.integers(0, 100_000)


def symbol_counts_of(game: Game, code: Code) -> tuple[int, ...]:
    often = Counter(code)
    return tuple(often[symbol] for symbol in range(len(game.secrets.alphabet)))


@pytest.mark.parametrize("kind", ["repeats", "distinct", "tunes"])
@given(seeds)
def test_symbol_counts_are_those_of_the_secrets_each_once(random_game, kind, seed):
    game = random_game(seed, kind)
    symbol_counts = SymbolCounts.of(game)
    found = [tuple(row) for row in symbol_counts.table.tolist()]
    times = Counter(symbol_counts_of(game, code) for code in game.secrets)
    assert sorted(found) == sorted(times)
    allowed = np.random.default_rng(seed).random(len(found)) < 0.5
    expected = [times[row] for row, is_allowed in zip(found, allowed, strict=True) if is_allowed]
    assert arrangements(symbol_counts.table[allowed]).tolist() == expected


@pytest.mark.parametrize("kind", ["repeats", "distinct", "tunes"])
@given(seeds)
def test_no_symbol_counts_of_a_code_that_fits_are_ruled_out(random_game, kind, seed):
    game = random_game(seed, kind)
    symbol_counts = SymbolCounts.of(game)
    for item in game.history:
        said = item.constraint if isinstance(item, Fact) else game.constraint(item)
        left = set(map(tuple, symbol_counts.allowed([], said).tolist()))
        fitting = {symbol_counts_of(game, code) for code in game.secrets if holds(said, code)}
        assert fitting <= left


@pytest.mark.parametrize("kind", ["repeats", "distinct", "tunes"])
@given(seeds)
def test_what_was_asked_before_does_not_matter(random_game, kind, seed):
    game, chance = random_game(seed, kind), random.Random(seed)
    symbol_counts, items = SymbolCounts.of(game), list(game.history)
    for _ in range(4):
        chosen = [item for item in items if chance.random() < 0.7]
        assert (
            symbol_counts.allowed(chosen).tolist() == SymbolCounts.of(game).allowed(chosen).tolist()
        )
        rows = set(map(tuple, symbol_counts.table.tolist()))
        for item in chosen:
            rows &= set(map(tuple, SymbolCounts.of(game).allowed([item]).tolist()))
        assert set(map(tuple, symbol_counts.allowed(chosen).tolist())) == rows


def test_each_turn_narrows_how_often_symbols_occur():
    game = gamefile.load("4x6")
    symbol_counts = SymbolCounts.of(game)
    turns = [game.parse_turn(row) for row in ("AABB BB", "AABB BB", "ABCD none", "EEFF none")]
    first = symbol_counts.allowed(turns[:1])
    assert bounds_of(first) == ([0, 0, 0, 0, 0, 0], [4, 4, 2, 2, 2, 2])
    assert bounds_of(symbol_counts.allowed(turns)) is None
