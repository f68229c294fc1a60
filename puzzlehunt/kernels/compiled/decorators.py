"""How functions are compiled: kept in numba's cache, and without Python's lock."""

from typing import Any

import numba

kernel: Any = numba.njit(cache=True, nogil=True)
inlined: Any = numba.njit(cache=True, nogil=True, inline="always")
in_parallel: Any = numba.njit(cache=True, nogil=True, parallel=True)
"""Its `numba.prange` loops are shared among the cores."""
