"""The best guesses of many positions at once: answers, counts and measure in one pass.

A position is a run `order[start:stop]` of secrets, its `members`; `run_start[secret]` is where the
run of a secret begins, -1 if no further guess is sought for it. Guesses and secrets are indices in
two arrays of codes: `secret_of` gives a guess's index among the secrets, `guess_of` a secret's
among the guesses, -1 where it has none. Answers are below `answer_count`.

`scoring` is (table, guess_places, guess_repeats, stride). An answer is looked up in the table
(guesses, secrets). If that is empty, the answer of two codes is m + stride * n, with m of their
`position_bits` and n of their `count_bits` in common. `guess_places` and `guess_repeats` (guesses,
words) are these bits of all guesses, and `secrets` is the pair of them of all secrets; `places`
and `repeats` (words, members) are those of a position's members, so that inner loops read memory in
order.

`measure` is (summands, largest, log2, units_per_bit). A part of k candidates adds the whole number
summands[k], so that equal partitions cost exactly the same; with `largest` the largest part counts
and not the sum. `units_per_bit` is how many of a sum's units make a bit, 0 for a measure that is
not in bits. log2[k] is the binary logarithm of k. Most guesses are given up once their parts are
counted, which takes a fraction of the time of their sizes: summands are convex, so that the number
of parts bounds the sum from below.

`ties` is (secret_of, run_start, candidates_first): whether a candidate wins against another guess
of the same cost. `counts` (answers,), `out` (members,) and `least_totals` (number of parts,) are
scratch; `counts` are zeros before and after each call.

Here little is compiled, and nothing twice, as that is what the first use on a machine waits for.
"""

from typing import Any

import numpy as np

from puzzlehunt.kernels.compiled.jit import inlined, kernel
from puzzlehunt.kernels.compiled.partitions import NO_LIMIT, popcount, sum_over_parts
from puzzlehunt.kernels.compiled.threads import parallel_for

_COUNTABLE = 64
"""Most different answers whose parts can be counted without their sizes: bits of a word."""
_GUESSES, _POSITIONS = 256, 16
"""Fewest guesses that a core tries at a time, in a position shared among the cores; and fewest
positions that it takes at a time."""


# Arrays are handed down one by one: unpacking a tuple counts references, which is slow in a loop.


@inlined
def _fill_answers(
    out: Any, g: Any, members: Any, n: Any, table: Any, guess_places: Any, guess_repeats: Any,
    stride: Any, places: Any, repeats: Any,
) -> None:  # fmt: skip
    """Fill `out` with the answers of the first n members to the guess g."""
    if table.shape[0]:
        for i in range(n):
            out[i] = table[g, members[i]]
        return
    guess_place, guess_repeat = guess_places[g, 0], guess_repeats[g, 0]
    for i in range(n):
        out[i] = popcount(guess_repeat & repeats[0, i]) * stride + popcount(
            guess_place & places[0, i]
        )
    for word in range(1, guess_repeats.shape[1]):
        for i in range(n):
            out[i] += popcount(guess_repeats[g, word] & repeats[word, i]) * stride
    for word in range(1, guess_places.shape[1]):
        for i in range(n):
            out[i] += popcount(guess_places[g, word] & places[word, i])


@inlined
def _part_count(
    g: Any, members: Any, n: Any, table: Any, guess_places: Any, guess_repeats: Any, stride: Any,
    places: Any, repeats: Any,
) -> Any:  # fmt: skip
    """Return how many different answers the first n members give to the guess g.

    The answers are below `_COUNTABLE`, and the bit-rows of codes have one word.
    """
    seen, one = np.uint64(0), np.uint64(1)
    if table.shape[0]:
        for i in range(n):
            seen |= one << np.uint64(table[g, members[i]])
        return popcount(seen)
    guess_place, guess_repeat = guess_places[g, 0], guess_repeats[g, 0]
    for i in range(n):
        answer = popcount(guess_repeat & repeats[0, i]) * stride
        seen |= one << np.uint64(answer + popcount(guess_place & places[0, i]))
    return popcount(seen)


@inlined
def _fill_least_totals(
    least_totals: Any, n: Any, summands: Any, largest: Any, units_per_bit: Any
) -> None:
    """Fill in, for every k, what a partition of n into k parts adds up to at least.

    The summands are convex, so that it is the sum of parts as equal as can be; summands in bits are
    rounded, each by half a unit at most.
    """
    rounding = np.int64(1) if units_per_bit else np.int64(0)
    for parts in range(1, min(n, len(least_totals) - 1) + 1):
        size, larger = n // parts, n % parts
        if largest:
            least_totals[parts] = size + (larger > 0)
        else:
            least = (parts - larger) * summands[size] - parts * rounding
            least_totals[parts] = least + (larger * summands[size + 1] if larger else 0)


@inlined
def _cost(total: Any, n: Any, log2: Any, units_per_bit: Any) -> Any:
    """Return the cost of a partition of n candidates whose parts add up to `total`.

    It is a whole number, smaller is better. For a measure in bits it is minus the number of bits
    gained, rounded to nine decimals and times 1e9.
    """
    if units_per_bit == 0.0:
        return total
    return -np.int64(np.rint((log2[n] - (total / units_per_bit) / n) * 1e9))


@inlined
def _best(
    guesses: Any, begin: Any, end: Any, limit: Any, no_perfect_candidate: Any, members: Any,
    start: Any, secret_of: Any, run_start: Any, candidates_first: Any, table: Any,
    guess_places: Any, guess_repeats: Any, stride: Any, places: Any, repeats: Any,
    summands: Any, largest: Any, log2: Any, units_per_bit: Any, counts: Any, out: Any,
    least_totals: Any,
) -> Any:  # fmt: skip
    """Return (cost, tie rank, guess) of the best guess of guesses[begin:end]; guess -1 is none.

    The tie rank is 1 if candidates go first and the guess is no candidate, else 0. The best guess
    has the least cost, among equals the least rank, and is the first of these. Negative guesses,
    and those whose parts add up to more than `limit`, are left out. With `no_perfect_candidate` no
    candidate tells all others apart, so that the first guess that does is the best.
    """
    n = len(members)
    # A sum larger than the best by at most this may still round to the same cost.
    perfect = np.int64(1) if largest else n * summands[1]
    slack = np.int64(n * units_per_bit * 2e-9) + 2 if units_per_bit else np.int64(0)
    parts_counted = len(counts) <= _COUNTABLE and len(places) <= 1 and len(repeats) <= 1
    if parts_counted:
        _fill_least_totals(least_totals, n, summands, largest, units_per_bit)
    least_cost, tie_rank, best_guess = NO_LIMIT, 1, np.int64(-1)
    for place in range(begin, end):
        g = guesses[place]
        if g < 0:
            continue
        if parts_counted:
            parts = _part_count(
                g, members, n, table, guess_places, guess_repeats, stride, places, repeats
            )
            if least_totals[parts] > limit:
                continue
        _fill_answers(
            out, g, members, n, table, guess_places, guess_repeats, stride, places, repeats
        )
        total = sum_over_parts(out, n, summands, largest, limit, counts)
        if total > limit:
            continue
        cost = _cost(total, n, log2, units_per_bit)
        secret = secret_of[g]
        rank = 0 if not candidates_first or (secret >= 0 and run_start[secret] == start) else 1
        if cost < least_cost or (cost == least_cost and rank < tie_rank):
            limit = total + slack
            least_cost, tie_rank, best_guess = cost, rank, np.int64(g)
            if total == perfect and (no_perfect_candidate or tie_rank == 0):
                break
    return least_cost, tie_rank, best_guess


@kernel
def _choose_some(
    begin: Any, end: Any, order: Any, own: Any, starts: Any, stops: Any, guess_lists: Any,
    list_bounds: Any, list_of: Any, feedbacks: Any, no_limit: Any, chosen: Any, secret_of: Any,
    run_start: Any, candidates_first: Any, table: Any, guess_places: Any, guess_repeats: Any,
    stride: Any, secret_places: Any, secret_repeats: Any, places: Any, repeats: Any, summands: Any,
    largest: Any, log2: Any, units_per_bit: Any, counts: Any, out: Any, least_totals: Any,
) -> None:  # fmt: skip
    """Fill chosen[begin:end] with the best guess of each of these positions; see `choose_many`.

    `own` are the guesses that are the secrets of `order`, -1 where they are none.
    """
    for i in range(begin, end):
        start, n = starts[i], stops[i] - starts[i]
        for member in range(n):
            for word in range(places.shape[0]):
                places[word, member] = secret_places[order[start + member], word]
            for word in range(repeats.shape[0]):
                repeats[word, member] = secret_repeats[order[start + member], word]
        candidates_only = list_of[i] < 0
        perfect_sought = candidates_first and not candidates_only and n <= feedbacks
        best_guess = np.int64(-1)
        for among_all in range(2):
            if best_guess >= 0 or not (among_all or perfect_sought):
                continue
            guesses, first, last, limit = own, start, stops[i], no_limit
            if not among_all:
                limit = np.int64(1) if largest else n * summands[1]
            elif not candidates_only:
                guesses = guess_lists
                first, last = list_bounds[list_of[i]], list_bounds[list_of[i] + 1]
            best_guess = _best(
                guesses, first, last, limit, perfect_sought, order[start : stops[i]], start,
                secret_of, run_start, candidates_first, table, guess_places, guess_repeats, stride,
                places, repeats, summands, largest, log2, units_per_bit, counts, out, least_totals,
            )[2]  # fmt: skip
        chosen[i] = best_guess


def choose_many(
    order: Any, starts: Any, stops: Any, guess_lists: Any, list_bounds: Any, list_of: Any,
    feedbacks: Any, guess_of: Any, ties: Any, scoring: Any, secrets: Any, measure: Any,
    answer_count: Any, least: int = _POSITIONS,
) -> Any:  # fmt: skip
    """Return the best guess of each position, positions shared among the cores.

    With k = list_of[i], position i tries guess_lists[list_bounds[k] : list_bounds[k + 1]], or its
    own candidates if k is -1. The rule has so many `feedbacks`. A core takes `least` positions at a
    time, or more.
    """
    chosen, own = np.empty(len(starts), np.int64), guess_of[order]
    longest = int((stops - starts).max())

    def choose_some(begin: int, end: int) -> None:
        bits = [np.empty((rows.shape[1], longest), rows.dtype) for rows in secrets]
        out, least_totals = np.empty(longest, scoring[0].dtype), np.zeros(_COUNTABLE + 1, np.int64)
        scratch = np.zeros(answer_count, np.int64), out, least_totals
        _choose_some(
            begin, end, order, own, starts, stops, guess_lists, list_bounds, list_of, feedbacks,
            NO_LIMIT, chosen, *ties, *scoring, *secrets, *bits, *measure, *scratch,
        )  # fmt: skip

    parallel_for(choose_some, len(starts), least)
    return chosen


def choose_one(
    guesses: Any, order: Any, start: Any, stop: Any, guess_of: Any, ties: Any, scoring: Any,
    secrets: Any, measure: Any, answer_count: Any,
) -> Any:  # fmt: skip
    """Return the best of `guesses` in one position, tried in blocks that the cores share."""
    best = guesses
    while len(best) > 1:  # the best guess of each block, then the best of these
        bounds = np.append(np.arange(0, len(best), _GUESSES), len(best))
        blocks = len(bounds) - 1
        best = choose_many(
            order, np.full(blocks, start), np.full(blocks, stop), best, bounds, np.arange(blocks),
            0, guess_of, ties, scoring, secrets, measure, answer_count, least=1,
        )  # fmt: skip
    return best[0]
