"""Word lists: how they are found, read, filtered and weighed.

A list is plain text, one word or phrase per line; a number after it is its weight (how common it
is, relatively); `#` starts a comment. Built-in lists, a user's file, `/usr/share/dict/words` and a
list inside a game file all become a `WordSpace`.
"""

import gzip
import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import TypeAlias

from puzzlehunt.codes.alphabet import Alphabet, Code, graphemes
from puzzlehunt.codes.files import path_written, read_bytes
from puzzlehunt.codes.spaces import WordSpace, describe_lengths
from puzzlehunt.errors import WordListError, did_you_mean

LEVELS = {"common": 35, "standard": 60, "large": 80, "huge": 95}
"""The built-in lists of English words, shortest first, each with the highest level of its words."""
LIKELY = "likely"
"""The built-in list of words that are weighed: `large`, and words spelt as elsewhere."""
BUILT_IN_LISTS = sorted([*LEVELS, LIKELY])

Entry: TypeAlias = tuple[str, float]
"""A word or a phrase of a list, and its weight."""


@cache
def resource_folder(name: str) -> Path:
    """Return the folder `name` of built-in files: in the installed package, or in a checkout."""
    package = Path(__file__).parent.parent
    return package / name if (package / name).is_dir() else package.parent / name


def wider_lists(name: str) -> list[str]:
    """Return the lists of `LEVELS` that are larger than a given list; all for any other list.

    The list `LIKELY` counts as `large`.
    """
    level = LEVELS.get("large" if name == LIKELY else name, 0)
    return [wider for wider in LEVELS if LEVELS[wider] > level]


def built_in(name: str, lengths: Iterable[int] = range(1, 100)) -> Iterator[Entry]:
    """Yield the words of a built-in list with `lengths` letters, and their weights.

    Each length has a file, compressed in the installed package. A line is a word, the level of the
    smallest of the `LEVELS` that has it (100 if none has), and its weight if it is in `LIKELY`.
    """
    for length in lengths:
        path = resource_folder("wordlists") / "english" / f"{length}.txt"
        packed = path.with_suffix(".txt.gz")
        data = path.read_bytes() if path.exists() else b""
        data = gzip.decompress(packed.read_bytes()) if packed.exists() else data
        for word, level, *weights in map(str.split, data.decode("ascii").splitlines()):
            if name == LIKELY:
                yield from ((word, float(weight)) for weight in weights)
            elif int(level) <= LEVELS[name]:
                yield word, 1.0


def find(name: str, folder: Path) -> Path:
    """Return the file of a word list, given its path (relative to `folder`).

    Raises WordListError, with the nearest built-in name, if there is no such file.
    """
    with suppress(OSError, ValueError):
        path = folder / path_written(name)
        if path.is_file():
            return path
    hint = did_you_mean(name, BUILT_IN_LISTS)
    raise WordListError(f"no word list {name!r}: neither a file nor built in{hint}")


def read(path: Path, phrases: bool = False) -> list[Entry]:
    """Return the words in a file, as written there and in the same order, with their weights.

    Raises WordListError for a file that cannot be read, and for a line that is neither a word, or
    several if it may have `phrases`, nor that and its weight.
    """
    raw = read_bytes(path, 32_000_000, WordListError)  # dictionaries have up to a million words
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    entries, where = list[Entry](), str(path)
    for number, line in enumerate(text.splitlines(), start=1):
        written = line.partition("#")[0]
        if parts := written.split():  # a word alone takes no call, since a list may be long
            is_word, place = len(parts) == 1, f"{where}:{number}"
            entries.append((parts[0], 1.0) if is_word else parse_entry(written, place, phrases))
    return entries


def parse_entry(text: str, where: str, phrases: bool) -> Entry:
    """Return the word and weight of an entry such as `crane`, `slate 2.5`, or a phrase.

    `where` names the list in errors.
    """
    parts, weight = text.split(), 1.0
    if len(parts) > 1:
        with suppress(ValueError):
            weight = float(parts[-1])
            parts.pop()
    if not (len(parts) == 1 or (parts and phrases)) or not 0.0 < weight < math.inf:
        problem = "is not one word, or one word and its weight above 0"
        lengths = "+".join(str(len(graphemes(part))) for part in parts)
        way = f"; for phrases, write length: {lengths}" if len(parts) > 1 and not phrases else ""
        raise WordListError(f"{where}: {text.strip()!r:.60} {problem}{way}")
    return " ".join(parts), weight


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
        code = alphabet.spell(word)
        if lengths is not None and len(code or alphabet.letters(word)) not in lengths:
            continue
        if code is None:
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
    listed = [*built_in(name, lengths)] if lengths and not alphabet.digraphs else []
    return space(listed or [*built_in(name)], alphabet, lengths, distinct, name)
