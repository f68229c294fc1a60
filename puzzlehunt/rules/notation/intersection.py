"""What two clues about the same feedback say together, if they agree.

A player reads an answer bit by bit, and writes it down again with each mark that was made out.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from puzzlehunt.errors import ImpossibleClueError
from puzzlehunt.rules.notation.clue import UNREAD, Cell, Clue
from puzzlehunt.rules.notation.count_clue import CountClue
from puzzlehunt.rules.notation.tiles import TileClue

if TYPE_CHECKING:
    from puzzlehunt.rules.notation.counts import CountNotation


def intersect(old: Clue, new: Clue, together: Callable[[], Clue | None]) -> Clue | None:
    """Return the clue that says what two clues say; None if no feedback agrees with both.

    That is `new` if it says at least as much as `old`, or `old` if that says more. Where each says
    something of its own it is `together()`, if that is just what both say, or else the one of the
    two that says more.
    """
    common = sum(1 for feedback in new if feedback in old)
    new_count, old_count = (sum(1 for _ in clue) for clue in (new, old))
    if not common:
        return None
    if common == new_count:
        return new
    if common == old_count:
        return old
    clue = together()
    if clue is not None and sum(1 for _ in clue) == common:
        return clue
    return new if new_count <= old_count else old


def tiles_together(old: TileClue, new: TileClue) -> TileClue | None:
    """Return the clue of what both say of each tile; None if a tile cannot be as both say."""
    pairs = zip(old.cells, new.cells, strict=True)
    cells = tuple(tuple(digit for digit in a if digit in b) for a, b in pairs)
    return TileClue(cells) if all(cells) else None


def counts_together(notation: "CountNotation", old: CountClue, new: CountClue) -> CountClue | None:
    """Return the clue of all marks that either has, or else of the ranges common to both.

    Such ranges may admit more than both clues do, if some mark was read as one of two kinds. None
    if there are no such ranges.
    """
    if old.cells is not None and new.cells is not None:
        marks = (Counter(old.cells) | Counter(new.cells)).elements()
        read = [cell for cell in marks if cell != UNREAD]
        if all(len(cell) == 1 for cell in read):
            return notation.of_cells(read + [UNREAD] * (old.marks - len(read)), old.marks)
    pairs = zip(old.ranges, new.ranges, strict=True)
    ranges = [(max(a[0], b[0]), min(a[1], b[1])) for a, b in pairs]
    return notation.of_ranges(ranges, old.marks)


def restates(notation: "CountNotation", old: CountClue, new: CountClue) -> bool:
    """Return whether a clue says again, and otherwise, what another one says: `BW` after `BB`.

    It is then meant instead of the other, though some feedback agrees with both. Marks of other
    kinds (`W` after `B`), and a bound from the other side (`<=2b` after `>=1b`), are meant besides.
    """
    common = sum(1 for feedback in new if feedback in old)
    if not common or common in (sum(1 for _ in old), sum(1 for _ in new)):
        return False
    if old.cells is not None and new.cells is not None:
        return bool(_kinds_written(notation, old.cells) & _kinds_written(notation, new.cells))
    pairs = [sorted(pair) for pair in zip(old.ranges, new.ranges, strict=True)]
    return any(
        least < low <= high < most and (least, most) != (0, new.marks)
        for (least, high), (low, most) in pairs
    )


def _kinds_written(notation: "CountNotation", cells: Iterable[Cell]) -> set[int]:
    """Return the kinds of marks that are written; a miss without a mark of its own is not."""
    kinds = {kind for cell in cells for kind in cell}
    return kinds if notation.miss_has_mark else kinds - {len(notation.kinds) - 1}


def counts_with_more(
    notation: "CountNotation", clue: CountClue, added: CountClue
) -> CountClue | None:
    """Return a clue with the marks of another one besides its own, None if either has no marks.

    Each takes the place of an unread mark, or of a miss where a miss is not written. Raises
    ImpossibleClueError if there is no place left.
    """
    if clue.cells is None or added.cells is None:
        return None
    miss = (len(notation.kinds) - 1,)
    cells = list(clue.cells)
    free = [UNREAD] if notation.miss_has_mark else [UNREAD, miss]
    for cell in added.cells:
        if cell in free:
            continue
        place = next((old for old in free if old in cells), None)
        if place is None:
            raise ImpossibleClueError(
                f"all {len(cells)} marks of this row were read: {notation.format(clue)}"
            )
        cells[cells.index(place)] = cell
    return notation.of_cells(cells, clue.marks)
