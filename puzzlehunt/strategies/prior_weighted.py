"""PriorWeighted: the fewest guesses on average, by estimate, for weighted candidates.

One ply: a guess costs one, and what each part of its partition is estimated to take. A part whose
likeliest candidate has the share m of the part, and whose candidates are as uncertain as n equally
likely ones (n = e**H, H their entropy in nats), is estimated to take on average

    2 - m  +  max(0, growth * ln(n / 2) - 1/2 + 1/n)

guesses, n being 2 or more: the likeliest is found by one guess and, in a small part, any other by
two. Of equally likely candidates that is what `cost_to_go` says.

With at most one guess left after this one, what counts is the chance to find the secret at all.
"""

from dataclasses import replace

import numpy as np

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.kernels.feedback_matrix import Table, relabelled, table_partitions
from puzzlehunt.kernels.packed_codes import PackedCodes
from puzzlehunt.kernels.problem import GROWTH
from puzzlehunt.strategies.base import Strategy, Suggestion
from puzzlehunt.strategies.measures import DECIMALS, GUESSES_ON_AVERAGE, MEASURES, Values
from puzzlehunt.strategies.oneply import OnePly
from puzzlehunt.strategies.position import Position

_UNREACHED = 50.0
"""The cost, in guesses, of a candidate that cannot be found in time. With a higher cost, guesses
are spent on rare words where one candidate is nearly certain; with a lower one, words are lost."""
_SMALLEST = np.finfo(np.float64).tiny
"""The logarithm of 0 is replaced by that of this share."""


class PriorWeighted(OnePly):
    """Minimises the remaining guesses, estimated from the weights of candidates."""

    def __init__(self) -> None:
        super().__init__(MEASURES["entropy"])
        self.name, self.measure, self._sign = "weighed", GUESSES_ON_AVERAGE, 1

    def rate(self, position: Position, guess: Code) -> Suggestion:
        unlimited, secrets = replace(position, attempts=None), position.secrets[position.candidates]
        costs = self._values(unlimited, position.row(guess), secrets)
        return replace(Strategy.rate(self, position, guess), value=round(float(costs[0]), 4))

    def _values(self, position: Position, guesses: PackedCodes, secrets: PackedCodes) -> Values:
        rule, shares = position.game.rule, position.shares
        later = 2 if position.attempts is None else min(position.attempts - 1, 2)
        table, feedbacks = rule.table(guesses, secrets), len(rule.feedbacks)
        costs = weighed_costs(table, shares, rule.winning_index, feedbacks, later)
        return np.round(costs, DECIMALS)


def weighed_costs(table: Table, shares: Values, winning: int, feedbacks: int, later: int) -> Values:
    """Return (guesses,): the average number of guesses to the end, each guess of a table included.

    - `table` (guesses, candidates): feedbacks; `winning` is the winning one, `feedbacks` how many
      there are
    - `shares` (candidates,): how likely each candidate is, all together 1
    - `later`: how many guesses are left after this one, 2 for that or more
    """
    numbers, width = table, feedbacks
    if table.shape[1] < feedbacks:  # most feedbacks are of no candidate
        numbers, width = relabelled(table), table.shape[1]
    weights = table_partitions(numbers, width, shares)
    # The place of each candidate's part in an array (guesses, width) that is made flat.
    part_of = numbers + np.arange(len(table))[:, None] * width
    largest = np.zeros_like(weights)
    np.maximum.at(largest.reshape(-1), part_of.ravel(), np.tile(shares, len(table)))
    if later == 0:
        costs = weights * _UNREACHED
    elif later == 1:
        costs = weights + (weights - largest) * _UNREACHED
    else:
        entropy_of_each = -shares * np.log(np.maximum(shares, _SMALLEST))
        information = table_partitions(numbers, width, entropy_of_each)
        positive = np.maximum(weights, _SMALLEST)
        sizes = np.maximum(2.0, np.exp(np.log(positive) + information / positive))
        more = np.maximum(0.0, GROWTH * np.log(sizes / 2) - 0.5 + 1 / sizes)
        costs = 2 * weights - largest + weights * more
    costs.reshape(-1)[part_of[table == winning]] = 0
    return np.asarray(1 + costs.sum(axis=1))
