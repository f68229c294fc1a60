"""A solver in a process of its own, which reads and writes SMT-LIB 2 on its standard streams.

The formulas are stored as text. If a program was interrupted or failed, the next question starts a
new one and sends it all of them. An `echo` after a question marks the end of the answer.
"""

import os
import signal
import subprocess
import time
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO

from pysmt.environment import Environment
from pysmt.fnode import FNode

from puzzlehunt.engines.smtlib import VALUE, as_text
from puzzlehunt.engines.solvers import STEPS_A_SECOND, Solver
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.system import HAS_POSIX

TIME_LIMIT = 60.0
"""Longest time for one question (seconds)."""
_MARK = "puzzlehunt-ready"
_BEGIN = """(set-option :print-success false)
(set-option :produce-models true)
(set-logic QF_LIA)
"""


class Process(Solver):
    """A solver that is a program and reads SMT-LIB 2. Its command is run without a shell."""

    def __init__(self, environment: Environment, command: str, words: Sequence[str]) -> None:
        self.name = f"{command!r:.100}"
        if not HAS_POSIX:
            raise PuzzlehuntError("programs are run on Linux and macOS; take z3 (play.solver)")
        self._environment = environment
        self._words = words
        self._text = _BEGIN
        """What the program needs to know before a question."""
        self._names: set[str] = set()
        """The Booleans that the text declares."""
        self._sent = 0
        """How many characters of the text the program has."""
        self._program: subprocess.Popen[str] | None = None
        self._lines: SimpleQueue[str] = SimpleQueue()
        """What the program prints; at last an empty line."""
        self._end: Callable[[], object] = lambda: None
        self._assumptions: Sequence[FNode] = ()
        self._values: dict[str, bool] = {}
        """The Booleans of the last check's model."""

    def add(self, formula: FNode) -> None:
        asserted = self._asserted(formula)
        self._text += asserted

    def _asserted(self, formula: FNode) -> str:
        """Return the command that asserts a formula, and declare its Booleans."""
        free = self._environment.fvo.get_free_variables(formula)
        new = {symbol.symbol_name() for symbol in free} - self._names
        self._text += "".join(f"(declare-fun {name} () Bool)\n" for name in sorted(new))
        self._names |= new
        return f"(assert {as_text(formula)})\n"

    def check(self, assumptions: Sequence[FNode], effort: int = 0) -> bool | None:
        self._assumptions, self._values = assumptions, {}
        assumed = "".join(map(self._asserted, assumptions))
        seconds = effort / STEPS_A_SECOND or TIME_LIMIT
        answer = self._ask(f"(push 1)\n{assumed}(check-sat)\n", seconds)
        if effort and answer in ([], ["unknown"]):
            self.restart()
            return None
        if not answer:
            raise self._error(f"has no answer after {seconds:g} s")
        if answer not in (["sat"], ["unsat"]):
            raise self._error(f"answered {' '.join(answer)!r:.100}")
        if answer == ["sat"]:
            names = " ".join(sorted(self._names))
            values = " ".join(self._ask(f"(get-value ({names}))\n", TIME_LIMIT))
            self._values = {name: value == "true" for name, value in VALUE.findall(values)}
        self._ask("(pop 1)\n", TIME_LIMIT)
        return answer == ["sat"]

    def value(self, node: FNode) -> bool:
        if node.is_not():
            return not self.value(node.arg(0))
        if node.symbol_name() not in self._values:
            raise self._error(f"did not say what {node.symbol_name()} is")
        return self._values[node.symbol_name()]

    def unsat_core(self) -> Sequence[FNode]:
        return self._assumptions

    def _ask(self, question: str, seconds: float) -> list[str]:
        """Return the lines of the answer to a question, [] if there is none in time.

        Any error ends the program.
        """
        lines: list[str] = []
        try:
            if self._program is None:
                self._start()
            assert self._program
            text = f'{self._text[self._sent :]}{question}(echo "{_MARK}")\n'
            self._sent = len(self._text)
            # In a thread, since a program may print much before it reads.
            Thread(target=_write, args=(self._program.stdin, text), daemon=True).start()
            end = time.monotonic() + seconds
            while (line := self._lines.get(timeout=max(0, end - time.monotonic()))) != _MARK:
                if not line:
                    raise self._error("ended")
                lines.append(line)
        except Empty:
            self.restart()
            return []
        except OSError as error:
            raise self._error(f"cannot be started ({error.strerror})") from None
        except BaseException:  # a player may interrupt
            self.restart()
            raise
        return lines

    def _start(self) -> None:
        self._program = subprocess.Popen(
            self._words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            encoding="utf-8", errors="replace", start_new_session=True,
        )  # fmt: skip
        # A program is ended at the latest when this object or Python ends.
        self._end = weakref.finalize(self, _end, self._program)
        self._lines, self._sent = SimpleQueue(), 0
        Thread(target=_read, args=(self._program.stdout, self._lines), daemon=True).start()

    def restart(self) -> None:
        self._end()
        self._program = None

    def _error(self, how: str) -> PuzzlehuntError:
        """End the program, and return the error of its answer."""
        self.restart()
        return PuzzlehuntError(f"the solver {self.name} {how}; try z3 (play.solver)")


def _write(stdin: IO[str], text: str) -> None:
    with suppress(OSError):
        stdin.write(text)
        stdin.flush()


def _read(stdout: IO[str], lines: "SimpleQueue[str]") -> None:
    """In a thread: put lines that say something into `lines`, and "" when the output ends."""
    with stdout:
        for raw in stdout:
            line = raw.strip().strip('"')  # some programs echo the mark in quotes
            if line not in ("", "success", "unsupported") and line[0] != ";":  # a comment
                lines.put(line)
    lines.put("")


def _end(program: "subprocess.Popen[str]") -> None:
    with suppress(OSError):
        os.killpg(program.pid, signal.SIGKILL)
    program.wait()
