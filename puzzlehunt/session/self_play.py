"""A game that plays itself: a strategy's guesses against a codemaker's answers."""

import random
from collections.abc import Iterator

from puzzlehunt.engines.base import Engine
from puzzlehunt.errors import StrategyError
from puzzlehunt.game.history import Turn
from puzzlehunt.session.codemaker import Codemaker
from puzzlehunt.strategies.adviser import Advice, Adviser
from puzzlehunt.strategies.base import Budget

_EVERYTHING = Budget()


def play_against(
    codemaker: Codemaker,
    adviser: Adviser,
    engine: Engine,
    rng: random.Random,
    budget: Budget = _EVERYTHING,
) -> Iterator[tuple[Turn, Advice]]:
    """Yield turn after turn against a codemaker, up to the winning one; the engine follows.

    Each turn comes with the advice that led to it. Raises StrategyError if a guess is made twice.
    """
    engine.follow(codemaker.history)
    while not codemaker.is_over:
        advice = adviser.advise(engine, 1, budget, seed=rng.randrange(2**32))
        guess = advice.suggestions[0].guess
        if any(turn.guess == guess for turn in codemaker.history.turns):
            text = adviser.game.format_code(guess)
            raise StrategyError(f"{advice.strategy}: the guess {text} again; it cannot end")
        turn = codemaker.answer(guess)
        yield turn, advice
        engine.push(turn)
