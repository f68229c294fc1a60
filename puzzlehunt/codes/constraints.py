"""Literals about the secret, and the three node types that every rule's clues come down to.

A rule writes its clue as a tree of `AllOf`, `AnyOf` and `Bound`; each engine translates these
three and knows no rule by name. `holds` is the specification of what they mean.
"""

from dataclasses import dataclass
from typing import TypeAlias

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.boards import BoardSpace, PairSpace
from puzzlehunt.codes.spaces import CodeSpace, SymbolSpace


@dataclass(frozen=True, slots=True)
class At:
    """True if the secret's position (0-based) holds one of the symbols."""

    position: int
    symbols: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AtLeast:
    """True if the symbols occur `times` times or more, all together, in the secret.

    With `places` only those positions (0-based) count: one word of several.
    """

    symbols: tuple[int, ...]
    times: int
    places: range | None = None


Literal: TypeAlias = At | AtLeast
Term: TypeAlias = tuple[int, Literal]


@dataclass(frozen=True, slots=True)
class Bound:
    """True if low <= the sum of the weights of the true literals <= high (None: no bound)."""

    low: int | None
    terms: tuple[Term, ...]
    high: int | None


@dataclass(frozen=True, slots=True)
class AllOf:
    """True if every part is; of no parts: true."""

    parts: tuple["Constraint", ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """True if some part is; of no parts: false."""

    parts: tuple["Constraint", ...]


Constraint: TypeAlias = AllOf | AnyOf | Bound

TRUE = AllOf(())


def require(literal: Literal) -> Bound:
    """Return the constraint that a literal is true."""
    return Bound(1, ((1, literal),), None)


def forbid(literal: Literal) -> Bound:
    """Return the constraint that a literal is false."""
    return Bound(None, ((1, literal),), 0)


def is_true(literal: Literal, secret: Code) -> bool:
    """Return whether a literal is true of a secret; nothing stands beyond the end of a code."""
    if isinstance(literal, At):
        place = literal.position
        return place < len(secret) and secret[place] in literal.symbols
    searched = secret if literal.places is None else [secret[p] for p in literal.places]
    return sum(symbol in literal.symbols for symbol in searched) >= literal.times


def holds(constraint: Constraint, secret: Code) -> bool:
    """Return whether a secret satisfies a constraint: the specification of the three nodes."""
    match constraint:
        case AllOf(parts):
            return all(holds(part, secret) for part in parts)
        case AnyOf(parts):
            return any(holds(part, secret) for part in parts)
        case Bound(low, terms, high):
            total = sum(weight for weight, literal in terms if is_true(literal, secret))
            return (low is None or low <= total) and (high is None or total <= high)


def negated(constraint: Constraint) -> Constraint:
    """Return what is true of just the secrets that a constraint is false of."""
    match constraint:
        case AllOf(parts):
            return AnyOf(tuple(negated(part) for part in parts))
        case AnyOf(parts):
            return AllOf(tuple(negated(part) for part in parts))
        case Bound(low, terms, high):
            below = [] if low is None else [Bound(None, terms, low - 1)]
            above = [] if high is None else [Bound(high + 1, terms, None)]
            return AnyOf((*below, *above))


def shifted(constraint: Constraint, start: int, length: int) -> Constraint:
    """Return what a constraint says, said of the `length` positions from `start` on."""
    match constraint:
        case AllOf(parts):
            return AllOf(tuple(shifted(part, start, length) for part in parts))
        case AnyOf(parts):
            return AnyOf(tuple(shifted(part, start, length) for part in parts))
        case Bound(low, terms, high):
            moved = tuple((weight, _shifted(literal, start, length)) for weight, literal in terms)
            return Bound(low, moved, high)


def _shifted(literal: Literal, start: int, length: int) -> Literal:
    if isinstance(literal, At):
        return At(literal.position + start, literal.symbols)
    places = range(length) if literal.places is None else literal.places
    moved = range(places.start + start, places.stop + start)
    return AtLeast(literal.symbols, literal.times, moved)


def distinct(symbols: int) -> Constraint:
    """Return the constraint that no symbol of an alphabet of that size occurs twice."""
    return AllOf(tuple(forbid(AtLeast((symbol,), 2)) for symbol in range(symbols)))


def space_constraint(space: CodeSpace) -> Constraint:
    """Return what a secret space demands beyond one symbol a position."""
    if isinstance(space, SymbolSpace):
        return distinct(len(space.alphabet)) if space.distinct else TRUE
    if isinstance(space, BoardSpace):
        one, length = space_constraint(space.single_space), space.single_space.lengths[0]
        if one == TRUE:
            return TRUE
        return AllOf(tuple(shifted(one, b * length, length) for b in range(space.boards)))
    if isinstance(space, PairSpace):
        return _of_pairs(space)
    return AnyOf(
        tuple(AllOf(tuple(require(At(p, (s,))) for p, s in enumerate(word))) for word in space)
    )


def _of_pairs(space: PairSpace) -> Constraint:
    """Return what two secrets demand: both from their space, in order, and sharing no symbol."""
    one, length = space_constraint(space.single_space), space.single_space.lengths[0]
    return AllOf((one, shifted(one, length, length), mutual_constraint(space)))


def mutual_constraint(space: PairSpace) -> Constraint:
    """Return what two secrets demand of each other: in order, and sharing no symbol."""
    length, symbols = space.single_space.lengths[0], len(space.alphabet)
    if not space.disjoint:
        return _in_order(length, symbols)
    halves = range(length), range(length, 2 * length)
    apart = [
        Bound(None, tuple((1, AtLeast((s,), 1, half)) for half in halves), 1)
        for s in range(symbols)
    ]
    return AllOf((*apart, Bound(1, _difference(range(1), length, symbols), None)))


def _in_order(length: int, symbols: int) -> Constraint:
    """Return that the first of two secrets comes before the second: as numbers, if they are small.

    Solvers do not add up large numbers without error, or not at all.
    """
    if symbols**length <= _SMALL:
        return Bound(1, _difference(range(length), length, symbols), None)
    return AnyOf(
        tuple(
            AllOf(
                (
                    *(
                        Bound(0, _difference(range(p, p + 1), length, symbols), 0)
                        for p in range(place)
                    ),
                    Bound(1, _difference(range(place, place + 1), length, symbols), None),
                )
            )
            for place in range(length)
        )
    )


def _difference(places: range, length: int, symbols: int) -> tuple[Term, ...]:
    """Return by how much two secrets differ at some places, read as a number."""
    return tuple(
        (sign * symbol * symbols ** (places[-1] - place), At(place + start, (symbol,)))
        for sign, start in ((-1, 0), (1, length))
        for place in places
        for symbol in range(1, symbols)
    )


_SMALL = 10_000
"""Numbers up to this are small."""
