"""A model of the clues that a player will see: the game's channel turns answers into clues.

The value of a guess is the mutual information between the secret and the clue (Shannon, 1948). To
compute it, the weight of each answer's candidates is spread over the clues it may become.

Shapes of arrays: G guesses, F feedbacks, V clues, C candidates, S secrets.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np
import numpy.typing as npt

from puzzlehunt.channel.model import Rate
from puzzlehunt.game import meaning
from puzzlehunt.game.game import Game
from puzzlehunt.kernels.feedback_matrix import Counts, entropy_terms
from puzzlehunt.kernels.packed_codes import Indices


@dataclass(frozen=True)
class Observation:
    """How answers become clues in a game, given what the turns so far imply about the channel.

    `rates` are the chances that a mark of each kind is read; None if all marks are always read.
    `lie_next` (S,) is, for each secret, the chance that the next answer is a lie if this is the
    secret; None without such lies. Misreadings, which reduce all guesses alike, are left out.
    """

    game: Game
    rates: tuple[Rate, ...] | None
    lie_next: npt.NDArray[np.float64] | None = None

    @property
    def complete(self) -> bool:
        """Whether all clues can be counted; if not, answers are taken to be read and true.

        The clues of tables are not counted, nor those that may be both unread and false.
        """
        if not self.differs:
            return True
        if self.game.rule.column_names or (self._lies and self.rates is not None):
            return False
        cells = len(self.game.rule.feedbacks) * self.clues  # of a table (memory)
        return self.lie_next is not None or cells <= 4_000_000

    @property
    def clues(self) -> int:
        """How many different clues there may be, at most."""
        if self.rates is None:
            return len(self.game.rule.feedbacks)
        kinds = len(self.rates)
        if self._tiles:  # each of which is of one kind, or unread
            return int((kinds + 1) ** self._tiles)
        return comb(self.game.rule.length + kinds, kinds)

    @property
    def _lies(self) -> bool:
        return bool(self.game.channel.lies.exactly) or self.lie_next is not None

    @property
    def differs(self) -> bool:
        """Whether a clue may differ from the answer."""
        return self._lies or self.rates is not None

    @property
    def _tiles(self) -> int:
        return self.game.rule.length if self.game.rule.positional else 0

    def partitions(
        self, feedback_weights: Callable[[Counts], Counts], weights: Counts, candidates: Indices
    ) -> tuple[Counts, Counts]:
        """Return the weight of the candidates for each clue (G, V) that each guess may get.

        Return also the bits (G,) of the clue that come from chance, of a `complete` observation.

        `feedback_weights` turns weights of candidates (C,) into those of feedbacks (G, F).
        `weights` (C,) are those of the candidates, whose places among all secrets are `candidates`.
        """
        counts = feedback_weights(weights)
        lies = None if self.lie_next is None else self.lie_next[candidates]
        if lies is not None:
            clues = self._with_lies(counts, feedback_weights(weights * lies))
            entropy = entropy_terms(lies) + entropy_terms(1 - lies)
            bits = weights * (entropy + lies * np.log2(self._false_answers))
            noise = self._losing(feedback_weights(bits)).sum(axis=1)
        else:
            clues, noise = self._clues(counts), counts @ self._bits
        total = counts.sum(axis=1)
        return clues, noise / np.where(total > 0, total, 1)

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

    def _losing(self, counts: Counts) -> Counts:
        """Return the counts of the answers in whose place lies may be told, and 0 for the win."""
        losing = counts.copy()
        losing[:, self.game.rule.winning_index] = 0
        return losing

    # Unread and false marks.

    @cached_property
    def _chances(self) -> Counts:
        """The chance of each clue for each answer (F, V), in the last column of the winning clue.

        Of tiles, it is the chance of what is read of each kind of tile (3, 4), at last nothing.
        """
        if self.rates is None:
            return meaning.likelihood(self.game).false_mark_matrix()
        means = np.array([rate.mean for rate in self.rates])
        if self._tiles:
            return np.column_stack((np.diag(means), 1 - means))
        return meaning.likelihood(self.game).clue_matrix(means.tolist())

    @cached_property
    def _bits(self) -> Counts:
        """(F,): the entropy (bits) of the clue, for each answer."""
        every = self._clues(np.eye(len(self.game.rule.feedbacks)))
        return np.asarray(entropy_terms(every).sum(axis=1))

    def _clues(self, answers: Counts) -> Counts:
        """Return (G, V), the weight of each clue, given the weight of each answer (G, F)."""
        if self.rates is None or not self._tiles:
            return answers @ self._chances
        # The axis of answers becomes one of kinds for each tile. In each step, that of the first
        # tile left is exchanged for one of what is read of it, which comes last.
        clues = self._losing(answers).reshape(len(answers), *[len(self.rates)] * self._tiles)
        for _ in range(self._tiles):
            clues = np.tensordot(clues, self._chances, axes=(1, 0))
        won = answers[:, self.game.rule.winning_index, None]
        return np.concatenate((clues.reshape(len(answers), -1), won), axis=1)
