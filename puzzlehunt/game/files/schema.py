"""The keys of a game file with their types and defaults, and the validation of a document.

An error names the nearest key, the section of a misplaced key, or the form of a value.
"""

import operator
import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from difflib import get_close_matches
from math import isfinite
from types import NoneType, UnionType
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin

from puzzlehunt.channel.model import Lies
from puzzlehunt.errors import did_you_mean
from puzzlehunt.game.files.document import Document, KeyPath
from puzzlehunt.game.play import Play
from puzzlehunt.game.spec import Gift, HostName
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.rule_registry import BUILT_IN as RULES

RESERVED = ("show",)
"""Keys that are kept for later versions and refused by this one."""
MOST_BOARDS = 32
"""The most boards of a game."""


@dataclass(frozen=True, slots=True)
class SpaceKeys:
    """The keys that `secret` and `guess` have in common."""

    words: str | list[str] | None = None
    formula: str | None = None
    pairs: list[str] | None = None
    symbols: str | list[str] | dict[str, str | list[str]] | None = None
    alphabet: str | None = None
    length: str | None = None
    distinct: bool | None = None


@dataclass(frozen=True, slots=True)
class SecretKeys(SpaceKeys):
    """The keys of `secret`."""

    language: str | None = None
    accents: Literal["ignore", "keep"] | None = None
    digraphs: list[str] = field(default_factory=list)
    table: str | list[dict[str, str]] | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class GuessKeys(SpaceKeys):
    """The keys of `guess`; a missing key has the value of the same key of `secret`."""

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

_NO_LIES = ("off", "none", "")
"""Texts under `lies:` that turn off the lies of an inherited game."""


def validated(document: Document) -> GameKeys:
    """Return the validated keys of a document. Raises GameFileError for the first wrong key."""
    for key in RESERVED:
        if key in document.value:
            raise document.error((key,), "this key is reserved and not built yet; leave it out")
    value = dict(document.value)
    if isinstance(value.get("lies"), str) and value["lies"].casefold() in _NO_LIES:
        del value["lies"]
    for key in ("turns", "facts"):
        if value.get(key) == "":
            del value[key]
    try:
        keys: GameKeys = _read(GameKeys, value, ())
    except _WrongError as error:
        path, given, expected = error.args
        raise document.error(path, _problem(path, given, expected)) from None
    return keys


class _WrongError(Exception):
    """Its arguments: the path of a value, the value, and what was expected."""


_YES, _NO = ("true", "t", "yes", "y", "on", "1"), ("false", "f", "no", "n", "off", "0")
_WHOLE = re.compile(r"^([^.]+)\.0+$")
"""A whole number written with decimals, `1.0`."""
_BOUNDS = {
    "least": (operator.ge, "at least"),
    "most": (operator.le, "at most"),
    "above": (operator.gt, "more than"),
    "below": (operator.lt, "less than"),
}
_UNBOUNDED: Mapping[str, float] = {}


def _read(kind: Any, given: Any, path: KeyPath, bounds: Mapping[str, float] = _UNBOUNDED) -> Any:
    """Return texts, or lists and dicts of texts, as a value of a type. Raises _WrongError."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        first, *others = (one for one in parts if one is not NoneType)
        for other in others:
            with suppress(_WrongError):
                return _read(other, given, path)
        return _read(first, given, path, bounds)
    if is_dataclass(kind):
        return _read_keys(kind, given, path)
    if origin is list:
        if not isinstance(given, list):
            raise _WrongError(path, given, "a list")
        return [_read(parts[0], item, (*path, place)) for place, item in enumerate(given)]
    if origin is dict:
        if not isinstance(given, dict):
            raise _WrongError(path, given, _LINES)
        return {key: _read(parts[1], item, (*path, key)) for key, item in given.items()}
    if origin is Literal:
        if not isinstance(given, str) or given not in parts:
            raise _WrongError(path, given, f"{', '.join(parts[:-1])} or {parts[-1]}")
        return given
    if kind in (int, float):
        return _read_number(kind, given, path, bounds)
    if not isinstance(given, str):
        raise _WrongError(path, given, "true or false" if kind is bool else _TEXT)
    if kind in (str, object):
        return given
    if given.lower() not in (*_YES, *_NO):
        raise _WrongError(path, given, "true or false")
    return given.lower() in _YES


def _read_keys(kind: Any, given: Any, path: KeyPath) -> Any:
    if not isinstance(given, dict):
        raise _WrongError(path, given, _LINES)
    known = {each.name: each for each in fields(kind)}
    for each in known.values():
        if each.name not in given and each.default is each.default_factory is MISSING:
            raise _WrongError(path, given, f"{each.name} is missing")
    read = {
        name: _read(each.type, given[name], (*path, name), each.metadata)
        for name, each in known.items()
        if name in given
    }
    for name in given:
        if name not in known:
            raise _WrongError((*path, name), given[name], _KNOWN)
    return kind(**read)


def _read_number(kind: type, given: Any, path: KeyPath, bounds: Mapping[str, float]) -> float:
    expected = "a number" if kind is float else "a whole number"
    written = given.strip() if isinstance(given, str) and given.isascii() else ""
    try:
        if kind is int:
            number: float = int(_WHOLE.sub(r"\1", written))
        elif written.endswith("%") and bounds.get("below") == 1:
            number = float(written.removesuffix("%")) / 100
        else:
            number = float(written)
    except ValueError:
        raise _WrongError(path, given, expected) from None
    for name, bound in bounds.items():
        is_within, words = _BOUNDS[name]
        if not is_within(number, bound):
            raise _WrongError(path, given, f"{words} {bound}")
    if kind is float and not isfinite(number):
        raise _WrongError(path, given, expected)
    return number


def mark_names(rule: type[Rule] | Rule) -> tuple[str, ...]:
    """Return the keys under `marks`: the kinds of a rule, and `unknown`; none without kinds."""
    return (*rule.kind_names, *["unknown"] * bool(rule.kind_names))


_NEAR = 0.8
"""A similar key nearby is proposed before an equal key elsewhere if it is this similar (0 to 1)."""
_KEYS: dict[KeyPath, Collection[str]] = {
    (): [each.name for each in fields(GameKeys)],
    ("secret",): [each.name for each in fields(SecretKeys)],
    ("guess",): [each.name for each in fields(GuessKeys)],
    ("play",): [each.name for each in fields(Play)],
    ("lies",): [each.name for each in fields(Lies)],
    ("rule",): tuple(dict.fromkeys(key for rule in RULES.values() for key in rule.option_names)),
    ("marks",): tuple(dict.fromkeys(key for rule in RULES.values() for key in mark_names(rule))),
    ("reads",): ("misread", "rest"),
}
"""The keys of each section."""
_TEXT = "one word or text"
_LINES = "`key: value` lines"
_KNOWN = "a key that there is"
_FORMS: dict[str | int, str] = {
    "boards": "2",
    "secret": "{symbols: RGBY, length: 4}",
    "guess": "{words: large}",
    "gives": "[row]",
    "lies": "{at_most: 1}, {exactly: 1} or {chance: 0.1}",
    "marks": "{black: B, white: W}",
    "names": "{black: hit}",
    "play": "{attempts: 10}",
    "turns": "[HORSE B_WR_]",
    "facts": '[contains E, "[A-E]____"]',
}
"""The value of keys at the top of a file, for messages."""


def _problem(path: KeyPath, given: Any, expected: str) -> str:
    """Return the message for a wrong value, in words of game files."""
    if expected == _KNOWN:
        return wrong_key(path, list(_KEYS[path[:-1]]))
    if expected.endswith(" is missing"):
        return expected
    if path[1:2] == ("symbols",):
        return "expected symbols, as in RGBY, 1-6, [red, green] or {R: red, G: green}"
    is_whole = not path[1:] or path[0] in ("turns", "facts")
    form = f", as in `{path[0]}: {_FORMS[path[0]]}`" if is_whole and path[0] in _FORMS else ""
    kind = "a list" if isinstance(given, list) else "a mapping"
    quotes = "; a text with a bracket or colon needs quotes" if expected == _TEXT else ""
    shown = f"{given!r:.60}" if isinstance(given, str) else kind
    return f"expected {expected}{form}, not {shown}{quotes}"


def wrong_key(path: KeyPath, allowed: Sequence[str]) -> str:
    """Return the message for a key not `allowed` in its section, with the nearest one."""
    section, key = path[:-1], str(path[-1])
    # `names` has the keys of `marks`: neither is proposed in place of the other.
    own = ("marks",) if section == ("names",) else section
    elsewhere = {name: at for at in reversed(_KEYS) if at != own for name in _KEYS[at]}
    folded = key.casefold()
    near = get_close_matches(folded, elsewhere, n=1, cutoff=_NEAR)
    if near and not get_close_matches(folded, allowed, n=1, cutoff=_NEAR):
        where = elsewhere[near[0]]
        place = f"under {where[0]}" if where else "at the top of the file"
        return f"no such key here; {near[0]} belongs {place}"
    return f"no such key{did_you_mean(key, allowed)}"
