"""Codes as arrays, for rules whose `table` reads the codes alone."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from puzzlehunt.kernels.codes import Bytes, Rows


def plain_rows(codes: "Bytes") -> "Rows":
    """Return codes as `Rows` without bit-rows."""
    import numpy as np

    from puzzlehunt.kernels.codes import Rows

    no_bits = np.zeros((len(codes), 0), dtype=np.uint64)
    return Rows(codes, no_bits, no_bits)
