"""Placements: the positions of some symbols of a code, without regard to the others.

A code of 100 positions cannot be found at once. But the blocks of five positions in which a few of
its symbols are can be found from the turns about these symbols alone. Once they are known for all
symbols, the order of the symbols in a few blocks can be found, too. How often each symbol occurs
must be known before. Compiled chains at a few temperatures exchange positions (parallel tempering,
as in `tempering_chains`); one of the two has a symbol of the query, so that few steps are idle.
"""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlehunt.engines.sampling.tempering import (
    Replicas,
    Shorts,
    by_exchange,
    copy_code,
    excess,
    new_replicas,
    padded,
    replica_exchange,
    reservoir_insert,
)
from puzzlehunt.engines.sampling.turn_arrays import FREE, Numbers, TurnArrays
from puzzlehunt.kernels.compiled.jit import inlined, makes_no_array
from puzzlehunt.kernels.compiled.splitmix64 import Words, next_number
from puzzlehunt.kernels.compiled.threads import threads

_LARGEST_BLOCK, _FEWEST_BLOCKS = 5, 8
"""Most positions of a block, and fewest blocks of a code."""
_TEMPERATURES, _TEMPERATURES_IN_ORDER = (0.3, 0.43, 0.57, 0.7), (0.7, 0.8, 0.9, 1.05)
"""The temperature of each chain, measured on 20 to 100 positions, where blocks are looked for and
where the order of their symbols is."""
_ROUNDS, _STEPS = 800, 300
"""Rounds of a run, and the steps of each chain in a round; then chains exchange their codes."""
_KEPT = 60
"""Most placements kept of one run."""
_RUNS, _RUNS_IN_VAIN = 100, 200
"""Most runs, for an effort of one, and most runs where none ended in a placement."""
MOST_SETTLED = 5
"""Most placements that a search for the next symbols or blocks starts from."""
_ENOUGH = 12
"""Runs that end in a placement, after which there are enough for a sample, for an effort of one."""
_REFUTED_AFTER = 4
"""Runs in vain from one of several starts that refute it, once as many from another have ended, for
an effort of one."""
_EFFORT_IN_A_HURRY = 0.5
"""Effort with which placements are taken for all where the time is up."""
_FOUND_AGAIN = 3
"""Runs that end in one placement alone, which is then taken for the only one, after all runs; with
more effort so many for each of several."""
_AT_ONCE = 4
"""Runs made at once, in threads; how many threads there are does not change the result."""
_NEAREST = 30
"""Most placements kept of those that break the turns least."""


@dataclass(frozen=True, slots=True, eq=False)
class Placements:
    """Placements of some symbols that fit turns, and whether there are probably no others.

    - `codes` (N, length): placements met, with repetitions; `FREE` where another symbol is. Where
      none was met, the nearest
    - `cost`: 0, or by how many symbols in place, over all turns, the nearest break the turns
    - `ends` (M, length): the first placement of each run that met one, each different one once
    - `complete`: whether runs met the same ones so often that others are unlikely
    - `timely`: False if the time was up before all runs
    """

    codes: Numbers
    cost: int
    ends: Numbers
    complete: bool
    timely: bool


@dataclass(frozen=True, slots=True, eq=False)
class PlacementQuery:
    """What turns imply about the positions of the first `shown` symbols.

    `at` (length, shown + 1, turns) is 1 where a guess has a symbol at a position, never for the
    last symbol, which stands for all others. `low` and `high` (turns,) bound how many of the first
    symbols are in place. The turns do not reveal positions inside a block; `blocks` (length,) has
    the block of each position. `temperatures` are those of the chains to use.
    """

    shown: int
    at: npt.NDArray[np.int16]
    low: npt.NDArray[np.int16]
    high: npt.NDArray[np.int16]
    blocks: Numbers
    temperatures: tuple[float, ...]

    @classmethod
    def of_symbols(
        cls, turns: TurnArrays, counts: Numbers, shown: int, blocks: Numbers
    ) -> "PlacementQuery":
        """Return what turns imply about the blocks of the first symbols.

        Only turns are used whose guesses have one symbol in each block, and at most one symbol that
        is not shown. Such a symbol may be in place as often as it occurs, `counts` (symbols,).
        """
        outside = _left_out(turns, counts, shown)
        whole = held_whole(turns.guesses, blocks).all(axis=1)
        about = np.array((outside.sum(axis=1) <= 1) & whole, dtype=np.bool_)
        unknown = (np.minimum(turns.times, counts) * outside).sum(axis=1)[about]
        low = np.maximum(turns.bounds[0][0][about] - unknown, 0)
        return cls._of(turns, about, shown, low, blocks, _TEMPERATURES)

    @classmethod
    def of_blocks(
        cls, turns: TurnArrays, shown: int, blocks: Numbers, first: int
    ) -> "PlacementQuery":
        """Return what turns imply about the order of the symbols in the `first` blocks.

        Only turns are used whose guesses have one symbol in each of the other blocks.
        """
        whole = held_whole(turns.guesses, blocks)[:, first:].all(axis=1)
        about = np.array(whole, dtype=np.bool_)
        low, each = turns.bounds[0][0][about], np.arange(len(blocks))
        return cls._of(turns, about, shown, low, each, _TEMPERATURES_IN_ORDER)

    @classmethod
    def _of(
        cls, turns: TurnArrays, about: npt.NDArray[np.bool_], shown: int, low: Numbers,
        blocks: Numbers, temperatures: tuple[float, ...],
    ) -> "PlacementQuery":  # fmt: skip
        """Return a question of the turns `about` it (turns,), with bounds `low` on these."""
        at = turns.guesses[about].T[:, None, :] == np.arange(shown + 1)[None, :, None]
        at[:, shown] = False
        at, high = np.ascontiguousarray(at, dtype=np.int16), turns.bounds[1][0][about]
        return cls(shown, at, low.astype(np.int16), high, blocks, temperatures)

    def narrowed(self, starts: Numbers, cells: Numbers) -> tuple["PlacementQuery", Numbers]:
        """Return the query without the turns that runs cannot affect, and the starts that fit them.

        If no start fits them, nothing is left out.
        """
        varies = np.zeros(len(self.low), dtype=np.bool_)
        moving = np.unique(starts[cells >= 0])
        for cell in np.unique(cells[cells >= 0]):
            at = self.at[(cells == cell).any(axis=0)][:, moving]
            varies |= (at.min(axis=0) < at.max(axis=0)).any(axis=0)
        in_place = self.at[np.arange(starts.shape[1]), starts][:, :, ~varies].sum(axis=1)
        fits = ((self.low[~varies] <= in_place) & (in_place <= self.high[~varies])).all(axis=1)
        if not fits.any():
            return self, np.arange(len(starts))
        at = np.ascontiguousarray(self.at[:, :, varies])
        return (
            replace(self, at=at, low=self.low[varies], high=self.high[varies]),
            np.flatnonzero(fits),
        )

    def padded(self) -> "PlacementQuery":
        """Return the query with added turns that exclude nothing, so that it is computed faster."""
        at, low, high = padded(self.at), padded(self.low), padded(self.high)
        return replace(self, at=at, low=low, high=high)

    def in_order(self, codes: Numbers) -> Numbers:
        """Return codes (N, length) with the symbols of each block in order."""
        keys = self.blocks * (codes.max(initial=0) + 1) + codes
        return np.take_along_axis(codes, np.argsort(keys, axis=1, kind="stable"), axis=1)

    @property
    def key(self) -> bytes:
        """The query as bytes. Queries with the same key have the same placements."""
        return b"".join(each.tobytes() for each in (self.at, self.low, self.high))


def blocks_of(length: int) -> Numbers:
    """Return (length,): the block of each position; blocks are consecutive positions."""
    return np.arange(length) // max(1, min(_LARGEST_BLOCK, length // _FEWEST_BLOCKS))


def held_whole(guesses: Numbers, blocks: Numbers) -> npt.NDArray[np.bool_]:
    """Return (turns, blocks): which blocks of each guess have only one symbol."""
    firsts = np.flatnonzero(np.diff(blocks, prepend=-1))
    as_first = guesses == guesses[:, firsts[blocks]]
    return np.asarray(np.logical_and.reduceat(as_first, firsts, axis=1))


def rows_left_out(turns: TurnArrays, counts: Numbers, shown: int, blocks: Numbers) -> int:
    """Return how many turns are useless for queries about blocks.

    More than two symbols of their guesses are not shown, or no block holds one symbol alone. Turns
    about the order in a few blocks are not counted.
    """
    whole = held_whole(turns.guesses, blocks)
    many = whole.all(axis=1) & (_left_out(turns, counts, shown).sum(axis=1) > 2)
    return int((many | ~whole.any(axis=1)).sum())


def with_others(starts: Numbers, counts: Numbers, shown: int) -> Numbers:
    """Return starts, (N, length), with symbols to place where they are `FREE`.

    These are the first `shown` symbols as often as they are missing, then `shown` for all others.
    """
    filled = starts.copy()
    for code in filled:
        missing = counts[:shown] - np.bincount(code[code != FREE], minlength=shown)[:shown]
        symbols = np.repeat(np.arange(shown), missing)
        free = np.flatnonzero(code == FREE)
        code[free] = shown
        code[free[: len(symbols)]] = symbols
    return filled


def _left_out(turns: TurnArrays, counts: Numbers, shown: int) -> npt.NDArray[np.bool_]:
    """Return (turns, symbols): which symbols of each guess occur in the code and are not shown."""
    outside: npt.NDArray[np.bool_] = (turns.times > 0) & (counts > 0)
    outside[:, :shown] = False
    return outside


class PlacementSearch:
    """A resumable search for placements, by runs from `starts`, (N, length).

    A run exchanges symbols within the cells of its start, (N, length); -1 is a position that keeps
    its symbol. Symbols that are not shown are `question.shown` in starts, `FREE` in placements. Of
    several starts one is right.
    """

    def __init__(
        self,
        question: PlacementQuery,
        starts: Numbers,
        cells: Numbers,
        generator: np.random.Generator,
    ) -> None:
        self._shown = question.shown
        narrowed, fit = question.narrowed(starts, cells)
        self._starts, self._cells, self._generator = starts[fit], cells[fit], generator
        self._run = partial(_run, narrowed.padded())
        self._met, self._vain = [0] * len(fit), [0] * len(fit)
        self._runs = self._ended = 0
        self._codes: list[Numbers] = []
        self._near: list[tuple[int, list[int]]] = []
        self._ends: dict[bytes, Numbers] = {}

    def placements(self, effort: int, end: float | None = None) -> Placements:
        """Return the placements found by the runs so far, and by more runs if these are too few.

        The number of runs is multiplied by `effort` (1 or more). After the moment `end`
        (`time.monotonic`) only the first runs begin.
        """
        timely = True
        with ThreadPoolExecutor(threads()) as pool:
            while not self._is_done(effort):
                if end is not None and self._runs and time.monotonic() > end:
                    timely = False
                    break
                self._make_runs(pool, effort)
        return self._found(effort, timely)

    def _is_done(self, effort: int) -> bool:
        """Return whether an effort needs no more runs."""
        if not self._ended and self._runs >= _RUNS_IN_VAIN:
            return True
        ends = len(self._ends)
        wanted = _ENOUGH * (effort if ends <= MOST_SETTLED else 1)
        unsettled = self._ended >= wanted and 4 * ends > self._ended
        return unsettled or self._runs >= _RUNS * effort or self._is_complete(effort)

    def _is_complete(self, effort: float) -> bool:
        """Return whether so many runs ended in so few placements that others are unlikely."""
        return self._ended >= 4 * effort * (len(self._ends) + 1)

    def _make_runs(self, pool: ThreadPoolExecutor, effort: int) -> None:
        """Make some more runs from starts that are not refuted."""
        patience = _REFUTED_AFTER * effort
        alive = list(range(len(self._starts)))
        if max(self._met) >= patience:
            alive = [n for n in alive if self._met[n] or self._vain[n] < patience]
        numbers = [alive[(self._runs + n) % len(alive)] for n in range(_AT_ONCE)]
        generators = self._generator.spawn(_AT_ONCE)
        made = list(pool.map(self._run, self._starts[numbers], self._cells[numbers], generators))
        self._runs += _AT_ONCE
        for number, (codes, nearest, cost) in zip(numbers, made, strict=True):
            if not len(codes):
                self._vain[number] += 1
                self._near.append((cost, nearest.tolist()))
                continue
            self._met[number] += 1
            self._ended += 1
            # Enough for a sample; of later runs only what is new.
            if self._ended <= 2 * _ENOUGH:
                self._codes.append(codes)
            elif codes[0].tobytes() not in self._ends:
                self._codes.append(codes[:1])
            self._ends.setdefault(codes[0].tobytes(), codes[0])

    def _found(self, effort: int, timely: bool) -> Placements:
        """Return what the runs so far met."""
        ends, least = self._ends, 0
        again = self._runs >= _RUNS * effort and self._ended >= _FOUND_AGAIN * len(ends) > 0
        complete = self._is_complete(effort) or (again and (len(ends) == 1 or effort > 1))
        codes = self._codes
        if not codes:
            least = min(cost for cost, _ in self._near)
            kept = sorted(code for cost, code in self._near if cost == least)[:_NEAREST]
            codes = [np.array(kept, dtype=np.int64)]
        different = np.array([ends[key] for key in sorted(ends)], dtype=np.int64)
        met, shown = np.concatenate(codes), self._shown
        return Placements(
            np.where(met == shown, FREE, met),
            least,
            np.where(different == shown, FREE, different).reshape(-1, met.shape[1]),
            complete or (not timely and self._is_complete(_EFFORT_IN_A_HURRY)),
            timely,
        )


def _run(
    question: PlacementQuery, start: Numbers, cells: Numbers, generator: np.random.Generator
) -> tuple[Numbers, Numbers, int]:
    """Return up to _KEPT placements met by one run, the nearest one, and its cost.

    The run begins with the symbols of each cell at random places of it.
    """
    codes = start[None].repeat(len(question.temperatures), axis=0)
    partners = np.zeros((len(start), int(np.bincount(cells + 1).max())), dtype=np.int64)
    sizes, changes = np.zeros(len(start), dtype=np.int64), False
    for cell in np.unique(cells[cells >= 0]):
        places = np.flatnonzero(cells == cell)
        partners[places, : len(places)], sizes[places] = places, len(places)
        changes |= len(np.unique(start[places])) > 1
        for code in codes:
            code[places] = generator.permutation(start[places])
    movers = np.array([np.flatnonzero((cells >= 0) & (code < question.shown)) for code in codes])
    seed = generator.integers(0, 2**63, 1, dtype=np.uint64)
    limits = _PlacementLimits(question.at, question.low, question.high)
    moves = _Exchanges(movers, np.full(codes.shape, -1), partners, sizes)
    replicas = new_replicas(codes, question.at.shape[2], question.temperatures, _KEPT)
    rounds, steps = (_ROUNDS, _STEPS) if changes else (1, 0)
    written, cost = _parallel_tempering(limits, moves, replicas, rounds, steps, seed)
    met, nearest = question.in_order(replicas.fitting[:written]), replicas.nearest[None]
    return met, question.in_order(nearest)[0], int(cost)


class _PlacementLimits(NamedTuple):
    """What turns tell: `at`, `low` and `high` of a `PlacementQuery`."""

    at: Shorts
    low: Shorts
    high: Shorts


class _Exchanges(NamedTuple):
    """Which positions chains exchange.

    `movers` (chains, symbols) are the positions of symbols asked about, `mover_at` (chains, length)
    the index of a position among them, -1 for none. The symbol of a position may be exchanged with
    those of the first `sizes` of its `partners`.
    """

    movers: Numbers
    mover_at: Numbers
    partners: Numbers
    sizes: Numbers


@inlined
def _metropolis_sweep(
    limits: _PlacementLimits, moves: _Exchanges, replicas: Replicas, n: int, steps: int,
    state: Words, least_cost: np.int64,
) -> Any:  # fmt: skip
    """Move the chain at a temperature on by some steps; return the least cost met so far."""
    k, acceptances = replicas.order[n], replicas.acceptances[n]
    code, in_place, cost = replicas.codes[k], replicas.in_place[k], np.int32(replicas.costs[k])
    movers, mover_at = moves.movers[k], moves.mover_at[k]
    partners, sizes = moves.partners, moves.sizes
    at, low, high = limits.at, limits.low, limits.high
    places = np.uint64(len(movers))
    for _ in range(steps):
        # Bits 0-15 choose a mover, 16-31 the other position, 40-63 whether the step is taken.
        number = next_number(state)
        mover = np.int64(((number & np.uint64(0xFFFF)) * places) >> np.uint64(16))
        here = movers[mover]
        other = ((number >> np.uint64(16)) & np.uint64(0xFFFF)) * np.uint64(sizes[here])
        there = partners[here, np.int64(other >> np.uint64(16))]
        old, new = code[here], code[there]
        if old == new:
            continue
        new_cost = np.int32(0)
        for t in range(len(in_place)):
            moved = np.int16(in_place[t] + by_exchange(at, here, there, old, new, t))
            new_cost += excess(moved, low[t], high[t])
        rise = new_cost - cost
        if rise > 0 and (
            rise >= len(acceptances) or (number >> np.uint64(40)) >= acceptances[rise]
        ):
            continue
        cost = new_cost
        code[here], code[there] = new, old
        for t in range(len(in_place)):
            in_place[t] += by_exchange(at, here, there, old, new, t)
        if mover_at[there] < 0:
            movers[mover] = there
            mover_at[there], mover_at[here] = mover, -1
        if cost < least_cost:
            least_cost = np.int64(cost)
            copy_code(code, replicas.nearest)
    replicas.costs[k] = cost
    return least_cost


@makes_no_array
def _parallel_tempering(
    limits: _PlacementLimits,
    moves: _Exchanges,
    replicas: Replicas,
    rounds: int,
    steps: int,
    state: Words,
) -> Any:
    """Move all chains on; write what fits and the nearest, return how many, and its cost."""
    codes, in_place, costs = replicas.codes, replicas.in_place, replicas.costs
    chains, length = codes.shape
    turns, least_cost = limits.at.shape[2], np.int64(1 << 40)
    for n in range(chains):
        for p in range(length):
            for t in range(turns):
                in_place[n, t] += limits.at[p, codes[n, p], t]
        for t in range(turns):
            costs[n] += excess(in_place[n, t], limits.low[t], limits.high[t])
        for m in range(moves.movers.shape[1]):
            moves.mover_at[n, moves.movers[n, m]] = m
        if costs[n] < least_cost:
            least_cost = costs[n]
            copy_code(codes[n], replicas.nearest)
    written = np.int64(0)
    for round_ in range(rounds):
        for n in range(chains):
            least_cost = _metropolis_sweep(limits, moves, replicas, n, steps, state, least_cost)
            k = replicas.order[n]
            if costs[k] == 0:
                reservoir_insert(replicas, k, written, state)
                written += 1
        replica_exchange(replicas, round_ % 2, state)
    return min(written, len(replicas.fitting)), least_cost
