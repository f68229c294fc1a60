"""Letters: how many symbols guess and secret have in common, wherever they are (Jotto).

A symbol that both codes repeat counts as often as both have it. A guess with all symbols in common
may be an anagram of the secret, so the feedback also says whether the guess is the secret.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, NamedTuple, cast

import numpy as np

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import AllOf, AtLeast, Bound, Constraint, Literal
from puzzlehunt.rules.base import in_place, is_not_secret
from puzzlehunt.rules.families import CountRule
from puzzlehunt.rules.notation.clue import Clue, Parts
from puzzlehunt.rules.notation.count_clue import CountClue

if TYPE_CHECKING:
    from puzzlehunt.kernels.feedback_matrix import Table
    from puzzlehunt.kernels.packed_codes import PackedCodes


class Letters(NamedTuple):
    """The feedback: the number of symbols in common, and 1 if the guess is the secret, else 0."""

    common: int
    solved: int


_SOLVED = (1,)
"""What follows the count in the winning feedback: 1, since the guess is the secret."""


class LettersRule(CountRule):
    """The rule `letters` with the settings of one game."""

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

    def tile_literals(
        self, place: int, symbol: int, earlier: int
    ) -> Iterable[tuple[str, int, Literal]]:
        yield "common", 1, AtLeast((symbol,), earlier + 1)

    def table(self, guesses: "PackedCodes", secrets: "PackedCodes") -> "Table":
        table = super().table(guesses, secrets)
        rows, columns = np.nonzero(table == self.length)
        equal = (guesses.codes[rows] == secrets.codes[columns]).all(axis=1)
        table[rows[equal], columns[equal]] = self.winning_index
        return table

    def constraint(self, guess: Code, clue: Clue) -> Constraint:
        if cast(CountClue, clue).rest == _SOLVED:
            return Bound(self.length, in_place(guess), None)
        return AllOf((super().constraint(guess, clue), is_not_secret(self, guess)))
