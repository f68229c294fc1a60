"""What a search found of parts, in a table of a fixed size that threads share without a lock."""

from collections import namedtuple
from typing import Any

import numpy as np

from puzzlehunt.kernels.compiled.jit import inlined, inner

GUESS_BITS, _VALUE_BITS = 18, 44
"""Number of bits that a guess, and that a value, takes in an entry of the memory."""
GUESS_MASK, _VALUE_MASK = (1 << GUESS_BITS) - 1, (1 << _VALUE_BITS) - 1
_WAYS = 4
"""Number of entries of the memory in which a given part may be kept."""

TranspositionTable = namedtuple("TranspositionTable", "entries")
"""What was found of parts, shared by threads: `entries` (entries, 4), numbers of 64 bits.

The four numbers of an entry are the part's first key; its second key mixed with the next two
numbers; the part's size and floor; its value, 0 if unknown, with its best guess. An entry that one
thread reads while another writes it does not agree with its mixed key, and counts as unknown.
"""


@inlined
def _mixed(one: Any, other: Any) -> Any:
    """Return a hash of two numbers of 64 bits."""
    first = (one ^ (one >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    second = (other ^ (other >> np.uint64(31))) * np.uint64(0x94D049BB133111EB)
    return first ^ (second >> np.uint64(7)) ^ (second << np.uint64(9))


@inner
def probe(memory: Any, first_key: Any, second_key: Any) -> Any:
    """Return what is remembered of a part: its floor, its value or 0, and its best guess.

    Without a value the guess means nothing.
    """
    entries = memory.entries
    at = np.int64(first_key & np.uint64(len(entries) - 1)) & ~(_WAYS - 1)
    for way in range(at, at + _WAYS):
        if entries[way, 0] == first_key:
            size_and_floor, value_and_guess = entries[way, 2], entries[way, 3]
            if entries[way, 1] == second_key ^ _mixed(size_and_floor, value_and_guess):
                value = np.int64(value_and_guess >> np.uint64(GUESS_BITS))
                guess = np.int64(value_and_guess & np.uint64(GUESS_MASK))
                return np.int64(size_and_floor & np.uint64(_VALUE_MASK)), value, guess
    return np.int64(0), np.int64(0), np.int64(-1)


@inner
def store(
    memory: Any, first_key: Any, second_key: Any, size: Any, floor: Any, value: Any, guess: Any
) -> None:
    """Keep what was found of a part, instead of the smallest part among the entries it may take."""
    entries = memory.entries
    at: Any = np.int64(first_key & np.uint64(len(entries) - 1)) & ~(_WAYS - 1)
    place, smallest = at, np.int64(1 << 60)
    for way in range(at, at + _WAYS):
        if entries[way, 0] == first_key:
            place = way
            break
        size_there = np.int64(entries[way, 2] >> np.uint64(_VALUE_BITS))
        if size_there < smallest:
            place, smallest = way, size_there
    size_and_floor = np.uint64(floor) | (np.uint64(size) << np.uint64(_VALUE_BITS))
    value_and_guess = (np.uint64(value) << np.uint64(GUESS_BITS)) | np.uint64(max(guess, 0))
    entries[place, 0] = first_key
    entries[place, 2] = size_and_floor
    entries[place, 3] = value_and_guess
    entries[place, 1] = second_key ^ _mixed(size_and_floor, value_and_guess)
