"""The SMT solvers of the symbolic engine, by name.

`z3` is a library (`library`), `cvc5` its program, any other name a command to run (`process`).
"""

import shlex
import shutil
import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from puzzlehunt.errors import PuzzlehuntError, did_you_mean
from puzzlehunt.game.play import SOLVERS

if TYPE_CHECKING:
    from pysmt.environment import Environment
    from pysmt.fnode import FNode

STEPS_A_SECOND = 1_000_000
"""About as many steps z3 makes in a second."""


class Solver(ABC):
    """Formulas, and a test whether all can be true together.

    After a KeyboardInterrupt or a PuzzlehuntError, the formulas are unchanged for the next query.
    """

    name: str
    """How errors call the solver."""

    @abstractmethod
    def add(self, formula: "FNode") -> None:
        """Add a formula for good."""

    @abstractmethod
    def check(self, assumptions: "Sequence[FNode]", effort: int = 0) -> bool | None:
        """Return whether all formulas that were added or are assumed can be true together.

        Return None if the answer takes more than `effort` steps; 0 is no limit. Raises
        PuzzlehuntError if the solver does not answer, and passes on a KeyboardInterrupt.
        """

    def restart(self) -> None:  # noqa: B027 - a library has nothing to start anew
        """Start a new program before the next question."""

    @abstractmethod
    def value(self, node: "FNode") -> bool:
        """Return the value of a literal in the model of the last check."""

    @abstractmethod
    def unsat_core(self) -> "Sequence[FNode]":
        """Return assumptions of the last check that contradict each other; some may be needless."""


def open_solver(environment: "Environment", name: str | None) -> Solver:
    """Return the solver with a name (None: z3's library) for formulas of `environment`."""
    words = command_of(name or "z3")
    if words:
        from puzzlehunt.engines.solvers.process import Process

        return Process(environment, name or "", words)
    from puzzlehunt.engines.solvers.library import Library

    return Library()


def command_of(name: str) -> list[str]:
    """Return a solver's command as a list, with the path of its program; [] for z3's library.

    Raises PuzzlehuntError for an unknown name.
    """
    if name == "z3":
        return []
    try:
        words = shlex.split("cvc5 --incremental --lang smt2" if name == "cvc5" else name)
    except ValueError as error:
        raise PuzzlehuntError(f"the solver {name!r} is not a command: {error}") from None
    if not words:
        raise PuzzlehuntError("which solver? z3, cvc5, or a command such as 'z3 -in'")
    beside_python = str(Path(sys.executable).parent)
    program = shutil.which(words[0]) or shutil.which(words[0], path=beside_python)
    if program is None and name == "cvc5":
        raise PuzzlehuntError("no program is called cvc5; install it, or take z3 (play.solver)")
    if program is None:
        near = did_you_mean(words[0], SOLVERS)
        raise PuzzlehuntError(f"no solver and no program is called {words[0]!r}{near}")
    return [program, *words[1:]]
