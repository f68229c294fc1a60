"""Rejection sampling: random codes, kept if they fit; exactly uniform.

Only codes with symbol counts that are still possible are drawn. The number of draws for one
candidate is the number of such codes divided by the number of candidates, so drawing works while
candidates are many. The share of kept codes gives an estimate of the number of candidates.
"""

from typing import TypeAlias, cast

import numpy as np
import numpy.typing as npt

from puzzlehunt.engines.sampling.turn_arrays import TurnArrays
from puzzlehunt.kernels import fast
from puzzlehunt.kernels.packed_codes import CodeArray

_Words: TypeAlias = npt.NDArray[np.uint64]
_FEWEST_DRAWS, _DRAWS_BEFORE_LOADING = 256, 4_096
"""Draws that are prepared together at first, later as many as before; without numba, so many."""
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
    of its codes. With `compiled`, a kernel draws the same codes faster; it is loaded only if the
    first draws are not enough.
    """
    cumulated = np.cumsum(arrangements(table))
    # The picks of all draws come before the seed, but are only made when they are needed.
    bits = cast(np.random.PCG64, generator.bit_generator)
    before = bits.state
    bits.advance(draws)
    seed = generator.integers(0, 2**63, 1, dtype=np.uint64)
    bits.state, after = before, bits.state
    fitting = np.empty((most, turns.guesses.shape[1]), dtype=np.uint8)
    kept = drawn = 0
    while kept < most and drawn < draws:  # often few draws are enough
        by_kernel = compiled and (drawn >= _DRAWS_BEFORE_LOADING or fast.is_loaded())
        size = max(_FEWEST_DRAWS, drawn)
        size = min(size if by_kernel else min(size, _MOST_AT_ONCE), draws - drawn)
        some = generator.random(size) * cumulated[-1]
        picked = np.minimum(np.searchsorted(cumulated, some, side="right"), len(table) - 1)
        rows = table
        if by_kernel:
            if len(rows) > size:
                rows, picked = rows[picked], np.arange(size)
            from puzzlehunt.engines.sampling.compiled_rejection import draw_fitting

            kept, more = draw_fitting(
                _sorted_codes(rows), picked, rows, *turns.for_kernel, seed, fitting, kept
            )
        else:
            codes, more = _draw_fitting_by_numpy(rows[picked], turns, seed, most - kept)
            fitting[kept : kept + len(codes)] = codes
            kept += len(codes)
        drawn += more
    bits.state = after
    return fitting[:kept], drawn


def arrangements(table: CodeArray) -> npt.NDArray[np.float64]:
    """Return (N,): how many codes have each row's symbol counts, relative to the first row."""
    length = int(table[0].sum())
    logs = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, length + 1)))))
    each = -logs[table].sum(axis=1)
    return np.asarray(np.exp(each - each[0]))


def _sorted_codes(table: CodeArray) -> CodeArray:
    """Return (N, length): for each row of symbol counts, the first code in code order."""
    symbols = np.arange(table.shape[1], dtype=np.uint8)
    return np.repeat(np.tile(symbols, len(table)), table.ravel()).reshape(len(table), -1)


def _draw_fitting_by_numpy(
    counts: CodeArray, turns: TurnArrays, seed: _Words, most: int
) -> tuple[CodeArray, int]:
    codes = _sorted_codes(counts)
    draws, length = codes.shape
    numbers = _numbers_after(seed, draws * (length - 1)).reshape(draws, length - 1)
    each = np.arange(draws)
    for p in range(length - 1, 0, -1):
        high = numbers[:, length - 1 - p] >> np.uint64(32)
        other = (high * np.uint64(p + 1) >> np.uint64(32)).astype(np.intp)
        moved = codes[each, other]
        codes[each, other] = codes[:, p]
        codes[:, p] = moved
    fitting = np.flatnonzero(turns.fit(codes))[:most]
    return codes[fitting], int(fitting[-1]) + 1 if len(fitting) == most else draws


def _numbers_after(state: _Words, size: int) -> _Words:
    """Return the next `size` numbers of splitmix64 by numpy, (size,), and advance `state` (1,)."""
    states = state + np.arange(size + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    state[0], z = states[-1], states[1:]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(z ^ (z >> np.uint64(31)))
