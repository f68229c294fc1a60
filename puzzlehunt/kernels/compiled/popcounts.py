"""Partitions by rules whose feedback follows from two popcounts (numbers of common bits).

`guess_places` and `guess_repeats` (guesses, words) are the `place_bits` and `repeat_bits` of the
guesses, `secret_places` and `secret_repeats` (secrets, words) those of the secrets. With m of their
places and n of their repeats in common, the feedback of two codes is offsets[n] + m, an index in
the rule's feedbacks.
"""

from typing import Any

import numpy as np

from puzzlehunt.kernels.compiled.decorators import kernel, numba


def _popcount_of(_context: Any, _word: Any) -> Any:
    """Return the processor's own population count; numba has no numpy.bitwise_count."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return numba.int64(numba.uint64), generate


popcount: Any = numba.extending.intrinsic(_popcount_of) if numba else np.bitwise_count


@kernel
def popcount_partitions(
    guess_places: Any, guess_repeats: Any, secret_places: Any, secret_repeats: Any, offsets: Any,
    weights: Any, counts: Any,
) -> None:  # fmt: skip
    """Fill `counts` (guesses, feedbacks), which are zeros, with the partition of every guess.

    Each secret adds its weight to its feedback. A single weight in `weights` is that of every
    secret.
    """
    weights_differ = weights.shape[0] > 1
    one_word = guess_places.shape[1] == 1 and guess_repeats.shape[1] == 1
    weight = weights[0]
    for g in range(guess_places.shape[0]):
        places, repeats = guess_places[g, 0], guess_repeats[g, 0]
        for s in range(secret_places.shape[0]):
            if one_word:
                index = offsets[popcount(repeats & secret_repeats[s, 0])]
                index += popcount(places & secret_places[s, 0])
            else:
                index = 0
                for word in range(guess_repeats.shape[1]):
                    index += popcount(guess_repeats[g, word] & secret_repeats[s, word])
                index = offsets[index]
                for word in range(guess_places.shape[1]):
                    index += popcount(guess_places[g, word] & secret_places[s, word])
            if weights_differ:
                weight = weights[s]
            counts[g, index] += weight
