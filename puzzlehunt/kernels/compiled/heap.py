"""The least of many numbers in order, by a binary heap (Williams, 1964)."""

from typing import Any

from puzzlehunt.kernels.compiled.decorators import kernel


@kernel
def _sift(heap: Any, place: Any, size: Any) -> None:
    """Let the number at a place sink in a heap of `size` numbers, whose largest stands first."""
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


@kernel
def sorted_least(numbers: Any, count: Any, most: Any) -> Any:
    """Put the `most` least of `count` numbers in order before the others; return how many.

    By a heap (Williams, 1964): numpy's sort and partition take numba seconds to compile.
    """
    size = min(count, most)
    for place in range(size // 2 - 1, -1, -1):
        _sift(numbers, place, size)
    for place in range(size, count):
        if numbers[place] < numbers[0]:
            numbers[0], numbers[place] = numbers[place], numbers[0]
            _sift(numbers, 0, size)
    for last in range(size - 1, 0, -1):
        numbers[0], numbers[last] = numbers[last], numbers[0]
        _sift(numbers, 0, last)
    return size
