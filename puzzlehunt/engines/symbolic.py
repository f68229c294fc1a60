"""The symbolic engine: one pySMT model for the whole game, solved incrementally by z3.

No answer depends on which model the solver happens to return: candidates come in code order and
samples from a seed, both decided by what is satisfiable and nothing else.
"""

import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

from pysmt.exceptions import SolverReturnedUnknownResultError
from pysmt.fnode import FNode
from pysmt.logics import QF_LIA
from pysmt.solvers.z3 import Z3Solver

from puzzlehunt import sampling
from puzzlehunt.codes import Code, SymbolSpace
from puzzlehunt.engines.base import Engine, Sample
from puzzlehunt.errors import SolverError
from puzzlehunt.game import Game
from puzzlehunt.history import Item
from puzzlehunt.smtlib import Encoding

_Tree = dict[int, "_Tree"]


class SymbolicEngine(Engine):
    """Holds formulas instead of codes, and so takes spaces of any size.

    Every turn and fact stands behind a switch of its own; a query assumes the switches it wants,
    so that any subset can be asked for, and nothing is left behind by a search.
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.encoding = Encoding(game)
        self._switches: list[FNode] = []
        self._witness: Code | None = None
        self._tree = None if isinstance(game.secrets, SymbolSpace) else _tree(game.secrets)

    @cached_property
    def _solver(self) -> Any:
        """The model of the game, built for the first item."""
        encoding = self.encoding
        solver = Z3Solver(encoding.environment, QF_LIA, random_seed=0)
        for formula in (*encoding.one_a_position(), *encoding.occurrences(), encoding.space()):
            solver.add_assertion(formula)
        return solver

    def push(self, item: Item) -> None:
        manager = self.encoding.manager
        switch = manager.Symbol(f"item_{len(self._items) + 1}")
        self._solver.push()
        self._solver.add_assertion(manager.Implies(switch, self.encoding.item(item)))
        self._switches.append(switch)
        self._items.append(item)

    def pop(self) -> None:
        self._solver.pop()
        self._switches.pop()
        self._items.pop()

    def satisfiable(self, chosen: Sequence[int] | None = None) -> bool:
        places = range(len(self._items)) if chosen is None else chosen
        if not places or (chosen is None and self._has_witness()):
            return True
        return self._solve([self._switches[place] for place in places])

    def _solve(self, assumptions: list[FNode]) -> bool:
        """Ask the solver. Raises KeyboardInterrupt if the player interrupts it, or SolverError."""
        try:
            return bool(self._solver.solve(assumptions))
        except SolverReturnedUnknownResultError:
            reason = self._solver.z3.reason_unknown()
        if "interrupt" in reason or "cancel" in reason:
            raise KeyboardInterrupt
        raise SolverError(f"the solver gave up: {reason}")

    def _has_witness(self) -> bool:
        """Return whether local search finds a candidate; only asked where the solver is slow."""
        if self.game.length * len(self.game.secrets.alphabet) <= _SLOW_TO_SOLVE:
            return False
        if self._witness is None or self._witness not in self:
            found = sampling.search(self.game, self._items, 1, random.Random(0))
            self._witness = found[0] if found else None
        return self._witness is not None

    def candidates(self) -> Iterator[Code]:
        if not self._items:
            return iter(self.game.secrets)
        return self._walk((), None, self._tree, sorted)

    def sample(self, size: int, rng: random.Random, end: float | None = None) -> Sample:
        """Return candidates found by local search, else along random branches.

        Seeded and spread out, not quite uniform.
        """
        found = sampling.search(self.game, self._items, size, rng, end) or self._draw(rng)
        if len(found) < min(size, _MANY):
            others = self._others(found, _MANY, end)
            if others is not None:
                every = sorted([*found, *others])
                return Sample(tuple(every[:size]), complete=len(every) <= size)
        return Sample(tuple(found), complete=False)

    def _draw(self, rng: random.Random) -> list[Code]:
        """Return the candidate at the end of a random branch; [] if there is none."""

        def shuffled(symbols: Iterable[int]) -> list[int]:
            return sorted(symbols, key=lambda _: rng.random())

        return list(islice(self._walk((), None, self._tree, shuffled), 1))

    def _others(self, found: list[Code], most: int, end: float | None) -> list[Code] | None:
        """Return all candidates beside those found, None if they are many or time is up."""
        if not self._items:
            rest = (code for code in self.game.secrets if code not in found)
            others = list(islice(rest, most))
            return others if len(others) < most else None
        manager = self.encoding.manager
        others = []
        blocked = list(found)
        self._solver.push()
        try:
            while len(others) < most and (end is None or time.monotonic() < end):
                for code in blocked:
                    places = [self.encoding.at[p][s] for p, s in enumerate(code)]
                    self._solver.add_assertion(manager.Not(manager.And(places)))
                other = self._find(())
                if other is None:
                    return others
                others.append(other)
                blocked = [other]
        finally:
            self._solver.pop()
        return None

    def _walk(
        self,
        prefix: Code,
        known: Code | None,
        tree: _Tree | None,
        order: Callable[[Iterable[int]], list[int]],
    ) -> Iterator[Code]:
        """Iterate over the candidates that begin with `prefix`, branch by branch in an order.

        `known` is a candidate among them, where one has been found already; it saves a query.
        """
        if len(prefix) == self.game.length:
            if known is not None:
                yield prefix
            return
        for symbol in order(range(len(self.game.secrets.alphabet)) if tree is None else tree):
            longer = (*prefix, symbol)
            found = known if known and known[: len(longer)] == longer else self._find(longer)
            if found is not None:
                below = None if tree is None else tree[symbol]
                yield from self._walk(longer, found, below, order)

    def _find(self, prefix: Code) -> Code | None:
        """Return some candidate that begins with a prefix, None if there is none."""
        places = [self.encoding.at[p][s] for p, s in enumerate(prefix)]
        if not self._solve([*self._switches, *places]):
            return None
        rest = [self._true_symbol(p) for p in range(len(prefix), self.game.length)]
        return (*prefix, *rest)

    def _true_symbol(self, position: int) -> int:
        row = self.encoding.at[position]
        return next(s for s, node in enumerate(row) if self._solver.get_py_value(node))


_SLOW_TO_SOLVE = 200
"""Games with more literals than this ask local search before the solver."""
_MANY = 16
"""Where there are fewer beside those found, all are found out; else chance would decide."""


def _tree(codes: Iterable[Code]) -> _Tree:
    """Return the prefix tree of some codes."""
    root: _Tree = {}
    for code in codes:
        node = root
        for symbol in code:
            node = node.setdefault(symbol, {})
    return root
