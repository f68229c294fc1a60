"""A row is taken in by an engine as a whole or not at all, wherever Ctrl-C comes."""

import pytest

from interrupts import interrupted_everywhere
from puzzlehunt.engines.base import open_engine
from puzzlehunt.game.files import gamefile

ROWS = "turns=[AB B, AC *, BB W]"
GAMES = {
    "one board": ("2x3", [ROWS], ["explicit", "symbolic", "linear", "logic"]),
    "two boards": ("2x3", ["boards=2", "turns=[AB B W, BC * B, CC * *]"], ["explicit"]),
    "rows that lie": ("2x3", ["lies.at_most=1", ROWS], ["explicit", "symbolic"]),
}


@pytest.mark.parametrize(
    ("name", "engine"),
    [
        pytest.param(name, engine, marks=[pytest.mark.slow] if engine == "linear" else [])
        for name, case in GAMES.items()
        for engine in case[2]
    ],
)
@pytest.mark.parametrize("change", ["push", "pop", "ask"])
def test_an_engine_holds_a_row_or_does_not(name: str, engine: str, change: str) -> None:
    size, settings, _ = GAMES[name]
    game = gamefile.load(size, [*settings, f"play.engine={engine}"])
    *before, newest = game.history
    one = open_engine(game)
    expected = []
    for items in (before, [*before, newest]):
        one.follow(items)
        expected.append((one.items, list(one.candidates().codes)))

    def act() -> None:
        if change == "push":
            one.push(newest)
        elif change == "pop":
            one.pop()
        else:
            one.satisfiable()

    times = 0
    one.follow(before if change == "push" else [*before, newest])
    for _ in interrupted_everywhere(act, "engines"):
        times += 1
        held = len(one.items) - len(before)
        assert held == 1 or change != "ask"
        assert (one.items, list(one.candidates().codes)) == expected[held]
        one.follow(before if change == "push" else [*before, newest])
    assert times > 0
