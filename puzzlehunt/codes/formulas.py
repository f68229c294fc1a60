"""Secrets that a formula generates, where no list names them: true equations, primes."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import TypeAlias

from puzzlehunt.errors import unknown_name


@dataclass(frozen=True, slots=True)
class Formula:
    """A kind of secret: its symbols, its secrets of each length, and what may be guessed.

    `secrets` returns all secrets of a length, sorted by the places of their symbols; it raises
    ValueError for a length that has none or too many. `trouble` returns why a text may not be
    guessed, in one line, and None if it may.
    """

    name: str
    symbols: str
    secrets: Callable[[int], list[str]]
    trouble: Callable[[str], str | None]


def find_formula(name: str) -> Formula:
    """Return the formula of a name; raises UnknownNameError."""
    if name not in FORMULAS:
        raise unknown_name("formula", name, FORMULAS)
    return FORMULAS[name]


# Equations, as in Nerdle.

_EQUATION_SYMBOLS = "0123456789+-*/="
_EQUATION_LENGTHS = range(5, 11)
_PLACES = str.maketrans(_EQUATION_SYMBOLS, "".join(map(chr, range(len(_EQUATION_SYMBOLS)))))
_SIGNED_NUMBER = re.compile("[+-]*[0-9]+")

_Calculation: TypeAlias = tuple[str, int, int, int]
"""Text, total, term, divisor: the value is (total + term) / divisor, the term may still grow."""


def equations(length: int) -> list[str]:
    """Return the true equations of a length, 5 to 10, that Nerdle draws its secrets from.

    Left of = stands a calculation with at least one of + - * / and the usual precedence, right
    of it a whole number of 0 or more. No number has a sign or a leading zero. No number on the
    left is 0, but the one on the right may be; fractions and negative numbers may come up on the
    way. These conventions give the published 17,723 equations of 8 symbols, and 206 of 6 (mini
    Nerdle). Raises ValueError for other lengths.
    """
    if length < _EQUATION_LENGTHS.start:
        raise ValueError(
            f"no equation has {length} symbols: the shortest have "
            f"{_EQUATION_LENGTHS.start}, as 1+2=3 has"
        )
    if length not in _EQUATION_LENGTHS:
        raise ValueError(
            f"there are too many equations of {length} symbols to list; "
            f"the longest listed have {_EQUATION_LENGTHS[-1]}"
        )
    found = [
        equation
        for size in range(1, length - 3)
        for begun in _calculations(size)
        for digits in range(1, length - size - 2)
        for equation in _completed(begun, digits, length - size - digits - 2)
    ]
    return sorted(found, key=lambda text: text.translate(_PLACES))


def _calculations(size: int) -> Iterator[_Calculation]:
    """Iterate over all calculations of a size; a lone number is one."""
    for number in _numbers(size):
        yield str(number), 0, number, 1
    for digits in range(1, size - 1):
        for text, total, term, divisor in _calculations(size - digits - 1):
            for number in _numbers(digits):
                yield f"{text}+{number}", total + term, number * divisor, divisor
                yield f"{text}-{number}", total + term, -number * divisor, divisor
                yield f"{text}*{number}", total, term * number, divisor
                yield f"{text}/{number}", total * number, term, divisor * number


def _completed(begun: _Calculation, digits: int, places: int) -> Iterator[str]:
    """Iterate over the equations with one more number, of some digits, and a result of some places.

    Each operator bounds the number by the results that fit, so that few are tried in vain.
    """
    text, total, term, divisor = begun
    first, stop = _numbers(digits).start, _numbers(digits).stop
    low, high = (0 if places == 1 else 10 ** (places - 1)), 10**places
    value, rest = divmod(total + term, divisor)
    if not rest:
        for number in range(max(first, low - value), min(stop, high - value)):
            yield f"{text}+{number}={value + number}"
        for number in range(max(first, value - high + 1), min(stop, value - low + 1)):
            yield f"{text}-{number}={value - number}"

    least, most = low * divisor - total, high * divisor - total - 1
    if term < 0:
        least, most = -most, -least
    for number in range(max(first, -(-least // abs(term))), min(stop, most // abs(term) + 1)):
        value, rest = divmod(total + term * number, divisor)
        if not rest:
            yield f"{text}*{number}={value}"

    above = high * divisor - total
    if above > 0:
        first = max(first, term // above + 1)
    # The number divides the term: their quotient is a difference of whole numbers, and not 0.
    for number in range(first, min(stop, abs(term) + 1)):
        value, rest = divmod(total * number + term, divisor * number)
        if not rest and low <= value < high:
            yield f"{text}/{number}={value}"


def _numbers(digits: int) -> range:
    """Return the numbers of so many digits, without 0."""
    return range(10 ** (digits - 1), 10**digits)


def equation_trouble(text: str) -> str | None:
    """Return why a text is no true equation, None if it is one.

    Wider than the secrets: numbers may be 0 and have signs and leading zeros, and left of = may
    stand a lone number.
    """
    foreign = next((c for c in text if c not in _EQUATION_SYMBOLS), None)
    if foreign is not None:
        return f"{foreign!r} is no symbol of an equation"
    left, equals, right = text.partition("=")
    if not equals or "=" in right:
        return f"{text or 'nothing'}: an equation has one ="
    try:
        value, result = _value(left, "="), _value(right, "the end")
    except (ValueError, ZeroDivisionError) as error:
        return f"{text}: {error}"
    if not _SIGNED_NUMBER.fullmatch(right):
        return f"{text}: right of = stands a number, not another calculation"
    if value != result:
        return f"{text}: {left} is {value}, not {right}"
    return None


def _value(text: str, end: str) -> Fraction:
    """Return the exact value of a calculation; raises ValueError and ZeroDivisionError."""
    total, term, operator, at = Fraction(0), Fraction(0), "+", 0
    while True:
        match = _SIGNED_NUMBER.match(text, at)
        if match is None:
            lacking = text[at:].lstrip("+-")[:1] or end
            raise ValueError(f"a number is missing before {lacking}")
        number = Fraction(match[0].lstrip("+-"))
        if match[0].count("-") % 2:
            number = -number
        if operator == "*":
            term *= number
        elif operator == "/":
            if not number:
                raise ZeroDivisionError("division by zero")
            term /= number
        else:
            total, term = total + term, -number if operator == "-" else number
        at = match.end()
        if at == len(text):
            return total + term
        operator, at = text[at], at + 1


# Primes, as in Primel.

_DIGITS = "0123456789"
_PRIME_LENGTHS = range(1, 8)


def primes(length: int) -> list[str]:
    """Return the primes of so many digits, 1 to 7; raises ValueError for other lengths."""
    if length < _PRIME_LENGTHS.start:
        raise ValueError(f"no prime has {length} digits")
    if length not in _PRIME_LENGTHS:
        raise ValueError(
            f"there are too many primes of {length} digits to list; "
            f"the longest listed have {_PRIME_LENGTHS[-1]}"
        )
    stop = 10**length
    prime = bytearray([1]) * stop
    prime[:2] = bytes(2)
    for factor in range(2, isqrt(stop) + 1):
        if prime[factor]:
            multiples = range(factor * factor, stop, factor)
            prime[multiples.start :: factor] = bytes(len(multiples))
    return [str(number) for number in range(stop // 10, stop) if prime[number]]


def prime_trouble(text: str) -> str | None:
    """Return why a text is no prime of at most 7 digits, None if it is one."""
    foreign = next((c for c in text if c not in _DIGITS), None)
    if foreign is not None:
        return f"{foreign!r} is no digit"
    if len(text) not in _PRIME_LENGTHS:
        return (
            f"{text or 'nothing'}: a prime has {_PRIME_LENGTHS[0]} to {_PRIME_LENGTHS[-1]} digits"
        )
    if text[0] == "0" and len(text) > 1:
        return f"{text}: a number does not begin with 0"
    number = int(text)
    if number < 2:
        return f"{text} is not prime: the least prime is 2"
    factor = next((f for f in range(2, isqrt(number) + 1) if number % f == 0), None)
    return None if factor is None else f"{text} is not prime: {factor} x {number // factor}"


FORMULAS: dict[str, Formula] = {
    formula.name: formula
    for formula in (
        Formula("equations", _EQUATION_SYMBOLS, equations, equation_trouble),
        Formula("primes", _DIGITS, primes, prime_trouble),
    )
}
"""The formulas by name."""
