import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlehunt.codes.constraints import holds
from puzzlehunt.codes.spaces import split
from puzzlehunt.errors import InvalidClueError, InvalidCodeError, InvalidTurnError
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History
from puzzlehunt.session.codemaker import starting_hints

games = st.from_type(Game)


@pytest.fixture(scope="module")
def cryptic():
    return gamefile.load("cryptic")


@pytest.fixture(scope="module")
def nethack():
    return gamefile.load("nethack")


@pytest.fixture(scope="module")
def mastermind():
    return gamefile.load("mastermind")


# Codes.


def test_a_guess_in_no_list_is_a_guess_but_not_a_listed_one(cryptic):
    assert not cryptic.is_listed(cryptic.parse_guess("HERZL"))
    assert cryptic.is_listed(cryptic.parse_guess("heart"))
    assert cryptic.guesses.listed
    assert not gamefile.load("4x6").guesses.listed


def test_a_secret_has_the_length_of_secrets(nethack):
    assert nethack.parse_guess("AB") == (0, 1)
    with pytest.raises(InvalidCodeError, match="'AB' has 2 symbols; a secret has 5"):
        nethack.parse_secret("AB")
    with pytest.raises(InvalidCodeError, match="'X' is not a symbol"):
        nethack.parse_secret("ABCDX")


# Lines.


@given(games, st.text(max_size=20))
def test_any_line_is_refused_or_a_turn_that_is_read_back(game, line):
    try:
        turn = game.parse_turn(line)
    except (InvalidCodeError, InvalidClueError, InvalidTurnError):
        return
    assert game.parse_turn(game.format_turn(turn)) == turn


# Words.


@pytest.mark.parametrize(
    ("game", "line", "said"),
    [
        ("cryptic", "horse won", "HORSE: solved"),
        ("cryptic", "horse RR ?", "HORSE: 2 red, 3 unread (doubted)"),
        ("mastermind", "RGBY B? ?", "RGBY: 1 black, up to 1 more unread (doubted)"),
        ("mastermind", "RGBY BBB[BW]", "RGBY: solved"),
        ("wordle", "CRANE GGGG[GY]", "CRANE: solved"),
        ("fibble", "CRANE GGGG[GY]", "CRANE: GGGG[YG] (4 right, 1 of two)"),
        ("nethack", '"" *', '"": nothing read'),
    ],
)
def test_a_turn_is_echoed_as_it_was_understood(game, line, said):
    loaded = gamefile.load(game)
    assert loaded.describe_turn(loaded.parse_turn(line)) == said


# What a turn says.


def test_an_unread_turn_rules_out_its_guess_alone(game_of, brute_force):
    game = game_of("{secret: {symbols: AB, length: 2}, turns: [AB *]}")
    assert brute_force(game, game.history) == [(0, 0), (1, 0), (1, 1)]
    assert [game.fits(game.history, secret) for secret in game.secrets] == [True, False, True, True]


def test_a_doubted_turn_rules_out_its_guess_alone(game_of):
    game = game_of("{secret: {symbols: AB, length: 2}, turns: [AA B ?]}")
    assert [game.fits(game.history, secret) for secret in game.secrets] == [False, True, True, True]


def test_a_winning_turn_leaves_its_guess_alone(game_of):
    game = game_of("{secret: {symbols: AB, length: 2}, turns: [AB won]}")
    assert [game.fits(game.history, secret) for secret in game.secrets] == [
        False,
        True,
        False,
        False,
    ]
    assert game.is_won(game.history)


def test_a_doubted_win_rules_nothing_out_and_ends_no_game(game_of, brute_force):
    game = game_of("{secret: {symbols: AB, length: 2}, turns: [AB won ?]}")
    assert brute_force(game, game.history) == list(game.secrets)
    assert all(game.fits(game.history, secret) for secret in game.secrets)
    assert all(holds(game.constraint(game.history.turn(1)), secret) for secret in game.secrets)
    assert not game.is_won(game.history)


def test_a_short_guess_blocks_nothing(game_of):
    game = game_of(
        "{secret: {symbols: AB, length: 2}, guess: {length: 0-2}, turns: [A *, '\"\" *']}"
    )
    assert all(game.fits(game.history, secret) for secret in game.secrets)
    assert not game.is_won(game.history)


def test_a_game_with_other_settings_is_otherwise_the_same(mastermind):
    other = mastermind.with_play({"strategy": "parts", "seed": 5})
    assert (other.play.strategy, other.play.seed) == ("parts", 5)
    assert other.play.attempts == mastermind.play.attempts == 10
    assert other.secrets is mastermind.secrets
    assert mastermind.play.strategy == "book"


# What the codemaker tells at the start.


@pytest.mark.parametrize("kind", ["repeats", "words", "tunes", "halves", "boards"])
@given(st.integers(0, 100_000))
@settings(max_examples=15)
def test_what_is_given_is_true_of_the_secret_and_not_all_of_it(random_game, kind, seed):
    game = random_game(seed, kind)
    kinds = ("row", "letters") if kind == "boards" else ("first", "row", "letters")
    kinds += ("sum",) if kind != "boards" and game.alphabet.symbol_values else ()
    game = replace(game, gives=kinds, history=History())
    if game.guesses.size <= 2 or len(game.alphabet) <= 2:
        return
    secret = game.secrets.random(random.Random(seed))
    told = starting_hints(game, secret, random.Random(seed))
    assert told == starting_hints(game, secret, random.Random(seed))
    assert len(told) == len(kinds)
    assert game.fits(History(tuple(told)), secret)
    for item in told:
        if isinstance(item, Fact):
            assert game.parse_fact(item.text) == item
        else:
            assert item.guess not in split(secret, game.boards)
            assert list(item.clue) == [game.score(item.guess, secret)]
            assert game.parse_turn(game.format_turn(item)) == item


def test_gifts_are_told_in_the_order_of_the_game(game_of):
    game = game_of(
        "{secret: {symbols: '0123456789', length: 4}, gives: [sum, first, letters], rule: marks}"
    )
    secret = game.parse_secret("4711")
    total, first, row = starting_hints(game, secret, random.Random(1))
    assert (total.text, first.text) == ("sum 13", "4___")
    assert list(row.clue) == [game.score(row.guess, secret)]


def test_a_given_row_is_a_word_of_the_list_and_given_letters_are_any(game_of):
    game = game_of("{secret: {words: [crane]}, guess: {words: [slate]}, gives: [row, letters]}")
    for seed in range(5):
        row, letters = starting_hints(game, game.parse_secret("CRANE"), random.Random(seed))
        assert game.format_code(row.guess) == "SLATE"
        assert not game.is_listed(letters.guess)


# Guesses that are longer than a secret.


@pytest.mark.parametrize("boards", [{}, {"boards": "2"}])
def test_what_is_too_long_counts_up_to_the_length_of_one_secret(game_of, boards):
    value = {"secret": {"symbols": "ABC", "length": "3"}, "guess": {"overlong": "cut"}, **boards}
    game = game_of(value)
    assert game.parse_guess("ABCCBA") == game.parse_guess("ABC") == (0, 1, 2)
