"""Pairs: symbols have two halves, such as a shape and a colour (Grand Mastermind).

The feedback has three counts: *black* is the number of pairs in place, *white* the number of pairs
elsewhere, and *half* the number of positions where exactly one of the two halves is in place. A
white pair may also have one half in place; it then counts both as white and as half.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import ClassVar, NamedTuple

from puzzlehunt.codes.alphabet import FOREIGN, MOST_TILES, Code
from puzzlehunt.codes.constraints import At, Literal
from puzzlehunt.codes.graphemes import graphemes
from puzzlehunt.rules.families import CountRule, peg_literals
from puzzlehunt.rules.notation.clue import Parts


class Pairs(NamedTuple):
    """The feedback: the numbers of pairs in place, pairs elsewhere, and halves in place."""

    black: int
    white: int
    half: int


class PairsRule(CountRule):
    """The rule `pairs` with the settings of one game; each symbol's first character is one half."""

    name: ClassVar[str] = "pairs"
    summary = "pairs in place, elsewhere, halves in place"
    kind_names: ClassVar[tuple[str, ...]] = ("black", "white", "half")
    short_guesses: ClassVar[bool] = True

    def prepare(self) -> None:
        super().prepare()
        if self.length > MOST_TILES:
            raise ValueError(f"a secret has at most {MOST_TILES} symbols, not {self.length}")
        parts = [graphemes(symbol) for symbol in self.alphabet]
        self._halves = [(first, "".join(rest)) for first, *rest in parts]
        if not self._halves or not all(second for _, second in self._halves):
            raise ValueError("the rule pairs needs symbols of two characters or more, such as CR")

    def score(self, guess: Code, secret: Code) -> Pairs:
        """Return the counts of pairs in place and elsewhere, and of places with one half right."""
        known = [pair for pair in zip(guess, secret, strict=False) if FOREIGN not in pair]
        right = [sum(map(str.__eq__, self._halves[g], self._halves[s])) for g, s in known]
        common, black = Counter(guess) & Counter(secret), right.count(2)
        return Pairs(black, common.total() - black, right.count(1))

    def mark_count(self, guess: Code) -> int:
        """Return the most marks that a feedback can have: a white and a half for each position."""
        return 2 * len(guess)

    @cached_property
    def feedbacks(self) -> Sequence[Pairs]:
        """All counts that fit the number of positions, sorted by black, then white, then half."""
        n = self.length
        return [
            Pairs(b, w, h) for b in range(n + 1) for w in range(n - b + 1) for h in range(n - b + 1)
        ]

    def _half_like(self, symbol: int) -> tuple[int, ...]:
        """Return the symbols that share exactly one half with a symbol."""
        first, second = self._halves[symbol]
        halves = enumerate(self._halves)
        return tuple(n for n, (f, s) in halves if (f == first) != (s == second))

    def tile_literals(
        self, place: int, symbol: int, earlier: int
    ) -> Iterable[tuple[str, int, Literal]]:
        yield from peg_literals(place, symbol, earlier)
        yield "half", 1, At(place, self._half_like(symbol))

    def can_happen(self, feedback: Parts, guess: Code) -> bool:
        black, white, half = feedback
        known = len(guess) - guess.count(FOREIGN)
        fits = black + white <= known and black + half <= known
        return fits and (len(guess) != self.length or (black, white) != (self.length - 1, 1))
