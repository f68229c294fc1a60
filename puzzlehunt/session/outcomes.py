"""What a line did: values that a terminal, a browser and a test can each show.

An outcome says what happened and holds no text for eyes but messages of errors. Its codes and clues
are those of the game that was played when it came.
"""

from dataclasses import dataclass
from pathlib import Path

from puzzlehunt.channel.model import Rate
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Count
from puzzlehunt.explain.certainty import Certain
from puzzlehunt.explain.remaining import Remaining, Wider
from puzzlehunt.explain.repair import Repair
from puzzlehunt.explain.review import Review, Tried
from puzzlehunt.explain.suspicion import Near, Suspect
from puzzlehunt.explain.why import Explanation, Verdict
from puzzlehunt.game.history import Fact, History, Turn
from puzzlehunt.strategies.adviser import Advice


@dataclass(frozen=True, slots=True)
class Outcome:
    """Something that a line did, or that it asked for."""


# The beginning and the end.


@dataclass(frozen=True, slots=True)
class Begun(Outcome):
    """A game begins, with the history that it starts from."""

    history: History


@dataclass(frozen=True, slots=True)
class PracticeBegun(Outcome):
    """A game against a codemaker begins, with what the codemaker gave away."""

    history: History


@dataclass(frozen=True, slots=True)
class Solved(Outcome):
    """Everything was found; `secret` is what the codemaker hid, None where there is none."""

    history: History
    secret: Code | None = None


@dataclass(frozen=True, slots=True)
class OutOfAttempts(Outcome):
    """No guess is left, and the secret was not found."""

    secret: Code


@dataclass(frozen=True, slots=True)
class Revealed(Outcome):
    """The codemaker says what the secret was."""

    secret: Code


@dataclass(frozen=True, slots=True)
class Ended(Outcome):
    """A game was over for the first time: how good its guesses were, as far as time allowed."""

    review: Review
    reviewable: bool
    """Whether the player may still ask for a review of all of it."""


@dataclass(frozen=True, slots=True)
class Quit(Outcome):
    """The player leaves."""


# Turns.


@dataclass(frozen=True, slots=True)
class TurnTaken(Outcome):
    """A turn as it was understood, by its number from 1, and the turns before it."""

    number: int
    turn: Turn
    before: History


@dataclass(frozen=True, slots=True)
class OneFound(Outcome):
    """One of several secrets was found; `board` (from 0) is None where they share one."""

    code: Code
    board: int | None


@dataclass(frozen=True, slots=True)
class GuessStands(Outcome):
    """A guess without a clue waits for it."""

    guess: Code


@dataclass(frozen=True, slots=True)
class Unlisted(Outcome):
    """A guess is in no list of a game whose guesses come from one; it is played all the same."""

    guess: Code


@dataclass(frozen=True, slots=True)
class ReadAsClue(Outcome):
    """A word that might have been a guess was read as a clue."""

    word: str


@dataclass(frozen=True, slots=True)
class CommandWithoutSlash(Outcome):
    """A word was not taken for a guess, because it is the name of a command."""

    word: str


@dataclass(frozen=True, slots=True)
class BlockRefused(Outcome):
    """Nothing of a pasted block was recorded, because of these problems; `text` is to be mended."""

    problems: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class TurnToEdit(Outcome):
    """A turn, by its number from 1, that somebody wants to change without saying how."""

    number: int
    turn: Turn


@dataclass(frozen=True, slots=True)
class TurnsCounted(Outcome):
    """How many turns there are after a change of the history."""

    count: int


@dataclass(frozen=True, slots=True)
class FactAdded(Outcome):
    """Something known of the secret was recorded."""

    fact: Fact


@dataclass(frozen=True, slots=True)
class HistoryShown(Outcome):
    """All turns and facts."""

    history: History


# Where the game stands.


@dataclass(frozen=True, slots=True)
class Counted(Outcome):
    """How many candidates are left."""

    count: Count


@dataclass(frozen=True, slots=True)
class CountedOnBoards(Outcome):
    """How many candidates each of several boards has, and its secret once it is solved."""

    counts: tuple[Count, ...]
    solved: tuple[Code | None, ...]


@dataclass(frozen=True, slots=True)
class MaybeMisread(Outcome):
    """A turn is so likely to be wrong that it is named unasked."""

    suspect: Suspect


@dataclass(frozen=True, slots=True)
class Advised(Outcome):
    """What to guess next."""

    advice: Advice


@dataclass(frozen=True, slots=True)
class NothingFits(Outcome):
    """No candidate is left since the item at `place` in the history.

    `wider` is what is left in a wider word list, where anything is, and `own_list` the name of the
    game's own. `boards` (from 0) are those that have no candidate, where there are several.
    """

    history: History
    place: int
    wider: Wider | None
    own_list: str
    boards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ConflictFound(Outcome):
    """Turns and facts that cannot all be right."""

    explanation: Explanation


@dataclass(frozen=True, slots=True)
class TurnsAgree(Outcome):
    """There is no conflict."""


@dataclass(frozen=True, slots=True)
class WaysOut(Outcome):
    """What may be done where nothing fits since the item at `place`: repairs, the likeliest first.

    There may be none.
    """

    history: History
    place: int
    repairs: tuple[Repair, ...]


@dataclass(frozen=True, slots=True)
class RepairsListed(Outcome):
    """The likeliest repairs of a history."""

    history: History
    repairs: tuple[Repair, ...]


# Answers to questions.


@dataclass(frozen=True, slots=True)
class Suggestions(Outcome):
    """The best next guesses, as many as were asked for."""

    advice: Advice


@dataclass(frozen=True, slots=True)
class Hint(Outcome):
    """One good guess against a codemaker."""

    advice: Advice


@dataclass(frozen=True, slots=True)
class Candidates(Outcome):
    """Up to `limit` candidates, of one of several boards (from 0) where there are several."""

    listed: Remaining
    limit: int
    board: int | None = None


@dataclass(frozen=True, slots=True)
class NearlyFitting(Outcome):
    """Secrets that would fit if one turn were wrong, the likeliest first."""

    near: tuple[Near, ...]


@dataclass(frozen=True, slots=True)
class GuessTried(Outcome):
    """What a guess would be worth; the best guess is not to be named to those who look for it."""

    tried: Tried
    name_best: bool


@dataclass(frozen=True, slots=True)
class Why(Outcome):
    """What rules a code out, or that nothing does, for each board that the code is for."""

    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True)
class Certainties(Outcome):
    """What all candidates have in common, and which turns prove it."""

    certain: tuple[Certain, ...]


@dataclass(frozen=True, slots=True)
class Reviewed(Outcome):
    """How good each guess was; there may be none."""

    review: Review


@dataclass(frozen=True, slots=True)
class Shared(Outcome):
    """How each guess of a history was answered, to be shown to others without its letters."""

    history: History


@dataclass(frozen=True, slots=True)
class SuspectsListed(Outcome):
    """The turns that are likeliest to be wrong.

    None where nobody can say, or where the history has no turn.
    """

    history: History
    suspects: tuple[Suspect, ...]


@dataclass(frozen=True, slots=True)
class Rates(Outcome):
    """How often marks of each kind are read, as it is believed now, each with its deviation.

    The game's channel says how turns are misread and lie. None where nothing was learned.
    """

    learned: tuple[tuple[Rate, float], ...] | None


# Settings and files.


@dataclass(frozen=True, slots=True)
class ListTaken(Outcome):
    """Secrets come from another word list; `before` is the one they came from, it may be empty."""

    name: str
    before: str


@dataclass(frozen=True, slots=True)
class StrategyNamed(Outcome):
    """The strategy by which guesses are picked."""

    name: str


@dataclass(frozen=True, slots=True)
class Saved(Outcome):
    """The session is kept in a file."""

    path: Path


@dataclass(frozen=True, slots=True)
class Exported(Outcome):
    """The game as an SMT-LIB script, to be shown."""

    script: str


@dataclass(frozen=True, slots=True)
class Written(Outcome):
    """An SMT-LIB script was written to a file, named as the player did."""

    name: str


@dataclass(frozen=True, slots=True)
class Usage:
    """How a command is written, without its slash, and what it does in a few words."""

    written: str
    does: str


@dataclass(frozen=True, slots=True)
class Helped(Outcome):
    """How lines are written, and all commands."""

    commands: tuple[Usage, ...]


@dataclass(frozen=True, slots=True)
class PracticeHelped(Outcome):
    """How to play against a codemaker, and all commands."""

    commands: tuple[Usage, ...]


@dataclass(frozen=True, slots=True)
class CommandHelped(Outcome):
    """What one command does."""

    command: Usage


# What went wrong.


@dataclass(frozen=True, slots=True)
class Failed(Outcome):
    """A line could not be done: the class of the error, and its message."""

    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class Unsaved(Outcome):
    """The newest change is in memory only, for this reason."""

    reason: str
