"""300 random tables: every engine against brute force, every posterior against direct sums."""

import pytest

from brute_force import agreeing
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.rules.testing import check_rule
from random_tables import CHANNELS, TableBayes, table_game

TABLES = 300


@pytest.mark.parametrize("engine", ["explicit", "symbolic", "linear", "logic"])
def test_engines_find_the_rows_that_agree(engine):
    for seed in range(TABLES):
        game = table_game(seed)
        assert list(open_engine(game, engine).candidates()) == agreeing(game, game.history), seed


def test_posteriors_are_direct_sums():
    for seed in range(TABLES):
        game = table_game(seed, *CHANNELS[seed % len(CHANNELS)])
        expected = TableBayes(game).weights()
        found = open_engine(game, "explicit").posterior.probabilities
        assert found == pytest.approx(expected / (expected.sum() or 1.0), rel=1e-9, abs=1e-13), seed


def test_every_form_of_the_rule_agrees_with_its_score():
    for seed in range(TABLES):
        check_rule(table_game(seed, rows=0), seed)
