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
_OWN_TAGS = "tag:yaml.org,2002:"
"""What YAML makes of `!!` before a text."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Control characters, which no value may hold; tabs and line breaks are allowed."""


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
        `secret.language` replaces the parent's words, too.
        """
        origins = dict(parent.origins)
        inherited = parent.value
        if "language" in _section(self.value, "secret"):
            inherited = dict(inherited)
            for section, keys in _OF_WORDS.items():
                values = _section(inherited, section)
                inherited[section] = {key: values[key] for key in values if key not in keys}
        value = _merged(inherited, self.value, (), origins)
        return Document(value, origins | self.origins, parent.folders | self.folders)


_UNMERGED = ("symbols", "lies", "columns")
"""Keys of mappings that replace an inherited one: they are not merged.

Columns with options and without kinds are: they change inherited columns.
"""
_OF_WORDS = {
    "secret": ("words", "alphabet", "symbols"), "guess": ("words",), "play": ("opening",),
}  # fmt: skip
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
        mark = error.problem_mark or error.context_mark
        assert mark is not None
        problem = _yaml_problem(error, mark, text)
        raise GameFileError(problem, f"{name}:{mark.line + 1}") from None
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
    """Raise GameFileError for aliases, lost texts, deep nesting, and too many or long values."""
    depth = 0
    for number, event in enumerate(yaml.parse(text, Loader=LOADER)):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        # The `!text` before a value, or the `&text` before a text, that would be lost.
        text_lost = str(getattr(event, "tag", None) or "").replace(_OWN_TAGS, "!!")
        if isinstance(event, yaml.ScalarEvent) and event.anchor:
            text_lost = f"&{event.anchor}"
        if isinstance(event, yaml.AliasEvent):
            problem = f"*{event.anchor} is an alias, which is not allowed; write the value itself"
        elif text_lost:
            problem = f"YAML takes {text_lost} for a sign of its own; put the text between quotes"
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
        if _CONTROL.search(node.value):
            raise document.error(path, "there is a control character in this text")
        return node.value
    if isinstance(node, yaml.SequenceNode):
        return [_plain_value(item, (*path, i), document, name) for i, item in enumerate(node.value)]
    plain: dict[str, object] = {}
    for key, item in node.value:
        line = key.start_mark.line + 1
        if not isinstance(key, yaml.ScalarNode):
            raise GameFileError("a key must be a plain word", f"{name}:{line}")
        if _CONTROL.search(key.value):
            raise GameFileError("there is a control character in this key", f"{name}:{line}")
        below = (*path, key.value)
        if key.value in plain:
            document.origins[below] = (name, line)
            raise document.error(below, "this key occurs twice")
        plain[key.value] = _plain_value(item, below, document, name)
        document.origins[below] = (name, line)
    return plain


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
        if key.strip() == "game":
            raise GameFileError("name the game as GAME instead", option)
        if not equals or not key:
            raise GameFileError("expected key=value, as in secret.length=4", option)
        if "\n" in value.strip():
            raise GameFileError("expected one line", option)
        written = value.strip()
        if len(written) < 2 or written[0] not in "[{'\"":
            written = dump_in_line(written)
        try:
            changed = read_document(f"value: {written}", option, Path())
        except GameFileError as error:
            raise GameFileError(error.problem, option) from None
        if len(parts) > _MOST_LEVELS:
            raise GameFileError(TOO_DEEP, option)
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


# YAML errors, explained to the author of a game file.

_QUOTES = "put a text that holds such a sign between quotes"
_PROBLEMS = {
    "expected key": "this line is not indented like the lines that it belongs to",
    "block entry": "this line is not indented like the lines that it belongs to",
    "comment or line break": f"> and | mean something else in YAML; {_QUOTES}",
    "node content": "a value is missing, a bracket is not closed, or a sign such as # or ? begins "
    f"a text; {_QUOTES}",
    "alphabetic or numeric": f"* and & mean something else in YAML; {_QUOTES}",
    "not allowed in this context": "a list with dashes begins on the line below its key",
    "nesting depth": TOO_DEEP,
    "another document": "a second document begins here; a game file is one, without ---",
}
"""Explanations by a fragment of YAML's own message; the first fragment that occurs applies."""


def _yaml_problem(error: yaml.MarkedYAMLError, mark: yaml.Mark, text: str) -> str:
    lines = [*text.split("\n"), ""]
    line = lines[min(mark.line, len(lines) - 1)]
    problem, opened = error.problem or "", error.context_mark
    is_after_list = re.search("expected (','|'-'|key)|block end", problem)
    if "\t" in line and ("tab" in problem or "start any token" in problem):
        return "this line is indented with a tab; indent with blanks"
    if "start any token" in problem:
        return f"no text begins with {line[mark.column :][:1]}; put it between quotes"
    if is_after_list and line[: mark.column].rstrip().endswith(('"', "'")):
        return "there is more text after the closing quote; put all of it between quotes"
    if is_after_list and (quoted := _needs_quotes(line)):
        return f"a text with brackets needs quotes: {quoted}"
    if "expected ':'" in problem and opened:
        return _stuck(lines[opened.line]) or f"line {opened.line + 1} is not written `key: value`"
    if "mapping values" in problem:
        return _colon(line, lines[max(0, mark.line - 1)])
    if "end of stream" in problem and opened:
        return f"the quote that opens in line {opened.line + 1} is never closed"
    if "expected ',' or" in problem and opened:
        sign = lines[opened.line][opened.column :][:1]
        which = f"the {sign}" if sign in "{[" else "the list or mapping"
        return (
            f"{which} of line {opened.line + 1} is not closed, or a comma is missing, or a text "
            "with brackets needs quotes"
        )
    known = (said for words, said in _PROBLEMS.items() if words in problem)
    return next(known, f"not YAML: {problem or error.context}")


_BEFORE_VALUE = re.compile(r"\s*(?:- +)?(?:[\w.]+: +)?")
_BRACKETED = re.compile(r"""[^][{},"'#]*\[[^][{}"'#]*\][^][{},"'#]*""")
"""A text with brackets, as an item of a list on one line."""
_STUCK = re.compile(r"\s*(?:- +)?(?P<key>\w+)(?::(?=[^\s:])|\uff1a\s*)(?P<value>.+)")
"""A key and its value with no blank between, or with a wide colon."""


def _needs_quotes(line: str) -> str:
    """Return the text of a line whose brackets YAML reads as a list, in quotes; "" for none."""
    value = _BEFORE_VALUE.sub("", line, count=1).rstrip()
    if not value.startswith("["):
        return ""
    inside = _BRACKETED.search(value, 1)
    text = inside[0] if inside else value
    is_list = text.endswith("]") and text is value
    return "" if is_list or '"' in text else f'"{text.strip()}"'


def _stuck(line: str) -> str:
    stuck = _STUCK.fullmatch(line)
    if not stuck:
        return ""
    written = f"{stuck['key']}: {stuck['value']}"
    return f"{stuck['key']} needs a colon and a space after it: write `{written}`"


def _colon(line: str, before: str) -> str:
    if stuck := _stuck(line) or _stuck(before):
        return stuck
    key, _, value = line.strip().partition(": ")
    if ": " in value or value.endswith(":"):
        return (
            f"there is a second colon after {key}: put a text with a colon between quotes, and a "
            "key on a line of its own"
        )
    return "no key is allowed here; the line above lacks its colon, or this one is indented too far"
