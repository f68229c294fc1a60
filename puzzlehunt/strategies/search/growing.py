"""The decision tree of a deterministic strategy, grown from a position guess by guess."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import StrategyError
from puzzlehunt.game.game import Game
from puzzlehunt.kernels.packed_codes import Indices, Mask, PackedCodes, array_of, code_of
from puzzlehunt.rules.notation.clue import Feedback
from puzzlehunt.strategies.base import Strategy
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.search.tree import Tree


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A guess in a grown tree, and the candidates that each of its answers leaves.

    `depth` is how many guesses were made before this one, `answer` the feedback to the last of them
    (None for the first guess of a tree). `parts` are in the order of the rule's feedbacks;
    candidates are places in `position.secrets`.
    """

    position: Position
    guess: Code
    depth: int
    answer: Feedback | None
    parts: tuple[tuple[Feedback, Indices], ...]


def grown(
    position: Position,
    strategy: Strategy,
    opening: Code | None = None,
    wanted: Mask | None = None,
) -> Iterator[Node]:
    """Yield a strategy's guesses, each before the guesses that follow its answers.

    The first guess is `opening`, if given. A candidate that is the only one left is guessed next,
    without a node. Answers that leave no secret of `wanted` (S,) are not followed; None wants all.
    Raises StrategyError for a guess that tells nothing.
    """
    winning = position.game.rule.winning
    guess = guess_of(position, strategy, opening)
    node = Node(position, code_of(guess.codes[0]), 0, None, tuple(parts_of(position, guess)))
    waiting: list[tuple[Node, Feedback, Indices]] = []
    while True:
        yield node
        waiting += (
            (node, feedback, candidates)
            for feedback, candidates in reversed(node.parts)
            if feedback != winning
            and len(candidates) > 1
            and (wanted is None or wanted[candidates].any())
        )
        if not waiting:
            return
        before, answer, candidates = waiting.pop()
        position = before.position.after(before.guess, candidates, answer)
        guess = strategy.choose(position)
        parts = tuple(parts_of(position, guess))
        node = Node(position, code_of(guess.codes[0]), before.depth + 1, answer, parts)


def guess_of(position: Position, strategy: Strategy, opening: Code | None) -> PackedCodes:
    """Return what is guessed in a position, as arrays of one row: the opening, if given."""
    if opening is None:
        return strategy.choose(position)
    return position.game.rule.rows(array_of([opening], position.game.length))


def parts_of(position: Position, guess: PackedCodes) -> Iterator[tuple[Feedback, Indices]]:
    """Yield the answers to a guess, and the candidates that each leaves (as in `candidates`).

    Raises StrategyError for a guess that leaves as many candidates as there were.
    """
    rule = position.game.rule
    answers = rule.table(guess, position.secrets[position.candidates])[0]
    for index in np.unique(answers):
        feedback, candidates = rule.feedbacks[index], position.candidates[answers == index]
        if len(candidates) == len(position.candidates) > 1:
            raise tells_nothing(position.game, code_of(guess.codes[0]))
        yield feedback, candidates


def tells_nothing(game: Game, guess: Code) -> StrategyError:
    """Return the error of a guess that leaves as many candidates as there were."""
    text = game.format_code(guess)
    name = game.play.strategy_name
    return StrategyError(f"{name}: the guess {text} tells nothing; it cannot end")


def tree_of(nodes: Iterable[Node]) -> Tree:
    """Return a grown tree, with how many guesses the candidates of each node take together."""
    path: list[Tree] = []
    for node in nodes:
        position = node.position
        tree = Tree(node.guess, 0)
        del path[node.depth :]
        if node.answer is not None:
            path[-1].branches[tuple(node.answer)] = tree
        path.append(tree)
        total = len(position.candidates)
        for feedback, candidates in node.parts:
            if len(candidates) == 1 and feedback != position.game.rule.winning:
                tree.branches[tuple(feedback)] = Tree(position.candidate_at(candidates[0]))
                total += 1
        for above in path:
            above.total += total
    return path[0]
