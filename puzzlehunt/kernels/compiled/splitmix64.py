"""Splitmix64 (Steele, Lea and Flood, 2014): random numbers from one word of state."""

from typing import Any

import numpy as np

from puzzlehunt.kernels.compiled.decorators import inner


@inner
def next_number(state: Any) -> Any:
    """Return the next number of 64 bits; `state` (1,) is one word of 64 bits, which moves on."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
