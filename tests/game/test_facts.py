"""What is known of the secret from elsewhere: how it is written, and what it leaves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import cases
from puzzlehunt import load
from puzzlehunt.codes.alphabet import Alphabet, default_alphabet
from puzzlehunt.codes.constraints import holds
from puzzlehunt.codes.spaces import SymbolSpace
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game import meaning
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History
from puzzlehunt.rules.built_in import MatchesRule
from random_games import game_of

FIVE = default_alphabet(5)
COLOURS = Alphabet(("red", "green", "blue"), {"r": "red"})


def parsed(text, alphabet, length):
    space = SymbolSpace(alphabet, range(length, length + 1))
    return Game("", space, space, MatchesRule(length, len(alphabet))).parse_fact(text)


def of(text, alphabet=FIVE, length=3):
    """The secrets that a fact leaves, as text."""
    fact = parsed(text, alphabet, length)
    space = SymbolSpace(alphabet, range(length, length + 1))
    return {alphabet.format(code) for code in space if holds(fact.constraint, code)}


def every(alphabet=FIVE, length=3):
    return {alphabet.format(code) for code in SymbolSpace(alphabet, range(length, length + 1))}


@pytest.mark.parametrize(
    ("texts", "fits"),
    [
        (["contains E"], lambda w: "E" in w),
        (["contains EE", "contains E e"], lambda w: w.count("E") >= 2),
        (["contains A, B", "CONTAINS a and b", "contains A & B"], lambda w: {*"AB"} <= {*w}),
        (["contains AAA"], lambda w: w == "AAA"),
        (["contains E or A"], lambda w: {*"AE"} & {*w}),
        (["contains EE or A"], lambda w: w.count("E") > 1 or "A" in w),
        (["no A", "without a"], lambda w: "A" not in w),
        (["no A, B C", "no C or A and b", "no A-C", "no A nor C,B"], lambda w: not {*"ABC"} & {*w}),
        (["distinct", "no repeats", "without repeats"], lambda w: len({*w}) == 3),
        (["repeats"], lambda w: len({*w}) < 3),
        (["repeats E"], lambda w: w.count("E") > 1),
        (["repeats E or A"], lambda w: w.count("E") > 1 or w.count("A") > 1),
        (["no repeats E"], lambda w: w.count("E") < 2),
        (["A__", "A..", "A??", "[AAA]__", "starts with A", "begins with a"], lambda w: w[0] == "A"),
        (["_b_", ".b.", "?b?"], lambda w: w[1] == "B"),
        (["[AE]_[bc]"], lambda w: w[0] in "AE" and w[2] in "BC"),
        (["ends with E or A-B"], lambda w: w[-1] in "ABE"),
        (["not ABC"], lambda w: w != "ABC"),
        (["not [A-C]__"], lambda w: w[0] not in "ABC"),
    ],
)
def test_a_fact_leaves_the_codes_that_fit_it(texts, fits):
    expected = {word for word in every() if fits(word)}
    assert [of(text) == expected for text in texts] == [True] * len(texts)


@pytest.mark.parametrize(
    ("texts", "fits"),
    [
        (["A__", "a.."], lambda w: len(w) == 3 and w[0] == "A"),
        (["__", "..", "??"], lambda w: len(w) == 2),
        (["___"], lambda w: len(w) == 3),
        (["____"], lambda w: len(w) == 4),
        (["[AE]__[bc]"], lambda w: len(w) == 4 and w[0] in "AE" and w[3] in "BC"),
        (["_b"], lambda w: len(w) == 2 and w[1] == "B"),
        (["starts with A"], lambda w: w[0] == "A"),
        (["ends with E or A-B"], lambda w: w[-1] in "ABE"),
        (["not AB"], lambda w: w != "AB"),
        (["not A__"], lambda w: len(w) != 3 or w[0] != "A"),
        (["contains EEE"], lambda w: w.count("E") >= 3),
        (["no repeats"], lambda w: len({*w}) == len(w)),
    ],
)
def test_a_pattern_of_words_of_several_lengths_says_how_long_they_are(texts, fits):
    words = [word for length in (2, 3, 4) for word in sorted(every(length=length))]
    game = game_of({"secret": {"words": words, "length": "2-4"}})
    for text in texts:
        said = game.parse_fact(text).constraint
        assert [w for w in words if holds(said, FIVE.parse(w))] == [*filter(fits, words)]
    with pytest.raises(PuzzlehuntError, match="a pattern has 2 to 4 places, this has 5"):
        game.parse_fact("A____")


@pytest.mark.parametrize(
    ("texts", "fits"),
    [
        (["contains red r"], lambda word: word.count("red") >= 2),
        (["no green or blue"], lambda word: word == ["red"] * 3),
        (["[red,blue]-_-_", "[r blue] _ _"], lambda word: word[0] != "green"),
        (["not green-_-_", "starts with red or blue"], lambda word: word[0] != "green"),
        (["r-_-Blue"], lambda word: (word[0], word[2]) == ("red", "blue")),
        (["not red green blue"], lambda word: word != ["red", "green", "blue"]),
    ],
)
def test_facts_are_written_with_any_alphabet(texts, fits):
    expected = {word for word in every(COLOURS) if fits(word.split("-"))}
    assert [of(text, COLOURS) == expected for text in texts] == [True] * len(texts)


def test_squares_without_a_guess_are_those_of_some_guess():
    secret = {"symbols": "ABC", "words": ["ABCA", "BBAC", "CACA", "AAAB", "BCCC"]}
    guess = {"words": ["ABCA", "CABB", "BCBC", "AABA"]}
    game = game_of({"secret": secret, "guess": guess, "rule": "marks"})
    answers = [(guess, game.score(guess, "BBAC")) for guess in ("ABCA", "AABA", "CACA")]
    one, two, three = (game.rule.notation.format(game.turn(*each).clue) for each in answers)
    for clue in [one, f"{one} {two}", f"{two} {one} {three}", f"_{three[1:]}", "*"]:
        fact = game.parse_fact(f"someone got {clue} GGGG")
        for code in game.secrets:
            seen = {game.rule.score(guess, code) for guess in game.guesses}
            read = [game.rule.parse(row, code, checked=False) for row in clue.split()]
            fits = all(any(each in row for each in seen) for row in read)
            assert holds(fact.constraint, code) == fits, (clue, code)
    for text, message in [("YGGG", "no word of which guesses"), (".Y.", "has 3 tiles")]:
        with pytest.raises(PuzzlehuntError, match=message):
            game.parse_fact(f"somebody got {text}")
    with pytest.raises(PuzzlehuntError, match="only where each tile of a listed word"):
        load("mastermind").parse_fact("somebody got BW")


def test_names_of_symbols_come_before_words_of_facts():
    assert of("green", COLOURS, 1) == {"green"}
    assert of("no or", Alphabet(("or", "and"))) == {"and-and-and"}


@pytest.mark.parametrize(("text", "symbols"), cases("sums of symbols"))
def test_a_sum_adds_symbols_that_are_numbers(text, symbols):
    alphabet = Alphabet(tuple(symbols.split()))
    values = [int(symbol) for symbol in alphabet.symbols]
    low, _, high = text.casefold().removeprefix("sum").replace("to", "-").partition("-")
    ends = range(int(low), int(high or low) + 1)
    expected = {
        alphabet.format(code)
        for code in SymbolSpace(alphabet, range(3, 4))
        if sum(values[symbol] for symbol in code) in ends
    }
    assert expected
    assert of(text, alphabet) == expected
    assert alphabet.symbol_values == values


@pytest.mark.parametrize("alphabet", [FIVE, COLOURS, Alphabet(("1", "B"))])
def test_a_sum_is_refused_where_symbols_are_no_numbers(alphabet):
    assert alphabet.symbol_values is None
    for text in ("sum 6", "sum"):
        with pytest.raises(PuzzlehuntError, match="the symbols of this game are not numbers"):
            parsed(text, alphabet, 4)


@pytest.mark.parametrize(("text", "symbols", "first"), cases("ranges in patterns"))
def test_a_range_in_a_pattern_is_all_symbols_from_its_first_to_its_last(text, symbols, first):
    game = game_of(f"{{secret: {{symbols: {symbols}, length: 3}}}}")
    starts = [*map(game.alphabet.number, first.split())]
    fact = game.parse_fact(text).constraint
    assert all(holds(fact, code) == (code[0] in starts) for code in game.secrets)


def test_a_range_that_could_be_of_the_game_or_of_all_letters_is_asked_about():
    for text in ("[N-P]__", "no N-P", "starts with N-P"):
        with pytest.raises(PuzzlehuntError, match=": N-P may be N O P or N Ñ O P; write which"):
            parsed(text, Alphabet(tuple("NÑOPQ")), 3)


def test_a_fact_about_one_board_begins_and_ends_where_its_secret_does():
    game = game_of("{secret: {symbols: ABC, length: 2}, rule: marks, boards: 2}")
    parse = game.alphabet.parse
    for text, right, wrong in (
        ("2: ends with C", "AABC", "ACBB"),
        ("2: starts with C", "AACB", "CABB"),
        ("1: ends with C", "ACBB", "AABC"),
    ):
        history = History((game.parse_fact(text),))
        assert meaning.fits(game, history, parse(right)), text
        assert not meaning.fits(game, history, parse(wrong)), text


@pytest.mark.parametrize("alphabet", [COLOURS, default_alphabet(26)])
@pytest.mark.parametrize("text", [one for (one,) in cases("no facts")])
def test_what_is_no_fact_is_refused_and_no_word_is_taken_apart(text, alphabet):
    with pytest.raises(PuzzlehuntError, match="is not a fact: "):
        parsed(text, alphabet, 3)


def test_a_fact_keeps_the_text_that_was_typed_without_further_blanks():
    assert parsed("  No  a, b ", FIVE, 3).text == "No a, b"


@given(
    st.text("ABab[]_.?-, containsowdt", max_size=14)
    | st.text("0123456789- to", max_size=8).map("sum {}".format)
    | st.lists(
        st.sampled_from(["no", "contains", "repeats", "not", "starts with", "or", "and", ","])
        | st.text("12ab-[]", max_size=4)
    ).map(" ".join)
)
def test_any_text_is_refused_or_a_fact_that_is_read_back(text):
    for alphabet in (default_alphabet(3), Alphabet(("1", "2", "3")), COLOURS):
        try:
            fact = parsed(text, alphabet, 3)
        except PuzzlehuntError:
            continue
        assert isinstance(fact, Fact)
        assert parsed(fact.text, alphabet, 3) == fact
