"""Rules in which a tile depends on the secret's symbol at its own position alone."""

from abc import abstractmethod
from typing import ClassVar

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import At, Constraint, require
from puzzlehunt.rules.base import TileRule
from puzzlehunt.rules.notation.tiles import TileClue


class PlaceRule(TileRule):
    """A rule in which a tile depends on the secret's symbol at its own position alone."""

    relations: ClassVar[tuple[str, str, str]]
    """What the digits 0, 1 and 2 say of the secret's symbol, before the guess's: `comes before`."""

    @abstractmethod
    def symbols_for(self, symbol: int, digit: int) -> tuple[int, ...]:
        """Return the symbols of the secret for which `symbol` in the guess gets a digit."""

    def digit_constraint(self, guess: Code, place: int, digit: int) -> Constraint:
        return require(At(place, self.symbols_for(guess[place], digit)))

    def cell_constraint(self, guess: Code, place: int, digits: tuple[int, ...]) -> Constraint:
        symbols = [s for digit in digits for s in self.symbols_for(guess[place], digit)]
        return require(At(place, tuple(sorted(symbols))))

    def trouble(self, guess: Code, clue: TileClue) -> str:
        for symbol, cell in zip(guess, clue.cells, strict=True):
            if not any(self.symbols_for(symbol, digit) for digit in cell):
                name = self.alphabet[symbol] if self.alphabet else str(symbol)
                said = " or ".join(self.relations[digit] for digit in cell)
                return f"no symbol {said} {name}"
        return ""
