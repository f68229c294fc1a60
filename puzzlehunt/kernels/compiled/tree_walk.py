"""The best guess of many positions at once, compiled: answers, counts and measure in one pass.

A position is a run `order[start:stop]` of secrets; `run_start[secret]` is where its run begins, -1
where no further guess is sought for it. Guesses and secrets are places in two arrays of codes:
`secret_of` gives a guess's place among the secrets, `as_guess` a secret's among the guesses, -1
where it has none.

`scoring` is (table, first, second, step). An answer is looked up in the table (guesses, secrets);
where that is empty it is step * (common bits of the second bit-rows) + (common bits of the first).
`first` and `second` (guesses, words) are the bit-rows of all guesses. `secrets` is the pair of
those of all secrets; `firsts` and `seconds` (words, members) are those of one position.

`measure` is (adds, largest, log2, steps). A part of k candidates adds the whole number adds[k], so
that equal partitions cost exactly the same; with `largest` the largest part counts instead. `steps`
is how many of these numbers make a bit, 0 for a measure that is not in bits. `log2[k]` is the
binary logarithm of k.

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
"""Guesses that one core tries at a time, in a position shared among the cores."""


# Arrays are handed down one by one: unpacking a tuple counts references, which is slow in a loop.


@inlined
def _answer(
    out: Any, g: Any, members: Any, n: Any, table: Any, first: Any, second: Any, firsts: Any,
    seconds: Any, step: Any,
) -> None:  # fmt: skip
    """Fill `out` with the answers of the first n members to the guess g."""
    if table.shape[0]:
        for i in range(n):
            out[i] = table[g, members[i]]
        return
    a, b = first[g, 0], second[g, 0]
    for i in range(n):
        out[i] = popcount(b & seconds[0, i]) * step + popcount(a & firsts[0, i])
    for word in range(1, second.shape[1]):
        for i in range(n):
            out[i] += popcount(second[g, word] & seconds[word, i]) * step
    for word in range(1, first.shape[1]):
        for i in range(n):
            out[i] += popcount(first[g, word] & firsts[word, i])


@inlined
def _sum_of(
    g: Any, members: Any, table: Any, first: Any, second: Any, step: Any, firsts: Any, seconds: Any,
    adds: Any, largest: Any, limit: Any, counts: Any, out: Any,
) -> Any:  # fmt: skip
    """Return what the parts of the guess g add up to; above `limit`, any number above it."""
    _answer(out, g, members, len(members), table, first, second, firsts, seconds, step)
    return sum_of_groups(out, len(members), adds, largest, limit, counts)


@inlined
def _cost(total: Any, n: Any, log2: Any, steps: Any) -> Any:
    """Return the cost of a partition of n candidates whose parts add up to `total`.

    It is a whole number, smaller is better. Of a measure in bits it is -(bits gained), rounded to
    nine decimals, times 1e9.
    """
    if steps == 0.0:
        return total
    return -np.int64(np.rint((log2[n] - (total / steps) / n) * 1e9))


@kernel
def _best(
    tried: Any, begin: Any, end: Any, members: Any, start: Any, secret_of: Any, run_start: Any,
    candidates_first: Any, table: Any, first: Any, second: Any, step: Any, firsts: Any,
    seconds: Any, adds: Any, largest: Any, log2: Any, steps: Any, counts: Any, out: Any,
    no_perfect_candidate: Any,
) -> Any:  # fmt: skip
    """Return (cost, tie rank, guess) of the best guess of tried[begin:end].

    The tie rank is 1 where candidates go first and the guess is none, else 0. The best guess is the
    first of those with the least cost, and among them the least rank. `no_perfect_candidate` says
    that no candidate tells all others apart, so that the first guess that does is the best.
    """
    n = len(members)
    # A sum larger than the best by at most this may still round to the same cost.
    perfect = np.int64(1) if largest else n * adds[1]
    slack = np.int64(n * steps * 2e-9) + 2 if steps else np.int64(0)
    limit, least_cost, tie_rank, best_guess = NO_LIMIT, NO_LIMIT, 1, np.int64(-1)
    for place in range(begin, end):
        g = tried[place]
        total = _sum_of(
            g, members, table, first, second, step, firsts, seconds, adds, largest, limit, counts,
            out,
        )  # fmt: skip
        if total > limit:
            continue
        cost = _cost(total, n, log2, steps)
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
    members: Any, as_guess: Any, table: Any, first: Any, second: Any, step: Any, firsts: Any,
    seconds: Any, adds: Any, largest: Any, counts: Any, out: Any,
) -> Any:  # fmt: skip
    """Return the first candidate (as a guess) that tells all others apart, -1 if none does."""
    perfect = np.int64(1) if largest else len(members) * adds[1]
    for i in range(len(members)):
        g = as_guess[members[i]]
        if g >= 0 and perfect == _sum_of(
            g, members, table, first, second, step, firsts, seconds, adds, largest, perfect, counts,
            out,
        ):  # fmt: skip
            return np.int64(g)
    return np.int64(-1)


@kernel
def _gathered(rows: Any, members: Any) -> Any:
    """Return the members' bit-rows (words, members), so that inner loops run along memory."""
    out = np.empty((rows.shape[1], len(members)), rows.dtype)
    for word in range(rows.shape[1]):
        for i in range(len(members)):
            out[word, i] = rows[members[i], word]
    return out


@in_parallel
def choose_many(
    order: Any, starts: Any, stops: Any, tried_lists: Any, ends: Any, list_of: Any,
    as_guess: Any, ties: Any, scoring: Any, secrets: Any, measure: Any, feedbacks: Any,
    answer_count: Any, chosen: Any,
) -> None:  # fmt: skip
    """Fill `chosen` with the best guess of each position, positions shared among the cores.

    Position i tries the guesses tried_lists[ends[k] : ends[k + 1]] with k = list_of[i], or its
    candidates where k is -1.
    """
    table, first, second, step = scoring
    secret_of, run_start, candidates_first = ties
    adds, largest, log2, steps = measure
    for i in numba.prange(len(starts)):
        members = order[starts[i] : stops[i]]
        firsts, seconds = _gathered(secrets[0], members), _gathered(secrets[1], members)
        counts = np.zeros(answer_count, np.int64)
        out = np.empty(len(members), table.dtype)
        best_guess = np.int64(-1)
        candidates_only = list_of[i] < 0
        tried = members if candidates_only else tried_lists[ends[list_of[i]] : ends[list_of[i] + 1]]
        perfect_sought = candidates_first and not candidates_only and len(members) <= feedbacks
        if perfect_sought:
            best_guess = _perfect(
                members, as_guess, table, first, second, step, firsts, seconds, adds, largest,
                counts, out,
            )  # fmt: skip
        if best_guess < 0:
            best_guess = _best(
                tried, 0, len(tried), members, starts[i], secret_of, run_start, candidates_first,
                table, first, second, step, firsts, seconds, adds, largest, log2, steps, counts,
                out, perfect_sought,
            )[2]  # fmt: skip
        chosen[i] = best_guess


@in_parallel
def choose_one(
    tried: Any, members: Any, start: Any, ties: Any, scoring: Any, secrets: Any, measure: Any,
    answer_count: Any,
) -> Any:  # fmt: skip
    """Return the best of the guesses `tried` in one position, in blocks shared by the cores."""
    firsts, seconds = _gathered(secrets[0], members), _gathered(secrets[1], members)
    table, first, second, step = scoring
    secret_of, run_start, candidates_first = ties
    adds, largest, log2, steps = measure
    blocks = (len(tried) + _BLOCK - 1) // _BLOCK
    best = np.empty((blocks, 3), np.int64)
    for block in numba.prange(blocks):
        counts = np.zeros(answer_count, np.int64)
        out = np.empty(len(members), table.dtype)
        begin = block * _BLOCK
        end = min(len(tried), begin + _BLOCK)
        least_cost, tie_rank, best_guess = _best(
            tried, begin, end, members, start, secret_of, run_start, candidates_first, table, first,
            second, step, firsts, seconds, adds, largest, log2, steps, counts, out, False,
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

    `answers` are numbers below `feedbacks`. `guess_counts` (2, S), guesses until played and until
    known, grow by this guess; a wanted secret that is alone counts as played next. A run that needs
    another guess, which has several secrets and a wanted one, has its size written to `sizes` where
    it begins. Returns whether the guess won or divided the position (if not, nothing is counted),
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

    `used[secret]` gains the symbols of the guess, `guess_symbols` (one bit each). Returns the
    number of the first position whose guess left all its candidates, else -1; and how many wanted
    secrets are done.
    """
    table, first, second, step = scoring
    done = 0
    for i in range(len(starts)):
        members = order[starts[i] : stops[i]]
        n = len(members)
        firsts, seconds = _gathered(secrets[0], members), _gathered(secrets[1], members)
        answers = np.empty(n, table.dtype)
        _answer(answers, chosen[i], members, n, table, first, second, firsts, seconds, step)
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
