"""The same search as in `compiled/search.py`, written with numpy and recursive functions.

This is the specification of the compiled search, which finds the same values; tests compare the
two. This search is also used if numba is not installed.
"""

from dataclasses import dataclass

import numpy as np

from puzzlehunt.kernels.packed_codes import Indices
from puzzlehunt.kernels.problem import (
    ALIKE,
    NO_BOUND,
    UNSOLVED_COST,
    Limits,
    Numbers,
    Problem,
    ShortIndices,
    after,
)


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
    """A state: its candidates, and the attempts left."""

    members: ShortIndices
    attempts: int
    most_parts: int


class ReferenceSearch:
    """A search of one problem; results are stored for later searches of the same object."""

    def __init__(self, problem: Problem, limits: Limits, guesses: int) -> None:
        self.problem, self.limits = problem, limits
        self._guesses: ShortIndices = np.arange(guesses, dtype=np.int32)
        self._table: dict[tuple[bytes, int], tuple[int, int, int]] = {}
        self._size_bounds: dict[tuple[int, int], Numbers] = {}

    def solve(self, members: ShortIndices, attempts: int, bound: int = NO_BOUND) -> tuple[int, int]:
        """Return value and best guess of a state; a value of `bound` or more is a lower bound."""
        return self._value(_State(members, attempts, self.problem.answers), bound)

    def ranked(self, members: ShortIndices, attempts: int) -> list[tuple[int, int]]:
        """Return the informative guesses, each with its lower bound, the least estimate first."""
        ranking = self._rank(_State(members, attempts, self.problem.answers))
        order = ranking.order
        return list(
            zip(ranking.guesses[order].tolist(), ranking.bounds[order].tolist(), strict=True)
        )

    def _value(self, state: _State, bound: int) -> tuple[int, int]:
        """Return value and best guess of a state; a value of `bound` or more is a lower bound."""
        count = len(state.members)
        if count <= 2 or state.attempts == 1:
            lost = (count - 1) * UNSOLVED_COST if state.attempts == 1 else count - 1
            return count + lost, int(self.problem.guess_of[state.members[0]])
        key = state.members.tobytes(), state.attempts
        lower_bound, value, guess = self._table.get(key, (0, 0, -1))
        if value or lower_bound >= bound:
            return value or lower_bound, guess
        ranking = self._rank(state)
        if ranking.lower_bound >= bound:
            return ranking.lower_bound, -1
        value, guess = self._best(state, ranking, bound)
        found = value < bound
        self._table[key] = (value, value, guess) if found else (bound, 0, -1)
        return (value, guess) if found else (bound, -1)

    def _best(self, state: _State, ranking: _Ranking, bound: int) -> tuple[int, int]:
        """Return the value of a state and its guess, `bound` and -1 if it is not below `bound`."""
        best_guess, width = -1, int(self.limits.widths[len(state.members)])
        order = ranking.order
        if width < len(order):  # one of several alike
            order = order[: width * ALIKE]
            rows = self.problem.feedback.T[ranking.guesses[order][:, None], state.members]
            distinct = np.unique(np.sort(rows, axis=1), axis=0, return_index=True)[1]
            order = order[np.sort(distinct)]
        for index in order[:width].tolist():
            if ranking.lower_bound >= bound:
                break
            if ranking.bounds[index] < bound:
                value = self._guess_value(state, ranking, index, bound)
                if value < bound:
                    bound, best_guess = value, int(ranking.guesses[index])
        return bound, best_guess

    def _guess_value(self, state: _State, ranking: _Ranking, index: int, limit: int) -> int:
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
            child = _State(state.members[answers == answer], later, ranking.most_parts)
            total += self._value(child, limit - total + low)[0] - low
        return total

    def _rank(self, state: _State) -> _Ranking:
        """Return the informative guesses of a state, with lower bounds and sorted by estimates."""
        problem, count, later = self.problem, len(state.members), after(state.attempts)
        guesses = self._guesses
        if problem.candidates_only:
            guesses = np.sort(problem.guess_of[state.members])
        size_bounds = self.bounds_of_sizes(state.most_parts, later)
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
        estimates = np.add.reduceat(problem.cost_to_go[sizes], rows)[tells]
        is_candidate = np.isin(guesses[tells], problem.guess_of[state.members])
        estimates = 2 * estimates + ~is_candidate  # of equals a candidate comes first
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
