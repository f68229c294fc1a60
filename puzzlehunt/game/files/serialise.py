"""Texts of game files: a history as the keys `facts` and `turns`, and a text edited to hold them.

`edited` changes a text in place: comments, order and quotes stay, but for changed rows.
"""

from collections.abc import Iterator, Mapping
from itertools import takewhile
from pathlib import Path
from typing import TypeAlias

import yaml

from puzzlehunt.errors import GameFileError, PuzzlehuntError
from puzzlehunt.game.facts import FACT
from puzzlehunt.game.files.document import LOADER, Document, dump, dump_in_line, read_document
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Item, Turn
from puzzlehunt.game.turn_notation import format_row

_Change: TypeAlias = tuple[int, int, str]
"""A piece of a text, from one place up to another, and its new text."""


def history_keys(
    game: Game, history: History, wordings: Mapping[Item, str] | None = None
) -> dict[str, list[str]]:
    """Return a history as the keys `facts` and `turns` of a game file.

    Facts that became known after the first turn are listed among the turns, as `/fact ...`.
    `wordings` maps turns and facts to the texts that their author wrote (see `wordings_of`); all
    others are written in the standard form.
    """
    wordings = wordings or {}
    facts: list[str] = []
    rows: list[str] = []
    for item in history:
        if isinstance(item, Turn):
            rows.append(wordings.get(item) or format_row(game, item))
        elif rows:
            rows.append(FACT + wordings.get(item, item.text))
        else:
            facts.append(wordings.get(item, item.text))
    return {"facts": facts, "turns": rows}


def reading_trouble(game: Game, turn: Turn) -> str:
    """Return why a turn would be read differently from a file, "" if it would be read the same."""
    line = format_row(game, turn)
    try:
        same = game.parse_turn(line) == turn
    except PuzzlehuntError as error:
        return str(error)
    return "" if same else f"{line} would mean that the guess won"


def wordings_of(game: Game, document: Document) -> dict[Item, str]:
    """Return a dict from each turn and fact in a document to its text as the author wrote it."""
    facts, rows = (document.value.get(key, ()) for key in ("facts", "turns"))
    lines = [*(FACT + text for text in facts), *rows]
    return {game.as_item(line): line.removeprefix(FACT) for line in lines}


# Editing.


def edited(text: str, value: Mapping[str, object], name: str) -> str:
    """Return the text of a game file, edited to have the content `value`.

    `value` has all keys of the file. Rows up to the first changed one keep their comments; those
    below it are written anew. `name` is the file's name in errors. Raises GameFileError if the text
    cannot be edited.
    """
    node = yaml.compose(text, Loader=LOADER)
    assert isinstance(node, yaml.MappingNode)
    # YAML counts places without a byte order mark.
    mark, text = text[:1] * text.startswith("\ufeff"), text.removeprefix("\ufeff")
    start, end = node.start_mark.index, node.end_mark.index
    whole = dump(value).rstrip("\n") if text[end:] else dump(value)
    changes = [(start, end, whole)] if node.flow_style else _changes(text, node, value)
    changed = text
    for start, end, new in sorted(changes, reverse=True):
        changed = changed[:start] + new + changed[end:]
    try:
        is_done = read_document(changed, name, Path()).value == value
    except GameFileError:
        is_done = False
    if not is_done:
        problem = "the rows played cannot be written here; write each key on a line of its own"
        raise GameFileError(problem, name)
    return mark + changed


def _changes(text: str, node: yaml.Node, value: Mapping[str, object]) -> Iterator[_Change]:
    """Yield the changes that give a mapping with a key a line other and more values."""
    for key, item in node.value:
        new, old = value[key.value], _plain(item)
        is_block = isinstance(item, yaml.CollectionNode) and not item.flow_style
        colon, after = text.index(":", key.end_mark.index) + 1, _line_after(text, item)
        if new == old:
            continue
        if is_block and isinstance(new, Mapping) and isinstance(old, dict) and {*old} <= {*new}:
            yield from _changes(text, item, new)
        elif is_block and isinstance(new, list) and isinstance(old, list) and new:
            same = takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False))
            kept = len([*same])
            start = _line_after(text, item.value[kept - 1]) if kept else _line_start(text, item)
            yield start, after, _lines(text, start, new[kept:], item.start_mark.column)
        else:
            in_line = "" if isinstance(new, list) and new else f" {dump_in_line(new)}"
            yield colon, colon if is_block else max(colon, _end(item)), in_line
            if is_block:
                yield _line_start(text, item), after, ""
            if not in_line:
                yield after, after, _lines(text, after, new, key.start_mark.column)
    known = {key.value for key, _ in node.value}
    if added := {key: item for key, item in value.items() if key not in known}:
        after = _line_after(text, node)
        yield after, after, _lines(text, after, added, node.start_mark.column)


def _lines(text: str, place: int, value: object, column: int) -> str:
    """Return nested text as lines that begin in a column, for insertion at a place of a text."""
    if not value:
        return ""
    line_break = "\r\n" if "\r\n" in text else "\n"
    assert isinstance(value, Mapping | list)
    lines = [" " * column + line + line_break for line in dump(value).splitlines()]
    first_break = "" if text[:place].endswith("\n") else line_break
    return first_break + "".join(lines)


def _line_start(text: str, node: yaml.Node) -> int:
    return text.rfind("\n", 0, node.start_mark.index) + 1


def _line_after(text: str, node: yaml.Node) -> int:
    end = _end(node)
    return end if text[:end].endswith("\n") else text.find("\n", end) + 1 or len(text)


def _end(node: yaml.Node) -> int:
    if not isinstance(node, yaml.CollectionNode) or node.flow_style or not node.value:
        return int(node.end_mark.index)
    last = node.value[-1]
    return _end(last[1] if isinstance(last, tuple) else last)


def _plain(node: yaml.Node) -> object:
    if isinstance(node, yaml.ScalarNode):
        return node.value
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item) for item in node.value]
    return {key.value: _plain(item) for key, item in node.value}
