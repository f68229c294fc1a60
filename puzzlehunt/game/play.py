"""How a game is played: the settings under `play:` in its file, and the names that they take."""

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

EngineName: TypeAlias = Literal["auto", "explicit", "symbolic", "linear", "logic"]
ENGINES: tuple[EngineName, ...] = get_args(EngineName)
Pool: TypeAlias = Literal["candidates", "secrets", "all"]
POOLS: tuple[Pool, ...] = get_args(Pool)
Ties: TypeAlias = Literal["first", "candidate"]
SOLVERS = ("z3", "cvc5")
"""The solvers that are libraries; all others are commands, and no file may name one."""


@dataclass(frozen=True, slots=True)
class Play:
    """How a game is played where nobody says otherwise: the keys under `play:`.

    `budget` is the seconds that a suggestion in `play` and `suggest` may take. `solver` is what the
    symbolic engine asks, and asks for that engine; None is z3, and leaves the engine open.
    """

    attempts: int | None = None
    strategy: str = "entropy"
    engine: EngineName = "auto"
    pool: Pool = "all"
    ties: Ties = "candidate"
    opening: str | None = None
    seed: int = 0
    budget: float = 1.0
    solver: str | None = None
