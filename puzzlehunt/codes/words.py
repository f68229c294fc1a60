"""Word lists: how they are found, read, filtered and weighed.

A list is plain text, one word per line; a number after the word is its weight (how common it is,
relatively); `#` starts a comment. Built-in lists, a user's file, `/usr/share/dict/words` and a list
inside a game file all become a `WordSpace`.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path

from puzzlehunt.codes.alphabet import UNSPELT, Alphabet, Code
from puzzlehunt.codes.files import path_written, read_bytes
from puzzlehunt.codes.graphemes import grapheme_count
from puzzlehunt.codes.spaces import PassedOver, WordSpace, describe_lengths
from puzzlehunt.errors import WordListError, did_you_mean

ENGLISH_LISTS = ("common", "standard", "large", "huge")
"""The built-in lists of English words, shortest first, each a part of the next."""
LIKELY = "likely"
"""The built-in list of words that are weighed: `large`, and words spelt as elsewhere."""

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


class Words(dict[str, float]):
    """The words of a list, as written there and in the same order, each with its weight.

    A word that occurs more than once has the greatest of its weights. `again` contains it once for
    each repetition.
    """

    def __init__(self, weights: Iterable[tuple[str, float]] | Mapping[str, float] = ()) -> None:
        super().__init__(weights)
        self.again: list[str] = []

    def add(self, word: str, weight: float) -> None:
        """Add an entry."""
        if word in self:
            self.again.append(word)
        self[word] = max(weight, self.get(word, 0.0))

    def respelt(self, spelt: Callable[[str], str]) -> "Words":
        """Return the same entries with each word respelt by a function."""
        words = Words()
        for word, weight in self.items():
            words.add(spelt(word), weight)
        words.again += map(spelt, self.again)
        return words


def read(path: Path) -> Words:
    """Return the weights of the words in a file.

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
    return _words((f"{path}:{n}", entry) for n, entry in entries if entry.strip())


def parse_entries(entries: Iterable[str], where: str) -> Words:
    """Return the weights of the words in a list of entries such as `crane` and `slate 2.5`.

    `where` names the list in errors.
    """
    return _words((where, entry) for entry in entries)


def _words(entries: Iterable[tuple[str, str]]) -> Words:
    """Return the words of entries, given where each stands and its text."""
    words = Words()
    for where, entry in entries:
        word, *rest = entry.split() or [""]
        weight = _number(rest[0]) if rest else 1.0
        if not word or len(rest) > 1 or weight is None:
            problem = "is not one word, or one word and its weight"
            raise WordListError(f"{where}: {entry.strip()!r:.60} {problem}")
        if not 0.0 < weight < math.inf:
            raise WordListError(f"{where}: the weight {rest[0]!r} is not a number above 0")
        words.add(word, weight)
    return words


def _number(text: str) -> float | None:
    try:
        return float(text) if any(map(str.isdecimal, text)) else None
    except ValueError:
        return None


def space(
    words: Words, alphabet: Alphabet, lengths: range | None, distinct: bool, where: str
) -> WordSpace:
    """Return the space of the words that a game can use, given their weights.

    A usable word consists of symbols of the alphabet, has one of the `lengths` (None: any) and,
    with `distinct`, no repeated symbol. Words that differ only in case are one word, with the
    greatest of their weights. The space counts all other words in `passed_over`. Raises
    WordListError, which says why, if no word can be used; `where` names the list in the error.
    """
    if not words:
        raise WordListError(f"{where}: the word list is empty")
    usable: dict[Code, float] = {}
    spelt_lengths = set()
    entries, foreign, twice, repeats = [*words, *words.again], list[str](), 0, 0
    length_of: Callable[[str], int] = len if all(map(str.isascii, words)) else grapheme_count
    if alphabet.digraphs:
        length_of = lambda word: len(alphabet.letters(word))  # noqa: E731
    for length in sorted({*map(length_of, words)}):
        if not length or (lengths is not None and length not in lengths):
            continue
        listed = [word for word in entries if length_of(word) == length]
        spelt = alphabet.spell_all(listed, length)
        here = [word for word, code in zip(listed, spelt, strict=True) if UNSPELT in code]
        weights: dict[bytes, float] = {}
        for word, code in zip(listed, spelt, strict=True):
            if UNSPELT not in code:
                weights[code] = max(words[word], weights.get(code, 0.0))
        if weights:
            spelt_lengths.add(length)
        codes = sorted(weights)
        if distinct:
            codes = [code for code in codes if len(set(code)) == length]
        usable.update(zip(map(tuple, codes), map(weights.__getitem__, codes), strict=True))
        foreign += here
        twice += len(listed) - len(here) - len(weights)
        repeats += len(weights) - len(codes)
    if not usable:
        raise WordListError(f"{where}: {_why_none(words, spelt_lengths, lengths, distinct)}")
    names = [(name, name.upper()) for word in foreign for name in alphabet.foreign_names(word)]
    letters = Counter(upper if grapheme_count(upper) == 1 else name for name, upper in names)
    others = len(entries) - len(foreign) - twice - repeats - len(usable)
    passed_over = PassedOver(
        len(foreign), tuple(name for name, _ in letters.most_common()), twice, others, repeats
    )
    return WordSpace(alphabet, usable, passed_over)


@lru_cache(maxsize=16)
def built_in_space(
    name: str, alphabet: Alphabet, lengths: range | None, distinct: bool
) -> WordSpace:
    """Return the space of the words of a built-in list that a game can use; see `space`.

    The 16 most recent results are cached. Words of other lengths are not counted as `passed_over`.
    """
    path = find(name, Path())
    is_part = lengths is not None and not alphabet.digraphs
    words = _read_lengths(path, lengths) if is_part and lengths else Words()
    return space(words or read(path), alphabet, lengths, distinct, name)


def _read_lengths(path: Path, lengths: range) -> Words:
    """Return `read` of a built-in list, but only the words of some lengths, all in ASCII."""
    text = "\n" + path.read_text(encoding="ascii")
    entry = rf"\n(\S{{{lengths[0]},{lengths[-1]}}}(?: .*)?)$"  # `^` is tried at every character
    return parse_entries(re.findall(entry, text, re.MULTILINE), path.stem)


def _why_none(
    words: dict[str, float], spelt_lengths: set[int], lengths: range | None, distinct: bool
) -> str:
    """Return why no word can be used.

    `spelt_lengths` are the lengths of the words of which every character is a symbol.
    """
    present = sorted({grapheme_count(word) for word in words})
    of_length = "" if lengths is None else f" of {describe_lengths(lengths, 'letter')}"
    if spelt_lengths and distinct:
        return f"every word{of_length} repeats a letter, and distinct asks for words that do not"
    if lengths is not None and not any(length in lengths for length in present):
        return (
            f"none of its words has {describe_lengths(lengths, 'letter')}; they have "
            f"{describe_lengths(range(present[0], present[-1] + 1))}"
        )
    return f"none of its words{of_length} is written in the symbols of the game"
