"""PriorWeighted: the fewest guesses on average, by estimate, for weighted candidates.

One ply: a guess costs one, and what each part of its partition is estimated to take. A part whose
likeliest candidate has the share m of the part, and whose candidates are as uncertain as n equally
likely ones (n = e**H, H their entropy in nats), is estimated to take on average

    2 - m  +  max(0, growth * ln(n / 2) - 1/2 + 1/n)

guesses, n being 2 or more: the likeliest is found by one guess and, in a small part, any other by
two. Of equally likely candidates that is what `cost_to_go` says.

With one guess left after this one, the value is the chance to find the secret at all; with two
left, the best guesses are searched for that.
"""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.kernels.feedback_matrix import Table
from puzzlehunt.kernels.packed_codes import Indices, PackedCodes, array_of
from puzzlehunt.kernels.partitions import relabelled
from puzzlehunt.kernels.problem import GROWTH
from puzzlehunt.strategies.base import Suggestion
from puzzlehunt.strategies.measures import GUESSES_ON_AVERAGE, MEASURES
from puzzlehunt.strategies.oneply import OnePly
from puzzlehunt.strategies.position import Position

Costs = npt.NDArray[np.float64]

_UNREACHED = 50.0
"""The cost, in guesses, of a candidate that cannot be found in time. With a higher cost, guesses
are spent on rare words where one candidate is nearly certain; with a lower one, words are lost."""
_MANY = 2
"""With this many guesses left for a part, or more, their number does not matter."""
_LOOKED_INTO = 20
"""Guesses that are searched if two guesses are left after them."""
_FEW = 200
"""That is done for at most this many candidates: of more, too many would be unreached anyway."""
_COMPARED = 40
"""Likeliest candidates of a part that are compared; others are taken to be unreached."""
_DECIMALS = 9
"""Costs are rounded to this many decimals, so that equal partitions cost the same."""
_SMALLEST = 1e-300
"""Logarithms of smaller shares are replaced by the logarithm of this one."""


class PriorWeighted(OnePly):
    """Minimises the remaining guesses, estimated from the weights of candidates."""

    def __init__(self) -> None:
        super().__init__(MEASURES["entropy"])
        self.name, self.measure = "weighed", GUESSES_ON_AVERAGE

    def rate(self, position: Position, guess: Code) -> Suggestion:
        rows = position.game.rule.rows(array_of([guess], position.game.length))
        average = float(self._costs_of(position, rows, unreached=1.0)[0])
        return replace(super().rate(position, guess), value=round(average, 4))

    def _ranked(self, position: Position, top: int) -> tuple[PackedCodes, Indices, bool]:
        if position.attempts != _MANY + 1 or len(position.candidates) > _FEW:
            return super()._ranked(position, top)
        rows, best, complete = super()._ranked(position, max(top, _LOOKED_INTO))
        return rows, self._safest_first(position, rows, best)[:top], complete

    def _safest_first(self, position: Position, rows: PackedCodes, best: Indices) -> Indices:
        """Return the best guesses by cost, with what their parts leave unreached added."""
        table = position.game.rule.table(rows, position.secrets[position.candidates])
        shares, winning = _shares(position), position.game.rule.winning_index
        costs = self._costs_of(position, rows[best], _UNREACHED)
        for number, guess in enumerate(best[:_LOOKED_INTO].tolist()):
            answers = table[guess]
            parts = (answers == n for n in np.unique(answers) if n != winning)
            lost = sum(unreached(table[:, part], shares[part]) for part in parts)
            costs[number] += _UNREACHED * lost
            if not lost:
                break
        return best[np.argsort(costs, kind="stable")]

    def _block_costs(self, position: Position, guesses: PackedCodes, secrets: PackedCodes) -> Costs:
        return self._costs_of(position, guesses, _UNREACHED)

    @staticmethod
    def _costs_of(position: Position, guesses: PackedCodes, unreached: float) -> Costs:
        rule = position.game.rule
        attempts = _MANY + 1 if position.attempts is None else position.attempts
        table = rule.table(guesses, position.secrets[position.candidates])
        later, feedbacks = min(attempts - 1, _MANY), len(rule.feedbacks)
        shares, winning = _shares(position), rule.winning_index
        costs = weighed_costs(table, shares, winning, feedbacks, later, unreached)
        return np.round(costs, _DECIMALS)


def _shares(position: Position) -> Costs:
    weights = np.ones(len(position.candidates))
    if position.weights is not None and position.weights[position.candidates].sum() > 0:
        weights = position.weights[position.candidates]
    return np.asarray(weights / weights.sum())


def unreached(table: Table, shares: Costs) -> float:
    """Return the share of candidates not found by the best guess of a table and one more guess."""
    candidates = len(shares)
    if candidates <= _MANY:
        return 0.0
    likeliest_first = np.argsort(-shares, kind="stable")[:_COMPARED]
    answers, reached = table[:, likeliest_first], np.zeros(len(table))
    for place, share in enumerate(shares[likeliest_first].tolist()):
        # Of each part the second guess finds the likeliest.
        reached += share * ~(answers[:, :place] == answers[:, place, None]).any(axis=1)
    return float(max(0.0, round(shares.sum() - reached.max(), _DECIMALS)))


def weighed_costs(
    table: Table, shares: Costs, winning: int, feedbacks: int, later: int, unreached: float
) -> Costs:
    """Return (guesses,): the average number of guesses to the end, each guess of a table included.

    - `table` (guesses, candidates): feedbacks; `winning` is the winning one, `feedbacks` how many
      there are
    - `shares` (candidates,): how likely each candidate is, all together 1
    - `later`: how many guesses are left after this one, 2 for that or more
    - `unreached`: the cost, in guesses, of a candidate that cannot be found in time
    """
    few = 4 * table.shape[1] < feedbacks  # most feedbacks are of no candidate
    width = table.shape[1] if few else feedbacks
    cells = (relabelled(table) if few else table) + np.arange(len(table))[:, None] * width

    def sums(of_each: Costs) -> Costs:
        repeated = np.tile(of_each, len(table))
        return np.asarray(np.bincount(cells.ravel(), repeated, len(table) * width), np.float64)

    weights = sums(shares)
    information = sums(-shares * np.log(np.maximum(shares, _SMALLEST)))
    largest = np.zeros_like(weights)
    np.maximum.at(largest, cells.ravel(), np.tile(shares, len(table)))
    if later == 0:
        costs = weights * unreached
    elif later == 1:
        costs = weights + (weights - largest) * unreached
    else:
        some = np.maximum(weights, _SMALLEST)
        sizes = np.maximum(2.0, np.exp(np.log(some) + information / some))
        more = np.maximum(0.0, GROWTH * np.log(sizes / 2) - 0.5 + 1 / sizes)
        costs = 2 * weights - largest + weights * more
    costs[cells[table == winning]] = 0
    return np.asarray(1 + costs.reshape(len(table), width).sum(axis=1))
