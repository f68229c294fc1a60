"""Search for the best play of whole positions: branch and bound, in threads.

The compiled kernels of `branch_and_bound` go down the tree. Here are what is searched, and the
first two guesses, where codes that differ only by names of symbols or by places are alike.
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
from puzzlehunt.strategies.symmetry import unlike

SETTLED = 12
"""Candidates of the largest part in which all guesses are looked into, whatever the budget."""
_GROWTH = 0.4
"""Guesses more that each candidate is estimated to take in a part that is e times as large. One
number serves word games and pegs; lookahead corrects the estimate."""
_WIDE = 500
"""Candidates of the largest part whose second guess is left to the compiled kernel."""
_DEPTH = 24
_MEMORY, _LARGE_MEMORY = 1 << 20, 1 << 22
_LARGE = 5_000
_SMALLER = 8
"""First guesses are compared by searches whose budget is divided by this."""
_NO_BOUND = 1 << 60
MOST_GUESSES = 1 << 18
"""Most guesses of a game: what is remembered of a part holds the number of a guess in 18 bits."""


def prices(size: int, scale: int) -> npt.NDArray[np.int64]:
    """Return what parts of 0 to `size` candidates are estimated to take, in steps of a guess."""
    count = np.arange(1, size + 1)
    each = 1.5 + _GROWTH * np.log(np.maximum(count, 2) / 2)
    each = np.maximum(each, (2 * count - 1) / count)
    each[:1] = 1
    return np.concatenate(([0], count * np.rint(each * scale).astype(np.int64)))


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """Candidates (places in the table), the attempts left, and the guesses that led there.

    `made` is None where more is known than the answers to them.
    """

    alive: Places
    left: int
    made: tuple[Bytes, ...] | None


@dataclass(frozen=True, slots=True)
class Choice:
    """The best guess, by its place, and what all candidates take together with it.

    `value` counts guesses; `lost` are the candidates that the attempts left do not reach.
    """

    guess: int
    value: int
    lost: int = 0


class Search:
    """The best play over a table of feedbacks, among as many guesses as a budget allows.

    `codes` are the guesses, `table` (secrets, guesses) their feedbacks, `own` each secret's place
    among the guesses, `symbols` how many the game has where guesses may be alike, else 0. In every
    part with more than SETTLED candidates the `budget` guesses with the smallest estimate are
    looked into; without a budget all that could be better are, and the value is the optimum.

    A part is known by the exclusive or of random numbers of 128 bits, one for each of its
    candidates: that two of some millions of parts have the same is less likely than 2^-80.
    """

    def __init__(
        self,
        codes: Bytes,
        table: Table,
        own: Places,
        winning: int,
        feedbacks: int,
        budget: int | None = None,
        symbols: int = 0,
        candidates_only: bool = False,
    ) -> None:
        from puzzlehunt.kernels.compiled import branch_and_bound

        self._kernels = branch_and_bound
        self.codes, self.table, self.own = codes, table, own.astype(np.int64)
        self.winning, self.feedbacks, self.budget = winning, feedbacks, budget
        self.symbols, self.candidates_only = symbols, candidates_only
        self._every = np.arange(table.shape[1])
        entries = _LARGE_MEMORY if len(table) > _LARGE else _MEMORY
        self._memory = branch_and_bound.Memory(np.zeros((entries, 4), dtype=np.uint64))
        self._rooms: SimpleQueue[Any] = SimpleQueue()
        self._setting = self._within(budget)
        self._unlike: dict[tuple[bytes, ...], Places] = {}
        self._found: dict[tuple[int, bytes], tuple[int, int]] = {}

    def _within(self, budget: int | None) -> Any:
        """Return what is searched with a budget; parts have other names with each."""
        secrets, guesses = self.table.shape
        rng = np.random.default_rng(budget or 0)
        widths = np.full(secrets + 1, budget or guesses, dtype=np.int64)
        widths[: SETTLED + 1] = guesses
        return self._kernels.Setting(
            table=self.table, own=self.own, winning=self.winning, feedbacks=self.feedbacks,
            keys=rng.integers(0, 1 << 64, (secrets, 2), dtype=np.uint64),
            turns=rng.integers(0, 1 << 64, (self._kernels.UNLIMITED + 1, 2), dtype=np.uint64),
            widths=widths, prices=prices(secrets, self._kernels.SCALE),
            candidates_only=self.candidates_only,
        )  # fmt: skip

    def best(self, alive: Places, attempts: int | None, made: Sequence[Bytes] | None) -> Choice:
        """Return the best guess for some candidates (places in the table).

        `made` are the guesses so far, if answers to them are all that is known, else None.
        """
        part = self._part(alive, attempts, made)
        if made is not None and not made and len(alive) > SETTLED and part.left > 1:
            value, guess = self._opening(part)
        else:
            value, guess = self._value(self._setting, part, _NO_BOUND)
        return self._choice(guess, value)

    def with_guess(
        self, alive: Places, attempts: int | None, guess: int, made: Sequence[Bytes] | None
    ) -> Choice:
        """Return what the candidates take with a guess, its parts looked into in threads."""
        part = self._part(alive, attempts, made)
        return self._choice(guess, self._guess_value(self._setting, part, guess, _NO_BOUND))

    def _part(self, alive: Places, attempts: int | None, made: Sequence[Bytes] | None) -> _Part:
        most: int = self._kernels.UNLIMITED
        left = most if attempts is None else min(attempts, most)
        return _Part(alive, left, None if made is None else tuple(made))

    def _choice(self, guess: int, value: int) -> Choice:
        return Choice(guess, value % self._kernels.LOST, value // self._kernels.LOST)

    def _opening(self, part: _Part) -> tuple[int, int]:
        """Return value and place of the best first guess.

        With a budget they are compared by a smaller one, and the best is looked into with all.
        """
        order = self._in_order(part)
        if self.budget is not None:
            order = order[: self.budget]
            if len(order) > 1:
                smaller = self._within(max(2, self.budget // _SMALLER))
                _, best = self._best_of(smaller, part, order, _NO_BOUND)
                order = [(guess, least) for guess, least in order if guess == best]
        return self._best_of(self._setting, part, order, _NO_BOUND)

    def _best_of(
        self, setting: Any, part: _Part, order: Sequence[tuple[int, int]], bound: int
    ) -> tuple[int, int]:
        """Return value and place of the best of some guesses; each comes with its least value.

        The bound and -1 where none takes less.
        """
        best, found = bound, -1
        for guess, least in order:
            if least < best:
                value = self._guess_value(setting, part, guess, best)
                if value < best:
                    best, found = value, guess
        return best, found

    def _guess_value(self, setting: Any, part: _Part, guess: int, bound: int) -> int:
        """Return what a guess takes; from `bound` on it may be more."""
        from concurrent.futures import ThreadPoolExecutor

        from puzzlehunt.kernels.compiled.threads import threads

        alive, left = part.alive, part.left
        made = None if part.made is None else (*part.made, self.codes[guess])
        answers = self.table[alive, guess]
        if left == 1:
            reached = int((answers == self.winning).sum())
            return len(alive) + (len(alive) - reached) * int(self._kernels.LOST)
        parts = [alive[answers == answer] for answer in np.unique(answers)]
        parts = [each for each in parts if self.table[each[0], guess] != self.winning]
        parts.sort(key=len, reverse=True)
        lows = [self._least(len(each), left) for each in parts]
        after = left if left == self._kernels.UNLIMITED else left - 1
        known = _Total(len(alive) + sum(lows), bound)

        def look(number: int) -> None:
            if (slack := known.slack) > 0:
                below = _Part(parts[number], after, made)
                value, _ = self._value(setting, below, slack + lows[number])
                known.add(value - lows[number])

        with ThreadPoolExecutor(threads()) as pool:
            list(pool.map(look, range(len(parts))))
        return known.total

    def _value(self, setting: Any, part: _Part, bound: int) -> tuple[int, int]:
        """Return value and guess of a part; a value from `bound` on may be more."""
        second = bool(self.symbols) and part.made is not None and len(part.made) == 1
        if not second or self.budget is not None or len(part.alive) <= _WIDE or part.left == 1:
            return self._by_kernel(setting, part, bound)
        # The second guess is taken here, so that the third is one of few.
        key = part.left, part.alive.tobytes()
        if key not in self._found:
            value, guess = self._best_of(setting, part, self._in_order(part), bound)
            if guess < 0:
                return value, guess
            self._found[key] = value, guess
        return self._found[key]

    def _by_kernel(self, setting: Any, part: _Part, bound: int) -> tuple[int, int]:
        """Return value and guess of a part, by the compiled kernels."""
        depth = _DEPTH
        while True:
            try:
                room = self._rooms.get_nowait()
            except Empty:
                secrets, guesses = self.table.shape
                room = self._kernels.stack(secrets, guesses, self.feedbacks, depth)
            value, guess = self._kernels.value_of(
                setting, self._memory, room, part.alive.astype(np.int32), part.left,
                self.feedbacks, bound, self._asked(part), self._every,
            )  # fmt: skip
            if value != self._kernels.TOO_DEEP:
                self._rooms.put(room)
                return int(value), int(guess)
            depth = 2 * len(room.numbers)

    def _asked(self, part: _Part) -> Places:
        """Return the guesses to choose from: one of those that are alike.

        Behind the second guess only where all guesses are looked into: what is found with a budget
        must not depend on the way to a part.
        """
        asked, most = self._every, 2 if self.budget is None else 1
        if self.symbols and part.made is not None and len(part.made) <= most:
            key = tuple(row.tobytes() for row in part.made)
            if key not in self._unlike:
                self._unlike[key] = unlike(self.codes, part.made, self.symbols)
            asked = self._unlike[key]
        return np.intersect1d(asked, self.own[part.alive]) if self.candidates_only else asked

    def _in_order(self, part: _Part) -> list[tuple[int, int]]:
        """Return guesses that tell something, the best estimate first; what each takes at least."""
        kernels, asked = self._kernels, self._asked(part)
        lows = np.array([self._least(size, part.left) for size in range(len(part.alive) + 1)])
        estimates, totals = np.empty((2, len(asked)), dtype=np.int64)
        members = part.alive.astype(np.int32)
        kernels.measure(self._setting, members, len(members), asked, lows, estimates, totals)
        order = np.lexsort((asked, estimates))
        order = order[totals[order] < kernels.USELESS]
        return list(zip(asked[order].tolist(), totals[order].tolist(), strict=True))

    def _least(self, size: int, left: int) -> int:
        """Return what the candidates of a part take at least after one more guess."""
        after = left if left == self._kernels.UNLIMITED else left - 1
        return int(self._kernels.least(size, self.feedbacks, after))


class _Total:
    """What a guess costs at least, as far as its parts were looked into, and a bound on it."""

    def __init__(self, total: int, bound: int) -> None:
        self.total, self._bound = total, bound
        self._lock = Lock()

    @property
    def slack(self) -> int:
        """How much is left below the bound."""
        return self._bound - self.total

    def add(self, more: int) -> None:
        """Add what a part costs more than it was known to cost at least."""
        with self._lock:
            self.total += more
