"""Conflicts: smallest sets of rows and facts that cannot all be right.

A conflict is subset-minimal: without any one of its members the rest agree. One is found by
dropping what is not needed (deletion; Chinneck and Dravnieks, 1991), all of them through the sets
of rows that would have to go: every conflict meets each such set (Reiter, 1987), and the smallest
set of rows that meets all that are known is a conflict, or shows one more that it does not meet
(Ignatiev, Previti, Liffiton and Marques-Silva, 2015). Conflicts come out of that by their size.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.constraints import TRUE, Constraint
from puzzlehunt.engines.base import Engine, Listing

_MOST_BITS = 64
_MOST_CELLS = 60_000_000
"""So many codes times items are looked at one by one."""
_FEW = 12
"""So few items are dropped one by one; of more, the older half is tried first."""

_MOST_STEPS = 100_000
"""So many sets are tried for one that meets all others."""

_Missed: TypeAlias = Callable[[int], int]
"""Given items, as bits: others of which every conflict has some, 0 if these cannot all be right."""


def smallest_conflict(engine: Engine) -> list[int]:
    """Return places in `engine.items` that cannot all be right; [] if all agree.

    Without any one of its members the rest agree. Where codes can be looked at one by one, no
    conflict has fewer members, unless there are very many conflicts; elsewhere the oldest that can
    be spared are left out. In a game of
    several boards they cannot all be right of the first that has no candidate.
    """
    for one in _without_candidate(engine)[:1]:
        if (listing := _listed(one)) is not None:
            with suppress(_TooManyError):
                return _places(next(_found(_Breaks.of(listing).missed, len(one.items))))
        return shrunk(one, range(len(one.items)))
    return []


def conflicts(engine: Engine, most: int) -> list[tuple[int, ...]]:
    """Return up to so many conflicts, those of few members first; [] if all agree.

    Without `most` they would be all: every subset-minimal set of items that cannot all be right
    of some board.
    """
    found: set[tuple[int, ...]] = set()
    for one in _without_candidate(engine):
        listing = _listed(one)
        missed = _asking(one) if listing is None else _Breaks.of(listing).missed
        every = _found(missed, len(one.items))
        before = len(found)
        with suppress(_TooManyError):
            for places in islice(every, most):
                found.add(tuple(_places(places)))
        if len(found) == before:
            found.add(tuple(shrunk(one, range(len(one.items)))))
    return sorted(found, key=lambda places: (len(places), places))[:most]


def _without_candidate(engine: Engine) -> list[Engine]:
    """Return the engines, one a board, that have no candidate."""
    return [
        board.engine
        for board in engine.boards()
        if board.secret is None and not board.engine.satisfiable()
    ]


# One conflict.


def shrunk(engine: Engine, chosen: Sequence[int], also: Constraint = TRUE) -> list[int]:
    """Return as few of some items as still cannot all be right of a secret, which holds `also`.

    Without any one of them they can. The oldest that can be spared are left out, one after the
    other, whatever core a solver finds. They must not all be right.
    """
    kept = list(chosen)
    core = engine.core(kept, also) or []
    while len(kept) > _FEW:
        newer = kept[len(kept) // 2 :]
        found = engine.core(newer, also, quickly=True)
        if found is None:
            break
        kept, core = newer, found
    for place in list(kept):
        others = [other for other in kept if other != place]
        # What a core does not need can be spared; which core it is decides no more than that.
        found = core if place not in core else engine.core(others, also)
        if found is not None:
            kept, core = others, found
    return kept


# All conflicts.


def _found(missed: _Missed, items: int) -> Iterator[int]:
    """Iterate over all conflicts, as bits, by their size."""
    met: list[int] = []
    found: list[int] = []
    for size in range(1, items + 1):
        while (chosen := _meeting(met, found, size)) is not None:
            if others := missed(chosen):
                met.append(others)
            else:
                found.append(chosen)
                yield chosen
        # What meets all and holds no conflict is the complement of what meets all conflicts and
        # holds nothing whole that must be met.
        if _meeting(found, met, items) is None:
            return


class _TooManyError(Exception):
    """Which sets meet which takes too long to find out."""


def _meeting(sets: list[int], without: list[int], size: int) -> int | None:
    """Return up to so many items, as bits, of which every set has some; None if there are none.

    They hold none of the sets `without` whole. Newer items are taken before older ones.
    """
    steps = 0

    def extended(chosen: int, banned: int, more: int) -> int | None:
        nonlocal steps
        steps += 1
        if steps > _MOST_STEPS:
            raise _TooManyError
        unmet = [some & ~banned for some in sets if not some & chosen]
        if not unmet:
            return chosen
        fewest = min(unmet, key=int.bit_count)
        if not fewest or _apart(unmet, more):
            return None
        for place in reversed(_places(fewest)):
            longer = chosen | 1 << place
            if not any(some & ~longer == 0 for some in without):
                found = extended(longer, banned, more - 1)
                if found is not None:
                    return found
            banned |= 1 << place
        return None

    return None if any(not some for some in without) else extended(0, 0, size)


def _apart(sets: list[int], most: int) -> bool:
    """Return whether more than so many of some sets, taken as they come, share nothing."""
    taken = 0
    for some in sets:
        if not some & taken:
            taken |= some
            most -= 1
            if most < 0:
                return True
    return False


def _places(bits: int) -> list[int]:
    return [place for place in range(bits.bit_length()) if bits >> place & 1]


# What is missed.


def _asking(engine: Engine) -> _Missed:
    """Return what finds out what is missed by asking an engine."""
    every = (1 << len(engine.items)) - 1

    def missed(chosen: int) -> int:
        agreeing = engine.agreeing(_places(chosen))
        return 0 if agreeing is None else every & ~sum(1 << place for place in agreeing)

    return missed


def _listed(engine: Engine) -> Listing | None:
    """Return what lists all codes, where they can be looked at one by one, else None."""
    listing = engine.listed
    if listing is None or len(engine.items) > _MOST_BITS:
        return None
    return listing if len(listing.every()) * len(engine.items) <= _MOST_CELLS else None


@dataclass(frozen=True, slots=True, eq=False)
class _Breaks:
    """Which items codes break, as bits: for good, or forgivably up to a budget.

    The codes that break the fewest come first.
    """

    surely: npt.NDArray[np.uint64]
    maybe: npt.NDArray[np.uint64]
    budget: int

    @classmethod
    def of(cls, engine: Listing) -> "_Breaks":
        """Return what an engine's codes break."""
        surely, maybe = engine.broken_items()
        if maybe.any():
            surely, maybe = np.unique(np.array((surely, maybe)), axis=1)
        else:
            surely = np.unique(surely)
            maybe = np.zeros_like(surely)
        order = np.argsort(np.bitwise_count(surely) + np.bitwise_count(maybe), kind="stable")
        return cls(surely[order], maybe[order], engine.game.channel.lies.at_most)

    def missed(self, chosen: int) -> int:
        """Return what `_Missed` does."""
        bits = np.uint64(chosen)
        fits = (self.surely & bits == 0) & (np.bitwise_count(self.maybe & bits) <= self.budget)
        place = int(fits.argmax())
        if not fits[place]:
            return 0
        surely, maybe = int(self.surely[place]), int(self.maybe[place])
        # Whatever the budget forgives may be chosen, and then some of the rest has to be as well.
        forgiven = sorted(_places(maybe), key=lambda item: not chosen >> item & 1)[: self.budget]
        return surely | maybe & ~sum(1 << item for item in forgiven)
