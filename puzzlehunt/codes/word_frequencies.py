"""Words of 42 languages, weighed by how common they are, from the package `wordfreq`.

A word's weight is the square root of its frequency: of round powers, the one under which the
answers of Wordles in other languages are most likely (benchmarks/results/languages.md).
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from math import sqrt

from puzzlehunt.codes.alphabet import Alphabet, Code
from puzzlehunt.codes.graphemes import grapheme_count
from puzzlehunt.codes.languages import (
    Language,
    alphabet_of_language,
    alphabet_of_words,
    common_letters,
)
from puzzlehunt.codes.spaces import WordSpace
from puzzlehunt.errors import WordListError, missing_package

MOST_WORDS = 20_000
"""Cap on the words of a game: the most common ones."""


@lru_cache(maxsize=16)
def alphabet_of(language: Language, lengths: range | None, accents: bool) -> Alphabet:
    """Return the alphabet of a language; with `accents`, accented letters are letters of their own.

    If the language has none, these are the letters of its words of some lengths (None: any), or the
    most used ones if there are more than an alphabet takes. Raises PuzzlehuntError.
    """
    if language.letters:
        return alphabet_of_language(language, accents)
    found = islice(_written(language, lengths), MOST_WORDS)
    letters = common_letters((word, sqrt(frequency)) for word, frequency in found)
    return alphabet_of_words(letters, accents)


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
    for word, frequency in _written(language, None if alphabet.digraphs else lengths):
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
    length_of = len if language.letters else grapheme_count
    listed = get_frequency_list(language.code)
    get_frequency_list.cache_clear()  # wordfreq would keep every language in memory
    for centibels, words in enumerate(listed):
        frequency = cB_to_freq(-centibels) if words else 0.0
        for word in map(language.spelt, words):
            if (lengths is None or length_of(word) in lengths) and is_written(word):
                yield word, frequency
