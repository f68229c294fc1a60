"""Search for the best play of whole positions: branch and bound, in threads.

The first guess, and in large parts the second, are chosen here, because codes that differ only by
the names of symbols or the order of positions tell the same there. All later guesses are chosen by
the compiled kernels of `branch_and_bound`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from queue import Empty, SimpleQueue
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlehunt.kernels import fast
from puzzlehunt.kernels.feedback_matrix import Table, relabel_dense
from puzzlehunt.kernels.packed_codes import CodeArray, Indices
from puzzlehunt.kernels.problem import (
    NO_BOUND,
    UNINFORMATIVE,
    UNLIMITED,
    UNSOLVED_COST,
    Limits,
    Problem,
    Root,
    after,
    cost_to_go,
)
from puzzlehunt.strategies.search.whole_games import (
    FULLY_SEARCHED,
    SearchResult,
    StoppedError,
    bound_increment,
    cost_of_parts,
)
from puzzlehunt.strategies.symmetry import (
    OrbitColumns,
    canonical_indices,
    canonical_indices_by_position,
)

_KERNEL_PART = 500
"""Most candidates of a part whose second guess is left to the compiled kernels."""
_SCALE = 1 << 12
"""How many steps make one guess in the estimates of parts, by which guesses are put in order."""
_DEPTH = 16
"""Guesses of the longest path for which a search has memory; doubled when a path is longer."""
_TABLE_ENTRIES, _TABLE_ENTRIES_IN_LARGE_GAMES = 1 << 20, 1 << 22
"""Parts whose values are remembered (32 bytes each), in small and in large games."""
_NARROW, _TABLE_ENTRIES_BY_NARROW = 100, 1 << 19
"""Largest budget of a narrow search, and the parts that it remembers: it meets few."""
_LARGE_GAME = 5_000
"""Secrets from which a game is large."""
_CLASSES_REMEMBERED = 500
"""Rows of past guesses for which it is remembered which guesses are alike."""
_BUDGET_DIVISOR = 8
"""The searches that compare first guesses have the budget divided by this."""
_FEW_FEEDBACKS, _MANY_FEEDBACKS, _LARGEST_COPY = 64, 256, 1 << 28
"""Most feedbacks that are one word of bits, and that are counted by bits; and the size from which a
table is not copied for a look (bytes)."""
_EMPTY: npt.NDArray[np.int32] = np.empty(0, dtype=np.int32)
"""The kernels choose a block of second guesses: those that symbols guessed before leave unlike."""


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """Candidates (places in the table), the attempts left, and the guesses that led there.

    `past_guesses` is None where more is known of the secret than the answers to past guesses.
    """

    candidates: Indices
    attempts: int
    past_guesses: tuple[CodeArray, ...] | None


Guesses = npt.NDArray[np.int32]
"""Places of guesses, as the kernels take them."""


@dataclass(frozen=True, slots=True, eq=False)
class BoundTask:
    """A guess whose floor is asked for, by what `Search.one_ply_bounds` returns."""

    floor: Callable[[int, int], int]
    guess: int
    bound: int

    def solve(self, _search: "Search") -> tuple[int, int]:
        """Return floor and guess."""
        return self.floor(self.guess, self.bound), self.guess


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """A part, and the guess in it whose value is asked for, None for the part's own.

    A value of `bound` or more says only that it is no less. No guess makes more than `most_parts`
    parts. With a `width`, only so many guesses are looked into in each position. With
    `round_robin`, the floors of a guess's parts are raised in turn.
    """

    part: State
    guess: int | None
    most_parts: int
    bound: int
    width: int | None = None
    round_robin: bool = False

    def solve(self, search: "Search") -> tuple[int, int]:
        """Return value and guess. Raises StoppedError."""
        if self.guess is None:
            return search.by_kernel(search.limits_for(self.width), self.part, self.bound)
        if self.round_robin:
            return search.of_guess_round_robin(self.part, self.guess, self.bound), self.guess
        value = search.of_guess(self.part, self.guess, self.most_parts, self.bound)
        return value, self.guess


class Search:
    """The best play over a table of feedbacks, among as many guesses as a budget allows.

    - `codes` (G, length): the guesses
    - `table` (secrets, G): their feedbacks
    - `guess_of` (secrets,): the place of each secret among the guesses
    - `symbols`: how many symbols the game has, 0 where no two guesses are known to be alike
    - `by_position`: whether the symbols of each position are interchangeable by themselves

    In every part of more than FULLY_SEARCHED candidates, the `budget` guesses with the smallest
    estimates are looked into. Without a budget, all guesses that could be better are looked into,
    and the value is the optimum.

    The key of a part is the exclusive or of random numbers of 128 bits, one for each of its
    candidates: that two of some millions of parts have the same key is less likely than 2^-80.
    """

    def __init__(
        self,
        codes: CodeArray,
        table: Table,
        guess_of: Indices,
        winning: int,
        feedbacks: int,
        budget: int | None = None,
        symbols: int = 0,
        candidates_only: bool = False,
        by_position: bool = False,
    ) -> None:
        fast.check_installed("a search of whole games needs compiled kernels")
        from puzzlehunt.kernels.compiled import bounds, search, transposition_table, workspace

        self._kernels, self._bounds, self._arrays = search, bounds, workspace
        self.codes, self.guess_of = codes, guess_of.astype(np.int32)
        self.winning, self.feedbacks, self.budget = winning, feedbacks, budget
        self.symbols, self.candidates_only = symbols, candidates_only
        self.by_position = by_position
        self._every: Guesses = np.arange(table.shape[1], dtype=np.int32)
        alike = 0 if budget is not None or candidates_only else symbols
        blocks = OrbitColumns.of(codes, alike, table, by_position)
        self.table, self._orbits = blocks.table, blocks
        self._columns: Guesses = np.arange(len(blocks.guesses), dtype=np.int32)
        large = len(table) > _LARGE_GAME
        entries = _TABLE_ENTRIES_IN_LARGE_GAMES if large else _TABLE_ENTRIES
        if budget is not None and budget <= _NARROW:
            entries = _TABLE_ENTRIES_BY_NARROW
        self._table = transposition_table.TranspositionTable(np.zeros((entries, 4), np.uint64))
        self._workspaces: SimpleQueue[Any] = SimpleQueue()
        self._limits: dict[int | None, Limits] = {}
        self._stop = np.zeros(1, dtype=np.int64)
        self._representatives: dict[tuple[bytes, ...], Guesses] = {}
        self._lock = Lock()
        self._known: dict[tuple[int, bytes], tuple[int, int]] = {}
        self._known_guesses: set[tuple[int, bytes, int]] = set()
        rng = np.random.default_rng(0)
        self.problem = Problem(
            feedback=self.table,
            guess_of=self.guess_of,
            winning=self.winning,
            answers=self.feedbacks,
            secret_keys=rng.integers(0, 1 << 64, (len(table), 2), dtype=np.uint64),
            cost_to_go=cost_to_go(len(table), _SCALE)[None],
            candidates_only=self.candidates_only,
            used=self._orbits.used_symbol_count,
            orbits=self._orbits.bounds if budget is None else self._orbits.all_guesses,
        )
        self.limits = self.limits_for(budget)

    def limits_for(self, budget: int | None) -> Limits:
        """Return the kernels' limits for a budget; states have other keys for each budget."""
        if budget not in self._limits:
            secrets, guesses = len(self.table), len(self._every)
            rng = np.random.default_rng((1, budget or 0))
            widths = np.full(secrets + 1, budget or guesses, dtype=np.int64)
            widths[: FULLY_SEARCHED + 1] = guesses
            keys = rng.integers(0, 1 << 64, (UNLIMITED + 1, 2, 2), dtype=np.uint64)
            self._limits[budget] = Limits(widths, 0, keys)
        return self._limits[budget]

    def best(
        self, candidates: Indices, attempts: int | None, past_guesses: Sequence[CodeArray] | None
    ) -> SearchResult:
        """Return the best guess for some candidates (places in the table).

        `past_guesses` are the guesses so far, if answers to them are all that is known, else None.
        """
        part = self.part(candidates, attempts, past_guesses)
        if self.needs_opening(part):
            value, guess = self._opening(part)
        else:
            value, guess = self._value(self.limits, part, NO_BOUND)
        return SearchResult.of(value, guess)

    def needs_opening(self, part: State) -> bool:
        """Return whether first guesses are to be chosen for a part, and it is not known yet."""
        is_first = part.past_guesses is not None and not part.past_guesses
        known = (part.attempts, part.candidates.tobytes()) in self._known
        return (
            is_first and len(part.candidates) > FULLY_SEARCHED and part.attempts > 1 and not known
        )

    def with_guess(
        self,
        candidates: Indices,
        attempts: int | None,
        guess: int,
        past_guesses: Sequence[CodeArray] | None,
    ) -> SearchResult:
        """Return what the candidates take with a given guess; threads search its parts."""
        part = self.part(candidates, attempts, past_guesses)
        return SearchResult.of(self._guess_value(self.limits, part, guess, NO_BOUND), guess)

    def part(
        self, candidates: Indices, attempts: int | None, past_guesses: Sequence[CodeArray] | None
    ) -> State:
        most: int = UNLIMITED
        capped = most if attempts is None else min(attempts, most)
        return State(candidates, capped, None if past_guesses is None else tuple(past_guesses))

    def _opening(self, part: State) -> tuple[int, int]:
        """Return value and place of the best first guess.

        With a budget, first guesses are compared by searches with a smaller budget, and only the
        best of them is searched with the whole budget.
        """
        order = self.in_order(part)
        if self.budget is not None:
            order = order[: self.budget]
            if len(order) > 1:
                smaller = self.limits_for(max(2, self.budget // _BUDGET_DIVISOR))
                _, best = self._best_of(smaller, part, order, NO_BOUND)
                order = [(guess, low) for guess, low in order if guess == best]
        return self._best_of(self.limits, part, order, NO_BOUND)

    def _best_of(
        self, limits: Limits, part: State, order: Sequence[tuple[int, int]], bound: int
    ) -> tuple[int, int]:
        """Return value and place of the best guess, or `bound` and -1 if none is below the bound.

        `order` gives the place of each guess and the least value that it can have.
        """
        best, best_guess = bound, -1
        for guess, low in order:
            if low < best:
                value = self._guess_value(limits, part, guess, best)
                if value < best:
                    best, best_guess = value, guess
        return best, best_guess

    def _guess_value(self, limits: Limits, part: State, guess: int, bound: int) -> int:
        """Return the value of a guess; `bound` or more says only that the value is no less."""
        candidates, attempts = part.candidates, part.attempts
        if attempts == 1:
            reached = int((self.table[candidates, guess] == self.winning).sum())
            return len(candidates) + (len(candidates) - reached) * UNSOLVED_COST
        parts = [each for _, each in self.parts_of(part, guess)]

        def cost_of(number: int, most: int) -> int:
            return self._value(limits, parts[number], most)[0]

        least = [self.least(len(each.candidates), attempts) for each in parts]
        return cost_of_parts(least, len(candidates), bound, cost_of, self._stop)

    def parts_of(self, part: State, guess: int) -> list[tuple[int, State]]:
        """Return the answers to a guess that do not win, and what they leave, the largest first."""
        past_guesses = (
            None if part.past_guesses is None else (*part.past_guesses, self.codes[guess])
        )
        answers, candidates = self.table[part.candidates, guess], part.candidates
        parts = [
            (answer, State(candidates[answers == answer], after(part.attempts), past_guesses))
            for answer in np.unique(answers).tolist()
            if answer != self.winning
        ]
        return sorted(parts, key=lambda each: len(each[1].candidates), reverse=True)

    def _value(self, limits: Limits, part: State, bound: int) -> tuple[int, int]:
        """Return value and guess of a part; `bound` or more says only that the value is no less."""
        key = part.attempts, part.candidates.tobytes()
        if limits is self.limits and key in self._known:
            return self._known[key]
        second = (
            bool(self.symbols) and part.past_guesses is not None and len(part.past_guesses) == 1
        )
        large = len(part.candidates) > _KERNEL_PART and part.attempts > 1
        if not (second and large and self.budget is None):
            return self.by_kernel(limits, part, bound)
        # By choosing the second guess here, guesses that are alike are left out of the third, too.
        value, guess = self._best_of(limits, part, self.in_order(part), bound)
        if guess >= 0:
            self._known[key] = value, guess
        return value, guess

    def know(self, part: State, value: int, guess: int) -> None:
        """Remember value and best guess of a part as long as the search exists."""
        self._known[part.attempts, part.candidates.tobytes()] = value, guess

    def know_guess(self, part: State, guess: int) -> None:
        """Remember that all parts of a guess are known."""
        self._known_guesses.add((part.attempts, part.candidates.tobytes(), guess))

    def knows_guess(self, part: State, guess: int) -> bool:
        """Return whether all parts of a guess are known."""
        return (part.attempts, part.candidates.tobytes(), guess) in self._known_guesses

    def by_kernel(self, limits: Limits, part: State, bound: int) -> tuple[int, int]:
        """Return value and guess of a part, by the compiled kernels."""
        return self._in_kernel(
            limits, part, bound, self._tried(part), _EMPTY, self._kernels.OF_STATE
        )

    def of_guess(self, part: State, guess: int, most_parts: int, bound: int) -> int:
        """Return the value of a guess in a part; `bound` or more says that it is no less.

        No guess makes more than `most_parts` parts. Raises StoppedError.
        """
        one, asked = np.array([guess], dtype=np.int32), self._kernels.BOUND_OF_GUESS
        floor, found = self._in_kernel(self.limits, part, bound, one, _EMPTY, asked, most_parts)
        if floor >= bound or found >= 0:
            return floor
        past_guesses = None
        if part.past_guesses is not None:
            past_guesses = (*part.past_guesses, self.codes[guess])
        later = self._tried(State(part.candidates, part.attempts, past_guesses))
        return self._in_kernel(
            self.limits, part, bound, one, later, self._kernels.OF_GUESS, most_parts
        )[0]

    def of_guess_round_robin(self, part: State, guess: int, bound: int) -> int:
        """Return the value of a guess in a part; `bound` or more says that it is no less.

        The floors of the guess's parts are raised in turn, the smallest part first, each time by a
        little more: the first steps take little time, in whichever part. Raises StoppedError.
        """
        parts = [each for _, each in reversed(self.parts_of(part, guess))]
        floors = [self.least(len(each.candidates), part.attempts) for each in parts]
        open_parts, total, turn = list(range(len(parts))), len(part.candidates) + sum(floors), 0
        while open_parts and total < bound:
            for number in open_parts.copy():
                if total >= bound:
                    break
                target = floors[number] + bound_increment(
                    len(parts[number].candidates), turn, bound - total
                )
                value, _ = self.by_kernel(self.limits, parts[number], target)
                if value < target:
                    open_parts.remove(number)
                total += value - floors[number]
                floors[number] = value
            turn += 1
        return total

    def most_parts(self, part: State) -> int:
        """Return how many parts a guess makes of a part at most."""
        return self._part_count_bounds(part)[1]

    def _part_count_bounds(self, part: State) -> tuple[npt.NDArray[np.int64], int]:
        """Return the bound of each guess by its number of parts, and the most parts of any."""
        members = part.candidates.astype(np.int32)
        masks = self._arrays.new_masks(len(self._every), self.table.dtype)
        most_parts, _, _ = self._bounds.fill_part_count_bounds(
            self.problem, masks, members, self._every, np.int64(0), np.int64(-1)
        )
        return masks.part_count_bounds, int(most_parts)

    def one_ply_bounds(self, part: State) -> Callable[[int, int], int]:
        """Return a function of a guess and a bound: the guess's floor in a part.

        The floor is by how many parts the best second guess makes of each part; from the bound on
        it may be higher. For rules of many feedbacks the function holds a copy of the table, the
        guesses that make the most parts first, with answers that are numbered anew for each guess.
        """
        members, attempts = part.candidates.astype(np.int32), after(part.attempts)
        floors, most_parts = self._part_count_bounds(part)
        told = np.full(len(floors), self.feedbacks)
        indices: npt.NDArray[Any] = self._every
        problem = self.problem
        if _FEW_FEEDBACKS < self.feedbacks <= _MANY_FEEDBACKS and self.table.nbytes < _LARGEST_COPY:
            told = np.maximum(3 * len(members) - floors, 1)
            order = np.argsort(-told, kind="stable")
            indices, told = np.argsort(order), told[order]
            table = relabel_dense(self.table, part.candidates, order, self.winning, self.feedbacks)
            guess_of = indices[self.guess_of].astype(np.int32)
            problem = problem._replace(feedback=table, winning=0, guess_of=guess_of)

        def floor(guess: int, bound: int) -> int:
            answers = problem.feedback[members, indices[guess]]
            order = np.argsort(answers, kind="stable")
            sizes = np.bincount(answers, minlength=self.feedbacks)
            starts = np.append(0, np.cumsum(sizes))
            sizes[problem.winning] = 0
            parts = np.argsort(-sizes, kind="stable")[: np.count_nonzero(sizes)]
            partition = self._bounds.Partition(members[order], starts, parts, attempts, most_parts)
            workspace = self._workspace(_DEPTH)
            found = self._bounds.one_ply_bound(
                problem, self.limits, self._table, workspace, told, partition, bound
            )
            self._workspaces.put(workspace)
            return int(found)

        return floor

    def _in_kernel(
        self,
        limits: Limits,
        part: State,
        bound: int,
        first_guesses: Guesses,
        second_guesses: Guesses,
        asked: int,
        most_parts: int = 0,
    ) -> tuple[int, int]:
        """Return what the compiled `solve` does. Raises StoppedError."""
        used = self._orbits.extent_of(part.past_guesses)
        root = Root(
            part.candidates.astype(np.int32), _EMPTY, part.attempts, used,
            most_parts or self.feedbacks, bound,
        )  # fmt: skip
        query = self._kernels.Query(asked, first_guesses, second_guesses, self._columns)
        depth = _DEPTH
        while True:
            workspace = self._workspace(depth)
            value, guess = self._kernels.solve(
                self.problem, limits, self._table, workspace, root, query, None
            )
            if value == self._kernels.STOPPED:
                raise StoppedError
            if value != self._kernels.TOO_DEEP:
                self._workspaces.put(workspace)
                return int(value), self._orbits.guesses[guess] if guess >= 0 else -1
            depth *= 2

    def _workspace(self, depth: int) -> Any:
        """Return a workspace of the search that is free, or a new one."""
        try:
            return self._workspaces.get_nowait()
        except Empty:
            guesses = len(self._every)
            return self._arrays.new_workspace(self.problem, guesses, None, depth, self._stop)

    def in_threads(self, tasks: Iterable["Task | BoundTask"]) -> Iterator[tuple[int, int, int]]:
        """Yield number, value and guess of each task as they are solved; they begin in order.

        Whatever interrupts this thread stops the others.
        """
        from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

        from puzzlehunt.kernels.compiled.threads import threads

        numbered, most = enumerate(tasks), threads()
        running: dict[Future[tuple[int, int]], int] = {}
        try:
            with ThreadPoolExecutor(most) as pool:
                try:
                    while True:
                        for number, task in islice(numbered, most - len(running)):
                            running[pool.submit(task.solve, self)] = number
                        if not running:
                            return
                        for done in wait(running, return_when=FIRST_COMPLETED).done:
                            yield running.pop(done), *done.result()
                except BaseException:
                    self._stop[0] = 1
                    raise
        finally:
            self._stop[0] = 0

    def _tried(self, part: State) -> Guesses:
        """Return the places of the guesses to choose from: one of each class of alike guesses.

        Guesses are classed up to the third of a game, with a budget only up to the second: what a
        search with a budget finds for a part must not depend on the guesses that led to the part.
        """
        tried, most = self._every, 2 if self.budget is None else 1
        if self.symbols and part.past_guesses is not None and len(part.past_guesses) <= most:
            key = tuple(row.tobytes() for row in part.past_guesses)
            known = self._representatives.get(key)
            if known is None:
                known = self._representatives_after(part.past_guesses)
                with self._lock:
                    if len(self._representatives) >= _CLASSES_REMEMBERED:
                        self._representatives.clear()
                    self._representatives[key] = known
            tried = known
        return (
            np.intersect1d(tried, self.guess_of[part.candidates]) if self.candidates_only else tried
        )

    def _representatives_after(self, past_guesses: Sequence[CodeArray]) -> Guesses:
        """Return the places of one guess of each class of those that past guesses leave alike."""
        if self.by_position:
            places = canonical_indices_by_position(self.codes, past_guesses)
        else:
            places = canonical_indices(self.codes, past_guesses, self.symbols)
        return places.astype(np.int32)

    def in_order(self, part: State) -> list[tuple[int, int]]:
        """Return guesses that tell something, each with its least value; best estimate first."""
        tried = self._tried(part)
        sizes = range(len(part.candidates) + 1)
        lower_bounds = np.array([self.least(size, part.attempts) for size in sizes])
        members = part.candidates.astype(np.int32)
        space = self._arrays.new_estimates(len(members), len(tried), self.feedbacks)
        self._bounds.estimate_all(
            self.problem, after(part.attempts), space, lower_bounds, members, tried,
            np.int64(0 if len(tried) == len(self._every) else -1),
        )  # fmt: skip
        estimates, totals = space.estimates, space.part_size_bounds
        order = np.lexsort((tried, estimates))
        order = order[totals[order] < UNINFORMATIVE]
        return list(zip(tried[order].tolist(), totals[order].tolist(), strict=True))

    def least(self, size: int, attempts: int) -> int:
        """Return the least value of a part of `size` candidates, after one more of the attempts."""
        return int(self._bounds.tree_size_bound(size, self.feedbacks, after(attempts)))
