"""Options of commands: what they set is a key of a game, and what they name exists."""

import re
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from program import Run, commands
from puzzlehunt.cli.options import KEY_OF, MOVED
from puzzlehunt.game.files.schema import GameKeys, GuessKeys, SecretKeys
from puzzlehunt.game.play import Play

ROOT = Path(__file__).resolve().parents[2]
KEYS: dict[str, Any] = {"": GameKeys, "secret": SecretKeys, "guess": GuessKeys, "play": Play}
OPTIONS = {
    KEY_OF[parameter.name]: parameter
    for name, command in commands().items()
    for parameter in command.params
    if parameter.name in KEY_OF and name != "serve"
}


def test_what_an_option_sets_is_a_key_of_a_game() -> None:
    assert OPTIONS.keys() == set(KEY_OF.values())
    for path in OPTIONS:
        section, _, key = path.rpartition(".")
        assert key in {each.name for each in fields(KEYS[section])}


@pytest.mark.parametrize("name", sorted(KEY_OF.keys() - {"hard", "seed", "strategy"}))
def test_each_command_sets_the_key_of_an_option(name: str, run: Callable[..., Run]) -> None:
    arguments = {
        "score": ["CRANE", "SLOTH"], "solve": ["--secret", "random"], "lab plot": ["-o", "x.svg"],
        "lab compare": ["--strategy", "parts", "--strategy", "first"],
    }  # fmt: skip
    for command, found in commands().items():
        if name in {parameter.name for parameter in found.params} and command != "lab verify":
            given = [*command.split(), "wordle", *arguments.get(command, [])]
            told = run(*given, f"--{name}", "none").err
            assert told.startswith(f"puzzlehunt: --{name} none: "), told


def test_an_option_that_is_a_key_is_refused_by_its_name(run: Callable[..., Run]) -> None:
    for command, found in commands().items():
        own = {name for parameter in found.params for name in parameter.opts}
        for option in MOVED.keys() - own if "--set" in own else ():
            refused = run(*command.split(), "4x6", option, "1")
            assert (refused.status, refused.out) == (2, "")
            assert refused.err.endswith(f" --set {MOVED[option]}=VALUE\n")


def test_what_replaces_an_option_is_a_key_of_a_game() -> None:
    for path in MOVED.values():
        section, _, key = path.rpartition(".")
        assert key in {each.name for each in fields(KEYS[section])}


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
    assert named > 40


def test_a_switch_is_off_unless_it_is_given() -> None:
    on = [
        (name, parameter.name)
        for name, command in commands().items()
        for parameter in command.params
        if getattr(parameter, "is_flag", False) and parameter.default
    ]
    assert not on
