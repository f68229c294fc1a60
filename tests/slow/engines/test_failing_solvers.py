"""Every way in which a solver can fail, and every command that asks one."""

import gc

import pytest

from puzzlehunt.engines.solvers import process
from solver_programs import FAULTS, PATIENT, ROWS, SOON, asking, check_fault, interrupt_after


@pytest.mark.usefixtures("quick")
def test_an_interrupt_ends_the_question_and_not_the_session(broken, begun):
    program = broken("hangs")
    engine = asking(begun, program.command)
    process.TIME_LIMIT = PATIENT
    interrupt_after(0.5)
    with pytest.raises(KeyboardInterrupt):
        engine.satisfiable()
    assert program.running() == []
    program.mend()
    assert engine.satisfiable()
    assert list(engine.candidates()) == list(asking(begun, "z3").candidates())


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("command", "fault"),
    [
        ("candidates", "answers unknown"),
        ("suggest", "hangs"),
        ("explain", "dies in the middle"),
        ("review", "hangs"),
    ],
)
def test_a_command_whose_solver_fails_prints_one_line(broken, run, command, fault):
    asked = run(command, "mastermind", *ROWS, "--set", f"play.solver={broken(fault).command}")
    assert (asked.status, asked.out) == (2, "")
    assert "solver" in asked.err
    assert asked.err.count("\n") == 1
    gc.collect()


@pytest.mark.usefixtures("quick")
def test_no_process_outlives_the_program(start, broken, programs):
    program = broken("answers unknown")
    program.mend()
    done = start(
        "candidates", "mastermind", *ROWS, "--set", f"play.solver={program.command}", "--limit", "1"
    )
    assert (done.returncode, done.stdout) == (0, b"RGYO\n")
    assert program.running() == []


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault not in SOON])
def test_every_solver_that_fails_costs_one_line_and_is_started_anew(broken, begun, fault):
    check_fault(broken(fault), begun, FAULTS[fault])
