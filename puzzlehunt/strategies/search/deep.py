"""Deep: looks into the best guesses, part by part, and counts the guesses that are still to come.

The cost of a guess is how many guesses all candidates together are expected to take. The one-ply
cost is one for each candidate and, for each part of the partition, an estimate of the guesses that
the part will take. The guesses with the smallest one-ply costs are then looked into: each of their
parts costs what its own cheapest guess does. Small parts are exact: one candidate takes one guess,
two take three in all. A candidate that cannot be found with the attempts left costs more than
everything else, so that finding every secret comes before a good average.

Costs are in fixed point, so that the sums do not depend on the order of the candidates.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.game.game import Game
from puzzlehunt.kernels import fast
from puzzlehunt.kernels.feedback_matrix import Table, unsigned_type
from puzzlehunt.kernels.packed_codes import Indices, PackedCodes, array_of, code_of
from puzzlehunt.kernels.partitions import partitions_by_sorting, table_partitions
from puzzlehunt.strategies.base import Strategy, Suggestion, with_others
from puzzlehunt.strategies.measures import GUESSES_ON_AVERAGE
from puzzlehunt.strategies.pool import sample_of_guesses
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.search.whole_games import cost_to_go
from puzzlehunt.strategies.symmetry import orbit_representatives

Costs = npt.NDArray[np.int64]

ONE = 720_720
"""The cost of one guess. All numbers up to 16 divide it, so that averages of small parts are
exact."""
UNSOLVED_COST = 232_792_560 << 16
"""The cost of a candidate not found with the attempts left. All numbers up to 20 divide it."""
UNINFORMATIVE = 1 << 62
"""The cost of a guess that tells nothing."""

_LOOKED_INTO, _LOOKED_INTO_BELOW = 30, 5
"""Guesses that are looked into in the position itself, and in each part of their partitions."""
_SHORTLISTED = 300
"""Guesses that are chosen from, besides all candidates, where those of a game are too many to list:
a thousand and more of them were no better."""
_RESCUE = 20
"""Guesses that are looked into in a part that has three attempts left."""
_HARD_BUDGET = 5
"""Guesses that are looked into in each position of hard mode, where no budget is asked for. To
search all first guesses takes too long for `solve`, so there the first one is `deep`'s."""
_BATCH = 4
"""Guesses looked into together; their bound is the smallest cost in the batches before."""
_WORK, _QUICK_WORK = 300_000_000, 30_000_000
"""Cap on the scores (a guess against a candidate) of one choice, if nobody or a person waits."""
_WORTH_COMPILING = 1_000_000
"""Cells of a table from which the compiled kernels are loaded, if nobody waits."""
_LARGEST_TABLE, _LARGEST_QUICK_TABLE = 400_000_000, 80_000_000
"""Cap on a table of guesses and candidates (cells), if nobody or a person waits."""
_COMPARED = 6
"""Candidates up to which sizes of parts are found by comparing answers, which is then quicker."""
_FEW = 16
"""Candidates up to which it is worth asking first whether one of them tells all others apart."""
_COUNTED_AT_ONCE = 1 << 16
"""Cap on counts of parts held at once (cells): these stay in the processor's cache."""
_NO_LIMIT = 1_000
"""Attempts left where there is no limit: more than any game takes."""
_MOST_FEEDBACKS = 10_000
"""Feedbacks of a rule above which the answers of a table get new numbers without gaps."""


def with_one_attempt(size: int) -> Costs:
    """Return what parts of 0 to `size` candidates cost when only one attempt is left."""
    count = np.arange(size + 1, dtype=np.int64)
    return np.where(count > 0, count * ONE + (count - 1) * UNSOLVED_COST, 0)


def priced(table: Table, feedbacks: int, cost_to_go: Costs) -> Costs:
    """Return (G,): the sum of the prices of its parts for each guess of a table (G, S)."""
    guesses, secrets = table.shape
    if secrets <= _COMPARED:
        sizes = np.zeros(table.shape, dtype=np.uint8)
        for place in range(secrets):
            sizes += table == table[:, place : place + 1]
        shares = cost_to_go[: secrets + 1] // np.maximum(np.arange(secrets + 1), 1)
        return np.asarray(shares[sizes].sum(axis=1))
    step = max(1, _COUNTED_AT_ONCE // max(secrets, min(feedbacks, 4 * secrets)))
    blocks = []
    for start in range(0, guesses, step):
        block = table[start : start + step]
        if feedbacks > 4 * secrets:
            counts = partitions_by_sorting(block)
        else:
            counts = table_partitions(block, feedbacks)
        blocks.append(cost_to_go[counts].sum(axis=1))
    return np.concatenate(blocks)


@dataclass(frozen=True)
class Lookahead:
    """A table of feedbacks, and the cost of guesses by looking ahead in it.

    - `table` (guesses, candidates): feedbacks; `winning` is the winning one, `feedbacks` how many
      there are
    - `guess_of` (candidates,): the place of each candidate among the guesses, -1 for none
    - `attempts`: how many guesses are left
    - `work`: cap on the scores made for one choice
    - `compiled`: whether the compiled kernels are used; results are the same
    """

    table: Table
    guess_of: Indices
    winning: int
    feedbacks: int
    attempts: int
    work: int
    compiled: bool = False

    @property
    def deeper(self) -> int:
        """How many guesses are looked into in each part; with 0 its cheapest guess counts."""
        most = min(_LOOKED_INTO_BELOW, self.work // max(1, self.table.size) // _LOOKED_INTO - 1)
        return most if most >= 2 else 0

    @cached_property
    def _kernels(self) -> Any:
        from puzzlehunt.kernels.compiled import lookahead

        return lookahead

    @cached_property
    def _prices(self) -> tuple[Costs, Costs]:
        """What parts of each size cost: estimated, and with one attempt left."""
        size = self.table.shape[1]
        return cost_to_go(size, ONE), with_one_attempt(size)

    def costs(self, candidates: Indices, attempts: int) -> Costs:
        """Return (G,): twice the one-ply cost of every guess, plus one where it is no candidate."""
        if self.compiled and attempts > 1:
            costs: Costs = self._kernels.costs_of_all(
                self.table, candidates, self._prices[attempts == 2], self.winning, ONE,
                self.feedbacks,
            )  # fmt: skip
            return costs
        every = len(candidates) == self.table.shape[1]
        return self._costs_in(self.table if every else self.table[:, candidates], attempts)

    def _costs_in(self, table: Table, attempts: int) -> Costs:
        """Return `costs` of the guesses of a table (guesses, candidates) of feedbacks."""
        hit = (table == self.winning).any(axis=1)
        if attempts == 1:
            count = table.shape[1]
            return np.asarray((count * ONE + (count - hit) * UNSOLVED_COST) * 2 + 1 - hit)
        estimated = priced(table, self.feedbacks, self._prices[attempts == 2])
        return np.asarray((table.shape[1] * ONE + estimated - hit * ONE) * 2 + 1 - hit)

    def _cheapest_of(self, candidates: Indices, attempts: int) -> int:
        """Return the smallest one-ply cost among the candidates, NEVER if no guess is one."""
        guesses = self.guess_of[candidates]
        table = self.table[np.ix_(guesses[guesses >= 0], candidates)]
        return int(self._costs_in(table, attempts).min(initial=UNINFORMATIVE)) >> 1

    def values(self, candidates: Indices, guesses: Indices, bound: int) -> Costs:
        """Return what guesses cost, each part looked into.

        A value of `bound` or more means only that the cost is no less than `bound`.
        """
        if self.attempts == 1:
            return self._costs_in(self.table[np.ix_(guesses, candidates)], 1) >> 1
        if self.compiled:
            estimated, last = self._prices
            values: Costs = self._kernels.values_of_some(
                self.table, candidates, self.guess_of, guesses, self.deeper, _RESCUE, self.attempts,
                estimated, last, self.winning, ONE, UNSOLVED_COST, UNINFORMATIVE, self.feedbacks,
                bound,
            )  # fmt: skip
            return values
        return np.array(
            [self._guess_value(candidates, g, self.deeper, self.attempts, bound) for g in guesses]
        )

    def _guess_value(
        self, candidates: Indices, guess: int, deeper: int, attempts: int, bound: int
    ) -> int:
        answers = self.table[guess, candidates]
        parts, where, sizes = np.unique(answers, return_inverse=True, return_counts=True)
        if len(parts) == 1 and parts[0] != self.winning:
            return UNINFORMATIVE
        unsolved = parts != self.winning
        total = len(candidates) * ONE + int((2 * sizes[unsolved] - 1).sum()) * ONE
        for number, (part, size) in enumerate(zip(parts.tolist(), sizes.tolist(), strict=True)):
            if part == self.winning:
                continue
            if total >= bound:
                return total
            if size > 2 or attempts <= 2:
                value = self._value(candidates[where == number], deeper, attempts - 1)
                total += value - (2 * size - 1) * ONE
        return total

    def _value(self, candidates: Indices, deeper: int, attempts: int) -> int:
        """Return what candidates cost when the best of the guesses looked into is played."""
        count = len(candidates)
        if attempts == 1 or count == 1:
            return count * ONE + (count - 1) * UNSOLVED_COST
        if count == 2:
            return 3 * ONE
        if count <= _FEW:  # a guess that is no candidate costs no less than two for each
            least = self._cheapest_of(candidates, attempts)
            if least <= 2 * count * ONE:
                return least
        costs = self.costs(candidates, attempts)
        cheapest = int(costs.min()) >> 1
        leaf = attempts == 2 or (deeper == 0 and attempts != 3)
        if leaf or cheapest <= 2 * count * ONE:
            return cheapest
        best = UNINFORMATIVE
        most = _RESCUE if attempts == 3 else deeper
        for number, guess in enumerate(in_order(costs, np.arange(len(costs)), most).tolist()):
            best = min(best, self._guess_value(candidates, guess, 0, attempts, best))
            if best < UNSOLVED_COST and attempts == 3 and number >= 3:
                break
        return best


def _dense(table: Table, winning: int) -> tuple[Table, int, int]:
    """Return a table with answers numbered without gaps, the winning number, and their number."""
    present, numbered = np.unique(np.append(table.ravel(), winning), return_inverse=True)
    renumbered: Table = numbered[:-1].astype(unsigned_type(len(present))).reshape(table.shape)
    return renumbered, int(numbered[-1]), len(present)


def in_order(costs: Costs, tried: Indices, most: int) -> Indices:
    """Return the `most` cheapest guesses of `tried` in order, equals in code order."""
    if most < len(costs):
        near = costs <= np.partition(costs, most - 1)[most - 1]
        costs, tried = costs[near], tried[near]
    return tried[np.lexsort((tried, costs))][:most]


class Deep(Strategy):
    """Minimises the guesses that are still to come, by looking ahead.

    `fallback` makes the strategy that plays where tables are too large. With a budget of guesses,
    the strategy that `make_search` makes for that budget plays wherever it can; in hard mode also
    without a budget where nobody waits: in a tournament from the first guess on, in a single game
    behind it.
    `weighed` makes the one that plays where some candidates are likelier than others: looking into
    its best guesses, as is done here with equal candidates, did not bring fewer guesses.
    """

    name: ClassVar[str] = "deep"
    compiled_from = _WORTH_COMPILING
    books = ("optimal", "deep")
    measure = GUESSES_ON_AVERAGE
    allows_for_channel = False

    def __init__(
        self,
        fallback: Callable[[], Strategy],
        make_search: Callable[[int | None], Strategy],
        weighed: Callable[[], Strategy],
    ) -> None:
        self.fallback = fallback()
        self.weighed = weighed()
        self._make_search = make_search
        self._searching: tuple[int | None, Strategy] | None = None

    def for_game(self, game: Game) -> Strategy:
        """Return the fallback where several secrets are to be found at once, else this strategy."""
        return self.fallback if game.secrets_at_once > 1 else self

    @property
    def for_sample(self) -> Strategy:
        """The fallback: looking ahead in a sample of the candidates did not bring fewer guesses."""
        return self.fallback

    def _search(self, position: Position) -> Strategy | None:
        """Return the strategy that searches with the position's budget, None if it cannot play."""
        budget, hard = position.budget.guesses, position.game.hard
        has_time = position.budget.compiled or not position.nothing_known
        if budget is None and hard and has_time and not position.budget.person_waits:
            budget = _HARD_BUDGET
        if budget is None:
            return None
        pool = position.pool.guesses
        if not hard and budget >= len(position.secrets if pool is None else pool):
            budget = None  # all guesses: the whole search, whose value is proved
        if self._searching is None or self._searching[0] != budget:
            self._searching = budget, self._make_search(budget).for_game(position.game)
        searching = self._searching[1]
        return None if searching.unsupported_reason(position) else searching

    def _quickly(self, position: Position) -> Suggestion | None:
        """Return the best guess in hard mode while a person waits, None if it takes too long."""
        free = position.budget.person_waits and position.budget.guesses is None
        if not position.game.hard or not free or position.nothing_known:
            return None
        return self._make_search(_HARD_BUDGET).for_game(position.game).quickly(position)

    def searches(self, position: Position) -> bool:
        return self._search(position) is not None

    def plans_ahead(self, position: Position) -> bool:
        searching = self._search(position)
        return searching is not None and searching.plans_ahead(position)

    def prepare(self, position: Position, opening: Code | None = None) -> None:
        if searching := self._search(position):
            searching.prepare(position, opening)

    def bits(self, position: Position, guesses: PackedCodes) -> npt.NDArray[np.float64] | None:
        return self.fallback.bits(position, guesses)

    def _player(self, position: Position) -> Strategy | None:
        """Return the strategy that plays instead of looking ahead, None for none."""
        if searching := self._search(position):
            return searching
        if self._weighs(position):
            return self.weighed
        return None if self._fits(position) else self.fallback

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        if len(position.candidates) == 1:
            return [self.rate(position, position.candidate(0))], True
        position = self._shortlisted(position)
        if found := self._quickly(position):
            others, _ = self._looking_ahead(position, top) if top > 1 else ([], True)
            return with_others(found, others, top), True  # all that are allowed had an estimate
        player = self._player(position)
        if player is None:
            return self._looking_ahead(position, top)
        ranked, complete = player.rank(position, top)
        if player is self.fallback:
            ranked = [self._one_ply(position, suggestion.guess) for suggestion in ranked]
        return ranked, complete

    def _looking_ahead(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        """Return the best guesses by looking ahead, and whether all were evaluated."""
        rows, order, values, complete = self._ordered(position, top)
        ranked = []
        for place, value in zip(order[:top].tolist(), values[:top].tolist(), strict=True):
            rated = super().rate(position, code_of(rows.codes[place]))
            ranked.append(self._with_average(rated, value, len(position.candidates)))
        return ranked, complete

    def choose(self, position: Position) -> PackedCodes:
        if len(position.candidates) == 1:
            return position.secrets[position.candidates]
        position = self._shortlisted(position)
        if found := self._quickly(position):
            return position.game.rule.rows(array_of([found.guess], position.game.length))
        if player := self._player(position):
            return player.choose(position)
        rows, order, _, _ = self._ordered(position, 1)
        return rows[order[:1]]

    def rate(self, position: Position, guess: Code) -> Suggestion:
        if self._weighs(position):
            return self.weighed.rate(position, guess)
        position = self._shortlisted(position)
        rows, guess_of = position.choices()
        if len(rows) * len(position.candidates) > _QUICK_WORK:
            return self._one_ply(position, guess)
        asked = array_of([guess], position.game.length)
        rows = position.game.rule.rows(np.concatenate((rows.codes, asked)))
        ahead = replace(self._ahead(position, rows, guess_of), work=0, compiled=False)
        candidates = np.arange(len(position.candidates))
        value = int(ahead.values(candidates, np.array([len(rows) - 1]), UNINFORMATIVE)[0])
        return self._with_average(super().rate(position, guess), value, len(candidates))

    def _shortlisted(self, position: Position) -> Position:
        """Return a position with the best guesses to choose from, if all are too many to list."""
        if not position.pool.takes_steps or position.budget.guesses is not None:
            return position
        return self.fallback.among_the_best(position, _SHORTLISTED)

    def _one_ply(self, position: Position, guess: Code) -> Suggestion:
        """Return what a guess is worth by its one-ply cost."""
        rows = position.game.rule.rows(array_of([guess], position.game.length))
        ahead = self._ahead(position, rows, position.choices()[1])
        candidates = np.arange(len(position.candidates))
        value = int(replace(ahead, compiled=False).costs(candidates, ahead.attempts)[0]) >> 1
        return self._with_average(super().rate(position, guess), value, len(candidates))

    @staticmethod
    def _with_average(rated: Suggestion, value: int, count: int) -> Suggestion:
        """Return a suggestion with its value: guesses on average, this one included."""
        average = None if value >= UNSOLVED_COST else round(value / ONE / count, 4)
        return replace(rated, value=average)

    @staticmethod
    def _weighs(position: Position) -> bool:
        """Return whether candidates are weighed, and all of an answer is seen and true."""
        return position.weights is not None and position.observation is None

    @staticmethod
    def _fits(position: Position) -> bool:
        """Return whether the table of guesses and candidates is small enough, without weights."""
        guesses = position.pool.guesses
        guess_count = len(position.candidates) if guesses is None else len(guesses)
        person_waits = position.budget.person_waits
        most = _LARGEST_QUICK_TABLE if person_waits else _LARGEST_TABLE
        return position.weights is None and guess_count * len(position.candidates) <= most

    def _ahead(self, position: Position, rows: PackedCodes, guess_of: Indices) -> Lookahead:
        rule = position.game.rule
        table = rule.table(rows, position.secrets[position.candidates])
        winning, feedbacks = rule.winning_index, len(rule.feedbacks)
        if feedbacks > _MOST_FEEDBACKS:
            table, winning, feedbacks = _dense(table, winning)
        person_waits = position.budget.person_waits
        large = position.budget.compiled or table.size >= _WORTH_COMPILING
        compiled = large and not person_waits and fast.is_installed()
        work, attempts = self._work(position), position.attempts or _NO_LIMIT
        return Lookahead(table, guess_of, winning, feedbacks, attempts, work, compiled)

    @staticmethod
    def _work(position: Position) -> int:
        """Return the cap on the scores of one choice."""
        return _QUICK_WORK if position.budget.person_waits else _WORK

    def _ordered(self, position: Position, top: int) -> tuple[PackedCodes, Indices, Costs, bool]:
        """Return guesses, the places of the best in order, their costs, and whether all were tried.

        Guesses that were not looked into stand behind all that were, with no smaller costs.
        """
        rows, guess_of = position.choices()
        count = len(position.candidates)
        candidates = np.arange(count)
        attempts = position.attempts or _NO_LIMIT
        tried, complete = self._tried(position, rows, guess_of, attempts)
        most = min(_LOOKED_INTO, self._work(position) // (len(rows) * count))
        looks_ahead = count > 2 and attempts > 2 and most >= 2
        if not looks_ahead:  # no guess but these is needed
            rows, tried = rows[tried], np.arange(len(tried))
        ahead = self._ahead(position, rows, guess_of)
        costs = ahead.costs(candidates, attempts)[tried]
        order = in_order(costs, tried, max(top, 4 * _LOOKED_INTO))
        values = np.sort(costs, kind="stable")[: len(order)] >> 1
        if not looks_ahead or values[0] <= 2 * count * ONE:
            return rows, order, values, complete
        looked = self._looked_into(ahead, candidates, order, most, exactly=top > 1)
        best = np.lexsort((np.arange(len(looked)), looked))
        order = np.concatenate((order[: len(looked)][best], order[len(looked) :]))
        behind = np.maximum(values[len(looked) :], looked.max())
        return rows, order, np.concatenate((looked[best], behind)), complete

    @staticmethod
    def _looked_into(
        ahead: Lookahead, candidates: Indices, order: Indices, most: int, exactly: bool
    ) -> Costs:
        """Return what the first guesses of `order` cost.

        `most` guesses are looked into, or up to four times as many while none finds every candidate
        with the attempts left. Without `exactly`, a cost that is not the smallest is a lower bound.
        """
        bound = UNINFORMATIVE
        costs: list[int] = []
        while len(costs) < len(order) and (
            len(costs) < most or (bound >= UNSOLVED_COST and len(costs) < 4 * most)
        ):
            start = len(costs)
            stop = start + _BATCH if start >= most else min(start + _BATCH, most)
            values = ahead.values(
                candidates, order[start:stop], UNINFORMATIVE if exactly else bound
            )
            costs += values.tolist()
            bound = min(bound, int(values.min()))
        return np.array(costs, dtype=np.int64)

    @staticmethod
    def _tried(
        position: Position, rows: PackedCodes, guess_of: Indices, attempts: int
    ) -> tuple[Indices, bool]:
        """Return the places of the guesses to evaluate, and whether those are all."""
        if attempts == 1 and (guess_of >= 0).any():
            return np.sort(guess_of[guess_of >= 0]), True
        tried = orbit_representatives(position, rows.codes)
        most = position.budget.guesses
        if most is None or most >= len(tried):
            return tried, True
        return np.sort(sample_of_guesses(position.rng, tried, guess_of, most)), False
