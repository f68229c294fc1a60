"""Outcomes: what a line did, as values without text."""

from collections import Counter
from dataclasses import is_dataclass
from pathlib import Path

import pytest

from puzzlehunt.engines.base import Counted, open_engine
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.merging import RowEffect
from puzzlehunt.session import outcomes
from puzzlehunt.session.conversation import Conversation, with_failures
from puzzlehunt.session.session import Session
from puzzlehunt.strategies.adviser import Advice
from typed_row import Calls, measured


def _names(calls: Calls) -> Counter[str]:
    """Return how often each function of the package was called, by its name."""
    called = calls.by_function.items()
    return Counter({name: count for (file, name), count in called if file in calls.files})


def test_every_outcome_is_frozen() -> None:
    classes = {kind for kind in vars(outcomes).values() if is_dataclass(kind)}
    own = {kind for kind in classes if kind.__module__ == outcomes.__name__}
    for kind in own:
        assert kind.__dataclass_params__.frozen
        assert "__dict__" not in dir(kind)


def test_a_turn_is_told_before_anything_is_computed() -> None:
    talk = Conversation(Session(gamefile.load("cryptic", ["play.opening=TARES"]), "cryptic"))
    list(talk.start())
    answers, calls = talk.handle("HORSE B_WR_"), Calls()
    assert isinstance(next(answers), RowEffect)
    calls.begin()
    assert isinstance(next(answers), Counted)
    calls.end()
    assert "Adviser.advise" not in _names(calls)
    assert isinstance(next(answers), Advice)


def test_a_typed_turn_is_read_and_followed_once() -> None:
    talk, calls = Conversation(Session(gamefile.load("cryptic"), "cryptic")), Calls()
    list(talk.start())
    calls.begin()
    list(talk.handle("HORSE B_WR_"))
    calls.end()
    for name in ("read_line", "parse_plain_turn", "Engine.follow", "Adviser.advise"):
        assert _names(calls)[name] == 1, name


def test_a_typed_row_costs_few_calls(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """From the line to the printed answer, in a warm program; `tools/typed_row.py` says which."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    calls = measured()
    assert len(calls.files) <= 67
    assert calls.room_changes <= 480
    assert calls.total <= 3_450


def test_a_row_is_weighed_with_few_calls() -> None:
    def weighed(calls: Calls) -> None:
        engine = open_engine(
            gamefile.load("cryptic", ["reads={black: 0.1, white: 0.13, miss: 0.51}"])
        )
        engine.push(engine.game.turn("TARES _R__R"))
        assert isinstance(engine, ExplicitEngine)
        engine.weights()
        turn = engine.game.turn("HORSE B_WR_")
        calls.begin()
        engine.push(turn)
        engine.weights()
        calls.end()

    weighed(Calls())
    weighed(calls := Calls())
    assert 0 < calls.total <= 346


def test_an_error_in_a_file_of_ones_own_is_told_with_its_line() -> None:
    (failed,) = with_failures(1 // n for n in [0])
    assert failed.message.startswith("test_outcomes.py:")
