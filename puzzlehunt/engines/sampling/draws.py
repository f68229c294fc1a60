"""Codes drawn at random and kept where they fit: exactly uniform.

How often symbols may occur is known before, so that only such codes are drawn.

Rejection costs as many draws as there are codes a candidate; it serves while candidates are many,
and the share of draws that were kept tells how many there are.
"""

from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from puzzlehunt.engines.sampling.answers import Answers, admit
from puzzlehunt.kernels.codes import Bytes
from puzzlehunt.kernels.compiled.splitmix64 import next_number


def draw(
    table: Bytes, said: Answers, most: int, draws: int, chance: np.random.Generator
) -> tuple[Bytes, int]:
    """Return up to so many fitting codes, in the order drawn, and how many draws were made.

    Each row of `table` (N, symbols) says how often symbols may occur; it is drawn from as often as
    it has codes.
    """
    shares = np.cumsum(arrangements(table))
    picks = chance.random(draws) * shares[-1]
    length = int(table[0].sum())
    found = np.empty((most, length), dtype=np.uint8)
    seed = chance.integers(0, 2**63, 1, dtype=np.uint64)
    kept, made = _kept(table, shares, picks, said.guesses, said.often, said.allowed, seed, found)
    return found[:kept], made


def arrangements(table: Bytes) -> npt.NDArray[np.float64]:
    """Return (N,): how many codes each row of symbol counts has, relative to the first."""
    length = int(table[0].sum())
    logs = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, length + 1)))))
    each = -logs[table].sum(axis=1)
    return np.asarray(np.exp(each - each[0]))


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator, unused-ignore]
def _kept(
    table: Any, shares: Any, picks: Any, guesses: Any, often: Any, allowed: Any, seed: Any,
    found: Any,
) -> Any:  # fmt: skip
    """Draw a code for each row picked; write those that fit, return how many, and the tries."""
    length = guesses.shape[1]
    symbols = table.shape[1]
    code = np.zeros(length, dtype=np.uint8)
    kept = 0
    for n in range(len(picks)):
        picked = np.searchsorted(shares, picks[n], side="right")
        counts = table[min(picked, len(table) - 1)]
        place = 0
        for s in range(symbols):
            for _ in range(counts[s]):
                code[place] = s
                place += 1
        for p in range(length - 1, 0, -1):
            high = next_number(seed) >> np.uint64(32)
            other = np.int64(high * np.uint64(p + 1) >> np.uint64(32))
            code[p], code[other] = code[other], code[p]
        if admit(code, counts, guesses, often, allowed):
            found[kept] = code
            kept += 1
            if kept == len(found):
                return kept, n + 1
    return kept, len(picks)
