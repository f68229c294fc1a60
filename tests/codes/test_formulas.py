import re
from fractions import Fraction
from functools import cache
from itertools import product
from math import isqrt

import pytest

from puzzlehunt.codes.formulas import equations, primes

secrets = cache(equations)


def value(calculation: str) -> Fraction:
    """Python's own reading of a calculation, in exact numbers."""
    exact = re.sub("[0-9]+", lambda number: f"Fraction({int(number[0])})", calculation)
    return Fraction(eval(exact, {"Fraction": Fraction}))


def by_brute_force(length: int) -> set[str]:
    """The secrets of a length, from all texts that could be their left side."""
    well_formed = re.compile("[1-9][0-9]*([-+*/][1-9][0-9]*)+")
    found = set()
    for size in range(length - 1):
        for symbols in product("0123456789+-*/", repeat=size):
            left = "".join(symbols)
            if well_formed.fullmatch(left):
                equation = f"{left}={value(left)}"
                if len(equation) == length and equation.rpartition("=")[2].isdigit():
                    found.add(equation)
    return found


# The secrets.


@pytest.mark.parametrize(("length", "count"), [(5, 127), (6, 206), (7, 6661), (8, 17723)])
def test_there_are_as_many_equations_as_nerdle_has(length: int, count: int) -> None:
    assert len(secrets(length)) == len(set(secrets(length))) == count


@pytest.mark.parametrize("length", [5, 6])
def test_equations_are_those_found_by_brute_force(length: int) -> None:
    assert set(secrets(length)) == by_brute_force(length)


@pytest.mark.parametrize("length", range(1, 5))
def test_primes_are_the_numbers_without_factors(length: int) -> None:
    numbers = range(max(2, 10 ** (length - 1)), 10**length)
    free = [n for n in numbers if all(n % factor for factor in range(2, isqrt(n) + 1))]
    assert list(map(int, primes(length))) == free


@pytest.mark.slow
def test_long_equations_are_counted() -> None:
    assert len(set(equations(9))) == 287_288
