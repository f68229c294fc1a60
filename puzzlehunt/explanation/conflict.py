"""Conflicts: smallest sets of items (turns and facts) that cannot all be right.

A conflict is subset-minimal: without any one of its items, the others agree. One conflict is found
by deletion: items that are not needed are dropped one by one (Chinneck and Dravnieks, 1991). All
conflicts are found through *corrections*, sets of items after whose removal the rest agree: every
conflict shares an item with each correction. Sets grow by the items of a correction that they do
not hit, in order of size, until one hits all known corrections (Reiter, 1987). Either it is a
conflict, or its items agree; then there is a new correction that shares no item with it.

A counting proof shows a person why a conflict is one. A turn or fact implies a least or a greatest
number of occurrences of some symbols. A few such bounds may add up to more symbols than a code has,
or to fewer.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import chain, combinations, islice

from puzzlehunt.codes.constraints import TRUE, AllOf, At, Bound, Constraint
from puzzlehunt.engines.base import Engine
from puzzlehunt.engines.choice import EngineLike, as_engine
from puzzlehunt.errors import check_number
from puzzlehunt.explanation.remaining import open_boards
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History, ItemName, Row

_MOST_SETS = 25_000
"""Cap on the sets of items that are looked at for one question: about a second."""
_MOST_SUMMED = 4
"""Cap on bounds in one sum: a person can still check it."""


def conflicts(
    engine: EngineLike, turns: Iterable[Row] = (), most: int = 1
) -> list[tuple[ItemName, ...]]:
    """Return up to `most` conflicts, those with the fewest items first; [] if all items agree.

    Each conflict is a tuple of the numbers (from 1) of turns, and of facts. `engine` may be a game,
    its name or its file, with the `turns` after its own. In a game of several boards, the conflicts
    of all boards are returned together.

    >>> import puzzlehunt
    >>> engine = puzzlehunt.open_engine("4x6")
    >>> engine.follow(["AABB none", "CCDD 1b", "ABCD 4w"])
    >>> puzzlehunt.conflicts(engine, most=5)
    [(1, 3)]
    >>> puzzlehunt.conflicts("4x6", ["AABB none", "CCDD 1b", "ABCD 4w"])
    [(1, 3)]
    """
    engine = as_engine(engine, turns)
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
    by_size = _by_size(engine) if most > 1 or engine.listed is not None else ()
    return list(islice(by_size, most)) or [tuple(shrunk(engine, range(len(engine.items))))]


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


def _by_size(engine: Engine) -> Iterator[tuple[int, ...]]:
    """Yield the conflicts of an engine's items, the smallest first and newer items before older.

    Sets are bits. They grow by an item of a correction that they do not hit, in order of size.
    """
    every = (1 << len(engine.items)) - 1
    corrections: list[int] = []
    found: list[int] = []
    queue, seen = [(0, 0)], {0}
    while queue and len(seen) < _MOST_SETS:
        size, negative = heappop(queue)
        chosen = -negative
        if any(conflict & chosen == conflict for conflict in found):
            continue
        unmet = [some for some in corrections if not some & chosen]
        if not unmet:
            superset = engine.satisfiable_superset(_places(chosen))
            if superset is None:
                found.append(chosen)
                yield tuple(_places(chosen))
                continue
            unmet = [every & ~sum(1 << place for place in superset)]
            corrections += unmet
        for place in _places(min(unmet, key=int.bit_count)):
            longer = chosen | 1 << place
            if longer not in seen:
                seen.add(longer)
                heappush(queue, (size + 1, -longer))


def _places(bits: int) -> list[int]:
    return [place for place in range(bits.bit_length()) if bits >> place & 1]


# Proofs by counting.


@dataclass(frozen=True, slots=True)
class SymbolBound:
    """A bound that one item implies: its symbols occur `low` to `high` times in the secret.

    `item` is the number (from 1) of a turn, or a fact. `times` are pairs (symbol, greatest number
    of its occurrences that count). `high` is None if there is no upper bound.
    """

    item: ItemName
    times: tuple[tuple[int, int], ...]
    low: int
    high: int | None = None

    @property
    def symbols(self) -> frozenset[int]:
        """The symbols whose occurrences are counted."""
        return frozenset(symbol for symbol, _ in self.times)


def symbol_bounds(constraint: Constraint, item: ItemName) -> list[SymbolBound]:
    """Return the bounds that follow from an item's constraint, as far as its weights are 1."""
    if not isinstance(constraint, Bound):
        all_hold = isinstance(constraint, AllOf) or len(constraint.parts) == 1
        parts = constraint.parts if all_hold else ()
        return [bound for part in parts for bound in symbol_bounds(part, item)]
    literals = [literal for weight, literal in constraint.terms if weight == 1]
    low, high = max(0, constraint.low or 0), constraint.high
    placed = [literal for literal in literals if isinstance(literal, At)]
    if len(literals) < len(constraint.terms) or 0 < len(placed) < len(literals):
        return []
    if any(len(literal.symbols) != 1 for literal in literals):
        return []
    times = Counter(literal.symbols[0] for literal in literals)
    # Only "at least 1", "at least 2", ... without a gap add up to the occurrences of a symbol.
    if any(not isinstance(one, At) and one.times > times[one.symbols[0]] for one in literals):
        return []
    limits = high is not None and high < len(literals) and not placed
    bound = SymbolBound(item, tuple(sorted(times.items())), low, high if limits else None)
    return [bound] if low or limits else []


@dataclass(frozen=True, slots=True)
class CountingProof:
    """Bounds that cannot all be met: `needs` are more symbols than `allows` leave.

    Without `needs`, a code needs a symbol at each of its positions; without `allows`, it has no
    more positions. `total` is what `needs` sum up to or, without them, `allows`. `kept` are the
    symbols of `needs` that `allows` do not limit.
    """

    needs: tuple[SymbolBound, ...]
    allows: tuple[SymbolBound, ...]
    total: int
    kept: tuple[int, ...] = ()


def counting_proof(game: Game, history: History, names: Iterable[ItemName]) -> CountingProof | None:
    """Return a proof that some items contradict each other; None if no sum is one.

    No secret agrees with all the items that the proof names.
    """
    opaque = game.rule.no_constraint or game.alphabet.names_codes
    if game.boards > 1 or game.channel.lies.at_most or opaque:
        return None
    bounds: list[SymbolBound] = []
    for name in names:
        item = history.item(name)
        constraint = item.constraint if isinstance(item, Fact) else game.constraint(item)
        bounds += symbol_bounds(constraint, name)
    return next(_sums(game, bounds), None)


def _sums(game: Game, bounds: Sequence[SymbolBound]) -> Iterator[CountingProof]:
    """Yield the sums of bounds that cannot be met, the plainest first."""
    needs = sorted((bound for bound in bounds if bound.low), key=lambda bound: -bound.low)
    limits = [bound for bound in bounds if bound.high is not None]
    for some in _subsets(needs, _MOST_SUMMED):
        total = sum(bound.low for bound in some)
        is_counted_twice = any(one.symbols & other.symbols for one, other in combinations(some, 2))
        if total > game.length and not is_counted_twice:
            yield CountingProof(some, (), total)
    every = dict.fromkeys(range(len(game.secrets.alphabet)), game.length)
    for some in _subsets(limits, _MOST_SUMMED):
        total = sum(bound.high or 0 for bound in some)
        if total < game.length and not _unlimited(every, some):
            yield CountingProof((), some, total)
    exclusions = list(_subsets([bound for bound in limits if not bound.high], _MOST_SUMMED - 1))
    for need in needs:
        for some in chain(exclusions, ((limit,) for limit in limits)):
            times, high = dict(need.times), some[0].high or 0
            kept = _unlimited(times, some)
            is_plain = not (high and kept) and need.item not in {bound.item for bound in some}
            if is_plain and need.low > high + sum(times[symbol] for symbol in kept):
                yield CountingProof((need,), some, need.low, kept)


def _subsets(some: Sequence[SymbolBound], most: int) -> Iterator[tuple[SymbolBound, ...]]:
    return chain.from_iterable(combinations(some, size) for size in range(1, most + 1))


def _unlimited(times: dict[int, int], limits: Iterable[SymbolBound]) -> tuple[int, ...]:
    """Return the symbols of which bounds do not count every occurrence, or as many as `times`."""
    limited = {
        symbol
        for bound in limits
        for symbol, most in bound.times
        if most >= times.get(symbol, 0) or most > (bound.high or 0)
    }
    return tuple(sorted(times.keys() - limited))
