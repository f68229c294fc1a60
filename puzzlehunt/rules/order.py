"""Order: each symbol of the secret is the guess's symbol, or earlier or later in the alphabet.

Games: Secret Search, Safe Cracker, Peaks.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.rules.families import PlaceRule
from puzzlehunt.rules.notation.clue import Parts

_EARLIER, _LATER, _EQUAL = range(3)


class OrderRule(PlaceRule):
    """The rule `order` with the settings of one game, whose list of symbols defines their order."""

    name: ClassVar[str] = "order"
    summary = "a tile: equal, earlier, later"
    kind_names: ClassVar[tuple[str, ...]] = ("earlier", "later", "equal")
    relations: ClassVar[tuple[str, str, str]] = ("comes before", "comes after", "is")
    default_marks: ClassVar[tuple[str, str, str]] = ("<", ">", "=")
    other_marks: Mapping[str, int] = MappingProxyType({
        "🟩": _EQUAL, "🔼": _LATER, "🔽": _EARLIER, "⬆": _LATER, "⬇": _EARLIER, "🔺": _LATER,
        "🔻": _EARLIER, "⏫": _LATER, "⏬": _EARLIER,
    })  # fmt: skip

    def score(self, guess: Code, secret: Code) -> Parts:
        """Return the digit of each tile: 0 if the secret's symbol is earlier, 1 later, 2 equal."""
        pairs = zip(guess, secret, strict=True)
        return tuple(_EQUAL if g == s else _EARLIER if s < g else _LATER for g, s in pairs)
