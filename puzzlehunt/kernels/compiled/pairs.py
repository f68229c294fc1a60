"""Partitions by rules whose feedback is two popcounts.

`first` and `second` (guesses, words) are the bit-rows of the guesses, `firsts` and `seconds`
(secrets, words) those of the secrets. A feedback is offsets[common bits of the second rows] +
(common bits of the first rows), a place in the rule's feedbacks.
"""

from typing import Any

import numba
from numba.core import types
from numba.extending import intrinsic

from puzzlehunt.kernels.compiled.decorators import in_parallel, inlined, kernel


def _popcount_of(_context: Any, _word: Any) -> Any:
    """Return the processor's own population count; numba has no numpy.bitwise_count."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


popcount: Any = intrinsic(_popcount_of)


@inlined
def _partition(
    g: Any, first: Any, second: Any, firsts: Any, seconds: Any, offsets: Any, weights: Any,
    counts: Any,
) -> None:  # fmt: skip
    """Add each secret's weight to counts[g, feedback]; a single weight is that of every secret."""
    each = weights.shape[0] > 1
    if first.shape[1] == 1 and second.shape[1] == 1:
        a, b = first[g, 0], second[g, 0]
        for s in range(firsts.shape[0]):
            index = offsets[popcount(b & seconds[s, 0])] + popcount(a & firsts[s, 0])
            counts[g, index] += weights[s] if each else weights[0]
        return
    for s in range(firsts.shape[0]):
        index = 0
        for word in range(second.shape[1]):
            index += popcount(second[g, word] & seconds[s, word])
        index = offsets[index]
        for word in range(first.shape[1]):
            index += popcount(first[g, word] & firsts[s, word])
        counts[g, index] += weights[s] if each else weights[0]


@kernel
def pair_partitions(
    first: Any, second: Any, firsts: Any, seconds: Any, offsets: Any, weights: Any, counts: Any
) -> None:
    """Fill `counts` (guesses, feedbacks), zeros before, with the partition of every guess."""
    for g in range(first.shape[0]):
        _partition(g, first, second, firsts, seconds, offsets, weights, counts)


@in_parallel
def pair_partitions_in_parallel(
    first: Any, second: Any, firsts: Any, seconds: Any, offsets: Any, weights: Any, counts: Any
) -> None:
    """Do what `pair_partitions` does, guesses shared among the cores."""
    for g in numba.prange(first.shape[0]):
        _partition(g, first, second, firsts, seconds, offsets, weights, counts)
