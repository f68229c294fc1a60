"""The posterior: how likely each secret is, given the likelihoods of all clues.

Shapes of arrays: S secrets, T turns. A log probability is a natural logarithm (`LOG_ZERO` for 0):
the product of many small probabilities stays exact.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlehunt.channel.likelihood import Counts, Logs, TurnLikelihood
from puzzlehunt.channel.model import LOG_ZERO, LYING_TURNS, Rate
from puzzlehunt.game import meaning
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn

Indices = npt.NDArray[np.integer]


class TurnEvidence(NamedTuple):
    """The log probabilities of a turn's clue, given each of F true feedbacks.

    `places` (S,) has, for each secret, the index in `feedbacks` of its feedback to the guess.
    """

    turn: Turn
    feedbacks: Counts
    places: Indices
    likelihood: TurnLikelihood


def turn_evidence(game: Game, turn: Turn, feedbacks: Counts, places: Indices) -> TurnEvidence:
    """Return the evidence of a turn, given each of `feedbacks` (F, parts)."""
    likelihood = meaning.likelihood(game).turn_likelihood(turn.clue, feedbacks, turn.doubt)
    conflicts = meaning.win_conflicts(game, turn, feedbacks)
    clue = np.where(conflicts, LOG_ZERO, likelihood.log_clue)
    honest = np.where(conflicts, LOG_ZERO, likelihood.log_honest)
    likelihood = likelihood._replace(log_clue=clue, log_honest=honest)
    return TurnEvidence(turn, feedbacks, places, likelihood)


class Posterior:
    """How likely each of S secrets is after T turns, given prior log probabilities (S,).

    With a budget of lies, each number of lies from 0 to the budget has the same prior probability.
    Given the number, each set of that many turns of the whole game is equally likely to be the
    lies. A whole game has as many turns as attempts are allowed, or `LYING_TURNS` if they are not
    limited. Learned rates are integrated out over all turns at once; in this integral, a turn is
    taken to be right for every secret whose feedback could have caused its clue.

    >>> posterior = puzzlehunt.engines.open_engine("heart-2018").posterior
    >>> posterior.wrong.shape, round(float(posterior.probabilities.sum()), 6)
    ((27,), 1.0)
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
        return self.prior + self._learned_logs + self._logs_of_clues

    @cached_property
    def probabilities(self) -> Logs:
        """(S,): the probability of each secret; all zero if none is possible."""
        most = self.logs.max(initial=LOG_ZERO)
        if most == LOG_ZERO:
            return np.zeros(len(self.logs))
        shares = np.exp(self.logs - most)
        return np.asarray(shares / shares.sum())

    @cached_property
    def wrong(self) -> Logs:
        """(T,): the probability that each turn is wrong; all zero if no secret is possible."""
        by_secret = map(self.wrong_given, range(len(self.turns)))
        return np.array([float((self.probabilities * wrong).sum()) for wrong in by_secret])

    @cached_property
    def rates(self) -> list[tuple[Rate, float]]:
        """For each kind of mark: the rate at which its marks are read, and the standard deviation.

        A learned rate is its posterior mean after all turns. A rate that is not learned is the one
        of the game's settings, with a standard deviation of 0.
        """
        rates = []
        learned = self.game.channel.learned_kinds
        for kind, rate in enumerate(self.game.channel.reads or ()):
            if kind not in learned:
                rates.append((rate, 0.0))
                continue
            read, marks = (side[learned.index(kind)] for side in self._mark_counts)
            a, b = rate.beta
            # The first two moments (S,) of the Beta distribution of the rate, given each secret.
            read, marks = a + read, a + b + marks
            average = float(self.probabilities @ (read / marks))
            square = float(self.probabilities @ (read / marks * (read + 1) / (marks + 1)))
            rate = Rate(average, float(np.mean(marks)))
            rates.append((rate, math.sqrt(max(0.0, square - average**2))))
        return rates

    def with_learned_misreadings(self) -> "Posterior":
        """Return this posterior, but with misread turns as likely as the learned rates say."""
        channel, turns = self.game.channel, list[TurnEvidence]()
        if not (channel.learned_kinds and channel.misread):
            return self
        rates = tuple(Rate(rate.mean) for rate, _ in self.rates)
        game = replace(self.game, channel=replace(channel, reads=rates))
        for turn in self.turns:
            mine, known = turn.likelihood, turn_evidence(game, *turn[:3]).likelihood
            clue = np.where(mine.log_honest > LOG_ZERO, mine.log_clue, known.log_clue)
            turns.append(turn._replace(likelihood=mine._replace(log_clue=clue)))
        return Posterior(self.game, turns, self.prior)

    def wrong_given(self, place: int) -> Logs:
        """Return (S,): the probability, given each secret, that the turn at a place is wrong."""
        turn = self.turns[place]
        with np.errstate(invalid="ignore"):
            if self.game.channel.lies.at_most:
                honest = np.logaddexp.reduce(self._by_number_of_lies(place), axis=0)
                return _as_chances(1 - np.exp(honest - self._logs_of_clues))
            by_feedback = 1 - np.exp(turn.likelihood.log_honest - turn.likelihood.log_clue)
        return _as_chances(by_feedback)[..., turn.places]

    @cached_property
    def _logs_of_clues(self) -> Logs:
        return np.asarray(np.logaddexp.reduce(self._by_number_of_lies(), axis=0))

    def _by_number_of_lies(self, right: int | None = None) -> Logs:
        """Return (L, S): the log probability of all clues and that 0, 1, ..., L - 1 turns lie.

        The turn at the place `right` is taken to be right.
        """
        most = min(self.game.channel.lies.at_most, len(self.turns))
        ways = np.full((most + 1, len(self.prior)), LOG_ZERO)
        ways[0] = 0.0
        for place, turn in enumerate(self.turns):
            likelihood, is_right = turn.likelihood, place == right
            true_logs = likelihood.log_honest if is_right else likelihood.log_clue
            longer = ways + true_logs[..., turn.places]
            if most and not is_right:
                lie_logs = likelihood.log_lie[..., turn.places]
                longer[1:] = np.logaddexp(longer[1:], ways[:-1] + lie_logs)
            ways = longer
        priors = [self._prior_of_lies(n, len(self.turns)) for n in range(most + 1)]
        with np.errstate(divide="ignore"):
            return np.asarray(ways + np.log(priors)[:, None])

    def _prior_of_lies(self, lies: int, played: int) -> float:
        """Return the prior probability that one given set of `lies` of `played` turns lies.

        All numbers of lying turns in the whole game are equally likely, up to the budget, and so
        are all sets of turns of the same size.
        """
        length = max(self.game.play.attempts or LYING_TURNS, played)
        totals = range(min(self.game.channel.lies.at_most, length) + 1)
        ways = (math.comb(length - played, n - lies) / math.comb(length, n) for n in totals[lies:])
        return sum(ways) / len(totals)

    @cached_property
    def lie_next(self) -> Logs | None:
        """(S,): the probability that the next turn lies, given each secret; None if none can."""
        lies = self.game.channel.lies
        if lies.chance:
            return np.full(len(self.prior), lies.chance)
        if not lies.at_most:
            return None
        played = len(self.turns)
        with np.errstate(invalid="ignore"):
            shares = np.nan_to_num(np.exp(self._by_number_of_lies() - self._logs_of_clues))
        next_lies = []
        for n in range(len(shares)):
            no_more, one_more = (self._prior_of_lies(each, played + 1) for each in (n, n + 1))
            next_lies.append(one_more / (one_more + no_more))
        return np.asarray(next_lies @ shares)

    @cached_property
    def _mark_counts(self) -> tuple[Counts, Counts]:
        """(learned kinds, S): how many of its marks were read, and how many there were."""
        none = np.zeros((len(self.game.channel.learned_kinds), len(self.prior)), dtype=np.intp)
        read = [turn.likelihood.read[..., turn.places] for turn in self.turns]
        marks = [turn.likelihood.marks[..., turn.places] for turn in self.turns]
        return sum(read, none), sum(marks, none)

    @property
    def _learned_logs(self) -> Logs | float:
        """(S,): Beta-binomial distributions of learned rates, without binomial coefficients."""
        total: Logs | float = 0.0
        learned = self.game.channel.learned_kinds
        for kind, read, marks in zip(learned, *self._mark_counts, strict=True) if learned else ():
            a, b = (self.game.channel.reads or ())[kind].beta
            total += _log_pochhammer(a, read) + _log_pochhammer(b, marks - read)
            total -= _log_pochhammer(a + b, marks)
        return total


def _log_pochhammer(start: float, steps: Indices) -> Logs:
    """Return (S,): log(start * (start + 1) * ...) with as many factors as `steps` (S,) says."""
    most = int(steps.max(initial=0))
    sums = np.concatenate(([0.0], np.cumsum(np.log(start + np.arange(most)))))
    return np.asarray(sums[steps])


def _as_chances(numbers: Logs) -> Logs:
    return np.asarray(np.clip(np.nan_to_num(numbers), 0.0, 1.0))
