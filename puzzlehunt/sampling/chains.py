"""Compiled Metropolis chains over codes, for rules whose answer is two counts of common symbols.

Chains exchange two positions or replace one symbol; both moves are as likely as their opposites, so
that in the long run all codes of one cost are visited equally often (Metropolis et al., 1953). The
machine code is kept in numba's cache.
"""

from typing import Any

import numba
import numpy as np


@numba.njit(cache=True, nogil=True, inline="always")  # type: ignore[untyped-decorator, unused-ignore]
def _next(state: Any) -> Any:
    """Return the next number of 64 bits of a generator with one word of state (splitmix64)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@numba.njit(cache=True, nogil=True, inline="always")  # type: ignore[untyped-decorator, unused-ignore]
def _below(state: Any, most: int) -> Any:
    """Return a number from 0 to most - 1."""
    return np.int64((_next(state) >> np.uint64(32)) * np.uint64(most) >> np.uint64(32))


@numba.njit(cache=True, nogil=True, inline="always")  # type: ignore[untyped-decorator, unused-ignore]
def _unit(state: Any) -> Any:
    """Return a number from 0 to 1."""
    return np.float64(_next(state) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator, unused-ignore]
def walk(
    code: Any, guesses: Any, often: Any, penalty: Any, distinct: Any, swaps: float, warmth: float,
    steps: int, before: int, apart: int, state: Any, found: Any,
) -> Any:  # fmt: skip
    """Move a code on by so many steps; write codes of cost 0 to `found`, return how many.

    Where more are met, those that are kept are drawn (reservoir sampling; Vitter, 1985): to end
    with the first that is met would favour codes that are reached easily.

    `code` (length,) and `state` (1,) are changed in place. Of `guesses` (turns, length) `often`
    (turns, symbols) says how often each symbol occurs; `penalty` (turns, first + 1, both + 1) is
    what an answer costs. A share of `swaps` of all steps exchange positions. The code is looked at
    every `apart` steps, but not `before` some were made.
    """
    turns, length = guesses.shape
    symbols = often.shape[1]
    counts = np.zeros(symbols, dtype=np.int64)
    for p in range(length):
        counts[code[p]] += 1
    first = np.zeros(turns, dtype=np.int64)
    both = np.zeros(turns, dtype=np.int64)
    cost = 0.0
    for t in range(turns):
        for p in range(length):
            if guesses[t, p] == code[p]:
                first[t] += 1
        for s in range(symbols):
            both[t] += min(counts[s], often[t, s])
        cost += penalty[t, first[t], both[t]]
    moved = np.zeros(turns, dtype=np.int64)
    total = np.zeros(turns, dtype=np.int64)
    written = 0
    for step in range(steps):
        if step >= before and step % apart == 0 and cost == 0.0:
            place = written
            if written >= len(found):
                place = _below(state, written + 1)
            if place < len(found):
                found[place] = code
            written += 1
        here = _below(state, length)
        there = here
        old = code[here]
        if _unit(state) < swaps:
            there = _below(state, length)
            new = code[there]
        else:
            new = _below(state, symbols)
            if distinct and counts[new]:
                for p in range(length):
                    if code[p] == new:
                        there = p
        if new == old:
            continue
        changed = 0.0
        swap = there != here
        for t in range(turns):
            row = guesses[t]
            black = first[t] - (row[here] == old) + (row[here] == new)
            if swap:
                black += (row[there] == old) - (np.int64(row[there] == new))
                total[t] = both[t]
            else:
                total[t] = both[t] - (counts[old] <= often[t, old]) + (counts[new] < often[t, new])
            moved[t] = black
            changed += penalty[t, black, total[t]]
        if changed <= cost or _unit(state) < np.exp((cost - changed) / warmth):
            cost = changed
            for t in range(turns):
                first[t] = moved[t]
                both[t] = total[t]
            code[here] = new
            if swap:
                code[there] = old
            else:
                counts[old] -= 1
                counts[new] += 1
    return min(written, len(found))
