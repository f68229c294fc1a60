"""The lower bounds of `benchmarks/limits.py`, beside the best play of games that are tiny."""

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from optimum import optimum
from puzzlehunt.game.files.gamefile import load

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
GAMES = {
    "all read": [],
    "a hunt": ["reads={black: 0.10, white: 0.13, miss: 0.51, misread: 0}"],
    "half read": ["reads={rest: 0.5, misread: 0}"],
    "whites alone": ["reads={black: 0, white: 0.9, miss: 0, misread: 0}"],
    "one tile lies": ["rule=marks", "lies={exactly: 1}"],
    "misread tiles": ["rule=marks", "reads={rest: 1, misread: 0.3}"],
}


@pytest.fixture(scope="module")
def limits():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCHMARKS))
        yield import_module("limits")


def least(game, channel, guesses):
    """The fewest of the first guesses on average, by trying every guess after every clue."""
    rule, codes = game.rule, list(game.secrets)
    losing = [feedback for feedback in rule.feedbacks if feedback != rule.winning]
    chances = np.zeros((len(codes), len(codes), channel.shape[1]))
    for guess, secret in np.ndindex(len(codes), len(codes)):
        if guess != secret:
            answer = game.score(codes[guess], codes[secret])
            chances[guess, secret] = channel[losing.index(answer)]

    def cost(weights, guesses):
        if guesses == 1:
            return weights.sum()
        if guesses == 2:
            return 2 * weights.sum() - weights.max()
        later = np.moveaxis(chances * weights[:, None], 2, 1)
        costs = [sum(cost(each, guesses - 1) for each in clues if each.any()) for clues in later]
        return weights.sum() + min(costs)

    return cost(np.full(len(codes), 1 / len(codes)), guesses)


@pytest.mark.parametrize("settings", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize(("size", "guesses"), [("2x2", 4), ("2x3", 1), ("2x3", 2), ("2x3", 3)])
def test_no_bound_exceeds_the_best_play_of_the_first_guesses(limits, settings, size, guesses):
    game = load(size, settings)
    questions = limits.questions_of(game)
    channel = questions.channel
    if channel is None:
        channel = np.eye(questions.shares.shape[1])
    assert channel.sum(axis=1) == pytest.approx(1)
    bound = limits.by_entropy(questions.bits, questions.lines, guesses)
    assert 0.75 * least(game, channel, guesses) < bound <= least(game, channel, guesses)


@pytest.mark.parametrize("size", ["2x2", "2x4", "3x2"])
def test_no_bound_exceeds_the_best_play_where_all_is_read(limits, size):
    game = load(size)
    codes = list(game.secrets)
    _, total = optimum(game.score, codes, codes, None)
    questions = limits.questions_of(game)
    best = total / len(codes)
    assert 0.75 * best < limits.by_entropy(questions.bits, questions.lines) <= best
    assert 0.85 * best < limits.by_count(questions) <= best


def test_a_long_code_is_bounded_below_one_that_is_listed(limits, monkeypatch):
    listed = limits.questions_of(load("3x3"))
    monkeypatch.setattr(limits, "_LISTED", 1)
    long = limits.questions_of(load("3x3"))
    assert long.shares.sum() == pytest.approx(1)
    assert (long.lines >= listed.lines - 1e-9).all()
    assert limits.by_count(long) <= limits.by_count(listed)


def test_a_known_channel_has_its_capacity(limits):
    flips = np.array([[0.9, 0.1], [0.1, 0.9]])
    questions = limits.Questions(1_000, np.array([[0.5, 0.5], [0.9, 0.1]]), flips)
    capacity = 1 + 0.9 * np.log2(0.9) + 0.1 * np.log2(0.1)
    assert questions.told(np.array([9.0])) == pytest.approx(capacity, abs=2e-3)
