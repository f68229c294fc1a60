"""Compiled chains over codes at several temperatures, for rules that count symbols in common.

A chain exchanges two positions or replaces one symbol; both moves are as likely as their opposites,
so that in the long run all codes of one cost are visited equally often (Metropolis et al., 1953).
Where few codes fit, a cold chain is soon stuck and a warm one never arrives; so chains of
neighbouring temperatures exchange their codes now and then, which keeps that law (parallel
tempering; Swendsen and Wang, 1986; Geyer, 1991). What rows say is held as numbers of 16 bits, a row
beside the next, so that one instruction of the machine looks at many. The machine code is kept in
numba's cache.
"""

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from puzzlehunt.engines.sampling.answers import Answers
from puzzlehunt.kernels.compiled.splitmix64 import next_number

WARMTHS = tuple(0.4 + 0.1 * n for n in range(11))
"""Measured on codes of 24 to 100 positions: the coldest hold what fits, the warmest forget it."""
SWEEP = 200
"""So many steps lie between two exchanges of temperatures, and two looks."""
_STEPS_APART = 64

Shorts = npt.NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class Limits:
    """Between which numbers the answers to guesses are, as arrays.

    `at` (length, symbols, turns) is 1 where a guess has a symbol at a position, `held` (symbols,
    length + 2, turns) where it holds a symbol so many times or more. `low` and `high` (3, turns)
    bound how many symbols stand in place, how many are in common, and the difference.
    """

    at: Shorts
    held: Shorts
    low: Shorts
    high: Shorts

    @property
    def rest(self) -> bool:
        """Whether the differences say more than the two numbers."""
        return bool(
            (self.low[2] > self.low[1] - self.high[0]).any()
            or (self.high[2] < self.high[1] - self.low[0]).any()
        )

    @classmethod
    def of(cls, said: Answers) -> "Limits":
        """Return what some turns say; answers that are no box are taken as the one around them."""
        length, symbols = said.guesses.shape[1], said.often.shape[1]
        at = said.guesses.T[:, None, :] == np.arange(symbols)[None, :, None]
        held = said.often.T[:, None, :] >= np.arange(length + 2)[None, :, None]
        return cls(
            np.ascontiguousarray(at, dtype=np.int16),
            np.ascontiguousarray(held, dtype=np.int16),
            *said.bounds,
        )


def temper(
    codes: npt.NDArray[np.int64], free: npt.NDArray[np.int64], limits: Limits, distinct: bool,
    swaps: float, rounds: int, before: int, seed: npt.NDArray[np.uint64], most: int,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], int]:  # fmt: skip
    """Return codes that fit, up to `most`, the best code met, and how far that is from fitting.

    `codes` (chains, length), one for each warmth, are moved on for so many rounds, and looked at
    after each but the first `before`; where more fit, those that are kept are drawn (reservoir
    sampling; Vitter, 1985). Only positions that are `free` change. A share of `swaps` of all
    steps exchange positions.
    """
    found = np.empty((most, codes.shape[1]), dtype=np.int64)
    best = np.empty(codes.shape[1], dtype=np.int64)
    written, cost = _temper(
        codes, free, limits.at, limits.held, limits.low, limits.high, distinct, limits.rest, swaps,
        np.array(WARMTHS[: len(codes)]), rounds, before, seed, found, best,
    )  # fmt: skip
    return found[:written], best, int(cost)


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator, unused-ignore]
def _over(number: Any, low: Any, high: Any) -> Any:
    """Return how far a number is outside of two bounds."""
    below = np.int32(max(np.int16(low - number), np.int16(0)))
    return below + np.int32(max(np.int16(number - high), np.int16(0)))


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator, unused-ignore]
def _copy(code: Any, to: Any) -> None:
    for p in range(len(code)):
        to[p] = code[p]


@numba.njit(cache=True, nogil=True, error_model="numpy")  # type: ignore[untyped-decorator, unused-ignore]
def _sweep(
    code: Any, counts: Any, free: Any, at: Any, held: Any, low: Any, high: Any, first: Any,
    both: Any, cost: Any, distinct: Any, rest: Any, swaps: Any, chances: Any, steps: int,
    state: Any, best: Any, least: Any,
) -> Any:  # fmt: skip
    """Move one code on by so many steps; return its cost, and the least cost met so far."""
    turns, places, symbols = len(first), len(free), at.shape[1]
    beside = np.int32(0)
    for t in range(turns):
        beside += _over(both[t], low[1, t], high[1, t])
    low_first, low_both, low_rest = low[0], low[1], low[2]
    high_first, high_both, high_rest = high[0], high[1], high[2]
    for _ in range(steps):
        z = next_number(state)
        here = free[np.int64(((z & np.uint64(0xFFFF)) * np.uint64(places)) >> np.uint64(16))]
        other = (z >> np.uint64(16)) & np.uint64(0xFFFF)
        chance = z >> np.uint64(40)
        old = code[here]
        there = here
        if ((z >> np.uint64(32)) & np.uint64(0xFF)) < swaps:
            there = free[np.int64((other * np.uint64(places)) >> np.uint64(16))]
            new = code[there]
        else:
            new = np.int64((other * np.uint64(symbols)) >> np.uint64(16))
            if distinct and counts[new]:
                for place in free:
                    if code[place] == new:
                        there = place
                if there == here:
                    continue
        if new == old:
            continue
        come, gone = at[here, new], at[here, old]
        changed = common = np.int32(0)
        if there != here:
            come_too, gone_too = at[there, old], at[there, new]
            for t in range(turns):
                x = np.int16(first[t] + come[t] + come_too[t] - gone[t] - gone_too[t])
                changed += _over(x, low_first[t], high_first[t])
            if rest:
                for t in range(turns):
                    x = np.int16(first[t] + come[t] + come_too[t] - gone[t] - gone_too[t])
                    changed += _over(both[t], low_both[t], high_both[t])
                    changed += _over(np.int16(both[t] - x), low_rest[t], high_rest[t])
            else:
                changed += beside
        else:
            more, fewer = held[new, counts[new] + 1], held[old, counts[old]]
            for t in range(turns):
                x = np.int16(first[t] + come[t] - gone[t])
                y = np.int16(both[t] + more[t] - fewer[t])
                changed += _over(x, low_first[t], high_first[t])
                common += _over(y, low_both[t], high_both[t])
            changed += common
            if rest:
                for t in range(turns):
                    x = np.int16(first[t] + come[t] - gone[t])
                    y = np.int16(both[t] + more[t] - fewer[t])
                    changed += _over(np.int16(y - x), low_rest[t], high_rest[t])
        dearer = changed - cost
        if dearer > 0 and (dearer >= len(chances) or chance >= chances[dearer]):
            continue
        cost = changed
        code[here] = new
        if there != here:
            code[there] = old
            for t in range(turns):
                first[t] += come[t] + come_too[t] - gone[t] - gone_too[t]
        else:
            for t in range(turns):
                first[t] += come[t] - gone[t]
                both[t] += more[t] - fewer[t]
            counts[old] -= 1
            counts[new] += 1
            beside = common
        if cost < least:
            least = cost
            _copy(code, best)
    return cost, least


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator, unused-ignore]
def _temper(
    codes: Any, free: Any, at: Any, held: Any, low: Any, high: Any, distinct: Any, rest: Any,
    swaps: float, warmths: Any, rounds: int, before: int, state: Any, found: Any, best: Any,
) -> Any:  # fmt: skip
    chains, length = codes.shape
    turns, symbols = at.shape[2], at.shape[1]
    counts = np.zeros((chains, symbols), dtype=np.int64)
    first = np.zeros((chains, turns), dtype=np.int16)
    both = np.zeros((chains, turns), dtype=np.int16)
    costs = np.zeros(chains, dtype=np.int64)
    chances = np.zeros((chains, _STEPS_APART), dtype=np.uint64)
    least = np.int64(1 << 40)  # for a literal `_sweep` would be compiled once more
    for n in range(chains):
        for apart in range(_STEPS_APART):
            chances[n, apart] = np.uint64(np.exp(-apart / warmths[n]) * (1 << 24))
        for p in range(length):
            counts[n, codes[n, p]] += 1
            for t in range(turns):
                first[n, t] += at[p, codes[n, p], t]
        for s in range(symbols):
            for times in range(1, counts[n, s] + 1):
                for t in range(turns):
                    both[n, t] += held[s, times, t]
        for t in range(turns):
            costs[n] += _over(first[n, t], low[0, t], high[0, t])
            costs[n] += _over(both[n, t], low[1, t], high[1, t])
            costs[n] += _over(np.int16(both[n, t] - first[n, t]), low[2, t], high[2, t])
        if costs[n] < least:
            least = costs[n]
            _copy(codes[n], best)
    share = np.uint64(swaps * 256.0)
    order = np.arange(chains)
    written = 0
    for turn in range(rounds):
        for n in range(chains):
            k = order[n]
            costs[k], least = _sweep(
                codes[k], counts[k], free, at, held, low, high, first[k], both[k], costs[k],
                distinct, rest, share, chances[n], SWEEP, state, best, least,
            )  # fmt: skip
            if turn >= before and costs[k] == 0:
                place: Any = written
                if written >= len(found):
                    place = np.int64(next_number(state) % np.uint64(written + 1))
                if place < len(found):
                    _copy(codes[k], found[place])
                written += 1
        for n in range(turn % 2, chains - 1, 2):
            one, two = order[n], order[n + 1]
            gain = (costs[one] - costs[two]) * (1.0 / warmths[n] - 1.0 / warmths[n + 1])
            if (
                gain >= 0
                or np.float64(next_number(state) >> np.uint64(11)) < np.exp(gain) * 2.0**53
            ):
                order[n], order[n + 1] = two, one
    return min(written, len(found)), least
