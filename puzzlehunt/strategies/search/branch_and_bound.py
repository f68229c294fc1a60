"""Search for the best play of whole positions: branch and bound, in threads.

Here the first guesses are chosen, where symmetries save most work; compiled `solve` does the rest.

A *cost*, or value, is as in `kernels.problem`.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache, partial
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, TypeVar

import numpy as np

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.kernels.compiled.threads import threads
from puzzlehunt.kernels.packed_codes import CodeArray, Indices, array_of, code_of, indices_in
from puzzlehunt.kernels.problem import (
    FULLY_SEARCHED,
    NO_BOUND,
    UNINFORMATIVE,
    UNLIMITED,
    UNSOLVED_COST,
    Keys,
    Numbers,
    Problem,
    ShortIndices,
    after,
    tree_size_bound,
)
from puzzlehunt.strategies.symmetry import canonical_by_position, canonical_indices, with_orbits

_DEPTH = 16
"""Guesses of the longest path for which a search has memory; doubled when a path is longer."""
_PASTS = 500
"""Sequences of past guesses whose classes of guesses are remembered (memory)."""
_ENTRIES = 1 << 22
"""States whose values are remembered (32 bytes each); memory is taken as they are found."""
_TURNS = 8
"""Turns after which the bound of a part rises by as much as it has candidates."""

Found = TypeVar("Found")


class State(NamedTuple):
    """A position of the search: the candidates, the attempts left, and the past guesses.

    - `candidates` (C,): indices of secrets in the table
    - `attempts`: how many guesses are left
    - `past_guesses`: the codes guessed so far; None if symbols are no longer
      interchangeable, for example because a fact names some of them
    """

    candidates: ShortIndices
    attempts: int
    past_guesses: tuple[Code, ...] | None


class Task(NamedTuple):
    """A request to compute the value of a state, or of one guess in it.

    - `guess`: the index of the guess; None for the value of the state
    - `bound`: a computed value of `bound` or more is only a lower bound of the true value
    - `width`: how many guesses are searched in each state; None for no limit
    """

    state: State
    guess: int | None
    bound: int
    width: int | None = None


class StoppedError(Exception):
    """A search was stopped by another thread."""


class Search:
    """Searches for the guesses that find the secrets of a problem at the least cost.

    `codes` (G, length) are the guesses. `symbols` is the number of interchangeable symbols; 0 if no
    guesses are alike. With `by_position`, symbols may be exchanged in each position by itself.

    With a `budget`, only that many guesses, those with the smallest estimates, are searched in each
    part of more than FULLY_SEARCHED candidates. Without a budget, every guess that could be the
    best is searched, and the value is the optimum. Results are stored as long as the search exists.

    Stored results are found by the key of a part: the exclusive or of random numbers of 128 bits,
    one for each candidate. Two of some millions of parts share a key with a chance below 2^-80.
    """

    def __init__(
        self,
        codes: CodeArray,
        problem: Problem,
        budget: int | None = None,
        symbols: int = 0,
        by_position: bool = False,
    ) -> None:
        self.codes, self.budget = codes, budget
        self._guesses: ShortIndices = np.arange(len(codes), dtype=np.int32)
        # What a budget finds in a state must not depend on the guesses that led there.
        self._alike = 0 if budget is not None or problem.candidates_only else symbols
        self.problem, self._guess_of_column = with_orbits(problem, codes, self._alike, by_position)
        self._classed = 0 if not symbols else 2 if budget is not None else 3
        alike = partial(canonical_indices, codes, symbols)
        if by_position:
            alike = partial(canonical_by_position, codes)
        self._representatives = lru_cache(_PASTS)(alike)
        self._workspaces: SimpleQueue[Any] = SimpleQueue()
        self._stop = np.zeros(1, dtype=np.int64)
        self._known: dict[tuple[int, bytes], tuple[int, int]] = {}
        from puzzlehunt.kernels.compiled import ranking, search, workspace

        self._kernels, self._ranking, self._arrays = search, ranking, workspace
        self._table = np.zeros((_ENTRIES, 4), np.uint64)

    def state(
        self, candidates: Indices, attempts: int | None, past_guesses: tuple[Code, ...] | None
    ) -> State:
        """Return the state with these fields; `attempts` is None for no limit."""
        capped = min(attempts or UNLIMITED, UNLIMITED)
        return State(candidates.astype(np.int32), capped, past_guesses)

    def place_of(self, guess: Code) -> int:
        """Return the index of a guess, -1 if there is none."""
        return int(indices_in(self.codes, array_of([guess], self.codes.shape[1]))[0])

    def best(self, state: State) -> tuple[int, int]:
        """Return the cost of the best guess found in a state, and its index.

        Without a budget, a `Proof` has to be made first where `needs_opening`.
        """
        if not self.needs_opening(state):
            return self.value(state, NO_BOUND, self.budget)
        assert self.budget is not None
        # All are searched by an eighth of the budget, and only the best of them by all of it.
        least, best = NO_BOUND, -1
        for guess, _ in self.ranked(state)[: self.budget]:
            value = self.with_guess(state, guess, least, max(2, self.budget // 8))
            if value < least:
                least, best = value, guess
        return self.with_guess(state, best, NO_BOUND, self.budget), best

    def needs_opening(self, state: State) -> bool:
        """Return whether `best` must choose the first guess of a large state here.

        False if the result of the state is stored already.
        """
        return state.past_guesses == () and _is_large(state) and not self.knows(state)

    def with_guess(self, state: State, guess: int, bound: int, width: int | None) -> int:
        """Return the value of a guess; a value of `bound` or more is only a lower bound.

        Threads search its parts, `width` guesses in each state (None: all).
        """
        count = len(state.candidates)
        if state.attempts == 1:
            answers = self.problem.feedback[state.candidates, guess]
            lost = np.count_nonzero(answers != self.problem.winning)
            return count + int(lost) * UNSOLVED_COST
        parts = [part for _, part in self.children(state, guess)]
        floors = [self.least(len(part.candidates), state.attempts) for part in parts]
        total = count + sum(floors)
        if total >= bound:
            return total
        # A part that takes so many more than its floor is enough to reach the bound.
        tasks = [
            Task(part, None, floor + bound - total, width=width)
            for part, floor in zip(parts, floors, strict=True)
        ]
        return count + sum(value for value, _ in self.run(tasks))

    def children(self, state: State, guess: int) -> list[tuple[int, State]]:
        """Return (answer, state after it) for each losing answer, largest state first."""
        candidates, past = state.candidates, state.past_guesses
        past = None if past is None else (*past, code_of(self.codes[guess]))
        answers = self.problem.feedback[candidates, guess]
        parts = [
            (answer, State(candidates[answers == answer], after(state.attempts), past))
            for answer in np.unique(answers).tolist()
            if answer != self.problem.winning
        ]
        return sorted(parts, key=lambda each: len(each[1].candidates), reverse=True)

    def know(self, state: State, value: int, guess: int) -> None:
        """Store the value and best guess of a state."""
        self._known[_key(state)] = value, guess

    def knows(self, state: State) -> bool:
        """Return whether `know` stored a value for a state."""
        return _key(state) in self._known

    def value(self, state: State, bound: int, width: int | None = None) -> tuple[int, int]:
        """Return the value of a state and its best guess, as stored or computed.

        A value of `bound` or more is only a lower bound. Raises StoppedError.
        """
        if width is None and (known := self._known.get(_key(state))):
            return known
        past, used = state.past_guesses, self._alike
        if past is not None:
            if len(past) + 1 < self._classed and width is None and _is_large(state):
                return self._value_by_guess(state, bound)
            used = min(used, max((symbol + 1 for code in past for symbol in code), default=0))
        query = self._kernels.Query(
            state.candidates,
            state.attempts,
            used,
            bound,
            width or len(self.codes),
            _attempt_keys(width),
            self._tried(state),
        )
        depth = _DEPTH  # doubled if the search needs more
        while True:
            try:
                workspace = self._workspaces.get_nowait()
            except Empty:
                workspace = self._arrays.new_workspace(
                    self.problem, len(self.codes), depth, self._stop
                )
            value, guess = self._kernels.solve(self.problem, self._table, workspace, query)
            if value == self._kernels.STOPPED:
                raise StoppedError
            if value != self._kernels.TOO_DEEP:
                self._workspaces.put(workspace)
                return int(value), self._guess_of_column[guess] if guess >= 0 else -1
            depth *= 2

    def _value_by_guess(self, state: State, bound: int) -> tuple[int, int]:
        """Return what `value` does, guess by guess: so those after each are classed, too."""
        value, best = bound, -1
        for guess, floor in self.ranked(state):
            if floor < value:
                found, _ = self.solve(Task(state, guess, value))
                if found < value:
                    value, best = found, guess
        return value, best

    def floors_in_turn(self, state: State, guess: int, bound: int) -> list[tuple[int, State, int]]:
        """Return (answer, part, value or lower bound) of each part of a guess, smallest first.

        Each turn raises the bounds of all parts by a little, the smallest part first, later turns
        by more: the quick first steps of all come before the slow later steps of any. At `bound`
        the search stops with lower bounds as results. Raises StoppedError.
        """
        smallest_first = self.children(state, guess)[::-1]
        parts = [part for _, part in smallest_first]
        floors = [self.least(len(part.candidates), state.attempts) for part in parts]
        total = len(state.candidates) + sum(floors)
        open_parts, turn = list(range(len(parts))), 0
        while open_parts and total < bound:
            for number in open_parts.copy():
                if total >= bound:
                    break
                missing = bound - total
                more = max(1, len(parts[number].candidates) * turn // _TURNS)
                if missing > UNSOLVED_COST // 2:  # a lost candidate costs too many steps
                    more = missing
                target = floors[number] + min(missing, more)
                value, _ = self.value(parts[number], target)
                if value < target:
                    open_parts.remove(number)
                total += value - floors[number]
                floors[number] = value
            turn += 1
        return [(*each, floor) for each, floor in zip(smallest_first, floors, strict=True)]

    def solve(self, task: Task) -> tuple[int, int]:
        """Return the value that a task asks for, and its guess. Raises StoppedError."""
        if task.guess is None:
            return self.value(task.state, task.bound, task.width)
        parts = self.floors_in_turn(task.state, task.guess, task.bound)
        floors = sum(floor for _, _, floor in parts)
        return len(task.state.candidates) + floors, task.guess

    def run(self, tasks: Iterable[Task]) -> Iterator[tuple[int, int]]:
        """Yield value and guess of each task, in order; threads solve them."""
        return self.in_threads(self.solve, tasks)

    def in_threads(
        self, function: Callable[..., Found], *arguments: Iterable[Any]
    ) -> Iterator[Found]:
        """Yield what a function returns, as `map` does; threads call it.

        An exception in the calling thread stops all others.
        """
        with ThreadPoolExecutor(threads()) as pool:
            try:
                yield from pool.map(function, *arguments)
            except BaseException:
                self._stop[0] = 1
                pool.shutdown(cancel_futures=True)
                self._stop[0] = 0
                raise

    # The guesses of a state, and their bounds.

    def _tried(self, state: State) -> ShortIndices:
        """Return the indices of the guesses to choose from: one of each class of alike guesses.

        The first two guesses of a game are classed, without a budget the first three.
        """
        tried: Indices | ShortIndices = self._guesses
        if state.past_guesses is not None and len(state.past_guesses) < self._classed:
            tried = self._representatives(state.past_guesses)
        if self.problem.candidates_only:
            tried = np.intersect1d(tried, self.problem.guess_of[state.candidates])
        return tried.astype(np.int32)

    def ranked(self, state: State) -> list[tuple[int, int]]:
        """Return (index, lower bound) of each informative guess, the best estimate first."""
        tried, count = self._tried(state), len(state.candidates)
        lower_bounds = np.array([self.least(size, state.attempts) for size in range(count + 1)])
        space = self._arrays.new_scratch(self.problem, len(tried))
        # The columns of all guesses are consecutive.
        first_column = np.int64(0 if len(tried) == len(self.codes) else -1)
        self._ranking.estimate_all(
            self.problem, space, lower_bounds, state.candidates, tried, first_column
        )
        estimates, totals = space.estimates, space.part_size_bounds
        order = np.lexsort((tried, estimates))
        order = order[totals[order] < UNINFORMATIVE]
        return list(zip(tried[order].tolist(), totals[order].tolist(), strict=True))

    def least(self, size: int, attempts: int) -> int:
        """Return a lower bound of the value of `size` candidates, after one of the `attempts`."""
        return tree_size_bound(size, self.problem.answers, after(attempts))

    def part_count_bounds(self, state: State) -> tuple[Numbers, int]:
        """Return (G,), a lower bound of each guess by its number of parts, and the most parts."""
        space = self._arrays.new_scratch(self.problem, len(self.codes))
        most_parts, _, _ = self._ranking.fill_part_count_bounds(
            self.problem, space, state.candidates, self._guesses, np.int64(0), np.int64(-1)
        )
        return space.part_count_bounds, int(most_parts)

    def one_ply_bounds(self, state: State) -> Callable[[int, int], int]:
        """Return a function that computes a lower bound of the value of a guess in a state.

        Its arguments are the index of the guess and a bound at which it may stop counting. It
        counts into how many parts the best second guess divides each part of the guess: the more,
        the smaller the bound. It holds a copy of the table, sorted by the parts of each guess.
        """
        members, problem = state.candidates, self.problem
        floors, most_parts = self.part_count_bounds(state)
        # A floor is 3 for each candidate, less the parts, less 1 if the guess is a candidate.
        parts_and_hit = np.maximum(3 * len(members) - floors, 1)
        order = np.argsort(-parts_and_hit, kind="stable")
        places = np.argsort(order)
        table = problem.feedback.take(order, axis=1)
        guess_of = places[problem.guess_of].astype(np.int32)
        problem = problem._replace(feedback=table, guess_of=guess_of)

        def floor(guess: int, bound: int) -> int:
            answers = problem.feedback[members, places[guess]]
            left = after(state.attempts)
            return self._ranking.one_ply_bound(  # type: ignore[no-any-return]
                problem, parts_and_hit[order], members, answers, left, most_parts, bound
            )

        return floor


@cache
def _attempt_keys(width: int | None) -> Keys:
    """Return (attempts, 2): the random numbers of states with these attempts and this beam."""
    rng = np.random.default_rng((1, width or 0))
    return rng.integers(0, 1 << 64, (UNLIMITED + 1, 2), dtype=np.uint64)


def _is_large(state: State) -> bool:
    return len(state.candidates) > FULLY_SEARCHED and state.attempts > 1


def _key(state: State) -> tuple[int, bytes]:
    return state.attempts, state.candidates.tobytes()
