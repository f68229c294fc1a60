"""Test a solver's answer `unsat` with known codes: a code that fits the query refutes the answer.

If all secrets can be listed, they are the known codes, and the test is complete. Otherwise the
known codes are some secrets and the codes that the solver found; an `unsat` that none of these
refutes may still be wrong.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
from pysmt import operators
from pysmt.fnode import FNode

from puzzlehunt.codes.alphabet import MOST_SYMBOLS, Code
from puzzlehunt.engines.base import Listing
from puzzlehunt.engines.smtlib import Encoding
from puzzlehunt.game.history import Item
from puzzlehunt.kernels.packed_codes import LARGEST_SPACE, CodeArray, code_of

ListedBy: TypeAlias = Callable[..., Listing]
"""The type of `ExplicitEngine`: given a game, and codes or None for all secrets, an engine."""
_SOME = 64
"""Number of secrets that are drawn if they are too many to list."""


class Refutations:
    """Finds codes that fit a query although a solver answered that no code does."""

    def __init__(self, encoding: Encoding, listed_by: ListedBy) -> None:
        self._encoding = encoding
        self._game = encoding.game
        self._listed_by = listed_by
        self._known: dict[Code, None] = {}
        self._made: tuple[list[Code] | None, Listing] | None = None
        """The known codes (None for all secrets), and the engine that lists them."""
        self._left: tuple[Any, CodeArray] | None = None
        """The last query by items, and the known codes that fit it."""

    @property
    def complete(self) -> bool:
        """Whether all secrets are listed, so that every wrong `unsat` is detected."""
        secrets = self._game.secrets
        return secrets.size <= LARGEST_SPACE and len(secrets.alphabet) <= MOST_SYMBOLS

    def remember(self, code: Code) -> None:
        """Store a secret that was found to fit some items."""
        self._known[code] = None

    def overlooked(
        self, items: Sequence[Item], chosen: Sequence[int], formulas: Iterable[FNode]
    ) -> Code | None:
        """Return a known code that fits the chosen items and makes all formulas true, or None.

        The formulas consist of the Booleans of the encoding, and of Booleans that an earlier
        formula defines by an equivalence.
        """
        codes = self._codes_left(items, chosen)
        if not len(codes):
            return None
        values, true = FormulaValues(self._encoding, codes), np.ones(len(codes), dtype=np.bool_)
        for formula in formulas:
            if formula.is_iff() and values.defines(formula):
                continue
            true &= values.of(formula)
        return code_of(codes[int(true.argmax())]) if true.any() else None

    def _codes_left(self, items: Sequence[Item], chosen: Sequence[int]) -> CodeArray:
        listing = self._listing
        asked = listing, tuple(items), tuple(chosen)
        if self._left is None or self._left[0] != asked:
            listing.follow(items)
            self._left = asked, listing.secrets().codes[listing.places_left(chosen)]
        return self._left[1]

    @property
    def _listing(self) -> Listing:
        if not (self.complete or self._known):
            rng = random.Random(0)
            self._known |= dict.fromkeys(self._game.secrets.random(rng) for _ in range(_SOME))
        known = None if self.complete else list(self._known)
        if self._made is None or self._made[0] != known:
            self._made = known, self._listed_by(self._game, known)
        return self._made[1]


class FormulaValues:
    """Evaluates formulas of an encoding for each of N codes."""

    def __init__(self, encoding: Encoding, codes: CodeArray) -> None:
        self._codes = codes
        self._values: dict[FNode, Any] = {}
        for position, row in enumerate(encoding.position_booleans):
            for symbol, node in enumerate(row):
                self._values[node] = codes[:, position] == symbol
        for symbol, numbers in enumerate(encoding.occurrence_booleans):
            times = (codes == symbol).sum(axis=1)
            for fewer, node in enumerate(numbers):
                self._values[node] = times > fewer

    def defines(self, formula: FNode) -> bool:
        """Return whether the left side of an equivalence is a new Boolean; if so, store it."""
        name, meaning = formula.args()
        if not name.is_symbol() or name in self._values:
            return False
        self._values[name] = self.of(meaning)
        return True

    def of(self, node: FNode) -> Any:
        """Return the value of a formula for each code, (N,); for a constant an array of shape ().

        Raises KeyError for a Boolean that is not defined.
        """
        if node.is_constant():
            return np.asarray(node.constant_value())
        if node not in self._values:
            if node.is_symbol():
                raise KeyError(node.symbol_name())
            operation = _OPERATIONS[node.node_type()]
            self._values[node] = operation(*map(self.of, node.args()))
        return self._values[node]


_OPERATIONS: dict[int, Callable[..., Any]] = {
    operators.AND: lambda *parts: np.logical_and.reduce(np.broadcast_arrays(True, *parts)),
    operators.OR: lambda *parts: np.logical_or.reduce(np.broadcast_arrays(False, *parts)),
    operators.PLUS: lambda *parts: sum(parts),
    operators.NOT: np.logical_not,
    operators.ITE: np.where,
    operators.IMPLIES: lambda first, second: ~first | second,
    operators.IFF: np.equal,
    operators.EQUALS: np.equal,
    operators.LE: np.less_equal,
    operators.LT: np.less,
}
