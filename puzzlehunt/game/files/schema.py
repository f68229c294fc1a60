"""The keys of a game file with their types and defaults, and the validation of a document.

An error says what was expected, or names the nearest key or the section of a misplaced one.
"""

import operator
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from difflib import get_close_matches
from math import isfinite
from types import NoneType, UnionType
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin

from puzzlehunt.channel.model import Lies
from puzzlehunt.errors import did_you_mean
from puzzlehunt.game.files.document import Document, KeyPath
from puzzlehunt.game.play import Gift, HostName, Play
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.rule_registry import BUILT_IN as RULES

RESERVED = ("show",)
"""Keys that are kept for later versions and refused by this one."""
MOST_BOARDS = 32
"""The most boards of a game."""


@dataclass(frozen=True, slots=True)
class SecretKeys:
    """The keys of `secret`."""

    words: str | list[str] | None = None
    formula: str | None = None
    pairs: list[str] | None = None
    symbols: str | list[str] | dict[str, str | list[str]] | None = None
    alphabet: str | None = None
    length: str | None = None
    distinct: bool | None = None
    language: str | None = None
    accents: Literal["ignore", "keep"] | None = None
    digraphs: list[str] = field(default_factory=list)
    table: str | list[dict[str, str]] | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class GuessKeys:
    """The keys of `guess`; a missing key has the value of the same key of `secret`."""

    words: str | list[str] | None = None
    length: str | None = None
    distinct: bool | None = None
    also: dict[str, str] = field(default_factory=dict)
    overlong: Literal["cut", "refuse"] = "refuse"
    foreign: Literal["ignore", "refuse"] = "refuse"
    only_questions: bool = False


RuleOption: TypeAlias = str | list[str] | dict[str, str | dict[str, str | list[str]]]
"""The value of a key under `rule`."""


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
    boards: int | None = field(default=None, metadata={"least": 2, "most": MOST_BOARDS})
    reads: str | dict[str, str] | None = None
    lies: Lies | None = None
    hard: bool = False
    host: HostName = "truthful"
    gives: list[Gift] = field(default_factory=list)
    marks: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    play: Play = field(default_factory=Play)
    facts: list[str] = field(default_factory=list)
    turns: list[str] = field(default_factory=list)


# Validation of a document.

_TRUTHS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_EXPECTED = {
    list: "a list, as in [A, B]",
    dict: "`key: value` lines, as in {A: B}",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
}
_BOUNDS = {
    "least": (operator.ge, "at least"),
    "most": (operator.le, "at most"),
    "above": (operator.gt, "above"),
    "below": (operator.lt, "below"),
}
_UNBOUNDED: Mapping[str, float] = {}


def validated(document: Document) -> GameKeys:
    """Return the validated keys of a document. Raises GameFileError for the first wrong key."""
    value = dict(document.value)
    for key in RESERVED:
        if key in value:
            raise document.error((key,), "this key is reserved and not built yet; leave it out")
    if str(value.get("lies", "off")).casefold() in ("off", "none", ""):
        value.pop("lies", None)  # which an inherited game has
    for key in ("turns", "facts"):
        if value.get(key) == "":
            del value[key]
    keys: GameKeys = _read(GameKeys, value, (), document)
    return keys


def _read(
    kind: Any,
    given: Any,
    path: KeyPath,
    document: Document,
    bounds: Mapping[str, float] = _UNBOUNDED,
) -> Any:
    """Return texts, or lists and dicts of texts, as a value of a type. Raises GameFileError."""
    kinds = [kind]
    if get_origin(kind) in (Union, UnionType):
        kinds = [one for one in get_args(kind) if one is not NoneType]
    form = type(given) if kinds[1:] else None
    kind = next((one for one in kinds if (get_origin(one) or one) is form), kinds[0])
    origin, parts, read = get_origin(kind), get_args(kind), None
    if is_dataclass(kind) and isinstance(given, dict):
        known = {each.name: each for each in fields(kind)}
        check_keys(path, given, list(known), document)
        values = {
            key: _read(known[key].type, each, (*path, key), document, known[key].metadata)
            for key, each in given.items()
        }
        make: Any = kind
        return make(**values)
    if origin is list and isinstance(given, list):
        return [_read(parts[0], each, (*path, n), document) for n, each in enumerate(given)]
    if origin is dict and isinstance(given, dict):
        return {key: _read(parts[1], each, (*path, key), document) for key, each in given.items()}
    if isinstance(given, str):
        read = _value_of(kind, given, bounds)
    if read is None:
        shown = "a list" if isinstance(given, list) else "a mapping"
        shown = f"{given!r:.60}" if isinstance(given, str) else shown
        raise document.error(path, f"expected {_expected(kind, bounds)}, not {shown}")
    return read


def _value_of(kind: Any, given: str, bounds: Mapping[str, float]) -> object:
    """Return a text as a value of a type, None if it is none, or out of bounds."""
    if kind in (str, object):
        return given
    if kind is bool:
        return _TRUTHS.get(given.casefold())
    if kind not in (int, float):
        return given if given in get_args(kind) else None
    is_percent = given.endswith("%") and bounds.get("below") == 1
    try:
        number = float(given[:-1]) / 100 if is_percent else kind(given)
    except ValueError:
        return None
    is_within = all(_BOUNDS[name][0](number, bound) for name, bound in bounds.items())
    return number if is_within and isfinite(number) and given.isascii() else None


def _expected(kind: Any, bounds: Mapping[str, float]) -> str:
    """Return in words what a value of a type looks like."""
    if is_dataclass(kind):
        return f"`key: value` lines, of {', '.join(each.name for each in fields(kind))}"
    if get_origin(kind) is Literal:
        *others, last = get_args(kind)
        return f"{', '.join(others)} or {last}"
    text = "one word or text (put brackets and colons between quotes)"
    words = [f"{_BOUNDS[name][1]} {bound:,}" for name, bound in bounds.items()]
    return ", ".join([_EXPECTED.get(get_origin(kind) or kind, text), *words])


def mark_names(rule: type[Rule] | Rule) -> tuple[str, ...]:
    """Return the keys under `marks`: the kinds of a rule, and `unknown`; none without kinds."""
    return (*rule.kind_names, *["unknown"] * bool(rule.kind_names))


_SECTIONS: dict[str, Collection[str]] = {
    "reads": ("misread", "rest"),
    "marks": {key for rule in RULES.values() for key in mark_names(rule)},
    "rule": {key for rule in RULES.values() for key in rule.option_names},
    "lies": [each.name for each in fields(Lies)],
    "play": [each.name for each in fields(Play)],
    "guess": [each.name for each in fields(GuessKeys)],
    "secret": [each.name for each in fields(SecretKeys)],
    "": [each.name for each in fields(GameKeys)],
}
"""The keys of each section; those of the later ones are proposed first."""


def check_keys(
    path: KeyPath, given: Mapping[str, object], allowed: Sequence[str], document: Document
) -> None:
    """Raise GameFileError for a key of a section that it may not have, with the nearest one."""
    own = ("marks", "names") if path == ("names",) else path or ("",)
    others = {key: name for name, keys in _SECTIONS.items() if name not in own for key in keys}
    for key in given:
        if key in allowed:
            continue
        near = get_close_matches(key.casefold(), others, n=1, cutoff=0.8)
        problem = f"no such key{did_you_mean(key, allowed)}"
        if near and not get_close_matches(key.casefold(), allowed, n=1, cutoff=0.8):
            section = others[near[0]]
            place = f"under {section}" if section else "at the top of the file"
            problem = f"no such key here; {near[0]} belongs {place}"
        raise document.error((*path, key), problem)
