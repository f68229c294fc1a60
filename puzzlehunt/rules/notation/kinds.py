"""Kinds of marks: their names, amounts of a kind in words, and circles for shared results."""

from collections.abc import Sequence
from dataclasses import dataclass

from puzzlehunt.rules.notation.count_clue import Range
from puzzlehunt.rules.notation.synonyms import CIRCLES, COLOUR_OF


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


_OF_NAMES = {
    "match": "⚫", "white": "⚪", "common": "⚪", "half": "🟡", "later": "🔼", "earlier": "🔽",
    "miss": "⭕",
}  # fmt: skip
"""The circles for kinds that no game calls by a colour, by the rule's name; others are black."""
BLACK = CIRCLES["black"]
"""The circle for black; one for each symbol of the secret is the winning feedback."""


def sign_of(kind: Kind) -> str:
    """Return the circle for marks of a kind."""
    return CIRCLES.get(kind.label) or _OF_NAMES.get(kind.name, BLACK)


def kinds_of_signs(kinds: Sequence[Kind]) -> dict[str, int]:
    """Return the kinds (by number) that circles, and other signs of their colours, stand for."""
    of_sign = {sign_of(kind): number for number, kind in reversed([*enumerate(kinds)])}
    of_colour = {COLOUR_OF[sign]: number for sign, number in of_sign.items() if sign in COLOUR_OF}
    others = {sign: of_colour[c] for sign, c in COLOUR_OF.items() if c in of_colour}
    return others | of_sign
