"""Sums of literals that several rules count: symbols in place, and symbols in common."""

from collections import Counter
from collections.abc import Iterable

from puzzlehunt.codes.alphabet import FOREIGN, Code
from puzzlehunt.codes.constraints import At, AtLeast, Literal, Term


def sum_terms(*sums: Iterable[Term]) -> tuple[Term, ...]:
    """Return the terms of the total of some sums.

    Each literal occurs once, with its weights added up; literals of weight 0 are left out.
    """
    weights: Counter[Literal] = Counter()
    for terms in sums:
        for weight, literal in terms:
            weights[literal] += weight
    return tuple((weight, literal) for literal, weight in weights.items() if weight)


def in_place(guess: Code) -> tuple[Term, ...]:
    """Return the terms whose sum is the number of a guess's symbols that are in place."""
    return tuple((1, At(p, (s,))) for p, s in enumerate(guess) if s != FOREIGN)


def in_common(guess: Code) -> tuple[Term, ...]:
    """Return the terms whose sum is the number of symbols that guess and secret have in common."""
    times = Counter(s for s in guess if s != FOREIGN)
    return tuple((1, AtLeast((s,), j)) for s in sorted(times) for j in range(1, times[s] + 1))
