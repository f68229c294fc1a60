"""YAML as nested text, with the file and line of each value, which errors name.

Scalars are read as written, never through YAML's own types. No other file knows YAML.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from puzzlehunt.codes.files import read_bytes
from puzzlehunt.errors import GameFileError

TOO_DEEP = "nested too deeply"
"""What is wrong with a text of more levels than a game file, or YAML's own parser, takes."""
_OPENING = "{["
"""Signs that begin a list or mapping on one line."""
_AFTER_A_LIST = ("expected ','", "expected '-'", "expected key", "block end")
"""What YAML expects where a list has ended, and does not find."""
_QUOTES = "put a text that holds such a sign between quotes"
KeyPath: TypeAlias = tuple[str | int, ...]
"""Where a value stands in a document: keys and list indices from the top, `("turns", 0)`."""
Origin: TypeAlias = tuple[str, int]
"""The file and line (from 1) that a value comes from, or the option that set it and 0."""

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MOST_LEVELS = 12
"""Most levels of lists and mappings (a game has 4); YAML's parser recurses into each level."""
_MOST_BYTES = 16_000_000
"""Largest game file (bytes), since a file is read into memory whole."""
_MOST_VALUES = 100_000
"""Most keys and values of a game file; more take seconds to read, and gigabytes."""
_LONGEST_VALUE = 100_000
"""Most characters of a key or a value, which may have to be shown."""
_OWN_TAGS = "tag:yaml.org,2002:"
"""What YAML makes of `!!` before a text."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Control characters, which no value may hold; tabs and line breaks are none."""


@dataclass
class Document:
    """A game file as nested text, lists and dicts.

    `origins` says where each value comes from. `folders` says for each file or option that is named
    in an origin from which folder the relative paths in it count.
    """

    value: dict[str, Any]
    origins: dict[KeyPath, Origin] = field(default_factory=dict)
    folders: dict[str, Path] = field(default_factory=dict)

    def error(self, path: KeyPath, problem: str) -> GameFileError:
        """Return the error about a value, with its file, line and key."""
        file, line = self._origin(path)
        where = f"{file}:{line}" if line else file
        key = _dotted_key(path)
        return GameFileError(f"{key}: {problem}" if key else problem, where)

    def is_given_by(self, option: str, path: KeyPath) -> bool:
        """Return whether a value was given by an option, such as `--strategy`."""
        return self.is_option(path) and self._origin(path)[0].startswith(f"{option} ")

    def is_option(self, path: KeyPath) -> bool:
        """Return whether a value was given as an option and not in a file."""
        return not self._origin(path)[1]

    def _origin(self, path: KeyPath) -> Origin:
        """Return the origin of a value, or of the nearest mapping or list around it."""
        while path and path not in self.origins:
            path = path[:-1]
        return self.origins.get(path, ("game", 0))

    def folder(self, path: KeyPath) -> Path:
        """Return the folder from which relative paths in a value count."""
        while path and path not in self.origins:
            path = path[:-1]
        return self.folders.get(self.origins.get(path, ("", 0))[0], Path())

    def inherit(self, parent: "Document") -> "Document":
        """Return the document with this one's values, and a parent's where this one has none.

        Mappings are merged, except those of `_UNMERGED`; any other value replaces the parent's.
        """
        origins = dict(parent.origins)
        value = _merge(parent.value, self.value, (), origins)
        return Document(value, origins | self.origins, parent.folders | self.folders)


_UNMERGED = (("symbols",), ("lies",))
"""Mappings, by the ends of their key paths, that replace an inherited one: they are not merged."""


def _merge(inherited: Any, own: Any, path: KeyPath, origins: dict[KeyPath, Origin]) -> Any:
    """Return a document's `own` value merged with the `inherited` one.

    The origins of inherited values that are replaced are deleted from `origins`.
    """
    if isinstance(inherited, dict) and isinstance(own, dict) and path[-1:] not in _UNMERGED:
        return inherited | {
            k: _merge(inherited.get(k), v, (*path, k), origins) for k, v in own.items()
        }
    for replaced in [p for p in origins if p[: len(path)] == path and path]:
        del origins[replaced]
    return own


def _dotted_key(path: KeyPath) -> str:
    return ".".join(str(part + 1) if isinstance(part, int) else part for part in path)


def read_document(text: str, name: str, folder: Path) -> Document:
    """Return the document of a YAML text. Raises GameFileError if it is not plain YAML.

    `name` is the text's file, for errors; relative paths in the text count from `folder`.
    """
    if "\0" in text:
        raise GameFileError("this is not a text file", name)
    try:
        _check_structure(text, name)
        node = yaml.compose(text, Loader=LOADER)
    except yaml.MarkedYAMLError as error:
        line = _error_line(error)
        where = f"{name}:{line}" if line else name
        raise GameFileError(_yaml_problem(error, text), where) from None
    except yaml.reader.ReaderError as error:
        line = text.encode()[: error.position].count(b"\n") + 1
        raise GameFileError("not YAML: a character that is no text", f"{name}:{line}") from None
    except (yaml.YAMLError, ValueError) as error:
        problem = " ".join(str(error).split())
        raise GameFileError(f"not YAML: {problem[:100]}", name) from None
    document = Document({}, {}, {name: folder})
    if node is None:
        raise GameFileError("the file is empty; a game needs at least `secret:`", f"{name}:1")
    value = _plain_value(node, (), document, name)
    if not isinstance(value, dict):
        raise GameFileError(
            "a game file has `key: value` lines, such as `title: My game`", f"{name}:1"
        )
    document.value = value
    return document


def _check_structure(text: str, name: str) -> None:
    """Raise GameFileError for aliases, for texts that YAML takes for tags, and for deep nesting.

    YAML's `compose` would recurse into deep nesting until the program ends.
    """
    depth = 0
    for number, event in enumerate(yaml.parse(text, Loader=LOADER)):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        where = f"{name}:{event.start_mark.line + 1}" if event.start_mark else name
        if isinstance(event, yaml.AliasEvent):
            problem = f"aliases (*{event.anchor}) are not used; write it out"
            raise GameFileError(problem, where)
        if text_lost := _lost_text(event):
            problem = f"{text_lost} means something else in YAML; put the text between quotes"
            raise GameFileError(problem, where)
        if number > _MOST_VALUES:
            problem = f"more than {_MOST_VALUES:,} keys and values; keep words in a word list"
            raise GameFileError(problem, where)
        if isinstance(event, yaml.ScalarEvent) and len(event.value) > _LONGEST_VALUE:
            raise GameFileError(f"a text of more than {_LONGEST_VALUE:,} characters", where)
        if depth > _MOST_LEVELS:
            raise GameFileError(TOO_DEEP, where)


def _lost_text(event: yaml.Event) -> str:
    """Return the `!text` before a value, or the `&text` before a text, that would be lost.

    "" where there is none.
    """
    if isinstance(event, yaml.ScalarEvent) and event.anchor:
        return f"&{event.anchor}"
    return str(getattr(event, "tag", None) or "").replace(_OWN_TAGS, "!!")


def _plain_value(node: yaml.Node, path: KeyPath, document: Document, name: str) -> Any:
    """Return a node as text, lists and dicts; add the origin of each value to the document."""
    document.origins[path] = (name, node.start_mark.line + 1)
    if isinstance(node, yaml.ScalarNode):
        if _CONTROL.search(node.value):
            raise document.error(path, "a control character stands in this text")
        return node.value
    if isinstance(node, yaml.SequenceNode):
        return [_plain_value(item, (*path, i), document, name) for i, item in enumerate(node.value)]
    plain: dict[str, Any] = {}
    for key, item in node.value:
        line = key.start_mark.line + 1
        if not isinstance(key, yaml.ScalarNode):
            raise GameFileError("a key must be a plain word", f"{name}:{line}")
        if _CONTROL.search(key.value):
            raise GameFileError("a control character stands in this key", f"{name}:{line}")
        if key.value in plain:
            document.origins[(*path, key.value)] = (name, line)
            raise document.error((*path, key.value), "this key stands twice")
        plain[key.value] = _plain_value(item, (*path, key.value), document, name)
        document.origins[(*path, key.value)] = (name, line)
    return plain


def read_file(path: Path) -> Document:
    """Return the document of a file. Raises GameFileError if it cannot be read."""
    return read_document(read_text(path), str(path), path.parent)


def read_text(path: Path) -> str:
    """Return the text of a file, with line breaks and a byte order mark as they are.

    Raises GameFileError.
    """
    try:
        return read_bytes(path, _MOST_BYTES).decode("utf-8")
    except OSError as error:
        raise GameFileError(f"cannot be read ({error.strerror})", str(path)) from None
    except UnicodeDecodeError:
        raise GameFileError("this is not a text file in UTF-8", str(path)) from None


def apply_settings(document: Document, settings: Sequence[str]) -> Document:
    """Return a document with values changed by `key=value` settings; keys may be dotted.

    Values are read as YAML. Raises GameFileError for a setting that cannot be read.
    """
    for setting in settings:
        key, equals, value = setting.partition("=")
        if key.strip() == "game":
            raise GameFileError("name the game as GAME instead", f"--set {setting}")
        if not equals or not key:
            raise GameFileError("expected key=value, as in secret.length=4", f"--set {setting}")
        changed = read_document(f"value: {value}", f"--set {setting}", Path())
        if len(changed.value) > 1:
            raise GameFileError("expected one line", f"--set {setting}")
        nested: Any = changed.value["value"]
        parts: KeyPath = tuple(key.strip().split("."))
        if len(parts) > _MOST_LEVELS:
            raise GameFileError(TOO_DEEP, f"--set {setting}")
        origins = {(*parts, *path[1:]): (f"--set {setting}", 0) for path in changed.origins if path}
        for part in reversed(parts):
            nested = {part: nested}
        folders = {f"--set {setting}": Path()}
        document = Document(nested, origins, folders).inherit(document)
    return document


def set_option(document: Document, option: str, path: KeyPath, value: str) -> Document:
    """Return a document with the value at `path` replaced; errors about it name the option."""
    nested: Any = value
    for part in reversed(path):
        nested = {part: nested}
    written = f"{option}{value}" if option.endswith("=") else f"{option} {value}"
    return Document(nested, {path: (written, 0)}, {written: Path()}).inherit(document)


def dump(value: Mapping[str, Any] | list[Any], compact: bool = False) -> str:
    """Return nested text, lists and dicts as YAML that `read_document` reads back.

    With `compact` the innermost lists and dicts stand on one line each.
    """
    return _dumped(value, None if compact else False)


def dump_in_line(value: Any) -> str:
    """Return a value as YAML on one line, as it may stand within `[...]` and `{...}`, too."""
    return _dumped([value], True).strip()[1:-1]


def _dumped(value: Any, flow_style: bool | None) -> str:
    # A width that no value reaches: each turn and fact stays on a line of its own.
    return yaml.safe_dump(
        dict(value) if isinstance(value, Mapping) else value,
        sort_keys=False,
        allow_unicode=True,
        width=10_000,
        default_flow_style=flow_style,
    )


# What keeps a text from being YAML, in words for somebody who wrote a game file.


def _error_line(error: yaml.MarkedYAMLError) -> int | None:
    """Return the number (from 1) of the line that an error is about, None where it names none."""
    mark = error.problem_mark or error.context_mark
    return mark.line + 1 if mark else None


def _yaml_problem(error: yaml.MarkedYAMLError, text: str) -> str:
    """Return what is wrong with a text that YAML refused, and what would be right."""
    number = _error_line(error)
    lines = [*text.split("\n"), ""]
    line = lines[min(number or 1, len(lines)) - 1]
    problem = error.problem or ""
    if "\t" in line and ("tab" in problem or "start any token" in problem):
        return "a tab stands where the line is indented; indent with blanks"
    if "start any token" in problem and error.problem_mark is not None:
        sign = line[error.problem_mark.column :][:1]
        return f"no text begins with {sign}; put it between quotes"
    if any(sign in problem for sign in _AFTER_A_LIST) and error.problem_mark is not None:
        before = line[: error.problem_mark.column].rstrip()
        if before.endswith(('"', "'")):
            return "a text goes on behind its closing quote; put all of it between quotes"
    if any(sign in problem for sign in _AFTER_A_LIST) and (quoted := _needs_quotes(line)):
        return f"a text with brackets needs quotes: {quoted}"
    if "expected ':'" in problem and error.context_mark is not None:
        line = lines[error.context_mark.line]
        return _stuck(line) or f"line {error.context_mark.line + 1} is no `key: value`"
    if "mapping values" in problem:
        return _colon(line, lines[max(0, (number or 1) - 2)])
    if "end of stream" in problem and error.context_mark is not None:
        return f"the quote that opens in line {error.context_mark.line + 1} is never closed"
    if "expected ',' or" in problem and error.context_mark is not None:
        return _unclosed(lines, error.context_mark)
    if "expected key" in problem or "block entry" in problem:
        return "this line is not indented like the lines that it belongs to"
    if "comment or line break" in problem:
        return f"> and | mean something else in YAML; {_QUOTES}"
    if "node content" in problem:
        return (
            "a value is missing, a bracket is not closed, or a sign such as # or ? begins a text; "
            f"{_QUOTES}"
        )
    if "alphabetic or numeric" in problem:
        return f"* and & mean something else in YAML; {_QUOTES}"
    if "not allowed in this context" in problem:
        return "a list with dashes begins on the line below its key"
    if "nesting depth" in problem:
        return TOO_DEEP
    if "another document" in problem:
        return "a second document begins here; a game file is one, without ---"
    return f"not YAML: {problem or error.context}"


_VALUE = re.compile(r"\s*(?:- +)?(?:[\w.]+: +)?(?P<value>.*?)\s*")
"""A line, with what stands in it behind a dash and a key."""
_BRACKETED = re.compile(r"""[^][{},"'#]*\[[^][{}"'#]*\][^][{},"'#]*""")
"""A text that holds brackets, between the commas of a list on one line."""
_STUCK = re.compile(r"\s*(?:- +)?(?P<key>\w+)(?::(?=[^\s:])|\uff1a\s*)(?P<value>.+)")
"""A key and its value with no blank between, or with a wide colon."""


def _needs_quotes(line: str) -> str:
    """Return a text of a line whose brackets YAML takes for a list's, in quotes; "" for none.

    `- [123]___` and `facts: [[AB]__, no C]` have such texts.
    """
    match = _VALUE.fullmatch(line)
    value = match["value"] if match else ""
    if not value.startswith("["):
        return ""
    inside = _BRACKETED.search(value, 1)
    text = inside[0] if inside else value
    is_list = text.endswith("]") and text is value
    return "" if is_list or '"' in text else f'"{text.strip()}"'


def _stuck(line: str) -> str:
    """Return what is wrong with a line whose key has no colon and blank behind it; "" for none."""
    stuck = _STUCK.fullmatch(line)
    if not stuck:
        return ""
    written = f"{stuck['key']}: {stuck['value']}"
    return f"a colon with a blank has to stand behind {stuck['key']}: write `{written}`"


def _colon(line: str, before: str) -> str:
    """Return what is wrong with a line that has a colon where no key can end.

    `before` is the line above it.
    """
    if stuck := _stuck(line) or _stuck(before):
        return stuck
    key, _, value = line.strip().partition(": ")
    if ": " in value or value.endswith(":"):
        return (
            f"a second colon stands after {key}: put a text with a colon between quotes, and a key "
            "on a line of its own"
        )
    return (
        "a key stands where none can; the line above lacks its colon, or this one is indented too "
        "far"
    )


def _unclosed(lines: list[str], opened: yaml.Mark) -> str:
    """Return what is wrong within a list or mapping on one line that was opened at a mark."""
    sign = lines[opened.line][opened.column :][:1]
    which = f"the {sign}" if sign in _OPENING else "the list or mapping"
    return (
        f"{which} of line {opened.line + 1} is not closed, or a comma is missing, or a text with "
        "brackets needs quotes"
    )
