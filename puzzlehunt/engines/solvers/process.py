"""A solver in a process of its own, which speaks SMT-LIB 2 on its standard streams.

All that is on the stack is kept as text, so that a solver that was interrupted or that failed is
started anew with the next question. Commands go out with the question that needs them, and an
`echo` after it says where its answer ends.
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

_START_LIMIT = 10.0
"""Seconds until a solver must have answered for the first time."""
_GRACE = 0.5
"""Seconds in which a program may end by itself."""
_SECONDS_AN_EFFORT = 1e-6
_MOST_PRINTED = 1 << 24
_SHOWN = 100

_BEGIN = "(set-option :print-success false)\n(set-option :produce-models true)\n"
_CORES = "(set-option :produce-unsat-assumptions true)\n"
_LOGIC = "(set-logic QF_LIA)\n"
_PROBE = "(push 1)\n(declare-fun probe () Bool)\n(check-sat-assuming (probe))\n(pop 1)\n"

_VALUED = re.compile(r"\(\s*\|?(\w+)\|?\s+(true|false)\s*\)")
_NUMBER = re.compile(r"(?:(\d+)|\(\s*-\s*(\d+)\s*\))\s*\)\s*\)\s*$")
_LITERAL = re.compile(r"\(\s*not\s+\|?(\w+)\|?\s*\)|\|?(\w+)\|?")


@dataclass(slots=True)
class _Level:
    """What was added since a push, and the names that were declared for it."""

    text: str = ""
    names: dict[str, None] = field(default_factory=dict)


class Process(Solver):
    """Any program that reads SMT-LIB 2; the command is in no shell."""

    def __init__(self, environment: Environment, command: str, words: Sequence[str]) -> None:
        super().__init__(f"'{_cut(command)}'")
        if os.name != "posix":
            raise SolverError("solvers are run on Linux and macOS alone; use --solver z3, or cvc5")
        self._environment = environment
        self._words = words
        self._levels = [_Level()]
        self._program: _Program | None = None
        self._unsent = ""
        self._assumed: list[FNode] = []
        self._asked = False
        """Whether a level beside the stack holds what the last check assumed."""
        self._values: dict[str, bool] = {}
        self._assumes = self._has_cores = True
        """Whether it knows `check-sat-assuming`, and `get-unsat-assumptions`; found out soon."""
        self._plain = False
        """Whether asking for those ended it."""

    # The stack.

    def add(self, formula: FNode) -> None:
        self._forget()
        self._write(self._declared([formula]) + f"(assert {as_text(formula)})\n")

    def push(self) -> None:
        self._forget()
        self._levels.append(_Level())
        self._send("(push 1)\n")

    def pop(self) -> None:
        self._forget()
        self._levels.pop()
        self._send("(pop 1)\n")

    def _declared(self, formulas: Iterable[FNode]) -> str:
        """Return what declares the names of formulas, and keep them on the newest level."""
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
        """Keep what goes out with the next question; one that starts the program sends it all."""
        if self._program is not None:
            self._unsent += text

    def _forget(self) -> None:
        """Leave the last question behind."""
        self._values = {}
        if self._asked:
            self._asked = False
            self._send("(pop 1)\n")

    # Questions.

    def check(self, assumptions: Sequence[FNode], effort: int = 0) -> bool | None:
        self._forget()
        self._assumed = list(assumptions)
        self._write(self._declared(assumptions))
        if self._program is None:
            self._start()
        literals = [node for node in assumptions if self._assumes and node.is_literal()]
        asserted = [node for node in assumptions if node not in literals]
        question = "(check-sat)\n"
        if literals:
            question = f"(check-sat-assuming ({' '.join(map(as_text, literals))}))\n"
        if asserted:
            text = "".join(f"(assert {as_text(node)})\n" for node in asserted)
            self._send(f"(push 1)\n{text}")
            self._asked = True
        seconds = effort * _SECONDS_AN_EFFORT or TIME_LIMIT
        try:
            answer = self._ask(question, seconds)
        except _TooSlowError as error:
            if effort:
                return None
            raise self._failed(question, error) from None
        except _ProgramError as error:
            raise self._failed(question, error) from None
        if answer in (["sat"], ["unsat"]):
            return answer == ["sat"]
        if answer == ["unknown"] and effort:
            return None
        self.restart()
        raise self._failed(question, _ProgramError(_answered(answer)))

    def value(self, node: FNode) -> bool | int:
        if node.is_not():
            return not self.value(node.arg(0))
        if not node.is_symbol():
            return self._number(node)
        if not self._values:
            names = " ".join(name for level in self._levels for name in level.names)
            question = f"(get-value ({names}))\n"
            found = _VALUED.findall("\n".join(self._ask_surely(question)))
            self._values = {name: value == "true" for name, value in found}
        try:
            return self._values[node.symbol_name()]
        except KeyError:
            self.restart()
            missing = f"did not say what {node.symbol_name()} is"
            raise self._failed("(get-value ...)", _ProgramError(missing)) from None

    def _number(self, node: FNode) -> int:
        question = f"(get-value ({as_text(node)}))\n"
        answer = self._ask_surely(question)
        found = _NUMBER.search("\n".join(answer))
        if found is None:
            self.restart()
            raise self._failed(question, _ProgramError(_answered(answer)))
        return int(found[1]) if found[1] else -int(found[2])

    def core(self) -> list[FNode]:
        if not (self._assumes and self._has_cores):
            return self._assumed
        answer = self._ask_surely("(get-unsat-assumptions)\n")
        if any(line.startswith("(error") for line in answer):
            self._has_cores = False
            return self._assumed
        needed = {(yes or no, bool(yes)) for no, yes in _LITERAL.findall("\n".join(answer))}
        return [node for node in self._assumed if _sign(node) in needed]

    # The program.

    def _start(self) -> None:
        """Start the program, and find out what it knows. Raises SolverError."""
        self._unsent = ""
        try:
            self._program = _Program(self._words)
            self._tell(_BEGIN)
            if not self._plain:
                self._has_cores = self._knows(_CORES, [])
            self._tell(_LOGIC)
            if not self._plain:
                self._assumes = self._knows(_PROBE, ["sat"])
        except _EndedError as error:
            if self._plain:
                raise self._failed("to begin", error) from None
            # Some end at the first command that they do not know: once more, without asking.
            self._plain, self._assumes, self._has_cores = True, False, False
            self._start()
            return
        except _ProgramError as error:
            raise self._failed("to begin", error) from None
        self._unsent = "(push 1)\n".join(level.text for level in self._levels)

    def _tell(self, commands: str) -> None:
        """Send commands that have no answer."""
        answer = [line for line in self._ask(commands, _START_LIMIT) if line != "unsupported"]
        if answer:
            self.restart()
            raise _ProgramError(_answered(answer))

    def _knows(self, commands: str, expected: list[str]) -> bool:
        """Return whether the program takes commands that not all know."""
        return self._ask(commands, _START_LIMIT) == expected

    def _ask_surely(self, question: str) -> list[str]:
        """Return the lines of an answer. Raises SolverError."""
        try:
            return self._ask(question, TIME_LIMIT)
        except _ProgramError as error:
            raise self._failed(question, error) from None

    def _ask(self, question: str, seconds: float) -> list[str]:
        """Return the lines of an answer; where there is none, the program is ended."""
        assert self._program is not None
        text, self._unsent = self._unsent + question, ""
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
        self._program, self._asked, self._values = None, False, {}

    def _failed(self, question: str, error: "_ProgramError") -> SolverError:
        asked = _cut(question)
        return SolverError(f"the solver {self.name} {error} (asked: {asked}); try --solver z3")


def _sign(node: FNode) -> tuple[str, bool] | None:
    """Return the name of a literal and whether it is not negated, None for other formulas."""
    if not node.is_literal():
        return None
    return (node.arg(0).symbol_name(), False) if node.is_not() else (node.symbol_name(), True)


def _answered(lines: Sequence[str]) -> str:
    return f"answered {_cut(lines[0])}" if lines else "answered nothing"


def _cut(text: str) -> str:
    """Return the first line of a text, or as much of it as a message holds."""
    line = text.strip().partition("\n")[0]
    shown = line if len(line) <= _SHOWN else f"{line[:_SHOWN]}..."
    return shown.encode("ascii", "backslashreplace").decode()


class _ProgramError(Exception):
    """A program gave no answer; says how, as what follows its name."""


class _EndedError(_ProgramError):
    """The program has ended."""


class _TooSlowError(_ProgramError):
    """Time was up."""


class _Program:
    """A running program, in a process group of its own."""

    def __init__(self, words: Sequence[str]) -> None:
        pipe = subprocess.PIPE
        try:
            self._popen = subprocess.Popen(
                words, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
            )
        except OSError as error:
            raise _ProgramError(f"cannot be started ({error.strerror})") from None
        self.end = weakref.finalize(self, _end, self._popen)
        """Ends it, once; if nobody does, the end of this object or of Python does."""
        self._asked = 0
        self._complaint = b""
        for stream in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            assert stream is not None
            os.set_blocking(stream.fileno(), False)

    def ask(self, text: str, seconds: float) -> str:
        """Send a text, and return what is printed until all of it was read and answered.

        Reads while it writes, so that full pipes block nobody. Raises _ProgramError.
        """
        self._asked += 1
        mark = f"puzzlehunt-{self._asked}"
        unsent = f'{text}(echo "{mark}")\n'.encode()
        last = re.compile(rf'^"?{mark}"?[ \r]*\n'.encode(), re.MULTILINE)
        printed, end = bytearray(), time.monotonic() + seconds
        popen = self._popen
        assert popen.stdin is not None
        assert popen.stdout is not None
        assert popen.stderr is not None
        with selectors.DefaultSelector() as ready:
            ready.register(popen.stdin, selectors.EVENT_WRITE)
            ready.register(popen.stdout, selectors.EVENT_READ)
            ready.register(popen.stderr, selectors.EVENT_READ)
            while True:
                left = end - time.monotonic()
                if left <= 0:
                    raise _TooSlowError(self._with_complaint(_late(printed, seconds)))
                files = {key.fileobj for key, _ in ready.select(left)}
                if popen.stdin in files:
                    unsent = self._written(unsent)
                    if not unsent:
                        ready.unregister(popen.stdin)
                if popen.stderr in files and not self._complained():
                    ready.unregister(popen.stderr)
                if popen.stdout in files:
                    new = os.read(popen.stdout.fileno(), 1 << 16)
                    if not new:
                        raise self._ended()
                    printed += new
                    found = last.search(printed, printed.rfind(b"\n", 0, -len(new)) + 1)
                    if found:
                        return printed[: found.start()].decode(errors="replace")
                    if len(printed) > _MOST_PRINTED:
                        raise _ProgramError(f"prints without end: {_first(printed)}")

    def _written(self, unsent: bytes) -> bytes:
        """Write what the pipe takes, and return the rest; nothing if nobody reads any more."""
        assert self._popen.stdin is not None
        try:
            return unsent[os.write(self._popen.stdin.fileno(), unsent[: 1 << 16]) :]
        except BrokenPipeError:
            return b""

    def _complained(self) -> bool:
        """Read what was said on stderr, of which the beginning is kept; False at its end."""
        assert self._popen.stderr is not None
        new = os.read(self._popen.stderr.fileno(), 1 << 16)
        self._complaint = (self._complaint + new)[: 1 << 12]
        return bool(new)

    def _ended(self) -> _ProgramError:
        """Return what is said of a program that will print no more."""
        try:
            status = self._popen.wait(_GRACE)
        except subprocess.TimeoutExpired:
            return _EndedError("closed its output")
        with suppress(OSError):
            while self._complained():
                pass
        how = f"signal {-status}" if status < 0 else f"status {status}"
        return _EndedError(self._with_complaint(f"ended with {how}"))

    def _with_complaint(self, problem: str) -> str:
        # Of a traceback the last line says what was wrong.
        said = self._complaint.decode(errors="replace").strip().splitlines()
        traced = said and said[0].startswith("Traceback")
        return f"{problem}, saying {_cut(said[-1 if traced else 0])}" if said else problem


def _late(printed: bytearray, seconds: float) -> str:
    said = f" but {_first(printed)}" if printed.strip() else ""
    return f"has no answer after {seconds:g} s{said}"


def _first(printed: bytearray) -> str:
    return _cut(printed[: 1 << 10].decode(errors="replace"))


def _end(popen: subprocess.Popen[bytes]) -> None:
    """End a program and all that it started: asked to at first, then without asking."""
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
