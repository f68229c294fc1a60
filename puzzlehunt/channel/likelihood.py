"""The likelihood of a clue: the probability that a true feedback becomes this clue.

Shapes of arrays: C clues, F feedbacks (the rows of `feedbacks` (F, parts), as from
`Rule.feedback_array`), K kinds of marks, R readings. A log chance is a natural logarithm.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, chain, product
from typing import NamedTuple, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from puzzlehunt.channel.model import LOG_ZERO, Channel
from puzzlehunt.channel.support import NotedClue, NotedRule, Support
from puzzlehunt.rules.by_score import ScoreRule
from puzzlehunt.rules.columns import ColumnsRule
from puzzlehunt.rules.families import CountRule, TileRule
from puzzlehunt.rules.notation.cells_clue import CellsClue
from puzzlehunt.rules.notation.clue import UNREAD, Cell, Clue
from puzzlehunt.rules.notation.count_clue import CountClue

Logs: TypeAlias = npt.NDArray[np.float64]
Counts: TypeAlias = npt.NDArray[np.int64]
Indices: TypeAlias = npt.NDArray[np.intp]

_ONE_WRONG_MARK = 0.5
"""Share (0 to 1) of misread turns in which one mark is wrong; the others may say anything."""
_ROUNDING = 1e-9
"""Two logarithms that differ by no more than this count as equal: rounding may do that."""


class TurnLikelihood(NamedTuple):
    """The log chance of a turn's clue, given each of F feedbacks.

    - `log_clue` (F,): of the clue, whether the turn is correct or not
    - `log_honest` (F,): of the clue and a correct turn, one that is neither misread nor a lie, and
      that is not wrong as doubted. Both leave out lies within a budget and learned rates
    - `log_lie` (F,): of the clue, if the turn is a lie within the game's budget
    - `marks` and `read` (kinds, F), for the kinds with learned rates: how many marks a feedback
      has, and how many of them were read; both are 0 if the clue excludes the feedback
    """

    log_clue: Logs
    log_honest: Logs
    log_lie: Logs
    read: Counts
    marks: Counts


class Likelihood(ABC):
    """How likely each clue is, given the true feedback, for one rule and one channel."""

    rule: NotedRule

    def __init__(self, support: Support) -> None:
        self.support = support
        self.rule = support.rule
        self.channel: Channel = support.channel
        self.rates = self.channel.reads
        self.learned = self.channel.learned_kinds
        self._log_losing: dict[Clue, float] = {}

    def turn_likelihood(self, clue: Clue, feedbacks: Counts, doubt: float = 0.0) -> TurnLikelihood:
        """Return the log chances of a turn's clue; `doubt` is the chance that the turn is wrong."""
        lies, wins = self.channel.lies, self.rule.wins(clue)
        is_open = not (wins or self.support.is_unanswered(clue))
        misread = 0.0 if wins else self.channel.misread
        read = self.log_read([clue], feedbacks)
        right = self.log_chances([clue], feedbacks, read)[0]
        counts: Counts = np.zeros((2, len(self.learned), len(feedbacks)), dtype=np.int64)
        if self.learned and not wins:
            log_rest, counts = self._read_counts(clue, feedbacks)
            right = log_rest if is_open else right
        log_right = _log((1 - doubt) * (1 - misread))
        total = log_right + right
        if misread:
            wrong = _log((1 - doubt) * misread) + self.log_misread(clue, feedbacks)
            total = np.logaddexp(total, wrong)
        if doubt:
            total = np.logaddexp(total, _log(doubt) + self.log_uniform(clue))
        if self.learned:
            total = np.where(right > LOG_ZERO, log_right + right, total)
        honest = right
        if lies.chance and is_open:
            honest = _log(1 - lies.chance) + read[0]
        lie = np.full(len(feedbacks), LOG_ZERO)
        if lies.at_most and not wins:
            lie = np.where(self.rule.win_mask(feedbacks), LOG_ZERO, self.log_lies([clue], read)[0])
        return TurnLikelihood(total, log_right + honest, lie, counts[0], counts[1])

    def log_chances(
        self, clues: Sequence[Clue], feedbacks: Counts, read: Logs | None = None
    ) -> Logs:
        """Return (C, F): the log chance of each clue, given the true feedback and no misreading.

        A learned rate counts as if it were known to be its mean. A budget of lying turns
        (`at_most`) is left out. If the caller has the result of `log_read`, `read` saves computing
        it again.
        """
        lies = self.channel.lies
        if lies.exactly:
            truths, shown, shares = self._falsified(feedbacks, cast(NotedClue, clues[0]).marks)
            logs = self.log_read(clues, shown) + np.log(shares)
            starts = np.searchsorted(truths, np.arange(len(feedbacks)))
            logs = np.logaddexp.reduceat(logs, starts, axis=1)
        else:
            logs = self.log_read(clues, feedbacks) if read is None else read
            if lies.chance:
                lie = _log(lies.chance) + self.log_lies(clues, logs)
                logs = np.logaddexp(lie, _log(1 - lies.chance) + logs)
        ends = self.rule.win_mask(feedbacks)
        logs = np.where(ends, LOG_ZERO, logs)
        for n, clue in enumerate(clues):
            if self.rule.wins(clue):
                # That a guess won is always read and never false.
                logs[n] = np.where(self.rule.win_mask(feedbacks), 0.0, LOG_ZERO)
            elif self.support.has_certain_rate and self.support.is_unanswered(clue):
                admitted = bool(lies.exactly or lies.chance) | self.rule.mask(clue, feedbacks)
                logs[n] = np.where(admitted & ~ends, 0.0, LOG_ZERO)
        return logs

    def log_misread(self, clue: Clue, feedbacks: Counts) -> Logs:
        """Return (F,): the log chance of a clue, given the true feedback, if the turn is misread.

        Either one mark is wrong, with the probability `_ONE_WRONG_MARK`, or the clue has nothing to
        do with the feedback (`log_uniform`).
        """
        if self.rule.wins(clue):
            return np.full(len(feedbacks), LOG_ZERO)
        edits = self.support.edits.one_mark_edits(clue)
        if not edits:
            return np.asarray(self.log_chances([clue], feedbacks)[0])
        shares = np.log([share for share, _ in edits])
        logs = self.log_chances([edit for _, edit in edits], feedbacks) + shares[:, None]
        one_wrong = _log(_ONE_WRONG_MARK) + np.logaddexp.reduce(logs, axis=0)
        any_wrong = _log(1 - _ONE_WRONG_MARK) + self.log_uniform(clue)
        return np.where(self.rule.win_mask(feedbacks), LOG_ZERO, np.logaddexp(one_wrong, any_wrong))

    def log_lies(self, clues: Sequence[Clue], read: Logs) -> Logs:
        """Return (C, F): the log chance of each clue if the turn lies.

        All losing feedbacks but the true one are then equally likely to be shown. `read` (C, F) is
        the result of `log_read` for the clues and the true feedbacks.
        """
        whole = np.array([[self.log_losing(clue)] for clue in clues])
        others = [[math.log(max(1, self._losing_count(clue) - 1))] for clue in clues]
        return np.asarray(_log_difference(whole, read) - others)

    def log_uniform(self, clue: Clue) -> float:
        """Return the log chance of a clue if all feedbacks of the rule are equally likely."""
        chance = 0.0 if self.rule.wins(clue) else self.log_losing(clue)
        longest = self.rule.full_clue(self.rule.winning, (0,) * self.rule.length).marks
        may_win = cast(NotedClue, clue).marks == longest
        return chance - math.log(self._losing_count(clue) + may_win)

    def log_losing(self, clue: Clue) -> float:
        """Return the logarithm of the sum of a clue's chances, given each losing feedback."""
        if clue not in self._log_losing:
            self._log_losing[clue] = self._sum_losing(clue)
        return self._log_losing[clue]

    def shown(self, clue: Clue, feedbacks: Counts) -> tuple[Indices, Counts, Logs]:
        """Return (N,), (N, parts), (N,): the feedbacks that may have been shown for a correct clue.

        Each of the N rows pairs a true feedback with one that may have been shown for it. The three
        arrays hold the index of the true feedback in `feedbacks`, the shown feedback, and its
        probability, given the true feedback and the clue. The two feedbacks are the same unless
        each turn has false marks (`exactly`). A true feedback that contradicts the clue has no row.
        """
        truths, shown, shares = np.arange(len(feedbacks)), feedbacks, np.ones(len(feedbacks))
        if self.channel.lies.exactly and not self.rule.wins(clue):
            truths, shown, shares = self._falsified(feedbacks, cast(NotedClue, clue).marks)
        chances = shares * np.exp(self.log_read([clue], shown)[0])
        truths, shown, chances = (each[chances > 0] for each in (truths, shown, chances))
        return truths, shown, chances / np.bincount(truths, chances)[truths]

    def false_mark_matrix(self) -> Logs:
        """Return (F, F): the chance that each feedback (column) is shown for each true one (row).

        `lies.exactly` of the channel is the number of false marks. No mark of a win is false.
        """
        rule = self.rule
        indices = np.arange(len(rule.feedbacks))
        marks = rule.full_clue(rule.feedbacks[0], (0,) * rule.length).marks
        truths, shown, shares = self._falsified(rule.feedback_array(indices), marks)
        index_of = {tuple(feedback): n for n, feedback in enumerate(rule.feedbacks)}
        table = np.zeros((len(indices), len(indices)))
        columns = [index_of[feedback] for feedback in map(tuple, shown.tolist())]
        table[truths, columns] = shares
        table[rule.winning_index] = np.eye(len(indices))[rule.winning_index]
        return table

    def _falsified(self, feedbacks: Counts, marks: int) -> tuple[Indices, Counts, Logs]:
        """Return (N,), (N, parts), (N,): the false feedbacks of `marks` marks, by their truth.

        Each has the index of its truth in `feedbacks` and its probability.
        """
        rows = map(tuple, feedbacks.tolist())
        found = [self.support.false_feedbacks(feedback, marks) for feedback in rows]
        truths = np.repeat(np.arange(len(found)), [len(each) for each in found])
        shown = np.array([other for each in found for other in each], dtype=np.int64)
        shares = np.array([share for each in found for share in each.values()])
        return truths, shown.reshape(len(truths), -1), shares

    # What differs between the families of rules.

    @abstractmethod
    def log_read(self, clues: Sequence[Clue], feedbacks: Counts) -> Logs:
        """Return (C, F): the log chance of each clue, given the feedback that was shown.

        All clues have the same number of marks.
        """

    @abstractmethod
    def _read_counts(self, clue: Clue, feedbacks: Counts) -> tuple[Logs, Counts]:
        """Return (F,), (2, kinds, F): the log chance of all else; marks read, and marks, as above.

        The marks are those of kinds with learned rates.
        """

    @abstractmethod
    def _sum_losing(self, clue: Clue) -> float:
        """Return the result of `log_losing`, which keeps it."""

    def _losing_count(self, clue: Clue) -> int:
        """Return how many losing feedbacks a guess as long as the clue's can get."""
        return len(self.support.losing_feedbacks(cast(NotedClue, clue).marks))


class CountLikelihood(Likelihood):
    """The likelihood for a rule that counts kinds of marks; the last kind is the miss.

    A *reading* is how many marks of each kind were read, one number per kind.
    """

    rule: CountRule

    def log_read(self, clues: Sequence[Clue], feedbacks: Counts) -> Logs:
        counts = [cast(CountClue, clue) for clue in clues]
        read = [n for n, each in enumerate(counts) if each.cells is not None and self.rates]
        logs = np.zeros((len(clues), len(feedbacks)))
        for n, clue in enumerate(clues):
            # What counts alone rule out has probability 0 by the readings below, too.
            if n not in read or counts[n].rest:
                logs[n, ~self.rule.mask(clue, feedbacks)] = LOG_ZERO
        if self.rates is None or not read:
            return logs
        readings = [_readings(counts[n].cells or (), len(self.rates)) for n in read]
        starts = list(accumulate([0, *map(len, readings[:-1])]))
        rows = np.array(list(chain.from_iterable(readings)))
        of_readings = self._log_readings(rows, counts[0], feedbacks, self._means)
        logs[read] += np.logaddexp.reduceat(of_readings, starts, axis=0)
        return logs

    @cached_property
    def _means(self) -> list[float]:
        return [rate.mean for rate in self.rates or ()]

    def _log_readings(
        self, readings: Counts, clue: CountClue, feedbacks: Counts, means: Sequence[float]
    ) -> Logs:
        """Return (R, F): the log chance of readings (R, K) of a clue, given rates of K kinds."""
        tables = _log_binomials(tuple(means), max(self.rule.length, clue.marks))
        read, marks = readings.T[:, :, None], clue.of_kinds(feedbacks).T[:, None]
        kinds = np.arange(len(means))[:, None, None]
        return np.asarray(tables[kinds, marks, read].sum(axis=0))

    def _read_counts(self, clue: Clue, feedbacks: Counts) -> tuple[Logs, Counts]:
        """Return the log chance of the likeliest reading, and its counts of marks read and marks.

        There are several readings if a mark may be of two kinds.
        """
        counts = cast(CountClue, clue)
        of_kinds, learned = counts.of_kinds(feedbacks), list(self.learned)
        fits = self.rule.mask(clue, feedbacks)
        if not counts.cells:
            none = np.zeros((2, len(learned), len(feedbacks)), dtype=np.int64)
            return np.where(fits, 0.0, LOG_ZERO), none
        # For learned kinds only the number of ways to choose the read marks counts: with the rate
        # 0.5 each of their marks halves the chance, and this is undone below.
        means = [0.5 if kind in learned else mean for kind, mean in enumerate(self._means)]
        readings = np.array(_readings(counts.cells, len(means)))
        logs = self._log_readings(readings, counts, feedbacks, means)
        logs += of_kinds[:, learned].sum(axis=1) * math.log(2)
        best = logs.argmax(axis=0)
        log_chance = np.where(fits, logs[best, range(len(best))], LOG_ZERO)
        possible = log_chance > LOG_ZERO
        read, marks = readings[best][:, learned].T, of_kinds[:, learned].T
        return log_chance, np.array([read, marks]) * possible

    def _sum_losing(self, clue: Clue) -> float:
        losing = self.support.losing_feedbacks(cast(CountClue, clue).marks)
        feedbacks = np.array(losing, dtype=np.int64).reshape(len(losing), -1)
        return float(np.logaddexp.reduce(self.log_read([clue], feedbacks)[0]))


class CellsLikelihood(Likelihood):
    """The likelihood for a rule whose answer has places: tiles, columns, or one for all of it.

    A tile is read at the rate of its digit, a column at its own, whatever it answers.
    """

    rule: TileRule | ColumnsRule | ScoreRule

    def log_read(self, clues: Sequence[Clue], feedbacks: Counts) -> Logs:
        if self.rule.no_constraint:
            fits = np.array([self.rule.mask(clue, feedbacks) for clue in clues])
            return np.where(fits, 0.0, LOG_ZERO)
        logs = np.zeros((len(clues), len(feedbacks)))
        listed = [cast(CellsClue, clue).cells for clue in clues]
        for place, cells in enumerate(zip(*listed, strict=True)):
            row_of = {cell: row for row, cell in enumerate(dict.fromkeys(cells))}
            table = np.array([self._log_cell(clues[0], place, cell) for cell in row_of])
            logs += table[:, feedbacks[:, place]][[row_of[cell] for cell in cells]]
        return logs

    def _log_cell(self, clue: Clue, place: int, cell: Cell, known: bool = False) -> Logs:
        """Return the log chance of a cell at a place of a clue, given each digit.

        If `known`, learned rates have no part in it.
        """
        rates = self.rates or ()
        if not self.rule.positional:
            rates = rates[place : place + 1]
        chances = [
            1.0 if known and rate.learned else rate.mean if cell else 1 - rate.mean
            for rate in rates
        ]
        return _log_cell(cell, cast(CellsClue, clue).sizes[place], tuple(chances) or (1.0,))

    def _read_counts(self, clue: Clue, feedbacks: Counts) -> tuple[Logs, Counts]:
        log_chance = np.zeros(len(feedbacks))
        counts: Counts = np.zeros((2, len(self.learned), len(feedbacks)), dtype=np.int64)
        for place, cell in enumerate(cast(CellsClue, clue).cells):
            digits = feedbacks[:, place]
            log_chance += self._log_cell(clue, place, cell, known=True)[digits]
            kinds = digits if self.rule.positional else np.full_like(digits, place)
            of_kinds = kinds == np.array(self.learned)[:, None]
            counts += np.array([of_kinds * bool(cell), of_kinds])
        return log_chance, counts * (log_chance > LOG_ZERO)

    def _sum_losing(self, clue: Clue) -> float:
        own = cast(CellsClue, clue)
        if own.values:
            return _log(sum(feedback in clue for feedback in own.values[:-1]))
        cells = [np.exp(self._log_cell(clue, place, cell)) for place, cell in enumerate(own.cells)]
        total = sum(_log(float(chances.sum())) for chances in cells)
        if own.rest:
            return total
        winning = np.array([self.rule.winning], dtype=np.int64)
        return float(_log_difference(np.array(total), self.log_read([clue], winning)[0, 0]))

    def _losing_count(self, clue: Clue) -> int:
        if self.rule.column_names:
            return cast(ColumnsRule, self.rule).feedbacks.total
        return len(self.rule.feedbacks) - 1

    def log_uniform(self, clue: Clue) -> float:
        if not self.rule.no_constraint:
            return super().log_uniform(clue)
        chance = 0.0 if self.rule.wins(clue) else self.log_losing(clue)
        return chance - math.log(self._losing_count(clue) + cast(ScoreRule, self.rule).can_win)


def clue_matrix(rule: CountRule, means: Sequence[float]) -> Logs:
    """Return (F, V): the chance of each of V clues, given each feedback of a counting rule.

    `means` are the rates at which marks of each kind are read. A clue is the number of marks of
    each kind that were read. Clues are sorted by the first feedback that can cause them; the last
    clue is the winning one.
    """
    feedbacks = rule.feedback_array(np.arange(len(rule.feedbacks)))
    guess = (0,) * rule.length
    counts = rule.full_clue(rule.feedbacks[0], guess).of_kinds(feedbacks)
    most = counts.max(axis=0)
    readings = np.indices(most + 1).reshape(len(most), -1).T
    readings = readings[readings.sum(axis=1) <= rule.mark_count(guess)]
    table = np.ones((len(counts), len(readings)))
    for kind, mean in enumerate(means):
        numbers = range(most[kind] + 1)
        chances = [
            [math.comb(n, r) * mean**r * (1 - mean) ** max(0, n - r) for r in numbers]
            for n in numbers
        ]
        table *= np.array(chances)[counts[:, kind, None], readings[:, kind]]
    table[rule.winning_index] = 0
    seen = np.flatnonzero(table.any(axis=0))
    order = seen[np.argsort((table[:, seen] > 0).argmax(axis=0), kind="stable")]
    wins = (np.arange(len(counts)) == rule.winning_index).astype(float)
    return np.concatenate((table[:, order], wins[:, None]), axis=1)


@lru_cache(maxsize=64)
def _log_cell(cell: Cell, size: int, chances: tuple[float, ...]) -> Logs:
    """Return the log chance of a cell, given each digit that its place may have.

    `chances` are those that a digit is read, or is not if the cell is unread: for each digit, or
    one for all.
    """
    found = np.full(size, chances)
    if cell:
        found[np.isin(np.arange(size), cell, invert=True)] = 0.0
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(found))


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


@lru_cache(maxsize=64)
def _log_binomials(means: tuple[float, ...], most: int) -> Logs:
    """Return (K, N, most + 1): the log chance that 0, 1, ... of N marks of each kind are read.

    `means` are the rates of the K kinds. From the end N is negative: the chance of that is 0.
    """
    tables = np.full((len(means), 2 * most + 2, most + 1), LOG_ZERO)
    for kind, mean in enumerate(means):
        for marks in range(most + 1):
            for read in range(marks + 1):
                # A count of 0 has no factor, whose logarithm may be that of 0.
                of_read = read * _log(mean) if read else 0.0
                of_unread = (marks - read) * _log(1 - mean) if read < marks else 0.0
                tables[kind, marks, read] = math.log(math.comb(marks, read)) + of_read + of_unread
    return tables


def _log_difference(whole: Logs, part: Logs) -> Logs:
    """Return the log of a difference, given the logs of both; `LOG_ZERO` if they are equal."""
    with np.errstate(invalid="ignore", divide="ignore"):
        less = np.where(whole - part > _ROUNDING, np.log1p(-np.exp(part - whole)), LOG_ZERO)
    return np.asarray(whole + np.where(part == LOG_ZERO, 0.0, less))


def _log(chance: float) -> float:
    """Return the natural logarithm of a probability, `LOG_ZERO` for 0."""
    return math.log(chance) if chance > 0 else LOG_ZERO


def likelihood_of(support: Support) -> Likelihood:
    """Return the `Likelihood` for the rule and channel of a `Support`."""
    is_count = isinstance(support.rule, CountRule)
    return (CountLikelihood if is_count else CellsLikelihood)(support)
