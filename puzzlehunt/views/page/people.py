"""People on a board: who is here, what somebody did or is about to play, who closed the board."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Literal, TypeAlias
from zlib import crc32

from puzzlehunt.errors import counted
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.views.elements import Markup, element, joined
from puzzlehunt.views.rows import difference, difference_lines

PEOPLE_COLOURS = (
    "#1d5fae", "#a84a00", "#0a6e55", "#9c3a72", "#5d4bb0", "#7a6000", "#a82a35", "#3f6423",
)  # fmt: skip
"""Colours of people, in which white text can be read."""
NewsKind: TypeAlias = Literal["added", "changed", "taken"]
"""What a change did to rows and facts: if it took some back, it is `taken`."""


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
    back, found = "brought back" if is_undo else "wrote", difference(before, after)
    said = "; ".join(difference_lines(game, found, "took back", back, {}))
    return said, "taken" if found.gone else "changed" if found.changed else "added"


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
