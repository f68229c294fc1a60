"""YAML as nested text, with the file and line of each value, which errors name.

Scalars are read literally, never through YAML's own types. No other file uses YAML.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from puzzlehunt.codes.files import read_bytes
from puzzlehunt.errors import GameFileError
from puzzlehunt.rules.column_kinds import KINDS, as_options

TOO_DEEP = "nested too deeply"
KeyPath: TypeAlias = tuple[str | int, ...]
"""The position of a value in a document: keys and list indices from the top, `("turns", 0)`."""
Origin: TypeAlias = tuple[str, int]
"""The file and the line (from 1) of a value; or the option that set the value, and 0."""

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MOST_LEVELS = 12
"""Greatest depth of lists and mappings (a game has 4); YAML's parser recurses into each level."""
_MOST_BYTES = 16_000_000
"""Largest game file (bytes), since a file is read into memory whole."""
_MOST_VALUES = 100_000
"""A game file has at most this many keys and values; more take seconds to read, and gigabytes."""
_LONGEST_VALUE = 100_000
"""Greatest length of a key or a value (characters), which may have to be shown."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Control characters, which no value may hold; tabs and line breaks are allowed."""
_CURLY = tuple("\u201c\u201d\u201e\u201f\u00ab\u2018\u201a")
"""Quotes as word processors and phones write them, which YAML reads as letters."""
_FOR_PEOPLE = (("title",), ("about",), ("source",), ("turns",), ("value",))
"""Keys whose texts may begin with such a quote; `value` is that of a setting."""
_YAML = "write `key: value`, indent with blanks, put texts with signs between quotes"


@dataclass
class Document:
    """A game file as nested text, lists and dicts.

    `origins` maps the path of each value to the file or option that the value comes from. `folders`
    maps each of these files and options to the folder where its relative paths start.
    """

    value: dict[str, Any]
    origins: dict[KeyPath, Origin] = field(default_factory=dict)
    folders: dict[str, Path] = field(default_factory=dict)

    def error(self, path: KeyPath, problem: str) -> GameFileError:
        """Return an error about the value at `path`, with its file, line and key."""
        file, line = self._origin(path)
        where = f"{file}:{line}" if line else file
        key = ".".join(str(part + 1) if isinstance(part, int) else part for part in path)
        return GameFileError(f"{key}: {problem}" if key else problem, where)

    @contextmanager
    def blaming(self, path: KeyPath, *kinds: type[Exception]) -> Iterator[None]:
        """Convert errors of the given classes to errors about the value at `path`."""
        try:
            yield
        except kinds as error:
            raise self.error(path, str(error)) from None

    def is_option(self, path: KeyPath, option: str = "") -> bool:
        """Return whether the value at `path` comes from an option, such as `--strategy`."""
        where, line = self._origin(path)
        return not line and (not option or where.startswith(f"{option} "))

    def _origin(self, path: KeyPath) -> Origin:
        while path and path not in self.origins:
            path = path[:-1]
        return self.origins.get(path, ("game", 0))

    def folder(self, path: KeyPath) -> Path:
        """Return the folder where relative paths in the value at `path` start."""
        return self.folders.get(self._origin(path)[0], Path())

    def without_rows(self) -> "Document":
        """Return the document without its facts and turns."""
        rowless = {key: v for key, v in self.value.items() if key not in ("facts", "turns")}
        return replace(self, value=rowless)

    def inherit(self, parent: "Document") -> "Document":
        """Return the document with a parent's values for keys that this one does not have.

        Mappings are merged, except those of `_UNMERGED`; any other value replaces the parent's. A
        `secret.language` replaces the parent's words, too, and any key of `secret` its opening.
        """
        origins, inherited = dict(parent.origins), dict(parent.value)
        secret = _section(self.value, "secret")
        lost = dict(_OF_WORDS) if "language" in secret else {}
        if secret and not parent.is_option(("play", "opening")):
            lost["play"] = ("opening",)
        for section in lost.keys() & inherited.keys():
            values = _section(inherited, section)
            inherited[section] = {k: v for k, v in values.items() if k not in lost[section]}
        value = _merged(inherited, self.value, (), origins)
        return Document(value, origins | self.origins, parent.folders | self.folders)


_UNMERGED = ("symbols", "lies", "columns")
"""Keys of mappings that replace an inherited one: they are not merged.

Columns with options and without kinds are: they change inherited columns.
"""
_OF_WORDS = {"secret": ("words", "alphabet", "symbols"), "guess": ("words",)}
"""Keys of a game that mean nothing in another language, by section."""


def _section(value: dict[str, object], name: str) -> dict[str, object]:
    """Return the keys of a section of a document; none where it is no mapping."""
    section = value.get(name)
    return section if isinstance(section, dict) else {}


def _merged(
    inherited: dict[str, object],
    own: dict[str, object],
    path: KeyPath,
    origins: dict[KeyPath, Origin],
) -> dict[str, object]:
    merged = dict(inherited)
    for key, value in own.items():
        below, old = (*path, key), inherited.get(key)
        if below == ("rule",):
            old, value = _rules(old, value)
        is_merged = key not in _UNMERGED
        if key == "columns" and isinstance(old, dict) and _are_options(value, old):
            is_merged, old = True, {title: as_options(kind) for title, kind in old.items()}
        if isinstance(old, dict) and isinstance(value, dict) and is_merged:
            merged[key] = _merged(old, value, below, origins)
            continue
        merged[key] = value
        for replaced in [each for each in origins if each[: len(below)] == below]:
            del origins[replaced]
    return merged


def _are_options(columns: object, inherited: Collection[str]) -> bool:
    """Return whether columns are options of inherited ones alone, without kinds of their own."""
    return isinstance(columns, dict) and all(
        title in inherited and isinstance(options, dict) and not {*options} & {*KINDS}
        for title, options in columns.items()
    )


def _rules(inherited: object, own: object) -> tuple[object, object]:
    """Return both as mappings if they are one rule, written once as its name alone."""
    if isinstance(inherited, str) and isinstance(own, dict) and "name" not in own:
        inherited = {"name": inherited}
    elif isinstance(own, str) and isinstance(inherited, dict) and inherited.get("name", own) == own:
        own = {"name": own}
    return inherited, own


def read_document(text: str, name: str, folder: Path) -> Document:
    """Return the document of a YAML text. Raises GameFileError if it is not plain YAML.

    `name` is the file's name in errors; `folder` is where relative paths in the text start.
    """
    if "\0" in text:
        raise GameFileError("this is not a text file", name)
    try:
        _check_structure(text, name)
        node = yaml.compose(text, Loader=LOADER)
    except yaml.MarkedYAMLError as error:
        mark, begun = error.problem_mark or error.context_mark, error.context_mark
        context = f"{error.context} in line {begun.line + 1}, " if begun else ""
        where = f"{name}:{mark.line + 1}" if mark else name
        raise GameFileError(f"not YAML: {context}{error.problem}; {_YAML}", where) from None
    except yaml.reader.ReaderError as error:
        line = text.encode()[: error.position].count(b"\n") + 1
        raise GameFileError("not YAML: a character that is not text", f"{name}:{line}") from None
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
    """Raise GameFileError for aliases, tags, deep nesting, and too many or long values."""
    depth = 0
    for number, event in enumerate(yaml.parse(text, Loader=LOADER)):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if getattr(event, "anchor", None) or getattr(event, "tag", None):
            problem = "a text that begins with &, * or ! needs quotes"
        elif number > _MOST_VALUES:
            problem = f"more than {_MOST_VALUES:,} keys and values; keep words in a word list"
        elif isinstance(event, yaml.ScalarEvent) and len(event.value) > _LONGEST_VALUE:
            problem = f"a text of more than {_LONGEST_VALUE:,} characters"
        elif depth > _MOST_LEVELS:
            problem = TOO_DEEP
        else:
            continue
        where = f"{name}:{event.start_mark.line + 1}" if event.start_mark else name
        raise GameFileError(problem, where)


def _plain_value(node: yaml.Node, path: KeyPath, document: Document, name: str) -> object:
    document.origins[path] = (name, node.start_mark.line + 1)
    if isinstance(node, yaml.ScalarNode):
        return _text(node, path, document)
    if isinstance(node, yaml.SequenceNode):
        return [_plain_value(item, (*path, i), document, name) for i, item in enumerate(node.value)]
    plain: dict[str, object] = {}
    for key, item in node.value:
        document.origins[path] = origin = (name, key.start_mark.line + 1)
        if not isinstance(key, yaml.ScalarNode):
            raise document.error(path, "a key must be a plain word")
        below = (*path, _text(key, path, document))
        if key.value in plain:
            document.origins[below] = origin
            raise document.error(below, "this key occurs twice")
        plain[key.value] = _plain_value(item, below, document, name)
        document.origins[below] = origin
    document.origins[path] = (name, node.start_mark.line + 1)
    return plain


def _text(node: yaml.ScalarNode, path: KeyPath, document: Document) -> str:
    text = str(node.value)
    if _CONTROL.search(text):
        raise document.error(path, "there is a control character in this text")
    if not node.style and text[1:] and text[0] in _CURLY and path[:1] not in _FOR_PEOPLE:
        raise document.error(path, f'{text:.60} has curly quotes, which YAML does not know; use "')
    return text


def read_file(path: Path) -> Document:
    """Return the document of a file. Raises GameFileError if it cannot be read."""
    return read_document(read_text(path), str(path), path.parent)


def read_text(path: Path) -> str:
    """Return the text of a file, with its line breaks and byte order mark. Raises GameFileError."""
    try:
        return read_bytes(path, _MOST_BYTES).decode("utf-8")
    except OSError as error:
        raise GameFileError(f"cannot be read ({error.strerror})", str(path)) from None
    except UnicodeDecodeError:
        raise GameFileError("this is not a text file in UTF-8", str(path)) from None


def apply_settings(document: Document, settings: Sequence[str]) -> Document:
    """Return a document changed by settings `key=value`.

    A value that begins with a bracket or a quote, and is more than that, is YAML; any other is the
    text itself, whatever its signs mean in YAML. Raises GameFileError for one that is no setting.
    """
    for setting in settings:
        key, equals, value = setting.partition("=")
        option, parts = f"--set {setting}", tuple(key.strip().split("."))
        written = value.strip()
        if parts == ("game",):
            raise GameFileError("name the game as GAME instead", option)
        if not (equals and key) or "\n" in written or len(parts) > _MOST_LEVELS:
            raise GameFileError("expected key=value on a line, as in secret.length=4", option)
        if len(written) < 2 or written[0] not in "[{'\"":
            written = dump_in_line(written)
        try:
            changed = read_document(f"value: {written}", option, Path())
        except GameFileError as error:
            raise GameFileError(error.problem, option) from None
        places = [(*parts, *path[1:]) for path in changed.origins if path]
        document = _changed(document, parts, changed.value["value"], option, places)
    return document


def written_settings(settings: Mapping[str, object]) -> list[str]:
    """Return settings as `key=value`. Raises TypeError for a value that no file can have."""
    return [f"{key}={dump_in_line(_as_written(key, value))}" for key, value in settings.items()]


def _as_written(key: str, value: object) -> Any:
    match value:
        case bool():
            return "true" if value else "false"
        case str() | int() | float() | Path():
            return str(value)
        case Mapping():
            return {str(below): _as_written(key, each) for below, each in value.items()}
        case list() | tuple():
            return [_as_written(key, each) for each in value]
    raise TypeError(
        f"setting {key}: expected a text, a number, a list or a dict, not {value!r:.40}"
    )


def set_option(document: Document, option: str, path: KeyPath, value: str) -> Document:
    """Return a document with the value at `path` replaced; errors about the value name `option`."""
    written = f"{option}{value}" if option.endswith("=") else f"{option} {value}"
    return _changed(document, path, value, written, [path])


def _changed(
    document: Document, path: KeyPath, value: object, option: str, places: Iterable[KeyPath]
) -> Document:
    for part in reversed(path[1:]):
        value = {part: value}
    origins = dict.fromkeys(places, (option, 0))
    return Document({str(path[0]): value}, origins, {option: Path()}).inherit(document)


def dump(value: Mapping[str, object] | list[object], compact: bool = False) -> str:
    """Return nested text as YAML.

    If `compact` is True, each innermost list or dict is on one line.
    """
    return _dumped(value, None if compact else False)


def dump_in_line(value: object) -> str:
    """Return a value as YAML on one line, also valid inside `[...]` and `{...}`."""
    return _dumped([value], True).strip()[1:-1]


def _dumped(value: object, flow_style: bool | None) -> str:
    # A width that no value reaches: each turn and fact stays on a line of its own.
    return yaml.safe_dump(
        dict(value) if isinstance(value, Mapping) else value,
        sort_keys=False,
        allow_unicode=True,
        width=10_000,
        default_flow_style=flow_style,
    )
