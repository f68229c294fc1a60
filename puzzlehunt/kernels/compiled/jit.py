"""Decorators that compile functions with numba, cache the code, and release Python's global lock.

No function creates an array: they are compiled without reference counts, which are a large part of
the machine code. Functions that only kernels call are compiled without wrappers for Python. Without
numba, files that use these decorators can be imported, but calling a function raises
PuzzlehuntError, because plain Python is hundreds of times slower.
"""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NoReturn

from puzzlehunt.errors import missing_package

numba = import_module("numba") if find_spec("numba") else None
_FunctionCache: Any = import_module("numba.core.caching").FunctionCache if numba else object


class _Cache(_FunctionCache):  # type: ignore[misc]
    """numba's cache of a function, which is emptied if it cannot be read.

    The cache names types by their modules, which may differ in another version of this package.
    """

    def load_overload(self, sig: object, target_context: object) -> object:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # noqa: BLE001  (unpickling may raise anything)
            self.flush()
            return None


def _missing(name: str) -> Callable[..., NoReturn]:
    """Return what replaces a function that cannot be compiled: a call raises PuzzlehuntError."""

    def call(*_arguments: object) -> NoReturn:
        raise missing_package(f"{name} needs compiled kernels", "fast")

    return call


def _compiled(**options: str | bool) -> Callable[[Callable[..., object]], Callable[..., object]]:
    """Return a decorator for functions that numba compiles when they are called."""

    def decorate(function: Callable[..., object]) -> Callable[..., object]:
        if numba is None:
            return _missing(function.__name__)
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
