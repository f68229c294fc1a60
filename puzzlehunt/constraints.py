"""Literals about the secret, and the three node types that every rule's clues come down to.

A rule writes its clue as a tree of `AllOf`, `AnyOf` and `Bound`; each engine translates these
three and knows no rule by name. `holds` is the specification of what they mean.
"""

from dataclasses import dataclass
from typing import TypeAlias

from puzzlehunt.codes import Code, CodeSpace, SymbolSpace


@dataclass(frozen=True, slots=True)
class At:
    """True if the secret's position (0-based) holds one of the symbols."""

    position: int
    symbols: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AtLeast:
    """True if the symbols occur `times` times or more, all together, in the secret."""

    symbols: tuple[int, ...]
    times: int


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


def exactly(literal: Literal) -> Bound:
    """Return the constraint that a literal is true."""
    return Bound(1, ((1, literal),), None)


def never(literal: Literal) -> Bound:
    """Return the constraint that a literal is false."""
    return Bound(None, ((1, literal),), 0)


def true_of(literal: Literal, secret: Code) -> bool:
    """Return whether a literal is true of a secret."""
    if isinstance(literal, At):
        return secret[literal.position] in literal.symbols
    return sum(symbol in literal.symbols for symbol in secret) >= literal.times


def holds(constraint: Constraint, secret: Code) -> bool:
    """Return whether a secret satisfies a constraint: the specification of the three nodes."""
    match constraint:
        case AllOf(parts):
            return all(holds(part, secret) for part in parts)
        case AnyOf(parts):
            return any(holds(part, secret) for part in parts)
        case Bound(low, terms, high):
            total = sum(weight for weight, literal in terms if true_of(literal, secret))
            return (low is None or low <= total) and (high is None or total <= high)


def distinct(symbols: int) -> Constraint:
    """Return the constraint that no symbol of an alphabet of that size occurs twice."""
    return AllOf(tuple(never(AtLeast((symbol,), 2)) for symbol in range(symbols)))


def of_space(space: CodeSpace) -> Constraint:
    """Return what a secret space demands beyond one symbol a position."""
    if isinstance(space, SymbolSpace):
        return distinct(len(space.alphabet)) if space.distinct else TRUE
    return AnyOf(
        tuple(AllOf(tuple(exactly(At(p, (s,))) for p, s in enumerate(word))) for word in space)
    )
