"""The best guesses of many positions at once: answers, counts and measure in one pass.

A position is a run `order[start:stop]` of secrets, its `members`; `run_start[secret]` is where the
run of a secret begins, -1 if no further guess is sought for it. Guesses and secrets are indices in
two arrays of codes: `secret_of` gives a guess's index among the secrets, `as_guess` a secret's
among the guesses, -1 where it has none. The winning answer is `winning`, answers are below
`feedbacks`.

`scoring` is (table, guess_places, guess_repeats, stride). An answer is looked up in the table
(guesses, secrets). If that is empty, the answer of two codes is m + stride * n, with m of their
`place_bits` and n of their `repeat_bits` in common. `guess_places` and `guess_repeats` (guesses,
words) are these bits of all guesses, and `secrets` is the pair of them of all secrets;
`member_places` and `member_repeats` (words, members) are those of one position.

`measure` is (summands, largest, log2, units_per_bit). A part of k candidates adds the whole number
summands[k], so that equal partitions cost exactly the same; with `largest` the largest part counts
and not the sum. `units_per_bit` is how many of a sum's units make a bit, 0 for a measure that is
not in bits. log2[k] is the binary logarithm of k.

`ties` is (secret_of, run_start, candidates_first): whether a candidate wins against another guess
of the same cost. `counts` (answers,) and `out` (members,) are scratch; `counts` are zeros before
and after each call.
"""

from typing import Any

import numba
import numpy as np

from puzzlehunt.kernels.compiled.decorators import in_parallel, inlined, kernel
from puzzlehunt.kernels.compiled.grouping import NO_LIMIT, group, sum_of_groups
from puzzlehunt.kernels.compiled.popcounts import popcount

_BLOCK = 256
"""Number of guesses that one core tries at a time, in a position shared among the cores."""


# Arrays are handed down one by one: unpacking a tuple counts references, which is slow in a loop.


@inlined
def _fill_answers(
    out: Any, g: Any, members: Any, n: Any, table: Any, guess_places: Any, guess_repeats: Any,
    member_places: Any, member_repeats: Any, stride: Any,
) -> None:  # fmt: skip
    """Fill `out` with the answers of the first n members to the guess g."""
    if table.shape[0]:
        for i in range(n):
            out[i] = table[g, members[i]]
        return
    places, repeats = guess_places[g, 0], guess_repeats[g, 0]
    for i in range(n):
        out[i] = popcount(repeats & member_repeats[0, i]) * stride + popcount(
            places & member_places[0, i]
        )
    for word in range(1, guess_repeats.shape[1]):
        for i in range(n):
            out[i] += popcount(guess_repeats[g, word] & member_repeats[word, i]) * stride
    for word in range(1, guess_places.shape[1]):
        for i in range(n):
            out[i] += popcount(guess_places[g, word] & member_places[word, i])


@inlined
def _sum_of(
    g: Any, members: Any, table: Any, guess_places: Any, guess_repeats: Any, stride: Any,
    member_places: Any, member_repeats: Any, summands: Any, largest: Any, limit: Any, counts: Any,
    out: Any,
) -> Any:  # fmt: skip
    """Return the sum over the parts of the guess g; above `limit`, any number above it."""
    _fill_answers(
        out, g, members, len(members), table, guess_places, guess_repeats, member_places,
        member_repeats, stride,
    )  # fmt: skip
    return sum_of_groups(out, len(members), summands, largest, limit, counts)


@inlined
def _cost(total: Any, n: Any, log2: Any, units_per_bit: Any) -> Any:
    """Return the cost of a partition of n candidates whose parts add up to `total`.

    It is a whole number, smaller is better. For a measure in bits it is minus the number of bits
    gained, rounded to nine decimals and times 1e9.
    """
    if units_per_bit == 0.0:
        return total
    return -np.int64(np.rint((log2[n] - (total / units_per_bit) / n) * 1e9))


@kernel
def _best(
    guesses: Any, begin: Any, end: Any, members: Any, start: Any, secret_of: Any, run_start: Any,
    candidates_first: Any, table: Any, guess_places: Any, guess_repeats: Any, stride: Any,
    member_places: Any, member_repeats: Any, summands: Any, largest: Any, log2: Any,
    units_per_bit: Any, counts: Any, out: Any, no_perfect_candidate: Any,
) -> Any:  # fmt: skip
    """Return (cost, tie rank, guess) of the best guess of guesses[begin:end].

    The tie rank is 1 if candidates go first and the guess is no candidate, else 0. The best guess
    has the least cost, among equals the least rank, and is the first of these. With
    `no_perfect_candidate` no candidate tells all others apart, so that the first guess that does is
    the best.
    """
    n = len(members)
    # A sum larger than the best by at most this may still round to the same cost.
    perfect = np.int64(1) if largest else n * summands[1]
    slack = np.int64(n * units_per_bit * 2e-9) + 2 if units_per_bit else np.int64(0)
    limit, least_cost, tie_rank, best_guess = NO_LIMIT, NO_LIMIT, 1, np.int64(-1)
    for place in range(begin, end):
        g = guesses[place]
        total = _sum_of(
            g, members, table, guess_places, guess_repeats, stride, member_places, member_repeats,
            summands, largest, limit, counts, out,
        )  # fmt: skip
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
def _perfect(
    members: Any, as_guess: Any, table: Any, guess_places: Any, guess_repeats: Any, stride: Any,
    member_places: Any, member_repeats: Any, summands: Any, largest: Any, counts: Any, out: Any,
) -> Any:  # fmt: skip
    """Return the first candidate (as a guess) that tells all others apart, -1 if none does."""
    perfect = np.int64(1) if largest else len(members) * summands[1]
    for i in range(len(members)):
        g = as_guess[members[i]]
        if g >= 0 and perfect == _sum_of(
            g, members, table, guess_places, guess_repeats, stride, member_places, member_repeats,
            summands, largest, perfect, counts, out,
        ):  # fmt: skip
            return np.int64(g)
    return np.int64(-1)


@kernel
def _gathered(rows: Any, members: Any) -> Any:
    """Return the members' bit-rows (words, members), so that inner loops read memory in order."""
    out = np.empty((rows.shape[1], len(members)), rows.dtype)
    for word in range(rows.shape[1]):
        for i in range(len(members)):
            out[word, i] = rows[members[i], word]
    return out


@in_parallel
def choose_many(
    order: Any, starts: Any, stops: Any, guess_lists: Any, list_bounds: Any, list_of: Any,
    as_guess: Any, ties: Any, scoring: Any, secrets: Any, measure: Any, feedbacks: Any,
    answer_count: Any, chosen: Any,
) -> None:  # fmt: skip
    """Fill `chosen` with the best guess of each position, positions shared among the cores.

    With k = list_of[i], position i tries guess_lists[list_bounds[k] : list_bounds[k + 1]], or its
    own candidates if k is -1.
    """
    table, guess_places, guess_repeats, stride = scoring
    secret_of, run_start, candidates_first = ties
    summands, largest, log2, units_per_bit = measure
    for i in numba.prange(len(starts)):
        members = order[starts[i] : stops[i]]
        member_places = _gathered(secrets[0], members)
        member_repeats = _gathered(secrets[1], members)
        counts = np.zeros(answer_count, np.int64)
        out = np.empty(len(members), table.dtype)
        best_guess = np.int64(-1)
        candidates_only = list_of[i] < 0
        if candidates_only:
            guesses = members
        else:
            guesses = guess_lists[list_bounds[list_of[i]] : list_bounds[list_of[i] + 1]]
        perfect_sought = candidates_first and not candidates_only and len(members) <= feedbacks
        if perfect_sought:
            best_guess = _perfect(
                members, as_guess, table, guess_places, guess_repeats, stride, member_places,
                member_repeats, summands, largest, counts, out,
            )  # fmt: skip
        if best_guess < 0:
            best_guess = _best(
                guesses, 0, len(guesses), members, starts[i], secret_of, run_start,
                candidates_first, table, guess_places, guess_repeats, stride, member_places,
                member_repeats, summands, largest, log2, units_per_bit, counts, out, perfect_sought,
            )[2]  # fmt: skip
        chosen[i] = best_guess


@in_parallel
def choose_one(
    guesses: Any, members: Any, start: Any, ties: Any, scoring: Any, secrets: Any, measure: Any,
    answer_count: Any,
) -> Any:  # fmt: skip
    """Return the best of `guesses` in one position, tried in blocks that the cores share."""
    member_places, member_repeats = _gathered(secrets[0], members), _gathered(secrets[1], members)
    table, guess_places, guess_repeats, stride = scoring
    secret_of, run_start, candidates_first = ties
    summands, largest, log2, units_per_bit = measure
    blocks = (len(guesses) + _BLOCK - 1) // _BLOCK
    best = np.empty((blocks, 3), np.int64)
    for block in numba.prange(blocks):
        counts = np.zeros(answer_count, np.int64)
        out = np.empty(len(members), table.dtype)
        begin = block * _BLOCK
        end = min(len(guesses), begin + _BLOCK)
        least_cost, tie_rank, best_guess = _best(
            guesses, begin, end, members, start, secret_of, run_start, candidates_first, table,
            guess_places, guess_repeats, stride, member_places, member_repeats, summands, largest,
            log2, units_per_bit, counts, out, False,
        )  # fmt: skip
        best[block, 0], best[block, 1], best[block, 2] = least_cost, tie_rank, best_guess
    least_cost, tie_rank, best_guess = best[0]
    for block in range(1, blocks):
        cost, rank, place = best[block]
        if cost < least_cost or (cost == least_cost and rank < tie_rank):
            least_cost, tie_rank, best_guess = cost, rank, place
    return best_guess


@kernel
def divide(
    order: Any, start: Any, stop: Any, answers: Any, winning: Any, feedbacks: Any,
    guess_counts: Any, run_start: Any, wanted: Any, sizes: Any,
) -> Any:  # fmt: skip
    """Reorder order[start:stop] so that the secrets of each answer to a guess are a run.

    `guess_counts` (2, secrets) are how many guesses each secret takes until it is played, and until
    it is known; this guess is added. `wanted` (secrets,) says for which secrets guesses are sought.
    A wanted secret that is alone in its run is done: it counts as played next. A run of several
    secrets, one of them wanted, needs another guess: its size is written to `sizes` at the run's
    beginning. Returns whether the guess won or divided the position (if not, nothing is counted),
    and how many wanted secrets are done.
    """
    n = stop - start
    begins = np.empty(feedbacks + 1, np.int64)
    members = order[start:stop].copy()
    group(answers, members, n, begins, order[start:stop])
    for answer in range(feedbacks):
        if begins[answer + 1] - begins[answer] == n and answer != winning:
            return False, 0
    done = 0
    for answer in range(feedbacks):
        begin, end = start + begins[answer], start + begins[answer + 1]
        needed = False
        for i in range(begin, end):
            secret = order[i]
            guess_counts[0, secret] += 1
            guess_counts[1, secret] = guess_counts[0, secret]
            run_start[secret] = begin
            needed |= wanted[secret]
        if answer == winning or not needed:
            for i in range(begin, end):
                run_start[order[i]] = -1
            done += needed
        elif end - begin == 1:
            guess_counts[0, order[begin]] += 1
            run_start[order[begin]] = -1
            done += 1
        else:
            sizes[begin] = end - begin
    return True, done


@kernel
def divide_many(
    order: Any, starts: Any, stops: Any, chosen: Any, scoring: Any, secrets: Any, winning: Any,
    feedbacks: Any, guess_counts: Any, run_start: Any, wanted: Any, sizes: Any, guess_symbols: Any,
    used: Any,
) -> Any:  # fmt: skip
    """Divide many positions by the answers to their chosen guesses, as `divide` does.

    `used[secret]` is the set of symbols (one bit each) in the guesses that a secret has had;
    `guess_symbols[guess]` are added to it. Returns the index of the first position whose guess left
    all its candidates, else -1; and how many wanted secrets are done.
    """
    table, guess_places, guess_repeats, stride = scoring
    done = 0
    for i in range(len(starts)):
        members = order[starts[i] : stops[i]]
        n = len(members)
        member_places = _gathered(secrets[0], members)
        member_repeats = _gathered(secrets[1], members)
        answers = np.empty(n, table.dtype)
        _fill_answers(
            answers, chosen[i], members, n, table, guess_places, guess_repeats, member_places,
            member_repeats, stride,
        )  # fmt: skip
        for secret in members:
            used[secret] |= guess_symbols[chosen[i]]
        divided, newly_done = divide(
            order, starts[i], stops[i], answers, winning, feedbacks, guess_counts, run_start,
            wanted, sizes,
        )  # fmt: skip
        if not divided:
            return i, done
        done += newly_done
    return -1, done
