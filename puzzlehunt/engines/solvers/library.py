"""z3's own library, with sums of Booleans as pseudo-Boolean constraints.

In pySMT and SMT-LIB, a count of literals is a sum of `ite` terms in linear arithmetic. z3 also has
a theory of pseudo-Boolean constraints, which learns whole constraints (cutting planes), and finds
contradictions between rows of large codes that arithmetic does not.
"""

import signal
import threading
from collections.abc import Callable, Sequence
from functools import cache

import z3
from pysmt import operators
from pysmt.fnode import FNode

from puzzlehunt.engines.solvers import Solver
from puzzlehunt.errors import PuzzlehuntError

_MAKERS: dict[int, Callable[..., z3.Ast]] = {
    operators.NOT: z3.Z3_mk_not,
    operators.AND: z3.Z3_mk_and,
    operators.OR: z3.Z3_mk_or,
    operators.IMPLIES: z3.Z3_mk_implies,
    operators.IFF: z3.Z3_mk_iff,
}
"""z3's functions that join terms, by pySMT's kinds of nodes; the methods that z3 has are slow."""


class Library(Solver):
    """z3's library, which is always installed. A `check` with the effort 0 has no time limit."""

    name = "z3"

    def __init__(self) -> None:
        # No two threads may use z3's main context at once.
        self._context = z3.Context()
        self._solver = z3.Solver(ctx=self._context)
        self._solver.set("random_seed", 0)
        self._term: Callable[[FNode], z3.BoolRef] = cache(self._new_term)
        self._literal: Callable[[FNode], z3.BoolRef] = cache(self._new_literal)
        self._assumed: list[tuple[z3.BoolRef, FNode]] = []
        """The literals and the formulas that the last check assumed."""
        self._model: z3.ModelRef | None = None

    def add(self, formula: FNode) -> None:
        self._solver.add(self._term(formula))

    def check(self, assumptions: Sequence[FNode], effort: int = 0) -> bool | None:
        self._model = None
        self._assumed = [(self._literal(formula), formula) for formula in assumptions]
        # While z3 waits for Ctrl-C, its handler is one for all threads; only the main one gets any.
        is_main = threading.current_thread() is threading.main_thread()
        self._solver.set("rlimit", effort, "ctrl_c", is_main)
        answer = self._solver.check(*(literal for literal, _ in self._assumed))
        if answer != z3.unknown:
            return bool(answer == z3.sat)
        reason = self._solver.reason_unknown()
        if "interrupt" in reason or ("cancel" in reason and not effort):
            # z3 has taken the signal; now the program's own handler gets it.
            signal.raise_signal(signal.SIGINT)
            raise KeyboardInterrupt
        if effort:
            return None
        raise PuzzlehuntError(f"the solver gave up: {reason}")

    def value(self, node: FNode) -> bool:
        if self._model is None:
            self._model = self._solver.model()
        return bool(z3.is_true(self._model.eval(self._term(node), model_completion=True)))

    def unsat_core(self) -> list[FNode]:
        needed = {literal.get_id() for literal in self._solver.unsat_core()}
        return [formula for literal, formula in self._assumed if literal.get_id() in needed]

    def _new_literal(self, formula: FNode) -> z3.BoolRef:
        """Return a literal that implies a formula: the formula itself, or a Boolean of its own."""
        if formula.is_literal():
            return self._term(formula)
        literal = z3.FreshBool(ctx=self._context)
        self._solver.add(z3.Implies(literal, self._term(formula)))
        return literal

    def _new_term(self, formula: FNode) -> z3.BoolRef:
        if formula.is_symbol():
            return z3.Bool(formula.symbol_name(), self._context)
        if formula.is_bool_constant():
            return z3.BoolVal(formula.is_true(), self._context)
        if formula.is_le() or formula.is_equals():
            return self._comparison(formula)
        terms: Sequence[object] = [self._term(part).as_ast() for part in formula.args()]
        if formula.is_and() or formula.is_or():
            terms = len(terms), (z3.Ast * len(terms))(*terms)
        term = _MAKERS[formula.node_type()](self._context.ref(), *terms)
        return z3.BoolRef(term, self._context)

    def _comparison(self, formula: FNode) -> z3.BoolRef:
        """Return a comparison of sums as a constraint that one sum is `most`, or no more."""
        pairs, most = list[tuple[z3.BoolRef, int]](), 0
        for side, sign in zip(formula.args(), (1, -1), strict=True):
            for term in side.args() if side.is_plus() else (side,):
                if term.is_int_constant():
                    most -= sign * term.constant_value()
                else:
                    literal, weight, _ = term.args()
                    pairs.append((self._term(literal), sign * weight.constant_value()))
        if sum(abs(weight) for _, weight in pairs) + abs(most) >= 1 << 31:
            # That is more than z3's constraints hold.
            total = z3.Sum([z3.If(literal, weight, 0) for literal, weight in pairs])
            return total <= most if formula.is_le() else total == most
        # z3 takes no negative weights: their literals are negated, and the bound is raised.
        most -= sum(min(weight, 0) for _, weight in pairs)
        weighed = [(z3.Not(each) if weight < 0 else each, abs(weight)) for each, weight in pairs]
        return (z3.PbLe if formula.is_le() else z3.PbEq)(weighed, most)
