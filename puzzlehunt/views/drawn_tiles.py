"""Codes and clues as tiles: symbols and marks, each with the name of its colour."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.game.game import Game
from puzzlehunt.rules.families import CountRule
from puzzlehunt.rules.notation.clue import UNREAD, Clue
from puzzlehunt.rules.notation.count_clue import CountClue
from puzzlehunt.rules.notation.tiles import TileClue
from puzzlehunt.views.colours import colour_of


@dataclass(frozen=True, slots=True)
class DrawnTile:
    """A symbol or a mark as it is written, and the name of its colour, "" for none.

    `may_be` are the marks that a mark may be which was not read for certain, each as it is written
    and by its name; empty for all else.
    """

    text: str
    name: str = ""
    may_be: tuple[tuple[str, str], ...] = ()


def code_tiles(game: Game, code: Code) -> list[DrawnTile]:
    """Return the symbols of a code."""
    return [_symbol(game, symbol) for symbol in code]


def is_coloured(tiles: Iterable[DrawnTile]) -> bool:
    """Return whether some tile has a colour."""
    return any(tile.name for tile in tiles)


def guess_tiles(game: Game, guess: Code, clue: Clue) -> list[DrawnTile]:
    """Return the symbols of a guess, in the colours of their marks where each symbol has one."""
    rule = game.one_board.rule
    if not (rule.positional and isinstance(clue, TileClue)):
        return code_tiles(game, guess)
    marks, names = list(rule.tile_names), list(rule.tile_names.values())
    tiles = []
    for symbol, digits in zip(guess, clue.cells, strict=False):
        is_read = len(digits) == 1
        may_be = () if is_read else tuple((marks[d], names[d]) for d in reversed(digits))
        text = _symbol(game, symbol).text
        tiles.append(DrawnTile(text, names[digits[0]] if is_read else "", may_be))
    return tiles


def mark_tiles(game: Game, clue: Clue) -> list[DrawnTile]:
    """Return the marks of a clue that is written as marks, such as `BW__`; [] for any other."""
    rule = game.one_board.rule
    if rule.positional or not rule.kinds:
        return []
    rule = cast(CountRule, rule)
    cells, kinds = cast(CountClue, clue).cells, rule.notation.kinds
    if cells is None or rule.notation.written_as_counts:
        return []
    misses_are_written = kinds[-1].mark is not None
    tiles = []
    for cell in cells:
        shown = [kinds[kind] for kind in cell or range(len(kinds))]
        marks = tuple((kind.mark or ".", kind.label) for kind in shown)
        if len(marks) > 1:
            text = rule.unread_mark if cell == UNREAD else "".join(mark for mark, _ in marks)
            tiles.append(DrawnTile(text, may_be=marks))
        elif misses_are_written or shown[0] is not kinds[-1]:
            tiles.append(DrawnTile(marks[0][0], shown[0].label))
    return tiles


def marks_text(tiles: Sequence[DrawnTile]) -> str:
    """Return the clue that marks write."""
    texts = (
        f"[{tile.text}]" if len(tile.text) > 1 < len(tile.may_be) else tile.text for tile in tiles
    )
    return "".join(texts)


def _symbol(game: Game, symbol: int) -> DrawnTile:
    text = game.alphabet.format((symbol,))
    names = (alias for alias, symbol_text in game.alphabet.aliases.items() if symbol_text == text)
    return DrawnTile(text, next((name for name in names if colour_of(name)), ""))
