"""Proofs by counting that turns and facts contradict each other; a person can check them.

A turn or fact implies a least or a greatest number of occurrences of some symbols, or that a
position holds a symbol. A few such bounds may add up to more symbols than a code has, or to fewer.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import TypeAlias

from puzzlehunt.codes.constraints import AllOf, AnyOf, At, AtLeast, Constraint
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History, ItemName

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
class CountingProof:
    """Bounds that cannot all be met: `needs` are more symbols than `allows` leave.

    Without `needs`, a code needs a symbol at each of its positions; without `allows`, it has no
    more positions. `total` is what `needs` sum up to or, without them, `allows`. `kept` are the
    symbols of `needs` that `allows` do not limit. The bounds may be on one position; the second may
    then need other symbols than the first.
    """

    needs: tuple[SymbolBound, ...]
    allows: tuple[SymbolBound, ...]
    total: int
    kept: tuple[int, ...] = ()


def counting_proof(game: Game, history: History, names: Iterable[ItemName]) -> CountingProof | None:
    """Return a proof that some items contradict each other; None if no sum is one.

    No secret agrees with all the items that the proof names.
    """
    if game.boards > 1 or game.channel.lies.at_most or game.rule.no_constraint:
        return None
    if game.names_codes:
        return None  # its symbols are no parts of a code
    bounds: list[SymbolBound] = []
    for name in names:
        item = history.item(name)
        constraint = item.constraint if isinstance(item, Fact) else game.constraint(item)
        bounds += symbol_bounds(constraint, name)
    counts = _strongest([bound for bound in bounds if bound.position is None])
    every = dict.fromkeys(range(len(game.secrets.alphabet)), game.length)
    sums = (_sum(needs, allows, every, game.length) for needs, allows in _choices(counts))
    places = combinations([bound for bound in bounds if bound.position is not None], 2)
    at_positions = (_at_one_position(one, other) for one, other in places)
    return next((proof for proof in chain(at_positions, sums) if proof), None)


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


_Bounds: TypeAlias = tuple[SymbolBound, ...]


def _choices(some: Sequence[SymbolBound]) -> Iterator[tuple[_Bounds, _Bounds]]:
    """Iterate over lower bounds and upper bounds to be summed, the plainest sums first."""
    needs = [bound for bound in some if bound.low]
    limits = [bound for bound in some if bound.high is not None]
    exclusions = [bound for bound in limits if bound.high == 0]
    yield from ((chosen, ()) for chosen in _subsets(needs, _MOST_SUMMED))
    yield from (((), chosen) for chosen in _subsets(limits, _MOST_SUMMED))
    for need in needs:
        yield from (((need,), chosen) for chosen in _subsets(exclusions, _MOST_SUMMED - 1))
    yield from (((need,), (limit,)) for need in needs for limit in limits)


def _subsets(some: Sequence[SymbolBound], most: int) -> Iterator[_Bounds]:
    return chain.from_iterable(combinations(some, size) for size in range(1, most + 1))


def _sum(
    needs: _Bounds, allows: _Bounds, every: Mapping[int, int], length: int
) -> CountingProof | None:
    """Return the proof that bounds on counts are; None if they can all be met.

    `every` maps each symbol of the game to how often a code can have it.
    """
    asked = dict(pair for bound in needs for pair in bound.times) or {**every}
    is_counted_twice = len(asked) < sum(len(bound.times) for bound in needs)
    if is_counted_twice or {bound.item for bound in needs} & {bound.item for bound in allows}:
        return None
    kept: tuple[int, ...] = ()
    needed, allowed = sum(bound.low for bound in needs) if needs else length, length
    if allows:
        most = sum(bound.high or 0 for bound in allows)
        kept = tuple(sorted(asked.keys() - _limited(allows, asked)))
        allowed = most + sum(asked[symbol] for symbol in kept)
        if most and kept:
            return None  # nobody could check that at a glance
    total = needed if needs else allowed
    return CountingProof(needs, allows, total, kept) if needed > allowed else None


def _limited(allows: _Bounds, asked: Mapping[int, int]) -> set[int]:
    """Return the symbols of which the bounds count every occurrence, or as many as are asked."""
    return {
        symbol
        for bound in allows
        for symbol, times in bound.times
        if symbol in asked and (times >= asked[symbol] or times > (bound.high or 0))
    }


def _at_one_position(one: SymbolBound, other: SymbolBound) -> CountingProof | None:
    first, second = (one, other) if one.low else (other, one)
    if one.position != other.position or not first.low:
        return None
    kept = first.symbols & second.symbols if second.low else first.symbols - second.symbols
    return None if kept else CountingProof((first,), (second,), 1)
