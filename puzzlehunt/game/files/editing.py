"""Changes a game file's text in place: comments, order and quotes stay as they were written.

Only changed values are rewritten; the YAML parser gives the position of each value in the text.
"""

import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path

import yaml

from puzzlehunt.errors import GameFileError
from puzzlehunt.game.files.document import LOADER, dump, dump_in_line, read_document


def edited(text: str, value: Mapping[str, object], name: str) -> str:
    """Return the text of a game file, edited to have the content `value`.

    `value` has all keys of the file. A comment on the line of a removed item is removed with the
    item; everything else stays. `name` is the file's name in errors. Raises GameFileError if the
    text cannot be edited.
    """
    changes = _Changes(text)
    changed_text = text
    node = yaml.compose(text, Loader=LOADER)
    assert isinstance(node, yaml.MappingNode)
    assert {key.value for key, _ in node.value} <= value.keys()
    try:
        changes.make(node, value)
        changed_text = changes.applied()
        done = read_document(changed_text, name, Path()).value == value
    except (GameFileError, _LostCommentError):
        done = False
    if not done:
        raise GameFileError(
            "the rows played cannot be written without losing other text there; write each row on "
            "a line of its own below `turns:`",
            name,
        )
    return changed_text


class _LostCommentError(Exception):
    """A value could be replaced only together with comments inside it."""


class _Changes:
    """Collects what has to change in a text so that its values become others.

    Values are changed in place: on a line of their own, or, if the argument `in_line` is true,
    within `[...]` or `{...}`.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._changes: list[tuple[int, int, str]] = []
        """Pieces of the text, from one place up to another, each with its new text."""

    def applied(self) -> str:
        """Return the text with all changes made."""
        pieces, done = [], 0
        for start, end, new in sorted(self._changes, key=lambda change: change[:2]):
            pieces += [self._text[done:start], new]
            done = end
        return "".join([*pieces, self._text[done:]])

    def make(
        self, node: yaml.Node, new: object, key: yaml.Node | None = None, *, in_line: bool = False
    ) -> None:
        """Change the value of a node, whose key is `key`, to `new`."""
        old = _plain(node)
        if old == new:
            return
        within = in_line or bool(getattr(node, "flow_style", False))
        if isinstance(new, Mapping) and isinstance(old, dict) and old and old.keys() <= new.keys():
            self._change_mapping(node, new, in_line=within)
        elif not (isinstance(new, list) and isinstance(old, list) and old):
            self._replace(node, new, key, in_line=in_line)
        elif not within:
            self._change_lines(node, old, new, key)
        elif new[: len(old)] == old:
            added = "".join(f", {dump_in_line(item)}" for item in new[len(old) :])
            self._insert(_end(node.value[-1]), added)
        else:
            self._replace(node, new, key, in_line=True)

    def _change_mapping(self, node: yaml.Node, new: Mapping[str, object], *, in_line: bool) -> None:
        for key, item in node.value:
            self.make(item, new[key.value], key, in_line=in_line)
        old_keys = {key.value for key, _ in node.value}
        added = {key: item for key, item in new.items() if key not in old_keys}
        last_value = node.value[-1][1]
        if in_line and added:
            self._insert(_end(last_value), f", {dump_in_line(added)[1:-1]}")
        elif added:
            column = node.start_mark.column
            # Comments that are indented further belong to the last value.
            comments = re.compile(rf"( {{{column + 1},}}#.*\n)*")
            place = comments.match(self._text, self._line_after(last_value))
            assert place is not None
            self._insert_lines(place.end(), added, column)

    def _change_lines(
        self, node: yaml.Node, old: list[object], new: list[object], key: yaml.Node | None
    ) -> None:
        """Change a list with an item a line; an item whose first word stays keeps its comment."""
        items, column = node.value, node.start_mark.column
        if not new and key is not None:
            self._insert(self._after_colon(key), " []")
        matcher = SequenceMatcher(None, _first_words(old), _first_words(new), autojunk=False)
        for tag, i, i_end, j, j_end in matcher.get_opcodes():
            if tag == "equal":
                for item, counterpart in zip(items[i:i_end], new[j:j_end], strict=True):
                    self.make(item, counterpart)
                continue
            for item in items[i:i_end]:
                self._changes.append((self._line_start(item), self._line_after(item), ""))
            place = self._line_after(items[i_end - 1]) if i_end else self._line_start(items[0])
            self._insert_lines(place, new[j:j_end], column)

    def _replace(
        self, node: yaml.Node, new: object, key: yaml.Node | None, *, in_line: bool
    ) -> None:
        """Replace the whole value of a node; a list without a line of its own gets one an item."""
        start, end = node.start_mark.index, _end(node)
        old_text = self._text[start:end]
        if not isinstance(node, yaml.ScalarNode) and "\n" in old_text and "#" in old_text:
            raise _LostCommentError
        if key is not None and not in_line and isinstance(new, list) and new:
            self._changes.append((self._after_colon(key), end, ""))
            self._insert_lines(self._line_after(node), new, key.start_mark.column)
            return
        line_break = "\n" if old_text.endswith("\n") else ""
        if old_text or key is None:
            self._changes.append((start, end, dump_in_line(new) + line_break))
        else:
            self._insert(self._after_colon(key), f" {dump_in_line(new)}")

    def _insert(self, place: int, text: str) -> None:
        self._changes.append((place, place, text))

    def _insert_lines(
        self, place: int, value: Mapping[str, object] | list[object], column: int
    ) -> None:
        if not value:
            return
        line_break = "\r\n" if "\r\n" in self._text else "\n"
        lines = [" " * column + line + line_break for line in dump(value).splitlines()]
        first_break = "" if self._text[:place].endswith("\n") else line_break
        self._insert(place, first_break + "".join(lines))

    def _after_colon(self, key: yaml.Node) -> int:
        return self._text.index(":", key.end_mark.index) + 1

    def _line_start(self, node: yaml.Node) -> int:
        return self._text.rfind("\n", 0, node.start_mark.index) + 1

    def _line_after(self, node: yaml.Node) -> int:
        end = _end(node)
        if self._text[:end].endswith("\n"):
            return end
        return self._text.find("\n", end) + 1 or len(self._text)


def _first_words(items: Sequence[object]) -> list[str]:
    return ["".join(str(item).split()[:1]) for item in items]


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
