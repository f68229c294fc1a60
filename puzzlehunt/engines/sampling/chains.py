"""Chains through the codes of one game, towards those that agree with its turns."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.spaces import SymbolSpace
from puzzlehunt.engines.sampling.answers import FREE, Answers
from puzzlehunt.engines.sampling.tempering import WARMTHS, Limits, temper
from puzzlehunt.game.game import Game
from puzzlehunt.kernels.codes import Bytes

_FEW, _SWAPS = 8, 0.9
"""Up to so many ways in which symbols may occur, that share of all steps exchanges positions."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a run met: codes that agree, the nearest one, and how far that is from agreeing."""

    codes: Bytes
    nearest: Code
    apart: int


class Chains:
    """Runs of chains for what some turns say.

    Each begins at codes in which symbols occur as a row of `table` (N, symbols) says. In `known`
    (length,) a position holds a symbol from the beginning to the end; those that are `FREE`, any.
    """

    def __init__(
        self, game: Game, said: Answers, table: Bytes, known: npt.NDArray[np.int64] | None = None
    ) -> None:
        assert isinstance(game.secrets, SymbolSpace)
        self._distinct = game.secrets.distinct
        self._symbols = len(game.secrets.alphabet)
        self._table = table
        self._limits = Limits.of(said)
        self._known = np.full(game.length, FREE) if known is None else known
        self._free = np.flatnonzero(self._known == FREE)
        one = len(table) == 1
        self._swaps = 1.0 if one else _SWAPS if len(table) <= _FEW else 0.5

    def run(self, most: int, rounds: int, before: int, chance: np.random.Generator) -> Run:
        """Return what so many rounds meet, at most so many codes; `before` are not looked at."""
        codes = np.array([self._start(chance) for _ in WARMTHS])
        if not len(self._free):
            rounds = 1
        seed = chance.integers(0, 2**63, 1, dtype=np.uint64)
        found, nearest, apart = temper(
            codes, self._free, self._limits, self._distinct, self._swaps, rounds,
            min(before, rounds - 1), seed, most,
        )  # fmt: skip
        return Run(found.astype(np.uint8), tuple(nearest.tolist()), apart)

    def _start(self, chance: np.random.Generator) -> npt.NDArray[np.int64]:
        """Return a code with the known symbols, with symbol counts of the table if they allow."""
        code = self._known.copy()
        held = np.bincount(code[code != FREE], minlength=self._symbols)
        missing = self._table[chance.integers(len(self._table))] - held
        rest = np.repeat(np.arange(self._symbols), np.maximum(missing, 0))
        rest = chance.permutation(rest)[: len(self._free)]
        more = chance.integers(0, self._symbols, len(self._free) - len(rest))
        code[self._free] = chance.permutation(np.concatenate((rest, more)))
        return code
