"""The keyboard of a board's page: keys for symbols and marks, and how a row is entered."""

import json
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias, cast

from puzzlehunt.codes.alphabet import Alphabet
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn
from puzzlehunt.rules.columns import ColumnsRule
from puzzlehunt.rules.families import CountRule, TileRule
from puzzlehunt.rules.notation.clue_values import CellsClue, CountClue
from puzzlehunt.views.drawn_tiles import LONG, DrawnTile, board_clues, code_tiles, named_marks
from puzzlehunt.views.elements import Markup, element, joined, tile_class

_MOST_KEYS = 40
"""Largest alphabet with a key for each symbol; a larger one has keys for the characters of its
symbols if a keyboard has them all, else its guesses are typed in the line."""
_MOST_NAMES = 1_000
"""Largest table whose names a page knows, to complete what is typed."""
_LAYOUTS = Path(__file__).with_name("keyboards.txt").read_text("utf-8").splitlines()[3:]
"""Rows of keys, from left to right; the first that has all letters of a game is its keyboard."""

_MEANINGS = {
    "black": "right symbol, right place",
    "white": "right symbol, wrong place",
    "miss": "wrong symbol",
}
"""What pegs say of a symbol, by their kinds."""

_Key: TypeAlias = tuple[str, str, str]
"""The text of a key or a tile, its class and its name."""


class Slots(NamedTuple):
    """How the clue of one board is entered.

    - `clue`: `tiles` if each symbol of the guess has a mark, `pegs` if there are slots behind the
      guess, `text` if guess and clue are typed in the line
    - `marks`: what a slot may hold
    - `labels`, `suffixes`: the name of each slot, and what is written behind a number in it; none
      if all slots are alike
    - `slots`: the number of slots, 0 for one a symbol
    """

    clue: Literal["tiles", "pegs", "text"]
    marks: tuple[_Key, ...] = ()
    labels: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    slots: int = 0


def slots_of(game: Game) -> Slots:
    """Return how the clue of one board of a game is entered."""
    rule, alphabet = game.one_board.rule, game.alphabet
    characters = {*"".join(alphabet.symbols)}
    is_composed = not alphabet.joiner and any(characters <= {*layout} for layout in _LAYOUTS)
    has_keys = not alphabet.names_codes and (len(alphabet) <= _MOST_KEYS or is_composed)
    if not (has_keys and isinstance(rule, CountRule | TileRule)):
        return Slots("text")
    names = named_marks(rule)
    keys = [
        (mark, tile_class(DrawnTile(mark, names.get(mark, ""))), name)
        for mark, name in rule.notation.named_marks()
    ]
    unread = (rule.notation.unread_mark, "tile", "unread")
    if isinstance(rule, TileRule):
        return Slots("tiles", (*keys, unread))
    if rule.notation.written_as_counts or len(rule.kinds) == 2 or rule.length >= LONG:
        counts = [(str(count), "tile", "") for count in range(rule.length + 1)]
        words = [key for key in keys if len(key[0]) > 1]
        suffixes, _, labels = zip(*(key for key in keys if len(key[0]) == 1), strict=True)
        return Slots("pegs", (*counts, *words), labels, suffixes, len(labels))
    if not rule.notation.miss_has_mark:
        keys.append((".", "tile", "none"))
    length = game.guesses.lengths[-1]
    count = rule.mark_count((0,) * length)
    return Slots("pegs", (*keys, unread), slots=0 if count == length else count)


def slot_texts(game: Game, turn: Turn) -> list[str] | None:
    """Return what the slots of a row hold, board by board; None if the row does not fit them."""
    slots, rule, texts = slots_of(game), game.one_board.rule, list[str]()
    if isinstance(rule, ColumnsRule):
        cells = zip(rule.columns, cast(CellsClue, turn.clue).lost_cells, strict=True)
        return [column.format_cell(cell).strip("_") for column, cell in cells]
    if not isinstance(rule, CountRule | TileRule) or slots.clue == "text":
        return None
    size, unread = slots.slots or len(turn.code), rule.notation.unread_clue(turn.code)
    for clue in board_clues(turn.clue):
        if clue == unread:
            read = list[str]()
        elif rule.hides_win and rule.wins(clue):
            return None  # its marks alone say that it lost
        elif slots.labels and isinstance(clue, CountClue) and clue.is_exact:
            read = [str(low) for low, _ in clue.ranges[:-1]]
        elif isinstance(clue, CountClue | CellsClue) and not (slots.labels or clue.cells is None):
            read = [rule.notation.format_cell(cell) for cell in clue.cells[:size]]
        else:
            return None
        texts += [*read, *[""] * (size - len(read))]
    return texts


def meanings_of_marks(game: Game) -> str:
    """Return what pegs mean, as a sentence; "" if the marks of a game are no pegs."""
    rule = game.one_board.rule
    kinds = zip(rule.kind_names, getattr(rule.notation, "kinds", ()), strict=False)
    meant = "; ".join(f"{k.label}: {_MEANINGS[n]}" for n, k in kinds if n in _MEANINGS and k.mark)
    return f"{meant[0].upper()}{meant[1:]}." if meant else ""


def keyboard(game: Game) -> Markup:
    """Return the keys of a game, and as `data-game` the description of its rows (JSON).

    Its keys are the parts of `Slots`, `lengths` (the shortest and the longest guess), `symbols`
    (their texts), `keys` (a symbol for each typed character that is another name of it), `joiner`,
    `unread` (the mark), `blank` (the mark of a tile left alone, "" for a miss) and `boards`.
    """
    rule, lengths, alphabet = game.one_board.rule, game.guesses.lengths, game.alphabet
    slots, symbols = slots_of(game), list[_Key]()
    if slots.clue != "text":
        tiles = (code_tiles(game.one_board, (symbol,))[0] for symbol in range(len(alphabet)))
        symbols = [(tile.text, tile_class(tile), tile.name) for tile in tiles]
    is_alike = isinstance(rule, CountRule) and not (rule.notation.miss_has_mark or slots.labels)
    # Capitals that browsers do not know.
    names = [*(name for name in alphabet.aliases if len(name) == 1), *"iß"]
    numbers = {name: alphabet.number(name) for name in names}
    described = slots._asdict() | {
        "lengths": [max(lengths[0], 1), lengths[-1]],
        "symbols": [text for text, _, _ in symbols],
        "keys": {name: alphabet.symbols[n] for name, n in numbers.items() if n is not None},
        "joiner": alphabet.joiner,
        "unread": rule.notation.unread_mark,
        "blank": "" if is_alike and game.channel.reads is None else rule.notation.unread_mark,
        "boards": game.boards,
    }
    rows = [
        joined(_key(one, "data_symbol") for one in row) for row in _rows_of_keys(symbols, alphabet)
    ]
    marks = joined(_key(one, "data_mark") for one in slots.marks)
    marks += element(
        "button", "\N{ERASE TO THE LEFT}", "cap wide", type="button", data_command="back",
        aria_label="delete",
    )  # fmt: skip
    marks += element("button", "Enter", "cap wide main", type="button", data_command="enter")
    shown = joined(
        element("div", keys, "keys", role="group", aria_label=title)
        for title, keys in [*(("Symbols", row) for row in rows), ("Marks", marks)]
    )
    signs = "\N{CHECK MARK} place known, ? place unknown, struck: not in the secret"
    if game.boards > 1:
        signs = "Bars on a key: one for each board; struck: on none"
    meant = meanings_of_marks(game).replace("right symbol, ", "")
    shown += element("p", f"{meant} " + element("span", signs), "signs")
    return element(
        "div", shown, "keyboard", id="keyboard", role="group",
        aria_label="Keyboard", data_game=json.dumps(described, ensure_ascii=False),
    )  # fmt: skip


def table_fields(game: Game) -> list[tuple[str, list[str]]]:
    """Return the titles of a table's fields, each with what it may hold, or an example."""
    rule, names = game.rule, game.alphabet.symbols
    if not isinstance(rule, ColumnsRule):
        return []
    fields = [("guess", [*names] if len(names) <= _MOST_NAMES else [])]
    for column in rule.columns:
        numbers = range(column.size) if column.size <= _MOST_KEYS else [column.size // 2]
        fields.append((column.title, [column.format_cell((n,)) for n in numbers]))
    return fields


def grid_classes(game: Game) -> str:
    """Return the classes of a grid of rows: `n10` if there are 10 tiles in a line of a row.

    In a `long` one, guess and clue have a line each, of 16 tiles at most.
    """
    slots, length = slots_of(game), game.guesses.lengths[-1]
    tiles = 1 if game.alphabet.names_codes else length
    if slots.clue == "pegs" and length <= 8:
        tiles += 2 if slots.labels else slots.slots or length
    return f"n{min(16, tiles)}{' long' if tiles == length > 8 else ''}"


def _rows_of_keys(symbols: list[_Key], alphabet: Alphabet) -> list[list[_Key]]:
    by_text = {symbol[0]: symbol for symbol in symbols}
    if len(symbols) > _MOST_KEYS:
        by_text = {one: (one, "tile", "") for one in "".join(by_text)}
    for layout in _LAYOUTS if len(symbols) > 12 else ():
        if {*by_text} <= {*layout}:
            order = -1 if alphabet.right_to_left else 1  # the page shows such rows from the right
            rows = [[by_text[one] for one in row if one in by_text] for row in layout.split()]
            return [row[::order] for row in rows if row]
    if not symbols:
        return []
    longest = max(map(len, by_text))
    lines = -(-len(symbols) // (10 if longest <= 2 else 4 if longest <= 7 else 2))
    size = -(-len(symbols) // lines)
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
