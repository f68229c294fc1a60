"""The compiled kernel of rejection sampling; `rejection` has the same by numpy."""

from typing import Any

import numpy as np

from puzzlehunt.engines.sampling.turn_arrays import Flags
from puzzlehunt.kernels.compiled.jit import inner, makes_no_array
from puzzlehunt.kernels.compiled.splitmix64 import Words, next_number
from puzzlehunt.kernels.packed_codes import CodeArray, Indices


@inner
def fits(
    code: CodeArray, counts: CodeArray,
    guesses: CodeArray, times: CodeArray, in_place_allowed: Flags, allowed: Flags,
) -> Any:  # fmt: skip
    """Return whether a code fits all turns; `counts` is how often each symbol occurs in it."""
    for t in range(len(guesses)):
        guess, in_place, common = guesses[t], np.uint8(0), np.uint8(0)
        for p in range(len(code)):
            in_place += np.uint8(guess[p] == code[p])
        if not in_place_allowed[t, in_place]:  # so most codes end
            return False
        for s in range(len(counts)):
            common += min(times[t, s], counts[s])
        if not allowed[t, in_place, common]:
            return False
    return True


@makes_no_array
def draw_fitting(
    codes: CodeArray, picked: Indices, counts: CodeArray, guesses: CodeArray, times: CodeArray,
    in_place_allowed: Flags, allowed: Flags, seed: Words, fitting: CodeArray, kept: int,
) -> Any:  # fmt: skip
    """Add those of the codes drawn that fit to `kept` of `fitting`; return how many, and draws.

    A draw shuffles the one of `codes` (N, length) that is `picked` (draws,); `counts` (N, symbols)
    are the symbol counts of these codes.
    """
    length = codes.shape[1]
    for n in range(len(picked)):
        code, row = fitting[kept], picked[n]
        for p in range(length):
            code[p] = codes[row, p]
        for p in range(length - 1, 0, -1):
            high = next_number(seed) >> np.uint64(32)
            other = np.int64(high * np.uint64(p + 1) >> np.uint64(32))
            code[p], code[other] = code[other], code[p]
        if fits(code, counts[row], guesses, times, in_place_allowed, allowed):
            kept += 1
            if kept == len(fitting):
                return kept, n + 1
    return kept, len(picked)
