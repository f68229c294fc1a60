"""z3's own library, called by pySMT, with sums of Booleans as pseudo-Boolean constraints.

In pySMT and SMT-LIB, a count of literals is a sum of `ite` terms in linear arithmetic. z3 also has
a theory of pseudo-Boolean constraints, which adds up without tableaux and learns whole constraints
(cutting planes). The conversion happens on the way to z3's library: the engine's formulas, scripts
and answers are the same as without it.
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

from puzzlehunt.engines.solvers.base import Library
from puzzlehunt.errors import SolverError


class Z3(Library):
    """z3's library, which is always installed. A `check` with the effort 0 has no time limit."""

    def __init__(self, environment: Environment) -> None:
        super().__init__("z3", PseudoBooleanSolver(environment, random_seed=0))
        self._model: z3.ModelRef | None = None

    def __del__(self) -> None:
        # pySMT's converter holds its own methods: without this, it and z3's context (10 MB or more)
        # would live until the garbage collector happens to run. Its `__del__` needs two attributes.
        converter = self._solver.converter
        for name in vars(converter).keys() - {"ctx", "memoization"}:
            delattr(converter, name)

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
        raise SolverError(f"the solver gave up: {reason}")

    def value(self, node: FNode) -> bool | int:
        if self._model is None:
            self._model = self._solver.z3.model()
        found = self._model.eval(self._solver.converter.convert(node), model_completion=True)
        return int(found.as_long()) if z3.is_int_value(found) else z3.is_true(found)

    def unsat_core(self) -> list[FNode]:
        needed = {literal.get_id() for literal in self._solver.z3.unsat_core()}
        convert = self._solver.converter.convert
        return [node for node in self._assumptions if convert(node).get_id() in needed]


class PseudoBooleanSolver(Z3Solver):  # type: ignore[misc]
    """pySMT's z3 solver, with a converter that writes pseudo-Boolean constraints."""

    def __init__(self, environment: Environment, **options: Any) -> None:
        # pySMT's own __init__ makes a solver in z3's one main context, which no two threads may
        # use at once; and in a solver made for the logic QF_LIA, z3 would not load its theory of
        # such constraints.
        IncrementalTrackingSolver.__init__(self, environment, QF_LIA, **options)
        self.z3 = z3.Solver(ctx=z3.Context())
        self.options(self)
        self.declarations: set[FNode] = set()
        self.converter = _Converter(environment, z3_ctx=self.z3.ctx)
        self.mgr = environment.formula_manager

    def _assert_is_boolean(self, formula: FNode) -> None:
        """Do nothing: pySMT's check of a formula's type takes half of the time of adding it."""


class _Converter(Z3Converter):  # type: ignore[misc]
    """Converts comparisons of sums of Booleans to pseudo-Boolean constraints; else as pySMT."""

    def _get_children(self, formula: FNode) -> Any:
        total = difference(formula)
        return super()._get_children(formula) if total is None else total.literals

    def walk_le(self, formula: FNode, args: Any, **options: Any) -> Any:
        if total := difference(formula):
            return self._constraint(z3.Z3_mk_pble, total, args)
        return super().walk_le(formula, args, **options)

    def walk_equals(self, formula: FNode, args: Any, **options: Any) -> Any:
        if total := difference(formula):
            return self._constraint(z3.Z3_mk_pbeq, total, args)
        return super().walk_equals(formula, args, **options)

    def _constraint(self, make: Any, total: "WeightedSum", args: Any) -> Any:
        """Return z3's constraint that a weighted sum is 0 or less, or exactly 0, as `make` says.

        z3 takes no negative weights: their literals are negated, and the bound is raised.
        """
        context, most = self.ctx.ref(), -total.constant
        literals, weights = [], []
        for literal, weight in zip(args, total.weights, strict=True):
            if weight < 0:
                literal = z3.Z3_mk_not(context, literal)
                z3.Z3_inc_ref(context, literal)
                most -= weight
            literals.append(literal)
            weights.append(abs(weight))
        array, size = self._to_ast_array(literals)
        term = make(context, size, array, (ctypes.c_int * size)(*weights), most)
        z3.Z3_inc_ref(context, term)
        return term


class WeightedSum:
    """A sum of weighted literals and a constant."""

    def __init__(self) -> None:
        self.literals: list[FNode] = []
        self.weights: list[int] = []
        self.constant = 0

    def add(self, term: FNode, sign: int) -> bool:
        """Add a term times `sign` (1 or -1).

        Return False if the term is not a sum of weighted literals.
        """
        for part in term.args() if term.is_plus() else (term,):
            if part.is_int_constant():
                self.constant += sign * part.constant_value()
                continue
            if not part.is_ite() or not all(arg.is_int_constant() for arg in part.args()[1:]):
                return False
            literal, then, otherwise = part.args()
            self.literals.append(literal)
            self.weights.append(sign * (then.constant_value() - otherwise.constant_value()))
            self.constant += sign * otherwise.constant_value()
        return True


def difference(formula: FNode) -> WeightedSum | None:
    """Return the left side minus the right side of a comparison of weighted sums, else None.

    Comparisons are `<=` and `=`. The result is also None if the weights exceed 32 bits.
    """
    if not (formula.is_le() or formula.is_equals()):
        return None
    total = WeightedSum()
    left, right = formula.args()
    if not (total.add(left, 1) and total.add(right, -1)):
        return None
    return total if sum(map(abs, total.weights)) + abs(total.constant) < 2**31 else None
