"""The decision tree of a deterministic strategy, walked once for all its secrets."""

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import StrategyError
from puzzlehunt.game.game import Game
from puzzlehunt.kernels.codes import Places, Rows, array_of, code_of
from puzzlehunt.lab import levels
from puzzlehunt.lab.outcomes import Outcomes
from puzzlehunt.rules.notation.clue import Feedback
from puzzlehunt.strategies.base import Strategy
from puzzlehunt.strategies.position import Position

Progress = Callable[[int], None]
"""Called with how many more secrets are done."""


def walk(
    position: Position,
    strategy: Strategy,
    wanted: Places,
    opening: Code | None = None,
    progress: Progress = lambda _done: None,
) -> Outcomes:
    """Return how a strategy does on the wanted secrets (places in `position.secrets`), in order.

    The first guess is `opening`, if given. Only branches that hold a wanted secret are walked.
    Raises StrategyError if the strategy makes a guess that tells nothing.
    """
    wanted = np.sort(wanted)
    if levels.suits(position, strategy) and not levels.small(position):
        counts = compiled(position, strategy, wanted, opening, progress)
    else:
        counts = one_by_one(position, strategy, wanted, opening, progress)
    played, known = counts[:, wanted]
    return Outcomes(position.secrets.codes[wanted], played, known)


def compiled(
    position: Position,
    strategy: Strategy,
    wanted: Places,
    opening: Code | None = None,
    progress: Progress = lambda _done: None,
) -> npt.NDArray[np.int32]:
    """Return the same as `one_by_one` in compiled code, of strategies that `levels.suits`."""
    guess = guess_of(position, strategy, opening)
    try:
        return levels.walk(position, strategy, wanted, guess, progress)
    except levels.ToldNothingError as error:
        raise told_nothing(position.game, error.args[0]) from None


def one_by_one(
    position: Position,
    strategy: Strategy,
    wanted: Places,
    opening: Code | None = None,
    progress: Progress = lambda _done: None,
) -> npt.NDArray[np.int32]:
    """Return (2, secrets): guesses until played and until known, of the wanted secrets.

    Asks any strategy in one position after the other.
    """
    counts = np.zeros((2, len(position.secrets)), dtype=np.int32)
    _walk(position, strategy, wanted, 0, opening, counts, progress)
    return counts


def guess_of(position: Position, strategy: Strategy, opening: Code | None) -> Rows:
    """Return what is guessed in a position, as arrays of one row: the opening, if given."""
    if opening is None:
        return strategy.choose(position)
    return position.game.rule.rows(array_of([opening], position.game.length))


def parts_of(position: Position, guess: Rows) -> Iterator[tuple[Feedback, Places]]:
    """Yield the answers to a guess, and the candidates that each leaves (as in `alive`).

    Raises StrategyError for a guess that leaves as many candidates as there were.
    """
    rule = position.game.rule
    answers = rule.table(guess, position.secrets[position.alive])[0]
    for index in np.unique(answers):
        feedback, alive = rule.feedbacks[index], position.alive[answers == index]
        if len(alive) == len(position.alive) > 1:
            raise told_nothing(position.game, code_of(guess.codes[0]))
        yield feedback, alive


def told_nothing(game: Game, guess: Code) -> StrategyError:
    """Return the error of a guess that leaves as many candidates as there were."""
    text = game.format_code(guess)
    return StrategyError(f"{game.play.strategy}: the guess {text} tells nothing; it cannot end")


def _walk(
    position: Position,
    strategy: Strategy,
    wanted: Places,
    depth: int,
    opening: Code | None,
    counts: npt.NDArray[np.int32],
    progress: Progress,
) -> None:
    guess = guess_of(position, strategy, opening)
    known = depth if len(position.alive) == 1 else depth + 1
    depth += 1
    for feedback, alive in parts_of(position, guess):
        here = wanted[np.isin(wanted, alive)]
        if feedback == position.game.rule.winning:
            counts[:, here] = [[depth], [known]]
            progress(len(here))
        elif len(alive) == 1 and len(here):
            counts[:, here] = [[depth + 1], [known]]
            progress(1)
        elif len(here):
            after = position.after(code_of(guess.codes[0]), alive, feedback)
            _walk(after, strategy, here, depth, None, counts, progress)
