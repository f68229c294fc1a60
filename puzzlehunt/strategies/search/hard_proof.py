"""Proof of the best play of a whole game in hard mode, with bounds as it goes.

The upper bound is what a play takes that was found: first that of a search with a small budget. The
lower bound of a first guess is the sum of the lower bounds of its parts, that of the game the least
over its first guesses. All parts of a first guess are raised in turn, the smallest first, each time
by a little more: the first steps take little time, in whichever part. With the first step, which is
a look at the guesses allowed in each part, most first guesses are refuted. After that the one with
the least bound comes next.
"""

from dataclasses import dataclass, field

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.kernels.problem import after
from puzzlehunt.strategies.search.hard_search import HardSearch, State
from puzzlehunt.strategies.search.proof import BoundRecord, Bounds, ProofLog
from puzzlehunt.strategies.search.whole_games import SearchResult, bound_increment, in_threads

_AT_ONCE = 64
"""How many first guesses are looked into before the bounds are reported."""
_FEW = 16
"""First guesses up to which there are few: then one at a time is raised, its parts in threads."""


@dataclass(slots=True, eq=False)
class RootMove:
    """A first guess, its place in the order of guesses, and a floor, which is its value if `exact`.

    `floors` are those of its parts, of which `open_parts` have no value yet; the next steps are
    those of a `turn`.
    """

    guess: int
    rank: int
    low: int
    exact: bool = False
    floors: list[int] = field(default_factory=list)
    open_parts: list[int] = field(default_factory=list)
    turn: int = 0


class HardProof:
    """The proof of the best first guess for a part, of some in order; `proof_log` is kept on it."""

    def __init__(
        self, search: HardSearch, part: State, order: list[int], proof_log: ProofLog
    ) -> None:
        self.search, self.part, self.proof_log = search, part, proof_log
        noted: dict[Code, int] = {}
        for finding in proof_log.found():
            noted[finding.first] = max(finding.floor, noted.get(finding.first, 0))
        floors = search.floors(part, order)
        self.firsts = [
            RootMove(guess, rank, max(floors[rank], noted.get(search.code(guess), 0)))
            for rank, guess in enumerate(order)
        ]
        self._few = len(order) <= _FEW
        value, guess = search.by_small_budget(part, order)[0]
        self.best, self.upper = self.firsts[order.index(guess)], value
        self._reported: Bounds | None = None

    def run(self) -> SearchResult:
        """Return the best first guess."""
        self._report()
        target = self.upper + 1  # which the guess cannot reach: some play takes less
        while not self.best.exact:
            self._raise(self.best, target, turns=1)
            self._report()
        self.upper = self.best.low
        self._improve([self.best])
        looked = [] if self._few else [each for each in self.firsts if not self._is_settled(each)]
        for start in range(0, len(looked), _AT_ONCE):
            self._raise_all(looked[start : start + _AT_ONCE], turns=1)
        while alive := self._alive():
            if self._few:
                self._raise(alive[0], self._enough(alive[0]), turns=1)
                self._improve(alive[:1])
            else:
                self._raise_all(alive[:_AT_ONCE])
        return SearchResult.of(self.upper, self.best.guess)

    def _enough(self, first: RootMove) -> int:
        """Return the floor from which a first guess is beaten; of equals the first one is best."""
        return self.upper + (first.rank < self.best.rank)

    def _is_settled(self, first: RootMove) -> bool:
        """Return whether a first guess need not be raised: it is the best so far, or no better."""
        return first is self.best or first.low >= self._enough(first)

    def _alive(self) -> list[RootMove]:
        """Return the first guesses that may still be better, the least floor first."""
        alive = [first for first in self.firsts if not self._is_settled(first)]
        return sorted(alive, key=lambda first: (first.low, first.rank))

    def _raise_all(self, firsts: list[RootMove], turns: int | None = None) -> None:
        """Raise the floors of first guesses, each in a thread, until they are beaten or values."""
        targets = [self._enough(first) for first in firsts]

        def work(number: int) -> None:
            self._raise(firsts[number], targets[number], turns)

        in_threads(work, len(firsts), self.search.stop)
        self._improve(firsts)

    def _improve(self, firsts: list[RootMove]) -> None:
        """Note what is known of first guesses, and take one for the best that is better."""
        for first in firsts:
            self.proof_log.note(BoundRecord(self.search.code(first.guess), None, first.low))
            if first.exact and not self._is_settled(first):
                self.best, self.upper = first, first.low
        self._report()

    def _report(self) -> None:
        reported = Bounds.of(min(self.upper, *(each.low for each in self.firsts)), self.upper)
        if reported != self._reported:
            self._reported = reported
            self.proof_log.report(reported)

    def _raise(self, first: RootMove, target: int, turns: int | None = None) -> None:
        """Raise the floor of a first guess to a target, or to its value, in so many turns at most.

        Its parts are raised one after the other or, where there are few first guesses, in threads.
        """
        search, left = self.search, after(self.part.attempts)
        answers = search.answers(self.part, first.guess)[::-1]
        parts = [search.after(self.part, first.guess, *answer) for answer in answers]
        if not first.turn:
            first.floors = [search.least(len(part.candidates), left) for part in parts]
            first.open_parts = list(range(len(parts)))
        last_turn = None if turns is None else first.turn + turns
        while first.open_parts and first.turn != last_turn and self._missing(first, target) > 0:
            open_parts = first.open_parts.copy()
            if self._few:
                self._spread(first, open_parts, parts, target)
                open_parts = []
            for number in open_parts:
                if (missing := self._missing(first, target)) <= 0:
                    break
                self._step(first, number, parts[number], missing)
            first.turn += 1
        first.low = max(first.low, target - self._missing(first, target))
        first.exact = not first.open_parts

    def _spread(
        self, first: RootMove, open_parts: list[int], parts: list[State], target: int
    ) -> None:
        """Raise the floors of some parts by a step, in threads."""
        missing = self._missing(first, target)

        def work(at: int) -> None:
            self._step(first, open_parts[at], parts[open_parts[at]], missing)

        in_threads(work, len(open_parts), self.search.stop)

    def _missing(self, first: RootMove, target: int) -> int:
        """Return by how much the floors of all parts together are below a target."""
        return target - len(self.part.candidates) - sum(first.floors)

    def _step(self, first: RootMove, number: int, part: State, missing: int) -> None:
        """Raise the floor of a part by a step, no more than what is missing."""
        target = first.floors[number] + bound_increment(len(part.candidates), first.turn, missing)
        value, _ = self.search.value(self.search.limits, part, target)
        first.floors[number] = value
        if value < target:
            first.open_parts.remove(number)
