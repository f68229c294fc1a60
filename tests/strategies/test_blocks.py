from itertools import permutations, product

import numpy as np
import pytest

from puzzlehunt.game.files import gamefile
from puzzlehunt.kernels.packed_codes import array_of
from puzzlehunt.lab import tournament
from puzzlehunt.strategies import symmetry
from puzzlehunt.strategies.symmetry import OrbitColumns


@pytest.mark.parametrize("distinct", [False, True])
@pytest.mark.parametrize(("length", "symbols"), [(2, 4), (3, 5), (4, 4)])
def test_a_block_has_the_first_of_all_guesses_that_differ_by_unguessed_symbols(
    length, symbols, distinct, monkeypatch
):
    monkeypatch.setattr(symmetry, "_LARGEST_BLOCK", 1)
    codes = [
        code
        for code in product(range(symbols), repeat=length)
        if not distinct or len(set(code)) == length
    ]
    table = np.arange(3 * len(codes)).reshape(3, -1)
    blocks = OrbitColumns.of(array_of(codes, length), symbols, table)
    assert blocks.guesses[: len(codes)] == list(range(len(codes)))
    assert (blocks.table == table[:, blocks.guesses]).all()
    for guessed in range(symbols + 1):
        first, after_last = blocks.bounds[guessed]
        chosen = [codes[guess] for guess in blocks.guesses[first:after_last]]
        names = [[*range(guessed), *rest] for rest in permutations(range(guessed, symbols))]
        classes = {min(tuple(name[s] for s in code) for name in names) for code in codes}
        assert chosen == sorted(classes)


@pytest.mark.parametrize("length", [2, 3])
def test_a_block_has_all_guesses_but_for_symbols_of_a_position_that_stand_for_each_other(
    length, monkeypatch
):
    monkeypatch.setattr(symmetry, "_LARGEST_BLOCK", 1)
    codes = list(product(range(4), repeat=length))
    table = np.zeros((3, len(codes)), dtype=np.int64)
    blocks = OrbitColumns.of(array_of(codes, length), 4, table, by_position=True)
    for guessed in range(5):
        first, after_last = blocks.bounds[guessed]
        chosen = [codes[guess] for guess in blocks.guesses[first:after_last]]
        assert chosen == [code for code in codes if max(code) <= guessed]


@pytest.mark.needs("numba")
@pytest.mark.parametrize(
    "settings",
    [
        ["3x6"],
        ["2x8"],
        ["3x6", "play.attempts=4"],
        ["3x7", "secret.distinct=true", "guess.distinct=true"],
        ["3x6", "play.opening=DDF"],
        ["3x5", "rule=matches"],
        ["2x6", "rule=matches"],
    ],
)
def test_guesses_left_out_change_neither_tree_nor_value(settings, monkeypatch):
    def outcomes():
        game = gamefile.load(settings[0], ["play.strategy=optimal", *settings[1:]])
        found = tournament.run(game, name=settings[0])
        return [each.tolist() for each in (found.secrets, *found.guesses.values())]

    built = []
    in_blocks = OrbitColumns.of

    def noted(*arguments):
        built.append(in_blocks(*arguments))
        return built[-1]

    monkeypatch.setattr(OrbitColumns, "of", noted)
    with_blocks = outcomes()
    assert any(len(np.unique(blocks.bounds[:, 0])) > 1 for blocks in built)
    monkeypatch.setattr(symmetry, "_LARGEST_BLOCK", 0)
    assert outcomes() == with_blocks
