"""Rows of a board's page: codes and marks on tiles, and buttons that change a row."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Literal, cast

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import in_number
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import DEFAULT_DOUBT, Fact, History, Turn
from puzzlehunt.game.turn_notation import describe_answer, describe_doubt, format_doubt, format_turn
from puzzlehunt.rules.boards import BoardsClue
from puzzlehunt.rules.column_kinds import OrderColumn
from puzzlehunt.rules.columns import ColumnsRule
from puzzlehunt.rules.notation.clue_values import CellsClue
from puzzlehunt.session.changes import Change, DropRow, SetDoubt, dump
from puzzlehunt.views.drawn_tiles import (
    COLOURS,
    TILES,
    DrawnTile,
    code_tiles,
    guess_tiles,
    is_coloured,
    mark_tiles,
    marks_text,
)
from puzzlehunt.views.elements import Markup, element, is_long, joined
from puzzlehunt.views.page.people import PEOPLE_COLOURS, initial

_MOST_TAPPED = 8
"""Largest number of marks in a row that can be tapped one by one; of more, the row is edited."""

_LARGE_NUMBER = re.compile(r"(?<![\d.])[1-9]\d{4,}")
"""A number that has thousands separators on the page; years have none."""

_LONGEST_SIGN = 2
"""Longest symbol that a tile shows in large print (characters)."""


@dataclass(frozen=True, slots=True)
class Author:
    """Who wrote a row, and when; `colour` is the number of the person's colour on the page.

    `last` is who changed the row last, as `version` (0: unknown, or together with others).
    """

    name: str
    when: datetime
    colour: int = 0
    last: str = ""
    version: int = 0


@dataclass(frozen=True, slots=True)
class RowTrouble:
    """What speaks against a row: it is part of a `conflict`, or a `suspect`.

    `reasons` say that in words, each with the boards (from 0) of a conflict in a game of several.
    """

    kind: Literal["conflict", "suspect"]
    reasons: tuple[tuple[str, tuple[int, ...]], ...]

    def __or__(self, other: "RowTrouble") -> "RowTrouble":
        reasons = dict(self.reasons)
        for text, boards in other.reasons:
            reasons[text] = (*reasons.get(text, ()), *boards)
        return RowTrouble(self.kind, tuple(reasons.items()))

    @property
    def boards(self) -> tuple[int, ...]:
        """The boards on which something speaks against the row."""
        return tuple(board for _, boards in self.reasons for board in boards)

    @property
    def words(self) -> str:
        """All reasons, each with its boards."""
        parts = []
        for text, boards in self.reasons:
            numbers = ", ".join(str(board + 1) for board in boards)
            where = f" on {in_number('board', len(boards))} {numbers}" if boards else ""
            parts.append(text + where)
        return "; ".join(parts)


def stylesheet() -> str:
    """Return the colours of symbols, marks and people as classes: `c-red`, `t-right`, `p0`.

    `n10` is the class of a grid with 10 tiles in a line of a row.
    """
    widths = "".join(f".n{n} {{ --tiles: {n}; }}\n" for n in range(1, 17))
    people = (f".p{n} {{ background: {colour}; }}\n" for n, colour in enumerate(PEOPLE_COLOURS))
    return (
        widths
        + "".join(people)
        + "".join(
            f".{kind}-{name} {{ background: {colour.ground}; color: {colour.ink}; }}\n"
            for kind, colours in (("c", COLOURS), ("t", TILES))
            for name, colour in colours.items()
        )
    )


# What can be tapped.


def button(line: str, label: str, title: str = "") -> Markup:
    """Return a button that sends a line."""
    return _button("tapped", line, label, title)


def change_button(
    game: Game, change: Change, label: str, title: str = "", kind: str = ""
) -> Markup:
    """Return a button that sends a change as JSON; `kind` is its class."""
    value = json.dumps(dump(game, change), ensure_ascii=False)
    return _button("change", value, label, title, kind)


def _button(name: str, value: str, label: str, title: str, kind: str = "") -> Markup:
    look: dict[str, str | bool] = {"form": "ask", "aria_label": title or False}
    return element("button", label, kind, name=name, value=value, **look)


def doubt_button(game: Game, number: int, turn: Turn, title: str = "") -> Markup:
    """Return a button that doubts a row, or removes the doubt."""
    label, chance = ("Trust", 0.0) if turn.doubted else ("Doubt", DEFAULT_DOUBT)
    return change_button(game, SetDoubt(number, chance), label, title and f"{label}: {title}")


def edit_button(
    game: Game, number: int, turn: Turn, label: str = "Edit", title: str = "", tiles: str = ""
) -> Markup:
    """Return a button that copies a row into the input line.

    If `tiles` are the row's tiles as JSON, the row is copied there.
    """
    command = f"/edit {number}"
    line = f"{command} {format_turn(game, turn)}"
    return element(
        "button", label, "tiles clue" if title else "", form="ask", name="tapped", value=command,
        data_edit=line, data_row=tiles or False, aria_label=title or False,
    )  # fmt: skip


def row_buttons(game: Game, number: int, turn: Turn, writer: Author | None = None) -> Markup:
    """Return the buttons that change a row; one takes back what was done to it last."""
    drop = change_button(game, DropRow(number), "Drop")
    buttons = edit_button(game, number, turn) + doubt_button(game, number, turn) + drop
    if writer is not None and writer.version:
        label = f"Undo {writer.last or 'a guest'}\N{RIGHT SINGLE QUOTATION MARK}s step"
        buttons += _button("restore", str(writer.version), label, "")
    return buttons


def _menu(label: str, kind: str, title: str, buttons: Iterable[Markup]) -> Markup:
    summary = element("summary", label, kind, aria_label=title)
    choices = element("div", joined(buttons), "choices")
    return element("details", summary + choices, "menu", data_key=title)


# Codes and rows on tiles.


def tile_class(tile: DrawnTile) -> str:
    """Return the classes of a tile, with that of its colour."""
    known = {"c": COLOURS, "t": TILES}
    kinds = [f"{kind}-{tile.name}" for kind, names in known.items() if tile.name in names]
    is_word = len(tile.text) > _LONGEST_SIGN
    return " ".join(["tile", *["word"] * is_word, *kinds, *["unread"] * bool(tile.may_be)])


def _tile(tile: DrawnTile) -> Markup:
    return element("span", tile.text, tile_class(tile), title=tile.name or False)


def code_html(game: Game, code: Code) -> Markup:
    """Return a code as HTML: on tiles where its symbols have colours."""
    tiles = code_tiles(game, code)
    if not is_coloured(tiles):
        return code_text(game.format_code(code))
    return element("span", joined(map(_tile, tiles)), "tiles")


def code_text(text: str) -> Markup:
    """Return a code, a clue or both as they are written."""
    return element("span", text, "code long" if is_long(text) else "code")


def example_html(game: Game, turn: Turn) -> Markup:
    """Return a row on small tiles that cannot be tapped; of many boards, the first four."""
    board = game.one_board
    clues = turn.clue.clues[:4] if isinstance(turn.clue, BoardsClue) else (turn.clue,)
    rows = []
    for clue in clues:
        marks_shown = mark_tiles(board, clue)
        shown = joined(map(_tile, guess_tiles(board, turn.guess, clue)))
        if marks_shown:
            shown += element("span", joined(map(_tile, marks_shown)), "pegs")
        elif not board.rule.positional:
            shown += element("span", board.rule.notation.format(clue), "pegs code")
        rows.append(element("span", shown, "tiles small"))
    return element("span", joined(rows), "picture", aria_hidden="true")


def row_list(items: Sequence[Markup]) -> Markup:
    """Return the items of `row_items` as one list; empty for none."""
    return element("ol", joined(items), "rows") if items else Markup("")


def row_items(
    game: Game,
    history: History,
    writers: Mapping[int, Author],
    troubles: Mapping[int, RowTrouble],
    made: dict[object, Markup],
) -> list[Markup]:
    """Return each row and fact as an item of a list.

    `troubles` are marks of some items, by their places in the history. `made` caches items, since a
    long list is rendered again and again.
    """
    parts: list[Markup] = []
    number, solved = 0, frozenset[int]()
    for place, item in enumerate(history.items):
        trouble = troubles.get(place)
        if isinstance(item, Fact):
            words = joined([_trouble_words(trouble), f"fact: {item.text}"])
            kind = f"fact {trouble.kind}" if trouble else "fact"
            parts.append(element("li", element("span", words, "words"), kind))
            continue
        number += 1
        key = number, item, solved, writers.get(number), trouble
        if key not in made:
            made[key] = _row(game, number, item, solved, writers.get(number), trouble)
        parts.append(made[key])
        if isinstance(item.clue, BoardsClue) and not item.doubted:
            clues, wins = enumerate(item.clue.clues), game.one_board.rule.wins
            solved |= {board for board, clue in clues if board not in solved and wins(clue)}
    return parts


def _row(
    game: Game,
    number: int,
    turn: Turn,
    solved: Set[int],
    writer: Author | None,
    trouble: RowTrouble | None,
) -> Markup:
    words = [
        _trouble_words(trouble),
        element("span", describe_answer(game, replace(turn, doubt=0.0)), "answer"),
        element("span", describe_doubt(turn.doubt), "badge") if turn.doubted else "",
        element("span", turn.note, "remark") if turn.note else "",
        _written_by(writer),
    ]
    shown, told = (
        _guess_and_clue(game, number, turn, solved, () if trouble is None else trouble.boards),
        element("div", joined(words), "words"),
    )
    buttons = [row_buttons(game, number, turn, writer)]
    menu = _menu("\N{HORIZONTAL ELLIPSIS}", "more", f"change row {number}", buttons)
    counted = element("span", str(number), "number")
    kind = " ".join(["doubted"] * turn.doubted + ([trouble.kind] if trouble else []))
    if isinstance(turn.clue, BoardsClue):
        # On a wide page each board is a grid of its own, and what concerns the row comes after all.
        guess = code_text(game.format_code(turn.guess))
        row = element("div", counted + guess + told + menu, "told")
        return element("li", element("div", joined(shown), "boards") + row, kind)
    said = element("div", element("div", joined(shown), "line") + told, "said")
    return element("li", counted + said + menu, kind)


def _trouble_words(trouble: RowTrouble | None) -> str:
    return "" if trouble is None else element("span", trouble.words, "trouble")


def _written_by(writer: Author | None) -> str:
    if writer is None:
        return ""
    name = Markup("")
    if writer.name:
        name = initial(writer.name, writer.colour) + " " + element("b", writer.name)
    clock = f"{writer.when:%H:%M} {writer.when.tzname() or ''}"
    time = element("time", clock, datetime=writer.when.isoformat())
    return element("span", name + " " + time, "by")


def _guess_and_clue(
    game: Game, number: int, turn: Turn, solved: Set[int], wrong: Sequence[int]
) -> list[Markup]:
    if isinstance(turn.clue, BoardsClue):
        return _on_boards(game, number, turn, solved, wrong)
    guess, clue = Markup.escape(game.format_code(turn.guess)), Markup("")
    if turn.guess:
        tiles = guess_tiles(game, turn.guess, turn.clue)
        guess = _guess_tiles(game, f"row {number}", f"/add {number} {{}}", tiles)
    if marks_shown := mark_tiles(game, turn.clue):
        clue = _clue_marks(game, number, turn, marks_shown)
    elif game.rule.column_names:
        return [element("div", guess, "tiles guess"), _columns(game, number, turn)]
    elif not game.rule.positional:
        clue = code_text(game.rule.notation.format(turn.clue))
    shown = element("div", guess, "tiles guess")
    return [shown, element("div", clue, "tiles clue")] if clue else [shown]


def _columns(game: Game, number: int, turn: Turn) -> Markup:
    """Return a tile for each column: its title, the guess's own cell, and the answer."""
    rule, parts = cast(ColumnsRule, game.rule), []
    cells = cast(CellsClue, turn.clue).cells
    for place, (column, answer) in enumerate(zip(rule.columns, cells, strict=True)):
        mark = column.format_cell(answer)
        is_read = len(answer) == 1
        look = column.drawn(answer[0])[0] if is_read else ""
        kind = tile_class(DrawnTile(mark, look)) + " unread" * (not is_read)
        shown = element("span", mark, kind, title=look or False)
        if column.marks and not is_read:
            may_be = [column.marks[digit] for digit in answer or range(column.size)]
            buttons = [
                _choice(f"/add {number} {column.title} {mark}", mark, label)
                for mark, label in may_be
            ]
            name = f"row {number}, {column.title}: unread"
            shown = _menu(mark, kind, name, buttons)
        text = rule.cell_of(turn.guess, place)
        if isinstance(column, OrderColumn):
            text = _LARGE_NUMBER.sub(lambda digits: f"{int(digits[0]):,}", text)
        cell = element("span", text or "\N{EN DASH}", "cell")
        title = element("span", column.title, "title")
        said = f"{column.title}: {column.describe_cell(answer)}"
        parts.append(element("div", title + cell + shown, "column", title=said))
    return element("div", joined(parts), "columns")


def _guess_tiles(game: Game, title: str, line: str, tiles: Sequence[DrawnTile]) -> Markup:
    """Return the tiles of a guess; one whose mark was not read opens a menu."""
    unread, parts = game.one_board.rule.notation.unread_mark, []
    for place, tile in enumerate(tiles):
        shown = _tile(tile)
        if tile.may_be:
            around = f"{unread * place}{{}}{unread * (len(tiles) - place - 1)}"
            buttons = [
                _choice(line.format(around.format(mark)), mark, label)
                for mark, label in tile.may_be
            ]
            name = f"{title}, tile {place + 1}: unread"
            shown = _menu(tile.text, tile_class(tile), name, buttons)
        parts.append(shown)
    return joined(parts)


def _clue_marks(game: Game, number: int, turn: Turn, tiles: Sequence[DrawnTile]) -> Markup:
    place, parts = 0, []
    if len(tiles) > _MOST_TAPPED:
        shown = joined(map(_tile, tiles))
        return edit_button(
            game, number, turn, shown, f"edit row {number}", _tiles_json(game, number, turn, tiles)
        )
    for tile, equal in groupby(tiles):
        count = len(list(equal))
        shown = _tile(tile) * count
        if tile.may_be:
            title = f"row {number}, {count} unread" if count > 1 else f"row {number}, unread"
            title += f" ({tile.text})" if tile.text != game.rule.notation.unread_mark else ""
            shown = _menu(shown, "group", title, _mark_choices(game, number, turn, tiles, place))
        parts.append(shown)
        place += count
    return joined(parts)


def _tiles_json(game: Game, number: int, turn: Turn, tiles: Sequence[DrawnTile]) -> str:
    """Return a row for the tiles of the page's next row; "" if it does not fit there."""
    marks = [tile.text for tile in tiles]
    if turn.overlong or any(len(mark) > 1 for mark in marks):
        return ""
    guess = [game.alphabet.format((symbol,)) for symbol in turn.guess]
    rest = f" {format_doubt(turn.doubt)}" if turn.doubted else ""
    return json.dumps({"number": number, "guess": guess, "marks": marks, "rest": rest})


def _mark_choices(
    game: Game, number: int, turn: Turn, tiles: Sequence[DrawnTile], place: int
) -> list[Markup]:
    named = {mark for mark, _ in game.rule.notation.named_marks()}
    is_unread = tiles[place].text == game.rule.notation.unread_mark
    doubt = f" {format_doubt(turn.doubt)}" if turn.doubted else ""
    buttons = []
    for mark, label in tiles[place].may_be:
        line = f"/add {number} {mark}"
        if not is_unread or mark not in named:
            others = [*tiles[:place], DrawnTile(mark), *tiles[place + 1 :]]
            line = f"/edit {number} {marks_text(others)}{doubt}"
        buttons.append(_choice(line, mark, label))
    return buttons


def _choice(line: str, mark: str, label: str) -> Markup:
    shown = element("span", mark, tile_class(DrawnTile(mark, label)))
    return button(line, shown if mark == label else shown + f" {label}")


def _on_boards(
    game: Game, number: int, turn: Turn, solved: Set[int], wrong: Sequence[int]
) -> list[Markup]:
    clues, parts = cast(BoardsClue, turn.clue).clues, []
    for board, clue in enumerate(clues):
        name, kind = f"board {board + 1}", f"tiles lane b{board + 1}{' wrong' * (board in wrong)}"
        if board in solved:
            parts.append(element("div", "done", f"{kind} solved", title=name))
            continue
        others = ["*"] * len(clues)
        line = " ".join([f"/add {number}", *others[:board], "{}", *others[board + 1 :]])
        tiles = guess_tiles(game.one_board, turn.guess, clue)
        # A board on which nothing was read is better edited as a whole.
        if all(len(tile.may_be) > 2 for tile in tiles):
            shown = joined(map(_tile, tiles))
        else:
            shown = _guess_tiles(game, f"row {number}, {name}", line, tiles)
        if marks_shown := mark_tiles(game.one_board, clue):
            shown += " " + joined(map(_tile, marks_shown))
        is_won = game.one_board.rule.wins(clue) and not turn.doubted
        parts.append(element("div", shown, f"{kind} solved" if is_won else kind, title=name))
    return parts
