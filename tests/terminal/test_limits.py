"""Limits: an answer that takes too long is stopped and says what is known."""

import json
import signal
import time
import weakref
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from program import Program
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Engine, open_engine
from puzzlehunt.errors import LimitError
from puzzlehunt.game.files.gamefile import load
from puzzlehunt.session import limits
from puzzlehunt.session.conversation import Conversation
from puzzlehunt.session.limits import limited
from puzzlehunt.session.session import Session
from puzzlehunt.terminal import prompt
from puzzlehunt.views.screen import Screen


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Watches look at the clock at once."""
    monkeypatch.setattr(limits, "_PAUSE", 0.001)


def work_without_end(*_: Any) -> Any:
    while True:
        time.sleep(0.001)


def test_what_takes_too_long_is_stopped_and_told_how_to_go_on() -> None:
    with pytest.raises(LimitError, match=r"^no answer in 0\.01 s$") as stopped, limited(0.01):
        work_without_end()
    assert stopped.value.hint == "--seconds 0.06 waits longer"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_the_players_own_interrupt_stays_one() -> None:
    with pytest.raises(KeyboardInterrupt), limited(60):
        signal.raise_signal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt), limited(0) as watch:
        signal.raise_signal(signal.SIGINT)
    assert watch.reached == ""


class Held:
    """Whoever deletes it waits until the limit was reached: an error there would be lost."""

    def __init__(self, watch: limits.Watch) -> None:
        self.watch = watch

    def __del__(self) -> None:
        while not self.watch.reached:
            time.sleep(0.001)
        time.sleep(0.01)


def test_an_interrupt_is_not_lost_where_errors_are_ignored(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In `__del__` and in what weak references call; Python prints such errors and goes on."""

    def work(watch: limits.Watch) -> None:
        held = Held(watch)
        del held
        work_without_end()

    def work_with_weak_reference(watch: limits.Watch) -> None:
        pointed_at = type("Pointed", (), {})()
        reference = weakref.ref(pointed_at, lambda _: work_without_end())
        del pointed_at
        assert reference() is None
        time.sleep(2)

    for some_work in (work, work_with_weak_reference):
        with pytest.raises(LimitError), limited(0.01) as watch:
            some_work(watch)
    assert capsys.readouterr().err == ""


def test_candidates_that_were_found_in_time_are_listed(
    run: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow_after(found: int) -> Callable[..., Iterator[Code]]:
        def candidates(_: Any) -> Iterator[Code]:
            yield from [(0, 0, 0, 0), (0, 0, 0, 1)][:found]
            work_without_end()

        return candidates

    engine = type(open_engine(load("mastermind")))
    monkeypatch.setattr(engine, "count", Engine.count)
    for found, line in ((0, "no code found in time; there may be some"), (2, "2 codes found in")):
        monkeypatch.setattr(engine, "in_code_order", slow_after(found))
        done = run("candidates", "mastermind", "--seconds", "0.3")
        assert (done.status, len(done.out.splitlines())) == (3, found)
        assert line in done.err
    answer = run("candidates", "mastermind", "--seconds", "0.3", "--json")
    assert answer.status == 3
    assert json.loads(answer.out) == {"count": None, "exact": False, "candidates": ["RRRR", "RRRG"]}
    monkeypatch.setattr(limits, "DEFAULT_SECONDS", 0.3)
    settings = "play.strategy=first", "play.budget=0.1"
    words = [word for each in settings for word in ("--set", each)]
    told = run("play", "mastermind", *words, stdin="/candidates\nRRGG B\n")
    assert (told.status, "2 codes found in time" in told.err) == (3, True)


def test_a_command_without_an_answer_in_time_says_so(run: Program) -> None:
    Path("thinker.py").write_text("def think(counts):\n    while True:\n        pass\n")
    done = run("suggest", "2x3", "--strategy", "thinker.py:think", "--seconds", "0.3", "--json")
    assert (done.status, done.out) == (3, '{"count": null}\n'), done.err
    assert "--seconds 1.8" in done.err


def test_a_game_without_an_answer_in_time_names_the_key_that_allows_more(
    run: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "DEFAULT_SECONDS", 0.2)
    monkeypatch.setattr(type(open_engine(load("2x3"))), "satisfiable", work_without_end)
    done = run("play", "2x3", "--set", "play.budget=0.1", stdin="/quit\n")
    assert (done.status, done.err.splitlines()[-1]) == (
        3,
        "puzzlehunt: no answer in 0.2 s; --set play.budget=1.2 waits longer",
    )


def test_a_line_of_a_game_that_takes_too_long_leaves_the_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out, notes = StringIO(), StringIO()
    session = Session(load("2x3", ["play.budget=0.1"]), "2x3")
    lines = "12 B\n/certain\n/history\n"
    monkeypatch.setattr(limits, "DEFAULT_SECONDS", 0.3)
    monkeypatch.setattr("puzzlehunt.explanation.why.certain", work_without_end)
    in_time = prompt.run(Conversation(session), Screen(out, notes), StringIO(lines))
    assert not in_time
    assert "no answer in 0.3 s" in notes.getvalue()
    assert out.getvalue().endswith("AB B\n")
