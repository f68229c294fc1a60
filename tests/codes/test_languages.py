"""Alphabets by name, and alphabets of the words of a list."""

import unicodedata
from dataclasses import replace

import pytest

from cases import cases
from puzzlehunt.codes import words
from puzzlehunt.codes.languages import (
    LANGUAGES,
    MOST_WORDS,
    alphabet_of_language,
    alphabet_of_words,
    find_language,
    language_space,
    spoken_alphabet,
)
from puzzlehunt.errors import UnknownNameError, WordListError
from puzzlehunt.game.files import gamefile


@pytest.mark.parametrize(("name", "letters"), cases("letters of languages"))
def test_an_alphabet_has_the_letters_of_its_language(name, letters):
    assert len(alphabet_of_language(find_language(name.title()))) == int(letters)


@pytest.mark.parametrize(
    ("name", "word", "written"), [*cases("words of languages"), ("turkish", "i\u0307yi", "İYİ")]
)
def test_a_word_is_written_in_the_letters_of_its_language(name, word, written):
    alphabet = alphabet_of_language(find_language(name))
    assert alphabet.format(alphabet.parse(word)) == written
    assert alphabet.spell(written) == alphabet.parse(word)


def alphabets(name):
    """Yield the alphabets of a language: with accented letters as other names, and as letters."""
    language = LANGUAGES[name]
    if language.letters:
        yield alphabet_of_language(language)
        yield alphabet_of_language(language, accents=True)
        return
    names = {"Han": "CJK ", "Hangul": "HANGUL SYLLABLE "}
    scripts = tuple(names.get(script, f"{script.upper()} ") for script in language.scripts)
    written = [c for c in map(chr, range(0xFFFF)) if unicodedata.name(c, "").startswith(scripts)]
    written = list(filter(str.isalpha, written))
    if name == "vietnamese":
        written = [vowel + tone for vowel in "AEOĂÂÊÔƠƯ" for tone in ("", "\u0303", "\u0323")]
    yield alphabet_of_words(written[:: len(written) // 40 + 1])


def forms(name, letter):
    """Yield all ways to write a letter."""
    lower = {"I": "\u0131", "İ": "i"}.get(letter) if name == "turkish" else None
    for written in (letter, lower or letter.lower(), letter.upper()):
        yield from (unicodedata.normalize(form, written) for form in ("NFC", "NFD"))


@pytest.mark.parametrize("digraphs", [False, True])
@pytest.mark.parametrize("name", LANGUAGES)
def test_each_form_of_a_letter_is_that_letter(name, digraphs):
    for alphabet in alphabets(name):
        first = alphabet.symbols[0]
        alphabet = replace(alphabet, digraphs=digraphs)
        for letter in (*alphabet.symbols, *alphabet.aliases, *alphabet.finals.values()):
            number = alphabet.number(letter)
            code = (number, 0, number)
            for form in forms(name, letter):
                word = f"{form}{first}{form}"
                assert alphabet.parse(form) == (number,), (letter, form)
                assert alphabet.parse(word) == alphabet.spell(word) == code, (letter, form)
                assert alphabet.parse(alphabet.format(code)) == code, (letter, form)
                assert words.space([(word, 1.0)], alphabet, None, False, "").size == 1


def test_a_language_that_is_not_known_is_refused_with_the_nearest():
    with pytest.raises(UnknownNameError, match="no language is called 'spansh'; did you mean spa"):
        find_language("spansh")


@pytest.mark.parametrize(("words", "symbols"), cases("letters of words"))
def test_symbols_may_be_the_letters_of_the_words(words, symbols):
    assert "".join(alphabet_of_words(words.split()).symbols) == symbols


# Words of a language by wordfreq: their letters, their weights, how many there are.


FIVE = range(5, 6)
needs_words = pytest.mark.needs("wordfreq")


def words_of(name: str, lengths: range | None = FIVE, distinct: bool = False):
    language = find_language(name)
    return language_space(language, spoken_alphabet(language, lengths, False), lengths, distinct)


@needs_words
@pytest.mark.parametrize(
    ("name", "length", "word", "symbols"),
    [("es", 5, "ADIOS", 27), ("he", 4, "שלום", 22), ("hi", 3, "बहुत", 250)],
)
def test_words_are_written_in_the_letters_of_their_language(name, length, word, symbols):
    space = words_of(name, range(length, length + 1))
    code = space.alphabet.spell(word)
    assert (len(code), len(space.alphabet)) == (length, symbols)
    assert code in space
    assert space.alphabet.format(code) == word


@needs_words
def test_a_weight_is_the_square_root_of_how_often_all_spellings_are_used():
    from wordfreq import word_frequency

    space = words_of("el")
    expected = sum(word_frequency(each, "el") for each in ("γιατι", "γιατί")) ** 0.5
    assert space.weight(space.alphabet.parse("ΓΙΑΤΊ")) == pytest.approx(expected, rel=1e-2)


@needs_words
def test_the_most_common_words_are_taken():
    space = words_of("es")
    assert space.size == MOST_WORDS
    assert list(space) == sorted(space)
    assert max(space, key=space.weight) == space.alphabet.parse("SOBRE")
    assert words_of("el", None).lengths[0] == 1
    assert all(len({*code}) == 5 for code in words_of("tr", distinct=True))
    with pytest.raises(WordListError, match="the language has no such words"):
        words_of("tr", range(60, 61))


@needs_words
def test_a_language_replaces_the_words_of_the_game_that_it_changes():
    game = gamefile.load("wordle", ("secret.language=tr",))
    assert game.secrets == game.guesses
    assert game.play.opening is None
    longer = gamefile.load("lingo", ("secret.language=turkish", "guess.distinct=true"))
    assert longer.guesses.size < longer.secrets.size


@needs_words
def test_digraphs_count_as_one_letter_in_words_of_a_language():
    keys = ("secret.language=hr", "secret.digraphs=[lj, nj, dž]", "secret.length=4")
    game = gamefile.load("wordle", keys)
    assert game.parse_guess("LJUDI") in game.secrets
    assert len(game.alphabet) == 30
