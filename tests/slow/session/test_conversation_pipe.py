"""Whatever is typed, hundreds of lines of it."""

import random
from pathlib import Path

import pytest

from player import Player
from puzzlehunt.game.files import gamefile

# fmt: off
_PARTS = [
    "HORSE", "horse", "FLESH", "AABB", "AABBC", "1234", "RGBY", "RRGGBB", "red-red-blue-green",
    "B_WR_", "RR", "[BW]", "[", "]", "[]", "[[[", "1b", "2-3 gears", "2t1g", ">=1b", "2 1",
    "1A2B", "*", "?", "none", "won", "unread", ".", "_", "-", ":", "#", "# 3", "/", "//", "1.",
    "2)", '""', "You hear 2 tumblers click and 1 gear turn.", "0", "9" * 30, "\u0663", "\xb2",
    "\xbd", "\u1e9e", "\u0130", "\u01c5", "\x00", "\x1b[2J", "\x07", "\x85", "\u2028", "\u202e",
    "\ufeff", "\ud800", "\U0001f7e9", "\xe9", ",", ";", "|", "\t", "\x0b", "=", "%s", "{}", "\\",
    "'", '"', "[red]", "[/]", "$(x)", "~",
    "/edit 1", "/edit 2 RR", "/edit 99999999999", "/drop 1", "/drop", "/doubt 2", "/fact no Q",
    "/fact contains E", "/fact H____", "/fact [", "/undo", "/redo", "/new", "/history", "/help",
    "/candidates 3", "/candidates 0", "/suggest 2", "/suggest x", "/why HEART", "/try HORSE",
    "/strategy parts", "/strategy nothing", "/strategy", "/u", "/c", "/s", "/h",
    "/certain", "/repair", "/repair 1", "/widen", "/widen common", "/widen huge",
    "/why 2: HEART", "/why A/B",
    "GY..G", "21002", "🟩🟨⬛⬛⬛", "🟩🟨⬛⬛⬛ 🟩🟨⬛⬛⬛", "🟩🟨", "⬛⬛⬛⬛⬛", "Wordle 1,327",
    "CRANE", "SLOTH", "12+35=47", "12+35=48", "12347",
]


# fmt: on
_FILES = ["/save", "/save .", "/save ~nobody-of-that-name", "/export", "/export .", "/export a\0b"]
"""Lines of their own: a path put together by chance might lead to a real place."""


def _line(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.02:
        return rng.choice(_FILES)
    if kind < 0.05:
        return rng.choice(_PARTS) * rng.choice([1_000, 10_000])
    if kind < 0.15:
        return "".join(chr(rng.randrange(rng.choice([128, 0x300, 0x11_0000]))) for _ in range(20))
    if kind < 0.25:
        return bytes(rng.randrange(256) for _ in range(rng.randrange(40))).decode("latin-1")
    if kind < 0.3:
        return "\n".join(_line(rng) for _ in range(rng.randrange(5)))
    chosen = rng.choices(_PARTS, k=rng.randint(1, 3))
    return rng.choice([" ", " ", " ", "", ":", ","]).join(chosen)


_GAMES = [
    *("cryptic", "nethack", "mastermind", "bulls-and-cows", "word-mastermind", "mansions-digits"),
    *("heart-2018", "4x6", "2x30", "1x1"),
]
_SLOWER = ["wordle", "dordle", "nerdle", "primel", "peaks", "jotto"]


@pytest.mark.parametrize(
    ("game", "lines"), [*((game, 150) for game in _GAMES), *((game, 60) for game in _SLOWER)]
)
def test_hundreds_of_lines_of_anything_are_answered(game: str, lines: int, home: Path) -> None:
    rng = random.Random(game)
    player = Player(game)
    player.say("/save s.yaml")
    for _ in range(lines):
        line = _line(rng)
        player.say(line)
        assert "Traceback" not in player.out + player.notes
        player.conversation.is_open = True
        if len(player.rows) > 60:
            player.say("/new")
    file = player.session.path
    assert file is not None
    assert gamefile.load(str(file)).history.turns == player.session.history.turns
    player.session.close()
    moved_to = "~nobody-of-that-name"
    files = {"s.yaml", ".s.yaml.lock", moved_to, f".{moved_to}.lock"}
    assert {path.name for path in home.iterdir()} <= files
