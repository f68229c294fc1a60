"""Every built-in game is listed."""

import json
from collections.abc import Callable
from typing import Any

from puzzlehunt.game.files import gamefile

Program = Callable[..., Any]


def test_games_lists_every_built_in_game_with_its_source(run: Program) -> None:
    told = json.loads(run("games", "--json").out)["games"]
    assert {game["name"] for game in told} == set(gamefile.built_in_games())
    boards = {game["name"]: game["boards"] for game in told}
    assert (boards["wordle"], boards["xordle"], boards["quordle"]) == (1, 1, 4)
    assert all(game["about"] and game["source"] for game in told)
    names = [line.split()[0] for line in run("games").out.splitlines() if line[:1].strip()]
    assert names[1:] == [game["name"] for game in told]
