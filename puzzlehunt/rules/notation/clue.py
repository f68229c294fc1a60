"""What a clue is, whatever its rule, and the words that are written alike in every game."""

from collections.abc import Iterable, Iterator
from typing import Protocol, TypeAlias

Feedback: TypeAlias = tuple[int, ...]
"""The full, truthful answer of a rule: a named tuple of counts, or a digit for each tile."""

Cell: TypeAlias = tuple[int, ...]
"""One mark as it was read: the kinds, by their numbers, that it may be."""

UNREAD: Cell = ()
"""The cell of a counted mark that was seen and not read."""

UNREAD_WORDS = ("*", "unread", "nothing read")
WON_WORDS = ("won", "solved")
NONE_WORDS = ("none", "silence")


class Clue(Protocol):
    """What a player could make out of one answer: the set of feedbacks that it admits, never empty.

    A clue tells whether a feedback is `in` it, and iterates over its feedbacks.
    """

    def __contains__(self, feedback: Feedback) -> bool: ...
    def __iter__(self) -> Iterator[Feedback]: ...


def legend(marks: Iterable[tuple[str, str]], unknown: str) -> str:
    """Return one line of the marks of an answer, and of those that stand for what was not read."""
    return marks_line([*marks, (unknown, "unread"), ("*", "nothing read")])


def marks_line(marks: Iterable[tuple[str, str]]) -> str:
    """Return marks and what they are called on one line: `B black, W white`."""
    return ", ".join(f"{mark} {label}" for mark, label in marks)
