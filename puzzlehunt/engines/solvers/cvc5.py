"""cvc5's own library, called by pySMT."""

import time
from collections.abc import Sequence

from cvc5 import UnknownExplanation
from pysmt.environment import Environment
from pysmt.fnode import FNode
from pysmt.logics import QF_LIA
from pysmt.solvers.cvcfive import CVC5Solver

from puzzlehunt.engines.solvers.base import TIME_LIMIT, Library
from puzzlehunt.errors import SolverError

_LIMIT = "reproducible-resource-limit"
"""The option that limits the steps (cvc5's own) for one question."""
_FIRST_LIMIT = 1 << 14
"""The first limit for a question without effort (cvc5's steps): some hundredths of a second."""
_STEPS_OF_CVC5_A_STEP = 0.1
"""Number of cvc5's steps that take as long as one step of effort (see `Solver.check`)."""
_OPTIONS = {
    "produce-unsat-assumptions": "true",
    # pySMT turns these on, and then there would be no cores.
    "ite-simp": "false",
    "simp-ite-compress": "false",
}


class _OwnEnvironmentSolver(CVC5Solver):  # type: ignore[misc]
    """pySMT's cvc5 solver, without the one check that uses pySMT's global environment."""

    def _assert_is_boolean(self, formula: FNode) -> None:
        """Do nothing: pySMT's check of a formula's type is of no use here, and not thread-safe."""


class Cvc5(Library):
    """cvc5's library, queried with limits that double: interrupts work only between queries."""

    def __init__(self, environment: Environment) -> None:
        solver = _OwnEnvironmentSolver(
            environment, QF_LIA, random_seed=0, incremental=True, solver_options=_OPTIONS
        )
        super().__init__("cvc5", solver)

    def check(self, assumptions: Sequence[FNode], effort: int = 0) -> bool | None:
        self._assumptions = assumptions
        terms = [self._solver.converter.convert(node) for node in assumptions]
        steps = int(effort * _STEPS_OF_CVC5_A_STEP) or _FIRST_LIMIT
        end = time.monotonic() + TIME_LIMIT
        while True:
            self._solver.cvc5.setOption(_LIMIT, str(steps))
            try:
                result = self._solver.cvc5.checkSatAssuming(*terms)
            except RuntimeError as error:
                raise self._solver_error(str(error)) from None
            if not result.isUnknown():
                return bool(result.isSat())
            if effort:
                return None
            if result.getUnknownExplanation() != UnknownExplanation.RESOURCEOUT:
                raise self._solver_error("answered unknown")
            if time.monotonic() > end:
                raise self._solver_error(f"has no answer after {TIME_LIMIT:g} s")
            steps *= 2

    def _solver_error(self, how: str) -> SolverError:
        asked = f"what {len(self._assumptions)} assumptions leave"
        return SolverError(f"the solver cvc5 {how} (asked: {asked}); try --solver z3")

    def unsat_core(self) -> list[FNode]:
        needed = set(self._solver.cvc5.getUnsatAssumptions())
        convert = self._solver.converter.convert
        return [node for node in self._assumptions if convert(node) in needed]
