"""Outcomes: the effects of a typed line, as values that a terminal, page or notebook can show.

An outcome holds no text for people, except a `Note` and the messages of errors. Its codes and clues
belong to the game as it was then, which a later line may change.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from puzzlehunt.channel.model import Rate
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Counted
from puzzlehunt.game.blocks import LineError
from puzzlehunt.game.history import History, Turn

if TYPE_CHECKING:
    from puzzlehunt.explanation.identification import Identification
    from puzzlehunt.explanation.remaining import CandidatesListed, WiderList
    from puzzlehunt.explanation.repair import Repairs, Suspect, Suspects
    from puzzlehunt.explanation.review import Review, TriedGuess, UnreadMarks
    from puzzlehunt.explanation.why import Certainties, Explanation, Verdict
    from puzzlehunt.game.merging import RowEffect
    from puzzlehunt.strategies.adviser import Advice


@dataclass(frozen=True, slots=True)
class Note:
    """What is said in a sentence, or the text that was asked for; `how` is its rank."""

    text: str
    how: Literal["result", "note", "error"] = "result"


@dataclass(frozen=True, slots=True)
class Begun:
    """A game begins; `practice` means against a codemaker."""

    history: History
    practice: bool = False


@dataclass(frozen=True, slots=True)
class Solved:
    """Every secret was found; `secret` is that of the codemaker, if any."""

    history: History
    secret: Code | None = None


@dataclass(frozen=True, slots=True)
class Shared:
    """A game to share with others: the marks of each guess, without the guess itself.

    `review` says how good the guesses were, those for which there was time; None if nobody asked.
    """

    history: History
    review: "Review | None" = None


@dataclass(frozen=True, slots=True)
class PartlyRead:
    """The turns that were read of a pasted block, and the lines of it that were not."""

    turns: tuple[Turn, ...]
    problems: tuple[LineError, ...]


@dataclass(frozen=True, slots=True)
class HistoryChanged:
    """The history was changed, other than by a new turn or fact: by a command, or by others.

    `writers` maps the line of a turn to its author's name; empty if all turns have one author.
    """

    change: Literal["undo", "redo", "drop_row", "clear", "read"]
    before: History
    after: History
    writers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NothingFits:
    """No candidate is left since the turn or fact at `place` (from 0) in the history.

    The conflict and its repairs follow. `proved` is false if this relies on the solver alone.
    """

    history: History
    place: int
    proved: bool = True


@dataclass(frozen=True, slots=True)
class ReadRatesShown:
    """How often marks of each kind are read: a rate (0 to 1) and its standard deviation.

    None if the game does not weigh unread marks, or if there are too many secrets to weigh.
    """

    estimates: tuple[tuple[Rate, float], ...] | None


@dataclass(frozen=True, slots=True)
class WordsCounted(Counted):
    """How many words are left, and what they have in common.

    `where` has the letter at each position, None where they differ; of the letters guessed,
    `present` are in all of them elsewhere, and `absent` in none.
    """

    where: tuple[int | None, ...] = ()
    present: Code = ()
    absent: Code = ()


@dataclass(frozen=True, slots=True)
class Helped:
    """Commands: how each is typed (without its slash), and its purpose."""

    commands: Mapping[str, str]
    practice: bool = False


@dataclass(frozen=True, slots=True)
class Failed:
    """A line failed; `kind` is the name of the error's class."""

    kind: str
    message: str


Outcome: TypeAlias = (
    "Note | Begun | Solved | Shared | RowEffect | PartlyRead | HistoryChanged | "
    "NothingFits | ReadRatesShown | WordsCounted | Helped | Failed | Advice | CandidatesListed | "
    "Certainties | Counted | Explanation | History | Identification | "
    "Repairs | Review | Suspect | Suspects | TriedGuess | UnreadMarks | Verdict | WiderList"
)
"""One effect of a line, or one answer to it.

Of those of other modules, an `Advice` of one guess is the next guess, a `RowEffect` a turn
that was recorded or changed, a `Suspect` a row so likely to be wrong that nobody need ask,
and a `WiderList` has what would fit where nothing does.
"""
