"""Engines and posteriors of games whose secrets are the rows of a table."""

from collections import Counter
from itertools import islice

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bayes import bits
from brute_force import agreeing
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.strategies.adviser import Adviser
from random_tables import CHANNELS, TableBayes, table_game

ENGINES = ["explicit", "symbolic", "linear", "logic"]
POSSIBLE = [["reads"], ["exactly"], ["at_most"], ["chance"], ["reads", "at_most"], ["doubts"]]
seeds = st.integers(0, 100_000)
some = settings(max_examples=8)
few = settings(max_examples=3)


def left(game, engine):
    """The candidates of an engine, up to four of the linear one, which searches for each."""
    opened = open_engine(game, engine)
    return list(islice(opened.candidates(), 4 if engine == "linear" else None))


@pytest.mark.parametrize("engine", ENGINES)
@given(seeds)
@some
def test_every_engine_finds_the_rows_that_agree_with_unread_columns(engine, seed):
    game = table_game(seed)
    expected = agreeing(game, game.history)
    assert left(game, engine) == expected[: 4 if engine == "linear" else None]


@pytest.mark.parametrize("parts", POSSIBLE, ids="+".join)
@pytest.mark.parametrize("engine", ENGINES)
@given(seeds)
@few
def test_every_engine_finds_what_is_possible_through_a_channel(engine, parts, seed):
    game = table_game(seed, *parts)
    chances = zip(game.secrets, TableBayes(game).weights(), strict=True)
    expected = [secret for secret, chance in chances if chance > 0]
    assert left(game, engine) == expected[: 4 if engine == "linear" else None]


@pytest.mark.parametrize("parts", [["reads"], ["chance"], ["exactly"]], ids="+".join)
@given(seeds)
@some
def test_a_guess_is_worth_what_its_answer_would_tell_if_it_were_read_and_true(parts, seed):
    game = table_game(seed, *parts)
    engine = open_engine(game, "explicit")
    assume(len(engine.candidate_places()) > 1)
    advice = Adviser(game, "entropy").advise(engine, 20)
    assert bool(advice.basis) == game.channel.weighs
    for suggestion in advice.suggestions:
        told = Counter[object]()
        for secret, share in zip(game.secrets, engine.posterior.probabilities, strict=True):
            told[game.score(suggestion.guess, secret)] += share
        assert suggestion.value == pytest.approx(bits(np.array(list(told.values()))), abs=1e-6)


@pytest.mark.parametrize("parts", CHANNELS, ids="+".join)
@given(seeds)
@some
def test_a_row_is_as_likely_as_bayes_says(parts, seed):
    game = table_game(seed, *parts)
    expected = TableBayes(game).weights()
    found = open_engine(game, "explicit").posterior.probabilities
    assert found == pytest.approx(expected / (expected.sum() or 1.0), rel=1e-9, abs=1e-13)
