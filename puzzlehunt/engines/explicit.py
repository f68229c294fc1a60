"""The explicit engine: every candidate in an array, filtered turn by turn."""

import math
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import TRUE, Constraint
from puzzlehunt.codes.spaces import WordSpace
from puzzlehunt.engines.base import Count, Listing, Sample
from puzzlehunt.engines.posterior import Posterior, Row
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Item, Turn
from puzzlehunt.kernels.codes import Places, Rows, array_of, code_of, satisfied, space_array
from puzzlehunt.kernels.tables import unsigned
from puzzlehunt.rules.notation.clue import Feedback

Breaks = npt.NDArray[np.uint8]
_MANY = 1 << 14
"""Counting finds the different ones of so many answers faster than sorting does."""
_SURELY = 255
"""A secret breaks something that no budget of lies forgives."""
_IMPOSSIBLE = -(1 << 62)
"""What no cost makes good."""


class ExplicitEngine(Listing):
    """Holds all secrets of a game, or of a sample of its candidates.

    `codes` limits the engine to some secrets. Raises TooLargeError for too many.
    """

    def __init__(self, game: Game, codes: Iterable[Code] | None = None) -> None:
        super().__init__(game)
        array = (
            space_array(game.secrets, game.length)
            if codes is None
            else array_of(codes, game.length)
        )
        self._all = game.rule.rows(array)
        self._weights = self._space_weights() if codes is None else None
        self._alive: list[Places] = [np.arange(len(array))]
        self._budget = min(game.channel.lies.at_most, _SURELY - 1) if game.boards == 1 else 0
        self._broken: list[Breaks] = [np.zeros(len(array) if self._budget else 0, dtype=np.uint8)]
        self._rows: dict[Turn, Row] = {}
        self._posterior: tuple[tuple[Item, ...], Posterior] | None = None

    def _space_weights(self) -> npt.NDArray[np.float64] | None:
        space = self.game.secrets
        if not isinstance(space, WordSpace):
            return None
        weights = np.fromiter(space.weights.values(), dtype=np.float64, count=space.size)
        return None if (weights == weights[0]).all() else weights

    def push(self, item: Item) -> None:
        alive, broken = self._filtered(item, self._alive[-1], self._broken[-1])
        self._alive.append(alive)
        self._broken.append(broken)
        self._items.append(item)

    def pop(self) -> None:
        self._items.pop()
        self._alive.pop()
        self._broken.pop()

    def _filtered(self, item: Item, alive: Places, broken: Breaks) -> tuple[Places, Breaks]:
        """Return which of some secrets are left after an item, and how many rows each breaks.

        Only a game with a budget of lies counts those.
        """
        breaks = self._breaks(item, self._all[alive])
        if not self._budget:
            return alive[breaks == 0], broken
        total = np.where(breaks == _SURELY, _SURELY, broken + np.minimum(breaks, 1))
        kept = total <= self._budget
        return alive[kept], total[kept].astype(np.uint8)

    def _breaks(self, item: Item, rows: Rows) -> Breaks:
        """Return for each of some secrets 0 if it agrees with an item, 1 or _SURELY if not."""
        if not isinstance(item, Turn):
            return np.where(satisfied(item.constraint, rows.codes), 0, _SURELY).astype(np.uint8)
        present, where = self._answers(item, rows)
        found = [self._breaks_by(item, self.game.rule.feedbacks[n]) for n in present.tolist()]
        return np.array(found, dtype=np.uint8)[where]

    def _breaks_by(self, turn: Turn, feedback: Feedback) -> int:
        if self.game.contradicts_win(turn, feedback):
            return _SURELY
        return 0 if self.game.clue_admits(turn, feedback) else 1

    def _answers(self, turn: Turn, rows: Rows) -> tuple[Places, Places]:
        """Return the different answers to a turn's guess, by index, and which each secret gives."""
        rule = self.game.rule
        guess = rule.rows(array_of([turn.guess], self.game.length))
        answers = rule.table(guess, rows)[0]
        if answers.dtype.itemsize > 2 or len(answers) < _MANY:
            return np.unique(answers, return_inverse=True)
        counts = np.bincount(answers)
        present = np.flatnonzero(counts)
        where = np.zeros(len(counts), dtype=np.intp)
        where[present] = np.arange(len(present))
        return present, where[answers]

    def satisfiable(self, chosen: Sequence[int] | None = None, also: Constraint = TRUE) -> bool:
        alive, _ = self._left_by(range(len(self._items)) if chosen is None else chosen)
        return bool(len(alive)) and bool(satisfied(also, self._all.codes[alive]).any())

    def _left_by(self, chosen: Sequence[int]) -> tuple[Places, Breaks]:
        """Return what `_filtered` does after some items; what was filtered before is kept."""
        known = 0
        while known < len(chosen) and chosen[known] == known:
            known += 1
        alive, broken = self._alive[known], self._broken[known]
        for place in chosen[known:]:
            if not len(alive):
                break
            alive, broken = self._filtered(self._items[place], alive, broken)
        return alive, broken

    def cheapest(self, costs: Mapping[int, int], limit: int) -> list[tuple[int, Code]]:
        priced = self._priced(costs)
        alive, broken = self._alive[0], self._broken[0]
        for place, item in enumerate(self._items):
            if place not in costs and len(alive):
                alive, broken = self._filtered(item, alive, broken)
        paid = np.zeros(len(alive), dtype=np.int64)
        for turn, cost in priced:
            if len(alive):
                present, where = self._answers(turn, self._all[alive])
                found = [self._paid(turn, cost, self.game.rule.feedbacks[n]) for n in present]
                paid += np.array(found)[where]
                alive, paid = alive[paid >= 0], paid[paid >= 0]
        order = np.argsort(paid, kind="stable")[:limit]
        return [(int(paid[n]), code_of(self._all.codes[alive[n]])) for n in order]

    def _paid(self, turn: Turn, cost: int, feedback: Feedback) -> int:
        """Return what a secret with a feedback pays for a turn; a guess that was tried cannot."""
        if feedback == self.game.rule.winning and not self.game.rule.wins(turn.clue):
            return _IMPOSSIBLE
        return 0 if self.game.admits(turn, feedback) else cost

    def candidates(self) -> Iterator[Code]:
        return (code_of(self._all.codes[place]) for place in self._alive[-1])

    def sample(self, size: int, rng: random.Random, end: float | None = None) -> Sample:
        alive = self._alive[-1]
        places = range(len(alive))
        chosen = places if len(alive) <= size else sorted(rng.sample(places, size))
        codes = tuple(code_of(self._all.codes[alive[place]]) for place in chosen)
        return Sample(codes, len(alive) <= size)

    def count(self, quickly: bool = False) -> Count:
        return Count.exactly(len(self._alive[-1]))

    def every(self) -> Rows:
        return self._all

    def places(self) -> Places:
        return self._alive[-1]

    def weights(self) -> npt.NDArray[np.float64] | None:
        return self.posterior.probabilities if self._rows_weigh else self._weights

    @property
    def _rows_weigh(self) -> bool:
        """Whether rows say more than which secrets are possible."""
        return self.game.channel.weighs or any(turn.doubted for turn in self._turns)

    def likeliest(self, limit: int, breaking: int = 0) -> list[tuple[Code, float]]:
        weights = self.weights()
        shares = np.ones(len(self._all)) if weights is None else weights
        places = self.places()
        if breaking:
            places = np.flatnonzero(self.broken() == self._budget + breaking)
        total = (shares if self._rows_weigh else shares[places]).sum() or 1.0
        order = places[np.argsort(-shares[places], kind="stable")[:limit]]
        return [(code_of(self._all.codes[place]), float(shares[place] / total)) for place in order]

    @property
    def _turns(self) -> list[Turn]:
        return [item for item in self._items if isinstance(item, Turn)]

    @property
    def posterior(self) -> Posterior:
        if self._posterior is None or self._posterior[0] != self.items:
            rows = [self._row(turn) for turn in self._turns]
            self._rows = {row.turn: row for row in rows}
            self._posterior = self.items, Posterior(self.game, rows, self._prior())
        return self._posterior[1]

    def _row(self, turn: Turn) -> Row:
        """Return a turn with what every secret would have answered; asked once for each turn."""
        return self._rows[turn] if turn in self._rows else self._row_of(turn, self._all)

    def _row_of(self, turn: Turn, secrets: Rows) -> Row:
        """Return a turn with what some secrets would have answered."""
        present, where = self._answers(turn, secrets)
        feedbacks = [self.game.rule.feedbacks[n] for n in present.tolist()]
        return Row(self.game, turn, feedbacks, where.astype(unsigned(len(present))))

    def _prior(self) -> npt.NDArray[np.float64]:
        """Return the logarithm of how likely each secret is before any turn."""
        size = len(self._all)
        with np.errstate(divide="ignore"):
            logs = np.zeros(size) if self._weights is None else np.log(self._weights)
        for item in self._items:
            if not isinstance(item, Turn):
                logs = np.where(satisfied(item.constraint, self._all.codes), logs, -np.inf)
        return logs

    def broken(self) -> npt.NDArray[np.uint8]:
        total = np.zeros(len(self._all), dtype=np.uint16)
        for item in self._items:
            total += self._breaks(item, self._all)
        return np.minimum(total, _SURELY).astype(np.uint8)

    def broken_items(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
        surely = np.zeros(len(self._all), dtype=np.uint64)
        maybe = surely.copy()
        for place, item in enumerate(self._items):
            breaks = self._breaks(item, self._all)
            surely |= (breaks == _SURELY).astype(np.uint64) << np.uint64(place)
            maybe |= (breaks == 1).astype(np.uint64) << np.uint64(place)
        return (surely, maybe) if self._budget else (surely | maybe, np.zeros_like(maybe))

    def evidence(
        self, chosen: Sequence[int], others: Iterable[Sequence[Item]]
    ) -> list[tuple[int, float]]:
        items = [self._items[place] for place in chosen]
        alive, broken = self._left_by(chosen)
        found = []
        for some in others:
            left, breaks = alive, broken
            for item in some:
                left, breaks = self._filtered(item, left, breaks)
            found.append((len(left), self._evidence([*items, *some], left)))
        return found

    def _evidence(self, items: Sequence[Item], places: Places) -> float:
        """Return the logarithm of how likely it is that one of some secrets made some rows."""
        if not len(places):
            return float(-np.inf)
        with np.errstate(divide="ignore"):
            prior = (
                np.full(len(places), -math.log(len(self._all)))
                if self._weights is None
                else np.log(self._weights[places] / self._weights.sum())
            )
        turns = [item for item in items if isinstance(item, Turn)]
        if not (self.game.channel.weighs or any(turn.doubted for turn in turns)):
            return float(np.logaddexp.reduce(prior))
        rows = [self._row_of(turn, self._all[places]) for turn in turns]
        return float(np.logaddexp.reduce(Posterior(self.game, rows, prior).logs))
