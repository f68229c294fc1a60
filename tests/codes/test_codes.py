import json
import random
import re
from collections import Counter
from itertools import islice

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cases import cases
from puzzlehunt.codes.alphabet import FOREIGN, Alphabet, default_alphabet, graphemes
from puzzlehunt.codes.spaces import SymbolSpace, WordSpace
from puzzlehunt.errors import InvalidCodeError

COLOURS = Alphabet(("R", "G", "B"), {"red": "R", "1": "R", "green": "G", "2": "G", "3": "B"})

names = st.sampled_from(
    [
        *["red", "RED", "Rose", "R", "E", "D", "e", "x", "~", "#", "1", "12", "ß", "ss"],
        *["❤️", "💚", "👍", "👍🏽", "🏽", "🇩", "🇪", "🇩🇪", "👨‍👩‍👧", "👨", "é", "1️⃣"],
    ]
)
characters = st.characters(codec="utf-8", exclude_categories=("Z", "C"))


@st.composite
def alphabets(draw: st.DrawFn) -> Alphabet:
    """Any alphabet that is allowed: of single characters, of names, with aliases."""
    symbols = draw(st.lists(st.one_of(characters, names), min_size=1, max_size=6, unique=True))
    aliases = draw(st.dictionaries(st.one_of(characters, names), st.sampled_from(symbols)))
    for given_names in (aliases, {}):
        try:
            return Alphabet(tuple(symbols), given_names)
        except ValueError:
            continue
    return Alphabet(("A", "E", "R", "D"), {"red": "R"})


@st.composite
def alphabets_with_codes(draw: st.DrawFn) -> tuple[Alphabet, tuple[int, ...]]:
    alphabet = draw(alphabets())
    numbers = st.integers(FOREIGN, len(alphabet) - 1)
    return alphabet, tuple(draw(st.lists(numbers, max_size=6)))


@st.composite
def spaces(draw: st.DrawFn) -> SymbolSpace:
    symbols = draw(st.integers(1, 5))
    low = draw(st.integers(0, 3))
    high = draw(st.integers(low, 4))
    distinct = draw(st.booleans()) and high <= symbols
    return SymbolSpace(default_alphabet(symbols), range(low, high + 1), distinct)


# Alphabets.


@given(alphabets_with_codes())
@example((Alphabet(("R", "E", "D"), {"red": "R"}), (0, 1, 2)))
@example((Alphabet(("-", "A")), (0, 0, 1)))
@example((Alphabet(("ß", "S")), (1, 1)))
def test_parse_reads_back_what_format_writes(pair):
    alphabet, code = pair
    assert alphabet.parse(alphabet.format(code), foreign=True) == code


@pytest.mark.parametrize("text", ["RRGB", "rrgb", "rRgB", "1123", "11gB", "red-RED-Green-b"])
def test_case_and_aliases_do_not_matter(text):
    assert COLOURS.parse(text) == (0, 0, 1, 2)


@pytest.mark.parametrize(
    "text", ["red green red", "R G R", "r,2,1", "red, green, r", "🔴🟢🟥", "🔴 🟢️ 🔴"]
)
def test_symbols_may_stand_one_by_one_and_be_signs_of_their_colour(text):
    assert COLOURS.parse(text) == (0, 1, 0)


@pytest.mark.parametrize(
    "text", ["12 + 35 = 47", "12+35 = 47", "12 + 35=47", "12+35=47", "12+35\uff1d47"]
)
def test_blanks_may_stand_beside_the_signs_of_an_equation(text):
    equations = Alphabet(tuple("0123456789+-*/="))
    assert equations.format(equations.parse(text)) == "12+35=47"
    for text in ("3\u00d74\u00f72\u22121", "3x4/2-1", "3X4/2-1"):
        assert equations.parse(text) == equations.parse("3*4/2-1")


def test_an_unknown_symbol_is_an_error_that_lists_the_symbols():
    with pytest.raises(
        InvalidCodeError, match=r"RGX: 'X' is not a symbol of this game; .* R red, G green, B"
    ):
        COLOURS.parse("RGX")
    for count, end in (30, "29 30"), (31, "29 30 ..."):
        with pytest.raises(InvalidCodeError, match=f"; its symbols are 1 .* {re.escape(end)}$"):
            default_alphabet(count).parse("x")


def test_a_letter_that_folds_to_two_stays_one_symbol():
    german = Alphabet(tuple("FUSß"))
    assert german.spell("fuß") == german.parse("fuß")
    assert len(german.parse("fuß")) == 3
    assert german.parse("fuss") == (0, 1, 2, 2)


@pytest.mark.parametrize(
    ("symbols", "aliases", "problem"), cases("names of symbols that are refused")
)
def test_a_name_for_two_things_or_for_nothing_is_refused(symbols, aliases, problem):
    with pytest.raises(ValueError, match=problem):
        Alphabet(tuple(json.loads(symbols)), json.loads(aliases))


# Spaces.


@given(spaces(), st.randoms(use_true_random=False))
def test_a_space_holds_the_codes_that_it_iterates_over_in_code_order(space, rng):
    codes = list(space)
    assert len(codes) == space.size
    assert codes == sorted(set(codes), key=lambda code: (len(code), code))
    wider = SymbolSpace(default_alphabet(len(space.alphabet) + 1), range(space.lengths.stop + 1))
    assert all((code in space) == (code in codes) for code in islice(wider, 1000))
    assert space.random(rng) in codes


def test_a_word_space_is_in_code_order():
    space = WordSpace.of(default_alphabet(26), ["DOG", "AS", "HORSE"])
    assert [space.alphabet.format(word) for word in space] == ["AS", "DOG", "HORSE"]


def test_a_word_is_drawn_as_often_as_it_weighs():
    space = WordSpace(default_alphabet(3), {(0,): 1.0, (1,): 7.0, (2,): 2.0})
    rng = random.Random(3)
    drawn = Counter(space.random(rng) for _ in range(10_000))
    assert [round(drawn[code] / 1000) for code in space] == [1, 7, 2]


# Emoji and letters with accents: one character each, however they are written.


HEART, FLAG, TONE, FAMILY = "❤️", "🇩🇪", "👍🏽", "👨‍👩‍👧‍👦"


@pytest.mark.parametrize(("text", "parts"), cases("single characters"))
def test_a_grapheme_is_what_a_reader_takes_for_one_character(text, parts):
    assert graphemes(text) == parts.split()


EMOJI = Alphabet((HEART, FLAG, TONE, FAMILY, "👍"), {"heart": HEART})


@pytest.mark.parametrize("text", ["❤️🇩🇪👍🏽👍", "❤🇩🇪👍🏽👍", "heart-🇩🇪-👍🏽-👍"])
def test_codes_of_emoji_are_read_with_and_without_variation_selectors(text):
    assert EMOJI.parse(text) == (0, 1, 2, 4)
    assert EMOJI.format((0, 1, 2, 4)) == "❤️🇩🇪👍🏽👍"


def test_symbols_that_would_be_one_character_are_joined():
    halves = Alphabet(("🇩", "🇪", "👍", "🏽"))
    assert halves.format((0, 1)) == "🇩-🇪"
    assert halves.parse("👍-🏽") == (2, 3)
    assert halves.format((1, 2)) == "🇪👍"
