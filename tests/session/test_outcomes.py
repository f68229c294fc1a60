"""Outcomes: what a line did, as values without text."""

import runpy
import sys
from collections import Counter
from dataclasses import is_dataclass
from pathlib import Path
from types import FrameType
from typing import Any, get_args

import pytest

import puzzlehunt
from player import Player
from puzzlehunt.engines.base import Listing
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.explanation.review import Review
from puzzlehunt.explanation.why import Explanation, Verdict
from puzzlehunt.game.files import gamefile
from puzzlehunt.session import outcomes
from puzzlehunt.session.conversation import Conversation
from puzzlehunt.session.outcomes import Outcome
from puzzlehunt.session.session import Session
from puzzlehunt.strategies.adviser import Advice

ROOM = str(Path(puzzlehunt.__file__).parent)
TOOL = Path(__file__).resolve().parents[2] / "tools" / "typed_row.py"
KINDS = set(get_args(Outcome))


def _names(player: Player) -> list[str]:
    return [type(outcome).__name__ for outcome in player.outcomes]


def test_every_outcome_is_one_of_the_union_and_frozen() -> None:
    classes = {kind for kind in vars(outcomes).values() if is_dataclass(kind)}
    own = {kind for kind in classes if kind.__module__ == outcomes.__name__}
    assert own == {*KINDS, outcomes.Usage} - {Advice, Explanation, Review, Verdict}
    for kind in KINDS:
        assert kind.__dataclass_params__.frozen
        assert "__dict__" not in dir(kind)


def test_a_turn_is_answered_by_the_turn_the_count_and_the_advice() -> None:
    player = Player("cryptic").say("HORSE B_WR_")
    taken, counted, advised = player.outcomes
    assert isinstance(taken, outcomes.TurnTaken)
    assert (taken.number, taken.turn) == (1, player.session.history.turns[0])
    assert isinstance(counted, outcomes.Counted)
    assert counted.counts[0].exact == 933
    assert isinstance(advised, outcomes.Advised)
    assert advised.advice.suggestions[0].guess == player.conversation.suggested


@pytest.mark.parametrize(
    ("lines", "names"),
    [
        (["FLESH"], ["GuessStands"]),
        (["HERZL"], ["GuessStands", "GuessNoted"]),
        (["why"], ["WordRead"]),
        (["/wyh"], ["Failed"]),
        (["XX YY"], ["Failed"]),
        (["/s 2"], ["Advice"]),
        (["/fact H____"], ["FactAdded", "Counted", "Advised"]),
        (["HORSE B_WR_", "/undo"], ["HistoryChanged", "Counted", "Advised"]),
        (["HORSE won"], ["TurnTaken", "Solved", "Ended"]),
        (["HORSE B_WR_\nZONS RR"], ["BlockRefused"]),
        (["FLESH", "/quit"], ["TurnTaken", "Quit"]),
    ],
    ids=" ".join,
)
def test_each_line_has_its_outcomes(lines: list[str], names: list[str]) -> None:
    player = Player("cryptic")
    for line in lines:
        player.say(line)
    assert _names(player) == names


def test_a_contradiction_is_told_with_its_conflict_and_its_repairs() -> None:
    player = Player("mastermind").say("RRRR B", "RGBY none")
    assert _names(player) == ["TurnTaken", "NothingFits", "Explanation", "RepairsListed"]
    nothing, conflict, ways = player.outcomes[1:]
    assert isinstance(nothing, outcomes.NothingFits)
    assert (nothing.place, nothing.wider, nothing.boards) == (1, None, ())
    assert isinstance(conflict, Explanation)
    assert conflict.conflict == (0, 1)
    assert isinstance(ways, outcomes.RepairsListed)
    assert ways.repairs == tuple(player.conversation.session.answers.repairs)


def test_an_error_is_an_outcome_with_its_kind_and_message() -> None:
    (failed,) = Player("cryptic").say("HORSE XYXYX").outcomes
    assert isinstance(failed, outcomes.Failed)
    assert failed.kind == "InvalidClueError"
    assert "XYXYX" in failed.message


def test_a_turn_is_told_before_anything_is_computed() -> None:
    talk = Conversation(Session(gamefile.load("cryptic", ["play.opening=TARES"]), "cryptic"))
    list(talk.start())
    answers = talk.handle("HORSE B_WR_")
    calls: Counter[str] = Counter()
    assert isinstance(next(answers), outcomes.TurnTaken)
    with _counting(calls):
        assert isinstance(next(answers), outcomes.Counted)
    assert not calls["Adviser.advise"]
    assert isinstance(next(answers), outcomes.Advised)


class _counting:  # noqa: N801 - reads as a function
    """Counts the calls of the package's own functions, by their names."""

    def __init__(self, calls: Counter[str]) -> None:
        self._calls = calls

    def __enter__(self) -> None:
        sys.setprofile(self._count)

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _count(self, frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(ROOM):
            self._calls[frame.f_code.co_qualname] += 1


def test_a_typed_turn_is_read_and_followed_once() -> None:
    talk = Conversation(Session(gamefile.load("cryptic"), "cryptic"))
    list(talk.start())
    calls: Counter[str] = Counter()
    with _counting(calls):
        list(talk.handle("HORSE B_WR_"))
    for name in ("read_line", "parse_plain_turn", "Engine.follow", "Adviser.advise"):
        assert calls[name] == 1, name


def test_a_typed_row_costs_few_calls(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """From the line to the printed answer, in a warm program; `tools/typed_row.py` says which."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    calls = runpy.run_path(str(TOOL))["measured"]()
    assert len(calls.files) <= 66
    assert calls.room_changes <= 400
    assert calls.total <= 2_850


def test_a_row_is_weighed_with_few_calls() -> None:
    def weighed(calls: Any) -> None:
        engine = open_engine("cryptic")
        engine.push(engine.game.parse_turn("TARES _R__R"))
        assert isinstance(engine, Listing)
        engine.weights()
        turn = engine.game.parse_turn("HORSE B_WR_")
        calls.begin()
        engine.push(turn)
        engine.weights()
        calls.end()

    kind = runpy.run_path(str(TOOL))["Calls"]
    weighed(kind())
    weighed(calls := kind())
    assert 0 < calls.total <= 310
