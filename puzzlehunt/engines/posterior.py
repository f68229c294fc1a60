"""How likely each secret is: what the channel says of every row, for whole arrays of secrets.

All in logarithms, so that many unlikely rows in a row stay as exact as one.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from puzzlehunt.channel.model import LYING_TURNS, NEVER, Rate, prior_of_lies
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn
from puzzlehunt.rules.notation.clue import Feedback

Logs = npt.NDArray[np.float64]
Answers = npt.NDArray[np.integer]

_LEAST = 1e-300
"""Stands for no chance at all where something is divided by it."""


@dataclass(frozen=True, eq=False)
class Row:
    """A turn, the different answers that its guess gets, and which of them each secret gives."""

    game: Game
    turn: Turn
    feedbacks: Sequence[Feedback]
    where: Answers

    @property
    def truth(self) -> Logs:
        """(S,): the log chance that the row says what it says; rates to learn are left out."""
        return self._of_each["truth"][self.where]

    @property
    def honest(self) -> Logs:
        """(S,): the part of it in which the row is not misread, no lie, and not rightly doubted."""
        return self._of_each["honest"][self.where]

    @property
    def lie(self) -> Logs:
        """(S,): the log chance that the row says it if it lies within the game's budget."""
        return self._of_each["lie"][self.where]

    @cached_property
    def _of_each(self) -> dict[str, Logs]:
        """The chances by feedback: there are few of these, however many secrets there are."""
        asked = {"truth": self._truth, "honest": self._honest}
        if self.game.channel.lies.at_most:
            asked["lie"] = self._lie
        return {name: np.array([of(f) for f in self.feedbacks]) for name, of in asked.items()}

    def _truth(self, feedback: Feedback) -> float:
        turn, likelihood, channel = self.turn, self.game.likelihood, self.game.channel
        wrong, doubt = self._misread, turn.doubt
        if self.game.contradicts_win(turn, feedback):
            return NEVER
        right = self._right(feedback)
        parts = [_log((1 - doubt) * (1 - wrong)) + right]
        if channel.learns and right > NEVER:
            return parts[0]
        if wrong:
            parts.append(_log((1 - doubt) * wrong) + likelihood.misread_chance(turn.clue, feedback))
        if doubt:
            parts.append(_log(doubt) + likelihood.uniform_chance(turn.clue))
        return float(np.logaddexp.reduce(parts))

    @property
    def _wins(self) -> bool:
        return self.game.rule.wins(self.turn.clue)

    @property
    def _misread(self) -> float:
        """The chance that the row is misread; nobody misreads that a guess won."""
        return 0.0 if self._wins else self.game.channel.misread

    def _right(self, feedback: Feedback) -> float:
        """Return the log chance of a row that is not misread."""
        likelihood, clue = self.game.likelihood, self.turn.clue
        if not self.game.channel.learns or self._wins:
            return likelihood.chance(clue, feedback)
        tally = likelihood.tally(clue, feedback)
        return NEVER if tally is None else tally.chance

    def _honest(self, feedback: Feedback) -> float:
        channel = self.game.channel
        if self.game.contradicts_win(self.turn, feedback):
            return NEVER
        honest = _log((1 - self.turn.doubt) * (1 - self._misread))
        if channel.lies.chance and not self._wins:
            told = self.game.likelihood.read_chance(self.turn.clue, feedback)
            return honest + _log(1 - channel.lies.chance) + told
        return honest + self._right(feedback)

    def _lie(self, feedback: Feedback) -> float:
        wins = self._wins or feedback == self.game.rule.winning
        return NEVER if wins else self.game.likelihood.lie_chance(self.turn.clue, feedback)


class Posterior:
    """What some rows say of secrets with a prior, given as logarithms (S,).

    Lies within a budget are taken to be as likely in any number up to it, and in any rows of a
    game as long as its attempts, or else of `LYING_TURNS`. Rates
    that are learned are integrated out over all rows at once; for that a row counts as right
    wherever it can be.
    """

    def __init__(self, game: Game, rows: Sequence[Row], prior: Logs) -> None:
        self.game = game
        self.rows = rows
        self.prior = prior

    @cached_property
    def logs(self) -> Logs:
        """(S,): the logarithm of each secret's probability, but for a constant."""
        found = self.prior + self._learned
        if self.game.channel.lies.at_most:
            return found + self._within_budget(self._truths, self._lies)
        for row in self.rows:
            found = found + row.truth
        return found

    @cached_property
    def probabilities(self) -> Logs:
        """(S,): the probability of each secret; all zero where none is possible."""
        return normalised(self.logs)

    @cached_property
    def wrong(self) -> Logs:
        """(T,): the probability that each row is wrong: misread, a lie, or rightly doubted.

        Zero where no secret is possible.
        """
        chances = [self._wrong(place) for place in range(len(self.rows))]
        return np.array([float((self.probabilities * chance).sum()) for chance in chances])

    @cached_property
    def rates(self) -> list[tuple[Rate, float]]:
        """Each kind's rate as it is believed now, with its standard deviation."""
        told = self.game.channel.reads or ()
        found = []
        learned = self.game.likelihood.learned
        for kind, rate in enumerate(told):
            if kind not in learned:
                found.append((rate, 0.0))
                continue
            read, marks = (side[learned.index(kind)] for side in self._marks)
            a, b = rate.beta
            mean = (a + read) / (a + b + marks)
            worth = a + b + marks
            spread = mean * (1 - mean) / (worth + 1)
            average = float((self.probabilities * mean).sum())
            variance = float((self.probabilities * (spread + mean**2)).sum()) - average**2
            found.append((Rate(average, float(np.mean(worth))), math.sqrt(max(0.0, variance))))
        return found

    @cached_property
    def _truths(self) -> list[Logs]:
        return [row.truth for row in self.rows]

    @cached_property
    def _lies(self) -> list[Logs]:
        return [row.lie for row in self.rows]

    def _wrong(self, place: int) -> Logs:
        """Return (S,): the chance that a row is wrong if a secret is the right one."""
        honest = self.rows[place].honest
        with np.errstate(invalid="ignore"):
            if not self.game.channel.lies.at_most:
                found = 1 - np.exp(honest - self.rows[place].truth)
            else:
                truths, lies = list(self._truths), list(self._lies)
                truths[place], lies[place] = honest, np.full_like(honest, NEVER)
                whole = self._within_budget(self._truths, self._lies)
                found = 1 - np.exp(self._within_budget(truths, lies) - whole)
        return np.asarray(np.clip(np.nan_to_num(found), 0.0, 1.0))

    # All rows together.

    def _within_budget(self, truths: Sequence[Logs], lies: Sequence[Logs]) -> Logs:
        """Return (S,) the log chance of all rows, of which some up to the budget may be lies."""
        return np.asarray(np.logaddexp.reduce(self._by_lies(truths, lies), axis=0))

    def _by_lies(self, truths: Sequence[Logs], lies: Sequence[Logs]) -> Logs:
        """Return (L, S): the same for each number of lies that there can be."""
        most = min(self.game.channel.lies.at_most, len(truths))
        ways = np.full((most + 1, len(self.prior)), NEVER)
        ways[0] = 0.0
        for truth, lie in zip(truths, lies, strict=True):
            told = ways + truth
            told[1:] = np.logaddexp(told[1:], ways[:-1] + lie)
            ways = told
        each = [_log(self._lying_so(n, len(truths))) for n in range(most + 1)]
        return np.asarray(ways + np.array(each)[:, None])

    def _lying_so(self, lies: int, played: int) -> float:
        """Return how likely it is, before the rows, that just some of those played lie."""
        length = self.game.play.attempts or LYING_TURNS
        return prior_of_lies(lies, played, self.game.channel.lies.at_most, length)

    @cached_property
    def lie_next(self) -> Logs | None:
        """(S,): the chance that the next row lies, given each secret; None where none may."""
        lies = self.game.channel.lies
        if lies.chance:
            return np.full(len(self.prior), lies.chance)
        if not lies.at_most:
            return None
        rows = len(self.rows)
        told = self._by_lies(self._truths, self._lies)
        shares = np.exp(told - np.where(told.max(axis=0) > NEVER, told.max(axis=0), 0))
        next_lies = np.zeros(len(told))
        for n in range(min(lies.at_most, rows + 1)):
            one_more, no_more = self._lying_so(n + 1, rows + 1), self._lying_so(n, rows + 1)
            next_lies[n] = one_more / (one_more + no_more)
        total = shares.sum(axis=0)
        expected = (shares * next_lies[:, None]).sum(axis=0)
        return np.asarray(expected / np.where(total > 0, total, 1))

    @cached_property
    def _marks(self) -> tuple[list[Answers], list[Answers]]:
        """For each learned kind (S,): how many of its marks were read, and how many there were."""
        learned = len(self.game.likelihood.learned)
        size = len(self.prior)
        read: list[Answers] = [np.zeros(size, dtype=np.intp) for _ in range(learned)]
        marks: list[Answers] = [np.zeros(size, dtype=np.intp) for _ in range(learned)]
        for row in self.rows:
            if self.game.rule.wins(row.turn.clue):
                continue
            tallies = [self.game.likelihood.tally(row.turn.clue, f) for f in row.feedbacks]
            for n in range(learned):
                read[n] += np.array([t.read[n] if t else 0 for t in tallies])[row.where]
                marks[n] += np.array([t.marks[n] if t else 0 for t in tallies])[row.where]
        return read, marks

    @property
    def _learned(self) -> Logs | float:
        """Return (S,): the log chance of all marks read and unread, with their rates unknown.

        For each kind a Beta-binomial without its coefficients, which are the rows' own.
        """
        likelihood = self.game.likelihood
        total: Logs | float = 0.0
        if not likelihood.learned:
            return total
        told = self.game.channel.reads or ()
        for kind, read, marks in zip(likelihood.learned, *self._marks, strict=True):
            a, b = told[kind].beta
            total = total + _rising(a, read) + _rising(b, marks - read) - _rising(a + b, marks)
        return total


def row_cost(game: Game, turn: Turn) -> int:
    """Return what it costs to break a doubted turn's clue, in thousandths of a bit, 1 or more.

    A secret that fits the clue is so many bits likelier than one that breaks it. Exact where every
    mark is read, so that a row that is right says its clue for sure.
    """
    wrong = turn.doubt * math.exp(game.likelihood.uniform_chance(turn.clue))
    return max(1, round(1000 * math.log2(1 + (1 - turn.doubt) / max(wrong, _LEAST))))


def _rising(start: float, steps: Answers) -> Logs:
    """Return (S,): log(start * (start + 1) * ...), with so many factors."""
    most = int(steps.max(initial=0))
    sums = np.concatenate(([0.0], np.cumsum(np.log(start + np.arange(most)))))
    return np.asarray(sums[steps])


def normalised(logs: Logs) -> Logs:
    """Return numbers that sum to 1, given their logarithms but for a constant; zeros for none."""
    most = logs.max(initial=NEVER)
    if most == NEVER:
        return np.zeros(len(logs))
    shares = np.exp(logs - most)
    return np.asarray(shares / shares.sum())


def _log(chance: float) -> float:
    return math.log(chance) if chance > 0 else NEVER
