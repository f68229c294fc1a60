"""Codes drawn at random and kept where they fit (rejection sampling): exactly uniform.

Only codes with symbol counts that are still possible are drawn. One candidate takes as many draws
as there are such codes for each candidate, so that drawing serves while candidates are many. The
share of codes that are kept tells how many candidates there are.
"""

from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from puzzlehunt.engines.sampling.turn_arrays import TurnArrays, fits
from puzzlehunt.kernels.codes import Bytes
from puzzlehunt.kernels.compiled.splitmix64 import next_number


def draw(
    table: Bytes, turns: TurnArrays, most: int, draws: int, generator: np.random.Generator
) -> tuple[Bytes, int]:
    """Return up to `most` fitting codes, (N, length), in the order drawn, and the number of draws.

    That is `draws` at most. `table` (N, symbols) holds the symbol counts that are possible; each
    of its rows is drawn as often as the number of its codes demands.
    """
    cumulated = np.cumsum(arrangements(table))
    picks = generator.random(draws) * cumulated[-1]
    length = int(table[0].sum())
    fitting = np.empty((most, length), dtype=np.uint8)
    seed = generator.integers(0, 2**63, 1, dtype=np.uint64)
    kept, draws_made = _draw_fitting(
        table, cumulated, picks, turns.guesses, turns.times, turns.allowed, seed, fitting
    )
    return fitting[:kept], draws_made


def arrangements(table: Bytes) -> npt.NDArray[np.float64]:
    """Return (N,): how many codes have each row's symbol counts, relative to the first row."""
    length = int(table[0].sum())
    logs = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, length + 1)))))
    each = -logs[table].sum(axis=1)
    return np.asarray(np.exp(each - each[0]))


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator, unused-ignore]
def _draw_fitting(
    table: Any, cumulated: Any, picks: Any, guesses: Any, times: Any, allowed: Any, seed: Any,
    fitting: Any,
) -> Any:  # fmt: skip
    """Draw a code for each of `picks`, and write those that fit into `fitting`.

    Return how many fit, and how many were drawn. `cumulated` holds the running sum of the numbers
    of codes of all rows; a pick is a number from 0 to its last, and so stands for one row.
    """
    length = guesses.shape[1]
    symbols = table.shape[1]
    code = np.zeros(length, dtype=np.uint8)
    kept = 0
    for n in range(len(picks)):
        picked = np.searchsorted(cumulated, picks[n], side="right")
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
        if fits(code, counts, guesses, times, allowed):
            fitting[kept] = code
            kept += 1
            if kept == len(fitting):
                return kept, n + 1
    return kept, len(picks)
