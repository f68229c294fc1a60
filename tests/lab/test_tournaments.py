"""Whole tournaments: compiled trees against plain ones, and published tables."""

import pytest

from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.files import gamefile
from puzzlehunt.lab import tournament
from puzzlehunt.lab.execution import Execution
from puzzlehunt.strategies import oneply
from puzzlehunt.strategies.search import grow
from puzzlehunt.views.tournaments import result_json


def test_progress_counts_every_wanted_secret_once():
    done: list[int] = []
    tournament.run(gamefile.load("3x4", ["play.strategy=parts"]), name="3x4", progress=done.append)
    assert sum(done) == 64


def test_a_sample_of_guesses_does_not_depend_on_who_plays_which_part(tmp_path, monkeypatch):
    for module in (oneply, grow):
        monkeypatch.setattr(module, "MOST_SCORES", 5_000)
    monkeypatch.setattr(oneply, "_BEST_BY_FEW", 50)
    monkeypatch.setattr(oneply, "_FEW_CANDIDATES", 30)
    game = gamefile.load("4x6", ["play.strategy=entropy", "play.opening=AABC"])
    whole = tournament.run(game, name="4x6", execution=Execution(jobs=1))
    noted = tournament.run(
        game, name="4x6", execution=Execution(jobs=1, checkpoint=tmp_path / "part")
    )
    assert whole.played == noted.played


# Samples, where the work is done, and what is kept of it.


def consistent(secrets: int = 40, **how):
    game = gamefile.load("4x6").with_play({"strategy": "consistent", "seed": 3})
    return tournament.run(game, name="4x6", secrets=secrets, execution=Execution(**how))


def test_a_sample_has_an_interval_around_its_average_and_all_secrets_have_none():
    result = result_json(consistent())
    for counted in (result, result["known"]):
        low, high = counted["interval"]
        assert low < counted["average"] < high
    whole = result_json(tournament.run(gamefile.load("2x3"), name="2x3"))
    assert whole["interval"] is None


@pytest.mark.slow
def test_a_cluster_that_is_not_there_is_one_line():
    for address in ("nowhere", "127.0.0.1:99999999"):
        with pytest.raises(PuzzlehuntError, match="no scheduler answers there"):
            consistent(cluster=address)
