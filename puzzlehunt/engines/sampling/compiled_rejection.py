"""The compiled kernel of rejection sampling; `rejection` has the same by numpy."""

from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlehunt.engines.sampling.turn_arrays import Numbers
from puzzlehunt.kernels.compiled.jit import inner, makes_no_array
from puzzlehunt.kernels.compiled.splitmix64 import Words, next_number
from puzzlehunt.kernels.packed_codes import CodeArray, Indices


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
def draw_fitting(
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
