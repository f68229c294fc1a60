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
from functools import cache
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
"""The temperature of each chain: a step that costs d more has the chance exp(-d / temperature).

On 24x8, eleven temperatures from 0.4 to 1.4 found less than half as many codes in the same time.
"""
_ROUND = 440
"""Steps of each chain in one round, after which fitting codes are kept and chains exchange."""
_FEW_COUNTS = 8
"""Up to this many symbol counts, most steps exchange positions: `_EXCHANGES_OF_FEW`."""
_EXCHANGES_OF_FEW, _EXCHANGES = 0.9, 0.5
"""Share (0 to 1) of steps that exchange positions, with few symbol counts and with many."""
_LARGEST_RISE = 64
"""A step that raises the cost by this much or more is never taken."""
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
        self._symbols = len(game.secrets.alphabet)
        self._table = table
        self._limits = _Limits.of(turns, game.secrets.distinct)
        self._known = np.full(game.length, FREE) if known is None else known
        self._free = np.flatnonzero(self._known == FREE)
        few = _EXCHANGES_OF_FEW if len(table) <= _FEW_COUNTS else _EXCHANGES
        self._exchanges = 1.0 if len(table) == 1 else few

    def run(
        self, most: int, rounds: int, skipped_rounds: int, generator: np.random.Generator
    ) -> Run:
        """Run the chains for some rounds; return up to `most` fitting codes, and the nearest code.

        No code is kept in the first `skipped_rounds`, since chains are then still near their first
        codes. The codes may repeat.
        """
        codes = np.array([self._start(generator) for _ in _TEMPERATURES])
        if not len(self._free):
            rounds = 1
        seed = generator.integers(0, 2**63, 1, dtype=np.uint64)
        chains, turns = len(codes), self._limits.at.shape[2]
        replicas = _new_replicas(codes, turns, _TEMPERATURES, most)
        moves = _Moves(
            free=self._free,
            exchanges=np.uint64(self._exchanges * 256),
            counts=np.zeros((chains, self._symbols), dtype=np.int64),
            common=np.zeros((chains, turns), dtype=np.int16),
        )
        skipped = min(skipped_rounds, rounds - 1)
        written, cost = _parallel_tempering(self._limits, moves, replicas, rounds, skipped, seed)
        met, nearest = replicas.fitting[:written].astype(np.uint8), replicas.nearest
        return Run(met, tuple(nearest.tolist()), int(cost))

    def _start(self, generator: np.random.Generator) -> Numbers:
        """Return a random code with the known symbols; if possible, its counts are in the table."""
        code = self._known.copy()
        held = np.bincount(code[code != FREE], minlength=self._symbols)
        missing = self._table[generator.integers(len(self._table))] - held
        rest = np.repeat(np.arange(self._symbols), np.maximum(missing, 0))
        rest = generator.permutation(rest)[: len(self._free)]
        more = generator.integers(0, self._symbols, len(self._free) - len(rest))
        code[self._free] = generator.permutation(np.concatenate((rest, more)))
        return code


class _Limits(NamedTuple):
    """The limits that turns set, in the layout of the compiled chains.

    - `at` (length, symbols, turns) is 1 where a guess has a symbol at a position, `held` (symbols,
      length + 2, turns) where a guess holds a symbol that many times or more
    - `low` and `high` (3, turns) bound how many symbols are in place, how many in common, and the
      second less the first; `difference`: whether some of the last do not follow from the others
    - `distinct`: whether no symbol repeats
    """

    at: _Shorts
    held: _Shorts
    low: _Shorts
    high: _Shorts
    difference: bool
    distinct: bool

    @classmethod
    def of(cls, turns: TurnArrays, distinct: bool) -> "_Limits":
        """Return the limits of some turns: the least box around the pairs of counts they allow."""
        length, symbols = turns.guesses.shape[1], turns.times.shape[1]
        at = turns.guesses.T[:, None, :] == np.arange(symbols)[None, :, None]
        held = turns.times.T[:, None, :] >= np.arange(length + 2)[None, :, None]
        low, high = map(_padded, turns.bounds)
        difference = (low[2] > low[1] - high[0]) | (high[2] < high[1] - low[0])
        return cls(_padded(at), _padded(held), low, high, bool(difference.any()), distinct)


class _Moves(NamedTuple):
    """The positions that are `free` to change, how chains do, and the symbols of their codes.

    `exchanges` is the share of steps that exchange positions (in 256ths); `counts` (chains,
    symbols) says how often each code holds a symbol, `common` (chains, turns) how many it has in
    common with a guess.
    """

    free: Numbers
    exchanges: np.uint64
    counts: Numbers
    common: _Shorts


class _Replicas(NamedTuple):
    """The state of several chains, and the codes that they have found.

    - `codes` (chains, length): the current code of each chain
    - `in_place` (chains, turns): how many of its symbols each turn's guess has in place
    - `costs` (chains,): the cost of each current code
    - `order` (chains,): the index of the chain at each temperature
    - `temperatures` (chains,), ascending
    - `acceptances` (chains, rises): the probability, at each temperature, of a step that raises the
      cost by 0, 1, ... (in units of 2**-24)
    - `fitting` (most, length): codes found that fit
    - `nearest` (length,): the code of least cost
    """

    codes: Numbers
    in_place: _Shorts
    costs: Numbers
    order: Numbers
    temperatures: _Reals
    acceptances: Words
    fitting: Numbers
    nearest: Numbers


def _new_replicas(
    codes: Numbers, turns: int, temperatures: tuple[float, ...], most: int
) -> _Replicas:
    """Return chains that begin at `codes` (chains, length), one for each temperature.

    Up to `most` fitting codes can be stored. Costs and numbers in place are 0 until chains run.
    """
    chains, length = codes.shape
    return _Replicas(
        codes=codes,
        in_place=np.zeros((chains, turns), dtype=np.int16),
        costs=np.zeros(chains, dtype=np.int64),
        order=np.arange(chains),
        temperatures=np.array(temperatures),
        acceptances=_acceptances_at(temperatures),
        fitting=np.empty((most, length), dtype=np.int64),
        nearest=np.empty(length, dtype=np.int64),
    )


def _padded(numbers: npt.NDArray[Any]) -> _Shorts:
    """Return an array (..., turns) as 16-bit numbers, padded with zeros to a multiple of 8 turns.

    One machine instruction handles 8 turns at once. Without padding, 14 turns took twice the time
    of 16. The added turns exclude no code.
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
    elements of `at`: with rows, which are counted references, a step took 43 ns instead of 12.
    """
    gained = at[here, new, turn] + at[there, old, turn]
    return gained - at[here, old, turn] - at[there, new, turn]


@inner
def _copy_code(code: Numbers, to: Numbers) -> None:
    """Write a code into an array."""
    for p in range(len(code)):
        to[p] = code[p]


@cache
def _acceptances_at(temperatures: tuple[float, ...]) -> npt.NDArray[np.uint64]:
    """Return (chains, rises): the probability of a step for each rise in cost, in 2**-24."""
    rises = range(_LARGEST_RISE)
    chances = [[int(exp(-rise / each) * (1 << 24)) for rise in rises] for each in temperatures]
    return np.array(chances, dtype=np.uint64)


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
    limits: _Limits, moves: _Moves, replicas: _Replicas, n: int, state: Words, least_cost: np.int64
) -> Any:
    """Make one round of the chain at the n-th temperature; return the least cost so far.

    A step whose cost rises by n is taken with the chance `acceptances[n]` (in 2**-24).
    """
    k, acceptances = replicas.order[n], replicas.acceptances[n]
    code, in_place, cost = replicas.codes[k], replicas.in_place[k], np.int32(replicas.costs[k])
    counts, common, free = moves.counts[k], moves.common[k], moves.free
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
        if ((number >> np.uint64(32)) & np.uint64(0xFF)) < moves.exchanges:
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
    limits: _Limits, moves: _Moves, replicas: _Replicas, rounds: int, skipped_rounds: int,
    state: Words,
) -> Any:  # fmt: skip
    """Run all chains; return how many fitting codes `replicas` keeps, and the least cost."""
    codes, in_place, costs = replicas.codes, replicas.in_place, replicas.costs
    counts, common, low, high = moves.counts, moves.common, limits.low, limits.high
    chains, length = codes.shape
    turns, symbols = limits.at.shape[2], limits.at.shape[1]
    least_cost = np.int64(1 << 40)
    for n in range(chains):
        for p in range(length):
            counts[n, codes[n, p]] += 1
            for t in range(turns):
                in_place[n, t] += limits.at[p, codes[n, p], t]
        for s in range(symbols):
            for times in range(1, counts[n, s] + 1):
                for t in range(turns):
                    common[n, t] += limits.held[s, times, t]
        for t in range(turns):
            costs[n] += _excess(in_place[n, t], low[0, t], high[0, t])
            costs[n] += _excess(common[n, t], low[1, t], high[1, t])
            costs[n] += _excess(np.int16(common[n, t] - in_place[n, t]), low[2, t], high[2, t])
        if costs[n] < least_cost:
            least_cost = costs[n]
            _copy_code(codes[n], replicas.nearest)
    written = np.int64(0)
    for round_ in range(rounds):
        for n in range(chains):
            least_cost = _metropolis_sweep(limits, moves, replicas, n, state, least_cost)
            k = replicas.order[n]
            if round_ >= skipped_rounds and costs[k] == 0:
                _reservoir_insert(replicas, k, written, state)
                written += 1
        _replica_exchange(replicas, round_ % 2, state)
    return min(written, len(replicas.fitting)), least_cost
