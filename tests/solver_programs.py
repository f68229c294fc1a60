"""Solvers of all makes, and a program that fails as solvers may."""

import os
import shlex
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from puzzlehunt.engines.choice import open_engine
from puzzlehunt.engines.solvers import process
from puzzlehunt.game.game import Game

Z3 = Path(sys.executable).with_name("z3")


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
def programs() -> dict[str, str]:
    """The commands that run the two programs, but for their arguments."""
    folder = Path(__file__).parent / "programs"
    return {
        name: shlex.join([sys.executable, *options, str(folder / f"{name}_solver.py")])
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
    engine = open_engine(game.with_play({"solver": solver}))
    engine.follow(game.history)
    return engine


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Patience that a test has."""
    monkeypatch.setattr(process, "TIME_LIMIT", PATIENT)
    monkeypatch.setattr(process, "_START_LIMIT", PATIENT)
    monkeypatch.setattr(process, "_MOST_PRINTED", 1 << 20)
    monkeypatch.setattr(process, "_GRACE", 0.2)


PATIENT = 30.0
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
        process.TIME_LIMIT = process._START_LIMIT = PATIENT
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
