"""The least of many numbers, sorted by a binary heap (Williams, 1964).

The sort and partition of numpy would take numba seconds to compile.
"""

import numpy as np

from puzzlehunt.kernels.compiled.jit import inner
from puzzlehunt.kernels.problem import Numbers


@inner
def _sift(heap: Numbers, place: int, size: int) -> None:
    """Let the number at a place sink in a heap of `size` numbers, the largest of which is first."""
    number = heap[place]
    child = 2 * place + 1
    while child < size:
        if child + 1 < size and heap[child + 1] > heap[child]:
            child += 1
        if heap[child] <= number:
            break
        heap[place] = heap[child]
        place, child = child, 2 * child + 1
    heap[place] = number


@inner
def sort_least(numbers: Numbers, count: int, wanted: int) -> int:
    """Put the `wanted` least of the first `count` numbers before the others, sorted.

    Returns how many they are: fewer than `wanted` if there are no more numbers.
    """
    size = min(count, wanted)
    first = np.int64(0)  # a literal 0 is another type to numba, and `_sift` would be compiled twice
    for place in range(size // 2 - 1, -1, -1):
        _sift(numbers, place, size)
    for place in range(size, count):
        if numbers[place] < numbers[0]:
            numbers[0], numbers[place] = numbers[place], numbers[0]
            _sift(numbers, first, size)
    for last in range(size - 1, 0, -1):
        numbers[0], numbers[last] = numbers[last], numbers[0]
        _sift(numbers, first, last)
    return size
