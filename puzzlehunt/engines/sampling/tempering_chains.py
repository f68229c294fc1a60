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

from dataclasses import dataclass
from math import exp
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.sampling.turn_arrays import FREE, Numbers, TurnArrays
from puzzlehunt.game.game import Game
from puzzlehunt.kernels.compiled.jit import inlined, inner, makes_no_array
from puzzlehunt.kernels.compiled.splitmix64 import Words, next_number
from puzzlehunt.kernels.packed_codes import CodeArray

_TEMPERATURES = (0.35, 0.425, 0.5, 0.575, 0.65)
"""The temperature of each chain: a step that costs d more has the chance exp(-d / temperature)."""
_ROUND = 440
"""Steps of each chain in one round, after which fitting codes are kept and chains exchange."""
_FEW_COUNTS = 8
"""Up to this many symbol counts, most steps exchange positions: `_EXCHANGES_OF_FEW`."""
_EXCHANGES_OF_FEW, _EXCHANGES = 0.9, 0.5
"""Share (0 to 1) of steps that exchange positions, with few symbol counts and with many."""
_LARGEST_RISE = 64
"""A step that raises the cost by this much or more is never taken."""
_ACCEPTANCES = np.array(
    [[int(exp(-rise / each) * 2**24) for rise in range(_LARGEST_RISE)] for each in _TEMPERATURES],
    dtype=np.uint64,
)
"""(chains, rises): the chance of a step that raises the cost by 0, 1, ... (in 2**-24)."""
_TURNS_AT_ONCE = 8
"""How many turns a machine instruction handles."""

_Shorts: TypeAlias = npt.NDArray[np.int16]
_Reals: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Run:
    """The result of a run of chains.

    - `codes` (N, length): codes found that are within the bounds of all turns, maybe repeatedly
    - `nearest`: the code of the least cost found
    - `cost`: its cost: how far its counts of symbols in place and in common are outside of the
      turns' bounds, summed over all turns; 0 if it is within all bounds
    """

    codes: CodeArray
    nearest: Code
    cost: int


class Chains:
    """Chains that search for codes that fit turns, one chain at each temperature.

    Each chain begins at a code whose symbol counts are a row of `table` (N, symbols). `known`
    (length,) has the fixed symbol of each position, `FREE` for none.
    """

    def __init__(
        self, game: Game, turns: TurnArrays, table: CodeArray, known: Numbers | None = None
    ) -> None:
        symbols = np.arange(len(game.secrets.alphabet))
        self._table = table
        self._known = np.full(game.length, FREE) if known is None else known
        few = _EXCHANGES_OF_FEW if len(table) <= _FEW_COUNTS else _EXCHANGES
        exchanges = 1.0 if len(table) == 1 else few
        at = turns.guesses.T[:, None, :] == symbols[None, :, None]
        held = turns.times.T[:, None, :] >= np.arange(game.length + 2)[None, :, None]
        low, high = map(_padded, turns.bounds)
        difference = (low[2] > low[1] - high[0]) | (high[2] < high[1] - low[0])
        self._limits = _Limits(
            at=_padded(at),
            held=_padded(held),
            low=low,
            high=high,
            difference=bool(difference.any()),
            distinct=game.secrets.distinct,
            free=np.flatnonzero(self._known == FREE),
            exchanges=np.uint64(exchanges * 256),
        )

    def run(
        self, most: int, rounds: int, skipped_rounds: int, generator: np.random.Generator
    ) -> Run:
        """Run the chains for some rounds; return up to `most` fitting codes, and the nearest code.

        No code is kept in the first `skipped_rounds`, since chains are then still near their first
        codes. The codes may repeat.
        """
        replicas = self._replicas(np.array([self._start(generator) for _ in _TEMPERATURES]), most)
        if not len(self._limits.free):
            rounds = 1
        seed = generator.integers(0, 2**63, 1, dtype=np.uint64)
        skipped = min(skipped_rounds, rounds - 1)
        written, cost = _parallel_tempering(self._limits, replicas, rounds, skipped, seed)
        met, nearest = replicas.fitting[:written].astype(np.uint8), replicas.nearest
        return Run(met, tuple(nearest.tolist()), int(cost))

    def _replicas(self, codes: Numbers, most: int) -> "_Replicas":
        """Return chains that begin at `codes` (chains, length) and keep up to `most` codes."""
        limits, (chains, length) = self._limits, codes.shape
        counts = (codes[:, :, None] == np.arange(len(limits.held))).sum(axis=1)
        in_place = limits.at[np.arange(length), codes].sum(axis=1, dtype=np.int16)
        times = limits.held[:, 1:].sum(axis=1, dtype=np.int16)
        common = np.minimum(counts[:, :, None], times).sum(axis=1, dtype=np.int16)
        kinds = np.stack((in_place, common, common - in_place), axis=1)
        outside = np.maximum(limits.low - kinds, 0) + np.maximum(kinds - limits.high, 0)
        costs = outside.sum(axis=(1, 2), dtype=np.int64)
        return _Replicas(
            codes=codes,
            counts=counts,
            in_place=in_place,
            common=common,
            costs=costs,
            order=np.arange(chains),
            temperatures=np.array(_TEMPERATURES),
            acceptances=_ACCEPTANCES,
            fitting=np.empty((most, length), dtype=np.int64),
            nearest=codes[costs.argmin()].copy(),
        )

    def _start(self, generator: np.random.Generator) -> Numbers:
        """Return a random code with the known symbols; if possible, its counts are in the table."""
        code, free, symbols = self._known.copy(), self._limits.free, self._table.shape[1]
        held = np.bincount(code[code != FREE], minlength=symbols)
        missing = self._table[generator.integers(len(self._table))] - held
        rest = np.repeat(np.arange(symbols), np.maximum(missing, 0))
        rest = generator.permutation(rest)[: len(free)]
        more = generator.integers(0, symbols, len(free) - len(rest))
        code[free] = generator.permutation(np.concatenate((rest, more)))
        return code


class _Limits(NamedTuple):
    """What the chains search for, and how: arrays in the layout of the compiled code.

    - `at` (length, symbols, turns) is 1 where a guess has a symbol at a position, `held` (symbols,
      length + 2, turns) where a guess holds a symbol that many times or more
    - `low` and `high` (3, turns) bound how many symbols are in place, how many in common, and the
      second less the first; `difference`: whether some of the last do not follow from the others
    - `distinct`: whether no symbol repeats
    - `free`: the positions that may change; `exchanges`: the share of steps that exchange two (in
      256ths)
    """

    at: _Shorts
    held: _Shorts
    low: _Shorts
    high: _Shorts
    difference: bool
    distinct: bool
    free: Numbers
    exchanges: np.uint64


class _Replicas(NamedTuple):
    """The state of several chains, and the codes that they have found.

    - `codes` (chains, length): the current code of each chain
    - `counts` (chains, symbols): how often it holds each symbol
    - `in_place` and `common` (chains, turns): how many symbols of each turn's guess it has in place
      and in common
    - `costs` (chains,): its cost
    - `order` (chains,): the index of the chain at each temperature
    - `temperatures` (chains,), ascending
    - `acceptances` (chains, rises): `_ACCEPTANCES`
    - `fitting` (most, length): codes found that fit
    - `nearest` (length,): the code of least cost
    """

    codes: Numbers
    counts: Numbers
    in_place: _Shorts
    common: _Shorts
    costs: Numbers
    order: Numbers
    temperatures: _Reals
    acceptances: Words
    fitting: Numbers
    nearest: Numbers


def _padded(numbers: npt.NDArray[Any]) -> _Shorts:
    """Return an array (..., turns) as 16-bit numbers, padded with zeros to a multiple of 8 turns.

    One machine instruction handles 8 turns at once. The added turns exclude no code.
    """
    missing = -numbers.shape[-1] % _TURNS_AT_ONCE
    widths = [(0, 0)] * (numbers.ndim - 1) + [(0, missing)]
    return np.ascontiguousarray(np.pad(numbers, widths), dtype=np.int16)


@inner
def _excess(number: int, low: int, high: int) -> Any:
    """Return how far a number is below `low` or above `high`; 0 within these bounds."""
    below = np.int32(max(np.int16(low - number), np.int16(0)))
    return below + np.int32(max(np.int16(number - high), np.int16(0)))


@inner
def _by_exchange(at: _Shorts, here: int, there: int, old: int, new: int, turn: int) -> Any:
    """Return the change in a turn's symbols in place if two positions exchange theirs.

    `at` (length, symbols, turns) is 1 if a guess has a symbol at a position; `old` is the symbol
    at position `here` before the exchange, `new` the one at `there`. The function indexes single
    elements of `at`, since rows would be counted references.
    """
    gained = at[here, new, turn] + at[there, old, turn]
    return gained - at[here, old, turn] - at[there, new, turn]


@inner
def _copy_code(code: Numbers, to: Numbers) -> None:
    """Write a code into an array."""
    for p in range(len(code)):
        to[p] = code[p]


@inner
def _reservoir_insert(replicas: _Replicas, chain: int, written: int, state: Words) -> None:
    """Store the code of a chain; the code fits, as `written` codes before it did.

    If more codes fit than there is room for, the kept ones are a uniform sample (reservoir
    sampling; Vitter, 1985).
    """
    fitting = replicas.fitting
    place: Any = written
    if written >= len(fitting):
        place = np.int64(next_number(state) % np.uint64(written + 1))
    if place < len(fitting):
        _copy_code(replicas.codes[chain], fitting[place])


@inner
def _replica_exchange(replicas: _Replicas, first: int, state: Words) -> None:
    """Let pairs of neighbouring chains exchange temperatures, with Metropolis' probability.

    The pairs are 0 and 1, 2 and 3, ... if `first` is 0, and 1 and 2, 3 and 4, ... if it is 1.
    """
    order, costs, temperatures = replicas.order, replicas.costs, replicas.temperatures
    for n in range(first, len(order) - 1, 2):
        cold, warm = order[n], order[n + 1]
        gain = (costs[cold] - costs[warm]) * (1.0 / temperatures[n] - 1.0 / temperatures[n + 1])
        if gain >= 0 or np.float64(next_number(state) >> np.uint64(11)) < np.exp(gain) * 2.0**53:
            order[n], order[n + 1] = warm, cold


@inlined
def _metropolis_sweep(
    limits: _Limits, replicas: _Replicas, n: int, state: Words, least_cost: np.int64
) -> Any:
    """Make one round of the chain at the n-th temperature; return the least cost so far.

    A step whose cost rises by n is taken with the chance `acceptances[n]` (in 2**-24).
    """
    k, acceptances = replicas.order[n], replicas.acceptances[n]
    code, in_place, cost = replicas.codes[k], replicas.in_place[k], np.int32(replicas.costs[k])
    counts, common, free = replicas.counts[k], replicas.common[k], limits.free
    at, held, low, high = limits.at, limits.held, limits.low, limits.high
    turns, places, symbols = len(in_place), len(free), at.shape[1]
    kept_common_cost = np.int32(0)
    for t in range(turns):
        kept_common_cost += _excess(common[t], low[1, t], high[1, t])
    for _ in range(_ROUND):
        # Bits 0-15 choose a position, 16-31 the other one or a symbol, 32-39 the kind of step, and
        # 40-63 whether it is taken.
        number = next_number(state)
        here = free[np.int64(((number & np.uint64(0xFFFF)) * np.uint64(places)) >> np.uint64(16))]
        other = (number >> np.uint64(16)) & np.uint64(0xFFFF)
        acceptance_draw = number >> np.uint64(40)
        old = code[here]
        there = here
        if ((number >> np.uint64(32)) & np.uint64(0xFF)) < limits.exchanges:
            there = free[np.int64((other * np.uint64(places)) >> np.uint64(16))]
            new = code[there]
        else:
            new = np.int64((other * np.uint64(symbols)) >> np.uint64(16))
            if limits.distinct and counts[new]:
                for place in free:
                    if code[place] == new:
                        there = place
                if there == here:
                    continue
        if new == old:
            continue
        new_cost = common_cost = np.int32(0)
        if there != here:
            for t in range(turns):
                moved_place = np.int16(in_place[t] + _by_exchange(at, here, there, old, new, t))
                new_cost += _excess(moved_place, low[0, t], high[0, t])
            if limits.difference:
                for t in range(turns):
                    moved_place = np.int16(in_place[t] + _by_exchange(at, here, there, old, new, t))
                    new_cost += _excess(common[t], low[1, t], high[1, t])
                    new_cost += _excess(np.int16(common[t] - moved_place), low[2, t], high[2, t])
            else:
                new_cost += kept_common_cost
        else:
            times_new, times_old = counts[new] + 1, counts[old]
            for t in range(turns):
                moved_place = np.int16(in_place[t] + at[here, new, t] - at[here, old, t])
                moved_common = np.int16(
                    common[t] + held[new, times_new, t] - held[old, times_old, t]
                )
                new_cost += _excess(moved_place, low[0, t], high[0, t])
                common_cost += _excess(moved_common, low[1, t], high[1, t])
            new_cost += common_cost
            if limits.difference:
                for t in range(turns):
                    moved_place = np.int16(in_place[t] + at[here, new, t] - at[here, old, t])
                    moved_common = np.int16(
                        common[t] + held[new, times_new, t] - held[old, times_old, t]
                    )
                    new_cost += _excess(np.int16(moved_common - moved_place), low[2, t], high[2, t])
        rise = new_cost - cost
        if rise > 0 and (rise >= len(acceptances) or acceptance_draw >= acceptances[rise]):
            continue
        cost = new_cost
        code[here] = new
        if there != here:
            code[there] = old
            for t in range(turns):
                in_place[t] += _by_exchange(at, here, there, old, new, t)
        else:
            for t in range(turns):
                in_place[t] += at[here, new, t] - at[here, old, t]
                common[t] += held[new, times_new, t] - held[old, times_old, t]
            counts[old] -= 1
            counts[new] += 1
            kept_common_cost = common_cost
        if cost < least_cost:
            least_cost = np.int64(cost)
            _copy_code(code, replicas.nearest)
    replicas.costs[k] = cost
    return least_cost


@makes_no_array
def _parallel_tempering(
    limits: _Limits, replicas: _Replicas, rounds: int, skipped_rounds: int, state: Words
) -> Any:
    """Run all chains; return how many fitting codes `replicas` keeps, and the least cost."""
    costs, written = replicas.costs, np.int64(0)
    least_cost = costs[0]
    for cost in costs:
        least_cost = min(least_cost, cost)
    for round_ in range(rounds):
        for n in range(len(costs)):
            least_cost = _metropolis_sweep(limits, replicas, n, state, least_cost)
            k = replicas.order[n]
            if round_ >= skipped_rounds and costs[k] == 0:
                _reservoir_insert(replicas, k, written, state)
                written += 1
        _replica_exchange(replicas, round_ % 2, state)
    return min(written, len(replicas.fitting)), least_cost
