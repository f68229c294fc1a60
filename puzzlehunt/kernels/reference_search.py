"""The same search as in `compiled/search.py`, written with numpy and recursive functions.

This is the specification of the compiled search, which finds the same values and, in hard mode, the
same guesses; tests compare the two. This search is also used if numba is not installed, and if a
person waits, because the compiled search loads slowly. A cap on its work can be set.
"""

from dataclasses import dataclass

import numpy as np

from puzzlehunt.kernels.packed_codes import Indices
from puzzlehunt.kernels.problem import (
    ALIKE,
    BEAM,
    NO_BOUND,
    SAFE,
    SAFE_TRIES_ALL,
    UNSOLVED_COST,
    AllowedTable,
    Limits,
    Numbers,
    Problem,
    ShortIndices,
    after,
)

_WORK_OF_A_STATE = 3_000
"""Work that is counted for each state besides its scores (a guess against a candidate)."""
NO_CAP = 1 << 62
"""A cap on work above what any search needs."""


class TooMuchWorkError(Exception):
    """Raised if the cap on work is reached before the first guess has been searched."""


@dataclass(frozen=True, slots=True)
class _Ranking:
    """The informative guesses of a state, and the order in which they are tried.

    - `guesses` (N,), `bounds` (N,): the guesses, and the lower bound of each
    - `order` (N,): indices in `guesses`, the least estimate first
    - `size_bounds`: the lower bounds of parts of 0, 1, ... candidates
    - `lower_bound`: the least of `bounds`
    - `most_parts`: the most parts that any guess makes
    """

    guesses: ShortIndices
    bounds: Numbers
    order: Indices
    size_bounds: Numbers
    lower_bound: int
    most_parts: int


@dataclass(frozen=True, slots=True)
class _State:
    """A state: its candidates, the allowed guesses, and the attempts left."""

    members: ShortIndices
    allowed: ShortIndices
    attempts: int
    most_parts: int


class ReferenceSearch:
    """A search of one problem; results are stored for later searches of the same object.

    Outside of hard mode, `allowed` is None.
    """

    def __init__(self, problem: Problem, limits: Limits, allowed: AllowedTable | None) -> None:
        self.problem, self.limits, self.allowed = problem, limits, allowed
        self._table: dict[tuple[tuple[bytes, bytes, int], int], tuple[int, int, int]] = {}
        self._size_bounds: dict[tuple[int, int], Numbers] = {}
        self._work_left = 0
        self._root: _State | None = None
        self._best_of_root = NO_BOUND, -1

    def solve(
        self,
        members: ShortIndices,
        allowed: ShortIndices,
        attempts: int,
        work: int,
        bound: int = NO_BOUND,
    ) -> tuple[int, int]:
        """Return value and best guess of a state; a value of `bound` or more is a lower bound.

        If the cap `work` (scores, plus a fixed number for each state) is reached, returns the best
        value and guess so far. Raises TooMuchWorkError if no guess has been searched by then.
        """
        self._work_left = work
        self._root = _State(members, allowed, attempts, self.problem.answers)
        self._best_of_root = NO_BOUND, -1
        try:
            return self._value(self._root, BEAM, bound)
        except TooMuchWorkError:
            if self._best_of_root[1] < 0:
                raise
            return self._best_of_root

    def ranked(
        self, members: ShortIndices, allowed: ShortIndices, attempts: int
    ) -> list[tuple[int, int]]:
        """Return the informative guesses, each with its lower bound, the least estimate first."""
        self._work_left = NO_CAP
        ranking = self._rank(_State(members, allowed, attempts, self.problem.answers))
        order = ranking.order
        return list(
            zip(ranking.guesses[order].tolist(), ranking.bounds[order].tolist(), strict=True)
        )

    def _value(self, state: _State, wanted: int, bound: int) -> tuple[int, int]:
        """Return value and best guess of a state; a value of `bound` or more is a lower bound."""
        count = len(state.members)
        if count <= 2 or state.attempts == 1:
            lost = (count - 1) * UNSOLVED_COST if state.attempts == 1 else count - 1
            return count + lost, int(self.problem.guess_of[state.members[0]])
        allowed = b"" if self.allowed is None else state.allowed.tobytes()
        key = state.members.tobytes(), allowed, state.attempts
        lower_bound, value, guess = self._table.get((key, wanted), (0, 0, -1))
        if value or lower_bound >= bound:
            return value or lower_bound, guess
        ranking = self._rank(state)
        if ranking.lower_bound >= bound:
            return ranking.lower_bound, -1
        _, safe, guess = self._table.get((key, SAFE), (0, 0, -1))
        if not safe and wanted == BEAM and not self.limits.safe_width:
            safe, guess = NO_BOUND, -1
        elif not safe:
            safe, guess = self._safe(state, ranking)
            self._table[key, SAFE] = safe, safe, guess
        if wanted == SAFE:
            return safe, guess
        value, guess = self._beam(state, ranking, safe, guess, bound)
        found = value < bound
        self._table[key, BEAM] = (value, value, guess) if found else (bound, 0, -1)
        return (value, guess) if found else (bound, -1)

    def _safe(self, state: _State, ranking: _Ranking) -> tuple[int, int]:
        """Return the safe value of a state and its guess: the first that loses no candidate."""
        best, best_guess = NO_BOUND, -1
        few = state.attempts <= SAFE_TRIES_ALL
        for index in ranking.order[: None if few else self.limits.safe_width].tolist():
            if ranking.lower_bound >= best or best < UNSOLVED_COST:
                break
            if ranking.bounds[index] < best:
                value = self._guess_value(state, ranking, index, SAFE, best)
                if value < best:
                    best, best_guess = value, int(ranking.guesses[index])
                    self._note_of_root(state, best, best_guess)
        return best, best_guess

    def _beam(
        self, state: _State, ranking: _Ranking, best: int, best_guess: int, bound: int
    ) -> tuple[int, int]:
        """Return the beam value of a state and its guess, given the safe value and guess."""
        safe_guess, width = best_guess, int(self.limits.widths[len(state.members)])
        order = ranking.order
        if self.allowed is None and width < len(order):  # one of several alike
            order = order[: width * ALIKE]
            rows = self.problem.feedback.T[ranking.guesses[order][:, None], state.members]
            distinct = np.unique(np.sort(rows, axis=1), axis=0, return_index=True)[1]
            order = order[np.sort(distinct)]
        for tried, index in enumerate(order.tolist()):
            limit, guess = min(best, bound), int(ranking.guesses[index])
            if ranking.lower_bound >= limit:
                break
            if (tried < width or guess == safe_guess) and ranking.bounds[index] < limit:
                value = self._guess_value(state, ranking, index, BEAM, limit)
                if value < limit:
                    best, best_guess = value, guess
                    self._note_of_root(state, best, best_guess)
        return best, best_guess

    def _note_of_root(self, state: _State, value: int, guess: int) -> None:
        if state is self._root:
            self._best_of_root = value, guess

    def _guess_value(
        self, state: _State, ranking: _Ranking, index: int, wanted: int, limit: int
    ) -> int:
        """Return the value of a guess; a value of `limit` or more is only a lower bound."""
        total, later = int(ranking.bounds[index]), after(state.attempts)
        if later == 1:
            return total
        guess = int(ranking.guesses[index])
        answers = self.problem.feedback[state.members, guess]
        present, sizes = np.unique(answers, return_counts=True)
        open_parts = (sizes > 2) & (present != self.problem.winning)
        for at in np.argsort(-sizes, kind="stable").tolist():
            if not open_parts[at]:
                continue
            if total >= limit:
                break
            low, answer = int(ranking.size_bounds[sizes[at]]), int(present[at])
            allowed = self.allowed_after(guess, answer, ranking.guesses)
            members = state.members[answers == answer]
            child = _State(members, allowed, later, ranking.most_parts)
            bound = limit - total + low if wanted == BEAM else NO_BOUND
            total += self._value(child, wanted, bound)[0] - low
        return total

    def _rank(self, state: _State) -> _Ranking:
        """Return the informative guesses of a state, with lower bounds and sorted by estimates."""
        problem, count, later = self.problem, len(state.members), after(state.attempts)
        guesses = state.allowed
        if problem.candidates_only:
            guesses = np.sort(problem.guess_of[state.members])
        self._work_left -= len(guesses) * count + _WORK_OF_A_STATE
        if self._work_left < 0:
            raise TooMuchWorkError
        size_bounds = self.bounds_of_sizes(state.most_parts, later)
        cost_to_go = problem.cost_to_go[min(later, len(problem.cost_to_go) - 1)]
        answers = np.sort(problem.feedback.T[guesses[:, None], state.members], axis=1)
        begins = np.ones(answers.shape, dtype=np.bool_)
        np.not_equal(answers[:, 1:], answers[:, :-1], out=begins[:, 1:])
        parts = begins.sum(axis=1)
        tells = parts > 1
        if not tells.any():
            none = np.zeros(0, dtype=np.intp)
            return _Ranking(guesses[:0], size_bounds[:0], none, size_bounds, NO_BOUND, 1)
        starts = np.flatnonzero(begins)
        sizes = np.diff(starts, append=answers.size)
        sizes[answers.ravel()[starts] == problem.winning] = 0
        rows = np.cumsum(parts) - parts
        bounds = (count + np.add.reduceat(size_bounds[sizes], rows))[tells]
        estimates = np.add.reduceat(cost_to_go[sizes], rows)[tells]
        if self.allowed is None:  # of equals a candidate comes first
            estimates = 2 * estimates + ~np.isin(guesses[tells], problem.guess_of[state.members])
        return _Ranking(
            guesses=guesses[tells],
            bounds=bounds,
            order=np.argsort(estimates, kind="stable"),
            size_bounds=size_bounds,
            lower_bound=int(bounds.min()),
            most_parts=int(parts.max()),
        )

    def bounds_of_sizes(self, parts: int, attempts: int) -> Numbers:
        """Return lower bounds for 0, 1, ... candidates if no guess makes more than `parts` parts.

        One part is the winning answer, so that at most parts^(k - 1) candidates are found within k
        guesses. `tree_size_bound` computes the same for a single number of candidates.
        """
        if (known := self._size_bounds.get((parts, attempts))) is not None:
            return known
        most = len(self.problem.guess_of)
        counts = np.arange(most + 1)
        bounds, reached = counts.copy(), 1
        for left in range(attempts - 1, -1, -1):
            bounds += np.maximum(counts - reached, 0) * (1 if left else UNSOLVED_COST)
            if (reached := reached * parts) >= most:
                break
        self._size_bounds[parts, attempts] = bounds
        return bounds

    def allowed_after(self, guess: int, answer: int, before: ShortIndices) -> ShortIndices:
        """Return the guesses of `before` that hard mode allows after a guess and its answer."""
        table = self.allowed
        if table is None:
            return before
        if len(table.feedback):
            return np.asarray(before[table.feedback[guess, before] == answer])
        code, digits = table.codes[guess], table.digits[answer]
        told = (digits > 0) & (code < table.occurrences.shape[1])
        kept = np.flatnonzero(told & (digits == 2))
        letters, needed = np.unique(code[told], return_counts=True)
        right = (table.codes[before[:, None], kept] == code[kept]).all(axis=1)
        right &= (table.occurrences[before[:, None], letters] >= needed).all(axis=1)
        return np.asarray(before[right])
