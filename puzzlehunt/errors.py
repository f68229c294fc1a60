"""Every error a user can meet.

Each message is one or two lines: what was wrong, where, what was expected, and the nearest thing
that would have worked. The command line prints it as it stands and exits with status 2.
"""

from collections.abc import Iterable
from difflib import get_close_matches


class PuzzlehuntError(Exception):
    """The base of all errors that are the input's fault and not the program's."""


class InvalidCodeError(PuzzlehuntError):
    """A guess or secret has an unknown symbol or a wrong length."""


class InvalidClueError(PuzzlehuntError):
    """A clue is not written in a notation that the game knows."""


class ImpossibleClueError(InvalidClueError):
    """A clue is well written, but no true feedback could show it."""


class InvalidFactError(PuzzlehuntError):
    """A fact is not written in a form that the game knows."""


class InvalidTurnError(PuzzlehuntError):
    """A line is not a guess with its clue."""


class IllegalGuessError(PuzzlehuntError):
    """A guess breaks a rule of play, such as hard mode."""


class WordListError(PuzzlehuntError):
    """A word list is missing, unreadable or holds no word that fits."""


class GameFileError(PuzzlehuntError):
    """A game file breaks the format; says the file, the line and the key."""


class SessionError(PuzzlehuntError):
    """A session cannot be opened, written or changed as asked."""


class FixedListError(SessionError):
    """The word list of a session cannot be changed."""


class SessionInUseError(SessionError):
    """Another running program writes this session file."""


class UnknownNameError(PuzzlehuntError):
    """A name (of a game, strategy, engine, option) that does not exist."""


class TreeError(PuzzlehuntError):
    """A file of a decision tree cannot be read or written, or the tree is wrong."""


class LabError(PuzzlehuntError):
    """A tournament cannot be run as asked: its checkpoint, its cluster or where it is written."""


class StrategyError(PuzzlehuntError):
    """A strategy from outside failed, or makes no progress."""


class TooLargeError(PuzzlehuntError):
    """What was asked needs a list of codes that is too long to hold."""


class MissingPackageError(PuzzlehuntError):
    """What was asked needs a package that is not installed; says which extra has it."""


class NoCandidatesError(PuzzlehuntError):
    """The turns contradict each other: there is nothing left to suggest."""


class SolverError(PuzzlehuntError):
    """A solver gave up, or cannot be used."""


class ModelError(PuzzlehuntError):
    """A solver's answer cannot be read back as a code."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ``; did you mean X?`` for the nearest known word, else ``; known: ...``."""
    names = list(known)
    folded = {name.casefold(): name for name in names}
    begun = [name for name in folded if len(word) > 1 and name.startswith(word.casefold())]
    near = begun or get_close_matches(word.casefold(), folded, n=1, cutoff=0.6)
    if near:
        return f"; did you mean {folded[near[0]]}?"
    return f"; known: {', '.join(names)}" if names else ""


def unknown_name(kind: str, word: str, known: Iterable[str]) -> UnknownNameError:
    """Return the error for a name that does not exist, with the nearest that does."""
    return UnknownNameError(f"no {kind} is called {word!r}{did_you_mean(word, known)}")
