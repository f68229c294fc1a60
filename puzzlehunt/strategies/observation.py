"""What a player will see of the answer to a guess, through the game's channel.

A guess is worth what its clue will tell, not what its answer would: the mutual information between
the secret and the clue (Shannon, 1948). For that, counts per answer become counts per clue.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import comb
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlehunt.channel.counts import CountLikelihood
from puzzlehunt.channel.model import Rate
from puzzlehunt.channel.tiles import TileLikelihood
from puzzlehunt.game.game import Game
from puzzlehunt.kernels.codes import Places
from puzzlehunt.strategies.measures import Seen

Counts: TypeAlias = npt.NDArray[np.float64]
Count: TypeAlias = Callable[[Counts], Counts]
_LARGEST = 1_000_000
"""The most entries of a table of answers and clues."""
_MOST_TILES = 6
"""The most tiles whose clues, four for each tile, are counted one by one."""


@dataclass(frozen=True)
class Observation:
    """How answers become clues in a game, with the rates as they are believed now.

    `lie_next` is the chance (S,) that the next row lies, given each secret; None where none may by
    chance. Misreadings are left out: they tell all guesses apart as badly.
    """

    game: Game
    rates: tuple[Rate, ...] | None
    lie_next: npt.NDArray[np.float64] | None = None

    @property
    def whole(self) -> bool:
        """Whether all that may happen is counted; else answers are taken to be seen as they are."""
        tiles = self._tiles
        listed = self.game.channel.lies.exactly or (self.lie_next is not None and self.rates)
        if listed and len(self.game.rule.feedbacks) ** 2 > _LARGEST:
            return False
        if self.rates is None:
            return True
        return tiles <= _MOST_TILES if tiles else self._entries <= _LARGEST

    @property
    def _tiles(self) -> int:
        """How many tiles an answer has, 0 for a rule that counts."""
        likelihood = self.game.likelihood
        return likelihood.rule.width if isinstance(likelihood, TileLikelihood) else 0

    @property
    def _entries(self) -> int:
        kinds = len(self.rates or ())
        return len(self.game.rule.feedbacks) * comb(self.game.rule.length + kinds, kinds)

    @cached_property
    def _winning(self) -> int:
        return self.game.rule.feedbacks.index(self.game.rule.winning)

    def seen(self, count: Count, shares: Counts, candidates: Places, numbers: bool = True) -> Seen:
        """Return what is seen of some guesses.

        `count` turns weights of the candidates into (G, F), the weight that gives each feedback;
        `shares` are their weights, `candidates` their places among all secrets. Without `numbers`
        nobody asks how many are left.
        """
        counts = count(shares)
        could = count(np.ones(len(shares))) if numbers else None
        if not self.whole:
            return Seen(counts, could=could)
        lies = None if self.lie_next is None else self.lie_next[candidates]
        if lies is not None:
            told = self._read(self._with_lies(counts, count(shares * lies)))
            noise = self._bits_of_lies(count, counts, shares, lies)
            could = None if could is None else self._could(could, count((lies > 0).astype(float)))
        elif self.game.channel.lies.exactly:
            table = self._read(self._false)
            told, noise = counts @ table, counts @ self._bits_of(table)
            could = None if could is None else could @ (table > 0)
        else:
            told, noise = self._read(counts), counts @ self._unread_bits
            could = None if could is None else self._readable(could)
        total = counts.sum(axis=1)
        return Seen(told, noise / np.where(total > 0, total, 1), could)

    # Lies.

    @property
    def _others(self) -> int:
        """How many other answers a lying row may show."""
        return max(1, len(self.game.rule.feedbacks) - 2)

    def _with_lies(self, counts: Counts, lying: Counts) -> Counts:
        """Return what is shown where some rows show another answer."""
        lying = self._losing(lying)
        spread = (lying.sum(axis=1, keepdims=True) - lying) / self._others
        spread[:, self._winning] = 0
        return np.asarray(counts - lying + spread)

    def _bits_of_lies(self, count: Count, counts: Counts, shares: Counts, lies: Counts) -> Counts:
        """Return the bits of chance in lies, and in what is read of them.

        Where marks stay unread all secrets are taken to lie as often, as they do on average.
        """
        if self.rates is None:
            each = shares * (_binary(lies) + lies * np.log2(self._others))
            return np.asarray(self._losing(count(each)).sum(axis=1))
        total = shares.sum()
        often = (shares * lies).sum() / total if total > 0 else 0.0
        shown = self._with_lies(np.eye(counts.shape[1]), often * np.eye(counts.shape[1]))
        return np.asarray(counts @ self._bits_of(self._read(shown)))

    def _could(self, numbers: Counts, lying: Counts) -> Counts:
        """Return how many candidates could show each clue; those that may lie could show any."""
        lying = self._losing(lying)
        shown = self._readable(self._losing(np.ones((1, numbers.shape[1])))) > 0
        return np.asarray(
            self._readable(numbers - lying) + lying.sum(axis=1, keepdims=True) * shown
        )

    def _losing(self, counts: Counts) -> Counts:
        """Return counts without those that win."""
        rest = counts.copy()
        rest[:, self._winning] = 0
        return rest

    @cached_property
    def _false(self) -> Counts:
        """(F, F): the chance of each row to be shown for each answer, with its false marks."""
        feedbacks = self.game.rule.feedbacks
        likelihood = self.game.likelihood
        marks = likelihood.mark_count(
            likelihood.rule.exactly(feedbacks[0], (0,) * likelihood.rule.length)
        )
        table = np.zeros((len(feedbacks), len(feedbacks)))
        for place, feedback in enumerate(feedbacks):
            if place == self._winning:
                table[place, place] = 1
                continue
            for other, share in self.game.likelihood.false_feedbacks(
                tuple(feedback), marks
            ).items():
                table[place, feedbacks.index(other)] += share
        return table

    @staticmethod
    def _bits_of(table: Counts) -> Counts:
        """Return (F,): the bits of chance in each row of a table of chances."""
        logs = np.log2(table, out=np.zeros_like(table), where=table > 0)
        return np.asarray(-(table * logs).sum(axis=1))

    # Reading.

    @cached_property
    def _means(self) -> list[float]:
        return [rate.mean for rate in self.rates or ()]

    @cached_property
    def _unread_bits(self) -> Counts:
        """(F,): the bits of chance in what is read of each answer."""
        if self.rates is None:
            return np.zeros(len(self.game.rule.feedbacks))
        if not self._tiles:
            return self._bits_of(self._reading)
        bits = _binary(np.array(self._means))
        marks = np.array(list(self.game.rule.feedbacks))
        found = bits[marks].sum(axis=1)
        found[self._winning] = 0
        return np.asarray(found)

    def _read(self, told: Counts) -> Counts:
        """Return (G, V) what is read, given what is shown."""
        if self.rates is None:
            return told
        if not self._tiles:
            return told @ self._reading
        each = np.array([[m, 0, 0, 1 - m] for m in self._means])
        each[1, :2], each[2, :3] = each[1, 1::-1], each[2, 2::-1]
        return self._by_tile(told, each)

    def _readable(self, could: Counts) -> Counts:
        """Return (G, V) how many could be read so, given how many could be shown."""
        if self.rates is None:
            return could
        if not self._tiles:
            return could @ (self._reading > 0)
        each = np.zeros((3, 4))
        for digit, mean in enumerate(self._means):
            each[digit, digit], each[digit, 3] = mean > 0, mean < 1
        return self._by_tile(could, each)

    def _by_tile(self, counts: Counts, each: Counts) -> Counts:
        """Return (G, 4**tiles + 1): counts spread tile by tile; last the winning answer's."""
        rest = self._losing(counts).reshape(len(counts), *[3] * self._tiles)
        for _ in range(self._tiles):
            rest = np.tensordot(rest, each, axes=(1, 0))
        return np.concatenate(
            (rest.reshape(len(counts), -1), counts[:, self._winning, None]), axis=1
        )

    @cached_property
    def _reading(self) -> Counts:
        """(F, V): the chance of each number of marks read, for each answer; last, having won."""
        likelihood = self.game.likelihood
        assert isinstance(likelihood, CountLikelihood)
        columns: dict[tuple[int, ...], int] = {}
        entries: list[tuple[int, int, float]] = []
        for place, feedback in enumerate(self.game.rule.feedbacks):
            if place == self._winning:
                continue
            for tally, chance in self._tallies(likelihood.kind_counts(tuple(feedback))):
                entries.append((place, columns.setdefault(tally, len(columns)), chance))
        table = np.zeros((len(self.game.rule.feedbacks), len(columns) + 1))
        for place, column, chance in entries:
            table[place, column] += chance
        table[self._winning, -1] = 1
        return table

    def _tallies(self, marks: list[int]) -> list[tuple[tuple[int, ...], float]]:
        """Return how many marks of each kind may be read, with the chance of that."""
        found = []
        for tally in product(*(range(n + 1) for n in marks)):
            chance = 1.0
            for read, n, mean in zip(tally, marks, self._means, strict=True):
                chance *= comb(n, read) * mean**read * (1 - mean) ** (n - read)
            if chance > 0:
                found.append(((*tally, sum(marks) - sum(tally)), chance))
        return found


def _binary(chance: Counts) -> Counts:
    """Return the bits of something that happens with a chance, or does not."""
    sure = (chance <= 0) | (chance >= 1)
    inside = np.where(sure, 0.5, chance)
    bits = -inside * np.log2(inside) - (1 - inside) * np.log2(1 - inside)
    return np.where(sure, 0.0, bits)
