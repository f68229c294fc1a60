"""Decorators that compile functions with numba, cache the code, and release Python's global lock.

No function creates an array: they are compiled without reference counts, which are a large part of
the machine code. Functions that only kernels call are compiled without wrappers for Python.
"""

from collections.abc import Callable
from typing import Any

import numba
from numba.core.caching import FunctionCache


class _Cache(FunctionCache):
    """numba's cache of a function, which is emptied if it cannot be read.

    The cache names types by their modules, which may differ in another version of this package.
    """

    def load_overload(self, sig: object, target_context: object) -> object:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # noqa: BLE001  (unpickling may raise anything)
            self.flush()
            return None


def _compiled(**options: Any) -> Callable[[Callable[..., object]], object]:
    def decorate(function: Callable[..., object]) -> object:
        dispatcher = numba.njit(nogil=True, **options)(function)
        dispatcher._cache = _Cache(function)  # what `cache=True` does with numba's own class
        return dispatcher

    return decorate


inlined: Any = _compiled(inline="always")
"""Decorator of functions whose code is copied into the functions that call them."""
makes_no_array: Any = _compiled(no_cfunc_wrapper=True, _nrt=False)
"""Decorator of functions that Python calls and that neither create nor return arrays."""
inner: Any = _compiled(no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False)
"""Decorator of functions that only kernels call and that neither create nor return arrays."""
