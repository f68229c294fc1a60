"""Proof of the best play of a whole game, with upper and lower bounds during the search.

The upper bound is the total of the best tree so far: first from a search with a budget. The lower
bound of a first guess is the sum of the lower bounds of its parts, and that of the game the least
over its first guesses. The first guess with the least bound comes next (best first):

- usually the bounds of all its small parts are raised, then those of its large parts, step by step
- if there are many first guesses, each is a single task: it is refuted, or its value is found

Reports do not depend on the number of threads: a search for a lower bound is capped at that bound.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import repeat
from typing import NamedTuple

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.kernels.packed_codes import code_of
from puzzlehunt.kernels.problem import NO_BOUND, UNSOLVED_COST
from puzzlehunt.strategies.search.branch_and_bound import Search, State, Task

_SMALL = 200
"""The bound of a part of at most this many candidates is raised at once; of a larger, in steps."""
_WIDTH = 12
"""So many first guesses get a tree, for which so many guesses are searched everywhere. If there are
more first guesses, each is searched as a whole, not part by part: so many of them between two
reports of the bounds."""


class Bounds(NamedTuple):
    """A lower and an upper bound of the guesses that all secrets take together.

    The upper bound is reached by a tree that was found. With a limit of attempts, `lost` has the
    same two bounds of the number of secrets that are not found.
    """

    lower: int
    upper: int
    lost: tuple[int, int] = (0, 0)

    @classmethod
    def of(cls, lower: int, upper: int) -> "Bounds":
        """Return the bounds from two costs, which include UNSOLVED_COST for each lost secret."""
        least_lost, least = divmod(lower, UNSOLVED_COST)
        most_lost, most = divmod(upper, UNSOLVED_COST)
        return cls(least, most, (least_lost, most_lost))

    @property
    def proved(self) -> bool:
        """Whether no play is better than the tree that was found."""
        return self.lower == self.upper and self.lost[0] == self.lost[1]


class BoundRecord(NamedTuple):
    """A result about a part: the candidates that an answer to a first guess leaves.

    `floor` is the value of the part if its best `guess` is given, else a lower bound. Without an
    `answer`, it is a lower bound of the first guess with all its parts.
    """

    first: Code
    answer: int | None
    floor: int
    guess: Code | None = None


@dataclass(frozen=True, slots=True)
class ProofLog:
    """Earlier results of a proof, and the callbacks for new results and for bounds.

    `elsewhere` solves tasks instead of threads: it yields value and guess of each, in order.
    """

    found: Iterable[BoundRecord] = ()
    note: Callable[[BoundRecord], None] = lambda _record: None
    report: Callable[[Bounds], None] = lambda _bounds: None
    elsewhere: Callable[[list[Task]], Iterator[tuple[int, int]]] | None = None


@dataclass(slots=True, eq=False)
class Subproblem:
    """A part of the partition by a first guess, and its bounds; `guess` has the value `upper`."""

    answer: int
    state: State
    lower: int
    upper: int = NO_BOUND
    guess: int = -1


@dataclass(slots=True, eq=False)
class RootMove:
    """A first guess, its `rank` in the order of guesses, its bounds, and its parts if known.

    `upper` is the value of the tree found for this guess; NO_BOUND or more if none was found.
    """

    guess: int
    rank: int
    lower: int
    upper: int = NO_BOUND
    parts: list[Subproblem] | None = None


class Proof:
    """The proof of the value of a state before the first guess; `proof_log` records it.

    With an `opening`, only that first guess is searched.
    """

    def __init__(
        self, search: Search, state: State, proof_log: ProofLog, opening: int | None = None
    ) -> None:
        self.search, self.state, self.proof_log = search, state, proof_log
        self._opening, self._count = opening, len(state.candidates)
        order = search.ranked(state) if opening is None else [(opening, self._count)]
        self.firsts = [RootMove(guess, rank, low) for rank, (guess, low) in enumerate(order)]
        self.best = self.firsts[0]
        # Of the records of a part, the last has the sharpest bound.
        self._records = {(each.first, each.answer): each for each in proof_log.found}
        for first in self.firsts:
            if record := self._records.get((self._code(first.guess), None)):
                first.lower = max(first.lower, record.floor)
        self._reported: Bounds | None = None

    def run(self) -> None:
        """Search to the end; the search then knows the best first guess, and that of each part."""
        refutes = len(self.firsts) > _WIDTH
        for first in self.firsts[: _WIDTH if refutes else 1]:
            self._open(first)
        self._raise_by_one_ply()
        while alive := self._alive():
            first = alive[0]
            if refutes:
                self._refute(alive[:_WIDTH])
            elif first.parts is None:
                self._open(first)
            else:
                self._raise(first, first.parts)
                self._improve(first)
            self._report()
        value, parts = self.best.upper, self.best.parts or []
        if self._count + sum(part.upper for part in parts) == value:
            for part in parts:
                self.search.know(part.state, part.upper, part.guess)
        if self._opening is None:
            self.search.know(self.state, value, self.best.guess)

    def _enough(self, first: RootMove) -> int:
        """Return the lower bound at which a first guess is beaten; ties go to the earlier."""
        return self.best.upper + 1 if first.rank < self.best.rank else self.best.upper

    def _alive(self) -> list[RootMove]:
        """Return the first guesses that can still be best, the least lower bound first."""
        alive = [first for first in self.firsts if first.lower < self._enough(first)]
        return sorted(alive, key=lambda first: (first.lower, first.rank))

    def _report(self) -> None:
        if self.best.upper == NO_BOUND:
            return
        lower = min(first.lower for first in self.firsts)
        reported = Bounds.of(min(lower, self.best.upper), self.best.upper)
        if reported != self._reported:
            self._reported = reported
            self.proof_log.report(reported)

    def _improve(self, first: RootMove) -> None:
        """Add up the bounds of a first guess's parts; make it the best if its tree is."""
        if first.parts is not None:
            first.lower = max(first.lower, self._count + sum(part.lower for part in first.parts))
            first.upper = min(first.upper, self._count + sum(part.upper for part in first.parts))
        if (first.upper, first.rank) <= (self.best.upper, self.best.rank):
            self.best = first

    def _raise_by_one_ply(self) -> None:
        """Raise the lower bounds of all unopened first guesses by their one-ply bounds."""
        others = [each for each in self._alive() if each.parts is None]
        guesses, most = [each.guess for each in others], repeat(self.best.upper)
        bounds = self.search.in_threads(self.search.one_ply_bounds(self.state), guesses, most)
        for first, bound in zip(others, bounds, strict=True):
            first.lower = max(first.lower, min(bound, self.best.upper))
        self._report()

    def _refute(self, firsts: list[RootMove]) -> None:
        """Raise the lower bounds of first guesses until they are beaten, or find their values."""
        tasks = [Task(self.state, each.guess, self._enough(each)) for each in firsts]
        for first, task, (value, _) in zip(firsts, tasks, self._solved(tasks), strict=True):
            first.lower = min(value, task.bound)
            if value < task.bound:
                first.upper = value
            else:
                self._note(first)
            self._improve(first)

    # The parts of a first guess.

    def _open(self, first: RootMove) -> None:
        """Find the parts of a first guess, and a tree for it if it is among the most promising."""
        search = self.search
        first.parts = parts = [
            Subproblem(answer, state, search.least(len(state.candidates), self.state.attempts))
            for answer, state in search.children(self.state, first.guess)
        ]
        if first.rank < _WIDTH:
            tasks = [Task(each.state, None, NO_BOUND, width=_WIDTH) for each in parts]
            for part, found in zip(parts, search.run(tasks), strict=True):
                part.upper, part.guess = found
        for part in parts:
            if record := self._records.get((self._code(first.guess), part.answer)):
                part.lower = max(part.lower, record.floor)
                if record.guess is not None:
                    part.upper, part.guess = part.lower, search.place_of(record.guess)
        self._improve(first)
        self._report()

    def _raise(self, first: RootMove, parts: list[Subproblem]) -> None:
        """Raise the lower bounds of a first guess's small parts, or else of its large ones.

        What is needed in one part alone proves the first guess no better than the best: a small
        part's bound is raised by that, a large part's by a third of it. Smaller values are found.
        """
        # The guess's own bound may be higher than what its parts add up to.
        needed = self._enough(first) - self._count - sum(part.lower for part in parts)
        chosen = [part for part in parts if part.upper > part.lower]
        share = 3
        if small := [each for each in chosen if len(each.state.candidates) <= _SMALL]:
            chosen, share = small, 1
        tasks = []
        for part in chosen:
            missing = min(part.upper - part.lower, needed)
            tasks.append(Task(part.state, None, part.lower + (missing + share - 1) // share))
        for part, task, (value, guess) in zip(chosen, tasks, self._solved(tasks), strict=True):
            part.lower = min(value, task.bound)
            if value < task.bound:
                part.upper, part.guess = value, guess
            self._note(first, part)

    def _note(self, first: RootMove, part: Subproblem | None = None) -> None:
        """Record what is known about a part of a first guess, or about the guess as a whole."""
        record = BoundRecord(self._code(first.guess), None, first.lower)
        if part is not None:
            guess = self._code(part.guess) if part.lower == part.upper else None
            record = record._replace(answer=part.answer, floor=part.lower, guess=guess)
        self.proof_log.note(record)

    def _code(self, guess: int) -> Code:
        return code_of(self.search.codes[guess])

    def _solved(self, tasks: list[Task]) -> Iterator[tuple[int, int]]:
        return (self.proof_log.elsewhere or self.search.run)(tasks)
