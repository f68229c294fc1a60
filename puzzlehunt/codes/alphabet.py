"""Alphabets: the symbols of a game, and how codes are written and read back.

A code is a tuple of symbol numbers; `Alphabet.parse` and `Alphabet.format` turn text into codes
and back.
"""

import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from textwrap import shorten
from typing import ClassVar, TypeAlias
from unicodedata import bidirectional, normalize

from puzzlehunt.errors import InvalidCodeError, check_type

# Graphemes: what readers see as one character, however many code points it has, as a flag.

_ONE_EACH = re.compile(
    r"[\0-\u02ff\u0370-\u0482\u048a-\u0590\u05d0-\u05ea\u0621-\u064a"
    r"\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*"
)
"""Texts of characters that never join with others: Latin, Greek, Cyrillic, Armenian, the letters of
Hebrew and Arabic, kana, Chinese characters and syllables of Hangul."""


def graphemes(text: str) -> list[str]:
    """Return the graphemes of a text, in order."""
    if text.isascii() or _ONE_EACH.fullmatch(text):
        return list(text)
    from wcwidth import iter_graphemes

    return list(iter_graphemes(text))


def one_spelling(text: str) -> str:
    """Return the normal form of a text, which is the same for other spellings of the text.

    Each accent is joined with its letter into one code point (NFC). Variation selectors are left
    out, so that a heart has the same form with and without one.
    """
    return text if text.isascii() else re.sub("[\ufe0e\ufe0f]", "", normalize("NFC", text))


# Alphabets.

Code: TypeAlias = tuple[int, ...]
"""The symbol number at each position; a symbol number is a 0-based index into the alphabet."""

FOREIGN = -1
"""Symbol number of a character in a guess that is not in the alphabet; it matches nothing."""
PAD = 255
"""The symbol number after the end of a short code, in arrays and literals."""

MOST_SYMBOLS = 250
"""Cap on the size of an alphabet, and on the length of a code (symbols).

Symbol numbers are bytes in arrays, and a few values above 250 have a meaning of their own there.
"""

MOST_TILES = 39
"""Cap on the length of a code under rules that mark each tile of a guess (symbols).

Each feedback has a number of 64 bits, and there are 3**39 ways to mark 39 tiles.
"""

_JOINER = "-"
"""The separator of symbols of several characters: `red-green-red`."""

_BETWEEN_SYMBOLS = re.compile(r"[\s,;]+")
"""What may be between symbols that are written one by one: `red red green blue`."""

SIGNS = {
    "black": "⚫⬛🖤●⬤■◼◾▪", "white": "⚪⬜🤍○◯□◻◽▫", "red": "🔴🟥❤", "green": "🟢🟩💚",
    "yellow": "🟡🟨💛", "blue": "🔵🟦💙", "orange": "🟠🟧🧡", "purple": "🟣🟪💜", "brown": "🟤🟫🤎",
}  # fmt: skip
"""The signs of each colour: circle, square, heart, and further circles and squares."""

_OTHER_SIGNS = SIGNS | {
    "*": "\u00d7\u2217\u00b7x", "/": "\u00f7\u2215", "-": "\u2212\u2013", "=": "\uff1d",
    "+": "\uff0b",
}  # fmt: skip
"""Further signs of symbols that are called so: a colour, an operator."""

_EMPTY = '""'
"""How the code of length 0 is written."""

_SEPARATED = re.compile(r'[\s,;|"\u201c-\u201e\u2018\u201a\xab\xbb]|.-|-.')
"""Matches names that no symbol can have: in a line they would be several parts."""

_DOTLESS_I = "\u0131"
"""The Turkish i without a dot. Its capital is I; the capital of the Turkish i is İ."""
_SIGMA, _FINAL_SIGMA = "\u03c3\u03c2"


def has_dotless_i(letters: Collection[str]) -> bool:
    """Return whether `letters` include an i without a dot or İ, as those of Turkish do."""
    return _DOTLESS_I in letters or "İ" in letters


@dataclass(frozen=True, repr=False)
class Alphabet:
    """The ordered symbols of a game and the other names that a player may type for them.

    `aliases` maps each other name to its symbol, `finals` a symbol to its form at the end of a
    code; `ligatures` are pairs of a character and the two symbols that it stands for. With
    `digraphs`, letters of a word that are a symbol together are read as that one. Codes are written
    as words of `parts` symbols, such as (3, 3), if these are given. A guess may have other
    characters, which match nothing, with `ignores_foreign`, and is cut to the secret's length if it
    is longer, with `cuts_overlong`. `len` and iteration are over the symbols; `in` accepts symbols
    and aliases. A character is a grapheme: a flag is one character, and so is a heart, with or
    without its variation selector. Case is ignored. In an alphabet with İ, such as the Turkish one,
    i is the small letter of İ, not of I.

    Raises ValueError for a name that cannot be a symbol or that names two symbols.

    >>> colours = Alphabet(tuple("RGB"), {"red": "R"})
    >>> colours.parse("red-G-B"), colours.format((2, 2, 0))
    ((0, 1, 2), 'BBR')
    """

    symbols: tuple[str, ...]
    aliases: Mapping[str, str] = field(default_factory=dict)
    finals: Mapping[str, str] = field(default_factory=dict)
    ligatures: tuple[tuple[str, str], ...] = ()
    digraphs: bool = False
    parts: tuple[int, ...] = ()
    ignores_foreign: bool = False
    cuts_overlong: bool = False

    names_codes: ClassVar[bool] = False
    """Whether each code has a name of its own, instead of a name for each symbol."""

    def __post_init__(self) -> None:
        check_type("symbols", self.symbols, Iterable, "texts such as 'ABC'")
        check_type("aliases", self.aliases, Mapping, "a symbol for each other name")
        object.__setattr__(self, "symbols", tuple(self.symbols))
        if not self.symbols:
            raise ValueError("an alphabet needs at least one symbol")
        names = [*self.symbols, *self.aliases]
        for name in names:
            check_type("symbols", name, str, "texts")
            if not one_spelling(name).strip("\u200b\u200c\u200d\u2060\ufeff"):  # without width
                raise ValueError(f"{name!r} cannot be a symbol: it cannot be seen")
            if _SEPARATED.search(name):
                problem = "blanks, hyphens, quotes and , ; | separate symbols, codes and clues"
                raise ValueError(f"{name!r} cannot be a symbol: {problem}")
        times = Counter(map(self._fold, self.symbols))
        if twice := [symbol for symbol in self.symbols if times[self._fold(symbol)] > 1]:
            raise ValueError(f"the symbol {twice[0]!r} occurs twice; case is ignored")
        if _JOINER in names and any(len(graphemes(name)) > 1 for name in names):
            raise ValueError(f"{_JOINER!r} cannot be a symbol if others have several characters")
        for alias, symbol in self.aliases.items():
            if symbol not in self.symbols:
                raise ValueError(f"the alias {alias!r} is for {symbol!r}, which is not a symbol")
        for alias, symbol in self.aliases.items():
            if self._numbers.get(self._fold(alias)) != self.symbols.index(symbol):
                raise ValueError(f"two symbols have the name {alias!r}")

    def __repr__(self) -> str:
        return f"<Alphabet of {len(self)}: {shorten(' '.join(self.symbols), 60)}>"

    def __len__(self) -> int:
        return len(self.symbols)

    def __iter__(self) -> Iterator[str]:
        return iter(self.symbols)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.number(name) is not None

    def __hash__(self) -> int:
        return hash(self.symbols)

    @cached_property
    def right_to_left(self) -> bool:
        """Whether symbols are written from right to left, as in Hebrew and Arabic."""
        return bidirectional(self.symbols[0][0]) in ("R", "AL")

    @cached_property
    def _has_dotless_i(self) -> bool:
        return has_dotless_i(self.symbols)

    def _fold(self, text: str) -> str:
        """Return a text in one spelling and in lower case, in which ß, one symbol, stays one."""
        text = one_spelling(text)
        if self._has_dotless_i:
            text = text.replace("I", _DOTLESS_I).replace("İ", "i").replace("i\u0307", "i")
        elif text.isascii():
            return text.lower()
        # Upper case of ΐ is three characters, of which only the two of lower case are one again.
        lower = one_spelling(text.lower()).replace(_FINAL_SIGMA, _SIGMA)
        folded = one_spelling(lower.casefold())
        return folded if len(folded) == len(lower) else lower

    @cached_property
    def _numbers(self) -> dict[str, int]:
        numbers = {self._fold(symbol): number for number, symbol in enumerate(self.symbols)}
        for alias, symbol in self.aliases.items():
            numbers.setdefault(self._fold(alias), numbers[self._fold(symbol)])
        for name, signs in _OTHER_SIGNS.items():
            if (number := numbers.get(name)) is not None:
                numbers = dict.fromkeys(signs, number) | numbers
        return numbers

    @cached_property
    def joiner(self) -> str:
        """The text between the symbols of a code: `-` if a symbol has several characters, or ""."""
        several = any(len(graphemes(symbol)) > 1 for symbol in self.symbols)
        return _JOINER if several and not self.digraphs else ""

    @cached_property
    def _digraphs(self) -> re.Pattern[str] | None:
        """Matches symbols of several letters, the longest first; None if they are not read."""
        names = [re.escape(s) for s in self.symbols if len(graphemes(s)) > 1]
        if not (names and self.digraphs):
            return None
        return re.compile(f"({'|'.join(sorted(names, key=len, reverse=True))})", re.IGNORECASE)

    def letters(self, text: str) -> list[str]:
        """Return the graphemes of a text, or, with `digraphs`, its longest symbols, in order."""
        for ligature, letters in self.ligatures:
            text = text.replace(ligature, letters)
        if self._digraphs is None:
            return graphemes(text)
        # Every second part is a digraph, which the group of the pattern keeps.
        parts = enumerate(self._digraphs.split(one_spelling(text)))
        return [each for n, part in parts for each in ([part] if n % 2 else graphemes(part))]

    @cached_property
    def _foreign_sign(self) -> str:
        """The character that `format` writes for `FOREIGN`: one that is not a symbol or alias."""
        signs = "x~#%&!$0z" + "".join(map(chr, range(0x2460, 0x2600)))
        return next(sign for sign in signs if self._fold(sign) not in self._numbers)

    def number(self, symbol: str) -> int | None:
        """Return the symbol number of a symbol or alias, None for any other name."""
        if not isinstance(symbol, str):  # without a call, since each symbol of a row comes here
            check_type("symbol", symbol, str, "a text")
        return self._numbers.get(self._fold(symbol))

    def aliases_of(self, symbol: str) -> list[str]:
        """Return the other names of a symbol, in the order in which they were given."""
        return [alias for alias, its_symbol in self.aliases.items() if its_symbol == symbol]

    @cached_property
    def symbol_values(self) -> list[int] | None:
        """The value of each symbol in sums, or None if some symbol is no number below 10,000."""
        are_numbers = all(s.isascii() and s.isdecimal() and len(s) < 5 for s in self.symbols)
        return [int(symbol) for symbol in self.symbols] if are_numbers else None

    def spell(self, word: str) -> Code | None:
        """Return the code of a word, one symbol per character; None if one is not a symbol."""
        try:
            return tuple([self._numbers[character] for character in self.letters(self._fold(word))])
        except KeyError:
            return None

    def code_of(self, value: Hashable) -> Hashable:
        """Return the code of a value; a value that has none, and a code, are returned unchanged."""
        return value

    def leading_name(self, text: str) -> str:
        """Return the name of a code at the beginning of a text; "" where symbols have the names."""
        return ""

    def tokens(self, text: str) -> list[str]:
        """Split a text such as `red-R-b`, `R R G` or `HORSE` into one name for each symbol.

        Names that are not in the alphabet are returned, too. In an alphabet of single
        characters, `-` joins them only if all are symbols: a guess may have others.
        """
        if text in ("", _EMPTY):
            return []
        parts = _BETWEEN_SYMBOLS.split(text.strip())
        return [name for part in parts for name in self._names_in(part)]

    def _names_in(self, text: str) -> list[str]:
        """Return what `tokens` does for a text without blanks."""
        if _JOINER in text and self.number(_JOINER) is None:
            parts = text.split(_JOINER)
            has_long_names = self.joiner or any(len(graphemes(name)) > 1 for name in self.aliases)
            if has_long_names or all(self.number(part) is not None for part in parts):
                return parts
        return [text] if self.number(text) is not None else self.letters(text)

    def parse(self, text: str, *, foreign: bool = False) -> Code:
        """Return the code of a text; `""` is the code of length 0.

        With `foreign`, unknown symbols become `FOREIGN`; without it they raise InvalidCodeError.
        """
        check_type("code", text, str, "a text")
        code = []
        for token in self.tokens(text):
            number = self.number(token)
            if number is None and not foreign:
                start = "" if text == token else f"{text}: "
                problem = f"{token!r} is not a symbol of this game; its symbols are"
                raise InvalidCodeError(f"{start}{problem} {self._listed()}")
            code.append(FOREIGN if number is None else number)
        return tuple(code)

    def foreign_names(self, text: str) -> list[str]:
        """Return the unknown names in a text, except the sign that `format` uses for `FOREIGN`."""
        names = {self._fold(self._foreign_sign), *self._numbers}
        return [token for token in self.tokens(text) if self._fold(token) not in names]

    def _listed(self) -> str:
        named = []
        for symbol in self.symbols[:30]:
            words = [alias for alias in self.aliases_of(symbol) if len(graphemes(alias)) > 1]
            named.append(" ".join([symbol, *words[:1]]))
        joiner = ", " if any(" " in each for each in named) else " "
        return joiner.join(named) + (" ..." if len(self) > 30 else "")

    def format(self, code: Code) -> str:
        """Return the text of a code, in the form that `parse` reads.

        Raises InvalidCodeError if a number of the code is not a symbol number.
        """
        return self.joiner_of(code).join(self.names(code)) if code else _EMPTY

    def names(self, code: Code) -> list[str]:
        """Return the symbols of a code as they are written, the last in its final form.

        A blank is behind the last symbol of a word that another follows. `FOREIGN` has a sign.
        Raises InvalidCodeError for a number that is no symbol's.
        """
        try:
            if min(code, default=0) < FOREIGN:
                raise IndexError  # which Python would count from the end
            names = [self._foreign_sign if s == FOREIGN else self.symbols[s] for s in code]
            if self.finals and len(names) > 1:  # a letter alone keeps its usual form
                names[-1] = self.finals.get(names[-1], names[-1])
            for end in accumulate(self.parts[:-1]) if len(code) == sum(self.parts) else ():
                names[end - 1] += " "
            return names
        except (IndexError, TypeError):
            raise InvalidCodeError(
                f"{code!r:.60} is not a code: symbols are numbers from 0 to {len(self) - 1}"
            ) from None

    def joiner_of(self, code: Code) -> str:
        """Return the text that `format` puts between the symbols of a code: `-` or "".

        It is `-` if a symbol of the alphabet has several characters, or if `parse` would misread
        the code without it: the text may spell an alias, or two symbols may merge into one
        grapheme.
        """
        names = self.names(code)
        if self.joiner or len(names) < 2:
            return self.joiner
        text = "".join(names)
        misread = self.number(text) is not None or len(self.letters(text)) < len(code)
        return _JOINER if misread else ""


def default_alphabet(count: int) -> Alphabet:
    """Return an alphabet of A, B, C, ... for up to 26 symbols, else of the numbers 1, 2, 3, ..."""
    letters, numbers = range(ord("A"), ord("A") + count), range(1, count + 1)
    return Alphabet(tuple(map(chr, letters) if count <= 26 else map(str, numbers)))


# Ranges of names: `1-6`, `01-12` and `A-F` stand for all names from the first to the last.


def names_in_range(first: str, last: str) -> list[str]:
    """Return the names from `first` to `last`, two numbers or letters of one case.

    Empty if there is no such range. Raises ValueError for more than `MOST_SYMBOLS`.
    """
    is_number = first.isdecimal() and last.isdecimal()
    alike = first.isalpha() and last.isalpha() and first.isupper() == last.isupper()
    if not is_number and not (alike and len(first) == len(last) == 1):
        return []
    least, most = (int(first), int(last)) if is_number else (ord(first), ord(last))
    if most <= least:
        return []
    if most - least >= MOST_SYMBOLS:
        raise ValueError(f"{most - least + 1:,} symbols are too many; at most {MOST_SYMBOLS}")
    numbers = range(least, most + 1)
    return [str(number).zfill(len(first)) if is_number else chr(number) for number in numbers]


def split_ranges(characters: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the first and last character of each range; a single character is both.

    The characters of `0-9+` yield ("0", "9") and ("+", "+").
    """
    place = 0
    while place < len(characters):
        first, middle, last = (*characters[place : place + 3], "", "")[:3]
        if middle == "-" and names_in_range(first, last):
            yield first, last
            place += 3
        else:
            yield first, first
            place += 1
