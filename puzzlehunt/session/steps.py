"""Steps: what a typed line requests, as values: notes, changes, questions, local actions."""

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.tables import Heading
from puzzlehunt.session.changes import Change, Question
from puzzlehunt.session.outcomes import Outcome

_UNCOACHED = Question("status")


@dataclass(frozen=True, slots=True)
class Situation:
    """The context in which a line is parsed: the game, and what was typed and suggested before.

    `pending` is the pending guess as a turn with nothing read. `heading` is the heading of the
    table whose rows are typed one by one. `status` is the question that is asked after a change.
    `alone` means that no other line follows, so that a heading without rows is an error. `refused`
    means that the line before was refused, so that a clue alone may be about its guess.
    """

    game: Game
    history: History
    pending: Turn | None = None
    suggested: Code | None = None
    heading: Heading | None = None
    status: Question = _UNCOACHED
    alone: bool = False
    refused: bool = False

    @property
    def answered_guess(self) -> Code | None:
        """The guess that a clue alone answers: the pending one, or else the suggested one."""
        answered = self.suggested if self.pending is None else self.pending.guess
        return None if self.refused else answered


# Actions of one conversation, which are never sent to a server.


@dataclass(frozen=True, slots=True)
class PendGuess:
    """Keep a guess, as a turn with nothing read, until its clue is typed."""

    turn: Turn


@dataclass(frozen=True, slots=True)
class KeepHeading:
    """Read the next rows as the rows of a table with this heading; None ends the table."""

    heading: Heading | None


@dataclass(frozen=True, slots=True)
class SaveAs:
    """Save the session in this file from now on; None saves it in its present file."""

    path: Path | None


@dataclass(frozen=True, slots=True)
class ExportTo:
    """Write the game as an SMT-LIB script to a file; `name` is the file's name as it was typed."""

    name: str
    path: Path


@dataclass(frozen=True, slots=True)
class ShowStrategy:
    """Name the strategy that picks guesses."""


@dataclass(frozen=True, slots=True)
class Leave:
    """End the conversation."""


# Changes that only an engine can work out.


@dataclass(frozen=True, slots=True)
class TakeRepair:
    """Apply the repair with the number (from 1) in `text`; list all repairs if it is empty.

    If `text` is not the number of a repair, `otherwise` is raised, if it is an error.
    """

    text: str
    otherwise: PuzzlehuntError | None = None


@dataclass(frozen=True, slots=True)
class WidenList:
    """Take the secrets from the next wider word list; if nothing fits, the first that fits."""


@dataclass(frozen=True, slots=True)
class FillSquares:
    """Replace the history by `history`, which includes pasted squares, if a candidate fits it."""

    history: History


Local: TypeAlias = PendGuess | KeepHeading | SaveAs | ExportTo | ShowStrategy | Leave
Resolved: TypeAlias = TakeRepair | WidenList | FillSquares
Step: TypeAlias = Outcome | Change | Question | Resolved | Local
"""One thing that a line requests; an outcome among them is a note, shown as it is."""


def needs_engine(step: Step) -> bool:
    """Return whether a step needs an engine; `Status` does not, since it can be skipped."""
    return (isinstance(step, Question) and step.kind not in ("status", "count")) or isinstance(
        step, Resolved | ShowStrategy
    )
