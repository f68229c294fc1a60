"""Differences: how far the guess is from the secret, the distances of all positions added up.

The distance of two symbols is the difference of their numbers in the alphabet, which does not wrap
around. The option `weights` has a factor for the distance at each position. The answer is one
number, which is read whole, as a range, or not at all.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import ClassVar, NamedTuple

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import At, Literal
from puzzlehunt.errors import ImpossibleClueError
from puzzlehunt.rules.families import CountRule, position_weights
from puzzlehunt.rules.notation.clue import Clue, Parts, marks_line
from puzzlehunt.rules.notation.counts import CountNotation

MOST_STEPS = 9_999
"""Cap on the distance of two codes: clues have numbers of at most four digits."""


class Differences(NamedTuple):
    """The feedback: the sum of all distances."""

    steps: int


class _DifferencesNotation(CountNotation):
    """The notation of one number; the number of marks is the greatest distance."""

    is_number = True

    def read(self, text: str, guess: Code) -> Clue:
        try:
            return super().read(text, guess)
        except ImpossibleClueError:
            farthest = f"at most {self.mark_count(guess)} away from each other"
            raise ImpossibleClueError(
                f"{text.strip()!r} cannot happen: codes are {farthest}"
            ) from None

    def legend(self) -> str:
        return marks_line([("7", "how far in all"), ("5-9", "a range"), ("*", "nothing read")])

    def readings(self, guess: Code) -> list[tuple[str, str]]:
        is_far = self.mark_count(guess) >= 5
        return [("a range", "2-5"), ("a bound", ">=3")] if is_far else []


class DifferencesRule(CountRule):
    """The rule `differences` with the settings of one game, whose list of symbols is ordered."""

    name: ClassVar[str] = "differences"
    summary = "how far away in all"
    kind_names: ClassVar[tuple[str, ...]] = ("step",)
    notation_class: ClassVar[type[CountNotation]] = _DifferencesNotation
    option_names: ClassVar[tuple[str, ...]] = ("weights",)
    compares_symbols: ClassVar[bool] = True
    why_impossible = "no code is so far from it"

    def prepare(self) -> None:
        super().prepare()
        self.weights = position_weights(self.options, self.length)
        self._most = sum(self.weights) * (self.symbols - 1)
        if self._most > MOST_STEPS:
            raise ValueError(
                f"distances of up to {self._most:,} are too long; at most {MOST_STEPS:,}"
            )
        self.kinds = ()

    def score(self, guess: Code, secret: Code) -> Differences:
        """Return the sum of the distances of two codes, each times its weight."""
        parts = zip(self.weights, guess, secret, strict=True)
        return Differences(sum(weight * abs(g - s) for weight, g, s in parts))

    @cached_property
    def feedbacks(self) -> Sequence[Parts]:
        """All sums, ascending, even those that no guess can get."""
        return [Differences(steps) for steps in range(self._most + 1)]

    def mark_count(self, guess: Code) -> int:
        """Return the distance of the two codes that are farthest from each other."""
        return self._most

    def tile_literals(
        self, place: int, symbol: int, earlier: int
    ) -> Iterable[tuple[str, int, Literal]]:
        for steps in range(1, max(symbol, self.symbols - 1 - symbol) + 1):
            both = (symbol - steps, symbol + steps)
            at = At(place, tuple(s for s in both if 0 <= s < self.symbols))
            yield "step", self.weights[place] * steps, at
