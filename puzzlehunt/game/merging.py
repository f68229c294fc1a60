"""A guess that is on the board already: its turn is completed or replaced, and counts once.

Players write a row down again when they have made out more of its answer, and paste a growing sheet
again and again. Only a codemaker that lies by chance answers the same guess anew.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Literal, TypeAlias

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import IllegalGuessError, InvalidClueError
from puzzlehunt.game.history import History, Item, Turn
from puzzlehunt.game.lines import with_text
from puzzlehunt.rules.notation.clue import Clue

if TYPE_CHECKING:
    from puzzlehunt.game.game import Game

Effect: TypeAlias = Literal["known", "completed", "replaced", "new"]
"""What a turn did to a history.

Its guess is `new` there; or it is on the board already, and the turn of that guess says just what
it did (`known`), says more (`completed`) or something else (`replaced`).
"""
EFFECTS: tuple[Effect, ...] = ("known", "completed", "replaced", "new")
"""All effects, the weakest first: of several turns of one guess the strongest effect is told."""


@dataclass(frozen=True, slots=True)
class RowEffect:
    """What became of one turn that was merged into a history.

    `number` (from 1) and `turn` are those of the merged history; `old` is the turn of the same
    guess before, None where the guess is new.
    """

    number: int
    turn: Turn
    effect: Effect
    old: Turn | None = None


@dataclass(frozen=True, slots=True)
class MergeResult:
    """A history with turns merged into it, and what became of each of these turns, in order.

    `overruled` are turns of a guess that stood among them before, and said something else there.
    """

    history: History
    placed: tuple[RowEffect, ...]
    overruled: tuple[RowEffect, ...] = ()

    @property
    def changed(self) -> tuple[RowEffect, ...]:
        """What is new or changed, once for each turn of the history, in its order."""
        by_number = {p.number: p for p in self.placed if p.effect != "known"}
        return tuple(by_number[number] for number in sorted(by_number))

    def found_in(self, history: History) -> "MergeResult":
        """Return the same of another history, to which others may have added rows."""
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
    """An item of a history that is being made, and what it was before."""

    item: Item
    old: Turn | None = None
    effect: Effect = "known"
    is_merged: bool = False
    """Whether a turn was merged into it."""


def merge(
    game: "Game", history: History, turns: Sequence[Turn], is_log: bool = False
) -> MergeResult:
    """Return a history with turns merged into it.

    A guess that is on the board keeps its place. Its turn then says what both clues say, or what
    the new one says if they contradict each other or the rule says that it `restates` the old one;
    the doubt is that of the new turn. A new guess comes last, or before a guess that follows it in
    `turns` and was on the board before.

    In a game that answers anew by chance a turn is new unless nothing was read of the old one.
    There `is_log` says that `turns` are a whole log, the beginning of which may be on the board.
    """
    rows = [_Entry(item, item if isinstance(item, Turn) else None) for item in history]
    newest = {row.item.guess: row for row in rows if isinstance(row.item, Turn)}
    partners = _entries_of_log(game, rows, turns) if is_log else []
    merged_entries: list[_Entry] = []
    overruled: list[tuple[_Entry, Item]] = []
    later = deque(enumerate(turns))
    for place, turn in enumerate(turns):
        while later and later[0][0] <= place:
            later.popleft()
        row = partners[place] if place < len(partners) else _entry_of(game, newest, turn)
        if row is None:
            row = _Entry(_with_overlong(game, turn, [turn]), effect="new")
            next_entry = _next_on_board(game, newest, later)
            rows.insert(rows.index(next_entry) if next_entry else len(rows), row)
            newest[turn.guess] = row
        else:
            before = row.item
            if _merge_into(game, row, turn) == "replaced" and row.is_merged:
                overruled.append((row, before))
        row.is_merged = True
        merged_entries.append(row)
    turn_entries = [row for row in rows if isinstance(row.item, Turn)]
    numbers = {row: number for number, row in enumerate(turn_entries, start=1)}
    placed = [
        RowEffect(numbers[row], row.item, row.effect, row.old)
        for row in merged_entries
        if isinstance(row.item, Turn)
    ]
    overruled_turns = [
        RowEffect(numbers[row], row.item, "replaced", before)
        for row, before in overruled
        if isinstance(row.item, Turn) and isinstance(before, Turn)
    ]
    history = History(tuple(row.item for row in rows))
    changed_besides = tuple(one for one in overruled_turns if one not in placed)
    return MergeResult(history, tuple(placed), changed_besides)


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
            turns = [item for item in run if isinstance(item, Turn)]
            history = History((*history.items, *merge(game, History(), turns).history))
            continue
        for item in run:
            history = with_item(game, history, item)
    return history


def _entry_of(game: "Game", newest: Mapping[Code, _Entry], turn: Turn) -> _Entry | None:
    """Return the entry that a turn may complete or replace, if there is one.

    It is that of the same guess; `newest` has the newest entry of each guess.
    """
    row = newest.get(turn.guess)
    if row is None or not game.channel.answers_anew:
        return row
    nothing_read = isinstance(row.item, Turn) and row.item.clue == game.unread_clue(turn.guess)
    return row if nothing_read else None


def _next_on_board(
    game: "Game", newest: Mapping[Code, _Entry], later: deque[tuple[int, Turn]]
) -> _Entry | None:
    """Return the entry, on the board before, of the first of the `later` turns that has one.

    None without one; an entry that a turn was merged into does not count. Turns that do not count
    now never will: they are taken out, so that each is looked at once.
    """
    while later:
        row = _entry_of(game, newest, later[0][1])
        if row is not None and row.old is not None and not row.is_merged:
            return row
        later.popleft()
    return None


def _entries_of_log(game: "Game", rows: Sequence[_Entry], log: Sequence[Turn]) -> list[_Entry]:
    """Return the entries of the beginning of a log, in a game that answers anew by chance.

    They are on the board if the turns of board and log agree from the first on, as far as both go;
    otherwise, and in all other games, the list is empty.
    """
    if not game.channel.answers_anew:
        return []
    pairs = [
        (row, row.item, turn)
        for row, turn in zip((r for r in rows if r.old is not None), log, strict=False)
        if isinstance(row.item, Turn)
    ]
    agree = all(
        old.guess == new.guess and agreed_clue(game, old.guess, old.clue, new.clue) is not None
        for _, old, new in pairs
    )
    return [row for row, _, _ in pairs] if agree else []


def _merge_into(game: "Game", row: _Entry, turn: Turn) -> Effect:
    """Complete or replace the turn of an entry by one of the same guess; return what that did."""
    old = row.item
    assert isinstance(old, Turn)
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
    row.item = with_text(game, replace(newest, note=turn.note or old.note))
    row.effect = max(row.effect, effect, key=EFFECTS.index)
    return effect


def _with_overlong(game: "Game", turn: Turn, said: Sequence[Turn]) -> Turn:
    """Return a turn that is `overlong` if it wins and none of the turns of its guess won alone."""
    winning = [one for one in said if game.rule.wins(one.clue)]
    overlong = bool(winning) and game.rule.wins(turn.clue) and all(one.overlong for one in winning)
    return turn if turn.overlong == overlong else with_text(game, replace(turn, overlong=overlong))


def agreed_clue(game: "Game", guess: Code, old: Clue, new: Clue) -> Clue | None:
    """Return the clue of what two clues about a guess say together, None if they contradict."""
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
    """Yield the new guesses that hard mode forbids: their places (from 0) among the merged turns.

    Each comes with its error.
    """
    turns = merged.history.turns
    for place, placed in enumerate(merged.placed):
        if placed.effect == "new":
            before = History(turns[: placed.number - 1])
            try:
                game.check_guess(placed.turn.guess, before)
            except IllegalGuessError as error:
                yield place, error
