"""What a guess tells by one column of a table: the entropy of the column's answer, in bits.

Answers of order and equality are counted for all values at once. Sets of many different values are
taken to have their members independently of each other; of many places, some stand for those near
them.
"""

from typing import TYPE_CHECKING

import numpy as np

from puzzlehunt.kernels.partitions import entropy_terms
from puzzlehunt.rules.column_kinds import (
    ROUNDING,
    ColumnKind,
    DistanceColumn,
    EqualColumn,
    OrderColumn,
    OverlapColumn,
)

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

_MOST_COMPARED = 500
"""Up to this many values, each is compared with each."""
_PLACES, _NEARBY = 64, 4_000
"""Places that stand for others, and how many of the others are assigned to them together."""


def bits_of(column: ColumnKind, shares: "Floats") -> "Floats":
    """Return (V,): the bits that a guess with each value tells; `shares` (V,) are the secrets'."""
    match column:
        case EqualColumn():
            return _entropies(np.stack((shares, 1 - shares)))
        case OrderColumn():
            return _of_order(column, shares)
        case OverlapColumn() if len(shares) > _MOST_COMPARED:
            return _of_sets(column, shares)
        case DistanceColumn() if len(shares) > _MOST_COMPARED:
            return _of_places(column, shares)
        case _:
            return _compared(column, np.arange(len(shares)), shares)


def _entropies(chances: "Floats") -> "Floats":
    """Return (V,): the entropies of chances (answers, V)."""
    return np.asarray(entropy_terms(chances).sum(axis=0))


def _compared(column: ColumnKind, guesses: "npt.NDArray[np.intp]", shares: "Floats") -> "Floats":
    among = np.flatnonzero(shares)
    answers = column.answers(guesses, among) + np.arange(len(guesses))[:, None] * column.size
    weights = np.broadcast_to(shares[among], answers.shape)
    chances = np.bincount(answers.ravel(), weights.ravel(), len(guesses) * column.size)
    return _entropies(np.asarray(chances, dtype=np.float64).reshape(len(guesses), -1).T)


def _of_order(column: OrderColumn, shares: "Floats") -> "Floats":
    numbers, known = np.array([0.0 if v is None else v for v in column.values]), shares.copy()
    missing = 0.0 if column.blank is None else float(shares[column.blank])
    if column.blank is not None:
        known[column.blank] = 0
    order = np.argsort(numbers)
    ascending, below = numbers[order], np.append(0.0, np.cumsum(known[order]))
    lower = below[np.searchsorted(ascending, numbers)]
    higher = below[-1] - lower - known
    parts = [np.full(len(shares), missing), known, lower, higher]
    if column.near:
        reach = column.near + ROUNDING
        near = lower - below[np.searchsorted(ascending, numbers - reach)]
        above = below[np.searchsorted(ascending, numbers + reach, "right")] - lower - known
        both = [near, above] if column.arrow else [near + above]
        parts = [*parts[:2], lower - near, higher - above, *both]
    bits = _entropies(np.maximum(parts, 0))
    if column.blank is not None:
        bits[column.blank] = _entropies(np.array([[missing], [1.0 - missing]], dtype=np.float64))[0]
    return bits


def _of_sets(column: OverlapColumn, shares: "Floats") -> "Floats":
    sizes = [len(members) for members in column.values]
    owners = np.repeat(np.arange(len(sizes)), sizes)
    number_of: dict[str, int] = {}
    members = [
        number_of.setdefault(member, len(number_of)) for value in column.values for member in value
    ]
    having = np.minimum(np.bincount(members, shares[owners]), 1 - 1e-12)
    none = np.exp(np.bincount(owners, np.log1p(-having[members]), len(sizes)))
    some = np.maximum(0.0, 1 - none - shares)
    return _entropies(np.stack((shares, some, 1 - shares - some)))


def _of_places(column: DistanceColumn, shares: "Floats") -> "Floats":
    places = np.arange(0, len(shares), -(-len(shares) // _PLACES))
    among = np.flatnonzero(shares)
    among = among[:: -(-len(among) // _MOST_COMPARED)]
    weights = np.zeros(len(shares))
    weights[among] = shares[among] / shares[among].sum()
    bits, points, nearest = _compared(column, places, weights), column.points_on_sphere, []
    for start in range(0, len(shares), _NEARBY):
        nearest.append((points[:, start : start + _NEARBY].T @ points[:, places]).argmax(axis=1))
    return np.asarray(bits[np.concatenate(nearest)])
