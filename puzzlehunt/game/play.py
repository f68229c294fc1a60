"""The settings under `play:` of a game file, and the values that they may have."""

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from puzzlehunt.errors import check_number, check_type, unknown_name

EngineName: TypeAlias = Literal["auto", "explicit", "symbolic", "linear", "logic"]
ENGINES: tuple[EngineName, ...] = get_args(EngineName)
Pool: TypeAlias = Literal["candidates", "secrets", "all"]
"""Which codes may be suggested: the candidates, all secrets, or all guesses of the game."""
Ties: TypeAlias = Literal["first", "candidate"]
"""Which of equally good guesses is taken: the first in code order, or the first candidate."""
Gift: TypeAlias = Literal["first", "sum", "row", "letters"]
"""What the codemaker gives away: the secret's first symbol, the sum of its symbols, or a turn.

The guess of the turn is one of the game's guesses (`row`), or any symbols (`letters`).
"""
SOLVERS = ("z3", "cvc5")
"""The solvers that are libraries; a game file may not name others, because they are commands."""
TREE_PREFIX = "tree:"
"""Beginning of a strategy's name whose rest is the path of a tree file."""


@dataclass(frozen=True, slots=True)
class Host:
    """What the codemaker does.

    - `adversarial`: it has no secret, but answers so that most secrets remain possible.
    - `gives`: what it gives away before the first guess.
    """

    adversarial: bool = False
    gives: tuple[Gift, ...] = ()


@dataclass(frozen=True, slots=True)
class Play:
    """The keys under `play:`, with their defaults.

    - `attempts`: how many guesses the player has; None for any number.
    - `strategy`, `pool`, `ties`: how the next guess is chosen; `opening` is the first guess, None
      if the strategy chooses it. A strategy is a name or anything else that `find_strategy`
      accepts; `strategy_name` is its name.
    - `engine`: the engine that finds the candidates. `solver`: the solver that the symbolic engine
      uses, z3 if it is None; with a named solver, the engine `auto` is the symbolic one.
    - `seed`: the seed of everything random.
    - `budget`: the seconds that one suggestion may take when a person waits for it.

    >>> game = puzzlehunt.load("wordle")
    >>> game.play.attempts, game.with_play({"attempts": 8}).play.attempts
    (6, 8)
    """

    attempts: int | None = None
    strategy: object = "book"
    engine: EngineName = "auto"
    pool: Pool = "all"
    ties: Ties = "candidate"
    opening: str | None = None
    seed: int = 0
    budget: float = 1.0
    solver: str | None = None

    def __post_init__(self) -> None:
        if self.attempts is not None:
            check_number("attempts", self.attempts, 1, 1_000_000, whole=True)
        check_number("seed", self.seed, 0, whole=True)
        check_number("budget", self.budget, 0.001)
        for key, choices in (("engine", EngineName), ("pool", Pool), ("ties", Ties)):
            if getattr(self, key) not in get_args(choices):
                raise unknown_name(key, getattr(self, key), get_args(choices))
        check_type("opening", self.opening, str | None, "a text")
        check_type("solver", self.solver, str | None, "a text")

    @property
    def strategy_name(self) -> str:
        """The name of the strategy, also of a function or a class."""
        return strategy_name(self.strategy)


def names_code(strategy: str) -> bool:
    """Return whether a strategy is named `FILE.py:NAME`, so that finding it loads code."""
    return ":" in strategy and not strategy.startswith(TREE_PREFIX)


def strategy_name(strategy: object) -> str:
    """Return the name of a strategy: for a function or a class, its Python name."""
    if isinstance(strategy, str):
        return strategy
    names = (getattr(strategy, key, None) for key in ("name", "__name__"))
    return next((name for name in names if isinstance(name, str)), type(strategy).__name__)
