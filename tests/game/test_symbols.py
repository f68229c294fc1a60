"""How symbols are written in a game file: what is meant, and what cannot be."""

import pytest

from puzzlehunt.errors import GameFileError
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


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("8", "8 may be 8 symbols or the digit 8: write 1-8 or A-H, or [8]"),
        ("12", "12 may be 12 symbols or the digits 1 and 2: write 1-12 or A-L, or [1, 2]"),
        ("30", "30 may be 30 symbols or the digits 3 and 0: write 1-30, or [3, 0]"),
        ("1", "one symbol alone leaves nothing to guess"),
        ("6-1", "6-1 is no range; ranges are written 1-6, A-F or a-f"),
        ("[A-z]", "A-z is no range"),
        ("1-300", "300 symbols are too many; at most 250"),
        ("{R: [red, r], r: rose}", "'r' stands for two symbols, r and R"),
        ("{R: red, G: red}", "'red' stands for two symbols, R and G"),
        ("{R: [red, g], G: green}", "the name 'g' stands for two symbols"),
        ("[R, red, G, green]", "R and red would be two symbols; as two names of one they are"),
        ("red green Red", "'red' and 'Red' differ in capital letters alone"),
        ("[❤️, ❤]", "the symbol '❤️' stands twice"),
        ("RGBR", "the symbol 'R' stands twice"),
        ("[R: red, G: green]", "expected symbols, as in RGBY, 1-6, [red, green] or {R: red,"),
        ("{R: {x: y}}", "expected symbols, as in RGBY"),
        ("''", "an alphabet needs at least one symbol"),
    ],
)
def test_symbols_that_cannot_be_meant_are_refused_with_how_to_write_them(write, written, said):
    with pytest.raises(GameFileError) as error:
        loaded(write, written)
    assert f"game.yaml:2: secret.symbols: {said}" in str(error.value)


def test_marks_may_be_emoji_with_or_without_selectors(write):
    file = write("secret: {symbols: ABC, length: 2}\nmarks: {black: ⚫️, white: ⚪️}\n")
    game = gamefile.load(file)
    assert game.parse_turn("AB ⚪️⚪️") == game.parse_turn("AB ⚪⚪")
    assert game.rule.legend().startswith("⚫ black, ⚪ white")


def test_halves_of_pairs_are_single_characters(write):
    file = write("secret: {pairs: [❤️💚, 12], length: 2}\nrule: pairs\n")
    assert gamefile.load(file).alphabet.symbols == ("❤️1", "❤️2", "💚1", "💚2")
