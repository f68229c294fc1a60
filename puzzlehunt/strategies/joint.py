"""Guesses in games of several boards, each of which has its own secret.

Every secret must be guessed in the end. So a guess that finds a secret has to be made at some time,
and every other guess is an extra one. The value of a guess is the bits of its answers on all boards
plus, for each secret, the chance that the guess finds it times the bits of the most informative
guess.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.kernels.packed_codes import PackedCodes, array_of, code_of, indices_in
from puzzlehunt.strategies.base import Strategy, Suggestion
from puzzlehunt.strategies.pool import GUESS_SAMPLE, sample_of_guesses
from puzzlehunt.strategies.position import Position

Values = npt.NDArray[np.float64]
_LEAST_VALUE = 1.0
"""Least value of a found secret (bits)."""
_DECISIVE_VALUE = 1e6
"""Value of a found secret (bits) if every guess that is left must find one: more than any answer
tells."""


@dataclass(frozen=True, slots=True)
class JointPosition:
    """The positions of the boards that are not solved yet, and the guesses for all of them.

    `basis` describes the choice of `guesses` if they are only some of all guesses, else "".
    """

    positions: Sequence[Position]
    guesses: PackedCodes
    basis: str = ""

    @classmethod
    def of(cls, positions: Sequence[Position]) -> "JointPosition":
        """Return the joint position of some boards.

        Its guesses are those of the pool; if that lists none, the candidates of all boards. A
        budget of guesses limits them to a sample.
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
            return cls(positions, rows)
        as_guess = indices_in(rows.codes[:, :length], codes)
        places = np.sort(sample_of_guesses(first.rng, np.arange(len(rows)), as_guess, most))
        return cls(positions, rows[places], GUESS_SAMPLE)

    def rank(self, strategy: Strategy, top: int) -> list[Suggestion]:
        """Return the `top` best guesses.

        Of equally good guesses, those that may be a secret come first, then those earlier in the
        order of codes.
        """
        bits, chances = self._bits(strategy, self.guesses), np.zeros(len(self.guesses))
        for position in self.positions:
            chances += self._chances(position, self.guesses)
        value = bits + chances * max(_LEAST_VALUE, bits.max())
        if self._each_guess_must_find():
            value = bits + chances * _DECISIVE_VALUE
        order = np.lexsort((np.arange(len(value)), chances <= 0, -np.round(value, 9)))[:top]
        return [self.rate(strategy, code_of(self.guesses.codes[place])) for place in order]

    def _each_guess_must_find(self) -> bool:
        attempts = self.positions[0].attempts
        return attempts is not None and attempts <= len(self.positions)

    def _bits(self, strategy: Strategy, guesses: PackedCodes) -> Values:
        total = np.zeros(len(guesses))
        bits_of: dict[tuple[bytes, bytes], Values] = {}  # equal boards are evaluated once
        for position in self.positions:
            key = position.candidates.tobytes(), position.secrets.codes.tobytes()
            if key not in bits_of:
                bits = strategy.bits(position, guesses) if len(position.candidates) > 1 else None
                bits_of[key] = np.zeros(len(guesses)) if bits is None else bits
            total += bits_of[key]
        return total

    def _chances(self, position: Position, guesses: PackedCodes) -> Values:
        """Return (G,): the chance that each guess is the secret of a board."""
        codes = position.secrets.codes[position.candidates]
        is_candidate = indices_in(codes, guesses.codes[:, : codes.shape[1]]) >= 0
        return is_candidate / len(codes)

    def rate(self, strategy: Strategy, guess: Code) -> Suggestion:
        """Return a guess with its bits on all boards together.

        `worst` is the product of the sizes of the largest part of each board.
        """
        position = self.positions[0]
        rows = position.game.rule.rows(array_of([guess], position.game.length))
        worst = 1
        for board in self.positions:
            secrets, compiled = board.secrets[board.candidates], board.budget.compiled
            counts = position.game.rule.partitions(rows, secrets, compiled=compiled)
            worst *= int(counts.max())
        chance = sum(self._chances(board, rows)[0] for board in self.positions)
        return Suggestion(guess, float(self._bits(strategy, rows)[0]), worst, bool(chance > 0))
