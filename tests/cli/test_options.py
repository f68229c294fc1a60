"""The table of options: each sets a key that a game has, names what exists, and is used."""

import re
from typing import Any

import pytest
import typer

from puzzlehunt.cli import options
from puzzlehunt.cli.main import app
from puzzlehunt.cli.options import ENGINE, POOL, STRATEGY, Option
from puzzlehunt.game.files.schema import GameKeys, GuessKeys, PlayKeys, SpaceKeys
from puzzlehunt.game.play import ENGINES, POOLS
from puzzlehunt.strategies.registry import BUILT_IN

TABLE = {name: row for name, row in vars(options).items() if isinstance(row, Option)}
KEYS: dict[str, Any] = {"": GameKeys, "secret": SpaceKeys, "guess": GuessKeys, "play": PlayKeys}


def _parameters() -> list[Any]:
    """Every option and argument of every command, as typer parses it."""
    groups = [typer.main.get_command(app)]
    parameters = []
    for command in groups:
        groups += getattr(command, "commands", {}).values()
        parameters += command.params
    return parameters


@pytest.mark.parametrize("row", [row for row in TABLE.values() if row.key], ids=lambda row: row.key)
def test_what_an_option_sets_is_a_key_of_a_game(row: Option[Any]) -> None:
    section, _, key = row.key.rpartition(".")
    assert key in KEYS[section].model_fields


def test_every_row_of_the_table_is_an_option_of_some_command() -> None:
    taken = {(p.opts[-1] if p.param_type_name == "option" else p.metavar) for p in _parameters()}
    assert {row.name for row in TABLE.values()} <= taken
    helps = {p.help for p in _parameters() if p.param_type_name == "option"}
    assert {row.parameter.help for row in TABLE.values() if row.name.startswith("-")} <= helps


def test_help_names_strategies_that_exist() -> None:
    assert STRATEGY.parameter.help is not None
    names = STRATEGY.parameter.help.split(", tree:FILE")[0].split(", ")
    assert set(names) <= set(BUILT_IN)


@pytest.mark.parametrize(("row", "names"), [(ENGINE, ENGINES), (POOL, POOLS)])
def test_help_names_every_engine_and_pool(row: Option[Any], names: tuple[str, ...]) -> None:
    assert row.parameter.help is not None
    assert re.findall(r"[\w-]+", row.parameter.help.partition(": ")[2]) == [
        *names[:-1],
        "or",
        names[-1],
    ]
