"""Secrets grouped by their answers to a guess: the groups themselves, or a sum over the groups.

`answers` (n,) are whole numbers from 0 up, one for each of n secrets.
"""

from typing import Any

import numpy as np

from puzzlehunt.kernels.compiled.decorators import inlined

NO_LIMIT = np.iinfo(np.int64).max
"""A limit that no sum exceeds."""
_ONE_BY_ONE = 16
"""Up to so many secrets are always added up one by one, so that it can end at the limit."""


@inlined
def group(answers: Any, members: Any, n: Any, starts: Any, ordered: Any) -> None:
    """Fill `ordered` with n members sorted by answer, stably (a counting sort).

    The members with the answer a become ordered[starts[a] : starts[a + 1]]; `starts` is filled in,
    and has one number more than there are different answers.
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
def sum_of_groups(
    answers: Any, n: Any, summands: Any, largest: Any, limit: Any, counts: Any
) -> Any:
    """Return the sum of the groups' summands, or with `largest` the size of the largest group.

    A group of k secrets has the summand summands[k]; summands[0] is 0. A sum above `limit` may be
    incomplete. `counts` (different answers,) are zeros, before and after.
    """
    total = np.int64(0)
    if n <= _ONE_BY_ONE or 4 * n <= len(counts):
        counted = 0
        while counted < n and total <= limit:
            count = counts[answers[counted]] + 1
            counts[answers[counted]] = count
            total = max(total, count) if largest else total + summands[count] - summands[count - 1]
            counted += 1
        for i in range(counted):
            counts[answers[i]] = 0
        return total
    for i in range(n):
        counts[answers[i]] += 1
    if largest:
        for count in counts:
            total = max(total, count)
    else:
        for count in counts:
            total += summands[count]
    counts[:] = 0
    return total
