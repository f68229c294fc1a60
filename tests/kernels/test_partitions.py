"""Partitions counted from a table, whatever its shape, and by the compiled kernel."""

import random

import numpy as np
import pytest

from puzzlehunt.codes.alphabet import FOREIGN
from puzzlehunt.game.files.gamefile import load
from puzzlehunt.kernels.feedback_matrix import popcount_partitions, table_partitions
from puzzlehunt.kernels.packed_codes import space_array
from puzzlehunt.rules.built_in import PegsRule


@pytest.mark.parametrize(
    "shape", [(0, 5), (3, 0), (7, 9), (3, 1 << 16), (40, 5_000), (9_000, 15), (1 << 16, 2)]
)
def test_parts_are_counted_guess_by_guess(shape: tuple[int, int]) -> None:
    table = np.random.default_rng(1).integers(0, 12, shape).astype(np.uint8)
    # Of the long tables some rows, the last ones among them, are enough.
    checked = sorted({*range(0, len(table), max(1, len(table) // 50)), *range(len(table))[-3:]})
    weights = np.full(shape[1], 0.5)
    counts, weighed = table_partitions(table, 12), table_partitions(table, 12, weights)
    assert counts.shape == weighed.shape == (shape[0], 12)
    for row in checked:
        expected = [int((table[row] == feedback).sum()) for feedback in range(12)]
        assert counts[row].tolist() == expected
    assert (weighed == counts / 2).all()


@pytest.mark.needs("numba")
@pytest.mark.parametrize("name", ["4x6", "5x8", "3x30", "bulls-and-cows", "cryptic"])
def test_the_compiled_kernel_counts_what_numpy_counts(name: str) -> None:
    game = load(name)
    assert isinstance(game.rule, PegsRule)
    secrets = game.rule.rows(space_array(game.secrets, game.length))
    some, feedbacks = secrets[:: len(secrets) // 20], len(game.rule.feedbacks)
    for weights in (None, np.arange(len(secrets)) / 4):
        expected = table_partitions(game.rule.table(some, secrets), feedbacks, weights)
        counted = popcount_partitions(some, secrets, game.rule.pair_offsets, feedbacks, weights)
        assert (counted == expected).all()


@pytest.mark.parametrize("name", ["7x6", "5x12"])  # of one word of bits, and of symbols
def test_more_secrets_than_a_block_are_scored_as_in_pieces(name: str) -> None:
    game = load(name)
    secrets = game.rule.rows(space_array(game.secrets, game.length))
    guesses, size = secrets[np.array([5, 70_000, len(secrets) - 1])], 50_000
    pieces = [secrets[begin : begin + size] for begin in range(0, len(secrets), size)]
    expected = np.concatenate([game.rule.table(guesses, each) for each in pieces], axis=1)
    assert (game.rule.table(guesses, secrets) == expected).all()


@pytest.mark.parametrize("name", ["7x6", "5x12", "4x18"])
def test_a_formula_counts_the_answers_of_every_code_and_of_nothing_less(name: str) -> None:
    game, rng = load(name), random.Random(3)
    secrets = game.rule.rows(space_array(game.secrets, game.length))
    codes = [game.guesses.random(rng) for _ in range(9)]
    guesses = game.rule.rows_of([*codes, codes[0][:-1], (FOREIGN, *codes[1][1:])])
    for some, weights in (
        (secrets, None),
        (secrets[1:], None),
        (secrets, np.full(len(secrets), 0.5)),
    ):
        table, feedbacks = game.rule.table(guesses, some), len(game.rule.feedbacks)
        expected = table_partitions(table, feedbacks, weights)
        assert (game.rule.partitions(guesses, some, weights) == expected).all()
