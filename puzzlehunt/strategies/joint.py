"""Guesses in games of several boards, each of which has its own secret.

Every secret has to be guessed in the end, so a guess that finds none is an extra one. The value of
a guess is the bits of its answers on all boards plus, for each secret, the chance that it finds it
times the bits of the most informative guess.
"""

from collections.abc import Sequence

import numpy as np

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.kernels.packed_codes import PackedCodes, code_of
from puzzlehunt.strategies.base import Strategy, Suggestion
from puzzlehunt.strategies.measures import DECIMALS, Values
from puzzlehunt.strategies.oneply import OnePly
from puzzlehunt.strategies.position import Position


def rank(positions: Sequence[Position], strategy: Strategy, top: int) -> list[Suggestion]:
    """Return the `top` best guesses of the pool.

    `positions` are those of the boards that are not solved yet. Of equally good guesses, those that
    may be a secret come first, then those earlier in the order of codes.
    """
    guesses = positions[0].pool.guesses
    if guesses is None:  # then the candidates of all boards are guessed
        codes = np.concatenate([board.secrets.codes[board.candidates] for board in positions])
        guesses = positions[0].game.rule.rows(np.unique(codes, axis=0))
    bits = _bits(positions, strategy, guesses)
    # How many secrets each guess finds on average.
    chances = np.sum([board.chances(guesses) for board in positions], axis=0)
    value = bits + chances * max(1.0, bits.max())
    # Of these keys, the last decides first.
    keys = [np.arange(len(value)), chances <= 0, -np.round(value, DECIMALS)]
    attempts = positions[0].attempts
    if attempts is not None and attempts <= len(positions):  # every guess must find a secret
        keys.append(-np.round(chances, DECIMALS))
    order = np.lexsort(keys)[:top]
    return [rate(positions, strategy, code_of(guesses.codes[place])) for place in order]


def _bits(positions: Sequence[Position], strategy: Strategy, guesses: PackedCodes) -> Values:
    """Return (G,): the bits of each guess on all boards; 0 without a one-ply strategy."""
    bits_of = {}  # equal boards are evaluated once
    boards = [(each.candidates.tobytes(), each.secrets.codes.tobytes()) for each in positions]
    for key, position in zip(boards, positions, strict=True):
        if key not in bits_of:
            bits_of[key] = np.zeros(len(guesses))
            if len(position.candidates) > 1 and isinstance(strategy, OnePly):
                bits_of[key] = -strategy.costs(position, guesses)
    return sum((bits_of[key] for key in boards), np.zeros(len(guesses)))


def rate(positions: Sequence[Position], strategy: Strategy, guess: Code) -> Suggestion:
    """Return a guess with its bits on all boards together.

    `worst` is the product of the sizes of the largest part of each board.
    """
    rule, rows, worst = positions[0].game.rule, positions[0].row(guess), 1
    for board in positions:
        secrets, compiled = board.secrets[board.candidates], board.budget.compiled
        worst *= int(rule.partitions(rows, secrets, compiled=compiled).max())
    may_win = any(board.chances(rows)[0] > 0 for board in positions)
    return Suggestion(guess, float(_bits(positions, strategy, rows)[0]), worst, may_win)
