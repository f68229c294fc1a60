"""A solver that fails costs one line and no more."""

import gc
import time
from dataclasses import replace

import pytest

from puzzlehunt.engines.smtlib import Encoding
from puzzlehunt.engines.solvers import choice, process
from puzzlehunt.errors import SolverError
from puzzlehunt.explain.conflict import smallest_conflict
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from solver_programs import FAULTS, PATIENT, ROWS, SOON, asking, interrupt_after


@pytest.fixture
def game() -> Game:
    game = gamefile.load("mastermind")
    for row in ("RRGG BW", "YYBB W"):
        game = replace(game, history=game.history.add(game.parse_turn(row)))
    return game


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    "fault", [f if f in SOON else pytest.param(f, marks=pytest.mark.slow) for f in FAULTS]
)
def test_a_solver_that_fails_costs_one_line_and_is_started_anew(broken, game, fault):
    program = broken(fault)
    engine = asking(game, program.command)
    expected = asking(game, "z3")
    for _ in range(2):
        with pytest.raises(SolverError) as told:
            engine.satisfiable()
        message = str(told.value)
        assert message.startswith("the solver '")
        assert FAULTS[fault] in message
        assert message.endswith("try --solver z3")
        assert "\n" not in message
        assert len(message) < 500
    assert engine.items == game.history.items
    program.mend()
    assert list(engine.candidates()) == list(expected.candidates())
    assert smallest_conflict(engine) == []
    del engine, told
    gc.collect()
    assert program.running() == []


@pytest.mark.usefixtures("quick")
def test_a_candidate_that_was_not_asked_for_is_found_out(broken, game):
    program = broken("answers RGYO to everything")
    engine = asking(game, program.command)
    assert engine.satisfiable()
    with pytest.raises(SolverError, match=r"answered with a model in which p\d_\w is false"):
        list(engine.candidates())
    program.mend()
    assert list(engine.candidates()) == list(asking(game, "z3").candidates())


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("fault", ["hangs", "answers unknown"])
def test_what_may_stay_undecided_does(broken, fault):
    encoding = Encoding(gamefile.load("2x2"))
    first, second = encoding.at[0]
    solver = choice.open_solver(encoding.environment, broken(fault).command)
    solver.add(encoding.manager.Or(first, second))
    assert solver.check([first], effort=100_000) is None
    solver.push()
    assert solver.check([second], effort=100_000) is None
    with pytest.raises(SolverError):
        solver.check([first])


@pytest.mark.usefixtures("quick")
def test_no_process_outlives_the_question_that_it_failed(broken, game):
    program = broken("ignores SIGTERM")
    with pytest.raises(SolverError):
        asking(game, program.command).satisfiable()
    assert len(program.pids.read_text().split()) == 2
    assert program.running() == []


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
def test_an_interrupt_ends_the_question_and_not_the_session(broken, game):
    program = broken("hangs")
    engine = asking(game, program.command)
    process.TIME_LIMIT = PATIENT
    interrupt_after(0.5)
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        engine.satisfiable()
    assert time.monotonic() - started < 10
    assert program.running() == []
    program.mend()
    assert engine.satisfiable()
    assert list(engine.candidates()) == list(asking(game, "z3").candidates())


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("fault", ["answers unknown", "hangs", "dies in the middle"])
@pytest.mark.parametrize("command", ["candidates", "suggest", "explain", "review"])
def test_a_command_whose_solver_fails_prints_one_line(broken, run, command, fault):
    asked = run(command, "mastermind", *ROWS, "--solver", broken(fault).command)
    assert (asked.status, asked.out) == (2, "")
    assert asked.err.startswith("puzzlehunt: the solver ")
    assert asked.err.count("\n") == 1
    gc.collect()


@pytest.mark.usefixtures("quick")
def test_a_session_goes_on_when_its_solver_fails(broken, run, tmp_path):
    program = broken("dies in the middle")
    lines = "RRGG BW\n/candidates 2\n/history\nYYBB W\n"
    played = run("play", "mastermind", "--solver", program.command, "--session", "s", stdin=lines)
    assert played.status == 2
    assert "RRGG: 1 black, 1 white" in played.out
    assert played.out.count("RRGG") == 2
    failures = [line[:2] for line in played.err.splitlines() if "MemoryError" in line]
    assert failures == ["! ", "! ", "! ", "pu"]
    program.mend()
    resumed = run("play", "--session", "s", stdin="/candidates 2\n")
    assert resumed.status == 0
    assert "RGYO" in resumed.out
    assert run("candidates", "s", "--solver", "z3", "--limit", "2").out == "RGYO\nRGYP\n"
    gc.collect()
    assert program.running() == []


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
def test_no_process_outlives_the_program(start, broken, programs):
    program = broken("answers unknown")
    program.mend()
    done = start("candidates", "mastermind", *ROWS, "--solver", program.command, "--limit", "1")
    assert (done.returncode, done.stdout) == (0, b"RGYO\n")
    assert program.running() == []
