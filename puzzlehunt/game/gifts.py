"""What a codemaker gives away of its secret before the first guess: the key `gives` of a game."""

import random

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.boards import split
from puzzlehunt.game.facts import format_pattern, value_of
from puzzlehunt.game.game import Game, Gift
from puzzlehunt.game.history import Item, Turn


def gifts(game: Game, secret: Code, rng: random.Random) -> list[Item]:
    """Return the facts and turns that the codemaker of a game gives away of a secret."""
    return [_gift(game, gift, secret, rng) for gift in game.gives]


def _gift(game: Game, gift: Gift, secret: Code, rng: random.Random) -> Item:
    match gift:
        case "first":
            pattern = [(secret[0],), *[()] * (game.length - 1)]
            return game.parse_fact(format_pattern(pattern, game.alphabet))
        case "sum":
            total = sum(value_of(game.alphabet, symbol) for symbol in secret)
            return game.parse_fact(f"sum {total}")
        case _:
            return _turn(game, gift, secret, rng)


def _turn(game: Game, gift: Gift, secret: Code, rng: random.Random) -> Turn:
    """Return a turn that is played for the player: a guess of the list, or any symbols."""
    hidden = split(secret, game.secrets_at_once)
    symbols = range(len(game.alphabet))
    guess = hidden[0]
    while guess in hidden:
        guess = game.guesses.random(rng)
        if gift == "letters":
            guess = tuple(rng.choices(symbols, k=len(guess)))
    return Turn(guess, game.rule.exactly(game.score(guess, secret), guess))
