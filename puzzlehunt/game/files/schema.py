"""The keys of a game file, their types and defaults."""

from contextlib import suppress
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from puzzlehunt.game.play import EngineName, Play, Pool, Ties
from puzzlehunt.game.spec import Gift, HostName

RESERVED = ("show",)
"""Keys that are kept for later versions and refused by this one."""
MOST_BOARDS = 32
"""The most boards of a game, or secrets on one board."""
_DEFAULTS = Play()
"""The defaults of the keys under `play:`, but for the strategy, whose default is the rule's."""


class _Keys(BaseModel):
    model_config = ConfigDict(extra="forbid")


class SpaceKeys(_Keys):
    """The keys of `secret`."""

    words: str | list[str] | None = None
    formula: str | None = None
    pairs: list[str] | None = None
    symbols: str | list[str] | dict[str, str | list[str]] | None = None
    alphabet: str | None = None
    length: str | None = None
    distinct: bool | None = None


class GuessKeys(SpaceKeys):
    """The keys of `guess`; a key that is left out has the value it has under `secret`."""

    also: dict[str, str] = Field(default_factory=dict)
    overlong: Literal["cut", "refuse"] = "refuse"
    foreign: Literal["ignore", "refuse"] = "refuse"


class PlayKeys(_Keys):
    """The keys of `play`."""

    attempts: int | None = Field(default=None, ge=1, le=1_000_000)
    strategy: str | None = None
    engine: EngineName = _DEFAULTS.engine
    solver: str | None = None
    pool: Pool = _DEFAULTS.pool
    ties: Ties = _DEFAULTS.ties
    opening: str | None = None
    seed: int = Field(default=_DEFAULTS.seed, ge=0)
    budget: float = Field(default=_DEFAULTS.budget, gt=0, allow_inf_nan=False)


class BoardKeys(_Keys):
    """The keys of `boards`.

    `count`: how many secrets there are. `merged`: they share one board. `disjoint`: secrets that
    share a board have no symbol in common.
    """

    count: int = Field(ge=2, le=MOST_BOARDS)
    merged: bool = False
    disjoint: bool = True


def _without_percent(given: object) -> object:
    if isinstance(given, str) and given.strip().endswith("%"):
        number = given.strip().removesuffix("%").strip()
        with suppress(ValueError):
            return str(float(number) / 100)
    return given


class LieKeys(_Keys):
    """The keys of `lies`, of which a game has one.

    `exactly`: false marks in each turn. `at_most`: lying turns in a game. `chance`: the probability
    that a turn lies.
    """

    exactly: int | None = Field(default=None, ge=1)
    at_most: int | None = Field(default=None, ge=1)
    chance: Annotated[float, BeforeValidator(_without_percent)] | None = Field(
        default=None, gt=0, lt=1, allow_inf_nan=False
    )


class GameKeys(_Keys):
    """The keys of a whole game file."""

    title: str = ""
    about: str = ""
    source: str = ""
    game: str | None = None
    secret: SpaceKeys = Field(default_factory=SpaceKeys)
    guess: GuessKeys = Field(default_factory=GuessKeys)
    rule: str | dict[str, str | list[str]] = "pegs"
    boards: BoardKeys | None = None
    reads: str | dict[str, str] | None = None
    lies: LieKeys | None = None
    hard: bool = False
    host: HostName = "truthful"
    gives: list[Gift] = Field(default_factory=list)
    marks: dict[str, str] = Field(default_factory=dict)
    names: dict[str, str] = Field(default_factory=dict)
    play: PlayKeys = Field(default_factory=PlayKeys)
    facts: list[str] = Field(default_factory=list)
    turns: list[str] = Field(default_factory=list)
