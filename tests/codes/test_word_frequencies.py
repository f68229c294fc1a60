"""Words of a language by wordfreq: their letters, their weights, how many there are."""

import pytest

from puzzlehunt.codes.languages import MOST_WORDS, find_language, language_space, spoken_alphabet
from puzzlehunt.errors import WordListError
from puzzlehunt.game.files import gamefile

FIVE = range(5, 6)
needs_words = pytest.mark.needs("wordfreq")


def words_of(name: str, lengths: range | None = FIVE, distinct: bool = False):
    language = find_language(name)
    return language_space(language, spoken_alphabet(language, lengths, False), lengths, distinct)


@needs_words
@pytest.mark.parametrize(
    ("name", "length", "word", "symbols"),
    [
        ("es", 5, "ADIOS", 27),
        ("he", 4, "שלום", 22),
        ("hi", 3, "बहुत", 250),
    ],
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
