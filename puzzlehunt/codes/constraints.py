"""Constraints on the secret: two kinds of literal, and the three nodes that combine them.

A rule expresses a clue as a tree of `AllOf`, `AnyOf` and `Bound`. Engines translate these three
nodes, so they need to know no rule. The function `holds` defines what the nodes mean.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from puzzlehunt.codes.alphabet import FOREIGN, PAD, Code


@dataclass(frozen=True, slots=True)
class At:
    """True if the secret's position (0-based) holds one of the symbols."""

    position: int
    symbols: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AtLeast:
    """True if the symbols, counted together, occur in the secret at least `times` times."""

    symbols: tuple[int, ...]
    times: int


Literal: TypeAlias = At | AtLeast
Term: TypeAlias = tuple[int, Literal]
"""A literal with its weight in front; weights may be negative."""


@dataclass(frozen=True, slots=True)
class Bound:
    """True if the weights of the true literals add up to at least `low` and at most `high`.

    None instead of `low` or `high` sets no bound there.
    """

    low: int | None
    terms: tuple[Term, ...]
    high: int | None

    @classmethod
    def required(cls, literal: Literal) -> "Bound":
        """Return the constraint that a literal is true."""
        return cls(1, ((1, literal),), None)

    @classmethod
    def forbidden(cls, literal: Literal) -> "Bound":
        """Return the constraint that a literal is false."""
        return cls(None, ((1, literal),), 0)


@dataclass(frozen=True, slots=True)
class AllOf:
    """True if every part is true; without parts, true."""

    parts: tuple["Constraint", ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """True if at least one part is true; without parts, false."""

    parts: tuple["Constraint", ...]


Constraint: TypeAlias = AllOf | AnyOf | Bound

TRUE = AllOf(())
"""The constraint that every secret satisfies."""


def is_true(literal: Literal, secret: Code) -> bool:
    """Return whether a literal is true of a secret; positions beyond its end hold `PAD`."""
    if isinstance(literal, At):
        position = literal.position
        return (secret[position] if position < len(secret) else PAD) in literal.symbols
    return sum(symbol in literal.symbols for symbol in secret) >= literal.times


def holds(constraint: Constraint, secret: Code) -> bool:
    """Return whether a secret satisfies a constraint."""
    match constraint:
        case AllOf(parts):
            return all(holds(part, secret) for part in parts)
        case AnyOf(parts):
            return any(holds(part, secret) for part in parts)
        case Bound(low, terms, high):
            total = sum(weight for weight, literal in terms if is_true(literal, secret))
            return (low is None or low <= total) and (high is None or total <= high)


def negated(constraint: Constraint) -> Constraint:
    """Return the opposite constraint: it holds for exactly those secrets that violate this one."""
    match constraint:
        case AllOf(parts):
            return AnyOf(tuple(negated(part) for part in parts))
        case AnyOf(parts):
            return AllOf(tuple(negated(part) for part in parts))
        case Bound(low, terms, high):
            below = [] if low is None else [Bound(None, terms, low - 1)]
            above = [] if high is None else [Bound(high + 1, terms, None)]
            return AnyOf((*below, *above))


def one_of(codes: Iterable[Code], place: int = 0) -> Constraint:
    """Return the constraint that a code is one of some, of whose symbols it has those from `place`.

    It is an acyclic automaton written out: symbols with the same continuations are one branch.
    """
    continuations = defaultdict[int, list[Code]](list)
    for symbol, *rest in codes:
        continuations[symbol].append(tuple(rest))
    branches = defaultdict[tuple[Code, ...], list[int]](list)
    for symbol, each in continuations.items():
        branches[tuple(each)].append(symbol)
    parts = []
    for rests, symbols in branches.items():
        here = Bound.required(At(place, tuple(symbols)))
        parts.append(here if () in rests else AllOf((here, one_of(rests, place + 1))))
    return AnyOf(tuple(parts)) if len(parts) != 1 else parts[0]


def is_code(code: Code, length: int) -> Constraint:
    """Return the constraint that a secret of up to `length` symbols is a code."""
    ended = (*code, PAD)[:length]
    terms = tuple((1, At(p, (s,))) for p, s in enumerate(ended) if s != FOREIGN)
    return Bound(len(ended), terms, None)


def none_of(codes: Iterable[Code], length: int) -> Constraint:
    """Return the constraint that a secret of up to `length` symbols is none of some codes."""
    return AllOf(tuple(negated(is_code(code, length)) for code in codes))


def distinct_symbols(symbols: int) -> Constraint:
    """Return the constraint that no symbol occurs twice; `symbols` is the size of the alphabet."""
    return AllOf(tuple(Bound.forbidden(AtLeast((symbol,), 2)) for symbol in range(symbols)))
