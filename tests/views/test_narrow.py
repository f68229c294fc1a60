"""Tables on screens of any width: nothing is cut off, no number is broken."""

import re
from io import StringIO

import pytest

import puzzlehunt
from puzzlehunt.cli import files as games_command
from puzzlehunt.lab.comparison import published
from puzzlehunt.views.candidates import review_table, suggestions_table
from puzzlehunt.views.screen import Screen
from puzzlehunt.views.tournaments import published_table, results_table


class Terminal(StringIO):
    """What a terminal shows."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def shown(monkeypatch):
    """A function that returns the lines that a table takes in a terminal of some columns."""

    def shown(table, columns):
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setenv("NO_COLOR", "1")
        monkeypatch.delenv("FORCE_COLOR", raising=False)
        terminal = Terminal()
        Screen(terminal).table(table())
        return re.sub(r"\x1b\[[0-9;]*m", "", terminal.getvalue()).splitlines()

    return shown


@pytest.fixture(scope="module")
def tables():
    """Functions that make the program's tables, by name, and their cells."""
    game = puzzlehunt.load("4x6")
    comparison = puzzlehunt.compare("3x4", ["parts", "minimax", "first"], secrets=30)
    mastermind = puzzlehunt.compare(game, ["parts", "first"], secrets=20)
    advice, long_advice = puzzlehunt.suggest("wordle", ["CRANE GY..G"]), puzzlehunt.suggest("16x6")
    turns = puzzlehunt.History(tuple(map(game.turn, ["AABB 1b 1w", "ABCD 2w"])))
    review = puzzlehunt.review(game, turns)
    rows = published(game)
    return {
        "games": games_command.games_table,
        "results": lambda: results_table(comparison),
        "published": lambda: published_table(rows, mastermind.results.values()),
        "suggestions": lambda: suggestions_table(advice),
        "long suggestions": lambda: suggestions_table(long_advice),
        "review": lambda: review_table(review),
    }


NAMES = ["games", "results", "published", "suggestions", "long suggestions", "review"]


@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("name", NAMES)
def test_a_table_keeps_to_its_screen_and_loses_nothing(name, columns, tables, shown):
    lines = shown(tables[name], columns)
    assert max(map(len, lines)) <= columns
    words = set(re.findall(r"\S+", re.sub(r"[,:]", " ", "\n".join(lines))))
    for row in tables[name]().rows:
        for cell in row:
            missing = set(re.sub(r"[,:]", " ", str(cell)).split()) - words
            assert not {word for word in missing if len(word) <= 20}


@pytest.mark.parametrize("name", ["suggestions", "long suggestions", "review"])
def test_tables_of_a_conversation_stay_tables_on_a_phone(name, tables, shown):
    lines = shown(tables[name], 40)
    rows = [line for line in lines if not line.startswith(" ") or name == "review"]
    assert len(rows) >= len(tables[name]().rows)
    assert all(line.count("  ") for line in rows[1:])
