"""Searches that look into some of the guesses, where all of them are too many."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlehunt.engines.choice import open_engine
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.history import Turn
from puzzlehunt.kernels.packed_codes import code_of
from puzzlehunt.kernels.problem import cost_to_go
from puzzlehunt.lab import tournament
from puzzlehunt.strategies.pool import Pool
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.search import optimal
from puzzlehunt.strategies.search.optimal import best_opening, most_promising


def position_of(name, turns, seed, *settings):
    """Return the position after some random guesses at a random secret."""
    game = gamefile.load(name, settings)
    rng = random.Random(seed)
    secret = game.secrets.random(rng)
    items = []
    for _ in range(turns):
        guess = game.guesses.random(rng)
        items.append(Turn(guess, game.rule.notation.full_clue(game.score(guess, secret), guess)))
    engine = open_engine(game, "explicit")
    engine.follow(items)
    return Position.of(game, engine, pool=Pool.of(game, engine.secrets()))


def estimate_of(game, candidates, guess):
    """Return what the parts of a guess are estimated to take, and whether it is not a candidate."""
    parts = Counter(game.score(guess, secret) for secret in candidates)
    price_of = cost_to_go(len(candidates), 720_720)
    sizes = (size for feedback, size in parts.items() if feedback != game.rule.winning)
    return sum(int(price_of[size]) for size in sizes), guess not in candidates


@given(st.sampled_from(["2x4", "3x3", "3x4", "4x3"]), st.integers(0, 3), st.integers(0, 99))
def test_the_guesses_with_the_least_estimates_come_first(name, turns, seed):
    position = position_of(name, turns, seed)
    codes = position.choices()[0].codes
    candidates = [position.candidate(n) for n in range(len(position.candidates))]

    def first(most):
        chosen = [code_of(codes[place]) for place in most_promising(position, most)]
        return [estimate_of(position.game, candidates, guess) for guess in chosen]

    every = {estimate_of(position.game, candidates, guess) for guess in position.game.guesses}
    found = first(len(codes))
    assert found == sorted(found)
    assert set(found) == every
    assert first(3) == found[:3]


@pytest.mark.parametrize("name", ["2x5", "3x3"])
def test_openings_are_compared_by_the_best_guesses_behind_them(name):
    position = position_of(name, 0, 0)
    game, codes = position.game, list(position.game.secrets)

    def behind(guess):
        parts = {}
        for secret in codes:
            parts.setdefault(game.score(guess, secret), []).append(secret)
        parts.pop(game.rule.winning)
        return sum(
            len(part) * 720_720 + min(estimate_of(game, part, other)[0] for other in codes)
            for part in parts.values()
        )

    best = code_of(position.choices()[0].codes[best_opening(position)[0]])
    assert behind(best) == min(map(behind, codes))


@pytest.fixture
def few_guesses(monkeypatch):
    """Make every game one whose guesses are too many, and select very few of them."""
    monkeypatch.setattr(optimal, "_LARGEST_WHOLE", 1)
    monkeypatch.setattr(optimal, "_CELLS", 1)
    monkeypatch.setattr(optimal, "_LEAST_SELECTED", 4)


@pytest.mark.parametrize("settings", [[], ["play.opening=ABC"], ["play.attempts=6"]])
@pytest.mark.parametrize("most_searched", [5, 1000])
@pytest.mark.usefixtures("few_guesses")
def test_what_is_searched_among_some_guesses_ends(settings, most_searched, monkeypatch):
    monkeypatch.setattr(optimal, "_MOST_SEARCHED", most_searched)
    game = gamefile.load("3x5", ["play.strategy=deep", *settings])
    found = tournament.run(game, name="3x5", budget=3)
    proved = 451  # guesses in all, by `lab run 3x5 --strategy optimal`
    assert len(found.secrets) == 125
    assert proved <= found.summary("played").total <= 1.1 * proved


@pytest.mark.usefixtures("few_guesses")
def test_a_guess_does_not_depend_on_which_other_games_are_played():
    game = gamefile.load("3x5", ["play.strategy=deep", "play.opening=AAB"])
    every = tournament.run(game, name="3x5", budget=3)
    guesses = dict(zip(map(bytes, every.secrets), every.guesses["played"], strict=True))
    some = tournament.run(game, name="3x5", budget=3, secrets=40)
    for secret, played in zip(some.secrets, some.guesses["played"], strict=True):
        assert guesses[bytes(secret)] == played
