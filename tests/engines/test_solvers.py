"""Solvers of all makes agree with brute force."""

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlehunt.engines.choice import open_engine
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.engines.smtlib import Encoding
from puzzlehunt.engines.solvers import command_of, open_solver
from puzzlehunt.engines.symbolic import SymbolicEngine
from puzzlehunt.errors import GameFileError, PuzzlehuntError
from puzzlehunt.game.files import gamefile
from solver_programs import HEALTHY, PAIRS, check_candidates, pigeons

few = settings(max_examples=3)

# All makes of solver agree.


@pytest.mark.parametrize(("name", "kind"), [pair for at, pair in enumerate(PAIRS) if at % 8 == 0])
@given(seed=st.integers(0, 100_000))
@few
def test_a_solver_leaves_the_candidates_of_brute_force(
    named, brute_force, random_game, name, kind, seed
):
    check_candidates(named(name), random_game(seed, kind), brute_force)


@pytest.mark.parametrize("name", HEALTHY)
def test_what_was_assumed_is_forgotten(named, name):
    encoding = Encoding(gamefile.load("2x2"))
    manager = encoding.manager
    solver = open_solver(encoding.environment, named(name))
    first, second = encoding.position_booleans[0]
    solver.add(manager.Or(first, second))
    assert solver.check([]) is True
    assert solver.check([manager.Not(first), second]) is True
    assert (solver.value(first), solver.value(second)) == (False, True)
    assert solver.check([manager.Not(first), manager.Not(second)]) is False
    assert solver.check([manager.Not(second)]) is True
    assert solver.value(first)
    assert solver.check([manager.Symbol("only_here"), second]) is True
    solver.add(manager.Not(manager.Symbol("only_here")))
    assert solver.check([]) is True


@pytest.mark.parametrize("name", ["z3", "z3 -in"])
def test_effort_has_an_end(named, name):
    encoding = Encoding(gamefile.load("2x2"))
    solver = open_solver(encoding.environment, named(name))
    asked = pigeons(encoding, solver, 14)
    assert solver.check([asked], effort=30_000) is None
    assert solver.check([]) is True


# Which solver.


def test_a_solver_means_the_symbolic_engine():
    assert isinstance(open_engine(gamefile.load("4x6")), ExplicitEngine)
    for solver in ("z3", "cvc5", "nobody -in"):
        game = gamefile.load("4x6", [f"play.solver={solver}"])
        assert isinstance(open_engine(game), SymbolicEngine)
    game = gamefile.load("4x6", ["play.solver=cvc5", "play.engine=symbolic"])
    assert isinstance(open_engine(game), SymbolicEngine)


def test_the_explicit_engine_asks_no_solver():
    with pytest.raises(GameFileError, match=r"play\.solver: the explicit engine asks no solver"):
        gamefile.load("4x6", ["play.solver=z3", "play.engine=explicit"])


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("cvc4", "no solver and no program is called 'cvc4'; did you mean cvc5?"),
        ("/no/such/solver -in", "no solver and no program is called '/no/such/solver'"),
        ("Z3 -in", "did you mean z3?"),
        ('z3 "', "is not a command: No closing quotation"),
        (" ", "which solver"),
        ("", "which solver"),
        (os.devnull, "no solver and no program is called"),
    ],
)
def test_a_solver_that_is_not_there_is_an_error_with_the_nearest(name, problem):
    with pytest.raises(PuzzlehuntError) as told:
        command_of(name)
    assert problem in str(told.value)


def test_a_program_beside_python_need_not_be_on_the_path(monkeypatch, named):
    monkeypatch.setenv("PATH", "")
    assert command_of("z3 -in") == [named("z3 -in").split()[0], "-in"]


# The command line.


def test_no_file_has_a_command_run(tmp_path):
    path = tmp_path / "game.yaml"
    path.write_text("game: mastermind\nplay: {solver: z3 -in}\n")
    with pytest.raises(GameFileError, match=r"game.yaml:2: play.solver: a file names z3 or cvc5"):
        gamefile.load(str(path))
    assert gamefile.load(str(path), ["play.solver=z3 -in"]).play.solver == "z3 -in"
