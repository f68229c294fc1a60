"""What a clue is under every rule, and the words that mean the same in every game."""

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    FeedbackArray: TypeAlias = npt.NDArray[np.int64]
    """(F, parts): F feedbacks, one a row."""
    Mask: TypeAlias = npt.NDArray[np.bool_]

Feedback: TypeAlias = tuple[int, ...]
"""The full, truthful answer of a rule: counts of marks, or a digit for each tile."""

Cell: TypeAlias = tuple[int, ...]
"""One mark as it was read: the numbers of the kinds (or the digits) that it may be."""

UNREAD: Cell = ()
"""The cell, in a clue about counts, of a mark that was not read."""

# What a player writes if nothing was read, if the guess won, and if there was no mark at all.
UNREAD_WORDS = ("*", "unread", "nothing read")
WON_WORDS = ("won", "solved", "found")
NONE_WORDS = ("none",)
NOTHING_WORDS = ("nothing", "nil", "nada")
"""What may mean that there was no mark, and that none was read."""
_WHOLE_CLUES = (UNREAD_WORDS[1], *WON_WORDS, *NONE_WORDS)
"""The words among these that letters may spell."""


class Clue(Protocol):
    """What a player could make out of one feedback: the set of feedbacks that it may have been."""

    def __contains__(self, feedback: Feedback) -> bool: ...
    def __iter__(self) -> Iterator[Feedback]: ...


def check_marks(marks: Sequence[tuple[str | None, str]], used_otherwise: str) -> None:
    """Raise ValueError where a mark cannot be one, or a mark or a name stands for two kinds.

    `marks` has each mark (None for a kind without one) with what the kind is called,
    `used_otherwise` the signs that no mark can be.
    """
    labels = [label.casefold() for _, label in marks]
    label_of_mark: dict[str, str] = {}
    for mark, label in marks:
        if labels.count(label.casefold()) > 1:
            raise ValueError(f"the name {label!r} stands for two kinds of marks")
        if label.casefold() in _WHOLE_CLUES and label != UNREAD_WORDS[1]:
            raise ValueError(f"the name {label!r} is a whole clue already; write another name")
        if mark is None:
            continue
        if len(mark) != 1 or mark.isspace() or mark.isdigit() or mark in used_otherwise:
            raise ValueError(f"{mark!r} cannot be a mark: it must be one letter or sign")
        other = label_of_mark.setdefault(mark.casefold(), label)
        if other != label:
            raise ValueError(
                f"the mark {mark!r} stands for {other} and {label}; under marks, write another for "
                "one of them"
            )
    for label in labels:
        if label_of_mark.get(label, label) != label:
            raise ValueError(f"the name {label!r} is also the mark of {label_of_mark[label]}")
    for word in (*labels, *_WHOLE_CLUES):
        if len(word) > 1 and set(word) <= label_of_mark.keys():
            raise ValueError(f"the marks {', '.join(word.upper())} spell {word!r}, a word of clues")


def no_clue(text: str, mark: str, marks: Container[str], legend_line: str) -> str:
    """Return the message for a text that is no clue, since a character of it is no mark.

    `marks` are all marks, in lower case. A word is blamed as a whole unless it mostly consists of
    marks.
    """
    word = next((word for word in re.split(r"[\s,;|]+", text) if mark in word), mark)
    signs = [sign.casefold() in marks for sign in word if sign not in "[]"]
    if len(signs) < 2 or 2 * sum(signs) > len(signs) or signs.count(False) == 1:
        return f"{text!r} is no clue here: {mark!r} is no mark; {legend_line}"
    if word == text.strip():
        return f"{text!r} is no clue here; {legend_line}"
    return f"{text!r} is no clue here: what is {word!r}? {legend_line}"


def legend(marks: Iterable[tuple[str, str]], unread_mark: str) -> str:
    """Return one line that lists the marks of a notation with their names, unread marks last."""
    return marks_line([*marks, (unread_mark, "unread"), ("*", "nothing read")])


def marks_line(marks: Iterable[tuple[str, str]]) -> str:
    """Return marks with their names on one line: `B black, W white`."""
    return ", ".join(f"{mark} {label}" for mark, label in marks)
