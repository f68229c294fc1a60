"""Every error that a user can cause or see.

A message is one or two lines: what was wrong, where, what was expected, and the nearest thing that
would have worked. The command line prints the message unchanged and exits with status 1 for
`NoCandidatesError`, 3 for `LimitError`, and 2 for all others.

>>> issubclass(puzzlehunt.errors.RuleError, puzzlehunt.PuzzlehuntError)
True
"""

import re
import sys
from collections.abc import Iterable
from difflib import get_close_matches
from numbers import Integral, Real
from pathlib import Path
from traceback import walk_tb
from types import UnionType
from typing import Any

OBEYED = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    r"\ufff9-\ufffb\ud800-\udfff]"
)
"""Pattern of characters that are escaped: control characters, marks of writing direction,
characters without width, and lone surrogates; not tabs, line feeds and the joiners of emoji."""
_LONG_WORD = re.compile(r"([^\s/\\'\":]{40})[^\s/\\'\":]{20,}")
"""More than 60 characters without a blank, of which messages show 40; paths are shown whole."""
_LONGEST_MESSAGE = 600
"""Longest message that is shown whole (characters); of a longer one, its start and its end are."""


class PuzzlehuntError(Exception):
    """Base of all errors whose cause is the input, not a fault of the program.

    The message repeats what was typed only in part if it is long, and escapes control characters.

    >>> try:
    ...     puzzlehunt.load("4x6").parse_guess("AABX")
    ... except puzzlehunt.PuzzlehuntError as error:
    ...     print(error)
    AABX: 'X' is not a symbol of this game; its symbols are A B C D E F
    """

    def __str__(self) -> str:
        return shortened(super().__str__())


class InvalidCodeError(PuzzlehuntError):
    """A guess or secret has an unknown symbol or a wrong length."""


class InvalidClueError(PuzzlehuntError):
    """A clue is not written in a notation that the game knows."""


class AmbiguousClueError(InvalidClueError):
    """A clue can be read in two ways; the message names both and says how to write each."""


class ImpossibleClueError(InvalidClueError):
    """A clue is well written, but no feedback could lead to it."""


class InvalidTurnError(PuzzlehuntError):
    """A line cannot be read as a guess with its clue."""


class IllegalGuessError(PuzzlehuntError):
    """A guess breaks a rule of play, such as hard mode."""


class WordListError(PuzzlehuntError):
    """A word list is missing, cannot be read, or has no word that fits the game."""


class GameFileError(PuzzlehuntError):
    """A game file breaks the format.

    `problem` names the key and the fault. `where` is the file and the line, or the option of the
    command line, or "" if neither is known. The message is one line.
    """

    def __init__(self, problem: str, where: str = "") -> None:
        super().__init__(problem, where)
        self.problem = problem
        self.where = where

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        return shortened(one_line(place + self.problem))


class SessionError(PuzzlehuntError):
    """A session cannot be opened, saved or changed as asked."""


class SessionInUseError(SessionError):
    """Another running program has this session file open for writing."""


class OvertakenError(PuzzlehuntError):
    """A change was made to an old history, and somebody has changed the same rows since then.

    `row` is the number (from 1) of the changed row, or None if the whole history was changed.
    `was_there` is false if the author of the change cannot have seen the row, because it is newer.
    """

    def __init__(self, row: int | None = None, was_there: bool = True) -> None:
        fault = "has been changed meanwhile" if was_there else "was not there yet"
        super().__init__("the rows have changed" if row is None else f"row {row} {fault}")
        self.row = row
        self.was_there = was_there


class UnknownNameError(PuzzlehuntError):
    """No game, strategy, engine or option has this name."""


class TreeError(PuzzlehuntError):
    """A decision tree's file cannot be read or written, or the tree plays wrongly."""


class StrategyError(PuzzlehuntError):
    """A strategy from outside the package failed, or suggests guesses that rule nothing out."""


class RuleError(PuzzlehuntError):
    """A rule from outside the package cannot be loaded, or scores in a way that cannot be used."""


class LimitError(PuzzlehuntError):
    """An answer reached its limit of time.

    `reached` says which, such as `in 10 s`. `hint` is the option of the command line that
    allows more time; the message does not contain it.
    """

    def __init__(self, reached: str, hint: str) -> None:
        super().__init__(reached, hint)
        self.reached = reached
        self.hint = hint

    def __str__(self) -> str:
        return f"no answer {self.reached}"


class TooLargeError(PuzzlehuntError):
    """An answer would need a list of codes that is too long to hold in memory."""


class NoCandidatesError(PuzzlehuntError):
    """The turns contradict each other, so that no candidate is left."""


def printable(text: str) -> str:
    """Return a text with its control characters replaced by visible, harmless escapes."""
    return OBEYED.sub(lambda match: ascii(match[0])[1:-1], text)


def one_line(text: str) -> str:
    """Return a text on one line, with control characters escaped."""
    return printable(" ".join(text.split()))


def shortened(text: str) -> str:
    """Return a message with control characters escaped, and `...` for the most of what is long."""
    text = _LONG_WORD.sub(r"\1...", text)
    if len(text) > _LONGEST_MESSAGE:
        text = f"{text[:250]} ... {text[-300:]}"
    return printable(text)


def check_type(what: str, value: object, kind: type | UnionType, expected: str = "") -> None:
    """Raise TypeError if `value` is not of type `kind`.

    The message calls `value` by the name `what`, and the type by `expected` or, if that is empty,
    by its own name.
    """
    if not isinstance(value, kind):
        name = expected or getattr(kind, "__name__", str(kind))
        raise TypeError(f"{what}: expected {name}, not {value!r:.60}")


def check_number(
    what: str, value: object, least: float, most: float | None = None, whole: bool = False
) -> None:
    """Raise TypeError if `value` is not a number, ValueError if it is not in `least` to `most`.

    If `whole` is true, only integers are numbers. If `most` is None, there is no upper bound. The
    message calls `value` by the name `what`.
    """
    is_number = isinstance(value, (int, Integral) if whole else (int, float, Real))
    number: Any = value
    if is_number and number >= least and (most is None or number <= most):
        return
    bounds = f"{least} or more" if most is None else f"from {least} to {most}"
    expected = f"a whole number, {bounds}" if whole else f"a number, {bounds}"
    message = f"{what}: expected {expected}, not {value!r:.40}"
    raise ValueError(message) if is_number else TypeError(message)


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """Return the end of an error message, which proposes the name nearest to a mistyped word.

    The text is ``; did you mean X?``, if no name is near ``; known: ...`` with all names, or ten of
    more than 50, or "" if there are no names.
    """
    listed = list(names)
    folded = {name.casefold(): name for name in listed}
    completions = [name for name in folded if len(word) > 1 and name.startswith(word.casefold())]
    nearest = completions or get_close_matches(word.casefold(), folded, n=1)
    if nearest:
        return f"; did you mean {folded[nearest[0]]}?"
    shown = [*listed[:10], "..."] if len(listed) > 50 else listed
    return f"; known: {', '.join(shown)}" if listed else ""


def unknown_name(kind: str, word: object, names: Iterable[str]) -> UnknownNameError:
    """Return an error: no `kind` (game, rule, ...) is called `word`, with the nearest name."""
    return UnknownNameError(f"no {kind} is called {word!r:.60}{did_you_mean(str(word), names)}")


def missing_package(need: str, extra: str) -> PuzzlehuntError:
    """Return an error that says what needs a package, and how to install it (an extra)."""
    return PuzzlehuntError(f"{need}: in a checkout, pip install '.[{extra}]'")


def counted(count: int, noun: str) -> str:
    """Return a count with its noun: `1 secret`, `0 rows`, `1,296 guesses`."""
    return f"{count:,} {in_number(noun, count)}"


def in_number(noun: str, count: int) -> str:
    """Return one of the program's nouns as it follows a count: `secret` for 1, else `secrets`."""
    if count == 1:
        return noun
    return f"{noun}es" if noun.endswith("s") else f"{noun}s"


def in_one_line(error: BaseException) -> str:
    """Return an error's place in a file of the user's own, its type and its message."""
    return in_own_file(error) or one_line(f"{type(error).__name__}: {error}")


def in_own_file(error: BaseException) -> str:
    """Return an error with its innermost place in a file of the user's own, "" if it has none."""
    installed = (__file__.removesuffix("errors.py"), sys.prefix, sys.base_prefix, "<")
    for frame, line in reversed([*walk_tb(error.__traceback__)]):
        path = frame.f_code.co_filename
        if "site-packages" not in path and not path.startswith(installed):
            return one_line(f"{Path(path).name}:{line}: {type(error).__name__}: {error}")
    return ""
