"""A clue about an answer that is one value: the values that it may have been."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, cast

from puzzlehunt.rules.notation.clue import UNREAD, Cell, Clue, Feedback
from puzzlehunt.rules.notation.edits import Shares

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from puzzlehunt.rules.notation.clue import FeedbackArray


@dataclass(frozen=True, slots=True)
class ScoreClue:
    """The feedbacks that an answer may have been, in the rule's order.

    `nothing_read` says that no answer was read; `feedbacks` are then all that do not win. To code
    for every rule the answer is one mark, which is never read in part.
    """

    feedbacks: tuple[Feedback, ...]
    nothing_read: bool = False

    unread: ClassVar[Cell] = UNREAD
    marks: ClassVar[int] = 1
    cells: ClassVar[None] = None

    def __contains__(self, feedback: Feedback) -> bool:
        return feedback in self.feedbacks

    def __iter__(self) -> Iterator[Feedback]:
        return iter(self.feedbacks)


class ScoreEdits:
    """Edits of clues about answers that are one value; `losing` are the values that do not win."""

    def __init__(self, losing: Sequence[Feedback], feedbacks: int) -> None:
        self._losing, self._feedbacks = losing, feedbacks

    def with_cells(self, clue: Clue, cells: Sequence[Cell]) -> ScoreClue:
        """Return the clue itself: no part of an answer is read without the others."""
        return cast(ScoreClue, clue)

    def one_mark_edits(self, clue: Clue) -> Shares:
        """Return the clues of all other losing answers, all equally likely; [] if none was read."""
        if cast(ScoreClue, clue).nothing_read:
            return []
        others = [feedback for feedback in self._losing if feedback not in clue]
        return [(1 / len(others), ScoreClue((feedback,))) for feedback in others]

    def erasures(self, clue: Clue) -> Shares:
        """Return the unread clue, unless a clue is that one already."""
        unread = ScoreClue(tuple(self._losing), nothing_read=True)
        return [] if clue == unread else [(1.0, unread)]

    def transpositions(self, clue: Clue) -> Shares:
        """Return []: one answer has nothing to exchange."""
        return []

    def distance(self, clue: Clue, feedback: Feedback) -> int:
        """Return 0 if a clue admits a feedback, else 1."""
        return int(feedback not in clue)

    def open_marks(self, clue: Clue) -> Sequence[int | None]:
        """Return one item, None, if a clue leaves the answer open; otherwise []."""
        return [None] if len(cast(ScoreClue, clue).feedbacks) > 1 else []

    def open_kinds(
        self, clue: Clue, feedbacks: "FeedbackArray", position: int | None
    ) -> "npt.NDArray[np.float64]":
        """Return (F, kinds), with 1 in the column of each of F feedbacks: each is its own kind."""
        import numpy as np

        return np.asarray(np.eye(self._feedbacks)[feedbacks[:, 0]])
