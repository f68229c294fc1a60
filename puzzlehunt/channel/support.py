"""The support of a clue: the feedbacks that may be the truth behind it.

All here is logic, of one rule and one channel; `Likelihood` says how likely what is possible is.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, product
from typing import TypeAlias, cast

from puzzlehunt.channel.model import Channel
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.families import CountRule, TileRule
from puzzlehunt.rules.notation.clue import UNREAD, Cell, Clue, Feedback
from puzzlehunt.rules.notation.edits import CountEdits, Edits
from puzzlehunt.rules.notation.tiles import TileClue

MarkDraw: TypeAlias = Callable[[int, int], float]
"""Draws a number from 0 to 1 for a mark, given its kind and its number among those of its kind.

For tiles: given its digit and its position.
"""


class Support(ABC):
    """Which feedbacks may be the truth behind a clue, for one rule and one channel."""

    def __init__(self, rule: CountRule | TileRule, channel: Channel) -> None:
        self.rule: CountRule | TileRule = rule
        self.channel = channel
        self.rates = channel.reads
        self.edits: Edits = rule.edits
        means = [rate.mean for rate in channel.reads or () if not rate.learned]
        self.has_certain_rate = not {0, 1}.isdisjoint(means)
        """Whether some rate is known to be 0 or 1, so that a mark read or unread says more."""
        self._clues: dict[Clue, list[Clue]] = {}
        self._unanswered: dict[Clue, bool] = {}

    def clues(self, clue: Clue) -> list[Clue]:
        """Return clues that together admit just the feedbacks that may be the truth behind a clue.

        A losing feedback is among them if and only if its chance is above 0; none is where the clue
        can only be of a guess that won. Of lies, only a fixed number of false marks in each turn
        (`exactly`) is used here. Engines see to the others: turns that lie by chance rule out
        nothing, and a budget of lying turns (`at_most`) concerns the whole history.
        """
        if clue not in self._clues:
            as_it_is = self.rule.wins(clue) or self.is_unanswered(clue)
            shown = clue if as_it_is else self._narrowed(clue)
            lies = self.channel.lies.exactly and not as_it_is
            self._clues[clue] = [] if shown is None else self._truths(shown) if lies else [shown]
        return self._clues[clue]

    def admits(self, clue: Clue, feedback: Feedback) -> bool:
        """Return whether a losing feedback may be the truth behind a clue."""
        return any(feedback in true for true in self.clues(clue))

    def may_be_shown(self, guess: Code, clue: Clue) -> bool:
        """Return whether a guess that did not win can have a clue, lies included.

        A lie may show any of `losing_feedbacks`; but one with false marks (`exactly`) is of a truth
        that some secret could cause.
        """
        lies = self.channel.lies
        if lies.at_most or lies.chance:
            shown = self._narrowed(clue)
            return shown is not None and self._may_lose(shown)
        return any(self.rule.may_lose(guess, true) for true in self.clues(clue))

    def is_unanswered(self, clue: Clue) -> bool:
        """Return whether nothing was read, though by the rates something would have been.

        The answer is then not known yet: the clue says nothing, and is no sign of anything.
        """
        if not self.has_certain_rate:
            return False
        if clue not in self._unanswered:
            cells, shown = self.cells(clue), self._narrowed(clue)
            nothing_read = bool(cells) and all(map(self._is_unread, cells))
            possible = shown is not None and self._may_lose(shown)
            self._unanswered[clue] = nothing_read and not possible
        return self._unanswered[clue]

    def may_be_win(self, clue: Clue) -> bool:
        """Return whether the marks of a clue can be those of the winning feedback."""
        shown = self._narrowed(clue)
        return shown is not None and tuple(self.rule.winning) in shown

    def trouble(self, clue: Clue) -> str:
        """Return why the known rates make a clue impossible, an empty text if they do not."""
        if self.rates is None:
            return ""
        cells = self.cells(clue)
        for cell in cells:
            if len(cell) == 1 and (trouble := self._never_read(cell[0])):
                return trouble
        any_unread = any(self._is_unread(cell) for cell in cells)
        if any_unread and all(rate.mean == 1 for rate in self.rates):
            return "every mark is read, so none is unread; /rates says how often marks are"
        return ""

    def _never_read(self, kind: int) -> str:
        """Return that a kind of mark is never read, an empty text if it may be."""
        if self.rates is None or self.rates[kind].mean > 0:
            return ""
        _, label = self.rule.kinds[kind]
        if label == "miss" and not self.rule.miss_has_mark:
            return "what is left out is a miss, and misses are never read; write _ for each"
        return f"a {label} mark is never read; /rates says how often marks are"

    def _narrowed(self, clue: Clue) -> Clue | None:
        """Return a clue without the kinds of marks that rates of 0 and 1 rule out.

        A kind that is always read cannot be unread, one that is never read cannot be read. None if
        no kind is left for some mark.
        """
        if self.rates is None or not self.has_certain_rate:
            return clue
        unread = tuple([kind for kind, rate in enumerate(self.rates) if rate.mean < 1])
        readable = [kind for kind, rate in enumerate(self.rates) if rate.mean > 0]
        cells = [
            unread if self._is_unread(cell) else tuple([k for k in cell if k in readable])
            for cell in self.cells(clue)
        ]
        return self._with_cells(clue, cells) if all(cells) else None

    def draw_lie(self, feedback: Feedback, guess: Code, rng: random.Random) -> Feedback:
        """Return a false feedback to show instead of a losing one, drawn as the channel lies.

        The losing one itself comes back if no other is possible.
        """
        marks = self.mark_count(self.rule.full_clue(feedback, guess))
        if self.channel.lies.exactly:
            shown_instead = self.false_feedbacks(feedback, marks)
            return rng.choices(list(shown_instead), list(shown_instead.values()))[0]
        others = [f for f in self.losing_feedbacks(marks) if tuple(f) != tuple(feedback)]
        return rng.choice(others) if others else feedback

    @abstractmethod
    def cells(self, clue: Clue) -> Sequence[Cell]:
        """Return the cells of a clue, none if the player wrote counts instead of marks."""

    @staticmethod
    @abstractmethod
    def _is_unread(cell: Cell) -> bool:
        """Return whether a cell stands for an unread mark."""

    @abstractmethod
    def mark_count(self, clue: Clue) -> int:
        """Return how many marks the feedback behind a clue has."""

    @abstractmethod
    def losing_feedbacks(self, marks: int) -> Sequence[Feedback]:
        """Return all that may stand in a false row of so many marks: every feedback but a win.

        No secret need be able to cause it.
        """

    @abstractmethod
    def false_feedbacks(self, feedback: Feedback, marks: int) -> Mapping[Feedback, float]:
        """Return what a channel with `lies.exactly` shows for a losing feedback of `marks` marks.

        It is a mapping from feedbacks to their probabilities; where no mark can be false, the
        feedback itself is shown.
        """

    @abstractmethod
    def partly_read(
        self, feedback: Feedback, guess: Code, rates: Sequence[float], draw: MarkDraw
    ) -> Clue:
        """Return the clue of a feedback with some marks unread.

        A mark is read if `draw` is below the rate of its kind.
        """

    @abstractmethod
    def _with_cells(self, clue: Clue, cells: list[Cell]) -> Clue:
        """Return a clue with other cells."""

    @abstractmethod
    def _truths(self, shown: Clue) -> list[Clue]:
        """Return clues that together admit what may be the truth behind a clue with false marks.

        `shown` admits what was shown; that is never the winning feedback, which is never false.
        """

    @abstractmethod
    def _may_lose(self, clue: Clue) -> bool:
        """Return whether a clue admits a losing feedback."""


class CountSupport(Support):
    """The support for a rule that counts kinds of marks; the last kind is the miss."""

    rule: CountRule
    edits: CountEdits

    def __init__(self, rule: CountRule, channel: Channel) -> None:
        super().__init__(rule, channel)
        self.kinds = len(rule.notation.kinds)
        self._losing_feedbacks: dict[int, dict[Feedback, None]] = {}

    def trouble(self, clue: Clue) -> str:
        counts = self.rule.counts_of(clue)
        for kind, (low, _) in enumerate(counts.ranges if counts.cells is None else ()):
            if low and self.edits.visible((kind,)) and (trouble := self._never_read(kind)):
                return trouble
        return super().trouble(clue)

    def cells(self, clue: Clue) -> Sequence[Cell]:
        return self.rule.counts_of(clue).cells or ()

    @staticmethod
    def _is_unread(cell: Cell) -> bool:
        return cell == UNREAD

    def mark_count(self, clue: Clue) -> int:
        return self.rule.counts_of(clue).marks

    def losing_feedbacks(self, marks: int) -> Sequence[Feedback]:
        return list(self._losing(marks))

    def _losing(self, marks: int) -> dict[Feedback, None]:
        """Return the keys of `losing_feedbacks`, in its order."""
        if marks not in self._losing_feedbacks:
            winning, reported = tuple(self.rule.winning), self.kinds - 1
            fitting = [f for f in self.rule.feedbacks if sum(f[:reported]) <= marks]
            self._losing_feedbacks[marks] = dict.fromkeys([f for f in fitting if f != winning])
        return self._losing_feedbacks[marks]

    def false_feedbacks(self, feedback: Feedback, marks: int) -> Mapping[Feedback, float]:
        return self._with_one_mark_changed(feedback, marks) or {feedback: 1.0}

    def _with_one_mark_changed(self, feedback: Feedback, marks: int) -> dict[Feedback, float]:
        """Return the losing feedbacks with one mark of another kind, each with its probability."""
        reported = list(feedback[: self.kinds - 1])
        counts = [*reported, marks - sum(reported)]
        rest = [0] * (len(feedback) - len(reported))
        losing = self._losing(marks)
        weights: dict[Feedback, float] = {}
        for fewer, more in product(range(self.kinds), repeat=2):
            if fewer == more or not counts[fewer]:
                continue
            changed = list(counts)
            changed[fewer] -= 1
            changed[more] += 1
            lie = (*changed[:-1], *rest)
            if lie in losing:
                weights[lie] = weights.get(lie, 0) + counts[fewer] / marks / (self.kinds - 1)
        return _normalised(weights)

    def partly_read(
        self, feedback: Feedback, guess: Code, rates: Sequence[float], draw: MarkDraw
    ) -> Clue:
        whole = self.rule.full_clue(feedback, guess)
        marks = self.rule.mark_count(guess)
        counts = tuple(feedback[: self.kinds - 1])
        cells = [
            (kind,) if draw(kind, n) < rates[kind] else UNREAD
            for kind, count in enumerate((*counts, marks - sum(counts)))
            for n in range(count)
        ]
        if UNREAD not in cells:
            return whole
        return self.rule.with_counts(whole, self.rule.notation.of_cells(cells, marks))

    def _with_cells(self, clue: Clue, cells: list[Cell]) -> Clue:
        counts = self.rule.counts_of(clue)
        if counts.cells is None:
            return clue
        open_cells = [UNREAD if len(cell) == self.kinds else cell for cell in cells]
        changed = self.rule.notation.of_cells(open_cells, counts.marks)
        if changed.ranges == counts.ranges and changed.set_ranges() == counts.set_ranges():
            return clue
        return self.rule.with_counts(clue, changed)

    def _truths(self, shown: Clue) -> list[Clue]:
        """Return the clues with one mark of another kind: game files allow one false mark here.

        Where they admit more, or less, than what may be the truth, each truth is a clue by itself:
        what wins and what the rule does not list is never shown, and where no mark can be false
        the truth is.
        """
        marks = self.mark_count(shown)
        losing = self.losing_feedbacks(marks)
        truths = {
            truth
            for feedback in losing
            if feedback in shown
            for truth in self.false_feedbacks(feedback, marks)
        }
        clues = self.edits.one_mark_changed(shown)
        if all((f in truths) == any(f in clue for clue in clues) for f in losing):
            return clues
        notation = self.rule.notation
        return [
            self.rule.with_counts(shown, notation.full_clue(truth[: self.kinds - 1], marks))
            for truth in sorted(truths)
        ]

    def _may_lose(self, clue: Clue) -> bool:
        return any(f in clue for f in self.losing_feedbacks(self.mark_count(clue)))


class TileSupport(Support):
    """The support for a rule that marks each tile 0, 1 or 2; an unread tile may be all three."""

    rule: TileRule

    def cells(self, clue: Clue) -> Sequence[Cell]:
        return cast(TileClue, clue).cells

    @staticmethod
    def _is_unread(cell: Cell) -> bool:
        return len(cell) == 3

    def mark_count(self, clue: Clue) -> int:
        return len(cast(TileClue, clue).cells)

    def losing_feedbacks(self, marks: int) -> Sequence[Feedback]:
        return [feedback for feedback in self.rule.feedbacks if feedback != self.rule.winning]

    def _false_positions(self) -> list[tuple[int, ...]]:
        """Return the sets of positions whose marks may be false in a turn."""
        width = self.rule.width
        return list(combinations(range(width), min(self.channel.lies.exactly, width)))

    def false_feedbacks(self, feedback: Feedback, marks: int) -> Mapping[Feedback, float]:
        weights: dict[Feedback, float] = {}
        for positions in self._false_positions():
            for shifts in product((1, 2), repeat=len(positions)):
                tiles = list(feedback)
                for position, shift in zip(positions, shifts, strict=True):
                    tiles[position] = (tiles[position] + shift) % 3
                if tuple(tiles) != tuple(self.rule.winning):
                    weights[tuple(tiles)] = 1.0
        return _normalised(weights)

    def partly_read(
        self, feedback: Feedback, guess: Code, rates: Sequence[float], draw: MarkDraw
    ) -> Clue:
        return TileClue(
            tuple(
                (digit,) if draw(digit, position) < rates[digit] else (0, 1, 2)
                for position, digit in enumerate(feedback)
            )
        )

    def _with_cells(self, clue: Clue, cells: list[Cell]) -> TileClue:
        return TileClue(tuple(cells))

    def _truths(self, shown: Clue) -> list[Clue]:
        tiles = cast(TileClue, shown)
        clues: dict[TileClue, None] = {}
        for positions in self._false_positions():
            # Where a false tile may be shown as anything, it may be shown as one that is not right.
            any_digit = any(len(tiles.cells[position]) == 3 for position in positions)
            for losing in [tiles] if any_digit else tiles.losing_parts():
                clues[_with_false_tiles(losing, positions)] = None
        return list(clues)

    def _may_lose(self, clue: Clue) -> bool:
        return any(True for _ in cast(TileClue, clue).losing_parts())


def _with_false_tiles(shown: TileClue, positions: Sequence[int]) -> TileClue:
    """Return the clue of what is true where what is shown is false at just these positions."""
    cells = list(shown.cells)
    for position in positions:
        cells[position] = tuple(digit for digit in range(3) if shown.cells[position] != (digit,))
    return TileClue(tuple(cells))


def _normalised(weights: dict[Feedback, float]) -> dict[Feedback, float]:
    """Return the weights of feedbacks, scaled so that their sum is 1."""
    total = sum(weights.values())
    return {feedback: weight / total for feedback, weight in weights.items()}


def support_of(rule: Rule, channel: Channel) -> Support:
    """Return the support of the clues of a rule, read through a channel."""
    if rule.positional:
        return TileSupport(cast(TileRule, rule), channel)
    return CountSupport(cast(CountRule, rule), channel)
