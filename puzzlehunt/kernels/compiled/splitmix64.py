"""Splitmix64 (Steele, Lea and Flood, 2014): random numbers from one word of state."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlehunt.kernels.compiled.jit import inner

Words: TypeAlias = npt.NDArray[np.uint64]


@inner
def next_number(state: Words) -> int:
    """Return the next number of 64 bits, and advance `state` (1,), one word of 64 bits."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
