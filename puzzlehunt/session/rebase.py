"""Rebasing: a change of an older history is translated into a change of the newest history."""

from dataclasses import replace

from puzzlehunt.errors import OvertakenError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.merging import agreed_clue, illegal_guesses, merge
from puzzlehunt.game.turn_notation import with_text
from puzzlehunt.session import changes
from puzzlehunt.session.changes import AddMarks, Change


def rebase(game: Game, change: Change, seen: History, now: History) -> Change:
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
            for effect in new.placed:
                if effect.effect == "replaced" and effect.number in unseen:
                    raise OvertakenError(effect.number)
            was_illegal = {place for place, _ in illegal_guesses(game, old)}
            for place, error in illegal_guesses(game, new):
                if place not in was_illegal:
                    raise error
            return change
        case AddMarks():
            return _completed(game, change, seen, now)
        case changes.EditRows(rows):
            return replace(change, rows=tuple((_moved(row, seen, now), turn) for row, turn in rows))
        case changes.DropRow(row) | changes.SetDoubt(row):
            return replace(change, row=_moved(row, seen, now))
        case changes.AddFact():
            return change
        case _ if isinstance(change, changes.SettingsChange):
            return change
        case _:
            raise OvertakenError


def _moved(row: int, seen: History, now: History) -> int:
    """Return the number in `now` of a row of `seen`. Raises OvertakenError."""
    turn = _seen_turn(row, seen)
    if now.turns[row - 1 : row] == (turn,):
        return row
    if turn not in now.turns:
        raise OvertakenError(row)
    return now.turns.index(turn) + 1


def _seen_turn(row: int, seen: History) -> Turn:
    if row > len(seen.turns):
        raise OvertakenError(row, was_there=False)
    return seen.turns[row - 1]


def _completed(game: Game, change: AddMarks, seen: History, now: History) -> AddMarks:
    old, new = _seen_turn(change.row, seen), change.turn
    if old in now.turns:
        return replace(change, row=_moved(change.row, seen, now))
    row = now.number_of(old.guess)
    clue = None if row is None else agreed_clue(game, now.turn(row), new)
    if row is None or clue is None or game.channel.answers_anew:
        raise OvertakenError(change.row)
    return AddMarks(row, with_text(game, replace(now.turn(row), clue=clue)))
