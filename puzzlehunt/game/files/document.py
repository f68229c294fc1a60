"""YAML as nested text, with the file and line of each value, which errors name.

Scalars are read literally, never through YAML's own types.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from puzzlehunt.codes.files import read_bytes
from puzzlehunt.errors import GameFileError

KeyPath: TypeAlias = tuple[str | int, ...]
"""The position of a value in a document: keys and list indices from the top, `("turns", 0)`."""
Origin: TypeAlias = tuple[str, int]
"""The file and the line (from 1) of a value; or the option that set the value, and 0."""

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MOST_LEVELS = 12
"""Greatest depth of lists and mappings; a game has 4."""
_MOST_BYTES = 16_000_000
"""Largest game file (bytes), since a file is read into memory whole."""
_MOST_VALUES = 100_000
"""A game file has at most this many values; more take seconds to read, and gigabytes."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Control characters, which no value may hold; tabs and line breaks are allowed."""
_CURLY = tuple("\u201c\u201d\u201e\u201f\u00ab\u2018\u201a")
"""Quotes as word processors and phones write them, which YAML reads as letters."""
_FOR_PEOPLE = (("title",), ("about",), ("source",), ("turns",), ("value",))
"""Keys whose texts may begin with such a quote; `value` is that of a setting."""
_UNMERGED = ("symbols", "lies", "columns")
"""Keys of mappings that replace an inherited one: they are not merged."""
_OF_WORDS = {"secret": ("words", "alphabet", "symbols"), "guess": ("words",)}
"""Keys of a game that mean nothing in another language, by section."""


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
        inherited, secret = dict(parent.value), self.value.get("secret")
        lost: dict[str, tuple[str, ...]] = {}
        if isinstance(secret, dict) and "language" in secret:
            lost |= _OF_WORDS
        if secret and not parent.is_option(("play", "opening")):
            lost["play"] = ("opening",)
        for section, keys in lost.items():
            if isinstance(values := inherited.get(section), dict):
                inherited[section] = {k: v for k, v in values.items() if k not in keys}
        value = _merged(inherited, self.value)
        return Document(value, parent.origins | self.origins, parent.folders | self.folders)


def _merged(inherited: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Return nested text with the values of another where it has none itself."""
    merged = inherited | own
    for key in inherited.keys() & own.keys() - {*_UNMERGED}:
        old, new = inherited[key], own[key]
        if key == "rule":  # which may be written once as its name alone
            if isinstance(old, str) and isinstance(new, dict) and "name" not in new:
                old = {"name": old}
            if isinstance(old, dict) and isinstance(new, str) and old.get("name", new) == new:
                new = {"name": new}
        if isinstance(old, dict) and isinstance(new, dict):
            merged[key] = _merged(old, new)
    return merged


# Reading.


def read_document(text: str, name: str, folder: Path) -> Document:
    """Return the document of a YAML text. Raises GameFileError if it is not plain YAML.

    `name` is the file's name in errors; `folder` is where relative paths in the text start.
    """
    if "\0" in text:
        raise GameFileError("this is not a text file", name)
    try:
        return _Reader(text, name, folder).read()
    except yaml.MarkedYAMLError as error:
        mark, begun = error.problem_mark or error.context_mark, error.context_mark
        context = f"{error.context} in line {begun.line + 1}, " if begun else ""
        line, problem = mark.line + 1 if mark else 1, f"{context}{error.problem}"
    except (yaml.reader.ReaderError, UnicodeError) as error:
        before = text.encode(errors="replace")[: getattr(error, "position", 0)]
        line, problem = before.count(b"\n") + 1, "a character that is not text"
    hint = "write `key: value`, indent with blanks, put texts with signs between quotes"
    raise GameFileError(f"not YAML: {problem}; {hint}", f"{name}:{line}")


class _Reader:
    """Makes a document from YAML's events, one after the other."""

    def __init__(self, text: str, name: str, folder: Path) -> None:
        self.document = Document({}, {}, {name: folder})
        self.name = name
        self.events = yaml.parse(text, Loader=LOADER)

    def read(self) -> Document:
        """Return the document. Raises GameFileError and yaml.YAMLError."""
        next(self.events)  # the stream begins
        if isinstance(next(self.events), yaml.StreamEndEvent):
            problem = "the file is empty; a game needs at least `secret:`"
            raise GameFileError(problem, f"{self.name}:1")
        begin = next(self.events)
        value = self._value(begin, ())
        next(self.events)  # the document ends
        if not isinstance(after := next(self.events), yaml.StreamEndEvent):
            raise self._error(after, (), "a second document begins; a game file is one")
        if not isinstance(value, dict):
            problem = "a game file has `key: value` lines, such as `title: My game`"
            raise self._error(begin, (), problem)
        self._mark(begin, ())
        self.document.value = value
        return self.document

    def _mark(self, event: yaml.Event, path: KeyPath) -> None:
        """Note that the value at `path` stands where an event is."""
        assert event.start_mark is not None
        self.document.origins[path] = self.name, event.start_mark.line + 1

    def _error(self, event: yaml.Event, path: KeyPath, problem: str) -> GameFileError:
        self._mark(event, path)
        return self.document.error(path, problem)

    def _value(self, event: yaml.Event, path: KeyPath) -> object:
        """Return the value that begins with an event."""
        if len(self.document.origins) > _MOST_VALUES:
            problem = f"more than {_MOST_VALUES:,} values; keep words in a word list"
            raise self._error(event, (), problem)
        if len(path) > _MOST_LEVELS:
            raise self._error(event, (), "nested too deeply")
        text = self._text(event, path)
        if isinstance(event, yaml.ScalarEvent):
            return text
        if isinstance(event, yaml.SequenceStartEvent):
            items: list[object] = []
            while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
                below = (*path, len(items))
                items.append(self._value(event, below))
                self._mark(event, below)
            return items
        plain: dict[str, object] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            if not isinstance(event, yaml.ScalarEvent):
                raise self._error(event, path, "a key must be a plain word")
            key = self._text(event, path)
            below = (*path, key)
            if key in plain:
                raise self._error(event, below, "this key occurs twice")
            plain[key] = self._value(next(self.events), below)
            self._mark(event, below)
        return plain

    def _text(self, event: yaml.Event, path: KeyPath) -> str:
        """Return the text of a scalar, a key in the mapping at `path` or the value there."""
        text = str(getattr(event, "value", ""))
        is_plain = text[1:] and not getattr(event, "style", "") and path[:1] not in _FOR_PEOPLE
        if getattr(event, "anchor", None) or getattr(event, "tag", None):
            raise self._error(event, path, "a text that begins with &, * or ! needs quotes")
        if _CONTROL.search(text):
            raise self._error(event, path, "there is a control character in this text")
        if is_plain and text[0] in _CURLY:
            problem = f'{text:.60} has curly quotes, which YAML does not know; use "'
            raise self._error(event, path, problem)
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
        origins = {(*parts, *path[1:]): (option, 0) for path in changed.origins if path}
        document = _changed(document, parts, changed.value["value"], origins)
    return document


def written_settings(settings: Mapping[str, object]) -> list[str]:
    """Return settings as `key=value`. Raises TypeError for a value that no file can have."""
    try:
        return [
            f"{key}={dump_in_line(str(value) if isinstance(value, Path | float) else value)}"
            for key, value in settings.items()
        ]
    except yaml.representer.RepresenterError as error:
        raise TypeError(
            f"settings are texts, numbers, lists or dicts, not {error.args[1]}"
        ) from None


def set_option(document: Document, option: str, path: KeyPath, value: str) -> Document:
    """Return a document with the value at `path` replaced; errors about the value name `option`."""
    written = f"{option}{value}" if option.endswith("=") else f"{option} {value}"
    return _changed(document, path, value, {path: (written, 0)})


def _changed(
    document: Document, path: KeyPath, value: object, origins: dict[KeyPath, Origin]
) -> Document:
    for part in reversed(path[1:]):
        value = {part: value}
    folders = {option: Path() for option, _ in origins.values()}
    return Document({str(path[0]): value}, origins, folders).inherit(document)


# Writing.


def dump(value: object, flow: bool | None = False) -> str:
    """Return nested text as YAML.

    If `flow` is None, each innermost list or dict is on one line; if it is True, the whole.
    """
    # A width that no value reaches: each turn and fact stays on a line of its own.
    return yaml.safe_dump(
        dict(value) if isinstance(value, Mapping) else value,
        sort_keys=False,
        allow_unicode=True,
        width=10_000,
        default_flow_style=flow,
    )


def dump_in_line(value: object) -> str:
    """Return a value as YAML on one line, also valid inside `[...]` and `{...}`."""
    return dump([value], flow=True).strip()[1:-1]
