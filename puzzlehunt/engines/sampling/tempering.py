"""Compiled functions of parallel tempering that `tempering_chains` and `placements` share.

A chain accepts a step whose cost rises by d with probability exp(-d / temperature); chains of
neighbouring temperatures sometimes exchange their codes, which preserves the distribution (parallel
tempering; Swendsen and Wang, 1986; Geyer, 1991).
"""

from functools import cache
from math import exp
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlehunt.engines.sampling.turn_arrays import Numbers
from puzzlehunt.kernels.compiled.jit import inner
from puzzlehunt.kernels.compiled.splitmix64 import Words, next_number

_LARGEST_RISE = 64
"""A step that raises the cost by this much or more is never taken."""
_TURNS_AT_ONCE = 8
"""How many turns a machine instruction handles."""

Shorts: TypeAlias = npt.NDArray[np.int16]
Reals: TypeAlias = npt.NDArray[np.float64]


class Replicas(NamedTuple):
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
    in_place: Shorts
    costs: Numbers
    order: Numbers
    temperatures: Reals
    acceptances: Words
    fitting: Numbers
    nearest: Numbers


def new_replicas(
    codes: Numbers, turns: int, temperatures: tuple[float, ...], most: int
) -> Replicas:
    """Return chains that begin at `codes` (chains, length), one for each temperature.

    Up to `most` fitting codes can be stored. Costs and numbers in place are 0 until chains run.
    """
    chains, length = codes.shape
    return Replicas(
        codes=codes,
        in_place=np.zeros((chains, turns), dtype=np.int16),
        costs=np.zeros(chains, dtype=np.int64),
        order=np.arange(chains),
        temperatures=np.array(temperatures),
        acceptances=_acceptances_at(temperatures),
        fitting=np.empty((most, length), dtype=np.int64),
        nearest=np.empty(length, dtype=np.int64),
    )


def padded(numbers: npt.NDArray[Any]) -> Shorts:
    """Return an array (..., turns) as 16-bit numbers, padded with zeros to a multiple of 8 turns.

    One machine instruction handles 8 turns at once. Without padding, 14 turns took twice the time
    of 16. The added turns exclude no code.
    """
    missing = -numbers.shape[-1] % _TURNS_AT_ONCE
    widths = [(0, 0)] * (numbers.ndim - 1) + [(0, missing)]
    return np.ascontiguousarray(np.pad(numbers, widths), dtype=np.int16)


@inner
def excess(number: int, low: int, high: int) -> Any:
    """Return how far a number is below `low` or above `high`; 0 within these bounds."""
    below = np.int32(max(np.int16(low - number), np.int16(0)))
    return below + np.int32(max(np.int16(number - high), np.int16(0)))


@inner
def by_exchange(at: Shorts, here: int, there: int, old: int, new: int, turn: int) -> Any:
    """Return the change in a turn's symbols in place if two positions exchange theirs.

    `at` (length, symbols, turns) is 1 if a guess has a symbol at a position; `old` is the symbol
    at position `here` before the exchange, `new` the one at `there`. The function indexes single
    elements of `at`: with rows, which are counted references, a step took 43 ns instead of 12.
    """
    gained = at[here, new, turn] + at[there, old, turn]
    return gained - at[here, old, turn] - at[there, new, turn]


@inner
def copy_code(code: Numbers, to: Numbers) -> None:
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
def reservoir_insert(replicas: Replicas, chain: int, written: int, state: Words) -> None:
    """Store the code of a chain; the code fits, as `written` codes before it did.

    If more codes fit than there is room for, the kept ones are a uniform sample (reservoir
    sampling; Vitter, 1985).
    """
    fitting = replicas.fitting
    place: Any = written
    if written >= len(fitting):
        place = np.int64(next_number(state) % np.uint64(written + 1))
    if place < len(fitting):
        copy_code(replicas.codes[chain], fitting[place])


@inner
def replica_exchange(replicas: Replicas, first: int, state: Words) -> None:
    """Let pairs of neighbouring chains exchange temperatures, with Metropolis' probability.

    The pairs are 0 and 1, 2 and 3, ... if `first` is 0, and 1 and 2, 3 and 4, ... if it is 1.
    """
    order, costs, temperatures = replicas.order, replicas.costs, replicas.temperatures
    for n in range(first, len(order) - 1, 2):
        cold, warm = order[n], order[n + 1]
        gain = (costs[cold] - costs[warm]) * (1.0 / temperatures[n] - 1.0 / temperatures[n + 1])
        if gain >= 0 or np.float64(next_number(state) >> np.uint64(11)) < np.exp(gain) * 2.0**53:
            order[n], order[n + 1] = warm, cold
