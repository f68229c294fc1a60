"""Solvers of all makes, and a program that fails as solvers may."""

import gc
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import islice, product
from pathlib import Path
from random import Random

import pytest
from pysmt.fnode import FNode

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.engines.smtlib import Encoding
from puzzlehunt.engines.solvers import process
from puzzlehunt.engines.solvers.base import Solver
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.explanation.certainty import certain
from puzzlehunt.explanation.conflict import conflicts
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from random_games import game_of_seed

Z3 = Path(sys.executable).with_name("z3")

FAULTS = {
    "answers unknown": "answered 'unknown'",
    "dies at once": "ended",
    "hangs at once": "has no answer after 0.5 s",
    "speaks another language": "answered 'Welcome to bc 1.07",
    "knows no command": "answered '(error \"line 4: unknown logic",
    "dies in the middle": "ended",
    "hangs": "has no answer after 0.5 s",
    "mutters and hangs": "has no answer after 0.5 s",
    "ignores SIGTERM": "has no answer after 0.5 s",
    "prints garbage": f"answered 'segmentation fault (core dumped){60 * '!'}",
    "hangs and floods stderr": "has no answer after 0.5 s",
    "closes stdout": "ended",
    "answers twice": "answered 'sat unsat'",
    "has no model": "did not say what",
    "answers half a model": "did not say what",
    "dies with the model": "ended",
    "answers a wrong code R": "answered RRRR, a code that is ruled out",
    "says unsat to everything": "answered unsat, although a code fits",
    "answers a word of none_": "answered RRRR, a code that is ruled out",
}

SOON = ["dies at once"]
"""The fault that fast tests try; each takes a second or two."""


@pytest.fixture(scope="session")
def programs(request: pytest.FixtureRequest) -> dict[str, str]:
    """The commands that run the two programs, but for their arguments."""
    if request.config.option.plain:
        pytest.importorskip("cvc5")
    folder = Path(__file__).parent / "programs"
    return {
        name: shlex.join([sys.executable, *options, str(folder / f"{name}_solver.py")])
        for name, options in (("cvc5", ()), ("broken", ("-I", "-S")))
    }


HEALTHY = {
    "z3": "z3",
    "z3 -in": f"{shlex.quote(str(Z3))} -in",
    "a program": "{cvc5} -",
    "chatty": "{cvc5} chatty",
}
OFTEN = ["z3", "z3 -in", "a program"]
KINDS = ["repeats", "distinct", "words", "tunes", "halves", "formulas", "boards"]
PAIRS = [(name, kind) for kind, name in product(KINDS, OFTEN)]
"""Solvers and the kinds of games that they are asked about; every eighth pair is a fast test."""
ROWS = ["-t", "RRGG BW", "-t", "YYBB W"]


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
    return open_engine(game.with_play({"solver": solver}))


def check_candidates(solver: str, game: Game, brute_force: Callable[..., list[Code]]) -> None:
    """Assert that a solver leaves what brute force leaves, also after `pop`."""
    engine = asking(game, solver)
    expected = brute_force(game, game.history)
    assert list(engine.candidates()) == expected
    assert engine.satisfiable() == bool(expected)
    if game.history.items:
        engine.pop()
        assert list(engine.candidates()) == brute_force(game, engine.items)


DENIABLE = {
    "candidates": lambda engine: list(engine.candidates()),
    "satisfiable": lambda engine: engine.satisfiable(),
    "each item": lambda engine: [engine.satisfiable([n]) for n in range(len(engine.items))],
    "conflict": conflicts,
    "unsat_core": lambda engine: engine.unsat_core(range(len(engine.items))) is None,
    "certain": certain,
    "samples": lambda engine: engine.sample(9, Random(0)).codes,
    "first conflict": lambda engine: engine.first_conflict(),
}
"""What an engine may be asked, and a solver deny."""


def denying(programs, each):
    """The command of a solver that says `unsat` to each so many questions, or to some rows."""
    return f"{programs['cvc5']} denies {each}"


def check_false_unsat(programs, ask, each, kinds):
    """A false `unsat` about codes that can be listed gives the right answer, or an error."""
    for seed, kind in enumerate(kinds):
        game = game_of_seed(seed + 10 * each, kind)
        expected = ask(asking(game, "z3"))
        engine = asking(game, denying(programs, each))
        assert engine.proves
        with suppress(PuzzlehuntError):
            assert ask(engine) == expected
            continue
        with pytest.raises(PuzzlehuntError, match=r"answered unsat, .* fits; try --set"):
            ask(asking(game, denying(programs, each)))


@pytest.fixture
def begun() -> Game:
    """Mastermind after the turns of `ROWS`."""
    game = gamefile.load("mastermind")
    for row in ROWS[1::2]:
        game = replace(game, history=game.history.add(game.parse_turn(row)))
    return game


def check_fault(program: "Broken", game: Game, said: str) -> None:
    """Assert that a failure is told in one line, and that the solver is of use when mended."""
    engine = asking(game, program.command)
    expected = asking(game, "z3")
    for _ in range(2):
        with pytest.raises(PuzzlehuntError) as told:
            engine.satisfiable()
        message = str(told.value)
        assert re.fullmatch(f"the solver .*{re.escape(said)}.*try --set play.solver=z3", message)
        assert len(message) < 500
    assert engine.items == game.history.items
    program.mend()
    assert list(islice(engine.candidates(), 4)) == list(islice(expected.candidates(), 4))
    assert conflicts(engine) == []
    del engine, told
    gc.collect()
    assert program.running() == []


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Patience that a test has."""
    monkeypatch.setattr(process, "TIME_LIMIT", PATIENT)


PATIENT = 30.0
"""Seconds for programs that answer, however busy the machine."""


class Broken:
    """The broken program with a fault, until it is mended; and which processes there were."""

    def __init__(self, programs: dict[str, str], folder: Path, fault: str) -> None:
        self.pids = folder / "pids"
        self.mended = folder / "pids.mended"
        self.healthy = programs["cvc5"]
        self.command = f"{programs['broken']} {shlex.quote(fault)} {self.pids}"
        # `quick` sets this back. One that hangs is not waited for.
        if "hangs" in fault or fault == "ignores SIGTERM":
            process.TIME_LIMIT = 0.5

    def mend(self) -> None:
        process.TIME_LIMIT = PATIENT
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


def interrupt_after(seconds: float) -> None:
    """Interrupt this process as Ctrl-C does, also where a shell runs it in the background."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    main = threading.main_thread().ident
    assert main is not None
    threading.Timer(seconds, signal.pthread_kill, (main, signal.SIGINT)).start()


def pigeons(encoding: Encoding, solver: Solver, holes: int) -> FNode:
    """Return the Boolean that asks for what no solver without adding up sees to be too much."""
    manager = encoding.manager
    at = [[manager.Symbol(f"at_{p}_{h}") for h in range(holes)] for p in range(holes + 1)]
    asked = manager.Symbol("asked")
    for row in at:
        solver.add(manager.Implies(asked, manager.Or(row)))
    for hole in range(holes):
        for p, row in enumerate(at):
            for other in at[:p]:
                solver.add(manager.Or(manager.Not(row[hole]), manager.Not(other[hole])))
    return asked
