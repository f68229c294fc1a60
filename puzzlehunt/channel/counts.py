"""The likelihood of clues about counts."""

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
from puzzlehunt.channel.model import LOG_ZERO, Channel, Rate
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.families import CountRule
from puzzlehunt.rules.notation.clue import UNREAD, Cell, Clue, Feedback
from puzzlehunt.rules.notation.count_clue import CountClue


class CountLikelihood(Likelihood):
    """The likelihood for a rule that counts kinds of marks; the last kind is the miss.

    A *reading* is how many marks of each kind were read, one number a kind.
    """

    rule: CountRule

    def __init__(self, rule: Rule, channel: Channel) -> None:
        super().__init__(rule, channel)
        self.kinds = len(self.rule.notation.kinds)
        """Number of kinds of marks."""
        self._losing_feedbacks_of: dict[int, list[Feedback]] = {}

    def trouble(self, clue: Clue) -> str:
        counts = self.rule.counts_of(clue)
        for kind, (low, _) in enumerate(counts.ranges if counts.cells is None else ()):
            if low and self._visible((kind,)) and (trouble := self._never_read(kind)):
                return trouble
        return super().trouble(clue)

    def cells(self, clue: Clue) -> Sequence[Cell]:
        return self.rule.counts_of(clue).cells or ()

    @staticmethod
    def _is_unread(cell: Cell) -> bool:
        return cell == UNREAD

    def _narrowed(self, clue: Clue) -> Clue | None:
        counts = self.rule.counts_of(clue)
        if self.rates is None or counts.cells is None or not has_certain_rate(self.rates):
            return clue
        unread_kinds = self._unread_kinds()
        cells: list[Cell] = []
        for cell in counts.cells:
            kept = unread_kinds if cell == UNREAD else [k for k in cell if self.rates[k].mean > 0]
            if not kept:
                return None
            cells.append(UNREAD if len(kept) == self.kinds else tuple(kept))
        narrowed = self.rule.notation.of_cells(cells, counts.marks)
        if narrowed.ranges == counts.ranges and narrowed.set_ranges() == counts.set_ranges():
            return clue
        return self.rule.with_counts(clue, narrowed)

    def _unread_kinds(self) -> list[int]:
        """Return the kinds that an unread mark may be at these rates: not those always read."""
        return [k for k in range(self.kinds) if self.rates is None or self.rates[k].mean < 1]

    def _counts(self, clue: CountClue, feedback: Feedback) -> tuple[int, ...]:
        """Return the counts of all kinds in a feedback, misses included."""
        counts = tuple(feedback[: self.kinds - 1])
        return (*counts, clue.marks - sum(counts))

    def log_read_chance(self, clue: Clue, feedback: Feedback) -> float:
        count_clue = self.rule.counts_of(clue)
        if feedback not in clue:
            return LOG_ZERO
        readings = self._readings(count_clue)
        if self.rates is None or readings is None:
            return 0.0
        counts = self._counts(count_clue, feedback)
        return log_sum(
            self._log_reading_chance(reading, counts, self.rates) for reading in readings
        )

    @staticmethod
    def _log_reading_chance(
        reading: Sequence[int], counts: Sequence[int], rates: Sequence[Rate]
    ) -> float:
        """Return the log chance of a reading, given how many marks there are of each kind."""
        total = 0.0
        for read, marks, rate in zip(reading, counts, rates, strict=True):
            if read > marks:
                return LOG_ZERO
            total += math.log(math.comb(marks, read))
            if read:
                total += read * log_of(rate.mean)
            if read < marks:
                total += (marks - read) * log_of(1 - rate.mean)
        return total

    def _readings(self, clue: CountClue) -> list[tuple[int, ...]] | None:
        """Return the readings that a clue may mean, None if the player wrote open ranges."""
        return None if clue.cells is None else _readings(clue.cells, self.kinds)

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

    def tally(self, clue: Clue, feedback: Feedback) -> Tally | None:
        """Return the tally of the likeliest reading: with marks of two kinds there are several."""
        count_clue = self.rule.counts_of(clue)
        if feedback not in clue or self.rates is None:
            return None
        counts = self._counts(count_clue, feedback)
        # For learned kinds only the number of ways to choose the read marks counts: with the rate
        # 0.5 each of their marks halves the chance, and this is undone below.
        rates = [Rate(0.5) if rate.learned else rate for rate in self.rates]
        tallies: list[Tally] = []
        for reading in self._readings(count_clue) or [()]:
            if not reading:
                return Tally(0.0, (0,) * len(self.learned), (0,) * len(self.learned))
            log_chance = self._log_reading_chance(reading, counts, rates)
            marks = tuple(counts[k] for k in self.learned)
            log_chance += sum(marks) * math.log(2)
            tallies.append(Tally(log_chance, tuple(reading[k] for k in self.learned), marks))
        best = max(tallies, key=lambda tally: tally.log_chance)
        return None if best.log_chance == LOG_ZERO else best

    def _one_mark_edits(self, clue: Clue) -> list[tuple[float, Clue]]:
        count_clue = self.rule.counts_of(clue)
        if count_clue.cells is None:
            return [
                (share, self.rule.with_counts(clue, c))
                for share, c in self._changed_counts(count_clue)
            ]
        read = [cell for cell in count_clue.cells if cell != UNREAD]
        definite = sum(len(cell) == 1 for cell in read)
        corrections: list[tuple[float, Clue]] = []
        for wrong in dict.fromkeys(read):
            others = [k for k in range(self.kinds) if k not in wrong]
            for kind in others:
                cells = list(count_clue.cells)
                cells[cells.index(wrong)] = (kind,)
                ways = cells.count((kind,)) if len(wrong) == 1 else count_clue.cells.count(wrong)
                share = ways / max(1, definite if len(wrong) == 1 else len(read)) / len(others)
                changed = self.rule.notation.of_cells(cells, count_clue.marks)
                corrections.append((share, self.rule.with_counts(clue, changed)))
        return corrections

    def erasures(self, clue: Clue) -> list[tuple[float, Clue]]:
        count_clue = self.rule.counts_of(clue)
        read = [cell for cell in count_clue.cells or () if cell != UNREAD and self._visible(cell)]
        blurred: list[tuple[float, Clue]] = []
        for cell in dict.fromkeys(read):
            cells = list(count_clue.cells or ())
            cells[cells.index(cell)] = UNREAD
            changed = self.rule.notation.of_cells(cells, count_clue.marks)
            blurred.append((read.count(cell) / len(read), self.rule.with_counts(clue, changed)))
        return blurred

    def _visible(self, cell: Cell) -> bool:
        """Return whether a cell has a mark to be seen, which a miss may not have."""
        return self.rule.notation.miss_has_mark or self.kinds - 1 not in cell

    def transpositions(self, clue: Clue) -> list[tuple[float, Clue]]:
        count_clue = self.rule.counts_of(clue)
        visible = [kind for kind in range(self.kinds) if self._visible((kind,))]
        pairs = list(combinations(visible, 2))
        swapped: list[tuple[float, Clue]] = []
        for a, b in pairs:
            exchanged = {a: b, b: a}
            if count_clue.cells is None:
                ranges = [count_clue.ranges[exchanged.get(k, k)] for k in range(self.kinds)]
                changed = self.rule.notation.of_ranges(ranges, count_clue.marks)
            else:
                cells = [tuple(sorted(exchanged.get(k, k) for k in c)) for c in count_clue.cells]
                changed = self.rule.notation.of_cells(cells, count_clue.marks)
            if changed is not None and changed != count_clue:
                swapped.append((1 / len(pairs), self.rule.with_counts(clue, changed)))
        return swapped

    def _changed_counts(self, clue: CountClue) -> list[tuple[float, CountClue]]:
        """Return the clues that count one mark as another kind, each with its probability.

        Probabilities are as in `false_feedbacks`: any mark of the feedback is taken for any other
        kind. A mark that the result counts as the kind `more` was read as the kind `fewer`.
        """
        pairs = [(a, b) for a in range(self.kinds) for b in range(self.kinds) if a != b]
        changed = []
        for more, fewer in pairs:
            ranges = list(clue.ranges)
            low, high = ranges[fewer]
            if high < 1:
                continue
            ranges[fewer] = (max(low, 1) - 1, high - 1)
            low, high = ranges[more]
            ranges[more] = (low + 1, min(high, clue.marks - 1) + 1)
            if counted := self.rule.notation.of_ranges(ranges, clue.marks):
                share = ranges[more][0] / clue.marks / (self.kinds - 1)
                changed.append((share, counted))
        return changed

    def open_marks(self, clue: Clue) -> Sequence[int | None]:
        count_clue = self.rule.counts_of(clue)
        return [None] * (count_clue.marks - sum([low for low, _ in count_clue.ranges]))

    def open_kinds(self, clue: Clue, feedback: Feedback, position: int | None) -> Sequence[int]:
        count_clue = self.rule.counts_of(clue)
        counts = self._counts(count_clue, feedback)
        return [n - low for n, (low, _) in zip(counts, count_clue.ranges, strict=True)]

    def mark_count(self, clue: Clue) -> int:
        return self.rule.counts_of(clue).marks

    def false_feedbacks(self, feedback: Feedback, marks: int) -> Mapping[Feedback, float]:
        return self._with_one_mark_changed(feedback, marks) or {feedback: 1.0}

    def _with_one_mark_changed(self, feedback: Feedback, marks: int) -> dict[Feedback, float]:
        """Return the losing feedbacks with one mark of another kind, each with its probability."""
        reported = list(feedback[: self.kinds - 1])
        counts = [*reported, marks - sum(reported)]
        weights: dict[Feedback, float] = {}
        for fewer, more in product(range(self.kinds), repeat=2):
            if fewer == more or not counts[fewer]:
                continue
            other = list(counts)
            other[fewer] -= 1
            other[more] += 1
            lie = self._feedback(other)
            if lie in self.losing_feedbacks(marks):
                weights[lie] = weights.get(lie, 0) + counts[fewer] / marks / (self.kinds - 1)
        return normalised(weights)

    def kind_counts(self, feedback: Feedback) -> list[int]:
        """Return the count of each kind, misses last, in the feedback of a full guess."""
        counts = list(feedback[: self.kinds - 1])
        return [*counts, self.rule.mark_count((0,) * self.rule.length) - sum(counts)]

    def _feedback(self, counts: list[int]) -> Feedback:
        """Return the losing feedback with some counts: if the rule has `solved`, it is 0."""
        solved = len(self.rule.winning) - (self.kinds - 1)
        return (*counts[:-1], *[0] * solved)

    def distance(self, clue: Clue, feedback: Feedback) -> int:
        count_clue = self.rule.counts_of(clue)
        pairs = list(zip(self._counts(count_clue, feedback), count_clue.ranges, strict=True))
        fewer = sum(max(0, low - n) for n, (low, _) in pairs)
        more = sum(max(0, n - high) for n, (_, high) in pairs)
        return max(fewer, more, int(feedback not in clue))

    def _truths(self, shown: Clue) -> list[Clue]:
        """Return the clues with one mark of another kind: game files allow one false mark here.

        Where they admit more, or less, than what may be the truth, each truth is a clue by itself:
        what wins and what the rule does not list is never shown, and where no mark can be false
        the truth is.
        """
        marks = self.rule.counts_of(shown).marks
        losing = self.losing_feedbacks(marks)
        truths = {
            truth
            for feedback in losing
            if feedback in shown
            for truth in self._with_one_mark_changed(feedback, marks) or {feedback: 1.0}
        }
        clues = self._changed_clues(shown)
        if all((f in truths) == any(f in clue for clue in clues) for f in losing):
            return clues
        notation = self.rule.notation
        return [
            self.rule.with_counts(shown, notation.full_clue(truth[: self.kinds - 1], marks))
            for truth in sorted(truths)
        ]

    def _changed_clues(self, clue: Clue) -> list[Clue]:
        """Return the clues with one mark of another kind, those that no guess can get included."""
        count_clue = self.rule.counts_of(clue)
        if count_clue.cells is None:
            return [
                self.rule.with_counts(clue, changed)
                for _, changed in self._changed_counts(count_clue)
            ]
        clues: dict[tuple[Cell, ...], Clue] = {}
        for false in dict.fromkeys(count_clue.cells):
            others = tuple(kind for kind in range(self.kinds) if false != (kind,))
            cells = list(count_clue.cells)
            cells[cells.index(false)] = UNREAD if len(others) == self.kinds else others
            changed = self.rule.notation.of_cells(cells, count_clue.marks)
            clues.setdefault(changed.cells or (), self.rule.with_counts(clue, changed))
        return list(clues.values())

    def _sum_losing_chances(self, clue: Clue) -> float:
        return log_sum(
            self.log_read_chance(clue, f)
            for f in self.losing_feedbacks(self.rule.counts_of(clue).marks)
        )

    def _losing_count(self, clue: Clue) -> int:
        return len(self.losing_feedbacks(self.rule.counts_of(clue).marks))

    def _may_lose(self, clue: Clue) -> bool:
        return any(f in clue for f in self.losing_feedbacks(self.rule.counts_of(clue).marks))

    def _may_win(self, clue: Clue) -> bool:
        return self.rule.counts_of(clue).marks == self.rule.mark_count((0,) * self.rule.length)

    def losing_feedbacks(self, marks: int) -> list[Feedback]:
        if marks not in self._losing_feedbacks_of:
            self._losing_feedbacks_of[marks] = [
                f
                for f in self.rule.feedbacks
                if sum(f[: self.kinds - 1]) <= marks and tuple(f) != tuple(self.rule.winning)
            ]
        return self._losing_feedbacks_of[marks]


@lru_cache(maxsize=4096)
def _readings(cells: tuple[Cell, ...], kinds: int) -> list[tuple[int, ...]]:
    """Return the readings that cells may mean, sorted: several if a mark may be of two kinds."""
    counts = [0] * kinds
    open_cells = []
    for cell in cells:
        if len(cell) == 1:
            counts[cell[0]] += 1
        elif cell != UNREAD:
            open_cells.append(cell)
    readings: set[tuple[int, ...]] = set()
    for chosen in product(*open_cells):
        reading = list(counts)
        for kind in chosen:
            reading[kind] += 1
        readings.add(tuple(reading))
    return sorted(readings)
