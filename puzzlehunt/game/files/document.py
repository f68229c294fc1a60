"""YAML as nested text, with the file and line of each value, which errors name.

Scalars are read literally, never through YAML's own types. A document names only files below its
own folder, so that a stranger's game file can read no others; a user can name any
file on the command line (`--words /a/list`), again whenever a session with it is opened.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import takewhile
from pathlib import Path
from textwrap import indent
from typing import Any, NamedTuple

import yaml

from puzzlehunt.codes import files
from puzzlehunt.errors import GameFileError, check_type
from puzzlehunt.game.play import strategy_name

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MOST_LEVELS = 14
"""Greatest depth of lists and mappings; a game has 4."""
MOST_BYTES = 16_000_000
"""Largest game file (bytes), since a file is read into memory whole."""
_MOST_VALUES = 100_000
"""A game file has at most this many texts; more take seconds to read, and gigabytes."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Control characters, which no value may hold; tabs and line breaks are allowed."""
_UNMERGED = ("symbols", "lies", "columns")
"""Keys of mappings that replace an inherited one: they are not merged."""
_SHORT = {"rule": "name", "reads": "rest"}
"""Keys that may have a text in place of a mapping: the key of that text in the mapping."""
_OF_WORDS = {("secret", key) for key in ("words", "alphabet", "symbols")} | {("guess", "words")}
"""Keys that mean nothing in another language."""


class Origin(NamedTuple):
    """The file and the line (from 1) of a value; or the option that set the value, and 0.

    `folder` is where relative paths in the value start.
    """

    where: str
    line: int = 0
    folder: Path = Path()


@dataclass
class Document:
    """A game file as nested text, lists and dicts, with the origins of some values by path.

    A path has the keys from the top, and the numbers of a list's values from 1, between dots:
    `turns.1`. Any other value comes from where the list or dict around it does.
    """

    value: dict[str, Any]
    origins: dict[str, Origin] = field(default_factory=dict)

    def origin(self, path: str) -> Origin:
        """Return where the value at `path` comes from."""
        while path and path not in self.origins:
            path = path.rpartition(".")[0]
        return self.origins.get(path, Origin("game"))

    def error(self, path: str, problem: str) -> GameFileError:
        """Return an error about the value at `path`, with its file, line and key."""
        where, line, _ = self.origin(path)
        where = f"{where}:{line}" if line else where
        return GameFileError(f"{path}: {problem}" if path else problem, where)

    @contextmanager
    def blaming(self, path: str, *kinds: type[Exception]) -> Iterator[None]:
        """Convert errors of the given classes to errors about the value at `path`."""
        try:
            yield
        except kinds as error:
            raise self.error(path, str(error)) from None

    def is_option(self, path: str, option: str = "") -> bool:
        """Return whether the value at `path` comes from an option, such as `--strategy`."""
        where, line, _ = self.origin(path)
        return not line and (not option or where.startswith(f"{option} "))

    def named_file(self, path: str, name: str) -> Path:
        """Return the file that the value at `path` names.

        One named by an option may be anywhere. Raises GameFileError for one that it may not name.
        """
        folder = self.origin(path).folder
        try:
            file = folder / files.path_written(name)
            real, below = Path(os.path.realpath(file)), os.path.realpath(folder)
            if self.is_option(path) or real.is_relative_to(below):
                return file
            # A file in the folder of automatic sessions may name any file.
            if below == os.path.realpath(state_folder("sessions")):
                return file
        except (OSError, ValueError):
            raise self.error(path, f"{name!r} is not a path") from None
        named = f"{path}={os.path.normpath(file)}".removeprefix("game=")
        problem = f"{name!r} lies outside of the folder of this file; name it yourself: {named}"
        raise self.error(path, problem)

    def without_rows(self) -> "Document":
        """Return the document without its facts and turns."""
        rowless = {key: v for key, v in self.value.items() if key not in ("facts", "turns")}
        return replace(self, value=rowless)

    def inherit(self, parent: "Document") -> "Document":
        """Return the document with a parent's values for keys that this one does not have.

        Mappings are merged, except those of `_UNMERGED`; any other value replaces the parent's. A
        `secret.language` replaces the parent's words, too, and any key of `secret` its opening.
        """
        secret = self.value.get("secret")
        lost = {*_OF_WORDS} if isinstance(secret, dict) and "language" in secret else set()
        if secret and not parent.is_option("play.opening"):
            lost.add(("play", "opening"))
        inherited = {
            section: {key: value for key, value in values.items() if (section, key) not in lost}
            if isinstance(values, dict)
            else values
            for section, values in parent.value.items()
        }
        return Document(_merged(inherited, self.value), parent.origins | self.origins)

    def with_option(self, option: str, path: str, value: object) -> "Document":
        """Return these settings with one more: a text, or a rule; errors name `option`."""
        return self.with_setting(path, value, {path: Origin(f"{option} {strategy_name(value)}")})

    def with_setting(self, path: str, value: Any, origins: dict[str, Origin]) -> "Document":
        """Return these settings with one more. Raises GameFileError if they say otherwise."""
        for key in reversed(path.split(".")):
            value = {key: value}
        both = _merged(self.value, value, ())
        if _merged(both, self.value, ()) != both:
            raise self.error(path, f"{origins[path].where} says otherwise; give one of them")
        return Document(both, self.origins | origins)


def _merged(
    inherited: dict[str, Any], own: dict[str, Any], unmerged: Sequence[str] = _UNMERGED
) -> dict[str, Any]:
    """Return nested text with the values of another where it has none itself."""
    merged = inherited | own
    for key in inherited.keys() & own.keys() - {*unmerged}:
        old, new = _spelled_out(key, inherited[key]), own[key]
        if key == "rule" and inherited[key] != new:
            new = _spelled_out(key, new)
            names = {strategy_name(each["name"]) for each in (old, new) if "name" in each}
            if len(names) == 2:
                continue  # another rule has other options
        if isinstance(old, dict) and isinstance(new, dict):
            merged[key] = _merged(old, new, unmerged)
    return merged


def _spelled_out(key: str, value: Any) -> Any:
    """Return a value that may be a text in place of a mapping as that mapping."""
    if key in _SHORT and not isinstance(value, dict):
        return {_SHORT[key]: value}
    return value


def state_folder(name: str) -> Path:
    """Return a folder of what the program writes on its own: `sessions`, `boards`."""
    import platformdirs

    return platformdirs.user_state_path("puzzlehunt") / name


def read_document(text: str, name: str, folder: Path) -> Document:
    """Return the document of a YAML text. Raises GameFileError if it is not plain YAML.

    `name` is the file's name in errors; `folder` is where relative paths in the text start.
    """
    document = Document({}, {"": Origin(name, 1, folder)})
    try:
        events = _nodes(text, name)
        if (first := next(events, None)) is None:
            raise document.error("", "the file is empty; a game needs at least `secret:`")
        value = _nested_text(first, "", events, document)
        if isinstance(value, dict) and next(events, None) is None:
            return replace(document, value=value)
        raise document.error("", "a game file has `key: value` lines, such as `title: My game`")
    except yaml.MarkedYAMLError as error:
        mark, begun = error.problem_mark or error.context_mark, error.context_mark
        context = f"{error.context} in line {begun.line + 1}, " if begun else ""
        line, problem = mark.line + 1 if mark else 1, f"{context}{error.problem}"
    except (yaml.reader.ReaderError, UnicodeError) as error:
        before = text.encode(errors="replace")[: getattr(error, "position", 0)]
        line, problem = before.count(b"\n") + 1, "a character that is not text"
    hint = "write `key: value`, indent with blanks, put texts with signs between quotes"
    raise GameFileError(f"not YAML: {problem}; {hint}", f"{name}:{line}")


def _nodes(text: str, name: str) -> Iterator[yaml.Event]:
    """Yield the beginnings and ends of values. Raises GameFileError for what is not plain."""
    nodes = level = 0
    for event in yaml.parse(text, Loader=LOADER):
        nodes += isinstance(event, yaml.NodeEvent)
        level += isinstance(event, yaml.CollectionStartEvent)
        level -= isinstance(event, yaml.CollectionEndEvent)
        problem = ""
        if getattr(event, "anchor", None) or getattr(event, "tag", None):
            problem = "a text that begins with &, * or ! needs quotes"
        elif _CONTROL.search(getattr(event, "value", "")):
            problem = "there is a control character in this text"
        elif nodes > _MOST_VALUES:
            problem = f"more than {_MOST_VALUES:,} texts; keep words in a word list"
        elif level > _MOST_LEVELS:
            problem = "nested too deeply"
        if problem:
            raise GameFileError(problem, f"{name}:{_line(event)}")
        if isinstance(event, yaml.NodeEvent | yaml.CollectionEndEvent):
            yield event


def _line(event: yaml.Event) -> int:
    assert event.start_mark is not None
    return event.start_mark.line + 1


def _nested_text(
    begin: yaml.Event, path: str, events: Iterator[yaml.Event], document: Document
) -> Any:
    """Return the value at `path`, which begins with an event, and note where each value stands."""
    if isinstance(begin, yaml.ScalarEvent):
        return begin.value
    value: dict[str, Any] = {}
    for event in takewhile(lambda event: not isinstance(event, yaml.CollectionEndEvent), events):
        key, item = str(len(value) + 1), event
        if isinstance(begin, yaml.MappingStartEvent):
            if not isinstance(event, yaml.ScalarEvent):
                raise document.error(path, "a key must be a plain word")
            key, item = event.value, next(events)
        below = f"{path}.{key}".removeprefix(".")
        document.origins[below] = document.origins[""]._replace(line=_line(event))
        if key in value:
            raise document.error(below, "this key occurs twice")
        value[key] = _nested_text(item, below, events, document)
    return value if isinstance(begin, yaml.MappingStartEvent) else list(value.values())


def read_file(path: Path) -> Document:
    """Return the document of a file. Raises GameFileError if it cannot be read."""
    return read_document(read_text(path), str(path), path.parent)


def read_text(path: Path, most: int = MOST_BYTES) -> str:
    """Return the text of a file of at most `most` bytes. Raises GameFileError."""
    return files.read_text(path, most, GameFileError)


def settings_document(settings: Mapping[str, object] | Sequence[str], option: str = "") -> Document:
    """Return a document of settings: texts `key=value`, or a mapping from keys to values.

    Errors name a setting behind the `option` that it was given by, if it was one.
    A value that begins with a bracket or a quote, and is more than that, is YAML; any other is the
    text itself, whatever its signs mean in YAML. Raises GameFileError for one that is no setting,
    and for two of one key with different values.
    """
    document = Document({})
    if isinstance(settings, Mapping):
        settings = [
            f"{key}={dump_in_line(v if isinstance(v, list | tuple | dict) else str(v))}"
            for key, v in settings.items()
        ]
    for setting in settings:
        check_type("setting", setting, str, "a text such as 'play.attempts=8'")
        key, equals, written = map(str.strip, setting.partition("="))
        where = f"{option}{setting}"
        if key == "game":
            raise GameFileError("name the game as GAME instead", where)
        if not (equals and key) or "\n" in written:
            raise GameFileError("expected key=value on a line, as in secret.length=4", where)
        if len(written) < 2 or written[0] not in "[{'\"":
            written = dump_in_line(written)
        try:
            read = read_document(f"value: {written}", option, Path())
        except GameFileError as error:
            raise GameFileError(error.problem, where) from None
        origins = {key + path.removeprefix("value"): Origin(where) for path in read.origins if path}
        document = document.with_setting(key, read.value["value"], origins)
    return document


def dump(value: object, flow: bool | None = False) -> str:
    """Return nested text as YAML.

    If `flow` is None, each innermost list or dict is on one line; if it is True, the whole.
    """
    # A width that no value reaches: each turn and fact stays on a line of its own.
    try:
        return yaml.safe_dump(
            dict(value) if isinstance(value, Mapping) else value,
            sort_keys=False,
            allow_unicode=True,
            width=10_000,
            default_flow_style=flow,
        )
    except yaml.representer.RepresenterError as error:
        found = f"{error.args[1]!r:.60}"
        raise TypeError(f"expected texts, numbers, lists and mappings, not {found}") from None


def dump_in_line(value: object) -> str:
    """Return a value as YAML on one line, also valid inside `[...]` and `{...}`."""
    return dump([value], flow=True).strip()[1:-1]


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
