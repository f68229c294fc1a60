"""How codes and clues look in a notebook: symbols and marks on tiles, in their colours."""

from collections.abc import Iterable
from dataclasses import dataclass

from puzzlehunt.codes.alphabet import Alphabet, Code
from puzzlehunt.rules.base import Rule, TileRule
from puzzlehunt.rules.notation.counts import Clue
from puzzlehunt.rules.notation.tiles import TileClue
from puzzlehunt.views.markup import COLOURS, Markup, markup, tile


@dataclass(frozen=True, slots=True)
class Sheet:
    """Writes the codes of an alphabet and the clues of a rule as HTML."""

    alphabet: Alphabet
    rule: Rule

    def code(self, code: Code) -> Markup:
        """Return a code, each symbol on a tile, in its colour if it has one."""
        if not code:
            return markup(self.alphabet.format(code))
        return _joined(tile(*self._symbol(symbol)) for symbol in code)

    def guess(self, guess: Code, clue: Clue) -> Markup:
        """Return a guess, each symbol in the colour of its own mark where the rule gives one."""
        if not (isinstance(self.rule, TileRule) and isinstance(clue, TileClue)):
            return self.code(guess)
        names = [self.rule.digits[cell[0]] if len(cell) == 1 else "" for cell in clue.cells]
        symbols = [self._symbol(symbol)[0] for symbol in guess]
        return _joined(map(tile, symbols, names))

    def marks(self, text: str) -> Markup:
        """Return the text of a clue, its marks on tiles where it is marks."""
        names = dict(self.rule.marks_told())
        known = {*names, self.rule.unread_mark, "."}
        if isinstance(self.rule, TileRule) or not {*text} <= known:
            return markup(text)
        return _joined(tile(mark, names.get(mark, "")) for mark in text)

    def _symbol(self, symbol: int) -> tuple[str, str]:
        """Return a symbol as it is written, and the name of its colour, or none."""
        text = self.alphabet.format((symbol,))
        names = (alias for alias, own in self.alphabet.aliases.items() if own == text)
        return text, next((name for name in names if name in COLOURS), "")


def _joined(tiles: Iterable[Markup]) -> Markup:
    return Markup("".join(tiles))
