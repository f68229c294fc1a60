"""Formulas with sums of Booleans, rewritten as totalizers, sums of bits, or sums of integers."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from pysmt.environment import Environment
from pysmt.fnode import FNode
from pysmt.typing import INT
from pysmt.walkers import IdentityDagWalker

from puzzlehunt.engines.solvers.library import difference

Literals = tuple[FNode, ...]


class Rewriter(IdentityDagWalker):  # type: ignore[misc]
    """Rewrites comparisons of sums of Booleans; `name` may replace a shared part by its name."""

    def __init__(
        self, environment: Environment, name: Callable[[FNode], FNode] = lambda node: node
    ) -> None:
        super().__init__(environment)
        self.manager = environment.formula_manager
        self._name = name
        self._parts: dict[Literals, list[FNode]] = {}

    @abstractmethod
    def most(self, literals: Literals, number: int) -> FNode:
        """Return the formula that at most `number` of some literals are true."""

    @abstractmethod
    def exactly(self, literals: Literals, number: int) -> FNode:
        """Return the formula that exactly `number` of some literals are true."""

    def walk_le(self, formula: FNode, args: Any, **options: Any) -> FNode:
        return self.most(*self._literals(formula))

    def walk_equals(self, formula: FNode, args: Any, **options: Any) -> FNode:
        return self.exactly(*self._literals(formula))

    def _literals(self, formula: FNode) -> tuple[Literals, int]:
        """Return literals, and how many may be true: those of weights below 0 are negated."""
        terms, weights, constant = difference(formula)
        literals, number = list[FNode](), -constant
        for literal, weight in zip(terms, weights, strict=True):
            node = self.walk(literal)
            if weight < 0:
                node, number = self.mgr.Not(node), number - weight
            literals += [node] * abs(weight)
        return tuple(literals), number


class TotalizerRewriter(Rewriter):
    """Writes Booleans alone: each sum is a tree (Bailleux and Boufkhad, 2003), made once."""

    def most(self, literals: Literals, number: int) -> FNode:
        if number >= len(literals):
            return self.manager.TRUE()
        return self.manager.FALSE() if number < 0 else self.manager.Not(self.tree(literals)[number])

    def exactly(self, literals: Literals, number: int) -> FNode:
        if not 0 <= number <= len(literals):
            return self.manager.FALSE()
        fewer = self.most(literals, number - 1)
        return self.manager.And(self.most(literals, number), self.manager.Not(fewer))

    def tree(self, literals: Literals) -> list[FNode]:
        """Return whether at least 1, 2, ... of some literals are true."""
        if len(literals) == 1:
            return [literals[0]]
        if literals not in self._parts:
            half = len(literals) // 2
            one, two = self.tree(literals[:half]), self.tree(literals[half:])
            self._parts[literals] = [
                self._name(
                    self.manager.Or(
                        self.manager.And(one[max(0, n - 1) : n] + two[max(0, k - n - 1) : k - n])
                        for n in range(max(0, k - len(two)), min(k, len(one)) + 1)
                    )
                )
                for k in range(1, len(literals) + 1)
            ]
        return self._parts[literals]


class BitVectorRewriter(Rewriter):
    """Writes sums of bits, which are wide enough for the number of literals."""

    def most(self, literals: Literals, number: int) -> FNode:
        if number >= len(literals):
            return self.manager.TRUE()
        if number < 0:
            return self.manager.FALSE()
        return self.manager.BVULE(*self._total_and(literals, number))

    def exactly(self, literals: Literals, number: int) -> FNode:
        if not 0 <= number <= len(literals):
            return self.manager.FALSE()
        return self.manager.Equals(*self._total_and(literals, number))

    def _total_and(self, literals: Literals, number: int) -> tuple[FNode, FNode]:
        width = len(literals).bit_length()
        if literals not in self._parts:
            one, zero = self.manager.BV(1, width), self.manager.BV(0, width)
            terms = [self.manager.Ite(node, one, zero) for node in literals]
            while len(terms) > 1:
                pairs = [terms[n : n + 2] for n in range(0, len(terms), 2)]
                terms = [self.manager.BVAdd(*pair) if len(pair) > 1 else pair[0] for pair in pairs]
            self._parts[literals] = [self._name(terms[0])]
        return self._parts[literals][0], self.manager.BV(number, width)


class IntegerRewriter(IdentityDagWalker):  # type: ignore[misc]
    """Rewrites formulas in another environment, where each Boolean is an integer, 0 or 1."""

    def walk_symbol(self, formula: FNode, args: Any, **options: Any) -> FNode:
        return self.mgr.Equals(self._integer(formula), self.mgr.Int(1))

    def walk_le(self, formula: FNode, args: Any, **options: Any) -> FNode:
        return self.mgr.LE(*self._sides(formula))

    def walk_equals(self, formula: FNode, args: Any, **options: Any) -> FNode:
        return self.mgr.Equals(*self._sides(formula))

    def _sides(self, formula: FNode) -> tuple[FNode, FNode]:
        total = difference(formula)
        assert total is not None
        weighted = [
            self._term(literal)
            if weight == 1
            else self.mgr.Times(self.mgr.Int(weight), self._term(literal))
            for literal, weight in zip(*total[:2], strict=True)
        ]
        return self.mgr.Plus(weighted), self.mgr.Int(-total[2])

    def _term(self, literal: FNode) -> FNode:
        if literal.is_symbol():
            return self._integer(literal)
        return self.mgr.Ite(self.walk(literal), self.mgr.Int(1), self.mgr.Int(0))

    def _integer(self, symbol: FNode) -> FNode:
        return self.mgr.Symbol(symbol.symbol_name(), INT)
