"""The history of a session with undo and redo, and the effect of each change.

`apply` makes a change of the newest history; `rebase` first translates a change of an older history
into one of the newest. Both are pure functions, which need no engine and no file.
"""

from dataclasses import dataclass, replace
from typing import TypeAlias

from puzzlehunt.errors import OvertakenError, SessionError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.merging import (
    Effect,
    MergeResult,
    RowEffect,
    agreed_clue,
    illegal_guesses,
    merge,
)
from puzzlehunt.game.turn_notation import with_text
from puzzlehunt.session import changes

TimelineChange: TypeAlias = changes.HistoryChange | changes.Undo | changes.Redo


@dataclass(frozen=True, slots=True)
class Timeline:
    """Histories, each a step after the one before it, and the place (from 0) of the present one."""

    histories: tuple[History, ...]
    place: int = 0

    @classmethod
    def ending_in(cls, history: History) -> "Timeline":
        """Return a timeline that ends in a history, with each turn or fact as one step."""
        count = len(history.items)
        return cls(tuple(History(history.items[:n]) for n in range(count + 1)), count)

    @property
    def present(self) -> History:
        """The present history: undo returns to those before it, redo to those after it."""
        return self.histories[self.place]

    def then(self, history: History) -> "Timeline":
        """Return the timeline with a history after the present one, and no step to redo."""
        place = self.place + 1
        return Timeline((*self.histories[:place], history), place)

    def moved(self, steps: int) -> "Timeline":
        """Return the timeline after steps are redone, or undone if `steps` is negative.

        If there are fewer steps, all are; if there are none, SessionError is raised.
        """
        place = min(max(0, self.place + steps), len(self.histories) - 1)
        if place == self.place:
            raise SessionError("nothing to undo" if steps < 0 else "nothing to redo")
        return replace(self, place=place)


def apply(game: Game, timeline: Timeline, change: TimelineChange) -> tuple[Timeline, MergeResult]:
    """Return the timeline after a change, and the effect on each row that the change names.

    If the change adds nothing, the timeline itself is returned. Raises SessionError if a row does
    not exist, or if there is nothing to undo or redo.
    """
    if isinstance(change, changes.Undo | changes.Redo):
        later = timeline.moved(change.steps if isinstance(change, changes.Redo) else -change.steps)
        return later, MergeResult(later.present, ())
    result = _changed(game, timeline.present, change)
    is_step = {one.effect for one in result.placed} != {"known"}
    return (timeline.then(result.history) if is_step else timeline), result


def _changed(game: Game, history: History, change: changes.HistoryChange) -> MergeResult:
    match change:
        case changes.RecordTurns(turns, whole_log):
            return merge(game, history, turns, whole_log)
        case changes.EditRows(rows):
            placed: list[RowEffect] = []
            for row, turn in rows:
                result = _edited(game, history, row, turn)
                history = result.history
                placed += result.placed
            return MergeResult(history, tuple(placed))
        case changes.AddMarks(row, turn):
            return _edited(game, history, row, turn, "completed")
        case changes.DropRow(row):
            history = history.drop(row)
        case changes.SetDoubt(row, chance):
            history = history.doubt(row, chance)
        case changes.AddFact(fact):
            history = history.add(fact)
        case changes.ReplaceHistory():
            history = change.history
        case changes.Clear():
            history = History()
    return MergeResult(history, ())


def _edited(
    game: Game, history: History, row: int, turn: Turn, effect: Effect = "replaced"
) -> MergeResult:
    """Return a history with a row replaced; the note stays if the new turn has none.

    If another row has the same guess now, the two are merged. In a game whose codemaker may lie,
    only a later row is merged, and only if the clue of the replaced row is unread now.
    """
    others, old = history.drop(row), history.turn(row)
    turn = replace(turn, note=turn.note or old.note)
    if turn == old:
        return MergeResult(history, (RowEffect(row, turn, "known", old),))
    if others.number_of(turn.guess) is not None and not game.channel.answers_anew:
        return merge(game, others, [turn])
    history = history.replace(row, turn)
    if turn.clue == game.unread_clue(turn.guess):
        history = merge(game, History(), history).history
    return MergeResult(history, (RowEffect(row, history.turn(row), effect, old),))


def rebase(game: Game, change: changes.Change, seen: History, now: History) -> changes.Change:
    """Return a change of the history `now` with the same meaning as `change` has for `seen`.

    Numbers of rows are updated. Raises OvertakenError if the row was changed in the meantime, if a
    recorded turn would replace a row that its author has not seen, or if the change replaces the
    whole history. Raises IllegalGuessError if hard mode forbids a guess because of newer rows.
    """
    if seen == now:
        return change
    match change:
        case changes.RecordTurns(turns, whole_log):
            old, new = (merge(game, history, turns, whole_log) for history in (seen, now))
            unseen = {row for row, turn in enumerate(now.turns, start=1) if turn not in seen.turns}
            for one in new.placed:
                if one.effect == "replaced" and one.number in unseen:
                    raise OvertakenError(one.number)
            was_illegal = {place for place, _ in illegal_guesses(game, old)}
            for place, error in illegal_guesses(game, new):
                if place not in was_illegal:
                    raise error
            return change
        case changes.AddMarks():
            return _completed(game, change, seen, now)
        case changes.EditRows(rows):
            return replace(change, rows=tuple((_moved(row, seen, now), turn) for row, turn in rows))
        case changes.DropRow(row) | changes.SetDoubt(row):
            return replace(change, row=_moved(row, seen, now))
        case changes.Undo() | changes.Redo() | changes.ReplaceHistory() | changes.Clear():
            raise OvertakenError
        case _:  # a fact or a setting
            return change


def _row_seen(row: int, seen: History) -> Turn:
    if row > len(seen.turns):
        raise OvertakenError(row, was_there=False)
    return seen.turns[row - 1]


def _moved(row: int, seen: History, now: History) -> int:
    """Return the number in `now` of a row of `seen`. Raises OvertakenError."""
    turn = _row_seen(row, seen)
    if now.turns[row - 1 : row] == (turn,):
        return row
    if turn not in now.turns:
        raise OvertakenError(row)
    return now.turns.index(turn) + 1


def _completed(
    game: Game, change: changes.AddMarks, seen: History, now: History
) -> changes.AddMarks:
    """Return marks of a row in `seen` together with those that others have read since."""
    old = _row_seen(change.row, seen)
    if old in now.turns:
        return replace(change, row=_moved(change.row, seen, now))
    row = now.number_of(old.guess)
    clue = None if row is None else agreed_clue(game, now.turn(row), change.turn)
    if row is None or clue is None or game.channel.answers_anew:
        raise OvertakenError(change.row)
    return changes.AddMarks(row, with_text(game, replace(now.turn(row), clue=clue)))
