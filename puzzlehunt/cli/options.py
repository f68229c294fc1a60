"""Options and arguments of several commands: their help, their completion, the keys that they set.

They are types, used to annotate the parameters of commands.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Context, Option

from puzzlehunt.strategies import BUILT_IN

KEY_OF = {
    "words": "secret.words",
    "length": "secret.length",
    "rule": "rule",
    "hard": "hard",
    "reads": "reads",
    "strategy": "play.strategy",
    "pool": "play.pool",
    "ties": "play.ties",
    "opening": "play.opening",
    "seed": "play.seed",
}
"""The keys of a game file that options set, by parameter name; keys are dotted as in `--set`."""

MOVED = {f"--{name}": key for name, key in KEY_OF.items()} | {
    "--guesses": "guess.words",
    "--host": "host",
    "--engine": "play.engine",
    "--solver": "play.solver",
    "--budget": "play.budget",
}
"""Options that are keys of `--set` in commands without an option of that name."""


@dataclass(frozen=True, slots=True)
class Given:
    """What a command was given about its game: GAME, rows, and the options that set keys."""

    name: str
    settings: list[str] | None = None
    words: str | None = None
    length: str | None = None
    rule: str | None = None
    rows: list[str] | None = None
    turns: list[str] | None = None
    history: str | None = None
    hard: bool | None = None
    reads: str | None = None
    strategy: str | None = None
    pool: str | None = None
    ties: str | None = None
    opening: str | None = None
    seed: int | None = None

    def changes(self) -> list[tuple[str, str, str]]:
        """Return (option, key, value) for each key that an option other than `--set` sets."""
        values = [(name, key, getattr(self, name)) for name, key in KEY_OF.items()]
        return [(f"--{name}", key, str(value)) for name, key, value in values if value is not None]


def is_address(name: str) -> bool:
    """Return whether the name of a game is an address (http or https) of a board on a server."""
    return name.startswith(("http://", "https://"))


def named_as_listed(context: Context, name: str | None) -> str | None:
    """Return the normal form of a game's name: a callback of typer for the argument GAME."""
    if name is None or context.resilient_parsing:
        return name
    from puzzlehunt.game.files.gamefile import own_name

    return own_name(name)


# Completion in shells. Typer drops the values that do not begin with the typed text. Shells run the
# program for every press of the key, so each completer imports only the modules that it needs.


def games(incomplete: str) -> list[str]:
    """Return the values for the argument GAME: built-in games, and files in the typed folder."""
    from puzzlehunt.game.files.gamefile import built_in_games

    return [*built_in_games(), *game_files(incomplete)]


def game_files(incomplete: str) -> list[str]:
    """Return the paths of the game files (.yaml) in the folder of an incomplete path."""
    folder = incomplete[: incomplete.rfind("/") + 1]
    try:
        names = sorted(path.name for path in Path(folder or ".").expanduser().glob("*.yaml"))
    except (OSError, RuntimeError):
        return []
    return [folder + name for name in names]


def strategies() -> list[str]:
    """Return the names of all strategies."""
    from importlib.metadata import entry_points

    return [*BUILT_IN, *entry_points(group="puzzlehunt.strategies").names]


def word_lists() -> list[str]:
    """Return the names of the built-in word lists."""
    from puzzlehunt.codes.words import built_in_lists

    return built_in_lists()


def option(
    names: str,
    metavar: str,
    about: str,
    values: Callable[..., Iterable[str]] | None = None,
    least: int | None = None,
) -> Any:
    """Return a typer option with a value.

    `names` are separated by blanks, `about` is the help text, `values` completes the value, and
    `least` is the smallest number allowed.
    """
    return Option(*names.split(), metavar=metavar, help=about, autocompletion=values, min=least)


def one_of(*values: str) -> Callable[[], Iterable[str]]:
    """Return a function that completes the value of an option with one of `values`."""
    return lambda: values


# The game and its rows.


def game_argument(about: str) -> Any:
    """Return the argument GAME, with its help."""
    return Argument(metavar="GAME", help=about, autocompletion=games, callback=named_as_listed)


GameName = Annotated[str, game_argument("A built-in name, a file, or NxK.")]
Rows = Annotated[list[str] | None, Argument(metavar="ROW", help="A row, as in 'GUESS CLUE'.")]
Turns = Annotated[list[str] | None, option("-t --turn", '"GUESS CLUE"', "A row; may be repeated.")]
History = Annotated[str | None, option("--history", "FILE", "Rows, one a line; - reads stdin.")]

# What changes the game.

Settings = Annotated[
    list[str] | None, option("--set", "KEY=VALUE", "Change a key, as in play.pool=candidates.")
]
Words = Annotated[
    str | None,
    option("--words", "LIST", "Take secrets from a built-in word list or a file.", word_lists),
]
Length = Annotated[str | None, option("--length", "N", "How long secrets are.")]
Hard = Annotated[
    bool | None, Option("--hard", help="Hard mode: a guess has to use all clues so far.")
]
Rule = Annotated[
    str | None,
    option(
        "--rule",
        "FILE.py:NAME",
        "Score by a ScoreRule, or a function of two texts, in a Python file; or by a named rule.",
    ),
]
Reads = Annotated[
    str | None,
    option(
        "--reads",
        "RATES",
        "How often marks are read: black=0.1,white=0.13; or learn.",
        one_of("learn"),
    ),
]
Strategy = Annotated[
    str | None,
    option(
        "--strategy",
        "NAME",
        f"{', '.join(BUILT_IN)}, tree:FILE, or module:function.",
        strategies,
    ),
]

# What is answered.

Top = Annotated[int, option("--top", "N", "How many guesses or marks.", least=1)]
Seed = Annotated[
    int | None,
    option("--seed", "N", "Seed of all random choices; the same number repeats them."),
]
Budget = Annotated[
    int | None,
    option("--budget", "N", "How many guesses are evaluated for a suggestion.", least=1),
]
Seconds = Annotated[
    float,
    option(
        "--seconds", "SECONDS", "How long to wait for an answer; 0: as long as it takes.", least=0
    ),
]
Json = Annotated[bool, Option("--json", help="Print one JSON object.")]
Force = Annotated[bool, Option("--force", help="Overwrite an existing file.")]

# The lab.

Pool = Annotated[
    str | None,
    option(
        "--pool",
        "POOL",
        "Which codes may be suggested: candidates, secrets or all.",
        one_of("candidates", "secrets", "all"),
    ),
]
Ties = Annotated[
    str | None,
    option(
        "--ties",
        "TIES",
        "Which of equally good guesses is chosen: first or candidate.",
        one_of("first", "candidate"),
    ),
]
Opening = Annotated[str | None, option("--opening", "CODE", "The first guess.")]
Strategies = Annotated[
    list[str] | None,
    option("--strategy", "NAME", "A strategy, or module:function; may be repeated.", strategies),
]
Sample = Annotated[
    str, option("--secrets", "all|N", "Play all, or a seeded sample of N.", one_of("all"))
]
Count = Annotated[
    str,
    option(
        "--count",
        "played|known",
        "Compare the guesses until the secret was played, or until it was known.",
        one_of("played", "known"),
    ),
]
