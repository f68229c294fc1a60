"""The best one-ply guesses for many parts of a decision tree at once.

A part is a range `order[start:stop]` of secrets, its `members`. Guesses and secrets are indices in
two arrays of codes. A measure adds up one summand for each group of members with the same answer.
Summands are convex, so that the number of groups bounds the sum from below. Counting groups is much
faster than finding their sizes, and is enough to reject most guesses. It is done for a block of
guesses at a time, by vector instructions.

This file is kept small, because the first use on a machine waits for its compilation.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlehunt.kernels.compiled.grouping import NO_LIMIT, popcount, sum_over_parts
from puzzlehunt.kernels.compiled.jit import inlined, makes_no_array
from puzzlehunt.kernels.compiled.threads import parallel_for
from puzzlehunt.kernels.feedback_matrix import Table
from puzzlehunt.kernels.packed_codes import Bits
from puzzlehunt.kernels.problem import Numbers

_COUNTABLE, _BLOCK = 64, 256
"""Up to so many answers, parts are counted without their sizes, one bit of a word for each answer,
and for so many guesses at once."""


class Setup(NamedTuple):
    """The data shared by all choices of a tree.

    The answer of a secret to a guess, a number below `answers`, is looked up in `table` (guesses,
    secrets). If the table is empty, it is m + stride * n for two codes with m of their
    `position_bits` and n of their `count_bits` in common.

    A part of k candidates adds the whole number summands[k] to a measure; whole numbers make equal
    partitions cost exactly the same. With `largest`, the measure is the size of the largest part,
    not a sum. `units_per_bit` is how many units of a sum make one bit, 0 for a measure that is not
    in bits. log2[k] is the binary logarithm of k.

    With `candidates_first`, candidates are preferred to other guesses of the same cost. `guess_of`
    (secrets,) is the index of each secret among the guesses, -1 if there is none.
    """

    table: Table
    position_bits: Bits
    count_bits: Bits
    secret_position_bits: Bits
    secret_count_bits: Bits
    stride: int
    answers: int
    summands: Numbers
    largest: bool
    log2: npt.NDArray[np.float64]
    units_per_bit: float
    guess_of: Numbers
    candidates_first: bool


class _Codes(NamedTuple):
    """Guesses or secrets, and their bit-rows (words, codes), so that loops read memory in order."""

    indices: Numbers
    position_bits: Bits
    count_bits: Bits


class _Scratch(NamedTuple):
    """The work arrays for one part; `counts` (answers,) holds zeros before and after a call.

    `seen` (guesses of a block,) are sets of answers, one bit for each.
    """

    counts: Numbers
    answers: Table
    least_totals: Numbers
    seen: Bits


@inlined
def _fill_answers(
    setup: Setup, answers: Table, guesses: _Codes, at: int, secrets: _Codes, start: int, stop: int
) -> None:
    if setup.table.shape[0]:
        for i in range(start, stop):
            answers[i - start] = setup.table[guesses.indices[at], secrets.indices[i]]
        return
    answers[: stop - start] = 0
    for word in range(len(secrets.count_bits)):
        bits, of_secrets = guesses.count_bits[word, at], secrets.count_bits[word, start:stop]
        for i in range(len(of_secrets)):
            answers[i] += popcount(bits & of_secrets[i]) * setup.stride
    for word in range(len(secrets.position_bits)):
        bits, of_secrets = guesses.position_bits[word, at], secrets.position_bits[word, start:stop]
        for i in range(len(of_secrets)):
            answers[i] += popcount(bits & of_secrets[i])


@inlined
def _fill_seen(
    setup: Setup, seen: Bits, guesses: _Codes, begin: int, end: int, secrets: _Codes, start: int,
    stop: int,
) -> None:  # fmt: skip
    """Fill in which answers secrets[start:stop] give to each of guesses[begin:end].

    The answers are below `_COUNTABLE`, so that no popcount exceeds 7, and bit-rows have one word.
    """
    one = np.uint64(1)
    seen[:] = 0
    if setup.table.shape[0]:
        for k in range(end - begin):
            for i in range(start, stop):
                answer = setup.table[guesses.indices[begin + k], secrets.indices[i]]
                seen[k] |= one << np.uint64(answer)
        return
    positions, counts = guesses.position_bits[0, begin:end], guesses.count_bits[0, begin:end]
    for i in range(start, stop, 2):  # two at a time, for fewer loads and stores
        j = min(i + 1, stop - 1)
        first, other = secrets.position_bits[0, i], secrets.position_bits[0, j]
        first_counts, other_counts = secrets.count_bits[0, i], secrets.count_bits[0, j]
        for k in range(len(positions)):
            answer = popcount(counts[k] & first_counts) * 8 + popcount(positions[k] & first)
            seen[k] |= one << np.uint64(answer)
            answer = popcount(counts[k] & other_counts) * 8 + popcount(positions[k] & other)
            seen[k] |= one << np.uint64(answer)


@inlined
def _fill_least_totals(setup: Setup, scratch: _Scratch, n: int) -> None:
    """Fill in, for every k, the least sum of a partition of n members into k parts.

    The summands are convex, so that the sum is least for parts of sizes that are as equal as
    possible. One unit for each part is subtracted from sums in bits, whose summands are rounded.
    """
    summands, least_totals = setup.summands, scratch.least_totals
    rounding = np.int64(1) if setup.units_per_bit else np.int64(0)
    for parts in range(1, min(n, len(least_totals) - 1) + 1):
        size, larger = n // parts, n % parts
        if setup.largest:
            least_totals[parts] = size + (larger > 0)
        else:
            least = (parts - larger) * summands[size] - parts * rounding
            least_totals[parts] = least + (larger * summands[size + 1] if larger else 0)


@inlined
def _cost(setup: Setup, total: int, n: int) -> int:
    """Return the cost of a partition of n candidates whose parts add up to `total`.

    The cost is a whole number; smaller is better. For a measure in bits, the cost is -1e9 times the
    number of bits gained, rounded.
    """
    if setup.units_per_bit == 0.0:
        return total
    return -np.int64(np.rint((setup.log2[n] - (total / setup.units_per_bit) / n) * 1e9))


@makes_no_array
def _choose_some(
    setup: Setup, secrets: _Codes, starts: Numbers, stops: Numbers, candidates: _Codes,
    ranges: Numbers, guesses: _Codes, scratch: _Scratch, begin: int, end: int, chosen: Numbers,
) -> None:  # fmt: skip
    """Fill chosen[begin:end] with the best guess of each of these parts; see `choose_many`.

    The candidates of part i that are tried are in the range `ranges[:, i]`.
    """
    one_word = len(secrets.position_bits) <= 1 and len(secrets.count_bits) <= 1
    parts_counted = len(scratch.counts) <= _COUNTABLE and one_word
    for i in range(begin, end):
        start, stop, n = starts[i], stops[i], stops[i] - starts[i]
        if parts_counted:
            _fill_least_totals(setup, scratch, n)
        perfect = np.int64(1) if setup.largest else n * setup.summands[1]
        # A guess whose parts add up to more than the limit is no better than the best before it.
        limit, least_cost, best_guess = NO_LIMIT, NO_LIMIT, np.int64(-1)
        tried, first, last = candidates, ranges[0, i], ranges[1, i]
        for _ in range(2):
            for at in range(first, last):
                if limit < perfect:
                    break
                if parts_counted:
                    place, block_end = (at - first) % _BLOCK, min(at + _BLOCK, last)
                    if place == 0:
                        _fill_seen(setup, scratch.seen, tried, at, block_end, secrets, start, stop)
                    if scratch.least_totals[popcount(scratch.seen[place])] > limit:
                        continue
                _fill_answers(setup, scratch.answers, tried, at, secrets, start, stop)
                total = sum_over_parts(
                    scratch.answers, n, setup.summands, setup.largest, limit, scratch.counts
                )
                if total > limit:
                    continue
                limit, cost = total - 1, _cost(setup, total, n)
                if cost < least_cost:
                    least_cost, best_guess = cost, tried.indices[at]
            tried, first, last = guesses, np.int64(0), np.int64(len(guesses.indices))
        chosen[i] = best_guess


def choose_many(
    setup: Setup, order: Numbers, starts: Numbers, stops: Numbers, guesses: Numbers
) -> Numbers:
    """Return the best guess of each part, -1 if none was tried; cores work in parallel.

    Part i is order[starts[i] : stops[i]]. The `guesses` are tried in each part; if there are none,
    its own members are. Of guesses with the least cost, the first is the best, or the first
    candidate if there is one and `candidates_first`.
    """
    chosen, own = np.empty(len(starts), np.int64), setup.guess_of[order]
    is_tried = np.full(len(setup.position_bits), len(guesses) == 0)
    is_tried[guesses] = setup.candidates_first
    places = np.flatnonzero((own >= 0) & is_tried[own])
    ranges = np.searchsorted(places, np.stack((starts, stops)))
    guess_bits = setup.position_bits, setup.count_bits
    codes = [_codes(each, *guess_bits) for each in (own[places], guesses)]
    secrets = _codes(order, setup.secret_position_bits, setup.secret_count_bits)

    def choose_some(begin: int, end: int) -> None:
        scratch = _Scratch(
            np.zeros(setup.answers, np.int64),
            np.empty(int((stops - starts).max()), setup.table.dtype),
            np.zeros(_COUNTABLE + 1, np.int64),
            np.empty(_BLOCK, np.uint64),
        )
        _choose_some(
            setup, secrets, starts, stops, codes[0], ranges, codes[1], scratch, begin, end, chosen
        )

    parallel_for(choose_some, len(starts), 1)
    return chosen


def _codes(indices: Numbers, *bit_rows: Bits) -> _Codes:
    return _Codes(indices, *(np.ascontiguousarray(rows[indices].T) for rows in bit_rows))
