"""Every built-in game is listed, and printed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from program import PRINTED_SOON, check_printed
from puzzlehunt.game.files import gamefile

Program = Callable[..., Any]


def test_games_lists_every_built_in_game_with_its_source(run: Program) -> None:
    told = json.loads(run("games", "--json").out)["games"]
    assert {game["name"] for game in told} == set(gamefile.built_in_games())
    boards = {game["name"]: game["boards"] for game in told}
    assert (boards["wordle"], boards["quordle"]) == (1, 4)
    assert all(game["about"] and game["source"] for game in told)
    names = [line.split()[0] for line in run("games").out.splitlines() if line[:1].strip()]
    assert names[1:] == [game["name"] for game in told]


@pytest.mark.parametrize(
    "name", [name for name in gamefile.built_in_games() if name not in PRINTED_SOON]
)
def test_a_printed_game_loads_again_as_the_same_game(name: str, run: Program, home: Path) -> None:
    check_printed(name, run, home)
