"""Compiled Markov chains at several temperatures that search for codes that fit turns.

They work for rules that count symbols in place and in common. A chain exchanges two positions or
replaces one symbol; both moves are as likely as their opposites, so that in the long run all codes
of one cost are visited equally often (Metropolis et al., 1953). If few codes fit, a cold chain is
soon stuck and a warm one never arrives. So chains of neighbouring temperatures sometimes exchange
their codes, which preserves the distribution (parallel tempering; Swendsen and Wang, 1986; Geyer,
1991).

The limits of all turns are 16-bit numbers, side by side in memory, so that one machine instruction
handles several turns. The compiled code is kept in numba's cache.
"""

from math import exp
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.sampling.turn_arrays import Flags, Numbers, TurnArrays
from puzzlehunt.kernels.compiled.jit import inlined, inner, makes_no_array
from puzzlehunt.kernels.packed_codes import CodeArray

_TEMPERATURES = (0.35, 0.425, 0.5, 0.575, 0.65)
"""The temperature of each chain: a step that costs d more has the chance exp(-d / temperature)."""
_ROUND = 440
"""Steps of each chain in one round, after which fitting codes are kept and chains exchange."""
_LARGEST_RISE = 64
"""A step that raises the cost by this much or more is never taken."""
_ACCEPTANCES = np.array(
    [[int(exp(-rise / each) * 2**24) for rise in range(_LARGEST_RISE)] for each in _TEMPERATURES],
    dtype=np.uint64,
)
"""(chains, rises): the chance of a step that raises the cost by 0, 1, ... (in 2**-24)."""

_Shorts: TypeAlias = npt.NDArray[np.int16]
_Words: TypeAlias = npt.NDArray[np.uint64]


def run_chains(
    turns: TurnArrays, table: CodeArray, distinct: bool, rounds: int, generator: np.random.Generator
) -> tuple[CodeArray, Code]:
    """Run a chain at each temperature; return the codes found, (N, length), and the nearest code.

    The codes are within the bounds of all turns, and may repeat. None is kept in the first tenth of
    the rounds, since chains are then still near their first codes. The nearest code has the least
    cost found: how far its symbols in place and in common are outside of all turns' bounds.

    Each chain begins at a code whose symbol counts are a row of `table` (N, symbols). If it has but
    one row, symbols are only exchanged. `distinct` says whether no symbol repeats.
    """
    length, symbols = turns.guesses.shape[1], np.arange(table.shape[1])
    at = turns.guesses.T[:, None, :] == symbols[None, :, None]
    held = turns.times.T[:, None, :] >= np.arange(length + 2)[None, :, None]
    exchanges = np.uint64(256 if len(table) == 1 else 230)  # of 256 steps
    low, high = map(_padded, turns.bounds)
    difference = (low[2] > low[1] - high[0]) | (high[2] < high[1] - low[0])
    limits = _Limits(
        _padded(at), _padded(held), low, high, bool(difference.any()), distinct, exchanges
    )
    rows = table[generator.integers(len(table), size=len(_TEMPERATURES))]
    codes = np.array([generator.permutation(np.repeat(symbols, row)) for row in rows])
    replicas = _replicas(limits, codes, rounds)
    seed = generator.integers(0, 2**63, 1, dtype=np.uint64)
    written = _parallel_tempering(limits, replicas, rounds, rounds // 10, seed)
    return replicas.fitting[:written].astype(np.uint8), tuple(replicas.nearest.tolist())


class _Limits(NamedTuple):
    """What the chains search for, and how: arrays in the layout of the compiled code.

    - `at` (length, symbols, turns) is 1 where a guess has a symbol at a position, `held` (symbols,
      length + 2, turns) where a guess holds a symbol that many times or more
    - `low` and `high` (3, turns) bound how many symbols are in place, how many in common, and the
      second less the first; `difference`: whether some of the last do not follow from the others
    - `distinct`: whether no symbol repeats
    - `exchanges`: the share of steps that exchange two positions (in 256ths)
    """

    at: _Shorts
    held: _Shorts
    low: _Shorts
    high: _Shorts
    difference: bool
    distinct: bool
    exchanges: np.uint64


class _Replicas(NamedTuple):
    """The state of several chains, and the codes that they have found.

    - `codes` (chains, length): the current code of each chain
    - `counts` (chains, symbols): how often it holds each symbol
    - `in_place` and `common` (chains, turns): how many symbols of each turn's guess it has in place
      and in common
    - `costs` (chains,): its cost
    - `order` (chains,): the index of the chain at each temperature
    - `fitting` (chains times rounds, length): codes found that fit
    - `nearest` (length,): the code of least cost
    """

    codes: Numbers
    counts: Numbers
    in_place: _Shorts
    common: _Shorts
    costs: Numbers
    order: Numbers
    fitting: Numbers
    nearest: Numbers


def _replicas(limits: _Limits, codes: Numbers, rounds: int) -> _Replicas:
    """Return chains that begin at `codes` (chains, length), with room for what all rounds find."""
    chains, length = codes.shape
    counts = (codes[:, :, None] == np.arange(len(limits.held))).sum(axis=1)
    in_place = limits.at[np.arange(length), codes].sum(axis=1, dtype=np.int16)
    times = limits.held[:, 1:].sum(axis=1, dtype=np.int16)
    common = np.minimum(counts[:, :, None], times).sum(axis=1, dtype=np.int16)
    kinds = np.stack((in_place, common, common - in_place), axis=1)
    outside = np.maximum(limits.low - kinds, 0) + np.maximum(kinds - limits.high, 0)
    costs = outside.sum(axis=(1, 2), dtype=np.int64)
    fitting, nearest = np.empty((chains * rounds, length), np.int64), codes[costs.argmin()].copy()
    order = np.arange(chains)
    return _Replicas(codes, counts, in_place, common, costs, order, fitting, nearest)


def _padded(numbers: _Shorts | Flags) -> _Shorts:
    """Return an array (..., turns) as 16-bit numbers, padded with zeros to a multiple of 8 turns.

    One machine instruction handles 8 turns at once. The added turns exclude no code.
    """
    missing = -numbers.shape[-1] % 8
    widths = [(0, 0)] * (numbers.ndim - 1) + [(0, missing)]
    return np.ascontiguousarray(np.pad(numbers, widths), dtype=np.int16)


@inner
def _next_number(state: _Words) -> np.uint64:
    """Return a random number of 64 bits, and advance `state` (1,), one word of 64 bits.

    The method is Splitmix64 (Steele, Lea and Flood, 2014).
    """
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = np.uint64(state[0])
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@inner
def _excess(number: int, low: int, high: int) -> np.int32:
    """Return how far a number is below `low` or above `high`; 0 within these bounds."""
    below = np.int32(max(np.int16(low - number), np.int16(0)))
    return below + np.int32(max(np.int16(number - high), np.int16(0)))


@inner
def _below(number: np.uint64, limit: int) -> np.int64:
    """Return a number below a limit, given the lowest 16 bits of a random one."""
    return np.int64(((number & np.uint64(0xFFFF)) * np.uint64(limit)) >> np.uint64(16))


@inner
def _copy_code(code: Numbers, to: Numbers) -> None:
    for p in range(len(code)):
        to[p] = code[p]


@inner
def _replica_exchange(replicas: _Replicas, first: int, state: _Words) -> None:
    """Let pairs of neighbouring chains exchange temperatures, with Metropolis' probability.

    The pairs are 0 and 1, 2 and 3, ... if `first` is 0, and 1 and 2, 3 and 4, ... if it is 1.
    """
    order, costs = replicas.order, replicas.costs
    for n in range(first, len(order) - 1, 2):
        cold, warm = order[n], order[n + 1]
        gain = (costs[cold] - costs[warm]) * (1.0 / _TEMPERATURES[n] - 1.0 / _TEMPERATURES[n + 1])
        if gain >= 0 or np.float64(_next_number(state) >> np.uint64(11)) < np.exp(gain) * 2.0**53:
            order[n], order[n + 1] = warm, cold


@inlined
def _cost_after_exchange(
    limits: _Limits, in_place: _Shorts, common: _Shorts, here: int, there: int, old: int, new: int
) -> np.int32:
    """Return a code's cost once `here` has the symbol `new` and `there` the symbol `old`."""
    at, low, high, cost = limits.at, limits.low, limits.high, np.int32(0)
    for t in range(len(in_place)):
        moved = at[here, new, t] - at[here, old, t] + at[there, old, t] - at[there, new, t]
        hits = np.int16(in_place[t] + moved)
        cost += _excess(hits, low[0, t], high[0, t]) + _excess(common[t], low[1, t], high[1, t])
        if limits.difference:
            cost += _excess(np.int16(common[t] - hits), low[2, t], high[2, t])
    return cost


@inlined
def _cost_after_replacement(
    limits: _Limits, in_place: _Shorts, common: _Shorts, here: int, old: int, new: int,
    counts: Numbers,
) -> np.int32:  # fmt: skip
    """Return a code's cost once the symbol `old` at the position `here` is `new` instead."""
    at, held, low, high, cost = limits.at, limits.held, limits.low, limits.high, np.int32(0)
    times_new, times_old = counts[new] + 1, counts[old]
    for t in range(len(in_place)):
        hits = np.int16(in_place[t] + at[here, new, t] - at[here, old, t])
        shared = np.int16(common[t] + held[new, times_new, t] - held[old, times_old, t])
        cost += _excess(hits, low[0, t], high[0, t]) + _excess(shared, low[1, t], high[1, t])
        if limits.difference:
            cost += _excess(np.int16(shared - hits), low[2, t], high[2, t])
    return cost


@inlined
def _metropolis_sweep(
    limits: _Limits, replicas: _Replicas, n: int, state: _Words, least_cost: np.int64
) -> np.int64:
    """Make one round of the chain at the n-th temperature; return the least cost so far.

    A step gives the position `here` a new symbol, in an exchange that of another one, `there`.
    """
    k = replicas.order[n]
    code, counts, cost = replicas.codes[k], replicas.counts[k], np.int32(replicas.costs[k])
    in_place, common = replicas.in_place[k], replicas.common[k]
    at, held = limits.at, limits.held
    turns, length, symbols = len(in_place), len(code), at.shape[1]
    for _ in range(_ROUND):
        # Bits 0-15 choose a position, 16-31 the other one or a symbol, 32-39 the kind of step, and
        # 40-63 whether it is taken.
        number = _next_number(state)
        here = there = _below(number, length)
        if ((number >> np.uint64(32)) & np.uint64(0xFF)) < limits.exchanges:
            there = _below(number >> np.uint64(16), length)
            new = code[there]
        else:
            new = _below(number >> np.uint64(16), symbols)
            if limits.distinct and counts[new]:
                for place in range(length):
                    if code[place] == new:
                        there = place
        old = code[here]
        if new == old:
            continue
        if there != here:
            new_cost = _cost_after_exchange(limits, in_place, common, here, there, old, new)
        else:
            new_cost = _cost_after_replacement(limits, in_place, common, here, old, new, counts)
        rise = new_cost - cost
        if rise > 0 and (
            rise >= _LARGEST_RISE or (number >> np.uint64(40)) >= _ACCEPTANCES[n, rise]
        ):
            continue
        cost = new_cost
        for t in range(turns):
            in_place[t] += at[here, new, t] - at[here, old, t]
        code[here] = new
        if there != here:
            for t in range(turns):
                in_place[t] += at[there, old, t] - at[there, new, t]
            code[there] = old
        else:
            counts[new] += 1
            for t in range(turns):
                common[t] += held[new, counts[new], t] - held[old, counts[old], t]
            counts[old] -= 1
        if cost < least_cost:
            least_cost = np.int64(cost)
            _copy_code(code, replicas.nearest)
    replicas.costs[k] = cost
    return least_cost


@makes_no_array
def _parallel_tempering(
    limits: _Limits, replicas: _Replicas, rounds: int, skipped_rounds: int, state: _Words
) -> np.int64:
    """Run all chains; return how many fitting codes they found."""
    costs, written = replicas.costs, np.int64(0)
    least_cost = costs[0]
    for cost in costs:
        least_cost = min(least_cost, cost)
    for number in range(rounds):
        for n in range(len(costs)):
            least_cost = _metropolis_sweep(limits, replicas, n, state, least_cost)
            k = replicas.order[n]
            if number >= skipped_rounds and costs[k] == 0:
                _copy_code(replicas.codes[k], replicas.fitting[written])
                written += 1
        _replica_exchange(replicas, number % 2, state)
    return written
