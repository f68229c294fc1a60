"""The table of options: the names of each, its help, and the key of a game that it sets."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import typer
from typer.models import ParameterInfo

from puzzlehunt.cli import completion
from puzzlehunt.cli.completion import Completer, one_of
from puzzlehunt.game import play
from puzzlehunt.session.limits import DEFAULT_SECONDS

Value = TypeVar("Value", covariant=True)

DASHED_CODES = {"ignore_unknown_options": True}
"""Settings of typer for commands with codes as arguments, since codes may start with `-`."""

DEFAULT_LIMIT = 20
"""How many candidates are listed by default."""


@dataclass(frozen=True, slots=True, eq=False)
class Option(Generic[Value]):
    """One option or argument of the command line.

    - `name`: the option's long name, such as `--turn`, or the argument's metavar.
    - `value_type`: the type of the option's value, as an annotation that typer understands.
    - `parameter`: the option's names, help and default as typer wants them.
    - `key`: the key of a game file that the option sets, dotted as for `--set`; empty for none.
    """

    name: str
    value_type: object
    parameter: ParameterInfo
    key: str = ""


def _option(
    value_type: object, names: str, metavar: str | None, about: str, default: object = None,
    *, key: str = "", least: int | None = None, values: Completer | None = None,
) -> Option[Any]:  # fmt: skip
    """Return an option; `names` are separated by commas, `about` is its help."""
    spellings = names.split(", ")
    parameter = typer.Option(
        default, *spellings, metavar=metavar, help=about, min=least,
        autocompletion=_autocompletion(values),
    )  # fmt: skip
    return Option(spellings[-1], value_type, parameter, key)


def _argument(
    value_type: object, metavar: str, about: str | None, default: object,
    values: Completer | None = None,
) -> Option[Any]:  # fmt: skip
    """Return an argument; the user must give it where its default is `...`."""
    parameter = typer.Argument(
        default, metavar=metavar, help=about, autocompletion=_autocompletion(values)
    )
    return Option(metavar, value_type, parameter)


def _autocompletion(values: Completer | None) -> Callable[[str], list[str]] | None:
    """Return a completer of values as typer wants it: it goes by the name of the parameter."""
    return None if values is None else lambda incomplete: list(values(incomplete))


def _text(
    names: str, metavar: str, about: str, *, key: str = "", values: Completer | None = None
) -> Option[str | None]:
    return _option(str | None, names, metavar, about, key=key, values=values)


def _word(
    names: str, metavar: str, about: str, default: str, values: Completer | None = None
) -> Option[str]:
    return _option(str, names, metavar, about, default, values=values)


def _texts(
    names: str, metavar: str, about: str, values: Completer | None = None
) -> Option[list[str]]:
    return _option(list[str], names, metavar, about, default=[], values=values)


def _number(
    names: str, metavar: str, about: str, *, key: str = "", least: int | None = None
) -> Option[int | None]:
    return _option(int | None, names, metavar, about, key=key, least=least)


def _count(names: str, metavar: str, about: str, default: int, least: int) -> Option[int]:
    return _option(int, names, metavar, about, default, least=least)


def _file(names: str, metavar: str, about: str) -> Option[Path | None]:
    return _option(Path | None, names, metavar, about)


def _flag(names: str, about: str) -> Option[bool]:
    return _option(bool, names, None, about, default=False)


def _any_of(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


# The game, turns and codes that a question is about.

GAME: Option[str] = _argument(
    str, "GAME", "A built-in name, a file, or NxK.", ..., completion.games
)
GAME_TO_PLAY: Option[str | None] = _argument(
    str | None, "GAME", "What to play.", None, completion.games
)
GAME_FILE: Option[str] = _argument(
    str, "FILE", "A game or session file.", ..., completion.game_files
)
GAME_NAME: Option[str | None] = _argument(
    str | None, "NAME", "Print its YAML; 4x6 is one too.", None, completion.games
)
NEW_FILE: Option[Path] = _argument(Path, "FILE", "Where to write it.", Path("game.yaml"))
SECRET: Option[str] = _argument(
    str, "SECRET", "The secret; - reads lines SECRET GUESS from stdin.", ...
)
GUESS: Option[str | None] = _argument(str | None, "GUESS", "What is guessed.", None)
ROWS: Option[list[str]] = _argument(list[str], "ROW", "A row, as in 'GUESS CLUE'.", [])
ROWS_AND_CODE: Option[list[str]] = _argument(
    list[str], "CODE", "Why is it out? Rows may stand before it, as in 'GUESS CLUE'.", []
)
TURN = _texts("-t, --turn", '"GUESS CLUE"', "A row; give it as often as you like.")
HISTORY = _text("--history", "FILE", "Rows, one a line; - reads stdin.")
TURNS = (ROWS, TURN, HISTORY)

# The game's own keys.

SET = _texts("--set", "KEY=VALUE", "Change a key, as in secret.length=4.")
WORDS = _text(
    "--words",
    "LIST",
    "Take secrets from a built-in list, or a file.",
    key="secret.words",
    values=completion.word_lists,
)
GUESSES = _text(
    "--guesses",
    "LIST",
    "Let words of a list be guessed too, as for --words.",
    key="guess.words",
    values=completion.word_lists,
)
HARD: Option[bool | None] = _option(
    bool | None, "--hard", None, "Hard mode: a guess has to use all clues so far.", key="hard"
)
SETTINGS = (SET, WORDS, GUESSES, HARD)
READS = _text(
    "--reads",
    "RATES",
    "How often marks are read: black=0.1,white=0.13; or learn.",
    key="reads",
    values=one_of(["learn"]),
)
HOST = _text(
    "--host",
    "HOST",
    "truthful, or adversarial: it evades you.",
    key="host",
    values=completion.hosts,
)

# How answers are computed, and how guesses are chosen.

ENGINE = _text(
    "--engine",
    "NAME",
    f"What finds the candidates: {_any_of(play.ENGINES)}.",
    key="play.engine",
    values=one_of(play.ENGINES),
)
SOLVER = _text(
    "--solver",
    "NAME|COMMAND",
    "What the symbolic engine asks: z3, cvc5, or a command such as 'z3 -in'.",
    key="play.solver",
    values=one_of(play.SOLVERS),
)
ENGINES = (ENGINE, SOLVER)
STRATEGY = _text(
    "--strategy",
    "NAME",
    "book, deep, optimal, entropy, minimax, expected-size, parts, consistent, first, tree:FILE, or "
    "module:function.",
    key="play.strategy",
    values=completion.strategies,
)
# Not a key of the game: some strategies exist in the lab alone.
LAB_STRATEGY = _text(
    "--strategy", "NAME", STRATEGY.parameter.help or "", values=completion.lab_strategies
)
STRATEGIES = _texts(
    "--strategy",
    "NAME",
    "A strategy, or module:function; as often as you like. pool=, ties= and opening= may follow "
    "in the same quotes.",
    completion.lab_strategies,
)
POOL = _text(
    "--pool",
    "POOL",
    f"What may be suggested: {_any_of(play.POOLS)}.",
    key="play.pool",
    values=one_of(play.POOLS),
)
TIES = _text(
    "--ties",
    "TIES",
    "first or candidate: which of equally good guesses is taken.",
    key="play.ties",
    values=one_of(play.TIES),
)
OPENING = _text("--opening", "CODE", "The first guess.", key="play.opening")
GUESS_CHOICE = (POOL, TIES, OPENING)
SEED = _number(
    "--seed", "N", "The same number repeats all that is left to chance.", key="play.seed"
)
SECRET_SEED = _number("--seed", "N", "Draw the same secret again.", key="play.seed", least=0)
TIME_BUDGET: Option[float | None] = _option(
    float | None, "--budget", "SECONDS", "How long one suggestion may take.", key="play.budget"
)
# For a command that gives one answer, and for one that gives an answer to each line.
SECONDS, SECONDS_A_LINE = (
    _option(
        float, "--seconds", "SECONDS", f"How long to wait for {what}; 0: as long as it takes.",
        DEFAULT_SECONDS, least=0,
    )
    for what in ("an answer", "each answer")
)  # fmt: skip
GUESS_BUDGET = _number("--budget", "N", "How many guesses are evaluated for a suggestion.", least=1)

# What a command looks for, and how much of it is shown.

JSON = _flag("--json", "Print one JSON object.")
TOP = _count("--top", "N", "How many suggestions.", default=5, least=1)
TRY = _text("--try", "CODE", "How good is a guess of yours?")
UNREAD = _flag("--unread", "Rank unread marks, not guesses.")
LIMIT = _count("--limit", "N", "How many are listed at most.", default=DEFAULT_LIMIT, least=0)
ALL = _flag("--all", "All smallest sets of rows that cannot be right.")

# Playing.

SESSION = _file("--session", "FILE", "Keep the game in this file.")
COACH = _flag("--coach", "No suggestions until /suggest.")
ECHO = _flag("--echo", "Repeat the lines that are read from a pipe.")
HOST_SECRET = _text("--secret", "CODE", "The secret; one is drawn without this.")
SOLVE_SECRET = _text("--secret", "CODE", "The secret; random draws one.", values=one_of(["random"]))

# Scripts for solvers.

SCRIPT = _file("-o, --output", "FILE", "Write it there.")
MODEL = _text("--read", "MODEL", "Read a solver's answer back; - is stdin.")
FORMAT = _word(
    "--format",
    "FORMAT",
    "smtlib, or lp for clingo.",
    default="smtlib",
    values=one_of(["smtlib", "lp"]),
)

# The lab.

SAMPLE = _word(
    "--secrets",
    "all|N",
    "Play all, or a seeded sample of N.",
    default="all",
    values=one_of(["all"]),
)
SECRETS = _word(
    "--secrets",
    "all|N|FILE",
    "Play all, a seeded sample of N, or those in a file.",
    default="all",
    values=one_of(["all"]),
)
JOBS = _number("--jobs", "N", "How many processes share the work; by default one a core.", least=1)
CLUSTER = _text("--cluster", "ADDRESS", "A Dask scheduler that shares out the work.")
CHECKPOINT = _file("--checkpoint", "FILE", "Note what is done; go on from there.")
CSV = _file("--csv", "FILE", "Write one line a game there.")
TREE = _file("--tree", "FILE", "Write the decision tree there.")
COUNT = _word(
    "--count",
    "played|known",
    "Which guesses are compared.",
    default="played",
    values=completion.counts,
)
PUBLISHED = _flag("--published", "Set published figures beside your own.")
PICTURE: Option[Path] = _option(Path, "-o, --output", "FILE", "Where to: .svg or .png.", ...)
KIND = _word(
    "--kind", "KIND", "histogram, box, or shrink.", default="histogram", values=completion.plots
)
PAGE: Option[Path] = _option(Path, "-o, --output", "FILE|DIR", "The page: .md, or a folder.", ...)
FORCE = _flag("--force", "Write over a file that is there.")
TREE_FILE: Option[Path] = _argument(Path, "FILE", "A tree, as lab run --tree wrote.", ...)
BOOK_TREE: Option[Path] = _argument(Path, "FILE", "A tree of optimal or deep.", ...)
TREE_GAME = _text("--game", "GAME", "The game, if not as in the file.", values=completion.games)
BOOK_GAME = _text("--game", "GAME", "A game with more guesses.", values=completion.games)
KEPT_GUESSES = _number("--guesses", "N", "Keep the first N guesses of a path.", least=1)
BOOK_FOLDER: Option[Path] = _option(Path, "--to", "FOLDER", "Where the book is written.", Path())

# A team's boards.

BOARDS = _argument(
    list[str] | None, "GAME|FILE", "Boards: games, sizes, and files.", None, completion.games
)
DATA = _file("--data", "DIR", "The folder where boards are kept.")
BIND = _word("--host", "HOST", "Who can come: 0.0.0.0 is everybody.", default="127.0.0.1")
PORT: Option[int] = _option(int, "--port", "PORT", "The port.", 8765, least=0)
HOST_NAME = _text("--name", "NAME", "The host name that visitors use, behind another server.")
PROXY = _texts(
    "--proxy", "ADDRESS", "A server on another machine that visitors come by; may be repeated."
)
PASSWORD_FILE = _file("--password-file", "FILE", "Visitors need the password in this file.")
MOST_BOARDS = _count("--boards", "N", "How many boards there may be.", default=1_000, least=1)
REQUESTS = _count(
    "--requests", "N", "Requests a minute of one visitor; 0: any.", default=1_200, least=0
)
WORKERS = _count("--workers", "N", "How many processes answer questions.", default=3, least=2)
