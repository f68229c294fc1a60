from itertools import permutations, product

import numpy as np
import pytest

from puzzlehunt.game.files import gamefile
from puzzlehunt.kernels.packed_codes import array_of
from puzzlehunt.kernels.problem import new_problem
from puzzlehunt.lab import tournament
from puzzlehunt.strategies.search import branch_and_bound
from puzzlehunt.strategies.symmetry import with_orbits


def in_blocks(codes, symbols, by_position=False):
    table = np.arange(3 * len(codes)).reshape(3, -1)
    problem = new_problem(table, np.arange(3), 0, len(codes))
    blocks, guesses = with_orbits(problem, array_of(codes, len(codes[0])), symbols, by_position)
    assert guesses[: len(codes)] == list(range(len(codes)))
    assert (blocks.feedback == table[:, guesses]).all()
    return [[codes[n] for n in guesses[first:after]] for first, after in blocks.orbits]


@pytest.mark.parametrize("distinct", [False, True])
@pytest.mark.parametrize(("length", "symbols"), [(2, 4), (3, 5), (4, 4)])
def test_a_block_has_the_first_of_all_guesses_that_differ_by_unguessed_symbols(
    length, symbols, distinct
):
    codes = [
        code
        for code in product(range(symbols), repeat=length)
        if not distinct or len(set(code)) == length
    ]
    blocks = in_blocks(codes, symbols)
    for guessed, chosen in enumerate(blocks):
        names = [[*range(guessed), *rest] for rest in permutations(range(guessed, symbols))]
        classes = {min(tuple(name[s] for s in code) for name in names) for code in codes}
        assert chosen == sorted(classes)


@pytest.mark.parametrize("length", [2, 3])
def test_a_block_has_all_guesses_but_for_symbols_of_a_position_that_stand_for_each_other(length):
    codes = list(product(range(4), repeat=length))
    blocks = in_blocks(codes, 4, by_position=True)
    for guessed, chosen in enumerate(blocks):
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

    def without(problem, codes, symbols, _by_position):
        every = [(0, len(codes))] * (symbols + 1)
        return problem._replace(orbits=np.array(every)), list(range(len(codes)))

    with_blocks = outcomes()
    monkeypatch.setattr(branch_and_bound, "with_orbits", without)
    assert outcomes() == with_blocks
