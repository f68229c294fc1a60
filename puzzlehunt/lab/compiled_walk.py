"""The decision tree of a one-ply strategy, walked position by position in compiled code.

It makes the same guesses as `OnePly.choose`, which is its specification: a measure is a sum of
whole numbers over the parts, in the same fixed point, and ties have the same order. Large positions
are taken one by one, their guesses shared among the cores; small ones many at a time.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlehunt.kernels.codes import Places, Rows, code_of
from puzzlehunt.kernels.tables import unsigned
from puzzlehunt.rules.base import Rule
from puzzlehunt.strategies.base import Strategy
from puzzlehunt.strategies.measures import STEPS_PER_BIT, Measure
from puzzlehunt.strategies.oneply import MOST_SCORES
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.symmetry import representatives

Numbers = npt.NDArray[np.int64]

_SMALL = 2_000_000
"""Up to so many scores of a first guess, asking the strategy takes no longer than loading numba."""
_LARGE = 5_000_000
"""From so many scores on, the guesses of a position are shared among the cores."""
_TOGETHER = 3_000_000_000
"""Scores of small positions that wait, from which on these get their turn."""
_LARGEST_TABLE = 400_000_000
_MOST_SYMBOLS = 63
_MOST_FEEDBACKS = 1 << 16


def suits(position: Position, strategy: Strategy) -> bool:
    """Return whether a strategy can be walked at once from a position, small or compiled."""
    measure, game, rows = strategy.one_ply(), position.game, position.pool.guesses
    if measure is None or measure.adds is None:
        return False
    guesses = len(position.secrets if rows is None else rows)
    return (
        not (measure.weighed and position.weights is not None)
        and position.observation is None
        and not game.hard
        and len(position.candidates) > 1
        and (position.budget.guesses or guesses) >= guesses
        and position.budget.seconds is None
        and len(game.rule.feedbacks) <= _MOST_FEEDBACKS
        and (
            game.rule.pair_offsets is not None or guesses * len(position.secrets) <= _LARGEST_TABLE
        )
        and (position.used is None or len(game.alphabet) <= _MOST_SYMBOLS)
    )


def small(position: Position) -> bool:
    """Return whether a walk from a position is not worth loading the compiled kernels."""
    rows = position.pool.guesses
    return len(position.candidates) * len(position.secrets if rows is None else rows) <= _SMALL


def walk(
    position: Position,
    strategy: Strategy,
    wanted: Places,
    opening: Rows,
    progress: Callable[[int], None],
) -> npt.NDArray[np.int32]:
    """Return (2, secrets): guesses until played and until known, of the wanted secrets.

    The first guess is `opening`. Raises TellsNothingError if a guess tells nothing.
    """
    walker = Walker(position, strategy, wanted)
    progress(walker.open(opening))
    while walker.waiting:
        progress(walker.step())
    return walker.counts


@contextmanager
def on_cores(jobs: int | None) -> Iterator[None]:
    """Share large positions among so many cores for a while; None is all there are."""
    if jobs is None:
        yield
        return
    from puzzlehunt.kernels.compiled import threads

    with threads.on_cores(jobs):
        yield


class TellsNothingError(Exception):
    """A guess told nothing; the argument is its code."""


class Walker:
    """What is known of every secret of a walk, and the positions that wait for a guess.

    A position is a run of secrets in `order`, which begins at `run_of` each of them; its secrets
    have had `counts` guesses, in which the symbols `used` occur.
    """

    def __init__(self, position: Position, strategy: Strategy, wanted: Places) -> None:
        self.position = position
        self.strategy = strategy
        self.kernels = import_module("puzzlehunt.kernels.compiled.tree_walk")
        rule, secrets = position.game.rule, position.secrets
        size = len(secrets)
        self.alone = position.pool.guesses is None
        self.guesses = secrets if position.pool.guesses is None else position.pool.guesses
        own = np.arange(size) if self.alone else position.pool.as_guess
        self.own: Numbers = np.asarray(own, dtype=np.int64)
        self.secrets = secrets.first, secrets.second
        self.rows, self.bins = _scored(rule, self.guesses, secrets)
        paired = rule.pair_offsets is not None
        self.winning_bin = self.bins - 1 if paired else rule.feedbacks.index(rule.winning)
        self.feedbacks = len(rule.feedbacks)
        self.winning = rule.feedbacks.index(rule.winning)
        measure = strategy.one_ply()
        assert measure is not None
        self.measure = _added(measure, size)

        self.order = position.candidates.astype(np.int64)
        self.counts = np.zeros((2, size), dtype=np.int32)
        self.wanted = np.zeros(size, dtype=np.bool_)
        self.wanted[wanted] = True
        self.run_of = np.full(size, -1, dtype=np.int64)
        self.run_of[self.order] = 0
        self.sizes = np.zeros(len(self.order), dtype=np.int64)
        secret_of = np.full(len(self.guesses), -1, dtype=np.int64)
        listed = np.flatnonzero(self.own >= 0)
        secret_of[self.own[listed]] = listed
        self.state = secret_of, self.run_of, position.ties == "candidate"

        self.named = self._named(self.guesses)
        self.used = np.zeros(size, dtype=np.uint64)
        for symbol in position.used or ():
            if 0 <= symbol < _MOST_SYMBOLS:
                self.used |= np.uint64(1 << symbol)
        self.tried: dict[int, Places] = {}
        self.large: list[tuple[int, int]] = []
        self.small: list[tuple[int, int]] = []
        self.work = 0

    @property
    def waiting(self) -> bool:
        """Whether there are positions without a guess."""
        return bool(self.large or self.small)

    def open(self, guess: Rows) -> int:
        """Make the first guess; return how many wanted secrets are done."""
        return self._make(0, len(self.order), guess, self._named(guess)[0])

    def step(self) -> int:
        """Make the guess of one large position, or of all small ones; return how many are done."""
        if self.large and self.work < _TOGETHER:
            return self._one(*self.large.pop())
        return self._many()

    def _named(self, guesses: Rows) -> npt.NDArray[np.uint64]:
        """Return the symbols of each guess as a set of bits; nothing where none are alike."""
        named = np.zeros(len(guesses), dtype=np.uint64)
        if self.position.used is not None:
            for column in guesses.codes.T:
                bits = np.uint64(1) << np.minimum(column, _MOST_SYMBOLS).astype(np.uint64)
                named |= np.where(column < _MOST_SYMBOLS, bits, np.uint64(0))
        return named

    def _tried(self, used: int) -> Places:
        """Return the guesses that differ by more than symbols that nothing has named."""
        if used not in self.tried:
            symbols = None
            if self.position.used is not None:
                symbols = frozenset(s for s in range(_MOST_SYMBOLS) if used >> s & 1)
            after = replace(self.position, used=symbols, fresh=False)
            self.tried[used] = representatives(after, self.guesses.codes)
        return self.tried[used]

    def _one(self, start: int, stop: int) -> int:
        members = self.order[start:stop]
        used = int(self.used[members[0]])
        tried = members if self.alone else self._tried(used)
        all_of_them = self.position.budget.guesses is not None
        if not all_of_them and len(tried) * len(members) > MOST_SCORES:
            symbols = frozenset(s for s in range(_MOST_SYMBOLS) if used >> s & 1)
            known = None if self.position.used is None else symbols
            after = replace(self.position, candidates=members.copy(), used=known, fresh=False)
            guess = self.strategy.choose(after)
            return self._make(start, stop, guess, self._named(guess)[0])
        place = self.kernels.choose_one(
            tried, members, start, self.state, self.rows, self.secrets,
            self.measure, self.bins,
        )  # fmt: skip
        return self._make(start, stop, self.guesses[np.array([place])], self.named[place])

    def _make(self, start: int, stop: int, guess: Rows, named: np.uint64) -> int:
        """Make a guess in one position; return how many wanted secrets are done."""
        members = self.order[start:stop].copy()
        rule = self.position.game.rule
        answers = rule.table(guess, self.position.secrets[members])[0].astype(np.uint16)
        self.used[members] |= named
        told, done = self.kernels.divide(
            self.order, start, stop, answers, self.winning, self.feedbacks, self.counts,
            self.run_of, self.wanted, self.sizes,
        )  # fmt: skip
        if not told:
            raise TellsNothingError(code_of(guess.codes[0]))
        self._go_on(start + np.flatnonzero(self.sizes[start:stop]))
        return int(done)

    def _go_on(self, starts: Numbers) -> None:
        """Put the positions that begin at some places among those that wait."""
        sizes = self.sizes[starts]
        self.sizes[starts] = 0
        for start, size in zip(starts.tolist(), sizes.tolist(), strict=True):
            guesses = size if self.alone else len(self._tried(int(self.used[self.order[start]])))
            if size * guesses >= _LARGE:
                self.large.append((start, start + size))
            else:
                self.small.append((start, start + size))
                self.work += size * guesses

    def _many(self) -> int:
        starts, stops = np.array(self.small, dtype=np.int64).T.copy()
        self.small, self.work = [], 0
        lists, ends, which = np.zeros(0, np.int64), np.zeros(1, np.int64), np.full(len(starts), -1)
        if not self.alone:
            sets, which = np.unique(self.used[self.order[starts]], return_inverse=True)
            each = [self._tried(int(used)) for used in sets]
            lists = np.concatenate(each)
            ends = np.cumsum([0, *map(len, each)])
        chosen = np.empty(len(starts), dtype=np.int64)
        self.kernels.choose_many(
            self.order, starts, stops, lists, ends, which, self.own, self.state, self.rows,
            self.secrets, self.measure, self.feedbacks, self.bins, chosen,
        )  # fmt: skip
        silent, done = self.kernels.divide_many(
            self.order, starts, stops, chosen, self.rows, self.secrets, self.winning_bin, self.bins,
            self.counts, self.run_of, self.wanted, self.sizes,
            self.named, self.used,
        )  # fmt: skip
        if silent >= 0:
            raise TellsNothingError(code_of(self.guesses.codes[chosen[silent]]))
        self._go_on(np.flatnonzero(self.sizes))
        return int(done)


def _scored(rule: Rule, guesses: Rows, secrets: Rows) -> tuple[tuple[Any, ...], int]:
    """Return how the kernels score: (table, first, second, step), and the number of answers.

    Either the table (guesses, secrets) holds the answers, or it is empty and the bit-rows `first`
    and `second` of the guesses do: an answer is then step * (bits in common with the second rows
    of the secret) + (bits in common with the first).
    """
    if rule.pair_offsets is None:
        none = np.zeros((0, 1), np.uint64)
        table = rule.table(guesses, secrets)
        return (table, none, none, 0), len(rule.feedbacks)
    most = rule.length + 1
    bins = most if rule.pair_offsets[-1] == 0 else most * most
    none = np.zeros((0, 0), unsigned(bins))
    return (none, guesses.first, guesses.second, most if bins > most else 0), bins


def _added(measure: Measure, most: int) -> tuple[Any, ...]:
    """Return what parts of 0 to `most` candidates add, and how their sum becomes a cost."""
    numbers = np.arange(most + 1, dtype=np.int64)
    bits = np.log2(np.maximum(numbers, 1).astype(np.float64))
    assert measure.adds is not None
    return (
        measure.adds(numbers),
        measure.takes_largest,
        bits,
        STEPS_PER_BIT if measure.in_steps else 0.0,
    )
