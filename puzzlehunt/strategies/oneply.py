"""One-ply strategies, which choose the guess whose partition of the candidates is the best.

Minimax is Knuth's (1976), expected size Irving's (1979), entropy Neuwirth's (1982), parts Kooi's
"most parts" (2005).
"""

from dataclasses import replace
from functools import partial

import numpy as np

from puzzlehunt.channel.model import PROBABLY
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import StrategyError, in_one_line
from puzzlehunt.kernels.feedback_matrix import Counts, table_blocks, table_partitions
from puzzlehunt.kernels.packed_codes import Indices, PackedCodes, code_of
from puzzlehunt.strategies.base import Strategy, Suggestion
from puzzlehunt.strategies.measures import Cost, Measure, Values, information_gain
from puzzlehunt.strategies.position import MOST_SCORES, Position, array_rng, sample_of_guesses
from puzzlehunt.strategies.symmetry import orbit_representatives

_SCORES_A_COUNT = 10
"""Scores that take as long as one count of a partition."""
QUICK_SCORES = 100_000_000
"""While a person waits, all guesses are evaluated up to this many scores."""
_BEST_BY_FEW, _FEW_CANDIDATES = 100, 300
"""Where that is too many, or more than MOST_SCORES, guesses are compared by so few candidates, and
so many of the best by all candidates."""


class OnePly(Strategy):
    """Chooses the guess with the best measure of its partition."""

    measured: Measure

    def __init__(self, measure: Measure) -> None:
        self.name = measure.name
        self.measure, self.measured, self._sign = measure.unit, measure, measure.sign

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        best, all_evaluated = self._best(position, top)
        return [self.rate(position, code_of(row)) for row in best.codes], all_evaluated

    def _choose(self, position: Position) -> PackedCodes:
        return self._best(position, 1)[0]

    def _best(self, position: Position, top: int) -> tuple[PackedCodes, bool]:
        if self.measured.uses_weights and position.outside > PROBABLY:
            position = position.with_misreadings
        rows, guess_of = position.choices()
        every = tried = orbit_representatives(position, rows.codes)
        budget, most = position.budget, MOST_SCORES // len(position.candidates)
        if budget.seconds is not None:
            most = QUICK_SCORES // _scores_a_guess(position)
        if budget.guesses:
            tried = sample_of_guesses(position.rng, every, guess_of, budget.guesses)
        elif len(every) > most:
            tried = self._best_by_few(position, rows, every, max(top, min(most, _BEST_BY_FEW)))
        costs = self.costs(position, rows if len(tried) == len(rows) else rows[tried])
        if position.observation is not None and self.measured.uses_weights:
            # A win is worth as much as the best guess tells.
            costs -= position.chances(rows[tried]) * max(0.0, -float(costs.min()))
        complete = len(tried) == len(every)
        if top < len(costs):
            near = costs <= np.partition(costs, top - 1)[top - 1]
            costs, tried = costs[near], tried[near]
        first = np.zeros(rows.codes.shape[0] + 1, np.bool_)  # the last for no guess, -1
        first[guess_of] = position.game.play.ties == "candidate"
        keys = tried, position.ties[tried], ~first[tried], costs
        return rows[tried[np.lexsort(keys)][:top]], complete

    def _best_by_few(
        self, position: Position, rows: PackedCodes, tried: Indices, most: int
    ) -> Indices:
        """Return up to `most` guesses that are the best by their measure for a few candidates.

        Likely candidates are drawn more often, and then count alike.
        """
        chances = position.shares
        count = min(_FEW_CANDIDATES, int(np.count_nonzero(chances)))
        drawn = array_rng(position.rng).choice(position.candidates, count, replace=False, p=chances)
        few = replace(position, candidates=np.sort(drawn), weights=None)
        compared = max(most, QUICK_SCORES // _scores_a_guess(few))
        tried = sample_of_guesses(position.rng, tried, position.choices()[1], compared)
        costs = OnePly(self.measured).costs(few, rows[tried])
        return np.asarray(tried[np.argsort(costs, kind="stable")[:most]])

    def costs(self, position: Position, guesses: PackedCodes) -> Values:
        """Return (G,): the cost of each guess; the least is the best."""
        secrets = position.secrets[position.candidates]
        width = max(len(secrets), len(position.game.rule.feedbacks))
        if position.observation is not None:
            width = max(width, position.observation.clues)
        blocks = table_blocks(len(guesses), width)
        values = [self._values(position, guesses[block], secrets) for block in blocks]
        return self._sign * np.concatenate(values)

    def _values(self, position: Position, guesses: PackedCodes, secrets: PackedCodes) -> Values:
        """Return (G,): the value of each guess; `secrets` are the position's candidates."""
        rule, observation, weights = position.game.rule, position.observation, None
        if self.measured.uses_weights:
            if observation is not None and observation.differs and observation.complete:
                table = rule.table(guesses, secrets)
                count = partial(table_partitions, table, len(rule.feedbacks))
                clues = observation.partitions(count, position.shares, position.candidates)
                return information_gain(*clues)
            if position.weights is not None:
                weights = position.weights[position.candidates]
        partitions = rule.partitions(guesses, secrets, weights, position.budget.compiled)
        return self.measured.value_of(partitions)

    def rate(self, position: Position, guess: Code) -> Suggestion:
        rated = super().rate(position, guess)
        if self.measured.uses_weights:
            position = position.with_misreadings
        values = self._values(position, position.row(guess), position.secrets[position.candidates])
        return replace(rated, value=float(values[0]))


def _scores_a_guess(position: Position) -> int:
    """Return how many scores take as long as evaluating a guess whose answers are seen and true."""
    count = len(position.candidates)
    return max(count, _SCORES_A_COUNT * min(count, len(position.game.rule.feedbacks)))


def of_function(name: str, function: Cost) -> OnePly:
    """Return the strategy of a pure function of the partition's counts; smaller is better."""

    def checked(counts: Counts) -> Values:
        try:
            given = np.asarray(function(counts))
            costs = given.astype(np.float64, casting="same_kind", copy=False)
            if costs.shape != counts.shape[:-1] or np.isnan(costs).any():
                raise ValueError(f"numbers of shape {costs.shape}, or nan")
        except (Exception, SystemExit) as error:  # noqa: BLE001  (others' code may raise anything)
            raise StrategyError(
                f"strategy {name}: {in_one_line(error)}; it is given the counts of all guesses, a "
                "row each, and returns a number for each row, as counts.max(axis=-1) does"
            ) from None
        return costs

    return OnePly(Measure(name, name, checked, 1))
