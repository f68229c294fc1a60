"""Search for the best play of whole positions: branch and bound, in threads.

The first guess, and in large parts the second, are chosen here, because codes that differ only by
the names of symbols or the order of positions tell the same there. All later guesses are chosen by
the compiled kernels of `branch_and_bound`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlehunt.kernels.codes import Bytes, Places
from puzzlehunt.kernels.tables import Table
from puzzlehunt.strategies.symmetry import places_unlike

FULLY_SEARCHED = 12
"""Most candidates of a part in which all guesses are looked into, whatever the budget."""
GROWTH = 0.4
"""Guesses that a candidate is estimated to take more when its part has e times as many candidates.
One number serves word games and pegs; lookahead corrects the estimate."""
_KERNEL_PART = 500
"""Most candidates of a part whose second guess is left to the compiled kernels."""
_DEPTH = 16
"""Guesses of the longest path for which a search has memory; doubled when a path is longer."""
_PARTS_REMEMBERED, _PARTS_REMEMBERED_IN_LARGE_GAMES = 1 << 20, 1 << 22
"""Parts whose values are remembered (32 bytes each), in small and in large games."""
_NARROW, _PARTS_REMEMBERED_BY_NARROW = 100, 1 << 19
"""Largest budget of a narrow search, and the parts that it remembers: it meets few."""
_LARGE_GAME = 5_000
"""Secrets from which a game is large."""
_BUDGET_DIVISOR = 8
"""The searches that compare first guesses have the budget divided by this."""
_NO_BOUND = 1 << 60
"""A bound that no value reaches."""
MOST_GUESSES = 1 << 18
"""Most guesses of a game: a remembered part holds the number of a guess in 18 bits."""


def prices(size: int, scale: int) -> npt.NDArray[np.int64]:
    """Return the guesses that parts of 0 to `size` candidates are estimated to take, times `scale`.

    A part of n >= 2 candidates takes n * (1.5 + 0.4 * ln(n / 2)), and no less than 2n - 1: then
    the first guess finds one candidate, and the second any other.
    """
    count = np.arange(1, size + 1)
    average = 1.5 + GROWTH * np.log(np.maximum(count, 2) / 2)
    average = np.maximum(average, (2 * count - 1) / count)
    average[:1] = 1
    return np.concatenate(([0], count * np.rint(average * scale).astype(np.int64)))


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """Candidates (places in the table), the attempts left, and the guesses that led there.

    `past_guesses` is None where more is known of the secret than the answers to past guesses.
    """

    candidates: Places
    attempts: int
    past_guesses: tuple[Bytes, ...] | None


@dataclass(frozen=True, slots=True)
class Choice:
    """The place of a guess, and how many guesses the candidates take with the best play found.

    `value` counts the guesses of all candidates together, this guess included; `unreached` is how
    many candidates are not found with the attempts left.
    """

    guess: int
    value: int
    unreached: int = 0


class Search:
    """The best play over a table of feedbacks, among as many guesses as a budget allows.

    - `codes` (G, length): the guesses
    - `table` (secrets, G): their feedbacks
    - `as_guess` (secrets,): the place of each secret among the guesses
    - `symbols`: how many symbols the game has, 0 where no two guesses are known to be alike

    In every part of more than FULLY_SEARCHED candidates, the `budget` guesses with the smallest
    estimates are looked into. Without a budget, all guesses that could be better are looked into,
    and the value is the optimum.

    The key of a part is the exclusive or of random numbers of 128 bits, one for each of its
    candidates: that two of some millions of parts have the same key is less likely than 2^-80.
    """

    def __init__(
        self,
        codes: Bytes,
        table: Table,
        as_guess: Places,
        winning: int,
        feedbacks: int,
        budget: int | None = None,
        symbols: int = 0,
        candidates_only: bool = False,
    ) -> None:
        from puzzlehunt.kernels.compiled import branch_and_bound

        self._kernels = branch_and_bound
        self.codes, self.table, self.as_guess = codes, table, as_guess.astype(np.int64)
        self.winning, self.feedbacks, self.budget = winning, feedbacks, budget
        self.symbols, self.candidates_only = symbols, candidates_only
        self._every = np.arange(table.shape[1])
        large = len(table) > _LARGE_GAME
        entries = _PARTS_REMEMBERED_IN_LARGE_GAMES if large else _PARTS_REMEMBERED
        if budget is not None and budget <= _NARROW:
            entries = _PARTS_REMEMBERED_BY_NARROW
        self._memory = branch_and_bound.Memory(np.zeros((entries, 4), dtype=np.uint64))
        self._stacks: SimpleQueue[Any] = SimpleQueue()
        self._setting = self._setting_for(budget)
        self._unlike: dict[tuple[bytes, ...], Places] = {}
        self._second_guesses: dict[tuple[int, bytes], tuple[int, int]] = {}

    def _setting_for(self, budget: int | None) -> Any:
        """Return the kernels' `Setting` for a budget; parts have other keys for each budget."""
        secrets, guesses = self.table.shape
        rng = np.random.default_rng(budget or 0)
        widths = np.full(secrets + 1, budget or guesses, dtype=np.int64)
        widths[: FULLY_SEARCHED + 1] = guesses
        last = self._kernels.UNLIMITED_ATTEMPTS
        return self._kernels.Setting(
            table=self.table,
            as_guess=self.as_guess,
            winning=self.winning,
            feedbacks=self.feedbacks,
            keys=rng.integers(0, 1 << 64, (secrets, 2), dtype=np.uint64),
            attempt_keys=rng.integers(0, 1 << 64, (last + 1, 2), dtype=np.uint64),
            widths=widths,
            prices=prices(secrets, self._kernels.SCALE),
            candidates_only=self.candidates_only,
        )

    def best(
        self, candidates: Places, attempts: int | None, past_guesses: Sequence[Bytes] | None
    ) -> Choice:
        """Return the best guess for some candidates (places in the table).

        `past_guesses` are the guesses so far, if answers to them are all that is known, else None.
        """
        part = self._part(candidates, attempts, past_guesses)
        if (
            past_guesses is not None
            and not past_guesses
            and len(candidates) > FULLY_SEARCHED
            and part.attempts > 1
        ):
            value, guess = self._opening(part)
        else:
            value, guess = self._value(self._setting, part, _NO_BOUND)
        return self._choice(guess, value)

    def with_guess(
        self,
        candidates: Places,
        attempts: int | None,
        guess: int,
        past_guesses: Sequence[Bytes] | None,
    ) -> Choice:
        """Return what the candidates take with a given guess; threads search its parts."""
        part = self._part(candidates, attempts, past_guesses)
        return self._choice(guess, self._guess_value(self._setting, part, guess, _NO_BOUND))

    def _part(
        self, candidates: Places, attempts: int | None, past_guesses: Sequence[Bytes] | None
    ) -> _Part:
        most: int = self._kernels.UNLIMITED_ATTEMPTS
        capped = most if attempts is None else min(attempts, most)
        return _Part(candidates, capped, None if past_guesses is None else tuple(past_guesses))

    def _choice(self, guess: int, cost: int) -> Choice:
        """Return a choice; `cost` is its value plus UNREACHED for each candidate out of reach."""
        unreached, value = divmod(cost, self._kernels.UNREACHED)
        return Choice(guess, value, unreached)

    def _opening(self, part: _Part) -> tuple[int, int]:
        """Return value and place of the best first guess.

        With a budget, first guesses are compared by searches with a smaller budget, and only the
        best of them is searched with the whole budget.
        """
        order = self._in_order(part)
        if self.budget is not None:
            order = order[: self.budget]
            if len(order) > 1:
                smaller = self._setting_for(max(2, self.budget // _BUDGET_DIVISOR))
                _, best = self._best_of(smaller, part, order, _NO_BOUND)
                order = [(guess, low) for guess, low in order if guess == best]
        return self._best_of(self._setting, part, order, _NO_BOUND)

    def _best_of(
        self, setting: Any, part: _Part, order: Sequence[tuple[int, int]], bound: int
    ) -> tuple[int, int]:
        """Return value and place of the best guess, or `bound` and -1 if none is below the bound.

        `order` gives the place of each guess and the least value that it can have.
        """
        best, best_guess = bound, -1
        for guess, low in order:
            if low < best:
                value = self._guess_value(setting, part, guess, best)
                if value < best:
                    best, best_guess = value, guess
        return best, best_guess

    def _guess_value(self, setting: Any, part: _Part, guess: int, bound: int) -> int:
        """Return the value of a guess; `bound` or more says only that the value is no less."""
        from concurrent.futures import ThreadPoolExecutor

        from puzzlehunt.kernels.compiled.threads import threads

        candidates, attempts = part.candidates, part.attempts
        past_guesses = (
            None if part.past_guesses is None else (*part.past_guesses, self.codes[guess])
        )
        answers = self.table[candidates, guess]
        if attempts == 1:
            reached = int((answers == self.winning).sum())
            return len(candidates) + (len(candidates) - reached) * int(self._kernels.UNREACHED)
        parts = [candidates[answers == answer] for answer in np.unique(answers)]
        parts = [each for each in parts if self.table[each[0], guess] != self.winning]
        parts.sort(key=len, reverse=True)
        lows = [self._least(len(each), attempts) for each in parts]
        total = _Total(len(candidates) + sum(lows), bound)

        def search_part(number: int) -> None:
            if (slack := total.slack) > 0:
                below = _Part(parts[number], self._after(attempts), past_guesses)
                value, _ = self._value(setting, below, slack + lows[number])
                total.add(value - lows[number])

        with ThreadPoolExecutor(threads()) as pool:
            list(pool.map(search_part, range(len(parts))))
        return total.value

    def _value(self, setting: Any, part: _Part, bound: int) -> tuple[int, int]:
        """Return value and guess of a part; `bound` or more says only that the value is no less."""
        second = (
            bool(self.symbols) and part.past_guesses is not None and len(part.past_guesses) == 1
        )
        large = len(part.candidates) > _KERNEL_PART and part.attempts > 1
        if not (second and large and self.budget is None):
            return self._by_kernel(setting, part, bound)
        # By choosing the second guess here, guesses that are alike are left out of the third, too.
        key = part.attempts, part.candidates.tobytes()
        if key not in self._second_guesses:
            value, guess = self._best_of(setting, part, self._in_order(part), bound)
            if guess < 0:
                return value, guess
            self._second_guesses[key] = value, guess
        return self._second_guesses[key]

    def _by_kernel(self, setting: Any, part: _Part, bound: int) -> tuple[int, int]:
        """Return value and guess of a part, by the compiled kernels."""
        depth = _DEPTH
        while True:
            try:
                stack = self._stacks.get_nowait()
            except Empty:
                secrets, guesses = self.table.shape
                stack = self._kernels.new_stack(secrets, guesses, self.feedbacks, depth)
            value, guess = self._kernels.value_of(
                setting, self._memory, stack, part.candidates.astype(np.int32), part.attempts,
                self.feedbacks, bound, self._tried(part), self._every,
            )  # fmt: skip
            if value != self._kernels.TOO_DEEP:
                self._stacks.put(stack)
                return int(value), int(guess)
            depth = 2 * len(stack.frames)

    def _tried(self, part: _Part) -> Places:
        """Return the places of the guesses to choose from: one of each class of alike guesses.

        Guesses are classed up to the third of a game, with a budget only up to the second: what a
        search with a budget finds for a part must not depend on the guesses that led to the part.
        """
        tried, most = self._every, 2 if self.budget is None else 1
        if self.symbols and part.past_guesses is not None and len(part.past_guesses) <= most:
            key = tuple(row.tobytes() for row in part.past_guesses)
            if key not in self._unlike:
                self._unlike[key] = places_unlike(self.codes, part.past_guesses, self.symbols)
            tried = self._unlike[key]
        return (
            np.intersect1d(tried, self.as_guess[part.candidates]) if self.candidates_only else tried
        )

    def _in_order(self, part: _Part) -> list[tuple[int, int]]:
        """Return guesses that tell something, each with its least value; best estimate first."""
        kernels, tried = self._kernels, self._tried(part)
        sizes = range(len(part.candidates) + 1)
        lows = np.array([self._least(size, part.attempts) for size in sizes])
        estimates, totals = np.empty((2, len(tried)), dtype=np.int64)
        members = part.candidates.astype(np.int32)
        kernels.estimate_all(self._setting, members, len(members), tried, lows, estimates, totals)
        order = np.lexsort((tried, estimates))
        order = order[totals[order] < kernels.USELESS]
        return list(zip(tried[order].tolist(), totals[order].tolist(), strict=True))

    def _least(self, size: int, attempts: int) -> int:
        """Return the least value of a part of `size` candidates, after one more of the attempts."""
        return int(self._kernels.least_total(size, self.feedbacks, self._after(attempts)))

    def _after(self, attempts: int) -> int:
        """Return how many attempts are left after one more guess."""
        return attempts if attempts == self._kernels.UNLIMITED_ATTEMPTS else attempts - 1


class _Total:
    """The least value that a guess can have, raised by threads as its parts are searched."""

    def __init__(self, value: int, bound: int) -> None:
        self.value, self._bound = value, bound
        self._lock = Lock()

    @property
    def slack(self) -> int:
        """How far the value is below the bound."""
        return self._bound - self.value

    def add(self, more: int) -> None:
        """Add by how much the value of a part exceeds the least value counted for that part."""
        with self._lock:
            self.value += more
