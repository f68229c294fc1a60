"""Codes and clues as coloured text: each symbol, tile and mark in its own colour."""

from typing import cast

from rich.text import Text

from puzzlehunt.codes.alphabet import FOREIGN, Code
from puzzlehunt.codes.product_spaces import split
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn
from puzzlehunt.game.lines import format_guess
from puzzlehunt.rules.families import TileRule
from puzzlehunt.rules.notation.tiles import TileClue
from puzzlehunt.views.colours import COLOURS, TILES


def coloured_code(game: Game, code: Code) -> Text:
    """Return a code with each symbol in its colour, if it has one."""
    text = Text()
    styles = _symbol_styles(game)
    if not code:
        return Text(game.format_code(code))
    if game.secrets_at_once > 1 and len(code) == game.length:
        return Text("/").join(coloured_code(game, c) for c in split(code, game.secrets_at_once))
    joiner = game.alphabet.joiner_of(code)
    for place, (symbol, name) in enumerate(zip(code, game.alphabet.names(code), strict=True)):
        text.append(joiner if place else "")
        text.append(name, styles.get(symbol, ""))
    return text


def _symbol_styles(game: Game) -> dict[int, str]:
    """Return the style of each symbol that has a colour, by its number; foreign symbols are dim."""
    colour_names = {
        symbol: alias for alias, symbol in game.alphabet.aliases.items() if alias in COLOURS
    }
    symbols = game.alphabet.symbols
    styles = {
        number: COLOURS[colour_names[s]].style
        for number, s in enumerate(symbols)
        if s in colour_names
    }
    return styles | {FOREIGN: "dim"}


def coloured_guess(game: Game, turn: Turn) -> Text:
    """Return the guess of a turn, each tile in the colour of its mark, where it has one."""
    text = coloured_code(game, turn.guess)
    text.append(format_guess(game, turn).removeprefix(text.plain))
    rule = game.rule
    if not isinstance(rule, TileRule):
        return text
    names, joiner = game.alphabet.names(turn.guess), game.alphabet.joiner_of(turn.guess)
    start = 0
    for name, cell in zip(names, cast(TileClue, turn.clue).cells, strict=False):
        if len(cell) == 1:
            colour = TILES.get(rule.digit_names[cell[0]])
            text.stylize("" if colour is None else colour.style, start, start + len(name))
        start += len(name) + len(joiner)
    return text


def coloured_marks(game: Game, clue: str) -> Text:
    """Return a clue's text with its marks in their colours; one with digits stays plain."""
    text = Text(clue)
    styles = _mark_styles(game)
    for place, character in enumerate(clue):
        if character in styles and not any(c.isdigit() for c in clue):
            text.stylize(styles[character], place, place + 1)
    return text


def _mark_styles(game: Game) -> dict[str, str]:
    """Return the style of each mark of a game that has a colour."""
    rule = game.one_board.rule
    if isinstance(rule, TileRule):
        marks = zip(rule.notation.marks, rule.digit_names, strict=True)
        return {mark: TILES[name].style for mark, name in marks if name in TILES}
    return {mark: COLOURS[name].style for mark, name in rule.named_marks() if name in COLOURS}


def coloured_words(game: Game, words: str) -> Text:
    """Return a clue in words; the tiles that it begins with, or names of colours, are coloured."""
    tiles, bracket, note = words.partition(" (")
    if bracket and isinstance(game.rule, TileRule):
        return Text.assemble(coloured_marks(game, tiles), bracket, note)
    text = Text(words)
    for name, colour in COLOURS.items():
        text.highlight_words([name], colour.style)
    return text
