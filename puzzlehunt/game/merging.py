"""Repeated guesses: the turn of a guess is completed or replaced, and counts once.

Players rewrite a row when they have read more of its answer, and paste a growing sheet again and
again. Only a codemaker that may lie can give a repeated guess a different answer.
"""

from collections.abc import Iterable, Iterator, Sequence
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
"""All effects, the weakest first."""


@dataclass(frozen=True, slots=True)
class RowEffect:
    """The effect of one turn that was merged into a history.

    `turn` is what it made of the row with that `number` (from 1); `old` is the earlier turn of
    that row, None for a new guess.
    """

    number: int
    turn: Turn
    effect: Effect
    old: Turn | None = None


@dataclass(frozen=True, slots=True)
class MergeResult:
    """A history with turns merged into it, and the effect of each of these turns, in order."""

    history: History
    placed: tuple[RowEffect, ...]

    @property
    def changed(self) -> tuple[RowEffect, ...]:
        """The effects that are not `known`, by the order of the history's turns."""
        changed = [one for one in self.placed if one.effect != "known"]
        return tuple(sorted(changed, key=lambda one: one.number))


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
    items = list(history.items)
    places = [place for place, item in enumerate(items) if isinstance(item, Turn)]
    rows = {turn.guess: row for row, turn in enumerate(history.turns)}
    in_log = _rows_of_log(game, history.turns, turns) if is_log else 0
    placed: list[RowEffect] = []
    for number, turn in enumerate(turns):
        row = number if number < in_log else rows.get(turn.guess, -1)
        old = None if row < 0 else cast(Turn, items[places[row]])
        is_played_anew = game.channel.answers_anew and number >= in_log
        if old is None or (is_played_anew and old.clue != game.unread_clue(old.guess)):
            row = rows[turn.guess] = len(places)
            places.append(len(items))
            if turn.overlong and not game.rule.wins(turn.clue):
                turn = with_text(game, replace(turn, overlong=False))
            items.append(turn)
            placed.append(RowEffect(row + 1, turn, "new"))
        else:
            merged, effect = _merged(game, old, turn)
            items[places[row]] = merged
            placed.append(RowEffect(row + 1, merged, effect, old))
    return MergeResult(History(tuple(items)), tuple(placed))


def _rows_of_log(game: "Game", rows: Sequence[Turn], log: Sequence[Turn]) -> int:
    """Return how many turns at the beginning of a log may be the rows so far."""
    if not game.channel.answers_anew:
        return 0
    agree = [
        row.guess == turn.guess and agreed_clue(game, row.guess, row.clue, turn.clue) is not None
        for row, turn in zip(rows, log, strict=False)
    ]
    return [*agree, False].index(False)


def _merged(game: "Game", old: Turn, turn: Turn) -> tuple[Turn, Effect]:
    """Return what a turn makes of an older one with its guess, and the effect."""
    clue = agreed_clue(game, turn.guess, old.clue, turn.clue)
    said = [old, turn]
    if clue is None or game.rule.restates(old.clue, turn.clue):
        clue, said = turn.clue, [turn]
    winning = [one for one in said if game.rule.wins(one.clue)]
    overlong = bool(winning) and all(one.overlong for one in winning)
    new = replace(turn, clue=clue, note=turn.note or old.note, overlong=overlong)
    merged = with_text(game, new)
    if len(said) == 1 or turn.doubt != old.doubt:
        return merged, "replaced"
    return merged, "known" if merged == old else "completed"


def with_item(game: "Game", history: History, item: Item) -> History:
    """Return a history with a fact added at its end, or a turn merged into it."""
    if isinstance(item, Turn):
        return merge(game, history, [item]).history
    return history.add(item)


def merged_with_itself(game: "Game", items: Iterable[Item]) -> History:
    """Return the history of some items, each turn merged into those before it."""
    history = History()
    for is_turn, run in groupby(items, lambda item: isinstance(item, Turn)):
        if is_turn:
            history = merge(game, history, cast(list[Turn], list(run))).history
        else:
            history = history.add(*run)
    return history


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
