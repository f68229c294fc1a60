"""Repeated guesses: the turn of a guess is completed or replaced, and counts once.

Players rewrite a row when they have read more of its answer, and paste a growing sheet again and
again. Only a codemaker that may lie can give a repeated guess a different answer.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import IllegalGuessError, InvalidClueError
from puzzlehunt.game.history import History, Item, Turn
from puzzlehunt.game.turn_notation import with_text
from puzzlehunt.rules.notation.clue import Clue

if TYPE_CHECKING:
    from puzzlehunt.game.game import Game

Effect: TypeAlias = Literal["known", "completed", "replaced", "new"]
"""The effect of a turn on a history.

A turn with a guess that the history does not have is `new`. Otherwise the turn of that guess
already says the same (`known`), or it was `completed` or `replaced` by the new turn.
"""
EFFECTS: tuple[Effect, ...] = ("known", "completed", "replaced", "new")
"""All effects, the weakest first; for several turns of one guess the strongest is reported."""


@dataclass(frozen=True, slots=True)
class RowEffect:
    """The effect of one turn that was merged into a history.

    `number` (from 1) and `turn` are the number and the turn of its guess in the merged history;
    `old` is the earlier turn of that guess, None for a new guess.
    """

    number: int
    turn: Turn
    effect: Effect
    old: Turn | None = None


@dataclass(frozen=True, slots=True)
class MergeResult:
    """A history with turns merged into it, and the effect of each of these turns, in order.

    `overruled` are those of the merged turns that a later one with another clue for the same guess
    replaced.
    """

    history: History
    placed: tuple[RowEffect, ...]
    overruled: tuple[RowEffect, ...] = ()

    @property
    def changed(self) -> tuple[RowEffect, ...]:
        """The effects that are not `known`, once for each turn of the history, in its order."""
        by_number = {p.number: p for p in self.placed if p.effect != "known"}
        return tuple(by_number[number] for number in sorted(by_number))

    def found_in(self, history: History) -> "MergeResult":
        """Return this result for another history, to which others may have added rows.

        Each effect gets the number and the turn that its guess has there. `overruled` is left out.
        """
        numbers = {turn: number for number, turn in enumerate(history.turns, start=1)}
        placed = []
        for one in self.placed:
            number = numbers.get(one.turn) or history.number_of(one.turn.guess)
            if number is not None and history.turns[one.number - 1 : one.number] != (one.turn,):
                one = replace(one, number=number, turn=history.turn(number))
            placed.append(one)
        return MergeResult(history, tuple(placed))


@dataclass(eq=False, slots=True)
class _Entry:
    """A turn of a history that is being made, and what it was before; None if it is new."""

    turn: Turn
    old: Turn | None = None
    effect: Effect = "known"


def merge(
    game: "Game", history: History, turns: Sequence[Turn], is_log: bool = False
) -> MergeResult:
    """Return a history with turns merged into it.

    A guess that is in the history already keeps its place. Its clue becomes the intersection of
    both clues, or the new clue if the clues contradict each other or the new one `restates` the old
    one. Its doubt becomes that of the new turn. A new guess is added at the end.

    In a game whose codemaker may lie, a repeated guess is a new turn unless the old turn is unread.
    In such a game, set `is_log` if `turns` are a whole log whose beginning may be in the history
    already.
    """
    entries = [_Entry(item, item) if isinstance(item, Turn) else item for item in history]
    rows = [entry for entry in entries if isinstance(entry, _Entry)]
    partners = _rows_of_log(game, rows, turns) if is_log else []
    newest = {row.turn.guess: row for row in rows}
    merged: list[_Entry] = []
    overruled: list[tuple[_Entry, Turn]] = []
    for place, turn in enumerate(turns):
        row = partners[place] if place < len(partners) else _row_of(game, newest, turn)
        if row is None:
            row = newest[turn.guess] = _Entry(_with_overlong(game, turn, [turn]), effect="new")
            rows.append(row)
            entries.append(row)
        else:
            before = row.turn
            if _merge_into(game, row, turn) == "replaced" and row in merged:
                overruled.append((row, before))
        merged.append(row)
    numbers = {row: number for number, row in enumerate(rows, start=1)}
    placed = tuple(RowEffect(numbers[row], row.turn, row.effect, row.old) for row in merged)
    besides = (RowEffect(numbers[row], row.turn, "replaced", before) for row, before in overruled)
    return MergeResult(
        History(tuple(item.turn if isinstance(item, _Entry) else item for item in entries)),
        placed,
        tuple(one for one in besides if one not in placed),
    )


def with_item(game: "Game", history: History, item: Item) -> History:
    """Return a history with a fact added at its end, or a turn merged into it."""
    if isinstance(item, Turn):
        return merge(game, history, [item]).history
    return history.add(item)


def merged_with_itself(game: "Game", items: Iterable[Item]) -> History:
    """Return the history of some items, each turn merged into those before it."""
    history = History()
    for is_turn, run in groupby(items, lambda item: isinstance(item, Turn)):
        if is_turn and not history.turns:
            # All at once, which is much faster: no guess was on the board before.
            history = merge(game, history, cast(list[Turn], list(run))).history
            continue
        for item in run:
            history = with_item(game, history, item)
    return history


def _row_of(game: "Game", newest: Mapping[Code, _Entry], turn: Turn) -> _Entry | None:
    """Return the row that a turn may complete or replace, the `newest` one of its guess, if any."""
    row = newest.get(turn.guess)
    is_free = row and (
        not game.channel.answers_anew or row.turn.clue == game.unread_clue(turn.guess)
    )
    return row if is_free else None


def _rows_of_log(game: "Game", board: Sequence[_Entry], log: Sequence[Turn]) -> list[_Entry]:
    """Return the rows at the beginning of a log, in a game whose codemaker may lie.

    They are the first rows of the board, if these agree with the turns of the log as far as both
    go. Otherwise, and in all other games, the list is empty.
    """
    agree = game.channel.answers_anew and all(
        row.turn.guess == turn.guess
        and agreed_clue(game, turn.guess, row.turn.clue, turn.clue) is not None
        for row, turn in zip(board, log, strict=False)
    )
    return list(board[: len(log)]) if agree else []


def _merge_into(game: "Game", row: _Entry, turn: Turn) -> Effect:
    old = row.turn
    clue = agreed_clue(game, turn.guess, old.clue, turn.clue)
    if game.rule.restates(old.clue, turn.clue):
        clue = None
    newest = turn if clue is None else replace(turn, clue=clue)
    newest = _with_overlong(game, newest, [turn] if clue is None else [old, turn])
    effect: Effect = "completed"
    if clue is None or turn.doubt != old.doubt:
        effect = "replaced"
    elif clue == old.clue and newest.overlong == old.overlong and turn.note in ("", old.note):
        effect = "known"
    row.turn = with_text(game, replace(newest, note=turn.note or old.note))
    row.effect = max(row.effect, effect, key=EFFECTS.index)
    return effect


def _with_overlong(game: "Game", turn: Turn, said: Sequence[Turn]) -> Turn:
    """Return a turn that is `overlong` if it wins and none of the turns of its guess won alone."""
    winning = [one for one in said if game.rule.wins(one.clue)]
    overlong = bool(winning) and game.rule.wins(turn.clue) and all(one.overlong for one in winning)
    return turn if turn.overlong == overlong else with_text(game, replace(turn, overlong=overlong))


def agreed_clue(game: "Game", guess: Code, old: Clue, new: Clue) -> Clue | None:
    """Return the intersection of two clues about a guess, None if they contradict each other."""
    unread = game.unread_clue(guess)
    if unread in (old, new):
        return new if old == unread else old
    clue = game.rule.intersect(old, new)
    if clue is None or clue in (old, new):
        return clue
    try:  # Each alone may be possible, and both together not: 3 black and 1 white.
        return game.parse_clue(game.rule.format(clue), guess)
    except InvalidClueError:
        return None


def illegal_guesses(game: "Game", merged: MergeResult) -> Iterator[tuple[int, IllegalGuessError]]:
    """Yield the place (from 0) of each merged turn whose guess hard mode forbids."""
    turns = merged.history.turns
    for place, placed in enumerate(merged.placed if game.hard else ()):
        if placed.effect == "new":
            try:
                game.check_guess(placed.turn.guess, History(turns[: placed.number - 1]))
            except IllegalGuessError as error:
                yield place, error
