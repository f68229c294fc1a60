"""Search of whole games in hard mode, by compiled kernels or, where a person waits, without."""

from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.kernels import fast, reference_search
from puzzlehunt.kernels.feedback_matrix import Table, table_blocks, unsigned_type
from puzzlehunt.kernels.packed_codes import Indices, PackedCodes, code_of
from puzzlehunt.kernels.problem import (
    BEAM,
    NO_BOUND,
    UNLIMITED,
    UNSOLVED_COST,
    AllowedTable,
    Limits,
    Problem,
    Root,
    after,
    cost_to_go,
)
from puzzlehunt.rules.base import Rule
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.search.whole_games import (
    FULLY_SEARCHED,
    TABLE_BLOCK,
    SearchResult,
    StoppedError,
    cost_of_parts,
    in_threads,
)
from puzzlehunt.strategies.symmetry import representatives_by_used_count, used_symbol_counts

_SAFE_WIDTH = 40
"""Guesses that are tried for a safe play, with more than three attempts left."""
_OPENINGS, _OPENING_BEAM = 30, 2
"""First guesses that are compared, by a search with the least budget that is of use."""
_BUDGET_OF_AN_OPENING = 10
"""For each so many guesses of the budget, one more first guess is searched with all of it."""
_MOSTLY_SOLVED = (1, 4, 15, 60)
"""Candidates that are mostly found with 1, 2, ... attempts left."""
_PENALTIES = (50, 10, 3, 1)
"""Guesses that the estimate adds for each candidate more than those, by attempts left."""
_TABLE_ENTRIES = 1 << 21
"""Positions whose values are remembered (32 bytes each)."""
_SCALE = 1 << 10
"""How many steps make one guess in the estimates of parts, by which guesses are put in order."""
_DEPTH = 41
"""Guesses of the longest path for which a search has memory; doubled when a path is longer."""


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """A position in a search: candidates and allowed guesses (their places), and attempts left.

    The first `used_symbol_count` symbols hold all that were guessed.
    """

    candidates: Indices
    allowed: Indices
    attempts: int
    used_symbol_count: int = 0

    @property
    def key(self) -> tuple[bytes, int]:
        """What the part is, where no guess was made."""
        return self.candidates.tobytes(), self.attempts


class HardSearch:
    """A search of hard mode for one game, with a budget of guesses; None looks into all.

    `table` (guesses, candidates) holds the feedbacks, `guess_of` the place of each candidate among
    the guesses. What was found is remembered as long as the search exists.
    """

    def __init__(self, position: Position, budget: int | None) -> None:
        fast.check_installed("a search of whole games needs compiled kernels")
        from puzzlehunt.kernels.compiled import (
            allowed_guesses,
            bounds,
            search,
            transposition_table,
            workspace,
        )

        self._kernels, self._bounds, self._arrays = search, bounds, workspace
        self._hard_mode = allowed_guesses
        self.budget = budget
        # What a budget finds in a position must not depend on the guesses that led there.
        alike = budget is None and position.used_symbols is not None
        self._symbols = len(position.game.alphabet) if alike else 0
        self.problem, self.allowed = _problem(position, self._symbols)
        self._table = transposition_table.TranspositionTable(
            np.zeros((_TABLE_ENTRIES, 4), dtype=np.uint64)
        )
        self._workspaces: SimpleQueue[Any] = SimpleQueue()
        self.stop = np.zeros(1, dtype=np.int64)
        self.proved: dict[tuple[bytes, int, int | None], SearchResult] = {}
        """The best first guesses that were proved, by their parts' keys and a given first guess."""
        self.limits, self._small = self._limits(budget), self._limits(_OPENING_BEAM)

    def _limits(self, budget: int | None) -> Limits:
        """Return the kernels' limits for a budget. Safe values have one key for all budgets."""
        secrets, guesses = self.problem.feedback.shape
        return _limits(secrets, guesses, budget)

    def code(self, guess: int) -> Code:
        """Return the code of a guess."""
        return code_of(self.allowed.codes[guess])

    def part(self, position: Position, candidates: Indices, allowed: Indices) -> State:
        """Return the part of a position whose candidates and guesses have the given places."""
        used = position.used_symbols
        used_symbol_count = (
            self._symbols if used is None else min(self._symbols, max(used, default=-1) + 1)
        )
        return State(candidates, allowed, capped(position.attempts), used_symbol_count)

    def best(self, part: State) -> SearchResult:
        """Return the best guess that was found in a position."""
        found: list[tuple[int, int]] = []

        def search(_number: int) -> None:
            found.append(self.value(self.limits, part, NO_BOUND))

        in_threads(search, 1, self.stop)  # so that this thread can be interrupted
        return SearchResult.of(*found[0])

    def first(self, part: State, representatives: Indices) -> SearchResult:
        """Return the best first guess among guesses that are `representatives`, by a budget.

        The best by a small budget are searched with all of it.
        """
        if part.attempts == 1 or len(part.candidates) <= FULLY_SEARCHED or self.budget is None:
            return self.best(part)
        compared = self.by_small_budget(part, self.by_estimate(part, representatives))
        best = NO_BOUND, -1
        for _, guess in compared[: 1 + self.budget // _BUDGET_OF_AN_OPENING]:
            value = self.guess_value(self.limits, part, guess, best[0])
            best = min(best, (value, guess), key=lambda each: each[0])
        return SearchResult.of(*best)

    def by_small_budget(self, part: State, order: list[int]) -> list[tuple[int, int]]:
        """Return the first guesses of an order with their values by a small budget, best first."""
        values = [
            (self.guess_value(self._small, part, guess, NO_BOUND), guess)
            for guess in order[:_OPENINGS]
        ]
        return sorted(values, key=lambda each: each[0])

    def with_guess(self, part: State, guess: int) -> SearchResult:
        """Return what the candidates take with a given guess; threads search its parts."""
        return SearchResult.of(self.guess_value(self.limits, part, guess, NO_BOUND), guess)

    def by_estimate(self, part: State, representatives: Indices) -> list[int]:
        """Return the `representatives` that tell something, the best estimate first."""
        workspace = self._workspace(_DEPTH)
        order: Indices = self._hard_mode.ranked_allowed(
            self.problem, self.allowed, workspace, self._root(part, NO_BOUND)
        )
        self._workspaces.put(workspace)
        return [int(guess) for guess in order[np.isin(order, representatives)]]

    def guess_value(self, limits: Limits, part: State, guess: int, bound: int) -> int:
        """Return the value of a guess; `bound` or more says only that it is no less.

        Threads search its parts.
        """
        count = len(part.candidates)
        if part.attempts == 1:
            hit = guess in self.problem.guess_of[part.candidates]
            return count + (count - hit) * UNSOLVED_COST
        answers = self.answers(part, guess)
        sizes = [len(members) for _, members in answers]

        def cost_of(number: int, most: int) -> int:
            return self.value(limits, self.after(part, guess, *answers[number]), most)[0]

        least = [self.least(size, after(part.attempts)) for size in sizes]
        return cost_of_parts(least, count, bound, cost_of, self.stop)

    def answers(self, part: State, guess: int) -> list[tuple[int, Indices]]:
        """Return the answers to a guess but the winning one, and the candidates that each leaves.

        Those that leave most come first.
        """
        answers = self.problem.feedback[part.candidates, guess]
        present, sizes = np.unique(answers, return_counts=True)
        order = [answer for _, answer in sorted(zip(-sizes, present.tolist(), strict=True))]
        winning = self.problem.winning
        return [(each, part.candidates[answers == each]) for each in order if each != winning]

    def after(self, part: State, guess: int, answer: int, candidates: Indices) -> State:
        """Return the part after a guess and an answer, which leaves some candidates."""
        before, used_symbol_count = (
            part.allowed.astype(np.int32),
            int(self.problem.used[guess]),
        )
        allowed = self._hard_mode.allowed_after(self.allowed, guess, answer, before)
        return State(
            candidates,
            allowed,
            after(part.attempts),
            max(part.used_symbol_count, used_symbol_count),
        )

    def floors(self, part: State, guesses: list[int]) -> list[int]:
        """Return the least values of guesses, by the numbers of candidates that answers leave."""
        count, left = len(part.candidates), after(part.attempts)
        least = np.array([self.least(size, left) for size in range(count + 1)])
        floors = []
        for guess in guesses:
            answers = self.problem.feedback[part.candidates, guess]
            sizes = np.bincount(answers[answers != self.problem.winning])
            floors.append(count + int(least[sizes].sum()))
        return floors

    def least(self, size: int, attempts: int) -> int:
        """Return the least cost of a part of some size."""
        return int(self._bounds.tree_size_bound(size, self.problem.answers, attempts))

    def _workspace(self, depth: int) -> Any:
        """Return a workspace of the search that is free, or a new one."""
        try:
            return self._workspaces.get_nowait()
        except Empty:
            guesses = self.problem.feedback.shape[1]
            return self._arrays.new_workspace(self.problem, guesses, self.allowed, depth, self.stop)

    def _root(self, part: State, bound: int) -> Root:
        candidates, allowed = part.candidates.astype(np.int32), part.allowed.astype(np.int32)
        used, most_parts = part.used_symbol_count, self.problem.answers
        return Root(candidates, allowed, part.attempts, used, most_parts, bound)

    def value(self, limits: Limits, part: State, bound: int) -> tuple[int, int]:
        """Return value and guess of a position; `bound` or more says only that it is no less.

        Raises StoppedError.
        """
        depth, root = _DEPTH, self._root(part, bound)
        while True:
            workspace = self._workspace(depth)
            value, guess = self._kernels.solve(
                self.problem, limits, self._table, workspace, root, None, self.allowed
            )
            if value == self._kernels.STOPPED:
                raise StoppedError
            if value != self._kernels.TOO_DEEP:
                self._workspaces.put(workspace)
                return int(value), int(guess)
            depth *= 2


class QuickSearch:
    """A search without loaded kernels, for where a person waits: the same values, if it ends.

    `work` caps what one choice may take: see `kernels/reference_search.py`.
    """

    def __init__(self, position: Position, budget: int | None, work: int) -> None:
        problem, allowed = _problem(position, 0)
        secrets, guesses = problem.feedback.shape
        limits = _limits(secrets, guesses, budget)
        self._work = work
        self._search = reference_search.ReferenceSearch(problem, limits, allowed)

    def best(self, part: State) -> SearchResult:
        """Return the best guess that was found. Raises TooMuchWorkError."""
        found = self._search.solve(part.candidates, part.allowed, part.attempts, self._work)
        return SearchResult.of(*found)


def capped(attempts: int | None) -> int:
    """Return how many attempts a search allows for."""
    return UNLIMITED if attempts is None else min(attempts, UNLIMITED)


def _limits(secrets: int, guesses: int, budget: int | None) -> Limits:
    """Return what limits a search with a budget. Safe values have one key for all budgets."""
    width = guesses if budget is None else max(1, budget)
    widths = np.full(secrets + 1, width, dtype=np.int64)
    widths[: FULLY_SEARCHED + 1] = guesses
    shape = (UNLIMITED + 1, 2, 2)
    keys = np.random.default_rng(0).integers(0, 1 << 64, shape, dtype=np.uint64)
    rng = np.random.default_rng((1, budget or 0))
    keys[:, BEAM] = rng.integers(0, 1 << 64, (UNLIMITED + 1, 2), dtype=np.uint64)
    return Limits(widths, 0 if width >= guesses else _SAFE_WIDTH, keys)


def _cost_to_go(size: int) -> npt.NDArray[np.int64]:
    """Return what parts of 0 to `size` candidates are estimated to take, by the attempts left."""
    count = np.arange(size + 1)
    rows = [cost_to_go(size, _SCALE)] * (len(_PENALTIES) + 2)
    for left, (enough, guesses) in enumerate(zip(_MOSTLY_SOLVED, _PENALTIES, strict=True), start=1):
        rows[left] = rows[left] + np.maximum(count - enough, 0) * guesses * _SCALE
    return np.stack(rows)


def by_tiles(rule: Rule) -> bool:
    """Return whether hard mode demands that tiles be kept and symbols used, and no more."""
    return rule.hard_mode_by_tiles


def _problem(position: Position, symbols: int) -> tuple[Problem, AllowedTable]:
    """Return what is searched, and which guesses are allowed; `symbols` are interchangeable."""
    rule = position.game.rule
    guesses, guess_of = position.choices()
    codes, length = guesses.codes, position.game.length
    every, secrets = range(len(position.game.alphabet)), position.secrets[position.candidates]
    fits: Table = np.zeros((0, 0), unsigned_type(len(rule.feedbacks)))
    occurrences, digits = np.zeros((0, 0), dtype=np.uint8), np.zeros((0, 0), dtype=np.uint8)
    if by_tiles(rule):
        occurrences = np.stack([(codes == s).sum(axis=1, dtype=np.uint8) for s in every], axis=1)
        digits = np.array(list(rule.feedbacks), dtype=np.uint8).reshape(-1, length)
    else:
        fits = _table(rule, guesses, guesses)
    rng = np.random.default_rng(0)
    problem = Problem(
        feedback=_table(rule, guesses, secrets).T,
        guess_of=guess_of.astype(np.int32),
        winning=rule.winning_index,
        answers=len(rule.feedbacks),
        secret_keys=rng.integers(0, 1 << 64, (len(secrets), 2), dtype=np.uint64),
        cost_to_go=_cost_to_go(len(secrets)),
        candidates_only=False,
        used=np.minimum(used_symbol_counts(codes), symbols),
        orbits=np.zeros((0, 2), dtype=np.int64),
    )
    allowed = AllowedTable(
        codes=np.ascontiguousarray(codes),
        occurrences=occurrences,
        digits=digits,
        feedback=fits,
        keys=rng.integers(0, 1 << 64, (len(codes), 2), dtype=np.uint64),
        representative=representatives_by_used_count(codes, symbols),
    )
    return problem, allowed


def _table(rule: Rule, guesses: PackedCodes, secrets: PackedCodes) -> Table:
    """Return (guesses, secrets): the feedbacks, as places in `rule.feedbacks`."""
    table: Table = np.empty((len(guesses), len(secrets)), unsigned_type(len(rule.feedbacks)))
    for block in table_blocks(len(guesses), len(secrets), TABLE_BLOCK):
        table[block] = rule.table(guesses[block], secrets)
    return table
