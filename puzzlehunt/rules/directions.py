"""Directions: how many symbols of the secret come later in the alphabet, how many earlier.

The feedback does not say which. The rule `order` tells the direction of each symbol.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import ClassVar, NamedTuple

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import At, Literal
from puzzlehunt.rules.families import CountRule
from puzzlehunt.rules.notation.clue import Parts


class Directions(NamedTuple):
    """The feedback: how many symbols of the secret are later, and how many are earlier."""

    later: int
    earlier: int


class DirectionsRule(CountRule):
    """The rule `directions` with the settings of one game, whose list of symbols is ordered.

    The miss is a symbol in place.
    """

    name: ClassVar[str] = "directions"
    summary = "how many later, how many earlier"
    kind_names: ClassVar[tuple[str, ...]] = ("later", "earlier", "miss")
    compares_symbols: ClassVar[bool] = True

    def prepare(self) -> None:
        super().prepare()
        ends = self.alphabet or ("the first symbol", "the last one")
        self.why_impossible = f"nothing is before {ends[0]} or after {ends[-1]}"

    def score(self, guess: Code, secret: Code) -> Directions:
        """Return how many symbols of a secret are later than the guess's, and how many earlier."""
        pairs = list(zip(guess, secret, strict=True))
        return Directions(sum(s > g for g, s in pairs), sum(s < g for g, s in pairs))

    @cached_property
    def feedbacks(self) -> Sequence[Parts]:
        """All counts with later + earlier <= length, sorted by their sum, then by later."""
        totals = range(self.length + 1)
        return [Directions(later, total - later) for total in totals for later in range(total + 1)]

    def tile_literals(
        self, place: int, symbol: int, earlier: int
    ) -> Iterable[tuple[str, int, Literal]]:
        yield "later", 1, At(place, tuple(range(symbol + 1, self.symbols)))
        yield "earlier", 1, At(place, tuple(range(symbol)))
