"""Whatever is typed in practice."""

import random
import re

import pytest

from guesser import Guesser

HARD = ("hard=true",)
SMALL = "secret={words: [CRANE, SLOTH, DUMPY, FIGHT], length: 5}"
_PARTS = [
    *("CRANE", "SLOTH", "crane", "HERZX", "RGBY", "RRGG", "AABBC", "12+35=47", "12+35=48"),
    *("12347", "/hint", "/history", "/help", "/nope", "/", "//", "hint", "GY..G", "🟩🟨⬛⬛⬛"),
    *("*", "?", "won", "none", "#", "# 3", "1.", '""', "\x00", "\x1b[2J", "\ud800", "é", "[/]"),
    *("-", ":", ",", "\t", "\n", "x" * 3_000, "9" * 30, "CR-AN-SR-TB", "red-red-blue-green"),
]


@pytest.mark.parametrize(
    ("game", "settings"),
    [
        ("wordle", ()),
        ("wordle", HARD),
        ("dordle", ()),
        ("absurdle", ("secret.words=standard",)),
        ("nerdle", ()),
        ("grand", ()),
        ("nethack", ()),
        ("2x2", ("boards=3",)),
        ("1x1", ()),
    ],
)
def test_whatever_is_typed_is_answered(game: str, settings: tuple[str, ...]) -> None:
    rng = random.Random(f"{game} {settings}")
    settings = (*settings, "play.attempts=1000", "play.strategy=consistent")
    guesser = Guesser(game, None, settings)
    for _ in range(120):
        if not guesser.practice.is_open:
            guesser = Guesser(game, None, settings)
        kind = rng.random()
        parts = rng.choices(_PARTS, k=rng.randint(1, 2))
        if kind < 0.1:
            parts = ["".join(chr(rng.randrange(0x3000)) for _ in range(8))]
        elif kind < 0.3:
            loaded = guesser.practice.game
            parts = [loaded.format_code(loaded.guesses.random(rng))]
        guesser.say(rng.choice([" ", "", "\n"]).join(parts))
        assert "Traceback" not in guesser.out + guesser.notes
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", guesser.out + guesser.notes)
