"""The likelihood of clues about tiles."""

import math
from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import cast

from puzzlehunt.channel.likelihood import (
    Likelihood,
    MarkDraw,
    Tally,
    has_certain_rate,
    log_difference,
    log_of,
    normalised,
)
from puzzlehunt.channel.model import LOG_ZERO
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.rules.families import TileRule
from puzzlehunt.rules.notation.clue import Cell, Clue, Feedback
from puzzlehunt.rules.notation.tiles import TileClue


class TileLikelihood(Likelihood):
    """The likelihood for a rule that marks each tile 0, 1 or 2; an unread tile may be all three."""

    rule: TileRule

    def cells(self, clue: Clue) -> Sequence[Cell]:
        return cast(TileClue, clue).cells

    @staticmethod
    def _is_unread(cell: Cell) -> bool:
        return len(cell) == 3

    def _narrowed(self, clue: Clue) -> TileClue | None:
        tiles = cast(TileClue, clue)
        if self.rates is None or not has_certain_rate(self.rates):
            return tiles
        unread = tuple(digit for digit in range(3) if self.rates[digit].mean < 1)
        cells = [
            unread if len(cell) == 3 else tuple(d for d in cell if self.rates[d].mean > 0)
            for cell in tiles.cells
        ]
        return None if not all(cells) else TileClue(tuple(cells))

    def log_read_chance(self, clue: Clue, feedback: Feedback) -> float:
        if feedback not in clue:
            return LOG_ZERO
        if self.rates is None:
            return 0.0
        cells = cast(TileClue, clue).cells
        return sum(
            log_of(1 - self.rates[digit].mean if len(cell) == 3 else self.rates[digit].mean)
            for cell, digit in zip(cells, feedback, strict=True)
        )

    def partly_read(
        self, feedback: Feedback, guess: Code, rates: Sequence[float], draw: MarkDraw
    ) -> Clue:
        return TileClue(
            tuple(
                (digit,) if draw(digit, place) < rates[digit] else (0, 1, 2)
                for place, digit in enumerate(feedback)
            )
        )

    def tally(self, clue: Clue, feedback: Feedback) -> Tally | None:
        if feedback not in clue or self.rates is None:
            return None
        cells = cast(TileClue, clue).cells
        read, marks = [0, 0, 0], [0, 0, 0]
        chance = 0.0
        for cell, digit in zip(cells, feedback, strict=True):
            marks[digit] += 1
            read[digit] += len(cell) < 3
            if digit not in self.learned:
                mean = self.rates[digit].mean
                chance += log_of(1 - mean if len(cell) == 3 else mean)
        if chance == LOG_ZERO:
            return None
        return Tally(
            chance, tuple(read[k] for k in self.learned), tuple(marks[k] for k in self.learned)
        )

    def _one_mark_edits(self, clue: Clue) -> list[tuple[float, Clue]]:
        cells = cast(TileClue, clue).cells
        read = [p for p, cell in enumerate(cells[: self.rule.width]) if len(cell) < 3]
        corrections: list[tuple[float, Clue]] = []
        for place in read:
            others = [d for d in range(3) if d not in cells[place]]
            for digit in others:
                changed = (*cells[:place], (digit,), *cells[place + 1 :])
                corrections.append((1 / len(read) / len(others), TileClue(changed)))
        return corrections

    def erasures(self, clue: Clue) -> list[tuple[float, Clue]]:
        cells = cast(TileClue, clue).cells
        read = [p for p, cell in enumerate(cells[: self.rule.width]) if len(cell) < 3]
        return [
            (1 / len(read), TileClue((*cells[:place], (0, 1, 2), *cells[place + 1 :])))
            for place in read
        ]

    def transpositions(self, clue: Clue) -> list[tuple[float, Clue]]:
        cells = cast(TileClue, clue).cells
        pairs = [(a, b) for a, b in combinations(range(self.rule.width), 2) if cells[a] != cells[b]]
        swapped: list[tuple[float, Clue]] = []
        for a, b in pairs:
            changed = list(cells)
            changed[a], changed[b] = cells[b], cells[a]
            swapped.append((1 / len(pairs), TileClue(tuple(changed))))
        return swapped

    def open_marks(self, clue: Clue) -> Sequence[int | None]:
        cells = cast(TileClue, clue).cells[: self.rule.width]
        return [position for position, cell in enumerate(cells) if len(cell) > 1]

    def open_kinds(self, clue: Clue, feedback: Feedback, position: int | None) -> Sequence[int]:
        assert position is not None, "every mark of a tile has its position"
        return [int(feedback[position] == digit) for digit in range(3)]

    def losing_feedbacks(self, marks: int) -> Sequence[Feedback]:
        return [feedback for feedback in self.rule.feedbacks if feedback != self.rule.winning]

    def mark_count(self, clue: Clue) -> int:
        return len(cast(TileClue, clue).cells)

    def false_feedbacks(self, feedback: Feedback, marks: int) -> Mapping[Feedback, float]:
        weights: dict[Feedback, float] = {}
        width = self.rule.width
        for places in combinations(range(width), min(self.channel.lies.exactly, width)):
            for shifts in product((1, 2), repeat=len(places)):
                tiles = list(feedback)
                for place, shift in zip(places, shifts, strict=True):
                    tiles[place] = (tiles[place] + shift) % 3
                if tuple(tiles) != tuple(self.rule.winning):
                    weights[tuple(tiles)] = 1.0
        return normalised(weights)

    def distance(self, clue: Clue, feedback: Feedback) -> int:
        cells = cast(TileClue, clue).cells
        return sum(digit not in cell for digit, cell in zip(feedback, cells, strict=True))

    def _truths(self, shown: Clue) -> list[Clue]:
        tiles = cast(TileClue, shown)
        width = self.rule.width
        clues: dict[TileClue, None] = {}
        for places in combinations(range(width), min(self.channel.lies.exactly, width)):
            # Where a false tile may be shown as anything, it may be shown as one that is not right.
            any_digit = any(len(tiles.cells[place]) == 3 for place in places)
            for losing in [tiles] if any_digit else tiles.losing_parts():
                clues[_with_false_tiles(losing, places)] = None
        return list(clues)

    def _sum_losing_chances(self, clue: Clue) -> float:
        cells = cast(TileClue, clue).cells
        if self.rates is None:
            total = sum(math.log(len(cell)) for cell in cells)
        else:
            means = [rate.mean for rate in self.rates]
            total = sum(
                log_of(sum(1 - means[d] if len(cell) == 3 else means[d] for d in cell))
                for cell in cells
            )
        return log_difference(total, self.log_read_chance(clue, self.rule.winning))

    def _losing_count(self, clue: Clue) -> int:
        return len(self.rule.feedbacks) - 1

    def _may_lose(self, clue: Clue) -> bool:
        return any(True for _ in cast(TileClue, clue).losing_parts())

    def _may_win(self, clue: Clue) -> bool:
        return True


def _with_false_tiles(shown: TileClue, places: Sequence[int]) -> TileClue:
    """Return the clue of what is true where what is shown is false at just these places."""
    cells = list(shown.cells)
    for place in places:
        cells[place] = tuple(digit for digit in range(3) if shown.cells[place] != (digit,))
    return TileClue(tuple(cells))
