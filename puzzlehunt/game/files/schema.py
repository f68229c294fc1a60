"""The keys of a game file, their types and defaults, and the messages for wrong ones."""

from contextlib import suppress
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from puzzlehunt.errors import did_you_mean
from puzzlehunt.game.files.document import Document, KeyPath
from puzzlehunt.game.game import Gift, HostName
from puzzlehunt.game.play import EngineName, Play, Pool, Ties

RESERVED = ("show",)
"""Keys that are kept for later versions and refused by this one."""
MOST_BOARDS = 32
"""The most boards of a game, or secrets on one board."""
_DEFAULTS = Play()
"""The defaults of the keys under `play:`, but for the strategy, whose default is the rule's."""


class _Keys(BaseModel):
    model_config = ConfigDict(extra="forbid")


class SpaceKeys(_Keys):
    """The keys of `secret`."""

    words: str | list[str] | None = None
    formula: str | None = None
    pairs: list[str] | None = None
    symbols: str | list[str] | dict[str, str | list[str]] | None = None
    alphabet: str | None = None
    length: str | None = None
    distinct: bool | None = None


class GuessKeys(SpaceKeys):
    """The keys of `guess`; a key that is left out has the value it has under `secret`."""

    also: dict[str, str] = Field(default_factory=dict)
    overlong: Literal["cut", "refuse"] = "refuse"
    foreign: Literal["ignore", "refuse"] = "refuse"


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

    `count`: how many secrets there are. `merged`: they share one board. `disjoint`: secrets that
    share a board have no symbol in common.
    """

    count: int = Field(ge=2, le=MOST_BOARDS)
    merged: bool = False
    disjoint: bool = True


def _without_percent(given: object) -> object:
    """Return `5 %` as the text `0.05`; anything else as it is."""
    if isinstance(given, str) and given.strip().endswith("%"):
        number = given.strip().removesuffix("%").strip()
        with suppress(ValueError):
            return str(float(number) / 100)
    return given


class LieKeys(_Keys):
    """The keys of `lies`, of which a game has one.

    `exactly`: false marks in each turn. `at_most`: lying turns in a game. `chance`: the probability
    that a turn lies.
    """

    exactly: int | None = Field(default=None, ge=1)
    at_most: int | None = Field(default=None, ge=1)
    chance: Annotated[float, BeforeValidator(_without_percent)] | None = Field(
        default=None, gt=0, lt=1, allow_inf_nan=False
    )


class GameKeys(_Keys):
    """The keys of a whole game file."""

    title: str = ""
    about: str = ""
    source: str = ""
    game: str | None = None
    secret: SpaceKeys = Field(default_factory=SpaceKeys)
    guess: GuessKeys = Field(default_factory=GuessKeys)
    rule: str | dict[str, str | list[str]] = "pegs"
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


_NO_LIES = ("off", "none", "")
"""Texts under `lies:` that turn off the lies of an inherited game."""


def validated(document: Document) -> GameKeys:
    """Return the keys of a document. Raises GameFileError for the first that is wrong."""
    for key in RESERVED:
        if key in document.value:
            raise document.error((key,), "this key is reserved and not built yet; leave it out")
    value = dict(document.value)
    if isinstance(value.get("boards"), str):
        value["boards"] = {"count": value["boards"]}
    if isinstance(value.get("lies"), str) and value["lies"].casefold() in _NO_LIES:
        del value["lies"]
    try:
        return GameKeys.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=True)[0]
        path = _document_path(first["loc"], document.value)
        raise document.error(path, _message(first, path)) from None


def _document_path(location: tuple[str | int, ...], value: Any) -> KeyPath:
    """Return pydantic's location of an error as a key path of the document `value`.

    A location has parts that are no keys of the document: names of types that pydantic tried, and
    missing keys. These are left out.
    """
    path: list[str | int] = []
    for part in location:
        keys = range(len(value)) if isinstance(value, list) else value
        if isinstance(keys, dict | range) and part in keys:
            value = value[part]
            path.append(part)
    return tuple(path)


_MODELS: dict[KeyPath, type[_Keys]] = {
    (): GameKeys,
    ("secret",): SpaceKeys,
    ("guess",): GuessKeys,
    ("play",): PlayKeys,
    ("boards",): BoardKeys,
    ("lies",): LieKeys,
}


def _message(error: Any, path: KeyPath) -> str:
    """Return the message for pydantic's error about the value at a path, in words of game files."""
    given = error["input"]
    kind = "a list" if isinstance(given, list) else "a mapping"
    but_given = f", not {given!r}" if isinstance(given, str) else f", not {kind}"
    match error["type"]:
        case "extra_forbidden":
            return f"no such key{did_you_mean(str(path[-1]), _MODELS[path[:-1]].model_fields)}"
        case _ if path[1:2] == ("symbols",):
            return "expected symbols, as in RGBY, 1-6, [red, green] or {R: red, G: green}"
        case "list_type" | "string_type" if path[0] in _WRITTEN_LINES:
            line = _line_meant(given, path[0])
            return f"write each {_WRITTEN_LINES[path[0]]} on a line of its own: `- {line}`"
        case "string_type":
            return f"expected one word or text{'' if isinstance(given, str) else but_given}"
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
            return f"expected a list{but_given}"
        case "model_type" | "model_attributes_type" | "dict_type" if given == "":
            return "expected `key: value` lines below it, indented with blanks"
        case "model_type" | "model_attributes_type" | "dict_type":
            return f"expected `key: value` lines{but_given}"
    message: str = error["msg"]
    return message[0].lower() + message[1:]


_WRITTEN_LINES: dict[str | int, str] = {"turns": "row", "facts": "fact"}
"""What a line is, below each key that holds a list of lines that a player could type."""
_EXAMPLES: dict[str | int, str] = {"turns": "HORSE B_WR_", "facts": "contains E"}


def _line_meant(given: object, key: str | int) -> str:
    """Return the first line that was meant by a list or mapping, or an example where none was."""
    if isinstance(given, dict) and given:
        given = list(next(iter(given.items())))
    words = given if isinstance(given, list) else [given]
    line = " ".join(word for word in words if isinstance(word, str))
    return line if line and len(line.split()) < 5 else _EXAMPLES[key]
