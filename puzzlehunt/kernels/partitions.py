"""Partitions of secrets by a guess: the number, or the weight, of the secrets with each feedback.

If a feedback follows from two popcounts (the number of bits that two bit-rows have in common),
partitions are counted by numpy or by a compiled kernel, with the same results. Loading the compiled
kernel takes a third of a second.
"""

import math

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
    # From 50 million scores on, loading the kernel pays for one call.
    compiled = compiled or len(guesses) * len(secrets) >= 50_000_000
    if not (compiled and fast.is_installed()):
        blocks = table_blocks(len(guesses), len(secrets), BLOCK)
        tables = (popcount_table(guesses[block], secrets, offsets) for block in blocks)
        return np.concatenate([table_partitions(table, feedbacks, weights) for table in tables])
    from puzzlehunt.kernels.compiled import grouping
    from puzzlehunt.kernels.compiled.threads import LEAST_SHARED, parallel_for

    counts = np.zeros((len(guesses), feedbacks), np.int64 if weights is None else np.float64)
    secret_weights = np.ones(1, np.int64) if weights is None else weights
    secret_bits = secrets.position_bits, secrets.count_bits

    def fill(begin: int, end: int) -> None:
        guess_bits = guesses.position_bits[begin:end], guesses.count_bits[begin:end]
        grouping.popcount_partitions(
            *guess_bits, *secret_bits, offsets, secret_weights, counts[begin:end]
        )

    parallel_for(fill, len(guesses), math.ceil(LEAST_SHARED / max(1, len(secrets))))
    return counts


def table_partitions(
    table: Table, feedbacks: int, weights: npt.NDArray[np.float64] | None = None
) -> Counts:
    """Return the number of secrets with each feedback in each row of a table (guesses, feedbacks).

    With `weights` (secrets,), returns the sum of their weights instead. `table` (guesses, secrets)
    holds indices of feedbacks.
    """
    blocks = []
    for rows in table_blocks(len(table), table.shape[1], BLOCK):
        block = table[rows]  # its rows are counted as one long row, each with numbers of its own
        shifted = (block + np.arange(len(block))[:, None] * feedbacks).ravel()
        repeated = None if weights is None else weights[None].repeat(len(block), axis=0).ravel()
        counts = np.bincount(shifted, repeated, minlength=len(block) * feedbacks)
        blocks.append(counts.reshape(len(block), feedbacks))
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
