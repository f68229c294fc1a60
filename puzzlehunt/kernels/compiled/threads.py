"""On how many cores compiled kernels run, and how work is shared among them.

Kernels let go of Python's lock, so threads of Python share them. numba's own parallel loops would
do the same, but take two to three times as long to compile.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from threading import Event

_BLOCKS_A_THREAD = 8
"""Blocks that each thread gets, so that none waits long for the slowest."""
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
    """Limit kernels to a number of cores inside the `with` block."""
    _cores.append(max(1, min(jobs, threads())))
    try:
        yield
    finally:
        _cores.pop()


def parallel_for(work: Callable[[int, int], None], size: int, least: int) -> None:
    """Call work(begin, end) for blocks that make up range(size), shared among the threads.

    Every block but the last has at least `least` numbers; a thread that has finished a block takes
    the next one. An error in one thread stops the others and is raised.
    """
    block = max(least, -(-size // (_BLOCKS_A_THREAD * threads())))
    helpers = min(threads(), -(-size // block)) - 1
    if helpers <= 0:
        work(0, size)
        return
    numbers, ended = count(), Event()

    def take_blocks() -> None:
        try:
            while not ended.is_set() and (begin := next(numbers) * block) < size:
                work(begin, min(size, begin + block))
        except BaseException:  # a player may interrupt
            ended.set()
            raise

    with ThreadPoolExecutor(helpers) as pool:
        others = [pool.submit(take_blocks) for _ in range(helpers)]
        take_blocks()
        for other in others:
            other.result()
