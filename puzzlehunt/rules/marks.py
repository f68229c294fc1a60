"""Marks: the symbol of each tile is in place, elsewhere in the secret, or absent (Wordle, Nerdle).

If the guess has a symbol more often than the secret, only as many of its tiles are marked as the
secret has: first those in place, then the others from left to right. The rest are absent.
"""

from collections import Counter
from collections.abc import Mapping
from itertools import islice
from types import MappingProxyType
from typing import ClassVar, cast

from puzzlehunt.codes.alphabet import FOREIGN, Code
from puzzlehunt.codes.constraints import (
    TRUE,
    AllOf,
    AnyOf,
    At,
    AtLeast,
    Bound,
    Constraint,
    forbid,
    require,
)
from puzzlehunt.kernels.feedback_matrix import Tile
from puzzlehunt.kernels.packed_codes import CodeArray
from puzzlehunt.rules.families import TileRule
from puzzlehunt.rules.notation.cells_clue import CellsClue
from puzzlehunt.rules.notation.clue import Clue, Parts

_ABSENT, _ELSEWHERE, _RIGHT = range(3)


class MarksRule(TileRule):
    """The rule `marks` with the settings of one game."""

    name: ClassVar[str] = "marks"
    summary = "a tile: in place, elsewhere, absent"
    kind_names: ClassVar[tuple[str, ...]] = ("absent", "elsewhere", "right")
    default_marks: ClassVar[tuple[str, str, str]] = (".", "Y", "G")
    # As players write an absent tile: x, -, black, white, not in the word.
    other_marks: Mapping[str, int] = MappingProxyType({
        **TileRule.other_marks, **dict.fromkeys(("x", "-", "b", "w", "n", ".", "absent"), _ABSENT),
        "right": 2, "present": 1, "misplaced": 1, "elsewhere": 1,
    })  # fmt: skip

    def score(self, guess: Code, secret: Code) -> Parts:
        """Return the digit of each tile: 2 for in place, 1 for elsewhere, 0 for absent."""
        unmatched = Counter(s for g, s in zip(guess, secret, strict=True) if g != s)
        marks = []
        for g, s in zip(guess, secret, strict=True):
            if g == s:
                marks.append(_RIGHT)
            elif unmatched[g]:
                unmatched[g] -= 1
                marks.append(_ELSEWHERE)
            else:
                marks.append(_ABSENT)
        return tuple(marks)

    def tile_digits(self, tile: Tile, secrets: CodeArray) -> CodeArray:
        right = secrets[:, tile.place] == tile.symbol
        # The secret's occurrences of the symbol that no later tile claims by being right.
        unclaimed = (secrets == tile.symbol).sum(axis=1, dtype="uint8")
        for place in tile.later:
            unclaimed -= secrets[:, place] == tile.symbol
        digits: CodeArray = (unclaimed > tile.earlier).astype("uint8")
        digits[right] = _RIGHT
        return digits

    def digit_constraint(self, guess: Code, place: int, digit: int) -> Constraint:
        symbol = guess[place]
        if symbol == FOREIGN:
            return TRUE if digit == _ABSENT else AnyOf(())
        here = At(place, (symbol,))
        if digit == _RIGHT:
            return require(here)
        earlier = guess[:place].count(symbol)
        later = [p for p in range(place + 1, len(guess)) if guess[p] == symbol]
        occurrences = tuple((1, AtLeast((symbol,), j)) for j in range(1, earlier + len(later) + 2))
        # As in `tile_digits`: the occurrences that no later tile claims by being right.
        unclaimed = occurrences + tuple((-1, At(p, (symbol,))) for p in later)
        if digit == _ELSEWHERE:
            return AllOf((forbid(here), Bound(earlier + 1, unclaimed, None)))
        return AllOf((forbid(here), Bound(None, unclaimed, earlier)))

    def hard_mode_constraint(self, guess: Code, clue: Clue) -> Constraint:
        """Return the constraint that symbols in place stay, and symbols elsewhere are used."""
        marks = cast(CellsClue, clue)
        digits = map(marks.choices, range(marks.marks))
        times_needed: Counter[int] = Counter()
        demands: list[Constraint] = []
        for place, (symbol, cell) in enumerate(zip(guess, digits, strict=True)):
            if _ABSENT not in cell and symbol != FOREIGN:
                times_needed[symbol] += 1
            if tuple(cell) == (_RIGHT,):
                demands.append(require(At(place, (symbol,))))
        demands += [require(AtLeast((symbol,), n)) for symbol, n in times_needed.items()]
        return AllOf(tuple(demands))

    def can_happen(self, clue: CellsClue, guess: Code) -> bool:
        feedbacks = iter(clue)
        # What admits more feedbacks is taken as possible.
        return any(_possible(guess, digits) for digits in islice(feedbacks, 3**7)) or any(feedbacks)


def _possible(guess: Code, digits: Parts) -> bool:
    """Return whether some secret, of any symbols, gives a guess these digits.

    Of the tiles of one symbol that are not right, those marked elsewhere come before the absent
    ones. Their symbols need as many positions whose own tile is not right and of another symbol;
    by Hall's theorem, all symbols find positions if each does by itself.
    """
    free = sum(digit != _RIGHT for digit in digits)
    for symbol in set(guess):
        of_symbol = [digit for s, digit in zip(guess, digits, strict=True) if s == symbol]
        not_right = [digit for digit in of_symbol if digit != _RIGHT]
        if not_right != sorted(not_right, reverse=True) or (symbol == FOREIGN and any(of_symbol)):
            return False
        if not_right.count(_ELSEWHERE) > free - len(not_right):
            return False
    return True
