"""Marks, written a second time, and clues that no secret gives."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlehunt.errors import ImpossibleClueError
from puzzlehunt.rules.built_in import MarksRule


def marks_letter_by_letter(guess, secret):
    """Each letter gets as many marks as both have of it: its right tiles first, then from left."""
    marks = [0] * len(guess)
    for letter in set(guess):
        places = [p for p in range(len(guess)) if guess[p] == letter]
        right = [p for p in places if secret[p] == letter]
        others = [p for p in places if p not in right]
        elsewhere = others[: max(0, secret.count(letter) - len(right))]
        for place in right:
            marks[place] = 2
        for place in elsewhere:
            marks[place] = 1
    return tuple(marks)


@given(
    st.integers(1, 8).flatmap(lambda n: st.tuples(*[st.text("ABC", min_size=n, max_size=n)] * 2))
)
def test_marks_are_those_that_a_second_writing_of_the_rule_gives(pair):
    guess, secret = pair
    assert MarksRule(len(guess), 26).score(guess, secret) == marks_letter_by_letter(guess, secret)


@pytest.mark.parametrize("length", [1, 2, 3, pytest.param(4, marks=pytest.mark.slow)])
def test_marks_are_refused_where_no_secret_gives_them_and_nowhere_else(length):
    symbols = 2 * length
    rule = MarksRule(length, symbols)
    for guess in product(range(min(3, length)), repeat=length):
        given = {rule.score(guess, secret) for secret in product(range(symbols), repeat=length)}
        for digits in product(range(3), repeat=length):
            text = "".join(map(str, digits))
            if digits in given:
                assert list(rule.parse(text, guess)) == [digits]
            else:
                with pytest.raises(ImpossibleClueError, match="no secret could be marked so"):
                    rule.parse(text, guess)
