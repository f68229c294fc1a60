"""Letters of word games: those of a language, those of the words, and words with others."""

import pickle

import pytest

from cases import cases
from puzzlehunt.codes.constraints import holds
from puzzlehunt.errors import GameFileError
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.turn_notation import format_turn

WORDS = "pañal\nniños\nárbol\ncasas\nlimon\nlimón\nperro\nmundo\nMUNDO\nañejo\nfácil\nverde\n"


@pytest.fixture
def words_game(write):
    """A function that returns the game of `WORDS` with further keys of `secret` and other keys."""
    write(WORDS, "es.txt")

    def game(secret: str = "", others: str = ""):
        return gamefile.load(write(f"secret: {{words: es.txt, length: 5{secret}}}\n{others}"))

    return game


def test_a_list_names_its_letters_by_itself(words_game, write):
    game = words_game()
    assert "".join(game.alphabet.symbols) == "AÁBCDEFGHIJKLMNÑOÓPQRSTUVWXYZ"
    assert not game.secrets.passed_over
    write("queso\nfaçon\n", "more.txt")
    assert "Ç" in words_game("", "guess: {words: more.txt}\n").alphabet
    greek = gamefile.load(write("secret: {words: [λόγος, ωραία], length: 5, accents: ignore}"))
    assert "".join(greek.alphabet.symbols) == "ΑΓΙΛΟΡΣΩ"
    assert greek.format_code(greek.parse_guess("ΛΌΓΟΣ")) == "ΛΟΓΟΣ"
    assert len(gamefile.load(write("secret: {words: [crane, m3tal], length: 5}")).alphabet) == 26


def test_accents_of_an_alphabet_are_kept_where_a_game_asks(words_game):
    game = words_game(", alphabet: spanish, accents: keep")
    assert "".join(game.alphabet.symbols).startswith("AÁBCDEÉ")
    assert game.parse_guess("limón") != game.parse_guess("limon")


def test_the_last_letter_of_hebrew_words_has_its_final_form(write):
    game = gamefile.load(write("secret: {words: [שלום, צדיק, נכון], length: 4, alphabet: hebrew}"))
    assert game.parse_guess("שלומ") == game.parse_guess("שלום")
    assert [game.format_code(code) for code in game.secrets] == ["נכון", "צדיק", "שלום"]
    assert game.format_code(game.parse_guess("םםםם")) == "מממם"
    assert game.alphabet.right_to_left


def test_an_alphabet_by_name_reads_accents_as_its_letters(words_game):
    game = words_game(", alphabet: spanish")
    assert game.secrets.size == 10
    assert not game.secrets.passed_over
    assert game.format_code(game.parse_guess("fácil")) == "FACIL"
    assert game.parse_guess("NIÑOS") in game.secrets
    assert len(game.alphabet) == 27


def test_symbols_from_words_are_the_letters_of_all_lists(words_game, write):
    game = words_game(", symbols: from words")
    assert "".join(game.alphabet.symbols) == "AÁBCDEFIJLMNÑOÓPRSUV"
    assert game.secrets.size == 11
    write("queso\n", "more.txt")
    wider = words_game(", symbols: from words", "guess: {words: more.txt}\n")
    assert "Q" in wider.alphabet.symbols
    assert wider.parse_guess("QUESO") in wider.guesses
    english = words_game(", symbols: from words", "guess: {words: common}\n")
    assert "".join(english.alphabet.symbols) == "AÁBCDEFGHIJKLMNÑOÓPQRSTUVWXYZ"


def test_digraphs_are_one_letter_where_a_game_counts_them_so(write):
    words = "[ljubav, njega, polje, konj, vinjeta]"
    game = gamefile.load(
        write(f"secret: {{words: {words}, length: 5, alphabet: croatian, digraphs: [lj, nj, dž]}}")
    )
    symbols = "".join(game.alphabet.symbols)
    assert "DDŽĐ" in symbols
    assert "LLJMNNJO" in symbols
    assert [game.format_code(code) for code in game.secrets] == ["LJUBAV"]
    code = game.parse_guess("ljubav")
    assert game.alphabet.names(code) == ["LJ", "U", "B", "A", "V"]
    assert game.parse_guess("LJ-u-b-a-v") == code
    assert holds(game.parse_fact("starts with lj").constraint, code)
    turn = game.turn("ljubav B")
    assert format_turn(game, turn) == "LJUBAV B"
    assert pickle.loads(pickle.dumps(game)) == game
    with pytest.raises(GameFileError, match="'ly' is not two letters of the words"):
        gamefile.load(write("secret: {words: [ab], length: 2, alphabet: croatian, digraphs: [ly]}"))


def test_wider_lists_are_proposed_for_english_words_alone(words_game):
    assert list(gamefile.wider_games(words_game(", alphabet: spanish"))) == []
    assert [name for name, _ in gamefile.wider_games(words_game(", alphabet: english"))]


# Symbols: what is meant, and what cannot be.


def loaded(write, symbols):
    return gamefile.load(write(f"secret:\n  symbols: {symbols}\n  length: 2\n"))


@pytest.mark.parametrize(("written", "symbols"), cases("symbols"))
def test_symbols_are_read_as_they_are_meant(write, written, symbols):
    assert loaded(write, written).alphabet.symbols == tuple(symbols.split())


def test_marks_may_be_emoji_with_or_without_selectors(write):
    file = write("secret: {symbols: ABC, length: 2}\nmarks: {black: ⚫️, white: ⚪️}\n")
    game = gamefile.load(file)
    assert game.turn("AB ⚪️⚪️") == game.turn("AB ⚪⚪")
    assert game.rule.notation.legend().startswith("⚫ black, ⚪ white")


def test_halves_of_pairs_are_single_characters(write):
    file = write("secret: {pairs: [❤️💚, 12], length: 2}\nrule: pairs\n")
    assert gamefile.load(file).alphabet.symbols == ("❤️1", "❤️2", "💚1", "💚2")
