"""Codes and clues as coloured tiles, and the table of colours."""

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


_GREEN = Colour("bold white on green4", "#3c7d3f", "#fff")
_YELLOW = Colour("bold black on gold3", "#d3a518", "#000")
_GREY = Colour("white on grey37", "#6b6e70", "#fff")
STYLES = {
    "c-black": Colour("bold white on black", "#000", "#fff"),
    "c-white": Colour("bold black on white", "#fff", "#000"),
    "c-red": Colour("bold red", "#c0392b", "#fff"),
    "c-green": Colour("bold green", "#2a8439", "#fff"),
    "c-blue": Colour("bold blue", "#2c6fbb", "#fff"),
    "c-yellow": Colour("bold yellow", "#f2d21f", "#000"),
    "c-orange": Colour("bold dark_orange", "#e88b1a", "#000"),
    "c-purple": Colour("bold magenta", "#8e44ad", "#fff"),
    "c-pink": Colour("bold hot_pink", "#f4a6c8", "#000"),
    "c-brown": Colour("bold orange4", "#7a4a22", "#fff"),
    "c-grey": Colour("bold grey70", "#b4b8bc", "#000"),
    "c-cyan": Colour("bold cyan", "#4fc3d9", "#000"),
    "t-right": _GREEN,
    "t-equal": _GREEN,
    "t-elsewhere": _YELLOW,
    "t-near": _YELLOW,
    "t-absent": _GREY,
    "t-far": _GREY,
    "t-later": Colour("bold black on sky_blue2", "#7fbfe6", "#000"),
    "t-earlier": Colour("bold black on orange3", "#e88b1a", "#000"),
}
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
        names = [name.casefold() for name in (text, *game.alphabet.aliases_of(text))]
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
    tiles = []
    for text, cell in zip(game.alphabet.names(guess), clue.cells, strict=False):
        is_read = len(cell) == 1
        tiles.append(DrawnTile(text, rule.kind_names[cell[0]] if is_read else "", not is_read))
    return tiles


def mark_tiles(game: Game, clue: Clue) -> list[DrawnTile]:
    """Return the marks of a clue that is written as marks, such as `BW__`; [] for any other."""
    rule = game.one_board.rule
    tiles = list[DrawnTile]()
    if not isinstance(rule, CountRule) or not isinstance(clue, CountClue):
        return tiles
    if rule.length >= LONG:
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
