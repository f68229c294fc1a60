"""Solvers of all makes agree with brute force, and one that fails costs one line and no more."""

import gc
import os
import random
import shlex
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlehunt import gamefile, solvers
from puzzlehunt.document import Document
from puzzlehunt.engines import open_engine
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.engines.symbolic import SymbolicEngine
from puzzlehunt.errors import GameFileError, SolverError
from puzzlehunt.explain.certainty import certain
from puzzlehunt.explain.conflict import conflicts, smallest_conflict
from puzzlehunt.explain.repair import repairs
from puzzlehunt.game import Game
from puzzlehunt.history import Turn
from puzzlehunt.session import changed, kept_settings
from puzzlehunt.smtlib import Encoding
from puzzlehunt.solvers import process
from puzzlehunt.solvers.base import Solver

KINDS = ["repeats", "distinct", "words", "tunes", "halves", "formulas", "boards", "merged"]
Z3 = Path(sys.executable).with_name("z3")
few = settings(max_examples=4)

CVC5 = '''
"""cvc5 as a program; it can be told not to know some commands, and to end where it meets one."""

import sys

import cvc5

ends, *unknown = sys.argv[1:]
solver = cvc5.Solver(cvc5.TermManager())
parser = cvc5.InputParser(solver)
solver.setOption("incremental", "true")
for line in sys.stdin:
    if any(word in line for word in unknown):
        if ends == "ends":
            sys.exit(1)
        print('(error "no such command")', flush=True)
        continue
    if ends == "chatty":
        print("no news " * 10_000, file=sys.stderr, flush=True)
        print("; no news" * 10_000, flush=True)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, line, "stdin")
    while not (command := parser.nextCommand()).isNull():
        print(command.invoke(solver, parser.getSymbolManager()), end="", flush=True)
'''

BROKEN = '''
"""A program that begins as a solver does, and then fails in one of many ways."""

import os
import signal
import subprocess
import sys
import time

fault, pids = sys.argv[1:]


def say(text):
    print(text, flush=True)


def remember(pid):
    with open(pids, "a") as file:
        file.write(f"{pid}\\n")


remember(os.getpid())
if os.path.exists(f"{pids}.mended"):
    healthy = open(f"{pids}.mended").read().split()
    os.execv(healthy[0], [*healthy, "-"])
if fault == "dies at once":
    sys.exit("no licence")
if fault == "hangs at once":
    time.sleep(1000)
if fault == "speaks another language":
    say("Welcome to bc 1.07")
names = []
for line in sys.stdin:
    if line.startswith("(declare-fun"):
        names.append(line.split()[1])
    elif line.startswith("(echo"):
        say(line.split()[1].rstrip(")"))
    elif "probe" in line:
        say("sat")
    elif fault == "knows no command" and line.startswith("(set-logic"):
        say('(error "line 4: unknown logic")')
    elif line.startswith("(get-value"):
        if fault == "has no model":
            say('(error "there is no model")')
        elif fault == "answers half a model":
            say("((p1_R true) (p1_G false))")
        elif fault == "dies with the model":
            os.kill(os.getpid(), signal.SIGSEGV)
        elif fault == "answers RGYO to everything":
            true = [n for n in names if n in ("p1_R", "p2_G", "p3_Y", "p4_O") or "item" in n]
            say("(" + "".join(f"({n} {str(n in true).lower()})\\n" for n in names) + ")")
        else:
            true = [n for n in names if n.startswith(("item", "sums")) or n.endswith(fault[-1])]
            say("(" + "".join(f"({n} {str(n in true).lower()})\\n" for n in names) + ")")
    elif line.startswith("(check-sat"):
        if fault == "answers unknown":
            say("unknown")
        elif fault == "dies in the middle":
            sys.exit("Traceback (most recent call last):\\n  File\\nMemoryError: too much")
        elif fault == "hangs":
            time.sleep(1000)
        elif fault == "mutters and hangs":
            say("thinking about it")
            time.sleep(1000)
        elif fault == "ignores SIGTERM":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            remember(subprocess.Popen(["sleep", "1000"], stdout=subprocess.DEVNULL).pid)
            while True:
                time.sleep(1000)
        elif fault == "prints garbage":
            say("segmentation fault (core dumped)" + 200 * "!")
        elif fault == "prints megabytes":
            while True:
                say(99_999 * "la")
        elif fault == "closes stdout":
            os.close(1)
            time.sleep(1000)
        elif fault == "answers twice":
            say("sat\\nunsat")
        else:
            say("sat")
'''

FAULTS = {
    "answers unknown": "answered unknown (asked: (check-sat",
    "dies at once": "ended with status 1, saying no licence (asked: to begin)",
    "hangs at once": "has no answer after 0.4 s (asked: to begin)",
    "speaks another language": "answered Welcome to bc 1.07 (asked: to begin)",
    "knows no command": 'answered (error "line 4: unknown logic") (asked: to begin)',
    "dies in the middle": "ended with status 1, saying MemoryError: too much (asked: (check-sat",
    "hangs": "has no answer after 0.5 s (asked: (check-sat",
    "mutters and hangs": "has no answer after 0.5 s but thinking about it (asked: (check-sat",
    "ignores SIGTERM": "has no answer after 0.5 s (asked: (check-sat",
    "prints garbage": f"answered segmentation fault (core dumped){68 * '!'}... (asked: (check-sat",
    "prints megabytes": "prints without end: lalala",
    "closes stdout": "closed its output (asked: (check-sat",
    "answers twice": "answered sat (asked: (check-sat",
    "has no model": "did not say what",
    "answers half a model": "did not say what",
    "dies with the model": "ended with signal 11 (asked: (get-value",
    "answers a wrong code R": "answered RRRR, a code that the rows rule out",
    "answers a word of none_": "answered with no code: the model has no symbol at position 1",
}


SOON = ["answers unknown", "dies at once", "hangs", "prints garbage", "answers a wrong code R"]
"""The others take a second each."""


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The commands that run the two programs, but for their arguments."""
    folder = tmp_path_factory.mktemp("programs")
    for name, text in (("cvc5", CVC5), ("broken", BROKEN)):
        (folder / f"{name}_program.py").write_text(text)
    return {
        name: shlex.join([sys.executable, *options, str(folder / f"{name}_program.py")])
        for name, options in (("cvc5", ()), ("broken", ("-I", "-S")))
    }


HEALTHY = {
    "z3": "z3",
    "cvc5": "cvc5",
    "z3 -in": f"{shlex.quote(str(Z3))} -in",
    "a program": "{cvc5} -",
    "without cores": "{cvc5} refuses get-unsat-assumptions",
    "plain": "{cvc5} refuses -assum",
    "ends": "{cvc5} ends produce-unsat-assumptions check-sat-assuming",
    "chatty": "{cvc5} chatty",
}
OFTEN = ["z3", "cvc5", "z3 -in", "a program"]


@pytest.fixture(scope="session")
def named(programs: dict[str, str]):
    """A function that returns what --solver is given for a solver of `HEALTHY`."""

    def of(name: str) -> str:
        if name == "z3 -in" and not Z3.exists():
            pytest.skip("the wheel of z3 brings no program here")
        return HEALTHY[name].format(**programs)

    return of


def asking(game: Game, solver: str):
    """The symbolic engine of a game, one a board, that asks a solver; it knows the history."""
    engine = open_engine(game.with_play({"solver": solver}))
    engine.follow(game.history)
    return engine


# All makes of solver agree.


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        pytest.param(name, kind, marks=pytest.mark.slow if at % 4 else ())
        for at, (kind, name) in enumerate(product(KINDS, (*OFTEN, "plain")))
    ],
)
@given(seed=st.integers(0, 100_000))
@few
def test_every_solver_leaves_the_candidates_of_brute_force(
    named, brute_force, random_game, name, kind, seed
):
    game = random_game(seed, kind)
    engine = asking(game, named(name))
    left = brute_force(game, game.history)
    assert list(engine.candidates()) == left
    assert engine.satisfiable() == bool(left)
    if game.history.items:
        engine.pop()
        assert list(engine.candidates()) == brute_force(game, engine.items)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in ("cvc5", "z3 -in", "plain") else pytest.mark.slow)
        for name in HEALTHY
        if name != "z3"
    ],
)
@given(seed=st.integers(0, 100_000))
@settings(max_examples=2)
def test_no_answer_depends_on_the_solver(named, random_game, name, seed):
    game = random_game(seed, "repeats", "distinct", "words", "tunes")
    rng = random.Random(seed)
    for _ in range(3):
        guess, secret = game.guesses.random(rng), game.secrets.random(rng)
        clue = game.rule.exactly(game.score(guess, secret), guess)
        game = replace(game, history=game.history.add(Turn(guess, clue)))
    told = []
    for solver in ("z3", named(name)):
        engine = asking(game, solver)
        costs = {place: place + 1 for place in range(len(engine.items))}
        costs = {at: cost for at, cost in costs.items() if isinstance(engine.items[at], Turn)}
        told.append(
            [
                list(engine.candidates()),
                engine.sample(4, random.Random(seed)),
                engine.first_conflict(),
                smallest_conflict(engine),
                conflicts(engine, 100),
                engine.cheapest(costs, 5),
                repairs(engine),
                certain(engine),
            ]
        )
    assert told[0] == told[1]


@pytest.mark.slow
@pytest.mark.parametrize("name", HEALTHY)
@given(seed=st.integers(0, 100_000))
@few
def test_a_core_is_some_of_what_is_assumed_and_cannot_be_true(named, name, seed):
    rng = random.Random(seed)
    encoding = Encoding(gamefile.load("3x3"))
    manager = encoding.manager
    solver, judge = (solvers.open_solver(encoding.environment, n) for n in (named(name), "z3"))
    symbols = [node for row in encoding.at for node in row]
    literals = [rng.choice([node, manager.Not(node)]) for node in symbols]
    for one in (solver, judge):
        for formula in encoding.one_a_position():
            one.add(formula)
    for _ in range(6):
        assumed = rng.sample(literals, rng.randint(0, 5))
        assumed += [manager.Or(rng.sample(literals, 2))] * rng.randint(0, 1)
        found = solver.check(assumed)
        assert found == judge.check(assumed)
        if found:
            assert all(solver.value(node) for node in assumed if node.is_literal())
        else:
            core = solver.core()
            assert set(core) <= set(assumed)
            others = [node for node in assumed if not node.is_literal()]
            assert judge.check([*core, *others]) is False


@pytest.mark.parametrize("name", HEALTHY)
def test_what_is_popped_is_forgotten_and_numbers_have_values(named, name):
    encoding = Encoding(gamefile.load("2x2"))
    manager = encoding.manager
    solver = solvers.open_solver(encoding.environment, named(name))
    first, second = encoding.at[0]
    loss = manager.Plus(
        [manager.Ite(node, manager.Int(weight), manager.Int(0)) for node, weight in
         ((first, -7), (second, 4))]
    )  # fmt: skip
    solver.add(manager.Or(first, second))
    assert solver.check([]) is True
    solver.push()
    solver.add(manager.Not(first))
    assert solver.check([second]) is True
    assert (solver.value(first), solver.value(second), solver.value(loss)) == (False, True, 4)
    solver.push()
    solver.add(manager.Not(second))
    assert solver.check([]) is False
    solver.pop()
    solver.pop()
    assert solver.check([manager.Not(second)]) is True
    assert solver.value(loss) == -7
    solver.push()
    solver.add(manager.Symbol("only_here"))
    assert solver.check([manager.Symbol("only_here"), second]) is True
    solver.pop()
    solver.add(manager.Not(manager.Symbol("only_here")))
    assert solver.check([]) is True


def test_models_of_what_z3_takes_otherwise_are_checked_too(named):
    """Only z3's own library is believed."""
    environment = Encoding(gamefile.load("2x2")).environment
    trusted = {name for name in OFTEN if solvers.open_solver(environment, named(name)).trusted}
    assert trusted == {"z3"}


# Solvers that fail.


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Patience that a test has."""
    monkeypatch.setattr(process, "TIME_LIMIT", _PATIENT)
    monkeypatch.setattr(process, "_START_LIMIT", _PATIENT)
    monkeypatch.setattr(process, "_MOST_PRINTED", 1 << 20)
    monkeypatch.setattr(process, "_GRACE", 0.2)


_PATIENT = 30.0
"""Seconds for programs that answer, however busy the machine."""


class Broken:
    """The broken program with a fault, until it is mended; and which processes there were."""

    def __init__(self, programs: dict[str, str], folder: Path, fault: str) -> None:
        self.pids = folder / "pids"
        self.mended = folder / "pids.mended"
        self.healthy = programs["cvc5"]
        self.command = f"{programs['broken']} {shlex.quote(fault)} {self.pids}"
        # `quick` sets these back. One that hangs is not waited for.
        if fault == "hangs at once":
            process._START_LIMIT = 0.4
        elif "hangs" in fault or fault == "ignores SIGTERM":
            process.TIME_LIMIT = 0.5

    def mend(self) -> None:
        process.TIME_LIMIT = process._START_LIMIT = _PATIENT
        self.mended.write_text(self.healthy)

    def running(self) -> list[int]:
        """Those of its processes, and of those that they started, that run or were not reaped."""
        return [pid for pid in map(int, self.pids.read_text().split()) if _runs(pid)]


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:  # what it started itself is not ours to reap
        asked = ["ps", "-o", "stat=", "-p", str(pid)]
        state = subprocess.run(asked, check=False, capture_output=True, text=True).stdout
        return state.strip()[:1] not in ("", "Z")
    return True


@pytest.fixture
def broken(programs: dict[str, str], tmp_path: Path):
    """A function that returns the broken program with a fault."""
    return lambda fault: Broken(programs, tmp_path, fault)


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
    solver = solvers.open_solver(encoding.environment, broken(fault).command)
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


def interrupt_after(seconds: float) -> None:
    main = threading.main_thread().ident
    assert main is not None
    threading.Timer(seconds, signal.pthread_kill, (main, signal.SIGINT)).start()


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
def test_an_interrupt_ends_the_question_and_not_the_session(broken, game):
    program = broken("hangs")
    engine = asking(game, program.command)
    process.TIME_LIMIT = _PATIENT
    interrupt_after(0.5)
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        engine.satisfiable()
    assert time.monotonic() - started < 10
    assert program.running() == []
    program.mend()
    assert engine.satisfiable()
    assert list(engine.candidates()) == list(asking(game, "z3").candidates())


def pigeons(encoding: Encoding, solver: Solver, holes: int) -> None:
    """Ask for what no solver without adding up sees quickly to be too much."""
    manager = encoding.manager
    at = [[manager.Symbol(f"at_{p}_{h}") for h in range(holes)] for p in range(holes + 1)]
    for row in at:
        solver.add(manager.Or(row))
    for hole in range(holes):
        for p, row in enumerate(at):
            for other in at[:p]:
                solver.add(manager.Or(manager.Not(row[hole]), manager.Not(other[hole])))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["z3", "cvc5", "z3 -in"])
def test_every_solver_can_be_interrupted(named, name):
    encoding = Encoding(gamefile.load("2x2"))
    solver = solvers.open_solver(encoding.environment, named(name))
    solver.add(encoding.at[0][0])
    solver.push()
    pigeons(encoding, solver, 14)
    interrupt_after(0.5)
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        solver.check([])
    assert time.monotonic() - started < 10
    solver.pop()
    assert solver.check([]) is True
    assert solver.value(encoding.at[0][0]) is True


@pytest.mark.parametrize("name", ["z3", "cvc5", "z3 -in"])
def test_effort_has_an_end(named, name):
    encoding = Encoding(gamefile.load("2x2"))
    solver = solvers.open_solver(encoding.environment, named(name))
    solver.push()
    pigeons(encoding, solver, 14)
    started = time.monotonic()
    assert solver.check([], effort=150_000) is None
    assert time.monotonic() - started < 5
    solver.pop()
    assert solver.check([]) is True


def test_cvc5_has_a_time_limit(monkeypatch):
    monkeypatch.setattr("puzzlehunt.solvers.cvc5.TIME_LIMIT", 0.3)
    encoding = Encoding(gamefile.load("2x2"))
    solver = solvers.open_solver(encoding.environment, "cvc5")
    pigeons(encoding, solver, 14)
    with pytest.raises(SolverError, match=r"cvc5 has no answer after 0\.3 s"):
        solver.check([])


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
        ('z3 "', "is no command: No closing quotation"),
        (" ", "which solver"),
        ("", "which solver"),
        (os.devnull, "no solver and no program is called"),
    ],
)
def test_a_solver_that_is_not_there_is_an_error_with_the_nearest(name, problem):
    with pytest.raises(SolverError) as told:
        solvers.command_of(name)
    assert problem in str(told.value)


def test_without_cvc5_what_installs_it_is_told(monkeypatch):
    monkeypatch.setattr("puzzlehunt.solvers.find_spec", lambda _: None)
    with pytest.raises(SolverError, match=r'pip install "puzzlehunt\[cvc5\]"'):
        solvers.open_solver(Encoding(gamefile.load("2x2")).environment, "cvc5")


def test_a_program_beside_python_need_not_be_on_the_path(monkeypatch, named):
    monkeypatch.setenv("PATH", "")
    assert solvers.command_of("z3 -in") == [named("z3 -in").split()[0], "-in"]


# The command line.


ROWS = ["-t", "RRGG BW", "-t", "YYBB W"]


@pytest.mark.parametrize("name", OFTEN)
def test_commands_ask_the_solver_that_is_named(named, run, name):
    asked = run("candidates", "mastermind", *ROWS, "--limit", "3", "--solver", named(name))
    assert (asked.status, asked.out) == (0, "RGYO\nRGYP\nRGOY\n")
    asked = run("explain", "mastermind", *ROWS, "-t", "RGBY none", "--solver", named(name))
    assert asked.status == 1
    assert asked.out == run("explain", "mastermind", *ROWS, "-t", "RGBY none", "--solver", "z3").out
    assert "Row 2 needs 1 of B, " in asked.out


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


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--solver", "nobody -in"], "no solver and no program is called 'nobody'"),
        (
            ["--solver", "z3", "--engine", "explicit"],
            "--solver z3: play.solver: the explicit engine asks no",
        ),
        (["--solver", ""], "which solver?"),
    ],
)
@pytest.mark.parametrize("command", [["candidates"], ["play"], ["suggest"], ["lab", "run"]])
def test_a_solver_that_cannot_be_is_told_at_once(run, command, options, problem):
    asked = run(*command, "4x3", *options)
    assert (asked.status, asked.out) == (2, "")
    assert problem in asked.err
    assert asked.err.count("\n") == 1


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
def test_no_process_outlives_the_program(start, broken, programs):
    program = broken("answers unknown")
    program.mend()
    done = start("candidates", "mastermind", *ROWS, "--solver", program.command, "--limit", "1")
    assert (done.returncode, done.stdout) == (0, b"RGYO\n")
    assert program.running() == []


def test_no_file_has_a_command_run(tmp_path):
    path = tmp_path / "game.yaml"
    path.write_text("game: mastermind\nplay: {solver: z3 -in}\n")
    with pytest.raises(GameFileError, match=r"game.yaml:2: play.solver: a file names z3 or cvc5"):
        gamefile.load(str(path))
    assert gamefile.load(str(path), ["play.solver=z3 -in"]).play.solver == "z3 -in"


def test_a_session_keeps_no_command(tmp_path):
    document = changed(Document({}), {"solver": "z3 -in", "seed": "3"})
    assert kept_settings(document) == {"play": {"seed": "3"}}
    assert kept_settings(changed(Document({}), {"solver": "cvc5"})) == {"play": {"solver": "cvc5"}}
