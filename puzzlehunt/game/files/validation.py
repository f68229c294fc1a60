"""A document held against the keys of a game file, with messages for what is wrong.

A message names the nearest key, the section where a key belongs, or how a value is written.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from difflib import get_close_matches
from typing import Any

from pydantic import BaseModel, ValidationError

from puzzlehunt.errors import counted, did_you_mean
from puzzlehunt.game.files.document import Document, KeyPath
from puzzlehunt.game.files.schema import (
    RESERVED,
    BoardKeys,
    GameKeys,
    GuessKeys,
    LieKeys,
    PlayKeys,
    SpaceKeys,
)
from puzzlehunt.rules.registry import BUILT_IN as RULES

_NO_LIES = ("off", "none", "")
"""Texts under `lies:` that turn off the lies of an inherited game."""
_OPENING_QUOTES, _CLOSING_QUOTES = "\u201c\u201e\u201f\u00ab\u2018\u201a", "\u201d\u00bb"
"""Quotes that are none in YAML, as word processors and phones write them."""
_WIDE_COLON = "\uff1a"
"""A colon as Chinese and Japanese keyboards write it."""
_NEAR = 0.8
"""Least similarity, from 0 to 1, of a key that is meant before one of the same name elsewhere."""
_FOR_PEOPLE = ("title", "about", "source", "turns")
"""Keys whose texts may begin and end with any sign; that of a row is passed over."""


def validated(document: Document) -> GameKeys:
    """Return the keys of a document. Raises GameFileError for the first that is wrong."""
    _check_quotes(document.value, (), document)
    for key in RESERVED:
        if key in document.value:
            raise document.error((key,), "this key is reserved and not built yet; leave it out")
    value = dict(document.value)
    if isinstance(value.get("boards"), str):
        value["boards"] = {"count": value["boards"]}
    if isinstance(value.get("lies"), str) and value["lies"].casefold() in _NO_LIES:
        del value["lies"]
    for key in _WRITTEN_LINES:
        if value.get(key) == "":
            del value[key]
    try:
        return GameKeys.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=True)[0]
        path = _document_path(first["loc"], document.value)
        raise document.error(path, _message(first, path)) from None


def _check_quotes(value: Any, path: KeyPath, document: Document) -> None:
    """Raise GameFileError for a key or a text between quotes that YAML takes for its letters."""
    if isinstance(value, str):
        begins, ends = (
            value.startswith(tuple(_OPENING_QUOTES)),
            value.endswith(tuple(_CLOSING_QUOTES)),
        )
        if len(value) > 1 and (begins or ends):
            plain = value.strip(f"{_OPENING_QUOTES}{_CLOSING_QUOTES}\u2019")
            problem = f'{value} stands in curly quotes, which belong to it; write "{plain}"'
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


_MODELS: dict[KeyPath, type[BaseModel]] = {
    (): GameKeys,
    ("secret",): SpaceKeys,
    ("guess",): GuessKeys,
    ("play",): PlayKeys,
    ("boards",): BoardKeys,
    ("lies",): LieKeys,
}


def _message(error: Any, path: KeyPath) -> str:
    given = error["input"]
    kind = "a list" if isinstance(given, list) else "a mapping"
    but_given = f", not {given!r}" if isinstance(given, str) else f", not {kind}"
    match error["type"]:
        case "extra_forbidden":
            return wrong_key(path, list(_MODELS[path[:-1]].model_fields), given)
        case "model_type" | "model_attributes_type" | "dict_type" if path == ("lies",):
            return _lies_meant(given)
        case _ if path[1:2] == ("symbols",):
            return "expected symbols, as in RGBY, 1-6, [red, green] or {R: red, G: green}"
        case "list_type" | "string_type" if path[0] in _WRITTEN_LINES:
            line = _line_meant(given, path[0])
            return f"write each {_WRITTEN_LINES[path[0]]} on a line of its own: `- {line}`"
        case "string_type" if isinstance(given, str):
            return "expected one word or text"
        case "string_type":
            return f"expected one word or text{but_given}; a text with brackets needs quotes"
        case "missing":
            return f"{error['loc'][-1]} is missing"
        case "bool_parsing" | "bool_type":
            return f"expected true or false{but_given}"
        case "int_parsing" | "int_type" | "int_parsing_size":
            return f"expected a whole number{but_given}"
        case "float_parsing" | "float_type" | "finite_number":
            return f"expected a number{but_given}"
        case "literal_error":
            expected = error["ctx"]["expected"].replace("'", "")
            return f"expected {expected}{but_given}"
        case "less_than_equal":
            return f"expected at most {error['ctx']['le']}{but_given}"
        case "less_than":
            return f"expected less than {error['ctx']['lt']:g}{but_given}"
        case "greater_than_equal" | "greater_than":
            least = error["ctx"].get("ge", error["ctx"].get("gt"))
            than = "at least" if "ge" in error["ctx"] else "more than"
            return f"expected {than} {least:g}{but_given}"
        case "list_type":
            as_list = f", as in [{given}]" if path == ("gives",) and isinstance(given, str) else ""
            return f"expected a list{as_list}{but_given}"
        case "model_type" | "model_attributes_type" | "dict_type" if given == "":
            return "expected `key: value` lines below it, indented with blanks"
        case "model_type" | "model_attributes_type" | "dict_type":
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
"""An example of what stands under each key that holds keys."""


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


_OTHER_KEYS: dict[str, tuple[str, ...]] = {
    "rule": tuple(dict.fromkeys(key for rule in RULES.values() for key in rule.option_names)),
    "marks": tuple(dict.fromkeys(key for rule in RULES.values() for key in rule.mark_names)),
    "reads": ("misread", "rest"),
}
"""Keys of the sections that no model describes."""


_ATTEMPTS = ("guesses", "limit", "max_attempts", "max_guesses", "rounds", "tries", "turn_limit")
"""What `play.attempts` is called elsewhere."""


def wrong_key(path: KeyPath, allowed: Sequence[str], value: object) -> str:
    """Return the message that a key is not allowed at a path, and where it belongs.

    `allowed` are the keys of its section, `value` is what was written there.
    """
    key = str(path[-1])
    if _WIDE_COLON in key:
        plain = key.replace(_WIDE_COLON, ": ")
        return f"{_WIDE_COLON} is no colon in YAML; write `{plain}`"
    if path[:-1] in ((), ("play",)) and key.casefold() in _ATTEMPTS and str(value).isdecimal():
        return f"no such key; how many guesses there are is `play: {{attempts: {value}}}`"
    places = [
        ".".join(map(str, (*section, key)))
        for section, keys in _other_sections(path[:-1])
        if key in keys
    ]
    if not places or get_close_matches(key.casefold(), allowed, n=1, cutoff=_NEAR):
        hint = _nearest_key(key, path[:-1], allowed)
        if value == "" and path[1:] and "did you mean" not in hint:
            return "no such key; values with commas stand in brackets, as in [A, B]"
        return f"no such key{hint}"
    section, _, _ = places[0].rpartition(".")
    shown = value if isinstance(value, str) and len(value) < 30 else "..."
    written = f"{section}: {{{key}: {shown}}}" if section else f"{key}: {shown}"
    where = f"belongs under {section}" if section else "belongs at the top of the file"
    return f"this key {where}: `{written}`"


def _other_sections(section: KeyPath) -> Iterator[tuple[KeyPath, Collection[str]]]:
    """Yield the key paths of all other sections, each with the keys that may stand there."""
    for path, model in _MODELS.items():
        if path != section:
            yield path, model.model_fields
    for name, keys in _OTHER_KEYS.items():
        if section != (name,) and (section, name) != (("names",), "marks"):
            yield (name,), keys


def _nearest_key(key: str, section: KeyPath, allowed: Sequence[str]) -> str:
    hint = did_you_mean(key, allowed)
    if "did you mean" in hint:
        return hint
    elsewhere = {
        name: ".".join(map(str, (*other, name)))
        for other, names in reversed([*_other_sections(section)])
        for name in names
    }
    near = get_close_matches(key.casefold(), elsewhere, n=1, cutoff=_NEAR)
    return f"; did you mean {elsewhere[near[0]]}?" if near else hint


_WRITTEN_LINES: dict[Any, str] = {"turns": "row", "facts": "fact"}
"""What a line is, below each key that holds a list of lines that a player could type."""
_EXAMPLES: dict[str | int, str] = {"turns": "HORSE B_WR_", "facts": "contains E"}


def _line_meant(given: object, key: str | int) -> str:
    """Return the first line that was meant by a list or mapping, or an example where none was."""
    if isinstance(given, dict) and given:
        given = tuple(next(iter(given.items())))
    words = given if isinstance(given, list | tuple) else [given]
    texts = [word for word in words if isinstance(word, str)]
    if key == "facts" and texts == given:
        return f'"[{",".join(texts)}]"'
    line = re.split(r"[,\n]", " ".join(texts))[0].strip()
    return line if line and len(line.split()) < 5 else _EXAMPLES[key]
