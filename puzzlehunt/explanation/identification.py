"""What unexplained marks mean: the likeliest hypotheses, the secrets, and what to guess next."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.spaces import WordSpace
from puzzlehunt.engines.legends import Hypothesis, LegendPosterior, Legends
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Finding, History
from puzzlehunt.kernels.packed_codes import code_of
from puzzlehunt.strategies.base import Suggestion
from puzzlehunt.strategies.unexplained import suggestions

_MOST_HYPOTHESES, _MOST_CANDIDATES, _MOST_GUESSES = 20, 20, 5


@dataclass(frozen=True, slots=True)
class Identification(Finding):
    """What the marks of a history may mean.

    - `hypotheses`: what they mean, with probabilities, the likeliest first; () if nothing does
    - `candidates`: the secrets with probabilities over all hypotheses, the likeliest first
    - `suggestions`: the guesses that tell most about meaning and secret, with their bits
    """

    hypotheses: tuple[tuple[Hypothesis, float], ...]
    candidates: tuple[tuple[Code, float], ...]
    suggestions: tuple[Suggestion, ...]


def identify(
    game: Game,
    history: History,
    own_rule: bool,
    secret: Hashable | None = None,
    top: int = _MOST_GUESSES,
) -> Identification:
    """Return what a history's marks mean, with up to `top` guesses; `secret` may be known.

    If `own_rule`, the game's rule is known, and only its marks are not. Tables of scores are kept
    between histories. Raises TooLargeError for more secrets than `engines.legends.MOST_SECRETS`.
    """
    won = [turn.code for turn in history.turns if game.rule.wins(turn.clue)]
    if won or secret is not None:
        secret = won[-1] if won else game.parse_secret(secret)
    legends = _legends(game, own_rule, secret)
    posterior = LegendPosterior(legends, history.items)
    if not posterior.joints:
        return Identification(game, history, (), (), ())
    order = np.argsort(-np.round(posterior.secrets, 12), kind="stable")[:_MOST_CANDIDATES]
    return Identification(
        game,
        history,
        hypotheses=tuple(posterior.hypotheses.items())[:_MOST_HYPOTHESES],
        candidates=tuple(
            (code_of(legends.codes[place]), float(posterior.secrets[place]))
            for place in order
            if posterior.secrets[place] > 0
        ),
        suggestions=() if won else tuple(suggestions(posterior, game.play.seed, top)),
    )


@lru_cache(2)  # making one is slow
def _legends(game: Game, own_rule: bool, secret: Code | None) -> Legends:
    space = None if secret is None else WordSpace.of(game.alphabet, [secret])
    return Legends(game, own_rule, space)
