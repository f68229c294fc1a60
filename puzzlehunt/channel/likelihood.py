"""The feedbacks that may be the truth behind a clue, and the likelihood of the clue given each.

The likelihood is the probability that a true feedback becomes this clue. Shapes of arrays: F
feedbacks (the rows of `feedbacks` (F, parts), as from `Rule.feedback_array`), K kinds of marks, R
readings. A log chance is a natural logarithm.
"""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import combinations, product
from typing import NamedTuple, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from puzzlehunt.channel.model import LOG_ZERO, Channel
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.columns import ColumnsRule
from puzzlehunt.rules.families import CountRule, TileRule
from puzzlehunt.rules.notation.clue import NEVER, UNREAD, Cell, Clue, Feedback, OwnClue, Parts
from puzzlehunt.rules.notation.clue_values import CellsClue, CellsFeedbacks, CountClue, whole

Logs: TypeAlias = npt.NDArray[np.float64]
Counts: TypeAlias = npt.NDArray[np.int64]
Indices: TypeAlias = npt.NDArray[np.intp]
Chances: TypeAlias = tuple[tuple[float, float], ...]
"""For each kind of mark, the chance that a mark is read, and that it is not."""

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


class Likelihood:
    """The truth behind clues, and the chance of each clue, for one rule and one channel.

    Of a rule that counts, a *reading* is how many marks of each kind were read, one number per
    kind. A tile is read at the rate of its digit, a column at its own, whatever it answers.
    """

    def __init__(self, rule: Rule, channel: Channel) -> None:
        if channel.lies.exactly and not isinstance(rule, TileRule | ColumnsRule):
            raise ValueError("lies.exactly is for rules that mark each tile or column of a guess")
        self.rule = rule
        self.channel = channel
        self._clues: dict[Clue, list[Clue]] = {}
        self._turn_likelihoods: dict[tuple[Clue, bytes, float], TurnLikelihood] = {}
        self._learned = list(channel.learned_kinds)
        rates = channel.reads or ()
        self._chances: Chances = tuple([(rate.mean, 1 - rate.mean) for rate in rates])
        known = [(1.0, 1.0) if rate.learned else (rate.mean, 1 - rate.mean) for rate in rates]
        self._known_chances: Chances = tuple(known)
        """The same without the learned rates, which are integrated out over all turns."""

    # What may be the truth.

    def clues(self, clue: OwnClue) -> list[Clue]:
        """Return clues that together admit exactly the feedbacks that may be the truth of a clue.

        They admit a losing feedback if and only if its probability is above 0. The list is empty if
        only a winning guess can get the clue. The only lies considered here are a fixed number of
        false marks in each turn (`exactly`). Engines handle the other lies: if turns lie by chance,
        a clue excludes nothing, and a budget of lying turns (`at_most`) concerns the whole history.
        """
        if clue not in self._clues:
            as_it_is = self.rule.wins(clue) or self.is_unanswered(clue)
            shown = clue if as_it_is else self.narrowed(clue)
            lies = self.channel.lies.exactly and not as_it_is
            truths = self._truths(shown) if shown is not None and lies else [shown]
            self._clues[clue] = [truth for truth in truths if truth is not None]
        return self._clues[clue]

    def may_be_shown(self, guess: Code, clue: OwnClue) -> bool:
        """Return whether a losing guess can get a clue, be it true or a lie.

        With `at_most` or `chance`, a lie may show every losing feedback.
        """
        if self.channel.lies.at_most or self.channel.lies.chance:
            return self._may_lose(clue)
        return any(not self.rule.refusal(guess, true) for true in self.clues(clue))

    def is_unanswered(self, clue: OwnClue) -> bool:
        """Return whether no mark of a clue was read, although the known rates rule that out.

        The feedback is then not known yet, and the clue is no evidence.
        """
        return self.channel.reads is not None and clue.nothing_read and not self._may_lose(clue)

    def narrowed(self, clue: OwnClue) -> OwnClue:
        """Return a clue without the kinds of marks that rates of 0 and 1 rule out.

        A kind that is always or never read is never the other. None if some mark has no kind left.
        """
        if self.channel.reads is None or clue.cells is None:
            return clue
        cells = []
        for place, cell in enumerate(clue.cells):
            means = [rate.mean for rate in self.channel.reads]
            if self.rule.column_names:
                means = [means[place]] * clue.sizes[place]
            possible = [k for k in cell or range(len(means)) if means[k] != (0 if cell else 1)]
            if not possible:
                return None
            cells.append(whole(possible, len(means)))
        return clue.with_cells(cells)

    def draw_lie(self, feedback: Feedback, guess: Code, rng: random.Random) -> Feedback:
        """Return a random false feedback to show instead of a losing one.

        If no other feedback is possible, the true one is returned.
        """
        if self.channel.lies.exactly:
            share_of = self._false_feedbacks(cast(Parts, feedback))
            return rng.choices(list(share_of), list(share_of.values()))[0]
        if self.rule.column_names:  # the feedbacks of a table may be too many to list
            false = feedback
            while false == feedback:
                false = tuple(map(rng.randrange, self._sizes))
            return false
        full: OwnClue = self.rule.notation.full_clue(feedback, guess)
        others = [f for f in self.losing_feedbacks(full.marks) if f != feedback]
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
        full: OwnClue = self.rule.notation.full_clue(feedback, guess)
        marks = full.cells or ()
        cells: list[Cell] = []
        for place, cell in enumerate(marks):
            first = 0 if self.rule.positional else marks.index(cell)  # a kind's stand together
            kind, number = (place, 0) if self.rule.column_names else (cell[0], place - first)
            cells.append(cell if draw(kind, number) < rates[kind] else UNREAD)
        return cast(Clue, full.with_cells(cells))

    def losing_feedbacks(self, marks: int) -> Sequence[Feedback]:
        """Return every feedback of `marks` marks except the winning one.

        Feedbacks that no secret can cause are included.
        """
        winning = self.rule.winning
        if isinstance(self.rule, CountRule):
            return [f for f in self.rule.feedbacks if f != winning and sum(f) <= marks]
        return [feedback for feedback in self.rule.feedbacks if feedback != winning]

    def _may_lose(self, clue: OwnClue) -> bool:
        """Return whether the marks of a clue can be those of a losing feedback."""
        shown, known, winning = self.narrowed(clue), self.rule.feedbacks, self.rule.winning
        return shown is not None and any(f in known for f in shown if f != winning)

    # How likely a clue is.

    def turn_likelihood(self, clue: OwnClue, feedbacks: Counts, doubt: float) -> TurnLikelihood:
        """Return the log chances of a turn's clue; `doubt` is the chance that the turn is wrong."""
        known, key = self._turn_likelihoods, (clue, feedbacks.tobytes(), doubt)
        if key not in known:
            if len(known) == 256:  # (memory)
                known.clear()
            known[key] = self._new_turn_likelihood(clue, feedbacks, doubt)
        return known[key]

    def _new_turn_likelihood(
        self, clue: OwnClue, feedbacks: Counts, doubt: float
    ) -> TurnLikelihood:
        lies, wins = self.channel.lies, self.rule.wins(clue)
        is_open = (self._learned or lies.chance) and not (wins or self.is_unanswered(clue))
        misread = 0.0 if wins else self.channel.misread
        right = self.log_chances(clue, feedbacks)
        counts = np.zeros((2, len(self._learned), len(feedbacks)), dtype=np.int64)
        if self._learned and is_open:
            right, counts = self._read_counts(clue, feedbacks)
        log_right = _log((1 - doubt) * (1 - misread))
        total = log_right + right
        if misread:
            wrong = _log((1 - doubt) * misread) + self.log_misread(clue, feedbacks)
            total = np.logaddexp(total, wrong)
        if doubt:
            total = np.logaddexp(total, _log(doubt) + self.log_uniform(clue))
        if self._learned:
            total = np.where(right > LOG_ZERO, log_right + right, total)
        honest, lie = right, np.full(len(feedbacks), LOG_ZERO)
        if lies.chance and is_open:
            honest = _log(1 - lies.chance) + self.log_read(clue, feedbacks)
        if lies.at_most and not wins:
            lie = self.log_lies(clue, self.log_read(clue, feedbacks))
            lie = np.where(self.rule.win_mask(feedbacks), LOG_ZERO, lie)
        return TurnLikelihood(total, log_right + honest, lie, counts[0], counts[1])

    def log_chances(self, clue: OwnClue, feedbacks: Counts) -> Logs:
        """Return (F,): the log chance of a clue, given the true feedback and no misreading.

        A learned rate counts as its mean. A budget of lying turns (`at_most`) is left out.
        """
        ends = self.rule.win_mask(feedbacks)
        if self.rule.wins(clue):
            # That a guess won is always read and never false.
            return np.where(ends, 0.0, LOG_ZERO)
        logs = 0.0 if self.is_unanswered(clue) else self._log_lost(clue, feedbacks)
        return np.where(ends, LOG_ZERO, logs)

    def _log_lost(self, clue: OwnClue, feedbacks: Counts) -> Logs:
        """Return the result of `log_chances` for a losing, answered clue and losing feedbacks."""
        lies = self.channel.lies
        if lies.exactly:
            truths, shown, shares = self._shown(feedbacks)
            starts = np.searchsorted(truths, np.arange(len(feedbacks)))
            logs = np.logaddexp.reduceat(self.log_read(clue, shown) + np.log(shares), starts)
        else:
            logs = self.log_read(clue, feedbacks)
        if lies.chance:
            lie = _log(lies.chance) + self.log_lies(clue, logs)
            logs = np.logaddexp(lie, _log(1 - lies.chance) + logs)
        return logs

    def log_misread(self, clue: OwnClue, feedbacks: Counts) -> Logs:
        """Return (F,): the log chance of a clue, given the true feedback, if the turn is misread.

        One mark is wrong (`_ONE_WRONG_MARK`), or the clue ignores the feedback (`log_uniform`).
        """
        if not (edits := clue.one_mark_edits()):
            return self.log_chances(clue, feedbacks)
        logs = [math.log(share) + self._log_lost(edit, feedbacks) for share, edit in edits]
        one_wrong = math.log(_ONE_WRONG_MARK) + np.logaddexp.reduce(logs, axis=0)
        any_wrong = math.log(1 - _ONE_WRONG_MARK) + self.log_uniform(clue)
        return np.where(self.rule.win_mask(feedbacks), LOG_ZERO, np.logaddexp(one_wrong, any_wrong))

    def log_lies(self, clue: OwnClue, read: Logs) -> Logs:
        """Return (F,): the log chance of a clue if the turn lies.

        All losing feedbacks but the true one are then equally likely to be shown. `read` (F,) is
        the result of `log_read` for the true feedbacks.
        """
        total, number = self._losing(clue)
        return _log_difference(total, read) - math.log(max(1, number - 1))

    def log_uniform(self, clue: OwnClue) -> float:
        """Return the log chance of a clue if all feedbacks of the rule are equally likely."""
        total, number = self._losing(clue)
        won: OwnClue = self.rule.notation.full_clue(self.rule.winning, (0,) * self.rule.length)
        shorter = won.marks - clue.marks
        may_win = self.rule.winning != NEVER and 0 <= shorter < len(self.rule.lengths)
        return (0.0 if self.rule.wins(clue) else total) - math.log(number + may_win)

    def shown(self, clue: OwnClue, feedbacks: Counts) -> tuple[Indices, Counts, Logs]:
        """Return (N,), (N, parts), (N,): the feedbacks that may have been shown for a losing clue.

        Each of the N rows pairs a true feedback with one that may have been shown for it. The three
        arrays hold the index of the true feedback in `feedbacks`, the shown feedback, and its
        probability, given the true feedback and the clue. The two feedbacks are the same unless
        each turn has false marks (`exactly`). A true feedback that contradicts the clue has no row.
        """
        truths, shown, shares = self._shown(feedbacks)
        chances = shares * np.exp(self.log_read(clue, shown))
        possible = chances > 0
        truths, shown, chances = truths[possible], shown[possible], chances[possible]
        return truths, shown, chances / np.bincount(truths, chances)[truths]

    # False marks.

    @cached_property
    def _sizes(self) -> tuple[int, ...]:
        """The number of digits of each place, under a rule whose marks may be false."""
        return cast(CellsFeedbacks, self.rule.feedbacks).sizes

    def _false_places(self) -> Iterator[tuple[int, ...]]:
        """Iterate over the sets of places whose marks may be false in a turn."""
        places = range(len(self._sizes))
        return combinations(places, min(self.channel.lies.exactly, len(places)))

    def _false_feedbacks(self, feedback: Parts) -> dict[Parts, float]:
        """Return the feedbacks that false marks may show for a losing one, with probabilities.

        All sets of places are equally likely to be false; there, all wrong digits are.
        """
        weights: dict[Parts, float] = {}
        sizes = self._sizes
        for places in self._false_places():
            choices: list[Parts] = [(digit,) for digit in feedback]
            for place in places:
                others = [(feedback[place] + n) % sizes[place] for n in range(1, sizes[place])]
                choices[place] = tuple(others)
            ways = list(product(*choices))
            weights |= dict.fromkeys(ways, 1 / len(ways))
        weights.pop(cast(Parts, self.rule.winning), None)
        total = sum(weights.values())
        return {shown: weight / total for shown, weight in weights.items()}

    def _truths(self, clue: CellsClue) -> list[Clue]:
        """Return clues that together admit what may be the truth behind a clue with false marks.

        `clue` admits what was shown; that is never the winning feedback, which is never false.
        """
        truths: dict[Clue, None] = {}
        for places in self._false_places():
            # Where a false tile may be shown as anything, it may be shown as one that is not right.
            any_digit = self.rule.column_names or not all(clue.cells[place] for place in places)
            for shown in [clue] if any_digit else clue.without(cast(Parts, self.rule.winning)):
                cells = list(shown.cells)
                for place in places:
                    cell, every = cells[place], range(clue.sizes[place])
                    others = tuple(digit for digit in every if digit not in cell)
                    cells[place] = others if len(cell) == 1 else UNREAD
                truths[shown.with_cells(cells)] = None
        return list(truths)

    def false_mark_matrix(self) -> Logs:
        """Return (F, F): the chance that each feedback (column) is shown for each true one (row).

        `lies.exactly` of the channel is the number of false marks. No mark of a win is false.
        """
        feedbacks, winning = self.rule.feedbacks, self.rule.winning_index
        table = np.zeros((len(feedbacks), len(feedbacks)))
        truths, shown, shares = self._shown(self.rule.feedback_array(np.arange(len(feedbacks))))
        table[truths, [feedbacks.index(tuple(each)) for each in shown.tolist()]] = shares
        table[winning] = np.arange(len(feedbacks)) == winning
        return table

    def _shown(self, feedbacks: Counts) -> tuple[Indices, Counts, Logs]:
        """Return (N,), (N, parts), (N,): the index of a truth, a feedback shown, its chance."""
        if not self.channel.lies.exactly:
            return np.arange(len(feedbacks)), feedbacks, np.ones(len(feedbacks))
        shares_of = [self._false_feedbacks(tuple(row)) for row in feedbacks.tolist()]
        truths = np.repeat(np.arange(len(shares_of)), [*map(len, shares_of)])
        shown = np.array([false for each in shares_of for false in each], dtype=np.int64)
        shares = np.array([share for each in shares_of for share in each.values()])
        return truths, shown.reshape(len(truths), -1), shares

    # What was read, of counts and of places.

    def log_read(self, clue: OwnClue, feedbacks: Counts) -> Logs:
        """Return (F,): the log chance of a clue, given the feedback that was shown."""
        is_counted = isinstance(clue, CountClue)
        if self.rule.no_constraint or (is_counted and (clue.cells is None or not self._chances)):
            return np.where(clue.mask(feedbacks), 0.0, LOG_ZERO)
        if is_counted:
            # What counts alone rule out has probability 0 by the readings, too.
            readings = _readings(clue.cells or (), len(self._chances))
            of_readings = self._log_readings(clue, readings, feedbacks, self._chances)
            return np.asarray(np.logaddexp.reduce(of_readings, axis=0))
        cells = zip(self._log_cells(clue, self._chances), feedbacks.T[: clue.marks], strict=True)
        return sum((log[digits] for log, digits in cells), np.zeros(len(feedbacks)))

    def _read_counts(self, clue: OwnClue, feedbacks: Counts) -> tuple[Logs, Counts]:
        """Return (F,), (2, kinds, F): the log chance of all else; marks read, and marks, as above.

        The marks are those of kinds with learned rates. Counts are those of the likeliest reading.
        """
        if not isinstance(clue, CountClue):
            cells = zip(self._log_cells(clue, self._known_chances), feedbacks.T, strict=True)
            logs = sum((log[digits] for log, digits in cells), np.zeros(len(feedbacks)))
            kinds = feedbacks if self.rule.positional else np.indices(feedbacks.shape)[1]
            of_kinds = kinds == np.array(self._learned)[:, None, None]
            is_read = [bool(cell) for cell in clue.cells]
            counts = np.array([of_kinds[..., is_read].sum(axis=2), of_kinds.sum(axis=2)])
        elif clue.cells:
            readings = _readings(clue.cells, len(self._chances))
            of_readings = self._log_readings(clue, readings, feedbacks, self._known_chances)
            best = of_readings.argmax(axis=0)
            logs = of_readings[best, range(len(best))]
            counts = np.array([readings[best].T, clue.of_kinds(feedbacks).T])[:, self._learned]
        else:
            logs = self.log_read(clue, feedbacks)
            counts = np.zeros((2, len(self._learned), len(feedbacks)), dtype=np.int64)
        return logs, counts * (logs > LOG_ZERO)

    def _losing(self, clue: OwnClue) -> tuple[float, int]:
        """Return the log sum of a clue's chances over losing feedbacks; how many."""
        if isinstance(clue, CountClue):
            losing = self.losing_feedbacks(clue.marks)
            feedbacks = np.array(losing, dtype=np.int64).reshape(-1, len(clue.ranges) - 1)
            return float(np.logaddexp.reduce(self.log_read(clue, feedbacks))), len(losing)
        if clue.values:
            return _log(sum(f in clue for f in clue.values[:-1])), len(clue.values) - 1
        logs = self._log_cells(clue, self._chances)
        total = sum(_log(float(np.exp(log).sum())) for log in logs)
        if self.rule.column_names or clue.marks < self.rule.length:
            return total, math.prod(clue.sizes)
        winning = np.array([self.rule.winning], dtype=np.int64)
        (losing,) = _log_difference(total, self.log_read(clue, winning))
        return float(losing), len(self.rule.feedbacks) - 1

    def _log_readings(
        self, clue: CountClue, readings: Counts, feedbacks: Counts, chances: Chances
    ) -> Logs:
        """Return (R, F): the log chances of readings (R, K) of the marks of a clue."""
        tables = _log_binomials(chances, max(self.rule.length, clue.marks))
        kinds, marks = np.arange(len(chances))[:, None, None], clue.of_kinds(feedbacks).T[:, None]
        return np.asarray(tables[kinds, marks, readings.T[:, :, None]].sum(axis=0))

    def _log_cells(self, clue: CellsClue, chances: Chances) -> list[Logs]:
        """Return, for each place, the log chances of what a clue has there, given each digit."""
        found = []
        for place, (cell, size) in enumerate(zip(clue.cells, clue.sizes, strict=True)):
            rates = chances if self.rule.positional else chances[place : place + 1]
            observed = [is_read if cell else is_unread for is_read, is_unread in rates]
            found.append(np.zeros(size + 1))
            found[-1][:size] = observed or 1.0
            if cell:
                found[-1][[*{*range(size + 1)}.difference(cell)]] = 0.0
        with np.errstate(divide="ignore"):
            return list(map(np.log, found))

    def clue_matrix(self, means: Sequence[float]) -> Logs:
        """Return (F, V): the chance of each of V clues, given each feedback, of a rule that counts.

        `means` are the rates at which marks of each kind are read. Clues are sorted by the first
        feedback that can cause them; the last clue is the winning one.
        """
        rule = self.rule
        feedbacks = rule.feedback_array(np.arange(len(rule.feedbacks)))
        clue = cast(CountClue, rule.notation.full_clue(rule.feedbacks[0], (0,) * rule.length))
        most = clue.of_kinds(feedbacks).max(axis=0)
        readings = np.indices(most + 1).reshape(len(most), -1).T
        readings = readings[readings.sum(axis=1) <= clue.marks]
        chances = tuple([(mean, 1 - mean) for mean in means])
        table = np.exp(self._log_readings(clue, readings, feedbacks, chances)).T
        table[rule.winning_index] = 0
        table = table[:, table.any(axis=0)]
        order = np.argsort((table > 0).argmax(axis=0), kind="stable")
        return np.column_stack((table[:, order], np.arange(len(table)) == rule.winning_index))


@lru_cache(maxsize=1024)
def _readings(cells: tuple[Cell, ...], kinds: int) -> Counts:
    """Return (R, K): the readings that cells may mean; several if a mark may be of two kinds."""
    read = [cell for cell in cells if cell]
    return np.array(sorted({tuple(map(each.count, range(kinds))) for each in product(*read)}))


@lru_cache(maxsize=64)
def _log_binomials(chances: Chances, most: int) -> Logs:
    """Return (K, N, most + 1): the log chance that 0, 1, ... of N marks of each kind are read.

    From the end N is negative: the chance of that is 0.
    """
    tables = np.full((len(chances), 2 * most + 2, most + 1), LOG_ZERO)
    for kind, (is_read, is_unread) in enumerate(chances):
        for marks in range(most + 1):
            for read in range(marks + 1):
                # A count of 0 has no factor.
                of_read = read * _log(is_read) if read else 0.0
                of_unread = (marks - read) * _log(is_unread) if read < marks else 0.0
                tables[kind, marks, read] = math.log(math.comb(marks, read)) + of_read + of_unread
    return tables


def _log_difference(whole: float, part: Logs) -> Logs:
    """Return the log of a difference, given the logs of both; `LOG_ZERO` if they are equal."""
    with np.errstate(invalid="ignore", divide="ignore"):
        less = np.where(whole - part > _ROUNDING, np.log1p(-np.exp(part - whole)), LOG_ZERO)
    return whole + np.where(part == LOG_ZERO, 0.0, less)


def _log(chance: float) -> float:
    return math.log(chance) if chance > 0 else LOG_ZERO
