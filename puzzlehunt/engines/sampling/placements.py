"""Placements: the positions of some symbols of a code, without regard to the other symbols.

A code of 100 positions is too long to be found at once, so the search has two stages. The first
finds, for a few symbols at a time, in which blocks of five positions they are; for this it needs
only the turns about these symbols. The second finds the order of the symbols in a few blocks at a
time. Both require that it is known how often each symbol occurs.

The search is parallel tempering, as in `tempering_chains`: compiled chains at several temperatures
exchange the symbols of two positions. One of the two always holds a symbol of the query; otherwise
most steps would change nothing.
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
"""A block has at most the first number of positions. A code has at least the second number of
blocks, unless it has fewer positions."""
_TEMPERATURES, _TEMPERATURES_IN_ORDER = (0.3, 0.43, 0.57, 0.7), (0.7, 0.8, 0.9, 1.05)
"""The temperature of each chain: in searches for blocks, and in searches for the order of symbols
in blocks. Both were selected by measurements on codes of 20 to 100 positions."""
_ROUNDS, _STEPS = 800, 300
"""Rounds of a run, and steps of each chain in a round. Chains exchange codes after each round."""
_KEPT = 60
"""One run keeps at most this many placements."""
_RUNS, _RUNS_IN_VAIN = 100, 200
"""Limits of the runs per unit of effort, and of the runs while none has found a placement."""
MOST_SETTLED = 5
"""A search for the next symbols or blocks starts from at most this many placements."""
_ENOUGH = 12
"""After this many successful runs, per unit of effort, the search stops if more than a quarter as
many different placements were found: they are a sample, and far from complete."""
_REFUTED_AFTER = 4
"""A start is refuted if this many runs from it failed and none succeeded, while this many runs from
another start succeeded; per unit of effort."""
_EFFORT_IN_A_HURRY = 0.5
"""If the time is up, placements are taken as complete as if this were the effort."""
_FOUND_AGAIN = 3
"""After the last run, placements are taken as complete if, for each different placement, there were
this many successful runs. With an effort of one, this holds only for a single placement."""
_AT_ONCE = 4
"""Runs made at once, in threads. The number of threads does not change the result."""
_NEAREST = 30
"""If no placement fits the turns, at most this many of those with the least cost are kept."""


@dataclass(frozen=True, slots=True, eq=False)
class Placements:
    """The result of a search for placements: those that fit the turns, or else the nearest.

    - `codes` (N, length): the placements found, with repetitions; `FREE` at positions of other
      symbols. If none fits the turns, those of the least cost
    - `cost`: 0 if the placements fit. Otherwise by how many symbols in place they are outside of
      the turns' bounds, summed over all turns
    - `ends` (M, length): one placement of each run that found any, without repetitions
    - `complete`: whether runs found the same placements so often that there are hardly any others
    - `timely`: False if the search stopped early because the time was up
    """

    codes: Numbers
    cost: int
    ends: Numbers
    complete: bool
    timely: bool


@dataclass(frozen=True, slots=True, eq=False)
class PlacementQuery:
    """What turns imply about the positions of the first `shown` symbols of the alphabet.

    - `at` (length, shown + 1, turns): 1 if a turn's guess has a symbol at a position, else 0. The
      last column is for all symbols that are not shown, and is always 0
    - `low`, `high` (turns,): bounds on how many of the shown symbols are in place
    - `blocks` (length,): the number of each position's block. Placements that differ only inside
      blocks are equivalent
    - `temperatures`: the temperature of each chain of a search
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
        """Return the query for the blocks in which the first `shown` symbols are.

        A turn is used only if each block of its guess repeats one symbol, and if at most one symbol
        of the guess occurs in the code but is not shown. How often that symbol is in place is
        unknown, so it lowers the bound `low`. `counts` (symbols,): how often each symbol occurs.
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
        """Return the query for the order of the symbols in the first `first` blocks.

        A turn is used only if each of the other blocks of its guess repeats one symbol.
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
        """Return the query from the turns where `about` (turns,) is true, with the bounds `low`."""
        at = turns.guesses[about].T[:, None, :] == np.arange(shown + 1)[None, :, None]
        at[:, shown] = False
        at, high = np.ascontiguousarray(at, dtype=np.int16), turns.bounds[1][0][about]
        return cls(shown, at, low.astype(np.int16), high, blocks, temperatures)

    def narrowed(self, starts: Numbers, cells: Numbers) -> tuple["PlacementQuery", Numbers]:
        """Return a shorter query, and the indices of the starts that can fit.

        Left out are turns whose symbols in place are the same however a run exchanges symbols, and
        starts that do not fit these turns. If no start fits them, nothing is left out.
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
        """Return the query with turns added that exclude nothing; the compiled search is faster."""
        at, low, high = padded(self.at), padded(self.low), padded(self.high)
        return replace(self, at=at, low=low, high=high)

    def in_order(self, codes: Numbers) -> Numbers:
        """Return codes (N, length) with the symbols of each block sorted."""
        keys = self.blocks * (codes.max(initial=0) + 1) + codes
        return np.take_along_axis(codes, np.argsort(keys, axis=1, kind="stable"), axis=1)

    @property
    def key(self) -> bytes:
        """The turns of the query as bytes: two queries about the same turns have the same key."""
        return b"".join(each.tobytes() for each in (self.at, self.low, self.high))


def blocks_of(length: int) -> Numbers:
    """Return (length,): the number of each position's block; a block is consecutive positions."""
    return np.arange(length) // max(1, min(_LARGEST_BLOCK, length // _FEWEST_BLOCKS))


def held_whole(guesses: Numbers, blocks: Numbers) -> npt.NDArray[np.bool_]:
    """Return (turns, blocks): whether a block of a guess repeats one symbol."""
    firsts = np.flatnonzero(np.diff(blocks, prepend=-1))
    as_first = guesses == guesses[:, firsts[blocks]]
    return np.asarray(np.logical_and.reduceat(as_first, firsts, axis=1))


def rows_left_out(turns: TurnArrays, counts: Numbers, shown: int, blocks: Numbers) -> int:
    """Return how many turns are useless for queries about the first `shown` symbols.

    A turn is useless if no block of its guess repeats one symbol. A turn all of whose blocks do is
    useless if more than two symbols of its guess occur in the code but are not shown. Turns about
    the order in a few blocks are not counted.
    """
    whole = held_whole(turns.guesses, blocks)
    many = whole.all(axis=1) & (_left_out(turns, counts, shown).sum(axis=1) > 2)
    return int((many | ~whole.any(axis=1)).sum())


def with_others(starts: Numbers, counts: Numbers, shown: int) -> Numbers:
    """Return a copy of `starts` (N, length) whose `FREE` positions are filled.

    They are filled with those of the first `shown` symbols that are still missing, each as often as
    it is, then with the number `shown`, which means any other symbol.
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
    """Return (turns, symbols): whether a symbol of a guess occurs in the code but is not shown."""
    outside: npt.NDArray[np.bool_] = (turns.times > 0) & (counts > 0)
    outside[:, :shown] = False
    return outside


class PlacementSearch:
    """A search for the placements that fit a query, which can be resumed with more effort.

    It consists of runs from each of `starts` (N, length), one of which is taken to be right.
    `cells` (N, length) numbers the cell of each position: a run exchanges only symbols of the same
    cell, and leaves positions with the number -1 as they are. Symbols that are not shown are
    `question.shown` in starts, and `FREE` in placements.
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
        """Return the placements found so far, after more runs if the effort requires them.

        The greatest number of runs is proportional to `effort` (1 or more). After the moment `end`
        (seconds of `time.monotonic`) no more runs start, except the first few.
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
        """Return whether the runs so far are enough for an effort."""
        if not self._ended and self._runs >= _RUNS_IN_VAIN:
            return True
        ends = len(self._ends)
        wanted = _ENOUGH * (effort if ends <= MOST_SETTLED else 1)
        unsettled = self._ended >= wanted and 4 * ends > self._ended
        return unsettled or self._runs >= _RUNS * effort or self._is_complete(effort)

    def _is_complete(self, effort: float) -> bool:
        """Return whether many runs found few different placements: then others are unlikely."""
        return self._ended >= 4 * effort * (len(self._ends) + 1)

    def _make_runs(self, pool: ThreadPoolExecutor, effort: int) -> None:
        """Make `_AT_ONCE` runs, from starts that are not refuted."""
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
            # All placements of the first runs, and of later runs only one if it is new.
            if self._ended <= 2 * _ENOUGH:
                self._codes.append(codes)
            elif codes[0].tobytes() not in self._ends:
                self._codes.append(codes[:1])
            self._ends.setdefault(codes[0].tobytes(), codes[0])

    def _found(self, effort: int, timely: bool) -> Placements:
        """Return the placements that the runs so far have found."""
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
    """Make one run; return up to `_KEPT` placements that fit, the nearest one, and its cost.

    At the beginning, the symbols of each cell are shuffled.
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
    """The fields `at`, `low` and `high` of a `PlacementQuery`, for compiled functions."""

    at: Shorts
    low: Shorts
    high: Shorts


class _Exchanges(NamedTuple):
    """The positions whose symbols each chain may exchange.

    - `movers` (chains, symbols): the positions of the query's symbols
    - `mover_at` (chains, length): the index of each position in `movers`, -1 for none
    - `partners` (length, places): the positions with which a position may exchange its symbol;
      only the first `sizes[position]` of a row are used
    - `sizes` (length,): how many partners each position has
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
    """Make some steps of the chain at the n-th temperature; return the least cost so far."""
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
    """Run all chains; return how many fitting placements `replicas` keeps, and the least cost."""
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
