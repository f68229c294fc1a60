"""Engines of their own in threads answer as they do alone."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

import puzzlehunt
from puzzlehunt import Game
from puzzlehunt.engines import open_engine

SEEDS = range(8)


def played(game: Game, name: str, seed: int) -> list[object]:
    """Play some guesses with an engine of its own, and say what it knew after each."""
    rng = random.Random(seed)
    engine, secret = open_engine(game, name), game.secrets.random(rng)
    known: list[object] = []
    for _ in range(2):
        guess = engine.sample(1, rng).codes[0]
        engine.push(game.turn(guess, game.score(guess, secret)))
        known.append((engine.satisfiable(), secret in engine, engine.satisfiable([0])))
    return known


@pytest.mark.parametrize("name", ["explicit", "symbolic", "linear", "logic"])
def test_eight_threads_that_share_a_game_have_an_engine_each(name: str) -> None:
    game = puzzlehunt.load("2x4")
    with ThreadPoolExecutor(8) as pool:
        found = [*pool.map(lambda seed: played(game, name, seed), SEEDS)]
    assert found == [played(game, name, seed) for seed in SEEDS]


def test_eight_threads_that_share_a_game_have_an_adviser_each() -> None:
    game, rows = puzzlehunt.load("wordle"), [[], ["CRANE GY..."], ["SLATE ..G.."], ["RAISE Y...."]]

    def guesses(turns: list[str]) -> list[str]:
        return puzzlehunt.suggest(game, turns, 3, budget=puzzlehunt.Budget(guesses=200)).guesses

    with ThreadPoolExecutor(8) as pool:
        found = [*pool.map(guesses, rows * 2)]
    assert found == [*map(guesses, rows * 2)]
