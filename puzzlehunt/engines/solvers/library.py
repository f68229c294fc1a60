"""z3's own library, called by pySMT, with sums of Booleans as pseudo-Boolean constraints.

In pySMT and SMT-LIB, a count of literals is a sum of `ite` terms in linear arithmetic. z3 also has
a theory of pseudo-Boolean constraints, which learns whole constraints (cutting planes), and finds
contradictions between rows of large codes that arithmetic does not.
"""

import ctypes
import signal
import threading
from collections.abc import Sequence
from typing import Any

import z3
from pysmt.environment import Environment
from pysmt.exceptions import SolverReturnedUnknownResultError
from pysmt.fnode import FNode
from pysmt.logics import QF_LIA
from pysmt.solvers.solver import IncrementalTrackingSolver
from pysmt.solvers.z3 import Z3Converter, Z3Solver

from puzzlehunt.engines.solvers.base import Solver
from puzzlehunt.errors import PuzzlehuntError


class Library(Solver):
    """z3's library, which is always installed. A `check` with the effort 0 has no time limit."""

    def __init__(self, environment: Environment) -> None:
        super().__init__("z3")
        self._solver = PseudoBooleanSolver(environment, random_seed=0)
        self._assumptions: Sequence[FNode] = ()
        self._model: z3.ModelRef | None = None

    def __del__(self) -> None:
        # pySMT's converter holds its own methods: without this, it and z3's context (10 MB or more)
        # would live until the garbage collector happens to run. Its `__del__` needs two attributes.
        converter = self._solver.converter
        for name in vars(converter).keys() - {"ctx", "memoization"}:
            delattr(converter, name)

    def add(self, formula: FNode) -> None:
        self._solver.add_assertion(formula)

    def check(self, assumptions: Sequence[FNode], effort: int = 0) -> bool | None:
        self._assumptions, self._model = assumptions, None
        # While z3 waits for Ctrl-C, its handler is one for all threads; only the main one gets any.
        is_main = threading.current_thread() is threading.main_thread()
        self._solver.z3.set("rlimit", effort, "ctrl_c", is_main)
        try:
            return bool(self._solver.solve(assumptions))
        except SolverReturnedUnknownResultError:
            reason = self._solver.z3.reason_unknown()
        if effort and "interrupt" not in reason:
            return None
        if "interrupt" in reason or "cancel" in reason:
            # z3 has taken the signal; now the program's own handler gets it.
            signal.raise_signal(signal.SIGINT)
            raise KeyboardInterrupt
        raise PuzzlehuntError(f"the solver gave up: {reason}")

    def value(self, node: FNode) -> bool:
        if self._model is None:
            self._model = self._solver.z3.model()
        term = self._solver.converter.convert(node)
        return bool(z3.is_true(self._model.eval(term, model_completion=True)))

    def unsat_core(self) -> list[FNode]:
        needed = {literal.get_id() for literal in self._solver.z3.unsat_core()}
        convert = self._solver.converter.convert
        return [node for node in self._assumptions if convert(node).get_id() in needed]


class PseudoBooleanSolver(Z3Solver):  # type: ignore[misc]
    """pySMT's z3 solver in a context of its own, with a converter that knows sums of Booleans.

    No two threads may use z3's main context at once. In a solver made for the logic QF_LIA, z3
    would not load its theory of such sums.
    """

    def __init__(self, environment: Environment, **options: Any) -> None:
        IncrementalTrackingSolver.__init__(self, environment, QF_LIA, **options)
        self.z3 = z3.Solver(ctx=z3.Context())
        self.options(self)
        self.declarations: set[FNode] = set()
        self.converter = _Converter(environment, z3_ctx=self.z3.ctx)
        self.mgr = environment.formula_manager

    def _assert_is_boolean(self, formula: FNode) -> None:
        """Do nothing: pySMT's check of a formula's type takes half of the time of adding it."""


class _Converter(Z3Converter):  # type: ignore[misc]
    """Writes comparisons of weighted sums as pseudo-Boolean constraints, and all else as pySMT."""

    def _get_children(self, formula: FNode) -> Any:
        total = difference(formula)
        return super()._get_children(formula) if total is None else total[0]

    def walk_le(self, formula: FNode, args: Any, **options: Any) -> Any:
        total = difference(formula)
        if total is None:
            return super().walk_le(formula, args, **options)
        return self._constraint(z3.Z3_mk_pble, args, *total[1:])

    def walk_equals(self, formula: FNode, args: Any, **options: Any) -> Any:
        total = difference(formula)
        if total is None:
            return super().walk_equals(formula, args, **options)
        return self._constraint(z3.Z3_mk_pbeq, args, *total[1:])

    def _constraint(self, make: Any, args: Any, weights: list[int], constant: int) -> Any:
        """Return z3's constraint that a sum is 0 or less, or exactly 0, as `make` says.

        z3 takes no negative weights: their literals are negated, and the bound is raised.
        """
        context, literals = self.ctx.ref(), []
        for literal, weight in zip(args, weights, strict=True):
            if weight < 0:
                literal = z3.Z3_mk_not(context, literal)
                z3.Z3_inc_ref(context, literal)
            literals.append(literal)
        most = -constant - sum(min(weight, 0) for weight in weights)
        array, size = self._to_ast_array(literals)
        term = make(context, size, array, (ctypes.c_int * size)(*map(abs, weights)), most)
        z3.Z3_inc_ref(context, term)
        return term


def difference(formula: FNode) -> tuple[list[FNode], list[int], int] | None:
    """Return the left side minus the right side of a comparison of sums of weighted literals.

    The result has the literals, their weights, and a constant. It is None for any other formula,
    and if the weights exceed 32 bits.
    """
    if not (formula.is_le() or formula.is_equals()):
        return None
    literals, weights, constant = list[FNode](), list[int](), 0
    for side, sign in zip(formula.args(), (1, -1), strict=True):
        for term in side.args() if side.is_plus() else (side,):
            if term.is_int_constant():
                constant += sign * term.constant_value()
                continue
            literal, then, otherwise = term.args()
            literals.append(literal)
            weights.append(sign * (then.constant_value() - otherwise.constant_value()))
            constant += sign * otherwise.constant_value()
    is_small = sum(map(abs, weights)) + abs(constant) < 2**31
    return (literals, weights, constant) if is_small else None
