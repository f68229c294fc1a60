"""The compiled kernel that lists halves of codes; `meet_in_the_middle` has the same by numpy."""

from typing import Any

import numpy as np

from puzzlehunt.kernels.compiled.jit import makes_no_array
from puzzlehunt.kernels.compiled.splitmix64 import Words


@makes_no_array
def extend(
    parts: Words, moves: Words, borrowed: Words, shift: int, among: Words, marked: Words,
    longer: Words,
) -> Any:  # fmt: skip
    """Put each part of a code with each next symbol into `longer`, if it fits; return how many do.

    A part (columns,) fits if it has all bits that `borrowed` (columns,) has, and if the bit of its
    key is set in `among`; then it is set in `marked`, too. The key is the first column; a shift by
    `shift` bits leaves the number of its bit. `moves` (symbols, columns) is what each symbol adds.
    `longer` has one row more than fit: a row is written before it is known whether it fits, because
    a branch that goes either way takes longer.
    """
    found = 0
    for n in range(len(parts)):
        key, number, first, second = parts[n, 0], parts[n, 1], parts[n, 2], parts[n, 3]
        for symbol in range(len(moves)):
            longer[found, 0] = new_key = key + moves[symbol, 0]
            longer[found, 1] = number + moves[symbol, 1]
            # Two words are mostly all, and a loop over so few takes longer.
            longer[found, 2] = new_first = first + moves[symbol, 2]
            longer[found, 3] = new_second = second + moves[symbol, 3]
            lacking = borrowed[2] & ~new_first | borrowed[3] & ~new_second
            for column in range(4, len(borrowed)):
                word = parts[n, column] + moves[symbol, column]
                longer[found, column] = word
                lacking |= borrowed[column] & ~word
            place = new_key >> np.uint64(shift)
            mark, bit = place >> np.uint64(6), place & np.uint64(63)
            fits = np.uint64(lacking == 0) & among[mark] >> bit
            marked[mark] |= fits << bit
            found += int(fits)
    return found
