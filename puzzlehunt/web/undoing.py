"""Undo on a board: people take back their own newest steps, whatever others have done since."""

from collections.abc import Iterator, Sequence, Set
from difflib import SequenceMatcher
from itertools import zip_longest

from puzzlehunt.game.facts import FACT
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History
from puzzlehunt.game.merging import merge
from puzzlehunt.game.turn_notation import format_row
from puzzlehunt.web.store import Entry, ItemChange


class TakenStepError(Exception):
    """A step cannot be taken back: `line` is no longer on the board, or (`is_back`) back on it."""

    def __init__(self, line: str, *, is_back: bool = False) -> None:
        super().__init__(line)
        self.line = line
        self.is_back = is_back


def lines_of(game: Game, history: History) -> list[str]:
    """Return each turn and fact of a history as a line."""
    return [
        FACT + item.text if isinstance(item, Fact) else format_row(game, item)
        for item in history.items
    ]


def changed_items(before: Sequence[str], after: Sequence[str]) -> tuple[ItemChange, ...]:
    """Return which lines of a history a change took out, replaced and added."""
    changed = []
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for kind, old_start, old_end, start, end in matcher.get_opcodes():
        places = zip_longest(range(old_start, old_end), range(start, end))
        for old, new in places if kind != "equal" else ():
            old_line = "" if old is None else before[old]
            new_line = "" if new is None else after[new]
            changed.append(ItemChange(old if new is None else new, old_line, new_line))
    return tuple(changed)


def taken_back(game: Game, changed: Sequence[ItemChange], now: History) -> History:
    """Return the history `now` without the effect of an earlier step, later ones kept.

    Raises TakenStepError if a line that the step wrote has been changed since, or if the guess of a
    row that it took out is on the board again.
    """
    lines = lines_of(game, now)
    items = dict(zip(lines, now.items, strict=True))
    for one in reversed(changed):
        if one.new:
            places = [place for place, line in enumerate(lines) if line == one.new]
            if not places:
                raise TakenStepError(one.new)
            at = min(places, key=lambda place: abs(place - one.place))
            lines[at : at + 1] = [one.old] if one.old else []
    for one in changed:
        if not one.new:
            lines.insert(one.place, one.old)
    history = History(tuple(items.get(line) or game.as_item(line) for line in lines))
    if len(merge(game, History(), history).history) < len(history):
        raise TakenStepError(next(one.old for one in changed if one.old), is_back=True)
    return history


def own_steps(
    entries: Sequence[Entry], people: Set[str], seen: int, *, redo: bool
) -> Iterator[Entry]:
    """Yield the steps that people can undo or redo, the newest first.

    Left out are steps that were undone, and those whose rows others have taken out in a version
    that was `seen`. A new step of one's own ends redo. Raises TakenStepError at a step with a line
    that others have written since, too.
    """
    undone, out, theirs = set[int](), set[str](), set[str]()
    for entry in reversed(entries):
        if entry.version in undone:
            continue
        undone.update(entry.undoes)
        if entry.version <= seen:
            out.update(one.old for one in entry.items if not one.new)
        if people.isdisjoint(entry.people):
            theirs.update(one.new for one in entry.items if one.new and not entry.undoes)
            continue
        if all(one.new in out and not one.old for one in entry.items):
            continue
        for one in entry.items:
            if one.new in theirs:
                raise TakenStepError(one.new)
        kind = (entry.change or {}).get("kind")
        if kind not in ("undo", "redo"):
            if redo:
                return
            yield entry
        elif redo and kind == "undo":
            yield entry
