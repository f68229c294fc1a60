"""Logic and chance agree: a code is a candidate if and only if its likelihood is above 0."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noisy_games import TYPED
from positions import read_back
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.errors import ImpossibleClueError
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.history import History
from puzzlehunt.strategies.adviser import Adviser


def possible(game):
    """The secrets whose weight by Bayes is above 0."""
    engine = open_engine(game, "explicit")
    logs = engine.posterior.logs.tolist()
    return [secret for secret, log in zip(game.secrets, logs, strict=True) if log > -math.inf]


def candidates(game, name):
    engine = open_engine(game, name)
    return list(engine.candidates())


@pytest.mark.parametrize("parts", TYPED, ids="+".join)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=8)
def test_a_code_is_a_candidate_if_and_only_if_it_is_possible(typed_game, parts, seed):
    game = typed_game(seed, *parts)
    expected = [secret for secret in game.secrets if game.fits(game.history, secret)]
    assert possible(game) == expected
    assert candidates(game, "explicit") == expected
    rows = [History((turn,)) for turn in game.history.turns]
    assert [read_back(game, row) for row in rows] == rows


def test_what_wins_is_no_lie():
    game = gamefile.load("fibble", ["facts=['CRA[TVZ]E']", "turns=[CRANE GGGG_]"])
    assert candidates(game, "explicit") == possible(game) == []


def test_an_answer_that_is_not_known_yet_says_nothing(game_of):
    """Every mark is read, and so nothing unread could be an answer."""
    game = game_of({"secret": {"symbols": "AB", "length": "2"}, "reads": "1", "turns": ["AB"]})
    assert candidates(game, "explicit") == possible(game) == [(0, 0), (1, 0), (1, 1)]
    assert candidates(game, "symbolic") == possible(game)


@pytest.mark.parametrize("clue", ["1 0", "B_"])
def test_a_mark_that_is_never_read_is_refused(clue):
    game = gamefile.load("mastermind", ["reads={black: 0}"])
    with pytest.raises(ImpossibleClueError, match="even with the game's lies and rates"):
        game.parse_turn(f"RRGG {clue}")
    assert game.parse_turn("RRGG 1w")
    assert game.parse_turn("RRGG 0-1b")


def test_candidates_too_unlikely_for_a_number_are_weighed_as_without_clues(game_of):
    reads = {"black": "1e-300", "white": "1", "miss": "1", "misread": "0.3"}
    value = {"secret": {"symbols": "ABCD", "length": "3"}, "marks": {"miss": "R"}, "reads": reads}
    game = game_of({**value, "turns": ["ABB BRR", "ACC BRR", "ADD BRR"]})
    engine = open_engine(game, "explicit")
    assert engine.likeliest(2) == [((0, 0, 0), 0.0)]
    assert engine.weights() is None
    assert Adviser(game).advise(engine).suggestions[0].guess == (0, 0, 0)
