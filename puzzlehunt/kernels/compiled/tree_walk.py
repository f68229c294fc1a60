"""The best guess of many positions at once, compiled: answers, counts and measure in one pass.

A position is a run of secrets in `order`. An answer is looked up in a table (guesses, secrets), or
found by two popcounts of bit-rows where the table is empty. What a measure adds up over counts is
a table of whole numbers, so that equal partitions cost exactly the same; see `lab/levels.py`.
"""

from typing import Any

import numba
import numpy as np

from puzzlehunt.kernels.compiled.decorators import in_parallel, inlined, kernel
from puzzlehunt.kernels.compiled.grouping import UNLIMITED, added_up, group
from puzzlehunt.kernels.compiled.pairs import popcount

_BLOCK = 256


# Arrays are handed down one by one: unpacking a tuple counts references, which is slow in a loop.


@inlined
def _answer(
    out: Any, g: Any, members: Any, n: Any, table: Any, first: Any, second: Any, firsts: Any,
    seconds: Any, step: Any,
) -> None:  # fmt: skip
    """Fill in the answers of n secrets to one guess.

    `firsts` and `seconds` (words, secrets) are the bit-rows of these secrets.
    """
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
    """Return what the measure adds up over one guess's partition; more than `limit` if given up.

    `counts` are zeros, before and after.
    """
    _answer(out, g, members, len(members), table, first, second, firsts, seconds, step)
    return added_up(out, len(members), adds, largest, limit, counts)


@inlined
def _cost(total: Any, n: Any, bits: Any, fine: Any) -> Any:
    """Return the cost of a partition as a whole number; entropy is rounded to nine decimals."""
    if fine == 0.0:
        return total
    return -np.int64(np.rint((bits[n] - (total / fine) / n) * 1e9))


@kernel
def _best(
    tried: Any, begin: Any, end: Any, members: Any, start: Any, secret_of: Any, run_of: Any,
    favoured: Any, table: Any, first: Any, second: Any, step: Any, firsts: Any, seconds: Any,
    adds: Any, largest: Any, bits: Any, fine: Any, counts: Any, out: Any, imperfect: Any,
) -> Any:  # fmt: skip
    """Return cost, whether it is no candidate, and place of the best of some guesses.

    Ties go to candidates if those are favoured, then to the first. `imperfect` says that no
    candidate tells all others apart.
    """
    n = len(members)
    perfect = np.int64(1) if largest else n * adds[1]
    slack = np.int64(n * fine * 2e-9) + 2 if fine else np.int64(0)
    limit, least, behind, found = UNLIMITED, UNLIMITED, 1, np.int64(-1)
    for place in range(begin, end):
        g = tried[place]
        total = _sum_of(
            g, members, table, first, second, step, firsts, seconds, adds, largest, limit, counts,
            out,
        )  # fmt: skip
        if total > limit:
            continue
        cost = _cost(total, n, bits, fine)
        secret = secret_of[g]
        other = 0 if not favoured or (secret >= 0 and run_of[secret] == start) else 1
        if cost < least or (cost == least and other < behind):
            limit = total + slack
            least, behind, found = cost, other, np.int64(g)
            if total == perfect and (imperfect or behind == 0):
                break
    return least, behind, found


@kernel
def _perfect(
    members: Any, as_guess: Any, table: Any, first: Any, second: Any, step: Any, firsts: Any,
    seconds: Any, adds: Any, largest: Any, counts: Any, out: Any,
) -> Any:  # fmt: skip
    """Return the first candidate that tells all others apart, -1 if none does."""
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
    """Return (words, members): some bit-rows, turned so that each word is a run."""
    out = np.empty((rows.shape[1], len(members)), rows.dtype)
    for word in range(rows.shape[1]):
        for i in range(len(members)):
            out[word, i] = rows[members[i], word]
    return out


@in_parallel
def choose_many(
    order: Any, starts: Any, stops: Any, lists: Any, ends: Any, which: Any, as_guess: Any,
    state: Any, rows: Any, secrets: Any, measure: Any, feedbacks: Any, bins: Any, chosen: Any,
) -> None:  # fmt: skip
    """Fill in the best guess of many positions, several at a time.

    Position i tries the guesses of list `which[i]`, which ends in `lists` at `ends[which[i] + 1]`;
    or, where that is -1, its candidates.
    """
    table, first, second, step = rows
    secret_of, run_of, favoured = state
    adds, largest, bits, fine = measure
    for i in numba.prange(len(starts)):
        members = order[starts[i] : stops[i]]
        firsts, seconds = _gathered(secrets[0], members), _gathered(secrets[1], members)
        counts = np.zeros(bins, np.int64)
        out = np.empty(len(members), table.dtype)
        found = np.int64(-1)
        alone = which[i] < 0
        tried = members if alone else lists[ends[which[i]] : ends[which[i] + 1]]
        asked = favoured and not alone and len(members) <= feedbacks
        if asked:
            found = _perfect(
                members, as_guess, table, first, second, step, firsts, seconds, adds, largest,
                counts, out,
            )  # fmt: skip
        if found < 0:
            found = _best(
                tried, 0, len(tried), members, starts[i], secret_of, run_of, favoured, table, first,
                second, step, firsts, seconds, adds, largest, bits, fine, counts, out, asked,
            )[2]  # fmt: skip
        chosen[i] = found


@in_parallel
def choose_one(
    tried: Any, members: Any, start: Any, state: Any, rows: Any, secrets: Any, measure: Any,
    bins: Any,
) -> Any:  # fmt: skip
    """Return the best guess of one position, several blocks of guesses at a time."""
    firsts, seconds = _gathered(secrets[0], members), _gathered(secrets[1], members)
    table, first, second, step = rows
    secret_of, run_of, favoured = state
    adds, largest, bits, fine = measure
    blocks = (len(tried) + _BLOCK - 1) // _BLOCK
    best = np.empty((blocks, 3), np.int64)
    for block in numba.prange(blocks):
        counts = np.zeros(bins, np.int64)
        out = np.empty(len(members), table.dtype)
        begin = block * _BLOCK
        end = min(len(tried), begin + _BLOCK)
        least, behind, found = _best(
            tried, begin, end, members, start, secret_of, run_of, favoured, table, first, second,
            step, firsts, seconds, adds, largest, bits, fine, counts, out, False,
        )  # fmt: skip
        best[block, 0], best[block, 1], best[block, 2] = least, behind, found
    least, behind, found = best[0]
    for block in range(1, blocks):
        cost, other, place = best[block]
        if cost < least or (cost == least and other < behind):
            least, behind, found = cost, other, place
    return found


@kernel
def divide(
    order: Any, start: Any, stop: Any, answers: Any, winning: Any, feedbacks: Any, counts: Any,
    run_of: Any, wanted: Any, sizes: Any,
) -> Any:  # fmt: skip
    """Put the secrets of a position in order of their answers, each group a run of its own.

    `counts` (2, S) are guesses until played and known. The size of each group that has to be gone
    on with is written to `sizes` where it begins. Returns whether the guess told anything, and how
    many wanted secrets are done.
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
            counts[0, secret] += 1
            counts[1, secret] = counts[0, secret]
            run_of[secret] = begin
            needed |= wanted[secret]
        if answer == winning or not needed:
            for i in range(begin, end):
                run_of[order[i]] = -1
            done += needed
        elif end - begin == 1:
            counts[0, order[begin]] += 1
            run_of[order[begin]] = -1
            done += 1
        else:
            sizes[begin] = end - begin
    return True, done


@kernel
def divide_many(
    order: Any, starts: Any, stops: Any, chosen: Any, rows: Any, secrets: Any, winning: Any,
    feedbacks: Any, counts: Any, run_of: Any, wanted: Any, sizes: Any, named: Any, used: Any,
) -> Any:  # fmt: skip
    """Divide many positions by the answers to their guesses.

    `used[secret]` gains the symbols that the guess has `named`. Returns the place of a position
    whose guess told nothing, else -1; and how many wanted secrets are done.
    """
    table, first, second, step = rows
    done = 0
    for i in range(len(starts)):
        members = order[starts[i] : stops[i]]
        n = len(members)
        ours, others = _gathered(secrets[0], members), _gathered(secrets[1], members)
        answers = np.empty(n, table.dtype)
        _answer(answers, chosen[i], members, n, table, first, second, ours, others, step)
        for secret in members:
            used[secret] |= named[chosen[i]]
        told, more = divide(
            order, starts[i], stops[i], answers, winning, feedbacks, counts, run_of, wanted, sizes
        )
        if not told:
            return i, done
        done += more
    return -1, done
