"""Matches: how many symbols are in place, and nothing else.

Games: Fallout's terminals, which call this number the likeness, and "Guess the Word".
"""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import Term
from puzzlehunt.rules.families import CountRule, in_place
from puzzlehunt.rules.notation.clue import Parts
from puzzlehunt.rules.notation.count_clue import CountClue

if TYPE_CHECKING:
    from puzzlehunt.kernels.feedback_matrix import Table, Tile
    from puzzlehunt.kernels.packed_codes import CodeArray, PackedCodes


_LIKENESS = re.compile(
    r"(?:likeness\s*[=:]?\s*)?(\d{1,3})(?:\s*/\s*(\d{1,3}))?(?:\s*correct\.?)?", re.IGNORECASE
)
"""How Fallout's terminals write a count: `Likeness=2`, `2/7 correct.`, or the number alone."""


class Matches(NamedTuple):
    """The feedback: the number of symbols in place."""

    matches: int


def score(guess: Sequence[object], secret: Sequence[object]) -> Matches:
    """Return how many symbols of a guess are in place.

    >>> score("PROTRACT", "CROPPERS")
    Matches(matches=2)
    """
    return Matches(sum(g == s for g, s in zip(guess, secret, strict=False)))


class MatchesRule(CountRule):
    """The rule `matches` with the settings of one game."""

    name: ClassVar[str] = "matches"
    summary = "how many in place"
    kind_names: ClassVar[tuple[str, ...]] = ("match", "miss")
    symmetric: ClassVar[bool] = True
    symmetric_by_position = True
    short_guesses: ClassVar[bool] = True

    def score(self, guess: Code, secret: Code) -> Matches:
        return score(guess, secret)

    @cached_property
    def feedbacks(self) -> Sequence[Parts]:
        """All counts, ascending."""
        return [Matches(n) for n in range(self.length + 1)]

    @property
    def winning(self) -> Matches:
        return Matches(self.length)

    def table(self, guesses: "PackedCodes", secrets: "PackedCodes") -> "Table":
        from puzzlehunt.kernels.feedback_matrix import sum_table, unsigned_type

        def summands(tile: "Tile", codes: "CodeArray") -> "CodeArray":
            matches: CodeArray = (codes[:, tile.place] == tile.symbol).astype("uint8")
            return matches

        dtype = unsigned_type(len(self.feedbacks))
        return sum_table(guesses.codes, self.symbols, secrets.codes, summands, dtype, repeats=False)

    def counters(self, guess: Code) -> Sequence[tuple[Term, ...]]:
        return [in_place(guess)]

    def parse(self, text: str, guess: Code) -> CountClue:
        """Return the clue of a text; Fallout's own texts are read, too: `Likeness=2`, `2/7`."""
        terminal = _LIKENESS.fullmatch(text.strip())
        if terminal is not None and int(terminal[2] or len(guess)) == len(guess):
            text = terminal[1]
        return super().parse(text, guess)

    def json_parts(self, feedback: Parts, guess: Code) -> dict[str, int | str]:
        """Return `matches`, the number of symbols in place."""
        return {"matches": feedback[0]}
