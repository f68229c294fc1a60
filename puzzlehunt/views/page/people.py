"""People on a board: who is here, what somebody did or is about to play, who closed the board."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Literal, TypeAlias
from zlib import crc32

from puzzlehunt.errors import counted
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.turn_notation import describe_answer, format_answer, format_turn
from puzzlehunt.views.elements import Markup, element, joined
from puzzlehunt.views.rows import turns_by_guess

PEOPLE_COLOURS = (
    "#1d5fae", "#a84a00", "#0a6e55", "#9c3a72", "#5d4bb0", "#7a6000", "#a82a35", "#3f6423",
)  # fmt: skip
"""Colours of people, in which white text can be read."""
NewsKind: TypeAlias = Literal["added", "changed", "taken"]
"""What a change did to rows and facts: if it took some back, it is `taken`."""
_MOST_ROWS = 3
"""Largest number of rows that a sentence lists one by one."""


def next_colour(name: str, taken: Iterable[int]) -> int:
    """Return the number of a person's colour: the first free one, from one that the name gives."""
    most, free = len(PEOPLE_COLOURS), {*range(len(PEOPLE_COLOURS))} - {*taken}
    start = crc32(name.casefold().encode())
    return next((n for n in ((start + k) % most for k in range(most)) if n in free), start % most)


def initial(name: str, colour: int) -> Markup:
    """Return the initial of a person in the person's colour."""
    return element("span", name[:1].upper(), f"who p{colour}", aria_hidden="true")


def chips(people: Sequence[tuple[str, int]], guests: int) -> Markup:
    """Return who is here: people with their colours, and the number of guests without a name."""
    items = [
        element("li", initial(name, colour) + element("b", name), title=name)
        for name, colour in people
    ]
    if guests:
        items.append(element("li", counted(guests, "guest"), "guests"))
    return element("ul", joined(items), "chips", aria_label="Here now") if items else Markup("")


def plan_html(game: Game, name: str, colour: int, guess: str, tab: str) -> Markup:
    """Return the line that says which guess somebody is about to play."""
    who = initial(name, colour) if name else Markup("")
    code = element("b", game.format_code(game.parse_guess(guess)), "code long")
    text = element("b", name or "A guest") + " is about to play " + code
    return element("p", who + text, "plan", data_tab=tab)


def news_html(name: str, colour: int, what: str, kind: NewsKind, version: int, once: str) -> Markup:
    """Return a sentence on what somebody did, as `version`; what was taken back can be restored."""
    who = initial(name, colour) if name else Markup("")
    said = element("span", element("b", name or "Somebody") + f" {what}")
    if kind == "taken":
        said += element("button", "Restore", form="ask", name="restore", value=str(version))
    return element("p", who + said, kind, data_once=once)


def what_changed(
    game: Game, before: History, after: History, *, is_undo: bool = False
) -> tuple[str, NewsKind]:
    """Return what a change did to rows and facts ("" for nothing), and of which kind it is."""
    old, new = turns_by_guess(before), turns_by_guess(after)
    gone = [old[key] for key in old if key not in new]
    came = [new[key] for key in new if key not in old]
    changed = [
        (number, turn, old[key][1])
        for key, (number, turn) in new.items()
        if key in old and turn != old[key][1]
    ]
    lost = [fact.text for fact in before.facts if fact not in after.facts]
    added = "brought back" if is_undo else "added"
    said = [
        *(["took back " + _rows(gone, lambda turn: format_turn(game, turn))] if gone else []),
        *(f"took back the fact {text}" for text in lost),
        *_changes(game, changed),
        *([f"{added} " + _rows(came, lambda turn: _spoken(game, turn))] if came else []),
        *(f"{added} the fact {fact.text}" for fact in after.facts if fact not in before.facts),
    ]
    return "; ".join(said), "taken" if gone or lost else "changed" if changed else "added"


def _changes(game: Game, changed: Sequence[tuple[int, Turn, Turn]]) -> Iterator[str]:
    if len(changed) > _MOST_ROWS:
        yield f"changed {len(changed)} rows"
        return
    for number, turn, was in changed:
        yield f"changed row {number}: {format_turn(game, turn)}, was {format_answer(game, was)}"


def _rows(turns: Sequence[tuple[int, Turn]], written: Callable[[Turn], str]) -> str:
    numbers = [number for number, _ in turns]
    if len(turns) <= _MOST_ROWS:
        return ", ".join(f"row {number}, {written(turn)}" for number, turn in turns)
    if numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"rows {numbers[0]} to {numbers[-1]}"
    return f"rows {', '.join(map(str, numbers))}"


def _spoken(game: Game, turn: Turn) -> str:
    return f"{game.format_code(turn.guess)}, {describe_answer(game, turn)}"


def status_html(status: str, by: str, at: datetime | None, gone_at: datetime | None) -> Markup:
    """Return the notice on a board that is archived or deleted, with a button that opens it."""
    if status == "open":
        return Markup("")
    name = element("b", by) if by else Markup("Somebody")
    when = _time(at) if at else Markup("")
    text = name + f" {status} this board " + when + ". Nothing can be changed."
    if gone_at is not None:
        text += " Its files are kept until " + _time(gone_at) + "."
    label = "Take it back" if gone_at else "Open it again"
    return text + " " + element("button", label, form="life", name="status", value="open")


def _time(when: datetime) -> Markup:
    clock = f"{when:%Y-%m-%d %H:%M} {when.tzname() or ''}".strip()
    return element("time", clock, datetime=when.isoformat())
