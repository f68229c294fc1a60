"""Options of commands: what they set is a key of a game, and what they name exists."""

import re
from collections.abc import Iterator
from inspect import unwrap
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from typer.models import ParameterInfo

from program import commands
from puzzlehunt.cli.options import STRATEGIES, Key
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.schema import GameKeys, GuessKeys, PlayKeys, SpaceKeys
from puzzlehunt.strategies.registry import BUILT_IN

ROOT = Path(__file__).resolve().parents[2]
KEYS: dict[str, Any] = {"": GameKeys, "secret": SpaceKeys, "guess": GuessKeys, "play": PlayKeys}


def _options_with_keys() -> Iterator[tuple[str, ParameterInfo]]:
    """Every key that an option of some command sets, with the option as typer takes it."""
    for command in commands().values():
        hints = get_type_hints(unwrap(command.callback), include_extras=True)
        for option, *keys in (get_args(hint)[1:] for hint in hints.values() if get_args(hint)):
            if isinstance(option, ParameterInfo):
                yield from ((key.path, option) for key in keys if isinstance(key, Key))


OPTIONS = dict(_options_with_keys())


def test_what_an_option_sets_is_a_key_of_a_game() -> None:
    assert {"secret.words", "hard", "reads", "host", "play.strategy", "play.seed"} <= OPTIONS.keys()
    for path in OPTIONS:
        section, _, key = path.rpartition(".")
        assert key in KEYS[section].model_fields


@pytest.mark.parametrize(
    "key",
    ["play.engine", "play.solver", "play.pool", "play.ties", "host", "secret.words", "guess.words"],
)
def test_what_is_completed_is_taken(key: str) -> None:
    complete = OPTIONS[key].autocompletion
    assert complete is not None
    values = complete()
    assert len(values) > 1
    for value in values:
        gamefile.load("wordle", [f"{key}={value}"])


def test_help_names_strategies_that_exist() -> None:
    names = STRATEGIES.split(", tree:FILE")[0].split(", ")
    assert set(names) <= set(BUILT_IN)


def test_documents_name_options_that_exist() -> None:
    options = {name: {o for p in c.params for o in p.opts} for name, c in commands().items()}
    named = 0
    for document in [ROOT / "README.md", *ROOT.glob("docs/*.md")]:
        for line in re.findall(
            r"puzzlehunt ((?:lab )?[a-z]+ [^`|&\n]*)", document.read_text("utf-8")
        ):
            words = re.sub(r'"[^"]*"', "", line).split()
            name = " ".join(words[:2]) if words[0] == "lab" else words[0]
            for option in re.findall(r"(?<!\S)\[?(--?[a-z][a-z-]*)", " ".join(words)):
                assert option in options.get(name, options["play"]), f"{document.name}: {line}"
                named += 1
    assert named > 50
