"""A model of the clues that a player will see: the game's channel turns answers into clues.

The value of a guess is the mutual information between the secret and the clue (Shannon, 1948). To
compute it, the weight of the candidates that give each answer is spread over the clues that the
answer may become.

Shapes of arrays: G guesses, F feedbacks, V clues, C candidates, S secrets.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, compress, product
from math import comb, prod
from typing import TypeAlias, cast

import numpy as np
import numpy.typing as npt

from puzzlehunt.channel.model import Rate
from puzzlehunt.game.game import Game
from puzzlehunt.kernels.packed_codes import Indices
from puzzlehunt.kernels.partitions import entropy_terms
from puzzlehunt.rules.columns import ColumnsRule
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
        """Whether all clues can be counted; if not, answers are taken to be seen in full."""
        if self.game.rule.column_names:
            return self._complete_columns
        tiles = self._tiles
        listed = self.game.channel.lies.exactly or (self.lie_next is not None and self.rates)
        if listed and len(self.game.rule.feedbacks) ** 2 > _LARGEST_TABLE:
            return False
        if self.rates is None:
            return True
        return tiles <= _MOST_TILES if tiles else self._entries <= _LARGEST_TABLE

    @property
    def _complete_columns(self) -> bool:
        """Whether all sets of columns that may be read can count, and all that may be false."""
        sets = 1 << len(self.game.rule.column_names) * (self.rates is not None)
        few = len(self.game.rule.feedbacks) * sets <= _LARGEST_TABLE
        return few and not (self.game.channel.lies.exactly and self._false_columns is None)

    @property
    def _tiles(self) -> int:
        return len(self.game.rule.winning) if self.game.rule.positional else 0

    @property
    def _entries(self) -> int:
        """Upper bound on the cells of a table of feedbacks and numbers of marks read."""
        kinds = len(self.rates or ())
        return len(self.game.rule.feedbacks) * comb(self.game.rule.length + kinds, kinds)

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
        if not self.complete:
            return CluePartitions(counts, possible=possible)
        lies = None if self.lie_next is None else self.lie_next[candidates]
        if lies is not None and self.game.rule.column_names:
            return self._of_lying_columns(feedback_weights, weights, lies, counts, possible)
        if lies is not None:
            clues = self._read(self._with_lies(counts, feedback_weights(weights * lies)))
            noise = self._bits_of_lies(feedback_weights, counts, weights, lies)
            if possible is not None:
                may_lie = feedback_weights((lies > 0).astype(float))
                possible = self._possible_with_lies(possible, may_lie)
        elif self.game.channel.lies.exactly and self.game.rule.column_names:
            return self._of_false_columns(counts, possible)
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
        return np.asarray(noise + feedback_weights(weights * _information_of(lies)) @ false)

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
        return every, np.array(bits) - _information_of(every)[:, None] * false, false

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

    def _of_lying_columns(
        self,
        feedback_weights: Partitioner,
        weights: Counts,
        lies: Counts,
        counts: Counts,
        possible: Counts | None,
    ) -> CluePartitions:
        """Return the partition by what is noted of columns if a row may lie.

        A lie shows any other answer, also one that no row of the table gives. For each set of
        columns that may be read, all notes that no candidate's true answer gives are equally
        likely: they are one clue, the bits of which of them it is are taken from the noise.
        """
        sizes = np.array(cast(ColumnsRule, self.game.rule).feedbacks.sizes, dtype=np.float64)
        every = float(sizes.prod())
        others = max(1.0, every - 1)
        lying = self._losing(feedback_weights(weights * lies))
        all_lying = lying.sum(axis=1, keepdims=True)
        may_lie = np.zeros_like(counts)
        if possible is not None:
            may_lie = self._losing(feedback_weights((lies > 0).astype(float)))
        clues, numbers, noise = [counts[:, -1:]], [], np.zeros(len(counts))
        if possible is not None:
            numbers.append(possible[:, -1:])
        own_noise = np.zeros(len(weights))
        for chance, read, order, starts in self._column_sets:
            notes = float(sizes[list(read)].prod())
            each = every / notes

            def grouped(shown: Counts, order: Indices = order, starts: Indices = starts) -> Counts:
                return np.asarray(np.add.reduceat(shown[:, :-1][:, order], starts, axis=1))

            false = grouped(lying)
            untold = max(0.0, notes - len(starts))
            clues.append(chance * (grouped(counts) - false + (all_lying * each - false) / others))
            clues.append(chance * untold * each / others * all_lying)
            noise -= clues[-1][:, 0] * np.log2(max(1.0, untold))
            if possible is not None:
                about = may_lie.sum(axis=1, keepdims=True)
                numbers += [grouped(possible - may_lie) + about, about * (untold > 0)]
            false_note = lies * each / others
            true_note = 1 - false_note * (notes - 1)
            own_noise += chance * _information_of(true_note)
            own_noise += chance * (notes - 1) * _information_of(false_note)
            own_noise += _information_of(np.array([chance]))
        noise += self._losing(feedback_weights(weights * own_noise)).sum(axis=1)
        total = counts.sum(axis=1)
        return CluePartitions(
            np.concatenate(clues, axis=1),
            noise / np.where(total > 0, total, 1),
            None if possible is None else np.concatenate(numbers, axis=1),
        )

    @cached_property
    def _false_columns(self) -> tuple[Indices, Indices, Counts, Counts] | None:
        """What may be noted of each losing answer if some of its columns are false.

        The first three arrays (N,) pair each answer, in order, with the notes of it and their
        chances; the last (V,) has how many notes each stands for: digits that no answer has are
        equally likely, and noted alike. None if the pairs are too many.
        """
        rule, false = cast(ColumnsRule, self.game.rule), self.game.channel.lies.exactly
        digits = rule.feedback_array(np.arange(len(rule.feedbacks) - 1))[:, :-1].T
        values, sizes = [np.unique(told) for told in digits], rule.feedbacks.sizes
        told = np.stack([np.searchsorted(*pair) for pair in zip(values, digits, strict=True)])
        free = {place for place, size in enumerate(sizes) if size > 1}
        # The numbers of the digits in a note: of those told, of all others, of none.
        bases = np.array([[len(each) + 2] for each in values])
        if len(free) < false or prod(bases.ravel().tolist()) >= 1 << 62:
            return None
        units = np.cumprod(np.append(1, bases[:-1]))
        pairs: list[tuple[Indices, Indices, Counts, Counts]] = []
        count = 0
        for chance, read, *_ in self._column_sets:
            whole = units @ np.where(np.isin(np.arange(len(bases)), read)[:, None], told, bases - 1)
            able = sorted(free.intersection(read))
            for number in range(min(false, len(able)) + 1):
                ways = comb(len(free) - len(able), false - number) / comb(len(free), false)
                for places in map(list, combinations(able, number) if ways else ()):
                    each = chance * ways / prod(sizes[place] - 1 for place in places)
                    known = [len(values[place]) for place in places]
                    others = [sizes[place] - n for place, n in zip(places, known, strict=True)]
                    shown = [range(n + (m > 0)) for n, m in zip(known, others, strict=True)]
                    for digit in product(*shown):
                        changes = np.array(digit, dtype=np.int64)[:, None] - told[places]
                        truth = np.flatnonzero(changes.all(axis=0))
                        notes = (whole + units[places] @ changes)[truth]
                        is_other = [d == n for d, n in zip(digit, known, strict=True)]
                        stands_for = float(prod(compress(others, is_other)))
                        weighed = np.full((2, len(truth)), stands_for)
                        pairs.append((truth, notes, each * weighed[0], weighed[1]))
                        count += len(truth)
                        if count > _LARGEST_TABLE:
                            return None
        truths, noted, chances, alike = map(np.concatenate, zip(*pairs, strict=True))
        _, firsts, notes = np.unique(noted, return_index=True, return_inverse=True)
        order = np.argsort(truths, kind="stable")
        return truths[order], notes[order], chances[order], alike[firsts]

    def _of_false_columns(self, counts: Counts, possible: Counts | None) -> CluePartitions:
        """Return the partition by what is noted of columns if some of them are false."""
        assert self._false_columns is not None
        truths, notes, chances, alike = self._false_columns
        own = np.bincount(truths, -chances * np.log2(chances / alike[notes]), counts.shape[1])
        ends = np.cumsum(np.bincount(truths, minlength=counts.shape[1]))

        def noted(row: Counts, shares: Counts) -> Counts:
            given = np.flatnonzero(row[:-1])
            spans = [np.arange(ends[n - 1] if n else 0, ends[n]) for n in given]
            pairs = np.concatenate([notes[:0], *spans])
            weights = row[truths[pairs]] * shares[pairs]
            return np.bincount(notes[pairs], weights, len(alike)).astype(np.float64)

        clues = np.stack([noted(row, chances) for row in counts])
        noise, total = counts @ own - clues @ np.log2(alike), counts.sum(axis=1)
        if possible is not None:
            numbers = [noted(row, np.ones(len(chances))) for row in possible]
            possible = np.column_stack((numbers, possible[:, -1]))
        clues = np.column_stack((clues, counts[:, -1]))
        return CluePartitions(clues, noise / np.where(total > 0, total, 1), possible)

    # Reading.

    @cached_property
    def _column_sets(self) -> list[tuple[float, tuple[int, ...], Indices, Indices]]:
        """Each set of columns that may be read, after its chance, and how it groups the answers.

        The losing answers, put in the order of the first array, are grouped from the places of the
        second on.
        """
        losing = np.arange(len(self.game.rule.feedbacks) - 1)
        digits = self.game.rule.feedback_array(losing)
        means = [rate.mean for rate in self.rates or [Rate(1.0)] * (digits.shape[1] - 1)]
        sets = []
        for seen in product(*[(False,) * (m < 1) + (True,) * (m > 0) for m in means]):
            chance = prod(m if one else 1 - m for m, one in zip(means, seen, strict=True))
            read = tuple(np.flatnonzero(seen).tolist())
            told = digits[:, read]
            order = np.lexsort(told.T[::-1]) if read else losing
            changes = (told[order][1:] != told[order][:-1]).any(axis=1)
            sets.append((chance, read, order, np.flatnonzero(np.append(True, changes))))
        return sets

    def _read_columns(self, shown: Counts, possible: bool) -> Counts:
        losing, won = shown[:, :-1], shown[:, -1:]
        clues = [
            np.add.reduceat(losing[:, order], starts, axis=1) * (1 if possible else chance)
            for chance, _, order, starts in self._column_sets
        ]
        return np.concatenate((*clues, won), axis=1)

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
        if self.rates is None:
            return np.zeros(len(self.game.rule.feedbacks))
        if self.game.rule.column_names:
            chances = np.array([chance for chance, *_ in self._column_sets])
            bits = np.full(len(self.game.rule.feedbacks), self._bits_of(chances[None])[0])
            bits[-1] = 0
            return bits
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
        if self.game.rule.column_names:
            return self._read_columns(shown, possible)
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


def _information_of(chance: Counts) -> Counts:
    """Return -p log2(p) for each chance p, 0 for p = 0."""
    logs = np.log2(chance, out=np.zeros_like(chance), where=chance > 0)
    return np.asarray(-chance * logs)


def _binary_entropy(chance: Counts) -> Counts:
    sure = (chance <= 0) | (chance >= 1)
    inside = np.where(sure, 0.5, chance)
    bits = -inside * np.log2(inside) - (1 - inside) * np.log2(1 - inside)
    return np.where(sure, 0.0, bits)
