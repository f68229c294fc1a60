"""Timelines and rebased changes: what each change makes of a history, whoever saw which one."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import puzzlehunt
from puzzlehunt.errors import OvertakenError, SessionError
from puzzlehunt.game.history import History, Turn, number_of
from puzzlehunt.game.turn_notation import parse_clue
from puzzlehunt.session.changes import (
    AddFact,
    AddMarks,
    Change,
    Clear,
    DropRow,
    EditRows,
    HistoryChange,
    RecordTurns,
    Redo,
    ReplaceHistory,
    SetDoubt,
    SetReadRates,
    SetStrategy,
    SetWordList,
    Timeline,
    Undo,
    apply,
    rebase,
)

GAME = puzzlehunt.load("mastermind")
TURNS = [
    GAME.turn(f"{guess} {clue}")
    for guess in ("RRGG", "BBYY", "RGBY", "YYYY", "OOPP")
    for clue in ("*", "BW__", "B", "W", "BBW", "none")
]
FACTS = [GAME.parse_fact(text) for text in ("no O", "contains R", "contains B")]
turns = st.sampled_from(TURNS)


def _history(items: Sequence[object]) -> History:
    """Return a history with one row of each guess and each fact once."""
    timeline = Timeline((History(),))
    for item in items:
        if isinstance(item, Turn):
            timeline, _ = apply(GAME, timeline, RecordTurns((item,)))
        elif item not in timeline.present.items:
            timeline, _ = apply(GAME, timeline, AddFact(item))
    return timeline.present


histories = st.lists(turns | st.sampled_from(FACTS), max_size=6).map(_history)


@st.composite
def changes_of(draw: st.DrawFn, history: History) -> HistoryChange:
    """Draw a change that can be made of a history."""
    recorded = st.builds(
        RecordTurns, st.lists(turns, min_size=1, max_size=2).map(tuple), st.booleans()
    )
    any_time = recorded | st.builds(AddFact, st.sampled_from(FACTS))
    whole = st.builds(Clear) | st.builds(ReplaceHistory, histories)
    if not history.turns:
        return draw(any_time | whole)
    rows = st.integers(1, len(history.turns))
    of_row = (
        st.builds(DropRow, rows)
        | st.builds(SetDoubt, rows, st.sampled_from([0.0, 0.2, 0.5]))
        | st.builds(EditRows, st.tuples(st.tuples(rows, turns)))
        | rows.map(lambda row: _marks(history, row))
    )
    return draw(any_time | of_row | of_row | whole)


def _marks(history: History, row: int) -> AddMarks:
    turn = history.turn(row)
    return AddMarks(row, replace(turn, clue=parse_clue(GAME, "B___", turn.code)))


def after(history: History, *changes: HistoryChange) -> History:
    timeline = Timeline((history,))
    for change in changes:
        timeline, _ = apply(GAME, timeline, change)
    return timeline.present


@given(st.data())
def test_a_change_is_one_step_that_undo_and_redo_take(data: st.DataObject) -> None:
    timeline = Timeline.ending_in(data.draw(histories))
    past = [timeline.present]
    for _ in range(data.draw(st.integers(1, 4))):
        later, _ = apply(GAME, timeline, data.draw(changes_of(timeline.present)))
        if later is not timeline:
            past.append(later.present)
        timeline = later
    steps = len(past) - 1
    assume(steps)
    back, _ = apply(GAME, timeline, Undo(steps))
    assert (back.present, back.place) == (past[0], timeline.place - steps)
    one_by_one = timeline
    for expected in reversed(past[:-1]):
        one_by_one, _ = apply(GAME, one_by_one, Undo())
        assert one_by_one.present == expected
    assert one_by_one == back
    assert apply(GAME, back, Redo(steps))[0] == timeline
    assert apply(GAME, back, Redo(10 * steps))[0] == timeline
    with pytest.raises(SessionError):
        apply(GAME, apply(GAME, back, AddFact(GAME.parse_fact("no G")))[0], Redo())


def test_a_timeline_ends_where_it_begins() -> None:
    timeline = Timeline.ending_in(_history(TURNS[:3]))
    begin, _ = apply(GAME, timeline, Undo(100))
    assert begin.present == History()
    with pytest.raises(SessionError, match="nothing to undo"):
        apply(GAME, begin, Undo())
    with pytest.raises(SessionError, match="nothing to redo"):
        apply(GAME, timeline, Redo())


def test_what_says_nothing_new_is_no_step() -> None:
    history = _history([GAME.turn("RRGG BW")])
    timeline = Timeline((history,))
    for change in (
        RecordTurns((history.turns[0],)),
        EditRows(((1, history.turns[0]),)),
        AddMarks(1, history.turns[0]),
    ):
        same, result = apply(GAME, timeline, change)
        assert same is timeline
        assert [one.effect for one in result.placed] == ["known"]


def test_marks_complete_a_row_and_an_edit_replaces_it() -> None:
    timeline = Timeline((_history([replace(GAME.turn("RRGG B___"), note="seen")]),))
    turn = GAME.turn("RRGG BW__")
    for change, effect in ((AddMarks(1, turn), "completed"), (EditRows(((1, turn),)), "replaced")):
        later, result = apply(GAME, timeline, change)
        assert [one.effect for one in result.placed] == [effect]
        assert later.present.turns == (replace(turn, note="seen" * (effect == "completed")),)


# Rebased changes.


@given(st.data())
def test_a_change_of_the_newest_history_stays_as_it_is(data: st.DataObject) -> None:
    history = data.draw(histories)
    change = data.draw(changes_of(history) | st.builds(Undo) | st.builds(Redo))
    assert rebase(GAME, change, history, history) == change


@given(st.data())
def test_changes_of_different_rows_commute(data: st.DataObject) -> None:
    history = data.draw(histories)
    first, second = data.draw(changes_of(history)), data.draw(changes_of(history))
    assume(not _guesses(history, first) & _guesses(history, second))
    assume(not isinstance(first, Clear | ReplaceHistory))
    assume(not isinstance(second, Clear | ReplaceHistory))
    one, other = (
        after(history, a, _rebased(b, history, after(history, a)))
        for a, b in ((first, second), (second, first))
    )
    assert sorted(map(repr, one)) == sorted(map(repr, other))


def _rebased(change: HistoryChange, seen: History, now: History) -> HistoryChange:
    rebased: Change = rebase(GAME, change, seen, now)
    assert not isinstance(rebased, SetStrategy | SetReadRates | SetWordList)
    return rebased


def _guesses(history: History, change: HistoryChange) -> set[object]:
    """Return the guesses of all rows that a change is about, or the fact that it adds."""
    match change:
        case RecordTurns(recorded):
            return {turn.code for turn in recorded}
        case EditRows(rows):
            return {turn.code for _, turn in rows} | {history.turn(row).code for row, _ in rows}
        case DropRow(row) | SetDoubt(row) | AddMarks(row):
            return {history.turn(row).code}
        case AddFact(fact):
            return {fact}
    return set()


@given(st.data())
def test_a_rebased_change_touches_no_row_that_its_author_has_not_seen(data: st.DataObject) -> None:
    seen = data.draw(histories)
    change, other = data.draw(changes_of(seen)), data.draw(changes_of(seen))
    now = after(seen, other)
    try:
        then = after(now, _rebased(change, seen, now))
    except OvertakenError:
        return
    unseen = [turn for turn in now.turns if turn not in seen.turns]
    for turn in unseen:
        kept = number_of(then, turn.code)
        assert kept is not None, (change, other)


@pytest.mark.parametrize(
    ("change", "row"),
    [
        (DropRow(1), 1),
        (SetDoubt(1, 0.5), 1),
        (EditRows(((1, GAME.turn("RRGG B")),)), 1),
        (RecordTurns((GAME.turn("RRGG none"),)), 1),
        (DropRow(9), 9),
        (Undo(), None),
        (Redo(), None),
        (Clear(), None),
        (ReplaceHistory(History()), None),
    ],
)
def test_a_change_of_what_somebody_else_has_changed_is_overtaken(change, row) -> None:
    seen, now = (_history([GAME.turn(f"RRGG {clue}")]) for clue in ("B", "BW"))
    with pytest.raises(OvertakenError) as error:
        rebase(GAME, change, seen, now)
    assert error.value.row == row


def test_marks_are_added_to_what_somebody_else_has_read() -> None:
    seen, now = (_history([GAME.turn(f"RRGG {clue}")]) for clue in ("____", "W___"))
    change = AddMarks(1, GAME.turn("RRGG B___"))
    assert rebase(GAME, change, seen, now) == AddMarks(1, GAME.turn("RRGG BW__"))
    with pytest.raises(OvertakenError):
        rebase(GAME, change, seen, _history([GAME.turn("RRGG none")]))


def test_a_change_follows_its_row_to_the_new_number() -> None:
    seen = _history([GAME.turn("RRGG B"), GAME.turn("BBYY W")])
    now = _history([GAME.turn("BBYY W"), GAME.turn("RRGG B")])
    assert rebase(GAME, DropRow(1), seen, now) == DropRow(2)
    assert rebase(GAME, SetDoubt(2, 0.5), seen, now) == SetDoubt(1, 0.5)
