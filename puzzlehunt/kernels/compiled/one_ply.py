"""The best one-ply guesses for many parts of a decision tree at once.

A part is a range `order[start:stop]` of secrets, its `members`. Guesses and secrets are indices in
two arrays of codes. A measure adds up one summand for each group of members with the same answer.
Summands are convex, so that the number of groups bounds the sum from below. Counting groups is much
faster than finding their sizes, and is enough to reject most guesses.

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

_COUNTABLE = 64
"""Up to this many answers, parts are counted without their sizes, one bit of a word for each."""


class Setup(NamedTuple):
    """The data shared by all choices of a tree.

    The answer of a secret to a guess, a number below `answers`, is looked up in `table` (guesses,
    secrets). If the table is empty, it is m + stride * n for two codes with m of their
    `position_bits` and n of their `count_bits` in common.

    A part of k candidates adds the whole number summands[k] to a measure; whole numbers make equal
    partitions cost exactly the same. With `largest`, the measure is the size of the largest part,
    not a sum. `units_per_bit` is how many units of a sum make one bit, 0 for a measure that is not
    in bits. log2[k] is the binary logarithm of k.

    With `candidates_first`, candidates are preferred to other guesses of the same cost. `secret_of`
    (guesses,) is the index of each guess among the secrets, and `guess_of` (secrets,) the index of
    each secret among the guesses; both are -1 if there is none. part_start[secret] is where the
    part of a secret begins, -1 if no further guess is sought for that secret.
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
    secret_of: Numbers
    guess_of: Numbers
    part_start: Numbers
    candidates_first: bool


class _Scratch(NamedTuple):
    """The work arrays for one part; `counts` (answers,) holds zeros before and after a call.

    `positions` and `repeats` (words, members) are the bit-rows of the members, copied here so that
    inner loops read memory in order.
    """

    counts: Numbers
    answers: Table
    least_totals: Numbers
    positions: Bits
    repeats: Bits


@inlined
def _fill_answers(setup: Setup, scratch: _Scratch, guess: int, members: Numbers) -> None:
    n, answers, positions, repeats = (
        len(members), scratch.answers, scratch.positions, scratch.repeats,
    )  # fmt: skip
    if setup.table.shape[0]:
        for i in range(n):
            answers[i] = setup.table[guess, members[i]]
        return
    position_bits, count_bits, stride = setup.position_bits, setup.count_bits, setup.stride
    in_place, repeated = position_bits[guess, 0], count_bits[guess, 0]
    for i in range(n):
        answers[i] = popcount(repeated & repeats[0, i]) * stride + popcount(
            in_place & positions[0, i]
        )
    for word in range(1, count_bits.shape[1]):
        for i in range(n):
            answers[i] += popcount(count_bits[guess, word] & repeats[word, i]) * stride
    for word in range(1, position_bits.shape[1]):
        for i in range(n):
            answers[i] += popcount(position_bits[guess, word] & positions[word, i])


@inlined
def _part_count(setup: Setup, scratch: _Scratch, guess: int, members: Numbers) -> int:
    """Return how many different answers the members give to a guess.

    The answers are below `_COUNTABLE`, and the bit-rows of codes have one word.
    """
    seen, one = np.uint64(0), np.uint64(1)
    if setup.table.shape[0]:
        for i in range(len(members)):
            seen |= one << np.uint64(setup.table[guess, members[i]])
        return popcount(seen)
    positions, repeats, stride = scratch.positions, scratch.repeats, setup.stride
    in_place, repeated = setup.position_bits[guess, 0], setup.count_bits[guess, 0]
    for i in range(len(members)):
        answer = popcount(repeated & repeats[0, i]) * stride
        seen |= one << np.uint64(answer + popcount(in_place & positions[0, i]))
    return popcount(seen)


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


@inlined
def _best(
    setup: Setup, scratch: _Scratch, guesses: Numbers, limit: int, no_perfect_candidate: bool,
    members: Numbers, start: int,
) -> int:  # fmt: skip
    """Return the best of some guesses for the members of the part that begins at `start`, or -1.

    The best guess has the least cost. Of guesses with this cost, a candidate is taken if
    `candidates_first`, then the first. Negative guesses, and guesses whose parts add up to more
    than `limit`, are left out. `no_perfect_candidate` means that no candidate separates all
    members; then the first guess that does is the best.
    """
    n = len(members)
    # A sum larger than the best by at most this may still round to the same cost.
    perfect = np.int64(1) if setup.largest else n * setup.summands[1]
    slack = np.int64(n * setup.units_per_bit * 2e-9) + 2 if setup.units_per_bit else np.int64(0)
    one_word = len(scratch.positions) <= 1 and len(scratch.repeats) <= 1
    parts_counted = len(scratch.counts) <= _COUNTABLE and one_word
    if parts_counted:
        _fill_least_totals(setup, scratch, n)
    least_cost, tie_rank, best_guess = NO_LIMIT, 1, np.int64(-1)
    for at in range(len(guesses)):
        guess = guesses[at]
        if guess < 0:
            continue
        if parts_counted:
            parts = _part_count(setup, scratch, guess, members)
            if scratch.least_totals[parts] > limit:
                continue
        _fill_answers(setup, scratch, guess, members)
        total = sum_over_parts(
            scratch.answers, n, setup.summands, setup.largest, limit, scratch.counts
        )
        if total > limit:
            continue
        cost = _cost(setup, total, n)
        secret = setup.secret_of[guess]
        is_candidate = secret >= 0 and setup.part_start[secret] == start
        rank = 0 if not setup.candidates_first or is_candidate else 1
        if cost < least_cost or (cost == least_cost and rank < tie_rank):
            limit = total + slack
            least_cost, tie_rank, best_guess = cost, rank, np.int64(guess)
            if total == perfect and (no_perfect_candidate or tie_rank == 0):
                break
    return best_guess


@makes_no_array
def _choose_some(
    setup: Setup, order: Numbers, own: Numbers, starts: Numbers, stops: Numbers, guesses: Numbers,
    scratch: _Scratch, begin: int, end: int, no_limit: int, chosen: Numbers,
) -> None:  # fmt: skip
    """Fill chosen[begin:end] with the best guess of each of these parts; see `choose_many`.

    `own` are the indices of the secrets in `order` among the guesses, -1 for none.
    """
    for i in range(begin, end):
        start, n = starts[i], stops[i] - starts[i]
        members = order[start : start + n]
        for member in range(n):
            for word in range(scratch.positions.shape[0]):
                bits = setup.secret_position_bits[members[member], word]
                scratch.positions[word, member] = bits
            for word in range(scratch.repeats.shape[0]):
                scratch.repeats[word, member] = setup.secret_count_bits[members[member], word]
        # A candidate that separates all members, if there can be one, is sought before any guess.
        perfect_sought = setup.candidates_first and len(guesses) > 0 and n <= setup.answers
        best_guess = np.int64(-1)
        for only_perfect in (True, False):
            if best_guess >= 0 or (only_perfect and not perfect_sought):
                continue
            tried, limit = own[start : start + n], no_limit
            if only_perfect:
                limit = 1 if setup.largest else n * setup.summands[1]
            elif len(guesses) > 0:
                tried = guesses
            best_guess = _best(setup, scratch, tried, limit, perfect_sought, members, start)
        chosen[i] = best_guess


def choose_many(
    setup: Setup, order: Numbers, starts: Numbers, stops: Numbers, guesses: Numbers
) -> Numbers:
    """Return the best guess of each part, -1 if none was tried; cores work in parallel.

    Part i is order[starts[i] : stops[i]]. The `guesses` are tried in each part; if there are none,
    its own members are.
    """
    chosen, own = np.empty(len(starts), np.int64), setup.guess_of[order]
    longest = int((stops - starts).max())

    def choose_some(begin: int, end: int) -> None:
        position_bits, count_bits = setup.secret_position_bits, setup.secret_count_bits
        scratch = _Scratch(
            np.zeros(setup.answers, np.int64),
            np.empty(longest, setup.table.dtype),
            np.zeros(_COUNTABLE + 1, np.int64),
            np.empty((position_bits.shape[1], longest), position_bits.dtype),
            np.empty((count_bits.shape[1], longest), count_bits.dtype),
        )
        _choose_some(
            setup, order, own, starts, stops, guesses, scratch, begin, end, NO_LIMIT, chosen
        )

    parallel_for(choose_some, len(starts), 1)
    return chosen
