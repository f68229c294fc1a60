"""Steps: what a typed line requests, as values: notes, changes, questions, local actions."""

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.tables import Heading
from puzzlehunt.session.changes import Change
from puzzlehunt.session.outcomes import Outcome
from puzzlehunt.session.questions import Question, Status

_UNCOACHED = Status()


@dataclass(frozen=True, slots=True)
class Situation:
    """The context in which a line is parsed: the game, and what was typed and suggested before.

    `pending` is the unread turn of the guess that waits for its clue, `heading` that of the table
    whose rows are typed one by one. `status` is the question that follows a change. `alone` says
    that no other line follows, so that a heading by itself is of no use.
    """

    game: Game
    history: History
    pending: Turn | None = None
    suggested: Code | None = None
    heading: Heading | None = None
    status: Status = _UNCOACHED
    alone: bool = False

    @property
    def answered_guess(self) -> Code | None:
        """The guess that a clue alone answers: the pending one, else the suggested one."""
        return self.suggested if self.pending is None else self.pending.guess


# Actions of one conversation, which are never sent to a server.


@dataclass(frozen=True, slots=True)
class PendGuess:
    """Keep a guess, as its unread turn, until its clue is typed."""

    turn: Turn


@dataclass(frozen=True, slots=True)
class KeepHeading:
    """Parse the next rows by the heading of a table; None ends the table."""

    heading: Heading | None


@dataclass(frozen=True, slots=True)
class SaveAs:
    """Keep the session in a file from now on; None saves its present file."""

    path: Path | None


@dataclass(frozen=True, slots=True)
class ExportTo:
    """Write the game as an SMT-LIB script to a file, named as it was typed."""

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
    """Apply the repair that a text numbers (from 1), or list the repairs for an empty text.

    Where that is not the number of a repair, `otherwise` is raised if there is such an error.
    """

    text: str
    otherwise: PuzzlehuntError | None = None


@dataclass(frozen=True, slots=True)
class WidenList:
    """Take the secrets from the next wider word list; if nothing fits, the first that fits."""


@dataclass(frozen=True, slots=True)
class FillSquares:
    """Replace the history by one to which pasted squares were added, if something fits it."""

    history: History


Local: TypeAlias = PendGuess | KeepHeading | SaveAs | ExportTo | ShowStrategy | Leave
Resolved: TypeAlias = TakeRepair | WidenList | FillSquares
Step: TypeAlias = Outcome | Change | Question | Resolved | Local
"""One thing that a line requests; an outcome is a note, shown as it is."""


def needs_engine(step: Step) -> bool:
    """Return whether a step needs an engine; a `Status` is skipped if there is none."""
    return isinstance(step, Question | Resolved | ShowStrategy) and not isinstance(step, Status)
