"""What the codemaker gives away of its secret before the first guess: the key `gives`."""

import random

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.spaces import split
from puzzlehunt.game.facts import OPEN_SIGNS
from puzzlehunt.game.game import Game, Gift
from puzzlehunt.game.history import Item, Turn


def starting_hints(game: Game, secret: Code, rng: random.Random) -> list[Item]:
    """Return the facts and turns that the codemaker gives away, in the order of `Game.gives`."""
    return [_gift(game, gift, secret, rng) for gift in game.gives]


def _gift(game: Game, gift: Gift, secret: Code, rng: random.Random) -> Item:
    if gift == "first":
        is_open = next(sign for sign in OPEN_SIGNS if sign not in game.alphabet)
        names = [*game.alphabet.names(secret[:1]), *is_open * (game.length - 1)]
        return game.parse_fact(game.alphabet.joiner.join(names))
    if gift == "sum":
        values = game.alphabet.symbol_values or []
        return game.parse_fact(f"sum {sum(values[symbol] for symbol in secret)}")
    secrets = split(secret, game.boards)
    symbols = range(len(game.alphabet))
    guess = secrets[0]
    while guess in secrets:
        guess = game.guesses.random(rng)
        if gift == "letters":
            guess = tuple(rng.choices(symbols, k=len(guess)))
    return Turn(guess, game.rule.notation.full_clue(game.score(guess, secret), guess))
