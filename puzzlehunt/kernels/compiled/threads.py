"""On how many cores compiled kernels run."""

from collections.abc import Iterator
from contextlib import contextmanager

import numba


def threads() -> int:
    """Return how many threads compiled kernels may use."""
    return int(numba.get_num_threads())


@contextmanager
def on_cores(jobs: int) -> Iterator[None]:
    """Let kernels use at most so many cores for a while."""
    before = numba.get_num_threads()
    numba.set_num_threads(max(1, min(jobs, before)))
    try:
        yield
    finally:
        numba.set_num_threads(before)
