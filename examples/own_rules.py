"""Two rules by their score alone: `puzzlehunt play 3x5 --rule own_rules.py:Steps`, or `compass`."""

from typing import ClassVar

from puzzlehunt import Code
from puzzlehunt.rules import ScoreRule


class Steps(ScoreRule):
    """How many steps the symbols are away from the secret's in all, by the alphabet."""

    name: ClassVar[str] = "steps"
    summary = "steps away, in all"

    def score(self, guess: Code, secret: Code) -> int:
        """Return the sum of the distances in the alphabet, position by position."""
        return sum(abs(one - other) for one, other in zip(guess, secret, strict=True))


def compass(guess: str, secret: str) -> str:
    """Return where the secret is: before the guess in a dictionary, after it, or here."""
    return "here" if guess == secret else "before" if secret < guess else "after"
