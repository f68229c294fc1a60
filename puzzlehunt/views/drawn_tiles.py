"""Codes and clues as coloured tiles, and the table of colours."""

import csv
from pathlib import Path
from typing import NamedTuple

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.game.game import Game
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.boards import BoardsClue
from puzzlehunt.rules.families import CountRule, TileRule
from puzzlehunt.rules.notation.clue import Clue
from puzzlehunt.rules.notation.clue_values import CellsClue, CountClue


class Colour(NamedTuple):
    """A colour: `style` for a terminal, `ground` and `ink` in HTML."""

    style: str
    ground: str
    ink: str


with Path(__file__).with_name("colours.csv").open(encoding="utf-8", newline="") as _file:
    STYLES = {name: Colour(*colours) for name, *colours in list(csv.reader(_file))[1:]}
"""Colours by the style of a text in a terminal, which is its class in HTML, too.

Those of symbols and marks begin with `c-`, those of a guess's tiles, named by a mark, with `t-`.
"""
LONG = 7
"""Codes of at least so many symbols have the counts of their marks as tiles."""


def style_of(name: str) -> str:
    """Return the style of a symbol or mark by its name, "" if it has no colour."""
    return next((style for style in (f"c-{name}", f"t-{name}") if style in STYLES), "")


class DrawnTile(NamedTuple):
    """A symbol or a mark as it is written, and the name of its colour, "" for none.

    `unread` is true if its mark was not read, or not for sure.
    """

    text: str
    name: str = ""
    unread: bool = False


def code_tiles(game: Game, code: Code) -> list[DrawnTile]:
    """Return the symbols of a code."""
    if game.alphabet.names_codes:
        return [DrawnTile(game.format_code(code))]
    tiles = []
    for text in game.alphabet.names(code):
        names = map(str.casefold, (text, *game.alphabet.aliases_of(text)))
        tiles.append(DrawnTile(text, next((name for name in names if f"c-{name}" in STYLES), "")))
    return tiles


def named_marks(rule: Rule) -> dict[str, str]:
    """Return the name of each mark, which gives it its colour; of a tile that is the rule's."""
    if isinstance(rule, TileRule):
        return dict(zip(rule.notation.marks, rule.kind_names, strict=False))
    return dict(rule.notation.named_marks())


def board_clues(clue: Clue) -> tuple[Clue, ...]:
    """Return the clue of each board; a clue of one board is the only one."""
    return clue.clues if isinstance(clue, BoardsClue) else (clue,)


def guess_tiles(game: Game, guess: Code, clue: Clue) -> list[DrawnTile]:
    """Return the symbols of a guess, coloured by their marks if the rule marks each symbol."""
    rule = game.one_board.rule
    if not (rule.positional and isinstance(clue, CellsClue)):
        return code_tiles(game, guess)
    kinds, pairs = rule.kind_names, zip(game.alphabet.names(guess), clue.cells, strict=False)
    return [
        DrawnTile(text, kinds[cell[0]]) if len(cell) == 1 else DrawnTile(text, unread=True)
        for text, cell in pairs
    ]


def mark_tiles(game: Game, clue: Clue) -> list[DrawnTile]:
    """Return the marks of a clue that is written as marks, such as `BW__`; [] for any other."""
    rule = game.one_board.rule
    tiles = list[DrawnTile]()
    if not isinstance(rule, CountRule) or not isinstance(clue, CountClue):
        return tiles
    if rule.length >= LONG and clue.ranges[-1][0] >= 0:
        kinds = zip(clue.ranges, rule.notation.kinds, strict=True)
        counts = [(low, high, kind.label) for (low, high), kind in kinds if kind.mark]
        read = "{0}" if clue.is_exact else "{0}-{1}"
        return [DrawnTile(read.format(*one), one[2], not clue.is_exact) for one in counts]
    for cell in () if rule.notation.written_as_counts else clue.cells or ():
        if len(cell) != 1:
            tiles.append(DrawnTile(rule.notation.format_cell(cell), unread=True))
        elif mark := rule.notation.kinds[cell[0]].mark:
            tiles.append(DrawnTile(mark, rule.notation.kinds[cell[0]].label))
    return tiles
