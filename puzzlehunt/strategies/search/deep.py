"""The strategy `deep`, which looks two guesses ahead to minimise the remaining guesses.

`kernels/lookahead.py` defines the cost of a guess and the search. A candidate that cannot
be found with the attempts left costs more than all else: that has priority over the average.
"""

from dataclasses import replace

import numpy as np

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import StrategyError
from puzzlehunt.kernels.lookahead import (
    LOOKED_INTO,
    DepthLimitedSearch,
    in_order,
    one_ply_costs,
    part_costs,
)
from puzzlehunt.kernels.packed_codes import Indices, PackedCodes, code_of
from puzzlehunt.kernels.problem import ONE, UNINFORMATIVE_UNITS, UNLIMITED, UNSOLVED_UNITS, Numbers
from puzzlehunt.strategies.base import Strategy, Suggestion
from puzzlehunt.strategies.measures import GUESSES_ON_AVERAGE
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.symmetry import orbit_representatives

_WORK, _QUICK_WORK = 300_000_000, 30_000_000
"""Cap on the scores (a guess against a candidate) of one choice, if nobody or a person waits."""
_LARGEST_TABLE, _LARGEST_QUICK_TABLE = 400_000_000, 80_000_000
"""Cap on a table (cells), if nobody or a person waits; the latter for one that is kept."""


def _average(position: Position, cost: int) -> float | None:
    """Return the guesses on average of a cost (units); None if some candidate is not found."""
    if cost >= UNSOLVED_UNITS:
        return None
    average = cost / ONE / len(position.candidates)
    if position.game.only_questions:  # a cost includes the guess that names the secret
        average -= 1
    return round(average, 4)


def _attempts(position: Position) -> int:
    """Return the attempts left; a game of questions has one more, to name the secret."""
    if position.attempts is None:
        return UNLIMITED
    return position.attempts + 1 if position.game.only_questions else position.attempts


class Deep(Strategy):
    """Minimises the average number of remaining guesses by looking two guesses ahead."""

    name = "deep"
    measure = GUESSES_ON_AVERAGE

    def has_room(self, position: Position) -> bool:
        """Return whether guesses and candidates are few enough to look ahead."""
        guesses = position.pool.guesses
        scores = len(position.candidates) * len(position.candidates if guesses is None else guesses)
        most = _LARGEST_TABLE if position.budget.seconds is None else _LARGEST_QUICK_TABLE
        return scores <= most

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        rows, order, values = self._ordered(position, top)
        pairs = zip(order[:top].tolist(), values[:top].tolist(), strict=True)
        ranked = [self._rated(position, code_of(rows.codes[n]), value) for n, value in pairs]
        if position.game.only_questions:
            ranked = [one for one in ranked if one.worst != len(position.candidates)]
        if not ranked:
            first, second = (position.game.format_code(position.candidate(n)) for n in (0, 1))
            raise StrategyError(f"no question tells {first} and {second} apart; it cannot end")
        return ranked, True

    def _choose(self, position: Position) -> PackedCodes:
        rows, order, _ = self._ordered(position, 1)
        return rows[order[:1]]

    def rate(self, position: Position, guess: Code) -> Suggestion:
        rows, guess_of = position.choices()
        if len(rows) * len(position.candidates) > _QUICK_WORK:
            one = super().rate(position, guess)
            return replace(one, value=self.estimate(position, one))
        # The guess need not be one of the pool: it is added as the last.
        rows = position.game.rule.rows(np.concatenate((rows.codes, position.row(guess).codes)))
        # Without work, the cheapest one-ply cost of each part counts.
        ahead = replace(self._ahead(position, rows, guess_of), work=0)
        return self._rated(position, guess, ahead.value(len(rows) - 1, UNINFORMATIVE_UNITS))

    def estimate(self, position: Position, one: Suggestion) -> float | None:
        """Return the guesses on average by a guess's one-ply cost, None if not all are found."""
        rule, secrets = position.game.rule, position.secrets[position.candidates]
        sizes, attempts = rule.partitions(position.row(one.code), secrets), _attempts(position)
        parts = part_costs(sizes, attempts, position.game.only_questions).sum(axis=1)
        costs = one_ply_costs(np.array([one.candidate]), len(secrets), attempts, parts)
        return _average(position, int(costs[0]) >> 1)

    def _rated(self, position: Position, guess: Code, cost: int) -> Suggestion:
        return replace(super().rate(position, guess), value=_average(position, cost))

    def _ahead(
        self, position: Position, rows: PackedCodes, guess_of: Indices
    ) -> DepthLimitedSearch:
        rule, secrets, candidates = position.game.rule, position.secrets, position.candidates
        lasts = rows is position.pool.guesses and not position.game.hard
        lasts &= position.budget.compiled and len(rows) * len(secrets) <= _LARGEST_QUICK_TABLE
        if lasts:
            table = position.pool.table(rule, secrets).take(candidates, axis=1)
        else:
            table = rule.table(rows, secrets[candidates])
        work = _WORK if position.budget.seconds is None else _QUICK_WORK
        asks, attempts = position.game.only_questions, _attempts(position)
        return DepthLimitedSearch(
            table, guess_of, rule.winning_index, len(rule.feedbacks), attempts, work, asks
        )

    def _ordered(self, position: Position, top: int) -> tuple[PackedCodes, Indices, Numbers]:
        """Return guesses, the places of the best in order, and their costs.

        Guesses that were not searched come after all that were, with no smaller costs.
        """
        rows, guess_of = position.choices()
        count, attempts = len(position.candidates), _attempts(position)
        tried = orbit_representatives(position, rows.codes)
        if attempts == 1 and (guess_of >= 0).any():
            tried = np.sort(guess_of[guess_of >= 0])
        work = _WORK if position.budget.seconds is None else _QUICK_WORK
        most = min(LOOKED_INTO, work // (len(rows) * count))
        looks_ahead = count > 2 and attempts > 2 and most >= 2
        ties = position.ties[tried]
        if not looks_ahead:  # no guess but these is needed
            rows, tried = rows[tried], np.arange(len(tried))
        ahead = self._ahead(position, rows, guess_of)
        doubled = ahead.costs()[tried]
        order = in_order(doubled, tried, max(top, 4 * LOOKED_INTO), ties)
        costs = np.sort(doubled)[: len(order)] >> 1
        # With two guesses or fewer on average, nothing can be gained by looking ahead.
        if not looks_ahead or costs[0] <= 2 * count * ONE:
            return rows, order, costs
        searched = self._searched_costs(ahead, order, most, exactly=top > 1)
        best = np.argsort(searched, kind="stable")
        order = np.concatenate((order[: len(searched)][best], order[len(searched) :]))
        others = np.maximum(costs[len(searched) :], searched.max())
        return rows, order, np.concatenate((searched[best], others))

    @staticmethod
    def _searched_costs(
        ahead: DepthLimitedSearch, order: Indices, most: int, exactly: bool
    ) -> Numbers:
        """Return what the first guesses of `order` cost, two guesses ahead.

        `most` guesses are searched, or up to four times as many while none finds every candidate
        with the attempts left. Without `exactly`, a cost that is not the smallest is a lower bound.
        """
        least = UNINFORMATIVE_UNITS
        costs: list[int] = []
        for guess in order[: 4 * most].tolist():
            if len(costs) >= most and least < UNSOLVED_UNITS:
                break
            costs.append(ahead.value(guess, UNINFORMATIVE_UNITS if exactly else least))
            least = min(least, costs[-1])
        return np.array(costs, dtype=np.int64)
