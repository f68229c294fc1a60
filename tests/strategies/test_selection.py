"""Searches that look into some of the guesses, where all of them are too many."""

import pytest

from puzzlehunt.game.files import gamefile
from puzzlehunt.lab import tournament
from puzzlehunt.strategies.search import optimal


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
