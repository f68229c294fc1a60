"""Candidates of a huge space by local search: many seeded chains of codes come nearer to fitting.

The search serves any rule, in plain arrays. No solver is involved, so a sample depends on the seed
alone. It serves while candidates are many; late in a game chains get stuck and find none.
"""

import random
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import AllOf, Constraint
from puzzlehunt.codes.spaces import CodeSpace
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Item, Turn
from puzzlehunt.kernels.packed_codes import CodeArray, array_of, where_holds
from puzzlehunt.rules.notation.tiles import TileClue

_CHAINS = 256
"""Chains that run side by side."""
_STEPS = 1200
"""Steps of each chain, at most. No restarts: chains that go on, also from a candidate, found five
times as many as chains that began anew every 150 steps."""
_TEMPERATURE = 0.45
"""A step that leads a distance d further away is taken with probability exp(-d / temperature)."""
_MOST_FEEDBACKS = 10_000
"""Rules of tiles with more feedbacks have distances computed one by one, as they are needed."""

Costs = npt.NDArray[np.float64]


class _DistanceFunction:
    """Computes how far codes are from fitting some items: 0 for candidates.

    As many turns as may lie are forgiven, those from which a code is furthest.
    """

    def __init__(self, game: Game, items: Sequence[Item]) -> None:
        self._rule = game.rule
        turns = [item for item in items if isinstance(item, Turn)]
        facts = [item.constraint for item in items if not isinstance(item, Turn)]
        self._facts = [part for fact in facts for part in _parts(fact)]
        self._guesses = game.rule.rows(array_of([turn.guess for turn in turns], game.length))
        self._penalties = [_penalty(game, turn) for turn in turns]
        self._budget = game.channel.lies.at_most
        self._may_lie = [game.may_lie(turn) for turn in turns]
        self._winning = game.rule.winning_index if self._budget else -1

    def __call__(self, codes: CodeArray) -> Costs:
        costs = np.zeros(len(codes))
        lies: list[Costs] = []
        if self._penalties:
            table = self._rule.table(self._guesses, self._rule.rows(codes))
            for penalty, indices, may_lie in zip(
                self._penalties, table, self._may_lie, strict=True
            ):
                distance = penalty(indices)
                if may_lie:
                    won = indices == self._winning
                    lies.append(np.where(won, 0.0, distance))
                    distance = np.where(won, distance, 0.0)
                costs += distance
        if lies:
            costs += np.sort(lies, axis=0)[: -self._budget].sum(axis=0)
        for fact in self._facts:
            costs += ~where_holds(fact, codes)
        return costs


def distances(game: Game, items: Sequence[Item], codes: CodeArray) -> Costs:
    """Return (N,): how far codes, (N, length), are from fitting some items; 0 for those that fit.

    The sum of the distances to each turn (see `_penalty`), and 1 for each part of a fact.
    """
    return _DistanceFunction(game, items)(codes)


def _parts(constraint: Constraint) -> list[Constraint]:
    return list(constraint.parts) if isinstance(constraint, AllOf) else [constraint]


def _penalty(game: Game, turn: Turn) -> Callable[[npt.NDArray[Any]], Costs]:
    """Return a function of feedback indices: how far each feedback is from those a turn admits.

    That is the distance to the nearest, or of tiles with too many feedbacks the sum of the
    differences of their marks from the clue's.
    """
    feedbacks = game.rule.feedbacks
    if len(feedbacks) <= _MOST_FEEDBACKS or not isinstance(turn.clue, TileClue):
        return _feedback_distances(game, turn).__getitem__
    clue_cells = turn.clue.cells

    @cache
    def distance(index: int) -> float:
        if game.admits(turn, feedbacks[index]):
            return 0.0
        cells = () if turn.doubted else clue_cells
        pairs = zip(feedbacks[index], cells, strict=False)
        return float(max(1, sum(min(abs(digit - d) for d in cell) for digit, cell in pairs)))

    def penalty(indices: npt.NDArray[Any]) -> Costs:
        present, where = np.unique(indices, return_inverse=True)
        return np.array([distance(index) for index in present.tolist()])[where]

    return penalty


def _feedback_distances(game: Game, turn: Turn) -> Costs:
    """Return (F,): how far each feedback of the rule is from the nearest that a turn admits.

    By sums of differences (Rosenfeld and Pfaltz, 1966: two passes over a grid, an axis at a time).
    """
    feedbacks = np.array(game.rule.feedbacks)
    grid = np.full(feedbacks.max(axis=0) + 1, np.inf)
    for feedback in game.rule.feedbacks:
        if game.admits(turn, feedback):
            grid[tuple(feedback)] = 0.0
    for axis in range(grid.ndim):
        layers = np.moveaxis(grid, axis, 0)
        for n in range(1, len(layers)):
            layers[n] = np.minimum(layers[n], layers[n - 1] + 1)
        for n in range(len(layers) - 2, -1, -1):
            layers[n] = np.minimum(layers[n], layers[n + 1] + 1)
    return np.asarray(grid[tuple(feedbacks.T)], dtype=np.float64)


def anneal(
    game: Game, items: Sequence[Item], size: int, rng: random.Random, end: float | None = None
) -> list[Code]:
    """Return up to `size` different candidates in code order; [] does not prove there are none.

    At the moment `end` (seconds of `time.monotonic`) the search stops. Words of a list are tried
    one by one in a seeded order.
    """
    space = game.secrets
    if not space.free:
        return _anneal_words(game, items, size, rng, end)
    generator = np.random.default_rng(rng.randrange(2**32))
    cost_of = _DistanceFunction(game, items)
    codes = _random_codes(space, game.length, generator)
    costs = cost_of(codes)
    candidates: set[Code] = set()
    for _ in range(_STEPS):
        candidates.update(map(tuple, codes[costs == 0].tolist()))
        if len(candidates) >= size or (end is not None and time.monotonic() > end):
            break
        moved = _moved(codes, space, generator)
        moved_costs = cost_of(moved)
        odds = np.exp(np.minimum(0.0, (costs - moved_costs) / _TEMPERATURE))
        taken = generator.random(_CHAINS) < odds
        codes[taken], costs[taken] = moved[taken], moved_costs[taken]
    listed = sorted(candidates)
    return listed if len(listed) <= size else sorted(rng.sample(listed, size))


def _anneal_words(
    game: Game, items: Sequence[Item], size: int, rng: random.Random, end: float | None
) -> list[Code]:
    words = list(game.secrets)
    rng.shuffle(words)
    history = History(tuple(items))
    candidates: list[Code] = []
    for word in words:
        if len(candidates) == size or (end is not None and time.monotonic() > end):
            break
        if game.fits(history, word):
            candidates.append(word)
    return sorted(candidates)


def _random_codes(space: CodeSpace, length: int, generator: np.random.Generator) -> CodeArray:
    symbols = len(space.alphabet)
    if space.distinct:
        order = np.argsort(generator.random((_CHAINS, symbols)), axis=1)
        return order[:, :length].astype(np.uint8)
    return generator.integers(0, symbols, (_CHAINS, length), dtype=np.uint8)


def _moved(codes: CodeArray, space: CodeSpace, generator: np.random.Generator) -> CodeArray:
    """Return each code with two positions exchanged, or with one symbol replaced."""
    count, length = codes.shape
    every = np.arange(count)
    here, there = generator.integers(0, length, (2, count))
    symbol = generator.integers(0, len(space.alphabet), (count, 1), dtype=np.uint8)
    swapped, replaced = codes.copy(), codes.copy()
    swapped[every, here], swapped[every, there] = codes[every, there], codes[every, here]
    replaced[every, here] = symbol[:, 0]
    if space.distinct:
        # The position that held the new symbol gets the old one.
        which, holding = np.nonzero(codes == symbol)
        replaced[which, holding] = codes[which, here[which]]
    swap = generator.random((count, 1)) < 0.5
    return np.where(swap, swapped, replaced)
