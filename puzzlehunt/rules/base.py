"""What a rule is: one file with four faces.

`score` is the specification. `table` and `partitions` are the same for whole arrays, `constraint`
the same as bounds on literals, and the notation turns clues into text and back.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, ClassVar

from puzzlehunt.clues import Clue, Feedback
from puzzlehunt.codes import Code
from puzzlehunt.constraints import Constraint

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from puzzlehunt.kernels import Bytes, Counts, Rows, Table


class Rule(ABC):
    """How a guess is scored against a secret of `length` symbols from an alphabet of `symbols`.

    `repeats` is the most times that one symbol occurs in a secret; a smaller number makes the
    arrays narrower. `marks` gives the letters of the notation and `names` what its kinds of marks
    are called; a ValueError says which of them cannot be.
    """

    name: ClassVar[str]
    kind_names: ClassVar[tuple[str, ...]] = ()
    """The keys that a game file may set under `names:`."""
    mark_names: ClassVar[tuple[str, ...]] = ()
    """The keys that a game file may set under `marks:`."""

    alike: ClassVar[bool] = False
    """Whether exchanging two symbols, or two positions, in guess and secret changes no feedback."""

    def __init__(
        self,
        length: int,
        symbols: int,
        repeats: int | None = None,
        marks: Mapping[str, str] | None = None,
        names: Mapping[str, str] | None = None,
    ) -> None:
        self.length = length
        self.symbols = symbols
        self.repeats = length if repeats is None else repeats
        self.marks = marks or {}
        self.names = names or {}

    # The specification.

    @abstractmethod
    def score(self, guess: Code, secret: Code) -> Feedback:
        """Return the full, truthful feedback, in plain Python."""

    @property
    @abstractmethod
    def feedbacks(self) -> Sequence[Feedback]:
        """Every feedback that a guess of any length can get, in the order of their indices."""

    @property
    @abstractmethod
    def winning(self) -> Feedback:
        """The feedback of the secret itself."""

    # Arrays.

    @abstractmethod
    def rows(self, codes: "Bytes") -> "Rows":
        """Return an array of codes (N, length) made ready for `table` and `partitions`."""

    @abstractmethod
    def table(self, guesses: "Rows", secrets: "Rows") -> "Table":
        """Return (G, S) places in `feedbacks`."""

    def partitions(
        self, guesses: "Rows", secrets: "Rows", weights: "npt.NDArray[np.float64] | None" = None
    ) -> "Counts":
        """Return (G, F): how many secrets, or how much weight, give each feedback."""
        from puzzlehunt.kernels import count_rows

        return count_rows(self.table(guesses, secrets), len(self.feedbacks), weights)

    # Bounds.

    @abstractmethod
    def constraint(self, guess: Code, clue: Clue) -> Constraint:
        """Return the constraint that a secret's feedback for the guess is in the clue."""

    @abstractmethod
    def refuse_winning(self, guess: Code) -> Constraint:
        """Return the constraint that a guess is not the secret."""

    # Notation.

    @abstractmethod
    def parse(self, text: str, guess: Code) -> Clue:
        """Return the clue that a text writes about the answer to a guess.

        Raises InvalidClueError, or ImpossibleClueError where no feedback could show it.
        """

    @abstractmethod
    def format(self, clue: Clue) -> str:
        """Return the text of a clue; `parse` reads it back."""

    @abstractmethod
    def describe(self, clue: Clue) -> str:
        """Return a clue in words."""

    @abstractmethod
    def legend(self) -> str:
        """Return one line that says how clues are written."""

    @abstractmethod
    def exactly(self, feedback: Feedback, guess: Code) -> Clue:
        """Return the clue of an answer that was read in full."""

    @abstractmethod
    def parts(self, feedback: Feedback, guess: Code) -> dict[str, int | str]:
        """Return the rule's own JSON keys for a feedback."""

    def sentence_at(self, line: str) -> int | None:
        """Return where in a line one of the game's own sentences begins, None without one."""
        return None

    def wins(self, clue: Clue) -> bool:
        """Return whether a clue says that the guess was the secret."""
        return list(islice(clue, 2)) == [self.winning]
