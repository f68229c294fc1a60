"""The solvers by name: `z3` and `cvc5` are libraries, any other name is a command to run."""

import shlex
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from puzzlehunt.engines.solvers.base import Solver
from puzzlehunt.errors import SolverError, did_you_mean, missing_package
from puzzlehunt.game.play import SOLVERS

if TYPE_CHECKING:
    from pysmt.environment import Environment


def open_solver(environment: "Environment", name: str | None = None) -> Solver:
    """Return the solver with a name, by default z3's library, for formulas of `environment`."""
    words = command_of(name or "z3")
    if words:
        from puzzlehunt.engines.solvers.process import Process

        return Process(environment, name or "", words)
    if name == "cvc5":
        from puzzlehunt.engines.solvers.cvc5 import Cvc5

        return Cvc5(environment)
    from puzzlehunt.engines.solvers.z3 import Z3

    return Z3(environment)


def command_of(name: str) -> list[str]:
    """Return a solver's command as a list, with the path of its program; [] for a library.

    Raises SolverError for an unknown name, MissingPackageError for a library that is not installed.
    """
    if name == "z3":
        return []
    if name == "cvc5":
        if find_spec("cvc5") is None:
            raise missing_package("solver cvc5 needs cvc5", "cvc5")
        return []
    try:
        words = shlex.split(name)
    except ValueError as error:
        raise SolverError(f"the solver {name!r} is not a command: {error}") from None
    if not words:
        raise SolverError("which solver? z3, cvc5, or a command such as 'z3 -in'")
    program = shutil.which(words[0]) or shutil.which(
        words[0], path=str(Path(sys.executable).parent)
    )
    if program is None:
        near = did_you_mean(words[0], SOLVERS)
        raise SolverError(f"no solver and no program is called {words[0]!r}{near}")
    return [program, *words[1:]]


__all__ = ["Solver", "command_of", "open_solver"]
