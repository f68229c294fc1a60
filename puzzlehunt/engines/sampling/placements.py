"""Placements: where the first few symbols of an alphabet stand, whatever stands elsewhere.

A code of 100 positions cannot be found at once, but where two or three of its symbols stand can,
from the turns about these alone. How often each symbol occurs has to be known before. Compiled
chains at a few temperatures exchange positions (parallel tempering, as in `chains`); one of the two
holds a symbol asked about, so that few steps are idle.
"""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlehunt.engines.sampling.tempering import (
    acceptances_at,
    by_exchange,
    copy_code,
    excess,
    exchange_neighbours,
    keep_fitting,
    padded,
)
from puzzlehunt.engines.sampling.turn_arrays import FREE, Numbers, TurnArrays
from puzzlehunt.kernels.compiled.decorators import inner, makes_no_array
from puzzlehunt.kernels.compiled.splitmix64 import next_number
from puzzlehunt.kernels.compiled.threads import threads

_TEMPERATURES = (0.3, 0.43, 0.57, 0.7)
"""The temperature of each chain, measured on 32 to 100 positions: colder than those of `chains`,
which look for whole codes."""
_ROUNDS, _STEPS = 800, 300
"""Rounds of a run, and the steps of each chain in a round; then chains exchange their codes."""
_KEPT = 60
"""Most placements kept of one run."""
_RUNS = 100
"""Most runs, for an effort of one."""
_ENOUGH = 12
"""Runs that end in a placement, after which there are enough for a sample, for an effort of one."""
_REFUTED_AFTER = 4
"""Runs in vain from one of several starts that refute it, once runs from another have ended."""
_FOUND_AGAIN = 3
"""Runs that end in one placement alone, which is then taken for the only one, after all runs; with
more effort so many for each of several."""
_AT_ONCE = 4
"""Runs made at once, in threads; how many threads there are does not change the result."""
_NEAREST = 30
"""Most placements kept of those that break the turns least."""


@dataclass(frozen=True, slots=True, eq=False)
class Placements:
    """Placements of some symbols that fit turns, and how sure it is that there are no others.

    - `codes` (N, length): placements met, with repetitions; `FREE` where another symbol stands.
      Where none was met, the nearest
    - `cost`: 0, or by how many symbols in place, over all turns, the nearest break the turns
    - `ends` (M, length): the first placement of each run that met one, each different one once
    - `complete`: whether runs met the same ones so often that others are unlikely
    - `timely`: False where the time ended before the runs
    """

    codes: Numbers
    cost: int
    ends: Numbers
    complete: bool
    timely: bool


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """What turns tell about where the first `shown` symbols stand.

    `at` (length, shown + 1, turns) is 1 where a guess has a symbol at a position, never for the
    last symbol, which stands for all others. `low` and `high` (turns,) bound how many of the first
    symbols are in place.
    """

    shown: int
    at: npt.NDArray[np.int16]
    low: npt.NDArray[np.int16]
    high: npt.NDArray[np.int16]

    @classmethod
    def of(cls, turns: TurnArrays, counts: Numbers, shown: int) -> "Question":
        """Return what turns tell whose guesses have at most one symbol that is not shown.

        Such a symbol may be in place as often as it occurs, `counts` (symbols,).
        """
        outside = _left_out(turns, counts, shown)
        about = outside.sum(axis=1) <= 1
        unknown = (np.minimum(turns.times, counts) * outside).sum(axis=1)[about]
        at = turns.guesses[about].T[:, None, :] == np.arange(shown + 1)[None, :, None]
        at[:, shown] = False
        low, high = turns.bounds[0][0][about], turns.bounds[1][0][about]
        fewest = np.maximum(low - unknown, 0).astype(np.int16)
        return cls(shown, np.ascontiguousarray(at, dtype=np.int16), fewest, high)

    def narrowed(self, counts: Numbers, starts: Numbers) -> tuple["Question", Numbers]:
        """Return the question and the starts without the turns that runs cannot change.

        Starts that break such a turn are left out, unless all do: then nothing is.
        """
        moving = np.flatnonzero(_unplaced(counts, starts[0], self.shown))
        is_free = (starts == FREE).any(axis=0)
        varies = self.at[is_free][:, moving].any(axis=(0, 1))
        symbols = np.where(starts == FREE, self.shown, starts)
        in_place = self.at[np.arange(starts.shape[1]), symbols][:, :, ~varies].sum(axis=1)
        fits = ((self.low[~varies] <= in_place) & (in_place <= self.high[~varies])).all(axis=1)
        if not fits.any():
            return self, starts
        at = np.ascontiguousarray(self.at[:, :, varies])
        return Question(self.shown, at, self.low[varies], self.high[varies]), starts[fits]

    def padded(self) -> "Question":
        """Return the question with turns that bound nothing, for the sake of speed."""
        return Question(self.shown, padded(self.at), padded(self.low), padded(self.high))

    @property
    def key(self) -> bytes:
        """The question in bytes: equal questions have equal answers."""
        return b"".join(each.tobytes() for each in (self.at, self.low, self.high))


def rows_left_out(turns: TurnArrays, counts: Numbers, shown: int) -> int:
    """Return how many turns are of no use for a question, with more than two symbols left out."""
    return int((_left_out(turns, counts, shown).sum(axis=1) > 2).sum())


def _left_out(turns: TurnArrays, counts: Numbers, shown: int) -> npt.NDArray[np.bool_]:
    """Return (turns, symbols): which symbols of each guess occur in the code and are not shown."""
    outside: npt.NDArray[np.bool_] = (turns.times > 0) & (counts > 0)
    outside[:, :shown] = False
    return outside


def _unplaced(counts: Numbers, start: Numbers, shown: int) -> Numbers:
    """Return (shown,): how often each of the first symbols is still to be placed."""
    return counts[:shown] - np.bincount(start[start != FREE], minlength=shown)[:shown]


def find_placements(
    question: Question,
    counts: Numbers,
    starts: Numbers,
    effort: int,
    generator: np.random.Generator,
    end: float | None = None,
) -> Placements:
    """Return placements met by runs from `starts`, (N, length): what is settled, elsewhere `FREE`.

    Of several starts one is right. With a larger `effort` (1 or more) there are so many times more
    runs. After the moment `end` (`time.monotonic`) no run begins.
    """
    narrowed, starts = question.narrowed(counts, starts)
    run = partial(_run, narrowed.padded(), counts)
    alive = list(range(len(starts)))
    met, vain = [0] * len(starts), [0] * len(starts)
    codes: list[Numbers] = []
    near: list[tuple[int, list[int]]] = []
    ends: dict[bytes, Numbers] = {}
    runs = ended = 0
    timely, complete = True, False
    with ThreadPoolExecutor(threads()) as pool:
        while runs < _RUNS * effort and not complete:
            if end is not None and runs and time.monotonic() > end:
                timely = False
                break
            numbers = [alive[(runs + n) % len(alive)] for n in range(_AT_ONCE)]
            generators = generator.spawn(_AT_ONCE)
            of_start = [starts[number] for number in numbers]
            runs += _AT_ONCE
            made = pool.map(run, of_start, generators)
            for number, (found, nearest, cost) in zip(numbers, made, strict=True):
                if not len(found):
                    vain[number] += 1
                    near.append((cost, nearest.tolist()))
                    continue
                met[number] += 1
                ended += 1
                codes.append(found)
                ends.setdefault(found[0].tobytes(), found[0])
            best = max(met)
            if best >= _REFUTED_AFTER:
                alive = [n for n in alive if met[n] or vain[n] < _REFUTED_AFTER]
            complete = _is_complete(len(ends), ended, effort)
            if ended >= _ENOUGH * effort and 4 * len(ends) > ended:
                break
    again = runs >= _RUNS * effort and ended >= _FOUND_AGAIN * len(ends) > 0
    complete = complete or (again and (len(ends) == 1 or effort > 1))
    if not codes:
        least = min(cost for cost, _ in near)
        kept = sorted(code for cost, code in near if cost == least)[:_NEAREST]
        codes = [np.array(kept, dtype=np.int64)]
    return Placements(
        np.concatenate(codes),
        0 if ended else least,
        np.array([ends[key] for key in sorted(ends)], dtype=np.int64).reshape(-1, starts.shape[1]),
        complete,
        timely,
    )


def _is_complete(different: int, runs: int, effort: int) -> bool:
    """Return whether runs that ended in so few different placements leave out others hardly."""
    return runs >= 4 * effort * (different + 1)


def _run(
    question: Question, counts: Numbers, start: Numbers, generator: np.random.Generator
) -> tuple[Numbers, Numbers, int]:
    """Return up to _KEPT placements met by one run, the nearest one, and its cost.

    The run begins with the symbols at random places.
    """
    shown = question.shown
    is_free = start == FREE
    free = np.flatnonzero(is_free)
    symbols = np.repeat(np.arange(shown), _unplaced(counts, start, shown))
    symbols = np.concatenate((symbols, np.full(len(free) - len(symbols), shown)))
    codes = np.where(is_free, shown, start)[None].repeat(len(_TEMPERATURES), axis=0)
    for code in codes:
        code[free] = generator.permutation(symbols)
    movers = np.array([np.flatnonzero(is_free & (code < shown)) for code in codes])
    fitting = np.empty((_KEPT, len(start)), dtype=np.int64)
    seed = generator.integers(0, 2**63, 1, dtype=np.uint64)
    rounds = _ROUNDS if movers.shape[1] and len(set(symbols.tolist())) > 1 else 1
    nearest = np.empty(len(start), dtype=np.int64)
    chains = len(_TEMPERATURES)
    written, cost = _temper(
        codes, movers, free, question.at, question.low, question.high, np.array(_TEMPERATURES),
        acceptances_at(_TEMPERATURES), np.zeros((chains, question.at.shape[2]), dtype=np.int16),
        np.zeros(chains, dtype=np.int32), np.full(codes.shape, -1), np.arange(chains),
        rounds, _STEPS if rounds > 1 else 0, seed, fitting, nearest,
    )  # fmt: skip
    kept = fitting[:written]
    near = np.where(nearest == shown, FREE, nearest)
    return np.where(kept == shown, FREE, kept), near, int(cost)


@inner
def _walk(
    code: Any, movers: Any, mover_at: Any, free: Any, at: Any, low: Any, high: Any, in_place: Any,
    cost: Any, acceptances: Any, steps: int, state: Any, nearest: Any, least_cost: Any,
) -> Any:  # fmt: skip
    """Move one chain on by some steps; return its cost, and the least cost met so far.

    `movers` are the positions of symbols asked about, `mover_at` (length,) the place of a position
    among them, -1 for none.
    """
    places, others = np.uint64(len(movers)), np.uint64(len(free))
    for _ in range(steps):
        # Bits 0-15 choose a mover, 16-31 the other position, 40-63 whether the step is taken.
        number = next_number(state)
        mover = np.int64(((number & np.uint64(0xFFFF)) * places) >> np.uint64(16))
        other = ((number >> np.uint64(16)) & np.uint64(0xFFFF)) * others
        here, there = movers[mover], free[np.int64(other >> np.uint64(16))]
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
            least_cost = cost
            copy_code(code, nearest)
    return cost, least_cost


@makes_no_array
def _temper(
    codes: Any, movers: Any, free: Any, at: Any, low: Any, high: Any, temperatures: Any,
    acceptances: Any, in_place: Any, costs: Any, mover_at: Any, order: Any, rounds: int,
    steps: int, state: Any, fitting: Any, nearest: Any,
) -> Any:  # fmt: skip
    """Move all chains on; write what fits and the nearest, return how many, and its cost.

    `in_place` and `costs` are zeros, `mover_at` is -1 everywhere, `order` is 0, 1, 2, ...
    """
    chains, length = codes.shape
    turns = at.shape[2]
    least_cost = np.int32(1 << 30)
    for n in range(chains):
        for p in range(length):
            for t in range(turns):
                in_place[n, t] += at[p, codes[n, p], t]
        for t in range(turns):
            costs[n] += excess(in_place[n, t], low[t], high[t])
        for m in range(movers.shape[1]):
            mover_at[n, movers[n, m]] = m
        if costs[n] < least_cost:
            least_cost = costs[n]
            copy_code(codes[n], nearest)
    written = np.int64(0)
    for round_ in range(rounds):
        for n in range(chains):
            k = order[n]
            costs[k], least_cost = _walk(
                codes[k], movers[k], mover_at[k], free, at, low, high, in_place[k], costs[k],
                acceptances[n], steps, state, nearest, least_cost,
            )  # fmt: skip
            if costs[k] == 0:
                keep_fitting(codes[k], fitting, written, state)
                written += 1
        exchange_neighbours(order, costs, temperatures, round_ % 2, state)
    return min(written, len(fitting)), least_cost
