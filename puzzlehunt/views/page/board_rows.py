"""Rows of a board's page: codes and marks on tiles, people, and buttons that change a row."""

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, cast

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import counted
from puzzlehunt.game import meaning
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import DEFAULT_DOUBT, Fact, History, Turn, format_doubt, number_of
from puzzlehunt.game.turn_notation import describe_answer, describe_doubt, format_turn
from puzzlehunt.rules.columns import ColumnsRule
from puzzlehunt.rules.notation.clue import Clue
from puzzlehunt.rules.notation.clue_values import CellsClue
from puzzlehunt.session.changes import Change, DropRow, SetDoubt, dump
from puzzlehunt.views.drawn_tiles import STYLES, DrawnTile, board_clues, guess_tiles, mark_tiles
from puzzlehunt.views.elements import Markup, button, element, joined, tiles_html
from puzzlehunt.views.page.keyboard import slot_texts
from puzzlehunt.views.rows import difference_lines

_PEOPLE = (
    "#1d5fae", "#a84a00", "#0a6e55", "#9c3a72", "#5d4bb0", "#7a6000", "#a82a35", "#3f6423",
)  # fmt: skip
"""Colours of people, in which white text can be read."""


@dataclass(frozen=True, slots=True)
class Author:
    """Who guessed a row, and when it was written; who read its `marks`, if somebody else did.

    `last` is who changed the row last, as `version` (0: unknown, or together with others). The
    colour of the author is that of their `place` (from 0) among those who came to the board.
    """

    name: str
    when: datetime
    marks: str = ""
    place: int = 0
    last: str = ""
    version: int = 0


@dataclass(frozen=True, slots=True)
class RowTrouble:
    """What speaks against a row, in words: it is part of a `conflict`, or a `suspect`.

    `board` (from 0) is the one of several that contradicts.
    """

    kind: Literal["conflict", "suspect"]
    words: str
    board: int | None = None


def stylesheet() -> str:
    """Return the colours of symbols, marks and people as classes (`c-red`, `t-right`, `p0`)."""
    rules = [f".n{n} {{ --tiles: {n}; }}" for n in range(1, 17)]
    rules += [f".p{n} {{ background: {colour}; }}" for n, colour in enumerate(_PEOPLE)]
    for name, (_, ground, ink) in STYLES.items():
        rules.append(f".{name} {{ background: {ground}; color: {ink}; }}")
    return "\n".join(rules) + "\n"


# What can be tapped.


def change_button(game: Game, change: Change, label: str, kind: str = "") -> Markup:
    """Return a button of a class `kind` that sends a change as JSON."""
    return button(json.dumps(dump(game, change), ensure_ascii=False), label, kind, "change")


def _edited(game: Game, turn: Turn) -> dict[str, str]:
    """Return a row for who edits it, as attributes: what its slots hold; none if it fits none."""
    if (texts := slot_texts(game, turn)) is None:
        return {}
    rest = f" {format_doubt(turn.doubt)}" if turn.doubt else ""
    guess, marks = "\t".join(game.alphabet.names(turn.code)), "\t".join(texts)
    return {"data_guess": guess, "data_marks": marks, "data_rest": rest}


def _menu(game: Game, number: int, turn: Turn, writer: Author | None) -> Markup:
    """Return the menu of a row; one button takes back what was done to the row last."""
    label, chance = ("Trust", 0.0) if turn.doubt else ("Doubt", DEFAULT_DOUBT)
    noted = f"/edit {number} {format_turn(game, turn)} # {turn.note}"
    buttons = button(f"/edit {number}", "Edit") + button(noted, "Note", name="typed")
    buttons += button(f"/why {turn.guess}", "Why")
    buttons += change_button(game, SetDoubt(number, chance), label)
    buttons += change_button(game, DropRow(number), "Drop")
    if writer is not None and writer.version:
        label = f"Undo {writer.last or 'a guest'}\N{RIGHT SINGLE QUOTATION MARK}s step"
        buttons += button(str(writer.version), label, name="restore")
    title = f"change row {number}"
    dots = element("summary", "\N{HORIZONTAL ELLIPSIS}", "more", aria_label=title)
    return element("details", dots + element("div", buttons, "choices"), "menu", data_key=title)


# Codes and rows on tiles.


def _on_board(board: Game, guess: Code, clue: Clue) -> tuple[Markup, Markup]:
    """Return a guess and its clue on one board; the clue is empty if the guess's tiles show it."""
    marks = tiles_html(mark_tiles(board, clue))
    if not marks and not board.rule.positional:
        marks = element("span", board.rule.notation.format(clue), "code")
    return tiles_html(guess_tiles(board, guess, clue)), marks


def example_html(game: Game, turn: Turn) -> Markup:
    """Return a row on small tiles that cannot be tapped; of many boards, the first four."""
    rows = []
    for clue in board_clues(turn.clue)[:4]:
        guess, marks = _on_board(game.one_board, turn.code, clue)
        shown = guess + (element("span", marks, "pegs") if marks else "")
        rows.append(element("span", shown, "tiles small"))
    return element("span", joined(rows), "picture", aria_hidden="true")


def row_items(
    game: Game,
    history: History,
    writers: Mapping[int, Author],
    troubles: Mapping[int, RowTrouble],
    draw: Callable[..., Markup],
    counts: Sequence[str] = (),
) -> list[Markup]:
    """Return each row and fact as an item of a list; `troubles` are by place in the history.

    `draw` is `row_item`, or remembers what it drew. `counts` say what is left on several boards.
    """
    parts: list[Markup] = []
    names, wins = history.names, meaning.winning_guesses(game, history)
    won_at = [number_of(history, guess) or 0 if guess else math.inf for guess in wins]
    for place, item in enumerate(history.items):
        trouble = troubles.get(place)
        if isinstance(item, Fact):
            words = element("span", _trouble_words(trouble) + f"fact: {item.text}", "words")
            parts.append(element("li", words, f"fact {trouble.kind}" if trouble else "fact"))
            continue
        number = cast(int, names[place])
        solved = tuple((number > at) - (number < at) for at in won_at)
        titles = tuple(f": {count}" for count in counts if number == 1)
        parts.append(draw(game, number, item, solved, writers.get(number), trouble, titles))
    return parts


def row_item(
    game: Game,
    number: int,
    turn: Turn,
    solved: Sequence[int],
    writer: Author | None,
    trouble: RowTrouble | None,
    counts: Sequence[str] = (),
) -> Markup:
    """Return a row; `solved` tells of each board if it was won later (-1), here or before (1).

    `counts` follow the names of the boards above their first row.
    """
    words = _trouble_words(trouble)
    words += element("span", describe_answer(game, replace(turn, doubt=0.0)), "answer")
    if turn.doubt:
        words += element("span", describe_doubt(turn.doubt), "badge")
    if turn.note:
        words += element("span", turn.note, "remark")
    if writer is not None:
        read = f", marks by {writer.marks}" if writer.marks else ""
        by = element("b", writer.name or "guest" if read else writer.name) + read
        words += element("span", by + " " + _time(writer.when), "by")
    told = element("div", words, "words")
    menu = _menu(game, number, turn, writer)
    name, place = (writer.name, writer.place) if writer else ("", 0)
    numbered = element("span", str(number), f"number {_colour(name, place)}", title=name)
    kind = " ".join(["doubted"] * bool(turn.doubt) + ([trouble.kind] if trouble else []))
    if game.boards > 1:
        # On a wide page each board is a grid of its own; what concerns the row comes before all.
        lanes = _lanes(game, number, turn, solved, trouble, counts)
        guess = element("span", game.format_code(turn.code), "code")
        row = element("div", numbered + guess + told + menu, "told")
        shown = element("div", joined(lanes), "boards") + row
    else:
        line = _tapped(number, guess_and_clue(game, turn), "line", f"edit row {number}")
        shown = numbered + element("div", line + told, "said") + menu
    return element("li", shown, kind, **_edited(game, turn))


def _trouble_words(trouble: RowTrouble | None) -> Markup:
    return Markup("") if trouble is None else element("span", trouble.words, "trouble")


def _tapped(number: int, shown: Markup, kind: str, title: str) -> Markup:
    """Return tiles of a row, which a tap edits; the Tab key passes by to the menu."""
    return button(f"/edit {number}", shown, kind, tabindex="-1", title=title)


def guess_and_clue(game: Game, turn: Turn) -> Markup:
    """Return a row of one board; of each column its title, the guess's own cell, the answer."""
    guess, clue = _on_board(game, turn.code, turn.clue)
    shown = element("span", guess or game.format_code(turn.code), "tiles guess")
    rule, columns = game.rule, Markup("")
    if not isinstance(rule, ColumnsRule):
        return shown + element("span", clue, "tiles clue") if clue else shown
    answers = cast(CellsClue, turn.clue).lost_cells
    for place, (column, answer) in enumerate(zip(rule.columns, answers, strict=True)):
        is_read = len(answer) == 1
        look = column.drawn(answer[0])[0] if is_read else ""
        words, own = column.describe_cell(answer), rule.cell_of(turn.code, place)
        if column.kind == "order" and own[4:] and own.isdecimal():  # a year has no comma
            own = f"{int(own):,}"
        mark = words if is_read and column.kind == "distance" else column.format_cell(answer)
        parts = element("span", column.title, "title")
        parts += element("span", own or "\N{EN DASH}", "cell")
        parts += tiles_html([DrawnTile(mark, look, not is_read)])
        columns += element("span", parts, "column", title=f"{column.title}: {words}")
    return shown + element("span", columns, "columns")


def _lanes(
    game: Game, number: int, turn: Turn, solved: Sequence[int], trouble: RowTrouble | None,
    counts: Sequence[str],
) -> Iterator[Markup]:  # fmt: skip
    """Yield a row as it is on each board; on one that was solved before, it says so."""
    for board, clue in enumerate(board_clues(turn.clue)):
        name, kind = f"board {board + 1}", f"tiles lane b{board + 1}"
        name += counts[board] if counts else ""
        kind += " solved" * (solved[board] >= 0)
        kind += " wrong" * (trouble is not None and trouble.board == board)
        if solved[board] > 0:
            yield element("div", "done", kind, title=name)
        else:
            guess, marks = _on_board(game.one_board, turn.code, clue)
            yield _tapped(number, guess + " " + marks, kind, name)


# People.


def chips(places: Mapping[str, int], guests: int) -> Markup:
    """Return who is here: people with their places, and the number of guests without a name."""
    items = [
        element("li", _initial(name, place) + element("b", name), title=name)
        for name, place in places.items()
    ]
    if guests:
        items.append(element("li", counted(guests, "guest"), "guests"))
    return element("ul", joined(items), "chips", aria_label="Here now") if items else Markup("")


def news_html(
    game: Game,
    before: History,
    after: History,
    authors: Mapping[int, Author],
    verb: str,
    by: Author,
    once: str,
) -> dict[str, Markup]:
    """Return a sentence on what somebody did, as `by.version`, or nothing, as a fragment.

    It is `gone`, and seen, where a row is gone, or what another read in one of the rows of
    `authors` (those before), which can be restored; else it is `news`, and only heard.
    """
    word = "changed" if len(after) >= len(before) else "took back"
    gone, added = difference_lines(game, before, after, (word, verb), {})
    if not (added or gone):
        return {"news": Markup("")}
    name, left, turns = by.name, {*after}, before.turns
    readers = {n: one.marks or one.name for n, one in authors.items()}
    theirs = [turns[n - 1] for n, reader in readers.items() if not name or reader != name]
    changed = [turn for turn in theirs if turn not in left and not meaning.is_unread(game, turn)]
    is_seen = not added or (changed and verb == "wrote")
    who, told = element("b", name or "Somebody"), "; ".join(gone if is_seen else added)
    said = _initial(name, by.place) + element("span", who + " " + told)
    if not is_seen:
        return {"news": element("p", said, "added", data_once=once)}
    close = element("form", element("button", "\u00d7", aria_label="Close"), method="dialog")
    said += button(str(by.version), "Restore", name="restore") + close
    shown = element("dialog", said, "taken", open="", aria_label="Taken back", data_once=once)
    return {"gone": shown}


def status_html(
    status: str, by: str, at: datetime | None, gone_at: datetime | None, before: str
) -> Markup:
    """Return the notice on a board that is archived or deleted, with a button that ends that.

    A deleted board is then what it was `before`.
    """
    if status == "open" or at is None:
        return Markup("")
    text = element("b", by or "Somebody") + f" {status} this board " + _time(at)
    text += ". Nothing can be changed. "
    if gone_at is not None:
        text += "Its files are kept until " + _time(gone_at) + ". "
    label, value = ("Take it back", before) if gone_at else ("Open it again", "open")
    return text + element("button", label, status, form="life", name="status", value=value)


def _initial(name: str, place: int) -> Markup:
    kind = f"who {_colour(name, place)}"
    return element("span", name[:1].upper(), kind, aria_hidden="true") if name else Markup("")


def _colour(name: str, place: int) -> str:
    return f"p{place % len(_PEOPLE)}" if name else ""


def _time(when: datetime) -> Markup:
    return element("time", f"{when:%H:%M} {when.tzname()}", datetime=when.isoformat())
