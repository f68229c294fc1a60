"""A board as a picture (SVG): its rows on tiles, to be hung on a wall."""

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
_HEAD, _FOOT = 96, 40
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
    columns = next(n for n in (4, 3, 2, 1) if len(boards) % n == 0)
    for start in range(0, len(boards), columns):
        x = 0.0
        for board in boards[start : start + columns]:
            drawn = _grid(game, history, board, {} if game.boards > 1 else writers)
            parts.append(_moved(drawn.html, _MARGIN + x, y))
            x += drawn.width + _STEP
        width = max(width, x - _STEP)
        y += len(history.turns) * _STEP + _STEP / 2
    width = max(width, 12 * len(title) + 40, 360)
    guesses = counted(len(history.turns), "row")
    state = f"solved in {guesses}" if game.is_won(history) else guesses
    names = dict(writers.values())
    foot = ", ".join([state, *names])
    head = _text(title, 0, 34, 34, weight="800") + _text(game.title, 0, 66, 18, fill=_FAINT)
    parts.append(_moved(head, _MARGIN, _MARGIN))
    parts.append(_text(foot, _MARGIN, y + 10, 16, fill=_FAINT))
    size = f"{width + 2 * _MARGIN:.0f}", f"{y + _FOOT + _MARGIN / 2:.0f}"
    ground = element("rect", "", width=size[0], height=size[1], fill="#fff")
    return element(
        "svg", ground + joined(parts), xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {size[0]} {size[1]}", width=size[0], height=size[1], font_family=_FONT,
    )  # fmt: skip


def _grid(
    game: Game, history: History, board: int | None, writers: Mapping[int, tuple[str, str]]
) -> _Drawn:
    parts, width = [], 0.0
    for number, turn in enumerate(history.turns, start=1):
        one_board, clue = game, turn.clue
        if board is not None:
            wins = game.winning_guesses(History(history.turns[: number - 1]))
            if wins[board] is not None:
                continue
            one_board, clue = game.one_board, cast(BoardsClue, turn.clue).clues[board]
        label = _text(str(number), 22, 29, 15, anchor="end", fill=_FAINT)
        row = _row(one_board, turn, clue)
        line, end = label + _moved(row.html, 36, 0), 36 + row.width
        if name := writers.get(number):
            dot = element("circle", "", cx=f"{end + 26:.0f}", cy="22", r="13", fill=name[1])
            letter = _text(name[0][:1].upper(), end + 26, 27.5, 15, "middle", "#fff", "700")
            line, end = line + dot + letter, end + 40
        parts.append(_moved(line, 0, (number - 1) * _STEP))
        width = max(width, end)
    return _Drawn(joined(parts), width)


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
        x += 14 * len(text) + 12
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
