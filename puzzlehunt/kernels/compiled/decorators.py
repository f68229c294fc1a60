"""How functions are compiled: kept in numba's cache, and without Python's lock.

A function that makes no array need not count references to arrays either, which is much of what
there is to compile; one that only kernels call needs no wrapper for calls by Python.
"""

from functools import partial
from typing import Any

import numba

_compiled: Any = partial(numba.njit, cache=True, nogil=True)

kernel: Any = _compiled(no_cfunc_wrapper=True)
inlined: Any = _compiled(inline="always")
makes_no_array: Any = _compiled(no_cfunc_wrapper=True, _nrt=False)
inner: Any = _compiled(no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False)
