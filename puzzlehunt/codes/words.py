"""Word lists: how they are found, read, filtered and weighed.

A list is plain text, one word per line; a number after the word is its weight (how common it is,
relatively); `#` starts a comment. Built-in lists, a user's file, `/usr/share/dict/words` and a list
inside a game file all become a `WordSpace`.
"""

import math
import re
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TypeAlias

from puzzlehunt.codes.alphabet import Alphabet, Code
from puzzlehunt.codes.files import path_written, read_bytes
from puzzlehunt.codes.spaces import WordSpace, describe_lengths
from puzzlehunt.errors import WordListError, did_you_mean

ENGLISH_LISTS = ("common", "standard", "large", "huge")
"""The built-in lists of English words, shortest first, each a part of the next."""
LIKELY = "likely"
"""The built-in list of words that are weighed: `large`, and words spelt as elsewhere."""

Entry: TypeAlias = tuple[str, float]
"""A word of a list, and its weight."""


@cache
def resource_folder(name: str) -> Path:
    """Return the folder `name` of built-in files: in the installed package, or in a checkout."""
    package = Path(__file__).parent.parent
    return package / name if (package / name).is_dir() else package.parent / name


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
    first = ENGLISH_LISTS.index(name) + 1 if name in ENGLISH_LISTS else 0
    return list(ENGLISH_LISTS[first:])


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
        raw = read_bytes(path, 32_000_000)  # the largest dictionaries have a million words
    except OSError as error:
        raise WordListError(f"{path}: cannot be read ({error.strerror})") from None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    lines = [(n, line.partition("#")[0]) for n, line in enumerate(text.splitlines(), start=1)]
    return [parse_entry(line, f"{path}:{n}") for n, line in lines if line.strip()]


def parse_entry(text: str, where: str) -> Entry:
    """Return the word and weight of an entry such as `crane` or `slate 2.5`.

    `where` names the list in errors.
    """
    word, *rest = text.split() or [""]
    try:
        (weight,) = map(float, rest or ["1"])
    except ValueError:
        weight = 0.0
    if not word or not 0.0 < weight < math.inf:
        problem = "is not one word, or one word and its weight above 0"
        raise WordListError(f"{where}: {text.strip()!r:.60} {problem}")
    return word, weight


def space(
    words: Sequence[Entry], alphabet: Alphabet, lengths: range | None, distinct: bool, where: str
) -> WordSpace:
    """Return the space of the words that a game can use, given each with its weight.

    A usable word consists of symbols of the alphabet, has one of the `lengths` (None: any) and,
    with `distinct`, no repeated symbol. Words that differ only in case are one word, with the
    greatest of their weights. Words of these lengths that have other letters are the space's
    `passed_over`. Raises WordListError if no word can be used; `where` names the list in the error.
    """
    if not words:
        raise WordListError(f"{where}: the word list is empty")
    found: dict[Code, float] = {}
    foreign = list[str]()
    for word, weight in words:
        if lengths is not None and len(alphabet.letters(word)) not in lengths:
            continue
        if (code := alphabet.spell(word)) is None:
            foreign.append(word)
        else:
            found[code] = max(weight, found.get(code, 0.0))
    codes = [code for code in sorted(found) if not distinct or len({*code}) == len(code)]
    if not codes:
        fit = "" if lengths is None else f" of {describe_lengths(lengths, 'letter')}"
        once = ", each once" if distinct else ""
        problem = f"none of its words{fit} is written in the symbols of the game{once}"
        raise WordListError(f"{where}: {problem}")
    usable = {code: found[code] for code in sorted(codes, key=len)}
    return WordSpace(alphabet, usable, tuple(foreign))


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
    words = [parse_entry(found, name) for found in re.findall(entry, text, re.MULTILINE)]
    return space(words or read(path), alphabet, lengths, distinct, name)
