import random
from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st

from bayes import Seen
from puzzlehunt.channel.model import Channel, Rate
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.kernels.packed_codes import array_of
from puzzlehunt.rules.families import TileRule
from puzzlehunt.strategies.adviser import Adviser
from puzzlehunt.strategies.measures import MEASURES
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.registry import find_strategy

seeds = st.integers(0, 100_000)
games = st.from_type(Game).filter(lambda game: game.boards == 1)
few = settings(max_examples=5)
fewer = settings(max_examples=4)
measures = pytest.mark.parametrize("measure", MEASURES)

CHANNELS = [
    ["reads"],
    ["learn"],
    ["exactly"],
    ["chance"],
    ["at_most"],
    ["reads", "misread"],
]
BOTH = [["reads", "exactly"], ["reads", "chance"], ["reads", "at_most"]]
"""Channels whose clues are not counted."""
through = pytest.mark.parametrize("parts", CHANNELS, ids="+".join)


def followed(game):
    engine = ExplicitEngine(game)
    engine.follow(game.history)
    return engine


def several_left(game):
    """The engine of a game's own history, where there is something left to be told."""
    engine = followed(game)
    assume(game.channel.weighs and engine.count().exact > 1)
    assume(engine.posterior.probabilities[engine.candidate_places()].sum() > 0)
    return engine


# What a guess is worth: what its note, not its answer, tells of the secret.


@through
@given(seeds)
@few
def test_a_guess_is_worth_what_its_note_tells(noisy_game, parts, seed):
    game = noisy_game(seed, *parts, rows=3)
    engine = several_left(game)
    guess = game.guesses.random(random.Random(seed))
    position = Position.of(game, engine)
    rated = find_strategy("entropy").rate(position, guess)
    assert rated.value == pytest.approx(Seen(engine, guess).information(), abs=2e-8)


@measures
@pytest.mark.parametrize("parts", CHANNELS[:-1], ids="+".join)
@given(seeds)
@few
def test_the_worst_that_a_note_leaves_is_not_told_and_what_counts_answers_says_so(
    noisy_game, measure, parts, seed
):
    game = noisy_game(seed, *parts, rows=3)
    advice = Adviser(game, measure).advise(several_left(game))
    assert advice[0].worst is None
    assert (advice.basis == "answers as if all were read and true") == (measure != "entropy")


def worth(game, measure, codes):
    """The position after a game's own history, and what some guesses are worth there."""
    engine = followed(game)
    if engine.count().exact < 2:
        reject()
    position = Position.of(game, engine)
    strategy = find_strategy(measure)
    return position, [strategy.rate(position, code).value for code in codes]


@measures
@given(games)
@few
def test_where_all_is_told_read_and_true_a_guess_is_worth_what_it_always_was(measure, game):
    codes = list(islice(game.guesses, 20))
    position, values = worth(game, measure, codes)
    rows = game.rule.rows(array_of(codes, game.length))
    secrets = position.secrets[position.candidates]
    counts = game.rule.partitions(rows, secrets)
    if position.weights is not None and MEASURES[measure].uses_weights:
        counts = game.rule.partitions(rows, secrets, position.weights[position.candidates])
    assert position.observation is None
    assert values == MEASURES[measure].value_of(counts).tolist()


@measures
@given(games)
@few
def test_marks_that_are_always_read_tell_what_answers_do(measure, game):
    game = replace(game, history=History())
    kinds = 3 if isinstance(game.rule, TileRule) else len(game.rule.notation.kinds)
    read = replace(game, channel=Channel((Rate(1.0),) * kinds))
    codes = [code for code in islice(game.guesses, 20) if len(code) == game.length]
    _, expected = worth(game, measure, codes)
    position, values = worth(read, measure, codes)
    assert position.observation is not None
    assert values == pytest.approx(expected, abs=2e-9)


def test_what_cannot_be_counted_is_taken_as_if_it_were_read_and_said_so(game_of):
    value = {"secret": {"symbols": "AB", "length": "7"}, "rule": "marks"}
    short = game_of({**value, "secret": {"symbols": "AB", "length": "6"}, "reads": "0.5"})
    long = game_of({**value, "reads": "0.5"})
    assert Adviser(short).advise(followed(short)).basis == ""
    assert Adviser(long).advise(followed(long)).basis == "answers as if all were read and true"
    _, half_read = worth(long, "entropy", [(0,) * 7])
    _, whole = worth(game_of(value), "entropy", [(0,) * 7])
    assert half_read == whole


@pytest.mark.parametrize("parts", BOTH[:2], ids="+".join)
@given(seeds)
@few
def test_marks_that_may_be_unread_and_false_are_taken_as_read_and_true_and_said_so(
    noisy_game, parts, seed
):
    game = noisy_game(seed, *parts, rows=2)
    assume(game.channel.reads is not None)
    advice = Adviser(game, "entropy").advise(several_left(game))
    assert advice.basis == "answers as if all were read and true"


# The choice.


@pytest.mark.parametrize("parts", [["reads"], ["chance"], ["exactly"]], ids="+".join)
@given(seeds)
@fewer
def test_the_best_guess_tells_most_where_a_win_counts_as_the_best_of_all(noisy_game, parts, seed):
    game = noisy_game(seed, *parts, rows=3)
    engine = several_left(game)
    position = Position.of(game, engine)
    strategy = find_strategy("entropy")
    tried = {turn.guess for turn in game.history.turns}
    rated = [strategy.rate(position, code) for code in game.guesses if code not in tried]
    most = max(0.0, *(one.value for one in rated))
    worths = {one.guess: one.value + one.chance * most for one in rated}
    (best,), complete = strategy.rank(position, 1)
    assert complete
    assert worths[best.guess] == pytest.approx(max(worths.values()), abs=2e-8)


@pytest.mark.parametrize("parts", CHANNELS + BOTH, ids="+".join)
@given(seeds)
@fewer
def test_no_guess_is_suggested_twice(noisy_game, parts, seed):
    game = noisy_game(seed, *parts, rows=4)
    engine = several_left(game)
    tried = {turn.guess for turn in game.history.turns}
    left = [code for code in game.guesses if code not in tried]
    advice = Adviser(game).advise(engine, top=5)
    assert advice.suggestions
    assert all(suggestion.guess in left for suggestion in advice.suggestions)


@pytest.mark.parametrize("parts", [["reads"], ["at_most"], ["chance"]], ids="+".join)
@given(seeds)
@few
def test_the_chance_to_win_is_that_of_the_candidate_among_all(noisy_game, parts, seed):
    game = noisy_game(seed, *parts, rows=3)
    engine = several_left(game)
    chances = dict(engine.likeliest(engine.count().exact))
    total = sum(chances.values())
    for suggestion in Adviser(game).advise(engine, top=5).suggestions:
        expected = chances.get(suggestion.guess, 0.0) / total
        assert suggestion.chance == pytest.approx(expected)
        assert suggestion.candidate == (suggestion.guess in chances)
