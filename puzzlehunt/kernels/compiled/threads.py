"""The number of cores that compiled kernels use, and how work is divided among threads.

Kernels release Python's global lock, so that Python threads can run them in parallel. numba's own
parallel loops are not used, because they take two to three times as long to compile.
"""

import math
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

LEAST_SHARED = 1_000_000
"""A core computes at least this many scores at a time."""
_affinity = getattr(os, "sched_getaffinity", None)
_cores = [
    int(os.environ.get("NUMBA_NUM_THREADS", "0"))
    or (len(_affinity(0)) if _affinity else os.cpu_count() or 1)
]


def threads() -> int:
    """Return how many threads compiled kernels may use."""
    return _cores[-1]


@contextmanager
def thread_limit(jobs: int) -> Iterator[None]:
    """Limit compiled kernels to at most `jobs` cores inside the `with` block."""
    _cores.append(max(1, min(jobs, threads())))
    try:
        yield
    finally:
        _cores.pop()


def parallel_for(work: Callable[[int, int], None], size: int, least: int) -> None:
    """Divide range(size) into blocks, and call work(begin, end) for each of them in threads.

    Every block but the last has at least `least` numbers. After an error in one thread, the other
    threads begin no more blocks; the error is then raised.
    """
    # Eight blocks a thread, so that no thread waits long for the slowest.
    block = max(least, math.ceil(size / (8 * threads())))
    if threads() == 1 or size <= block:
        work(0, size)
        return
    with ThreadPoolExecutor(threads()) as pool:
        begins = range(0, size, block)
        list(pool.map(lambda begin: work(begin, min(size, begin + block)), begins))
