"""Kinds of marks: their names, amounts of a kind in words, and circles for shared results."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from puzzlehunt.rules.notation.clue import UNREAD_SQUARE, WON_WORDS
from puzzlehunt.rules.notation.count_clue import Range


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of mark: the rule's name, the game's name (label), and its mark, or None."""

    name: str
    label: str
    mark: str | None


COLOURS = frozenset((
    "common", "black", "white", "red", "green", "blue", "yellow", "orange", "grey", "gray", "miss",
    "later", "earlier",
))  # fmt: skip
"""Labels of kinds that are written as marks (BBW) and, except miss, have no plural.

Other labels are nouns and written as counts, such as bull: 2 bulls.
"""


def plural(label: str) -> str:
    """Return the plural of a label: gears, misses, but black."""
    if label.endswith(("s", "ch", "sh", "x")):
        return f"{label}es"
    if label == "half":
        return "halves"
    return label if label in COLOURS else label + "s"


def amount_text(amount: Range, label: str) -> str:
    """Return an amount of a kind in words: `1 gear`, `2 to 3 gears`."""
    low, high = amount
    noun = label if low == high == 1 else plural(label)
    return f"{low} {noun}" if low == high else f"{low} to {high} {noun}"


def pegs_text(count: int) -> str:
    """Return `peg` or `pegs`."""
    return "peg" if count == 1 else "pegs"


_OF_LABELS = {
    "black": "⚫", "white": "⚪", "red": "🔴", "green": "🟢", "blue": "🔵", "yellow": "🟡",
    "orange": "🟠", "purple": "🟣", "brown": "🟤",
}  # fmt: skip
"""The circles for kinds of marks that a game calls by a colour."""
_OF_NAMES = {
    "match": "⚫", "white": "⚪", "common": "⚪", "half": "🟡", "later": "🔼", "earlier": "🔽",
    "miss": "⭕",
}  # fmt: skip
"""The circles for other kinds, by the rule's name; kinds without an entry have the black one."""
BLACK = _OF_LABELS["black"]
"""The circle for black; one for each symbol of the secret is the winning feedback."""


def sign_of(kind: Kind) -> str:
    """Return the circle for marks of a kind."""
    return _OF_LABELS.get(kind.label) or _OF_NAMES.get(kind.name, BLACK)


def marks_of_signs(kinds: Sequence[Kind]) -> dict[str, str]:
    """Return a mapping from circles to marks; a miss without a mark is a dot."""
    return {sign_of(kind): kind.mark or "." for kind in reversed(kinds)} | {UNREAD_SQUARE: "?"}


def in_marks(text: str, kinds: Sequence[Kind]) -> str:
    """Convert a text of circles to marks; return any other text unchanged."""
    signs = re.sub(r"[\s\ufe0e\ufe0f]", "", text)
    if signs.isascii():
        return text
    marks = marks_of_signs(kinds)
    if set(signs) == {BLACK} and BLACK not in marks:
        return WON_WORDS[0]
    return "".join(marks[sign] for sign in signs) if set(signs) <= marks.keys() else text
