"""The strategy `optimal`, which searches a position to the end of the game.

With a budget, only the most promising guesses of each position are searched.
"""

from dataclasses import replace

import numpy as np

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import StrategyError, counted
from puzzlehunt.kernels import fast
from puzzlehunt.kernels.feedback_matrix import unsigned_type
from puzzlehunt.kernels.lookahead import in_order
from puzzlehunt.kernels.packed_codes import CodeArray, Indices, PackedCodes, code_of
from puzzlehunt.kernels.problem import (
    FULLY_SEARCHED,
    GUESS_BITS,
    NO_BOUND,
    ONE,
    UNSOLVED_COST,
    cost_to_go,
    new_problem,
)
from puzzlehunt.strategies.base import Strategy, Suggestion
from puzzlehunt.strategies.measures import GUESSES_ON_AVERAGE
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.search.branch_and_bound import Search, State
from puzzlehunt.strategies.search.proof import Bounds, Proof, ProofLog
from puzzlehunt.strategies.symmetry import by_position, orbit_representatives

_LARGEST_TABLE, _LARGEST_QUICK_TABLE = 1_300_000_000, 4_000_000
"""Cap on the table of guesses and candidates (cells) if nobody waits, and where a person waits."""
_MOST_FEEDBACKS = 10_000
"""Cap on the feedbacks of a rule: every frame of a search has arrays of that length (memory)."""
_LARGEST_WHOLE = 1 << 25
"""Cells of the table of a game above which a search with a budget leaves guesses out."""
_MOST_SEARCHED = 10_000
"""If only some of the guesses are searched, positions of at most this many candidates are searched.
In larger ones, the guess with the least estimate is made."""
_CELLS, _SMALL_BUDGET = 4_096, 16
"""Cells of a table of some of the guesses, times the square of the budget, or of a small one."""
_LEAST_SELECTED = 1_000
"""A table has at least this many guesses."""


class Optimal(Strategy):
    """Loses as few candidates as possible with the attempts left; then takes the fewest guesses.

    Without a budget, the value is proved to be the least. With a `budget`, only that many guesses
    are searched in each position. Results are stored until a position is not part of the search.
    """

    name = "optimal"
    measure = GUESSES_ON_AVERAGE
    draws = "all"
    proves = True

    def __init__(self, budget: int | None = None) -> None:
        self.budget = budget
        self._searched: tuple[Search, Position, Indices] | None = None
        """A search, its position, and the place of each secret in its table (S,), -1 for none."""
        self.proof_log = ProofLog()
        """The results of an earlier run, and the callbacks for records and bounds of a proof."""

    def unsupported_reason(self, position: Position) -> str:
        """Return in a few words why a position cannot be searched, "" if it can."""
        game, guesses, count = position.game, len(position.choices()[0]), len(position.candidates)
        if game.only_questions or game.hard:
            return "hard mode" if game.hard else "a game of questions alone"
        if position.weights is not None or position.observation is not None:
            return "candidates that are not equally likely, or rows that may be wrong"
        if not fast.is_installed():
            return "whole games without compiled kernels (in a checkout, pip install '.[fast]')"
        waits, answers = position.budget.seconds is not None, len(game.rule.feedbacks)
        most = _LARGEST_QUICK_TABLE if waits else _LARGEST_TABLE
        large = guesses * count > most or guesses > 1 << GUESS_BITS or answers > _MOST_FEEDBACKS
        if large and not self.selects(position):
            sizes = f"{counted(guesses, 'guess')}, {counted(count, 'candidate')} and "
            sizes += counted(answers, "possible answer")
            return sizes + (" while a person waits" if waits else ", which are too many")
        if (position.choices()[1] < 0).any():
            return "a candidate that may not be guessed"
        return ""

    def selects(self, position: Position) -> bool:
        """Return whether only some of the guesses are searched, because all are too many.

        They are selected anew for each position, which pays where it is quick to count partitions.
        """
        guesses, rule = position.pool.guesses, position.game.rule
        if self.budget is None or position.budget.seconds is not None or guesses is None:
            return False
        large = len(guesses) * len(position.secrets) > _LARGEST_WHOLE
        return rule.pair_offsets is not None and large

    def prepare(self, position: Position, opening: Code | None = None) -> None:
        """Find the guesses for all later positions, or only for those after `opening`."""
        if opening is None:
            cost: int | None = self._best(position)[0]
        else:
            search, state = self.search_of(position)
            place = search.place_of(opening)
            if self.budget is None and place >= 0 and search.needs_opening(state):
                parts = [part for _, part in search.children(state, place)]
                if len(parts) > 1 and not all(map(search.knows, parts)):
                    Proof(search, state, self.proof_log, place).run()
            cost = self._cost_of(position, opening)
        # A game that is too small for bounds on the way has no proof.
        small = len(position.candidates) <= FULLY_SEARCHED or position.attempts == 1
        if cost is not None and self.budget is None and small and position.nothing_known:
            self.proof_log.report(Bounds.of(cost, cost))

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        """Return only the best guess; of the others, only a bound is known: they are no better."""
        guess = code_of(self._choose(position).codes[0])
        return [self.rate(position, guess)], self.budget is None

    def _choose(self, position: Position) -> PackedCodes:
        if self._is_beyond_search(position):
            return position.choices()[0][most_promising(position, 1)]
        _, guess = self._best(position)
        return position.game.rule.rows(guess[None])

    def _is_beyond_search(self, position: Position) -> bool:
        """Return whether candidates are too many to search, even among some of the guesses.

        If guesses are selected, the first guess is not searched either.
        """
        too_many = position.nothing_known or len(position.candidates) > _MOST_SEARCHED
        return self.selects(position) and too_many

    def rate(self, position: Position, guess: Code) -> Suggestion:
        cost = self._cost_of(position, guess) if len(position.candidates) > 1 else None
        rated = super().rate(position, guess)
        if cost is None or cost >= UNSOLVED_COST:  # some candidates are lost
            return rated
        return replace(rated, value=round(cost / len(position.candidates), 4))

    def _best(self, position: Position) -> tuple[int, CodeArray]:
        search, state = self.search_of(position)
        if self.budget is None and search.needs_opening(state):
            Proof(search, state, self.proof_log).run()
        cost, place = search.best(state)
        return cost, search.codes[place]

    def _cost_of(self, position: Position, guess: Code) -> int | None:
        if self._is_beyond_search(position):
            return None
        search, state = self.search_of(position)
        place = search.place_of(guess)
        return None if place < 0 else search.with_guess(state, place, NO_BOUND, self.budget)

    def search_of(self, position: Position) -> tuple[Search, State]:
        """Return a search that holds a position, made anew if necessary, and the state there.

        Raises StrategyError if the position cannot be searched.
        """
        if (state := self._state_of(position)) is None:
            if trouble := self.unsupported_reason(position):
                raise StrategyError(f"{self.name}: cannot search {trouble}; try deep")
            self._searched = None  # its table is freed before another is made
            places = np.full(len(position.secrets), -1)
            places[position.candidates] = np.arange(len(position.candidates))
            self._searched = self._new_search(position), position, places
            state = self._state_of(position)
        assert state is not None
        assert self._searched is not None
        return self._searched[0], state

    def _state_of(self, position: Position) -> State | None:
        """Return a position as a state of the search, None if the search does not include it.

        A state has no past guesses if symbols are no longer interchangeable.
        """
        if self._searched is None:
            return None
        search, ours, places = self._searched
        is_same = ours.game.rule is position.game.rule and ours.secrets is position.secrets
        if not is_same or ours.pool.guesses is not position.pool.guesses:
            return None
        # Guesses that were selected for many candidates also tell apart the few of a small part.
        candidates, count = places[position.candidates], len(position.candidates)
        has_all_guesses = len(search.codes) == len(position.choices()[0])
        suits = has_all_guesses or count <= FULLY_SEARCHED or count == len(ours.candidates)
        if not suits or (candidates < 0).any():
            return None
        alike = position.used_symbols is not None or position.nothing_known
        past = position.past_guesses if alike else None
        return search.state(candidates, position.attempts, past)

    def _new_search(self, position: Position) -> Search:
        game = position.game
        rows, guess_of = position.choices()
        if self.budget is not None and self.selects(position):
            rows, guess_of = selected(position, self.budget)
        rule, secrets = game.rule, position.secrets[position.candidates]
        # The feedbacks of one secret are contiguous in memory.
        answers = len(rule.feedbacks)
        table = np.ascontiguousarray(rule.table(rows, secrets).T, dtype=unsigned_type(answers))
        problem = new_problem(
            table, guess_of, rule.winning_index, answers, position.pool.guesses is None
        )
        symbols = 0 if position.used_symbols is None else len(game.alphabet)
        return Search(rows.codes, problem, self.budget, symbols, by_position(game))


# The guesses to search, if all of them would be too many.


def selected(position: Position, budget: int) -> tuple[PackedCodes, Indices]:
    """Return the candidates and the most promising guesses together, and the candidates' places.

    Their number grows with the `budget` (the guesses searched in each position).
    """
    guesses, guess_of = position.choices()
    cells = _CELLS * max(_SMALL_BUDGET, budget) ** 2
    most = max(_LEAST_SELECTED, cells // len(position.candidates))
    if most >= len(guesses):
        return guesses, guess_of
    chosen = np.zeros(len(guesses), dtype=np.bool_)
    chosen[guess_of] = True
    chosen[most_promising(position, most)] = True
    return guesses[chosen], (np.cumsum(chosen) - 1)[guess_of]


def most_promising(position: Position, most: int) -> Indices:
    """Return the indices of up to `most` guesses, the least estimate first.

    The estimate of a guess is how many guesses its parts take together. Ties go to candidates, then
    to code order. Of guesses that are alike, one is returned.
    """
    guesses, guess_of = position.choices()
    rule, secrets = position.game.rule, position.secrets[position.candidates]
    tried = orbit_representatives(position, guesses.codes)
    cost_of_part = cost_to_go(len(secrets), ONE)
    counts = rule.partitions(guesses[tried], secrets, compiled=True)
    estimates = cost_of_part[counts].sum(axis=1)
    if counts.shape[1] == len(rule.feedbacks):  # else the winning answer is not known apart
        estimates -= cost_of_part[counts[:, rule.winning_index]]
    # Estimates are doubled, so that candidates come first among equals.
    return in_order(2 * estimates + ~np.isin(tried, guess_of), tried, most)
