"""The keyboard of a board's page: keys for symbols and marks, and a description of both.

A script shows the next row as tiles that these keys fill. It writes the row as a line of text.
"""

import json
from collections.abc import Iterable, Sequence
from string import ascii_uppercase
from typing import Any

from puzzlehunt.codes.alphabet import Alphabet
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.families import CountRule
from puzzlehunt.views.drawn_tiles import DrawnTile, code_tiles, tile_names
from puzzlehunt.views.elements import Markup, element, joined
from puzzlehunt.views.page.board_rows import code_text, tile_class

_MOST_KEYS = 40
"""Largest alphabet with keys of its own."""
_MOST_ANSWERS = 12
"""Largest number of answers with keys of their own, for a rule whose answers are not marks."""
_QWERTY = ("QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM")
_LONGEST_COUNT = 9
_ODD_CAPITALS = {"i": "İ", "ß": "ẞ"}
"""Capitals of some alphabets that browsers do not know."""


def keyboard(game: Game) -> Markup:
    """Return the keys of a game, and as `data-game` the description of its rows (JSON).

    Its keys are `clue` (what `_clue_kind` returns), `lengths` (the shortest and the longest guess),
    `symbols` (their texts), `marks` (text, class, name), `keys` (a symbol for each typed character
    that is another name of it), `joiner`, `unread` (the mark), `blank` (the mark of a tile that is
    left alone, "" for a miss), `slots` (the number of marks, 0 for one a symbol), `boards`
    and `prompts` (what to do: on an empty row, after the guess, after the first mark).
    """
    rule, symbols = game.one_board.rule, _symbols(game)
    clue, marks = _clue_kind(rule) if _fits_tiles(game) else "text", _marks(game)
    lengths = game.guesses.single.lengths
    length = lengths[-1]
    is_miss = clue == "pegs" and not rule.notation.miss_has_mark and game.channel.reads is None
    slots = 0
    if clue == "pegs" and isinstance(rule, CountRule):
        slots = rule.mark_count((0,) * length)
    described = {
        "clue": clue,
        "lengths": [max(lengths[0], 1), length],
        "symbols": [text for text, _, _ in symbols],
        "marks": marks,
        "keys": _other_keys(game.alphabet),
        "joiner": game.alphabet.joiner,
        "unread": rule.notation.unread_mark,
        "blank": "" if is_miss else rule.notation.unread_mark,
        "slots": slots if slots != length else 0,
        "boards": game.boards,
        "prompts": _prompts(clue, marks, rule.notation.unread_mark, is_miss),
    }
    rows = [_keys("Symbols", "symbol", row) for row in _symbol_rows(symbols)]
    keys = joined([*rows, _clue_keys(rule, clue, marks)])
    return element(
        "div", keys, "keyboard", id="keyboard", hidden=True, role="group", aria_label="Keyboard",
        data_game=json.dumps(described, ensure_ascii=False),
    )  # fmt: skip


def _prompts(
    clue: str, marks: Sequence[tuple[str, str, str]], unread: str, is_miss: bool
) -> dict[str, str]:
    names = [mark if mark == name else f"{mark} {name}" for mark, _, name in marks]
    kinds = ", ".join([*names, f"{unread} unread"])
    asked, after = {
        "tiles": ("the mark of each tile", f"Its marks, in the order of the tiles: {kinds}."),
        "pegs": ("its marks", f"Its marks, in any order: {kinds}."),
        "counts": ("its counts", f"How many of each: {', '.join(name for *_, name in marks)}."),
        "answers": ("its answer", "What was the answer?"),
    }.get(clue, ("its clue", ""))
    left = f"none; {unread} is one that nobody can read" if is_miss else "unread"
    return {
        "empty": f"Type a guess, then {asked}.",
        "marks": after,
        "rest": f"Enter sends the row. An empty place is {left}.",
    }


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
    rule, length = game.one_board.rule, game.guesses.single.lengths[-1]
    length = 1 if game.alphabet.names_codes else length
    clue = _clue_kind(rule)
    marks = {"pegs": length, "counts": 2, "answers": 2}.get(clue, 0)
    if clue == "pegs" and isinstance(rule, CountRule):
        marks = rule.mark_count((0,) * length)
    is_long, is_named = length > 8, game.alphabet.names_codes
    is_wordy = not is_named and any(" word" in kind for _, kind, _ in _symbols(game))
    look = " long" * is_long + " wordy" * is_wordy + " named" * is_named
    return f"n{max(1, min(16, length if is_long else length + marks))}{look}"


def _clue_kind(rule: Rule) -> str:
    """Return how a clue is shown as tiles.

    `tiles`: a mark on each symbol of the guess. `pegs`: marks beside the guess. `counts`: a number
    of each kind. `answers`: one of few texts. `text`: it does not fit tiles, since its answers are
    texts too many for keys; such clues are typed as a line.
    """
    if rule.positional:
        return "tiles"
    if isinstance(rule, CountRule):
        is_counted = rule.notation.written_as_counts or len(rule.kinds) == 2
        return "counts" if is_counted else "pegs"
    return "answers" if len(rule.feedbacks) <= _MOST_ANSWERS else "text"


def _fits_tiles(game: Game) -> bool:
    """Return whether guesses and clues fit tiles that keys fill; others are typed in the line."""
    return _clue_kind(game.one_board.rule) != "text" and bool(_symbols(game))


def _symbols(game: Game) -> list[tuple[str, str, str]]:
    """Return the text, the class and the name of each symbol, none for what is typed in the line.

    Typed in the line are guesses with names, and letters of several characters (Hindi).
    """
    alphabet = game.alphabet
    is_large = len(alphabet) > _MOST_KEYS and not alphabet.joiner and max(map(len, alphabet)) > 1
    if game.alphabet.names_codes or is_large:
        return []
    tiles = [code_tiles(game.one_board, (symbol,))[0] for symbol in range(len(game.alphabet))]
    return [(tile.text, tile_class(tile), tile.name) for tile in tiles]


def _other_keys(alphabet: Alphabet) -> dict[str, str]:
    """Return the symbol of each character that is another name of it.

    Among them are small letters whose capitals a browser does not know.
    """
    keys = {name: symbol for name, symbol in alphabet.aliases.items() if len(name) == 1}
    for letter, capital in _ODD_CAPITALS.items():
        if capital in alphabet.symbols and alphabet.number(letter) == alphabet.number(capital):
            keys[letter] = capital
    return keys


def _marks(game: Game) -> list[tuple[str, str, str]]:
    """Return the text, the class and the name of each mark or answer."""
    rule = game.one_board.rule
    if _clue_kind(rule) == "answers":
        texts = [
            rule.notation.format(rule.notation.full_clue(feedback, ()))
            for feedback in rule.feedbacks
        ]
        return [(text, "tile", "") for text in texts]
    marks = []
    for text, label in rule.notation.named_marks():
        name = tile_names(rule).get(text, label)
        marks.append((text, tile_class(DrawnTile(text, name)), label))
    if _clue_kind(rule) == "pegs" and not rule.notation.miss_has_mark:
        marks.append((".", "tile", "none"))
    return marks


def _symbol_rows(symbols: Sequence[tuple[str, str, str]]) -> list[list[tuple[str, str, str]]]:
    """Return the symbols as rows of keys: letters as on a keyboard, others in their order."""
    if len(symbols) > _MOST_KEYS:
        return []
    by_text = {symbol[0]: symbol for symbol in symbols}
    if len(symbols) > 12 and {*by_text} <= {*ascii_uppercase}:
        return [[by_text[letter] for letter in row if letter in by_text] for row in _QWERTY]
    longest = max((len(text) for text in by_text), default=0)
    most = 10 if longest <= 2 else 4 if longest <= 7 else 2
    rows = -(-len(symbols) // most) or 1
    size = -(-len(symbols) // rows) or 1
    return [list(symbols[start : start + size]) for start in range(0, len(symbols), size)]


def _clue_keys(rule: Rule, clue: str, marks: Sequence[tuple[str, str, str]]) -> Markup:
    """Return the keys of clues, and those that take back, and send."""
    unread = (rule.notation.unread_mark, "tile", "unread")
    words = [mark for mark in marks if len(mark[0]) > 1 and clue != "answers"]
    parts = [mark for mark in marks if mark not in words]
    if clue == "counts":
        most = min(_LONGEST_COUNT, rule.length)
        parts = [(str(count), "tile", "") for count in range(most + 1)]
    elif clue != "answers":
        parts.append(unread)
    keys = [_key(*mark, data_mark=mark[0]) for mark in parts if clue != "text"]
    keys += [_key(*word, data_word=word[0]) for word in words]
    back = element(
        "button", "\N{ERASE TO THE LEFT}", "cap wide", type="button", data_command="back",
        aria_label="delete",
    )  # fmt: skip
    enter = element("button", "Enter", "cap wide main", type="button", data_command="enter")
    title = "Marks" if clue in ("tiles", "pegs") else "Answer"
    return element("div", joined([*keys, back, enter]), "keys", role="group", aria_label=title)


def _keys(title: str, kind: str, keys: Iterable[tuple[str, str, str]]) -> Markup:
    buttons = [_key(text, classes, name, data_symbol=text) for text, classes, name in keys]
    return element("div", joined(buttons), "keys", role="group", aria_label=title)


def _key(text: str, classes: str, name: str, **data: Any) -> Markup:
    shown = Markup.escape(text)
    if name and "data_symbol" not in data and name != text:
        shown += element("small", name)
    spoken = text if name in ("", text) else f"{text} {name}"
    look = f"cap {classes}"
    return element("button", shown, look, type="button", aria_label=spoken, **data)
