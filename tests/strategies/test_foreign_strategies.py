"""Strategies from outside the package: what they do wrong is said in one line."""

import re
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

import puzzlehunt
from cases import cases
from positions import position_of
from puzzlehunt.engines.base import open_engine
from puzzlehunt.errors import PuzzlehuntError, StrategyError
from puzzlehunt.game.files import gamefile
from puzzlehunt.strategies.adviser import Adviser
from puzzlehunt.strategies.base import Strategy, Suggestion
from puzzlehunt.strategies.oneply import of_function
from puzzlehunt.strategies.registry import find_strategy

GAME = gamefile.load("3x4")
STRATEGY = """from puzzlehunt.strategies import Strategy
class f(Strategy):
    def rank(self, position, top):
        return [self.rate(position, position.candidate(0))], True
"""


def message(strategy):
    with pytest.raises(StrategyError) as error:
        Adviser(GAME, strategy).advise(open_engine(GAME))
    assert "\n" not in str(error.value)
    return re.sub(r"test_foreign_strategies\.py:\d+: ", "", str(error.value))


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda counts: "x", "TypeError: Cannot cast"),
        (lambda counts: 3, "ValueError: numbers of shape (), or nan; it is given the"),
        (lambda counts: counts.max(axis=-1) * np.nan, "ValueError: numbers of shape (3,), or nan"),
        (lambda counts: 1 / 0, "ZeroDivisionError: division by zero; it is given the counts of"),
        (lambda counts: sys.exit("one\ntwo"), "SystemExit: one two; it is given the counts of all"),
    ],
)
def test_a_function_that_returns_nonsense_is_an_error_in_one_line(function, said):
    assert message(of_function("mine:f", function)).startswith(f"strategy mine:f: {said}")


class Own(Strategy):
    """Returns what it is made of, without a look."""

    def __init__(self, answer):
        self.measure = "points"
        self.answer = answer

    def rank(self, position, top):
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (None, "rank returned None; expected a list of Suggestions of guesses, best first"),
        ((["AAB"], True), "rank returned (['AAB'], True);"),
        (([Suggestion((0, 0), 1.0, 1, True)], True), "rank returned ([Suggestion(code=(0, 0)"),
        (ZeroDivisionError("division by zero"), "ZeroDivisionError: division by zero"),
    ],
)
def test_a_strategy_that_returns_nonsense_is_an_error_in_one_line(answer, said):
    assert message(Own(answer)).startswith(f"strategy Own: {said}")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "no file 'mine.py'; a strategy of your own is FILE.py:NAME"),
        ("1/0", "mine.py:f cannot be loaded: mine.py:1: ZeroDivisionError: division by zero"),
        ("raise ValueError('one\\ntwo')", "cannot be loaded: mine.py:1: ValueError: one two"),
        ("class f: pass", "a function of counts, not <class 'puzzlehunt_mine.f"),
        ("from os import sep, getcwd\ng = 3\ndef h(): ...", "mine.py has no 'f'; known: h"),
        (f"{STRATEGY}    name = 'f'", "strategy mine.py:f has no measure"),
    ],
)
def test_a_file_without_a_strategy_is_an_error_in_one_line(tmp_path, monkeypatch, text, said):
    monkeypatch.chdir(tmp_path)
    if text is not None:
        (tmp_path / "mine.py").write_text(text)
    with pytest.raises(PuzzlehuntError) as error:
        find_strategy("mine.py:f")
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_a_place_beyond_the_candidates_is_named():
    position = position_of(gamefile.load("2x2"))
    with pytest.raises(IndexError, match="place 4 of 4 candidates; places go from 0 to 3"):
        position.candidate(4)


def test_a_class_and_a_function_in_a_file_play_and_the_file_runs_once(tmp_path, capsys):
    file = tmp_path / "mine.py"
    own = f"{STRATEGY}    measure = 'points'\ndef g(counts): return counts.max(axis=-1)\n"
    file.write_text(f"{own}print('runs')\n")
    for name in ("f", "g"):
        assert puzzlehunt.suggest("2x3", ["AB 1b"], strategy=f"{file}:{name}").guesses
    assert puzzlehunt.compare("2x2", [f"{file}:f", f"{file}:g"]).games == 4
    assert capsys.readouterr().err == "runs\n"


# The example of a plug-in: its entry points are found, and it plays as it did.


FOLDER = Path(__file__).resolve().parents[2] / "examples" / "plugins"
PROJECT = tomllib.loads((FOLDER / "pyproject.toml").read_text())["project"]
STRATEGIES = PROJECT["entry-points"]["puzzlehunt.strategies"]


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the plug-in as pip would: its module, and a folder of metadata beside it."""
    info = tmp_path / "puzzlehunt_plain_strategies-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Name: {PROJECT['name']}\nVersion: {PROJECT['version']}\n")
    names = "".join(f"{name} = {target}\n" for name, target in STRATEGIES.items())
    (info / "entry_points.txt").write_text(f"[puzzlehunt.strategies]\n{names}")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.syspath_prepend(FOLDER)


@pytest.mark.parametrize(("name", "played", "known", "worst"), cases("strategies of the plug-in"))
def test_the_strategies_of_the_plug_in_play_as_they_did(installed, name, played, known, worst):
    result = puzzlehunt.run("3x4", name, execution=puzzlehunt.Execution(jobs=1))
    totals = result.summary("played").total, result.summary("known").total
    found = *totals, result.summary("played").worst
    assert found == (int(played), int(known), int(worst))


def test_symbol_counts_first_comes_to_an_end_on_a_code_that_is_not_listed(installed):
    result = puzzlehunt.run("10x6", "structured", secrets=1, execution=puzzlehunt.Execution(jobs=1))
    assert result.summary("played").worst <= 16
