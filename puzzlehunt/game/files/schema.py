"""The keys of a game file with their types and defaults, and the validation of a document.

An error says what was expected, or names the nearest key.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from math import isfinite
from operator import attrgetter, ne
from types import UnionType
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin

from puzzlehunt.channel.model import Lies
from puzzlehunt.codes.alphabet import MOST_SYMBOLS
from puzzlehunt.codes.spaces import describe_lengths
from puzzlehunt.errors import check_number, did_you_mean
from puzzlehunt.game.files.document import Document
from puzzlehunt.game.play import Gift, Play


@dataclass(frozen=True, slots=True)
class SecretKeys:
    """The keys of `secret`."""

    words: str | list[str] | None = None
    without: str | list[str] | None = None
    formula: str | None = None
    pairs: list[str] | None = None
    symbols: str | list[str] | dict[str, str | list[str]] | None = None
    alphabet: str | None = None
    length: range | None = None
    distinct: bool | None = None
    language: str | None = None
    accents: Literal["ignore", "keep"] | None = None
    digraphs: list[str] = field(default_factory=list)
    table: str | list[dict[str, str]] | None = None
    name: str | None = None

    def __post_init__(self) -> None:
        length, of_words = self.length, self.language or self.words
        most = MOST_SYMBOLS if of_words else 1
        if length and (len(length) > most or not 0 < length[0] <= length[-1] <= MOST_SYMBOLS):
            problem = f"a secret has {'a' if most > 1 else 'one'} length from 1 to {MOST_SYMBOLS}"
            several = "; words may have several" if len(length) > most else ""
            raise ValueError(f"length: {problem}, not {describe_lengths(length)}{several}")
        if self.accents and not (of_words or self.alphabet):
            raise ValueError("accents: it is for words; give a list, a language or an alphabet")
        if self.without and not of_words:
            raise ValueError("without: it takes words out; give a list of words or a language")
        if self.name is not None and self.table is None:
            raise ValueError("name: it names a column of secret.table; give both")


@dataclass(frozen=True, slots=True)
class GuessKeys:
    """The keys of `guess`; a missing key has the value of the same key of `secret`."""

    words: str | list[str] | None = None
    length: range | None = None
    distinct: bool | None = None
    also: dict[str, str] = field(default_factory=dict)
    overlong: Literal["cut", "refuse"] = "refuse"
    foreign: Literal["ignore", "refuse"] = "refuse"
    only_questions: bool = False


RuleOption: TypeAlias = str | list[str] | dict[str, str | dict[str, str | list[str]]]


@dataclass(frozen=True, slots=True)
class GameKeys:
    """The keys of a whole game file."""

    title: str = ""
    about: str = ""
    source: str = ""
    game: str | None = None
    secret: SecretKeys = field(default_factory=SecretKeys)
    guess: GuessKeys = field(default_factory=GuessKeys)
    rule: str | dict[str, RuleOption] = "pegs"
    legend: Literal["known", "unknown"] = "known"
    boards: int | None = None
    reads: str | dict[str, str] | None = None
    lies: Lies | None = None
    hard: bool = False
    host: Literal["truthful", "adversarial"] = "truthful"
    gives: list[Gift] = field(default_factory=list)
    marks: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    play: Play = field(default_factory=Play)
    facts: list[str] = field(default_factory=list)
    turns: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.boards is not None:
            check_number("boards", self.boards, 2, 32, whole=True)


# Validation of a document.

_RANGE = re.compile(r"(\d{1,4})(?:\s*(?:-|to)\s*(\d{1,4}))?")
"""`5`, `0-5` or `0 to 5`."""
_PARTS = re.compile(r"[1-9]\d{0,2}(\+[1-9]\d{0,2})+")
"""`3+3`, of a phrase."""
_TRUTHS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_EXPECTED = {
    str: "one word or text (put brackets and colons between quotes)",
    list: "a list, as in [A, B]",
    dict: "`key: value` lines, as in {A: B}",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    range: "a length such as 5, or 5-7",
}


_SECTIONS = {"secret": SecretKeys, "guess": GuessKeys, "play": Play, "lies": Lies}
_PATHS = [f"{name}.{each.name}" for name, kind in _SECTIONS.items() for each in fields(kind)]
"""The keys of sections, with the section."""
_APART = {
    "secret.table": ("secret.length", "secret.distinct", "guess", "gives"),
    "secret.formula": ("guess.words", "guess.length", "guess.distinct"),
    "boards": ("hard", "host", "reads", "lies", "gives", "guess.only_questions"),
    "hard": ("guess.only_questions",),
    "play.pool": ("guess.only_questions",),
    "lies": ("hard",),
    "host": ("reads", "lies"),
    "legend": ("secret.table", "boards", "hard", "lies", "gives", "host", "guess.only_questions"),
}
"""Keys that do not go together: by one, those that an error then blames."""


def validated(document: Document) -> GameKeys:
    """Return the validated keys of a document. Raises GameFileError for the first wrong key."""
    value = dict(document.value)
    for key in ("lies", "reads"):
        if str(value.get(key)).casefold() == "off":
            del value[key]  # which an inherited game has
    keys: GameKeys = _read(GameKeys, value, "", document)
    for key, others in _APART.items():
        for other in others:
            both = attrgetter(key, other)
            if all(map(ne, both(keys), both(GameKeys()))):
                problem = f"this does not go with {key}; leave one of them out"
                raise document.error(other, problem)
    return keys


def _read(kind: Any, given: Any, path: str, document: Document) -> Any:
    """Return texts, or lists and dicts of texts, as a value of a type. Raises GameFileError."""
    if not isinstance(given, str | list | dict):
        return given  # the rule itself, which no file holds
    kinds = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    kind = next((one for one in kinds if (get_origin(one) or one) is type(given)), kinds[0])
    origin, parts = get_origin(kind), get_args(kind)
    if isinstance(given, dict) and (is_dataclass(kind) or origin is dict):
        types = dict.fromkeys(given, *parts[1:])
        if origin is not dict:
            types = {each.name: each.type for each in fields(kind)}
        check_keys(path, given, [*types], document)
        paths = {key: f"{path}.{key}".removeprefix(".") for key in given}
        values = {key: _read(types[key], given[key], paths[key], document) for key in given}
        try:
            return values if origin is dict else kind(**values)
        except ValueError as error:  # `attempts: expected ...`
            key, _, problem = str(error).partition(": ")
            raise document.error(f"{path}.{key}".removeprefix("."), problem) from None
    if origin is list and given == "":
        return []
    if origin is list and isinstance(given, list):
        return [_read(parts[0], each, f"{path}.{n}", document) for n, each in enumerate(given, 1)]
    read = _value_of(kind, given) if isinstance(given, str) else None
    if read is None:
        shown = {list: "a list", dict: "a mapping"}.get(type(given), f"{given!r:.60}")
        raise document.error(path, f"expected {_expected(kind)}, not {shown}")
    return read


def _value_of(kind: Any, given: str) -> object:
    """Return a text as a value of a type, None if it is none."""
    if kind in (str, object):
        return given
    if kind is bool:
        return _TRUTHS.get(given.casefold())
    if kind is range:
        if _PARTS.fullmatch(given):
            return range(total := sum(map(int, given.split("+"))), total + 1)
        match = _RANGE.fullmatch(given.strip())
        return (match and range(int(match[1]), int(match[2] or match[1]) + 1)) or None
    if kind not in (int, float):
        return given if given in get_args(kind) else None
    try:
        number = float(given[:-1]) / 100 if kind is float and given.endswith("%") else kind(given)
        return number if isfinite(number) else None
    except (ValueError, OverflowError):
        return None


def _expected(kind: Any) -> str:
    if is_dataclass(kind):
        return f"`key: value` lines, of {', '.join(each.name for each in fields(kind))}"
    if get_origin(kind) is Literal:
        *others, last = get_args(kind)
        return f"{', '.join(others)} or {last}"
    return _EXPECTED.get(get_origin(kind) or kind, _EXPECTED[str])


def check_keys(path: str, given: Iterable[str], known: Sequence[str], document: Document) -> None:
    """Raise GameFileError for a key of a section that it may not have, with the nearest one."""
    for key in given:
        if key not in known:
            near = [path for path in _PATHS if path.endswith(f".{key}")]
            hint = f"; did you mean {near[0]}?" if near else did_you_mean(key, known)
            raise document.error(f"{path}.{key}".removeprefix("."), f"no such key{hint}")
