"""Whole tournaments: compiled trees against plain ones, and published tables."""

import pickle

import numpy as np
import pytest

from nested_trees import nested
from positions import position_of
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.fingerprint import fingerprint
from puzzlehunt.lab import tournament
from puzzlehunt.lab.execution import Execution
from puzzlehunt.strategies import oneply
from puzzlehunt.strategies.position import Budget, Position
from puzzlehunt.strategies.registry import find_strategy
from puzzlehunt.strategies.search import grow
from puzzlehunt.views.tournaments import result_json


@pytest.mark.parametrize("name", ["minimax", "expected-size", "entropy", "parts"])
@pytest.mark.parametrize("ties", ["first", "candidate"])
@pytest.mark.parametrize("spec", ["5x3", "3x4"])
def test_a_compiled_tree_plays_as_the_strategy_does(spec, ties, name):
    position = position_of(gamefile.load(spec).with_play({"strategy": name, "ties": ties}))
    plain = grow.grow(position, find_strategy(name), compiled=False)
    compiled = grow.grow(position, find_strategy(name), compiled=True)
    assert nested(compiled) == nested(plain)
    for fold in ("played", "known", "left"):
        by_secret = [getattr(tree, fold)()[..., tree.order.argsort()] for tree in (plain, compiled)]
        assert np.array_equal(*by_secret)


def test_progress_counts_every_wanted_secret_once():
    done: list[int] = []
    tournament.run(gamefile.load("3x4", ["play.strategy=parts"]), name="3x4", progress=done.append)
    assert sum(done) == 64


@pytest.mark.needs("numba")
def test_a_budget_that_leaves_guesses_out_is_grown_plainly():
    game = gamefile.load("3x4", ["play.strategy=parts"])
    engine = ExplicitEngine(game)
    few = Position.of(game, engine, budget=Budget(guesses=5))
    assert not grow.suits(few, find_strategy("parts"))
    assert grow.suits(Position.of(game, engine), find_strategy("parts"))


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


def test_the_opening_is_the_guess_that_was_played_first():
    assert result_json(tournament.run(gamefile.load("3x4"), name="3x4"))["opening"] == "AAB"
    assert result_json(consistent())["opening"] is None
    game = gamefile.load("4x6").with_play({"strategy": "consistent", "opening": "AABB"})
    assert result_json(tournament.run(game, name="4x6", secrets=5))["opening"] == "AABB"


def test_an_opening_that_is_no_guess_of_the_game_is_refused():
    game = gamefile.load("bulls-and-cows").with_play({"opening": "1123"})
    with pytest.raises(PuzzlehuntError, match="1123"):
        tournament.run(game, name="bulls-and-cows")


def test_a_result_says_that_not_all_guesses_were_evaluated():
    game = gamefile.load("3x4").with_play({"strategy": "parts"})
    few = result_json(tournament.run(game, name="3x4", budget=5))
    assert (few["exact"], few["basis"]) == (False, "a sample of the guesses")
    assert result_json(tournament.run(game, name="3x4"))["exact"]


def test_a_cluster_that_is_not_there_is_one_line(tmp_path):
    pytest.importorskip("distributed")
    for address in ("nowhere", "127.0.0.1:99999999"):
        with pytest.raises(PuzzlehuntError, match="no scheduler answers there"):
            consistent(cluster=address)


@pytest.mark.parametrize(
    "name", ["cryptic", "wordle", "fibble", "nethack", "mini-nerdle", "warmle"]
)
def test_other_processes_get_the_game_that_is_played(name):
    """Whatever its rule, words and channel keep."""
    game = gamefile.load(name)
    assert fingerprint(pickle.loads(pickle.dumps(game))) == fingerprint(game)
