"""What each game of a tournament took, in two counts."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.kernels.codes import array_of

Guesses: TypeAlias = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Outcomes:
    """N games, in the order of their secrets: codes (N, length) as the kernels have them.

    `played` (N,) counts guesses until the secret is played, `known` (N,) until one candidate is
    left.
    """

    secrets: npt.NDArray[Any]
    played: Guesses
    known: Guesses

    @classmethod
    def of(cls, games: Iterable[tuple[Code, int, int]], length: int) -> "Outcomes":
        """Return the outcomes of games given one by one: secret, played, known."""
        listed = list(games)
        secrets, played, known = zip(*listed, strict=True) if listed else ((), (), ())
        return cls(
            array_of(list(secrets), length),
            np.array(played, dtype=np.int32),
            np.array(known, dtype=np.int32),
        )

    @classmethod
    def joined(cls, several: Iterable["Outcomes"]) -> "Outcomes":
        """Return the outcomes of several tournaments as one, secrets in code order."""
        several = list(several)
        secrets = np.concatenate([one.secrets for one in several])
        order = np.lexsort(secrets.T[::-1])
        return cls(
            secrets[order],
            np.concatenate([one.played for one in several])[order],
            np.concatenate([one.known for one in several])[order],
        )

    def __len__(self) -> int:
        return len(self.played)


def histogram(guesses: Guesses) -> Counter[int]:
    """Return how many games took each number of guesses."""
    numbers, times = np.unique(guesses, return_counts=True)
    return Counter(dict(zip(numbers.tolist(), times.tolist(), strict=True)))
