"""Every error a user can meet.

Each message is one or two lines: what was wrong, where, what was expected, and the nearest thing
that would have worked. The command line prints the message as it stands and exits with status 2,
1 for `NoCandidatesError`, or 3 for `LimitError`.
"""

from collections.abc import Iterable
from difflib import get_close_matches
from numbers import Integral, Real
from types import UnionType
from typing import TypeVar, cast

_LONGEST_MESSAGE = 600
"""Most characters of a message about a game file; a longer one loses its middle."""
_SIMILARITY = 0.6
"""Least similarity, from 0 to 1, of a name that is proposed instead of a mistyped one (difflib)."""

Name = TypeVar("Name", bound=str)


class PuzzlehuntError(Exception):
    """Base of all errors that come from the input and not from a fault of the program."""


class InvalidCodeError(PuzzlehuntError):
    """A guess or secret has an unknown symbol or a wrong length."""


class InvalidClueError(PuzzlehuntError):
    """A clue is not written in a notation that the game knows."""


class AmbiguousClueError(InvalidClueError):
    """A clue can be read in two ways; the message says which, and how each is written."""


class ImpossibleClueError(InvalidClueError):
    """A clue is well written, but no true feedback could show it."""


class InvalidFactError(PuzzlehuntError):
    """A fact is not written in a form that the game knows."""


class InvalidTurnError(PuzzlehuntError):
    """A line cannot be read as a guess with its clue."""


class InvalidChangeError(PuzzlehuntError):
    """JSON is not a change or a question of a session; `path` is the place of the fault."""

    def __init__(self, problem: str, path: str = "") -> None:
        super().__init__(f"{path}: {problem}" if path else problem)
        self.path = path
        self.problem = problem


class IllegalGuessError(PuzzlehuntError):
    """A guess breaks a rule of play, such as hard mode."""


class WordListError(PuzzlehuntError):
    """A word list is missing, unreadable or has no word that fits."""


class GameFileError(PuzzlehuntError):
    """A game file breaks the format.

    `problem` names the key and what is wrong with it, `where` the file and the line, or the option;
    "" for neither. The message, which may quote any text of a file, is one line.
    """

    def __init__(self, problem: str, where: str = "") -> None:
        super().__init__(problem, where)
        self.problem = problem
        self.where = where

    def __str__(self) -> str:
        message = f"{self.where}: {self.problem}" if self.where else self.problem
        line = " ".join(message.split())
        return line if len(line) <= _LONGEST_MESSAGE else f"{line[:300]} ... {line[-200:]}"


class SessionError(PuzzlehuntError):
    """A session cannot be opened, saved or changed as asked."""


class FixedListError(SessionError):
    """The secrets of a session come from a word list that cannot be exchanged for another."""


class SessionInUseError(SessionError):
    """Another running program writes this session file."""


class OvertakenError(PuzzlehuntError):
    """A change was made on an older history, and somebody else has changed the same since then.

    `row` is the row (from 1) in question, None for the whole history; `was_there` is false where
    the author of the change cannot have seen the row.
    """

    def __init__(self, row: int | None = None, was_there: bool = True) -> None:
        by_now = "is another by now" if was_there else "was not there yet"
        super().__init__("the rows have changed" if row is None else f"row {row} {by_now}")
        self.row = row
        self.was_there = was_there


class UnknownNameError(PuzzlehuntError):
    """A name that no game, strategy, engine or option has."""


class TreeError(PuzzlehuntError):
    """The file of a decision tree cannot be read or written, or its tree plays wrongly."""


class LabError(PuzzlehuntError):
    """A tournament cannot be run as asked: a wrong checkpoint, cluster or output file."""


class StrategyError(PuzzlehuntError):
    """A strategy from outside the package failed, or suggests guesses that rule nothing out."""


class LimitError(PuzzlehuntError):
    """An answer takes longer, or more memory, than a person's wait is worth.

    `reached` is the limit, such as `in 10 s`; `hint` is the option of the command line that lets an
    answer take longer, which the message leaves out.
    """

    def __init__(self, reached: str, hint: str) -> None:
        super().__init__(reached, hint)
        self.reached = reached
        self.hint = hint

    def __str__(self) -> str:
        return f"no answer {self.reached}"


class TooLargeError(PuzzlehuntError):
    """An answer needs a list of codes that is too long to hold in memory."""


class MissingPackageError(PuzzlehuntError):
    """An answer needs a package that is not installed; the message names the extra to install."""


class NoCandidatesError(PuzzlehuntError):
    """The turns contradict each other, so that no candidate is left to suggest."""


class SolverError(PuzzlehuntError):
    """A solver gave up, or cannot be used."""


class ModelError(PuzzlehuntError):
    """A solver's answer cannot be read back as a code."""


def check_type(what: str, value: object, kind: type | UnionType, expected: str = "") -> None:
    """Raise TypeError for a value that is none of a kind, called `expected` or by its own name."""
    if not isinstance(value, kind):
        name = expected or getattr(kind, "__name__", str(kind))
        raise TypeError(f"{what}: expected {name}, not {value!r:.60}")


def check_number(
    what: str, value: object, least: float, most: float | None = None, whole: bool = False
) -> None:
    """Raise TypeError for anything but a number, ValueError outside of `least` to `most`.

    With `whole` only integers are numbers; `most` None is no upper bound.
    """
    # The usual case apart: to ask an abstract class takes far longer.
    plain = value if isinstance(value, int) or (isinstance(value, float) and not whole) else None
    if plain is not None and plain >= least and (most is None or plain <= most):
        return
    is_number = isinstance(value, Integral if whole else Real)
    if is_number and cast(float, value) >= least and (most is None or cast(float, value) <= most):
        return
    bounds = f"{least} or more" if most is None else f"from {least} to {most}"
    message = f"{what}: expected a {'whole ' * whole}number, {bounds}, not {value!r:.40}"
    raise ValueError(message) if is_number else TypeError(message)


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """Return the end of a message: ``; did you mean X?`` with the name nearest to a word.

    Where no name is near, that is ``; known: ...`` with all names; where there are no names, "".
    """
    listed = list(names)
    folded = {name.casefold(): name for name in listed}
    completions = [name for name in folded if len(word) > 1 and name.startswith(word.casefold())]
    nearest = completions or get_close_matches(word.casefold(), folded, n=1, cutoff=_SIMILARITY)
    if nearest:
        return f"; did you mean {folded[nearest[0]]}?"
    return f"; known: {', '.join(listed)}" if listed else ""


def unknown_name(kind: str, word: object, names: Iterable[str]) -> UnknownNameError:
    """Return the error that no `kind` (game, rule, ...) is called `word`, with the nearest name."""
    return UnknownNameError(f"no {kind} is called {word!r:.60}{did_you_mean(str(word), names)}")


def one_named(kind: str, word: str, names: Iterable[Name]) -> Name:
    """Return the name that a word is. Raises UnknownNameError."""
    for name in (names := list(names)):
        if name == word:
            return name
    raise unknown_name(kind, word, names)


def missing_package(need: str, extra: str) -> MissingPackageError:
    """Return the error that something needs a package, which installing an extra brings."""
    return MissingPackageError(f'{need}: pip install "puzzlehunt[{extra}]"')


def counted(count: int, noun: str) -> str:
    """Return a count with its noun: `1 secret`, `0 rows`, `1,296 guesses`."""
    return f"{count:,} {in_number(noun, count)}"


def in_number(noun: str, count: int) -> str:
    """Return a noun as it is after a count: `secret` after 1, else `secrets`."""
    if count == 1:
        return noun
    return f"{noun}es" if noun.endswith(("s", "x", "ch")) else f"{noun}s"


def in_one_line(error: BaseException) -> str:
    """Return an error of somebody else's code in one line: `ValueError: what it says`."""
    return " ".join(f"{type(error).__name__}: {error}".split())
