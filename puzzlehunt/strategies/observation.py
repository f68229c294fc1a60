"""A model of the clues that a player will see: the game's channel turns answers into clues.

The value of a guess is the mutual information between the secret and the clue (Shannon, 1948). To
compute it, the weight of the candidates that give each answer is spread over the clues that the
answer may become.

Shapes of arrays: G guesses, F feedbacks, V clues, C candidates, S secrets.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import TypeAlias, cast

import numpy as np
import numpy.typing as npt

from puzzlehunt.channel.model import Rate
from puzzlehunt.game.game import Game
from puzzlehunt.kernels.packed_codes import Indices
from puzzlehunt.kernels.partitions import entropy_terms
from puzzlehunt.rules.families import CountRule
from puzzlehunt.strategies.measures import CluePartitions

Counts: TypeAlias = npt.NDArray[np.float64]
Partitioner: TypeAlias = Callable[[Counts], Counts]
"""A function from weights (C,) to the weight (G, F) of the candidates that give each feedback."""
_LARGEST_TABLE = 1_000_000
"""Cap on a table of feedbacks and clues (cells)."""
_MOST_CHANCES, _DECIMALS = 12, 12
"""Up to this many chances of a lie are told apart, by this many decimals; the clues of more chances
follow from as many by interpolation, which errs by less than a millionth of a bit."""
_MOST_TILES = 6
"""If a guess has at most this many tiles, all its clues (four for each tile, multiplied) count."""


@dataclass(frozen=True)
class Observation:
    """How answers become clues in a game, given what the turns so far imply about the channel.

    `rates` are the chances that a mark of each kind is read; None if all marks are always read.
    `lie_next` (S,) is, for each secret, the chance that the next answer is a lie if this is the
    secret; None if lies do not happen by chance. Misreadings are left out, because they reduce the
    information of all guesses alike.
    """

    game: Game
    rates: tuple[Rate, ...] | None
    lie_next: npt.NDArray[np.float64] | None = None

    @property
    def complete(self) -> bool:
        """Whether all clues can be counted; if not, answers are taken to be read and true.

        The clues of tables are not counted.
        """
        if not self._differs:
            return True
        if self.game.rule.column_names:
            return False
        answers = len(self.game.rule.feedbacks)
        listed = self.game.channel.lies.exactly or (self.lie_next is not None and self.rates)
        if listed and answers**2 > _LARGEST_TABLE:
            return False
        if self.rates is None:
            return True
        if self._tiles:
            return self._tiles <= _MOST_TILES
        kinds = len(self.rates)
        return answers * comb(self.game.rule.length + kinds, kinds) <= _LARGEST_TABLE

    @property
    def _differs(self) -> bool:
        """Whether a clue may differ from the answer."""
        has_lies = self.game.channel.lies.exactly or self.lie_next is not None
        return bool(has_lies or self.rates is not None)

    @property
    def _tiles(self) -> int:
        return len(self.game.rule.winning) if self.game.rule.positional else 0

    def partitions(
        self,
        feedback_weights: Partitioner,
        weights: Counts,
        candidates: Indices,
        count_possible: bool = True,
    ) -> CluePartitions:
        """Return the weight of the candidates for each clue that each of G guesses may get.

        `feedback_weights` turns weights of candidates into weights of feedbacks. `weights` (C,) are
        the weights of the candidates, `candidates` (C,) their indices among all secrets. Without
        `count_possible`, the result need not say how many candidates could give each clue.
        """
        counts = feedback_weights(weights)
        possible = feedback_weights(np.ones(len(weights))) if count_possible else None
        if not self._differs or not self.complete:
            return CluePartitions(counts, possible=possible)
        lies = None if self.lie_next is None else self.lie_next[candidates]
        if lies is not None:
            clues = self._read(self._with_lies(counts, feedback_weights(weights * lies)))
            noise = self._bits_of_lies(feedback_weights, counts, weights, lies)
            if possible is not None:
                may_lie = feedback_weights((lies > 0).astype(float))
                possible = self._possible_with_lies(possible, may_lie)
        elif self.game.channel.lies.exactly:
            table = self._read(self._false_marks)
            clues, noise = counts @ table, counts @ self._bits_of(table)
            possible = None if possible is None else possible @ (table > 0)
        else:
            clues, noise = self._read(counts), counts @ self._unread_bits
            possible = None if possible is None else self._read(possible, possible=True)
        total = counts.sum(axis=1)
        return CluePartitions(clues, noise / np.where(total > 0, total, 1), possible)

    # Lies.

    @property
    def _false_answers(self) -> int:
        """How many false answers a lie may show: neither the true one nor the winning one."""
        return max(1, len(self.game.rule.feedbacks) - 2)

    def _with_lies(self, counts: Counts, lying: Counts) -> Counts:
        """Return (G, F), the weight that shows each answer; of `counts`, the part `lying` lies."""
        lying = self._losing(lying)
        spread = (lying.sum(axis=1, keepdims=True) - lying) / self._false_answers
        spread[:, self.game.rule.winning_index] = 0
        return np.asarray(counts - lying + spread)

    def _bits_of_lies(
        self, feedback_weights: Partitioner, counts: Counts, weights: Counts, lies: Counts
    ) -> Counts:
        """Return (G,): the entropy (bits) of lies and of which marks are read, times weight."""
        if self.rates is None:
            noise = weights * (_binary_entropy(lies) + lies * np.log2(self._false_answers))
            return np.asarray(self._losing(feedback_weights(noise)).sum(axis=1))
        chances, bits, false = self._bits_by_chance
        shares = weights * _lagrange(chances, lies)
        noise = np.zeros(len(counts))
        for share, each in zip(shares, bits, strict=True):
            noise += feedback_weights(share) @ each
        return np.asarray(noise + feedback_weights(weights * entropy_terms(lies)) @ false)

    @cached_property
    def _bits_by_chance(self) -> tuple[Counts, Counts, Counts]:
        """Some chances of a lie (N,), and the entropy (bits) of the clue for each answer (N, F).

        The entropy leaves out the chance's own information for clues that only a lie can cause, of
        which the last array has the share among lies (F,): without this part it is a smooth
        function of the chance, which few values determine.
        """
        assert self.lie_next is not None
        every = np.unique(np.round(self.lie_next, _DECIMALS))
        middle, half = (every[0] + every[-1]) / 2, (every[-1] - every[0]) / 2
        if len(every) > _MOST_CHANCES:
            steps = (2 * np.arange(_MOST_CHANCES) + 1) / (2 * _MOST_CHANCES)
            every = middle + half * np.cos(np.pi * steps)
        answers = np.eye(len(self.game.rule.feedbacks))
        true, lied = (self._read(self._with_lies(answers, n * answers)) for n in (0, 1))
        false = np.where(true > 0, 0, lied).sum(axis=1)
        bits = [self._bits_of(true + chance * (lied - true)) for chance in every]
        return every, np.array(bits) - entropy_terms(every)[:, None] * false, false

    def _possible_with_lies(self, numbers: Counts, lying: Counts) -> Counts:
        """Return how many candidates could show each clue; the `lying` (G, F) could show any."""
        lying = self._losing(lying)
        shown = self._read(self._losing(np.ones((1, numbers.shape[1]))), possible=True) > 0
        true = self._read(numbers - lying, possible=True)
        return np.asarray(true + lying.sum(axis=1, keepdims=True) * shown)

    def _losing(self, counts: Counts) -> Counts:
        """Return the counts of the answers in whose place lies may be told, and 0 for the win."""
        losing = counts.copy()
        losing[:, self.game.rule.winning_index] = 0
        return losing

    @cached_property
    def _false_marks(self) -> Counts:
        """(F, F): the chance of each shown answer (columns) for each true one, by false marks."""
        return self.game.likelihood.false_mark_matrix()

    @staticmethod
    def _bits_of(table: Counts) -> Counts:
        return np.asarray(entropy_terms(table).sum(axis=1))

    # Reading.

    @cached_property
    def _chances(self) -> Counts:
        """The chance of each clue for each answer (F, V), or of each mark read for a mark (3, 4).

        The last column is for the winning clue, or for a mark that is unread.
        """
        means = np.array([rate.mean for rate in self.rates or ()])
        if self._tiles:
            return np.column_stack((np.diag(means), 1 - means))
        from puzzlehunt.channel.likelihood import clue_matrix

        return clue_matrix(cast(CountRule, self.game.rule), means.tolist())

    @cached_property
    def _unread_bits(self) -> Counts:
        """(F,): the entropy (bits) of which marks are read, for each answer."""
        bits = self._bits_of(self._chances)
        if self._tiles:
            bits = bits[np.array(list(self.game.rule.feedbacks))].sum(axis=1)
            bits[self.game.rule.winning_index] = 0
        return bits

    def _read(self, shown: Counts, possible: bool = False) -> Counts:
        """Return (G, V), the weight of each clue, given the weight of each shown answer (G, F).

        With `possible` it is how many candidates could show each clue.
        """
        if self.rates is None:
            return shown
        chances = self._chances > 0 if possible else self._chances
        if not self._tiles:
            return shown @ chances
        clues = self._losing(shown).reshape(len(shown), *[3] * self._tiles)
        for _ in range(self._tiles):
            clues = np.tensordot(clues, chances, axes=(1, 0))
        won = shown[:, self.game.rule.winning_index, None]
        return np.concatenate((clues.reshape(len(shown), -1), won), axis=1)


def _lagrange(nodes: Counts, places: Counts) -> Counts:
    """Return (N, P), the Lagrange polynomial of each node at each place."""
    others = [np.delete(nodes, number) for number in range(len(nodes))]
    polynomials = [
        ((places[:, None] - some) / (node - some)).prod(axis=1)
        for node, some in zip(nodes, others, strict=True)
    ]
    return np.array(polynomials)


def _binary_entropy(chance: Counts) -> Counts:
    return entropy_terms(chance) + entropy_terms(1 - chance)
