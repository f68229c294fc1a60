"""Scores of many guesses and secrets at once are those of the specification."""

import random

import numpy as np
import pytest

import puzzlehunt
from puzzlehunt.errors import InvalidCodeError

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
