"""A game that plays itself: a strategy's guesses against a codemaker's answers."""

import random
from collections.abc import Iterator

from puzzlehunt.engines.base import Engine
from puzzlehunt.errors import NoCandidatesError, SolverError, StrategyError
from puzzlehunt.game.history import Turn
from puzzlehunt.session.codemaker import Codemaker
from puzzlehunt.strategies.adviser import Advice, Adviser
from puzzlehunt.strategies.position import Budget

_UNLIMITED = Budget()


def play_against(
    codemaker: Codemaker,
    adviser: Adviser,
    engine: Engine,
    rng: random.Random,
    budget: Budget = _UNLIMITED,
) -> Iterator[tuple[Turn, Advice]]:
    """Yield each turn of a game against a codemaker, with the advice that its guess was taken from.

    The last turn ends the game. The engine is brought to the codemaker's history; each yielded turn
    is pushed to it when the next turn is asked for. `budget` is that of one guess. Raises
    StrategyError where the strategy repeats a guess, since the game would never end, and
    SolverError where nothing is said to be left although the codemaker's secret fits.
    """
    engine.follow(codemaker.history)
    while not codemaker.is_over:
        try:
            advice = adviser.advise(engine, 1, budget, seed=rng.randrange(2**32))
        except NoCandidatesError as error:
            if codemaker.secret not in engine:
                raise
            secret = adviser.game.format_code(codemaker.secret)
            raise SolverError(
                f"{error}; but {secret} fits: the solver errs, try --solver z3"
            ) from None
        guess = advice.suggestions[0].guess
        if any(turn.guess == guess for turn in codemaker.history.turns):
            guess_text = adviser.game.format_code(guess)
            raise StrategyError(f"{advice.strategy}: the guess {guess_text} again; it cannot end")
        turn = codemaker.answer(guess)
        yield turn, advice
        engine.push(turn)
