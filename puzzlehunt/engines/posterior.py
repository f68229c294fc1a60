"""How likely each secret is: what the channel says of every turn, for whole arrays of secrets.

Array shapes: S secrets, T turns. Probabilities are natural logarithms (`NEVER` for 0), so that the
product of many small ones stays exact.
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
Indices = npt.NDArray[np.integer]

_SMALLEST = 1e-300
"""Least probability that is divided by, instead of 0."""


@dataclass(frozen=True, eq=False)
class ScoredTurn:
    """A turn whose guess is scored against S secrets.

    `feedbacks` are the different ones, and `where` (S,) the place among them of each secret's.
    """

    game: Game
    turn: Turn
    feedbacks: Sequence[Feedback]
    where: Indices

    @property
    def truth(self) -> Logs:
        """(S,): the log probability of the turn's clue.

        Lies within a budget are left out, and so is what learned rates say: see `Posterior`.
        """
        return self._by_feedback["truth"][self.where]

    @property
    def honest(self) -> Logs:
        """(S,): the log probability of the clue and that the turn is right.

        That is: not misread, no lie, and not rightly doubted.
        """
        return self._by_feedback["honest"][self.where]

    @property
    def lie(self) -> Logs:
        """(S,): the log probability of the clue if the turn lies within the game's budget."""
        return self._by_feedback["lie"][self.where]

    @cached_property
    def _by_feedback(self) -> dict[str, Logs]:
        """The log probabilities by feedback: these are few, however many secrets there are."""
        methods = {"truth": self._truth, "honest": self._honest}
        if self.game.channel.lies.at_most:
            methods["lie"] = self._lie
        return {name: np.array([of(f) for f in self.feedbacks]) for name, of in methods.items()}

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
            parts.append(
                _log((1 - doubt) * wrong) + likelihood.log_misread_chance(turn.clue, feedback)
            )
        if doubt:
            parts.append(_log(doubt) + likelihood.log_uniform_chance(turn.clue))
        return float(np.logaddexp.reduce(parts))

    @property
    def _wins(self) -> bool:
        return self.game.rule.wins(self.turn.clue)

    @property
    def _misread(self) -> float:
        """The probability that the turn is misread; nobody misreads that a guess won."""
        return 0.0 if self._wins else self.game.channel.misread

    def _right(self, feedback: Feedback) -> float:
        """Return the log probability of the clue if the turn is not misread."""
        likelihood, clue = self.game.likelihood, self.turn.clue
        if not self.game.channel.learns or self._wins:
            return likelihood.log_chance(clue, feedback)
        tally = likelihood.tally(clue, feedback)
        return NEVER if tally is None else tally.log_chance

    def _honest(self, feedback: Feedback) -> float:
        channel = self.game.channel
        if self.game.contradicts_win(self.turn, feedback):
            return NEVER
        honest = _log((1 - self.turn.doubt) * (1 - self._misread))
        if channel.lies.chance and not self._wins:
            read = self.game.likelihood.log_read_chance(self.turn.clue, feedback)
            return honest + _log(1 - channel.lies.chance) + read
        return honest + self._right(feedback)

    def _lie(self, feedback: Feedback) -> float:
        wins = self._wins or feedback == self.game.rule.winning
        return NEVER if wins else self.game.likelihood.log_lie_chance(self.turn.clue, feedback)


class Posterior:
    """How likely S secrets are by T turns and a prior, given as logarithms (S,).

    With a budget of lies, every number of lies up to it is as likely, in any turns of a game with
    as many turns as it has attempts, or else `LYING_TURNS`. Learned rates are integrated out over
    all turns at once; for that, a turn counts as right wherever it can be.
    """

    def __init__(self, game: Game, turns: Sequence[ScoredTurn], prior: Logs) -> None:
        self.game = game
        self.turns = turns
        self.prior = prior

    @cached_property
    def logs(self) -> Logs:
        """(S,): the log probability of each secret, but for a constant."""
        total = self.prior + self._learned
        if self.game.channel.lies.at_most:
            return total + self._within_budget(self._truths, self._lies)
        for turn in self.turns:
            total = total + turn.truth
        return total

    @cached_property
    def probabilities(self) -> Logs:
        """(S,): the probability of each secret; all zero where none is possible."""
        return _normalised(self.logs)

    @cached_property
    def wrong(self) -> Logs:
        """(T,): the probability that each turn is wrong: misread, a lie, or rightly doubted.

        All zero where no secret is possible.
        """
        by_secret = [self._wrong(place) for place in range(len(self.turns))]
        return np.array([float((self.probabilities * wrong).sum()) for wrong in by_secret])

    @cached_property
    def rates(self) -> list[tuple[Rate, float]]:
        """How often each kind of mark is read, by all turns, with its standard deviation.

        Of a kind whose rate is not learned, that rate and 0.
        """
        rates = []
        learned = self.game.likelihood.learned
        for kind, rate in enumerate(self.game.channel.reads or ()):
            if kind not in learned:
                rates.append((rate, 0.0))
                continue
            read, marks = (side[learned.index(kind)] for side in self._marks)
            a, b = rate.beta
            # Mean and variance of the Beta distribution that each secret would give.
            mean = (a + read) / (a + b + marks)
            worth = a + b + marks
            spread = mean * (1 - mean) / (worth + 1)
            average = float((self.probabilities * mean).sum())
            variance = float((self.probabilities * (spread + mean**2)).sum()) - average**2
            rates.append((Rate(average, float(np.mean(worth))), math.sqrt(max(0.0, variance))))
        return rates

    @cached_property
    def _truths(self) -> list[Logs]:
        return [turn.truth for turn in self.turns]

    @cached_property
    def _lies(self) -> list[Logs]:
        return [turn.lie for turn in self.turns]

    def _wrong(self, place: int) -> Logs:
        """Return (S,): the probability that a turn is wrong, given each secret."""
        honest = self.turns[place].honest
        with np.errstate(invalid="ignore"):
            if not self.game.channel.lies.at_most:
                wrong = 1 - np.exp(honest - self.turns[place].truth)
            else:
                truths, lies = list(self._truths), list(self._lies)
                truths[place], lies[place] = honest, np.full_like(honest, NEVER)
                whole = self._within_budget(self._truths, self._lies)
                wrong = 1 - np.exp(self._within_budget(truths, lies) - whole)
        return np.asarray(np.clip(np.nan_to_num(wrong), 0.0, 1.0))

    # All turns together.

    def _within_budget(self, truths: Sequence[Logs], lies: Sequence[Logs]) -> Logs:
        """Return (S,): the log probability of all clues, if turns lie within the budget.

        `truths` and `lies` have (S,) for each turn: the log probability of its clue if the turn is
        no lie, and if it is one.
        """
        return np.asarray(np.logaddexp.reduce(self._by_lies(truths, lies), axis=0))

    def _by_lies(self, truths: Sequence[Logs], lies: Sequence[Logs]) -> Logs:
        """Return (L, S): the same, and that the turns have 0, 1, ..., L - 1 lies."""
        most = min(self.game.channel.lies.at_most, len(truths))
        ways = np.full((most + 1, len(self.prior)), NEVER)
        ways[0] = 0.0
        for truth, lie in zip(truths, lies, strict=True):
            longer = ways + truth
            longer[1:] = np.logaddexp(longer[1:], ways[:-1] + lie)
            ways = longer
        priors = [_log(self._prior_of_lies(n, len(truths))) for n in range(most + 1)]
        return np.asarray(ways + np.array(priors)[:, None])

    def _prior_of_lies(self, lies: int, played: int) -> float:
        """Return the prior probability that just some given `lies` of the turns played lie."""
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
        logs = self._by_lies(self._truths, self._lies)
        shares = np.exp(logs - np.where(logs.max(axis=0) > NEVER, logs.max(axis=0), 0))
        next_lies = np.zeros(len(logs))
        for n in range(min(lies.at_most, played + 1)):
            one_more = self._prior_of_lies(n + 1, played + 1)
            no_more = self._prior_of_lies(n, played + 1)
            next_lies[n] = one_more / (one_more + no_more)
        total = shares.sum(axis=0)
        expected = (shares * next_lies[:, None]).sum(axis=0)
        return np.asarray(expected / np.where(total > 0, total, 1))

    @cached_property
    def _marks(self) -> tuple[list[Indices], list[Indices]]:
        """For each learned kind (S,): how many of its marks were read, and how many there were."""
        learned = len(self.game.likelihood.learned)
        size = len(self.prior)
        read: list[Indices] = [np.zeros(size, dtype=np.intp) for _ in range(learned)]
        marks: list[Indices] = [np.zeros(size, dtype=np.intp) for _ in range(learned)]
        for scored in self.turns:
            clue = scored.turn.clue
            if self.game.rule.wins(clue):
                continue
            tallies = [self.game.likelihood.tally(clue, f) for f in scored.feedbacks]
            for n in range(learned):
                read[n] += np.array([t.read[n] if t else 0 for t in tallies])[scored.where]
                marks[n] += np.array([t.marks[n] if t else 0 for t in tallies])[scored.where]
        return read, marks

    @property
    def _learned(self) -> Logs | float:
        """Return (S,): the log probability of which marks were read, with their rates unknown.

        Of each learned kind a Beta-binomial distribution without its binomial coefficients, which
        are in each turn's `truth`.
        """
        likelihood = self.game.likelihood
        total: Logs | float = 0.0
        if not likelihood.learned:
            return total
        rates = self.game.channel.reads or ()
        for kind, read, marks in zip(likelihood.learned, *self._marks, strict=True):
            a, b = rates[kind].beta
            total = total + _rising(a, read) + _rising(b, marks - read) - _rising(a + b, marks)
        return total


def doubt_cost(game: Game, turn: Turn) -> int:
    """Return what it costs to break a doubted turn's clue, in thousandths of a bit, 1 or more.

    A secret that fits the clue is that much likelier than one that breaks it. Exact where every
    mark is read, so that a turn that is right has this clue for sure.
    """
    wrong = turn.doubt * math.exp(game.likelihood.log_uniform_chance(turn.clue))
    return max(1, round(1000 * math.log2(1 + (1 - turn.doubt) / max(wrong, _SMALLEST))))


def _rising(start: float, steps: Indices) -> Logs:
    """Return (S,): log(start * (start + 1) * ...), with `steps` (S,) factors."""
    most = int(steps.max(initial=0))
    sums = np.concatenate(([0.0], np.cumsum(np.log(start + np.arange(most)))))
    return np.asarray(sums[steps])


def _normalised(logs: Logs) -> Logs:
    """Return probabilities that sum to 1, given their logarithms but for a constant.

    All zero where all logarithms are `NEVER`.
    """
    most = logs.max(initial=NEVER)
    if most == NEVER:
        return np.zeros(len(logs))
    shares = np.exp(logs - most)
    return np.asarray(shares / shares.sum())


def _log(chance: float) -> float:
    return math.log(chance) if chance > 0 else NEVER
