"""An example of a turn: what a player may type in a game."""

import random
from collections.abc import Iterator
from contextlib import suppress

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.spaces import split
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn
from puzzlehunt.rules.notation.clue import NONE_WORDS

_DRAWN = 40
"""Guesses that are drawn, each with a secret; the one whose answer shows most is the example."""


def example_turn(game: Game) -> Turn | None:
    """Return an example of a guess with its clue, always the same for the same game.

    The clue has as many kinds of marks as possible; if marks are often unread, it has one mark of
    each kind. The result is None if no true answer can be written as a clue, which may happen in a
    game that lies.
    """
    if game.hidden is not None:
        guess = game.secrets.random(random.Random(0))
        marks = ("XYXZX" * len(guess))[: len(guess)]
        return game.parse_turn(f"{game.format_code(guess)} {marks}")
    answered = sorted(_answered_guesses(game), key=lambda row: _merit(game, *row), reverse=True)
    for guess, clue in answered:
        with suppress(PuzzlehuntError):
            return game.parse_turn(f"{game.format_code(guess)} {clue}")
    return None


def _answered_guesses(game: Game) -> Iterator[tuple[Code, str]]:
    rng = random.Random(0)
    for _ in range(_DRAWN):
        secret = game.secrets.random(rng)
        guess = (game.guesses if game.only_questions else game.secrets).random(rng)
        guess = split(guess, game.boards)[0]
        feedback = game.score(guess, secret)
        if feedback == game.rule.winning:
            continue
        clue = game.rule.notation.format(game.rule.notation.full_clue(feedback, guess))
        if game.channel.reads is not None:
            clue = "".join(dict.fromkeys(clue))
        yield guess, clue


def _merit(game: Game, guess: Code, clue: str) -> tuple[int, int, float]:
    """Return how much a turn shows: kinds of marks, symbols, and how common its word is."""
    secrets = game.one_board.secrets
    marks = 0 if clue in NONE_WORDS else len(set(clue) - {"0"})
    weight = secrets.weight(guess) if secrets.listed else 0.0
    return marks, len(set(guess)), weight
