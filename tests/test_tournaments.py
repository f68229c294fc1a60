"""Whole tournaments: compiled walks against the plain one, and published tables."""

import random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from puzzlehunt import gamefile
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.errors import StrategyError
from puzzlehunt.game import Game
from puzzlehunt.lab import levels, tournament
from puzzlehunt.lab.tree import one_by_one, walk
from puzzlehunt.partition import MEASURES
from puzzlehunt.strategies import Budget, Guesses, Position, find_strategy

games = st.from_type(Game).filter(lambda game: game.secrets_at_once == 1)
measures = st.sampled_from(list(MEASURES))


def position_of(game: Game, seed: int = 0) -> Position:
    engine = open_known(game)
    guesses = Guesses.of(game, engine.every())
    return Position.of(game, engine, guesses, random.Random(seed))


def open_known(game: Game) -> ExplicitEngine:
    engine = ExplicitEngine(game)
    engine.follow(game.history)
    return engine


def with_play(game: Game, **play: str) -> Game:
    return game.with_play(play)


@given(
    games.filter(lambda game: game.guesses.size <= 1000),
    measures,
    st.sampled_from(["candidates", "secrets", "all"]),
    st.sampled_from(["first", "candidate"]),
    st.integers(0, 2**16),
)
@settings(max_examples=60)
def test_the_compiled_walk_makes_the_same_guesses_as_the_plain_one(game, name, pool, ties, seed):
    assume(open_known(game).satisfiable())
    position = position_of(with_play(game, strategy=name, pool=pool, ties=ties))
    strategy = find_strategy(name)
    assume(levels.suits(position, strategy))
    rng = np.random.default_rng(seed)
    wanted = np.sort(rng.permutation(position.alive)[: int(rng.integers(1, 300))])
    try:
        plain = one_by_one(position, strategy, wanted)
    except StrategyError as error:
        with pytest.raises(StrategyError, match=str(error)[:20]):
            walk(position, strategy, wanted)
        return
    fast = walk(position, strategy, wanted)
    assert (fast.played == plain[0, wanted]).all()
    assert (fast.known == plain[1, wanted]).all()


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("ties", ["first", "candidate"])
@pytest.mark.parametrize("spec", ["4x6", "5x4", "nethack3", "words"])
def test_the_compiled_walk_agrees_on_whole_games(name, ties, spec, game_of):
    game = game_of(
        {
            "4x6": {"secret": {"symbols": "ABCDE", "length": 4}, "rule": "pegs"},
            "5x4": {"secret": {"symbols": "ABCD", "length": 5}, "rule": "pegs"},
            "nethack3": {
                "secret": {"symbols": "ABCDE", "length": 4},
                "guess": {"length": "0-4"},
                "rule": "pegs",
            },
            "words": {"secret": {"symbols": "ABCD", "length": 4}, "rule": "marks"},
        }[spec]
    ).with_play({"strategy": name, "ties": ties, "pool": "all"})
    position, strategy = position_of(game), find_strategy(name)
    assert levels.suits(position, strategy)
    plain = one_by_one(position, strategy, position.alive)
    fast = walk(position, strategy, position.alive)
    assert (np.stack((fast.played, fast.known)) == plain[:, position.alive]).all()


def test_large_positions_are_shared_among_cores_with_the_same_result(monkeypatch):
    game = gamefile.load("4x6", ["play.strategy=entropy"])
    position, strategy = position_of(game), find_strategy("entropy")
    few = walk(position, strategy, position.alive)
    monkeypatch.setattr(levels, "_LARGE", 1)
    monkeypatch.setattr(levels, "_TOGETHER", 1000)
    many = walk(position, strategy, position.alive)
    assert (few.played == many.played).all()
    assert (few.known == many.known).all()


def test_progress_counts_every_wanted_secret_once():
    done: list[int] = []
    tournament.run(gamefile.load("3x4", ["play.strategy=parts"]), "3x4", progress=done.append)
    assert sum(done) == 64


def test_a_budget_that_leaves_guesses_out_is_walked_one_by_one():
    game = gamefile.load("3x4", ["play.strategy=parts"])
    engine = ExplicitEngine(game)
    few = Position.of(game, engine, budget=Budget(guesses=5))
    assert not levels.suits(few, find_strategy("parts"))
    assert levels.suits(Position.of(game, engine), find_strategy("parts"))


# Published tables. NetHack's count plays until one tune is left; the source of the figures is the
# community's study of strategies for the drawbridge tune.

NETHACK = [
    ("minimax", "candidates", "first", 77422, [1, 29, 491, 6149, 9534, 597, 6]),
    ("parts", "secrets", "candidate", 73622, [1, 40, 846, 8770, 6977, 173]),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "pool", "ties", "total", "histogram"), NETHACK)
def test_nethack_has_the_published_table(name, pool, ties, total, histogram):
    game = gamefile.load("nethack").with_play(
        {"strategy": name, "pool": pool, "ties": ties, "opening": "AABBC"}
    )
    known = tournament.run(game, "nethack").known
    assert [known[n] for n in range(1, max(known) + 1)] == histogram
    assert sum(n * times for n, times in known.items()) == total
