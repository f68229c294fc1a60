"""Facts, which are known of the secret from elsewhere: their texts and their constraints.

A fact is written `H____`, `[AEIOU]___T`, `contains E`, `no Q`, `distinct` or `sum 17`.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from puzzlehunt.codes.alphabet import Alphabet
from puzzlehunt.codes.constraints import (
    AllOf,
    At,
    AtLeast,
    Bound,
    distinct,
    forbid,
    require,
    shifted,
)
from puzzlehunt.codes.graphemes import graphemes
from puzzlehunt.errors import InvalidFactError
from puzzlehunt.game.history import Fact

if TYPE_CHECKING:
    from puzzlehunt.game.game import Game

FACT = "/fact "
"""Begins a line, among those of turns, that is no turn but a fact."""
_SUM = re.compile(r"(\d{1,6})(?:\s*(?:-|to)\s*(\d{1,6}))?")
"""`17`, `10-20` or `10 to 20`."""
_OPEN_CELLS = frozenset("_.?")
"""The characters that stand in a pattern for a position of which nothing is known."""


def parse_fact(game: "Game", text: str) -> Fact:
    """Return the fact that a text writes. Raises InvalidFactError.

    In a game of several boards the text begins with the number of a board: `2: H____`.
    """
    if game.boards == 1:
        return parse_code_fact(text, game.alphabet, game.length)
    number, colon, rest = text.partition(":")
    numbers = [str(board + 1) for board in range(game.boards)]
    if not (colon and number.strip() in numbers):
        raise InvalidFactError(f"{text!r}: say of which board, as in 1: contains E")
    board, length = int(number) - 1, game.one_board.length
    fact = parse_code_fact(rest.strip(), game.alphabet, length)
    whole = shifted(fact.constraint, board * length, length)
    return Fact(f"{board + 1}: {fact.text}", whole, board, fact.constraint)


def format_pattern(cells: Sequence[tuple[int, ...]], alphabet: Alphabet) -> str:
    """Return the text of a pattern, given the symbols of each position, () for any symbol."""
    names = ["".join(alphabet.symbols[symbol] for symbol in cell) or "_" for cell in cells]
    return alphabet.joiner.join(names)


def value_of(alphabet: Alphabet, symbol: int) -> int:
    """Return the number that a symbol adds to the sum of a code.

    In an alphabet of numbers below 10,000 that is the symbol's own number; in any other, its place
    in the alphabet (from 1).
    """
    name = alphabet.symbols[symbol]
    if all(other.isascii() and other.isdecimal() and len(other) < 5 for other in alphabet.symbols):
        return int(name)
    return symbol + 1


def parse_code_fact(text: str, alphabet: Alphabet, length: int) -> Fact:
    """Return the fact that a text writes about a code of `length` symbols.

    `contains EE` says that E occurs twice or more; `sum 17`, that the `value_of` all symbols of the
    code add up to 17.
    Raises InvalidFactError.
    """
    words = text.split()
    match [word.casefold() for word in words]:
        case ["distinct"]:
            return Fact("distinct", distinct(len(alphabet)))
        case ["contains", *rest] if rest:
            symbols = _symbols(words[1:], alphabet, text)
            literals = [AtLeast((s,), symbols.count(s)) for s in dict.fromkeys(symbols)]
            names = " ".join(alphabet.symbols[s] for s in symbols)
            if len(symbols) > length:
                raise InvalidFactError(f"{text}: a code has only {length} symbols")
            return Fact(f"contains {names}", AllOf(tuple(map(require, literals))))
        case ["no" | "without", *rest] if rest:
            symbols = sorted(set(_symbols(words[1:], alphabet, text)))
            names = " ".join(alphabet.symbols[s] for s in symbols)
            return Fact(f"no {names}", AllOf(tuple(forbid(AtLeast((s,), 1)) for s in symbols)))
        case ["sum", *rest] if rest:
            return _sum(" ".join(words[1:]), alphabet, length, text)
        case [_]:
            return _pattern(words[0], alphabet, length)
    raise InvalidFactError(
        f"{text!r} is no fact; facts are written {'H'.ljust(length, '_')}, contains E, no Q, "
        "distinct, sum 17"
    )


def _sum(total_text: str, alphabet: Alphabet, length: int, text: str) -> Fact:
    match = _SUM.fullmatch(total_text)
    if match is None:
        raise InvalidFactError(f"{text!r} is no fact; a sum is written sum 17, or sum 10-20")
    low, high = int(match[1]), int(match[2] or match[1])
    values = [value_of(alphabet, symbol) for symbol in range(len(alphabet))]
    if high < low or high < min(values) * length or low > max(values) * length:
        least, most = min(values) * length, max(values) * length
        raise InvalidFactError(f"{text}: the sum of a code is {least} to {most}")
    terms = tuple(
        (value, At(position, (symbol,)))
        for position in range(length)
        for symbol, value in enumerate(values)
        if value
    )
    total = str(low) if low == high else f"{low}-{high}"
    return Fact(f"sum {total}", Bound(low, terms, high))


def _symbols(words: Sequence[str], alphabet: Alphabet, text: str) -> list[int]:
    """Return the symbols that some words name, with repeats; `text` is the fact, for errors."""
    symbols = []
    for word in words:
        for token in alphabet.tokens(word.strip(",")):
            symbol = alphabet.number(token)
            if symbol is None:
                raise InvalidFactError(f"{text}: {token!r} is no symbol of this game")
            symbols.append(symbol)
    if not symbols:
        raise InvalidFactError(f"{text!r} is no fact: it names no symbol")
    return symbols


def _pattern(text: str, alphabet: Alphabet, length: int) -> Fact:
    one_symbol = length == 1 and alphabet.number(text) is not None
    cells = [[text]] if one_symbol else _pattern_cells(text, alphabet)
    if len(cells) != length:
        raise InvalidFactError(
            f"{text!r} is no fact: a pattern has {length} places, this has {len(cells)}"
        )
    bounds: list[Bound] = []
    for position, cell in enumerate(cells):
        if cell is None:
            continue
        symbols = _symbols(cell, alphabet, text)
        bounds.append(require(At(position, tuple(sorted(set(symbols))))))
    if not bounds:
        raise InvalidFactError(f"{text!r} is no fact: every place is open")
    return Fact(text.upper() if not alphabet.case_sensitive else text, AllOf(tuple(bounds)))


def _pattern_cells(text: str, alphabet: Alphabet) -> list[list[str] | None]:
    """Return for each position the names of the symbols it may hold, None for any symbol."""
    if "[" not in text and "-" in text and alphabet.number("-") is None:
        return [None if part in _OPEN_CELLS else [part] for part in text.split("-")]
    cells: list[list[str] | None] = []
    start = 0
    while start < len(text):
        if text[start] == "[":
            end = text.find("]", start)
            if end <= start + 1:
                raise InvalidFactError(f"{text!r}: [ ] holds the symbols that one place may have")
            cells.append(alphabet.tokens(text[start + 1 : end]))
            start = end + 1
        else:
            end = text.find("[", start)
            places = graphemes(text[start:] if end < 0 else text[start:end])
            cells += [None if place in _OPEN_CELLS else [place] for place in places]
            start = len(text) if end < 0 else end
    return cells
