"""Guesses that serve several secrets at once: on boards of their own, or two on one board.

Every secret has to be guessed in the end, so a guess that is one costs nothing, and any other
guess costs one. A guess is worth what its answers tell on all boards, and each secret that it may
be is worth, times its chance, as much as the best guess tells.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.kernels.codes import Rows, array_of, code_of, places_in
from puzzlehunt.strategies.base import Strategy, Suggestion
from puzzlehunt.strategies.basis import GUESS_SAMPLE, Basis
from puzzlehunt.strategies.pool import sampled
from puzzlehunt.strategies.position import Position

Values = npt.NDArray[np.float64]
_LEAST = 1.0
"""What a secret is worth, in bits, where nothing is left to be told."""


@dataclass(frozen=True, slots=True)
class Several:
    """The positions of the boards that are not solved yet, and the guesses for all of them.

    `parts` is how many secrets are to be found on one board; `found` are those that were. `basis`
    says what the guesses are a sample of, if they are one.
    """

    positions: Sequence[Position]
    guesses: Rows
    parts: int
    found: frozenset[Code]
    basis: Basis | None = None

    @classmethod
    def of(cls, positions: Sequence[Position], parts: int, found: frozenset[Code]) -> "Several":
        """Return what to choose from: the pool of guesses, or the candidates of all boards."""
        first = positions[0]
        length = first.game.guesses.lengths[-1]
        listed = [p.secrets.codes[p.candidates].reshape(-1, length) for p in positions]
        codes = np.unique(np.concatenate(listed), axis=0)
        rows = first.pool.guesses
        if rows is None:
            rows = first.game.rule.rows(array_of(map(code_of, codes), first.game.length))
        most = first.budget.guesses
        if most is None or most >= len(rows):
            return cls(positions, rows, parts, found)
        as_guess = places_in(rows.codes[:, :length], codes)
        some = np.sort(sampled(first, np.arange(len(rows)), as_guess, most))
        return cls(positions, rows[some], parts, found, GUESS_SAMPLE)

    def rank(self, strategy: Strategy, top: int) -> list[Suggestion]:
        """Return the best guesses; equals in code order, those that may be a secret first."""
        told = self._told(strategy, self.guesses)
        chances = sum(
            (self._chances(p, self.guesses) for p in self.positions), _zeros(self.guesses)
        )
        value = told + chances * max(_LEAST, told.max())
        if self._hurried():
            value = told + chances * 1e6
        order = np.lexsort((np.arange(len(value)), chances <= 0, -np.round(value, 9)))[:top]
        return [self.rate(strategy, code_of(self.guesses.codes[place])) for place in order]

    def _hurried(self) -> bool:
        """Return whether every guess that is left has to find a secret."""
        left = self.positions[0].attempts
        missing = len(self.positions) * self.parts - (len(self.found) if self.parts > 1 else 0)
        return left is not None and left <= missing

    def _told(self, strategy: Strategy, guesses: Rows) -> Values:
        """Return what the answers on all boards tell about each guess, in bits."""
        told = _zeros(guesses)
        known: dict[tuple[bytes, bytes], Values] = {}
        for position in self.positions:
            key = position.candidates.tobytes(), position.secrets.codes.tobytes()
            if key not in known:
                bits = strategy.bits(position, guesses) if len(position.candidates) > 1 else None
                known[key] = _zeros(guesses) if bits is None else bits
            told += known[key]
        return told

    def _chances(self, position: Position, guesses: Rows) -> Values:
        """Return how many secrets of a board each guess is expected to be."""
        secrets = position.secrets.codes[position.candidates]
        length = secrets.shape[1] // self.parts
        codes, counts = np.unique(secrets.reshape(-1, length), axis=0, return_counts=True)
        found = [code in self.found for code in map(code_of, codes)] if self.parts > 1 else False
        chance = np.append(np.where(found, 0.0, counts / len(secrets)), 0.0)
        return chance[places_in(codes, guesses.codes[:, :length])]

    def rate(self, strategy: Strategy, guess: Code) -> Suggestion:
        """Return what one guess is worth: bits on all boards, and how many ways may be left."""
        position = self.positions[0]
        rows = position.game.rule.rows(array_of([guess], position.game.length))
        worst = 1
        for each in self.positions:
            secrets, compiled = each.secrets[each.candidates], each.budget.compiled
            counts = position.game.rule.partitions(rows, secrets, compiled=compiled)
            worst *= int(counts.max())
        chance = sum(self._chances(each, rows)[0] for each in self.positions)
        return Suggestion(guess, float(self._told(strategy, rows)[0]), worst, bool(chance > 0))


def _zeros(guesses: Rows) -> Values:
    return np.zeros(len(guesses))
