"""Without the extra `fast` the same guesses are played, and what needs it says how to get it."""

import random

import pytest

import puzzlehunt
from puzzlehunt.engines import open_engine
from puzzlehunt.engines.sampling.sampler import Sampler
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.kernels import fast
from puzzlehunt.strategies import Adviser
from puzzlehunt.strategies.probes import nearest_guess


@pytest.fixture
def without_fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast, "is_installed", lambda: False)


ROWS = {
    "5x8": ["AABBC 1b 2w"],
    "nethack": ["AABBC 1 1"],
    "wordle": ["CRANE GY..G"],
    "cryptic": ["HORSE B_WR_", "TEARS *"],
    "16x6": ["AAAABBBBCCCCDDDD 4b 6w"],
}


def suggested(name: str, rows: list[str]) -> list[puzzlehunt.Suggestion]:
    engine = open_engine(name)
    for row in rows:
        engine.push(row)
    return list(Adviser(engine.game).advise(engine, top=5).suggestions)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] if name in ("5x8", "nethack") else [])
        for name in ROWS
    ],
)
def test_suggestions_are_the_same(name, request):
    expected = suggested(name, ROWS[name])
    request.getfixturevalue("without_fast")
    assert suggested(name, ROWS[name]) == expected


@pytest.mark.parametrize("strategy", ["entropy", "minimax", "deep"])
def test_tournaments_are_the_same(strategy, request):
    expected = puzzlehunt.run("3x4", strategy)
    request.getfixturevalue("without_fast")
    plain = puzzlehunt.run("3x4", strategy)
    assert all((plain.guesses[count] == expected.guesses[count]).all() for count in plain.guesses)


@pytest.mark.usefixtures("without_fast")
def test_what_needs_the_extra_names_it(run):
    ended = run("lab", "run", "3x4", "--strategy", "parts", "--jobs", "2")
    assert ended.status == 2
    assert "'.[fast]'" in ended.err


@pytest.mark.usefixtures("without_fast")
def test_the_longest_codes_need_the_extra():
    game = puzzlehunt.load("32x10")
    engine = open_engine(game)
    for symbol in "123456789":
        engine.push(f"{symbol * 32} 3b 0w")
    with pytest.raises(PuzzlehuntError, match="32 positions"):
        nearest_guess(Sampler(game), engine.items, random.Random(0))
