"""The keys `secret.symbols` and `secret.pairs` of a game file: the symbols and their other names.

What cannot be meant is refused, with how to write what may be meant: a number alone, one name for
two symbols, two names in one list.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from puzzlehunt.codes.alphabet import MOST_SYMBOLS, Alphabet, names_in_range, split_ranges
from puzzlehunt.codes.graphemes import grapheme_count, graphemes

_RANGE = re.compile(r"(\w+)(?:\s*(?:-|–|\.\.\.?)\s*|\s+to\s+)(\w+)")  # noqa: RUF001 (a dash)
"""`1-6`, `A-F`, `A..F` or `1 to 6`."""
_SEPARATOR = re.compile(r"[\s,;|]+")
"""What may stand between symbols: no symbol can hold it."""
_NUMBER_ALONE = re.compile(r"[1-9]\d?")
"""`8` or `12`: too many numbers are meant for a count for one to be taken as its digits."""


def alphabet_of_symbols(symbols: str | list[str] | Mapping[str, str | list[str]]) -> Alphabet:
    """Return the alphabet that the value of `secret.symbols` describes.

    Raises ValueError for a value that cannot be meant, and that of `Alphabet`.
    """
    if isinstance(symbols, Mapping):
        return _alphabet_with_names(symbols)
    names = list(_names_in_text(symbols) if isinstance(symbols, str) else _names_of(symbols))
    if pairs := _initials_with_names(names):
        written = ", ".join(f"{initial}: {name}" for initial, name in pairs[:3])
        dots = ", ..." if len(pairs) > 3 else ""
        raise ValueError(
            f"{pairs[0][0]} and {pairs[0][1]} would be two symbols; as two names of one they are "
            f"written {{{written}{dots}}}"
        )
    return _checked(names, {})


def alphabet_of_halves(halves: list[str]) -> Alphabet:
    """Return the alphabet of `secret.pairs`: symbols of a character of each of two texts.

    Raises ValueError for anything but two texts.
    """
    if len(halves) != 2 or not all(halves):
        raise ValueError("expected two texts, such as [CSTXH, RGBYO]: shapes and colours")
    first_halves, second_halves = map(graphemes, halves)
    _check_count(len(first_halves) * len(second_halves))
    return _checked([first + second for first in first_halves for second in second_halves], {})


def _alphabet_with_names(names_of_symbol: Mapping[str, str | list[str]]) -> Alphabet:
    """Return the alphabet of a mapping from each symbol to its other names."""
    aliases: dict[str, str] = {}
    for symbol, names in names_of_symbol.items():
        for name in filter(None, [names] if isinstance(names, str) else names):
            owner = name if name in names_of_symbol else aliases.setdefault(name, symbol)
            if owner != symbol:
                raise ValueError(
                    f"{name!r} stands for two symbols, {owner} and {symbol}; give one of them "
                    "another name"
                )
    others = {name: symbol for name, symbol in aliases.items() if name not in names_of_symbol}
    return _checked(list(names_of_symbol), others)


def _check_count(symbols: int) -> None:
    """Raise ValueError for too many symbols."""
    if symbols > MOST_SYMBOLS:
        raise ValueError(f"{symbols} symbols are too many; at most {MOST_SYMBOLS}")


def _checked(names: list[str], aliases: Mapping[str, str]) -> Alphabet:
    """Return the alphabet of some symbols. Raises ValueError for too many, or names too alike."""
    _check_count(len(names))
    first_with: dict[str, str] = {}
    for name in names:
        other = first_with.setdefault(name.casefold(), name)
        if other != name and grapheme_count(name) > 1:
            raise ValueError(f"{other!r} and {name!r} differ in capital letters alone")
    return Alphabet(tuple(names), aliases)


# Names of symbols in a text or a list.


def _names_in_text(text: str) -> Iterator[str]:
    """Yield the symbols of a text: a range, names with blanks or commas between, or characters."""
    text = text.strip()
    if _NUMBER_ALONE.fullmatch(text):
        raise ValueError(_number_alone(text))
    parts = [text] if _RANGE.fullmatch(text) else list(filter(None, _SEPARATOR.split(text)))
    if len(parts) > 1 or (parts and _RANGE.fullmatch(parts[0])):
        yield from _names_of(parts)
    else:
        yield from _characters(graphemes(text))


def _characters(characters: list[str]) -> Iterator[str]:
    """Yield the characters of a text, those of ranges in it one by one: `0-9+-=`."""
    for first, last in split_ranges(characters):
        yield from [first] if first == last else names_in_range(first, last)


def _names_of(parts: Iterable[str]) -> Iterator[str]:
    """Yield names of symbols, those of a range such as `1-6` one by one."""
    for part in parts:
        match = _RANGE.fullmatch(part)
        yield from names_in_range(match[1], match[2]) if match else [part]


def _number_alone(text: str) -> str:
    """Return the error for a number that may be how many symbols there are, or its digits."""
    count, digits = int(text), ", ".join(text)
    letters = f" or A-{chr(ord('A') + count - 1)}" if count <= 26 else ""
    if count == 1:
        return "one symbol alone leaves nothing to guess; symbols are written 1-6, A-F or RGBY"
    meant = f"the digit {text}" if len(text) == 1 else f"the digits {' and '.join(text)}"
    return f"{text} may be {count} symbols or {meant}: write 1-{count}{letters}, or [{digits}]"


def _initials_with_names(names: list[str]) -> list[tuple[str, str]]:
    """Return the pairs of `R, red, G, green`; [] where not all names are such pairs."""
    pairs = list(zip(names[::2], names[1::2], strict=False))
    are_pairs = all(
        grapheme_count(initial) == 1 < grapheme_count(name)
        and name.casefold().startswith(initial.casefold())
        for initial, name in pairs
    )
    return pairs if are_pairs and 2 * len(pairs) == len(names) > 2 else []
