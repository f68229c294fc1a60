"""Solvers of all makes, by all kinds of games and questions."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlehunt.engines.smtlib import Encoding
from puzzlehunt.engines.solvers import open_solver
from puzzlehunt.explanation.certainty import certain
from puzzlehunt.explanation.conflict import conflicts
from puzzlehunt.explanation.repair import repairs
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.history import Turn
from solver_programs import HEALTHY, PAIRS, asking, check_candidates, interrupt_after, pigeons

few = settings(max_examples=2)


@pytest.mark.parametrize(
    "name",
    [name for name in HEALTHY if name != "z3"],
)
@given(seed=st.integers(0, 100_000))
@settings(max_examples=2)
def test_no_answer_depends_on_the_solver(named, random_game, name, seed):
    game = random_game(seed, "repeats", "distinct", "words", "tunes")
    rng = random.Random(seed)
    for _ in range(3):
        guess, secret = game.guesses.random(rng), game.secrets.random(rng)
        clue = game.rule.notation.full_clue(game.score(guess, secret), guess)
        game = replace(game, history=game.history.add(Turn(guess, clue)))
    told = []
    for solver in ("z3", named(name)):
        engine = asking(game, solver)
        told.append(
            [
                list(engine.candidates()),
                engine.sample(4, random.Random(seed)),
                engine.first_conflict(),
                conflicts(engine),
                conflicts(engine, most=100),
                repairs(engine),
                certain(engine),
            ]
        )
    assert told[0] == told[1]


@pytest.mark.parametrize("name", ["z3", "z3 -in"])
def test_every_solver_can_be_interrupted(named, name):
    encoding = Encoding(gamefile.load("2x2"))
    solver = open_solver(encoding.environment, named(name))
    solver.add(encoding.position_booleans[0][0])
    asked = pigeons(encoding, solver, 14)
    interrupt_after(0.5)
    with pytest.raises(KeyboardInterrupt):
        solver.check([asked])
    assert solver.check([]) is True
    assert solver.value(encoding.position_booleans[0][0]) is True


@pytest.mark.parametrize(("name", "kind"), [pair for at, pair in enumerate(PAIRS) if at % 8])
@given(seed=st.integers(0, 100_000))
@few
def test_every_solver_leaves_the_candidates_of_brute_force(
    named, brute_force, random_game, name, kind, seed
):
    check_candidates(named(name), random_game(seed, kind), brute_force)
