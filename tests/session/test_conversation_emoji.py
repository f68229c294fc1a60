"""Games whose symbols are emoji, as they are typed and shown."""

import re

import pytest
from rich.cells import cell_len

from player import Player

HEARTS = ("secret.symbols={❤️: [heart, red], 💚: green, 👍🏽: [], 🇩🇪: germany}",)
SQUARES = ("secret.symbols=🟦🟨🟩⬛", "rule=marks", "play.strategy=entropy")


@pytest.mark.parametrize(
    "line", ["❤️💚🇩🇪 BW", "❤💚🇩🇪 BW", "heart-green-germany BW", "❤️-💚-🇩🇪: bw", "red-💚-🇩🇪\tB W"]
)
def test_a_guess_of_emoji_is_typed_with_or_without_selectors_and_by_name(line):
    player = Player("3x4", settings=HEARTS).say(line)
    assert player.rows == ["❤️💚🇩🇪 BW"]
    assert player.out.startswith("1. ❤️💚🇩🇪: 1 black, 1 white")


def test_a_wrong_character_of_a_guess_is_named_and_the_symbols_listed():
    player = Player("3x4", settings=HEARTS).say("❤️💚👍 BW")
    assert "'👍' is no symbol of this game; its symbols are ❤️ heart, 💚 green" in player.notes
    assert not player.rows


def test_facts_of_emoji_are_patterns_and_lists():
    player = Player("3x4", settings=HEARTS).say("/fact ❤_[💚🇩🇪]", "/fact no 👍🏽")
    assert [fact.text for fact in player.session.history.facts] == ["❤️_[💚🇩🇪]", "no 👍🏽"]
    player.say("/candidates")
    assert player.out.split() == [f"❤️{s}{t}" for s in ("❤️", "💚", "🇩🇪") for t in ("💚", "🇩🇪")]


def test_squares_may_be_symbols_beside_clues_of_squares():
    player = Player("3x4", settings=SQUARES).say("🟦🟨🟩 🟩⬛🟨", "🟦🟦⬛\n🟨🟦🟩 *")
    assert player.rows == ["🟦🟨🟩 G.Y", "🟦🟦⬛ *", "🟨🟦🟩 *"]


def test_columns_of_emoji_stand_below_each_other():
    player = Player("3x4", settings=HEARTS).say("❤️💚🇩🇪 BW", "/suggest 3")
    rows = re.findall(r"^(.* )(?:yes|no) *$", player.out, re.MULTILINE)
    assert len(rows) == 3
    assert len(set(map(cell_len, rows))) == 1
