"""Numbers in sentences, and lists that say nothing."""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlehunt.engines.base import UNKNOWN, Count
from puzzlehunt.explanation.remaining import Remaining
from puzzlehunt.views.candidates import count_line, rounded, says_nothing

UNITS = {"million": 10**6, "billion": 10**9, "trillion": 10**12}


def number_of(words):
    """The number that some words say."""
    number, _, unit = words.replace(",", "").partition(" ")
    return Fraction(number) * UNITS.get(unit, 1)


@given(st.one_of(st.integers(1, 10**7), st.integers(1, 10**16), st.integers(1, 10**40)))
def test_a_rounded_number_is_nearly_the_number(number):
    words = rounded(number)
    assert abs(number_of(words) - number) * 20 <= number
    assert len(words) <= 12


@given(st.integers(0, 10**18), st.integers(0, 10**18))
def test_counts_are_exact_where_they_are_short(low, more):
    if low < 10**15:
        assert count_line(Count.exactly(low)) == f"{low:,} left"
    assert count_line(Count(low, low + more + 1)).startswith("at most ")
    assert not re.search(r"\d", count_line(UNKNOWN))


@pytest.mark.parametrize(("count", "line"), [
    (Count(5_812_345_678, 6_300_000_000, 6_020_000_000), "about 6 billion left (5.8-6.3 billion)"),
    (Count(7_200, 7_530, 7_362), "about 7,400 left (7,200-7,500)"),
    (Count(990_000, 1_100_000, 10**6), "about 1 million left (990,000-1.1 million)"),
    (Count.exactly(3 * 10**21), "about 3e21 left"),
])  # fmt: skip
def test_an_estimate_has_two_digits_and_its_bounds(count, line):
    assert count_line(count) == line
    assert len(line) <= 42


def test_a_list_of_codes_that_are_all_unlikely_says_nothing():
    code = ((0,),)
    assert says_nothing(Remaining(code, 1_001, more=True))
    assert says_nothing(Remaining(code, None, more=True))
    assert says_nothing(Remaining(code, 30, more=True, chances=(0.0009,)))
    assert not says_nothing(Remaining(code, 1_000, more=True))
    assert not says_nothing(Remaining(code, 30_000, more=True, chances=(0.001,)))
    assert not says_nothing(Remaining(code, None, more=False))
    assert not says_nothing(Remaining(code, None, more=True, stopped=True))
