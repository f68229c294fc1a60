"""Outcomes: what a typed line did, as values, which a terminal, a page and a notebook show.

An outcome holds no text for people, except the messages of errors. Its codes and clues belong to
the game at the time when it is yielded: a later line may change the game and its word lists.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from puzzlehunt.channel.model import Rate
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.count import Count
from puzzlehunt.explanation.certainty import Certainty
from puzzlehunt.explanation.remaining import OnlyOne, Remaining, WiderList
from puzzlehunt.explanation.repair import NearMiss, Repair, Suspect
from puzzlehunt.explanation.review import Review, TriedGuess
from puzzlehunt.explanation.unread import UnreadMarks
from puzzlehunt.explanation.why import Explanation, Verdict
from puzzlehunt.game.blocks import LineError
from puzzlehunt.game.history import Fact, History, Turn
from puzzlehunt.game.merging import Effect, RowEffect
from puzzlehunt.strategies.adviser import Advice

# The beginning and the end.


@dataclass(frozen=True, slots=True)
class Begun:
    """A game begins, against a codemaker in `practice`; `example` is a turn to learn from."""

    history: History
    example: Turn | None = None
    practice: bool = False


@dataclass(frozen=True, slots=True)
class WriterChanged:
    """Another program became the writer of the session's file, or this one did (`here`)."""

    path: Path
    here: bool


@dataclass(frozen=True, slots=True)
class Solved:
    """Everything was found; `secret` is the code that a codemaker hid, None without one."""

    history: History
    secret: Code | None = None


@dataclass(frozen=True, slots=True)
class SecretNamed:
    """The secret of a game that was lost: the player gave up, or is `out_of_attempts`."""

    secret: Code
    out_of_attempts: bool


@dataclass(frozen=True, slots=True)
class Ended:
    """A game ended; the review covers as many guesses as time allowed."""

    review: Review
    can_be_reviewed: bool
    """Whether the player can still ask for a longer review."""


@dataclass(frozen=True, slots=True)
class Quit:
    """The player left."""


# Turns.


@dataclass(frozen=True, slots=True)
class TurnTaken:
    """A turn was recorded or changed; its number (from 1), and the history of turns before it."""

    number: int
    turn: Turn
    history_before: History


@dataclass(frozen=True, slots=True)
class TurnMerged:
    """The effect of a turn whose guess was on the board; `typed` is one that said nothing new."""

    placed: RowEffect
    typed: Turn | None = None


@dataclass(frozen=True, slots=True)
class BlockMerged:
    """How many turns of a block had each effect, if some of their guesses were on the board."""

    counts: Mapping[Effect, int]


@dataclass(frozen=True, slots=True)
class OneFound:
    """One of several secrets was found, on `board` (from 0; None if all share one board)."""

    code: Code
    board: int | None


@dataclass(frozen=True, slots=True)
class GuessStands:
    """A guess was typed without its clue, and waits for it."""

    guess: Code


@dataclass(frozen=True, slots=True)
class GuessNoted:
    """A guess that is in no list but counts, or the guess as which the text `typed` counts."""

    guess: Code
    typed: str = ""


@dataclass(frozen=True, slots=True)
class WordRead:
    """A word that could be a guess was read as a clue, or as a command that lacks its slash."""

    word: str
    as_what: Literal["clue", "command"]


@dataclass(frozen=True, slots=True)
class HeadingRead:
    """A line was a heading: of a table, whose `columns` the next rows have, or one to ignore."""

    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BlockRefused:
    """Nothing of a pasted block was recorded: its problems, and its text for the player to mend."""

    problems: tuple[LineError, ...]
    text: str


@dataclass(frozen=True, slots=True)
class TurnToEdit:
    """A turn, and its number (from 1), whose change was not typed yet."""

    number: int
    turn: Turn


Rewriting: TypeAlias = Literal["undo", "redo", "drop", "new", "read"]
"""A command that removes turns and facts, or brings them back.

`read` is no command: the session's file, which another program writes, was read again.
"""


@dataclass(frozen=True, slots=True)
class HistoryChanged:
    """The history changed, but not by a turn; `pending` is the pending guess that was removed.

    `writers` are the names of the authors of turns, by the turn's line, if there are several.
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
    """All turns and facts."""

    history: History


# Where the game stands.


@dataclass(frozen=True, slots=True)
class Counted:
    """How many candidates are left, of each of several boards; `solved` are these boards' secrets.

    `outside` is how likely (0 to 1) the secret is none of them, since a turn is misread; None if
    turns are not misread, secrets are too many to be weighed, or there are several boards.
    """

    counts: tuple[Count, ...]
    outside: float | None = None
    solved: tuple[Code | None, ...] = ()


@dataclass(frozen=True, slots=True)
class MaybeMisread:
    """A turn that is so likely to be wrong that it is named without a question."""

    suspect: Suspect


@dataclass(frozen=True, slots=True)
class Advised:
    """The one next guess, suggested without a question or as a hint.

    `only` says what wider word lists hold, if the guess is the only candidate and there are such
    lists; None otherwise.
    """

    advice: Advice
    only: OnlyOne | None = None


@dataclass(frozen=True, slots=True)
class NothingFits:
    """No candidate is left since the turn or fact at `place` (from 0) in the history.

    `wider` are the candidates of a wider word list, None if no such list has any. `own_list` is the
    name of the game's own list, empty if `wider` is None. `boards` are the boards (from 0) without
    a candidate, () in a game of one board. Unless that is `proved` only the game's solver says so.
    """

    history: History
    place: int
    wider: WiderList | None
    own_list: str
    boards: tuple[int, ...]
    proved: bool = True


@dataclass(frozen=True, slots=True)
class StillNothingFits:
    """Still nothing fits since the item at `place` (from 0), as an earlier `NothingFits` said."""

    history: History
    place: int


@dataclass(frozen=True, slots=True)
class RepairsListed:
    """All repairs of a history, the likeliest first.

    If nobody asked, `place` is the item (from 0) since which nothing fits; the repairs are then
    shown with other ways out, and may be empty.
    """

    history: History
    repairs: tuple[Repair, ...]
    place: int | None = None


# Answers to questions.


@dataclass(frozen=True, slots=True)
class CandidatesListed:
    """Up to `limit` candidates; in a game of several boards those of `board` (from 0)."""

    remaining: Remaining
    limit: int
    board: int | None = None


@dataclass(frozen=True, slots=True)
class NearMissesListed:
    """Some secrets that would fit if one turn were wrong, the likeliest first."""

    near: tuple[NearMiss, ...]


@dataclass(frozen=True, slots=True)
class GuessTried:
    """The value of a guess next to that of the best one, which is named with `name_best` alone."""

    tried: TriedGuess
    name_best: bool


@dataclass(frozen=True, slots=True)
class Certainties:
    """What all candidates have in common; unless `proved` only the game's solver says so."""

    certain: tuple[Certainty, ...]
    proved: bool = True


@dataclass(frozen=True, slots=True)
class Shared:
    """A history to share with others: how the guesses were answered, without their symbols."""

    history: History


@dataclass(frozen=True, slots=True)
class SuspectsListed:
    """The turns that are likeliest to be wrong; () if that is unknown, or there is no turn."""

    history: History
    suspects: tuple[Suspect, ...]


@dataclass(frozen=True, slots=True)
class UnreadRanked:
    """The expected information of each unread mark; up to `limit` marks are to be shown."""

    ranked: UnreadMarks
    limit: int


@dataclass(frozen=True, slots=True)
class ReadRatesShown:
    """How often marks of each kind are read, as estimated from all turns so far.

    `estimates` has a rate (0 to 1) and its standard deviation for each kind of mark. None if the
    game does not weigh unread marks, or if there are too many secrets to weigh.
    """

    estimates: tuple[tuple[Rate, float], ...] | None


# Settings and files.


@dataclass(frozen=True, slots=True)
class ListTaken:
    """Secrets now come from the word list `name`; `old_name` is the list before, or empty."""

    name: str
    old_name: str


@dataclass(frozen=True, slots=True)
class StrategyNamed:
    """The strategy that picks guesses; `old_name` is the one before, empty if none changed."""

    name: str
    old_name: str = ""


@dataclass(frozen=True, slots=True)
class Saved:
    """The session was written to its file."""

    path: Path


@dataclass(frozen=True, slots=True)
class ScriptExported:
    """The game as an SMT-LIB script, written to the file `name`, as typed; to be shown if empty."""

    script: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """How a command is written, without its slash, and what it is for, in a few words."""

    syntax: str
    purpose: str


@dataclass(frozen=True, slots=True)
class Helped:
    """Help with one command, or with the commands of a conversation or of practice."""

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
    """The newest change is in memory only: the file could not be written."""

    reason: str


Outcome: TypeAlias = (
    Begun
    | WriterChanged
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
"""One thing that a line did, or that it asked for. Each face of `views` shows every one.

Four questions are answered by values of other rooms: the best guesses by an `Advice`, a conflict by
an `Explanation`, how good the guesses were by a `Review`, why a code is out by a `Verdict` a board.
"""
