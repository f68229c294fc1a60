"""Conflicts: smallest sets of items (turns and facts) that cannot all be right.

A conflict is subset-minimal: without any one of its items, the others agree. One conflict is found
by deletion: items that are not needed are dropped one by one (Chinneck and Dravnieks, 1991). All
conflicts are found through *corrections*, sets of items after whose removal the rest agree: every
conflict shares an item with each correction (Reiter, 1987). Take the smallest set that shares an
item with every known correction. Either it is a conflict, or its items agree; then there is a new
correction that shares no item with it (Ignatiev, Previti, Liffiton and Marques-Silva, 2015).
Conflicts are therefore found in order of size.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice

from puzzlehunt.codes.constraints import TRUE, Constraint
from puzzlehunt.engines.base import Engine
from puzzlehunt.engines.choice import EngineLike, as_engine
from puzzlehunt.errors import check_number
from puzzlehunt.explanation.findings import open_boards
from puzzlehunt.game.history import History, ItemName, Row

_MOST_STEPS = 50_000
"""Cap on the steps of all searches for hitting sets of one question: about a second."""


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
    every = {one for found in conflicts_by_board(engine, most).values() for one in found}
    in_order = sorted(every, key=lambda places: (len(places), places))
    return [History(engine.items).named(places) for places in in_order[:most]]


def conflicts_by_board(engine: Engine, most: int = 1) -> dict[int, list[tuple[int, ...]]]:
    """Return up to `most` conflicts of each board (from 0) without a candidate, the smallest first.

    Each is a tuple of places in `engine.items`: without any one of these the rest of them agree. If
    there is no time for the smallest, or one is asked for and a solver has to be queried, there is
    one conflict of a board, perhaps larger than others.
    """
    return {
        number or 0: _conflicts(board, most)
        for number, board in open_boards(engine)
        if not board.satisfiable()
    }


def _conflicts(engine: Engine, most: int) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    with suppress(_CutOffError):
        if most > 1 or engine.listed is not None:
            found += (tuple(_places(bits)) for bits in islice(_by_size(engine), most))
    return found or [tuple(shrunk(engine, range(len(engine.items))))]


# One conflict.


def shrunk(engine: Engine, chosen: Sequence[int], also: Constraint = TRUE) -> list[int]:
    """Return a conflict among the `chosen` items, which must contradict each other.

    Only secrets that satisfy `also` are considered. Unnecessary items are dropped one by one, the
    oldest first, so that the conflict does not depend on the solver's core.
    """
    kept = list(chosen)
    core = engine.unsat_core(kept, also=also) or []
    for place in list(kept):
        others = [other for other in kept if other != place]
        # An item outside the core can be spared without asking: the core is still there.
        smaller_core = core if place not in core else engine.unsat_core(others, also=also)
        if smaller_core is not None:
            kept, core = others, smaller_core
    return kept


# All conflicts.


def _by_size(engine: Engine) -> Iterator[int]:
    """Iterate over all conflicts of an engine's items, as bits, those of few members first."""
    corrections: list[int] = []
    conflicting: list[int] = []
    items, steps = len(engine.items), iter(range(_MOST_STEPS))
    every = (1 << items) - 1
    for size in range(1, items + 1):
        while (chosen := _hitting_set(corrections, conflicting, size, steps)) is not None:
            superset = engine.satisfiable_superset(_places(chosen))
            if superset is None:
                conflicting.append(chosen)
                yield chosen
            else:
                corrections.append(every & ~sum(1 << place for place in superset))
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
        if not more:
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


def _places(bits: int) -> list[int]:
    return [place for place in range(bits.bit_length()) if bits >> place & 1]
