"""Ranges of names: `1-6`, `01-12` and `A-F` stand for all names from the first to the last."""

from collections.abc import Iterable, Iterator

from puzzlehunt.codes.alphabet import MOST_SYMBOLS


def is_range(first: str, last: str) -> bool:
    """Return whether two names are numbers or single letters of one case, the second higher."""
    if first.isdecimal() and last.isdecimal():
        return int(first) < int(last)
    alike = first.isalpha() and last.isalpha() and first.isupper() == last.isupper()
    return alike and len(first) == len(last) == 1 and first < last


def names_in_range(first: str, last: str) -> Iterable[str]:
    """Return the names from `first` to `last`. Raises ValueError where there is no such range."""
    if not is_range(first, last):
        raise ValueError(f"{first}-{last} is no range; ranges are written 1-6, A-F or a-f")
    if first.isdecimal():
        return [str(number).zfill(len(first)) for number in _numbers(int(first), int(last))]
    return map(chr, _numbers(ord(first), ord(last)))


def split_ranges(characters: list[str]) -> Iterator[tuple[str, str]]:
    """Yield characters, each as the first and last of a range: `0-9+` is (0, 9) and (+, +)."""
    place = 0
    while place < len(characters):
        first, middle, last = [*characters[place : place + 3], "", ""][:3]
        is_one = middle == "-" and is_range(first, last)
        yield first, last if is_one else first
        place += 3 if is_one else 1


def _numbers(first: int, last: int) -> range:
    if last - first >= MOST_SYMBOLS:
        raise ValueError(f"{last - first + 1:,} symbols are too many; at most {MOST_SYMBOLS}")
    return range(first, last + 1)
