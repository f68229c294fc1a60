"""Changes a game file's text in place: comments, order and quotes stay, but for changed rows.

Only changed values are rewritten; the YAML parser gives the position of each value in the text.
"""

from collections.abc import Iterator, Mapping
from itertools import takewhile
from pathlib import Path
from typing import TypeAlias

import yaml

from puzzlehunt.errors import GameFileError
from puzzlehunt.game.files.document import LOADER, dump, dump_in_line, read_document

_Change: TypeAlias = tuple[int, int, str]
"""A piece of a text, from one place up to another, and its new text."""


def edited(text: str, value: Mapping[str, object], name: str) -> str:
    """Return the text of a game file, edited to have the content `value`.

    `value` has all keys of the file. Rows up to the first changed one keep their comments; those
    below it are written anew. `name` is the file's name in errors. Raises GameFileError if the text
    cannot be edited.
    """
    node = yaml.compose(text, Loader=LOADER)
    assert isinstance(node, yaml.MappingNode)
    if node.flow_style:
        return dump(value)
    changed = text
    for start, end, new in sorted(_changes(text, node, value), reverse=True):
        changed = changed[:start] + new + changed[end:]
    try:
        is_done = read_document(changed, name, Path()).value == value
    except GameFileError:
        is_done = False
    if not is_done:
        problem = "the rows played cannot be written here; write each key on a line of its own"
        raise GameFileError(problem, name)
    return changed


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
