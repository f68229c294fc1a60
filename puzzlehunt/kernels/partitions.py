"""Partitions of secrets by a guess: the number, or the weight, of the secrets with each feedback.

If a feedback follows from two popcounts (the number of bits that two bit-rows have in common),
partitions are counted by numpy or by a compiled kernel, with the same results. Loading the compiled
kernel takes a third of a second.
"""

import numpy as np
import numpy.typing as npt

from puzzlehunt.kernels import fast
from puzzlehunt.kernels.feedback_matrix import (
    BLOCK,
    Counts,
    Table,
    popcount_table,
    table_blocks,
    unsigned_type,
)
from puzzlehunt.kernels.packed_codes import PackedCodes

_WORTH_LOADING = 50_000_000
"""For this many scores (guesses x secrets) or more, the compiled kernel is loaded for one call."""


def popcount_partitions(
    guesses: PackedCodes,
    secrets: PackedCodes,
    offsets: Table,
    feedbacks: int,
    weights: npt.NDArray[np.float64] | None = None,
    compiled: bool = False,
) -> Counts:
    """Return the number of secrets with each feedback to each guess (guesses, feedbacks).

    With `weights` (secrets,), returns the sum of their weights instead. `offsets` are explained at
    `popcount_table`. With `compiled`, the compiled kernel counts also where scores are few, for
    example because more calls will follow.
    """
    work = len(guesses) * len(secrets)
    if not (fast.is_installed() and (compiled or work >= _WORTH_LOADING)):
        return np.concatenate(
            [
                table_partitions(
                    popcount_table(guesses[block], secrets, offsets), feedbacks, weights
                )
                for block in table_blocks(len(guesses), len(secrets), BLOCK)
            ]
        )
    from puzzlehunt.kernels.compiled import grouping
    from puzzlehunt.kernels.compiled.threads import LEAST_SHARED, parallel_for

    counts = np.zeros((len(guesses), feedbacks), np.int64 if weights is None else np.float64)
    secret_weights = np.ones(1, np.int64) if weights is None else weights
    bits = secrets.position_bits, secrets.count_bits

    def fill(begin: int, end: int) -> None:
        own = guesses.position_bits[begin:end], guesses.count_bits[begin:end]
        grouping.popcount_partitions(*own, *bits, offsets, secret_weights, counts[begin:end])

    parallel_for(fill, len(guesses), -(-LEAST_SHARED // max(1, len(secrets))))
    return counts


def table_partitions(
    table: Table, feedbacks: int, weights: npt.NDArray[np.float64] | None = None
) -> Counts:
    """Return the number of secrets with each feedback in each row of a table (guesses, feedbacks).

    With `weights` (secrets,), returns the sum of their weights instead. `table` (guesses, secrets)
    holds indices of feedbacks.
    """
    step = max(1, BLOCK // max(1, table.shape[1]))
    repeated = None if weights is None else np.tile(weights, min(step, max(1, len(table))))
    blocks = []
    for start in range(0, max(1, len(table)), step):
        block = table[start : start + step]  # its rows are counted as one long row
        shifted = (block + np.arange(len(block))[:, None] * feedbacks).ravel()
        each = None if repeated is None else repeated[: len(shifted)]
        counted = np.bincount(shifted, each, minlength=len(block) * feedbacks)
        blocks.append(counted.reshape(len(block), feedbacks))
    return np.concatenate(blocks)


def entropy_terms(chances: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return what each probability adds to the entropy of a distribution (bits)."""
    logs = np.log2(chances, out=np.zeros_like(chances), where=chances > 0)
    return np.asarray(-chances * logs)


def relabelled(table: Table) -> Table:
    """Return a table (guesses, secrets) whose rows are renumbered from 0 without gaps, in order.

    It has no more feedbacks than secrets, so that counts of its parts take little memory.
    """
    order = np.argsort(table, axis=1)
    ordered = np.take_along_axis(table, order, axis=1)
    numbers = np.zeros(table.shape, np.intp)
    labels = np.empty(table.shape, unsigned_type(table.shape[1]))
    np.cumsum(ordered[:, 1:] != ordered[:, :-1], axis=1, out=numbers[:, 1:])
    np.put_along_axis(labels, order, numbers, axis=1)
    return labels
