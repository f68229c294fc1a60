"""Alphabets: the symbols of a game, and how codes are written and read back.

A code is a tuple of symbol numbers; `Alphabet.parse` and `Alphabet.format` turn text into codes
and back.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TypeAlias

from puzzlehunt.errors import InvalidCodeError

Code: TypeAlias = tuple[int, ...]
"""Symbol numbers (0-based places in the alphabet), position by position."""


FOREIGN = -1
"""The symbol number of a character that is in no alphabet and matches nothing."""


MOST_SYMBOLS = 250
"""The most symbols of an alphabet, and of a code: what arrays of bytes hold, and some to spare."""


MOST_TILES = 39
"""The most symbols of a code by rules that look at each tile of a guess: so many ways to mark
them can be counted."""


UNSPELT = 255
"""Stands in bytes of symbol numbers for a character that is no symbol."""


_JOINER = "-"


_EMPTY = '""'


_SEPARATORS = ',;|"'


@dataclass(frozen=True)
class Alphabet:
    """The ordered symbols of a game and the other names a player may type for them.

    `aliases` maps a further name to its symbol. Case is folded on input unless two names
    differ by nothing else. Raises ValueError if a name stands for two symbols.
    """

    symbols: tuple[str, ...]
    aliases: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        if not self.symbols:
            raise ValueError("an alphabet needs at least one symbol")
        names = [*self.symbols, *self.aliases]
        for name in names:
            if not name or any(c.isspace() for c in name):
                raise ValueError(f"{name!r} cannot be a symbol: it is empty or holds a blank")
            if len(name) > 1 and _JOINER in name:
                raise ValueError(f"{name!r} cannot be a symbol: {_JOINER} joins symbols")
            if any(c in _SEPARATORS for c in name):
                raise ValueError(f"{name!r} cannot be a symbol: it stands between codes and clues")
        if len(set(self.symbols)) < len(self.symbols):
            twice = next(s for s in self.symbols if self.symbols.count(s) > 1)
            raise ValueError(f"the symbol {twice!r} stands twice")
        if _JOINER in names and any(len(name) > 1 for name in names):
            raise ValueError(f"{_JOINER!r} cannot be a symbol beside symbols of several characters")
        for alias, symbol in self.aliases.items():
            if symbol not in self.symbols:
                raise ValueError(f"the alias {alias!r} stands for {symbol!r}, which is no symbol")
            if self._numbers.get(self._fold(alias)) != self.symbols.index(symbol):
                raise ValueError(f"the name {alias!r} stands for two symbols")

    def __len__(self) -> int:
        return len(self.symbols)

    def __hash__(self) -> int:
        return hash(self.symbols)

    @cached_property
    def case_sensitive(self) -> bool:
        """Whether upper and lower case are different symbols here."""
        return len({s.casefold() for s in self.symbols}) < len(self.symbols)

    def _fold(self, text: str) -> str:
        """Return a text in one case, of the same length: ß stays one symbol."""
        if self.case_sensitive:
            return text
        folded = text.casefold()
        if len(folded) == len(text):
            return folded
        folded = text.lower()
        return folded if len(folded) == len(text) else text

    @cached_property
    def _numbers(self) -> dict[str, int]:
        places = {symbol: number for number, symbol in enumerate(self.symbols)}
        numbers = {self._fold(symbol): number for symbol, number in places.items()}
        for alias, symbol in self.aliases.items():
            numbers.setdefault(self._fold(alias), places[symbol])
        return numbers

    @cached_property
    def _joins(self) -> bool:
        return any(len(symbol) > 1 for symbol in self.symbols)

    @cached_property
    def _foreign(self) -> str:
        """A character that stands for "no symbol of mine" and reads back as that."""
        return next(
            c
            for c in "x~#%&!$0z" + "".join(map(chr, range(0x2460, 0x2600)))
            if self._fold(c) not in self._numbers
        )

    def number(self, symbol: str) -> int | None:
        """Return the number of a symbol or alias, None if there is no such name."""
        return self._numbers.get(self._fold(symbol))

    def spell(self, word: str) -> Code | None:
        """Return the code of a word of one-character symbols, None if one is unknown."""
        try:
            return tuple([self._numbers[character] for character in self._fold(word)])
        except KeyError:
            return None

    def spell_all(self, words: list[str], length: int) -> list[bytes]:
        """Return the symbol numbers of many words of one length, `UNSPELT` for unknown symbols.

        Bytes sort as codes do, and many times faster.
        """
        joined = "".join(words)
        folded = self._fold(joined) if joined.isascii() else "".join(map(self._fold, words))
        numbers = {ord(c): chr(self._numbers.get(c, UNSPELT)) for c in set(folded)}
        spelt = folded.translate(numbers).encode("latin-1")
        return [spelt[start : start + length] for start in range(0, len(spelt), length)]

    def tokens(self, text: str, *, foreign: bool = False) -> list[str]:
        """Return the symbol names that a text writes, known or not: `red-R-b`, `HORSE`.

        With `foreign`, `-` joins only names that are known; else it is a character like others.
        """
        if text in ("", _EMPTY):
            return []
        if _JOINER in text and self.number(_JOINER) is None:
            parts = text.split(_JOINER)
            if not foreign or self._joins or all(self.number(part) is not None for part in parts):
                return parts
        if self.number(text) is not None:
            return [text]
        return list(text)

    def parse(self, text: str, *, foreign: bool = False) -> Code:
        """Return the code that a text writes; `""` is the empty code.

        With `foreign`, unknown symbols become `FOREIGN`; else they raise InvalidCodeError.
        """
        code = []
        for token in self.tokens(text, foreign=foreign):
            number = self.number(token)
            if number is None and not foreign:
                raise InvalidCodeError(f"{text}: {token!r} is no symbol of this game{self._hint()}")
            code.append(FOREIGN if number is None else number)
        return tuple(code)

    def _hint(self) -> str:
        shown = " ".join(self.symbols[:30]) + (" ..." if len(self) > 30 else "")
        return f"; its symbols are {shown}"

    def format(self, code: Code) -> str:
        """Return the text of a code; `parse` reads it back."""
        if not code:
            return _EMPTY
        names = [self._foreign if s == FOREIGN else self.symbols[s] for s in code]
        text = "".join(names)
        joined = self._joins or (len(code) > 1 and self.number(text) is not None)
        return _JOINER.join(names) if joined else text


def default_alphabet(count: int) -> Alphabet:
    """Return A, B, C, ... for up to 26 symbols, else the numbers 1, 2, 3, ..."""
    if count <= 26:
        return Alphabet(tuple(chr(ord("A") + i) for i in range(count)))
    return Alphabet(tuple(str(i + 1) for i in range(count)))
