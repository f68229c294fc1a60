from pathlib import Path

import pytest

from puzzlehunt.engines.choice import open_engine
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.document import dump, read_document
from puzzlehunt.lab import tournament
from puzzlehunt.strategies.adviser import Adviser
from puzzlehunt.strategies.position import Budget, Position
from puzzlehunt.strategies.registry import find_strategy

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


@pytest.mark.slow
def test_mastermind_takes_nearly_as_few_guesses_as_any_play_can():
    game = gamefile.load("4x6", ["play.strategy=deep"])
    assert (
        5625
        <= sum(n * times for n, times in tournament.run(game, name="4x6").played.items())
        <= 5640
    )
