"""The likelihood of clues that count kinds of marks."""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations, product

from puzzlehunt.channel.likelihood import (
    Likelihood,
    MarkDraw,
    Tally,
    has_certain_rate,
    log_of,
    log_sum,
    normalised,
)
from puzzlehunt.channel.model import NEVER, Channel, Rate
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.rules.base import CountRule, Rule
from puzzlehunt.rules.notation.clue import UNREAD, Cell, Clue, Feedback
from puzzlehunt.rules.notation.counts import CountClue, tighten


class CountLikelihood(Likelihood):
    """The likelihood for a rule that counts kinds of marks; the last kind is the miss."""

    rule: CountRule

    def __init__(self, rule: Rule, channel: Channel) -> None:
        super().__init__(rule, channel)
        self.kinds = len(self.rule.notation.kinds)
        """How many kinds of marks there are."""
        self._of_marks: dict[int, list[Feedback]] = {}

    def true_clues(self, clue: Clue) -> list[Clue]:
        counted = self.rule.counts_of(clue)
        narrowed = self._narrowed(counted)
        if narrowed is None:
            return []
        return super().true_clues(
            clue if narrowed is counted else self.rule.with_counts(clue, narrowed)
        )

    def cells(self, clue: Clue) -> Sequence[Cell]:
        return self.rule.counts_of(clue).cells or ()

    @staticmethod
    def _is_unread(cell: Cell) -> bool:
        return cell == UNREAD

    def _narrowed(self, clue: CountClue) -> CountClue | None:
        """Return a clue without what rates of 0 and 1 rule out, None where nothing remains.

        A kind that is always read cannot be unread, one that is never read cannot be read.
        """
        if self.rates is None or clue.cells is None or not has_certain_rate(self.rates):
            return clue
        hidden = self._hidden()
        cells: list[Cell] = []
        for cell in clue.cells:
            kept = hidden if cell == UNREAD else [k for k in cell if self.rates[k].mean > 0]
            if not kept:
                return None
            cells.append(UNREAD if len(kept) == self.kinds else tuple(kept))
        made = self.rule.notation.of_cells(cells, clue.marks)
        return (
            clue if made.ranges == clue.ranges and made.set_ranges() == clue.set_ranges() else made
        )

    def _hidden(self) -> list[int]:
        """Return the kinds of which a mark may stay unread."""
        return [k for k in self._unread if self.rates is None or self.rates[k].mean < 1]

    @property
    def _unread(self) -> Cell:
        """The kinds that an unread mark may be, whatever their rates; not a miss without a mark."""
        return tuple(range(self.kinds if self.rule.notation.miss_has_mark else self.kinds - 1))

    def _counts(self, clue: CountClue, feedback: Feedback) -> tuple[int, ...]:
        counts = tuple(feedback[: self.kinds - 1])
        return (*counts, clue.marks - sum(counts))

    def read_chance(self, clue: Clue, feedback: Feedback) -> float:
        counted = self.rule.counts_of(clue)
        if feedback not in clue:
            return NEVER
        tallies = self._tallies(counted)
        if self.rates is None or tallies is None:
            return 0.0
        counts = self._counts(counted, feedback)
        return log_sum(self._tally_chance(tally, counts, self.rates) for tally in tallies)

    @staticmethod
    def _tally_chance(tally: Cell, counts: Cell, rates: Sequence[Rate]) -> float:
        """Return the log chance that of `counts` marks, by kind, `tally` were read."""
        total = 0.0
        for read, marks, rate in zip(tally, counts, rates, strict=True):
            if read > marks:
                return NEVER
            total += math.log(math.comb(marks, read))
            if read:
                total += read * log_of(rate.mean)
            if read < marks:
                total += (marks - read) * log_of(1 - rate.mean)
        return total

    def _tallies(self, clue: CountClue) -> list[Cell] | None:
        """Return how many marks of each kind may have been read; None where ranges were written."""
        cells = clue.cells
        if cells is None:
            if not all(low == high for low, high in clue.ranges):
                return None
            return [tuple(low for low, _ in clue.ranges)]
        return _tallies(cells, self.kinds)

    def partly_read(
        self, feedback: Feedback, guess: Code, rates: Sequence[float], draw: MarkDraw
    ) -> Clue:
        whole = self.rule.exactly(feedback, guess)
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

    def tally(self, clue: Clue, feedback: Feedback) -> Tally | None:
        """Return the likeliest tally; a mark that may be of two kinds counts as one of them."""
        counted = self.rule.counts_of(clue)
        if feedback not in clue or self.rates is None:
            return None
        counts = self._counts(counted, feedback)
        rates = [Rate(0.5) if rate.learned else rate for rate in self.rates]
        tallies: list[Tally] = []
        for tally in self._tallies(counted) or [()]:
            if not tally:
                return Tally(0.0, (0,) * len(self.learned), (0,) * len(self.learned))
            chance = self._tally_chance(tally, counts, rates)
            marks = tuple(counts[k] for k in self.learned)
            chance += sum(marks) * math.log(2)
            tallies.append(Tally(chance, tuple(tally[k] for k in self.learned), marks))
        best = max(tallies, key=lambda one: one.chance)
        return None if best.chance == NEVER else best

    def _corrections(self, clue: Clue) -> list[tuple[float, Clue]]:
        counted = self.rule.counts_of(clue)
        if counted.cells is None:
            return [(share, self.rule.with_counts(clue, c)) for share, c in self._shifted(counted)]
        read = [cell for cell in counted.cells if cell != UNREAD]
        definite = sum(len(cell) == 1 for cell in read)
        corrections: list[tuple[float, Clue]] = []
        for wrong in dict.fromkeys(read):
            others = [k for k in range(self.kinds) if k not in wrong]
            for kind in others:
                cells = list(counted.cells)
                cells[cells.index(wrong)] = (kind,)
                ways = cells.count((kind,)) if len(wrong) == 1 else counted.cells.count(wrong)
                share = ways / max(1, definite if len(wrong) == 1 else len(read)) / len(others)
                made = self.rule.notation.of_cells(cells, counted.marks)
                corrections.append((share, self.rule.with_counts(clue, made)))
        return corrections

    def blurred(self, clue: Clue) -> list[tuple[float, Clue]]:
        counted = self.rule.counts_of(clue)
        read = [cell for cell in counted.cells or () if cell != UNREAD and self._drawn(cell)]
        blurred: list[tuple[float, Clue]] = []
        for seen in dict.fromkeys(read):
            cells = list(counted.cells or ())
            cells[cells.index(seen)] = UNREAD
            made = self.rule.notation.of_cells(cells, counted.marks)
            blurred.append((read.count(seen) / len(read), self.rule.with_counts(clue, made)))
        return blurred

    def _drawn(self, cell: Cell) -> bool:
        """Return whether a mark that was read can be seen: not a miss without a mark."""
        return self.rule.notation.miss_has_mark or self.kinds - 1 not in cell

    def swapped(self, clue: Clue) -> list[tuple[float, Clue]]:
        counted = self.rule.counts_of(clue)
        seen = [kind for kind in range(self.kinds) if self._drawn((kind,))]
        pairs = list(combinations(seen, 2))
        swapped: list[tuple[float, Clue]] = []
        for a, b in pairs:
            turned = {a: b, b: a}
            if counted.cells is None:
                ranges = tuple(counted.ranges[turned.get(k, k)] for k in range(self.kinds))
                made = CountClue(tighten(ranges, counted.marks), counted.marks)
            else:
                cells = [tuple(sorted(turned.get(k, k) for k in c)) for c in counted.cells]
                made = self.rule.notation.of_cells(cells, counted.marks)
            if made != counted:
                swapped.append((1 / len(pairs), self.rule.with_counts(clue, made)))
        return swapped

    def _shifted(self, clue: CountClue) -> list[tuple[float, CountClue]]:
        """Return the counts if one mark was counted as another kind, each with its share.

        The shares are those of `lied_about`: any mark of the feedback, taken for any other kind.
        """
        pairs = [(a, b) for a in range(self.kinds) for b in range(self.kinds) if a != b]
        shifted = []
        for more, fewer in pairs:
            ranges = list(clue.ranges)
            low, high = ranges[fewer]
            if high < 1:
                continue
            ranges[fewer] = (max(low, 1) - 1, high - 1)
            low, high = ranges[more]
            ranges[more] = (low + 1, min(high, clue.marks - 1) + 1)
            box = tighten(tuple(ranges), clue.marks)
            if all(low <= high for low, high in box):
                share = ranges[more][0] / clue.marks / (self.kinds - 1)
                shifted.append((share, CountClue(box, clue.marks)))
        return shifted

    def mark_count(self, clue: Clue) -> int:
        return self.rule.counts_of(clue).marks

    def false_feedbacks(self, feedback: Feedback, marks: int) -> Mapping[Feedback, float]:
        named = list(feedback[: self.kinds - 1])
        counts = [*named, marks - sum(named)]
        answers: dict[Feedback, float] = {}
        for fewer, more in product(range(self.kinds), repeat=2):
            if fewer == more or not counts[fewer]:
                continue
            other = list(counts)
            other[fewer] -= 1
            other[more] += 1
            lie = self._feedback(other)
            if lie in self._answers(marks):
                answers[lie] = answers.get(lie, 0) + counts[fewer] / marks / (self.kinds - 1)
        return normalised(answers) or {feedback: 1.0}

    def kind_counts(self, feedback: Feedback) -> list[int]:
        """Return how many marks of each kind a feedback to a guess of full length has."""
        counts = list(feedback[: self.kinds - 1])
        return [*counts, self.rule.mark_count((0,) * self.rule.length) - sum(counts)]

    def _feedback(self, counts: list[int]) -> Feedback:
        solved = len(self.rule.winning) - (self.kinds - 1)
        return (*counts[:-1], *[0] * solved)

    def distance(self, clue: Clue, feedback: Feedback) -> int:
        counted = self.rule.counts_of(clue)
        pairs = list(zip(self._counts(counted, feedback), counted.ranges, strict=True))
        fewer = sum(max(0, low - n) for n, (low, _) in pairs)
        more = sum(max(0, n - high) for n, (_, high) in pairs)
        return max(fewer, more, int(feedback not in clue))

    def _truths(self, clue: Clue, marks: int) -> list[Clue]:
        """Return the clues with one mark of another kind: counts never have two false marks."""
        counted = self.rule.counts_of(clue)
        if counted.cells is None:
            return [self.rule.with_counts(clue, made) for _, made in self._shifted(counted)]
        truths: dict[tuple[Cell, ...], Clue] = {}
        for false in dict.fromkeys(counted.cells):
            kinds = false or self._unread
            others = tuple(kind for kind in range(self.kinds) if kinds != (kind,))
            cells = list(counted.cells)
            cells[cells.index(false)] = others
            made = self.rule.notation.of_cells(cells, counted.marks)
            truths.setdefault(made.cells or (), self.rule.with_counts(clue, made))
        return list(truths.values())

    def _sum_of_losing(self, clue: Clue) -> float:
        return log_sum(
            self.read_chance(clue, f) for f in self._answers(self.rule.counts_of(clue).marks)
        )

    def _losing_answers(self, clue: Clue) -> int:
        return len(self._answers(self.rule.counts_of(clue).marks))

    def _may_win(self, clue: Clue) -> bool:
        return self.rule.counts_of(clue).marks == self.rule.mark_count((0,) * self.rule.length)

    def _answers(self, marks: int) -> list[Feedback]:
        """Return the feedbacks with at most so many marks, without the winning one."""
        if marks not in self._of_marks:
            self._of_marks[marks] = [
                f
                for f in self.rule.feedbacks
                if sum(f[: self.kinds - 1]) <= marks and tuple(f) != tuple(self.rule.winning)
            ]
        return self._of_marks[marks]


@lru_cache(maxsize=4096)
def _tallies(cells: tuple[Cell, ...], kinds: int) -> list[Cell]:
    """Return the different counts of marks read, by kind, where some marks may be of two kinds."""
    definite = [0] * kinds
    open_cells = []
    for cell in cells:
        if len(cell) == 1:
            definite[cell[0]] += 1
        elif cell != UNREAD:
            open_cells.append(cell)
    tallies: set[Cell] = set()
    for chosen in product(*open_cells):
        tally = list(definite)
        for kind in chosen:
            tally[kind] += 1
        tallies.add(tuple(tally))
    return sorted(tallies)
