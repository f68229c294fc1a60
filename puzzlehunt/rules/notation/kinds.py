"""Kinds of marks, and how so many of a kind are called."""

from dataclasses import dataclass

from puzzlehunt.rules.notation.count_clue import Range


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of mark: the rule's name for it, the game's name (label), its mark or None."""

    name: str
    label: str
    mark: str | None


COLOURS = frozenset(
    ["common", "black", "white", "red", "green", "blue", "yellow", "orange", "grey", "gray", "miss"]
)
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
    """Return how many there are of a kind: `1 gear`, `2 to 3 gears`."""
    low, high = amount
    noun = label if low == high == 1 else plural(label)
    return f"{low} {noun}" if low == high else f"{low} to {high} {noun}"


def pegs_text(count: int) -> str:
    """Return `peg` or `pegs`."""
    return "peg" if count == 1 else "pegs"
