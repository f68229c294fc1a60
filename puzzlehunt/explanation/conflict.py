"""Conflicts: smallest sets of items (turns and facts) that cannot all be right.

A conflict is subset-minimal: without any one of its items, the others agree. One conflict is found
by deletion: items that are not needed are dropped one by one (Chinneck and Dravnieks, 1991). All
conflicts are found through *corrections*, sets of items after whose removal the rest agree: every
conflict shares an item with each correction (Reiter, 1987). Take the smallest set that shares an
item with every known correction. Either it is a conflict, or its items agree; then there is a new
correction that shares no item with it (Ignatiev, Previti, Liffiton and Marques-Silva, 2015).
Conflicts are therefore found in order of size.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.constraints import TRUE, Constraint
from puzzlehunt.engines.base import BITS, Engine, check_engine
from puzzlehunt.engines.choice import EngineLike, as_engine
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.errors import check_number
from puzzlehunt.game.history import History, ItemName, Row

_MOST_CELLS = 250_000_000
"""Up to this many codes times items, every code is compared with every item."""
_FEW_ITEMS = 12
"""Up to this many items are dropped one by one; of more, first the older half at once."""

_MOST_STEPS = 50_000
"""Cap on the steps of all searches for hitting sets of one question: about a second."""

_Correction: TypeAlias = Callable[[int], int]
"""A function from items (bits) to a correction without them; 0 if they cannot all be right."""


def smallest_conflict(engine: Engine) -> list[int]:
    """Return the places in `engine.items` of one conflict; [] if all items agree.

    Without any one of these items the rest of them agree. If all codes are listed, no other
    conflict has fewer items. In a game of several boards, the conflict is on the first board
    without a candidate.
    """
    check_engine(engine)
    return next((_smallest(board) for _, board in _without_candidate(engine)), [])


def conflicts_by_board(engine: Engine) -> dict[int, list[int]]:
    """Return a smallest conflict of each board (from 0) without a candidate."""
    return {number: _smallest(board) for number, board in _without_candidate(engine)}


def _smallest(board: Engine) -> list[int]:
    if (listing := _listed(board)) is not None:
        with suppress(_CutOffError):
            return _places(next(_by_size(_by_comparing(listing), len(board.items))))
    return shrunk(board, range(len(board.items)))


def conflicts(
    engine: EngineLike, turns: Iterable[Row] | int = (), most: int = 1
) -> list[tuple[ItemName, ...]]:
    """Return up to `most` conflicts, those with the fewest items first; [] if all items agree.

    Each conflict is a tuple of the numbers (from 1) of turns, and of facts. `engine` may be a game,
    its name or its file, with the `turns` after its own; after an engine, the second argument may
    be `most`. In a game of several boards, the conflicts of all boards are returned together.

    >>> import puzzlehunt
    >>> engine = puzzlehunt.open_engine("4x6")
    >>> engine.follow(["AABB none", "CCDD 1b", "ABCD 4w"])
    >>> puzzlehunt.conflicts(engine, 5)
    [(1, 3)]
    >>> puzzlehunt.conflicts("4x6", ["AABB none", "CCDD 1b", "ABCD 4w"])
    [(1, 3)]
    """
    rows, most = (turns, most) if isinstance(turns, Iterable) else ((), turns)
    engine = as_engine(engine, rows)
    check_number("most", most, 1, whole=True)
    return [History(engine.items).named(places) for places in conflicting_places(engine, most)]


def conflicting_places(engine: Engine, most: int) -> list[tuple[int, ...]]:
    """Return the `conflicts` as tuples of places in `engine.items`."""
    conflicting: set[tuple[int, ...]] = set()
    for _, board in _without_candidate(engine):
        listing = _listed(board)
        correction = _by_asking(board) if listing is None else _by_comparing(listing)
        before = len(conflicting)
        with suppress(_CutOffError):
            for bits in islice(_by_size(correction, len(board.items)), most):
                conflicting.add(tuple(_places(bits)))
        if len(conflicting) == before:
            conflicting.add(tuple(shrunk(board, range(len(board.items)))))
    return sorted(conflicting, key=lambda places: (len(places), places))[:most]


def _without_candidate(engine: Engine) -> list[tuple[int, Engine]]:
    return [
        (number, board.engine)
        for number, board in enumerate(engine.boards())
        if board.secret is None and not board.engine.satisfiable()
    ]


# One conflict.


def shrunk(engine: Engine, chosen: Sequence[int], also: Constraint = TRUE) -> list[int]:
    """Return a conflict among the `chosen` items, which must contradict each other.

    Only secrets that satisfy `also` are considered. Unnecessary items are dropped one by one, the
    oldest first, so that the conflict does not depend on the solver's core.
    """
    kept = list(chosen)
    core = engine.unsat_core(kept, also=also) or []
    while len(kept) > _FEW_ITEMS:
        newer = kept[len(kept) // 2 :]
        newer_core = engine.unsat_core(newer, also=also, quickly=True)
        if newer_core is None:
            break
        kept, core = newer, newer_core
    for place in list(kept):
        others = [other for other in kept if other != place]
        # An item outside the core can be spared without asking: the core is still there.
        smaller_core = core if place not in core else engine.unsat_core(others, also=also)
        if smaller_core is not None:
            kept, core = others, smaller_core
    return kept


# All conflicts.


def _by_size(correction: _Correction, items: int) -> Iterator[int]:
    """Iterate over all conflicts of some items, as bits, those of few members first."""
    corrections: list[int] = []
    conflicting: list[int] = []
    steps = iter(range(_MOST_STEPS))
    for size in range(1, items + 1):
        while (chosen := _hitting_set(corrections, conflicting, size, steps)) is not None:
            if missed := correction(chosen):
                corrections.append(missed)
            else:
                conflicting.append(chosen)
                yield chosen
        # A set hits all corrections and contains no conflict exactly where its complement hits all
        # conflicts and contains no correction; without such a set there is no further conflict.
        if _hitting_set(conflicting, corrections, items, steps) is None:
            return


class _CutOffError(Exception):
    """The searches for hitting sets took too many steps."""


def _hitting_set(
    sets: list[int], without: list[int], size: int, steps: Iterator[int]
) -> int | None:
    """Return at most `size` items (as bits) that share one with each of `sets`.

    None if no such items exist. The items contain none of the sets `without`. Newer items are taken
    before older ones. Each step takes one of `steps`; raises _CutOffError when none is left.
    """

    def extended(chosen: int, banned: int, more: int, sets: list[int]) -> int | None:
        if next(steps, None) is None:
            raise _CutOffError
        unmet = [some & ~banned for some in sets if not some & chosen]
        if not unmet:
            return chosen
        fewest = min(unmet, key=int.bit_count)
        if not fewest or _disjoint(unmet, more):
            return None
        for place in reversed(_places(fewest)):
            longer = chosen | 1 << place
            if not any(some & ~longer == 0 for some in without):
                hitting = extended(longer, banned, more - 1, unmet)
                if hitting is not None:
                    return hitting
            banned |= 1 << place
        return None

    return None if any(not some for some in without) else extended(0, 0, size, sets)


def _disjoint(sets: list[int], most: int) -> bool:
    """Return whether more than `most` of the sets, taken as they come, share no item."""
    taken = 0
    for items in sets:
        if not items & taken:
            taken |= items
            most -= 1
            if most < 0:
                return True
    return False


def _places(bits: int) -> list[int]:
    return [place for place in range(bits.bit_length()) if bits >> place & 1]


# Corrections.


def _by_asking(engine: Engine) -> _Correction:
    every = (1 << len(engine.items)) - 1

    def correction(chosen: int) -> int:
        superset = engine.satisfiable_superset(_places(chosen))
        return 0 if superset is None else every & ~sum(1 << place for place in superset)

    return correction


def _listed(engine: Engine) -> ExplicitEngine | None:
    listing = engine.listed
    if listing is None or len(listing.secrets()) * len(engine.items) > _MOST_CELLS:
        return None
    return listing


def _by_comparing(engine: ExplicitEngine) -> _Correction:
    """Return the search for a correction among the sets of items that all codes break.

    Sets (N, words) have a bit for each item; those of few items come first.
    """
    words = [engine.violations(begin) for begin in range(0, len(engine.items), BITS)]
    unforgivable, forgivable = (np.stack(each, axis=1) for each in zip(*words, strict=True))
    if len(words) == 1 and forgivable.any():
        both = np.unique(np.hstack((unforgivable, forgivable)), axis=0)
        unforgivable, forgivable = both[:, :1], both[:, 1:]
    elif len(words) == 1:
        unforgivable = np.unique(unforgivable)[:, None]
        forgivable = np.zeros_like(unforgivable)
    order = np.argsort(_sizes(unforgivable) + _sizes(forgivable), kind="stable")
    unforgivable, forgivable = unforgivable[order], forgivable[order]
    budget = engine.game.channel.lies.at_most

    def correction(chosen: int) -> int:
        bits = np.frombuffer(chosen.to_bytes(8 * len(words), "little"), dtype="<u8")
        forgiven = _sizes(forgivable & bits) <= budget
        fits = ~(unforgivable & bits).any(axis=1) & forgiven
        place = int(fits.argmax())
        if not fits[place]:
            return 0
        broken, broken_forgivably = _bits(unforgivable[place]), _bits(forgivable[place])
        # Forgiven items may stay, chosen ones first: they rule the code out only with others.
        chosen_first = sorted(_places(broken_forgivably), key=lambda item: not chosen >> item & 1)
        return broken | broken_forgivably & ~sum(1 << item for item in chosen_first[:budget])

    return correction


def _sizes(sets: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    sizes: npt.NDArray[np.int64] = np.bitwise_count(sets).sum(axis=1, dtype=np.int64)
    return sizes


def _bits(words: npt.NDArray[np.uint64]) -> int:
    return int.from_bytes(words.astype("<u8").tobytes(), "little")
