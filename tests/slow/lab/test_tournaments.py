"""Whole tournaments: compiled trees, several processes, published tables."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from positions import position_of
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.errors import StrategyError
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from puzzlehunt.lab import execution, tournament
from puzzlehunt.lab.execution import Execution
from puzzlehunt.strategies.measures import MEASURES
from puzzlehunt.strategies.registry import find_strategy
from puzzlehunt.strategies.search import grow
from puzzlehunt.views.tournaments import result_csv, result_json

games = st.from_type(Game).filter(lambda game: game.boards == 1)
measures = st.sampled_from(list(MEASURES))


def with_play(game: Game, **play: str) -> Game:
    return game.with_play(play)


def nested(tree, node: int = 0):
    """A decision tree as nested tuples (guess, total, {answer: tree}), which compare."""
    below = {answer: nested(tree, child) for answer, child in tree.children[node].items()}
    return tree.code(node), int(tree.total[node]), below


@given(
    games.filter(lambda game: game.guesses.size <= 1000),
    measures,
    st.sampled_from(["candidates", "secrets", "all"]),
    st.sampled_from(["first", "candidate"]),
    st.integers(0, 2**16),
)
@settings(max_examples=60)
def test_the_compiled_tree_makes_the_same_guesses_as_the_plain_one(game, name, pool, ties, seed):
    assume(open_engine(game, "explicit").satisfiable())
    position = position_of(with_play(game, strategy=name, pool=pool, ties=ties))
    strategy = find_strategy(name)
    assume(grow.suits(position, strategy))
    rng = np.random.default_rng(seed)
    wanted = np.zeros(len(position.secrets), dtype=np.bool_)
    wanted[rng.permutation(position.candidates)[: int(rng.integers(1, 300))]] = True
    try:
        plain = grow.grow(position, strategy, wanted=wanted, compiled=False)
    except StrategyError as error:
        with pytest.raises(StrategyError, match=str(error)[:20]):
            grow.grow(position, strategy, wanted=wanted, compiled=True)
        return
    assert nested(grow.grow(position, strategy, wanted=wanted, compiled=True)) == nested(plain)


def same(one: tournament.Tournament, other: tournament.Tournament) -> bool:
    ours, theirs = result_json(one), result_json(other)
    del ours["seconds"], theirs["seconds"]
    return ours == theirs and result_csv(one) == result_csv(other)


@pytest.mark.parametrize("strategy", ["consistent", "first"])
def test_any_number_of_processes_has_the_same_result(strategy, monkeypatch):
    monkeypatch.setattr(execution, "_SECONDS_ALONE", 0.0)
    game = gamefile.load("4x6").with_play({"strategy": strategy, "seed": 3})
    alone = tournament.run(game, name="4x6", secrets=40, execution=Execution(jobs=1))
    assert same(tournament.run(game, name="4x6", secrets=40, execution=Execution(jobs=2)), alone)


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


def test_the_secrets_of_wordle_take_few_guesses_drawn_as_they_weigh():
    result = tournament.run("wordle", secrets=200)
    assert result.summary("played").average < 3.75
    assert max(result.played) <= 6
