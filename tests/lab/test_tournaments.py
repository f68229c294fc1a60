"""Whole tournaments: compiled trees against plain ones, and published tables."""

import pytest

from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.files import gamefile
from puzzlehunt.lab import execution, tournament
from puzzlehunt.lab.execution import Execution
from puzzlehunt.strategies import oneply
from puzzlehunt.views.tournaments import result_csv, result_json


def test_progress_counts_every_wanted_secret_once():
    done: list[int] = []
    tournament.run(gamefile.load("3x4", ["play.strategy=parts"]), name="3x4", progress=done.append)
    assert sum(done) == 64


def test_a_sample_of_guesses_does_not_depend_on_who_plays_which_part(tmp_path, monkeypatch):
    monkeypatch.setattr(oneply, "MOST_SCORES", 5_000)
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


def same(one: tournament.Tournament, other: tournament.Tournament) -> bool:
    ours, theirs = result_json(one), result_json(other)
    del ours["seconds"], theirs["seconds"]
    return ours == theirs and result_csv(one) == result_csv(other)


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["consistent", "first"])
def test_any_number_of_processes_has_the_same_result(strategy, monkeypatch):
    monkeypatch.setattr(execution, "_SECONDS_ALONE", 0.0)
    game = gamefile.load("4x6").with_play({"strategy": strategy, "seed": 3})
    alone = tournament.run(game, name="4x6", secrets=40, execution=Execution(jobs=1))
    assert same(tournament.run(game, name="4x6", secrets=40, execution=Execution(jobs=2)), alone)


@pytest.mark.slow
def test_a_cluster_has_the_same_result_as_one_process():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
    ) as cluster:
        several = Execution(cluster=cluster.scheduler_address)
        for strategy in ("consistent", "entropy", "first", "optimal"):
            game = gamefile.load("3x4").with_play({"strategy": strategy, "seed": 3})
            done, alone = (
                tournament.run(game, name="3x4", secrets=40, execution=execution)
                for execution in (several, Execution(jobs=1))
            )
            assert same(done, alone), strategy


@pytest.mark.slow
def test_the_secrets_of_wordle_take_few_guesses_drawn_as_they_weigh():
    result = tournament.run("wordle", secrets=200)
    assert result.summary("played").average < 3.75
    assert max(result.played) <= 6
