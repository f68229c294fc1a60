"""Partitions: how many secrets, or how much weight, give each feedback to a guess.

Where feedbacks are two popcounts, the counts are made by numpy or by the compiled kernel, which
agree exactly. Loading the compiled kernel takes a third of a second.
"""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlehunt.kernels.codes import Rows
from puzzlehunt.kernels.tables import BLOCK, Table, pair_table

Counts: TypeAlias = npt.NDArray[Any]
"""Numbers of codes (int64) or weights (float64)."""

WORTH_LOADING = 50_000_000
"""Scores from which loading the compiled kernel pays for one call."""
_WORTH_CALLING = 10_000
"""Scores from which the compiled kernel is quicker than numpy once it is loaded."""
_WORTH_SHARING = 1_000_000
"""Scores from which the work is shared among the cores."""


def pair_partitions(
    guesses: Rows,
    secrets: Rows,
    offsets: Table,
    feedbacks: int,
    weights: npt.NDArray[np.float64] | None = None,
    compiled: bool = False,
) -> Counts:
    """Return (G, feedbacks): how many secrets, or how much weight, give each feedback.

    `offsets` are those of `pair_table`, `weights` (S,) the secrets' own. `compiled` says that the
    compiled kernel is worth loading for all calls together, so that small work goes to it, too.
    """
    work = len(guesses) * len(secrets)
    if work >= (_WORTH_CALLING if compiled else WORTH_LOADING):
        from puzzlehunt.kernels.compiled import pairs

        counts = np.zeros((len(guesses), feedbacks), np.int64 if weights is None else np.float64)
        each = np.ones(1, np.int64) if weights is None else weights
        shared = work >= _WORTH_SHARING
        count = pairs.pair_partitions_in_parallel if shared else pairs.pair_partitions
        count(guesses.first, guesses.second, secrets.first, secrets.second, offsets, each, counts)
        return counts
    return plain_pair_partitions(guesses, secrets, offsets, feedbacks, weights)


def plain_pair_partitions(
    guesses: Rows,
    secrets: Rows,
    offsets: Table,
    feedbacks: int,
    weights: npt.NDArray[np.float64] | None = None,
) -> Counts:
    """Return what `pair_partitions` does, by numpy whatever the size of the work."""
    step = max(1, BLOCK // max(1, len(secrets)))
    blocks = [
        table_partitions(
            pair_table(guesses[start : start + step], secrets, offsets), feedbacks, weights
        )
        for start in range(0, len(guesses), step)
    ]
    return blocks[0] if len(blocks) == 1 else np.concatenate(blocks)


def table_partitions(
    table: Table, feedbacks: int, weights: npt.NDArray[np.float64] | None = None
) -> Counts:
    """Return (G, feedbacks): how many secrets, or how much weight, give each feedback.

    `table` (G, S) holds the feedbacks of G guesses, `weights` (S,) are the secrets' own.
    """
    if weights is None and table.size < BLOCK:
        shifted = table + np.arange(len(table))[:, None] * feedbacks
        flat = np.bincount(shifted.ravel(), minlength=len(table) * feedbacks)
        return flat.reshape(len(table), feedbacks)
    kind = np.int64 if weights is None else np.float64
    counts = np.empty((len(table), feedbacks), dtype=kind)
    for row, indices in enumerate(table):
        counts[row] = np.bincount(indices, weights, minlength=feedbacks)
    return counts


def partitions_by_sorting(table: Table, weights: npt.NDArray[np.float64] | None = None) -> Counts:
    """Return (G, S): the parts of each guess without empty ones, in order of feedbacks, then 0.

    It holds what `table_partitions` counts, for rules with more feedbacks than secrets: `table`
    (G, S) holds the feedbacks of G guesses, `weights` (S,) are the secrets' own.
    """
    guesses, secrets = table.shape
    each = None
    if weights is None:
        ranked = np.sort(table, axis=1)
    else:
        order = np.argsort(table, axis=1, kind="stable")
        ranked, each = np.take_along_axis(table, order, axis=1), weights[order].ravel()
    part = np.zeros((guesses, secrets), dtype=np.int64)
    np.cumsum(ranked[:, 1:] != ranked[:, :-1], axis=1, out=part[:, 1:])
    part += np.arange(guesses)[:, None] * secrets
    counts = np.bincount(part.ravel(), each, minlength=guesses * secrets)
    return counts.reshape(guesses, secrets)
