"""Candidates of huge spaces without a solver: samples, counts, and all of them where few are left.

- `draws`: codes at random from the profiles that are left, kept where they fit; exactly uniform,
  while candidates are many
- `halves`: all candidates, once they are some tens of thousands; a sample of those is uniform too
- `chains`: compiled Metropolis chains, for what is between; close to uniform
- `search`: the same in plain arrays, for rules that are not pegs

What comes out depends on the seed alone, unless a moment is given at which it has to end.
"""

import math
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes import Code, SymbolSpace
from puzzlehunt.game import Game
from puzzlehunt.history import Item, Turn
from puzzlehunt.kernels import Bytes, array_of, code_of
from puzzlehunt.profiles import Profiles
from puzzlehunt.rules.pegs import PegsRule
from puzzlehunt.sampling.search import distances, search, violations

if TYPE_CHECKING:
    from puzzlehunt.sampling.draws import Answers

LISTED = 20_000
"""So many candidates are listed, once no more are left."""
_DRAWS = 200_000
_GLANCE = 50_000
_TO_COUNT = 2_000_000
_STEPS = 100_000
_CHAINS = 20
_BEFORE = 3_000
_KEPT = 64
_FEW_PROFILES, _SWAPS = 8, 0.9
"""Where so few profiles are left, most steps exchange positions."""
_LONG_STEPS, _LONG_WARMTH = 1_000_000, 0.6
"""Where nothing was found, chains are longer and freer."""
_WARMTH = 0.45


@dataclass(frozen=True, slots=True)
class Count:
    """How many candidates there are: `number` at best, surely or nearly so from `low` to `high`.

    Where the two are equal that is exact; else the bounds hold with a probability of 95 % (Wilson,
    1927). A `number` of None: nothing but the bounds is known.
    """

    number: int | None
    low: int
    high: int

    @property
    def exact(self) -> bool:
        """Whether the number is known and no estimate."""
        return self.low == self.high


class Sampler:
    """Samples and counts the candidates of one game with many more secrets than can be listed."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.profiles = Profiles.of(game)
        self.compiled = self.profiles is not None and _serves(game)
        self._of_turns: dict[Turn, npt.NDArray[np.float64]] = {}

    def listed(self, items: Sequence[Item]) -> Bytes | None:
        """Return all candidates in code order, (N, length); None where they are too many."""
        if self.profiles is None or not self.compiled or not self._few(items):
            return None
        from puzzlehunt.sampling.halves import candidates_of

        return candidates_of(
            self.game, items, self.profiles.table[self.profiles.left(items)], LISTED
        )

    def _few(self, items: Sequence[Item]) -> bool:
        """Return whether a glance says that the candidates may be few enough to be listed."""
        assert self.profiles is not None
        inside = self._codes_in(self.profiles.left(items))
        codes, made = self._drawn(items, _GLANCE, np.random.default_rng(0))
        return inside * _share(len(codes), made)[0] <= LISTED

    def narrowed(self, codes: Bytes, item: Item) -> Bytes:
        """Return those of some codes that agree with an item too."""
        fits: npt.NDArray[np.bool_] = violations(self.game, [item], codes) == 0
        return codes[fits]

    def sample(
        self, items: Sequence[Item], size: int, rng: random.Random, end: float | None = None
    ) -> list[Code]:
        """Return up to so many different candidates in code order; none proves nothing."""
        if not self.compiled:
            return search(self.game, items, size, rng, end)
        chance = np.random.default_rng(rng.randrange(2**32))
        found: set[Code] = set()
        tried, step = 0, 2_000
        while tried < _DRAWS and len(found) < size and not (tried and _over(end)):
            codes, made = self._drawn(items, step, chance)
            found.update(map(code_of, codes))
            tried, step = tried + max(1, made), min(4 * step, _DRAWS)
        if len(found) < size and not (found and _over(end)):
            found.update(map(code_of, self._chained(items, size, chance, end)))
        if not found:
            long = self._chained(items, size, chance, end, _LONG_STEPS, _LONG_WARMTH)
            found.update(map(code_of, long))
        every = sorted(found)
        return every if len(every) <= size else sorted(rng.sample(every, size))

    def count(self, items: Sequence[Item], seed: int = 0) -> Count | None:
        """Return how many candidates there are, by drawing; None for rules that cannot be drawn."""
        if not items:
            return Count(self.game.secrets.size, self.game.secrets.size, self.game.secrets.size)
        if not self.compiled or self.profiles is None:
            return None
        left = self.profiles.left(items)
        inside = self._codes_in(left)
        if not inside:
            return Count(inside, inside, inside)
        chance = np.random.default_rng(seed)
        kept = made = 0
        while made < _TO_COUNT and kept < _ENOUGH:
            codes, some = self._drawn(items, _DRAWS, chance)
            kept, made = kept + len(codes), made + some
        low, high = _share(kept, made)
        number = round(inside * (kept / made)) if kept else None
        return Count(number, max(1, int(inside * low)) if kept else 0, int(inside * high) + 1)

    def _answers(self, items: Sequence[Item]) -> "Answers":
        """Return what turns say of a code in arrays; each turn is looked at once."""
        from puzzlehunt.sampling.draws import Answers

        turns = [item for item in items if isinstance(item, Turn)]
        for turn in turns:
            if turn not in self._of_turns:
                self._of_turns[turn] = self._penalty(turn)
        size = self.game.length + 1
        penalty = np.array([self._of_turns[turn] for turn in turns]).reshape(-1, size, size)
        guesses = array_of([turn.guess for turn in turns], self.game.length).astype(np.int64)
        return Answers(guesses, len(self.game.secrets.alphabet), penalty)

    def _penalty(self, turn: Turn) -> npt.NDArray[np.float64]:
        """Return how far answers are from what a turn admits, by marks in place and in common."""
        size = self.game.length + 1
        penalty = np.full((size, size), np.inf)
        feedbacks = self.game.rule.feedbacks
        for feedback, far in zip(feedbacks, distances(self.game, turn), strict=True):
            pegs = self.game.rule.parts(feedback, turn.guess)
            black = int(pegs["black"])
            if "white" in pegs:
                penalty[black, black + int(pegs["white"])] = far
            else:
                penalty[black] = far
        return penalty

    def _codes_in(self, left: npt.NDArray[np.bool_]) -> int:
        """Return how many codes have one of some profiles, exactly."""
        assert self.profiles is not None
        if left.all():
            return self.game.secrets.size
        factorials = [1]
        for n in range(1, self.game.length + 1):
            factorials.append(factorials[-1] * n)
        whole = factorials[-1]
        shapes, times = np.unique(
            np.sort(self.profiles.table[left], axis=1), axis=0, return_counts=True
        )
        total = 0
        for shape, often in zip(shapes.tolist(), times.tolist(), strict=True):
            codes = whole
            for n in shape:
                codes //= factorials[n]
            total += often * codes
        return total

    def _drawn(
        self, items: Sequence[Item], draws: int, chance: np.random.Generator
    ) -> tuple[Bytes, int]:
        """Return the fitting ones of so many codes that are drawn, and how many were drawn."""
        from puzzlehunt.sampling.draws import draw

        assert self.profiles is not None
        table = self.profiles.table[self.profiles.left(items)]
        if not len(table):
            return np.empty((0, self.game.length), dtype=np.uint8), draws
        codes, made = draw(table, self._answers(items), _ENOUGH, draws, chance)
        return self._by_facts(items, codes), made

    def _by_facts(self, items: Sequence[Item], codes: Bytes) -> Bytes:
        facts = [item for item in items if not isinstance(item, Turn)]
        return codes[violations(self.game, facts, codes) == 0] if facts and len(codes) else codes

    def _chained(
        self,
        items: Sequence[Item],
        size: int,
        chance: np.random.Generator,
        end: float | None,
        steps: int = _STEPS,
        warmth: float = _WARMTH,
    ) -> Bytes:
        """Return candidates from chains that begin at codes of the profiles that are left."""
        from puzzlehunt.sampling.chains import walk

        game, said = self.game, self._answers(items)
        space = game.secrets
        assert isinstance(space, SymbolSpace)
        assert self.profiles is not None
        table = self.profiles.table[self.profiles.left(items)]
        if not len(table):
            return np.empty((0, game.length), dtype=np.uint8)
        swaps = _SWAPS if len(table) <= _FEW_PROFILES else 0.5
        state = chance.integers(0, 2**63, 1, dtype=np.uint64)
        blocks: list[Bytes] = []
        chains = min(_CHAINS, size)
        for n in range(chains):
            if n and _over(end):
                break
            profile = table[chance.integers(len(table))]
            code = chance.permutation(np.repeat(np.arange(len(profile)), profile))
            found = np.empty((_KEPT, game.length), dtype=np.int64)
            written = walk(
                code, said.guesses, said.often, said.penalty, space.distinct, swaps, warmth, steps,
                _BEFORE, game.length, state, found,
            )  # fmt: skip
            blocks.append(self._by_facts(items, found[:written].astype(np.uint8)))
        return np.concatenate(blocks) if blocks else np.empty((0, game.length), dtype=np.uint8)


_ENOUGH = 2_000
"""So many codes that fit are enough to count by: within some 5 %."""


def _serves(game: Game) -> bool:
    """Return whether a game's answers are counts of symbols in place and in common."""
    return isinstance(game.rule, PegsRule) and not game.channel.lies.at_most


def _over(end: float | None) -> bool:
    return end is not None and time.monotonic() > end


def _share(kept: int, made: int) -> tuple[float, float]:
    """Return between which shares the true one is, with a probability of 95 % (Wilson, 1927)."""
    z = NormalDist().inv_cdf(0.975)
    middle = (kept + z * z / 2) / (made + z * z)
    reach = z / (made + z * z) * math.sqrt(kept * (made - kept) / made + z * z / 4)
    return max(0.0, middle - reach), min(1.0, middle + reach)


__all__ = ["Count", "Sampler", "search", "violations"]
