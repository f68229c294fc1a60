"""A board as a picture (SVG): its rows on tiles, to be hung on a wall."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from puzzlehunt.errors import counted
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.rules.boards import BoardsClue
from puzzlehunt.rules.notation.clue import Clue
from puzzlehunt.views.drawn_tiles import DrawnTile, code_tiles, colour_of, guess_tiles, mark_tiles
from puzzlehunt.views.elements import Markup, element, joined

_TILE, _GAP, _MARGIN = 44, 6, 56
_STEP = _TILE + _GAP
_HEAD, _FOOT = 96, 30
_INK, _FAINT, _EDGE = "#1c1e21", "#5a6068", "#b9bfc7"
_FONT = "system-ui, 'Segoe UI', 'Noto Sans', sans-serif"


@dataclass(frozen=True, slots=True)
class _Drawn:
    """Elements, and the width that they take."""

    html: Markup
    width: float


def board_picture(
    game: Game, history: History, title: str, writers: Mapping[int, tuple[str, str]]
) -> str:
    """Return a board's rows as an SVG picture.

    `writers` has the name of the author of a row and the colour of that person, by row number.
    """
    parts, y, width = list[Markup](), float(_HEAD + _MARGIN), 0.0
    boards = list(range(game.boards)) if game.boards > 1 else [None]
    columns = next(n for n in (4, 3, 2, 1) if len(boards) % n == 0 and n * n <= 2 * len(boards))
    for start in range(0, len(boards), columns):
        x = 0.0
        for board in boards[start : start + columns]:
            drawn = _grid(game, history, board, {} if game.boards > 1 else writers)
            parts.append(_moved(drawn.html, _MARGIN + x, y))
            x += drawn.width + _STEP
        width = max(width, x - _STEP)
        y += len(history.turns) * _STEP + _STEP / 2
    known, is_won = counted(len(history.turns), "row"), game.is_won(history)
    state = f"{game.title}: solved in {known}" if is_won else f"{game.title}: {known}"
    legend = _legend(Counter(writers.values()))
    large = 34 if len(title) <= 24 else 24
    wide = max(width, 0.66 * large * len(title), 9 * len(state), legend.width)
    head = _text(title, wide / 2, 34, large, "middle", weight="800")
    head += _text(state, wide / 2, 64, 17, "middle", _FAINT)
    parts = [_moved(joined(parts), (wide - width) / 2, 0), _moved(head, _MARGIN, _MARGIN)]
    parts.append(_moved(legend.html, _MARGIN + (wide - legend.width) / 2, y + 4))
    size = f"{wide + 2 * _MARGIN:.0f}", f"{y + _FOOT + _MARGIN / 2:.0f}"
    frame = element(
        "rect", "", x="14", y="14", rx="16", fill="#fff", stroke="#e3dccf", stroke_width="2",
        width=f"{wide + 2 * _MARGIN - 28:.0f}", height=f"{y + _FOOT + _MARGIN / 2 - 28:.0f}",
    )  # fmt: skip
    ground = element("rect", "", width=size[0], height=size[1], fill="#faf7f1") + frame
    return element(
        "svg", ground + joined(parts), xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {size[0]} {size[1]}", width=size[0], height=size[1], font_family=_FONT,
    )  # fmt: skip


def _legend(rows: Counter[tuple[str, str]]) -> _Drawn:
    """Return the people with their colours, and the number of rows of each."""
    parts, x = list[Markup](), 0.0
    for (name, colour), count in rows.most_common():
        parts.append(element("circle", "", cx=f"{x + 8:.0f}", cy="0", r="8", fill=colour))
        text = f"{name} {count}"
        parts.append(_text(text, x + 22, 5.5, 16, fill=_FAINT))
        x += 22 + 9.5 * len(text) + 18
    return _Drawn(joined(parts), max(0.0, x - 18))


def _grid(
    game: Game, history: History, board: int | None, writers: Mapping[int, tuple[str, str]]
) -> _Drawn:
    lines, width = dict[int, Markup](), 0.0
    one_board, is_solved = game if board is None else game.one_board, False
    for number, turn in enumerate(history.turns, start=1):
        clue = turn.clue if board is None else cast(BoardsClue, turn.clue).clues[board]
        if is_solved:
            continue
        is_solved = board is not None and not turn.doubted and one_board.rule.wins(clue)
        label = _text(str(number), 22, 29, 15, anchor="end", fill=_FAINT)
        row = _row(one_board, turn, clue)
        lines[number] = label + _moved(row.html, 36, 0)
        width = max(width, 36 + row.width)
    for number, (name, colour) in writers.items():
        dot = element("circle", "", cx=f"{width + 26:.0f}", cy="22", r="13", fill=colour)
        letter = _text(name[:1].upper(), width + 26, 27.5, 15, "middle", "#fff", "700")
        lines[number] += dot + letter
    parts = [_moved(line, 0, (number - 1) * _STEP) for number, line in lines.items()]
    return _Drawn(joined(parts), width + 40 if writers else width)


def _row(game: Game, turn: Turn, clue: Clue) -> _Drawn:
    guess = guess_tiles(game, turn.guess, clue) if turn.guess else []
    marks = mark_tiles(game, clue)
    parts, x = list[Markup](), 0.0
    for tile in guess or code_tiles(game, turn.guess):
        shown = _square(tile)
        parts.append(_moved(shown.html, x, 0))
        x += shown.width + _GAP
    if marks:
        x += 2 * _GAP
        columns = -(-len(marks) // 2)
        for place, tile in enumerate(marks):
            parts.append(_peg(tile, x + 11 + place % columns * 23, 11 + place // columns * 22))
        x += columns * 23
    elif not game.rule.positional:
        text = game.rule.format(clue)
        parts.append(_text(text, x + 6, 30, 22, fill=_INK, weight="600"))
        x += 16 * len(text) + 12
    return _Drawn(joined(parts), x - _GAP)


def _square(tile: DrawnTile) -> _Drawn:
    width = max(_TILE, 13 * len(tile.text) + 16)
    ground, ink, edge, dash = _look(tile)
    box = element(
        "rect", "", x="1", y="1", width=f"{width - 2}", height=f"{_TILE - 2}", rx="7",
        fill=ground, stroke=edge, stroke_width="2", stroke_dasharray=dash,
    )  # fmt: skip
    size = 24 if len(tile.text) == 1 else 20
    return _Drawn(box + _text(tile.text, width / 2, 30.5, size, "middle", ink, "700"), width)


def _peg(tile: DrawnTile, x: float, y: float) -> Markup:
    ground, ink, edge, dash = _look(tile)
    disc = element(
        "circle", "", cx=f"{x:.1f}", cy=f"{y:.1f}", r="9", fill=ground, stroke=edge,
        stroke_width="2", stroke_dasharray=dash and "3 2.6",
    )  # fmt: skip
    letter = "" if tile.may_be else tile.text[:1]
    return disc + _text(letter, x, y + 4, 11, "middle", ink, "700")


def _look(tile: DrawnTile) -> tuple[str, str, str, str | bool]:
    """Return the ground, ink, edge and dashes of a tile."""
    if tile.may_be:
        return "#fff", _INK, "#1d5fae", "5 4"
    colour = colour_of(tile.name)
    if colour is None:
        return "#fff", _INK, _EDGE, False
    return colour.ground, colour.ink, _EDGE if tile.name == "white" else colour.ground, False


def _text(
    text: str, x: float, y: float, size: float, anchor: str = "start", fill: str = _INK,
    weight: str = "400",
) -> Markup:  # fmt: skip
    return element(
        "text", text, x=f"{x:.1f}", y=f"{y:.1f}", font_size=f"{size}", text_anchor=anchor,
        fill=fill, font_weight=weight,
    )  # fmt: skip


def _moved(html: Markup, x: float, y: float) -> Markup:
    return element("g", html, transform=f"translate({x:.1f} {y:.1f})")
