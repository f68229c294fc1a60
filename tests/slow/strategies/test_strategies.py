"""Published tables of whole tournaments."""

import pytest
from hypothesis import strategies as st

from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from puzzlehunt.lab import tournament

games = st.from_type(Game).filter(lambda game: game.secrets_at_once == 1)


@pytest.mark.parametrize(
    ("strategy", "pool", "ties", "played", "known", "histogram"),
    [
        ("minimax", "candidates", "first", None, 77422, [1, 29, 491, 6149, 9534, 597, 6]),
        ("parts", "secrets", "candidate", 86869, 73622, [1, 40, 846, 8770, 6977, 173]),
    ],
)
def test_published_tables_for_the_tune_of_nethack(strategy, pool, ties, played, known, histogram):
    settings_of_table = {"strategy": strategy, "pool": pool, "ties": ties, "opening": "AABBC"}
    game = gamefile.load("nethack").with_play(settings_of_table)
    result = tournament.run(game, "nethack")
    summary = tournament.summary(result.known)
    assert (summary["games"], summary["total"]) == (16807, known)
    assert [*summary["histogram"].values()] == histogram
    if played is not None:
        assert tournament.summary(result.played)["total"] == played
