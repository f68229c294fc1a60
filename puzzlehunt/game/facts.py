"""Facts: what is known of the secret from elsewhere, how it is written, what it means.

`H____`, `[AEIOU]___T`, `contains E`, `no Q`, `distinct`, `sum 17`.
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
from puzzlehunt.errors import InvalidFactError
from puzzlehunt.game.history import Fact

if TYPE_CHECKING:
    from puzzlehunt.game.game import Game

_SUM = re.compile(r"(\d{1,6})(?:\s*(?:-|to)\s*(\d{1,6}))?")
_OPEN = frozenset("_.?")
"""What stands in a pattern for a place of which nothing is known."""


def parse_fact(game: "Game", text: str) -> Fact:
    """Return the fact that a text writes. Raises InvalidFactError.

    In a game of several boards it begins with the number of one: `2: H____`.
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
    """Return the text of a pattern, given the symbols of each place, () where it is open."""
    names = ["".join(alphabet.symbols[symbol] for symbol in cell) or "_" for cell in cells]
    return ("-" if any(len(symbol) > 1 for symbol in alphabet.symbols) else "").join(names)


def value_of(alphabet: Alphabet, symbol: int) -> int:
    """Return what a symbol counts in a sum: its digit, else its place in the alphabet from 1."""
    name = alphabet.symbols[symbol]
    if all(other.isascii() and other.isdecimal() and len(other) < 5 for other in alphabet.symbols):
        return int(name)
    return symbol + 1


def parse_code_fact(text: str, alphabet: Alphabet, length: int) -> Fact:
    """Return the fact that a text writes of a code of so many symbols.

    `H____`, `[AEIOU]___T`, `contains E`, `no Q`, `distinct`, `sum 17`. `contains EE` says that E
    occurs twice or more; a symbol counts by its digit, or by its place in the alphabet from 1.
    Raises InvalidFactError.
    """
    words = text.split()
    match [word.casefold() for word in words]:
        case ["distinct"]:
            return Fact("distinct", distinct(len(alphabet)))
        case ["contains", *rest] if rest:
            numbers = _symbols(words[1:], alphabet, text)
            terms = [AtLeast((s,), numbers.count(s)) for s in dict.fromkeys(numbers)]
            names = " ".join(alphabet.symbols[s] for s in numbers)
            if len(numbers) > length:
                raise InvalidFactError(f"{text}: a code has only {length} symbols")
            return Fact(f"contains {names}", AllOf(tuple(require(term) for term in terms)))
        case ["no" | "without", *rest] if rest:
            numbers = sorted(set(_symbols(words[1:], alphabet, text)))
            names = " ".join(alphabet.symbols[s] for s in numbers)
            return Fact(f"no {names}", AllOf(tuple(forbid(AtLeast((s,), 1)) for s in numbers)))
        case ["sum", *rest] if rest:
            return _sum(" ".join(words[1:]), alphabet, length, text)
        case [_]:
            return _pattern(words[0], alphabet, length)
    raise InvalidFactError(
        f"{text!r} is no fact; facts are written {'H'.ljust(length, '_')}, contains E, no Q, "
        "distinct, sum 17"
    )


def _sum(numbers: str, alphabet: Alphabet, length: int, text: str) -> Fact:
    written = _SUM.fullmatch(numbers)
    if written is None:
        raise InvalidFactError(f"{text!r} is no fact; a sum is written sum 17, or sum 10-20")
    low, high = int(written[1]), int(written[2] or written[1])
    values = [value_of(alphabet, symbol) for symbol in range(len(alphabet))]
    if high < low or high < min(values) * length or low > max(values) * length:
        least, most = min(values) * length, max(values) * length
        raise InvalidFactError(f"{text}: the sum of a code is {least} to {most}")
    terms = tuple(
        (value, At(place, (symbol,)))
        for place in range(length)
        for symbol, value in enumerate(values)
        if value
    )
    total = str(low) if low == high else f"{low}-{high}"
    return Fact(f"sum {total}", Bound(low, terms, high))


def _symbols(words: Sequence[str], alphabet: Alphabet, text: str) -> list[int]:
    numbers = []
    for word in words:
        for token in alphabet.tokens(word.strip(",")):
            number = alphabet.number(token)
            if number is None:
                raise InvalidFactError(f"{text}: {token!r} is no symbol of this game")
            numbers.append(number)
    if not numbers:
        raise InvalidFactError(f"{text!r} is no fact: it names no symbol")
    return numbers


def _pattern(text: str, alphabet: Alphabet, length: int) -> Fact:
    named = length == 1 and alphabet.number(text) is not None
    cells = [[text]] if named else _pattern_cells(text, alphabet)
    if len(cells) != length:
        raise InvalidFactError(
            f"{text!r} is no fact: a pattern has {length} places, this has {len(cells)}"
        )
    bounds: list[Bound] = []
    for position, cell in enumerate(cells):
        if cell is None:
            continue
        numbers = _symbols(cell, alphabet, text)
        bounds.append(require(At(position, tuple(sorted(set(numbers))))))
    if not bounds:
        raise InvalidFactError(f"{text!r} is no fact: every place is open")
    return Fact(text.upper() if not alphabet.case_sensitive else text, AllOf(tuple(bounds)))


def _pattern_cells(text: str, alphabet: Alphabet) -> list[list[str] | None]:
    """Return for each place the symbols it may hold, None where it is open."""
    if "[" not in text and "-" in text and alphabet.number("-") is None:
        return [None if part in _OPEN else [part] for part in text.split("-")]
    cells: list[list[str] | None] = []
    position = 0
    while position < len(text):
        if text[position] == "[":
            end = text.find("]", position)
            if end <= position + 1:
                raise InvalidFactError(f"{text!r}: [ ] holds the symbols that one place may have")
            cells.append(alphabet.tokens(text[position + 1 : end]))
            position = end + 1
        else:
            cells.append(None if text[position] in _OPEN else [text[position]])
            position += 1
    return cells
