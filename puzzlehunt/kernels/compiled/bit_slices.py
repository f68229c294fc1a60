"""Partitions of many secrets by codes of at most six symbols: 64 secrets are counted at a time.

A bit-slice belongs to one literal. It has one bit for each secret, which is 1 if the literal is
true of the secret. A guess chooses the slices of its own literals: those of its symbols in their
places, and those of its repeats. Each 64 secrets are divided by how many of either kind are true,
and the secrets in each part are a population count. The compiler makes vectors of these words.
"""

from typing import Any

import numpy as np

from puzzlehunt.kernels.compiled.grouping import popcount
from puzzlehunt.kernels.compiled.jit import inlined, makes_no_array
from puzzlehunt.kernels.compiled.threads import LEAST_SHARED, parallel_for
from puzzlehunt.kernels.feedback_matrix import Counts, Table
from puzzlehunt.kernels.packed_codes import MOST_SLICED, Bits, PackedCodes
from puzzlehunt.kernels.problem import Numbers

PARTS = (MOST_SLICED + 1) * (MOST_SLICED + 2) // 2
"""The number of parts; a secret with b places and t repeats in common is in part t(t + 1)/2 + b."""
_BLOCK = 512
"""Words of a slice that are read at a time: the slices of a block fit the second cache."""


def literals_of(guesses: PackedCodes) -> tuple[Bits, Bits]:
    """Return the literals of each guess, for its places and repeats (guesses, MOST_SLICED each).

    A guess with fewer literals has the last slice for the others, which has no bits.
    """
    places, repeats = (
        np.full((len(guesses), MOST_SLICED), 64 * bits.shape[1], np.uint64)
        for bits in (guesses.position_bits, guesses.count_bits)
    )
    _fill_literals(guesses.position_bits, places)
    _fill_literals(guesses.count_bits, repeats)
    return places, repeats


def slices_of(secrets: PackedCodes) -> tuple[Bits, Bits]:
    """Return the slice of each literal, for places and repeats (literals + 1, words each)."""
    words = -(-len(secrets) // 64)
    places, repeats = (
        np.zeros((64 * bits.shape[1] + 1, words), np.uint64)
        for bits in (secrets.position_bits, secrets.count_bits)
    )
    fill_slices(secrets.position_bits, places)
    fill_slices(secrets.count_bits, repeats)
    return places, repeats


@makes_no_array
def fill_slices(bits: Bits, slices: Bits) -> None:
    """Fill `slices` (literals, words), which holds zeros before, from bit-rows (secrets, words)."""
    one = np.uint64(1)
    for secret in range(bits.shape[0]):
        place, bit = secret >> 6, one << np.uint64(secret & 63)
        for word in range(bits.shape[1]):
            left = bits[secret, word]
            while left:
                slices[64 * word + popcount(left ^ (left - one)) - 1, place] |= bit
                left &= left - one


@makes_no_array
def _fill_literals(bits: Bits, literals: Bits) -> None:
    """Fill each row of `literals` (guesses, most) with the indices of a guess's bits (words)."""
    one = np.uint64(1)
    for guess in range(bits.shape[0]):
        count = 0
        for word in range(bits.shape[1]):
            left = bits[guess, word]
            while left:
                literals[guess, count] = 64 * word + popcount(left ^ (left - one)) - 1
                count += 1
                left &= left - one


@inlined
def _divided(a: Any, b: Any, c: Any, d: Any, e: Any, f: Any) -> Any:
    """Return 7 words: the secrets of which none, exactly one, ..., all six of the bits are 1."""
    a, f = a | f, a & f  # a sorting network of 12 comparisons
    b, d = b | d, b & d
    c, e = c | e, c & e
    b, c = b | c, b & c
    d, e = d | e, d & e
    a, d = a | d, a & d
    c, f = c | f, c & f
    a, b = a | b, a & b
    c, d = c | d, c & d
    e, f = e | f, e & f
    b, c = b | c, b & c
    d, e = d | e, d & e
    return ~a, a & ~b, b & ~c, c & ~d, d & ~e, e & ~f, f


@inlined
def fill_sizes(
    places: Bits, repeats: Bits, place_slices: Bits, repeat_slices: Bits, start: int, stop: int,
    sizes: Numbers,
) -> None:  # fmt: skip
    """Fill `sizes` (PARTS,) with the number of secrets in each part, but for part 0.

    `places` and `repeats` (MOST_SLICED,) are the literals of a guess. Only the words from `start`
    to `stop` of the slices are counted.
    """
    pa, pb, pc = places[0], places[1], places[2]
    pd, pe, pf = places[3], places[4], places[5]
    ra, rb, rc = repeats[0], repeats[1], repeats[2]
    rd, re, rf = repeats[3], repeats[4], repeats[5]
    n01 = n11 = n02 = n12 = n22 = n03 = n13 = n23 = n33 = np.int64(0)
    n04 = n14 = n24 = n34 = n44 = n05 = n15 = n25 = n35 = n45 = n55 = np.int64(0)
    n06 = n16 = n26 = n36 = n46 = n56 = n66 = np.int64(0)
    for w in range(start, stop):
        b0, b1, b2, b3, b4, b5, b6 = _divided(
            place_slices[pa, w], place_slices[pb, w], place_slices[pc, w],
            place_slices[pd, w], place_slices[pe, w], place_slices[pf, w],
        )  # fmt: skip
        _, t1, t2, t3, t4, t5, t6 = _divided(
            repeat_slices[ra, w], repeat_slices[rb, w], repeat_slices[rc, w],
            repeat_slices[rd, w], repeat_slices[re, w], repeat_slices[rf, w],
        )  # fmt: skip
        n01 += popcount(b0 & t1)
        n11 += popcount(b1 & t1)
        n02 += popcount(b0 & t2)
        n12 += popcount(b1 & t2)
        n22 += popcount(b2 & t2)
        n03 += popcount(b0 & t3)
        n13 += popcount(b1 & t3)
        n23 += popcount(b2 & t3)
        n33 += popcount(b3 & t3)
        n04 += popcount(b0 & t4)
        n14 += popcount(b1 & t4)
        n24 += popcount(b2 & t4)
        n34 += popcount(b3 & t4)
        n44 += popcount(b4 & t4)
        n05 += popcount(b0 & t5)
        n15 += popcount(b1 & t5)
        n25 += popcount(b2 & t5)
        n35 += popcount(b3 & t5)
        n45 += popcount(b4 & t5)
        n55 += popcount(b5 & t5)
        n06 += popcount(b0 & t6)
        n16 += popcount(b1 & t6)
        n26 += popcount(b2 & t6)
        n36 += popcount(b3 & t6)
        n46 += popcount(b4 & t6)
        n56 += popcount(b5 & t6)
        n66 += popcount(b6 & t6)
    sizes[1], sizes[2], sizes[3], sizes[4], sizes[5], sizes[6] = n01, n11, n02, n12, n22, n03
    sizes[7], sizes[8], sizes[9], sizes[10], sizes[11], sizes[12] = n13, n23, n33, n04, n14, n24
    sizes[13], sizes[14], sizes[15], sizes[16], sizes[17] = n34, n44, n05, n15, n25
    sizes[18], sizes[19], sizes[20], sizes[21], sizes[22] = n35, n45, n55, n06, n16
    sizes[23], sizes[24], sizes[25], sizes[26], sizes[27] = n26, n36, n46, n56, n66


@makes_no_array
def count_partitions(
    places: Bits, repeats: Bits, place_slices: Bits, repeat_slices: Bits, secrets: int,
    offsets: Table, sizes: Numbers, counts: Counts,
) -> None:  # fmt: skip
    """Add the partition of every guess to `counts` (guesses, feedbacks), which holds zeros before.

    `places` and `repeats` are those of `literals_of`, the slices of so many secrets those of
    `slices_of`. A secret with b places and t repeats in common has the feedback offsets[t] + b.
    `sizes` (PARTS,) is a work array.
    """
    for start in range(0, place_slices.shape[1], _BLOCK):
        stop = min(place_slices.shape[1], start + _BLOCK)
        begin, end = np.uint64(start), np.uint64(stop)
        for guess in range(places.shape[0]):
            fill_sizes(
                places[guess], repeats[guess], place_slices, repeat_slices, begin, end, sizes
            )
            counts[guess, 0] += min(secrets - 64 * start, 64 * (stop - start))
            for t in range(1, len(offsets)):
                for b in range(t + 1):
                    size = sizes[t * (t + 1) // 2 + b]
                    counts[guess, 0] -= size
                    counts[guess, offsets[t] + b] += size


@makes_no_array
def add_up(
    guesses: Numbers, places: Bits, repeats: Bits, place_slices: Bits, repeat_slices: Bits,
    secrets: int, summands: Numbers, largest: bool, sizes: Numbers, sums: Numbers,
) -> None:  # fmt: skip
    """Fill `sums` (guesses,) with the sums over the parts of each guess; see `sums_over_parts`."""
    begin, end = np.uint64(0), np.uint64(place_slices.shape[1])
    for i in range(guesses.shape[0]):
        guess = guesses[i]
        fill_sizes(places[guess], repeats[guess], place_slices, repeat_slices, begin, end, sizes)
        left, total, most = np.int64(secrets), np.int64(0), np.int64(0)
        for part in range(1, PARTS):
            left -= sizes[part]
            most = max(most, sizes[part])
            total += summands[sizes[part]]
        sums[i] = max(most, left) if largest else total + summands[left]


def sums_over_parts(
    guesses: Numbers, literals: tuple[Bits, Bits], secrets: PackedCodes, summands: Numbers,
    largest: bool,
) -> Numbers:  # fmt: skip
    """Return for each guess the sum of its parts' summands, or the size of its largest part.

    `guesses` are indices in `literals`, which are those of `literals_of`. A part of k secrets has
    the summand summands[k]; summands[0] is 0. Cores work in parallel.
    """
    slices, sums = slices_of(secrets), np.empty(len(guesses), np.int64)

    def fill(begin: int, end: int) -> None:
        some, sizes, size = guesses[begin:end], np.zeros(PARTS, np.int64), len(secrets)
        add_up(some, *literals, *slices, size, summands, largest, sizes, sums[begin:end])

    parallel_for(fill, len(guesses), -(-LEAST_SHARED // len(secrets)))
    return sums
