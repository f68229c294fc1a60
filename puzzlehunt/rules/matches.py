"""Matches: how many symbols are in place, and nothing else.

Games: Fallout's terminals, which call this number the likeness, and "Guess the Word". With the
option `weights`, a symbol in place counts as often as the weight of its position says.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import ClassVar, NamedTuple

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import At, Literal
from puzzlehunt.rules.families import CountRule, position_weights
from puzzlehunt.rules.notation.clue import Clue, Parts
from puzzlehunt.rules.notation.counts import CountNotation

_LIKENESS = re.compile(
    r"(?:likeness\s*[=:]?\s*)?(\d{1,3})(?:\s*/\s*(\d{1,3}))?(?:\s*correct\.?)?", re.IGNORECASE
)
"""How Fallout's terminals write a count: `Likeness=2`, `2/7 correct.`, or the number alone."""


class Matches(NamedTuple):
    """The feedback: the number of symbols in place, or the sum of their weights."""

    matches: int


class _MatchesNotation(CountNotation):
    """The notation of counts; Fallout's own texts are read, too: `Likeness=2`, `2/7`."""

    def read(self, text: str, guess: Code) -> Clue:
        terminal = _LIKENESS.fullmatch(text.strip())
        if terminal is not None and int(terminal[2] or len(guess)) == len(guess):
            text = terminal[1]
        return super().read(text, guess)


class MatchesRule(CountRule):
    """The rule `matches` with the settings of one game."""

    name: ClassVar[str] = "matches"
    summary = "how many in place"
    kind_names: ClassVar[tuple[str, ...]] = ("match", "miss")
    option_names: ClassVar[tuple[str, ...]] = ("weights",)
    notation_class: ClassVar[type[CountNotation]] = _MatchesNotation
    symmetric_by_position = True
    short_guesses: ClassVar[bool] = True

    def prepare(self) -> None:
        super().prepare()
        self.weights = position_weights(self.options, self.length)
        self.symmetric = set(self.weights) == {1}

    def score(self, guess: Code, secret: Code) -> Matches:
        """Return how many symbols are in place, each times the weight of its position."""
        pairs = zip(self.weights, guess, secret, strict=False)
        return Matches(sum(weight for weight, g, s in pairs if g == s))

    @cached_property
    def feedbacks(self) -> Sequence[Parts]:
        """All counts, ascending, even those that no guess can get."""
        return [Matches(n) for n in range(sum(self.weights) + 1)]

    def mark_count(self, guess: Code) -> int:
        """Return the sum of the weights of the guess's positions."""
        return sum(self.weights[: len(guess)])

    def tile_literals(
        self, place: int, symbol: int, earlier: int
    ) -> Iterable[tuple[str, int, Literal]]:
        yield "match", self.weights[place], At(place, (symbol,))
