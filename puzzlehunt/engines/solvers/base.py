"""The interface of SMT solvers for the symbolic engine."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pysmt.fnode import FNode

STEPS_A_SECOND = 1_000_000
"""About as many steps z3 makes in a second."""


class Solver(ABC):
    """Formulas, and a test whether all can be true together.

    The solver's `name` is shown in errors. After a KeyboardInterrupt or a PuzzlehuntError, the
    formulas are unchanged, and the next query works as usual.
    """

    def __init__(self, name: str) -> None:
        self.name = name

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
