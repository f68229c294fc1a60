"""A solver in a process of its own, which reads and writes SMT-LIB 2 on its standard streams.

The stack is stored as text. If a program was interrupted or failed, the next question starts a new
one and sends it the stack. Commands are sent together with the next question, and an `echo` after
the question marks the end of the answer.
"""

import os
import re
import selectors
import signal
import subprocess
import time
import weakref
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from pysmt.environment import Environment
from pysmt.fnode import FNode

from puzzlehunt.engines.smtlib import as_text
from puzzlehunt.engines.solvers.base import TIME_LIMIT, Solver
from puzzlehunt.errors import SolverError
from puzzlehunt.system import HAS_POSIX

_START_LIMIT = 10.0
"""Longest time for each of the first commands of a program (seconds)."""
_GRACE = 0.5
"""Time in which a program may end by itself, before it is killed (seconds)."""
_SECONDS_A_STEP = 1e-6
"""Seconds that a program gets for each step of effort (see `Solver.check`)."""
_MOST_PRINTED = 1 << 24
"""Longest answer; a program that prints more has gone wrong (bytes)."""
_MOST_SHOWN = 100
"""Longest line of a program or a question that an error quotes (characters)."""

_BEGIN = "(set-option :print-success false)\n(set-option :produce-models true)\n"
_CORES = "(set-option :produce-unsat-assumptions true)\n"
_LOGIC = "(set-logic QF_LIA)\n"
_PROBE = "(push 1)\n(declare-fun probe () Bool)\n(check-sat-assuming (probe))\n(pop 1)\n"

# A Boolean's value, an integer's value at the end of an answer, and a literal of a core.
_VALUED = re.compile(r"\(\s*\|?(\w+)\|?\s+(true|false)\s*\)")
_NUMBER = re.compile(r"(?:(\d+)|\(\s*-\s*(\d+)\s*\))\s*\)\s*\)\s*$")
_LITERAL = re.compile(r"\(\s*not\s+\|?(\w+)\|?\s*\)|\|?(\w+)\|?")


@dataclass(slots=True)
class _StackLevel:
    """What was added since one push, as commands, and the Booleans declared among them."""

    text: str = ""
    names: dict[str, None] = field(default_factory=dict)


class Process(Solver):
    """A solver that is a program and reads SMT-LIB 2. Its command is run without a shell."""

    def __init__(self, environment: Environment, command: str, words: Sequence[str]) -> None:
        super().__init__(f"'{_shortened(command)}'")
        if not HAS_POSIX:
            raise SolverError("solvers are run on Linux and macOS alone; use --solver z3")
        self._environment = environment
        self._words = words
        self._levels = [_StackLevel()]
        self._program: _RunningProgram | None = None
        self._pending_commands = ""
        """Commands that are sent before the next question."""
        self._assumptions: list[FNode] = []
        """The assumptions of the last check."""
        self._has_question_level = False
        """Whether the program's stack has one more level, with assumptions of the last check."""
        self._values: dict[str, bool] = {}
        """The Booleans of the last check's model; empty until the program is asked for them."""
        self._has_assuming = self._has_cores = True
        """Whether the program takes `check-sat-assuming`, and `get-unsat-assumptions`.

        Both are tried when the program starts.
        """
        self._skips_probes = False
        """Whether the program ended when the two were tried, so that they are not tried again."""

    # The stack.

    def add(self, formula: FNode) -> None:
        self._forget()
        self._write(self._declared([formula]) + f"(assert {as_text(formula)})\n")

    def push(self) -> None:
        self._forget()
        self._levels.append(_StackLevel())
        self._send("(push 1)\n")

    def pop(self) -> None:
        self._forget()
        self._levels.pop()
        self._send("(pop 1)\n")

    def _declared(self, formulas: Iterable[FNode]) -> str:
        names: set[str] = set()
        for formula in formulas:
            free = self._environment.fvo.get_free_variables(formula)
            names |= {symbol.symbol_name() for symbol in free}
        new = sorted(name for name in names if not any(name in lev.names for lev in self._levels))
        self._levels[-1].names |= dict.fromkeys(new)
        return "".join(f"(declare-fun {name} () Bool)\n" for name in new)

    def _write(self, text: str) -> None:
        self._levels[-1].text += text
        self._send(text)

    def _send(self, text: str) -> None:
        """Keep commands for the next question; a program that is started then gets all levels."""
        if self._program is not None:
            self._pending_commands += text

    def _forget(self) -> None:
        self._values = {}
        if self._has_question_level:
            self._has_question_level = False
            self._send("(pop 1)\n")

    # Questions.

    def check(self, assumptions: Sequence[FNode], effort: int = 0) -> bool | None:
        self._forget()
        self._assumptions = list(assumptions)
        self._write(self._declared(assumptions))
        if self._program is None:
            self._start()
        literals = [node for node in assumptions if self._has_assuming and node.is_literal()]
        asserted = [node for node in assumptions if node not in literals]
        question = "(check-sat)\n"
        if literals:
            question = f"(check-sat-assuming ({' '.join(map(as_text, literals))}))\n"
        if asserted:
            text = "".join(f"(assert {as_text(node)})\n" for node in asserted)
            self._send(f"(push 1)\n{text}")
            self._has_question_level = True
        seconds = effort * _SECONDS_A_STEP or TIME_LIMIT
        try:
            answer = self._ask(question, seconds)
        except _ProgramError as error:
            if effort and isinstance(error, _TooSlowError):
                return None
            raise self._solver_error(question, error) from None
        if answer in (["sat"], ["unsat"]):
            return answer == ["sat"]
        if answer == ["unknown"] and effort:
            return None
        raise self._solver_error(question, _answer_problem(answer))

    def value(self, node: FNode) -> bool | int:
        if node.is_not():
            return not self.value(node.arg(0))
        if not node.is_symbol():
            return self._number(node)
        if not self._values:
            names = " ".join(name for level in self._levels for name in level.names)
            question = f"(get-value ({names}))\n"
            values = _VALUED.findall("\n".join(self._ask_or_fail(question)))
            self._values = {name: value == "true" for name, value in values}
        try:
            return self._values[node.symbol_name()]
        except KeyError:
            missing = f"did not say what {node.symbol_name()} is"
            raise self._solver_error("(get-value ...)", missing) from None

    def _number(self, node: FNode) -> int:
        question = f"(get-value ({as_text(node)}))\n"
        answer = self._ask_or_fail(question)
        match = _NUMBER.search("\n".join(answer))
        if match is None:
            raise self._solver_error(question, _answer_problem(answer))
        return int(match[1]) if match[1] else -int(match[2])

    def unsat_core(self) -> list[FNode]:
        if not (self._has_assuming and self._has_cores):
            return self._assumptions
        answer = self._ask_or_fail("(get-unsat-assumptions)\n")
        if any(line.startswith("(error") for line in answer):
            self._has_cores = False
            return self._assumptions
        literals = _LITERAL.findall("\n".join(answer))
        needed = {(plain or negated, bool(plain)) for negated, plain in literals}
        return [node for node in self._assumptions if _sign(node) in needed]

    # The program.

    def _start(self) -> None:
        self._pending_commands = ""
        try:
            self._program = _RunningProgram(self._words)
            self._command(_BEGIN)
            if not self._skips_probes:
                self._has_cores = self._ask(_CORES, _START_LIMIT) == []
            self._command(_LOGIC)
            if not self._skips_probes:
                self._has_assuming = self._ask(_PROBE, _START_LIMIT) == ["sat"]
        except _EndedError as error:
            if self._skips_probes:
                raise self._solver_error("to begin", error) from None
            # Some programs end at the first command that they do not know: start without these two.
            self._skips_probes, self._has_assuming, self._has_cores = True, False, False
            self._start()
            return
        except _ProgramError as error:
            raise self._solver_error("to begin", error) from None
        self._pending_commands = "(push 1)\n".join(level.text for level in self._levels)

    def _command(self, commands: str) -> None:
        answer = [line for line in self._ask(commands, _START_LIMIT) if line != "unsupported"]
        if answer:
            raise _ProgramError(_answer_problem(answer))

    def _ask_or_fail(self, question: str) -> list[str]:
        try:
            return self._ask(question, TIME_LIMIT)
        except _ProgramError as error:
            raise self._solver_error(question, error) from None

    def _ask(self, question: str, seconds: float) -> list[str]:
        """Return the lines of the answer to a question. Any error ends the program."""
        assert self._program is not None
        text, self._pending_commands = self._pending_commands + question, ""
        try:
            printed = self._program.ask(text, seconds)
        except BaseException:  # a player may interrupt
            self.restart()
            raise
        lines = (line.strip() for line in printed.splitlines())
        return [line for line in lines if line not in ("", "success") and line[0] != ";"]

    def restart(self) -> None:
        if self._program is not None:
            self._program.end()
        self._program, self._has_question_level, self._values = None, False, {}

    def _solver_error(self, question: str, error: object) -> SolverError:
        """Restart the program, and return the error of its answer."""
        self.restart()
        asked = _shortened(question)
        return SolverError(f"the solver {self.name} {error} (asked: {asked}); try --solver z3")


def _sign(node: FNode) -> tuple[str, bool] | None:
    """Return the name of a literal's Boolean, and False if negated; None for other formulas."""
    if not node.is_literal():
        return None
    return (node.arg(0).symbol_name(), False) if node.is_not() else (node.symbol_name(), True)


def _answer_problem(lines: Sequence[str]) -> str:
    return f"answered {_shortened(lines[0])}" if lines else "answered nothing"


def _shortened(text: str) -> str:
    line = text.strip().partition("\n")[0]
    shown = line if len(line) <= _MOST_SHOWN else f"{line[:_MOST_SHOWN]}..."
    return shown.encode("ascii", "backslashreplace").decode()


class _ProgramError(Exception):
    """A program gave no answer. The text is the rest of a sentence that begins with its name."""


class _EndedError(_ProgramError):
    """The program has ended."""


class _TooSlowError(_ProgramError):
    """The program had no answer in the time that it was given."""


class _RunningProgram:
    def __init__(self, words: Sequence[str]) -> None:
        pipe = subprocess.PIPE
        try:
            self._popen = subprocess.Popen(
                words, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
            )
        except OSError as error:
            raise _ProgramError(f"cannot be started ({error.strerror})") from None
        self.end = weakref.finalize(self, _end, self._popen)
        """Ends the program, once; called at the latest when this object or Python ends."""
        self._questions = 0
        self._stderr = b""
        streams = (self._popen.stdin, self._popen.stdout, self._popen.stderr)
        self._in, self._out, self._err = (stream.fileno() for stream in streams if stream)
        for number in (self._in, self._out, self._err):
            os.set_blocking(number, False)

    def ask(self, text: str, seconds: float) -> str:
        """Send a text, and return what the program prints until it has answered all of it.

        Reads while it writes, so that no full pipe blocks either side.
        """
        self._questions += 1
        mark = f"puzzlehunt-{self._questions}"
        unsent = f'{text}(echo "{mark}")\n'.encode()
        end_of_answer = re.compile(rf'^"?{mark}"?[ \r]*\n'.encode(), re.MULTILINE)
        printed, end = bytearray(), time.monotonic() + seconds
        with selectors.DefaultSelector() as ready:
            ready.register(self._in, selectors.EVENT_WRITE)
            ready.register(self._out, selectors.EVENT_READ)
            ready.register(self._err, selectors.EVENT_READ)
            while True:
                seconds_left = end - time.monotonic()
                if seconds_left <= 0:
                    instead = f" but {_beginning(printed)}" if printed.strip() else ""
                    problem = f"has no answer after {seconds:g} s{instead}"
                    raise _TooSlowError(self._with_stderr(problem))
                files = {key.fd for key, _ in ready.select(seconds_left)}
                if self._in in files:
                    try:
                        unsent = unsent[os.write(self._in, unsent[: 1 << 16]) :]
                    except BrokenPipeError:
                        unsent = b""
                    if not unsent:
                        ready.unregister(self._in)
                if self._err in files and not self._read_stderr():
                    ready.unregister(self._err)
                if self._out in files:
                    new = os.read(self._out, 1 << 16)
                    if not new:
                        raise self._end_error()
                    printed += new
                    new_lines = printed.rfind(b"\n", 0, -len(new)) + 1
                    # An endless line is not searched anew with each piece of it.
                    match = end_of_answer.search(printed, new_lines) if b"\n" in new else None
                    if match:
                        return printed[: match.start()].decode(errors="replace")
                    if len(printed) > _MOST_PRINTED:
                        raise _ProgramError(f"prints without end: {_beginning(printed)}")

    def _read_stderr(self) -> bool:
        new = os.read(self._err, 1 << 16)
        self._stderr = (self._stderr + new)[: 1 << 12]
        return bool(new)

    def _end_error(self) -> _ProgramError:
        try:
            status = self._popen.wait(_GRACE)
        except subprocess.TimeoutExpired:
            return _EndedError("closed its output")
        with suppress(OSError):
            while self._read_stderr():
                pass
        how = f"signal {-status}" if status < 0 else f"status {status}"
        return _EndedError(self._with_stderr(f"ended with {how}"))

    def _with_stderr(self, problem: str) -> str:
        """Return a problem with the first line of stderr, or the last of a Python traceback."""
        lines = self._stderr.decode(errors="replace").strip().splitlines()
        if not lines:
            return problem
        line = lines[-1] if lines[0].startswith("Traceback") else lines[0]
        return f"{problem}, saying {_shortened(line)}"


def _beginning(printed: bytearray) -> str:
    return _shortened(printed[: 1 << 10].decode(errors="replace"))


def _end(popen: subprocess.Popen[bytes]) -> None:
    """End a program and all that it started: by SIGTERM, and after `_GRACE` by SIGKILL."""
    try:
        _signal(popen, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            popen.wait(_GRACE)
    finally:
        _signal(popen, signal.SIGKILL)
        popen.wait()
        for stream in (popen.stdin, popen.stdout, popen.stderr):
            if stream is not None:
                stream.close()


def _signal(popen: subprocess.Popen[bytes], number: signal.Signals) -> None:
    with suppress(OSError):
        os.killpg(popen.pid, number)
