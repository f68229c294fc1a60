"""Options of several commands, in classes: their help, and the keys of a game that they set."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer
from typer import Argument, Option

from puzzlehunt.session.limits import DEFAULT_SECONDS
from puzzlehunt.strategies import BUILT_IN

KEY_OF = {
    "words": "secret.words",
    "without": "secret.without",
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


def is_address(name: str) -> bool:
    """Return whether the name of a game is the address of a board on a server."""
    return name.startswith(("http://", "https://"))


def games() -> list[str]:
    """Return the names of the built-in games, which shells complete beside files."""
    from puzzlehunt.game.files.gamefile import built_in_games

    return list(built_in_games())


def option(
    syntax: str, about: str, values: Callable[[], list[str]] | None = None, least: int | None = None
) -> Any:
    """Return a typer option with a value.

    `syntax` is as in the help, such as `-o --output FILE`, `about` is the help text, `values`
    completes the value, and `least` is the smallest number allowed.
    """
    *names, metavar = syntax.split()
    return Option(*names, metavar=metavar, help=about, autocompletion=values, min=least)


Text: TypeAlias = str | None
Number: TypeAlias = int | None
File: TypeAlias = Path | None

_ABOUT_STRATEGY = f"{', '.join(BUILT_IN)}, tree:FILE, or FILE.py:NAME."
Top = Annotated[int, option("--top N", "How many guesses or marks.", least=1)]
Seed = Annotated[Number, option("--seed N", "The same number repeats all random choices.")]
Budget = Annotated[Number, option("--budget N", "Evaluate at most N guesses a turn.", least=1)]
Strategy = Annotated[Text, option("--strategy NAME", _ABOUT_STRATEGY, lambda: [*BUILT_IN])]
Seconds = Annotated[float, option("--seconds N", "How long to wait; 0: no limit.", least=0)]
Force = Annotated[bool, Option("--force", help="Overwrite an existing file.")]
Json = Annotated[bool, Option("--json", help="Print one JSON object.")]


def argument(metavar: str, about: str, values: Callable[[], list[str]] | None = None) -> Any:
    """Return a typer argument; `about` is the help text, and `values` completes the value."""
    return Argument(metavar=metavar, help=about, autocompletion=values)


Game = Annotated[str, argument("GAME", "A built-in name, a file, or NxK.", games)]


@dataclass(eq=False, repr=False)
class Given:
    """What a command was given about its game: GAME, and options that set keys of its file."""

    name: Game
    words: Annotated[Text, option("--words LIST", "Secrets from a built-in list or a file.")] = None
    length: Annotated[Text, option("--length N", "How long secrets are.")] = None
    rule: Annotated[Text, option("--rule FILE.py:NAME", "A rule in a file, or a named one.")] = None
    hard: Annotated[bool | None, Option("--hard", help="A guess has to use all clues.")] = None
    reads: Annotated[Text, option("--reads RATES", "As black=0.1,white=0.13; or learn.")] = None
    settings: Annotated[
        list[str] | None, option("--set KEY=VALUE", "Change a key, as in play.pool=candidates.")
    ] = None

    def __post_init__(self) -> None:
        from puzzlehunt.game.files.gamefile import own_name

        self.name = own_name(self.name) or self.name

    def changes(self) -> list[tuple[str, str, str]]:
        """Return (option, key, value) for each key that an option other than `--set` sets."""
        values = [(name, key, getattr(self, name, None)) for name, key in KEY_OF.items()]
        return [(f"--{name}", key, str(value)) for name, key, value in values if value is not None]


@dataclass(eq=False, repr=False)
class Played(Given):
    """A game that is played by a strategy."""

    strategy: Strategy = None


@dataclass(eq=False, repr=False)
class Rowed(Given):
    """A game with rows as arguments."""

    rows: Annotated[list[str] | None, argument("ROW", "As 'GUESS CLUE'; - is stdin.")] = None


@dataclass(eq=False, repr=False)
class Asked(Rowed):
    """A game with its rows, and how long an answer about them may take (seconds)."""

    turns: Annotated[list[str] | None, option("-t --turn ROW", "A row; may be repeated.")] = None
    history: Annotated[Text, option("--history FILE", "Rows, one a line; - is stdin.")] = None
    without: Annotated[Text, option("--without FILE", "Words that are no secret any more.")] = None
    seconds: Seconds = DEFAULT_SECONDS


@dataclass(eq=False, repr=False)
class Unnamed(Asked):
    """Rows whose game may be left out."""

    name: Game = ""


@dataclass(eq=False, repr=False)
class Advised(Asked, Played):
    """Rows of a game after which a strategy chooses."""


@dataclass(eq=False, repr=False)
class Begun(Rowed, Played):
    """A game to play, if any is named."""

    name: Game = ""


@dataclass(eq=False, repr=False)
class Tried(Given):
    """A game of the lab, with the settings that its tables are about."""

    pool: Annotated[Text, option("--pool POOL", "Guess candidates, secrets or all.")] = None
    ties: Annotated[Text, option("--ties TIES", "Of equal guesses the first or candidate.")] = None
    opening: Annotated[Text, option("--opening CODE", "The first guess.")] = None
    seed: Seed = None
    budget: Budget = None


def command(app: typer.Typer) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that makes a function a command of `app`.

    The fields of the class of its parameter `given` become arguments and options of the command:
    the first, GAME, before those of the function, the others after them.
    """

    def declare(function: Callable[..., None]) -> Callable[..., None]:
        own = dict(signature(function).parameters)
        given = own.pop("given").annotation
        name, *shared = signature(given).parameters.values()
        parameters = [name, *own.values(), *shared]

        @wraps(function)
        def run(**values: Any) -> None:
            fields = {each.name: values.pop(each.name) for each in [name, *shared]}
            function(given(**fields), **values)

        run.__annotations__ = {each.name: each.annotation for each in parameters}
        vars(run)["__signature__"] = Signature(
            [each.replace(kind=Parameter.KEYWORD_ONLY) for each in parameters]
        )
        app.command()(run)
        return function

    return declare
