"""Languages: their letters in order, accented letters that are aliases, and their words.

They are listed in `languages.csv`. Letters, order and accents are the main exemplar characters of
the Unicode Common Locale Data Repository (CLDR 46 and 47, https://cldr.unicode.org,
`characters.json` of each language); an accented letter listed with its base letter, as é with e, is
an alias of it. Exceptions:

- German ä, ö, ü and ß are letters after z, as in the official spelling rules (Amtliches Regelwerk
  der deutschen Rechtschreibung, part A, 0);
- the alphabets of Czech, Hungarian, Lithuanian and Slovak have their accented letters, too, but no
  digraphs;
- the é of Danish and the circumflex of Turkish are taken from the auxiliary characters;
- the final forms of Hebrew letters, and final sigma, are the letters themselves.

A language without an alphabet here has the letters of its words, of one or a few scripts.

Words are those of the package `wordfreq`. A word's weight is the square root of its frequency: of
round powers, the one under which the answers of Wordles in other languages are most likely
(benchmarks/results/languages.md).
"""

import csv
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice
from math import sqrt
from pathlib import Path

from puzzlehunt.codes.alphabet import (
    MOST_SYMBOLS,
    Alphabet,
    Code,
    graphemes,
    has_dotless_i,
    one_spelling,
)
from puzzlehunt.codes.spaces import WordSpace
from puzzlehunt.errors import WordListError, missing_package, unknown_name

MOST_WORDS = 20_000
"""Cap on the words of a game: the most common ones."""


@dataclass(frozen=True, slots=True)
class Language:
    """The letters of a language in order, and its accented letters, which are aliases of letters.

    `codes` are its codes in ISO 639 between blanks, that of its words first. `ligatures` are pairs
    of a character and the two letters that it stands for, `finals` pairs of a letter and its form
    at the end of a word. A language without `letters` is written in the `scripts` of Unicode.
    """

    codes: str
    letters: str
    accented: str
    scripts: tuple[str, ...]
    ligatures: tuple[tuple[str, str], ...]
    finals: tuple[tuple[str, str], ...]


def _pairs(text: str) -> tuple[tuple[str, str], ...]:
    return tuple((one, other) for one, _, other in (pair.partition("=") for pair in text.split()))


with Path(__file__).with_name("languages.csv").open(encoding="utf-8", newline="") as _file:
    LANGUAGES = {
        name: Language(codes, letters, accented, (*scripts.split(),), _pairs(two), _pairs(finals))
        for name, codes, letters, accented, scripts, two, finals in list(csv.reader(_file))[1:]
    }
"""The languages by name."""


def find_language(text: str, with_letters: bool = False) -> Language:
    """Return a language by its name or its code, such as `spanish`, `es` or `es-MX`.

    Raises UnknownNameError, which suggests the nearest name; also, `with_letters`, for a language
    that has none here.
    """
    folded = text.strip().casefold()
    first = folded.replace("_", "-").split("-")[0]
    known = {name: found for name, found in LANGUAGES.items() if found.letters or not with_letters}
    for name, language in known.items():
        if folded == name or first in language.codes.split():
            return language
    raise unknown_name("alphabet" if with_letters else "language", text, known)


@cache
def alphabet_of_language(language: Language, accents: bool = False) -> Alphabet:
    """Return the alphabet of a language, with its accented letters as aliases.

    With `accents`, each of them is a letter of its own instead, after the letter without accent.
    """
    dotted = {"I": "İ"} if has_dotless_i(language.letters) else {}
    plain = [unicodedata.normalize("NFD", letter)[0].upper() for letter in language.accented]
    aliases = dict(zip(language.accented, [dotted.get(base, base) for base in plain], strict=True))
    if accents:
        after = {base: [c for c in aliases if aliases[c] == base] for base in language.letters}
        letters = tuple(c for base in language.letters for c in (base, *after[base]))
        return Alphabet(letters, ligatures=language.ligatures)
    aliases |= {final: letter for letter, final in language.finals}
    return Alphabet(tuple(language.letters), aliases, dict(language.finals), language.ligatures)


def alphabet_of_words(words: Iterable[str], accents: bool = True) -> Alphabet:
    """Return the alphabet of all letters and digits in some words; é comes directly after e.

    Without `accents`, é is an alias of e. Punctuation such as apostrophes is left out. Raises
    ValueError if there are no letters, or more than `MOST_SYMBOLS`.
    """
    listed = one_spelling("\n".join(words))
    found = {character for character in graphemes(listed) if character[0].isalnum()}
    turkish = has_dotless_i(found)
    letters = {_upper(letter, turkish) for letter in found}
    if not letters:
        raise ValueError("its words have no letters")
    plain = {letter: letter if accents else without_accent(letter) for letter in letters}
    symbols = {*plain.values()}
    if len(symbols) > MOST_SYMBOLS:
        raise ValueError(f"its words have {len(symbols)} letters; at most {MOST_SYMBOLS} are taken")
    return Alphabet(
        tuple(sorted(symbols, key=lambda letter: (unicodedata.normalize("NFD", letter), letter))),
        {letter: base for letter, base in sorted(plain.items()) if letter != base},
    )


def without_accent(letter: str) -> str:
    """Return a letter without the accents above and below it."""
    parts = unicodedata.normalize("NFD", letter)
    # Vowel signs and points have a lower combining class than accents.
    return one_spelling("".join(c for c in parts if unicodedata.combining(c) < 200))


def _upper(letter: str, turkish: bool) -> str:
    """Return a letter in upper case, or unchanged if that would be several letters."""
    if turkish:
        letter = letter.replace("i", "İ")
    upper = "ẞ" if letter == "ß" else letter.upper()
    return upper if len(graphemes(upper)) == 1 else letter


@lru_cache(maxsize=16)
def spoken_alphabet(language: Language, lengths: range | None, accents: bool) -> Alphabet:
    """Return the alphabet of a language; with `accents`, accented letters are letters of their own.

    If the language has none, these are the letters of its words of some lengths (None: any), or the
    most used ones if there are more than an alphabet takes. Raises PuzzlehuntError.
    """
    if language.letters:
        return alphabet_of_language(language, accents)
    weights = Counter[str]()
    for word, frequency in islice(_written(language, lengths), MOST_WORDS):
        weights.update(dict.fromkeys(graphemes(one_spelling(word)), sqrt(frequency)))
    return alphabet_of_words((letter for letter, _ in weights.most_common(MOST_SYMBOLS)), accents)


@lru_cache(maxsize=16)
def language_space(
    language: Language, alphabet: Alphabet, lengths: range | None, distinct: bool
) -> WordSpace:
    """Return the `MOST_WORDS` most common words of a language in an alphabet, weighed.

    They have one of the `lengths` (None: any) and, with `distinct`, no repeated symbol. Words that
    are spelt alike are one word. Raises WordListError if there are none, PuzzlehuntError if the
    package is missing.
    """
    frequencies: dict[Code, float] = {}
    # A word has fewer characters than letters if it has ligatures.
    characters = None if lengths is None or alphabet.digraphs else range(lengths.stop)
    for word, frequency in _written(language, characters):
        code = alphabet.spell(word)
        if code is None or (lengths is not None and len(code) not in lengths):
            continue
        if not (distinct and len({*code}) < len(code)):
            frequencies[code] = frequencies.get(code, 0.0) + frequency
            if len(frequencies) == MOST_WORDS:
                break
    if not frequencies:
        raise WordListError("the language has no such words; another length may have some")
    codes = sorted(frequencies, key=lambda code: (len(code), code))
    return WordSpace(alphabet, {code: sqrt(frequencies[code]) for code in codes})


def _written(language: Language, lengths: range | None) -> Iterator[tuple[str, float]]:
    """Yield the words of a language that have some lengths, with frequencies, most common first."""
    try:
        import regex
        from wordfreq import cB_to_freq, get_frequency_list
    except ImportError:
        need = "words of a language need the package wordfreq"
        raise missing_package(need, "languages") from None
    scripts = "".join(rf"\p{{{script}}}" for script in language.scripts)
    letter = rf"(?=\p{{L}})[{scripts}]\p{{M}}*" if scripts else r"\p{L}"
    is_written = regex.compile(f"(?:{letter})+").fullmatch
    length_of = len if language.letters else lambda word: len(graphemes(word))
    listed = get_frequency_list(language.codes.split()[0])
    get_frequency_list.cache_clear()  # wordfreq would keep every language in memory
    for centibels, words in enumerate(listed):
        frequency = cB_to_freq(-centibels) if words else 0.0
        for word in words:
            if (lengths is None or length_of(word) in lengths) and is_written(word):
                yield word, frequency
