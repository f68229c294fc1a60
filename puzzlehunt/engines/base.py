"""What an engine is: it answers which secrets are still candidates."""

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from puzzlehunt.codes import Code
from puzzlehunt.game import Game
from puzzlehunt.history import History, Item

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from puzzlehunt.kernels import Rows


@dataclass(frozen=True, slots=True)
class Sample:
    """Some candidates in code order, and whether there are no others."""

    codes: tuple[Code, ...]
    complete: bool


class Engine(ABC):
    """Keeps a stack of turns and facts, and answers for the secrets that agree with them all."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._items: list[Item] = []

    @property
    def items(self) -> tuple[Item, ...]:
        """What the engine knows, oldest first."""
        return tuple(self._items)

    @abstractmethod
    def push(self, item: Item) -> None:
        """Add a turn or a fact."""

    @abstractmethod
    def pop(self) -> None:
        """Take the newest turn or fact back."""

    @abstractmethod
    def satisfiable(self, chosen: Sequence[int] | None = None) -> bool:
        """Return whether some secret agrees with everything, or with the chosen items alone.

        `chosen` are places in `items`, from 0; nothing is rebuilt or changed.
        """

    @abstractmethod
    def candidates(self) -> Iterator[Code]:
        """Iterate over the candidates in code order; the engine must not change meanwhile."""

    @abstractmethod
    def sample(self, size: int, rng: random.Random, end: float | None = None) -> Sample:
        """Return up to `size` different candidates, drawn with the seed.

        At the moment `end`, by the monotonic clock, it makes do with what it has, at least one.
        """

    def __contains__(self, secret: Code) -> bool:
        """Return whether a secret of the game is a candidate."""
        return secret in self.game.secrets and self.game.fits(History(self.items), secret)

    def follow(self, history: Iterable[Item]) -> None:
        """Bring the engine to a history, keeping what the two share at the beginning."""
        items = list(history)
        shared = 0
        while shared < min(len(items), len(self._items)) and items[shared] == self._items[shared]:
            shared += 1
        while len(self._items) > shared:
            self.pop()
        for item in items[shared:]:
            self.push(item)

    def first_conflict(self) -> int | None:
        """Return the place of the first item that leaves no candidate, None if some are left."""
        if self.satisfiable():
            return None
        return next(
            place for place in range(len(self._items)) if not self.satisfiable(range(place + 1))
        )


class CountingEngine(Engine):
    """An engine that holds every candidate, and so can count and weigh them."""

    @abstractmethod
    def count(self) -> int:
        """Return how many candidates there are."""

    @abstractmethod
    def every(self) -> "Rows":
        """Return all secrets that the engine started from, as arrays, in code order."""

    @abstractmethod
    def places(self) -> "npt.NDArray[np.intp]":
        """Return the places of the candidates in `every`, ascending."""

    @abstractmethod
    def weights(self) -> "npt.NDArray[np.float64] | None":
        """Return the weight of each secret of `every`, None where all are alike."""


def first_codes(codes: Iterator[Code], limit: int) -> tuple[list[Code], bool]:
    """Return the first codes up to a limit, and whether there are more."""
    listed = list(islice(codes, limit))
    return listed, next(codes, None) is not None
