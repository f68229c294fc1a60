"""Alphabets of languages: their letters in order, and accented letters that are aliases.

Letters, order and accents are the main exemplar characters of the Unicode Common Locale Data
Repository (CLDR 47, https://cldr.unicode.org, `characters.json` of each language); an accented
letter listed with its base letter, as é with e, is an alias of it. There are three exceptions:
German ä, ö, ü and ß are letters after z, as in the official spelling rules (Amtliches Regelwerk der
deutschen Rechtschreibung, part A, 0), and the é of Danish and the circumflex of Turkish are taken
from the auxiliary characters.
"""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from puzzlehunt.codes.alphabet import MOST_SYMBOLS, Alphabet, has_dotless_i
from puzzlehunt.codes.graphemes import grapheme_count, graphemes, one_spelling
from puzzlehunt.errors import unknown_name

_LATIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Language:
    """The letters of a language in order, and its accented letters, which are aliases of letters.

    `ligatures` are pairs of a character and the two letters that it stands for.
    """

    letters: str
    accented: str = ""
    ligatures: tuple[tuple[str, str], ...] = ()

    def spelt(self, word: str) -> str:
        """Return a word in which each ligature is replaced by its two letters."""
        for ligature, letters in self.ligatures:
            word = word.replace(ligature, letters)
        return word


_OE_AE = (("œ", "oe"), ("Œ", "OE"), ("æ", "ae"), ("Æ", "AE"))
LANGUAGES = {
    "danish": Language(f"{_LATIN}ÆØÅ", "É"),
    "english": Language(_LATIN),
    "finnish": Language(f"{_LATIN}ÅÄÖ", "ŠŽ"),
    "french": Language(_LATIN, "ÀÂÇÉÈÊËÎÏÔÙÛÜŸ", _OE_AE),
    "german": Language(f"{_LATIN}ÄÖÜẞ"),
    "italian": Language(_LATIN, "ÀÉÈÌÒÙ"),
    "norwegian": Language(f"{_LATIN}ÆØÅ", "ÀÉÓÒÔ"),
    "polish": Language("AĄBCĆDEĘFGHIJKLŁMNŃOÓPRSŚTUWYZŹŻ"),
    "portuguese": Language(_LATIN, "ÁÀÂÃÇÉÊÍÓÒÔÕÚ"),
    "russian": Language("АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ"),
    "spanish": Language("ABCDEFGHIJKLMNÑOPQRSTUVWXYZ", "ÁÉÍÓÚÜ"),
    "swedish": Language(f"{_LATIN}ÅÄÖ", "ÀÉ"),
    "turkish": Language("ABCÇDEFGĞHIİJKLMNOÖPRSŞTUÜVYZ", "ÂÎÛ"),
}
"""The languages by name."""


def find_language(name: str) -> Language:
    """Return a language by name. Raises UnknownNameError, which suggests the nearest name."""
    language = LANGUAGES.get(name.strip().casefold())
    if language is None:
        raise unknown_name("alphabet", name, LANGUAGES)
    return language


@cache
def alphabet_of_language(language: Language) -> Alphabet:
    """Return the alphabet of a language, with its accented letters as aliases."""
    dotted = {"I": "İ"} if has_dotless_i(language.letters) else {}
    plain = {letter: unicodedata.normalize("NFD", letter)[0] for letter in language.accented}
    aliases = {letter: dotted.get(base, base) for letter, base in plain.items()}
    return Alphabet(tuple(language.letters), aliases)


def alphabet_of_words(words: Iterable[str]) -> Alphabet:
    """Return the alphabet of all letters and digits in some words; é comes directly after e.

    Punctuation such as apostrophes is left out. Raises ValueError if there are no letters, or more
    than `MOST_SYMBOLS`.
    """
    listed = one_spelling("\n".join(words))
    found = {character for character in graphemes(listed) if character[0].isalnum()}
    turkish = has_dotless_i(found)
    letters = {_upper(letter, turkish) for letter in found}
    if not letters:
        raise ValueError("its words have no letters")
    if len(letters) > MOST_SYMBOLS:
        raise ValueError(f"its words have {len(letters)} letters; at most {MOST_SYMBOLS} are taken")
    return Alphabet(
        tuple(sorted(letters, key=lambda letter: (unicodedata.normalize("NFD", letter), letter)))
    )


def _upper(letter: str, turkish: bool) -> str:
    """Return a letter in upper case, or unchanged if that would be several letters."""
    if turkish:
        letter = letter.replace("i", "İ")
    upper = "ẞ" if letter == "ß" else letter.upper()
    return upper if grapheme_count(upper) == 1 else letter
