"""Certain: what all candidates have in common, and the rows that prove it.

Symbols that do not occur or do, how often, and positions; only what is known makes certain, not
what all secrets of the game have in common. Each proof is minimal: without any of its rows and
facts the others leave a secret of which it is not true.
"""

import random
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.constraints import AnyOf, At, AtLeast, Constraint, forbid, require
from puzzlehunt.engines.base import Engine, Listing
from puzzlehunt.explain.conflict import shrunk
from puzzlehunt.game.history import Fact, Turn

_SAMPLE = 16
"""What so many candidates do not share need not be asked about."""
_PATIENCE = 0.2
"""So many seconds are spent on drawing them; the answers do not depend on how many they are."""
_BITS = 64
"""So many rows and facts fit a number."""
_FEW = 16
"""All ways to break so many can be listed."""

Bits = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Certain:
    """Something that is true of every candidate, by some turns (numbers from 1) and facts.

    Either a `position` (from 0) holds the symbol; or it occurs `count` times, 0: it does not.
    `at_least`: the rows do not say that it occurs no more often, though the game may. `board`
    (from 0) is that of several.
    """

    symbol: int
    position: int | None = None
    count: int | None = None
    at_least: bool = False
    turns: tuple[int, ...] = ()
    facts: tuple[Fact, ...] = ()
    board: int | None = None


@dataclass(frozen=True, slots=True)
class _Claim:
    """What may be certain, but for its proof."""

    symbol: int
    position: int | None = None
    count: int | None = None
    at_least: bool = False

    @property
    def denied(self) -> Constraint:
        """The constraint that it is not true."""
        if self.position is not None:
            return forbid(At(self.position, (self.symbol,)))
        assert self.count is not None
        more = require(AtLeast((self.symbol,), self.count + 1))
        if self.count == 0:
            return more
        fewer = forbid(AtLeast((self.symbol,), self.count))
        return fewer if self.at_least else AnyOf((fewer, more))


def certain(engine: Engine) -> list[Certain]:
    """Return what is certain: positions first, then symbols that occur, then those that do not.

    [] where the rows contradict each other. Of several boards, board by board; nothing is said of
    those that are solved.
    """
    if not engine.items or not engine.satisfiable():
        return []
    boards = engine.boards()
    return [
        one
        for number, board in enumerate(boards)
        if board.secret is None
        for one in _certain(board.engine, engine, number if len(boards) > 1 else None)
    ]


def _certain(engine: Engine, whole: Engine, board: int | None) -> list[Certain]:
    """Return what is certain of one board, whose items stand where they stand in the whole."""
    found = []
    items = whole.items
    numbers = {at: n for n, at in enumerate(_turn_places(items), start=1)}
    listing = engine.listed
    if listing is not None and len(items) <= _BITS:
        proofs = _proofs_by_array(listing)
    else:
        proofs = _proofs_by_asking(engine)
    for claim, proof in proofs:
        found.append(
            Certain(
                claim.symbol,
                claim.position,
                claim.count,
                claim.at_least,
                tuple(numbers[at] for at in proof if at in numbers),
                tuple(item for at in proof if isinstance(item := items[at], Fact)),
                board,
            )
        )
    return found


def _turn_places(items: Sequence[object]) -> list[int]:
    return [at for at, item in enumerate(items) if isinstance(item, Turn)]


_Proved = list[tuple[_Claim, list[int]]]


def _sorted(proved: Iterable[tuple[_Claim, list[int]]]) -> _Proved:
    return sorted(
        proved,
        key=lambda one: (one[0].position is None, one[0].position or 0, not one[0].count),
    )


# Where every secret is held.


def _proofs_by_array(engine: Listing) -> _Proved:
    """Return what is certain with its proofs, given every secret and the items that it breaks."""
    columns = np.ascontiguousarray(engine.every().codes.T)
    broken, which = _alike(engine, len(engine.items))
    lies = engine.game.channel.lies.at_most if engine.game.boards == 1 else 0
    proved = []
    for claim, denied in _claims(columns, engine.places(), len(engine.game.secrets.alphabet)):
        some = np.bincount(2 * which + denied, minlength=2 * broken.shape[1])[1::2] > 0
        if some.any():
            proved.append((claim, _minimal(broken[:, some], len(engine.items), lies)))
    return _sorted(proved)


def _alike(engine: Listing, items: int) -> tuple[Bits, npt.NDArray[Any]]:
    """Return (2, N) as of `broken_items` for all ways to break items, and (S,) that of secrets."""
    surely, maybe = engine.broken_items()
    if items <= _FEW and not maybe.any():
        broken = np.arange(1 << items, dtype=np.uint64)
        return np.stack((broken, np.zeros_like(broken))), surely.astype(np.uint32)
    pairs = np.stack((surely, maybe), axis=1).view([("surely", "u8"), ("maybe", "u8")]).ravel()
    ways, which = np.unique(pairs, return_inverse=True)
    return np.stack((ways["surely"], ways["maybe"])), which


def _claims(
    columns: npt.NDArray[np.uint8], left: npt.NDArray[np.intp], symbols: int
) -> Iterator[tuple[_Claim, npt.NDArray[np.bool_]]]:
    """Yield what the secrets that are left have in common, and of which secrets it is not true.

    `columns` (length, S) are the symbols of all secrets.
    """
    codes = columns[:, left]
    for place, column in enumerate(codes):
        if column[0] < symbols and (column == column[0]).all():
            yield _Claim(int(column[0]), position=place), columns[place] != column[0]
    totals = np.bincount(codes.ravel(), minlength=symbols)[:symbols].tolist()
    for symbol, total in enumerate(totals):
        if 0 < total < len(left):
            continue
        times = np.zeros(columns.shape[1], dtype=np.uint8)
        for column in columns:
            times += column == symbol
        fewest, most = int(times[left].min()), int(times[left].max())
        if fewest == most < times.max():
            yield _Claim(symbol, count=fewest), times != fewest
        elif fewest:
            yield _Claim(symbol, count=fewest, at_least=True), times < fewest


def _minimal(broken: Bits, items: int, lies: int) -> list[int]:
    """Return places of items so that every one of some secrets breaks too many of them.

    `broken` (2, N) are as of `broken_items`. One item if one does it, else all but those that can
    be dropped, oldest first.
    """

    def out(kept: list[int]) -> bool:
        mask = np.uint64(sum(1 << at for at in kept))
        forgiven = np.bitwise_count(broken[1] & mask) <= lies
        return not bool((forgiven & ((broken[0] & mask) == 0)).any())

    for at in range(items):
        if out([at]):
            return [at]
    kept = list(range(items))
    for at in range(items):
        fewer = [other for other in kept if other != at]
        if out(fewer):
            kept = fewer
    return kept


# Where a solver is asked.


def _proofs_by_asking(engine: Engine) -> _Proved:
    """Return what is certain with its proofs: what a sample has in common is asked about."""
    game = engine.game
    sample = engine.sample(_SAMPLE, random.Random(0), time.monotonic() + _PATIENCE).codes
    proved = []
    symbols = range(len(game.secrets.alphabet))
    suspected = [
        _Claim(sample[0][at], position=at)
        for at in range(game.length)
        if len({code[at] for code in sample}) == 1
    ]
    for symbol in symbols:
        times = [code.count(symbol) for code in sample]
        suspected += _of_counts(engine, symbol, min(times), max(times))
    for claim in suspected:
        if engine.satisfiable([], claim.denied):
            every = range(len(engine.items))
            if engine.core(every, claim.denied) is not None:
                proved.append((claim, shrunk(engine, every, claim.denied)))
    return _sorted(proved)


def _of_counts(engine: Engine, symbol: int, fewest: int, most: int) -> list[_Claim]:
    """Return what may be certain of how often a symbol occurs, given how often it was seen to."""
    if most == 0:
        return [_Claim(symbol, count=0)]
    while fewest and engine.satisfiable(None, forbid(AtLeast((symbol,), fewest))):
        fewest -= 1
    if not fewest:
        return []
    more = require(AtLeast((symbol,), fewest + 1))
    at_least = most > fewest or engine.satisfiable(None, more) or not engine.satisfiable([], more)
    return [_Claim(symbol, count=fewest, at_least=at_least)]
