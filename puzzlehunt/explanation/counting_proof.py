"""Proofs by counting that turns and facts contradict each other; a person can check them.

A turn or fact implies a least or a greatest number of occurrences of some symbols, or that a
position holds a symbol. A few such bounds may add up to more symbols than a code has, or to fewer.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, permutations

from puzzlehunt.codes.constraints import AllOf, At, Bound, Constraint
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
    high: int | None = None
    position: int | None = None

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
    placed = [literal for literal in literals if isinstance(literal, At)]
    if not literals or len(literals) < len(constraint.terms) or 0 < len(placed) < len(literals):
        return []
    low, high = max(0, constraint.low or 0), constraint.high
    if placed and (low == len(placed) or high == 0):
        least, most = (1, None) if low else (0, 0)
        return [
            SymbolBound(item, tuple((s, 1) for s in at.symbols), least, most, at.position)
            for at in placed
        ]
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
    return next(chain(_at_positions(bounds), _sums(game, bounds)), None)


def _at_positions(bounds: Sequence[SymbolBound]) -> Iterator[CountingProof]:
    placed = [bound for bound in bounds if bound.position is not None]
    for first, second in permutations(placed, 2):
        is_needed = first.position == second.position and first.low
        among = first.symbols & second.symbols if second.low else first.symbols - second.symbols
        if is_needed and not among:
            yield CountingProof((first,), (second,), 1)


def _sums(game: Game, bounds: Iterable[SymbolBound]) -> Iterator[CountingProof]:
    """Yield the sums of bounds on counts that cannot be met, the plainest first."""
    counts = [bound for bound in bounds if bound.position is None]
    needs = sorted((bound for bound in counts if bound.low), key=lambda bound: -bound.low)
    limits = [bound for bound in counts if bound.high is not None]
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
