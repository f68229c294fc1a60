"""Solvers of all makes agree with brute force."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlehunt.engines.choice import open_engine
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.engines.smtlib import Encoding
from puzzlehunt.engines.solvers import open_solver
from puzzlehunt.engines.symbolic import SymbolicEngine
from puzzlehunt.errors import GameFileError
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


# The command line.


def test_no_file_has_a_command_run(tmp_path):
    path = tmp_path / "game.yaml"
    path.write_text("game: mastermind\nplay: {solver: z3 -in}\n")
    with pytest.raises(GameFileError, match=r"game.yaml:2: play.solver: a file names z3 or cvc5"):
        gamefile.load(str(path))
    assert gamefile.load(str(path), ["play.solver=z3 -in"]).play.solver == "z3 -in"
