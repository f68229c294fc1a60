"""Samples and counts of candidates; the limits below decide which method is used.

A result depends only on the seed, unless the caller sets a moment at which drawing ends.
"""

import math
import random
import time
from collections.abc import Sequence
from functools import partial
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import UNKNOWN, Count
from puzzlehunt.engines.sampling.annealing import ENOUGH, anneal, random_candidates
from puzzlehunt.engines.sampling.meet_in_the_middle import meet_in_the_middle
from puzzlehunt.engines.sampling.symbol_counts import SymbolCounts, arrangements
from puzzlehunt.engines.sampling.turn_arrays import (
    FREE,
    Numbers,
    TurnArrays,
    allowed_pairs,
    backbone,
    occurrence_bounds,
)
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Item, Turn
from puzzlehunt.kernels import fast
from puzzlehunt.kernels.packed_codes import CodeArray, where_holds

if TYPE_CHECKING:
    from puzzlehunt.engines.sampling.tempering_chains import Chains

# First, some quick draws (a glance) estimate how many candidates there are. If they are few, all
# are listed. Otherwise codes are drawn, and if too few of these are candidates, chains run: first
# some short runs, then longer ones.
_MOST_LISTED = 20_000
"""At most this many candidates are listed."""
_PILOT_DRAWS, _PILOT_ENOUGH = 50_000, 100
"""Limits of a glance: the number of draws, and of the fitting codes among them."""
_DRAWS = 200_000
"""Draws for a sample before chains run, and draws that a count makes at a time."""
_COUNT_DRAWS, _COUNT_ENOUGH = 2_000_000, 2_000
"""Limits of a count: the number of draws, and of fitting codes (for an error of about 5 %)."""
_SHORT_RUNS, _SHORT_ROUNDS = 4, 1_000
"""Number of short runs of chains, and rounds of each."""
_SKIPPED_ROUNDS = 100
"""Rounds at the beginning of a run, short or long, whose codes are ignored."""
LONG_ROUNDS = 6_000
"""Rounds of a long run of chains."""
_RUNS_TIMES_TURNS = 300
"""Long runs times turns. A run takes longer with more turns; all runs together do not."""
_FEWEST_RUNS, _MOST_RUNS = 3, 9
"""Bounds on the number of long runs."""
_DRAWN_COUNTS = 64
"""How many symbol counts are drawn, as starts of chains, if all are too many to list."""
_ENOUGH = 500
"""With this many candidates or more, no further long run begins."""
_TINY_SAMPLE = 2
"""Largest sample (codes) that makes only one short run."""


class Sampler:
    """Samples and counts the candidates of a game that has too many secrets to list them.

    - `serves_pairs`: whether codes can be drawn and chains can run for the game. They can if the
      feedback is how many symbols are in place and in common, if no budget of lies exists, and if
      all codes of some symbols are secrets
    - `symbol_counts`: the symbol counts of the secrets; None for a word list, or if too many
    - `counts_unlisted`: whether chains can run although `symbol_counts` is None
    - `compiled`: whether compiled kernels are used. Without them, the same codes are drawn, and
      annealing replaces chains
    """

    def __init__(self, game: Game, compiled: bool | None = None) -> None:
        self.game = game
        self.compiled = fast.is_installed() if compiled is None else compiled
        self.symbol_counts = SymbolCounts.of(game)
        pairs = game.rule.pair_offsets is not None and game.secrets.free
        self.serves_pairs = pairs and not game.channel.lies.at_most
        self.counts_unlisted = self.serves_pairs and self.symbol_counts is None
        self._allowed_pairs: dict[Turn, npt.NDArray[np.bool_]] = {}
        self._last_turns: tuple[Turn, ...] | None = None

    def listed_candidates(self, items: Sequence[Item]) -> CodeArray | None:
        """Return all candidates in code order, (N, length); None if listing takes long."""
        if self.symbol_counts is None or not self.serves_pairs:
            return None
        drawable = self.symbol_counts.codes_with(self.symbol_counts.allowed_mask(items))
        codes, made = self._draw(items, _PILOT_DRAWS, np.random.default_rng(0), _PILOT_ENOUGH)
        if drawable * wilson_interval(len(codes), made)[0] > _MOST_LISTED:
            return None
        table, turns = self.symbol_counts.allowed(items), self.turn_arrays(items)
        fitting = partial(self.fitting, items)
        compiled = self.compiled and fast.is_loaded()
        return meet_in_the_middle(self.game, turns, table, _MOST_LISTED, fitting, compiled)

    def quick_sample(self, items: Sequence[Item], size: int, rng: random.Random) -> list[Code]:
        """Return up to `size` different candidates, in code order, found by a few quick draws."""
        if self.counts_unlisted:
            return []
        generator = np.random.default_rng(rng.randrange(2**32))
        codes, _ = self._draw(items, _PILOT_DRAWS, generator, size)
        return sorted(set(map(tuple, codes.tolist())))

    @property
    def samples_evenly(self) -> bool:
        """Whether `sample` finds any candidate as likely as any other: local search does not."""
        return self.compiled if self.serves_pairs else not self.game.secrets.free

    def drawn(
        self, items: Sequence[Item], size: int, rng: random.Random, end: float | None = None
    ) -> list[Code]:
        """Return up to `size` candidates in code order, found by random draws; [] if too few are.

        Any candidate is as likely as any other.
        """
        generator = np.random.default_rng(rng.randrange(2**32))
        if self.symbol_counts is not None and self.serves_pairs:
            candidates = self._sample_by_draws(items, size, generator, end)
        else:
            candidates = random_candidates(self.game, items, size, generator, end)
        every = sorted(candidates) if len(candidates) >= min(size, ENOUGH) else []
        return every if len(every) <= size else sorted(rng.sample(every, size))

    def sample(
        self, items: Sequence[Item], size: int, rng: random.Random, end: float | None = None,
        long_run_share: float = 1.0,
    ) -> list[Code]:  # fmt: skip
        """Return up to `size` different candidates in code order; [] does not prove there are none.

        If short runs of chains find too few candidates, long runs follow: `long_run_share` (0 to 1)
        of their greatest number. After the moment `end` (seconds of `time.monotonic`) no more draws
        or runs start, except the very first ones.
        """
        if not self.serves_pairs:
            return anneal(self.game, items, size, rng, end)
        generator = np.random.default_rng(rng.randrange(2**32))
        candidates: set[Code] = set()
        if not self.counts_unlisted:
            candidates = self._sample_by_draws(items, size, generator, end)
        enough = min(size, _ENOUGH) if size > _TINY_SAMPLE else 1
        if self.compiled:
            self._add_by_chains(candidates, items, size, enough, generator, end, long_run_share)
        elif len(candidates) < enough and not (candidates and _time_is_up(end)):
            candidates.update(anneal(self.game, items, size, rng, end))
        every = sorted(candidates)
        return every if len(every) <= size else sorted(rng.sample(every, size))

    def _add_by_chains(
        self, candidates: set[Code], items: Sequence[Item], size: int, enough: int,
        generator: np.random.Generator, end: float | None, long_run_share: float,
    ) -> None:  # fmt: skip
        short_runs = _SHORT_RUNS if size > _TINY_SAMPLE else 1
        long = math.ceil(long_run_share * long_runs(items))
        settled = self.backbone(items) if long > 1 else None
        for run in range(short_runs + long):
            short = run < short_runs
            time_is_up = (candidates or run) and _time_is_up(end)
            if len(candidates) >= (size if short else enough) or time_is_up:
                return
            # The first long run still moves the settled symbols too.
            known = settled if run > short_runs else None
            chains = self.chains(items, generator, known)
            if chains is None:
                return
            rounds = _SHORT_ROUNDS if short else LONG_ROUNDS
            met = chains.run(size, rounds, _SKIPPED_ROUNDS, generator)
            before = len(candidates)
            candidates.update(map(tuple, self.fitting(items, met.codes).tolist()))
            if not short and before == len(candidates) > 0:
                return  # a long run found nothing new, so these may well be all

    def _sample_by_draws(
        self, items: Sequence[Item], size: int, generator: np.random.Generator, end: float | None
    ) -> set[Code]:
        """Draw codes in batches, each four times as large as the last; return the candidates."""
        candidates: set[Code] = set()
        total, draws = 0, 2_000
        while total < _DRAWS and len(candidates) < size and not (total and _time_is_up(end)):
            codes, made = self._draw(items, draws, generator)
            candidates.update(map(tuple, codes.tolist()))
            total, draws = total + max(1, made), min(4 * draws, _DRAWS)
        return candidates

    def chains(
        self, items: Sequence[Item], generator: np.random.Generator, known: Numbers | None = None,
        target_turns: Sequence[Turn] | None = None,
    ) -> "Chains | None":  # fmt: skip
        """Return chains that search for codes that fit turns; None if no symbol counts fit.

        The codes must fit `target_turns`, by default the turns of `items`. In any case the chains
        begin with symbol counts that `items` allow. `known` (length,) has the fixed symbol of each
        position, `FREE` for none. Raises PuzzlehuntError without the package that compiles
        chains.
        """
        fast.check_installed(f"codes of {self.game.length} positions need compiled kernels")
        from puzzlehunt.engines.sampling.tempering_chains import Chains

        table = self._possible_counts(items, generator)
        turns = self.turn_arrays(items if target_turns is None else target_turns)
        return Chains(self.game, turns, table, known) if len(table) else None

    def _possible_counts(self, items: Sequence[Item], generator: np.random.Generator) -> CodeArray:
        """Return (N, symbols): the symbol counts that items allow, or some if all are too many."""
        if self.symbol_counts is not None:
            return self.symbol_counts.allowed(items)
        bounds = self.occurrence_bounds(items)
        if bounds is None:
            return np.empty((0, len(self.game.secrets.alphabet)), dtype=np.uint8)
        low, high = np.array(bounds)
        table = np.tile(low, (1 if (low == high).all() else _DRAWN_COUNTS, 1))
        for row in table:
            while row.sum() < self.game.length:
                row[generator.choice(np.flatnonzero(row < high))] += 1
        return table.astype(np.uint8)

    def occurrence_bounds(self, items: Sequence[Item]) -> tuple[list[int], list[int]] | None:
        """Return the least and the greatest count of each symbol; None if no code can fit."""
        if self.symbol_counts is not None:
            return self.symbol_counts.bounds(self.symbol_counts.allowed_mask(items))
        bounds = occurrence_bounds(self.turn_arrays(items))
        return None if bounds is None else (bounds[0].tolist(), bounds[1].tolist())

    def backbone(self, items: Sequence[Item]) -> Numbers:
        """Return (length,): the symbol that turns prove at each position, `FREE` if they do not.

        If it is not known exactly how often each symbol occurs, all positions are `FREE`.
        """
        bounds = self.occurrence_bounds(items)
        if bounds is None or bounds[0] != bounds[1]:
            return np.full(self.game.length, FREE)
        return backbone(self.turn_arrays(items), np.array(bounds[0]))

    def count(self, items: Sequence[Item], seed: int = 0) -> Count:
        """Return how many candidates there are: an estimate from random codes, or only bounds."""
        if not items:
            return Count.exactly(self.game.secrets.size)
        if not self.serves_pairs:
            return UNKNOWN
        if self.symbol_counts is None:
            bounds = self.occurrence_bounds(items)
            if bounds is None:
                return Count(0, 0)
            known = bounds[0] == bounds[1]
            return Count(0, arrangements(bounds[0]) if known else self.game.secrets.size)
        drawable = self.symbol_counts.codes_with(self.symbol_counts.allowed_mask(items))
        if not drawable:
            return Count.exactly(0)
        generator = np.random.default_rng(seed)
        kept = total = 0
        while total < _COUNT_DRAWS and kept < _COUNT_ENOUGH:
            codes, made = self._draw(items, _DRAWS, generator, _COUNT_ENOUGH - kept)
            kept, total = kept + len(codes), total + made
        low, high = wilson_interval(kept, total)
        number = round(drawable * (kept / total)) if kept else None
        least = max(1, int(drawable * low)) if kept else 0
        return Count(least, int(drawable * high) + 1, number)

    def turn_arrays(self, items: Sequence[Item]) -> TurnArrays:
        """Return arrays of the turns among `items`; facts are left out."""
        turns = tuple(item for item in items if isinstance(item, Turn))
        if turns != self._last_turns:
            for turn in turns:
                if turn not in self._allowed_pairs:
                    self._allowed_pairs[turn] = allowed_pairs(self.game, turn)
            allowed = [self._allowed_pairs[turn] for turn in turns]
            self._last_turns = turns
            self._last_arrays = TurnArrays.of(self.game, turns, allowed)
        return self._last_arrays

    def _draw(
        self,
        items: Sequence[Item],
        draws: int,
        generator: np.random.Generator,
        most: int = _COUNT_ENOUGH,
    ) -> tuple[CodeArray, int]:
        """Draw codes; return up to `most` candidates among them, and the number of draws."""
        from puzzlehunt.engines.sampling.rejection import draw

        assert self.symbol_counts is not None
        table = self.symbol_counts.allowed(items)
        if not len(table):
            return np.empty((0, self.game.length), dtype=np.uint8), draws
        codes, made = draw(table, self.turn_arrays(items), most, draws, generator, self.compiled)
        return self._fitting_facts(items, codes), made

    def fitting(self, items: Sequence[Item], codes: CodeArray) -> CodeArray:
        """Return the codes among `codes` (N, length) that fit all items."""
        return self._fitting_facts(items, codes[self.turn_arrays(items).fit(codes)])

    def _fitting_facts(self, items: Sequence[Item], codes: CodeArray) -> CodeArray:
        for item in items:
            if not isinstance(item, Turn):
                codes = codes[where_holds(item.constraint, codes)]
        return codes


def long_runs(items: Sequence[Item]) -> int:
    """Return the greatest number of long runs, which falls with the number of items.

    A run takes longer with more items, so all runs together take about the same time.
    """
    return min(_MOST_RUNS, max(_FEWEST_RUNS, _RUNS_TIMES_TURNS // max(1, len(items))))


def _time_is_up(end: float | None) -> bool:
    return end is not None and time.monotonic() > end


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
