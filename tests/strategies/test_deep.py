from pathlib import Path

import numpy as np
import pytest

from puzzlehunt.engines.choice import open_engine
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.document import dump, read_document
from puzzlehunt.kernels.lookahead import DepthLimitedSearch
from puzzlehunt.lab import tournament
from puzzlehunt.strategies.adviser import Adviser
from puzzlehunt.strategies.position import Budget, Position
from puzzlehunt.strategies.registry import find_strategy


def tight(seed: int) -> DepthLimitedSearch:
    """A table of few answers with four attempts left, so that the third is mostly the last."""
    chance = np.random.default_rng(seed)
    secrets, feedbacks = int(chance.integers(8, 16)), int(chance.integers(3, 5))
    guesses = secrets + int(chance.integers(0, 12))
    table = chance.integers(1, feedbacks, (guesses, secrets)).astype(np.uint8)
    guess_of = np.sort(chance.permutation(guesses)[:secrets])
    table[guess_of, np.arange(secrets)] = 0
    return DepthLimitedSearch(table, guess_of, 0, feedbacks, 4, 10**6)


WORDS = ["bight", "eight", "fight", "light", "might", "night", "right", "sight", "tight", "wight"]


def position(attempts, words, guesses=()):
    value = {
        "secret": {"words": words, "length": "5"},
        "guess": {"words": [*guesses, *words]},
        "rule": "marks",
        "play": {"attempts": str(attempts)} if attempts else {},
    }
    game = gamefile.build(document(value))
    return Position.of(game, open_engine(game))


def document(value):
    return read_document(dump(value), "game.yaml", Path())


def best(where):
    ranked, _ = find_strategy("deep").rank(where, 1)
    return where.game.format_code(ranked[0].guess)


def test_the_last_attempt_is_a_candidate():
    words = [*WORDS[:4], "abbey"]
    assert best(position(1, words, guesses=["flesh", "brawl"])).lower() in words


def test_with_two_attempts_left_most_candidates_are_reached():
    words, guesses = WORDS[:5], ["befit", "flmen"]
    where = position(2, words, guesses=guesses)
    rule = where.game.rule
    reached = {}
    for guess in where.game.guesses:
        answers = {rule.score(guess, secret) for secret in where.game.secrets}
        reached[where.game.format_code(guess)] = len(answers)
    assert reached[best(where)] == max(reached.values())


def test_short_of_attempts_a_guarantee_comes_before_the_average():
    guesses = ["bflmn", "wrtse"]
    game = position(3, WORDS, guesses=guesses).game
    hurried = tournament.run(game, name="hurried")
    assert hurried.played.total() == len(WORDS)
    assert max(hurried.played) <= 3


def test_rating_a_guess_says_what_ranking_it_says():
    where = position(None, WORDS, guesses=["bflmn", "wrtse"])
    ranked, _ = find_strategy("deep").rank(where, 3)
    rated = find_strategy("deep").rate(where, ranked[0].guess)
    assert rated.worst == ranked[0].worst
    assert rated.candidate == ranked[0].candidate


@pytest.mark.parametrize(("name", "length"), [("bulls-and-cows", 2), ("4x6", 3)])
def test_it_solves_every_sampled_secret(name, length):
    game = gamefile.load(name, ["play.strategy=deep", f"secret.length={length}"])
    result = tournament.run(game, name=name, secrets=20)
    assert result.played.total() == 20
    assert max(result.played) <= 7


def test_a_budget_of_all_guesses_is_the_whole_search():
    game = gamefile.load("3x4", ["play.strategy=deep"])
    totals = [
        sum(tournament.run(game, name="", budget=budget).guesses["played"]) for budget in (64, 1000)
    ]
    best = sum(tournament.run(game, name="", strategy="optimal").guesses["played"])
    assert totals == [best, best]
    assert sum(tournament.run(game, name="", budget=1).guesses["played"]) >= best


@pytest.mark.needs("numba")
def test_what_a_budget_finds_is_proved_from_as_many_guesses_on_as_there_are():
    game = gamefile.load("3x4", ["play.strategy=deep"])
    engine = open_engine(game)
    advice = [Adviser(game).advise(engine, budget=Budget(guesses=n)) for n in (63, 64, 65)]
    assert [one.exact for one in advice] == [False, True, True]


@pytest.mark.parametrize(
    ("strategy", "settings_"), [("deep", []), ("deep", ["hard=true"]), ("optimal", [])]
)
def test_with_one_attempt_left_a_guess_has_a_value_only_if_it_finds_every_candidate(
    strategy, settings_
):
    game = gamefile.load(
        "3x3", [f"play.strategy={strategy}", "play.attempts=2", "turns=[ABC BW]", *settings_]
    )
    engine = open_engine(game)
    candidates = list(engine.candidates())
    assert len(candidates) > 1
    adviser = Adviser(game)
    assert {each.value for each in adviser.advise(engine, 3).suggestions} == {None}
    assert adviser.rate(engine, candidates[0]).suggestions[0].value is None
