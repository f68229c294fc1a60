"""Solvers of all makes agree with brute force."""

import gc
import os
import weakref

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
from puzzlehunt.game.files.document import Document
from puzzlehunt.session.settings import kept_settings
from solver_programs import HEALTHY, PAIRS, ROWS, check_candidates, pigeons

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


def test_z3_keeps_what_is_assumed_again_and_again_once():
    encoding = Encoding(gamefile.load("2x2"))
    solver = open_solver(encoding.environment)
    for _ in range(20):
        assert solver.check([encoding.manager.Or(encoding.position_booleans[0])]) is True
    assert len(solver._solver.assertions()) == 1


def test_z3_gives_its_memory_back_at_once():
    engine = open_engine(gamefile.load("2x2"), "symbolic")
    assert engine.satisfiable()
    context = weakref.ref(engine._solver._solver.ctx)
    gc.disable()
    try:
        del engine
        assert context() is None
    finally:
        gc.enable()


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


def test_without_the_program_cvc5_what_is_there_is_told(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(PuzzlehuntError, match="no program is called cvc5"):
        command_of("cvc5")


def test_a_program_beside_python_need_not_be_on_the_path(monkeypatch, named):
    monkeypatch.setenv("PATH", "")
    assert command_of("z3 -in") == [named("z3 -in").split()[0], "-in"]


# The command line.


@pytest.mark.parametrize("name", ["a program", "z3 -in"])
def test_commands_ask_the_solver_that_is_named(named, run, name):
    rows, chosen = [*ROWS, "-t", "RGBY none"], ["--set", f"play.solver={named(name)}"]
    asked = run("candidates", "mastermind", *ROWS, "--limit", "3", *chosen)
    assert (asked.status, asked.out) == (0, "RGYO\nRGYP\nRGOY\n")
    asked = run("explain", "mastermind", *rows, *chosen)
    assert asked.status == 1
    assert asked.out == run("explain", "mastermind", *rows, "--set", "play.solver=z3").out
    assert "Row 2 needs 1 of B, " in asked.out


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--set", "play.solver=nobody -in"], "no solver and no program is called 'nobody'"),
        (
            ["--set", "play.solver=z3", "--set", "play.engine=explicit"],
            "--set play.solver=z3: play.solver: the explicit engine asks no",
        ),
        (["--set", "play.solver="], "which solver?"),
    ],
)
@pytest.mark.parametrize("command", [["candidates"], ["play"], ["suggest"], ["lab", "run"]])
def test_a_solver_that_cannot_be_is_told_at_once(run, command, options, problem):
    asked = run(*command, "4x3", *options)
    assert (asked.status, asked.out) == (2, "")
    assert problem in asked.err
    assert asked.err.count("\n") == 1


def test_no_file_has_a_command_run(tmp_path):
    path = tmp_path / "game.yaml"
    path.write_text("game: mastermind\nplay: {solver: z3 -in}\n")
    with pytest.raises(GameFileError, match=r"game.yaml:2: play.solver: a file names z3 or cvc5"):
        gamefile.load(str(path))
    assert gamefile.load(str(path), ["play.solver=z3 -in"]).play.solver == "z3 -in"


def test_a_session_keeps_no_command(tmp_path):
    document = Document({"play": {"solver": "z3 -in", "seed": "3"}})
    assert kept_settings(document) == {"play": {"seed": "3"}}
    document = Document({"play": {"solver": "cvc5"}})
    assert kept_settings(document) == {"play": {"solver": "cvc5"}}
