import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlehunt.codes.alphabet import Alphabet, default_alphabet
from puzzlehunt.codes.constraints import holds
from puzzlehunt.codes.spaces import SymbolSpace
from puzzlehunt.errors import InvalidFactError, SessionError
from puzzlehunt.game.facts import format_pattern, parse_code_fact, value_of
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History

games = st.from_type(Game)
FIVE = default_alphabet(5)
COLOURS = Alphabet(("red", "green", "blue"), {"r": "red"})


def of(text, alphabet=FIVE, length=3):
    """The secrets that a fact leaves, as text."""
    fact = parse_code_fact(text, alphabet, length)
    space = SymbolSpace(alphabet, range(length, length + 1))
    return {alphabet.format(code) for code in space if holds(fact.constraint, code)}


def every(alphabet=FIVE, length=3):
    return {alphabet.format(code) for code in SymbolSpace(alphabet, range(length, length + 1))}


# Histories.


@given(games, st.data())
def test_turns_are_numbered_from_one_whatever_stands_between(game, data):
    history = game.history
    for number, turn in enumerate(history.turns, start=1):
        assert history.turn(number) is turn
    assert len(history) == len(history.turns) + len(history.facts)
    assert tuple(history) == history.items


@given(games.filter(lambda game: game.history.turns), st.data())
def test_a_changed_turn_leaves_all_others_in_place(game, data):
    history = game.history
    number = data.draw(st.integers(1, len(history.turns)))
    changed = history.doubt(number)
    assert changed.turn(number).doubted != history.turn(number).doubted
    assert changed.doubt(number) == history
    assert changed.replace(number, history.turn(number)) == history
    differ = [old != new for old, new in zip(history, changed, strict=True)]
    assert differ.count(True) == 1


@given(games.filter(lambda game: game.history.turns), st.data())
def test_a_dropped_turn_is_gone_and_no_other(game, data):
    history = game.history
    number = data.draw(st.integers(1, len(history.turns)))
    dropped = history.drop(number)
    assert dropped.turns == history.turns[: number - 1] + history.turns[number:]
    assert dropped.facts == history.facts


@given(games)
def test_adding_makes_a_new_history_and_changes_none(game):
    before = game.history.items
    longer = game.history.add(*before)
    assert longer.items == before + before
    assert game.history.items == before


@pytest.mark.parametrize("number", [0, -1, 3])
def test_a_turn_that_is_not_there_is_an_error_that_says_which_are(game_of, number):
    game = game_of("{secret: {symbols: AB, length: 1}, facts: [contains A], turns: [A *, B *]}")
    history = game.history
    for change in (history.turn, history.drop, history.doubt):
        with pytest.raises(SessionError, match=f"no row {number}; there are rows 1 to 2"):
            change(number)
    with pytest.raises(SessionError, match="no row 1; there is no row yet"):
        History(history.facts).drop(1)


# Facts.


@given(games)
def test_a_fact_is_read_back_from_its_text(game):
    for fact in game.history.facts:
        assert game.parse_fact(fact.text) == fact


def test_contains_names_symbols_and_how_often():
    assert of("contains E") == {word for word in every() if "E" in word}
    assert of("contains EE") == of("contains E e") == {w for w in every() if w.count("E") >= 2}
    assert of("contains A, B") == of("CONTAINS ab") == {w for w in every() if {*"AB"} <= {*w}}
    assert of("contains AAA") == {"AAA"}


def test_no_names_symbols_that_are_absent():
    assert of("no A") == of("without a") == {word for word in every() if "A" not in word}
    assert of("no A, B C") == of("no CAB") == {w for w in every() if not {*"ABC"} & {*w}}


def test_distinct_allows_no_symbol_twice():
    assert of("distinct") == {word for word in every() if len({*word}) == 3}


@pytest.mark.parametrize("open_place", ["_", ".", "?"])
def test_a_pattern_names_places(open_place):
    assert of(f"A{open_place}{open_place}") == {word for word in every() if word[0] == "A"}
    assert of(f"{open_place}b{open_place}") == {word for word in every() if word[1] == "B"}


def test_a_place_may_hold_one_of_some_symbols():
    assert of("[AE]_[bc]") == {w for w in every() if w[0] in "AE" and w[2] in "BC"}
    assert of("[AAA]__") == of("A__")


def test_facts_are_written_with_any_alphabet():
    assert of("contains red r", COLOURS) == {
        word for word in every(COLOURS) if word.split("-").count("red") >= 2
    }
    assert of("no green-blue", COLOURS) == {"red-red-red"}
    assert of("r-_-Blue", COLOURS) == {f"red-{s}-blue" for s in COLOURS.symbols}
    assert of("green", COLOURS, 1) == {"green"}


DIGITS = Alphabet(tuple("9850"))
NUMBERS = Alphabet(("10", "2", "300"))


@pytest.mark.parametrize(
    ("text", "alphabet", "values"),
    [
        ("sum 6", FIVE, {"A": 1, "B": 2, "C": 3, "D": 4, "E": 5}),
        ("SUM  3-5", FIVE, {"A": 1, "B": 2, "C": 3, "D": 4, "E": 5}),
        ("sum 15 to 99", FIVE, {"A": 1, "B": 2, "C": 3, "D": 4, "E": 5}),
        ("sum 13", DIGITS, {"9": 9, "8": 8, "5": 5, "0": 0}),
        ("sum 0", DIGITS, {"9": 9, "8": 8, "5": 5, "0": 0}),
        ("sum 20 - 312", NUMBERS, {"10": 10, "2": 2, "300": 300}),
        ("sum 5", COLOURS, {"red": 1, "green": 2, "blue": 3}),
    ],
)
def test_a_sum_adds_digits_or_else_places_in_the_alphabet(text, alphabet, values):
    low, _, high = text.casefold().removeprefix("sum").replace("to", "-").partition("-")
    ends = range(int(low), int(high or low) + 1)
    expected = {
        alphabet.format(code)
        for code in SymbolSpace(alphabet, range(3, 4))
        if sum(values[alphabet.symbols[symbol]] for symbol in code) in ends
    }
    assert expected
    assert of(text, alphabet) == expected
    assert [value_of(alphabet, s) for s in range(len(alphabet))] == [*values.values()]


@pytest.mark.parametrize(
    ("text", "written"),
    [("sum 7", "sum 7"), ("Sum 7-7", "sum 7"), ("sum 7 to 9", "sum 7-9"), ("sum 007", "sum 7")],
)
def test_a_sum_is_written_in_one_way(text, written):
    assert parse_code_fact(text, FIVE, 3).text == written


def test_case_counts_in_facts_where_it_counts_in_codes():
    cased = Alphabet(("a", "A"))
    assert of("contains a", cased, 2) == {"aa", "aA", "Aa"}
    assert of("A_", cased, 2) == {"Aa", "AA"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is no fact; facts are written H__, contains E, no Q, distinct"),
        ("holds E", "is no fact; facts are written"),
        ("contains", "a pattern has 3 places, this has 8"),
        ("contains ,", "names no symbol"),
        ('contains ""', "names no symbol"),
        ("no ,", "names no symbol"),
        ("contains X", "'X' is no symbol"),
        ("no Z", "'Z' is no symbol"),
        ("contains ABCD", "a code has only 3 symbols"),
        ("A_", "a pattern has 3 places, this has 2"),
        ("A__B", "a pattern has 3 places, this has 4"),
        ("A_X", "'X' is no symbol"),
        ("___", "every place is open"),
        ("[]__", r"\[ \] holds the symbols"),
        ("[AB__", r"\[ \] holds the symbols"),
        ("A]_", r"'\]' is no symbol"),
        ("[A_]__", "'_' is no symbol"),
        ("sum", "a pattern has 3 places, this has 3|'S' is no symbol|'s' is no symbol"),
        ("sum x", "is no fact; a sum is written sum 17, or sum 10-20"),
        ("sum -3", "is no fact; a sum is written"),
        ("sum 3-", "is no fact; a sum is written"),
        ("sum 3 4", "is no fact; a sum is written"),
        ("sum 1234567", "is no fact; a sum is written"),
        ("sum 2", "sum 2: the sum of a code is 3 to 15"),
        ("sum 16-20", "sum 16-20: the sum of a code is 3 to 15"),
        ("sum 9-4", "sum 9-4: the sum of a code is 3 to 15"),
    ],
)
def test_what_is_no_fact_is_an_error_that_says_what_is(text, said):
    with pytest.raises(InvalidFactError, match=said) as error:
        parse_code_fact(text, default_alphabet(5), 3)
    assert len(str(error.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("alphabet", "cells", "text"),
    [
        (FIVE, [(0,), (), (4,)], "A_E"),
        (COLOURS, [(), (1,), (2,)], "_-green-blue"),
        (Alphabet(("a", "A")), [(1,), (), ()], "A__"),
    ],
)
def test_a_pattern_is_read_back_from_what_is_written(alphabet, cells, text):
    assert format_pattern(cells, alphabet) == text
    expected = {
        alphabet.format(code)
        for code in SymbolSpace(alphabet, range(3, 4))
        if all(symbol in cell or not cell for symbol, cell in zip(code, cells, strict=True))
    }
    assert of(text, alphabet) == expected


@given(
    st.text("ABab[]_.?-, containsowdt", max_size=14)
    | st.text("0123456789- to", max_size=8).map("sum {}".format)
)
def test_any_text_is_refused_or_a_fact_that_is_read_back(text):
    try:
        fact = parse_code_fact(text, default_alphabet(3), 3)
    except InvalidFactError:
        return
    assert isinstance(fact, Fact)
    assert parse_code_fact(fact.text, default_alphabet(3), 3) == fact
