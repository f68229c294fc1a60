"""Repeated guesses: the turn of a guess is completed or replaced, and counts once.

Players rewrite a row when they have read more of its answer, and paste a growing sheet again.
Only a codemaker that may lie can give a repeated guess a different answer.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from puzzlehunt.game import meaning
from puzzlehunt.game.history import Fact, Finding, History, Item, Turn
from puzzlehunt.game.turn_notation import parse_clue, tried, with_text
from puzzlehunt.rules.notation.clue import Clue

if TYPE_CHECKING:
    from puzzlehunt.game.game import Game

Effect: TypeAlias = Literal["new", "replaced", "completed", "known"]
"""The effect of a turn: its guess is `new`, or its row was `replaced`, `completed` or `known`."""


@dataclass(frozen=True, slots=True)
class RowEffect:
    """What a turn made of a `row` (its number, from 1); `old` was there before, if any was."""

    row: int
    turn: Turn
    effect: Effect
    old: Turn | None = None


@dataclass(frozen=True, slots=True)
class MergeResult(Finding):
    """A history with turns merged into it, and the effect of each of these turns, in order."""

    placed: tuple[RowEffect, ...] = ()


def merge(
    game: "Game", history: History, items: Iterable[Item], is_log: bool = False
) -> MergeResult:
    """Return a history with turns merged into it, and facts added at its end.

    The row of a repeated guess stays where it is. It gets the new doubt, and the intersection of
    both clues, or the new one if they contradict each other or it `restates` the old one. If the
    codemaker may lie, a repeated guess is a new turn unless the old one is unread, or the items are
    a whole log (`is_log`) whose beginning is in the history already.
    """
    merged, log = list(history.items), history.turns
    places = [place for place, item in enumerate(history) if isinstance(item, Turn)]
    rows = {turn.code: row for row, turn in enumerate(log)}
    placed: list[RowEffect] = []
    for item in items:
        if isinstance(item, Fact):
            merged.append(item)
            continue
        turn, row = item, len(placed)
        is_log = is_log and row < len(log) and agreed_clue(game, log[row], turn) is not None
        row = row if is_log else rows.get(turn.code, -1)
        old = None if row < 0 else cast(Turn, merged[places[row]])
        is_played_anew = game.channel.answers_anew and not is_log
        if old is None or (is_played_anew and not meaning.is_unread(game, old)):
            row = rows[turn.code] = len(places)
            places.append(len(merged))
            merged.append(turn)
            placed.append(RowEffect(row + 1, turn, "new"))
        else:
            now, effect = _merged(game, old, turn)
            merged[places[row]] = now
            placed.append(RowEffect(row + 1, now, effect, old))
    return MergeResult(game, History(tuple(merged)), tuple(placed))


def _merged(game: "Game", old: Turn, turn: Turn) -> tuple[Turn, Effect]:
    """Return what a turn makes of an older one with its guess, and the effect."""
    clue = agreed_clue(game, old, turn)
    if is_corrected := clue is None or game.rule.notation.restates(old.clue, turn.clue):
        clue = turn.clue
    merged = with_text(game, replace(turn, clue=clue, note=turn.note or old.note))
    if is_corrected or turn.doubt != old.doubt:
        return merged, "replaced"
    return merged, "known" if merged == old else "completed"


def agreed_clue(game: "Game", old: Turn, new: Turn) -> Clue | None:
    """Return the intersection of two clues about one guess, None if they contradict each other."""
    if old.code != new.code:
        return None
    unread = game.rule.notation.unread_clue(old.code)
    if unread in (old.clue, new.clue):
        return new.clue if old.clue == unread else old.clue
    clue = old.clue & new.clue
    if clue is None or clue in (old.clue, new.clue):
        return clue
    # Each alone may be possible, and both together not: 3 black and 1 white.
    return tried(parse_clue, game, game.rule.notation.format(clue), old.code)
