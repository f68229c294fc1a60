from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookaheads import lookaheads
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.document import dump, read_document
from puzzlehunt.kernels.lookahead import DepthLimitedSearch, priced
from puzzlehunt.kernels.problem import ONE, UNINFORMATIVE_UNITS, UNSOLVED_UNITS, cost_to_go
from puzzlehunt.lab import tournament
from puzzlehunt.strategies.adviser import Adviser
from puzzlehunt.strategies.position import Budget, Position
from puzzlehunt.strategies.registry import find_strategy


@given(lookaheads(), st.integers(3, 60))
def test_a_bound_changes_only_values_that_do_not_matter(ahead, guesses_on_average):
    alive = np.arange(ahead.table.shape[1])
    guesses = np.arange(len(ahead.table))
    bound = len(alive) * ONE * guesses_on_average // 10
    whole = ahead.values(alive, guesses, UNINFORMATIVE_UNITS)
    bounded = ahead.values(alive, guesses, bound)
    assert ((bounded == whole) | ((bounded >= bound) & (whole >= bound))).all()


@given(st.integers(1, 60), st.integers(1, 40), st.integers(2, 400), st.integers(0, 2**20))
def test_prices_are_added_part_by_part(guesses, secrets, feedbacks, seed):
    table = np.random.default_rng(seed).integers(0, feedbacks, (guesses, secrets)).astype(np.uint16)
    estimated = cost_to_go(secrets, ONE)
    expected = [estimated[np.unique(row, return_counts=True)[1]].sum() for row in table]
    assert priced(table, feedbacks, estimated).tolist() == expected


def tight(seed: int) -> DepthLimitedSearch:
    """A table of few answers with four attempts left, so that the third is mostly the last."""
    chance = np.random.default_rng(seed)
    secrets, feedbacks = int(chance.integers(8, 16)), int(chance.integers(3, 5))
    guesses = secrets + int(chance.integers(0, 12))
    table = chance.integers(1, feedbacks, (guesses, secrets)).astype(np.uint8)
    guess_of = np.sort(chance.permutation(guesses)[:secrets])
    table[guess_of, np.arange(secrets)] = 0
    return DepthLimitedSearch(table, guess_of, 0, feedbacks, 4, 10**6)


@pytest.mark.parametrize("seed", [8, 11, 26, 341])
def test_more_guesses_are_looked_into_until_one_loses_nobody(seed):
    """In these tables the first few guesses lose somebody, and a later one does not."""
    ahead = tight(seed)
    alive, guesses = np.arange(ahead.table.shape[1]), np.arange(len(ahead.table))
    assert min(ahead.values(alive, guesses, UNINFORMATIVE_UNITS)) < UNSOLVED_UNITS


def test_a_guess_that_is_the_secret_adds_nothing_to_the_guesses_that_follow():
    table = np.array([[0, 1, 2], [1, 0, 2], [2, 1, 0]], dtype=np.uint8)
    alive = np.arange(3)
    ahead = DepthLimitedSearch(table, alive, 0, 3, 1000, 10**6)
    assert ahead.values(alive, alive, UNINFORMATIVE_UNITS).tolist() == [(1 + 2 + 2) * ONE] * 3


def test_small_parts_are_exact():
    assert (cost_to_go(3, ONE)[:3] == [0, ONE, 3 * ONE]).all()


def cost_of_play(ahead, alive, left):
    """What the guesses really take that the strategy chooses one after the other, in plain code."""
    if len(alive) == 1:
        return ONE
    costs = ahead.costs(alive, left)
    guess = int(np.argmin(costs))
    total = len(alive) * ONE
    for answer in set(ahead.table[guess, alive].tolist()) - {ahead.winning}:
        part = alive[ahead.table[guess, alive] == answer]
        total += cost_of_play(ahead, part, left)
    return total


@given(lookaheads())
def test_a_guess_that_separates_all_costs_what_play_takes(ahead):
    alive = np.arange(3)
    costs = ahead.costs(alive, 1000)
    if costs.min() >> 1 <= 2 * len(alive) * ONE:
        assert costs.min() >> 1 == cost_of_play(ahead, alive, 1000)


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


def test_lost_candidates_outweigh_any_number_of_guesses():
    assert cost_to_go(20_000, ONE)[-1] < UNSOLVED_UNITS


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
