"""Options and arguments of commands: their help, their completion, and the keys that they set.

They are types, used to annotate the parameters of commands.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import update_wrapper
from importlib import import_module
from inspect import Parameter, Signature, signature
from pathlib import Path
from types import EllipsisType
from typing import Annotated, Any, TypeAlias

from typer import Argument, Context, Option

from puzzlehunt.game import play
from puzzlehunt.session.limits import DEFAULT_SECONDS

Command: TypeAlias = Callable[..., None]

STRATEGIES = (
    "book", "deep", "optimal", "entropy", "minimax", "expected-size", "parts",
    "consistent", "first",
)  # fmt: skip
"""The built-in strategies, listed here since loading their registry is slow for completion."""

DASHED_CODES = {"ignore_unknown_options": True}
"""Settings of typer for commands whose arguments are codes, which may start with `-`."""

DEFAULT_LIMIT = 20
"""Number of candidates that are listed by default."""


KEY_OF = {
    "words": "secret.words",
    "guesses": "guess.words",
    "rule": "rule",
    "hard": "hard",
    "reads": "reads",
    "host": "host",
    "engine_name": "play.engine",
    "solver": "play.solver",
    "strategy": "play.strategy",
    "pool": "play.pool",
    "ties": "play.ties",
    "opening": "play.opening",
    "seed": "play.seed",
    "time_budget": "play.budget",
}
"""The keys of a game file that options set, by parameter name; keys are dotted as in `--set`."""


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

    return [*STRATEGIES, *entry_points(group="puzzlehunt.strategies").names]


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


def _text(*given: Any) -> Any:
    return Annotated[str | None, option(*given)]


def _any_of(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


def does(what: str, *groups: Mapping[str, Any] | EllipsisType) -> Callable[[Command], Command]:
    """Return a decorator that turns a function with options into a command.

    The command calls the function `what`, written `module.function` for a module of
    `puzzlehunt.cli`, with those options that are parameters of that function. The command has the
    options of all `groups`, and its help lists them in the order of the groups; `...` means the
    options of the decorated function.
    """

    def with_groups(command: Command) -> Command:
        parameters = [Parameter("context", Parameter.KEYWORD_ONLY, annotation=Context)]
        for group in groups or (...,):
            if isinstance(group, EllipsisType):
                own = signature(command).parameters.values()
                parameters += [one.replace(kind=Parameter.KEYWORD_ONLY) for one in own]
            else:
                parameters += [_parameter(name, kind) for name, kind in group.items()]

        def run(**given: Any) -> None:
            file, name = what.split(".")
            function = getattr(import_module(f"puzzlehunt.cli.{file}"), name)
            function(**{name: given[name] for name in signature(function).parameters})

        update_wrapper(run, command)
        vars(run)["__signature__"] = Signature(parameters)
        return run

    return with_groups


_DEFAULTS = {
    "name": Parameter.empty,
    "seconds": DEFAULT_SECONDS,
    "secrets": "all",
    "count": "played",
}
"""Defaults of the options in groups, by parameter name; all other options default to None."""


def _parameter(name: str, kind: Any) -> Parameter:
    default = _DEFAULTS.get(name)
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=kind)


# What several commands take.

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
Json = Annotated[bool, Option("--json", help="Print one JSON object.")]
Force = Annotated[bool, Option("--force", help="Overwrite an existing file.")]
Settings = Annotated[
    list[str] | None, option("--set", "KEY=VALUE", "Change a key, as in secret.length=4.")
]
HardMode = Annotated[
    bool | None, Option("--hard", help="Hard mode: a guess has to use all clues so far.")
]

MORE_ROWS = {
    "turns": Annotated[
        list[str] | None,
        option("-t --turn", '"GUESS CLUE"', "A row; may be repeated."),
    ],
    "history": _text("--history", "FILE", "Rows, one a line; - reads stdin."),
}
GAME = {"name": GameName}
ROWS = {"name": GameName, "rows": Rows, **MORE_ROWS}
HOST = {
    "host": _text(
        "--host",
        "HOST",
        "truthful, or adversarial: it evades you.",
        one_of("truthful", "adversarial"),
    )
}
_RULE = "Score by a ScoreRule, or a function of two texts, in a Python file; or by a named rule."
KEYS = {
    "settings": Settings,
    "words": _text(
        "--words", "LIST", "Take secrets from a built-in word list or a file.", word_lists
    ),
    "guesses": _text(
        "--guesses", "LIST", "Admit the words of this list as guesses, too.", word_lists
    ),
    "hard": HardMode,
    "rule": _text("--rule", "FILE.py:NAME", _RULE),
}
"""Options that change the game itself."""
_ENGINES, _POOLS = _any_of(play.ENGINES), _any_of(play.POOLS)
_SOLVERS = "The symbolic engine's solver: z3, cvc5, or a command such as 'z3 -in'."
_READS = "How often marks are read: black=0.1,white=0.13; or learn."
_TIES = "Which of equally good guesses is chosen: first or candidate."
_STRATEGIES = f"{', '.join(STRATEGIES)}, tree:FILE, or module:function."
ASKED = {
    **KEYS,
    "engine_name": _text(
        "--engine",
        "NAME",
        f"The engine that finds the candidates: {_ENGINES}.",
        one_of(*play.ENGINES),
    ),
    "solver": _text("--solver", "NAME|COMMAND", _SOLVERS, one_of(*play.SOLVERS)),
    "reads": _text("--reads", "RATES", _READS, one_of("learn")),
}
"""Options of commands that need the candidates: `KEYS`, the engine, its solver and the rates."""
CHOICE = {
    "pool": _text(
        "--pool", "POOL", f"Which codes may be suggested: {_POOLS}.", one_of(*play.POOLS)
    ),
    "ties": _text("--ties", "TIES", _TIES, one_of(*play.TIES)),
    "opening": _text("--opening", "CODE", "The first guess."),
}
"""Options for the choice of guesses, without `--strategy`."""
PLAYED = {
    **ASKED,
    "strategy": _text("--strategy", "NAME", _STRATEGIES, strategies),
    **CHOICE,
}
_SEED = {
    "seed": Annotated[
        int | None,
        option("--seed", "N", "Seed of all random choices; the same number repeats them."),
    ]
}
SECONDS_BUDGET = _SEED | {
    "time_budget": Annotated[
        float | None, option("--budget", "SECONDS", "How long one suggestion may take.")
    ],
}
_EVALUATED = "How many guesses are evaluated for a suggestion."
GUESSES_BUDGET = _SEED | {
    "budget": Annotated[int | None, option("--budget", "N", _EVALUATED, None, 1)]
}
_WAIT = "How long to wait for an answer; 0: as long as it takes."
WAIT = {"seconds": Annotated[float, option("--seconds", "SECONDS", _WAIT, None, 0)]}

# The lab.

_COMPARED = "A strategy, or module:function; may be repeated."
_SAMPLE = "Play all, or a seeded sample of N."
_COUNTED = "Compare the guesses until the secret was played, or until it was known."
TOURNAMENT = PLAYED | {"strategy": _text("--strategy", "NAME", _STRATEGIES, strategies)}
COMPARED = {
    "strategies": Annotated[list[str] | None, option("--strategy", "NAME", _COMPARED, strategies)],
    "secrets": Annotated[str, option("--secrets", "all|N", _SAMPLE, one_of("all"))],
    "count": Annotated[str, option("--count", "played|known", _COUNTED, one_of("played", "known"))],
}
"""Options of comparisons: the strategies, the secrets, and the count that is compared."""
COMPARISON = {**ASKED, **CHOICE, **GUESSES_BUDGET}
