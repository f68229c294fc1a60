"""Guesses in games of several boards, each of which has its own secret.

Every secret must be guessed in the end. So a guess that finds a secret has to be made at some time,
and every other guess is an extra one. The value of a guess is the bits of its answers on all boards
plus, for each secret, the chance that the guess finds it times the bits of the most informative
guess.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.kernels.packed_codes import PackedCodes, array_of, code_of, indices_in
from puzzlehunt.strategies.base import Strategy, Suggestion
from puzzlehunt.strategies.oneply import OnePly
from puzzlehunt.strategies.pool import sample_of_guesses
from puzzlehunt.strategies.position import Position

Values = npt.NDArray[np.float64]
_LEAST_VALUE = 1.0
"""Least value of a found secret (bits)."""
_DECISIVE_VALUE = 1e6
"""Value of a found secret (bits) if every guess that is left must find one: more than any answer
tells."""


def rank(
    positions: Sequence[Position], strategy: Strategy, top: int
) -> tuple[list[Suggestion], bool]:
    """Return the `top` best guesses, and whether all were evaluated.

    `positions` are those of the boards that are not solved yet. Of equally good guesses, those that
    may be a secret come first, then those earlier in the order of codes.
    """
    guesses, complete = _guesses(positions)
    bits, chances = _bits(positions, strategy, guesses), np.zeros(len(guesses))
    for position in positions:
        chances += _chances(position, guesses)
    attempts = positions[0].attempts
    each_must_find = attempts is not None and attempts <= len(positions)
    value = bits + chances * (_DECISIVE_VALUE if each_must_find else max(_LEAST_VALUE, bits.max()))
    order = np.lexsort((np.arange(len(value)), chances <= 0, -np.round(value, 9)))[:top]
    return [rate(positions, strategy, code_of(guesses.codes[place])) for place in order], complete


def _guesses(positions: Sequence[Position]) -> tuple[PackedCodes, bool]:
    """Return the guesses of the pool, and whether they are all; a budget limits them to a sample.

    If the pool lists none, they are the candidates of all boards.
    """
    first = positions[0]
    length = first.game.guesses.lengths[-1]
    listed = [p.secrets.codes[p.candidates] for p in positions]
    codes = np.unique(np.concatenate(listed), axis=0)
    rows = first.pool.guesses
    if rows is None:
        rows = first.game.rule.rows(array_of(map(code_of, codes), first.game.length))
    most = first.budget.guesses
    if most is None or most >= len(rows):
        return rows, True
    as_guess = indices_in(rows.codes[:, :length], codes)
    places = np.sort(sample_of_guesses(first.rng, np.arange(len(rows)), as_guess, most))
    return rows[places], False


def _bits(positions: Sequence[Position], strategy: Strategy, guesses: PackedCodes) -> Values:
    total = np.zeros(len(guesses))
    bits_of: dict[tuple[bytes, bytes], Values] = {}  # equal boards are evaluated once
    for position in positions:
        key = position.candidates.tobytes(), position.secrets.codes.tobytes()
        if key not in bits_of:
            bits_of[key] = np.zeros(len(guesses))
            if len(position.candidates) > 1 and isinstance(strategy, OnePly):
                bits_of[key] = strategy.values(position, guesses)
        total += bits_of[key]
    return total


def _chances(position: Position, guesses: PackedCodes) -> Values:
    """Return (G,): the chance that each guess is the secret of a board."""
    codes = position.secrets.codes[position.candidates]
    is_candidate = indices_in(codes, guesses.codes[:, : codes.shape[1]]) >= 0
    return is_candidate / len(codes)


def rate(positions: Sequence[Position], strategy: Strategy, guess: Code) -> Suggestion:
    """Return a guess with its bits on all boards together.

    `worst` is the product of the sizes of the largest part of each board.
    """
    rule = positions[0].game.rule
    rows = rule.rows(array_of([guess], positions[0].game.length))
    worst = 1
    for board in positions:
        secrets, compiled = board.secrets[board.candidates], board.budget.compiled
        worst *= int(rule.partitions(rows, secrets, compiled=compiled).max())
    chance = sum(_chances(board, rows)[0] for board in positions)
    bits = float(_bits(positions, strategy, rows)[0])
    return Suggestion(guess, bits, worst, bool(chance > 0))
