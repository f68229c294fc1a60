"""Makes a `Game` from a name, a path or a size; errors name the file, the line and the key.

The key `game` inherits everything from another game, so that a session is a game file too.
`find_document` finds the document of a game, `build` makes the game from it, and `load` does both.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from puzzlehunt.channel.model import PERFECT, Channel
from puzzlehunt.codes import words
from puzzlehunt.codes.alphabet import MOST_SYMBOLS, Alphabet, default_alphabet
from puzzlehunt.codes.files import path_written
from puzzlehunt.codes.graphemes import one_spelling
from puzzlehunt.codes.spaces import BoardSpace, CodeSpace
from puzzlehunt.errors import (
    GameFileError,
    PuzzlehuntError,
    RuleError,
    UnknownNameError,
    check_type,
    counted,
    did_you_mean,
    unknown_name,
)
from puzzlehunt.game.files.document import (
    Document,
    KeyPath,
    apply_settings,
    dump,
    read_file,
    set_option,
    written_settings,
)
from puzzlehunt.game.files.reads import channel_of
from puzzlehunt.game.files.schema import GameKeys, mark_names, validated, wrong_key
from puzzlehunt.game.files.secret_and_guess import alphabet_of, guesses_of, secrets_of
from puzzlehunt.game.files.trusted_files import check_named
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Item
from puzzlehunt.game.merging import merge
from puzzlehunt.game.play import SOLVERS, TREE_PREFIX, Play, names_code
from puzzlehunt.game.spec import HiddenRule
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.boards import BoardsRule
from puzzlehunt.rules.by_score import ScoreRule, UnknownRule
from puzzlehunt.rules.columns import ColumnsRule
from puzzlehunt.rules.rule_registry import find_rule, rule_in_file

_MOST_DIGITS = 9
"""In a game NxK with at most this many symbols, digits from 1 may be typed instead of letters. With
one more, the symbols are the digits from 0, and letters may be typed."""
_SIZE = re.compile(r"(\d{1,4})x(\d{1,4})")


# Finding games.


def built_in_games() -> dict[str, Path]:
    """Return a dict from the name of each built-in game to the path of its file."""
    return {file.stem: file for file in sorted(words.resource_folder("examples").glob("*.yaml"))}


def own_name(name: str, folder: Path | None = None) -> str:
    """Return the normal form of a built-in name or a size, such as `Wordle` or `4 X 6`.

    Any other name, and that of a file in a folder (by default the current one), is unchanged.
    """
    games, file = built_in_games(), _path_at(name, folder or Path())
    if name in games or is_size(name) or (file and file.is_file()):
        return name
    plain = "-".join(re.split(r"[\s_-]+", name.strip().casefold()))
    size = re.sub(r"\s*[x\N{MULTIPLICATION SIGN}]\s*", "x", name.strip().casefold())
    return plain if plain in games else size if is_size(size) else name


def _path_at(name: str, folder: Path) -> Path | None:
    """Return the path of a file or folder with a name; None if there is none."""
    try:
        path = folder / path_written(name)
        return path if path.exists() else None
    except (OSError, ValueError):
        return None


def is_game(name: str) -> bool:
    """Return whether a name is that of a built-in game, a size NxK, or a file."""
    own = own_name(name)
    file = _path_at(own, Path())
    return own in built_in_games() or is_size(own) or bool(file and file.is_file())


def is_size(name: str) -> bool:
    """Return whether a name is a size NxK."""
    return _SIZE.fullmatch(name) is not None


def yaml_of(name: str) -> str:
    """Return the YAML of a built-in game, or of a size such as 4x6. Raises UnknownNameError."""
    files, name = built_in_games(), own_name(name)
    if name in files:
        return files[name].read_text(encoding="utf-8")
    if size := _SIZE.fullmatch(name):
        return dump(_document_of_size(name, int(size[1]), int(size[2])).value, compact=True)
    raise unknown_name("game", name, files)


def path_of(name: str, folder: Path) -> Path | None:
    """Return the path of a game's file; None for a built-in game or a size."""
    name = own_name(name, folder)
    return None if name in built_in_games() or is_size(name) else _path_at(name, folder)


def find_document(
    name: str, folder: Path, heirs: tuple[str, ...] = (), played: Path | None = None
) -> Document:
    """Return the document of a built-in game, a file, or a size NxK, with all that it inherits.

    A file inherits only from files in its own folder, and from `played`, which the user named.
    `heirs` are the files that inherit from it. Raises UnknownNameError with the nearest name,
    GameFileError for a bad file.
    """
    name = own_name(name, folder)
    if size := _SIZE.fullmatch(name):
        return _document_of_size(name, int(size[1]), int(size[2]))
    path = built_in_games().get(name) or _path_at(name, folder)
    if path is not None:
        return inherited(read_file(path), heirs, played)
    if "\n" in name or ": " in name:
        begins = name.strip().splitlines()[0]
        raise GameFileError(f"{begins!r:.60} looks like the contents of a game file, not its name")
    names = [*built_in_games(), *sorted(file.name for file in folder.glob("*.yaml"))]
    raise UnknownNameError(
        f"no game {name!r}: neither built in, nor a file, nor a size such as 4x6"
        f"{did_you_mean(name, names)}"
    )


def inherited(
    document: Document, heirs: tuple[str, ...] = (), played: Path | None = None
) -> Document:
    """Return a document with all that it inherits, as `find_document` does for a file."""
    key: KeyPath = ("game",)
    parent = document.value.get("game")
    if parent is None:
        return document
    if not isinstance(parent, str) or not parent:
        raise document.error(key, "expected the name of a game")
    file = path_of(parent, document.folder(key))
    if file is not None and not (played is not None and file.samefile(played)):
        check_named(document, key, parent)
    source = document.origins[key][0]
    if len(heirs) >= 10 or source in heirs:
        raise document.error(key, "the game inherits from itself")
    # An error about a file names that file and its line itself.
    with document.blaming(key, *([] if file else [PuzzlehuntError])):
        base = find_document(parent, document.folder(key), (*heirs, source), played)
    return document.inherit(base)


def _document_of_size(name: str, length: int, symbols: int) -> Document:
    if not (1 <= length <= MOST_SYMBOLS and 1 <= symbols <= MOST_SYMBOLS):
        raise GameFileError(
            f"a size is 1 to {MOST_SYMBOLS} positions x 1 to {MOST_SYMBOLS} symbols", name
        )
    names = default_alphabet(symbols).symbols
    pairs = zip(names, map(str, range(1, symbols + 1)), strict=True)
    written = dict(pairs) if symbols <= _MOST_DIGITS else list(names)
    if symbols == _MOST_DIGITS + 1:
        written = dict(zip(map(str, range(symbols)), names, strict=True))
    secret = {"symbols": written, "length": str(length)}
    about = f"{counted(length, 'position')}, {counted(symbols, 'symbol')}"
    value = {"title": name, "about": about, "secret": secret, "rule": "pegs"}
    return Document(value, {(): (name, 0)}, {})


# Building the game.


def load(
    name: str | Path,
    settings: Mapping[str, object] | Sequence[str] = (),
    *,
    folder: Path | None = None,
) -> Game:
    """Return the game with a built-in name, a path or a size NxK.

    `settings` change keys of its file: a dict from keys to values, or texts `key=value`. A relative
    path starts at `folder` (default: the current folder). Raises GameFileError, UnknownNameError or
    WordListError, and TypeError for a name that is neither text nor a path.

    >>> import puzzlehunt
    >>> puzzlehunt.load("4x6")
    <Game '4x6': 1,296 secrets, 1,296 guesses, 0 played>
    >>> game = puzzlehunt.load("4x6", {"play.strategy": "minimax", "secret.distinct": True})
    >>> game.play.strategy, game.secrets.size
    ('minimax', 360)
    """
    check_type("game", name, str | Path, "a Game, its name, its file or a size such as 4x6")
    settings = written_settings(settings) if isinstance(settings, Mapping) else settings
    settings = [settings] if isinstance(settings, str) else settings
    for setting in settings:
        check_type("setting", setting, str, "a text such as 'play.attempts=8'")
    return build(apply_settings(find_document(str(name), folder or Path()), settings))


def as_game(game: Game | str | Path) -> Game:
    """Return a game unchanged, or load it by name, path or size. Raises what `load` raises."""
    return game if isinstance(game, Game) else load(game)


def build(document: Document) -> Game:
    """Return the game that a document describes. Raises GameFileError."""
    keys = validated(document)
    alphabet = alphabet_of(keys, document)
    secrets = secrets_of(keys, alphabet, document)
    guesses = guesses_of(keys, secrets, document)
    rule = _rule(keys, secrets, document)
    if not rule.short_guesses and guesses.lengths != secrets.lengths:
        raise document.error(
            ("guess", "length"), f"the rule {rule.name} needs guesses as long as the secret"
        )
    _check_questions(keys, secrets, guesses, document)
    _check_combinations(keys, rule, guesses, document)
    length = secrets.lengths[-1]
    if keys.boards is not None:
        secrets = BoardSpace(secrets, keys.boards)
        rule = BoardsRule(rule, keys.boards)
    channel, hidden = channel_of(keys, rule, document), None
    if keys.legend == "unknown":
        hidden = _hidden_rule(keys, rule, channel, document)
        rule, channel = UnknownRule(length, len(secrets.alphabet)), PERFECT
    game = Game(
        title=" ".join((keys.title or document.value.get("game", "")).split()) or "untitled",
        secrets=secrets,
        guesses=guesses,
        rule=rule,
        play=_play(keys, channel, document),
        cut_overlong=keys.guess.overlong == "cut",
        ignore_foreign=keys.guess.foreign == "ignore",
        formula=keys.secret.formula,
        hard=keys.hard,
        channel=channel,
        host=keys.host,
        gives=tuple(keys.gives),
        wider_games=partial(_wider, document, keys, alphabet, length),
        about=keys.about,
        source=keys.source,
        only_questions=keys.guess.only_questions,
        hidden=hidden,
    )
    if game.play.opening is not None:
        with document.blaming(("play", "opening"), PuzzlehuntError):
            game.parse_guess(game.play.opening)
    return _with_history(game, keys, document)


def _hidden_rule(keys: GameKeys, rule: Rule, channel: Channel, document: Document) -> HiddenRule:
    """Return what is known of the rule of a game with `legend: unknown`."""
    named = "rule" in document.value
    for is_given, key in (
        (keys.boards, "boards"),
        (keys.hard, "hard"),
        (keys.lies, "lies"),
        (keys.gives, "gives"),
        (keys.host != "truthful", "host"),
        (keys.guess.only_questions, "guess"),
        (named and rule.column_names, "rule"),
        (keys.reads is not None and not named, "reads"),
    ):
        if is_given:
            raise document.error((key,), "not with `legend: unknown`; leave one of them out")
    return HiddenRule(rule, channel.reads) if named else HiddenRule()


def _play(keys: GameKeys, channel: Channel, document: Document) -> Play:
    """Return the settings under `play:`, with a strategy where the file names none."""
    given, path = document.value.get("play", {}).get("strategy"), ("play", "strategy")
    strategy: str = given or ("book" if channel == PERFECT else "entropy")
    if strategy.startswith(TREE_PREFIX):
        strategy = f"{TREE_PREFIX}{check_named(document, path, strategy[len(TREE_PREFIX) :])}"
    elif names_code(strategy) and not document.is_option(path, "--strategy"):
        raise document.error(path, f"code is only loaded from --strategy {strategy}")
    return replace(keys.play, strategy=strategy)


def _check_questions(
    keys: GameKeys, secrets: CodeSpace, guesses: CodeSpace, document: Document
) -> None:
    """Raise GameFileError if guesses that are `only_questions` may be the secret after all."""
    if not keys.guess.only_questions:
        return
    path: KeyPath = ("guess", "only_questions")
    if keys.boards or keys.hard or keys.play.pool != "all":
        raise document.error(path, "questions go with no boards, hard or play.pool; leave one out")
    few, many = (guesses, secrets) if guesses.listed else (secrets, guesses)
    if secrets.listed or guesses.listed:
        both = next((code for code in few if code in many), None)
    else:
        both = next(iter(secrets)) if secrets.lengths[0] in guesses.lengths else None
    if both is not None:
        raise document.error(
            path, f"{secrets.alphabet.format(both)} may be guessed, and may be the secret"
        )


def _check_combinations(keys: GameKeys, rule: Rule, guesses: CodeSpace, document: Document) -> None:
    """Raise GameFileError for keys that do not go together."""
    engine, solver, gives = keys.play.engine, keys.play.solver, {*keys.gives}
    own_solver = solver in (None, *SOLVERS) or document.is_option(("play", "solver"))
    boards = keys.boards or 1
    guess_counts = {"row": guesses.size, "letters": len(guesses.alphabet) ** guesses.lengths[-1]}
    few = any(gift in gives and count <= boards for gift, count in guess_counts.items())
    spoken_for = solver is not None and engine not in ("auto", "symbolic")
    is_hostile = boards > 1 and keys.host != "truthful"
    not_numbers = guesses.alphabet.symbol_values is None
    for is_wrong, key, problem in (
        (boards > 1 and rule.only_listed, "boards", f"the rule {rule.name} is for one secret"),
        (
            not own_solver,
            "play.solver",
            f"a file names {' or '.join(SOLVERS)}; name others by --set",
        ),
        (spoken_for, "play.solver", f"the {engine} engine asks no solver; leave one out"),
        (boards > 1 and keys.hard, "hard", "hard mode is for games of one secret"),
        (keys.hard and keys.lies, "hard", "hard mode is for games that do not lie"),
        (guesses.alphabet.names_codes and gives - {"row"}, "gives", "a table gives only a row"),
        (few, "gives", "there is no row to give that is not the secret"),
        (boards > 1 and gives & {"sum", "first"}, "gives", "several boards give only a row"),
        ("sum" in gives and not_numbers, "gives", "a sum needs symbols that are numbers"),
        (is_hostile, "host", "an adversarial host plays on one board"),
    ):
        if is_wrong:
            raise document.error(tuple(key.split(".")), problem)


def with_words(document: Document, option: str, name: str, length: int) -> Document:
    """Return the document without history, with secrets from the word list called `name`.

    `option` is only the name of the setting in error messages.
    """
    document = document.without_rows()
    # Words in the file itself need no length; a list has words of many lengths.
    document.value["secret"] = {"length": str(length), **document.value["secret"]}
    return set_option(document, option, ("secret", "words"), name)


def _wider(
    document: Document, keys: GameKeys, alphabet: Alphabet, length: int
) -> Iterator[tuple[str, Game]]:
    """Yield the names of wider word lists for the secrets, narrowest first, each with its game."""
    secret_list, own = keys.secret.words, keys.guess.words
    if secret_list is None:
        return
    names = list[str]()
    if keys.secret.alphabet in (None, "english") and {*alphabet} <= {*default_alphabet(26)}:
        names = words.wider_lists(secret_list if isinstance(secret_list, str) else "")
    if isinstance(own, str) and own not in (secret_list, *words.LEVELS):
        if own not in words.built_in_lists():
            own = str(document.folder(("guess", "words")) / path_written(own))
        names = [own, *names]
    for name in names:
        with suppress(GameFileError):
            yield name, build(with_words(document, "--words", name, length))


def _rule(keys: GameKeys, secrets: CodeSpace, document: Document) -> Rule:
    options = {"name": keys.rule} if isinstance(keys.rule, str) else dict(keys.rule)
    name = options.pop("name", "")
    if not isinstance(name, str) or not name:
        raise document.error(("rule",), "the rule has no name; write rule: pegs")
    is_option = document.is_option(("rule",), "--rule")
    runs_code = ".py:" in name
    if runs_code and not is_option:
        raise document.error(("rule",), f"code is only loaded from --rule {name}")
    with document.blaming(("rule",), PuzzlehuntError):
        rule = rule_in_file(name) if runs_code else find_rule(name)
    marks, names = keys.marks, keys.names
    if is_option:
        # The marks and names in a file are those of its own rule.
        marks = {key: marks[key] for key in marks if key in mark_names(rule)}
        names = {key: names[key] for key in names if key in rule.kind_names}
    _check_keys("rule", options, rule.option_names, rule, document)
    _check_keys("marks", marks, mark_names(rule), rule, document)
    _check_keys("names", names, rule.kind_names, rule, document)
    for key, label in names.items():
        if not re.fullmatch(r"[^\W\d_]+", label):
            raise document.error(("names", key), f"expected one word of letters, not {label!r}")
    if rule.compares_symbols and keys.guess.foreign == "ignore":
        raise document.error(
            ("guess", "foreign"), f"the rule {name} compares symbols; an unknown one has no place"
        )
    if isinstance(rule, ScoreRule):
        return rule
    try:
        made = rule(
            secrets.lengths[0],
            len(secrets.alphabet),
            repeats=_most_repeats(secrets),
            options=options,
            alphabet=secrets.alphabet.symbols,
            marks={kind: one_spelling(mark) for kind, mark in marks.items()},
            names=names,
        )
        return made.for_codes(secrets, secrets) if isinstance(made, ColumnsRule) else made
    except (ValueError, RuleError) as error:
        raise _rule_error(str(error), marks, names, document) from None


def _rule_error(
    problem: str, marks: Mapping[str, str], names: Mapping[str, str], document: Document
) -> GameFileError:
    """Return an error about the mark or name that a problem with the rule cites, or the rule."""
    for section, given in (("marks", marks), ("names", names)):
        for key, text in reversed([*given.items()]):
            is_cited = repr(text).casefold() in problem.casefold()
            if is_cited or problem.endswith(f"rename {text}"):
                return document.error((section, key), problem)
    return document.error(("rule",), problem)


def _check_keys(
    section: str,
    given: Mapping[str, Any],
    allowed: Sequence[str],
    rule: type[Rule] | ScoreRule,
    document: Document,
) -> None:
    """Raise GameFileError for a key that a rule does not have, and for one with a mapping."""
    for key, value in given.items():
        if isinstance(value, dict) and rule is not ColumnsRule:
            problem = "expected one word or text, not a mapping; a text with brackets needs quotes"
            raise document.error((section, key), problem)
        if key not in allowed:
            raise document.error((section, key), wrong_key((section, key), allowed))


def _most_repeats(secrets: CodeSpace) -> int:
    """Return the most times that one symbol can occur in a secret; for words, an upper bound."""
    if secrets.free or secrets.alphabet.names_codes:
        return 1 if secrets.distinct else secrets.lengths[0]
    return secrets.lengths[0] - min(map(len, map(set, secrets))) + 1


def _with_history(game: Game, keys: GameKeys, document: Document) -> Game:
    items: list[Item] = []
    for key, texts, read in (
        ("facts", keys.facts, game.parse_fact),
        ("turns", keys.turns, game.as_item),
    ):
        for i, text in enumerate(texts):
            with document.blaming((key, i), PuzzlehuntError):
                items.append(read(text))
    return replace(game, history=merge(game, History(), items).history)
