"""Outcomes: the effects of a typed line, as values that a terminal, page or notebook can show.

An outcome holds no text for people, except a `Note` and the messages of errors. Its codes and clues
belong to the game as it was when the outcome was yielded: a later line may change the game and its
word lists.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from puzzlehunt.channel.model import Rate
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Counted
from puzzlehunt.explanation.certainty import Certainties
from puzzlehunt.explanation.identification import Identification
from puzzlehunt.explanation.remaining import CandidatesListed, WiderList
from puzzlehunt.explanation.repair import Repairs, Suspect, Suspects
from puzzlehunt.explanation.review import Review, TriedGuess
from puzzlehunt.explanation.unread import UnreadMarks
from puzzlehunt.explanation.why import Explanation, Verdict
from puzzlehunt.game.blocks import LineError
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.merging import RowEffect
from puzzlehunt.strategies.adviser import Advice


@dataclass(frozen=True, slots=True)
class Note:
    """What is said in a sentence, or the text that was asked for; `how` is its rank."""

    text: str
    how: Literal["result", "note", "error"] = "result"


@dataclass(frozen=True, slots=True)
class Begun:
    """A game begins; `practice` means against a codemaker; `example` shows how to type a turn."""

    history: History
    example: Turn | None = None
    practice: bool = False


@dataclass(frozen=True, slots=True)
class Solved:
    """Every secret was found; `secret` is the codemaker's, None in a game without a codemaker."""

    history: History
    secret: Code | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """The game ended; `review` rates as many guesses as time allowed, or more if that is asked."""

    review: Review
    can_be_reviewed: bool


@dataclass(frozen=True, slots=True)
class TurnTaken:
    """A turn was recorded or changed; `number` counts from 1."""

    number: int
    turn: Turn
    history_before: History


@dataclass(frozen=True, slots=True)
class TurnMerged:
    """A turn was merged into a row with the same guess, or added nothing to it."""

    placed: RowEffect


@dataclass(frozen=True, slots=True)
class GuessStands:
    """A guess was typed without a clue; its clue is expected next."""

    guess: Code


@dataclass(frozen=True, slots=True)
class BlockRefused:
    """A pasted block was refused as a whole; `text` is the block, for the player to correct."""

    problems: tuple[LineError, ...]
    text: str


Rewriting: TypeAlias = Literal["undo", "redo", "drop", "new", "read"]
"""What changed the history: a command, or the changes of others, which were read."""


@dataclass(frozen=True, slots=True)
class HistoryChanged:
    """The history was changed, other than by a new turn or fact.

    `writers` maps the line of a turn to the name of its author; it is empty if all turns have one
    author.
    """

    change: Rewriting
    before: History
    after: History
    writers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MaybeMisread:
    """A turn so likely to be wrong that it is reported without a question."""

    suspect: Suspect


@dataclass(frozen=True, slots=True)
class Advised:
    """The best next guess alone, suggested after a change or as a hint."""

    advice: Advice


@dataclass(frozen=True, slots=True)
class NothingFits:
    """No candidate is left since the turn or fact at `place` (from 0) in the history.

    `wider_list` has the candidates of a wider word list, None if no wider list has any. `boards`
    are the boards (from 0) without a candidate, () in a game of one board. `proved` is false if the
    answer relies on the game's solver alone. If the player `knows` of it, all this was said before.
    """

    history: History
    place: int
    wider_list: WiderList | None = None
    boards: tuple[int, ...] = ()
    proved: bool = True
    knows: bool = False


@dataclass(frozen=True, slots=True)
class WaysOut:
    """The repairs of a contradiction, beside other remedies; there may be none.

    `place` is the item (from 0) since which no candidate is left.
    """

    repairs: Repairs
    place: int


@dataclass(frozen=True, slots=True)
class GuessTried:
    """The value of a guess and of the best guess, which is named only if `name_best` is true."""

    tried: TriedGuess
    name_best: bool


@dataclass(frozen=True, slots=True)
class Shared:
    """A history to share with others: the marks of each guess, without the guess itself."""

    history: History


@dataclass(frozen=True, slots=True)
class ReadRatesShown:
    """How often marks of each kind are read, as estimated from all turns so far.

    `estimates` has a rate (0 to 1) and its standard deviation for each kind of mark. It is None if
    the game does not weigh unread marks, or if there are too many secrets to weigh.
    """

    estimates: tuple[tuple[Rate, float], ...] | None


@dataclass(frozen=True, slots=True)
class Usage:
    """How to type a command (without its slash), and its purpose in a few words."""

    syntax: str
    purpose: str


@dataclass(frozen=True, slots=True)
class Helped:
    """Help about one command, or about the commands of a conversation or of practice."""

    topic: Literal["command", "conversation", "practice"]
    commands: tuple[Usage, ...]


@dataclass(frozen=True, slots=True)
class Failed:
    """A line failed; `kind` is the name of the error's class."""

    kind: str
    message: str


Outcome: TypeAlias = (
    Note
    | Begun
    | Solved
    | Ended
    | TurnTaken
    | TurnMerged
    | GuessStands
    | BlockRefused
    | HistoryChanged
    | Counted
    | MaybeMisread
    | Advised
    | NothingFits
    | WaysOut
    | CandidatesListed
    | GuessTried
    | Shared
    | ReadRatesShown
    | History
    | Identification
    | Certainties
    | Repairs
    | Suspects
    | UnreadMarks
    | Helped
    | Failed
    | Advice
    | Explanation
    | Review
    | Verdict
)
"""One effect of a line, or one answer to it. Terminal, page and notebook can show all of them.

Values of other modules are answers: the best guesses an `Advice`, a conflict an `Explanation`, the
quality of the guesses a `Review`, why a code is ruled out a `Verdict` for each board, all rows a
`History`, and lists are `Findings`.
"""
