"""Pairs: symbols have two halves, such as a shape and a colour (Grand Mastermind).

The feedback has three counts: *black* is the number of pairs in place, *white* the number of pairs
elsewhere, and *half* the number of positions where exactly one of the two halves is in place. A
white pair may also have one half in place; it then counts both as white and as half.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from typing import ClassVar, NamedTuple

from puzzlehunt.codes.alphabet import FOREIGN, MOST_TILES, Code
from puzzlehunt.codes.constraints import At, AtLeast, Literal
from puzzlehunt.codes.graphemes import graphemes
from puzzlehunt.rules.families import CountRule
from puzzlehunt.rules.notation.clue import Parts


class Pairs(NamedTuple):
    """The feedback: the numbers of pairs in place, pairs elsewhere, and halves in place."""

    black: int
    white: int
    half: int


def score(guess: Sequence[str], secret: Sequence[str]) -> Pairs:
    """Return the counts for a guess of pairs; the first character of a pair is one half.

    >>> score(["CR", "SB", "TG"], ["CR", "TB", "SB"])
    Pairs(black=1, white=1, half=1)
    """
    halves_in_place = [
        sum(map(str.__eq__, _halves_of(g), _halves_of(s)))
        for g, s in zip(guess, secret, strict=False)
    ]
    common = Counter(guess) & Counter(secret)
    black = halves_in_place.count(2)
    return Pairs(black, common.total() - black, halves_in_place.count(1))


@cache
def _halves_of(symbol: str) -> tuple[str, str]:
    """Return the first character of a symbol and the rest, "" and "" for a foreign one."""
    first, *rest = graphemes(symbol) or [""]
    return first, "".join(rest)


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
        if not self.alphabet or not all(_halves_of(symbol)[1] for symbol in self.alphabet):
            raise ValueError("the rule pairs needs symbols of two characters or more, such as CR")

    def score(self, guess: Code, secret: Code) -> Pairs:
        def names(code: Code) -> list[str]:
            return ["" if symbol == FOREIGN else self.alphabet[symbol] for symbol in code]

        return score(names(guess), names(secret))

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

    @property
    def winning(self) -> Pairs:
        return Pairs(self.length, 0, 0)

    def _halves(self, symbol: int) -> tuple[int, ...]:
        """Return the symbols that share exactly one half with a symbol."""
        first, second = _halves_of(self.alphabet[symbol])
        halves = map(_halves_of, self.alphabet)
        return tuple(n for n, (f, s) in enumerate(halves) if (f == first) != (s == second))

    def tile_literals(
        self, place: int, symbol: int, earlier: int
    ) -> Iterable[tuple[str, int, Literal]]:
        here = At(place, (symbol,))
        yield "black", 1, here
        yield "white", 1, AtLeast((symbol,), earlier + 1)
        yield "white", -1, here
        yield "half", 1, At(place, self._halves(symbol))

    def can_happen(self, feedback: Parts, guess: Code) -> bool:
        black, white, half = feedback
        known = len(guess) - guess.count(FOREIGN)
        fits = black + white <= known and black + half <= known
        return fits and (len(guess) != self.length or (black, white) != (self.length - 1, 1))
