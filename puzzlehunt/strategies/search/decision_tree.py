"""Decision trees: which guess follows which answers, as arrays."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.kernels.packed_codes import CodeArray, Indices, code_of
from puzzlehunt.rules.notation.clue import Feedback

Numbers = npt.NDArray[np.int64]


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

        `total` and `worst` are the sum and the most of the guesses until a secret is played,
        `known` is the sum until it is known.
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

    def code(self, node: int = 0) -> Code:
        """Return the guess of a node."""
        return code_of(self.guess[node])
