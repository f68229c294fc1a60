"""Practice: the program as the codemaker, and what a person's lines get."""

import json
import random
import re
from collections import Counter
from functools import cache

import pytest

import puzzlehunt
from cases import cases
from player import KeptScreen
from puzzlehunt.game.files import gamefile
from puzzlehunt.session.codemaker import draw_secret, open_codemaker
from puzzlehunt.session.conversation import Practice
from puzzlehunt.views.terminal import prompt
from random_games import game_of

HARD = ("hard=true",)
_load = cache(gamefile.load)


class Guesser:
    """Types lines, and keeps what the last of them printed in `out` and `notes`."""

    def __init__(self, game: str, secret: str | None, settings: tuple[str, ...] = ()) -> None:
        is_named = any(one.startswith("play.strategy") for one in settings)
        loaded = _load(game, settings if is_named else ("play.strategy=entropy", *settings))
        hidden = None if secret is None else loaded.parse_secret(secret)
        self.screen = KeptScreen()
        self.practice = Practice(open_codemaker(loaded, hidden, rng=random.Random(1)))
        self.screen.show(self.practice, self.practice.start())
        self.screen.take()
        self.out = self.notes = ""

    def say(self, *lines: str) -> "Guesser":
        for line in lines:
            self.screen.show(self.practice, self.practice.handle(line))
        self.out, self.notes = self.screen.take()
        return self

    @property
    def prompt(self) -> str:
        return prompt(self.practice.game, self.practice.expected_line)

    @property
    def rows(self) -> int:
        return len(self.practice.codemaker.history.turns)


def test_after_rows_likelier_secrets_are_drawn_sooner() -> None:
    words = "[crane 9, slate 1, dumpy 90]"
    game = game_of(f"{{secret: {{words: {words}}}, rule: marks, turns: [FIGHT .....]}}")
    drawn = Counter(game.format_code(draw_secret(game, random.Random(n))) for n in range(200))
    assert set(drawn) == {"CRANE", "DUMPY"}
    assert 5 < drawn["CRANE"] < 40


@pytest.mark.parametrize("engine", ["explicit", "symbolic"])
def test_after_rows_any_candidate_may_be_drawn(engine: str) -> None:
    rows = {"play.engine": engine, "turns": ["ABB 1b 1w"]}
    game = gamefile.load("3x4", rows)
    drawn = {game.format_code(draw_secret(game, random.Random(n))) for n in range(60)}
    assert drawn == set(puzzlehunt.candidates(game))


@pytest.mark.parametrize(
    ("game", "secret", "lines", "rows", "is_open", "is_solved"), cases("lines of practice")
)
def test_lines_are_guesses_until_the_game_ends(
    game: str, secret: str, lines: str, rows: str, is_open: str, is_solved: str
) -> None:
    guesser = Guesser(game, secret).say(*json.loads(lines))
    assert guesser.rows == int(rows)
    ends = str(guesser.practice.is_open), str(guesser.practice.is_solved)
    assert ends == (is_open, is_solved)
    assert guesser.prompt == "> "
    if is_open == "False":
        assert guesser.say(secret).out == ""


def test_a_row_that_is_given_is_the_first() -> None:
    assert Guesser("wordle", "CRANE", ("gives=[row]",)).rows == 1


def test_an_adversarial_codemaker_gives_way_only_when_nothing_else_is_left() -> None:
    words = "secret={words: [CRANE, CRATE, GRATE], length: 5}"
    guesser = Guesser("absurdle", None, (words, "guess={words: large}"))
    assert "solved" not in guesser.say("CRATE").out
    guesser.say("CRANE", "GRATE", "CRATE")
    assert guesser.practice.is_solved


def test_the_command_ends_with_1_where_it_was_not(run) -> None:
    for lines in ("RRGG\n", "/give-up\n", "/quit\n", "", "RRRR\n" * 10):
        assert run("host", "mastermind", "--secret", "RGBY", stdin=lines).status == 1


# Whatever is typed.

_PARTS = [
    *("CRANE", "SLOTH", "crane", "HERZX", "RGBY", "RRGG", "AABBC", "12+35=47", "12+35=48"),
    *("12347", "/hint", "/history", "/help", "/nope", "/", "//", "hint", "GY..G", "🟩🟨⬛⬛⬛"),
    *("*", "?", "won", "none", "#", "# 3", "1.", '""', "\x00", "\x1b[2J", "\ud800", "é", "[/]"),
    *("-", ":", ",", "\t", "\n", "x" * 3_000, "9" * 30, "CR-AN-SR-TB", "red-red-blue-green"),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "settings"),
    [
        *[(name, ()) for name in ("wordle", "dordle", "nerdle", "grand", "nethack", "1x1")],
        *[("wordle", HARD), ("absurdle", ("secret.words=standard",)), ("2x2", ("boards=3",))],
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
