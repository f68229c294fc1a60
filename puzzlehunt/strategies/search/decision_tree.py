"""Decision trees: which guess follows which answers, as arrays."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.kernels.packed_codes import CodeArray, Indices, code_of
from puzzlehunt.rules.notation.clue import Feedback

Numbers = npt.NDArray[np.int64]


def _no_indices() -> Indices:
    return np.zeros(0, dtype=np.intp)


@dataclass(frozen=True, eq=False)
class DecisionTree:
    """N guesses, the nodes, each after the answer that leads to it; node 0 is the first guess.

    - `parent` (N,): the node before, -1 for the first; a parent comes before its children
    - `answer` (N,): the index in `feedbacks` of the answer to the guess before, -1 for the first
    - `guess` (N, length): codes as arrays; the winning answer to a guess has no node. In a game of
      questions alone, an answer that leaves one candidate has none either
    - `total` (N,): how many guesses all candidates of a node take in sum, this guess included
    - `start`, `stop` (N,), `order` (C,): the candidates of node n are `order[start[n]:stop[n]]`,
      indices of secrets. Each guess refines the ranges of the one before (partition refinement:
      Paige and Tarjan, 1987). A tree that was read from a file has no candidates.
    """

    parent: Indices
    answer: Indices
    guess: CodeArray
    total: Numbers
    feedbacks: Sequence[Feedback]
    start: Indices = field(default_factory=_no_indices)
    stop: Indices = field(default_factory=_no_indices)
    order: Indices = field(default_factory=_no_indices)

    def __len__(self) -> int:
        return len(self.parent)

    @cached_property
    def depth(self) -> Indices:
        """(N,): the number of guesses before each node."""
        depth, above = np.zeros(len(self), dtype=np.intp), self.parent
        while (below := above >= 0).any():
            depth += below
            above = np.where(below, self.parent[above], -1)
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

    def with_totals(self) -> "DecisionTree":
        """Return the tree with `total` counted from its candidates."""
        played = np.append(0, np.cumsum(self.played()))
        total = played[self.stop] - played[self.start] - self.depth * (self.stop - self.start)
        return replace(self, total=total)

    @cached_property
    def _children(self) -> dict[int, dict[Feedback, int]]:
        children: dict[int, dict[Feedback, int]] = {}
        pairs = zip(self.parent.tolist(), self.answer.tolist(), strict=True)
        for node, (parent, answer) in enumerate(pairs):
            if parent >= 0:
                children.setdefault(parent, {})[self.feedbacks[answer]] = node
        return children

    def children(self, node: int) -> dict[Feedback, int]:
        """Return the nodes that follow a guess, by the answer that leads to them."""
        return self._children.get(node, {})

    def code(self, node: int = 0) -> Code:
        """Return the guess of a node."""
        return code_of(self.guess[node])

    def total_of(self, node: int = 0) -> int:
        """Return how many guesses all candidates of a node take in sum."""
        return int(self.total[node])

    def after(self, turns: Iterable[tuple[Code, Feedback]]) -> int | None:
        """Return the node after some turns; None if they leave the tree, or are longer than it."""
        node: int | None = 0
        for guess, feedback in turns:
            if node is None or self.code(node) != guess:
                return None
            node = self.children(node).get(feedback)
        return node
