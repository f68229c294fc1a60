"""`first` without storing the space: the next candidate in code order after the last guess.

Turns only rule codes out, so that the first candidate never comes before an earlier one: a whole
game is one pass over all codes, in blocks. Only the lab plays `lazy`.
"""

from collections.abc import Iterator
from itertools import islice

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.spaces import SymbolSpace
from puzzlehunt.errors import UnknownNameError
from puzzlehunt.game.game import Game
from puzzlehunt.kernels.codes import Bytes, Rows, array_of

NAME = "lazy"
_BLOCK = 1 << 16
"""Codes made at once."""


def check(game: Game) -> None:
    """Raise UnknownNameError where `lazy` cannot play a game."""
    plain = game.secrets_at_once == 1 and game.host == "truthful" and not game.channel.weighs
    if not plain or game.hard or game.gives or game.history.items or game.play.opening:
        raise UnknownNameError(
            "strategy lazy: expected one secret, true answers that are read, and no rows, gifts or "
            "opening; first plays any game"
        )


def play(game: Game, secret: Code) -> tuple[int, int]:
    """Return guesses until the secret is played, and until it is known."""
    rule = game.rule
    secret_row = rule.rows(array_of([secret], game.length))
    answers: list[tuple[Rows, int]] = []
    blocks = _blocks(game)
    codes = rule.rows(next(blocks))
    known = None
    while True:
        agreeing = np.flatnonzero(_agree(game, answers, codes))[:2]
        while len(agreeing) < 2 and (block := next(blocks, None)) is not None:
            kept = codes[agreeing]
            rows = rule.rows(block)
            here = np.flatnonzero(_agree(game, answers, rows))
            codes = rule.rows(np.concatenate((kept.codes, rows.codes[here])))
            agreeing = np.arange(len(codes))[:2]
        if len(agreeing) == 1 and known is None:
            known = len(answers)
        guess = codes[agreeing[:1]]
        answer = int(rule.table(guess, secret_row)[0, 0])
        answers.append((guess, answer))
        if rule.feedbacks[answer] == rule.winning:
            return len(answers), len(answers) if known is None else known
        codes = codes[slice(int(agreeing[0]) + 1, None)]


def _agree(game: Game, answers: list[tuple[Rows, int]], codes: Rows) -> npt.NDArray[np.bool_]:
    """Return a mask of the codes that would have given all `answers`.

    An answer is a guess and the place of its feedback in `rule.feedbacks`.
    """
    kept = np.arange(len(codes))
    for guess, answer in answers:
        kept = kept[game.rule.table(guess, codes[kept])[0] == answer]
    agree = np.zeros(len(codes), dtype=np.bool_)
    agree[kept] = True
    return agree


def _blocks(game: Game) -> Iterator[Bytes]:
    """Yield all secrets in code order, in arrays of at most _BLOCK codes."""
    space = game.secrets
    if isinstance(space, SymbolSpace) and not space.distinct and len(space.lengths) == 1:
        symbols = len(space.alphabet)
        powers = [symbols**place for place in reversed(range(game.length))]
        for begin in range(0, space.size, _BLOCK):
            numbers = np.arange(begin, min(space.size, begin + _BLOCK))
            digits = [numbers // power % symbols for power in powers]
            yield np.stack(digits, axis=1).astype(np.uint8)
        return
    every = iter(space)
    while block := list(islice(every, _BLOCK)):
        yield array_of(block, game.length)
