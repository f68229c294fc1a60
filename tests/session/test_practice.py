"""Practice: the program as the codemaker, and what a person's lines get."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from guesser import Guesser
from puzzlehunt.session.codemaker import draw_secret

Program = Callable[..., Any]
HARD = ("hard=true",)


# Guesses.


def test_after_rows_likelier_secrets_are_drawn_sooner(game_of) -> None:
    words = "[crane 9, slate 1, dumpy 90]"
    game = game_of(f"{{secret: {{words: {words}}}, rule: marks, turns: [FIGHT .....]}}")
    drawn = Counter(game.format_code(draw_secret(game, Random(seed))) for seed in range(200))
    assert set(drawn) == {"CRANE", "DUMPY"}
    assert 5 < drawn["CRANE"] < 40


@pytest.mark.parametrize(
    ("game", "secret", "settings", "lines", "rows", "open_", "solved"),
    [
        ("wordle", "CRANE", (), ["caves", "CRANE", "SLOTH"], 2, False, True),
        ("wordle", "CRANE", (), ["SLOTH\nCRANE\nMOUTH"], 2, False, True),
        ("wordle", "CRANE", (), ["", "   ", "# nothing", "\n\n"], 0, True, False),
        ("wordle", "CRANE", ("play.attempts=2",), ["SLOTH", "MOUTH"], 2, False, False),
        ("wordle", "CRANE", (), ["/give-up"], 0, False, False),
        ("wordle", "CRANE", ("gives=[row]",), [], 1, True, False),
        ("wordle", "CHEST", HARD, ["CRANE", "SLOTH"], 1, True, False),
        ("wordle", "CHEST", HARD, ["CRANE", "SLOTH", "CHEST"], 2, False, True),
        # Blanks in a guess whose beginning is one, too; symbols by name and as emoji.
        ("4x3", "ABCA", ("guess.length=1-4",), ["A B", "AB BW"], 1, True, False),
        ("mastermind", "RRGY", (), ["red red green blue", "🔴🔴🟢🟢", "r r g y"], 3, False, True),
        # A tune with more notes behind it does not win.
        ("nethack", "AABBC", (), ["AABBCD"], 1, True, False),
        ("nethack", "AABBC", (), ["AABBCD", "AABBC"], 2, False, True),
        ("bulls-and-cows", "1234", (), ["5678"], 1, True, False),
        ("heart-2018", "HEART", (), ["HEART"], 28, False, True),
        ("word-mastermind", "HELP", (), ["help"], 1, False, True),
        *[("wordle", "CRANE", (), [line], 0, line in ("help", "?", "/h"), False)
          for line in ("help", "?", "/h", "exit", "quit", "/exit", "/q")],
    ],
    ids=str,
)  # fmt: skip
def test_lines_are_guesses_until_the_game_ends(
    game: str, secret: str, settings: tuple[str, ...], lines: list[str], rows: int, open_: bool,
    solved: bool,
) -> None:  # fmt: skip
    guesser = Guesser(game, secret, settings).say(*lines)
    assert guesser.rows == rows
    assert (guesser.practice.is_open, guesser.practice.is_solved) == (open_, solved)
    assert guesser.prompt == f"{rows + 1}> "
    if not open_:
        assert guesser.say(secret).out == ""


# Other codemakers, commands.


def test_an_adversarial_codemaker_gives_way_only_when_nothing_else_is_left() -> None:
    words = "secret={words: [CRANE, CRATE, GRATE], length: 5}"
    guesser = Guesser("absurdle", None, (words, "guess={words: large}"))
    assert "solved" not in guesser.say("CRATE").out
    guesser.say("CRANE", "GRATE", "CRATE")
    assert guesser.practice.is_solved


def test_a_hint_is_one_guess_and_costs_nothing() -> None:
    guesser = Guesser("4x3", "ABCA").say("AABB", "/hint")
    assert guesser.rows == 1
    hinted = guesser.out.splitlines()[-1].split()[1]
    assert guesser.say(hinted).rows == 2


# The command.


def test_the_command_ends_with_1_where_it_was_not(run: Program) -> None:
    for lines in ("RRGG\n", "/give-up\n", "/quit\n", "", "RRRR\n" * 10):
        assert run("host", "mastermind", "--secret", "RGBY", stdin=lines).status == 1
