"""Find candidates of a huge space by simulated annealing at a constant temperature.

Many chains of codes change at random, and changes that bring a code nearer to the turns are
preferred. The search needs only numpy and works for any rule. Its result depends only on the seed,
unless the caller sets a moment at which it ends. It succeeds while candidates are many; late in a
game, chains get stuck and find none.
"""

import random
import time
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import AllOf, Constraint
from puzzlehunt.codes.spaces import CodeSpace
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Item, Turn
from puzzlehunt.kernels.packed_codes import CodeArray, Indices, Mask, array_of, where_holds
from puzzlehunt.rules.notation.clue import FeedbackArray
from puzzlehunt.rules.notation.clue_values import CellsClue

_CHAINS = 256
"""Number of chains, which all move in each step."""
_STEPS = 1200
"""A chain makes at most this many steps. Chains never restart, not even at a candidate."""
_TEMPERATURE = 0.45
"""A step that raises the cost by d is taken with probability exp(-d / temperature)."""

Costs = npt.NDArray[np.float64]


def distance_function(game: Game, items: Sequence[Item]) -> Callable[[CodeArray], Costs]:
    """Return a function that maps codes, (N, length), to their costs, (N,); 0 if all items fit.

    The cost is the sum of the penalties of all turns (`_penalty`), plus 1 for each part of a fact
    that does not hold. With a budget of lies, that many of the turns that may lie cost nothing:
    those with the greatest penalties.
    """
    rule, budget = game.rule, game.channel.lies.at_most
    turns = [item for item in items if isinstance(item, Turn)]
    guesses = rule.rows(array_of([turn.guess for turn in turns], game.length))
    penalties = [(_penalty(game, turn), game.may_lie(turn)) for turn in turns]
    facts: list[Constraint] = []
    for fact in (item.constraint for item in items if not isinstance(item, Turn)):
        facts += fact.parts if isinstance(fact, AllOf) else [fact]

    def distances(codes: CodeArray) -> Costs:
        costs = np.zeros(len(codes))
        lies: list[Costs] = []
        table = rule.table(guesses, rule.rows(codes)) if turns else np.empty((0, len(codes)))
        for (penalty, may_lie), indices in zip(penalties, table, strict=True):
            distance = penalty(indices)
            if may_lie:  # a code that would have won is ruled out even if the turn lies
                wins = indices == rule.winning_index
                lies.append(np.where(wins, 0.0, distance))
                distance = np.where(wins, distance, 0.0)
            costs += distance
        if lies:
            costs += np.sort(lies, axis=0)[:-budget].sum(axis=0)
        for fact in facts:
            costs += ~where_holds(fact, codes)
        return costs

    return distances


def _penalty(game: Game, turn: Turn) -> Callable[[Indices], Costs]:
    """Return a function that maps feedback indices, (N,), to penalties, (N,), for one turn.

    The penalty of a feedback that the turn does not admit is how far its parts are outside of the
    least box around those admitted, and at least 1.
    """
    rule, number = game.rule, len(game.rule.feedbacks)

    def admitted(feedbacks: FeedbackArray) -> Mask:
        return game.admitted(turn, feedbacks) & ~game.win_conflicts(turn, feedbacks)

    def penalties(indices: Indices) -> Costs:
        parts = rule.feedback_array(indices)
        outside = np.maximum(0, np.maximum(low - parts, parts - high)).sum(axis=1)
        return np.where(admitted(parts), 0.0, np.maximum(1.0, outside))

    if number > 10_000 and isinstance(turn.clue, CellsClue):  # too many to list
        choices = [[*turn.clue.choices(place)] for place in range(turn.clue.marks)]
        low, high = np.array([min(each) for each in choices]), np.array([*map(max, choices)])
        return penalties
    feedbacks = rule.feedback_array(np.arange(number))
    box = feedbacks[admitted(feedbacks)]
    low, high = box.min(axis=0, initial=game.length), box.max(axis=0, initial=0)
    table = penalties(np.arange(number))
    return lambda indices: table[indices]


def anneal(
    game: Game, items: Sequence[Item], size: int, rng: random.Random, end: float | None = None
) -> set[Code]:
    """Return about `size` different candidates, or fewer; none does not prove there are none.

    The search stops at the moment `end` (seconds of `time.monotonic`).
    """
    generator = np.random.default_rng(rng.randrange(2**32))
    cost_of, candidates = distance_function(game, items), set[Code]()
    codes = random_codes(game, generator, _CHAINS)
    costs = cost_of(codes)
    for _ in range(_STEPS):
        candidates.update(map(tuple, codes[costs == 0].tolist()))
        if len(candidates) >= size or (end is not None and time.monotonic() > end):
            break
        moved = _moved(codes, game.secrets, generator)
        moved_costs = cost_of(moved)
        chances = np.exp(np.minimum(0.0, (costs - moved_costs) / _TEMPERATURE))
        taken = generator.random(_CHAINS) < chances
        codes[taken], costs[taken] = moved[taken], moved_costs[taken]
    return candidates


def random_codes(game: Game, generator: np.random.Generator, number: int) -> CodeArray:
    """Return random secrets of a space that is free, (number, length)."""
    symbols = len(game.secrets.alphabet)
    if game.secrets.distinct:
        order = np.argsort(generator.random((number, symbols)), axis=1)
        return order[:, : game.length].astype(np.uint8)
    return generator.integers(0, symbols, (number, game.length), dtype=np.uint8)


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
