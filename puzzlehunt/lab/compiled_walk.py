"""The decision tree of a one-ply strategy, walked position by position in compiled code.

The guesses are those of `OnePly.choose`, the specification: a measure is a sum of whole numbers
over the parts, in the same fixed point, and ties have the same order. Large positions are played
one by one, their guesses shared among the cores; small positions many at a time.

Work is counted in scores: one guess scored against one candidate. An answer is the number that a
kernel gives a feedback; for a rule of two popcounts it is not the feedback's place in
`rule.feedbacks`.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlehunt.kernels import fast
from puzzlehunt.kernels.feedback_matrix import unsigned_type
from puzzlehunt.kernels.packed_codes import Indices, PackedCodes, code_of
from puzzlehunt.rules.base import Rule
from puzzlehunt.strategies.base import Strategy
from puzzlehunt.strategies.measures import STEPS_PER_BIT, Measure
from puzzlehunt.strategies.oneply import MOST_SCORES
from puzzlehunt.strategies.position import Position, rng_of
from puzzlehunt.strategies.symmetry import orbit_representatives

Numbers = npt.NDArray[np.int64]

_SMALL = 2_000_000
"""Scores of the largest first position in which the strategy is asked, as loading numba takes
longer."""
_LARGE = 5_000_000
"""Scores of the smallest position whose guesses are shared among the cores."""
_SMALL_BATCH = 3_000_000_000
"""Scores of all waiting small positions from which they are played before the large ones."""
_LARGEST_TABLE = 400_000_000
"""Cap on a table of every guess and secret (cells), where a rule is not two popcounts."""
_MOST_SYMBOLS = 63
"""Largest alphabet of which a set of symbols fits one 64-bit word."""
_MOST_FEEDBACKS = 1 << 16
"""Most feedbacks of a rule; their places are stored in 16 bits."""


def suits(position: Position, strategy: Strategy) -> bool:
    """Return whether `walk` can make the same guesses as a strategy from a position on."""
    measure, game, rows = strategy.one_ply(), position.game, position.pool.guesses
    if measure is None or measure.adds_per_part is None:
        return False
    guesses = len(position.secrets if rows is None else rows)
    return (
        fast.is_installed()
        and not (measure.uses_weights and position.weights is not None)
        and position.observation is None
        and not game.hard
        and len(position.candidates) > 1
        and (position.budget.guesses or guesses) >= guesses
        and position.budget.seconds is None
        and len(game.rule.feedbacks) <= _MOST_FEEDBACKS
        and (
            game.rule.pair_offsets is not None or guesses * len(position.secrets) <= _LARGEST_TABLE
        )
        and (position.used_symbols is None or len(game.alphabet) <= _MOST_SYMBOLS)
    )


def too_small(position: Position) -> bool:
    """Return whether a walk from a position is too short to be worth loading the kernels."""
    rows = position.pool.guesses
    return len(position.candidates) * len(position.secrets if rows is None else rows) <= _SMALL


def walk(
    position: Position,
    strategy: Strategy,
    wanted: Indices,
    opening: PackedCodes,
    progress: Callable[[int], None],
) -> npt.NDArray[np.int32]:
    """Return (2, S): guesses until played and until known, of the wanted of S secrets.

    The first guess is `opening`; `progress` is called with how many more wanted secrets are done.
    Raises TellsNothingError if a guess leaves all candidates of a position.
    """
    walker = Walker(position, strategy, wanted)
    progress(walker.open(opening))
    while walker.waiting:
        progress(walker.step())
    return walker.guess_counts


@contextmanager
def thread_limit(jobs: int | None) -> Iterator[None]:
    """Let the compiled kernels use `jobs` cores inside the `with` block (None: all cores)."""
    if jobs is None:
        yield
        return
    from puzzlehunt.kernels.compiled import threads

    with threads.thread_limit(jobs):
        yield


class TellsNothingError(Exception):
    """A guess left all candidates of its position; the argument is its code."""


class Walker:
    """The positions of a walk that wait for a guess, and the guesses that each secret has had.

    Secrets and guesses are places in `position.secrets` and `self.guesses`. A position is a run
    `order[start:stop]` of secrets. Of each secret, `run_start` is the start of its run (-1 once it
    is done), `guess_counts` (2, S) the guesses until played and until known, and `used` the set of
    symbols, one bit each, that its guesses have named.
    """

    def __init__(self, position: Position, strategy: Strategy, wanted: Indices) -> None:
        self.position = position
        self.strategy = strategy
        self.kernels = import_module("puzzlehunt.kernels.compiled.one_ply")
        rule, secrets = position.game.rule, position.secrets
        size = len(secrets)
        self.candidates_only = position.pool.guesses is None
        self.guesses = secrets if position.pool.guesses is None else position.pool.guesses
        guess_of = np.arange(size) if self.candidates_only else position.pool.guess_of
        self.guess_of: Numbers = np.asarray(guess_of, dtype=np.int64)
        self.secrets = secrets.position_bits, secrets.count_bits
        self.scoring, self.answer_count = _scoring_of(rule, self.guesses, secrets)
        paired = rule.pair_offsets is not None
        self.feedback_count = len(rule.feedbacks)
        self.winning = rule.winning_index
        self.winning_answer = self.answer_count - 1 if paired else self.winning
        measure = strategy.one_ply()
        assert measure is not None
        self.measure = _measure_of(measure, size)

        self.order = position.candidates.astype(np.int64)
        self.guess_counts = np.zeros((2, size), dtype=np.int32)
        self.wanted = np.zeros(size, dtype=np.bool_)
        self.wanted[wanted] = True
        self.run_start = np.full(size, -1, dtype=np.int64)
        self.run_start[self.order] = 0
        secret_of = np.full(len(self.guesses), -1, dtype=np.int64)
        guessable = np.flatnonzero(self.guess_of >= 0)
        secret_of[self.guess_of[guessable]] = guessable
        self.ties = secret_of, self.run_start, position.ties == "candidate"

        self.used = np.zeros(size, dtype=np.uint64)
        for symbol in position.used_symbols or ():
            if 0 <= symbol < _MOST_SYMBOLS:
                self.used |= np.uint64(1 << symbol)
        self.representatives_of: dict[int, Indices] = {}
        self.large: list[tuple[int, int]] = []
        self.small: list[tuple[int, int]] = []
        self.small_work = 0

    @property
    def waiting(self) -> bool:
        """Whether any position waits for a guess."""
        return bool(self.large or self.small)

    def open(self, guess: PackedCodes) -> int:
        """Play the first guess; return how many wanted secrets are done."""
        return self._play_guess(0, len(self.order), guess)

    def step(self) -> int:
        """Play in one large position or all small ones; return how many wanted secrets are done."""
        if self.large and self.small_work < _SMALL_BATCH:
            return self._play_large(*self.large.pop())
        return self._play_small()

    def _symbol_sets(self, guesses: PackedCodes) -> npt.NDArray[np.uint64]:
        """Return each guess's symbols, one bit each; 0 where symbols are never interchangeable."""
        sets = np.zeros(len(guesses), dtype=np.uint64)
        if self.position.used_symbols is not None:
            for column in guesses.codes.T:
                bits = np.uint64(1) << np.minimum(column, _MOST_SYMBOLS).astype(np.uint64)
                sets |= np.where(column < _MOST_SYMBOLS, bits, np.uint64(0))
        return sets

    def _representatives(self, used: int) -> Indices:
        """Return one guess of each class that is alike but for symbols outside the set `used`."""
        if used not in self.representatives_of:
            symbols = None
            if self.position.used_symbols is not None:
                symbols = frozenset(s for s in range(_MOST_SYMBOLS) if used >> s & 1)
            after = replace(self.position, used_symbols=symbols, nothing_known=False)
            self.representatives_of[used] = orbit_representatives(after, self.guesses.codes)
        return self.representatives_of[used]

    def _play_large(self, start: int, stop: int) -> int:
        """Play the best guess of one position; return how many wanted secrets are done."""
        members = self.order[start:stop]
        used = int(self.used[members[0]])
        tried = members if self.candidates_only else self._representatives(used)
        # `suits` admits only budgets that cover all guesses. Without one, the strategy tries only a
        # sample of them where they are many.
        tries_all = self.position.budget.guesses is not None
        if not tries_all and len(tried) * len(members) > MOST_SCORES:
            symbols = frozenset(s for s in range(_MOST_SYMBOLS) if used >> s & 1)
            named = None if self.position.used_symbols is None else symbols
            after = replace(
                self.position,
                candidates=members.copy(),
                used_symbols=named,
                nothing_known=False,
                rng=rng_of(self.position.game, members),
            )
            guess = self.strategy.choose(after)
            return self._play_guess(start, stop, guess)
        place = self.kernels.choose_one(
            tried, self.order, start, stop, self.guess_of, self.ties, self.scoring, self.secrets,
            self.measure, self.answer_count,
        )  # fmt: skip
        return self._play_guess(start, stop, self.guesses[np.array([place])])

    def _play_guess(self, start: int, stop: int, guess: PackedCodes) -> int:
        """Play a guess in one position; return how many wanted secrets are done."""
        members = self.order[start:stop]
        answers = self.position.game.rule.table(guess, self.position.secrets[members])[0]
        run = np.array([start]), np.array([stop])
        return self._divide(*run, guess, answers.astype(np.int64), self.winning)

    def _play_small(self) -> int:
        """Play the best guesses of all small positions; return how many wanted secrets are done."""
        starts, stops = np.array(self.small, dtype=np.int64).T.copy()
        self.small, self.small_work = [], 0
        tried, ends = np.zeros(0, np.int64), np.zeros(1, np.int64)
        list_of = np.full(len(starts), -1)
        if not self.candidates_only:
            used_sets, list_of = np.unique(self.used[self.order[starts]], return_inverse=True)
            lists = [self._representatives(int(used)) for used in used_sets]
            tried = np.concatenate(lists)
            ends = np.cumsum([0, *map(len, lists)])
        chosen = self.kernels.choose_many(
            self.order, starts, stops, tried, ends, list_of, self.feedback_count, self.guess_of,
            self.ties, self.scoring, self.secrets, self.measure, self.answer_count,
        )  # fmt: skip
        runs = [self.order[start:stop] for start, stop in zip(starts, stops, strict=True)]
        answers = self._answers(np.repeat(chosen, stops - starts), np.concatenate(runs))
        return self._divide(starts, stops, self.guesses[chosen], answers, self.winning_answer)

    def _answers(self, guesses: Indices, members: Indices) -> Numbers:
        """Return (members,): the answer of each of these secrets to the guess at its place."""
        table, guess_places, guess_repeats, stride = self.scoring
        if len(table):
            return np.asarray(table[guesses, members], dtype=np.int64)
        places, repeats = (
            np.bitwise_count(of_guesses[guesses] & of_secrets[members]).sum(axis=1, dtype=np.int64)
            for of_guesses, of_secrets in zip(
                (guess_places, guess_repeats), self.secrets, strict=True
            )
        )
        return np.asarray(places + stride * repeats, dtype=np.int64)

    def _divide(
        self, starts: Numbers, stops: Numbers, guesses: PackedCodes, answers: Numbers, winning: int
    ) -> int:
        """Play one guess in each position; return how many wanted secrets are done.

        `answers` are those of the positions' members, one position after the other. The members
        are put in order of their answers, each answer's a run. A wanted secret that is alone in its
        run is done: it counts as played next. A run of several secrets, one of them wanted, waits
        for another guess.
        """
        sizes = stops - starts
        position = np.repeat(np.arange(len(starts)), sizes)
        places = np.arange(len(position)) + (starts - np.cumsum(sizes) + sizes)[position]
        keys = position * (int(answers.max()) + 1) + answers
        by_answer = np.argsort(keys, kind="stable")
        members, keys = self.order[places][by_answer], keys[by_answer]
        self.order[places] = members
        firsts = np.flatnonzero(np.diff(keys, prepend=-1))
        run_sizes = np.diff(firsts, append=len(keys))
        won = answers[by_answer][firsts] == winning
        undivided = np.flatnonzero((run_sizes == sizes[position[firsts]]) & ~won)
        if len(undivided):
            raise TellsNothingError(code_of(guesses.codes[position[firsts[undivided[0]]]]))

        self.used[members] |= self._symbol_sets(guesses)[position]
        self.guess_counts[0, members] += 1
        self.guess_counts[1, members] = self.guess_counts[0, members]
        needed = np.logical_or.reduceat(self.wanted[members], firsts)
        alone = needed & ~won & (run_sizes == 1)
        self.guess_counts[0, members[firsts[alone]]] += 1
        waits = needed & ~won & ~alone
        self.run_start[members] = np.repeat(np.where(waits, places[firsts], -1), run_sizes)
        self._add_waiting(places[firsts[waits]], run_sizes[waits])
        return int(np.count_nonzero(needed & (won | alone)))

    def _add_waiting(self, starts: Numbers, sizes: Numbers) -> None:
        """Let the positions whose runs begin at `starts` wait, as large or small."""
        for start, size in sorted(zip(starts.tolist(), sizes.tolist(), strict=True)):
            used = int(self.used[self.order[start]])
            guesses = size if self.candidates_only else len(self._representatives(used))
            if size * guesses >= _LARGE:
                self.large.append((start, start + size))
            else:
                self.small.append((start, start + size))
                self.small_work += size * guesses


def _scoring_of(
    rule: Rule, guesses: PackedCodes, secrets: PackedCodes
) -> tuple[tuple[Any, ...], int]:
    """Return (table, guess_places, guess_repeats, stride), and the number of different answers.

    The table (guesses, secrets) holds the answers. Or it is empty, and the answer of two codes is
    m + stride * n, with m of their `position_bits` and n of their `count_bits` in common;
    `guess_places` and `guess_repeats` are these bits of the guesses.
    """
    if rule.pair_offsets is None:
        none = np.zeros((0, 1), np.uint64)
        table = rule.table(guesses, secrets)
        return (table, none, none, 0), len(rule.feedbacks)
    counts = rule.length + 1  # each popcount is 0 to the length
    answers = counts if rule.pair_offsets[-1] == 0 else counts * counts
    none = np.zeros((0, 0), unsigned_type(answers))
    stride = counts if answers > counts else 0
    return (none, guesses.position_bits, guesses.count_bits, stride), answers


def _measure_of(measure: Measure, most: int) -> tuple[Any, ...]:
    """Return a measure as the kernels take it: (summands, largest, log2, units_per_bit).

    `summands` and `log2` are what a part of 0 to `most` candidates adds, and the binary logarithm
    of that size. With `largest` the largest part counts and not the sum. `units_per_bit` is how
    many of a sum's units make a bit, 0 for a measure that is not in bits.
    """
    sizes = np.arange(most + 1, dtype=np.int64)
    log2 = np.log2(np.maximum(sizes, 1).astype(np.float64))
    assert measure.adds_per_part is not None
    return (
        measure.adds_per_part(sizes),
        measure.takes_largest,
        log2,
        STEPS_PER_BIT if measure.in_steps else 0.0,
    )
