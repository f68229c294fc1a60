"""Texts of game files: a history as the keys `facts` and `turns`, and a text edited to hold them.

`edited` changes a text in place: comments and order stay, but for what is changed.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from textwrap import indent
from typing import Any

import yaml

from puzzlehunt.errors import GameFileError, PuzzlehuntError
from puzzlehunt.game.blocks import read_row
from puzzlehunt.game.files.document import LOADER, dump, read_document
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import FACT, History, Turn
from puzzlehunt.game.turn_notation import format_row


def history_keys(game: Game, history: History) -> dict[str, list[str]]:
    """Return a history as the keys `facts` and `turns` of a game file.

    Facts that became known after the first turn are listed among the turns, as `/fact ...`.
    """
    facts: list[str] = []
    rows: list[str] = []
    for item in history:
        if isinstance(item, Turn):
            rows.append(format_row(game, item))
        elif rows:
            rows.append(FACT + item.text)
        else:
            facts.append(item.text)
    return {"facts": facts, "turns": rows}


def reading_trouble(game: Game, turn: Turn) -> str:
    """Return why a turn would be read differently from a file, "" if it would be read the same."""
    line = format_row(game, turn)
    try:
        same = read_row(game, line) == turn
    except PuzzlehuntError as error:
        return str(error)
    return "" if same else f"{line} would mean that the guess won"


# Editing.


def edited(text: str, value: Mapping[str, Any], name: str) -> str:
    """Return the text of a game file, edited to have the content `value`.

    `value` has all keys of the file. A key whose value changes is written anew, without comments
    in it; all else stays. Raises GameFileError, about `name`, if the text cannot be edited.
    """
    old, node = read_document(text, name, Path()).value, yaml.compose(text, Loader=LOADER)
    assert isinstance(node, yaml.MappingNode)
    # YAML counts places without a byte order mark.
    mark, changed = text[:1] * text.startswith("\ufeff"), text.removeprefix("\ufeff")
    for start, end, new in reversed([*_changes(changed, node, old, value)]):
        written = new.replace("\n", "\r\n") if "\r\n" in text else new
        changed = changed[:start] + written + changed[end:]
    with suppress(GameFileError):
        if read_document(changed, name, Path()).value == value:
            return mark + changed
    problem = "the rows played cannot be written here; write each key on a line of its own"
    raise GameFileError(problem, name)


def _changes(
    text: str, node: yaml.MappingNode, old: Mapping[str, Any], new: Mapping[str, Any]
) -> Iterator[tuple[int, int, str]]:
    """Yield the pieces to replace in a text, in order: begin, end, and what comes there."""
    if node.flow_style:
        yield node.start_mark.index, node.end_mark.index, dump(new).rstrip("\n")
        return
    margin, end = " " * node.start_mark.column, node.start_mark.index
    for key, item in node.value:
        end, value = max(text.index(":", key.end_mark.index) + 1, _end(text, item)), new[key.value]
        if value == old[key.value]:
            continue
        is_block = isinstance(item, yaml.CollectionNode) and not item.flow_style
        if is_block and isinstance(value, dict) and {*old[key.value]} <= {*value}:
            yield from _changes(text, item, old[key.value], value)
            continue
        if is_block:
            end = _line_end(text, end)
        written = dump({key.value: value}, flow=None if isinstance(value, dict) else False)
        yield key.start_mark.index, end, indent(written, margin).strip()
    if added := {key: value for key, value in new.items() if key not in old}:
        end = _line_end(text, end)
        yield end, end, "\n" + indent(dump(added), margin).rstrip()


def _line_end(text: str, place: int) -> int:
    return place + len(text[place:].partition("\n")[0].rstrip("\r"))


def _end(text: str, node: yaml.Node) -> int:
    """Return the place behind the last value of a node, without blanks and comments."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _end(text, last[1] if isinstance(last, tuple) else last)
    return len(text[: node.end_mark.index].rstrip())
