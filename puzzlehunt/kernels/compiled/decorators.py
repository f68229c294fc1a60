"""How functions are compiled: kept in numba's cache, and without Python's lock."""

from typing import Any

import numba

kernel: Any = numba.njit(cache=True, nogil=True)
inlined: Any = numba.njit(cache=True, nogil=True, inline="always")
