"""How symbols are written in a game file: what is meant, and what cannot be."""

import pytest

from puzzlehunt.game.files import gamefile

HEX = "0123456789ABCDEF"


def loaded(write, symbols):
    return gamefile.load(write(f"secret:\n  symbols: {symbols}\n  length: 2\n"))


@pytest.mark.parametrize(
    ("written", "symbols"),
    [
        ("1-6", "123456"),
        ("A-F", "ABCDEF"),
        ("A..F", "ABCDEF"),
        ("1 to 6", "123456"),
        ("1–6", "123456"),  # noqa: RUF001 (a dash, as some programs write it)
        ("8-12", ["8", "9", "10", "11", "12"]),
        ("01-03", ["01", "02", "03"]),
        ("[A-C, 1-3]", "ABC123"),
        ("A-C 1-3", "ABC123"),
        ("0-9A-F", HEX),
        ("0-9+*=", "0123456789+*="),
        ("0123456789+-*/=", "0123456789+-*/="),
        ("0-9, +, -, =", "0123456789+-="),
        ("R G B", "RGB"),
        ("R, G, B", "RGB"),
        ("red, green, blue", ["red", "green", "blue"]),
        ("[red, green]", ["red", "green"]),
        ("01", "01"),
        ("123", "123"),
        ("[8]", "8"),
        ("{R, G, B}", "RGB"),
        ("{R: [R, r, red], G: green}", "RG"),
        ("❤️💚👍🏽🇩🇪", ["❤️", "💚", "👍🏽", "🇩🇪"]),
        ("❤️ 💚", ["❤️", "💚"]),
    ],
)
def test_symbols_are_read_as_they_are_meant(write, written, symbols):
    assert loaded(write, written).alphabet.symbols == tuple(symbols)


def test_marks_may_be_emoji_with_or_without_selectors(write):
    file = write("secret: {symbols: ABC, length: 2}\nmarks: {black: ⚫️, white: ⚪️}\n")
    game = gamefile.load(file)
    assert game.parse_turn("AB ⚪️⚪️") == game.parse_turn("AB ⚪⚪")
    assert game.rule.notation.legend().startswith("⚫ black, ⚪ white")


def test_halves_of_pairs_are_single_characters(write):
    file = write("secret: {pairs: [❤️💚, 12], length: 2}\nrule: pairs\n")
    assert gamefile.load(file).alphabet.symbols == ("❤️1", "❤️2", "💚1", "💚2")
