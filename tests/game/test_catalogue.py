"""The built-in games: what their files say is true of them, and every engine plays them alike."""

import random
import re
import shlex
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import InvalidClueError
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from puzzlehunt.game.turn_notation import format_turn
from random_games import typed_clue

ROOT = Path(__file__).resolve().parents[2]
GAMES = sorted(gamefile.built_in_games())


@cache
def loaded(name: str) -> Game:
    return gamefile.load(name)


def typed(rng: random.Random, game: Game, guess: Code) -> str:
    """A clue as somebody may type it, on every board."""
    texts = [typed_clue(rng, game.one_board, guess) for _ in range(game.boards)]
    return texts[0] if game.boards == 1 else " ".join(text.replace(" ", ",") for text in texts)


@pytest.mark.parametrize("name", GAMES)
def test_every_clue_that_is_accepted_is_read_back_from_its_format(name):
    game, rng, accepted = loaded(name), random.Random(name), 0
    for _ in range(30):
        guess = game.guesses.random(rng)
        with suppress(InvalidClueError):
            turn = game.turn(f"{game.format_code(guess)} {typed(rng, game, guess)}")
            accepted += 1
            for doubted in (turn, replace(turn, doubt=0.5), replace(turn, doubt=0.2)):
                assert game.turn(format_turn(game, doubted)) == doubted
    assert accepted


# What the files say.


@pytest.mark.parametrize("name", GAMES)
def test_a_game_file_begins_with_a_comment_and_says_what_it_is(name):
    text = gamefile.built_in_games()[name].read_text(encoding="utf-8")
    comment = text[: text.index("\ntitle: ")].splitlines()
    assert comment
    assert all(line.startswith("# ") for line in comment)
    assert max(map(len, text.splitlines())) <= 100
    game = loaded(name)
    assert game.title
    assert game.about
    assert gamefile.document_of(name).value["source"]


# What the documents show of them.

_CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)


def _shown() -> list[tuple[str, str]]:
    """Return the commands in the page of the rules, each with the output that stands below it."""
    blocks = _CONSOLE.findall((ROOT / "docs" / "rules.md").read_text(encoding="utf-8"))
    parts = [part for block in blocks for part in f"\n{block}".split("\n$ ")[1:]]
    return [(command, output) for command, _, output in (part.partition("\n") for part in parts)]


@pytest.mark.parametrize(("command", "output"), _shown())
def test_the_page_of_the_rules_shows_what_the_program_prints(run, command, output):
    program, *arguments = shlex.split(command)
    assert program == "puzzlehunt"
    assert run(*arguments).out.strip("\n") == output.strip("\n")


def test_the_page_of_the_games_has_a_line_for_each_that_says_what_its_file_says():
    lines = (ROOT / "docs" / "games.md").read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    told = {row[0].strip("`"): row for row in rows if row[0].startswith("`") and len(row) > 1}
    assert sorted(told) == GAMES
    for name, row in told.items():
        game = loaded(name)
        times = f" x {game.boards}" if game.boards > 1 else ""
        secrets = f"{game.one_board.secrets.size:,}{times}"
        assert [row[1], row[4]] == [secrets, str(game.play.attempts or "")]
        assert gamefile.document_of(name).value["source"]
