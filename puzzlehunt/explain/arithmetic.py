"""Why some rows cannot all be right, as arithmetic that a person can check.

Rows demand so many of some symbols, or of some places. Where a few demands add up to more than a
code has, or to less, that is said in a sentence; each demand follows from one row alone.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from puzzlehunt.codes.constraints import AllOf, AnyOf, At, AtLeast, Bound, Constraint
from puzzlehunt.explain.rows import name_places, turn_number
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History

_MOST_TOGETHER = 4
"""Sums of more demands are no longer plain to see."""


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


def arithmetic(game: Game, history: History, places: Iterable[int]) -> str:
    """Return in a sentence why items of a history cannot all be right; empty where it is not plain.

    What it says is true of every secret of the game that agrees with the items it names.
    """
    if game.boards > 1 or game.channel.lies.at_most:
        return ""
    found: list[Demand] = []
    for place in places:
        item = history.items[place]
        told = item.constraint if isinstance(item, Fact) else game.constraint(item)
        found += demands(told, place)
    whole = _strongest([one for one in found if one.place is None])
    words = _Words(game, history)
    return (
        _at_one_place([one for one in found if one.place is not None], words)
        or _too_many(whole, words)
        or _too_few(whole, words)
        or _left_out(whole, words)
        or _more_than_allowed(whole, words)
    )


def _strongest(found: Sequence[Demand]) -> list[Demand]:
    """Return the demands without those for fewer of the same symbols of the same item."""
    most: dict[tuple[int, frozenset[int]], int] = {}
    for one in found:
        key = one.item, one.symbols
        most[key] = max(one.low, most.get(key, 0))
    return [one for one in found if one.low == most[one.item, one.symbols] or one.high is not None]


class _Words:
    """How demands are put in the words of a game."""

    def __init__(self, game: Game, history: History) -> None:
        self.game = game
        self.history = history
        one = all(len(symbol) == 1 and symbol.isalpha() for symbol in game.alphabet.symbols)
        words = game.listing_matters or len(game.alphabet) == len("abcdefghijklmnopqrstuvwxyz")
        self.noun = "letters" if one and words else "symbols"

    def rows(self, items: Iterable[int]) -> str:
        """Return rows as a sentence names them: `rows 2, 3 and 5`."""
        return " and ".join(name_places(self.history, sorted(set(items))).rsplit(", ", 1))

    def verb(self, items: Iterable[int], verb: str) -> str:
        """Return a verb for one row, or for several."""
        return verb if len(set(items)) > 1 else f"{verb}s"

    def symbols(self, symbols: Iterable[int]) -> str:
        return ", ".join(self.game.format_code((symbol,)) for symbol in sorted(symbols))

    def is_turn(self, item: int) -> bool:
        return turn_number(self.history, item) is not None


def _subsets(found: Sequence[Demand]) -> Iterable[tuple[Demand, ...]]:
    for size in range(1, _MOST_TOGETHER + 1):
        yield from combinations(found, size)


def _too_many(found: Sequence[Demand], words: _Words) -> str:
    """Demands on different symbols that add up to more than a code has."""
    length = words.game.length
    for some in _subsets([one for one in found if one.low]):
        total = sum(one.low for one in some)
        apart = sum(len(one.symbols) for one in some) == len(
            frozenset().union(*(one.symbols for one in some))
        )
        if total > length and apart:
            items = [one.item for one in some]
            needs = words.verb(items, "need")
            return f"{words.rows(items)} {needs} at least {total} {words.noun}; a code has {length}"
    return ""


def _too_few(found: Sequence[Demand], words: _Words) -> str:
    """Demands that leave too few symbols for all places."""
    game, every = words.game, frozenset(range(len(words.game.secrets.alphabet)))
    plain = [one for one in found if one.high is not None and _counts_all(one, one.high)]
    for some in _subsets(plain):
        if frozenset().union(*(one.symbols for one in some)) != every:
            continue
        total = sum(one.high or 0 for one in some)
        if total < game.length:
            items = [one.item for one in some]
            allow = words.verb(items, "allow")
            return (
                f"{words.rows(items)} {allow} at most {total} {words.noun} in all; "
                f"a code has {game.length}"
            )
    return ""


def _counts_all(one: Demand, high: int) -> bool:
    """Return whether a demand counts every one of its symbols, however often it occurs."""
    return all(times > high for _, times in one.times)


def _left_out(found: Sequence[Demand], words: _Words) -> str:
    """A demand on symbols of which others exclude too many."""
    none = [one for one in found if one.high == 0]
    for one in found:
        for size in range(1, _MOST_TOGETHER):
            for others in combinations([other for other in none if other.item != one.item], size):
                gone = frozenset().union(*(other.symbols for other in others))
                kept = {symbol: times for symbol, times in one.times if symbol not in gone}
                if one.low > sum(kept.values()):
                    rows = words.rows(other.item for other in others)
                    leaves = words.verb([other.item for other in others], "leave")
                    rest = words.symbols(kept) if kept else "none of them"
                    return (
                        f"{words.rows([one.item])} needs {one.low} of "
                        f"{words.symbols(one.symbols)}; {rows} {leaves} {rest}"
                    )
    return ""


def _more_than_allowed(found: Sequence[Demand], words: _Words) -> str:
    """A demand for more of some symbols than another allows of these and maybe more."""
    for one in found:
        for other in found:
            if other.high is None or one.item == other.item or one.low <= other.high:
                continue
            most = dict(other.times)
            if all(most.get(symbol, 0) >= times for symbol, times in one.times):
                return (
                    f"{words.rows([one.item])} needs {one.low} of {words.symbols(one.symbols)}; "
                    f"{words.rows([other.item])} allows at most {other.high} of "
                    f"{words.symbols(other.symbols)}"
                )
    return ""


def _at_one_place(found: Sequence[Demand], words: _Words) -> str:
    """Two demands on one place."""
    for one, other in combinations(found, 2):
        first, second = (one, other) if one.low else (other, one)
        if one.place != other.place or not first.low:
            continue
        left = first.symbols & second.symbols if second.low else first.symbols - second.symbols
        if not left:
            wants = f"{words.rows([first.item])} puts {words.symbols(first.symbols)}"
            puts = "puts" if second.low else "rules out"
            return (
                f"{wants} at position {(first.place or 0) + 1}; {words.rows([second.item])} "
                f"{puts} {words.symbols(second.symbols)} there"
            )
    return ""
