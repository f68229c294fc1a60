"""Samples and counts of candidates; the limits below decide which method is used.

A result depends only on the seed, unless the caller sets a moment at which drawing ends.
"""

import math
import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import AllOf, Constraint
from puzzlehunt.codes.spaces import CodeSpace
from puzzlehunt.engines.base import UNKNOWN, Count, Sample
from puzzlehunt.engines.sampling.symbol_counts import SymbolCounts, arrangements, codes_of_counts
from puzzlehunt.engines.sampling.turn_arrays import TurnArrays, meet_in_the_middle
from puzzlehunt.game import meaning
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Item, Turn
from puzzlehunt.kernels import fast
from puzzlehunt.kernels.packed_codes import CodeArray, Indices, Mask, space_array, where_holds
from puzzlehunt.rules.notation.clue_values import CellsClue

# If there are few candidates, all are listed. Otherwise codes are drawn, and if too few of these
# are candidates, chains run: first some short runs, then longer ones.
_MOST_LISTED = 20_000
"""At most this many candidates are listed."""
_DRAWS, _ENOUGH = 200_000, 100
"""Draws for a sample, and how many candidates they should find: if fewer, other methods follow."""
SHORT_RUNS, RUNS = 4, 9
"""At most so many short runs of chains, and so many runs."""
_SHORT_ROUNDS, _LONG_ROUNDS = 1_000, 6_000
"""Rounds of a short and of a long run."""

_CHAINS = 256
"""Number of chains, which all move in each step."""
_STEPS = 1200
"""A chain makes at most this many steps. Chains never restart, not even at a candidate."""
_TEMPERATURE = 0.45
"""A step that raises the cost by d is taken with probability exp(-d / temperature)."""

Costs = npt.NDArray[np.float64]


class Sampler:
    """Samples and counts the candidates of a game that has too many secrets to list them.

    - `draws_by_counts`: whether codes of given symbol counts can be drawn and chains can run: if
      the feedback is how many symbols are in place and in common, without a budget of lies, and
      all codes of some symbols are secrets
    - `symbol_counts`: the symbol counts of the secrets; None for a word list, or if too many
    - `counts_unlisted`: whether chains can run although `symbol_counts` is None
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.symbol_counts = SymbolCounts.of(game)
        pairs = game.rule.pair_offsets is not None and game.secrets.free
        self.draws_by_counts = pairs and not game.channel.lies.at_most
        self.counts_unlisted = self.draws_by_counts and self.symbol_counts is None

    def listed_candidates(self, items: Sequence[Item]) -> CodeArray | None:
        """Return all candidates in code order, (N, length); None if listing takes long."""
        if self.symbol_counts is None or not self.draws_by_counts:
            return None
        table, turns = self.symbol_counts.allowed(items), TurnArrays.of(self.game, items)
        return meet_in_the_middle(turns, table, _MOST_LISTED, self._test(items))

    def sample(
        self, items: Sequence[Item], size: int, rng: random.Random, end: float = math.inf,
        runs: int = RUNS,
    ) -> Sample:  # fmt: skip
        """Return up to `size` different candidates, never as complete.

        None found does not prove that there are none. If draws find too few, up to `runs` runs of
        chains follow. After `end` (of `time.monotonic`) only the very first still start.
        """
        candidates, even = set[Code](), True
        if not self.game.secrets.free:
            codes = space_array(self.game.secrets, self.game.length)
            candidates.update(map(tuple, self.fitting(items, codes).tolist()))
        else:
            generator, draws = np.random.default_rng(rng.randrange(2**32)), 0
            most = 0 if self.counts_unlisted else _DRAWS
            while len(candidates) < size and draws < most:
                codes, made = self._draw(items, size, most // 5, generator)
                candidates.update(map(tuple, codes.tolist()))
                draws += made
                few = len(candidates) * most < min(size, _ENOUGH) * draws
                if few or time.monotonic() > end:
                    break  # at such a rate, all draws would not find enough
            if self.draws_by_counts and fast.is_installed():
                self._add_by_chains(candidates, items, size, generator, end, runs)
            elif runs and len(candidates) < min(size, _ENOUGH):
                candidates |= anneal(self.game, items, size, rng, end)
                even = False
        listed = sorted(candidates)
        some = listed if len(listed) <= size else sorted(rng.sample(listed, size))
        return Sample(tuple(some), complete=False, even=even)

    def _add_by_chains(
        self, candidates: set[Code], items: Sequence[Item], size: int,
        generator: np.random.Generator, end: float, runs: int,
    ) -> None:  # fmt: skip
        """Add what runs of chains find, until they are enough or a long run finds nothing new."""
        for run in range(runs):
            is_short, before = run < SHORT_RUNS, len(candidates)
            enough = size if is_short else math.ceil(size / 2)
            if before >= enough or ((candidates or run) and time.monotonic() > end):
                return
            found = self.run_chains(items, generator, _SHORT_ROUNDS if is_short else _LONG_ROUNDS)
            if found is None:
                return
            candidates.update(map(tuple, self.fitting(items, found[0]).tolist()))
            if not is_short and before == len(candidates) > 0:
                return  # these may well be all

    def run_chains(
        self, items: Sequence[Item], generator: np.random.Generator, rounds: int = _LONG_ROUNDS
    ) -> tuple[CodeArray, Code] | None:
        """Return codes found that may fit turns, (N, length), and the code nearest to fitting.

        None if no symbol counts fit. Raises PuzzlehuntError if nothing compiles chains.
        """
        fast.check_installed(f"codes of {self.game.length} positions need compiled kernels")
        from puzzlehunt.engines.sampling.tempering_chains import run_chains

        table, distinct = self._possible_counts(items, generator), self.game.secrets.distinct
        if not len(table):
            return None
        return run_chains(TurnArrays.of(self.game, items), table, distinct, rounds, generator)

    def _possible_counts(self, items: Sequence[Item], generator: np.random.Generator) -> CodeArray:
        """Return (N, symbols): the symbol counts that items allow, or 64 if all are too many."""
        if self.symbol_counts is not None:
            return self.symbol_counts.allowed(items)
        bounds = self.occurrence_bounds(items)
        if bounds is None:
            return np.empty((0, len(self.game.secrets.alphabet)), dtype=np.uint8)
        low, high = np.array(bounds)
        table = np.tile(low, (64, 1))
        for row in table:
            while row.sum() < self.game.length:
                row[generator.choice(np.flatnonzero(row < high))] += 1
        return np.unique(table, axis=0).astype(np.uint8)

    def occurrence_bounds(self, items: Sequence[Item]) -> tuple[list[int], list[int]] | None:
        """Return the least and the greatest count of each symbol; None if no code can fit."""
        return TurnArrays.of(self.game, items).occurrence_bounds()

    def count(self, items: Sequence[Item], seed: int = 0) -> Count:
        """Return how many candidates there are: an estimate from random codes, or only bounds."""
        if not items:
            return Count.of(self.game.secrets.size)
        if not self.draws_by_counts:
            return UNKNOWN
        if self.symbol_counts is None:
            return Count(0, self.game.secrets.size if self.occurrence_bounds(items) else 0)
        # Codes are drawn from those whose symbol counts are allowed.
        population = float(arrangements(self.symbol_counts.allowed(items)).sum())
        if not population:
            return Count.of(0)
        # 2,000 candidates are enough for an error of about 5 %.
        codes, draws = self._draw(items, 2_000, 2_000_000, np.random.default_rng(seed))
        low, high = wilson_interval(len(codes), draws)
        number = round(population * (len(codes) / draws)) if len(codes) else None
        least = max(1, int(population * low)) if len(codes) else 0
        return Count(least, int(population * high) + 1, number)

    def _draw(
        self, items: Sequence[Item], most: int, draws: int, generator: np.random.Generator
    ) -> tuple[CodeArray, int]:
        """Draw codes; return up to `most` candidates among them, and the number of draws.

        The candidates are in the order drawn, and all are equally likely.
        """
        codes_of: Callable[[np.random.Generator, int], CodeArray]
        codes_of, fits = partial(random_codes, self.game), self._test(items)
        if self.draws_by_counts:
            assert self.symbol_counts is not None
            table = self.symbol_counts.allowed(items)
            if not len(table):
                return np.empty((0, self.game.length), dtype=np.uint8), draws
            codes_of = codes_of_counts(table)
        blocks, number, drawn = list[CodeArray](), 0, 0
        while number < most and drawn < draws:
            # Few are often enough, and more than 4,096 at once would not stay in a cache.
            size = min(max(256, drawn), 4_096, draws - drawn)
            codes = codes_of(generator, size)
            fitting = np.flatnonzero(fits(codes))[: most - number]
            blocks.append(codes[fitting])
            number += len(fitting)
            # The draws after the last candidate that is wanted do not count.
            drawn += int(fitting[-1]) + 1 if number == most else size
        return np.concatenate(blocks), drawn

    def fitting(self, items: Sequence[Item], codes: CodeArray) -> CodeArray:
        """Return the codes among `codes` (N, length) that fit all items."""
        return codes[self._test(items)(codes)]

    def _test(self, items: Sequence[Item]) -> Callable[[CodeArray], Mask]:
        """Return a function from codes (N, length) to a mask (N,) of those that fit all items."""
        if not self.draws_by_counts:
            cost_of = distance_function(self.game, items)
            return lambda codes: cost_of(codes) == 0
        turns = TurnArrays.of(self.game, items)
        facts = [item.constraint for item in items if not isinstance(item, Turn)]

        def fits(codes: CodeArray) -> Mask:
            mask = turns.fit(codes)
            for fact in facts:  # only the codes that still fit are tested
                mask[mask] = where_holds(fact, codes[mask])
            return mask

        return fits


def wilson_interval(kept: int, made: int) -> tuple[float, float]:
    """Return a 95 % interval of the share of codes that fit, if `kept` of `made` draws did.

    The method is Wilson's with continuity correction: R. G. Newcombe, Two-sided
    confidence intervals for the single proportion, 1998, method 4.
    """
    z = NormalDist().inv_cdf(0.975)
    middle, width = 2 * kept + z * z, 2 * (made + z * z)
    missed = made - kept
    low = middle - 1 - z * math.sqrt(z * z - 2 - 1 / made + 4 * kept * (missed + 1) / made)
    high = middle + 1 + z * math.sqrt(z * z + 2 - 1 / made + 4 * kept * (missed - 1) / made)
    return max(0.0, low / width) if kept else 0.0, min(1.0, high / width) if missed else 1.0


# Chains in plain arrays, for rules without compiled chains, and where nothing is compiled.


def distance_function(game: Game, items: Sequence[Item]) -> Callable[[CodeArray], Costs]:
    """Return a function that maps codes, (N, length), to their costs, (N,); 0 if all items fit.

    The cost is the sum of the penalties of all turns (`_penalty`), plus 1 for each part of a fact
    that does not hold. The greatest penalties cost nothing, of as many turns as may lie.
    """
    rule, budget = game.rule, game.channel.lies.at_most
    turns = [item for item in items if isinstance(item, Turn)]
    guesses = rule.rows_of(turn.code for turn in turns)
    penalties = [(_penalty(game, turn), meaning.may_lie(game, turn)) for turn in turns]
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

    def penalties(indices: Indices) -> Costs:
        parts = rule.feedback_array(indices)
        outside = np.maximum(0, np.maximum(low - parts, parts - high)).sum(axis=1)
        return np.where(meaning.admitted(game, turn, parts), 0.0, np.maximum(1.0, outside))

    if number > 10_000 and isinstance(turn.clue, CellsClue):  # too many to list
        choices = [[*turn.clue.choices(place)] for place in range(turn.clue.marks)]
        low, high = np.array([min(each) for each in choices]), np.array([*map(max, choices)])
        return penalties
    feedbacks = rule.feedback_array(np.arange(number))
    box = feedbacks[meaning.admitted(game, turn, feedbacks)]
    low, high = box.min(axis=0, initial=game.length), box.max(axis=0, initial=0)
    table = penalties(np.arange(number))
    return lambda indices: table[indices]


def anneal(
    game: Game, items: Sequence[Item], size: int, rng: random.Random, end: float
) -> set[Code]:
    """Return about `size` different candidates, or fewer; none does not prove there are none.

    Many chains of codes change at random, at a constant temperature, and changes that bring a code
    nearer to the turns are preferred; late in a game, chains get stuck. It stops at `end`.
    """
    generator = np.random.default_rng(rng.randrange(2**32))
    cost_of, candidates = distance_function(game, items), set[Code]()
    codes = random_codes(game, generator, _CHAINS)
    costs = cost_of(codes)
    for _ in range(_STEPS):
        candidates.update(map(tuple, codes[costs == 0].tolist()))
        if len(candidates) >= size or time.monotonic() > end:
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
    return np.where(generator.random((count, 1)) < 0.5, swapped, replaced)
