"""A solver in a process of its own, which reads and writes SMT-LIB 2 on its standard streams.

The stack is stored as text. If a program was interrupted or failed, the next question starts a new
one and sends it the stack. Commands are sent together with the next question, and an `echo` after
the question marks the end of the answer.
"""

import os
import re
import signal
import subprocess
import time
import weakref
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO

from pysmt.environment import Environment
from pysmt.fnode import FNode

from puzzlehunt.engines.smtlib import as_text
from puzzlehunt.engines.solvers.base import TIME_LIMIT, Solver
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.system import HAS_POSIX

_SECONDS_A_STEP = 1e-6
"""Seconds that a program gets for each step of effort (see `Solver.check`)."""
_MOST_PRINTED = 1 << 24
"""Longest answer (characters); a program that prints more has gone wrong."""
_LONGEST_LINE = 1 << 17
"""A longer line of an answer is read in pieces (characters)."""
_MOST_SHOWN = 100
"""Longest line of a program, or command, that an error quotes (characters)."""
_MARK = "puzzlehunt-ready"
_OPTIONS = "(set-option :print-success false)\n(set-option :produce-models true)\n"
_BEGIN = f"{_OPTIONS}(set-logic QF_LIA)\n"
_VALUED = re.compile(r"\(\s*\|?(\w+)\|?\s+(true|false)\s*\)")


class Process(Solver):
    """A solver that is a program and reads SMT-LIB 2. Its command is run without a shell."""

    def __init__(self, environment: Environment, command: str, words: Sequence[str]) -> None:
        super().__init__(f"'{_shortened(command)}'")
        if not HAS_POSIX:
            raise PuzzlehuntError("solvers are run on Linux and macOS alone; use --solver z3")
        self._environment = environment
        self._words = words
        self._levels = [""]
        """What was added since each push, as commands."""
        self._names: list[set[str]] = [set()]
        """The Booleans declared on each level."""
        self._assumptions: list[FNode] = []
        self._has_assumed = False
        """Whether the newest level has the assumptions of the last check."""
        self._values: dict[str, bool] = {}
        """The Booleans of the last check's model; empty until the program is asked for them."""
        self._program: _RunningProgram | None = None
        self._unsent = ""
        """Commands that are sent before the next question."""

    def add(self, formula: FNode) -> None:
        self._forget()
        free = self._environment.fvo.get_free_variables(formula)
        new = {symbol.symbol_name() for symbol in free}.difference(*self._names)
        self._names[-1] |= new
        text = "".join(f"(declare-fun {name} () Bool)\n" for name in sorted(new))
        text += f"(assert {as_text(formula)})\n"
        self._levels[-1] += text
        self._unsent += text

    def push(self) -> None:
        self._forget()
        self._levels.append("")
        self._names.append(set())
        self._unsent += "(push 1)\n"

    def pop(self) -> None:
        self._forget()
        self._levels.pop()
        self._names.pop()
        self._unsent += "(pop 1)\n"

    def _forget(self) -> None:
        self._values = {}
        if self._has_assumed:
            self._has_assumed = False
            self.pop()

    def check(self, assumptions: Sequence[FNode], effort: int = 0) -> bool | None:
        self._assumptions = list(assumptions)
        self.push()
        for node in assumptions:
            self.add(node)
        self._has_assumed = True
        try:
            answer = self._ask("(check-sat)\n", effort * _SECONDS_A_STEP or TIME_LIMIT)
        except _TooSlowError:
            if effort:
                return None
            raise
        if answer in (["sat"], ["unsat"]):
            return answer == ["sat"]
        if answer == ["unknown"] and effort:
            return None
        raise self._error(f"answered {_shortened(' '.join(answer))}")

    def value(self, node: FNode) -> bool:
        if node.is_not():
            return not self.value(node.arg(0))
        if not self._values:
            names = " ".join(sorted(set().union(*self._names)))
            answer = " ".join(self._ask(f"(get-value ({names}))\n", TIME_LIMIT))
            self._values = {name: value == "true" for name, value in _VALUED.findall(answer)}
        if node.symbol_name() not in self._values:
            raise self._error(f"did not say what {node.symbol_name()} is")
        return self._values[node.symbol_name()]

    def unsat_core(self) -> list[FNode]:
        return self._assumptions

    def _ask(self, question: str, seconds: float) -> list[str]:
        """Return the lines of the answer to a question. Any error ends the program."""
        try:
            if self._program is None:
                self._program = _RunningProgram(self._words)
                if answer := self._program.ask(_BEGIN, TIME_LIMIT):
                    raise self._error(f"answered {_shortened(answer[0])}")
                self._unsent = "(push 1)\n".join(self._levels)
            text, self._unsent = self._unsent + question, ""
            return self._program.ask(text, seconds)
        except Empty:
            how = f"the solver {self.name} has no answer after {seconds:g} s; try --solver z3"
            self.restart()
            raise _TooSlowError(how) from None
        except EOFError:
            raise self._error("ended, or printed without end") from None
        except OSError as error:
            raise self._error(f"cannot be started ({error.strerror})") from None
        except BaseException:  # a player may interrupt
            self.restart()
            raise

    def restart(self) -> None:
        if self._program is not None:
            self._program.end()
        self._program, self._values = None, {}

    def _error(self, how: str) -> PuzzlehuntError:
        """End the program, and return the error of its answer."""
        self.restart()
        return PuzzlehuntError(f"the solver {self.name} {how}; try --solver z3")


def _shortened(text: str) -> str:
    line = text.strip().partition("\n")[0] or "nothing"
    shown = line if len(line) <= _MOST_SHOWN else f"{line[:_MOST_SHOWN]}..."
    return shown.encode("ascii", "backslashreplace").decode()


class _TooSlowError(PuzzlehuntError):
    """The program had no answer in the time that it was given."""


class _RunningProgram:
    """A program, and the two threads that write and read, so that no full pipe blocks a question.

    `end` ends it, once; this is called at the latest when this object or Python ends.
    """

    def __init__(self, words: Sequence[str]) -> None:
        program = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            encoding="utf-8", errors="replace", start_new_session=True,
        )  # fmt: skip
        assert program.stdin
        assert program.stdout
        self._texts: SimpleQueue[str] = SimpleQueue()
        self._lines: SimpleQueue[str] = SimpleQueue()
        self.end = weakref.finalize(self, _end, program, self._texts)
        Thread(target=_write, args=(program.stdin, self._texts), daemon=True).start()
        Thread(target=_read, args=(program.stdout, self._lines), daemon=True).start()

    def ask(self, text: str, seconds: float) -> list[str]:
        """Send a text, and return the lines that answer it.

        Raises Empty if there is no answer in time, EOFError if the program has ended.
        """
        self._texts.put(f'{text}(echo "{_MARK}")\n')
        lines: list[str] = []
        end = time.monotonic() + seconds
        while (line := self._lines.get(timeout=max(0, end - time.monotonic()))) != _MARK:
            if not line:
                raise EOFError
            lines.append(line)
        return lines


def _write(stdin: IO[str], texts: "SimpleQueue[str]") -> None:
    """Write texts to a program, until one is empty."""
    with suppress(OSError), stdin:
        while text := texts.get():
            stdin.write(text)
            stdin.flush()


def _read(stdout: IO[str], lines: "SimpleQueue[str]") -> None:
    """Read the lines that say something, and at last an empty one."""
    printed = 0
    with stdout:
        while (read := stdout.readline(_LONGEST_LINE)) and printed < _MOST_PRINTED:
            line = read.strip().strip('"')
            printed = 0 if line == _MARK else printed + len(read)
            if line not in ("", "success", "unsupported") and line[0] != ";":
                lines.put(line)
    lines.put("")


def _end(program: "subprocess.Popen[str]", texts: "SimpleQueue[str]") -> None:
    """End a program and all that it started."""
    with suppress(OSError):
        os.killpg(program.pid, signal.SIGKILL)
    program.wait()
    texts.put("")
