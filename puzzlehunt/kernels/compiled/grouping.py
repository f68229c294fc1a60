"""Partitions: secrets are grouped by their answers to a guess; groups are counted or added up.

`answers` (n,) are whole numbers from 0 up, one for each of n secrets.

Feedbacks from two popcounts: `guess_places` and `guess_repeats` (guesses, words) are the
`position_bits` and `count_bits` of the guesses; `secret_places` and `secret_repeats` (secrets,
words) are those of the secrets. If two codes have m bits of their places and n bits of their
repeats in common, their feedback is offsets[n] + m, an index in the rule's feedbacks.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import int64, uint64
from numba.extending import intrinsic

from puzzlehunt.kernels.compiled.jit import inlined, makes_no_array
from puzzlehunt.kernels.feedback_matrix import Counts, Table
from puzzlehunt.kernels.packed_codes import Bits, Indices
from puzzlehunt.kernels.problem import Numbers

NO_LIMIT = np.iinfo(np.int64).max


@inlined
def group(answers: Table, members: Indices, n: int, starts: Numbers, ordered: Indices) -> None:
    """Fill `ordered` with n members sorted by answer, stably (a counting sort).

    Also fills `starts`, which has one number more than there are different answers: afterwards, the
    members with the answer a are ordered[starts[a] : starts[a + 1]].
    """
    starts[:] = 0
    for i in range(n):
        starts[answers[i] + 1] += 1
    for answer in range(len(starts) - 1):
        starts[answer + 1] += starts[answer]
    for i in range(n):
        answer = answers[i]
        ordered[starts[answer]] = members[i]
        starts[answer] += 1
    for answer in range(len(starts) - 2, 0, -1):
        starts[answer] = starts[answer - 1]
    starts[0] = 0


@inlined
def sum_over_parts(
    answers: Table, n: int, summands: Numbers, largest: bool, limit: int, counts: Numbers
) -> int:
    """Return the sum of the groups' summands, or with `largest` the size of the largest group.

    A group of k secrets has the summand summands[k]; summands[0] is 0. A sum above `limit` may be
    incomplete. `counts` (different answers,) is a work array that holds zeros before and after.
    """
    total = np.int64(0)
    if n > len(counts):  # it takes less time to add up the final counts alone
        for i in range(n):
            counts[answers[i]] += 1
        for answer in range(len(counts)):
            count = counts[answer]
            total = max(total, count) if largest else total + summands[count]
            counts[answer] = 0
        return total
    counted = 0
    while counted < n and total <= limit:
        count = counts[answers[counted]] + 1
        counts[answers[counted]] = count
        total = max(total, count) if largest else total + summands[count] - summands[count - 1]
        counted += 1
    for i in range(counted):
        counts[answers[i]] = 0
    return total


def _popcount_of(_context: object, _word: object) -> tuple[object, Callable[..., object]]:
    """Return type and code of a population count; numba has no numpy.bitwise_count."""

    def generate(_context: object, builder: Any, _signature: object, words: list[object]) -> object:
        return builder.ctpop(words[0])

    return int64(uint64), generate


popcount: Callable[..., int]
popcount = intrinsic(_popcount_of)


@makes_no_array
def popcount_partitions(
    guess_places: Bits, guess_repeats: Bits, secret_places: Bits, secret_repeats: Bits,
    offsets: Table, weights: Counts, counts: Counts,
) -> None:  # fmt: skip
    """Add the partition of every guess to `counts` (guesses, feedbacks), which holds zeros before.

    Each secret adds its weight to its feedback. If `weights` has a single number, that is the
    weight of every secret.
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
