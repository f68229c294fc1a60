"""Samples and counts of candidates: which method serves, and the limits that decide it.

What comes out depends on the seed alone, unless a moment is given at which it has to end.
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
from puzzlehunt.codes.spaces import SymbolSpace
from puzzlehunt.engines.base import UNKNOWN, Count
from puzzlehunt.engines.sampling.search import search, violations
from puzzlehunt.engines.sampling.symbol_counts import SymbolCounts
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Item, Turn
from puzzlehunt.kernels.codes import Bytes, code_of

if TYPE_CHECKING:
    from puzzlehunt.engines.sampling.answers import Answers, Numbers
    from puzzlehunt.engines.sampling.chains import Chains

# Which method serves: all are listed, where a glance says that they are few; else codes are drawn,
# and where draws meet too few, chains run: some short ones, then longer ones.
LISTED = 20_000
"""All candidates are listed, where a glance says that no more are left."""
_GLANCE = 50_000
"""Draws of that glance."""
_SOME = 100
"""The glance ends with so many codes that fit."""
_DRAWS = 200_000
"""Draws for a sample, before chains run; and draws at a time for a count."""
_TO_COUNT, _ENOUGH = 2_000_000, 2_000
"""A count ends after so many draws, or with so many codes that fit: within some 5 %."""
_RUNS, _ROUNDS, _BEFORE = 4, 250, 25
"""Short runs of chains, the rounds of each, and those at its beginning that are not looked at."""
LONG_ROUNDS, EFFORT = 1_500, 300
"""Rounds of a long run; and long runs times turns, so that they take as long for any history."""
_FEWEST_RUNS, _MOST_RUNS = 3, 9
"""Bounds on how many long runs there are."""
_COUNTS = 64
"""Ways drawn in which symbols may occur, where they are too many to be listed."""
_PAIR = 2
"""For a sample no larger, one short run will do."""


class Sampler:
    """Samples and counts the candidates of one game with many more secrets than can be listed.

    `compiled` says whether its answers are how many symbols are in place and in common, all true,
    so that compiled kernels serve; `beyond` whether even the ways in which symbols may occur are
    too many to be listed.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.symbol_counts = SymbolCounts.of(game)
        pairs = game.rule.pair_offsets is not None and isinstance(game.secrets, SymbolSpace)
        self.compiled = pairs and not game.channel.lies.at_most
        self.beyond = self.compiled and self.symbol_counts is None
        self._admitted: dict[Turn, npt.NDArray[np.bool_]] = {}

    def listed(self, items: Sequence[Item]) -> Bytes | None:
        """Return all candidates in code order, (N, length); None where they are too many."""
        if self.symbol_counts is None or not self.compiled or not self._few(items):
            return None
        from puzzlehunt.engines.sampling.halves import candidates_of

        left = self.symbol_counts.table[self.symbol_counts.left(items)]
        said = self.answers(items)
        return candidates_of(self.game, said, left, LISTED, partial(self.fitting, items))

    def _few(self, items: Sequence[Item]) -> bool:
        """Return whether a glance says that the candidates may be few enough to be listed."""
        assert self.symbol_counts is not None
        inside = self._codes_in(self.symbol_counts.left(items))
        codes, made = self._drawn(items, _GLANCE, np.random.default_rng(0), _SOME)
        return inside * _share(len(codes), made)[0] <= LISTED

    def drawn(self, items: Sequence[Item], size: int, rng: random.Random) -> list[Code]:
        """Return up to so many candidates in code order, if a glance meets them."""
        if self.beyond:
            return []
        chance = np.random.default_rng(rng.randrange(2**32))
        codes, _ = self._drawn(items, _GLANCE, chance, size)
        return sorted(set(map(code_of, codes)))

    def sample(
        self, items: Sequence[Item], size: int, rng: random.Random, end: float | None = None,
        effort: float = 1.0,
    ) -> list[Code]:  # fmt: skip
        """Return up to so many different candidates in code order; none proves nothing.

        `effort` is the share of long runs of chains that are made, where short ones meet nothing.
        """
        if not self.compiled:
            return search(self.game, items, size, rng, end)
        chance = np.random.default_rng(rng.randrange(2**32))
        found = set() if self.beyond else self._many_drawn(items, size, chance, end)
        runs = _RUNS if size > _PAIR else 1
        long = math.ceil(effort * long_runs(items))
        settled = self.settled(items) if long > 1 else None
        for run in range(runs + long):
            short = run < runs
            if len(found) >= size or (found and not short) or ((found or run) and _over(end)):
                break
            known = settled if run > runs else None
            chains = self.chains(items, chance, known)
            if chains is None:
                break
            met = chains.run(size, _ROUNDS if short else LONG_ROUNDS, _BEFORE, chance)
            found.update(map(code_of, self.fitting(items, met.codes)))
        every = sorted(found)
        return every if len(every) <= size else sorted(rng.sample(every, size))

    def _many_drawn(
        self, items: Sequence[Item], size: int, chance: np.random.Generator, end: float | None
    ) -> set[Code]:
        """Return what fits of more and more codes that are drawn, until enough do."""
        found: set[Code] = set()
        tried, step = 0, 2_000
        while tried < _DRAWS and len(found) < size and not (tried and _over(end)):
            codes, made = self._drawn(items, step, chance)
            found.update(map(code_of, codes))
            tried, step = tried + max(1, made), min(4 * step, _DRAWS)
        return found

    def chains(
        self, items: Sequence[Item], chance: np.random.Generator, known: "Numbers | None" = None,
        about: Sequence[Turn] | None = None,
    ) -> "Chains | None":  # fmt: skip
        """Return chains towards what items say; None where that is impossible.

        In `known` positions, (length,), a symbol stays from beginning to end. Only `about` some
        turns are codes looked at, if they are given; all items say how often symbols occur.
        """
        from puzzlehunt.engines.sampling.chains import Chains

        table = self._counts_left(items, chance)
        said = self.answers(items if about is None else about)
        return Chains(self.game, said, table, known) if len(table) else None

    def _counts_left(self, items: Sequence[Item], chance: np.random.Generator) -> Bytes:
        """Return the symbol counts that items leave; some at random where they are too many."""
        if self.symbol_counts is not None:
            return self.symbol_counts.table[self.symbol_counts.left(items)]
        occurs = self.occurring(items)
        if occurs is None:
            return np.empty((0, len(self.game.secrets.alphabet)), dtype=np.uint8)
        low, high = np.array(occurs)
        table = np.tile(low, (1 if (low == high).all() else _COUNTS, 1))
        for row in table:
            while row.sum() < self.game.length:
                row[chance.choice(np.flatnonzero(row < high))] += 1
        return table.astype(np.uint8)

    def occurring(self, items: Sequence[Item]) -> tuple[list[int], list[int]] | None:
        """Return how often each symbol occurs at least, and at most; None if that cannot be."""
        from puzzlehunt.engines.sampling.answers import occurring

        if self.symbol_counts is not None:
            return self.symbol_counts.between(self.symbol_counts.mask(item) for item in items)
        found = occurring(self.answers(items))
        return None if found is None else (found[0].tolist(), found[1].tolist())

    def settled(self, items: Sequence[Item]) -> "Numbers":
        """Return the symbols that turns prove to stand somewhere, (length,), else `FREE`."""
        from puzzlehunt.engines.sampling.answers import FREE, settled

        occurs = self.occurring(items)
        if occurs is None or occurs[0] != occurs[1]:
            return np.full(self.game.length, FREE)
        return settled(self.answers(items), np.array(occurs[0]))

    def count(self, items: Sequence[Item], seed: int = 0) -> Count:
        """Return how many candidates there are, by drawing; unknown where codes cannot be drawn.

        Where nothing can be drawn, the codes in which symbols occur as often as they may are a
        bound.
        """
        if not items:
            return Count.exactly(self.game.secrets.size)
        if not self.compiled:
            return UNKNOWN
        if self.symbol_counts is None:
            return Count(0, self._at_most(items))
        left = self.symbol_counts.left(items)
        inside = self._codes_in(left)
        if not inside:
            return Count.exactly(0)
        chance = np.random.default_rng(seed)
        kept = made = 0
        while made < _TO_COUNT and kept < _ENOUGH:
            codes, some = self._drawn(items, _DRAWS, chance)
            kept, made = kept + len(codes), made + some
        low, high = _share(kept, made)
        number = round(inside * (kept / made)) if kept else None
        least = max(1, int(inside * low)) if kept else 0
        return Count(least, int(inside * high) + 1, number)

    def answers(self, items: Sequence[Item]) -> "Answers":
        """Return what turns say of a code in arrays; each turn is looked at once."""
        from puzzlehunt.engines.sampling.answers import Answers, admitted

        turns = [item for item in items if isinstance(item, Turn)]
        for turn in turns:
            if turn not in self._admitted:
                self._admitted[turn] = admitted(self.game, turn)
        return Answers.of(self.game, turns, [self._admitted[turn] for turn in turns])

    def _codes_in(self, left: npt.NDArray[np.bool_]) -> int:
        """Return how many codes have symbol counts that are left, exactly."""
        assert self.symbol_counts is not None
        if left.all():
            return self.game.secrets.size
        shapes, times = np.unique(
            np.sort(self.symbol_counts.table[left], axis=1), axis=0, return_counts=True
        )
        pairs = zip(shapes.tolist(), times.tolist(), strict=True)
        return sum(often * _arrangements(shape) for shape, often in pairs)

    def _at_most(self, items: Sequence[Item]) -> int:
        """Return how many codes hold symbols as often as they may, or more than that."""
        occurs = self.occurring(items)
        if occurs is None:
            return 0
        least, most = occurs
        return _arrangements(least) if least == most else self.game.secrets.size

    def _drawn(
        self,
        items: Sequence[Item],
        draws: int,
        chance: np.random.Generator,
        most: int = _ENOUGH,
    ) -> tuple[Bytes, int]:
        """Return the fitting ones of so many codes that are drawn, and how many were drawn.

        No more are drawn once there are `most`.
        """
        from puzzlehunt.engines.sampling.draws import draw

        assert self.symbol_counts is not None
        table = self.symbol_counts.table[self.symbol_counts.left(items)]
        if not len(table):
            return np.empty((0, self.game.length), dtype=np.uint8), draws
        codes, made = draw(table, self.answers(items), most, draws, chance)
        return self._by_facts(items, codes), made

    def fitting(self, items: Sequence[Item], codes: Bytes) -> Bytes:
        """Return those of some codes that agree with all items."""
        return self._by_facts(items, codes[self.answers(items).agree(codes)])

    def _by_facts(self, items: Sequence[Item], codes: Bytes) -> Bytes:
        facts = [item for item in items if not isinstance(item, Turn)]
        return codes[violations(self.game, facts, codes) == 0] if facts and len(codes) else codes


def long_runs(items: Sequence[Item]) -> int:
    """Return how many long runs are made where nothing is met: about as long for any rows."""
    return min(_MOST_RUNS, max(_FEWEST_RUNS, EFFORT // max(1, len(items))))


def _arrangements(counts: Sequence[int]) -> int:
    """Return how many codes there are in which symbols occur so often."""
    codes = math.factorial(sum(counts))
    for often in counts:
        codes //= math.factorial(often)
    return codes


def _over(end: float | None) -> bool:
    return end is not None and time.monotonic() > end


def _share(kept: int, made: int) -> tuple[float, float]:
    """Return between which shares the true one is, with a probability of 95 % (Wilson, 1927)."""
    z = NormalDist().inv_cdf(0.975)
    middle = (kept + z * z / 2) / (made + z * z)
    reach = z / (made + z * z) * math.sqrt(kept * (made - kept) / made + z * z / 4)
    return max(0.0, middle - reach), min(1.0, middle + reach)


__all__ = ["Sampler", "search", "violations"]
