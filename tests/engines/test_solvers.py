"""Solvers of all makes: they agree with brute force, and one that fails or lies is found out."""

import gc
import json
import os
import random
import re
import shlex
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice, product
from pathlib import Path

import pytest

from cases import cases as table
from catalogue import cases
from interrupts import interrupt_after
from puzzlehunt.engines.base import open_engine
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.engines.smtlib import Encoding
from puzzlehunt.engines.solvers import open_solver, process
from puzzlehunt.engines.symbolic import SymbolicEngine
from puzzlehunt.errors import GameFileError, PuzzlehuntError
from puzzlehunt.explanation.repair import repairs
from puzzlehunt.explanation.why import certain, conflicts
from puzzlehunt.game.files import gamefile

slow = pytest.mark.slow
Z3 = Path(sys.executable).with_name("z3")
HEALTHY = {
    "z3": "z3",
    "z3 -in": f"{shlex.quote(str(Z3))} -in",
    "a program": "{cvc5} -",
    "chatty": "{cvc5} chatty",
}
FOREIGN = [name for name in HEALTHY if name != "z3"]
KINDS = ["repeats", "distinct", "words", "tunes", "halves", "formulas", "boards"]
PATIENT = 30.0
"""Seconds for programs that answer, however busy the machine."""


def some(every, soon):
    """Parameters of which some are tried by fast tests, and all others by slow ones."""
    return [pytest.param(one, marks=[] if one in soon else [slow]) for one in every]


@pytest.fixture(scope="session")
def programs(request):
    """The commands that run the two programs, but for their arguments."""
    if request.config.option.plain:
        pytest.importorskip("cvc5")
    folder = Path(__file__).parents[1] / "support" / "programs"
    return {
        name: shlex.join([sys.executable, *options, str(folder / f"{name}_solver.py")])
        for name, options in (("cvc5", ()), ("broken", ("-I", "-S")))
    }


@pytest.fixture(scope="session")
def named(programs):
    """A function that returns what --solver is given for a solver of `HEALTHY`."""

    def of(name):
        if name == "z3 -in" and not Z3.exists():
            pytest.skip("the wheel of z3 brings no program here")
        return HEALTHY[name].format(**programs)

    return of


@pytest.fixture(autouse=True)
def _patience(monkeypatch):
    monkeypatch.setattr(process, "TIME_LIMIT", PATIENT)


@pytest.fixture
def begun():
    return gamefile.load("mastermind", ["turns=[RRGG BW, YYBB W]"])


def asking(game, solver):
    """The symbolic engine of a game, one a board, that asks a solver; it knows the history."""
    return open_engine(game.with_play({"solver": solver}))


# All makes of solver agree.


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        pytest.param(name, kind, marks=[slow] if at % 6 else [])
        for at, (kind, name) in enumerate(product(KINDS, ["z3", "z3 -in", "a program"]))
    ],
)
def test_a_solver_leaves_the_candidates_of_brute_force(named, name, kind):
    for case in cases(kind, 3):
        engine = asking(case.game, named(name))
        assert list(engine.candidates().codes) == case.left()
        assert engine.satisfiable() == bool(case.left())
        if case.items:
            engine.pop()
            assert list(engine.candidates().codes) == case.left(engine.items)


def opened(command):
    """A solver, and the first Booleans of a game of two positions and two symbols."""
    encoding = Encoding(gamefile.load("2x2"))
    solver = open_solver(encoding.environment, command)
    return encoding.manager, solver, *encoding.position_booleans[0]


@pytest.mark.parametrize("name", HEALTHY)
def test_what_was_assumed_is_forgotten(named, name):
    manager, solver, first, second = opened(named(name))
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


def pigeons(manager, solver, holes):
    """Return the Boolean that asks for what no solver without adding up sees to be too much."""
    at = [[manager.Symbol(f"at_{p}_{h}") for h in range(holes)] for p in range(holes + 1)]
    asked = manager.Symbol("asked")
    for p, row in enumerate(at):
        solver.add(manager.Implies(asked, manager.Or(row)))
        for other in at[:p]:
            for one, two in zip(row, other, strict=True):
                solver.add(manager.Or(manager.Not(one), manager.Not(two)))
    return asked


@pytest.mark.parametrize("name", ["z3", "z3 -in"])
def test_effort_has_an_end_and_a_question_can_be_interrupted(named, name):
    manager, solver, first, _ = opened(named(name))
    solver.add(first)
    asked = pigeons(manager, solver, 14)
    assert solver.check([asked], effort=30_000) is None
    assert solver.check([]) is True
    interrupt_after(0.2)
    with pytest.raises(KeyboardInterrupt):
        solver.check([asked])
    assert solver.check([]) is True
    assert solver.value(first) is True


# Which solver.


def test_a_solver_means_the_symbolic_engine():
    assert isinstance(open_engine(gamefile.load("4x6")), ExplicitEngine)
    for chosen in ("z3", "cvc5", "nobody -in"):
        assert isinstance(
            open_engine(gamefile.load("4x6", [f"play.solver={chosen}"])), SymbolicEngine
        )
    with pytest.raises(GameFileError, match=r"play\.solver: the explicit engine asks no solver"):
        gamefile.load("4x6", ["play.solver=z3", "play.engine=explicit"])


def test_no_file_has_a_command_run(tmp_path):
    path = tmp_path / "game.yaml"
    path.write_text("game: mastermind\nplay: {solver: z3 -in}\n")
    with pytest.raises(GameFileError, match=r"game.yaml:2: play.solver: a file names z3 or cvc5"):
        gamefile.load(str(path))
    assert gamefile.load(str(path), ["play.solver=z3 -in"]).play.solver == "z3 -in"


# A solver that fails costs one line and no more.

HANGS = "has no answer after 0.5 s"
FAULTS = dict(table("faults of solvers"))


class Broken:
    """The broken program with a fault, until it is mended; and which processes there were."""

    def __init__(self, programs, folder, fault):
        self.pids, self.mended = folder / "pids", folder / "pids.mended"
        self.healthy = programs["cvc5"]
        self.command = f"{programs['broken']} {shlex.quote(fault)} {self.pids}"
        if FAULTS.get(fault) == HANGS:  # is not waited for; the fixture sets this back
            process.TIME_LIMIT = 0.5

    def mend(self):
        process.TIME_LIMIT = PATIENT
        self.mended.write_text(self.healthy)

    @property
    def running(self):
        """Those of its processes, and of those that they started, that run or were not reaped."""
        return [pid for pid in map(int, self.pids.read_text().split()) if _runs(pid)]


def _runs(pid):
    asked = ["ps", "-o", "stat=,ppid=", "-p", str(pid)]
    told = subprocess.run(asked, check=False, capture_output=True, text=True).stdout.split()
    return bool(told) and (told[0][0] != "Z" or int(told[1]) == os.getpid())


@pytest.fixture
def broken(programs, tmp_path):
    """A function that returns the broken program with a fault."""
    return lambda fault: Broken(programs, tmp_path, fault)


@pytest.mark.parametrize("fault", some(FAULTS, ["dies at once", "ignores SIGTERM"]))
def test_a_solver_that_fails_costs_one_line_and_is_started_anew(broken, begun, fault):
    program = broken(fault)
    engine, expected = asking(begun, program.command), asking(begun, "z3")
    for _ in range(2):
        with pytest.raises(PuzzlehuntError) as told:
            engine.satisfiable()
        said = re.escape(FAULTS[fault])
        assert re.fullmatch(f"the solver .*{said}.*try z3 .*", str(told.value))
        assert len(str(told.value)) < 500
    assert engine.items == begun.history.items
    program.mend()
    assert list(islice(engine.candidates().codes, 4)) == list(
        islice(expected.candidates().codes, 4)
    )
    assert conflicts(engine) == []
    del engine, told
    gc.collect()
    assert program.running == []


def test_a_candidate_that_was_not_asked_for_is_found_out(broken, begun):
    engine = asking(begun, broken("answers RGYO to everything").command)
    assert engine.satisfiable()
    with pytest.raises(PuzzlehuntError, match="answered RGYO, a code that is ruled out"):
        list(engine.candidates().codes)


@slow
def test_an_interrupt_ends_the_question_and_not_the_session(broken, begun):
    program = broken("hangs")
    engine = asking(begun, program.command)
    process.TIME_LIMIT = PATIENT
    interrupt_after(0.5)
    with pytest.raises(KeyboardInterrupt):
        engine.satisfiable()
    assert program.running == []
    program.mend()
    assert engine.satisfiable()


def test_a_session_goes_on_when_its_solver_fails(broken, run):
    program = broken("dies in the middle")
    lines = "RRGG BW\n/candidates 2\n/history\nYYBB W\n"
    chosen = ["--set", f"play.solver={program.command}"]
    played = run("play", "mastermind", *chosen, "--session", "s", stdin=lines)
    assert played.status == 2
    assert played.out.count("RRGG") == 2
    failures = [line[:2] for line in played.err.splitlines() if "ended" in line]
    assert failures == ["! ", "! ", "! ", "pu"]
    program.mend()
    resumed = run("play", "--session", "s", stdin="/candidates 2\n")
    assert (resumed.status, "RGYO" in resumed.out) == (0, True)
    gc.collect()
    assert program.running == []


@slow
def test_no_process_outlives_the_program(start, broken):
    program = broken("answers unknown")
    program.mend()
    asked = ["candidates", "mastermind", "-t", "RRGG BW", "-t", "YYBB W", "--limit", "1"]
    done = start(*asked, "--set", f"play.solver={program.command}")
    assert (done.returncode, done.stdout) == (0, b"RGYO\n")
    assert program.running == []


# A solver that says `unsat` where something fits: no answer rests on that unseen.

DENIABLE = {
    "candidates": lambda engine: list(engine.candidates().codes),
    "satisfiable": lambda engine: engine.satisfiable(),
    "each item": lambda engine: [engine.satisfiable([n]) for n in range(len(engine.items))],
    "conflict": conflicts,
    "unsat_core": lambda engine: engine.unsat_core(range(len(engine.items))) is None,
    "certain": certain,
    "samples": lambda engine: engine.sample(9, random.Random(0)).codes,
    "first conflict": lambda engine: engine.first_conflict(),
}
UNCONFIRMED = "nobody can confirm it"
ASKING = ["candidates", "explain", "suggest", "suggest --strategy first"]


@pytest.fixture
def denying(programs):
    """A function: the command of a solver that denies each so many questions, or some rows."""
    return lambda each: f"{programs['cvc5']} denies {each}"


@pytest.mark.parametrize("question", some(DENIABLE, ["candidates", "conflict"]))
@pytest.mark.parametrize("each", some([1, 2, 3], [2]))
@pytest.mark.parametrize("kind", some(KINDS[:5], ["words"]))
def test_a_false_unsat_is_found_out_by_score_where_codes_can_be_listed(
    denying, question, each, kind
):
    ask, game = DENIABLE[question], cases(kind, 3)[each - 1].game
    engine = asking(game, denying(each))
    assert engine.proves
    with suppress(PuzzlehuntError):
        assert ask(engine) == ask(asking(game, "z3"))
        return
    with pytest.raises(PuzzlehuntError, match=r"answered unsat, .* fits; try z3"):
        ask(asking(game, denying(each)))


@pytest.mark.parametrize("name", some(FOREIGN, ["a program"]))
@pytest.mark.parametrize("kind", some(KINDS[:4], ["repeats"]))
def test_no_answer_depends_on_the_solver_and_a_true_unsat_is_no_error(named, name, kind):
    game = cases(kind, 1)[0].torn(3).game
    ours, other = asking(game, "z3"), asking(game, named(name))
    for ask in [*DENIABLE.values(), partial(conflicts, top=100), repairs]:
        assert ask(other) == ask(ours)


@pytest.mark.parametrize("solver", [None, "z3", "cvc5"])
@pytest.mark.parametrize("name", ["4x6", "9x9", "dordle"])
def test_what_proves_is_our_own_solver_or_a_listing(solver, name):
    game = replace(gamefile.load(name)).with_play({"solver": solver, "engine": "symbolic"})
    assert open_engine(game).proves == (name != "9x9" or solver in (None, "z3"))


@pytest.fixture
def tiles(home):
    (home / "tiles.yaml").write_text("secret: {symbols: ABCDEFGHI, length: 9}\nrule: marks\n")
    return ["tiles.yaml", "-t", "ABCDEFGHI GGGGGGYY."]


def test_that_nothing_fits_by_the_word_of_a_solver_alone_says_so(denying, run, tiles):
    chosen = ["--set", f"play.solver={denying('rows')}", "--json"]
    for command in ("suggest", "candidates"):
        told = run(command, *tiles, *chosen)
        answer = json.loads(told.out)
        assert (told.status, answer["count"], answer["exact"]) == (1, None, False)
        assert UNCONFIRMED in told.err


@slow
def test_what_is_certain_by_an_unsat_that_nobody_confirmed_says_so(programs, run, tiles):
    foreign = ["--set", f"play.solver={programs['cvc5']} -"]
    own, told = run("explain", *tiles), run("explain", *tiles, *foreign)
    assert (own.out, own.err) == (told.out, "")
    assert told.err == f"(as {programs['cvc5']} - says; {UNCONFIRMED})\n"
    own, told = (json.loads(run("explain", *tiles, *more, "--json").out) for more in ([], foreign))
    assert told == own | {"exact": False}


@pytest.mark.parametrize("command", some(ASKING, ["suggest --strategy first"]))
@pytest.mark.parametrize(("rule", "clue"), [("marks", "GGGGGGYY."), ("pegs", "BBWW")])
def test_who_denies_everything_is_found_out_or_named(broken, home, run, command, rule, clue):
    (home / "huge.yaml").write_text(f"secret: {{symbols: ABCDEFGHI, length: 9}}\nrule: {rule}\n")
    chosen = ["--set", f"play.solver={broken('says unsat to everything').command}", "--json"]
    told = run(*command.split(), "huge.yaml", "-t", f"ABCDEFGHI {clue}", *chosen)
    if told.status == 2:  # our own draws found a candidate
        assert (rule, told.out) == ("pegs", "")
        assert "although" in told.err
    else:
        assert not json.loads(told.out).get("exact")
        assert told.status == 0 or UNCONFIRMED in told.err
