"""Eight threads with a solver each, in games that keep the solvers busy at the same time."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

import puzzlehunt

ENGINES = [
    "symbolic",
    pytest.param("linear", marks=pytest.mark.needs("highspy")),
    pytest.param("logic", marks=pytest.mark.needs("clingo")),
]


@pytest.mark.parametrize("name", ENGINES)
def test_threads_with_an_engine_each_answer_as_one_thread_does(name: str) -> None:
    game = puzzlehunt.load("4x6")

    def played(seed: int) -> list[bool]:
        rng = random.Random(seed)
        engine, secret = puzzlehunt.open_engine(game, name), game.secrets.random(rng)
        for _ in range(4):
            guess = engine.sample(1, rng).codes[0]
            engine.push(game.turn(guess, game.score(guess, secret)))
        return [secret in engine, engine.satisfiable(), engine.satisfiable([0, 2])]

    for _ in range(3):
        with ThreadPoolExecutor(8) as pool:
            assert [*pool.map(played, range(16))] == [[True] * 3] * 16
