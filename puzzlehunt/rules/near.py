"""Near: each symbol of the secret equals the guess's symbol, is near it or is far from it (Warmle).

Two symbols are near if their numbers in the alphabet differ by at most `within` (default 3).
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.rules.families import PlaceRule, TileRule
from puzzlehunt.rules.notation.clue import Parts

_FAR, _NEAR, _EQUAL = range(3)


class NearRule(PlaceRule):
    """The rule `near` with the settings of one game."""

    name: ClassVar[str] = "near"
    summary = "a tile: equal, near, far"
    option_names: ClassVar[tuple[str, ...]] = ("within",)
    kind_names: ClassVar[tuple[str, ...]] = ("far", "near", "equal")
    relations: ClassVar[tuple[str, str, str]] = ("is far from", "is near", "is")
    default_marks: ClassVar[tuple[str, str, str]] = (".", "Y", "G")
    other_marks: Mapping[str, int] = MappingProxyType(
        {**TileRule.other_marks, "x": _FAR, "-": _FAR, "b": _FAR, ".": _FAR}
    )

    def prepare(self) -> None:
        super().prepare()
        within = self.options.get("within", "3")
        if not (isinstance(within, str) and within.isdecimal() and 0 < int(within) < 1000):
            raise ValueError(f"within: expected a number of places above 0, not {within!r}")
        self.within = int(within)

    def score(self, guess: Code, secret: Code) -> Parts:
        """Return the digit of each tile: 2 for equal, 1 for `within` places or fewer, else 0."""
        distances = [abs(g - s) for g, s in zip(guess, secret, strict=True)]
        return tuple(_NEAR if 0 < d <= self.within else _FAR if d else _EQUAL for d in distances)
