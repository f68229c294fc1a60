"""Outcomes: the effects of a typed line, as values that a terminal, page or notebook can show.

An outcome holds no text for people, except the messages of errors. Its codes and clues belong to
the game as it was when the outcome was yielded: a later line may change the game and its word
lists.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from puzzlehunt.channel.model import Rate
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Count
from puzzlehunt.explanation.certainty import Certainty
from puzzlehunt.explanation.identification import Identification
from puzzlehunt.explanation.partition import Outlook
from puzzlehunt.explanation.remaining import Remaining, WiderList
from puzzlehunt.explanation.repair import NearMiss, Repair, Suspect
from puzzlehunt.explanation.review import Review, TriedGuess
from puzzlehunt.explanation.unread import UnreadMarks
from puzzlehunt.explanation.why import Explanation, Verdict
from puzzlehunt.game.blocks import LineError
from puzzlehunt.game.history import Fact, History, ItemName, Turn
from puzzlehunt.game.merging import Effect, RowEffect
from puzzlehunt.strategies.adviser import Advice

# The beginning and the end.


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
class SecretNamed:
    """The secret of a lost game: no attempt is left (`out_of_attempts`), or the player gave up."""

    secret: Code
    out_of_attempts: bool


@dataclass(frozen=True, slots=True)
class Ended:
    """The game ended; `review` rates as many of the guesses as time allowed."""

    review: Review
    can_be_reviewed: bool
    """Whether the player can still ask for a longer review."""


@dataclass(frozen=True, slots=True)
class Quit:
    """The player ended the conversation."""


# Turns.


@dataclass(frozen=True, slots=True)
class TurnTaken:
    """A turn was recorded or changed; `number` counts from 1."""

    number: int
    turn: Turn
    history_before: History


@dataclass(frozen=True, slots=True)
class TurnMerged:
    """A turn was merged into a row with the same guess; `typed` is a turn that added nothing."""

    placed: RowEffect
    typed: Turn | None = None


@dataclass(frozen=True, slots=True)
class BlockMerged:
    """How many turns of a pasted block had each effect; only if some guesses were known before."""

    counts: Mapping[Effect, int]


@dataclass(frozen=True, slots=True)
class OneFound:
    """The secret of one of several boards was found, on `board` (from 0)."""

    code: Code
    board: int


@dataclass(frozen=True, slots=True)
class GuessStands:
    """A guess was typed without a clue; its clue is expected next."""

    guess: Code


@dataclass(frozen=True, slots=True)
class GuessNoted:
    """A note about a guess that counts although no list of the game has it.

    Or, if `typed` is not empty, about a text that counts as another guess than was typed.
    """

    guess: Code
    typed: str = ""


@dataclass(frozen=True, slots=True)
class WordRead:
    """A word that could be a guess was read as a clue, or as a command without its slash."""

    word: str
    as_what: Literal["clue", "command"]


@dataclass(frozen=True, slots=True)
class HeadingRead:
    """A line was a heading; `columns` are the titles of its columns, () if it is ignored."""

    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BlockRefused:
    """A pasted block was refused as a whole; `text` is the block, for the player to correct."""

    problems: tuple[LineError, ...]
    text: str


@dataclass(frozen=True, slots=True)
class TurnToEdit:
    """The player wants to change turn `number` (from 1), but has not typed the new one yet."""

    number: int
    turn: Turn


Rewriting: TypeAlias = Literal["undo", "redo", "drop", "new", "read"]
"""The reason for a change of the history: a command, or `read`.

A command removes turns and facts or brings them back. `read` means that another program wrote the
session's file, which was then read again.
"""


@dataclass(frozen=True, slots=True)
class HistoryChanged:
    """The history was changed, other than by a new turn or fact.

    `pending` is the pending guess, if the change removed it. `writers` maps the line of a turn to
    the name of its author; it is empty if all turns have one author.
    """

    change: Rewriting
    before: History
    after: History
    pending: Code | None = None
    writers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FactAdded:
    """A fact was recorded."""

    fact: Fact


@dataclass(frozen=True, slots=True)
class HistoryShown:
    """The whole history is to be shown."""

    history: History


# The state of the game.


@dataclass(frozen=True, slots=True)
class Counted:
    """How many candidates are left on each board; `solved` are the secrets found on the boards.

    `outside` is the probability (0 to 1) that the secret is not a candidate because a turn is
    misread. It is None if turns are not misread, if there are too many secrets to weigh, or in a
    game of several boards.
    """

    counts: tuple[Count, ...]
    outside: float | None = None
    solved: tuple[Code | None, ...] = ()


@dataclass(frozen=True, slots=True)
class MaybeMisread:
    """A turn so likely to be wrong that it is reported without a question."""

    suspect: Suspect


@dataclass(frozen=True, slots=True)
class Advised:
    """The best next guess alone, suggested after a change or as a hint.

    `outlook` is what the guess may do, None if it was not asked for.
    """

    advice: Advice
    outlook: Outlook | None = None


@dataclass(frozen=True, slots=True)
class NothingFits:
    """No candidate is left since the turn or fact at `place` (from 0) in the history.

    `wider_list` has the candidates of a wider word list, None if no wider list has any. `boards`
    are the boards (from 0) without a candidate, () in a game of one board. `proved` is false if the
    answer relies on the game's solver alone.
    """

    history: History
    place: int
    wider_list: WiderList | None
    boards: tuple[int, ...]
    proved: bool = True


@dataclass(frozen=True, slots=True)
class StillNothingFits:
    """There is still no candidate, as an earlier `NothingFits` with this `place` (from 0) said."""

    history: History
    place: int


@dataclass(frozen=True, slots=True)
class RepairsListed:
    """All repairs of a history, the likeliest first.

    `place` is None if the player asked for repairs. Otherwise it is the item (from 0) since which
    no candidate is left; the repairs are then shown with other remedies, and may be empty. In this
    case, `conflict` has the items that contradict each other: the numbers of turns, and facts.
    """

    history: History
    repairs: tuple[Repair, ...]
    place: int | None = None
    conflict: tuple[ItemName, ...] = ()


# Answers to questions.


@dataclass(frozen=True, slots=True)
class CandidatesListed:
    """Up to `limit` candidates: of `board` (from 0), or of the game's one board if that is None."""

    remaining: Remaining
    limit: int
    board: int | None = None


@dataclass(frozen=True, slots=True)
class NearMissesListed:
    """Codes that would be candidates if one turn were wrong, the likeliest first."""

    near: tuple[NearMiss, ...]


@dataclass(frozen=True, slots=True)
class GuessTried:
    """The value of a guess and of the best guess, which is named only if `name_best` is true."""

    tried: TriedGuess
    name_best: bool


@dataclass(frozen=True, slots=True)
class Certainties:
    """What all candidates have in common; `proved` is false if only the game's solver says so."""

    certain: tuple[Certainty, ...]
    proved: bool = True


@dataclass(frozen=True, slots=True)
class Shared:
    """A history to share with others: the marks of each guess, without the guess itself."""

    history: History


@dataclass(frozen=True, slots=True)
class SuspectsListed:
    """The turns that are likeliest to be wrong; () if there are none, or if that is unknown."""

    history: History
    suspects: tuple[Suspect, ...]


@dataclass(frozen=True, slots=True)
class UnreadRanked:
    """The expected information of each unread mark; `limit` is how many marks to show."""

    ranked: UnreadMarks
    limit: int


@dataclass(frozen=True, slots=True)
class ReadRatesShown:
    """How often marks of each kind are read, as estimated from all turns so far.

    `estimates` has a rate (0 to 1) and its standard deviation for each kind of mark. It is None if
    the game does not weigh unread marks, or if there are too many secrets to weigh.
    """

    estimates: tuple[tuple[Rate, float], ...] | None


@dataclass(frozen=True, slots=True)
class LegendKnown:
    """The meaning of the marks is known: it is that of the game."""


# Settings and files.


@dataclass(frozen=True, slots=True)
class ListTaken:
    """Secrets now come from the word list `name`; `old_name` is the previous list, or ""."""

    name: str
    old_name: str


@dataclass(frozen=True, slots=True)
class StrategyNamed:
    """The strategy that chooses guesses; `old_name` is the previous one, "" if unchanged."""

    name: str
    old_name: str = ""


@dataclass(frozen=True, slots=True)
class Saved:
    """The session was written to its file."""

    path: Path


@dataclass(frozen=True, slots=True)
class ScriptExported:
    """The game as a script for a solver; `name` is the file that has it, "" to show it instead."""

    script: str
    name: str = ""


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


# What went wrong.


@dataclass(frozen=True, slots=True)
class Failed:
    """A line failed; `kind` is the name of the error's class."""

    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class Unsaved:
    """The newest change is in memory only, because the file could not be written."""

    reason: str


Outcome: TypeAlias = (
    Begun
    | Solved
    | SecretNamed
    | Ended
    | Quit
    | TurnTaken
    | TurnMerged
    | BlockMerged
    | OneFound
    | GuessStands
    | GuessNoted
    | WordRead
    | HeadingRead
    | BlockRefused
    | TurnToEdit
    | HistoryChanged
    | FactAdded
    | HistoryShown
    | Counted
    | MaybeMisread
    | Advised
    | NothingFits
    | StillNothingFits
    | RepairsListed
    | CandidatesListed
    | NearMissesListed
    | GuessTried
    | Certainties
    | Shared
    | SuspectsListed
    | UnreadRanked
    | ReadRatesShown
    | LegendKnown
    | Identification
    | ListTaken
    | StrategyNamed
    | Saved
    | ScriptExported
    | Helped
    | Failed
    | Unsaved
    | Advice
    | Explanation
    | Review
    | Verdict
)
"""One effect of a line, or one answer to it. Terminal, page and notebook can show all of them.

Four questions are answered by values of other modules: the best guesses by an `Advice`, a conflict
by an `Explanation`, the quality of the guesses by a `Review`, and why a code is ruled out by a
`Verdict` for each board.
"""
