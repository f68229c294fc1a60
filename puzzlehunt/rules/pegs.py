"""Pegs: black for the right symbol in the right place, white for the right symbol elsewhere.

Games: Mastermind, Bulls and Cows, NetHack's tune. If symbols repeat, each peg of the secret is
matched with at most one peg of the guess (Knuth, "The Computer as Master Mind", 1976).
"""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.kernels.feedback_matrix import Table, popcount_table, unsigned_type
from puzzlehunt.kernels.packed_codes import CodeArray, PackedCodes, count_bits, position_bits
from puzzlehunt.rules.families import CountRule, TileLiterals, peg_literals
from puzzlehunt.rules.notation.clue import Parts


class Pegs(NamedTuple):
    """The feedback: the numbers of black and of white pegs.

    >>> import puzzlehunt
    >>> puzzlehunt.load("4x6").score("AABB", "ABCD") == puzzlehunt.Pegs(black=1, white=1)
    True
    """

    black: int
    white: int


def score(guess: Sequence[object], secret: Sequence[object]) -> Pegs:
    """Return the black and white pegs for a guess; both codes may have any symbols and any length.

    >>> score("HORSE", "HEART")
    Pegs(black=1, white=2)
    """
    black = sum(g == s for g, s in zip(guess, secret, strict=False))
    common = Counter(guess) & Counter(secret)
    return Pegs(black, common.total() - black)


class PegsRule(CountRule):
    """The rule `pegs` with the settings of one game."""

    name: ClassVar[str] = "pegs"
    summary = "in place, elsewhere"
    kind_names: ClassVar[tuple[str, ...]] = ("black", "white", "miss")
    symmetric = True
    short_guesses: ClassVar[bool] = True

    def score(self, guess: Code, secret: Code) -> Pegs:
        """Return the pegs for a guess, which may be short and have foreign symbols."""
        return score(guess, secret)

    @cached_property
    def feedbacks(self) -> Sequence[Pegs]:
        """All pegs with black + white <= length, sorted by their sum, then by black."""
        return [Pegs(b, t - b) for t in range(self.length + 1) for b in range(t + 1)]

    def rows(self, codes: CodeArray) -> PackedCodes:
        return PackedCodes(
            codes,
            position_bits(codes, self.symbols),
            count_bits(codes, self.symbols, self.repeats),
        )

    @cached_property
    def pair_offsets(self) -> Table:
        """The index in `feedbacks` of the first feedback for each sum of the counts, from 0."""
        offsets = [t * (t + 1) // 2 for t in range(self.length + 1)]
        return np.array(offsets, dtype=unsigned_type(len(self.feedbacks)))

    def table(self, guesses: PackedCodes, secrets: PackedCodes) -> Table:
        return popcount_table(guesses, secrets, self.pair_offsets)

    def tile_literals(self, place: int, symbol: int, earlier: int) -> TileLiterals:
        return peg_literals(place, symbol, earlier)

    def can_happen(self, feedback: Parts, guess: Code) -> bool:
        one_is_left = len(guess) == self.length and feedback == (self.length - 1, 1)
        return not one_is_left and super().can_happen(feedback, guess)

    def json_parts(self, feedback: Parts, guess: Code) -> dict[str, int | str]:
        """Return the numbers of `black`, of `white`, and of the other pegs of the guess, `miss`."""
        return {**super().json_parts(feedback, guess), "miss": len(guess) - sum(feedback)}
