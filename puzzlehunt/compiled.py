"""The partition kernel compiled by numba; imported by `kernels` where the work is worth it.

The machine code is kept in numba's cache, so that only the first large partition on a machine
waits for the compiler.
"""

from typing import Any

import numba
from numba.core import types
from numba.extending import intrinsic


def _popcount_of(_context: Any, _word: Any) -> Any:
    """Return the processor's own population count; numba has no numpy.bitwise_count."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


_popcount: Any = intrinsic(_popcount_of)


@numba.njit(cache=True, parallel=True, nogil=True)  # type: ignore[untyped-decorator, unused-ignore]
def pair_partitions(
    guess_first: Any,
    guess_second: Any,
    secret_first: Any,
    secret_second: Any,
    offsets: Any,
    weights: Any,
    counts: Any,
) -> None:
    """Add each secret's weight (or 1, if only one weight is given) to its feedback's count."""
    each = weights.shape[0] > 1
    narrow = guess_first.shape[1] == 1 and guess_second.shape[1] == 1
    for g in numba.prange(guess_first.shape[0]):
        row = counts[g]
        for s in range(secret_first.shape[0]):
            weight = weights[s] if each else weights[0]
            if narrow:
                first = _popcount(guess_first[g, 0] & secret_first[s, 0])
                second = _popcount(guess_second[g, 0] & secret_second[s, 0])
            else:
                first = 0
                for word in range(guess_first.shape[1]):
                    first += _popcount(guess_first[g, word] & secret_first[s, word])
                second = 0
                for word in range(guess_second.shape[1]):
                    second += _popcount(guess_second[g, word] & secret_second[s, word])
            row[offsets[second] + first] += weight
