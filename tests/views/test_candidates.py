"""Counts with their nouns."""

import re
from pathlib import Path

import pytest

from puzzlehunt.errors import counted
from puzzlehunt.game.files import gamefile
from puzzlehunt.views.notebook_html import value_html

_SEVERAL_OF_ONE = re.compile(r"(?<![\d.,])\b1 (?!guess\b|is\b|was\b|has\b|loses\b)[a-z]+s\b")
"""`1 secrets`, and no end of a larger number, and no verb."""


@pytest.mark.parametrize(
    ("count", "noun", "text"),
    [
        (1, "secret", "1 secret"),
        (0, "row", "0 rows"),
        (1, "guess", "1 guess"),
        (1296, "guess", "1,296 guesses"),
        (2, "match", "2 matches"),
    ],
)
def test_a_noun_agrees_with_its_count(count: int, noun: str, text: str) -> None:
    assert counted(count, noun) == text


@pytest.mark.parametrize(
    "text",
    [
        "{secret: {words: [crane]}, rule: marks, play: {attempts: 1}, facts: [contains E]}",
        "{secret: {symbols: AB, length: 1}, turns: [A B], play: {attempts: 1}}",
        "{secret: {words: [a, b]}, rule: marks, lies: {exactly: 1}}",
    ],
)
def test_nothing_is_said_of_one_as_of_several(text: str, run, home: Path) -> None:
    (home / "one.yaml").write_text(text)
    game = gamefile.load("one.yaml")
    shown = [repr(game), repr(game.secrets), value_html(game)]
    for command in ("check", "play", "host"):
        done = run(command, "one.yaml", stdin="A *\n/give-up\n" if command == "host" else "\n")
        shown += [done.out, done.err]
    shown += run("lab", "run", "one.yaml", "--strategy", "first").out.splitlines()
    assert not [found[0] for text in shown for found in _SEVERAL_OF_ONE.finditer(text)]
    assert any(re.search(r"\b1 (secret|position|symbol|letter|code)\b", line) for line in shown)
