"""Conflicts: smallest sets of items (turns and facts) that cannot all be right.

A conflict is subset-minimal (a MUS): without any one of its items, the others agree. One conflict
is found by deletion: items that are not needed are dropped one by one (Chinneck and Dravnieks,
1991). All conflicts are found through *corrections* (an MCS, if minimal), sets of items after whose
removal the rest agree: every conflict shares an item with each correction. Sets grow by the items
of a correction that they do not hit, in order of size, until one hits all known corrections
(Reiter, 1987). Either it is a conflict, or its items agree; then there is a new correction that
shares no item with it.

A counting proof shows a person why a conflict is one. A turn or fact implies a least or a greatest
number of occurrences of some symbols. A few such bounds may add up to more symbols than a code has,
or to fewer.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import chain, combinations, islice

from puzzlehunt.codes.constraints import TRUE, AnyOf, At, AtLeast, Bound, Constraint
from puzzlehunt.engines.base import Engine
from puzzlehunt.engines.choice import EngineLike, as_engine
from puzzlehunt.errors import check_number
from puzzlehunt.explanation.remaining import open_boards
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History, ItemName, Row


def conflicts(
    engine: EngineLike, turns: Iterable[Row] = (), most: int = 1
) -> list[tuple[ItemName, ...]]:
    """Return up to `most` conflicts, those with the fewest items first; [] if all items agree.

    Each conflict is a tuple of the numbers (from 1) of turns, and of facts. `engine` may be a game,
    its name or its file, with the `turns` after its own. In a game of several boards, the conflicts
    of all boards are returned together.

    >>> import puzzlehunt
    >>> puzzlehunt.conflicts("4x6", ["AABB none", "CCDD 1b", "ABCD 4w"], most=5)
    [(1, 3)]
    """
    engine = as_engine(engine, turns)
    check_number("most", most, 1, whole=True)
    found = {one for board in conflicts_by_board(engine, most).values() for one in board}
    smallest_first = sorted(found, key=lambda places: (len(places), places))
    return [History(engine.items).named(places) for places in smallest_first[:most]]


def conflicts_by_board(engine: Engine, most: int = 1) -> dict[int, list[tuple[int, ...]]]:
    """Return up to `most` conflicts of each board (from 0) without a candidate, the smallest first.

    Each is a tuple of places in `engine.items`: without any one of these the rest of them agree. If
    there is no time for the smallest, or one is asked for and a solver has to be queried, there is
    one conflict of a board, perhaps larger than others.
    """
    found = dict[int, list[tuple[int, ...]]]()
    for number, board in open_boards(engine):
        if not board.satisfiable():
            is_quick = most > 1 or board.listed is not None  # else a solver is queried less often
            smallest = [*islice(_by_size(board), most)] if is_quick else []
            any_one = range(len(board.items))
            found[number or 0] = smallest or [tuple(minimal_conflict(board, any_one))]
    return found


def minimal_conflict(engine: Engine, chosen: Sequence[int], also: Constraint = TRUE) -> list[int]:
    """Return the places of a conflict among the `chosen` items, which must contradict each other.

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


def _by_size(engine: Engine) -> Iterator[tuple[int, ...]]:
    """Yield the conflicts of an engine's items, the smallest first and newer items before older.

    Sets of places grow by an item of a correction that they do not hit, in order of size.
    """
    every = frozenset(range(len(engine.items)))
    corrections: list[frozenset[int]] = []
    conflicts_found: list[frozenset[int]] = []
    queue, queued = [(0, list[int](), frozenset[int]())], {frozenset[int]()}
    while queue and len(queued) < 25_000:  # about a second
        size, _, chosen = heappop(queue)
        if any(conflict <= chosen for conflict in conflicts_found):
            continue
        not_hit = [correction for correction in corrections if not correction & chosen]
        if not not_hit:
            satisfiable = engine.satisfiable_superset(sorted(chosen))
            if satisfiable is None:
                conflicts_found.append(chosen)
                yield tuple(sorted(chosen))
                continue
            not_hit = [every.difference(satisfiable)]
            corrections += not_hit
        for place in min(not_hit, key=len):
            larger = chosen | {place}
            if larger not in queued:
                queued.add(larger)
                newest_first = sorted(-item for item in larger)
                heappush(queue, (size + 1, newest_first, larger))


@dataclass(frozen=True, slots=True)
class SymbolBound:
    """A bound that one item implies: its symbols occur `low` to `high` times in the secret.

    `item` is the number (from 1) of a turn, or a fact. `times` has the greatest number of
    occurrences of each symbol that count. `high` is None if there is no upper bound.
    """

    item: ItemName
    times: Mapping[int, int]
    low: int
    high: int | None = None


def symbol_bounds(constraint: Constraint, item: ItemName) -> list[SymbolBound]:
    """Return the bounds that follow from an item's constraint, if it counts single symbols.

    Those are sums of literals of weight 1, which are all about positions or all about occurrences.
    """
    if isinstance(constraint, AnyOf) and len(constraint.parts) > 1:
        return []
    if not isinstance(constraint, Bound):
        return [bound for part in constraint.parts for bound in symbol_bounds(part, item)]
    literals = [literal for _, literal in constraint.terms]
    kinds = {type(literal) for literal in literals}
    single = all(weight == 1 and len(literal.symbols) == 1 for weight, literal in constraint.terms)
    if len(kinds) != 1 or not single:
        return []
    times = Counter(symbol for literal in literals for symbol in literal.symbols)
    # Only "at least 1", "at least 2", ... without a gap add up to the occurrences of a symbol.
    if any(isinstance(one, AtLeast) and one.times > times[one.symbols[0]] for one in literals):
        return []
    low, high = max(0, constraint.low or 0), constraint.high
    if kinds == {At} or high is None or high >= len(literals):
        high = None  # no limit: a symbol may also be at other positions
    if low == 0 and high is None:
        return []
    return [SymbolBound(item, times, low, high)]


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
    counts_nothing = game.rule.no_constraint or game.alphabet.names_codes
    if game.boards > 1 or game.channel.lies.at_most or counts_nothing:
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
    for added in _subsets(needs, 4):  # a person can still check a sum of so many
        total = sum(bound.low for bound in added)
        times_counted = Counter(symbol for bound in added for symbol in bound.times)
        if total > game.length and max(times_counted.values()) == 1:
            yield CountingProof(added, (), total)
    every_symbol = dict.fromkeys(range(len(game.secrets.alphabet)), game.length)
    for added in _subsets(limits, 4):
        total = sum(bound.high or 0 for bound in added)
        if total < game.length and not _unlimited(every_symbol, added):
            yield CountingProof((), added, total)
    exclusions = list(_subsets([bound for bound in limits if bound.high == 0], 3))
    for need in needs:
        for allows in chain(exclusions, ((limit,) for limit in limits)):
            high = allows[0].high or 0  # exclusions allow nothing
            kept = _unlimited(need.times, allows)
            is_plain = not (high and kept) and need.item not in {bound.item for bound in allows}
            if is_plain and need.low > high + sum(need.times[symbol] for symbol in kept):
                yield CountingProof((need,), allows, need.low, kept)


def _subsets(bounds: Sequence[SymbolBound], most: int) -> Iterator[tuple[SymbolBound, ...]]:
    return chain.from_iterable(combinations(bounds, size) for size in range(1, most + 1))


def _unlimited(times: Mapping[int, int], limits: Iterable[SymbolBound]) -> tuple[int, ...]:
    """Return the symbols that may occur as often as `times` says, whatever the limits.

    A bound limits a symbol if it counts all these occurrences, or more than its own limit.
    """
    limited = {
        symbol
        for bound in limits
        for symbol, most in bound.times.items()
        if most >= times.get(symbol, 0) or most > (bound.high or 0)
    }
    return tuple(sorted(times.keys() - limited))
