"""The support of a clue: the feedbacks that may be the truth behind it.

It depends on the rule and the channel. `Likelihood` has the probabilities of these feedbacks.
"""

import math
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, permutations, product
from typing import TypeAlias, cast

from puzzlehunt.channel.model import Channel
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.by_score import ScoreRule
from puzzlehunt.rules.columns import ColumnsRule
from puzzlehunt.rules.families import CountRule, TileRule
from puzzlehunt.rules.notation.cells_clue import CellsClue, whole
from puzzlehunt.rules.notation.clue import UNREAD, Cell, Clue, Feedback
from puzzlehunt.rules.notation.count_clue import CountClue
from puzzlehunt.rules.notation.edits import CellsEdits, CountEdits

NotedClue: TypeAlias = CountClue | CellsClue
NotedRule: TypeAlias = CountRule | TileRule | ScoreRule | ColumnsRule

MarkDraw: TypeAlias = Callable[[int, int], float]
"""A function that draws a number from 0 to 1 for a mark.

Its arguments are the kind of the mark and its number among the marks of that kind (0-based). For a
tile, they are its digit and its position; for a column, its place and 0.
"""


class Support(ABC):
    """Which feedbacks may be the truth behind a clue, for one rule and one channel."""

    rule: NotedRule
    edits: CountEdits | CellsEdits

    def __init__(self, rule: NotedRule, channel: Channel) -> None:
        self.rule = rule
        self.channel = channel
        self.rates = channel.reads
        self.edits = rule.edits
        means = [rate.mean for rate in channel.reads or () if not rate.learned]
        self.has_certain_rate = not {0, 1}.isdisjoint(means)
        """Whether some rate is known to be 0 or 1, so that marks of that kind are never or always
        read."""
        self._clues: dict[Clue, list[Clue]] = {}
        self._unanswered: dict[Clue, bool] = {}
        self._losing_feedbacks: dict[int, list[Feedback]] = {}

    def clues(self, clue: Clue) -> list[Clue]:
        """Return clues that together admit exactly the feedbacks that may be the truth of a clue.

        They admit a losing feedback if and only if its probability is above 0. The list is empty if
        only a winning guess can get the clue. The only lies considered here are a fixed number of
        false marks in each turn (`exactly`). Engines handle the other lies: if turns lie by chance,
        a clue excludes nothing, and a budget of lying turns (`at_most`) concerns the whole history.
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
        """Return whether a losing guess can get a clue, be it true or a lie.

        With `at_most` or `chance`, a lie may show every one of the `losing_feedbacks`. With
        `exactly`, that number of marks must differ between the clue and some possible truth.
        """
        lies = self.channel.lies
        if lies.at_most or lies.chance:
            shown = self._narrowed(clue)
            return shown is not None and self._may_lose(shown)
        return any(self.rule.may_lose(guess, true) for true in self.clues(clue))

    def is_unanswered(self, clue: Clue) -> bool:
        """Return whether no mark of a clue was read, although the known rates rule that out.

        The feedback is then not known yet, and the clue is no evidence.
        """
        if not self.has_certain_rate:
            return False
        if clue not in self._unanswered:
            noted, shown = cast(NotedClue, clue), self._narrowed(clue)
            nothing_read = set(noted.cells or ()) == {UNREAD}
            possible = shown is not None and self._may_lose(shown)
            self._unanswered[clue] = nothing_read and not possible
        return self._unanswered[clue]

    def may_be_win(self, clue: Clue) -> bool:
        """Return whether the marks of a clue can be those of the winning feedback."""
        shown = self._narrowed(clue)
        return shown is not None and self.rule.winning in shown

    def trouble(self, clue: Clue) -> str:
        """Return a line that says why the known rates make a clue impossible; "" if they do not."""
        if self.rates is None:
            return ""
        noted = cast(NotedClue, clue)
        kinds = [cell[0] for cell in noted.cells or () if len(cell) == 1]
        if isinstance(noted, CountClue) and noted.cells is None:
            reported = range(len(noted.ranges) - (not self.rule.miss_has_mark))
            kinds = [kind for kind in reported if noted.ranges[kind][0]]
        for kind in kinds:
            if not self.rates[kind].mean:
                _, label = self.rule.kinds[kind]
                if label == "miss" and not self.rule.miss_has_mark:
                    return "what is left out is a miss, and misses are never read; write _ for each"
                return f"a {label} mark is never read; /rates says how often marks are"
        if UNREAD in (noted.cells or ()) and all(rate.mean == 1 for rate in self.rates):
            return "every mark is read, so none is unread; /rates says how often marks are"
        return ""

    def _narrowed(self, clue: Clue) -> Clue | None:
        """Return a clue without the kinds of marks that rates of 0 and 1 rule out.

        A kind that is always read cannot be unread, one that is never read cannot be read. None if
        no kind is left for some mark.
        """
        noted = cast(NotedClue, clue)
        if self.rates is None or not self.has_certain_rate or noted.cells is None:
            return clue
        unread = tuple([kind for kind, rate in enumerate(self.rates) if rate.mean < 1])
        readable = [kind for kind, rate in enumerate(self.rates) if rate.mean > 0]
        cells = [
            unread if cell == UNREAD else tuple([k for k in cell if k in readable])
            for cell in noted.cells
        ]
        if not all(cells):
            return None
        any_kind = tuple(range(len(self.rates)))
        return self.edits.with_cells(clue, [UNREAD if c == any_kind else c for c in cells])

    def may_lie_about(self, feedback: Feedback) -> bool:
        """Return whether a lie by chance may be told in place of a losing feedback."""
        return not self.channel.lies.only or feedback in self.channel.lies.only

    def draw_lie(self, feedback: Feedback, guess: Code, rng: random.Random) -> Feedback:
        """Return a random false feedback to show instead of a losing one.

        If no other feedback is possible, the true one is returned.
        """
        marks = self.rule.full_clue(feedback, guess).marks
        if self.channel.lies.exactly:
            shown_instead = self.false_feedbacks(feedback, marks)
            return rng.choices(list(shown_instead), list(shown_instead.values()))[0]
        others = [f for f in self.losing_feedbacks(marks) if f != feedback]
        return rng.choice(others) if others else feedback

    def partly_read(
        self, feedback: Feedback, guess: Code, rates: Sequence[float], draw: MarkDraw
    ) -> Clue:
        """Return the clue of a feedback in which some marks are unread.

        A mark is read if the number that `draw` returns is below the rate of the mark's kind.
        """
        whole = self.rule.full_clue(feedback, guess)
        full = whole.cells or ()
        cells: list[Cell] = []
        for place, cell in enumerate(full):
            first = 0 if self.rule.positional else full.index(cell)
            was_read = draw(cell[0], place - first) < rates[cell[0]]
            cells.append(cell if was_read else UNREAD)
        return self.edits.with_cells(whole, cells)

    def losing_feedbacks(self, marks: int) -> Sequence[Feedback]:
        """Return every feedback of `marks` marks except the winning one.

        Feedbacks that no secret can cause are included.
        """
        if marks not in self._losing_feedbacks:
            counted = 0 if self.rule.positional else len(self.rule.kinds) - 1
            fitting = [f for f in self.rule.feedbacks if sum(f[:counted]) <= marks]
            self._losing_feedbacks[marks] = [f for f in fitting if f != self.rule.winning]
        return self._losing_feedbacks[marks]

    def _may_lose(self, clue: Clue) -> bool:
        """Return whether a clue admits a losing feedback."""
        feedbacks, winning = self.rule.feedbacks, self.rule.winning
        return any(f != winning and f in feedbacks for f in clue)

    @abstractmethod
    def false_feedbacks(self, feedback: Feedback, marks: int) -> Mapping[Feedback, float]:
        """Return the feedbacks that may be shown for a losing one, each with its probability.

        `marks` is the number of marks, of which `lies.exactly` are false. If no mark can be false,
        the losing feedback itself is shown with probability 1.
        """

    @abstractmethod
    def _truths(self, shown: Clue) -> list[Clue]:
        """Return clues that together admit what may be the truth behind a clue with false marks.

        `shown` admits what was shown; that is never the winning feedback, which is never false.
        """


class CountSupport(Support):
    """The support for a rule that counts kinds of marks; the last kind is the miss."""

    rule: CountRule
    edits: CountEdits

    def false_feedbacks(self, feedback: Feedback, marks: int) -> Mapping[Feedback, float]:
        kinds = self.edits.kinds
        reported = feedback[: kinds - 1]
        counts = [*reported, marks - sum(reported)]
        losing = self.losing_feedbacks(marks)
        weights: dict[Feedback, float] = {}
        for fewer, more in permutations(range(kinds), 2):
            changed = list(counts)
            changed[fewer] -= 1
            changed[more] += 1
            lie = (*changed[:-1], *self.rule.losing_rest)
            if counts[fewer] and lie in losing:
                weights[lie] = weights.get(lie, 0) + counts[fewer] / marks / (kinds - 1)
        return _normalised(weights) or {feedback: 1.0}

    def _truths(self, shown: Clue) -> list[Clue]:
        """Return the clues with one mark of another kind: game files allow one false mark here.

        Where they admit more, or less, than what may be the truth, each truth is a clue by itself.
        """
        marks = cast(CountClue, shown).marks
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
        return [self.rule.notation.full_clue(truth, marks) for truth in sorted(truths)]


class TileSupport(Support):
    """The support for a rule that marks each tile 0, 1 or 2; an unread tile may be any of them."""

    rule: TileRule

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

    def _truths(self, shown: Clue) -> list[Clue]:
        tiles = cast(CellsClue, shown)
        clues: dict[CellsClue, None] = {}
        for positions in self._false_positions():
            # Where a false tile may be shown as anything, it may be shown as one that is not right.
            any_digit = any(not tiles.cells[position] for position in positions)
            for losing in [tiles] if any_digit else tiles.without(self.rule.winning):
                clues[_with_false_tiles(losing, positions)] = None
        return list(clues)


class ScoreSupport(Support):
    """The support for a rule whose answer is one value: it is read whole, or not at all."""

    rule: ScoreRule
    edits: CellsEdits

    def clues(self, clue: Clue) -> list[Clue]:
        lies = self.channel.lies
        if not (lies.chance and lies.only) or self.rule.wins(clue):
            return [clue]
        # What is shown for a false answer is another one.
        false = [f for f in lies.only if any(shown != f for shown in clue)]
        return [self.rule.clue_of([f for f in self.rule.losing if f in clue or f in false])]

    def losing_feedbacks(self, marks: int) -> Sequence[Feedback]:
        return self.rule.losing

    def false_feedbacks(self, feedback: Feedback, marks: int) -> Mapping[Feedback, float]:
        """Return the losing feedback itself: no mark of it can be false."""
        return {feedback: 1.0}

    def _truths(self, shown: Clue) -> list[Clue]:
        return [shown]


class ColumnsSupport(Support):
    """The support for a rule of columns, each of which has a rate of its own."""

    rule: ColumnsRule
    edits: CellsEdits

    def trouble(self, clue: Clue) -> str:
        if self.rates is None:
            return ""
        cells = cast(CellsClue, clue).cells
        for name, cell, rate in zip(self.rule.column_names, cells, self.rates, strict=True):
            if rate.mean == (0 if cell else 1):
                seldom = "never" if cell else "always"
                return f"the column {name} is {seldom} read; /rates says how often columns are"
        return ""

    def _narrowed(self, clue: Clue) -> Clue | None:
        return None if self.has_certain_rate and self.trouble(clue) else clue

    def _may_lose(self, clue: Clue) -> bool:
        return not cast(CellsClue, clue).won

    def draw_lie(self, feedback: Feedback, guess: Code, rng: random.Random) -> Feedback:
        *digits, _ = feedback
        sizes, false = self.rule.feedbacks.sizes, list(digits)
        if self.channel.lies.exactly:
            for place in rng.sample(range(len(sizes)), self.channel.lies.exactly):
                false[place] = (digits[place] + rng.randrange(1, sizes[place])) % sizes[place]
        while false == digits:
            false = [rng.randrange(size) for size in sizes]
        return (*false, 0)

    def partly_read(
        self, feedback: Feedback, guess: Code, rates: Sequence[float], draw: MarkDraw
    ) -> Clue:
        whole = self.rule.full_clue(feedback, guess)
        cells = [
            cell if draw(place, 0) < rates[place] else UNREAD
            for place, cell in enumerate(whole.cells)
        ]
        return self.edits.with_cells(whole, cells)

    def false_feedbacks(self, feedback: Feedback, marks: int) -> Mapping[Feedback, float]:
        """Return what is shown if any columns, all equally likely, answer anything but the truth.

        A false answer of a column is any of its others, all equally likely.
        """
        *digits, _ = feedback
        weights: dict[Feedback, float] = {}
        for places in combinations(range(len(digits)), self.channel.lies.exactly):
            sizes = [self.rule.feedbacks.sizes[place] for place in places]
            for shifts in product(*(range(1, size) for size in sizes)):
                false = list(digits)
                for place, size, shift in zip(places, sizes, shifts, strict=True):
                    false[place] = (false[place] + shift) % size
                weights[(*false, 0)] = 1 / math.prod(size - 1 for size in sizes)
        return _normalised(weights)

    def _truths(self, shown: Clue) -> list[Clue]:
        own = cast(CellsClue, shown)
        clues: dict[Clue, None] = {}
        for places in combinations(range(own.marks), self.channel.lies.exactly):
            cells = list(own.cells)
            for place in places:
                if len(cells[place]) == 1:
                    true = [d for d in range(own.sizes[place]) if d not in cells[place]]
                    cells[place] = tuple(true)
                else:
                    cells[place] = UNREAD
            clues[self.edits.with_cells(own, cells)] = None
        return list(clues)


def _with_false_tiles(shown: CellsClue, positions: Sequence[int]) -> CellsClue:
    """Return the clue of the truth if the shown marks are false at exactly these positions."""
    others = [[d for d in range(3) if shown.cells[position] != (d,)] for position in positions]
    return shown.with_cells(*((p, whole(o, 3)) for p, o in zip(positions, others, strict=True)))


def _normalised(weights: dict[Feedback, float]) -> dict[Feedback, float]:
    """Return the weights of feedbacks, scaled so that their sum is 1."""
    total = sum(weights.values())
    return {feedback: weight / total for feedback, weight in weights.items()}


def support_of(rule: Rule, channel: Channel) -> Support:
    """Return the `Support` for a rule and a channel."""
    if rule.column_names:
        return ColumnsSupport(cast(ColumnsRule, rule), channel)
    if rule.positional:
        return TileSupport(cast(TileRule, rule), channel)
    if rule.any_feedback:
        return ScoreSupport(cast(ScoreRule, rule), channel)
    return CountSupport(cast(CountRule, rule), channel)
