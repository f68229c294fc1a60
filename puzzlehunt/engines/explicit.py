"""The explicit engine: all secrets in arrays, and the places of candidates, filtered by turns."""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from puzzlehunt.channel.model import Channel
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import TRUE, Constraint
from puzzlehunt.engines.base import Count, Engine, Sample
from puzzlehunt.errors import check_number
from puzzlehunt.game import meaning
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Item, Turn
from puzzlehunt.kernels.feedback_matrix import unsigned_type
from puzzlehunt.kernels.packed_codes import (
    CodeArray,
    Indices,
    PackedCodes,
    array_of,
    code_of,
    space_array,
    where_holds,
)

if TYPE_CHECKING:
    from puzzlehunt.engines.posterior import Posterior, TurnEvidence

Breaks = npt.NDArray[np.int32]
"""(N,): the number of turns whose clues each of N secrets breaks, or `_IMPOSSIBLE`."""
Words = npt.NDArray[np.uint64]
"""Sets of broken items, a bit for each; where turns may lie, the higher half is for no lies."""
_BITS = 64
_FEW = 4096
"""How many secrets are tried first where one that fits is enough."""
_SINGLY = 8
"""So few secrets are held against an item one by one, which is quicker than in arrays."""
_UNLIKELY = 6
"""Secrets that break more turns are too unlikely to matter, each turn being a mistake or a lie."""
_IMPOSSIBLE = 1 << 30
"""The number for a secret that is excluded however many turns may lie."""


class ExplicitEngine(Engine):
    """An engine that holds all secrets of a game in arrays, or only `codes` if these are given.

    Raises TooLargeError for more secrets than arrays may hold.

    >>> explicit = puzzlehunt.engines.open_engine("3x4").listed
    >>> explicit is not None and explicit.secrets().codes.shape
    (64, 3)
    """

    def __init__(self, game: Game, codes: Iterable[Code] | None = None) -> None:
        codes, space = None if codes is None else list(codes), game.secrets
        super().__init__(game, codes)
        array = space_array(space, game.length) if codes is None else array_of(codes, game.length)
        self._secrets = game.rule.rows(array)
        self._is_weighed = codes is None and space.is_weighed
        self._weights = np.ones(len(array))
        """(S,): the weight of each secret without any item."""
        if self._is_weighed:
            self._weights = np.fromiter(map(space.weight, space), np.float64, space.size)
        self._budget = min(game.channel.lies.at_most, _IMPOSSIBLE - 1) if game.boards == 1 else 0
        self._most_items = _BITS // 2 if self._budget else _BITS
        """Sets of more items are not kept as words."""
        self._shift = np.uint64(_BITS - self._most_items)
        """Where the bits begin, in such a word, of the items that are broken for certain."""
        self._left = [(np.arange(len(array)), np.zeros(len(array), dtype=np.int32))]
        """After the first n items: the places of candidates, and how many turns each breaks."""
        self._turn_evidence: dict[Turn, TurnEvidence] = {}
        self._guess_row = cache(lambda guess: game.rule.rows_of([guess]))
        self._few = self._secrets[:: len(array) // _FEW + 1]
        """Some secrets, evenly spread."""
        self._few_fitting = cache(lambda item: self._breaks(item, self._few) <= self._budget)
        self._fitting = lru_cache(maxsize=_BITS)(
            lambda item: np.packbits(self._breaks(item, self._secrets) == 0)
        )
        """A bit for each secret: whether it fits an item, without any lie."""
        self._broken_sets = lru_cache(maxsize=1)(self._new_broken_sets)
        self._posterior = lru_cache(maxsize=1)(self._new_posterior)

    def _push(self, item: Item) -> None:
        height = len(self._items)
        self._left[height + 1 :] = [self._filtered(item, *self._left[height])]
        super()._push(item)

    def _filtered(
        self, item: Item, places: Indices, broken: Breaks, more: int = 0
    ) -> tuple[Indices, Breaks]:
        """Return the places of secrets that an item leaves, and how many turns they then break.

        Those are left that break up to `more` turns more than may lie.
        """
        if not len(places):
            return places, broken
        if not (self._budget or more) and 2 * len(places) > len(self._secrets):
            fitting = np.unpackbits(self._fitting(item), count=len(self._secrets))
            kept = fitting.view(np.bool_)[places]
            return places[kept], broken[kept]
        total = broken + self._breaks(item, self._secrets[places])
        kept = total <= self._budget + more
        return places[kept], total[kept]

    def _nearly(self, breaking: int) -> tuple[Indices, Breaks]:
        """Return the same for all items, of secrets that break up to `breaking` turns more."""
        places, broken = self._left[0]
        for item in self._items:
            places, broken = self._filtered(item, places, broken, breaking)
        return places, broken

    def _breaks(self, item: Item, secrets: PackedCodes) -> Breaks:
        """Return (N,): 0 if a secret fits, 1 if it breaks only a turn's clue, or `_IMPOSSIBLE`."""
        if len(secrets) <= _SINGLY:
            found = (meaning.violations(self.game, [item], code_of(row)) for row in secrets.codes)
            return np.array(
                [_IMPOSSIBLE if always else len(lies) for always, lies in found], np.int32
            )
        if not isinstance(item, Turn):
            fits = where_holds(item.constraint, secrets.codes)
            return np.where(fits, 0, _IMPOSSIBLE).astype(np.int32)
        indices, feedback_of = self._answers(item, secrets)
        feedbacks = self.game.rule.feedback_array(indices)
        breaks = np.where(meaning.admitted(self.game, item, feedbacks), 0, 1)
        breaks[meaning.win_conflicts(self.game, item, feedbacks)] = _IMPOSSIBLE
        return breaks.astype(np.int32).take(feedback_of)

    def _answers(self, turn: Turn, secrets: PackedCodes) -> tuple[Indices, Indices]:
        """Return the indices of feedbacks to a turn's guess (F,), and each secret's place there."""
        answers = self.game.rule.table(self._guess_row(turn.code), secrets)[0]
        if answers.dtype.itemsize == 1:  # so few that all of them are taken
            return np.arange(len(self.game.rule.feedbacks)), answers
        if answers.dtype.itemsize > 2:
            return np.unique(answers, return_inverse=True)
        # Where few feedbacks exist, counting takes less time than sorting.
        counts = np.bincount(answers)
        return np.flatnonzero(counts), (np.cumsum(counts > 0) - 1)[answers]

    def _witness(self, chosen: Sequence[int], also: Constraint = TRUE) -> Code | None:
        """Return a code that fits chosen items and breaks as few others as possible, or None.

        With `also`, or more items than a word has bits, it is the first that fits the chosen ones.
        """
        if also is not TRUE or len(self._items) > self._most_items:
            places, _ = self._left_after(chosen)
            places = places[where_holds(also, self._secrets.codes[places])]
        else:
            broken, places = self._broken_sets(self.items)
            bits = np.uint64(sum(1 << place for place in chosen))
            lies = np.bitwise_count(broken & bits)
            places = places[(lies <= self._budget) & (broken & (bits << self._shift) == 0)]
        return code_of(self._secrets.codes[places[0]]) if len(places) else None

    def satisfiable(self, chosen: Sequence[int] | None = None, *, also: Constraint = TRUE) -> bool:
        left, _ = self._left_after(self._places(chosen))
        # Most often, it holds for one of a few secrets.
        tried = (left[:: len(left) // _FEW + 1], left)
        codes = (self._secrets.codes.take(some, axis=0) for some in tried)
        return any(where_holds(also, some).any() for some in codes)

    def first_refuting(self, also: Constraint) -> int | None:
        """Return the place of the first item that alone contradicts `also`, None if none does."""
        few = where_holds(also, self._few.codes)
        for place, item in enumerate(self._items):
            # Most often, one of a few secrets fits.
            fits = (few & self._few_fitting(item)).any()
            if not fits and not self.satisfiable([place], also=also):
                return place
        return None

    def newest_conflict(self, chosen: Sequence[int], also: Constraint = TRUE) -> list[int]:
        """Return the places of the conflict with the newest of the `chosen` items, in order.

        These must contradict each other. Only secrets that satisfy `also` are considered.
        """
        conflict: list[int] = []
        places = np.flatnonzero(where_holds(also, self._secrets.codes))
        broken = np.zeros(len(places), dtype=np.int32)
        while len(places):
            # From the newest item back to the one with which nothing is left: it is needed.
            left, of_left = places, broken
            for place in reversed(chosen):
                left, of_left = self._filtered(self._items[place], left, of_left)
                if not len(left):
                    break
            conflict.append(place)
            chosen = [other for other in chosen if other > place]
            places, broken = self._filtered(self._items[place], places, broken)
        return conflict

    def _new_broken_sets(self, items: tuple[Item, ...]) -> tuple[Words, Indices]:
        """Return (N,) the different sets of items that secrets break, those of few items first.

        The second (N,) is the place of each set's first secret.
        """
        words = np.zeros(len(self._secrets), dtype=np.uint64)
        for place, item in enumerate(items):
            breaks, bit = self._breaks(item, self._secrets), np.uint64(1 << place)
            words[(breaks > 0) & (breaks <= self._budget)] |= bit
            words[breaks > self._budget] |= bit << self._shift
        words, first = np.unique(words, return_index=True)
        order = np.argsort(np.bitwise_count(words), kind="stable")
        return words[order], first[order]

    def _left_after(self, chosen: Sequence[int]) -> tuple[Indices, Breaks]:
        """Return the places of candidates after chosen items alone, and their broken turns."""
        # The first of them may be the engine's first items, whose candidates are known.
        known = next((n for n, place in enumerate(chosen) if place != n), len(chosen))
        places, broken = self._left[known]
        for place in reversed(chosen[known:]):
            places, broken = self._filtered(self._items[place], places, broken)
        return places, broken

    def in_code_order(self) -> Iterator[Code]:
        return (code_of(self._secrets.codes[place]) for place in self.candidate_places())

    def _sample(self, size: int, rng: random.Random, end: float) -> Sample:
        return sample_of(self._secrets.codes, self.candidate_places(), size, rng)

    def count(self, *, quickly: bool = False) -> Count:
        return Count.of(len(self.candidate_places()))

    @property
    def listed(self) -> "ExplicitEngine":
        return self

    def secrets(self) -> PackedCodes:
        """Return all S secrets that the engine holds, in code order, whether candidates or not."""
        return self._secrets

    def candidate_places(self) -> Indices:
        """Return the places in `secrets`, ascending, of the candidates."""
        return self._left[len(self._items)][0]

    def weights(self) -> npt.NDArray[np.float64] | None:
        """Return (S,): the weight of each secret; None if all candidates have the same weight.

        If a turn may be wrong or incompletely read, the weights are posterior probabilities. Those
        of secrets that are not candidates may be above 0. Otherwise, and if the probabilities of
        all candidates are too small for a float, the weights are those of the word list.
        """
        own = self._weights if self._is_weighed else None
        if not self._weigh(self._items):
            return own
        probabilities, places = self.posterior.probabilities, self.candidate_places()
        too_small = len(places) > 0 and not probabilities[places].any()
        return own if too_small else probabilities

    def _weigh(self, items: Iterable[Item]) -> bool:
        """Return whether the clues of items make some secrets likelier than others that fit."""
        doubts = (isinstance(item, Turn) and item.doubt for item in items)
        return self.game.channel.weighs or any(doubts)

    def likeliest(self, limit: int, *, breaking: int = 0) -> list[tuple[Code, float]]:
        """Return up to `limit` pairs of a candidate and its probability (0 to 1), likeliest first.

        Equally likely ones are in code order. With `breaking` above 0, return near misses instead:
        secrets that break exactly `breaking` more turns than the game allows to lie. Their
        probabilities are those of the posterior or, without one, their shares of the near misses.
        """
        check_number("limit", limit, 0, whole=True)
        check_number("breaking", breaking, 0, whole=True)
        has_posterior, places = self._weigh(self._items), self.candidate_places()
        weights = self.posterior.probabilities if has_posterior else self._weights
        if breaking:
            places, broken = self._nearly(breaking)
            places = places[broken == self._budget + breaking]
        # A posterior is spread over all secrets, word weights over those that fit.
        total = (weights if has_posterior else weights[places]).sum() or 1.0
        # As 32-bit floats, so that rounding does not decide the order.
        order = places[np.argsort(-weights[places].astype(np.float32), kind="stable")[:limit]]
        return [(code_of(self._secrets.codes[n]), float(weights[n] / total)) for n in order]

    @property
    def outside(self) -> float | None:
        """The probability (0 to 1) that the secret is not a candidate because a turn is misread.

        It and the probabilities of all candidates sum to 1. None in games without misreadings.
        """
        if not self.game.channel.misread:
            return None
        probabilities = self.posterior.probabilities.copy()
        probabilities[self.candidate_places()] = 0
        return float(probabilities.sum())

    @property
    def posterior(self) -> "Posterior":
        """The probability of each secret, and of each turn being wrong, given all items."""
        return self._posterior(self.items)

    def _new_posterior(self, items: tuple[Item, ...]) -> "Posterior":
        from puzzlehunt.engines.posterior import Posterior

        before, turns = self._turn_evidence, [item for item in items if isinstance(item, Turn)]
        self._turn_evidence = {
            turn: before.get(turn) or self._scored(turn, self._secrets) for turn in turns
        }
        evidence = list(map(self._turn_evidence.__getitem__, turns))
        prior = np.log(self._weights)
        for fact in (item for item in items if not isinstance(item, Turn)):
            prior[~where_holds(fact.constraint, self._secrets.codes)] = -np.inf
        return Posterior(self.game, evidence, prior).with_learned_misreadings()

    def posterior_if(self, channel: Channel) -> "tuple[Posterior, float]":
        """Return the posterior in another channel, and the chance that no candidate is the secret.

        If there are candidates, secrets that break many turns are left out as too unlikely.
        """
        from puzzlehunt.engines.posterior import Posterior

        game, most = replace(self.game, channel=channel), len(self._items)
        places, broken = self._nearly(_UNLIKELY if self.satisfiable() else most)
        secrets = self._secrets[places]
        turns = [item for item in self._items if isinstance(item, Turn)]
        evidence = [self._scored(turn, secrets, game) for turn in turns]
        prior = np.log(self._weights[places])
        posterior = Posterior(game, evidence, prior)
        return posterior, float(posterior.probabilities[broken > self._budget].sum())

    def _scored(self, turn: Turn, secrets: PackedCodes, game: Game | None = None) -> "TurnEvidence":
        from puzzlehunt.engines.posterior import turn_evidence

        indices, feedback_of = self._answers(turn, secrets)
        feedbacks = self.game.rule.feedback_array(indices)
        smallest_type = unsigned_type(len(indices))
        return turn_evidence(game or self.game, turn, feedbacks, feedback_of.astype(smallest_type))

    def evidence(
        self, chosen: Sequence[int], others: Iterable[Sequence[Item]]
    ) -> list[tuple[int, float]]:
        """Return a number of candidates and a log probability for each of `others`.

        Each of `others` is a sequence of items that is added to the chosen items. The first result
        is the number of secrets that fit all of these. The second is the natural logarithm, up to a
        constant, of the probability that the secret is one of them and that all turns have their
        clues. The secrets are filtered by the chosen items only once, for all of `others`.
        """
        from puzzlehunt.engines.posterior import Posterior

        places_before, broken_before = self._left_after(self._places(chosen))
        items = [self._items[place] for place in chosen]
        evidence = []
        for more in others:
            places, broken = places_before, broken_before
            for item in more:
                places, broken = self._filtered(item, places, broken)
            logs = np.log(self._weights[places])
            turns = [item for item in (*items, *more) if isinstance(item, Turn)]
            if len(places) and self._weigh(turns):
                scored = [self._scored(turn, self._secrets[places]) for turn in turns]
                logs = Posterior(self.game, scored, logs).logs
            evidence.append((len(places), float(np.logaddexp.reduce(logs, initial=-np.inf))))
        return evidence


def sample_of(
    codes: CodeArray, places: Sequence[int] | Indices, size: int, rng: random.Random
) -> Sample:
    """Return up to `size` of the candidates, which are at some places among codes."""
    complete, numbers = len(places) <= size, range(len(places))
    chosen = numbers if complete else sorted(rng.sample(numbers, size))
    return Sample(tuple(code_of(codes[places[n]]) for n in chosen), complete)
