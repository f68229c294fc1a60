"""Decision trees as nested tuples: (guess, total, {answer: tree}), which compare."""

from typing import TypeAlias

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.rules.notation.clue import Feedback
from puzzlehunt.strategies.search.decision_tree import DecisionTree

Nested: TypeAlias = tuple[Code, int, dict[Feedback, "Nested"]]


def nested(tree: DecisionTree, node: int = 0) -> Nested:
    below = {answer: nested(tree, child) for answer, child in tree.children(node).items()}
    return tree.code(node), int(tree.total[node]), below
