"""The keyboard of a board's page: keys for symbols and marks, and how a row is entered with them.

A script shows the next row as tiles that these keys fill. It writes the row as a line of text.
"""

import json
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Literal, TypeAlias

from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn
from puzzlehunt.rules.boards import BoardsClue
from puzzlehunt.rules.families import CountRule, TileRule
from puzzlehunt.rules.notation.clue import Clue
from puzzlehunt.rules.notation.clue_values import CellsClue, CountClue
from puzzlehunt.views.drawn_tiles import DrawnTile, code_tiles, named_marks
from puzzlehunt.views.elements import Markup, code_text, element, joined, tile_class

_MOST_KEYS = 40
"""Largest alphabet with keys of its own."""
_MOST_ANSWERS = 12
"""Largest number of answers with keys of their own, for a rule whose answers are not marks."""
_QWERTY = ("QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM")

_Key: TypeAlias = tuple[str, str, str]
"""The text of a key or a tile, its class and its name."""


@dataclass(frozen=True, slots=True)
class Slots:
    """How the clue of one board is entered.

    - `kind`: `tiles` if each symbol of the guess has a mark, `pegs` if there are slots behind the
      guess, `text` if the clue is typed in the line, since its answers are too many for keys
    - `values`: what a slot may hold
    - `labels`, `suffixes`: the name of each slot, and what is written behind a number in it; none
      if all slots are alike
    - `count`: the number of slots, 0 for one a symbol
    """

    kind: Literal["tiles", "pegs", "text"]
    values: tuple[_Key, ...] = ()
    labels: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    count: int = 0


def slots_of(game: Game) -> Slots:
    """Return how the clue of one board of a game is entered."""
    rule, length = game.one_board.rule, game.guesses.single.lengths[-1]
    notation = rule.notation
    if not isinstance(rule, CountRule) and not rule.positional:
        if len(rule.feedbacks) > _MOST_ANSWERS:
            return Slots("text")
        clues = [notation.full_clue(feedback, ()) for feedback in rule.feedbacks]
        answers = tuple((notation.format(clue), "tile", "") for clue in clues)
        return Slots("pegs", answers, ("answer",), ("",), 1)
    names = named_marks(rule)
    values = [
        (mark, tile_class(DrawnTile(mark, names.get(mark, ""))), name)
        for mark, name in notation.named_marks()
    ]
    unread = (notation.unread_mark, "tile", "unread")
    if not isinstance(rule, CountRule):
        return Slots("tiles", (*values, unread))
    if rule.notation.written_as_counts or len(rule.kinds) == 2:
        counts = [(str(count), "tile", "") for count in range(min(9, rule.length) + 1)]
        words = [value for value in values if len(value[0]) > 1]
        kinds = [value for value in values if len(value[0]) == 1]
        suffixes, labels = tuple(kind[0] for kind in kinds), tuple(kind[2] for kind in kinds)
        return Slots("pegs", (*counts, *words), labels, suffixes, len(labels))
    if not rule.notation.miss_has_mark:
        values.append((".", "tile", "none"))
    count = rule.mark_count((0,) * length)
    return Slots("pegs", (*values, unread), count=0 if count == length else count)


def slot_texts(game: Game, turn: Turn) -> list[str] | None:
    """Return what the slots of a row hold, board by board; None if the row does not fit them."""
    slots = slots_of(game)
    if turn.overlong or not _fits_tiles(game):
        return None
    size, texts = slots.count or len(turn.guess), list[str]()
    unread = game.one_board.unread_clue(turn.guess)
    for clue in turn.clue.clues if isinstance(turn.clue, BoardsClue) else (turn.clue,):
        read = [] if clue == unread else _texts(game, slots, clue)
        if read is None or len(read) > size:
            return None
        texts += [*read, *[""] * (size - len(read))]
    return texts


def _texts(game: Game, slots: Slots, clue: Clue) -> list[str] | None:
    rule = game.one_board.rule
    if isinstance(rule, TileRule) and isinstance(clue, CellsClue):
        return [rule.notation.format_cell(cell) for cell in clue.cells]
    if not (isinstance(rule, CountRule) and isinstance(clue, CountClue)):
        text = rule.notation.format(clue)
        return [text] if text in [value for value, *_ in slots.values] else None
    if slots.labels:
        is_whole = clue.is_exact and clue.rest == rule.losing_rest
        return [str(low) for low, _ in clue.ranges[:-1]] if is_whole else None
    return None if clue.cells is None else [rule.notation.format_cell(cell) for cell in clue.cells]


def keyboard(game: Game) -> Markup:
    """Return the keys of a game, and as `data-game` the description of its rows (JSON).

    Its keys are `clue`, `marks`, `labels`, `suffixes` and `slots` (the parts of `Slots`), `lengths`
    (the shortest and the longest guess), `symbols` (their texts), `keys` (a symbol for each typed
    character that is another name of it), `joiner`, `unread` (the mark), `blank` (the mark of a
    tile that is left alone, "" for a miss), `boards` and `asks` (a sentence that asks for a clue).
    """
    notation, lengths = game.one_board.rule.notation, game.guesses.single.lengths
    slots, symbols, alphabet = slots_of(game), _symbols(game), game.alphabet
    no_miss = isinstance(game.one_board.rule, CountRule) and not notation.miss_has_mark
    is_miss = no_miss and not slots.labels and game.channel.reads is None
    order = "in the order of the tiles" if slots.kind == "tiles" else "in any order"
    asks = f"Its {' and '.join(slots.labels) or f'marks, {order}'}."
    keys = {name: symbol for name, symbol in alphabet.aliases.items() if len(name) == 1}
    # Capitals that browsers do not know.
    odd = {letter: alphabet.number(letter) for letter in "iß"}
    keys |= {one: alphabet.symbols[n] for one, n in odd.items() if n is not None}
    described = {
        "clue": slots.kind if symbols else "text",
        "marks": slots.values,
        "labels": slots.labels,
        "suffixes": slots.suffixes,
        "slots": slots.count,
        "lengths": [max(lengths[0], 1), lengths[-1]],
        "symbols": [text for text, _, _ in symbols],
        "keys": keys,
        "joiner": alphabet.joiner,
        "unread": notation.unread_mark,
        "blank": "" if is_miss else notation.unread_mark,
        "boards": game.boards,
        "asks": asks,
    }
    rows = [joined(_key(one, "data_symbol") for one in row) for row in _symbol_rows(symbols)]
    marks = joined(_key(one, "data_mark") for one in slots.values if symbols)
    back = element(
        "button", "\N{ERASE TO THE LEFT}", "cap wide", type="button", data_command="back",
        aria_label="delete",
    )  # fmt: skip
    enter = element("button", "Enter", "cap wide main", type="button", data_command="enter")
    titles = [*["Symbols"] * len(rows), "Marks"]
    shown = joined(
        element("div", keys, "keys", role="group", aria_label=title)
        for title, keys in zip(titles, [*rows, marks + back + enter], strict=True)
    )
    return element(
        "div", shown, "keyboard", id="keyboard", hidden=True, role="group",
        aria_label="Keyboard", data_game=json.dumps(described, ensure_ascii=False),
    )  # fmt: skip


def clue_hint(game: Game, example: Turn | None) -> Markup:
    """Return what a clue that is typed in the line looks like: its columns, and an example's clue.

    The result is empty for a game whose clues fit tiles.
    """
    if example is None or _fits_tiles(game):
        return Markup("")
    columns = ", ".join(game.rule.column_names)
    clue = code_text(game.rule.notation.format(example.clue))
    return Markup.escape(f"A clue{columns and ': '}{columns}, as ") + clue


def grid_classes(game: Game) -> str:
    """Return the classes of a grid of rows: `n10` if there are 10 tiles in a line of a row.

    The class `long` is that of a game whose guess and clue have a line each, of 16 tiles at most;
    `wordy` that of a game whose symbols are words, `named` that of one whose guesses have names.
    """
    if game.alphabet.names_codes:
        return "n1 named"
    slots, length = slots_of(game), game.guesses.single.lengths[-1]
    tiles = length
    if slots.kind == "pegs" and length <= 8:
        tiles += 2 if slots.labels else slots.count or length
    is_wordy = any(" word" in kind for _, kind, _ in _symbols(game))
    return f"n{min(16, tiles)}{' long' if length > 8 else ''}{' wordy' if is_wordy else ''}"


def _fits_tiles(game: Game) -> bool:
    """Return whether guesses and clues fit tiles that keys fill; others are typed in the line."""
    return slots_of(game).kind != "text" and bool(_symbols(game))


def _symbols(game: Game) -> list[_Key]:
    """Return each symbol, none for what is typed in the line.

    Typed in the line are guesses with names, and letters of several characters (Hindi).
    """
    alphabet = game.alphabet
    is_large = len(alphabet) > _MOST_KEYS and not alphabet.joiner and max(map(len, alphabet)) > 1
    if alphabet.names_codes or is_large:
        return []
    tiles = [code_tiles(game.one_board, (symbol,))[0] for symbol in range(len(alphabet))]
    return [(tile.text, tile_class(tile), tile.name) for tile in tiles]


def _symbol_rows(symbols: list[_Key]) -> list[list[_Key]]:
    """Return the symbols as rows of keys: letters as on a keyboard, others in their order."""
    if not 0 < len(symbols) <= _MOST_KEYS:
        return []
    by_text = {symbol[0]: symbol for symbol in symbols}
    if len(symbols) > 12 and {*by_text} <= {*ascii_uppercase}:
        return [[by_text[letter] for letter in row if letter in by_text] for row in _QWERTY]
    longest = max(map(len, by_text))
    most = 10 if longest <= 2 else 4 if longest <= 7 else 2
    size = -(-len(symbols) // -(-len(symbols) // most))
    return [symbols[start : start + size] for start in range(0, len(symbols), size)]


def _key(key: _Key, data: str) -> Markup:
    """Return a key; its text is its attribute `data`, and a mark's name stands below the mark."""
    text, kind, name = key
    shown = Markup.escape(text)
    if name and data == "data_mark":
        shown += element("small", name)
    spoken = text if name in ("", text) else f"{text} {name}"
    attributes = {data: text, "aria_label": spoken}
    return element("button", shown, f"cap {kind}", type="button", **attributes)
