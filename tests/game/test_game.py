import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzlehunt
from bayes import brute_force
from positions import constraint_of
from puzzlehunt.codes.constraints import holds
from puzzlehunt.errors import InvalidClueError, InvalidCodeError, InvalidTurnError
from puzzlehunt.game import meaning
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History
from puzzlehunt.game.play import Host
from puzzlehunt.game.turn_notation import format_turn
from puzzlehunt.session.codemaker import open_codemaker
from random_games import game_of, random_game

games = st.from_type(Game)


# Lines.


@given(games, st.text(max_size=20))
def test_any_line_is_refused_or_a_turn_that_is_read_back(game, line):
    try:
        turn = game.turn(line)
    except (InvalidCodeError, InvalidClueError, InvalidTurnError):
        return
    assert game.turn(format_turn(game, turn)) == turn


# What a turn says.


def test_a_doubted_win_rules_nothing_out_and_ends_no_game():
    game = game_of("{secret: {symbols: AB, length: 2}, turns: [AB won ?]}")
    assert brute_force(game, game.history) == list(game.secrets)
    assert all(meaning.fits(game, game.history, secret) for secret in game.secrets)
    assert all(holds(constraint_of(game, game.history.turn(1)), secret) for secret in game.secrets)
    assert not meaning.is_won(game, game.history)


def test_a_doubted_win_on_one_of_several_boards_does_not_end_that_board():
    text = "{{secret: {{symbols: AB, length: 2}}, boards: 2, turns: [AB BB WW {}, BA WW BB]}}"
    sure, doubted = game_of(text.format("")), game_of(text.format("?"))
    assert [len(meaning.on_board(sure, sure.history, board)) for board in (0, 1)] == [1, 2]
    assert [len(meaning.on_board(doubted, doubted.history, board)) for board in (0, 1)] == [2, 2]


def test_a_short_guess_blocks_nothing():
    game = game_of("{secret: {symbols: AB, length: 2}, guess: {length: 0-2}, turns: [A *]}")
    assert all(holds(constraint_of(game, game.history.turn(1)), secret) for secret in game.secrets)
    assert all(meaning.fits(game, game.history, secret) for secret in game.secrets)
    assert not meaning.is_won(game, game.history)


# What the codemaker tells at the start.


@pytest.mark.parametrize("kind", ["repeats", "words", "tunes", "halves"])
@given(st.integers(0, 100_000))
@settings(max_examples=15)
def test_what_is_given_is_true_of_the_secret_and_not_all_of_it(kind, seed):
    game = random_game(seed, kind)
    kinds = ("first", "row", "letters", *["sum"] * bool(game.alphabet.symbol_values))
    game = replace(game, host=Host(gives=kinds), history=History())
    if game.guesses.size <= 2 or len(game.alphabet) <= 2:
        return
    secret = game.secrets.random(random.Random(seed))
    told = open_codemaker(game, secret, rng=random.Random(seed)).history
    assert told == open_codemaker(game, secret, rng=random.Random(seed)).history
    assert len(told) == len(kinds)
    assert meaning.fits(game, told, secret)
    for item in told:
        if isinstance(item, Fact):
            assert game.parse_fact(item.text) == item
        else:
            assert item.code != secret
            assert list(item.clue) == [game.score(item.code, secret)]
            assert game.turn(format_turn(game, item)) == item


def test_a_given_row_is_a_word_of_the_list_and_given_letters_are_any():
    game = game_of("{secret: {words: [crane]}, guess: {words: [slate]}, gives: [row, letters]}")
    for seed in range(5):
        row, letters = open_codemaker(game, "CRANE", rng=random.Random(seed)).history
        assert game.format_code(row.code) == "SLATE"
        assert not meaning.is_listed(game, letters.code)


# Guesses that are longer than a secret.


@pytest.mark.parametrize("boards", [{}, {"boards": "2"}])
def test_what_is_too_long_counts_up_to_the_length_of_one_secret(boards):
    value = {"secret": {"symbols": "ABC", "length": "3"}, "guess": {"overlong": "cut"}, **boards}
    game = game_of(value)
    assert game.parse_guess("ABCCBA") == game.parse_guess("ABC") == (0, 1, 2)


# Scores of many guesses and secrets at once are those of the specification.


GAMES = ["mastermind", "wordle", "bulls-and-cows", "nethack", "jotto", "warmle", "nerdle"]


@pytest.mark.parametrize("name", GAMES)
def test_each_number_stands_for_the_feedback_that_the_rule_scores(name: str) -> None:
    game, rng = puzzlehunt.load(name), random.Random(1)
    guesses = [game.guesses.random(rng) for _ in range(12)]
    secrets = [game.secrets.random(rng) for _ in range(9)]
    table = game.score_all(guesses, secrets)
    assert table.shape == (12, 9)
    for guess, row in zip(guesses, table, strict=True):
        scores = [game.score(guess, secret) for secret in secrets]
        assert [game.rule.feedbacks[n] for n in row] == scores
    texts = [game.format_code(code) for code in guesses], [*map(game.format_code, secrets)]
    assert np.array_equal(game.score_all(*texts), table)
    if {*map(len, guesses)} == {game.length}:
        assert np.array_equal(game.score_all(np.array(guesses), np.array(secrets)), table)


def test_a_name_of_a_symbol_is_that_symbol_however_long_codes_are() -> None:
    settings = {"secret.symbols": {"A": "aba", "B": "b"}, "secret.length": 3}
    game = puzzlehunt.load("3x4", settings)
    with pytest.raises(InvalidCodeError, match="'aba' has 1 symbol"):
        game.score_all(["aba"], ["AAA"])


WRONG = [
    (np.zeros((2, 3), dtype=int), "is not a guess of 4x6"),
    (np.full((1, 4), -1), "symbol numbers from 0 to 5"),
    (["ABCD", "ABCX"], "'X' is not a symbol"),
    (["ABC"], "'ABC' has 3 symbols"),
]


@pytest.mark.parametrize(("guesses", "said"), WRONG, ids=str)
def test_what_is_not_a_guess_is_refused(guesses: object, said: str) -> None:
    with pytest.raises(InvalidCodeError, match=said):
        puzzlehunt.load("4x6").score_all(guesses, ["ABCD"])
