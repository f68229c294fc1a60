"""Random turns of a game, typed in every way."""

import random

from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn

CLUES = [
    *("*", "B", "W", "BW", "BBW", "WWWR", "_", "B_", "RR", "[BW]", "[BW]R", "[WR]_", "none", "won"),
    *("1 1", "0 2", "2 0", "1b", ">=1w", "1-2 white", "1A2B", "2t1g", "2-3 gears", "."),
    *("HORSE", "You hear 2 tumblers click and 1 gear turn."),
]


def random_turn(game: Game, rng: random.Random) -> Turn:
    guess = game.guesses.random(rng)
    for text in rng.sample(CLUES, len(CLUES)):
        try:
            return Turn(guess, game.parse_clue(text, guess), doubt=0.5 * (rng.random() < 0.2))
        except PuzzlehuntError:
            continue
    raise AssertionError("`*` is a clue in every game")
