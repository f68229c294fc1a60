"""Emoji and letters with accents are one character each, however they are written."""

import pytest

from puzzlehunt.codes.alphabet import Alphabet
from puzzlehunt.codes.graphemes import graphemes

HEART, FLAG, TONE, FAMILY = "❤️", "🇩🇪", "👍🏽", "👨‍👩‍👧‍👦"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("HORSE", ["H", "O", "R", "S", "E"]),
        ("naïveß", ["n", "a", "ï", "v", "e", "ß"]),
        (f"{HEART}💚{HEART}", [HEART, "💚", HEART]),
        (f"{FLAG}🇫🇷", [FLAG, "🇫🇷"]),
        (f"👍{TONE}👍🏿", ["👍", TONE, "👍🏿"]),
        (f"{FAMILY}❤️‍🔥1️⃣", [FAMILY, "❤️‍🔥", "1️⃣"]),
        ("cafe\u0301", ["c", "a", "f", "e\u0301"]),
        ("дзю", ["д", "з", "ю"]),
        ("", []),
    ],
)
def test_a_grapheme_is_what_a_reader_takes_for_one_character(text, parts):
    assert graphemes(text) == parts


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
