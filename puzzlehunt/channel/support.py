"""The support of a clue: the feedbacks that may be the truth behind it.

It depends on the rule and the channel. `Likelihood` has the probabilities of these feedbacks.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, combinations, permutations, product
from typing import TypeAlias, cast

from puzzlehunt.channel.model import Channel
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.by_score import ScoreRule
from puzzlehunt.rules.columns import ColumnsRule
from puzzlehunt.rules.families import CountRule, TileRule
from puzzlehunt.rules.notation.cells_clue import CellsClue, CellsFeedbacks, whole
from puzzlehunt.rules.notation.clue import UNREAD, Cell, Clue, Feedback
from puzzlehunt.rules.notation.count_clue import CountClue
from puzzlehunt.rules.notation.edits import CellsEdits, CountEdits

NotedClue: TypeAlias = CountClue | CellsClue
NotedRule: TypeAlias = CountRule | TileRule | ScoreRule | ColumnsRule


class Support(ABC):
    """Which feedbacks may be the truth behind a clue, for one rule and one channel."""

    rule: NotedRule
    edits: CountEdits | CellsEdits

    def __init__(self, rule: NotedRule, channel: Channel) -> None:
        self.rule = rule
        self.channel = channel
        self.rates = channel.reads
        self.edits = rule.edits
        self._clues: dict[Clue, list[Clue]] = {}

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

        With `at_most` or `chance`, a lie may show every losing feedback.
        """
        lies = self.channel.lies
        if lies.at_most or lies.chance:
            shown = self._narrowed(clue)
            return shown is not None and self._may_lose(shown)
        return any(not self.rule.refusal(guess, true) for true in self.clues(clue))

    def is_unanswered(self, clue: Clue) -> bool:
        """Return whether no mark of a clue was read, although the known rates rule that out.

        The feedback is then not known yet, and the clue is no evidence.
        """
        assert isinstance(clue, NotedClue)
        if self.rates is None or {*(clue.cells or ())} != {UNREAD}:
            return False
        shown = self._narrowed(clue)
        return shown is None or not self._may_lose(shown)

    def may_be_win(self, clue: Clue) -> bool:
        """Return whether the marks of a clue can be those of the winning feedback."""
        shown = self._narrowed(clue)
        return shown is not None and self.rule.winning in shown

    def _narrowed(self, clue: Clue) -> Clue | None:
        """Return a clue without the kinds of marks that rates of 0 and 1 rule out.

        A kind that is always read cannot be unread, one that is never read cannot be read. None if
        no kind is left for some mark.
        """
        noted, cells = cast(NotedClue, clue), list[Cell]()
        if self.rates is None or noted.cells is None or self.rule.wins(clue):
            return clue
        for place, cell in enumerate(noted.cells):
            means = [rate.mean for rate in self.rates]
            if self.rule.column_names:
                means = [means[place]] * cast(CellsClue, clue).sizes[place]
            left = [k for k in cell or range(len(means)) if means[k] != (0 if cell else 1)]
            if not left:
                return None
            cells.append(whole(left, len(means)))
        return noted.with_cells(cells)

    def draw_lie(self, feedback: Feedback, guess: Code, rng: random.Random) -> Feedback:
        """Return a random false feedback to show instead of a losing one.

        If no other feedback is possible, the true one is returned.
        """
        marks = self.rule.notation.full_clue(feedback, guess).marks
        if self.channel.lies.exactly:
            shown_instead = self.false_feedbacks(feedback, marks)
            return rng.choices(list(shown_instead), list(shown_instead.values()))[0]
        others = [f for f in self.losing_feedbacks(marks) if f != feedback]
        return rng.choice(others) if others else feedback

    def partly_read(
        self,
        feedback: Feedback,
        guess: Code,
        rates: Sequence[float],
        draw: Callable[[int, int], float],
    ) -> Clue:
        """Return the clue of a feedback in which some marks are unread.

        A mark is read if the number that `draw` returns is below the rate of the mark's kind. Its
        arguments are the kind and the number of the mark among those of its kind (0-based). For a
        tile, they are its digit and its position; for a column, its place and 0.
        """
        full = self.rule.notation.full_clue(feedback, guess)
        marks = full.cells or ()
        cells: list[Cell] = []
        for place, cell in enumerate(marks):
            first = 0 if self.rule.positional else marks.index(cell)
            kind, number = (place, 0) if self.rule.column_names else (cell[0], place - first)
            cells.append(cell if draw(kind, number) < rates[kind] else UNREAD)
        return full.with_cells(cells)

    def losing_feedbacks(self, marks: int) -> Sequence[Feedback]:
        """Return every feedback of `marks` marks except the winning one.

        Feedbacks that no secret can cause are included.
        """
        return [feedback for feedback in self.rule.feedbacks if feedback != self.rule.winning]

    def _may_lose(self, clue: Clue) -> bool:
        """Return whether a clue admits a losing feedback."""
        if not isinstance(clue, CountClue):
            return not self.rule.wins(clue)
        return any(feedback in clue for feedback in self.losing_feedbacks(clue.marks))

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

    def losing_feedbacks(self, marks: int) -> Sequence[Feedback]:
        counted = self.edits.kinds - 1
        return [f for f in super().losing_feedbacks(marks) if sum(f[:counted]) <= marks]

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
        """Return a clue for each feedback that one false mark makes a shown one of."""
        marks = cast(CountClue, shown).marks
        falsified = [
            self.false_feedbacks(f, marks) for f in self.losing_feedbacks(marks) if f in shown
        ]
        truths = sorted(set(chain.from_iterable(falsified)))
        return [self.rule.notation.clue_of(truth, marks) for truth in truths]


class CellsSupport(Support):
    """The support for a rule whose answer has places: tiles, columns, or one for a whole answer.

    Tiles have a read rate for each digit, columns for each place. A whole answer has none, and no
    mark of it can be false.
    """

    rule: TileRule | ColumnsRule | ScoreRule
    edits: CellsEdits

    @cached_property
    def _sizes(self) -> tuple[int, ...]:
        return cast(CellsFeedbacks, self.rule.feedbacks).sizes

    def draw_lie(self, feedback: Feedback, guess: Code, rng: random.Random) -> Feedback:
        if self.channel.lies.exactly or not self.rule.column_names:
            return super().draw_lie(feedback, guess, rng)
        # The feedbacks of a table may be too many to list.
        false = feedback
        while false == feedback:
            false = (*(rng.randrange(size) for size in self._sizes), 0)
        return false

    def _false_places(self) -> Iterator[tuple[int, ...]]:
        """Iterate over the sets of places whose marks may be false in a turn."""
        places = self.edits.places
        return combinations(range(places), min(self.channel.lies.exactly, places))

    def false_feedbacks(self, feedback: Feedback, marks: int) -> Mapping[Feedback, float]:
        """Return what is shown if any places, all equally likely, answer anything but the truth."""
        weights: dict[Feedback, float] = {}
        for places in self._false_places():
            choices = [(digit,) for digit in feedback]
            for place in places:
                size = self._sizes[place]
                choices[place] = tuple((feedback[place] + n) % size for n in range(1, size))
            ways = list(product(*choices))
            weights |= dict.fromkeys(ways, 1 / len(ways))
        weights.pop(self.rule.winning, None)
        return _normalised(weights)

    def _truths(self, shown: Clue) -> list[Clue]:
        own = cast(CellsClue, shown)
        clues: dict[Clue, None] = {}
        for places in self._false_places():
            # Where a false tile may be shown as anything, it may be shown as one that is not right.
            any_digit = self.rule.column_names or not all(own.cells[place] for place in places)
            for losing in [own] if any_digit else own.without(self.rule.winning):
                cells = list(losing.cells)
                for place in places:
                    cells[place] = _others(losing, place)
                clues[losing.with_cells(cells)] = None
        return list(clues)


def _others(shown: CellsClue, place: int) -> Cell:
    """Return the digits that a place may have if what is shown there is false."""
    cell = shown.cells[place]
    every = range(shown.sizes[place])
    return tuple(d for d in every if d not in cell) if len(cell) == 1 else UNREAD


def _normalised(weights: dict[Feedback, float]) -> dict[Feedback, float]:
    """Return the weights of feedbacks, scaled so that their sum is 1."""
    total = sum(weights.values())
    return {feedback: weight / total for feedback, weight in weights.items()}


def support_of(rule: Rule, channel: Channel) -> Support:
    """Return the `Support` for a rule and a channel."""
    kind = CountSupport if isinstance(rule, CountRule) else CellsSupport
    return kind(cast(NotedRule, rule), channel)
