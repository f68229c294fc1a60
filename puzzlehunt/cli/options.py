"""Options and arguments, each with its help, its completion, and the key of a game that it sets.

Commands name them as the types of their parameters.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Context, Option

from puzzlehunt.game import play

STRATEGIES = (
    "book, deep, optimal, entropy, minimax, expected-size, parts, consistent, first, tree:FILE, or "
    "module:function."
)
"""The help of options that name a strategy."""

DASHED_CODES = {"ignore_unknown_options": True}
"""Settings of typer for commands with codes as arguments, since codes may start with `-`."""

DEFAULT_LIMIT = 20
"""How many candidates are listed by default."""


@dataclass(frozen=True, slots=True)
class Key:
    """The key of a game file that an option sets, dotted as for `--set`."""

    path: str


def is_address(name: str) -> bool:
    """Return whether a game's name is the address of a board that a server keeps."""
    return name.startswith(("http://", "https://"))


def named_as_listed(context: Context, name: str | None) -> str | None:
    """Return the name of a game as it is written in the list of games."""
    if name is None or context.resilient_parsing:
        return name
    from puzzlehunt.game.files.gamefile import own_name

    return own_name(name)


# What a shell completes: typer leaves out what does not begin as typed. Shells run the program for
# every press of the key, so that a completer imports what it needs.


def games(incomplete: str) -> list[str]:
    """Return the names of the built-in games, and the game files that begin as typed."""
    from puzzlehunt.game.files.gamefile import built_in_games

    return [*built_in_games(), *game_files(incomplete)]


def game_files(incomplete: str) -> list[str]:
    """Return the game files in the folder that was typed, as they would be typed."""
    folder = incomplete[: incomplete.rfind("/") + 1]
    try:
        names = sorted(path.name for path in Path(folder or ".").expanduser().glob("*.yaml"))
    except (OSError, RuntimeError):
        return []
    return [folder + name for name in names]


def strategies() -> list[str]:
    """Return the names of all strategies but those of the lab alone."""
    from puzzlehunt.strategies.registry import strategy_names

    return strategy_names()


def lab_strategies() -> list[str]:
    """Return the names of all strategies."""
    from puzzlehunt.lab.tournament import lab_strategies

    return lab_strategies()


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
    """Return a typer option that takes a value; `names` are separated by blanks."""
    return Option(*names.split(), metavar=metavar, help=about, autocompletion=values, min=least)


def one_of(*values: str) -> Callable[[], Iterable[str]]:
    """Return a completer of some values."""
    return lambda: values


def _any_of(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


# The game, turns and codes that a question is about.

GameName = Annotated[
    str,
    Argument(
        metavar="GAME",
        help="A built-in name, a file, or NxK.",
        autocompletion=games,
        callback=named_as_listed,
    ),
]
Rows = Annotated[list[str] | None, Argument(metavar="ROW", help="A row, as in 'GUESS CLUE'.")]
Turns = Annotated[
    list[str] | None, option("-t --turn", '"GUESS CLUE"', "A row; give it as often as you like.")
]
HistoryFile = Annotated[str | None, option("--history", "FILE", "Rows, one a line; - reads stdin.")]

# The game's own keys.

Settings = Annotated[
    list[str] | None, option("--set", "KEY=VALUE", "Change a key, as in secret.length=4.")
]
Words = Annotated[
    str | None,
    option("--words", "LIST", "Take secrets from a built-in list, or a file.", word_lists),
    Key("secret.words"),
]
Guesses = Annotated[
    str | None,
    option("--guesses", "LIST", "Let words of a list be guessed too, as for --words.", word_lists),
    Key("guess.words"),
]
HardMode = Annotated[
    bool | None,
    Option("--hard", help="Hard mode: a guess has to use all clues so far."),
    Key("hard"),
]
Reads = Annotated[
    str | None,
    option(
        "--reads",
        "RATES",
        "How often marks are read: black=0.1,white=0.13; or learn.",
        one_of("learn"),
    ),
    Key("reads"),
]

# How answers are computed, and how guesses are chosen.

EngineName = Annotated[
    str | None,
    option(
        "--engine",
        "NAME",
        f"What finds the candidates: {_any_of(play.ENGINES)}.",
        one_of(*play.ENGINES),
    ),
    Key("play.engine"),
]
Solver = Annotated[
    str | None,
    option(
        "--solver",
        "NAME|COMMAND",
        "What the symbolic engine asks: z3, cvc5, or a command such as 'z3 -in'.",
        one_of(*play.SOLVERS),
    ),
    Key("play.solver"),
]
Strategy = Annotated[
    str | None, option("--strategy", "NAME", STRATEGIES, strategies), Key("play.strategy")
]
Strategies = Annotated[
    list[str] | None,
    option(
        "--strategy",
        "NAME",
        "A strategy, or module:function; as often as you like. pool=, ties= and opening= may "
        "follow in the same quotes.",
        lab_strategies,
    ),
]
Pool = Annotated[
    str | None,
    option("--pool", "POOL", f"What may be suggested: {_any_of(play.POOLS)}.", one_of(*play.POOLS)),
    Key("play.pool"),
]
Ties = Annotated[
    str | None,
    option(
        "--ties",
        "TIES",
        "first or candidate: which of equally good guesses is taken.",
        one_of(*play.TIES),
    ),
    Key("play.ties"),
]
Opening = Annotated[
    str | None, option("--opening", "CODE", "The first guess."), Key("play.opening")
]
Seed = Annotated[
    int | None,
    option("--seed", "N", "The same number repeats all that is left to chance."),
    Key("play.seed"),
]
TimeBudget = Annotated[
    float | None,
    option("--budget", "SECONDS", "How long one suggestion may take."),
    Key("play.budget"),
]
GuessBudget = Annotated[
    int | None, option("--budget", "N", "How many guesses are evaluated for a suggestion.", least=1)
]
Seconds = Annotated[
    float,
    option(
        "--seconds", "SECONDS", "How long to wait for an answer; 0: as long as it takes.", least=0
    ),
]

# What a command looks for, and how much of it is shown.

Json = Annotated[bool, Option("--json", help="Print one JSON object.")]

Force = Annotated[bool, Option("--force", help="Write over a file that is there.")]

# The lab.

Sample = Annotated[
    str, option("--secrets", "all|N", "Play all, or a seeded sample of N.", one_of("all"))
]
Counted = Annotated[
    str, option("--count", "played|known", "Which guesses are compared.", one_of("played", "known"))
]
