"""What each rule does that no other does."""

from itertools import product

import pytest

from cases import cases
from puzzlehunt.codes.constraints import holds
from puzzlehunt.errors import ImpossibleClueError, InvalidClueError
from puzzlehunt.rules.built_in import LettersRule, MarksRule, NearRule, OrderRule, PairsRule

# Matches and letters.


def test_all_letters_in_common_is_not_to_be_right():
    rule = LettersRule(3, 26)
    assert rule.score((0, 1, 2), (2, 1, 0)) == (3,)
    assert rule.score((0, 1, 2), (0, 1, 2)) == (4,) == rule.winning
    clue, won = rule.parse("3", (0, 1, 2)), rule.parse("won", (0, 1, 2))
    assert list(clue) == [(3,)]
    assert list(won) == [(4,)]
    assert rule.wins(won)
    assert not rule.wins(clue)
    assert holds(rule.constraint((0, 1, 2), clue), (2, 1, 0))
    assert not holds(rule.constraint((0, 1, 2), clue), (0, 1, 2))


# Order and near.


def codes(*texts):
    return [tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ".index(c) for c in text) for text in texts]


@pytest.mark.parametrize(("guess", "secret", "marks", "within"), cases("symbols compared"))
def test_symbols_are_compared_by_their_order_or_distance_and_not_around_the_end(
    guess, secret, marks, within
):
    rule = OrderRule(len(guess), 26)
    if within:
        rule = NearRule(len(guess), 26, options={"within": within})
    one, other = codes(guess, secret)
    assert rule.notation.format(rule.notation.full_clue(rule.score(one, other), one)) == marks
    assert list(rule.parse(marks, one)) == [rule.score(one, other)]


# Pairs.


@pytest.mark.parametrize(("guess", "secret", "feedback"), cases("pairs compared"))
def test_pairs_count_in_place_elsewhere_and_halves_in_place(guess, secret, feedback):
    symbols = tuple(map("".join, product("CST", "RGB")))
    one, other = (tuple(map(symbols.index, text.split())) for text in (guess, secret))
    rule = PairsRule(len(one), len(symbols), alphabet=symbols)
    score = rule.score(one, other)
    assert " ".join(map(str, score)) == feedback
    assert list(rule.parse(feedback, one)) == [score]


def test_a_mark_of_pairs_is_one_kind_or_unread():
    rule = PairsRule(2, 4, alphabet=("Ax", "Ay", "Bx", "By"))
    for text in ("[BW].", "B[WH]", "1 black or white"):
        with pytest.raises(InvalidClueError, match="a mark here is one kind or _"):
            rule.parse(text, (0, 1))
    assert list(rule.parse("B_", (0, 1))) == [(1, 0, 0), (1, 0, 1), (1, 1, 0), (2, 0, 0)]


# Marks that no secret gives.


@pytest.mark.parametrize("tiles", ["together", "alone"])
@pytest.mark.parametrize("length", [1, 2, 3, pytest.param(4, marks=pytest.mark.slow)])
def test_marks_are_refused_where_no_secret_gives_them_and_nowhere_else(length, tiles):
    symbols = 2 * length
    rule = MarksRule(length, symbols, options={"tiles": tiles})
    for guess in product(range(min(3, length)), repeat=length):
        given = {rule.score(guess, secret) for secret in product(range(symbols), repeat=length)}
        for digits in product(range(3), repeat=length):
            text = "".join(map(str, digits))
            if digits in given:
                assert list(rule.parse(text, guess)) == [digits]
            else:
                with pytest.raises(ImpossibleClueError, match="no secret could be marked so"):
                    rule.parse(text, guess)
