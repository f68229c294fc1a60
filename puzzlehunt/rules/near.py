"""Near: each symbol is equal to the guess's, within some places of it in the alphabet, or far.

Warmle. `within` is how many places (default 3).
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from puzzlehunt.clues import Feedback
from puzzlehunt.codes import Code
from puzzlehunt.constraints import At, Constraint, exactly
from puzzlehunt.rules.base import Options, TileRule
from puzzlehunt.tiles import TileClue

if TYPE_CHECKING:
    from puzzlehunt.kernels import Bytes, Tile

_FAR, _NEAR, _EQUAL = range(3)


def score(guess: Sequence[int], secret: Sequence[int], within: int = 3) -> Feedback:
    """Return a mark for each tile of symbol numbers: 2 equal, 1 within some places, 0 far.

    >>> score((0, 5, 9), (0, 8, 2), within=3)
    (2, 1, 0)
    """
    distances = [abs(g - s) for g, s in zip(guess, secret, strict=True)]
    return tuple(_EQUAL if d == 0 else (_NEAR if d <= within else _FAR) for d in distances)


class NearRule(TileRule):
    """The rule for one game."""

    name: ClassVar[str] = "near"
    ordered: ClassVar[bool] = True
    told = "a tile: equal, near, far"
    option_names: ClassVar[tuple[str, ...]] = ("within",)
    digits: ClassVar[tuple[str, str, str]] = ("far", "near", "equal")
    letters: ClassVar[tuple[str, str, str]] = (".", "Y", "G")
    kind_names: ClassVar[tuple[str, ...]] = digits
    mark_names: ClassVar[tuple[str, ...]] = (*digits, "unknown")
    also: ClassVar = {**TileRule.also, "x": _FAR, "-": _FAR, "b": _FAR, ".": _FAR}

    def __init__(
        self,
        length: int,
        symbols: int,
        repeats: int | None = None,
        marks: Mapping[str, str] | None = None,
        names: Mapping[str, str] | None = None,
        options: Options | None = None,
        alphabet: Sequence[str] = (),
    ) -> None:
        super().__init__(length, symbols, repeats, marks, names, options, alphabet)
        within = self.options.get("within", "3")
        if not (isinstance(within, str) and within.isdecimal() and 0 < int(within) < 1000):
            raise ValueError(f"within: expected a number of places above 0, not {within!r}")
        self.within = int(within)

    def score(self, guess: Code, secret: Code) -> Feedback:
        return score(guess, secret, self.within)

    def digits_of(self, tile: "Tile", secrets: "Bytes") -> "Bytes":
        column = secrets[:, tile.place].astype("int16")
        distance = abs(column - tile.symbol)
        shown: Bytes = (distance <= self.within).astype("uint8")
        shown[distance == 0] = _EQUAL
        return shown

    def _symbols(self, symbol: int, digit: int) -> tuple[int, ...]:
        """Return the symbols of the secret for which a tile shows a digit."""
        every = range(self.symbols)
        return tuple(s for s in every if score((symbol,), (s,), self.within) == (digit,))

    def shows(self, guess: Code, place: int, digit: int) -> Constraint:
        return exactly(At(place, self._symbols(guess[place], digit)))

    def shows_one_of(self, guess: Code, place: int, digits: tuple[int, ...]) -> Constraint:
        symbols = [s for digit in digits for s in self._symbols(guess[place], digit)]
        return exactly(At(place, tuple(sorted(symbols))))

    def trouble(self, guess: Code, clue: TileClue) -> str:
        for symbol, cell in zip(guess, clue.cells, strict=True):
            if not any(self._symbols(symbol, digit) for digit in cell):
                name = self.alphabet[symbol] if self.alphabet else str(symbol)
                return f"no symbol is {self.digits[cell[0]]} from {name}"
        return ""
