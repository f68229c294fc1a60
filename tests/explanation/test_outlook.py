"""What the best guess may do, against sums over all secrets and all that may be noted."""

import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import puzzlehunt
from bayes import Seen
from coins import coin_game
from positions import followed
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.errors import NoCandidatesError
from puzzlehunt.explanation.partition import Outlook, outlook
from puzzlehunt.strategies.adviser import Adviser

seeds = st.integers(0, 100_000)
KINDS = ["repeats", "distinct", "words", "tunes", "halves", "formulas"]
CHANNELS = [["reads"], ["learn"], ["exactly"], ["chance"], ["at_most"], ["reads", "misread"]]


def rated(engine, guess):
    """What a guess may do, and its advice; without a candidate the game is no example."""
    try:
        advice = Adviser(engine.game, "entropy").rate(engine, guess)
    except NoCandidatesError:
        assume(False)
    return outlook(engine, advice), advice


def weighed(engine):
    """The candidates of an engine with their weights."""
    weights = engine.weights()
    shares = [1.0] * engine.game.secrets.size if weights is None else weights.tolist()
    every = dict(zip(engine.game.secrets, shares, strict=True))
    return {code: every[code] for code in engine.candidates()}


def average_left(game, guess, secrets, others):
    """How many of the `others` are left on average, if one of some weighed secrets is right."""
    answers = [game.score(guess, code) for code in others]
    left = {code: answers.count(game.score(guess, code)) for code in secrets}
    return sum(secrets[code] * left[code] for code in secrets) / sum(secrets.values())


@given(seeds, st.sampled_from(KINDS))
@settings(max_examples=40)
def test_a_guess_wins_or_leaves_what_it_does_on_average(random_game, seed, kind):
    game = random_game(seed, kind)
    engine = followed(game)
    guess = game.guesses.random(random.Random(seed))
    found, advice = rated(engine, guess)
    candidates = weighed(engine)
    assert found.win == pytest.approx(candidates.get(guess, 0) / sum(candidates.values()))
    others = {code: weight for code, weight in candidates.items() if code != guess}
    assert (found.left is None) == (not others)
    if others:
        left = average_left(game, guess, others, list(others))
        assert found.left == pytest.approx(left, abs=1e-8)
        assert advice.count == len(others) + (guess in candidates)


@pytest.mark.parametrize("parts", CHANNELS, ids="+".join)
@given(seeds)
@settings(max_examples=5)
def test_notes_leave_all_candidates_that_could_lead_to_them(noisy_game, parts, seed):
    game = noisy_game(seed, *parts, rows=3)
    engine = followed(game)
    assume(engine.count().exact)
    chances = dict(zip(game.secrets, engine.posterior.probabilities.tolist(), strict=True))
    assume(sum(chances[code] for code in engine.candidates()) > 0)
    guess = game.guesses.random(random.Random(seed))
    found, _ = rated(engine, guess)
    assert found.win == pytest.approx(chances.get(guess, 0.0), abs=1e-9)
    chances[guess] = 0.0
    assume(sum(chances[code] for code in engine.candidates()) > 0)
    seen = Seen(engine, guess, chances)
    assert found.left == pytest.approx(seen.left(), abs=1e-7)


def test_attempts_count_down_and_are_not_told_after_the_last():
    game = puzzlehunt.load("2x3", ["play.attempts=2"])
    engine = open_engine(game)
    told = []
    for line in ("AB B", "AC none", "BA *"):
        told.append(rated(engine, (0, 0))[0].attempts)
        engine.push(game.parse_turn(line))
    assert [*told, rated(engine, (0, 0))[0].attempts] == [2, 1, None, None]


def test_a_question_is_never_the_secret():
    game = coin_game(4)
    engine = open_engine(game)
    for question in game.guesses:
        found, _ = rated(engine, question)
        codes = list(game.secrets)
        left = average_left(game, question, dict.fromkeys(codes, 1), codes)
        assert found == Outlook(0.0, pytest.approx(left))
