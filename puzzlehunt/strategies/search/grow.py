"""Decision trees of deterministic strategies, grown from a position.

`grow_plainly` is the specification: it works for any strategy, one position after the other.
`TreeBuilder` makes the guesses of `OnePly.choose` in compiled code. Both compute a measure as a sum
of whole numbers over the parts, in the same fixed point, and order ties alike. Large parts are
played one by one, with their guesses shared among the cores; small parts are played many at a time.

Work is counted in scores: one guess scored against one candidate.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import StrategyError
from puzzlehunt.game.game import Game
from puzzlehunt.kernels import fast
from puzzlehunt.kernels.feedback_matrix import unsigned_type
from puzzlehunt.kernels.packed_codes import (
    CodeArray,
    Indices,
    Mask,
    PackedCodes,
    array_of,
    code_of,
)
from puzzlehunt.rules.base import Rule
from puzzlehunt.strategies.base import Strategy
from puzzlehunt.strategies.measures import STEPS_PER_BIT, Measure
from puzzlehunt.strategies.position import MOST_SCORES, Position, rng_of
from puzzlehunt.strategies.search.decision_tree import DecisionTree, Numbers
from puzzlehunt.strategies.symmetry import (
    needed_orders,
    orbit_representatives,
    symbol_orders,
)

Progress = Callable[[int], None]
"""A callback: its argument is the number of wanted secrets played since the last call."""

_SMALL = 2_000_000
"""Up to this many scores in the first position, numba is not used: loading it takes longer."""
_LARGE = 5_000_000
"""The guesses of a part are shared among the cores if it has at least this many scores."""
_SMALL_BATCH = 3_000_000_000
"""The waiting small parts are played before the large ones if they have this many scores in all."""
_LARGEST_TABLE = 400_000_000
"""Cap on a table of every guess and secret (cells), where a rule is not two popcounts."""
_MOST_SYMBOLS = 63
"""Largest alphabet whose sets of symbols fit one 64-bit word."""
_MOST_FEEDBACKS = 1 << 16
"""A rule has at most this many feedbacks; their indices are stored in 16 bits."""


def grow(
    position: Position,
    strategy: Strategy,
    opening: Code | None = None,
    wanted: Mask | None = None,
    progress: Progress = lambda _done: None,
) -> DecisionTree:
    """Return the decision tree of a strategy, which begins at a position.

    The first guess is `opening`, if given; otherwise the strategy chooses it. `wanted` (S,) marks
    the secrets that the tree must find (None: all): an answer that leaves none of them gets no
    node. Raises StrategyError for an uninformative guess.
    """
    rows = position.pool.guesses
    scores = len(position.candidates) * len(position.secrets if rows is None else rows)
    compiled = scores > _SMALL and suits(position, strategy)
    return (grow_compiled if compiled else grow_plainly)(
        position, strategy, opening, wanted, progress
    )


def suits(position: Position, strategy: Strategy) -> bool:
    """Return whether `grow_compiled` can make the same guesses as a strategy."""
    game, rows = position.game, position.pool.guesses
    measure = strategy.measured
    if measure is None or measure.adds_per_part is None:
        return False
    guesses = len(position.secrets if rows is None else rows)
    pairs = game.rule.pair_offsets is not None
    return (
        fast.is_installed()
        and not (measure.uses_weights and position.weights is not None)
        and position.observation is None
        and not game.hard
        and len(position.candidates) > 1
        and (position.budget.guesses or guesses) >= guesses
        and position.budget.seconds is None
        and len(game.rule.feedbacks) <= _MOST_FEEDBACKS
        and (pairs or guesses * len(position.secrets) <= _LARGEST_TABLE)
        and (position.used_symbols is None or len(game.alphabet) <= _MOST_SYMBOLS)
    )


def grow_plainly(
    position: Position,
    strategy: Strategy,
    opening: Code | None = None,
    wanted: Mask | None = None,
    progress: Progress = lambda _done: None,
) -> DecisionTree:
    """Grow the tree of any strategy in plain Python, depth first."""
    rule, order = position.game.rule, position.candidates.copy()
    wanted = np.ones(len(position.secrets), np.bool_) if wanted is None else wanted
    nodes: list[tuple[int, int, int, int]] = []
    guesses: list[CodeArray] = []
    waiting: list[tuple[int, int, int, int, Position | None]] = [(-1, -1, 0, len(order), None)]
    while waiting:
        parent, answer, start, stop, before = waiting.pop()
        node, members = len(nodes), order[start:stop].copy()
        nodes.append((parent, answer, start, stop))
        if before is None:
            here, guess = position, _first_guess(position, strategy, opening)
        elif len(members) == 1:
            guesses.append(position.secrets.codes[members[0]])
            progress(1)
            continue
        else:
            here = before.after(code_of(guesses[parent]), members, rule.feedbacks[answer])
            guess = strategy.choose(here)
        guesses.append(guess.codes[0])
        parts = list(parts_of(here, guess))
        order[start:stop] = np.concatenate([candidates for _, candidates in parts])
        for index, candidates in reversed(parts):
            stop -= len(candidates)
            asked = int(np.count_nonzero(wanted[candidates]))
            is_known = len(candidates) == 1 and position.game.only_questions
            if index == rule.winning_index or is_known:
                progress(asked)
            elif asked:
                waiting.append((node, index, stop, stop + len(candidates), here))
    return _tree_of(rule, np.array(nodes, dtype=np.intp).T, np.array(guesses), order)


def _tree_of(rule: Rule, nodes: Indices, guesses: CodeArray, order: Indices) -> DecisionTree:
    """Return the tree of nodes (4, N): parent, answer, start, stop."""
    parent, answer, start, stop = nodes
    none = np.zeros(0, dtype=np.int64)
    tree = DecisionTree(parent, answer, guesses, none, rule.feedbacks, start, stop, order)
    return tree.with_totals()


def _first_guess(position: Position, strategy: Strategy, opening: Code | None) -> PackedCodes:
    if opening is None:
        return strategy.choose(position)
    return position.game.rule.rows(array_of([opening], position.game.length))


def parts_of(position: Position, guess: PackedCodes) -> Iterator[tuple[int, Indices]]:
    """Yield the index of each answer to a guess, and the indices of the candidates it leaves.

    Raises StrategyError for a guess that leaves as many candidates as there were.
    """
    answers = position.game.rule.table(guess, position.secrets[position.candidates])[0]
    for index in np.unique(answers).tolist():
        candidates = position.candidates[answers == index]
        if len(candidates) == len(position.candidates) > 1:
            raise tells_nothing(position.game, code_of(guess.codes[0]))
        yield index, candidates


def tells_nothing(game: Game, guess: Code) -> StrategyError:
    """Return the error for a guess that leaves as many candidates as there were."""
    text = f"the guess {game.format_code(guess)} tells nothing; it cannot end"
    return StrategyError(f"{game.play.strategy_name}: {text}")


def grow_compiled(
    position: Position,
    strategy: Strategy,
    opening: Code | None = None,
    wanted: Mask | None = None,
    progress: Progress = lambda _done: None,
) -> DecisionTree:
    """Return the tree of `grow_plainly`, with its nodes in another order.

    Only for positions and strategies for which `suits` returns true.
    """
    builder = TreeBuilder(position, strategy, wanted)
    guess = _first_guess(position, strategy, opening)
    progress(builder.play_guess(0, 0, len(position.candidates), guess))
    while builder.large or builder.small:
        if builder.large and builder.small_work < _SMALL_BATCH:
            progress(builder.play_large(*builder.large.pop()))
        else:
            progress(builder.play_small())
    return builder.tree()


class TreeBuilder:
    """A tree under construction: the nodes so far, and the parts that wait for a guess.

    Secrets and guesses are indices in `position.secrets` and `self.guesses`. A part is a node and
    its range `order[start:stop]` of secrets. `part_start` (S,) is the start of each secret's part,
    or -1 if no part that waits for a guess holds the secret. `used` (S,) is the set of symbols, one
    bit each, in the guesses that led to the secret's part.
    """

    def __init__(self, position: Position, strategy: Strategy, wanted: Mask | None) -> None:
        self.position = position
        self.strategy = strategy
        self.kernels = import_module("puzzlehunt.kernels.compiled.one_ply")
        rule, secrets = position.game.rule, position.secrets
        size = len(secrets)
        self.candidates_only = position.pool.guesses is None
        self.guesses = secrets if position.pool.guesses is None else position.pool.guesses
        guess_of = np.arange(size) if self.candidates_only else position.pool.guess_of
        self.guess_of: Numbers = np.asarray(guess_of, dtype=np.int64)
        assert strategy.measured is not None

        self.order = position.candidates.astype(np.int64)
        self.wanted = np.ones(size, dtype=np.bool_) if wanted is None else wanted
        self.part_start = np.full(size, -1, dtype=np.int64)
        self.part_start[self.order] = 0
        secret_of = np.full(len(self.guesses), -1, dtype=np.int64)
        guessable = np.flatnonzero(self.guess_of >= 0)
        secret_of[self.guess_of[guessable]] = guessable
        candidates_first = position.ties == "candidate"
        self.setup: Any = self.kernels.Setup(
            self.kernels.Scoring(*_scoring_of(rule, self.guesses, secrets)),
            self.kernels.Summands(*_summands_of(strategy.measured, size)),
            self.kernels.Ties(secret_of, self.guess_of, self.part_start, candidates_first),
            len(rule.feedbacks),
        )

        self.used = np.zeros(size, dtype=np.uint64)
        for symbol in position.used_symbols or ():
            if 0 <= symbol < _MOST_SYMBOLS:
                self.used |= np.uint64(1 << symbol)
        self.representatives_of: dict[int, Indices] = {}
        self.orders = np.zeros(len(self.guesses), dtype=np.uint64)
        if position.used_symbols is not None and not self.candidates_only:
            self.orders = symbol_orders(self.guesses.codes, len(position.game.alphabet))
        self.held = self._symbol_sets(secrets)
        self.large: list[tuple[int, int, int]] = []
        self.small: list[tuple[int, int, int]] = []
        self.small_work = 0

        first = np.array([[-1], [-1], [0], [len(self.order)]], dtype=np.intp)
        self.nodes: list[Indices] = [first]
        self.node_count = 1
        self.guessed: list[tuple[Indices, CodeArray]] = []

    def tree(self) -> DecisionTree:
        """Return the finished tree, once no part waits for a guess."""
        nodes = np.concatenate(self.nodes, axis=1)
        guesses = self.position.secrets.codes[self.order[nodes[2]]]
        for played, codes in self.guessed:
            guesses[played] = codes
        return _tree_of(self.position.game.rule, nodes, guesses, self.order)

    def _symbol_sets(self, guesses: PackedCodes) -> npt.NDArray[np.uint64]:
        """Return each guess's symbols, one bit each; 0 where symbols are never interchangeable."""
        sets = np.zeros(len(guesses), dtype=np.uint64)
        if self.position.used_symbols is not None:
            for column in guesses.codes.T:
                bits = np.uint64(1) << np.minimum(column, _MOST_SYMBOLS).astype(np.uint64)
                sets |= np.where(column < _MOST_SYMBOLS, bits, np.uint64(0))
        return sets

    def _position(self, used: int, **changes: Any) -> Position:
        """Return the position after guesses whose symbols are the bits of `used`."""
        symbols = None
        if self.position.used_symbols is not None:
            symbols = frozenset(s for s in range(_MOST_SYMBOLS) if used >> s & 1)
        return replace(self.position, used_symbols=symbols, nothing_known=False, **changes)

    def _representatives(self, used: int) -> Indices:
        """Return one guess of each class that is equivalent but for symbols outside `used`."""
        if used not in self.representatives_of:
            found = orbit_representatives(self._position(used), self.guesses.codes)
            self.representatives_of[used] = found
        return self.representatives_of[used]

    def _needed(self, members: Indices, firsts: Indices) -> npt.NDArray[np.uint64]:
        """Return (parts,): the bits of `orders` that the first of alike guesses has in each part.

        Each part begins at an index of `firsts` in `members`. Guesses are alike if they differ by
        symbols that no member holds, or by symbols that were not guessed.
        """
        if self.position.used_symbols is None:
            return np.zeros(len(firsts), np.uint64)
        every = np.uint64((1 << min(len(self.position.game.alphabet), _MOST_SYMBOLS)) - 1)
        held = np.bitwise_or.reduceat(self.held[members], firsts)
        needed = np.zeros(len(firsts), np.uint64)
        for symbols in (every & ~held, held & ~self.used[members[firsts]]):
            sets, of_part = np.unique(symbols, return_inverse=True)
            bits = [needed_orders(symbols) for symbols in sets.tolist()]
            needed |= np.array(bits, np.uint64)[of_part]
        return needed

    def play_large(self, node: int, start: int, stop: int) -> int:
        """Play the best guess in one part; return how many wanted secrets are played."""
        members = self.order[start:stop]
        used = int(self.used[members[0]])
        tried = members
        if not self.candidates_only:
            tried, needed = self._representatives(used), self._needed(members, np.zeros(1, np.intp))
            tried = tried[self.orders[tried] & needed == needed]
        # `suits` admits only budgets that cover all guesses. Without one, the strategy tries only a
        # sample of them where they are many.
        tries_all = self.position.budget.guesses is not None
        if not tries_all and len(tried) * len(members) > MOST_SCORES:
            rng = rng_of(self.position.game, members)
            after = self._position(used, candidates=members.copy(), rng=rng)
            return self.play_guess(node, start, stop, self.strategy.choose(after))
        best = self.kernels.choose_one(self.setup, tried, self.order, start, stop)
        return self.play_guess(node, start, stop, self.guesses[np.array([best])])

    def play_guess(self, node: int, start: int, stop: int, guess: PackedCodes) -> int:
        """Play a given guess in one part; return how many wanted secrets are played."""
        members = self.order[start:stop]
        answers = self.position.game.rule.table(guess, self.position.secrets[members])[0]
        part = np.array([[node], [start], [stop]])
        return self._divide(part, guess, answers.astype(np.int64))

    def play_small(self) -> int:
        """Play the best guess in each small part; return how many wanted secrets are played."""
        parts = np.array(self.small, dtype=np.int64).T.copy()
        _, starts, stops = parts
        self.small, self.small_work = [], 0
        tried, ends = np.zeros(0, np.int64), np.zeros(1, np.int64)
        list_of = np.full(len(starts), -1)
        if not self.candidates_only:
            used_sets, list_of = np.unique(self.used[self.order[starts]], return_inverse=True)
            lists = [self._representatives(int(used)) for used in used_sets]
            tried = np.concatenate(lists)
            ends = np.cumsum([0, *map(len, lists)])
        ranges = [self.order[start:stop] for start, stop in zip(starts, stops, strict=True)]
        members, sizes = np.concatenate(ranges), stops - starts
        needed = self._needed(members, np.cumsum(sizes) - sizes)
        guesses = self.kernels.GuessLists(tried, ends, list_of, self.orders, needed)
        chosen = self.kernels.choose_many(self.setup, self.order, starts, stops, guesses)
        answers = self._answers(np.repeat(chosen, sizes), members)
        return self._divide(parts, self.guesses[chosen], answers)

    def _answers(self, guesses: Indices, members: Indices) -> Numbers:
        """Return (members,): the feedback index of each of these secrets for its guess."""
        scoring = self.setup.scoring
        offsets = self.position.game.rule.pair_offsets
        if offsets is None:
            return np.asarray(scoring.table[guesses, members], dtype=np.int64)
        in_place, repeats = (
            np.bitwise_count(of_guesses[guesses] & of_secrets[members]).sum(axis=1, dtype=np.int64)
            for of_guesses, of_secrets in (
                (scoring.position_bits, scoring.secret_position_bits),
                (scoring.count_bits, scoring.secret_count_bits),
            )
        )
        return np.asarray(offsets[repeats] + in_place, dtype=np.int64)

    def _divide(self, parts: Numbers, guesses: PackedCodes, answers: Numbers) -> int:
        """Play one guess in each part (3, parts).

        `answers` are the feedback indices of the parts' members, one part after the other. The
        members are put in order of their answers: each answer's range is a part of its own, and a
        node unless it has won or holds no wanted secret. One of several secrets waits for another
        guess.
        """
        nodes, starts, stops = parts
        sizes, winning = stops - starts, self.position.game.rule.winning_index
        part = np.repeat(np.arange(len(starts)), sizes)
        places = np.arange(len(part)) + (starts - np.cumsum(sizes) + sizes)[part]
        keys = part * (int(answers.max()) + 1) + answers
        by_answer = np.argsort(keys, kind="stable")
        members, keys = self.order[places][by_answer], keys[by_answer]
        self.order[places] = members
        firsts = np.flatnonzero(np.diff(keys, prepend=-1))
        new_sizes = np.diff(firsts, append=len(keys))
        new_answers, above = answers[by_answer[firsts]], part[firsts]
        won = new_answers == winning
        undivided = np.flatnonzero((new_sizes == sizes[above]) & ~won)
        if len(undivided):
            guess = code_of(guesses.codes[above[undivided[0]]])
            raise tells_nothing(self.position.game, guess)

        self.guessed.append((nodes, guesses.codes))
        self.used[members] |= self._symbol_sets(guesses)[part]
        needed = np.logical_or.reduceat(self.wanted[members], firsts)
        follows = needed & ~won
        waits = follows & (new_sizes > 1)
        if self.position.game.only_questions:
            follows = waits
        self.part_start[members] = np.repeat(np.where(waits, places[firsts], -1), new_sizes)
        new_starts = places[firsts]
        ranges = new_starts, new_starts + new_sizes
        added = np.stack((nodes[above], new_answers, *ranges))[:, follows]
        self.nodes.append(added.astype(np.intp))
        numbers = self.node_count + np.cumsum(follows) - 1
        self.node_count += added.shape[1]
        for node, start, stop in np.stack((numbers, *ranges))[:, waits].T.tolist():
            used, work = int(self.used[self.order[start]]), stop - start
            work *= work if self.candidates_only else len(self._representatives(used))
            if work >= _LARGE:
                self.large.append((node, start, stop))
            else:
                self.small.append((node, start, stop))
                self.small_work += work
        return int(np.count_nonzero(needed & ~waits))


def _scoring_of(rule: Rule, guesses: PackedCodes, secrets: PackedCodes) -> tuple[Any, ...]:
    """Return the fields of the kernels' `Scoring`."""
    bits = secrets.position_bits, secrets.count_bits
    if rule.pair_offsets is None:
        none = np.zeros((0, 1), np.uint64)
        return rule.table(guesses, secrets), none, none, *bits, 0, len(rule.feedbacks)
    counts = rule.length + 1  # each popcount is 0 to the length
    answers = counts if rule.pair_offsets[-1] == 0 else counts * counts
    none = np.zeros((0, 0), unsigned_type(answers))
    stride = counts if answers > counts else 0
    return none, guesses.position_bits, guesses.count_bits, *bits, stride, answers


def _summands_of(measure: Measure, most: int) -> tuple[Any, ...]:
    """Return the fields of the kernels' `Summands`, for parts of 0 to `most` candidates."""
    sizes = np.arange(most + 1, dtype=np.int64)
    log2 = np.log2(np.maximum(sizes, 1).astype(np.float64))
    assert measure.adds_per_part is not None
    steps = STEPS_PER_BIT if measure.in_steps else 0.0
    return measure.adds_per_part(sizes), measure.takes_largest, log2, steps
