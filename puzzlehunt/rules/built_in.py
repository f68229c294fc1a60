"""Six rules: four count marks, `near` and `order` mark each tile by the two symbols there.

Games: `matches` is that of Fallout's terminals, which call the count the likeness, and of "Guess
the Word"; `letters` is that of Jotto, `pairs` of Grand Mastermind, `near` of Warmle, and `order`
of Secret Search, Safe Cracker and Peaks.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from operator import eq
from types import MappingProxyType
from typing import ClassVar, NamedTuple, cast

import numpy as np

from puzzlehunt.codes.alphabet import FOREIGN, MOST_TILES, Code
from puzzlehunt.codes.constraints import AllOf, At, AtLeast, Bound, Constraint
from puzzlehunt.codes.graphemes import graphemes
from puzzlehunt.kernels.feedback_matrix import Table
from puzzlehunt.kernels.packed_codes import PackedCodes
from puzzlehunt.rules.base import Rule, in_place, is_not_secret
from puzzlehunt.rules.families import CountRule, PlaceRule, TileLiterals, TileRule, peg_literals
from puzzlehunt.rules.notation.clue import Clue, Parts
from puzzlehunt.rules.notation.count_clue import CountClue


class Matches(NamedTuple):
    """The feedback: the number of symbols in place."""

    matches: int


class MatchesRule(CountRule):
    """The rule `matches`: how many symbols are in place, and nothing else."""

    name: ClassVar[str] = "matches"
    summary = "how many in place"
    kind_names: ClassVar[tuple[str, ...]] = ("match", "miss")
    symmetric = True
    symmetric_by_position = True
    short_guesses: ClassVar[bool] = True

    def score(self, guess: Code, secret: Code) -> Matches:
        """Return how many symbols are in place."""
        return Matches(sum(map(eq, guess, secret)))

    @cached_property
    def feedbacks(self) -> Sequence[Matches]:
        """All counts, ascending."""
        return [Matches(count) for count in range(self.length + 1)]

    def tile_literals(self, place: int, symbol: int, earlier: int) -> TileLiterals:
        yield "match", 1, At(place, (symbol,))


class Letters(NamedTuple):
    """The feedback: the number of symbols in common, and 1 if the guess is the secret, else 0."""

    common: int
    solved: int


class LettersRule(CountRule):
    """The rule `letters`: how many symbols guess and secret have in common, wherever they are.

    A symbol that both codes repeat counts as often as both have it. A guess with all symbols in
    common may be an anagram of the secret, so the feedback also says whether it is the secret.
    """

    name: ClassVar[str] = "letters"
    summary = "how many in common"
    kind_names: ClassVar[tuple[str, ...]] = ("common", "miss")
    symmetric = True
    short_guesses: ClassVar[bool] = True
    losing_rest: ClassVar[Parts] = (0,)

    def score(self, guess: Code, secret: Code) -> Letters:
        """Return how many symbols a guess has in common with a secret, and whether it is equal."""
        return Letters((Counter(guess) & Counter(secret)).total(), int(guess == secret))

    @cached_property
    def feedbacks(self) -> Sequence[Letters]:
        """The losing feedbacks by ascending count, then the winning one."""
        return [*(Letters(n, 0) for n in range(self.length + 1)), self.winning]

    def tile_literals(self, place: int, symbol: int, earlier: int) -> TileLiterals:
        yield "common", 1, AtLeast((symbol,), earlier + 1)

    def table(self, guesses: PackedCodes, secrets: PackedCodes) -> Table:
        table = super().table(guesses, secrets)
        rows, columns = np.nonzero(table == self.length)
        equal = (guesses.codes[rows] == secrets.codes[columns]).all(axis=1)
        table[rows[equal], columns[equal]] = self.winning_index
        return table

    def constraint(self, guess: Code, clue: Clue) -> Constraint:
        if cast(CountClue, clue).rest != self.losing_rest:
            return Bound(self.length, in_place(guess), None)
        return AllOf((super().constraint(guess, clue), is_not_secret(self, guess)))


class Pairs(NamedTuple):
    """The feedback: the numbers of pairs in place, pairs elsewhere, and halves in place."""

    black: int
    white: int
    half: int


class PairsRule(CountRule):
    """The rule `pairs`: symbols have two halves, such as a shape and a colour.

    *Black* is the number of pairs in place, *white* the number of pairs elsewhere, and *half* the
    number of positions where exactly one of the two halves is in place. A white pair may also have
    one half in place; it then counts both as white and as half. Each symbol's first character is
    one half.
    """

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

    def tile_literals(self, place: int, symbol: int, earlier: int) -> TileLiterals:
        yield from peg_literals(place, symbol, earlier)
        first, second = self._halves[symbol]
        alike = [(f == first) != (s == second) for f, s in self._halves]
        yield "half", 1, At(place, tuple(n for n, is_half in enumerate(alike) if is_half))

    def can_happen(self, feedback: Parts, guess: Code) -> bool:
        black, white, half = feedback
        known = len(guess) - guess.count(FOREIGN)
        fits = black + white <= known and black + half <= known
        return fits and (len(guess) != self.length or (black, white) != (self.length - 1, 1))


class Directions(NamedTuple):
    """The feedback: how many symbols of the secret are later, and how many are earlier."""

    later: int
    earlier: int


class DirectionsRule(CountRule):
    """The rule `directions`: how many symbols of the secret come later in the alphabet, or earlier.

    The feedback does not say which; the rule `order` does. The miss is a symbol in place.
    """

    name: ClassVar[str] = "directions"
    summary = "how many later, how many earlier"
    kind_names: ClassVar[tuple[str, ...]] = ("later", "earlier", "miss")
    compares_symbols: ClassVar[bool] = True

    def score(self, guess: Code, secret: Code) -> Directions:
        """Return how many symbols of a secret are later than the guess's, and how many earlier."""
        pairs = list(zip(guess, secret, strict=True))
        return Directions(sum(s > g for g, s in pairs), sum(s < g for g, s in pairs))

    @cached_property
    def feedbacks(self) -> Sequence[Parts]:
        """All counts with later + earlier <= length, sorted by their sum, then by later."""
        totals = range(self.length + 1)
        return [Directions(later, total - later) for total in totals for later in range(total + 1)]

    def tile_literals(self, place: int, symbol: int, earlier: int) -> TileLiterals:
        yield "later", 1, At(place, tuple(range(symbol + 1, self.symbols)))
        yield "earlier", 1, At(place, tuple(range(symbol)))

    def can_happen(self, feedback: Parts, guess: Code) -> bool:
        later, earlier = feedback
        at_ends = later + guess.count(self.symbols - 1), earlier + guess.count(0)
        return max(*at_ends, later + earlier) <= len(guess)


class NearRule(PlaceRule):
    """The rule `near`: each symbol of the secret equals the guess's symbol, is near it or is far.

    Two symbols are near if their numbers in the alphabet differ by at most `within` (default 3).
    """

    name: ClassVar[str] = "near"
    summary = "a tile: equal, near, far"
    option_names: ClassVar[tuple[str, ...]] = ("within",)
    kind_names: ClassVar[tuple[str, ...]] = ("far", "near", "equal")
    default_marks: ClassVar[tuple[str, str, str]] = (".", "Y", "G")
    other_marks: Mapping[str, int] = MappingProxyType(
        {**TileRule.other_marks, **dict.fromkeys(("x", "-", "b", "."), 0)}
    )

    def prepare(self) -> None:
        super().prepare()
        within = self.options.get("within", "3")
        if not (isinstance(within, str) and within.isdecimal() and 0 < int(within) < 1000):
            raise ValueError(f"within: expected a number of places above 0, not {within!r}")
        self.within = int(within)

    def score(self, guess: Code, secret: Code) -> Parts:
        """Return the digit of each tile: 2 for equal, 1 for `within` places or fewer, else 0."""
        distances = [abs(g - s) for g, s in zip(guess, secret, strict=True)]
        return tuple(2 if d == 0 else int(d <= self.within) for d in distances)


class OrderRule(PlaceRule):
    """The rule `order`: each symbol of the secret is the guess's, or earlier or later than it."""

    name: ClassVar[str] = "order"
    summary = "a tile: equal, earlier, later"
    kind_names: ClassVar[tuple[str, ...]] = ("earlier", "later", "equal")
    default_marks: ClassVar[tuple[str, str, str]] = ("<", ">", "=")
    other_marks: Mapping[str, int] = MappingProxyType(
        {"🟩": 2, "correct": 2, **dict.fromkeys("🔼⬆🔺⏫", 1), **dict.fromkeys("🔽⬇🔻⏬", 0)}
    )

    def score(self, guess: Code, secret: Code) -> Parts:
        """Return the digit of each tile: 0 if the secret's symbol is earlier, 1 later, 2 equal."""
        pairs = zip(guess, secret, strict=True)
        return tuple(2 if g == s else int(s > g) for g, s in pairs)


RULES: tuple[type[Rule], ...] = (
    MatchesRule, LettersRule, OrderRule, NearRule, DirectionsRule, PairsRule,
)  # fmt: skip
