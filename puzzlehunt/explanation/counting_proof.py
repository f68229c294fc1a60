"""Proofs by counting that turns and facts contradict each other; a person can check them.

A turn or fact implies a least or a greatest number of occurrences of some symbols, or that a
position holds a symbol. A few such bounds may add up to more symbols than a code has, or to fewer.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from puzzlehunt.codes.constraints import AllOf, AnyOf, At, AtLeast, Constraint
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History, ItemName, in_order

_MOST_SUMMED = 4
"""Cap on bounds in one sum: a person can still check it."""


@dataclass(frozen=True, slots=True)
class SymbolBound:
    """A bound that one item implies: its symbols occur `low` to `high` times in the secret.

    `item` is the number (from 1) of a turn, or a fact. `times` are pairs (symbol, greatest number
    of its occurrences that count). `high` is None if there is no upper bound. If `position` (from
    0) is set, the bound is on that position alone: it holds one of the symbols (`low` is 1), or
    none of them (`high` is 0).
    """

    item: ItemName
    times: tuple[tuple[int, int], ...]
    low: int
    high: int | None
    position: int | None = None

    @property
    def symbols(self) -> frozenset[int]:
        """The symbols whose occurrences are counted."""
        return frozenset(symbol for symbol, _ in self.times)


def symbol_bounds(constraint: Constraint, item: ItemName) -> list[SymbolBound]:
    """Return the bounds that follow from an item's constraint, as far as its weights are 1."""
    if isinstance(constraint, AllOf | AnyOf):
        all_hold = isinstance(constraint, AllOf) or len(constraint.parts) == 1
        parts = constraint.parts if all_hold else ()
        return [bound for part in parts for bound in symbol_bounds(part, item)]
    if any(weight != 1 for weight, _ in constraint.terms) or not constraint.terms:
        return []
    low, size = max(0, constraint.low or 0), len(constraint.terms)
    counts = [literal for _, literal in constraint.terms if isinstance(literal, AtLeast)]
    positions = [literal for _, literal in constraint.terms if isinstance(literal, At)]
    if size == len(counts):
        return _on_counts(counts, low, constraint.high, item)
    return _on_positions(positions, low, constraint.high, item) if size == len(positions) else []


def _on_counts(
    literals: Sequence[AtLeast], low: int, high: int | None, item: ItemName
) -> list[SymbolBound]:
    """Return the bound on symbols of a constraint on `AtLeast` literals of one symbol each.

    [] where the literals of a symbol are not "at least 1", "at least 2", ... without a gap: only
    such literals add up to its occurrences.
    """
    if any(len(literal.symbols) > 1 for literal in literals):
        return []
    times = Counter(literal.symbols[0] for literal in literals)
    steps = {s: {one.times for one in literals if one.symbols == (s,)} for s in times}
    if any(numbers != set(range(1, len(numbers) + 1)) for numbers in steps.values()):
        return []
    upper = None if high is None or high >= len(literals) else high
    bound = SymbolBound(item, tuple(sorted(times.items())), low, upper)
    return [bound] if low or upper is not None else []


def _on_positions(
    literals: Sequence[At], low: int, high: int | None, item: ItemName
) -> list[SymbolBound]:
    """Return the bounds on symbols of a constraint on `At` literals.

    Where all or none of the literals must be true, there is a bound on each position; else literals
    of one symbol each bound from below how often those symbols occur.
    """
    if low == len(literals) or high == 0:
        least, most = (1, None) if low else (0, 0)
        return [
            SymbolBound(item, tuple((s, 1) for s in at.symbols), least, most, at.position)
            for at in literals
        ]
    if low and all(len(at.symbols) == 1 for at in literals):
        needed = Counter(at.symbols[0] for at in literals)
        return [SymbolBound(item, tuple(sorted(needed.items())), low, None)]
    return []


@dataclass(frozen=True, slots=True)
class TooMany:
    """The `items` together need `total` symbols, more than a code has positions."""

    items: tuple[ItemName, ...]
    total: int


@dataclass(frozen=True, slots=True)
class TooFew:
    """The `items` together allow `total` symbols, fewer than a code has positions."""

    items: tuple[ItemName, ...]
    total: int


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A lower bound that cannot be met, because other items exclude too many of its symbols.

    `others` are those items; `kept` are the symbols of the bound that they do not exclude.
    """

    bound: SymbolBound
    others: tuple[ItemName, ...]
    kept: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Excess:
    """A lower bound on symbols above `limit`, an upper bound on the same and perhaps others."""

    bound: SymbolBound
    limit: SymbolBound


@dataclass(frozen=True, slots=True)
class AtOnePosition:
    """Two bounds on one position that no symbol meets; `first` requires one of its symbols."""

    first: SymbolBound
    second: SymbolBound


CountingProof: TypeAlias = TooMany | TooFew | LeftOut | Excess | AtOnePosition
"""A proof that turns, given by their numbers (from 1), and facts contradict each other."""


def counting_proof(game: Game, history: History, names: Iterable[ItemName]) -> CountingProof | None:
    """Return a proof that some items contradict each other; None if no sum is one.

    No secret agrees with all the items that the proof names.
    """
    if game.boards > 1 or game.channel.lies.at_most or game.rule.no_constraint:
        return None
    if game.names_codes:
        return None  # its symbols are no parts of a code
    all_bounds: list[SymbolBound] = []
    for name in names:
        item = history.item(name)
        constraint = item.constraint if isinstance(item, Fact) else game.constraint(item)
        all_bounds += symbol_bounds(constraint, name)
    counts = _strongest([bound for bound in all_bounds if bound.position is None])
    return (
        _at_one_position([bound for bound in all_bounds if bound.position is not None])
        or _too_many(counts, game.length)
        or _too_few(counts, game.length, len(game.secrets.alphabet))
        or _left_out(counts)
        or _excess(counts)
    )


def _strongest(some: Sequence[SymbolBound]) -> list[SymbolBound]:
    """Return the bounds whose lower bound no bound of the same item and symbols exceeds."""
    lows: dict[tuple[ItemName, frozenset[int]], int] = {}
    for bound in some:
        key = bound.item, bound.symbols
        lows[key] = max(bound.low, lows.get(key, 0))
    return [
        bound
        for bound in some
        if bound.low == lows[bound.item, bound.symbols] or bound.high is not None
    ]


def _subsets(some: Sequence[SymbolBound]) -> Iterable[tuple[SymbolBound, ...]]:
    for size in range(1, _MOST_SUMMED + 1):
        yield from combinations(some, size)


def _items(some: Iterable[SymbolBound]) -> tuple[ItemName, ...]:
    return in_order(bound.item for bound in some)


def _too_many(some: Sequence[SymbolBound], length: int) -> TooMany | None:
    for summed in _subsets([bound for bound in some if bound.low]):
        total = sum(bound.low for bound in summed)
        different = frozenset().union(*(bound.symbols for bound in summed))
        if total > length and sum(len(bound.symbols) for bound in summed) == len(different):
            return TooMany(_items(summed), total)
    return None


def _too_few(some: Sequence[SymbolBound], length: int, symbols: int) -> TooFew | None:
    every = frozenset(range(symbols))
    # No symbol can then occur more often than the bound says, counted or not.
    limits = [d for d in some if d.high is not None and all(times > d.high for _, times in d.times)]
    for summed in _subsets(limits):
        total = sum(bound.high or 0 for bound in summed)
        if total < length and frozenset().union(*(bound.symbols for bound in summed)) == every:
            return TooFew(_items(summed), total)
    return None


def _left_out(some: Sequence[SymbolBound]) -> LeftOut | None:
    exclusions = [bound for bound in some if bound.high == 0]
    for bound in some:
        foreign = [exclusion for exclusion in exclusions if exclusion.item != bound.item]
        for size in range(1, _MOST_SUMMED):
            for others in combinations(foreign, size):
                excluded = frozenset().union(*(other.symbols for other in others))
                kept = {symbol: times for symbol, times in bound.times if symbol not in excluded}
                if bound.low > sum(kept.values()):
                    return LeftOut(bound, _items(others), tuple(sorted(kept)))
    return None


def _excess(some: Sequence[SymbolBound]) -> Excess | None:
    for bound in some:
        for limit in some:
            if limit.high is None or bound.item == limit.item or bound.low <= limit.high:
                continue
            counted = dict(limit.times)
            if all(counted.get(symbol, 0) >= times for symbol, times in bound.times):
                return Excess(bound, limit)
    return None


def _at_one_position(some: Sequence[SymbolBound]) -> AtOnePosition | None:
    for one, other in combinations(some, 2):
        first, second = (one, other) if one.low else (other, one)
        if one.position != other.position or not first.low:
            continue
        kept = first.symbols & second.symbols if second.low else first.symbols - second.symbols
        if not kept:
            return AtOnePosition(first, second)
    return None
