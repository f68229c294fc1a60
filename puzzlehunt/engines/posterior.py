"""How likely each secret is, by how likely the channel makes the clue of every turn.

Shapes of arrays: S secrets, T turns. A log probability is a natural logarithm (`LOG_ZERO` for 0):
the product of many small probabilities stays exact.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from puzzlehunt.channel.likelihood import Counts, TurnLikelihood
from puzzlehunt.channel.model import LOG_ZERO, LYING_TURNS, Rate, prior_of_lies
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn

Logs = npt.NDArray[np.float64]
Indices = npt.NDArray[np.integer]

_SMALLEST = 1e-300
"""Least probability by which another number is divided, to avoid 0."""


@dataclass(frozen=True, eq=False)
class TurnEvidence:
    """A turn whose guess is scored against S secrets.

    `feedbacks` (F, parts) are the distinct feedbacks, `places` (S,) is each secret's place among
    them.
    """

    game: Game
    turn: Turn
    feedbacks: Counts
    places: Indices

    @cached_property
    def likelihood(self) -> TurnLikelihood:
        """How likely the turn is, given each of `feedbacks`."""
        turn = self.turn
        likelihood = self.game.likelihood.turn_likelihood(turn.clue, self.feedbacks, turn.doubt)
        conflicts = self.game.win_conflicts(turn, self.feedbacks)
        clue = np.where(conflicts, LOG_ZERO, likelihood.log_clue)
        honest = np.where(conflicts, LOG_ZERO, likelihood.log_honest)
        return likelihood._replace(log_clue=clue, log_honest=honest)

    @property
    def clue_logs(self) -> Logs:
        """(S,): the log probability of the turn's clue, given each secret.

        Lies within a budget and learned rates are left out: `Posterior` adds them for all turns.
        """
        return self.likelihood.log_clue[self.places]

    @property
    def honest_logs(self) -> Logs:
        """(S,): the log probability that the clue is as it is and the turn is right.

        A turn is right if it is not misread, no lie, and not rightly doubted.
        """
        return self.likelihood.log_honest[self.places]

    @property
    def lie_logs(self) -> Logs:
        """(S,): the log probability of the clue if the turn is a lie of the game's budget."""
        return self.likelihood.log_lie[self.places]


class Posterior:
    """How likely S secrets are by T turns, given their prior log probabilities (S,).

    With a budget of lies, all numbers of lies up to the budget are equally likely beforehand, and
    so are all sets of that many turns in a whole game: as many turns as the game has attempts, or
    `LYING_TURNS` without a limit. Rates that are learned are integrated out over all turns at once;
    for that, a turn counts as right for each secret for which it can be.
    """

    def __init__(self, game: Game, turns: Sequence[TurnEvidence], prior: Logs) -> None:
        self.game = game
        self.turns = turns
        self.prior = prior

    def __repr__(self) -> str:
        return f"<Posterior of {len(self.prior):,} secrets after {len(self.turns)} turns>"

    @cached_property
    def logs(self) -> Logs:
        """(S,): the log probability of each secret, up to a constant."""
        total = self.prior + self._learned_logs
        if self.game.channel.lies.at_most:
            return total + self._logs_of_clues
        for turn in self.turns:
            total = total + turn.clue_logs
        return total

    @cached_property
    def probabilities(self) -> Logs:
        """(S,): the probability of each secret; all zero where none is possible."""
        return _normalised(self.logs)

    def among(self, places: Indices) -> Logs:
        """Return (S,): the probability of each secret if it is one of those at some places.

        Unlike `probabilities` these are not all zero where any of them is possible at all, even if
        all are by 300 powers of ten less likely than others.
        """
        among = np.zeros(len(self.logs))
        among[places] = _normalised(self.logs[places])
        return among

    @cached_property
    def wrong(self) -> Logs:
        """(T,): the probability that each turn is wrong: misread, a lie, or rightly doubted.

        All zero where no secret is possible.
        """
        by_secret = [self.wrong_given(place) for place in range(len(self.turns))]
        return np.array([float((self.probabilities * wrong).sum()) for wrong in by_secret])

    @cached_property
    def rates(self) -> list[tuple[Rate, float]]:
        """For each kind of mark the rate at which it is read, with its standard deviation.

        Learned rates are those after all turns. A rate that is not learned has the deviation 0.
        """
        rates = []
        learned = self.game.channel.learned_kinds
        for kind, rate in enumerate(self.game.channel.reads or ()):
            if kind not in learned:
                rates.append((rate, 0.0))
                continue
            read, marks = (side[learned.index(kind)] for side in self._mark_counts)
            a, b = rate.beta
            # Means and variances (S,) of the Beta distribution of the rate, given each secret.
            mean = (a + read) / (a + b + marks)
            pseudo_count = a + b + marks
            variances = mean * (1 - mean) / (pseudo_count + 1)
            average = float((self.probabilities * mean).sum())
            variance = float((self.probabilities * (variances + mean**2)).sum()) - average**2
            rates.append(
                (Rate(average, float(np.mean(pseudo_count))), math.sqrt(max(0.0, variance)))
            )
        return rates

    @cached_property
    def _clue_logs(self) -> list[Logs]:
        return [turn.clue_logs for turn in self.turns]

    @cached_property
    def _lie_logs(self) -> list[Logs]:
        return [turn.lie_logs for turn in self.turns]

    def wrong_given(self, place: int) -> Logs:
        """Return (S,): the probability that a turn is wrong, given each secret.

        `place` (from 0) is that of the turn among the turns.
        """
        honest = self.turns[place].honest_logs
        with np.errstate(invalid="ignore"):
            if not self.game.channel.lies.at_most:
                wrong = 1 - np.exp(honest - self.turns[place].clue_logs)
            else:
                truths, lies = list(self._clue_logs), list(self._lie_logs)
                truths[place], lies[place] = honest, np.full_like(honest, LOG_ZERO)
                wrong = 1 - np.exp(self._within_budget(truths, lies) - self._logs_of_clues)
        return np.asarray(np.clip(np.nan_to_num(wrong), 0.0, 1.0))

    # All turns together.

    def _within_budget(self, truths: Sequence[Logs], lies: Sequence[Logs]) -> Logs:
        """Return (S,): the log probability of all clues, if up to the budget of turns lie.

        `truths` and `lies` have (S,) for each turn: the log probability of its clue if the turn is
        no lie, and if it is one.
        """
        return np.asarray(np.logaddexp.reduce(self._by_number_of_lies(truths, lies), axis=0))

    @cached_property
    def _logs_of_clues(self) -> Logs:
        """(S,): the log probability of all clues, given each secret."""
        return self._within_budget(self._clue_logs, self._lie_logs)

    def _by_number_of_lies(self, truths: Sequence[Logs], lies: Sequence[Logs]) -> Logs:
        """Return (L, S): the log probability of all clues and that 0, 1, ..., L - 1 turns lie."""
        most = min(self.game.channel.lies.at_most, len(truths))
        ways = np.full((most + 1, len(self.prior)), LOG_ZERO)
        ways[0] = 0.0
        for truth, lie in zip(truths, lies, strict=True):
            longer = ways + truth
            longer[1:] = np.logaddexp(longer[1:], ways[:-1] + lie)
            ways = longer
        priors = [_log(self._prior_of_lies(n, len(truths))) for n in range(most + 1)]
        return np.asarray(ways + np.array(priors)[:, None])

    def _prior_of_lies(self, lies: int, played: int) -> float:
        """Return the prior probability that one given set of `lies` of `played` turns lies."""
        length = self.game.play.attempts or LYING_TURNS
        return prior_of_lies(lies, played, self.game.channel.lies.at_most, length)

    @cached_property
    def lie_next(self) -> Logs | None:
        """(S,): the probability that the next turn lies, given each secret; None if none can."""
        lies = self.game.channel.lies
        if lies.chance:
            return np.full(len(self.prior), lies.chance)
        if not lies.at_most:
            return None
        played = len(self.turns)
        logs = self._by_number_of_lies(self._clue_logs, self._lie_logs)
        shares = np.exp(logs - np.where(logs.max(axis=0) > LOG_ZERO, logs.max(axis=0), 0))
        next_lies = np.zeros(len(logs))
        for n in range(min(lies.at_most, played + 1)):
            one_more = self._prior_of_lies(n + 1, played + 1)
            no_more = self._prior_of_lies(n, played + 1)
            next_lies[n] = one_more / (one_more + no_more)
        total = shares.sum(axis=0)
        expected = (shares * next_lies[:, None]).sum(axis=0)
        return np.asarray(expected / np.where(total > 0, total, 1))

    @cached_property
    def _mark_counts(self) -> tuple[Counts, Counts]:
        """(learned kinds, S): how many of its marks were read, and how many there were."""
        read = np.zeros((len(self.game.channel.learned_kinds), len(self.prior)), dtype=np.intp)
        marks = read.copy()
        for turn in self.turns:
            read += turn.likelihood.read[:, turn.places]
            marks += turn.likelihood.marks[:, turn.places]
        return read, marks

    @property
    def _learned_logs(self) -> Logs | float:
        """Return (S,): the log probability of which marks of learned kinds were read.

        For each kind that is a Beta-binomial distribution without its binomial coefficients, which
        are in the `clue_logs` of each turn.
        """
        total: Logs | float = 0.0
        learned = self.game.channel.learned_kinds
        if not learned:
            return total
        rates = self.game.channel.reads or ()
        for kind, read, marks in zip(learned, *self._mark_counts, strict=True):
            a, b = rates[kind].beta
            total = (
                total
                + _log_pochhammer(a, read)
                + _log_pochhammer(b, marks - read)
                - _log_pochhammer(a + b, marks)
            )
        return total


def doubt_cost(game: Game, turn: Turn) -> int:
    """Return what breaking a doubted turn's clue costs, in thousandths of a bit, 1 or more.

    A secret that fits the clue is by so much likelier than one that breaks it. The cost is exact
    where every mark is read, since then a right turn has this clue with certainty.
    """
    wrong = turn.doubt * math.exp(game.likelihood.log_uniform(turn.clue))
    return max(1, round(1000 * math.log2(1 + (1 - turn.doubt) / max(wrong, _SMALLEST))))


def _log_pochhammer(start: float, steps: Indices) -> Logs:
    """Return (S,): log(start * (start + 1) * ...) with as many factors as `steps` (S,) says."""
    most = int(steps.max(initial=0))
    sums = np.concatenate(([0.0], np.cumsum(np.log(start + np.arange(most)))))
    return np.asarray(sums[steps])


def _normalised(logs: Logs) -> Logs:
    """Return probabilities that sum to 1, given their logarithms up to a constant.

    All zero where all logarithms are `LOG_ZERO`.
    """
    most = logs.max(initial=LOG_ZERO)
    if most == LOG_ZERO:
        return np.zeros(len(logs))
    shares = np.exp(logs - most)
    return np.asarray(shares / shares.sum())


def _log(chance: float) -> float:
    return math.log(chance) if chance > 0 else LOG_ZERO
