"""The keys of a game file with their types and defaults, and the validation of a document.

Error messages name the nearest key, the section of a misplaced key, or the form of a value.
"""

import re
from collections.abc import Collection, Sequence
from contextlib import suppress
from difflib import get_close_matches
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from puzzlehunt.errors import counted, did_you_mean
from puzzlehunt.game.files.document import Document, KeyPath
from puzzlehunt.game.play import EngineName, Play, Pool, Ties
from puzzlehunt.game.spec import Gift, HostName
from puzzlehunt.rules.rule_registry import BUILT_IN as RULES

RESERVED = ("show",)
"""Keys that are kept for later versions and refused by this one."""
MOST_BOARDS = 32
"""The most boards of a game, or secrets on one board."""
_DEFAULTS = Play()
"""The defaults of the keys under `play:`; the default strategy depends on the rule instead."""


class _Keys(BaseModel):
    model_config = ConfigDict(extra="forbid", defer_build=True)


class SpaceKeys(_Keys):
    """The keys that `secret` and `guess` have in common."""

    words: str | list[str] | None = None
    formula: str | None = None
    pairs: list[str] | None = None
    symbols: str | list[str] | dict[str, str | list[str]] | None = None
    alphabet: str | None = None
    length: str | None = None
    distinct: bool | None = None


class SecretKeys(SpaceKeys):
    """The keys of `secret`."""

    language: str | None = None
    accents: Literal["ignore", "keep"] | None = None
    digraphs: list[str] = Field(default_factory=list)
    table: str | list[dict[str, str]] | None = None
    name: str | None = None


class GuessKeys(SpaceKeys):
    """The keys of `guess`; a missing key has the value of the same key of `secret`."""

    also: dict[str, str] = Field(default_factory=dict)
    overlong: Literal["cut", "refuse"] = "refuse"
    foreign: Literal["ignore", "refuse"] = "refuse"
    only_questions: bool = False


class PlayKeys(_Keys):
    """The keys of `play`."""

    attempts: int | None = Field(default=None, ge=1, le=1_000_000)
    strategy: str | None = None
    engine: EngineName = _DEFAULTS.engine
    solver: str | None = None
    pool: Pool = _DEFAULTS.pool
    ties: Ties = _DEFAULTS.ties
    opening: str | None = None
    seed: int = Field(default=_DEFAULTS.seed, ge=0)
    budget: float = Field(default=_DEFAULTS.budget, gt=0, allow_inf_nan=False)


class BoardKeys(_Keys):
    """The keys of `boards`.

    `count`: the number of secrets. `merged`: whether they share one board. `disjoint`: whether
    secrets that share a board have no symbol in common.
    """

    count: int = Field(ge=2, le=MOST_BOARDS)
    merged: bool = False
    disjoint: bool = True


def _without_percent(given: object) -> object:
    if isinstance(given, str) and given.strip().endswith("%"):
        number = given.strip().removesuffix("%").strip()
        with suppress(ValueError):
            return str(float(number) / 100)
    return given


class LieKeys(_Keys):
    """The keys of `lies`; a game file sets only one of them.

    `exactly`: the number of false marks in each turn. `at_most`: the greatest number of turns in a
    game that lie. `chance`: the probability that a turn lies.
    """

    exactly: int | None = Field(default=None, ge=1)
    at_most: int | None = Field(default=None, ge=1)
    chance: Annotated[float, BeforeValidator(_without_percent)] | None = Field(
        default=None, gt=0, lt=1, allow_inf_nan=False
    )


RuleOption: TypeAlias = str | list[str] | dict[str, str | dict[str, str | list[str]]]
"""The value of a key under `rule`."""


class GameKeys(_Keys):
    """The keys of a whole game file."""

    title: str = ""
    about: str = ""
    source: str = ""
    game: str | None = None
    secret: SecretKeys = Field(default_factory=SecretKeys)
    guess: GuessKeys = Field(default_factory=GuessKeys)
    rule: str | dict[str, RuleOption] = "pegs"
    legend: Literal["known", "unknown"] = "known"
    boards: BoardKeys | None = None
    reads: str | dict[str, str] | None = None
    lies: LieKeys | None = None
    hard: bool = False
    host: HostName = "truthful"
    gives: list[Gift] = Field(default_factory=list)
    marks: dict[str, str] = Field(default_factory=dict)
    names: dict[str, str] = Field(default_factory=dict)
    play: PlayKeys = Field(default_factory=PlayKeys)
    facts: list[str] = Field(default_factory=list)
    turns: list[str] = Field(default_factory=list)


# Validation of a document.

_NO_LIES = ("off", "none", "")
"""Texts under `lies:` that turn off the lies of an inherited game."""
_OPENING_QUOTES, _CLOSING_QUOTES = "\u201c\u201e\u201f\u00ab\u2018\u201a", "\u201d\u00bb"
"""Typographic quotes, as word processors and phones write them; YAML reads them as letters."""
_WIDE_COLON = "\uff1a"
"""A colon as Chinese and Japanese keyboards write it."""
_NEAR = 0.8
"""A similar key nearby is proposed before an equal key elsewhere if it is this similar (0 to 1)."""
_FOR_PEOPLE = ("title", "about", "source", "turns")
"""Keys whose texts may begin and end with any sign, quotes included."""


def validated(document: Document) -> GameKeys:
    """Return the validated keys of a document. Raises GameFileError for the first wrong key."""
    _check_quotes(document.value, (), document)
    for key in RESERVED:
        if key in document.value:
            raise document.error((key,), "this key is reserved and not built yet; leave it out")
    value = dict(document.value)
    if isinstance(value.get("boards"), str):
        value["boards"] = {"count": value["boards"]}
    if isinstance(value.get("lies"), str) and value["lies"].casefold() in _NO_LIES:
        del value["lies"]
    for key in ("turns", "facts"):
        if value.get(key) == "":
            del value[key]
    try:
        return GameKeys.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=True)[0]
        path = _document_path(first["loc"], document.value)
        raise document.error(path, _message(first, path)) from None


def _check_quotes(value: object, path: KeyPath, document: Document) -> None:
    """Raise GameFileError for a key or a text between typographic quotes."""
    if isinstance(value, str):
        if value[1:] and (value[0] in _OPENING_QUOTES or value[-1] in _CLOSING_QUOTES):
            plain = value.strip(f"{_OPENING_QUOTES}{_CLOSING_QUOTES}\u2019")
            problem = f'the curly quotes of {value} would be part of it; write "{plain}"'
            raise document.error(path, problem)
    elif isinstance(value, list):
        for place, item in enumerate(value):
            _check_quotes(item, (*path, place), document)
    elif isinstance(value, dict):
        for key, item in value.items():
            _check_quotes(key, (*path, key), document)
            if path or key not in _FOR_PEOPLE:
                _check_quotes(item, (*path, key), document)


def _document_path(location: tuple[str | int, ...], value: Any) -> KeyPath:
    """Return pydantic's location of an error as a key path of the document `value`."""
    path: list[str | int] = []
    for part in location:
        keys = range(len(value)) if isinstance(value, list) else value
        if isinstance(keys, dict | range) and part in keys:
            value = value[part]
            path.append(part)
    return tuple(path)


_KEYS: dict[KeyPath, Collection[str]] = {
    (): GameKeys.model_fields,
    ("secret",): SecretKeys.model_fields,
    ("guess",): GuessKeys.model_fields,
    ("play",): PlayKeys.model_fields,
    ("boards",): BoardKeys.model_fields,
    ("lies",): LieKeys.model_fields,
    ("rule",): tuple(dict.fromkeys(key for rule in RULES.values() for key in rule.option_names)),
    ("marks",): tuple(dict.fromkeys(key for rule in RULES.values() for key in rule.mark_names)),
    ("reads",): ("misread", "rest"),
}
"""The keys of each section."""
_EXPECTED = {
    "bool": "true or false",
    "int": "a whole number",
    "float": "a number",
    "finite": "a number",
    "literal_error": "{expected}",
    "less_than_equal": "at most {le}",
    "less_than": "less than {lt:g}",
    "greater_than_equal": "at least {ge:g}",
    "greater_than": "more than {gt:g}",
}
"""What was expected, by pydantic's type of an error or its first word."""
_NO_MAPPING = ("model_type", "model_attributes_type", "dict_type")


def _message(error: Any, path: KeyPath) -> str:
    """Return the message for pydantic's error about the value at a path, in words of game files."""
    given, kind = error["input"], error["type"]
    not_text = "a list" if isinstance(given, list) else "a mapping"
    but_given = f", not {given!r}" if isinstance(given, str) else f", not {not_text}"
    expected = _EXPECTED.get(kind, _EXPECTED.get(kind.partition("_")[0]))
    if kind == "extra_forbidden":
        return wrong_key(path, list(_KEYS[path[:-1]]), given)
    if kind in _NO_MAPPING and path == ("lies",):
        return _lies_meant(given)
    if path[1:2] == ("symbols",):
        return "expected symbols, as in RGBY, 1-6, [red, green] or {R: red, G: green}"
    if kind in ("list_type", "string_type") and path[0] in _WRITTEN_LINES:
        line = _line_meant(given, path[0])
        return f"write each {_WRITTEN_LINES[path[0]]} on a line of its own: `- {line}`"
    if kind == "string_type" and isinstance(given, str):
        return "expected one word or text"
    if kind == "string_type":
        return f"expected one word or text{but_given}; a text with brackets needs quotes"
    if kind == "missing":
        return f"{error['loc'][-1]} is missing"
    if expected:
        meant = expected.format_map(error.get("ctx", {})).replace("'", "")
        return f"expected {meant}{but_given}"
    if kind == "list_type":
        as_list = f", as in [{given}]" if path == ("gives",) and isinstance(given, str) else ""
        return f"expected a list{as_list}{but_given}"
    if kind in _NO_MAPPING and given == "":
        return "expected `key: value` lines below it, indented with blanks"
    if kind in _NO_MAPPING:
        as_in = f", as in `{path[0]}: {{{_SECTIONS[path[0]]}}}`" if path[0] in _SECTIONS else ""
        return f"expected `key: value` lines{as_in}{but_given}"
    message: str = error["msg"]
    return message[0].lower() + message[1:]


_SECTIONS: dict[str | int, str] = {
    "secret": "symbols: RGBY, length: 4",
    "guess": "words: large",
    "marks": "black: B, white: W",
    "names": "black: hit",
    "play": "attempts: 10",
}
"""An example of the contents of each key that holds keys."""


def _lies_meant(given: object) -> str:
    text = given.strip() if isinstance(given, str) else ""
    if text.isdecimal() and int(text) > 0:
        return (
            f"{text} of what? {{at_most: {text}}} is up to {counted(int(text), 'row')} of the "
            f"game, {{exactly: {text}}} is {counted(int(text), 'mark')} of every row"
        )
    chance = text if re.fullmatch(r"0?\.\d+|\d+(\.\d+)? ?%", text) else "0.1"
    return (
        f"expected {{at_most: 1}}, {{exactly: 1}} or {{chance: {chance}}}, not {text or 'a list'}"
    )


_ATTEMPTS = ("guesses", "limit", "max_attempts", "max_guesses", "rounds", "tries", "turn_limit")
"""What `play.attempts` is called elsewhere."""


def wrong_key(path: KeyPath, allowed: Sequence[str], value: object) -> str:
    """Return the message for a key not `allowed` in its section, with the right one if known."""
    section, key = path[:-1], str(path[-1])
    if _WIDE_COLON in key:
        plain = key.replace(_WIDE_COLON, ": ")
        return f"{_WIDE_COLON} is not a colon in YAML; write `{plain}`"
    if section in ((), ("play",)) and key.casefold() in _ATTEMPTS and str(value).isdecimal():
        return f"no such key; the number of guesses is written `play: {{attempts: {value}}}`"
    # `names` and `marks` have the same keys: neither is proposed in place of the other.
    same = ("marks",) if section == ("names",) else section
    others = [other for other in _KEYS if other not in (section, same)]
    elsewhere = {name: (*other, name) for other in reversed(others) for name in _KEYS[other]}
    if key in elsewhere and not get_close_matches(key.casefold(), allowed, n=1, cutoff=_NEAR):
        shown = value if isinstance(value, str) and len(value) < 30 else "..."
        if not elsewhere[key][1:]:
            return f"this key belongs at the top of the file: `{key}: {shown}`"
        where = elsewhere[key][0]
        return f"this key belongs under {where}: `{where}: {{{key}: {shown}}}`"
    hint = did_you_mean(key, allowed)
    if "did you mean" not in hint:
        if near := get_close_matches(key.casefold(), elsewhere, n=1, cutoff=_NEAR):
            hint = f"; did you mean {'.'.join(map(str, elsewhere[near[0]]))}?"
        elif value == "" and path[1:]:
            return "no such key; values with commas need brackets, as in [A, B]"
    return f"no such key{hint}"


_WRITTEN_LINES: dict[str | int, str] = {"turns": "row", "facts": "fact"}
"""What a line is, below each key that holds a list of lines that a player could type."""
_EXAMPLES: dict[str | int, str] = {"turns": "HORSE B_WR_", "facts": "contains E"}


def _line_meant(given: object, key: str | int) -> str:
    """Return the first line that a list or mapping was meant to be, or an example of a line."""
    if isinstance(given, dict) and given:
        given = tuple(next(iter(given.items())))
    words = given if isinstance(given, list | tuple) else [given]
    texts = [word for word in words if isinstance(word, str)]
    if key == "facts" and texts == given:
        return f'"[{",".join(texts)}]"'
    line = re.split(r"[,\n]", " ".join(texts))[0].strip()
    return line if line and len(line.split()) < 5 else _EXAMPLES[key]
