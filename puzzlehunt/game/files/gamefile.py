"""Makes a `Game` from a name, a path or a size; errors name the file, the line and the key.

The key `game` inherits everything from another game, so that a session is a game file too.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Protocol, TypeAlias, runtime_checkable

from puzzlehunt.channel.model import PERFECT, Channel
from puzzlehunt.codes import words
from puzzlehunt.codes.alphabet import Alphabet, default_alphabet, one_spelling
from puzzlehunt.codes.files import path_written
from puzzlehunt.codes.spaces import BoardSpace, CodeSpace
from puzzlehunt.errors import (
    GameFileError,
    PuzzlehuntError,
    RuleError,
    UnknownNameError,
    check_type,
    counted,
    did_you_mean,
)
from puzzlehunt.game.blocks import read_item
from puzzlehunt.game.files.codes_and_channel import Lists, channel_of, guesses_of, secrets_of
from puzzlehunt.game.files.document import (
    Document,
    dump,
    read_document,
    read_text,
    settings_document,
)
from puzzlehunt.game.files.schema import GameKeys, check_keys, validated
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import FACT, Fact, History, Rows
from puzzlehunt.game.merging import merge
from puzzlehunt.game.play import SOLVERS, TREE_PREFIX, Host, names_code
from puzzlehunt.game.turn_notation import format_item
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.boards import BoardsRule
from puzzlehunt.rules.by_score import ScoreRule, UnknownRule
from puzzlehunt.rules.columns import ColumnsRule
from puzzlehunt.rules.rule_registry import find_rule

_SIZE = re.compile(r"[1-9]\d{0,3}x[1-9]\d{0,3}")
_TEXT = re.compile(r"\n.*\S|^[a-z]+:\s")
"""What the text of a game file has, and a name has not: a second line, or a key at the start."""
_MOST_ANSWERS = 10_000
"""Most answers of all columns of a table of which one may be false."""


def built_in_games() -> dict[str, Path]:
    """Return a dict from the name of each built-in game to the path of its file."""
    return {file.stem: file for file in sorted(words.resource_folder("examples").glob("*.yaml"))}


def own_name(name: str) -> str:
    """Return the name of a built-in game or a size, written `Wordle` or `4 X 6`; "" for others."""
    plain = re.sub(r"[\s_-]+", "-", name.strip().casefold())
    size = re.sub("-?[x\N{MULTIPLICATION SIGN}]-?", "x", plain)
    return plain if plain in built_in_games() else size if _SIZE.fullmatch(size) else ""


def path_of(name: str, folder: Path = Path()) -> Path | None:
    """Return the path of a game's file; None for a built-in game, a size, or if there is none."""
    if own_name(name):
        return None
    try:
        path = folder / path_written(name)
        return path if path.exists() and not path.is_dir() else None
    except (OSError, ValueError):
        return None


def yaml_of(name: str, folder: Path = Path()) -> str:
    """Return the YAML of a built-in game, a file, or a size such as 4x6.

    Up to nine symbols of a size are letters or digits from 1; ten are digits from 0 or letters.
    Raises UnknownNameError, and GameFileError for a file that cannot be read.
    """
    files, own = built_in_games(), own_name(name)
    if path := files.get(own) or path_of(name, folder):
        return read_text(path)
    if not own:
        names = [*files, *sorted(file.name for file in folder.glob("*.yaml"))]
        problem = f"no game {name!r:.100}: neither built in, nor a file, nor a size such as 4x6"
        raise UnknownNameError(problem + did_you_mean(name, names))
    length, count = map(int, own.split("x"))
    letters = default_alphabet(count).symbols
    symbols: list[str] | dict[str, str] = list(letters)
    if count < 10:
        symbols = {letter: str(number) for number, letter in enumerate(letters, start=1)}
    elif count == 10:
        symbols = {str(number): letter for number, letter in enumerate(letters)}
    about = f"{counted(length, 'position')}, {counted(count, 'symbol')}"
    secret = {"symbols": symbols, "length": str(length)}
    return dump({"title": own, "about": about, "secret": secret, "rule": "pegs"}, flow=None)


def find_document(name: str, folder: Path, played: Path | None = None, heirs: int = 0) -> Document:
    """Return the document of a built-in game, a file, or a size NxK, with all that it inherits.

    A file inherits only from files in its own folder, and from `played`, which the user named.
    `heirs` is how many files inherit from it. Raises UnknownNameError or GameFileError.
    """
    path = path_of(name, folder) or Path(own_name(name) or name)
    return inherited(read_document(yaml_of(name, folder), str(path), path.parent), played, heirs)


def inherited(document: Document, played: Path | None = None, heirs: int = 0) -> Document:
    """Return a document with all that it inherits, as `find_document` does for a file."""
    if (parent := document.value.get("game")) is None:
        return document
    if not isinstance(parent, str) or not parent:
        raise document.error("game", "expected the name of a game")
    if heirs == 10:
        raise document.error("game", "the game inherits from itself, or from too many files")
    folder = document.origin("game").folder
    file = path_of(parent, folder)
    if file is not None and not (played is not None and file.samefile(played)):
        document.named_file("game", parent)
    with document.blaming("game", UnknownNameError):
        return document.inherit(find_document(parent, folder, played, heirs + 1))


@runtime_checkable
class Played(Protocol):
    """What has a game and its present rows, such as a session or an engine."""

    @property
    def game(self) -> Game:
        """The game, with the rows that it began with."""

    @property
    def history(self) -> History:
        """The present rows."""


GameText: TypeAlias = str | Path | Mapping[str, object]
"""What `load` takes: a name, a size, a path, the text of a game file, or a mapping of its keys."""
GameLike: TypeAlias = Game | Played | GameText
"""What stands for a game wherever one is asked about."""


def load(
    game: GameText, settings: Mapping[str, object] | Sequence[str] = (), *, rule: object = None
) -> Game:
    """Return the game with a built-in name, a path or a size NxK, or that of a game file's text.

    A text is a file's content if it has several lines, or begins with a key (`secret: ...`); a
    mapping has the file's keys. `settings` change keys: a dict from keys to values, or texts
    `key=value`. `rule` scores instead of the game's rule: a function `score(guess, secret)` of
    texts, a rule, its class or its name. Raises GameFileError, UnknownNameError, WordListError or
    RuleError, and TypeError for another type of game.

    >>> puzzlehunt.load("4x6")
    <Game '4x6': 1,296 secrets, 1,296 guesses, 0 played>
    >>> game = puzzlehunt.load("4x6", {"play.strategy": "minimax", "secret.distinct": True})
    >>> game.play.strategy, game.secrets.size
    ('minimax', 360)
    >>> puzzlehunt.load("2x2", rule=lambda guess, secret: guess[0] == secret[0]).score("AB", "AA")
    True
    """
    changes = settings_document(settings)
    if rule is not None:
        changes = changes.with_option("rule", "rule", find_rule(rule))
    return build(changes.inherit(document_of(game)))


def document_of(game: GameText) -> Document:
    """Return the document of a game that `load` takes."""
    check_type("game", game, str | Path | Mapping, "a Game, its name, its file, its text or keys")
    if isinstance(game, Path) or not is_text(game):
        return find_document(str(game), Path())
    text = game if isinstance(game, str) else dump(game)
    return inherited(read_document(text, "game", Path()))


def is_text(game: object) -> bool:
    """Return whether this is the text of a game file or a mapping of its keys, and no name."""
    return isinstance(game, Mapping) or (isinstance(game, str) and bool(_TEXT.search(game)))


def games() -> dict[str, str]:
    """Return the names of the built-in games, each with what it says about itself.

    >>> puzzlehunt.games()["fibble"]
    'a five-letter word in nine guesses, one tile of every row lies'
    """
    documents = {name: find_document(name, Path()) for name in built_in_games()}
    return {name: document.value.get("about", "") for name, document in documents.items()}


def as_game(game: GameLike, rows: Rows | None = None) -> Game:
    """Return a game with its rows, to which `rows` are added.

    It may be a session or an engine, whose present rows are its own, or what `load` takes. Rows may
    be lines; one whose guess is on the board completes its row. A `History` that begins with the
    game's own is the whole history. Raises what `load` and `Game.as_history` raise.
    """
    if isinstance(game, Played):
        game = replace(game.game, history=game.history)
    elif not isinstance(game, Game):
        game = load(game)
    if rows is None:
        return game
    own, given = game.history, game.as_history(rows)
    whole = isinstance(rows, History) and given.items[: len(own)] == own.items
    return replace(game, history=given if whole else merge(game, own, given).history)


def build(document: Document) -> Game:
    """Return the game that a document describes. Raises GameFileError."""
    keys = validated(document)
    lists = Lists(keys, document)
    secrets = secrets_of(keys, document, lists)
    guesses = guesses_of(keys, secrets, document, lists)
    rule = _rule(keys, secrets, document)
    for is_wrong, key, problem in _refusals(keys, rule, secrets, guesses, document):
        if is_wrong:
            raise document.error(key, problem)
    length = secrets.lengths[-1]
    if keys.boards is not None:
        secrets, rule = BoardSpace(secrets, keys.boards), BoardsRule(rule, keys.boards)
    channel = channel_of(keys, rule, document)
    if keys.legend == "unknown":
        unknown = UnknownRule(length, len(secrets.alphabet))
        if "rule" in document.value:
            unknown.meant, unknown.reads = rule, channel.reads
        rule, channel = unknown, PERFECT
    game = Game(
        title=" ".join((keys.title or document.value.get("game", "")).split()) or "untitled",
        secrets=secrets,
        guesses=guesses,
        rule=rule,
        play=replace(keys.play, strategy=_strategy(channel, document)),
        hard=keys.hard,
        channel=channel,
        host=Host(keys.host == "adversarial", tuple(keys.gives)),
        _wider=partial(_wider, document, keys, secrets.alphabet, length),
        about=keys.about,
    )
    if game.play.opening is not None:
        with document.blaming("play.opening", PuzzlehuntError):
            game.parse_guess(game.play.opening)
    items = []
    for section, start in (("facts", FACT), ("turns", "")):
        for number, text in enumerate(getattr(keys, section), start=1):
            with document.blaming(f"{section}.{number}", PuzzlehuntError):
                items.append(read_item(game, start + text))
    return replace(game, history=merge(game, History(), items).history)


def _refusals(
    keys: GameKeys, rule: Rule, secrets: CodeSpace, guesses: CodeSpace, document: Document
) -> Iterator[tuple[object, str, str]]:
    """Yield what does not go together: whether it is so here, the key, and the message."""
    guess, alphabet = keys.guess, guesses.alphabet
    problem = "a table needs rule: {name: columns, columns: {...}}, a kind for each column"
    yield alphabet.names_codes and not rule.column_names, "secret.table", problem
    is_short = not rule.short_guesses and guesses.lengths != secrets.lengths
    yield is_short, "guess.length", f"the rule {rule.name} needs guesses as long as the secret"
    problem = f"the rule {rule.name} compares symbols; an unknown one has no place"
    yield rule.compares_symbols and guess.foreign == "ignore", "guess.foreign", problem

    several, problem = len(secrets.lengths) > 1, "this needs secrets of one length"
    yield several and not rule.several_lengths, "rule", problem
    yield several and keys.legend == "unknown", "legend", problem
    yield several and keys.boards, "boards", problem
    yield several and keys.lies, "lies", problem
    yield several and "first" in keys.gives, "gives", problem
    yield several and rule.positional and keys.reads, "reads", problem

    if guess.only_questions:
        both = secrets.common_code(guesses)
        problem = f"{secrets.alphabet.format(both or ())} may be guessed, and may be the secret"
        yield both is not None, "guess.only_questions", problem

    is_any = keys.legend == "unknown" and "rule" not in document.value
    yield is_any and keys.reads, "reads", "not with `legend: unknown` without a rule"
    yield keys.boards and rule.only_listed, "boards", f"the rule {rule.name} is for one secret"
    is_known = keys.play.solver in (None, *SOLVERS) or document.is_option("play.solver")
    problem = f"a file names {' or '.join(SOLVERS)}; name others yourself"
    yield not is_known, "play.solver", problem
    is_unasked = keys.play.solver and keys.play.engine not in ("auto", "symbolic")
    yield is_unasked, "play.solver", f"the {keys.play.engine} engine asks no solver; leave one out"
    counts = {"row": guesses.size, "letters": len(alphabet) ** guesses.lengths[-1]}
    is_few = any(counts.get(gift) == 1 for gift in keys.gives)
    yield is_few, "gives", "there is no row to give that is not the secret"
    no_numbers = "sum" in keys.gives and alphabet.symbol_values is None
    yield no_numbers, "gives", "a sum needs symbols that are numbers"

    most = rule.length if rule.positional else 0  # marks of a row that may be false
    if isinstance(rule, ColumnsRule):
        most = int(sum(rule.feedbacks.sizes) <= _MOST_ANSWERS)
    problem = f"at most {counted(most, 'mark')} of a row may be false; at_most is for rows"
    yield keys.lies and keys.lies.exactly > most, "lies.exactly", problem


def _strategy(channel: Channel, document: Document) -> str:
    path = "play.strategy"
    default = "book" if channel == PERFECT else "entropy"
    strategy = document.value.get("play", {}).get("strategy") or default
    if strategy.startswith(TREE_PREFIX):
        return f"{TREE_PREFIX}{document.named_file(path, strategy[len(TREE_PREFIX) :])}"
    if names_code(strategy) and not document.is_option(path, "--strategy"):
        raise document.error(path, f"a file loads no code; name the strategy yourself: {strategy}")
    return strategy


def with_words(document: Document, option: str, name: str, length: int) -> Document:
    """Return the document without history, with secrets from the word list called `name`.

    `option` is only the name of the setting in error messages.
    """
    document = document.without_rows()
    # Words in the file itself need no length; a list has words of many lengths.
    document.value["secret"] = {"length": str(length), **document.value["secret"]}
    return Document({}).with_option(option, "secret.words", name).inherit(document)


def wider_games(game: Game) -> Iterable[tuple[str, Game]]:
    """Return pairs of the name of a wider word list and a game with that list, narrowest first."""
    return game._wider()


def _wider(
    document: Document, keys: GameKeys, alphabet: Alphabet, length: int
) -> Iterator[tuple[str, Game]]:
    """Yield the names of wider word lists for the secrets, narrowest first, each with its game."""
    listed, is_english = keys.secret.words, keys.secret.alphabet in (None, "english")
    if listed is None or not (is_english and {*alphabet} <= {*default_alphabet(26)}):
        return
    for name in words.wider_lists(listed if isinstance(listed, str) else ""):
        with suppress(GameFileError):
            yield name, build(with_words(document, "", name, length))


def _rule(keys: GameKeys, secrets: CodeSpace, document: Document) -> Rule:
    options = dict(keys.rule) if isinstance(keys.rule, dict) else {"name": keys.rule}
    named = options.pop("name", "")
    if not named or isinstance(named, list | dict):
        raise document.error("rule", "the rule has no name; write rule: pegs")
    is_option = document.is_option("rule", "--rule") or not isinstance(named, str)
    if not is_option and ".py:" in named:
        raise document.error("rule", f"a file loads no code; name the rule yourself: {named}")
    with document.blaming("rule", PuzzlehuntError):
        rule = find_rule(named)
    check_keys("rule", options, rule.option_names, document)
    of_marks = (*rule.kind_names, *["unknown"] * bool(rule.kind_names))
    given = {"names": keys.names, "marks": keys.marks}
    for section, known in (("names", rule.kind_names), ("marks", of_marks)):
        if is_option:  # the marks and names in a file are those of its own rule
            own = [k for k in given[section] if k in known or document.is_option(f"{section}.{k}")]
            given[section] = {key: given[section][key] for key in own}
        check_keys(section, given[section], known, document)
    for key, label in given["names"].items():
        if not re.fullmatch(r"[^\W\d_]+(/[^\W\d_]+)?", label):
            problem = f"expected a word of letters, or word/plural, not {label!r}"
            raise document.error(f"names.{key}", problem)
    if isinstance(rule, Rule):
        fits = (rule.lengths, rule.symbols) == (secrets.lengths, len(secrets.alphabet))
        if not (fits or isinstance(rule, ScoreRule)):
            problem = f"the rule {rule.name} is for {rule.length} positions, {rule.symbols} symbols"
            raise document.error("rule", problem)
        return rule
    # The most times that one symbol can occur in a secret; for words, an upper bound.
    repeats = secrets.lengths[-1]
    if secrets.listed:
        repeats -= min(map(len, map(set, secrets))) - 1
    elif secrets.distinct:
        repeats = 1
    try:
        made = rule(
            secrets.lengths,
            len(secrets.alphabet),
            repeats=repeats,
            options=options,
            alphabet=secrets.alphabet.symbols,
            marks={kind: one_spelling(mark) for kind, mark in given["marks"].items()},
            names=given["names"],
        )
        return made.for_codes(secrets, secrets) if isinstance(made, ColumnsRule) else made
    except (ValueError, RuleError) as error:
        problem, path = str(error), "rule"
        for section, texts in given.items():
            for key, text in texts.items():
                is_cited = repr(text).casefold() in problem.casefold()
                if is_cited or problem.endswith(f"rename {text}"):
                    path = f"{section}.{key}"
        raise document.error(path, problem) from None


def history_keys(game: Game, history: History) -> dict[str, list[str]]:
    """Return a history as the keys `facts` and `turns` of a game file.

    Facts that became known after the first turn are listed among the turns, as `/fact ...`.
    """
    facts = [str(fact) for fact in takewhile(lambda item: isinstance(item, Fact), history)]
    rows = [format_item(game, item) for item in history.items[len(facts) :]]
    return {"facts": facts, "turns": rows}
