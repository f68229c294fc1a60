"""Rejection sampling: random codes, kept if they fit; exactly uniform.

Only codes with symbol counts that are still possible are drawn. The number of draws for one
candidate is the number of such codes divided by the number of candidates, so drawing works while
candidates are many. The share of kept codes gives an estimate of the number of candidates.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlehunt.engines.sampling.turn_arrays import Numbers, TurnArrays
from puzzlehunt.kernels.compiled.jit import inner, makes_no_array
from puzzlehunt.kernels.compiled.splitmix64 import Words, next_number, numbers_after
from puzzlehunt.kernels.packed_codes import CodeArray, Indices

_FEWEST_DRAWS = 4_096
"""Number of draws that are prepared together at first; each time they are doubled."""
_MOST_AT_ONCE = 1 << 16
"""At most this many draws are made together."""


def draw(
    table: CodeArray,
    turns: TurnArrays,
    most: int,
    draws: int,
    generator: np.random.Generator,
    compiled: bool,
) -> tuple[CodeArray, int]:
    """Return up to `most` fitting codes, (N, length), in the order drawn, and the number of draws.

    `table` (N, symbols) has the possible symbol counts. A row is drawn in proportion to the number
    of its codes. With `compiled`, the compiled kernel draws the same codes faster.
    """
    cumulated = np.cumsum(arrangements(table))
    picks = generator.random(draws) * cumulated[-1]
    length = int(table[0].sum())
    fitting = np.empty((most, length), dtype=np.uint8)
    seed = generator.integers(0, 2**63, 1, dtype=np.uint64)
    kept = drawn = 0
    while kept < most and drawn < draws:  # often few draws are enough
        size = max(_FEWEST_DRAWS, drawn)
        some = picks[drawn : drawn + (size if compiled else min(size, _MOST_AT_ONCE))]
        picked = np.minimum(np.searchsorted(cumulated, some, side="right"), len(table) - 1)
        if compiled:
            kept, more = _draw_fitting(
                table, picked, turns.guesses, turns.times, turns.allowed, seed, fitting, kept
            )
        else:
            codes, more = _draw_fitting_by_numpy(table, picked, turns, seed, most - kept)
            fitting[kept : kept + len(codes)] = codes
            kept += len(codes)
        drawn += more
    return fitting[:kept], drawn


def arrangements(table: CodeArray) -> npt.NDArray[np.float64]:
    """Return (N,): how many codes have each row's symbol counts, relative to the first row."""
    length = int(table[0].sum())
    logs = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, length + 1)))))
    each = -logs[table].sum(axis=1)
    return np.asarray(np.exp(each - each[0]))


def _draw_fitting_by_numpy(
    table: CodeArray, picked: Indices, turns: TurnArrays, seed: Words, most: int
) -> tuple[CodeArray, int]:
    length, symbols = turns.guesses.shape[1], np.arange(table.shape[1], dtype=np.uint8)
    codes = np.repeat(np.tile(symbols, len(picked)), table[picked].ravel()).reshape(-1, length)
    numbers = numbers_after(seed, len(picked) * (length - 1)).reshape(len(picked), length - 1)
    each = np.arange(len(picked))
    for p in range(length - 1, 0, -1):
        high = numbers[:, length - 1 - p] >> np.uint64(32)
        other = (high * np.uint64(p + 1) >> np.uint64(32)).astype(np.intp)
        moved = codes[each, other]
        codes[each, other] = codes[:, p]
        codes[:, p] = moved
    fitting = np.flatnonzero(turns.fit(codes))[:most]
    return codes[fitting], int(fitting[-1]) + 1 if len(fitting) == most else len(picked)


@inner
def fits(
    code: CodeArray,
    counts: CodeArray,
    guesses: Numbers,
    times: Numbers,
    allowed: npt.NDArray[np.bool_],
) -> Any:
    """Return whether a code fits all turns; `counts` is how often each symbol occurs in it."""
    for t in range(len(guesses)):
        in_place = common = 0
        for p in range(len(code)):
            if guesses[t, p] == code[p]:
                in_place += 1
        for s in range(len(counts)):
            common += min(times[t, s], np.int64(counts[s]))
        if not allowed[t, in_place, common]:
            return False
    return True


@makes_no_array
def _draw_fitting(
    table: CodeArray, picked: Indices, guesses: Numbers, times: Numbers,
    allowed: npt.NDArray[np.bool_], seed: Words, fitting: CodeArray, kept: int,
) -> Any:  # fmt: skip
    """Add those of the codes drawn that fit to `kept` of `fitting`; return how many, and draws."""
    length = guesses.shape[1]
    symbols = table.shape[1]
    for n in range(len(picked)):
        counts, code = table[picked[n]], fitting[kept]
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
            kept += 1
            if kept == len(fitting):
                return kept, n + 1
    return kept, len(picked)
