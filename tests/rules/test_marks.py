"""Marks, written a second time."""

from hypothesis import given
from hypothesis import strategies as st

from puzzlehunt.rules.marks import score


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
    assert score(guess, secret) == marks_letter_by_letter(guess, secret)
