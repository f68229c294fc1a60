"""Rows of a board's page: codes and marks on tiles, and buttons that change a row."""

import json
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, cast

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import in_number
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import DEFAULT_DOUBT, Fact, History, Turn
from puzzlehunt.game.turn_notation import describe_answer, describe_doubt, format_doubt, format_turn
from puzzlehunt.rules.boards import BoardsClue
from puzzlehunt.rules.columns import ColumnsRule
from puzzlehunt.rules.notation.clue_values import CellsClue
from puzzlehunt.session.changes import Change, DropRow, SetDoubt, dump
from puzzlehunt.views.drawn_tiles import (
    STYLES,
    DrawnTile,
    code_tiles,
    guess_tiles,
    mark_tiles,
)
from puzzlehunt.views.elements import Markup, code_text, element, joined, tiles_html
from puzzlehunt.views.page.keyboard import slot_texts
from puzzlehunt.views.page.people import PEOPLE_COLOURS, initial


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

    `reasons` say that in words; `boards` (from 0) are those of a conflict in a game of several.
    """

    kind: Literal["conflict", "suspect"]
    reasons: tuple[str, ...]
    boards: tuple[int, ...] = ()

    def __or__(self, other: "RowTrouble") -> "RowTrouble":
        reasons = dict.fromkeys(self.reasons + other.reasons)
        return RowTrouble(self.kind, tuple(reasons), self.boards + other.boards)

    @property
    def words(self) -> str:
        """All reasons, with their boards."""
        numbers = ", ".join(str(board + 1) for board in self.boards)
        where = f" ({in_number('board', len(self.boards))} {numbers})" if self.boards else ""
        return "; ".join(self.reasons) + where


def stylesheet() -> str:
    """Return the colours of symbols, marks and people as classes: `c-red`, `t-right`, `p0`.

    `n10` is the class of a grid with 10 tiles in a line of a row.
    """
    rules = [f".n{n} {{ --tiles: {n}; }}" for n in range(1, 17)]
    rules += [f".p{n} {{ background: {colour}; }}" for n, colour in enumerate(PEOPLE_COLOURS)]
    for name, colour in STYLES.items():
        rules.append(f".{name} {{ background: {colour.ground}; color: {colour.ink}; }}")
    return "\n".join(rules) + "\n"


# What can be tapped.


def button(line: str, label: str) -> Markup:
    """Return a button that sends a line; `/edit 3` takes row 3 to the tiles, or into the line."""
    return _button("tapped", line, label)


def change_button(game: Game, change: Change, label: str, kind: str = "") -> Markup:
    """Return a button that sends a change as JSON; `kind` is its class."""
    return _button("change", json.dumps(dump(game, change), ensure_ascii=False), label, kind)


def doubt_button(game: Game, number: int, turn: Turn, about: str = "") -> Markup:
    """Return a button that doubts a row, or removes the doubt; `about` names the row on it."""
    label, chance = ("Trust", 0.0) if turn.doubted else ("Doubt", DEFAULT_DOUBT)
    return change_button(game, SetDoubt(number, chance), f"{label} {about}".strip())


def guess_button(game: Game, guess: Code) -> Markup:
    """Return a button that takes a guess: on the tiles, or else as a row without its clue."""
    symbols = "\t".join(game.alphabet.names(guess))
    return _button("tapped", game.format_code(guess), code_html(game, guess), data_guess=symbols)


def _button(name: str, value: str, label: str, kind: str = "", **more: str | bool) -> Markup:
    return element("button", label, kind, form="ask", name=name, value=value, **more)


def _edited(game: Game, number: int, turn: Turn) -> dict[str, str]:
    """Return a row for who edits it, as attributes: what its slots hold, or else its line."""
    texts = slot_texts(game, turn)
    if texts is None:
        return {"data_line": f"/edit {number} {format_turn(game, turn)}"}
    rest = f" {format_doubt(turn.doubt)}" if turn.doubted else ""
    guess, marks = "\t".join(game.alphabet.names(turn.guess)), "\t".join(texts)
    return {"data_guess": guess, "data_marks": marks, "data_rest": rest}


def _menu(game: Game, number: int, turn: Turn, writer: Author | None) -> Markup:
    """Return the menu of a row; one of its buttons takes back what was done to the row last."""
    buttons = button(f"/edit {number}", "Edit") + doubt_button(game, number, turn)
    buttons += change_button(game, DropRow(number), "Drop")
    if writer is not None and writer.version:
        label = f"Undo {writer.last or 'a guest'}\N{RIGHT SINGLE QUOTATION MARK}s step"
        buttons += _button("restore", str(writer.version), label)
    title = f"change row {number}"
    dots = element("summary", "\N{HORIZONTAL ELLIPSIS}", "more", aria_label=title)
    return element("details", dots + element("div", buttons, "choices"), "menu", data_key=title)


# Codes and rows on tiles.


def code_html(game: Game, code: Code) -> Markup:
    """Return a code as HTML: on tiles where its symbols have colours."""
    tiles = code_tiles(game, code)
    if not any(tile.name for tile in tiles):
        return code_text(game.format_code(code))
    return element("span", tiles_html(tiles), "tiles")


def example_html(game: Game, turn: Turn) -> Markup:
    """Return a row on small tiles that cannot be tapped; of many boards, the first four."""
    board = game.one_board
    rows = []
    for clue in turn.clue.clues[:4] if isinstance(turn.clue, BoardsClue) else (turn.clue,):
        shown = tiles_html(guess_tiles(board, turn.guess, clue))
        if marks := mark_tiles(board, clue):
            shown += element("span", tiles_html(marks), "pegs")
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
    told = element("div", joined(words), "words")
    menu = _menu(game, number, turn, writer)
    counted = element("span", str(number), "number")
    kind = " ".join(["doubted"] * turn.doubted + ([trouble.kind] if trouble else []))
    if isinstance(turn.clue, BoardsClue):
        # On a wide page each board is a grid of its own, and what concerns the row comes after all.
        lanes = _lanes(game, number, turn, solved, trouble.boards if trouble else ())
        guess = code_text(game.format_code(turn.guess))
        row = element("div", counted + guess + told + menu, "told")
        shown = element("div", joined(lanes), "boards") + row
    else:
        line = _tapped(number, _guess_and_clue(game, turn), "line")
        shown = counted + element("div", line + told, "said") + menu
    return element("li", shown, kind, **_edited(game, number, turn))


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


def _tapped(number: int, shown: Markup, kind: str, title: str = "") -> Markup:
    """Return tiles of a row that a tap takes to be edited; the Tab key passes by to the menu."""
    title = title or f"edit row {number}"
    return _button("tapped", f"/edit {number}", shown, kind, tabindex="-1", title=title)


def _guess_and_clue(game: Game, turn: Turn) -> Markup:
    tiles = guess_tiles(game, turn.guess, turn.clue) if turn.guess else []
    guess = tiles_html(tiles) or Markup.escape(game.format_code(turn.guess))
    shown, clue = element("span", guess, "tiles guess"), tiles_html(mark_tiles(game, turn.clue))
    if game.rule.column_names:
        return shown + _columns(cast(ColumnsRule, game.rule), turn)
    if not clue and not game.rule.positional:
        clue = code_text(game.rule.notation.format(turn.clue))
    return shown + element("span", clue, "tiles clue") if clue else shown


def _columns(rule: ColumnsRule, turn: Turn) -> Markup:
    """Return a tile for each column: its title, the guess's own cell, and the answer."""
    parts, cells = [], cast(CellsClue, turn.clue).cells
    for place, (column, answer) in enumerate(zip(rule.columns, cells, strict=True)):
        is_read = len(answer) == 1
        look = column.drawn(answer[0])[0] if is_read else ""
        mark = tiles_html([DrawnTile(column.format_cell(answer), look, not is_read)])
        text = rule.cell_of(turn.guess, place)
        cell = element("span", text or "\N{EN DASH}", "cell")
        title = element("span", column.title, "title")
        said = f"{column.title}: {column.describe_cell(answer)}"
        parts.append(element("span", title + cell + mark, "column", title=said))
    return element("span", joined(parts), "columns")


def _lanes(
    game: Game, number: int, turn: Turn, solved: Set[int], wrong: Iterable[int]
) -> Iterable[Markup]:
    """Yield a row as it is on each board; on one that was solved before, it says so."""
    wins = game.one_board.rule.wins
    for board, clue in enumerate(cast(BoardsClue, turn.clue).clues):
        name, kind = f"board {board + 1}", f"tiles lane b{board + 1}"
        if board in wrong:
            kind += " wrong"
        if board in solved or (wins(clue) and not turn.doubted):
            kind += " solved"
        shown = tiles_html(guess_tiles(game.one_board, turn.guess, clue))
        if marks := mark_tiles(game.one_board, clue):
            shown += " " + tiles_html(marks)
        if board in solved:
            yield element("div", "done", kind, title=name)
        else:
            yield _tapped(number, shown, kind, name)
