"""A lock-free transposition table of fixed size (Greenblatt, 1967; Hyatt and Mann, 2002).

The table, search results by state that threads share, has four numbers of 64 bits for each entry:

- the state's first key
- the state's second key, mixed with the next two numbers
- the state's size and its lower bound
- the state's value, 0 if unknown, and its best guess

If one thread reads an entry while another thread writes it, the mixed key does not match the other
numbers, and the state counts as unknown.
"""

import numpy as np

from puzzlehunt.kernels.compiled.jit import inlined, inner
from puzzlehunt.kernels.problem import GUESS_BITS, Keys

_VALUE_BITS = 44
"""Number of bits that a value takes in an entry."""
_GUESS_MASK, _VALUE_MASK = (1 << GUESS_BITS) - 1, (1 << _VALUE_BITS) - 1
_WAYS = 4
"""Number of entries in which a given state may be kept."""


@inlined
def mixed(one: np.uint64, other: np.uint64) -> np.uint64:
    """Return a hash of two numbers of 64 bits."""
    first = (one ^ (one >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    second = (other ^ (other >> np.uint64(31))) * np.uint64(0x94D049BB133111EB)
    return first ^ (second >> np.uint64(7)) ^ (second << np.uint64(9))


@inner
def probe(table: Keys, first_key: np.uint64, second_key: np.uint64) -> tuple[int, int, int]:
    """Return lower bound, value and best guess of a state from the table.

    Bound and value are 0 if unknown. The guess is meaningless if the value is 0.
    """
    at = np.int64(first_key & np.uint64(len(table) - 1)) & ~(_WAYS - 1)
    for way in range(at, at + _WAYS):
        if table[way, 0] == first_key:
            size_and_bound, value_and_guess = table[way, 2], table[way, 3]
            if table[way, 1] == second_key ^ mixed(size_and_bound, value_and_guess):
                value = np.int64(value_and_guess >> np.uint64(GUESS_BITS))
                guess = np.int64(value_and_guess & np.uint64(_GUESS_MASK))
                return np.int64(size_and_bound & np.uint64(_VALUE_MASK)), value, guess
    return np.int64(0), np.int64(0), np.int64(-1)


@inner
def store(
    table: Keys, first_key: np.uint64, second_key: np.uint64, size: int,
    found: tuple[int, int, int],
) -> None:  # fmt: skip
    """Store what was found for a state (lower bound, value, guess); the smallest state gives way.

    Of the entries in which the state may be kept, its own is replaced, or else that of the smallest
    state.
    """
    bound, value, guess = found
    at = np.int64(first_key & np.uint64(len(table) - 1)) & ~(_WAYS - 1)
    index, smallest = int(at), np.int64(1 << 60)
    for way in range(at, at + _WAYS):
        if table[way, 0] == first_key:
            index = way
            break
        size_there = np.int64(table[way, 2] >> np.uint64(_VALUE_BITS))
        if size_there < smallest:
            index, smallest = way, size_there
    size_and_bound = np.uint64(bound) | (np.uint64(size) << np.uint64(_VALUE_BITS))
    value_and_guess = (np.uint64(value) << np.uint64(GUESS_BITS)) | np.uint64(max(guess, 0))
    table[index, 0] = first_key
    table[index, 2] = size_and_bound
    table[index, 3] = value_and_guess
    table[index, 1] = second_key ^ mixed(size_and_bound, value_and_guess)
