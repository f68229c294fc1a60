"""Rules of one's own: `puzzlehunt play 4x5 --rule own_rules.py:Steps`, or `compass`, or `Halves`.

The first two have a score alone. The third counts marks, so that all engines can play it.
"""

from collections.abc import Iterator
from typing import ClassVar

from puzzlehunt.rules import At, Code, CountRule, ScoreRule


class Steps(ScoreRule):
    """How many steps the symbols are away from the secret's in all, by the alphabet."""

    name: ClassVar[str] = "steps"

    def score(self, guess: Code, secret: Code) -> int:
        """Return the sum of the distances in the alphabet, position by position."""
        return sum(abs(one - other) for one, other in zip(guess, secret, strict=True))


def compass(guess: str, secret: str) -> str:
    """Return where the secret is: before the guess in a dictionary, after it, or here."""
    return "here" if guess == secret else "before" if secret < guess else "after"


class Halves(CountRule):
    """How many symbols are in place in the first half of the code, and how many in the rest."""

    name: ClassVar[str] = "halves"
    kind_names: ClassVar[tuple[str, ...]] = ("first", "last", "miss")

    def score(self, guess: Code, secret: Code) -> tuple[int, int]:
        """Return the counts of both halves."""
        hits = [one == other for one, other in zip(guess, secret, strict=True)]
        return sum(hits[: self.length // 2]), sum(hits[self.length // 2 :])

    def tile_literals(self, place: int, symbol: int, earlier: int) -> Iterator[tuple[str, int, At]]:
        """Count 1 for the half of a place if the secret has the guess's symbol there."""
        yield "first" if place < self.length // 2 else "last", 1, At(place, (symbol,))
