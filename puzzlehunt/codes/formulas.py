"""Secrets that a formula generates instead of a word list: true equations, primes."""

from collections.abc import Callable, Iterator
from math import isqrt
from typing import TypeAlias

# Equations, as in Nerdle.

_Calculation: TypeAlias = tuple[str, int, int, int]
"""The text of a calculation, and its value (total + term) / divisor as total, term and divisor.

The term is the last product in the text, which a following * or / changes.
"""


def equations(length: int) -> list[str]:
    """Return the true equations of `length` symbols (5 to 10) that are secrets, as in Nerdle.

    The left side is a calculation with at least one of + - * / and the usual precedence. The right
    side is a whole number, 0 or more. No number has a sign or a leading zero, and no number on the
    left is 0. Intermediate results may be fractions or negative. These conventions give the 17,723
    equations of 8 symbols and the 206 of 6 symbols (mini Nerdle) that are published. Raises
    ValueError for other lengths.
    """
    if not 5 <= length <= 10:  # longer ones are too many to list
        raise ValueError(f"equations are listed from 5 symbols (1+2=3) to 10, not of {length}")
    # An equation is a calculation, an operator, a last number, = and a result.
    return [
        equation
        for size in range(1, length - 3)
        for calculation in _calculations(size)
        for digits in range(1, length - size - 2)
        for equation in _completed(calculation, digits, length - size - digits - 2)
    ]


def _calculations(size: int) -> Iterator[_Calculation]:
    for number in _numbers(size):
        yield str(number), 0, number, 1
    for digits in range(1, size - 1):
        for text, total, term, divisor in _calculations(size - digits - 1):
            for number in _numbers(digits):
                yield f"{text}+{number}", total + term, number * divisor, divisor
                yield f"{text}-{number}", total + term, -number * divisor, divisor
                yield f"{text}*{number}", total, term * number, divisor
                yield f"{text}/{number}", total * number, term, divisor * number


def _completed(calculation: _Calculation, digits: int, result_digits: int) -> Iterator[str]:
    """Iterate over the equations that add an operator, a last number and a result to a calculation.

    The last number has `digits` digits, the result `result_digits`.
    """
    text, total, term, divisor = calculation
    first, stop = _numbers(digits).start, _numbers(digits).stop
    # The result is at least `low` and less than `high`.
    low, high = (0 if result_digits == 1 else 10 ** (result_digits - 1)), 10**result_digits
    value, remainder = divmod(total + term, divisor)
    if not remainder:
        for number in range(max(first, low - value), min(stop, high - value)):
            yield f"{text}+{number}={value + number}"
        for number in range(max(first, value - high + 1), min(stop, value - low + 1)):
            yield f"{text}-{number}={value - number}"
    # A number that is larger gives a product that is too large, and a quotient that is not whole.
    most = max(abs(term), (high * divisor + abs(total)) // abs(term))
    for number in range(first, min(stop, most + 1)):
        value, remainder = divmod(total + term * number, divisor)
        if not remainder and low <= value < high:
            yield f"{text}*{number}={value}"
        value, remainder = divmod(total * number + term, divisor * number)
        if not remainder and low <= value < high:
            yield f"{text}/{number}={value}"


def _numbers(digits: int) -> range:
    return range(10 ** (digits - 1), 10**digits)


# Primes, as in Primel.


def primes(length: int) -> list[str]:
    """Return the primes of `length` digits, ascending. Raises ValueError unless 1 to 7 digits."""
    if not 1 <= length <= 7:  # longer ones are too many to list
        raise ValueError(f"primes are listed from 1 digit to 7, not of {length}")
    stop = 10**length
    # The sieve of Eratosthenes.
    is_prime = bytearray([1]) * stop
    is_prime[:2] = bytes(2)
    for factor in range(2, isqrt(stop) + 1):
        if is_prime[factor]:
            multiples = range(factor * factor, stop, factor)
            is_prime[multiples.start :: factor] = bytes(len(multiples))
    return [str(number) for number in range(stop // 10, stop) if is_prime[number]]


FORMULAS: dict[str, tuple[str, Callable[[int], list[str]]]] = {
    "equations": ("0123456789+-*/=", equations),
    "primes": ("0123456789", primes),
}
"""The symbols of each formula, and the function that returns its secrets of a length as texts."""
