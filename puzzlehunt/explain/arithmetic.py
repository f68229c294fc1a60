"""Why some turns cannot all be right, as arithmetic that a person can check.

Turns demand so many of some symbols, or a symbol at some position. A few demands may add up to more
than a code has, or to less; each demand follows from one turn or fact alone.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from puzzlehunt.codes.constraints import AllOf, AnyOf, At, AtLeast, Bound, Constraint
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History

_MOST_TOGETHER = 4
"""Demands in a sum that is still plain to see."""


@dataclass(frozen=True, slots=True)
class Demand:
    """What one item asks: at least `low` and at most `high` symbols of a secret are among some.

    `times` says how often each symbol counts at most; `place` is set where the item asks for what
    stands there instead, 1 of the symbols if `low` is 1, none of them if `high` is 0.
    """

    item: int
    times: tuple[tuple[int, int], ...]
    low: int
    high: int | None
    place: int | None = None

    @property
    def symbols(self) -> frozenset[int]:
        """The symbols that count."""
        return frozenset(symbol for symbol, _ in self.times)


def demands(constraint: Constraint, item: int) -> list[Demand]:
    """Return the demands that follow from a constraint, which is what an item says."""
    if isinstance(constraint, AllOf):
        return [found for part in constraint.parts for found in demands(part, item)]
    if isinstance(constraint, AnyOf):
        return demands(constraint.parts[0], item) if len(constraint.parts) == 1 else []
    if any(weight != 1 for weight, _ in constraint.terms) or not constraint.terms:
        return []
    literals = [literal for _, literal in constraint.terms]
    low = max(0, constraint.low or 0)
    if all(isinstance(one, AtLeast) for one in literals):
        return _of_counts(literals, low, constraint.high, item)
    if all(isinstance(one, At) for one in literals):
        return _of_places(constraint, low, item)
    return []


def _of_counts(literals: Sequence[object], low: int, high: int | None, item: int) -> list[Demand]:
    found: Counter[int] = Counter()
    for one in literals:
        assert isinstance(one, AtLeast)
        if len(one.symbols) > 1:
            return []
        found[one.symbols[0]] += 1
    numbers = {s: {one.times for one in literals if one.symbols == (s,)} for s in found}  # type: ignore[attr-defined]
    if any(times != set(range(1, len(times) + 1)) for times in numbers.values()):
        return []
    top = None if high is None or high >= len(literals) else high
    return [Demand(item, tuple(sorted(found.items())), low, top)] if low or top is not None else []


def _of_places(bound: Bound, low: int, item: int) -> list[Demand]:
    """Return what stands in places where all of them, or none, hold one of their symbols."""
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
    """Items that together need `total` symbols, more than a code has."""

    items: tuple[int, ...]
    total: int


@dataclass(frozen=True, slots=True)
class TooFew:
    """Items that together allow `total` symbols of any kind, fewer than a code has."""

    items: tuple[int, ...]
    total: int


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A demand for symbols of which other items exclude too many: only those `kept` may occur."""

    demand: Demand
    others: tuple[int, ...]
    kept: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Excess:
    """A demand for more of some symbols than another, the `limit`, allows of at least these."""

    demand: Demand
    limit: Demand


@dataclass(frozen=True, slots=True)
class AtOnePosition:
    """Two demands on one position; the `first` is for a symbol, of those that are its own."""

    first: Demand
    second: Demand


Clash: TypeAlias = TooMany | TooFew | LeftOut | Excess | AtOnePosition
"""Why items, given by their places in a history, cannot all be right."""


def clash(game: Game, history: History, places: Iterable[int]) -> Clash | None:
    """Return why items of a history cannot all be right, None where no sum shows it plainly.

    What it says is true of every secret of the game that agrees with the items it names.
    """
    if game.boards > 1 or game.channel.lies.at_most:
        return None
    every: list[Demand] = []
    for place in places:
        item = history.items[place]
        constraint = item.constraint if isinstance(item, Fact) else game.constraint(item)
        every += demands(constraint, place)
    whole = _strongest([one for one in every if one.place is None])
    symbols = len(game.secrets.alphabet)
    return (
        _at_one_position([one for one in every if one.place is not None])
        or _too_many(whole, game.length)
        or _too_few(whole, game.length, symbols)
        or _left_out(whole)
        or _excess(whole)
    )


def _strongest(found: Sequence[Demand]) -> list[Demand]:
    """Return the demands without those for fewer of the same symbols of the same item."""
    most: dict[tuple[int, frozenset[int]], int] = {}
    for one in found:
        key = one.item, one.symbols
        most[key] = max(one.low, most.get(key, 0))
    return [one for one in found if one.low == most[one.item, one.symbols] or one.high is not None]


def _subsets(found: Sequence[Demand]) -> Iterable[tuple[Demand, ...]]:
    for size in range(1, _MOST_TOGETHER + 1):
        yield from combinations(found, size)


def _items(some: Iterable[Demand]) -> tuple[int, ...]:
    return tuple(sorted({one.item for one in some}))


def _too_many(found: Sequence[Demand], length: int) -> TooMany | None:
    """Demands on different symbols that add up to more than a code has."""
    for some in _subsets([one for one in found if one.low]):
        total = sum(one.low for one in some)
        different = frozenset().union(*(one.symbols for one in some))
        if total > length and sum(len(one.symbols) for one in some) == len(different):
            return TooMany(_items(some), total)
    return None


def _too_few(found: Sequence[Demand], length: int, symbols: int) -> TooFew | None:
    """Demands that leave too few symbols for all positions."""
    every = frozenset(range(symbols))
    plain = [one for one in found if one.high is not None and _counts_all(one, one.high)]
    for some in _subsets(plain):
        if frozenset().union(*(one.symbols for one in some)) != every:
            continue
        total = sum(one.high or 0 for one in some)
        if total < length:
            return TooFew(_items(some), total)
    return None


def _counts_all(one: Demand, high: int) -> bool:
    """Return whether a demand counts every one of its symbols, however often it occurs."""
    return all(times > high for _, times in one.times)


def _left_out(found: Sequence[Demand]) -> LeftOut | None:
    """A demand on symbols of which others exclude too many."""
    none = [one for one in found if one.high == 0]
    for one in found:
        for size in range(1, _MOST_TOGETHER):
            for others in combinations([other for other in none if other.item != one.item], size):
                gone = frozenset().union(*(other.symbols for other in others))
                kept = {symbol: times for symbol, times in one.times if symbol not in gone}
                if one.low > sum(kept.values()):
                    return LeftOut(one, _items(others), tuple(sorted(kept)))
    return None


def _excess(found: Sequence[Demand]) -> Excess | None:
    """A demand for more of some symbols than another allows of these and maybe more."""
    for one in found:
        for other in found:
            if other.high is None or one.item == other.item or one.low <= other.high:
                continue
            most = dict(other.times)
            if all(most.get(symbol, 0) >= times for symbol, times in one.times):
                return Excess(one, other)
    return None


def _at_one_position(found: Sequence[Demand]) -> AtOnePosition | None:
    """Two demands on one position that no symbol meets."""
    for one, other in combinations(found, 2):
        first, second = (one, other) if one.low else (other, one)
        if one.place != other.place or not first.low:
            continue
        kept = first.symbols & second.symbols if second.low else first.symbols - second.symbols
        if not kept:
            return AtOnePosition(first, second)
    return None
