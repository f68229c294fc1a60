"""Whole tournaments: compiled trees against plain ones, and published tables."""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from positions import position_of
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.errors import PuzzlehuntError, StrategyError
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from puzzlehunt.lab import execution, tournament
from puzzlehunt.lab.execution import Execution
from puzzlehunt.strategies import oneply
from puzzlehunt.strategies.measures import MEASURES
from puzzlehunt.strategies.registry import find_strategy
from puzzlehunt.strategies.search import grow
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


games = st.from_type(Game).filter(lambda game: game.boards == 1)


def nested(tree, node: int = 0):
    """A decision tree as nested tuples (guess, total, {answer: tree}), which compare."""
    below = {answer: nested(tree, child) for answer, child in tree.children[node].items()}
    return tree.code(node), int(tree.total[node]), below


@pytest.mark.slow
@given(
    games.filter(lambda game: game.guesses.size <= 1000),
    st.sampled_from(list(MEASURES)),
    st.sampled_from(["candidates", "secrets", "all"]),
    st.sampled_from(["first", "candidate"]),
    st.integers(0, 2**16),
)
@settings(max_examples=60)
def test_the_compiled_tree_makes_the_same_guesses_as_the_plain_one(game, name, pool, ties, seed):
    assume(open_engine(game, "explicit").satisfiable())
    position = position_of(game.with_play({"strategy": name, "pool": pool, "ties": ties}))
    strategy = find_strategy(name)
    assume(grow.suits(position, strategy))
    rng = np.random.default_rng(seed)
    wanted = np.zeros(len(position.secrets), dtype=np.bool_)
    wanted[rng.permutation(position.candidates)[: int(rng.integers(1, 300))]] = True

    def made(small: int):
        with patch.object(grow, "_SMALL", small):
            return nested(grow.grow(position, strategy, wanted=wanted))

    try:
        plain = made(10**9)
    except StrategyError as error:
        with pytest.raises(StrategyError, match=str(error)[:20]):
            made(0)
    else:
        assert made(0) == plain


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
