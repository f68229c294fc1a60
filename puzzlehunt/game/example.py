"""An example of a turn: what a player may type in a game."""

import random
from collections.abc import Iterator
from operator import itemgetter

from puzzlehunt.codes.spaces import split
from puzzlehunt.game import meaning
from puzzlehunt.game.blocks import read_row
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn
from puzzlehunt.game.turn_notation import tried
from puzzlehunt.rules.notation.clue import NONE_WORDS

_DRAWN = 40
"""Guesses that are drawn, each with a secret; the one whose answer shows most is the example."""


def example_turn(game: Game) -> Turn | None:
    """Return an example of a guess with its clue, always the same for the same game.

    The clue has many kinds of marks, each once if often unread. None if no clue can be true.
    """
    if not meaning.is_explained(game):
        guess = game.secrets.random(random.Random(0))
        marks = ("XYXZX" * len(guess))[: len(guess)]
        return read_row(game, f"{game.format_code(guess)} {marks}")
    rows = sorted(_rows(game), key=itemgetter(0), reverse=True)
    return next(filter(None, (tried(read_row, game, row) for _, row in rows)), None)


def _rows(game: Game) -> Iterator[tuple[tuple[int, int, float], str]]:
    """Yield rows behind what they show: kinds of marks, symbols, and how common the word is."""
    rng, secrets = random.Random(0), game.one_board.secrets
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
        marks = 0 if clue in NONE_WORDS else len({*clue} - {"0"})
        weight = secrets.weight(guess) if secrets.listed else 0.0
        yield (marks, len({*guess}), weight), f"{game.format_code(guess)} {clue}"
