"""Game files: YAML to a `Game` and back, with errors that name file, line and key.

Scalars are read as written, never through YAML's own types. `game:` inherits everything from
another game, so that a session is a game file too.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from puzzlehunt import words
from puzzlehunt.codes import MOST, Alphabet, CodeSpace, SymbolSpace, WordSpace, letters
from puzzlehunt.document import Document, Place, apply_settings, dump, read_file
from puzzlehunt.errors import (
    GameFileError,
    PuzzlehuntError,
    UnknownNameError,
    WordListError,
    did_you_mean,
)
from puzzlehunt.game import EngineName, Game, Play, Pool, Ties
from puzzlehunt.history import Fact, History, Turn
from puzzlehunt.rules import find_rule

RESERVED = ("reads", "show", "boards", "lies", "hard", "host", "formula")

_FACT = "/fact "
"""Begins a fact among the turns: one that became known between two of them."""

_MOST_INHERITED = 10
_SIZE = re.compile(r"(\d{1,4})x(\d{1,4})")
_LENGTHS = re.compile(r"(\d{1,4})(?:\s*(?:-|to)\s*(\d{1,4}))?")


# The keys. A model's fields are what the format knows; see `_why` for its error messages.


class _Keys(BaseModel):
    model_config = ConfigDict(extra="forbid")


class SpaceKeys(_Keys):
    """The keys of `secret`."""

    words: str | list[str] | None = None
    symbols: str | list[str] | dict[str, str | list[str]] | None = None
    length: str | None = None
    distinct: bool | None = None


class GuessKeys(SpaceKeys):
    """The keys of `guess`; what it omits is the secret's."""

    also: dict[str, str] = Field(default_factory=dict)
    overlong: Literal["cut", "refuse"] = "refuse"
    foreign: Literal["ignore", "refuse"] = "refuse"


class PlayKeys(_Keys):
    """The keys of `play`."""

    attempts: int | None = Field(default=None, ge=1)
    strategy: str = "entropy"
    engine: EngineName = "auto"
    pool: Pool = "all"
    ties: Ties = "candidate"
    opening: str | None = None
    seed: int = Field(default=0, ge=0)
    budget: float = Field(default=1.0, gt=0, allow_inf_nan=False)


class GameKeys(_Keys):
    """The keys of a whole game file."""

    title: str = ""
    about: str = ""
    source: str = ""
    game: str | None = None
    secret: SpaceKeys = Field(default_factory=SpaceKeys)
    guess: GuessKeys = Field(default_factory=GuessKeys)
    rule: str = "pegs"
    marks: dict[str, str] = Field(default_factory=dict)
    names: dict[str, str] = Field(default_factory=dict)
    play: PlayKeys = Field(default_factory=PlayKeys)
    facts: list[str] = Field(default_factory=list)
    turns: list[str] = Field(default_factory=list)


# Finding games.


def built_in_games() -> dict[str, Path]:
    """Return the files of the built-in games by name."""
    return {p.stem: p for p in sorted(words.resource_folder("examples").glob("*.yaml"))}


def find_document(name: str, folder: Path) -> Document:
    """Return what a name stands for: a built-in game, a file, or NxK; with all it inherits.

    Raises UnknownNameError with the nearest built-in name, GameFileError for a bad file.
    """
    return _find(name, folder, ())


def _find(name: str, folder: Path, above: tuple[str, ...]) -> Document:
    built_in = built_in_games().get(name)
    if built_in is not None:
        document = read_file(built_in)
    elif size := _SIZE.fullmatch(name):
        return _sized(name, int(size[1]), int(size[2]))
    else:
        try:
            path = folder / Path(name).expanduser()
            exists = path.exists()
        except (OSError, RuntimeError, ValueError):
            exists = False
        if not exists:
            raise UnknownNameError(
                f"no game {name!r}: neither built in, nor a file, nor a size such as 4x6"
                f"{did_you_mean(name, built_in_games())}"
            )
        document = read_file(path)
    parent = document.value.get("game")
    if parent is None:
        return document
    if not isinstance(parent, str):
        raise document.error(("game",), "expected the name of a game")
    source = document.places[("game",)][0]
    if len(above) >= _MOST_INHERITED or source in above:
        raise document.error(("game",), "the game inherits from itself")
    try:
        base = _find(parent, document.folder(("game",)), (*above, source))
    except UnknownNameError as error:
        raise document.error(("game",), str(error)) from None
    return document.inherit(base)


def _sized(name: str, length: int, symbols: int) -> Document:
    if not (1 <= length <= MOST and 1 <= symbols <= MOST):
        raise GameFileError(f"{name}: a size is 1 to {MOST} positions x 1 to {MOST} symbols")
    alphabet = letters(symbols)
    secret = {"symbols": list(alphabet.symbols), "length": str(length)}
    about = f"{length} positions, {symbols} symbols"
    value = {"title": name, "about": about, "secret": secret, "rule": "pegs"}
    return Document(value, {(): (name, 0)}, {})


# Building the game.


def load(name: str, settings: Sequence[str] = (), folder: Path | None = None) -> Game:
    """Return the game that a name, a path or a size stands for.

    `settings` are `key=value` changes. Raises GameFileError, UnknownNameError, WordListError.
    """
    return build(apply_settings(find_document(name, folder or Path()), settings))


def build(document: Document) -> Game:
    """Return the game that a document describes. Raises GameFileError."""
    keys = _validate(document)
    alphabet = _alphabet(keys, document)
    secrets = _secrets(keys, alphabet, document)
    guesses = _guesses(keys, secrets, document)
    game = Game(
        title=keys.title or document.value.get("game", "") or "untitled",
        secrets=secrets,
        guesses=guesses,
        rule=_rule(keys, secrets, document),
        play=Play(**keys.play.model_dump()),
        cut=keys.guess.overlong == "cut",
        foreign=keys.guess.foreign == "ignore",
        about=keys.about,
        source=keys.source,
    )
    _check_opening(game, document)
    return _with_history(game, keys, document)


def _validate(document: Document) -> GameKeys:
    for key in RESERVED:
        if key in document.value:
            raise document.error((key,), "this key is reserved and not built yet; leave it out")
    try:
        return GameKeys.model_validate(document.value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=True)[0]
        path = _known_path(first["loc"], document.value)
        raise document.error(path, _why(first, path)) from None


def _known_path(loc: tuple[str | int, ...], value: Any) -> Place:
    """Return the part of pydantic's location that stands in the document."""
    path: list[str | int] = []
    for part in loc:
        inside = range(len(value)) if isinstance(value, list) else value
        if isinstance(inside, dict | range) and part in inside:
            value = value[part]
            path.append(part)
    return tuple(path)


_MODELS: dict[Place, type[_Keys]] = {
    (): GameKeys,
    ("secret",): SpaceKeys,
    ("guess",): GuessKeys,
    ("play",): PlayKeys,
}


def _why(error: Any, path: Place) -> str:
    given = error["input"]
    shown = f", not {given!r}" if isinstance(given, str) else ", not a list or a mapping"
    match error["type"]:
        case "extra_forbidden":
            return f"no such key{did_you_mean(str(path[-1]), _MODELS[path[:-1]].model_fields)}"
        case "string_type" if path[:1] == ("turns",):
            return "expected a turn, as in HORSE B_WR_; put it between quotes"
        case "string_type":
            return f"expected one word or text{'' if isinstance(given, str) else shown}"
        case "bool_parsing" | "bool_type":
            return f"expected true or false{shown}"
        case "int_parsing" | "int_type" | "int_parsing_size":
            return f"expected a whole number{shown}"
        case "float_parsing" | "float_type" | "finite_number":
            return f"expected a number{shown}"
        case "literal_error":
            expected = error["ctx"]["expected"].replace("'", "")
            return f"expected {expected}{shown}"
        case "greater_than_equal" | "greater_than":
            least = error["ctx"].get("ge", error["ctx"].get("gt"))
            than = "at least" if "ge" in error["ctx"] else "more than"
            return f"expected {than} {least:g}{shown}"
        case "list_type":
            return f"expected a list{shown}"
        case "model_type" | "model_attributes_type" | "dict_type":
            return f"expected `key: value` lines{shown}"
    message: str = error["msg"]
    return message[0].lower() + message[1:]


def _alphabet(keys: GameKeys, document: Document) -> Alphabet:
    symbols = keys.secret.symbols
    path: Place = ("secret", "symbols")
    aliases: dict[str, str] = {}
    if symbols is None:
        if keys.secret.words is None:
            raise document.error(
                ("secret",) if "secret" in document.value else (),
                "a game needs secret.words, or secret.symbols and secret.length",
            )
        names = list(letters(26).symbols)
    elif isinstance(symbols, dict):
        names = list(symbols)
        for symbol, others in symbols.items():
            for alias in [others] if isinstance(others, str) else others:
                if aliases.setdefault(alias, symbol) != symbol:
                    raise document.error(path, f"{alias!r} stands for two symbols")
    else:
        names = list(symbols)
    if len(names) > MOST:
        raise document.error(path, f"{len(names)} symbols are too many; at most {MOST}")
    try:
        return Alphabet(tuple(names), {a: s for a, s in aliases.items() if a and a not in names})
    except ValueError as error:
        raise document.error(path, str(error)) from None


def _lengths(text: str | None, path: Place, document: Document, least: int) -> range | None:
    if text is None:
        return None
    match = _LENGTHS.fullmatch(text.strip())
    if not match:
        raise document.error(path, f"expected a length such as 5, or 0-5, not {text!r}")
    low, high = int(match[1]), int(match[2] or match[1])
    if not least <= low <= high <= MOST:
        raise document.error(path, f"expected lengths from {least} to {MOST}, not {text!r}")
    return range(low, high + 1)


def _words(
    listed: str | list[str],
    alphabet: Alphabet,
    lengths: range | None,
    distinct: bool,
    path: Place,
    document: Document,
) -> WordSpace:
    try:
        if isinstance(listed, str):
            file = words.find(listed, document.folder(path))
            return words.space(words.read(file), alphabet, lengths, distinct, listed)
        found = words.from_texts(listed, "the list")
        return words.space(found, alphabet, lengths, distinct, "the list")
    except WordListError as error:
        raise document.error(path, str(error)) from None


def _secrets(keys: GameKeys, alphabet: Alphabet, document: Document) -> CodeSpace:
    lengths = _lengths(keys.secret.length, ("secret", "length"), document, 1)
    if lengths is not None and len(lengths) != 1:
        raise document.error(("secret", "length"), "a secret has one length")
    distinct = bool(keys.secret.distinct)
    if keys.secret.words is not None:
        path: Place = ("secret", "words")
        space = _words(keys.secret.words, alphabet, lengths, distinct, path, document)
        if len(space.lengths) != 1:
            raise document.error(
                path,
                f"its words have {space.lengths[0]} to {space.lengths[-1]} letters; "
                "say which with secret.length",
            )
        return space
    if lengths is None:
        raise document.error(("secret",), "secret.length is missing")
    try:
        return SymbolSpace(alphabet, lengths, distinct)
    except ValueError as error:
        raise document.error(("secret", "length"), str(error)) from None


def _guesses(keys: GameKeys, secrets: CodeSpace, document: Document) -> CodeSpace:
    given = keys.guess
    if given.symbols is not None:
        raise document.error(
            ("guess", "symbols"), "guesses are written with the secret's symbols; leave it out"
        )
    alphabet = _guess_alphabet(given, secrets.alphabet, document)
    lengths = _lengths(given.length, ("guess", "length"), document, 0) or secrets.lengths
    if lengths[-1] > secrets.lengths[-1]:
        longest = secrets.lengths[-1]
        raise document.error(
            ("guess", "length"), f"a guess has at most the secret's {longest} symbols"
        )
    distinct = bool(keys.secret.distinct if given.distinct is None else given.distinct)
    if given.words is not None:
        listed = _words(given.words, alphabet, lengths, distinct, ("guess", "words"), document)
        codes = dict.fromkeys(secrets, 1.0) if isinstance(secrets, WordSpace) else {}
        every = codes | dict(listed.weights)
        return WordSpace(alphabet, {c: every[c] for c in sorted(every, key=lambda c: (len(c), c))})
    if isinstance(secrets, WordSpace):
        if given.length is None and given.distinct is None:
            return WordSpace(alphabet, secrets.weights)
        same = keys.secret.words or []
        return _words(same, alphabet, lengths, distinct, ("secret", "words"), document)
    try:
        return SymbolSpace(alphabet, lengths, distinct)
    except ValueError as error:
        raise document.error(("guess", "length"), str(error)) from None


def _guess_alphabet(given: GuessKeys, alphabet: Alphabet, document: Document) -> Alphabet:
    if not given.also:
        return alphabet
    for alias, symbol in given.also.items():
        if alphabet.number(symbol) is None:
            raise document.error(("guess", "also", alias), f"{symbol!r} is no symbol of this game")
    also = {a: alphabet.symbols[alphabet.number(s) or 0] for a, s in given.also.items()}
    try:
        return Alphabet(alphabet.symbols, dict(alphabet.aliases) | also)
    except ValueError as error:
        raise document.error(("guess", "also"), str(error)) from None


def _rule(keys: GameKeys, secrets: CodeSpace, document: Document) -> Any:
    try:
        rule = find_rule(keys.rule)
    except UnknownNameError as error:
        raise document.error(("rule",), str(error)) from None
    for group in ("marks", "names"):
        for key in getattr(keys, group):
            known = rule.mark_names if group == "marks" else rule.kind_names
            if key not in known:
                raise document.error((group, key), f"no such key{did_you_mean(key, known)}")
    for key, label in keys.names.items():
        if not re.fullmatch(r"[^\W\d_]+", label):
            raise document.error(("names", key), f"expected one word of letters, not {label!r}")
    try:
        return rule(
            secrets.lengths[0],
            len(secrets.alphabet),
            repeats=_most_repeats(secrets),
            marks=keys.marks,
            names=keys.names,
        )
    except ValueError as error:
        raise document.error(("marks",) if keys.marks else ("names",), str(error)) from None


def _most_repeats(secrets: CodeSpace) -> int:
    """Return the most times that one symbol can occur in a secret; for words, at most so many."""
    if isinstance(secrets, SymbolSpace):
        return 1 if secrets.distinct else secrets.lengths[0]
    return max(len(code) - len(set(code)) for code in secrets) + 1


def _check_opening(game: Game, document: Document) -> None:
    if game.play.opening is not None:
        try:
            game.parse_guess(game.play.opening)
        except PuzzlehuntError as error:
            raise document.error(("play", "opening"), str(error)) from None


def _with_history(game: Game, keys: GameKeys, document: Document) -> Game:
    history = History()
    for i, text in enumerate(keys.facts):
        try:
            history = history.add(game.parse_fact(text))
        except PuzzlehuntError as error:
            raise document.error(("facts", i), str(error)) from None
    for i, line in enumerate(keys.turns):
        try:
            if line.startswith(_FACT):
                history = history.add(game.parse_fact(line.removeprefix(_FACT)))
            else:
                history = history.add(game.parse_turn(line))
        except PuzzlehuntError as error:
            raise document.error(("turns", i), str(error)) from None
    return replace(game, history=history)


# Writing.


def rows(game: Game, history: History) -> dict[str, list[str]]:
    """Return what is known as `facts`, which stand first, and `turns` with later facts between."""
    items = list(history)
    first = next((i for i, item in enumerate(items) if isinstance(item, Turn)), len(items))
    return {
        "facts": [item.text for item in items[:first] if isinstance(item, Fact)],
        "turns": [
            _FACT + item.text if isinstance(item, Fact) else game.format_turn(item)
            for item in items[first:]
        ],
    }


def commented(title: str, secret: Mapping[str, str], distinct: bool, miss: str) -> str:
    """Return a commented game file for the rule `pegs`."""
    keys = dict(secret) | ({"distinct": "true"} if distinct else {})
    marks = {"black": "B", "white": "W", **({"miss": miss} if miss else {}), "unknown": "_"}
    left_out = "was not read" if miss else "is a miss"
    return (
        f"{dump({'title': title})}"
        "# What is guessed: words of a list, or symbols and a length; distinct: no symbol twice.\n"
        f"{dump({'secret': keys})}"
        "# What may be guessed, where it is not the same, for instance {words: large}.\n"
        "# guess: {words: large}\n"
        "# pegs: black for the right symbol in the right place, white for one elsewhere.\n"
        "rule: pegs\n"
        f"# How marks are written. A mark left out {left_out}; unknown is one nobody could read.\n"
        f"{dump({'marks': marks})}"
        "# What is known already, and the rows so far.\n"
        "facts: []\n"
        "turns: []\n"
    )
