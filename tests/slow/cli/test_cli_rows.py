"""Word lists as options of every command."""

import json
from collections.abc import Callable
from typing import Any

import pytest

Program = Callable[..., Any]


@pytest.mark.parametrize(
    "command",
    [
        ["suggest", "-t", "HORSE *", "--strategy", "consistent"],
        ["candidates", "-t", "HORSE *"],
        ["score", "HERTZ", "HORSE"],
        ["explain", "--why", "HERTZ"],
        ["solve", "--secret", "HERTZ", "--strategy", "consistent"],
    ],
)
def test_word_lists_are_options_of_every_command(command: list[str], run: Program) -> None:
    arguments = [command[0], "cryptic", *command[1:], "--json"]
    by_option = run(*arguments, "--words", "huge", "--set", "guess.words=large")
    by_key = run(*arguments, "--set", "secret.words=huge", "--set", "guess.words=large")
    assert by_option.status == 0

    def told(text: str) -> object:
        return {k: v for k, v in json.loads(text).items() if k != "seconds"}

    assert told(by_option.out) == told(by_key.out)


CZECH = ["-t", "CRANE G...Y", "-t", "SLOTH ....G"]


@pytest.mark.parametrize("command", ["candidates", "suggest", "explain"])
def test_a_list_that_ran_out_names_a_wider_one(command: str, run: Program) -> None:
    done = run(command, "wordle", *CZECH)
    assert done.status == 1
    assert done.err.splitlines()[-1] == "No word of its list fits; huge has 1: CZECH (--words huge)"
    told = json.loads(run(command, "wordle", *CZECH, "--json").out)
    assert told["wider"] == {"list": "huge", "count": 1, "candidates": ["CZECH"]}
    assert run(command, "wordle", *CZECH, "--words", "huge").status == 0
