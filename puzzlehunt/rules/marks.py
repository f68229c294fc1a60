"""Marks: each tile is in the right place, elsewhere in the secret, or absent (Wordle, Nerdle).

A symbol that the guess has several times is marked as often as the secret has it: tiles in the
right place first, then the others from left to right.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, cast

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
from puzzlehunt.rules.base import TileRule
from puzzlehunt.rules.notation.clue import Clue, Feedback
from puzzlehunt.rules.notation.tiles import TileClue, feedback_count

if TYPE_CHECKING:
    from puzzlehunt.kernels.codes import Bytes
    from puzzlehunt.kernels.tables import Tile

_ABSENT, _ELSEWHERE, _RIGHT = range(3)
_MOST_READINGS = 3**7
"""Of a clue with more readings than this, one is taken to be possible."""


def score(guess: Sequence[object], secret: Sequence[object]) -> Feedback:
    """Return a mark for each tile of a guess: 2 right place, 1 elsewhere, 0 absent.

    >>> score("LOLLY", "ALLOW")
    (1, 1, 2, 0, 0)
    """
    left = Counter(s for g, s in zip(guess, secret, strict=True) if g != s)
    marks = []
    for g, s in zip(guess, secret, strict=True):
        if g == s:
            marks.append(_RIGHT)
        elif left[g]:
            left[g] -= 1
            marks.append(_ELSEWHERE)
        else:
            marks.append(_ABSENT)
    return tuple(marks)


class MarksRule(TileRule):
    """The rule for one game."""

    name: ClassVar[str] = "marks"
    summary = "a tile: in place, elsewhere, absent"
    digit_names: ClassVar[tuple[str, str, str]] = ("absent", "elsewhere", "right")
    default_marks: ClassVar[tuple[str, str, str]] = (".", "Y", "G")
    kind_names: ClassVar[tuple[str, ...]] = digit_names
    mark_names: ClassVar[tuple[str, ...]] = (*digit_names, "unknown")
    other_marks: Mapping[str, int] = MappingProxyType(
        {**TileRule.other_marks, "x": _ABSENT, "-": _ABSENT, "b": _ABSENT, ".": _ABSENT}
    )

    def score(self, guess: Code, secret: Code) -> Feedback:
        return score(guess, secret)

    def tile_digits(self, tile: "Tile", secrets: "Bytes") -> "Bytes":
        right = secrets[:, tile.place] == tile.symbol
        held = (secrets == tile.symbol).sum(axis=1, dtype="uint8")
        for place in tile.later:
            held -= secrets[:, place] == tile.symbol
        shown: Bytes = (held > tile.earlier).astype("uint8")
        shown[right] = _RIGHT
        return shown

    def shows(self, guess: Code, place: int, digit: int) -> Constraint:
        symbol = guess[place]
        if symbol == FOREIGN:
            return TRUE if digit == _ABSENT else AnyOf(())
        here = At(place, (symbol,))
        if digit == _RIGHT:
            return require(here)
        earlier = guess[:place].count(symbol)
        later = [p for p in range(place + 1, len(guess)) if guess[p] == symbol]
        held = tuple((1, AtLeast((symbol,), j)) for j in range(1, earlier + len(later) + 2))
        left = held + tuple((-1, At(p, (symbol,))) for p in later)
        if digit == _ELSEWHERE:
            return AllOf((forbid(here), Bound(earlier + 1, left, None)))
        return AllOf((forbid(here), Bound(None, left, earlier)))

    def hint(self, guess: Code, clue: Clue) -> Constraint:
        """Return that later guesses keep what is in place, and use what is elsewhere."""
        cells = cast(TileClue, clue).cells
        found: Counter[int] = Counter()
        kept: list[Constraint] = []
        for place, (symbol, cell) in enumerate(zip(guess, cells, strict=True)):
            if _ABSENT not in cell and symbol != FOREIGN:
                found[symbol] += 1
            if cell == (_RIGHT,):
                kept.append(require(At(place, (symbol,))))
        kept += [require(AtLeast((symbol,), times)) for symbol, times in found.items()]
        return AllOf(tuple(kept))

    def trouble(self, guess: Code, clue: TileClue) -> str:
        if feedback_count(clue) > _MOST_READINGS or any(_possible(guess, marks) for marks in clue):
            return ""
        return "no secret could be marked so"


def _possible(guess: Code, marks: Feedback) -> bool:
    """Return whether some secret, of any symbols, could mark a guess so."""
    for symbol in set(guess):
        shown = [mark for s, mark in zip(guess, marks, strict=True) if s == symbol]
        missed = [mark for mark in shown if mark != _RIGHT]
        if missed != sorted(missed, reverse=True) or (symbol == FOREIGN and any(shown)):
            return False
    free = [place for place, mark in enumerate(marks) if mark != _RIGHT]
    holds: dict[int, int] = {}

    def settle(tile: int, tried: set[int]) -> bool:
        """Find a place for a symbol that is elsewhere, moving others out of the way."""
        for place in free:
            if guess[place] != guess[tile] and place not in tried:
                tried.add(place)
                if place not in holds or settle(holds[place], tried):
                    holds[place] = tile
                    return True
        return False

    return all(settle(tile, set()) for tile, mark in enumerate(marks) if mark == _ELSEWHERE)
