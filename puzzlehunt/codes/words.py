"""Word lists: how they are found, read, filtered and weighed.

A list is plain text, one word per line; a number after the word is its weight (how common it is,
relatively); `#` starts a comment. Built-in lists, a user's file, `/usr/share/dict/words` and a list
inside a game file all become a `WordSpace`.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TypeAlias

from puzzlehunt.codes.alphabet import Alphabet, Code
from puzzlehunt.codes.files import path_written, read_bytes
from puzzlehunt.codes.graphemes import grapheme_count
from puzzlehunt.codes.spaces import PassedOver, WordSpace, describe_lengths
from puzzlehunt.errors import WordListError, did_you_mean

ENGLISH_LISTS = ("common", "standard", "large", "huge")
"""The built-in lists of English words, shortest first, each a part of the next."""
LIKELY = "likely"
"""The built-in list of words that are weighed: `large`, and words spelt as elsewhere."""

Entry: TypeAlias = tuple[str, float]
"""A word of a list, and its weight."""

_MOST_BYTES, _MOST_WORDS = 64_000_000, 3_000_000
"""Greatest size of a word list's file (bytes), and, about, of its words and weights: the largest
dictionaries have a million words."""
_PACKAGE = Path(__file__).parent.parent


@cache
def resource_folder(name: str) -> Path:
    """Return the folder `name` of built-in files: in the installed package, or in a checkout."""
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


def built_in_lists() -> list[str]:
    """Return the names of the word lists that come with the package, sorted."""
    return sorted(
        path.stem
        for path in resource_folder("wordlists").glob("*.txt")
        if not path.stem.startswith("COPYRIGHT")
    )


def wider_lists(name: str) -> list[str]:
    """Return the English lists that are larger than a given list; all for any other list.

    The names are those in `ENGLISH_LISTS`. The list `LIKELY` counts as `large`.
    """
    name = "large" if name == LIKELY else name
    if name in ENGLISH_LISTS:
        return list(ENGLISH_LISTS[ENGLISH_LISTS.index(name) + 1 :])
    return list(ENGLISH_LISTS)


def find(name: str, folder: Path) -> Path:
    """Return the file of a word list, given a built-in name or a path (relative to `folder`).

    Raises WordListError, with the nearest built-in name, if there is no such file.
    """
    built_in = resource_folder("wordlists") / f"{name}.txt"
    if name in built_in_lists():
        return built_in
    try:
        path = folder / path_written(name)
        exists = path.is_file()
    except (OSError, RuntimeError, ValueError):
        exists = False
    if not exists:
        raise WordListError(
            f"no word list {name!r}: neither a file nor built in"
            f"{did_you_mean(name, built_in_lists())}"
        )
    return path


def read(path: Path) -> list[Entry]:
    """Return the words in a file, as written there and in the same order, with their weights.

    Raises WordListError for a file that cannot be read, and for a line that is neither a word nor a
    word and its weight.
    """
    try:
        raw = read_bytes(path, _MOST_BYTES)
    except OSError as error:
        raise WordListError(f"{path}: cannot be read ({error.strerror})") from None
    if sum(map(raw.count, (b"\n", b"\r", b" ", b"\t"))) > _MOST_WORDS:
        raise WordListError(f"{path}: more than {_MOST_WORDS:,} words and weights")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    entries = ((n, line.partition("#")[0]) for n, line in enumerate(text.splitlines(), start=1))
    return _entries((f"{path}:{n}", entry) for n, entry in entries if entry.strip())


def parse_entries(entries: Iterable[str], where: str) -> list[Entry]:
    """Return the words of a list of entries such as `crane` and `slate 2.5`, with their weights.

    `where` names the list in errors.
    """
    return _entries((where, entry) for entry in entries)


def _entries(entries: Iterable[tuple[str, str]]) -> list[Entry]:
    """Return each word with its weight, given where each entry stands and its text."""
    words = []
    for where, entry in entries:
        word, *rest = entry.split() or [""]
        weight = _number(rest[0]) if rest else 1.0
        if not word or len(rest) > 1 or weight is None:
            problem = "is not one word, or one word and its weight"
            raise WordListError(f"{where}: {entry.strip()!r:.60} {problem}")
        if not 0.0 < weight < math.inf:
            raise WordListError(f"{where}: the weight {rest[0]!r} is not a number above 0")
        words.append((word, weight))
    return words


def _number(text: str) -> float | None:
    try:
        return float(text) if any(map(str.isdecimal, text)) else None
    except ValueError:
        return None


def space(
    words: Sequence[Entry], alphabet: Alphabet, lengths: range | None, distinct: bool, where: str
) -> WordSpace:
    """Return the space of the words that a game can use, given each with its weight.

    A usable word consists of symbols of the alphabet, has one of the `lengths` (None: any) and,
    with `distinct`, no repeated symbol. Words that differ only in case are one word, with the
    greatest of their weights. The space counts in `passed_over` the words of these lengths that
    have other letters or stand twice. Raises WordListError if no word can be used; `where` names
    the list in the error.
    """
    if not words:
        raise WordListError(f"{where}: the word list is empty")
    found: dict[Code, float] = {}
    foreign, twice, sizes = list[str](), 0, set[int]()
    for word, weight in words:
        size = len(alphabet.letters(word))
        sizes.add(size)
        if lengths is not None and size not in lengths:
            continue
        if (code := alphabet.spell(word)) is None:
            foreign.append(word)
        else:
            twice += code in found
            found[code] = max(weight, found.get(code, 0.0))
    codes = [code for code in sorted(found) if not distinct or len({*code}) == len(code)]
    usable = {code: found[code] for code in sorted(codes, key=len)}
    if not usable:
        fit = "" if lengths is None else f" of {describe_lengths(lengths, 'letter')}"
        once = ", each once" if distinct else ""
        have = describe_lengths(range(min(sizes), max(sizes) + 1), "letter")
        raise WordListError(
            f"{where}: none of its words{fit} is written in the symbols of the game{once}; "
            f"they have {have}"
        )
    names = [(name, name.upper()) for word in foreign for name in alphabet.foreign_names(word)]
    letters = Counter(upper if grapheme_count(upper) == 1 else name for name, upper in names)
    by_use = tuple(name for name, _ in letters.most_common())
    return WordSpace(alphabet, usable, PassedOver(len(foreign), by_use, twice))


@lru_cache(maxsize=16)
def built_in_space(
    name: str, alphabet: Alphabet, lengths: range | None, distinct: bool
) -> WordSpace:
    """Return the space of the words of a built-in list that a game can use; see `space`.

    The 16 most recent results are cached. Words of other lengths are not counted as `passed_over`.
    """
    path = find(name, Path())
    if not lengths or alphabet.digraphs:
        return space(read(path), alphabet, lengths, distinct, name)
    text = "\n" + path.read_text(encoding="ascii")
    entry = rf"\n(\S{{{lengths[0]},{lengths[-1]}}}(?: .*)?)$"  # `^` is tried at every character
    words = parse_entries(re.findall(entry, text, re.MULTILINE), name)
    return space(words or read(path), alphabet, lengths, distinct, name)
