"""Why some turns and facts cannot all be right, as arithmetic that a person can check.

Each turn or fact demands that some symbols occur at least, or at most, a number of times, or that a
position holds a symbol. A few demands may add up to more symbols than a code has, or to fewer.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from puzzlehunt.codes.constraints import AllOf, AnyOf, At, AtLeast, Bound, Constraint
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History

_MOST_SUMMED = 4
"""Cap on demands in one sum: a person can still check it."""


@dataclass(frozen=True, slots=True)
class Demand:
    """What one item demands: its symbols occur in the secret `low` to `high` times in all.

    `item` is the place of the item in the history. `times` are pairs (symbol, how many of its
    occurrences are counted at most). `high` is None where there is no upper bound. With a
    `position` (from 0) the demand is on that position alone: it holds one of the symbols (`low` is
    1), or none of them (`high` is 0).
    """

    item: int
    times: tuple[tuple[int, int], ...]
    low: int
    high: int | None
    position: int | None = None

    @property
    def symbols(self) -> frozenset[int]:
        """The symbols that are counted."""
        return frozenset(symbol for symbol, _ in self.times)


def demands(constraint: Constraint, item: int) -> list[Demand]:
    """Return the demands that follow from the constraint of one item.

    Only bounds whose weights are all 1 give demands, and disjunctions (`AnyOf`) of one part.
    """
    if isinstance(constraint, AllOf):
        return [demand for part in constraint.parts for demand in demands(part, item)]
    if isinstance(constraint, AnyOf):
        return demands(constraint.parts[0], item) if len(constraint.parts) == 1 else []
    if any(weight != 1 for weight, _ in constraint.terms) or not constraint.terms:
        return []
    literals = [literal for _, literal in constraint.terms]
    low = max(0, constraint.low or 0)
    if all(isinstance(literal, AtLeast) for literal in literals):
        return _on_counts(literals, low, constraint.high, item)
    if all(isinstance(literal, At) for literal in literals):
        return _on_positions(constraint, low, item)
    return []


def _on_counts(literals: Sequence[object], low: int, high: int | None, item: int) -> list[Demand]:
    """Return the demand of a bound on `AtLeast` literals, each about one symbol.

    [] where the literals of a symbol are not "at least 1", "at least 2", ... without a gap: only
    such literals add up to its occurrences.
    """
    times: Counter[int] = Counter()
    for literal in literals:
        assert isinstance(literal, AtLeast)
        if len(literal.symbols) > 1:
            return []
        times[literal.symbols[0]] += 1
    steps = {s: {one.times for one in literals if one.symbols == (s,)} for s in times}  # type: ignore[attr-defined]
    if any(numbers != set(range(1, len(numbers) + 1)) for numbers in steps.values()):
        return []
    upper = None if high is None or high >= len(literals) else high
    demand = Demand(item, tuple(sorted(times.items())), low, upper)
    return [demand] if low or upper is not None else []


def _on_positions(bound: Bound, low: int, item: int) -> list[Demand]:
    """Return the demands of a bound on `At` literals.

    Where all or none of the literals must be true, there is a demand on each position; else a bound
    whose literals have one symbol each says how many of those symbols occur at least.
    """
    literals = [literal for _, literal in bound.terms if isinstance(literal, At)]
    if low == len(literals):
        return [
            Demand(item, tuple((s, 1) for s in at.symbols), 1, None, at.position) for at in literals
        ]
    if bound.high == 0:
        return [
            Demand(item, tuple((s, 1) for s in at.symbols), 0, 0, at.position) for at in literals
        ]
    if low:
        needed = Counter(symbol for at in literals for symbol in at.symbols)
        if all(len(at.symbols) == 1 for at in literals):
            return [Demand(item, tuple(sorted(needed.items())), low, None)]
    return []


@dataclass(frozen=True, slots=True)
class TooMany:
    """Items that together need `total` symbols: more than a code has positions."""

    items: tuple[int, ...]
    total: int


@dataclass(frozen=True, slots=True)
class TooFew:
    """Items that together allow `total` symbols: fewer than a code has positions."""

    items: tuple[int, ...]
    total: int


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A demand for symbols of which other items exclude too many; the symbols `kept` may occur.

    `others` are the places of those items in the history.
    """

    demand: Demand
    others: tuple[int, ...]
    kept: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Excess:
    """A demand for more of some symbols than the `limit` allows of the same and perhaps others."""

    demand: Demand
    limit: Demand


@dataclass(frozen=True, slots=True)
class AtOnePosition:
    """Two demands on one position that no symbol meets; the `first` says what stands there."""

    first: Demand
    second: Demand


Clash: TypeAlias = TooMany | TooFew | LeftOut | Excess | AtOnePosition
"""Why items, given by their places in a history, cannot all be right."""


def clash(game: Game, history: History, places: Iterable[int]) -> Clash | None:
    """Return why items of a history cannot all be right, None where no sum shows it plainly.

    No secret agrees with all the items that the clash names.
    """
    if game.boards > 1 or game.channel.lies.at_most:
        return None
    all_demands: list[Demand] = []
    for place in places:
        item = history.items[place]
        constraint = item.constraint if isinstance(item, Fact) else game.constraint(item)
        all_demands += demands(constraint, place)
    counts = _strongest([demand for demand in all_demands if demand.position is None])
    symbols = len(game.secrets.alphabet)
    return (
        _at_one_position([demand for demand in all_demands if demand.position is not None])
        or _too_many(counts, game.length)
        or _too_few(counts, game.length, symbols)
        or _left_out(counts)
        or _excess(counts)
    )


def _strongest(some: Sequence[Demand]) -> list[Demand]:
    """Return the demands whose lower bound no demand of the same item and symbols exceeds.

    Demands with an upper bound are returned in any case.
    """
    lows: dict[tuple[int, frozenset[int]], int] = {}
    for demand in some:
        key = demand.item, demand.symbols
        lows[key] = max(demand.low, lows.get(key, 0))
    return [
        demand
        for demand in some
        if demand.low == lows[demand.item, demand.symbols] or demand.high is not None
    ]


def _subsets(some: Sequence[Demand]) -> Iterable[tuple[Demand, ...]]:
    for size in range(1, _MOST_SUMMED + 1):
        yield from combinations(some, size)


def _items(some: Iterable[Demand]) -> tuple[int, ...]:
    return tuple(sorted({demand.item for demand in some}))


def _too_many(some: Sequence[Demand], length: int) -> TooMany | None:
    """Return demands on different symbols whose lower bounds add up to more than the length."""
    for summed in _subsets([demand for demand in some if demand.low]):
        total = sum(demand.low for demand in summed)
        different = frozenset().union(*(demand.symbols for demand in summed))
        if total > length and sum(len(demand.symbols) for demand in summed) == len(different):
            return TooMany(_items(summed), total)
    return None


def _too_few(some: Sequence[Demand], length: int, symbols: int) -> TooFew | None:
    """Return demands on all symbols whose upper bounds add up to less than the length."""
    every = frozenset(range(symbols))
    limits = [d for d in some if d.high is not None and _limits_occurrences(d, d.high)]
    for summed in _subsets(limits):
        if frozenset().union(*(demand.symbols for demand in summed)) != every:
            continue
        total = sum(demand.high or 0 for demand in summed)
        if total < length:
            return TooFew(_items(summed), total)
    return None


def _limits_occurrences(demand: Demand, high: int) -> bool:
    """Return whether no symbol of a demand can occur more than `high` times, counted or not."""
    return all(times > high for _, times in demand.times)


def _left_out(some: Sequence[Demand]) -> LeftOut | None:
    """Return a demand on symbols of which other items exclude too many."""
    exclusions = [demand for demand in some if demand.high == 0]
    for demand in some:
        foreign = [exclusion for exclusion in exclusions if exclusion.item != demand.item]
        for size in range(1, _MOST_SUMMED):
            for others in combinations(foreign, size):
                excluded = frozenset().union(*(other.symbols for other in others))
                kept = {symbol: times for symbol, times in demand.times if symbol not in excluded}
                if demand.low > sum(kept.values()):
                    return LeftOut(demand, _items(others), tuple(sorted(kept)))
    return None


def _excess(some: Sequence[Demand]) -> Excess | None:
    """Return a demand for more symbols than another allows of the same and perhaps others."""
    for demand in some:
        for limit in some:
            if limit.high is None or demand.item == limit.item or demand.low <= limit.high:
                continue
            counted = dict(limit.times)
            if all(counted.get(symbol, 0) >= times for symbol, times in demand.times):
                return Excess(demand, limit)
    return None


def _at_one_position(some: Sequence[Demand]) -> AtOnePosition | None:
    """Return two demands on one position that no symbol meets."""
    for one, other in combinations(some, 2):
        first, second = (one, other) if one.low else (other, one)
        if one.position != other.position or not first.low:
            continue
        kept = first.symbols & second.symbols if second.low else first.symbols - second.symbols
        if not kept:
            return AtOnePosition(first, second)
    return None
