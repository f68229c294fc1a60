"""Circles for the marks of a feedback, as texts to share show them, and the way back."""

import re
from collections.abc import Sequence

from puzzlehunt.rules.notation.clue import WON_WORDS
from puzzlehunt.rules.notation.kinds import Kind
from puzzlehunt.rules.notation.tiles import UNREAD_SQUARE

_OF_LABELS = {
    "black": "⚫", "white": "⚪", "red": "🔴", "green": "🟢", "blue": "🔵", "yellow": "🟡",
    "orange": "🟠", "purple": "🟣", "brown": "🟤",
}  # fmt: skip
"""The signs of kinds of marks that a game calls by a colour."""
_OF_NAMES = {"match": "⚫", "white": "⚪", "common": "⚪", "half": "🟡", "miss": "⭕"}
"""The signs of all other kinds, by the rules' own names for them; black for those not named."""
BLACK = _OF_LABELS["black"]
"""The sign of the winning feedback, once for each symbol of the secret."""


def sign_of(kind: Kind) -> str:
    """Return the circle that stands for a mark of some kind."""
    return _OF_LABELS.get(kind.label) or _OF_NAMES.get(kind.name, BLACK)


def marks_of_signs(kinds: Sequence[Kind]) -> dict[str, str]:
    """Return the mark of each sign that a clue may have; a miss without a mark is a dot."""
    return {sign_of(kind): kind.mark or "." for kind in reversed(kinds)} | {UNREAD_SQUARE: "?"}


def in_marks(text: str, kinds: Sequence[Kind]) -> str:
    """Return a clue with marks instead of signs; one that has anything else stays as it is."""
    signs = re.sub(r"[\s\ufe0e\ufe0f]", "", text)
    if signs.isascii():
        return text
    marks = marks_of_signs(kinds)
    if set(signs) == {BLACK} and BLACK not in marks:
        return WON_WORDS[0]
    return "".join(marks[sign] for sign in signs) if set(signs) <= marks.keys() else text
