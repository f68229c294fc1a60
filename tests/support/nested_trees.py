"""Decision trees as nested tuples: (guess, total, {answer: tree}), which compare."""

from itertools import count
from typing import TypeAlias

import numpy as np

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.kernels.packed_codes import array_of
from puzzlehunt.rules.notation.clue import Feedback
from puzzlehunt.strategies.search.decision_tree import DecisionTree

Nested: TypeAlias = tuple[Code, int, dict[Feedback, "Nested"]]


def nested(tree: DecisionTree, node: int = 0) -> Nested:
    below = {answer: nested(tree, child) for answer, child in tree.children(node).items()}
    return tree.code(node), tree.total_of(node), below


def flat(whole: Nested) -> DecisionTree:
    parents, guesses, totals, feedbacks = [], [], [], []
    waiting, number = [(-1, (), whole)], count()
    while waiting:
        parent, answer, (guess, total, below) = waiting.pop()
        node = next(number)
        parents.append(parent)
        feedbacks.append(tuple(answer))
        guesses.append(guess)
        totals.append(total)
        waiting += ((node, feedback, tree) for feedback, tree in below.items())
    codes = array_of(guesses, max(map(len, guesses)))
    nodes = np.arange(len(parents))
    return DecisionTree(np.array(parents), nodes, codes, np.array(totals), feedbacks)
