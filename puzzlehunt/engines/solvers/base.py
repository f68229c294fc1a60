"""What a solver is to the symbolic engine: formulas in, whether all can be true, and a model."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from pysmt.fnode import FNode

TIME_LIMIT = 60.0
"""So many seconds a solver that is not z3's own library may take for one question."""


class Solver(ABC):
    """Keeps a stack of formulas, and says whether all can be true together.

    An interrupt (KeyboardInterrupt) and a SolverError leave it as it was before the question, and
    the next question is answered as if nothing had happened.
    """

    trusted = False
    """Whether models are taken as they come; those of all others are checked."""

    def __init__(self, name: str) -> None:
        self.name = name

    @abstractmethod
    def add(self, formula: FNode) -> None:
        """Add a formula to the top of the stack."""

    @abstractmethod
    def push(self) -> None:
        """Begin a new level of the stack."""

    @abstractmethod
    def pop(self) -> None:
        """Take back what was added since the last push that was not taken back."""

    @abstractmethod
    def check(self, assumptions: Sequence[FNode], effort: int = 0) -> bool | None:
        """Return whether all that was added and what is assumed can be true together.

        None where that would take more than so much effort, in steps of which solvers make about
        a million a second; 0 is any effort. Raises KeyboardInterrupt, or SolverError where there is
        no answer at all.
        """

    def restart(self) -> None:  # noqa: B027 - a library has nothing to start anew
        """Start anew with the next question; what is on the stack stays."""

    @abstractmethod
    def value(self, node: FNode) -> bool | int:
        """Return what a Boolean or number is in the model of the last check, which was True."""

    @abstractmethod
    def core(self) -> list[FNode]:
        """Return those assumptions of the last check, which was False, that cannot all be true.

        There may be more of them than are needed; what was added is not among them.
        """


class Library(Solver):
    """A solver that pySMT speaks with in this process."""

    def __init__(self, name: str, solver: Any) -> None:
        super().__init__(name)
        self._solver = solver
        self._assumed: Sequence[FNode] = ()

    def add(self, formula: FNode) -> None:
        self._solver.add_assertion(formula)

    def push(self) -> None:
        self._solver.push()

    def pop(self) -> None:
        self._solver.pop()

    def value(self, node: FNode) -> bool | int:
        found: bool | int = self._solver.get_py_value(node)
        return found
