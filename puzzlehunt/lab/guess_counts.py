"""How many guesses each game of a tournament took: until played, and until known."""

from collections import Counter
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from puzzlehunt.kernels.packed_codes import CodeArray

GuessNumbers: TypeAlias = npt.NDArray[np.int32]
CountName: TypeAlias = Literal["played", "known"]
COUNTS: tuple[CountName, ...] = get_args(CountName)
"""Guesses until the secret is played, or until one candidate is left."""


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """N games: their `secrets` (N, length), codes as arrays, and how many guesses each game took.

    `played` (N,) counts guesses until the secret is played, `known` (N,) until one candidate is
    left.
    """

    secrets: CodeArray
    played: GuessNumbers
    known: GuessNumbers

    def guesses(self, count: CountName) -> GuessNumbers:
        """Return the guesses that each game took, by one of the two counts."""
        return self.played if count == "played" else self.known

    def in_code_order(self) -> "Outcomes":
        """Return the same games, secrets in code order."""
        order = np.lexsort(self.secrets.T[::-1])
        return Outcomes(self.secrets[order], self.played[order], self.known[order])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Outcomes):
            return NotImplemented
        return all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in self.__slots__
        )

    def __hash__(self) -> int:
        return hash((len(self), self.played.sum()))

    def __len__(self) -> int:
        return len(self.played)


@dataclass(frozen=True, slots=True)
class Summary:
    """The guesses of some games together: how many games took each number, the fewest first."""

    histogram: Counter[int]

    @classmethod
    def of(cls, guesses: GuessNumbers) -> "Summary":
        """Return the summary of games, given the guesses of each (N,)."""
        numbers, times = np.unique(guesses, return_counts=True)
        return cls(Counter(dict(zip(numbers.tolist(), times.tolist(), strict=True))))

    @property
    def games(self) -> int:
        """How many games there are."""
        return sum(self.histogram.values())

    @property
    def total(self) -> int:
        """The guesses of all games together."""
        return sum(guesses * games for guesses, games in self.histogram.items())

    @property
    def average(self) -> float | None:
        """Guesses per game; None without games."""
        return self.total / self.games if self.games else None

    @property
    def worst(self) -> int | None:
        """The guesses of the longest game; None without games."""
        return max(self.histogram, default=None)
