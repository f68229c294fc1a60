"""A solver that fails costs one line and no more."""

import gc
from itertools import islice

import pytest

from puzzlehunt.errors import PuzzlehuntError
from solver_programs import FAULTS, SOON, asking, check_fault


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("fault", SOON)
def test_a_solver_that_fails_costs_one_line_and_is_started_anew(broken, begun, fault):
    check_fault(broken(fault), begun, FAULTS[fault])


@pytest.mark.usefixtures("quick")
def test_a_candidate_that_was_not_asked_for_is_found_out(broken, begun):
    program = broken("answers RGYO to everything")
    engine = asking(begun, program.command)
    assert engine.satisfiable()
    with pytest.raises(PuzzlehuntError, match="answered RGYO, a code that is ruled out"):
        list(engine.candidates())
    program.mend()
    first = list(islice(asking(begun, "z3").candidates(), 4))
    assert list(islice(engine.candidates(), 4)) == first


@pytest.mark.usefixtures("quick")
def test_no_process_outlives_the_question_that_it_failed(broken, begun):
    program = broken("ignores SIGTERM")
    with pytest.raises(PuzzlehuntError):
        asking(begun, program.command).satisfiable()
    assert len(program.pids.read_text().split()) == 2
    assert program.running() == []


@pytest.mark.usefixtures("quick")
def test_a_session_goes_on_when_its_solver_fails(broken, run, tmp_path):
    program = broken("dies in the middle")
    lines = "RRGG BW\n/candidates 2\n/history\nYYBB W\n"
    chosen = ["--set", f"play.solver={program.command}"]
    played = run("play", "mastermind", *chosen, "--session", "s", stdin=lines)
    assert played.status == 2
    assert "RRGG: 1 black, 1 white" in played.out
    assert played.out.count("RRGG") == 2
    failures = [line[:2] for line in played.err.splitlines() if "ended" in line]
    assert failures == ["! ", "! ", "! ", "pu"]
    program.mend()
    resumed = run("play", "--session", "s", stdin="/candidates 2\n")
    assert resumed.status == 0
    assert "RGYO" in resumed.out
    assert run("candidates", "s", "--set", "play.solver=z3", "--limit", "2").out == "RGYO\nRGYP\n"
    gc.collect()
    assert program.running() == []
