"""Texts to share: titles, squares and circles, and the way back."""

import random
from dataclasses import replace
from functools import cache

import pytest

from cases import cases
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game import meaning
from puzzlehunt.game.blocks import filled
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.rules.families import TileRule
from puzzlehunt.session.codemaker import Codemaker
from puzzlehunt.views.rows import share_lines
from random_games import random_game

_load = cache(gamefile.load)


def _played(game: Game, guesses: int, seed: int) -> History:
    """So many guesses at a secret, all different, and the secrets themselves among the last."""
    rng = random.Random(seed)
    secret = game.secrets.random(rng)
    codemaker = Codemaker(game, secret)
    for _ in range(guesses):
        codemaker.answer(game.guesses.random(rng))
    length = len(secret) // game.boards
    for start in range(0, len(secret), length):
        codemaker.answer(secret[start : start + length])
    return codemaker.history


def _read_back(game: Game, history: History) -> History:
    """What the text of a history makes of the same guesses, unread."""
    unread = History(
        tuple(Turn(turn.code, game.rule.notation.unread_clue(turn.code)) for turn in history.turns)
    )
    again = filled(game, unread, share_lines(game, history))
    assert again is not None
    return again


@pytest.mark.parametrize(
    "name",
    [
        *("wordle", "dordle", "quordle", "peaks", "warmle", "nerdle", "primel", "fibble"),
        *("mastermind", "cryptic", "nethack", "bulls-and-cows", "jotto", "bagels", "grand"),
        "fallout",
    ],
)
def test_squares_and_circles_are_read_back(name: str) -> None:
    game = _load(name)
    for seed in range(3):
        history = _played(game, seed + 1, seed)
        read = _read_back(game, history)
        assert game.boards > 1 or read == history
        for board in range(game.boards if game.boards > 1 else 0):
            assert meaning.on_board(game, read, board) == meaning.on_board(game, history, board)


@pytest.mark.parametrize("seed", range(50))
def test_squares_of_partly_read_rows_are_read_back_as_far_as_a_square_can_say(seed: int) -> None:
    game = random_game(seed, "words", "lengths", "repeats", "boards")
    if not isinstance(game.one_board.rule, TileRule) or not game.history.turns:
        return
    history = History(tuple(replace(turn, doubt=0.0) for turn in game.history.turns))
    lines = share_lines(game, history)
    assert len(lines) > len(history)
    try:
        read = _read_back(game, history)
    except PuzzlehuntError as error:
        pytest.fail(str(error))
    again = History(tuple(Turn(turn.code, turn.clue) for turn in read.turns))
    assert share_lines(game, again) == lines


@pytest.mark.parametrize(("game", "row", "squares"), cases("signs of shared rows"))
def test_each_rule_has_its_signs(game: str, row: str, squares: str) -> None:
    loaded = _load(game)
    assert share_lines(loaded, History((loaded.turn(row),)))[1:] == [squares]
