"""What a clue is under every rule, and the words that mean the same in every game."""

from collections.abc import Iterable, Iterator
from typing import Protocol, TypeAlias

Feedback: TypeAlias = tuple[int, ...]
"""The full, truthful answer of a rule: counts of marks, or a digit for each tile."""

Cell: TypeAlias = tuple[int, ...]
"""One mark as it was read: the numbers of the kinds (or the digits) that it may be."""

UNREAD: Cell = ()
"""The cell, in a clue about counts, of a mark that was not read."""

# What a player writes if nothing was read, if the guess won, and if there was no mark at all.
UNREAD_WORDS = ("*", "unread", "nothing read")
WON_WORDS = ("won", "solved")
NONE_WORDS = ("none",)


class Clue(Protocol):
    """What a player could make out of one feedback: the set of feedbacks that it may have been."""

    def __contains__(self, feedback: Feedback) -> bool: ...
    def __iter__(self) -> Iterator[Feedback]: ...


def legend(marks: Iterable[tuple[str, str]], unread_mark: str) -> str:
    """Return one line that lists the marks of a notation with their names, unread marks last."""
    return marks_line([*marks, (unread_mark, "unread"), ("*", "nothing read")])


def marks_line(marks: Iterable[tuple[str, str]]) -> str:
    """Return marks with their names on one line: `B black, W white`."""
    return ", ".join(f"{mark} {label}" for mark, label in marks)
