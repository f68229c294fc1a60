"""Decision trees, as arrays, and how those of deterministic strategies grow from a position.

Any strategy can choose the guesses, one position after the other. Those of `OnePly.choose` are also
made in compiled code, for all parts of one depth together. Both compute a measure as a sum of whole
numbers over the parts, in the same fixed point, and order ties alike.

Work is counted in scores: one guess scored against one candidate.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import import_module
from typing import Any

import numpy as np

from puzzlehunt.codes.alphabet import PAD, Code
from puzzlehunt.errors import StrategyError
from puzzlehunt.kernels import fast
from puzzlehunt.kernels.feedback_matrix import unsigned_type
from puzzlehunt.kernels.packed_codes import CodeArray, Indices, Mask, PackedCodes, array_of, code_of
from puzzlehunt.kernels.problem import Numbers
from puzzlehunt.rules.notation.clue import Feedback
from puzzlehunt.strategies.base import Strategy
from puzzlehunt.strategies.measures import BITS, STEPS_PER_BIT, Measure
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.symmetry import is_first_of_orders, orbit_representatives

Progress = Callable[[int], None]
"""A callback: its argument is the number of wanted secrets played since the last call."""

_SMALL = 2_000_000
"""Up to this many scores in the first position, numba is not used: loading it takes longer."""
_LEAST_ORDERED = 10_000_000
"""From so many scores after each guess on, guesses that an order of positions makes alike are left
out: to find them takes longer for fewer."""
_LARGEST_TABLE = 400_000_000
"""Cap on a table of every guess and secret (cells), where a rule is not two popcounts."""
_MOST_SYMBOLS = 63
"""Largest alphabet whose sets of symbols fit one 64-bit word."""
_MOST_FEEDBACKS = 1 << 16
"""A rule has at most this many feedbacks; their indices are stored in 16 bits."""


@dataclass(frozen=True, eq=False)
class DecisionTree:
    """N guesses, the nodes, each after the answer that leads to it; node 0 is the first guess.

    - `parent` (N,): the node before, -1 for the first; a parent comes before its children
    - `answer` (N,): the index in `feedbacks` of the answer to the guess before, -1 for the first
    - `guess` (N, length): codes as arrays; the winning answer to a guess has no node. In a game of
      questions alone, an answer that leaves one candidate has none either
    - `start`, `stop` (N,), `order` (C,): the candidates of node n are `order[start[n]:stop[n]]`,
      indices of secrets. Each guess refines the ranges of the one before (partition refinement:
      Paige and Tarjan, 1987)
    """

    parent: Indices
    answer: Indices
    guess: CodeArray
    feedbacks: Sequence[Feedback]
    start: Indices
    stop: Indices
    order: Indices

    def __len__(self) -> int:
        return len(self.parent)

    @cached_property
    def depth(self) -> Indices:
        """(N,): the number of guesses before each node."""
        depth, ancestor = np.zeros(len(self), dtype=np.intp), self.parent
        while (has_one := ancestor >= 0).any():
            depth += has_one
            ancestor = np.where(has_one, self.parent[ancestor], -1)
        return depth

    def left(self) -> Numbers:
        """Return (T + 1, C): candidates left after 0, 1, ... T guesses if each is the secret.

        The columns are in the order of `order`. After the end of a game, there are 0.
        """
        left = np.zeros((int(self.depth.max()) + 1, len(self.order)), dtype=np.int64)
        ranges = zip(self.depth.tolist(), self.start.tolist(), self.stop.tolist(), strict=True)
        for depth, start, stop in ranges:
            left[depth, start:stop] = stop - start
        return left

    def played(self) -> Numbers:
        """Return (C,): guesses until each candidate, in the order of `order`, is played."""
        return np.asarray(np.count_nonzero(self.left(), axis=0))

    def known(self) -> Numbers:
        """Return (C,): guesses until each candidate is the only one left."""
        return np.asarray(np.count_nonzero(self.left() > 1, axis=0))

    @cached_property
    def total(self) -> Numbers:
        """(N,): how many guesses all candidates of a node take in sum, its guess included."""
        sums = np.append(0, np.cumsum(self.played()))  # of the first 0, 1, 2, ... candidates
        candidates = self.stop - self.start
        return np.asarray(sums[self.stop] - sums[self.start] - self.depth * candidates)

    def counts(self) -> dict[str, int]:
        """Return how many secrets there are, and the guesses that they take.

        `total` and `worst`: sum and most of the guesses to play a secret; `known`: sum to know it.
        """
        played, known = self.played(), self.known()
        total, worst = int(played.sum()), int(played.max())
        return {"secrets": len(played), "total": total, "known": int(known.sum()), "worst": worst}

    @cached_property
    def children(self) -> list[dict[Feedback, int]]:
        """For each node, the nodes that follow it, by the answer that leads to them."""
        children: list[dict[Feedback, int]] = [{} for _ in range(len(self))]
        pairs = zip(self.parent.tolist(), self.answer.tolist(), strict=True)
        for node, (parent, answer) in enumerate(pairs):
            if parent >= 0:
                children[parent][self.feedbacks[answer]] = node
        return children


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
    node. Compiled code, where it `suits` and pays its loading, makes the same tree.

    Raises StrategyError for an uninformative guess.
    """
    rows = position.pool.guesses
    scores = len(position.candidates) * len(position.secrets if rows is None else rows)
    compiled = scores > _SMALL and suits(position, strategy)
    guess = strategy.choose(position) if opening is None else position.row(opening)
    tree = _Tree(position, wanted, progress)
    (_grow_compiled if compiled else _grow_plainly)(tree, strategy, guess)
    return tree.finished()


def suits(position: Position, strategy: Strategy) -> bool:
    """Return whether compiled code can make the same guesses as a strategy."""
    measure, game, rows = strategy.measured, position.game, position.pool.guesses
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


def _grow_plainly(tree: "_Tree", strategy: Strategy, guess: PackedCodes) -> None:
    """Grow the tree of any strategy from its first guess on, depth first."""
    position, part, feedbacks = tree.position, tree.root, tree.position.game.rule.feedbacks
    waiting: list[tuple[Position, Code, Numbers]] = []
    while True:
        code = code_of(guess.codes[0])
        parts = tree.play(part, guess)
        _, starts, stops, *_ = parts
        # The small parts are taken first: a search of the whole position may serve them, too.
        largest_first = parts[:, np.argsort(starts - stops, kind="stable")]
        waiting += [(position, code, column) for column in largest_first.T]
        if not waiting:
            return
        before, code, part = waiting.pop()
        _, start, stop, answer, _ = part.tolist()
        position = before.after(code, tree.order[start:stop].copy(), feedbacks[answer])
        guess = strategy.choose(position)


def _grow_compiled(tree: "_Tree", strategy: Strategy, guess: PackedCodes) -> None:
    """Grow the tree of a strategy that `suits` from its first guess on, breadth first."""
    parts = tree.play(tree.root, guess)
    assert strategy.measured is not None
    chooser = _Chooser(tree.position, strategy.measured, tree.order)
    while parts.shape[1]:
        guess, answers = chooser.play(parts, guess.codes)
        parts = tree.divide(parts, guess.codes, answers)


class _Tree:
    """A tree under construction: the nodes so far, and `order`, the secrets of the parts.

    A part that waits for a guess is a column: its node, its range `order[start:stop]`, and from the
    last step the answer that leads to it and the index of the part that was divided.
    """

    def __init__(self, position: Position, wanted: Mask | None, progress: Progress) -> None:
        self.position, self.progress = position, progress
        self.order = position.candidates.astype(np.int64)
        self.root = np.array([0, 0, len(self.order), -1, -1])
        self._wanted = np.ones(len(position.secrets), np.bool_) if wanted is None else wanted
        self._nodes = [np.array([[-1], [-1], [0], [len(self.order)]])]
        self._count = 1
        self._guessed: list[tuple[Numbers, CodeArray]] = []

    def finished(self) -> DecisionTree:
        """Return the tree, once no part waits for a guess."""
        parent, answer, start, stop = np.concatenate(self._nodes, axis=1)
        guesses = self.position.secrets.codes[self.order[start]]
        for nodes, codes in self._guessed:
            guesses[nodes] = codes
        feedbacks = self.position.game.rule.feedbacks
        return DecisionTree(parent, answer, guesses, feedbacks, start, stop, self.order)

    def play(self, part: Numbers, guess: PackedCodes) -> Numbers:
        """Play a guess in one part; return the parts that wait for another."""
        _, start, stop, *_ = part.tolist()
        members = self.position.secrets[self.order[start:stop]]
        answers = self.position.game.rule.table(guess, members)[0]
        return self.divide(part[:, None], guess.codes, answers.astype(np.int64))

    def divide(self, parts: Numbers, guesses: CodeArray, answers: Numbers) -> Numbers:
        """Play one guess in each part; return the parts that wait for another.

        `answers` are the feedback indices of the parts' members, one part after the other. The
        members are put in order of their answers: each answer's range is a part of its own, and a
        node unless it has won or holds no wanted secret. One of several secrets waits for another
        guess. Raises StrategyError for a guess that leaves as many candidates as there were.
        """
        nodes, starts, stops, *_ = parts
        sizes, game = stops - starts, self.position.game
        part_of = np.repeat(np.arange(len(starts)), sizes)
        places = _places(starts, sizes)
        # Members with one key are those of one part that give one answer: a new part.
        keys = part_of * (int(answers.max()) + 1) + answers
        by_answer = np.argsort(keys, kind="stable")
        members, keys = self.order[places][by_answer], keys[by_answer]
        self.order[places] = members
        firsts = np.flatnonzero(np.diff(keys, prepend=-1))
        new_sizes = np.diff(firsts, append=len(keys))
        new_answers, above = answers[by_answer[firsts]], part_of[firsts]
        undivided = np.flatnonzero((new_sizes > 1) & (new_sizes == sizes[above]))
        if len(undivided):
            guess = game.format_code(code_of(guesses[above[undivided[0]]]))
            text = f"the guess {guess} tells nothing; it cannot end"
            raise StrategyError(f"{game.play.strategy_name}: {text}")
        self._guessed.append((nodes, guesses))
        needed = np.logical_or.reduceat(self._wanted[members], firsts)
        waits = needed & (new_sizes > 1)
        has_node = waits
        if not game.only_questions:  # a secret that is known has still to be played
            has_node = needed & (new_answers != game.rule.winning_index)
        new_nodes = self._count + np.cumsum(has_node) - 1
        self._count += int(has_node.sum())
        ranges = places[firsts], places[firsts] + new_sizes
        self._nodes.append(np.stack((nodes[above], new_answers, *ranges))[:, has_node])
        self.progress(int(np.count_nonzero(needed & ~waits)))
        return np.stack((new_nodes, *ranges, new_answers, above))[:, waits]


def _places(starts: Numbers, sizes: Numbers) -> Numbers:
    """Return the indices of some ranges, one range after the other."""
    sizes_before = np.cumsum(sizes) - sizes
    return np.asarray(np.arange(sizes.sum()) + np.repeat(starts - sizes_before, sizes))


class _Chooser:
    """Chooses the best guess of many parts at once by a measure of one ply.

    Guesses and secrets are indices in `self.guesses` and `position.secrets`. `past` (parts, turns,
    length) are the guesses that led to each part.
    """

    def __init__(self, position: Position, measure: Measure, order: Numbers) -> None:
        self.position, self.order = position, order
        self.kernels = import_module("puzzlehunt.kernels.compiled.one_ply")
        secrets, size = position.secrets, len(position.secrets)
        guesses, guess_of = position.pool.guesses, position.pool.guess_of
        if guesses is None or guess_of is None:
            guesses, guess_of = secrets, np.arange(size)
        self.guesses, self.representatives = guesses, cache(self._representatives)
        rule, sizes = position.game.rule, np.arange(size + 1)
        assert measure.adds_per_part is not None
        # Each popcount is 0 to the length. Answers by bits have numbers of their own, not those of
        # feedbacks: they need only differ.
        stride = 0 if rule.pair_offsets is None else rule.length + 1
        answers = stride * stride or len(rule.feedbacks)
        no_table = np.zeros((0, 0), unsigned_type(answers))
        self.setup: Any = self.kernels.Setup(
            table=no_table if stride else rule.table(guesses, secrets),
            position_bits=guesses.bits[0],
            count_bits=guesses.bits[1],
            secret_position_bits=secrets.bits[0],
            secret_count_bits=secrets.bits[1],
            stride=stride,
            answers=answers,
            summands=measure.adds_per_part(sizes),
            largest=measure.takes_largest,
            log2=np.log2(np.maximum(sizes, 1)),
            units_per_bit=STEPS_PER_BIT if measure.unit == BITS else 0.0,
            guess_of=guess_of.astype(np.int64),
            candidates_first=position.game.play.ties == "candidate",
        )
        self.past = array_of(position.past_guesses, guesses.codes.shape[1])[None]
        self.symbol_bits = np.zeros(PAD + 1, np.uint64)  # none where no symbols are alike
        lengths = {*position.game.secrets.lengths, *position.game.guesses.lengths}
        self.symmetric = position.used_symbols is not None and len(lengths) == 1
        if position.used_symbols is not None:
            self.symbol_bits[:_MOST_SYMBOLS] = 1 << np.arange(_MOST_SYMBOLS)

    def play(self, parts: Numbers, guesses: CodeArray) -> tuple[PackedCodes, Numbers]:
        """Return the best guess of each part, and the feedback index of each member.

        One of `guesses` was played in each of the parts before.
        """
        _, starts, stops, _, above = parts
        sizes = stops - starts
        members = self.order[_places(starts, sizes)]
        self.past = np.concatenate((self.past, guesses[:, None]), axis=1)[above]
        used = np.bitwise_or.reduce(self.symbol_bits[self.past], axis=(1, 2))
        scores, symbols = len(members) * len(self.guesses), len(self.position.game.alphabet)
        few = self.symmetric and scores >= _LEAST_ORDERED * len(guesses)
        keys, chosen = above if few else used, np.empty(len(starts), np.int64)
        for key in np.unique(keys).tolist():
            alike = np.flatnonzero(keys == key)
            tried, past = self.representatives(int(used[alike[0]])), self.past[alike[0]]
            if few:
                tried = tried[is_first_of_orders(self.guesses.codes[tried], symbols, past)]
            chosen[alike] = self.kernels.choose_many(
                self.setup, self.order, starts[alike], stops[alike], tried
            )
        return self.guesses[chosen], self._answers(np.repeat(chosen, sizes), members)

    def _answers(self, guesses: Indices, members: Indices) -> Numbers:
        """Return (members,): the feedback index of each of these secrets for its guess."""
        setup = self.setup
        offsets = self.position.game.rule.pair_offsets
        if offsets is None:
            return np.asarray(setup.table[guesses, members], dtype=np.int64)
        in_place, repeats = (
            np.bitwise_count(of_guesses[guesses] & of_secrets[members]).sum(axis=1, dtype=np.int64)
            for of_guesses, of_secrets in (
                (setup.position_bits, setup.secret_position_bits),
                (setup.count_bits, setup.secret_count_bits),
            )
        )
        return np.asarray(offsets[repeats] + in_place, dtype=np.int64)

    def _representatives(self, used: int) -> Indices:
        """Return one guess of each class that is equivalent but for symbols outside `used`.

        The symbols are the bits of `used`. Empty if only the candidates of a part may be guessed.
        """
        if self.position.pool.guesses is None:
            return np.zeros(0, np.int64)
        symbols = None
        if self.position.used_symbols is not None:
            symbols = frozenset(s for s in range(_MOST_SYMBOLS) if used >> s & 1)
        return orbit_representatives(
            replace(self.position, used_symbols=symbols), self.guesses.codes
        )
