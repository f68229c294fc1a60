"""Proof of the best play of a whole game, with upper and lower bounds during the search.

The upper bound is the total of the best tree so far: first from a search with a budget. The lower
bound of a first guess is the sum of the lower bounds of its parts, that of a part the least over
its second guesses, and that of the game the least over its first guesses. The first guess with the
least bound comes next (best first), and which of its bounds are raised depends on its parts:

- usually all its small parts, then the part with the largest gap for its size, in a step that has a
  task for each second guess
- if there are many first guesses, each is a single task: it is refuted, or its value is found

Reports depend on the game alone, not on the number of threads, because the result of a search for a
lower bound is capped at the requested bound.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.kernels.packed_codes import array_of, code_of, indices_in
from puzzlehunt.kernels.problem import NO_BOUND, UNSOLVED_COST
from puzzlehunt.strategies.search.branch_and_bound import Search, State, Task

_SMALL = 200
"""A part of at most this many candidates is searched as a whole; a larger one, guess by guess."""
_WIDTH = 12
"""Guesses that are searched everywhere to find a first tree."""
_TREES = 10
"""How many first guesses, the most promising, get a tree before their parts are searched."""
_STEPS = 3
"""A part's lower bound is raised by the gap between its bounds, divided by this number."""
_AT_ONCE = 16
"""If there are more first guesses, each is searched as a whole, not part by part: so many of them
between two reports of the bounds."""


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

    `elsewhere`, if given, solves tasks in place of threads: it yields the number of each task with
    its value and guess, in any order.
    """

    found: Callable[[], Iterable[BoundRecord]] = tuple
    note: Callable[[BoundRecord], None] = lambda _record: None
    report: Callable[[Bounds], None] = lambda _bounds: None
    elsewhere: Callable[[list[Task]], Iterator[tuple[int, int, int]]] | None = None


@dataclass(slots=True, eq=False)
class Subproblem:
    """A part of the partition by a first guess, and its bounds.

    `guess` has the value `upper`. If second guesses are searched one by one, `second_guesses` are
    these in order, `lower_bounds` theirs, and none makes more than `most_parts` parts.
    """

    answer: int
    state: State
    lower: int
    upper: int = NO_BOUND
    guess: int = -1
    second_guesses: list[int] = field(default_factory=list)
    lower_bounds: list[int] = field(default_factory=list)
    most_parts: int = 0


@dataclass(slots=True, eq=False)
class RootMove:
    """A first guess, its `rank` in the order of guesses, its bounds, and its parts if known."""

    guess: int
    rank: int
    low: int
    count: int
    """How many candidates all parts have, that of the winning answer included."""
    branches: list[Subproblem] | None = None
    exact: bool = False
    """Whether `low` is its value, and not only a lower bound."""

    @property
    def of_parts(self) -> int:
        """The lower bound of the guess that follows from the lower bounds of its parts."""
        return self.count + sum(branch.lower for branch in self.branches or ())

    @property
    def lower(self) -> int:
        return max(self.low, self.of_parts)

    @property
    def upper(self) -> int:
        """The value of the tree found for this guess; NO_BOUND or more if none was found."""
        if self.branches is None:
            return NO_BOUND
        return self.count + sum(branch.upper for branch in self.branches)


class Proof:
    """The proof of the value of a state before the first guess; `proof_log` records it.

    With an `opening`, only that first guess is searched.
    """

    def __init__(
        self, search: Search, state: State, proof_log: ProofLog, opening: int | None = None
    ) -> None:
        self.search, self.state, self.proof_log = search, state, proof_log
        self._opening = opening
        count = len(state.candidates)
        order = search.ranked(state) if opening is None else [(opening, count)]
        self.firsts = [RootMove(guess, rank, low, count) for rank, (guess, low) in enumerate(order)]
        self.best = self.firsts[0]
        self.upper = NO_BOUND
        self._records: dict[tuple[Code, int | None], list[BoundRecord]] = {}
        for record in proof_log.found():
            self._records.setdefault((record.first, record.answer), []).append(record)
        for first in self.firsts:
            for record in self._records.get((code_of(search.codes[first.guess]), None), ()):
                first.low = max(first.low, record.floor)
        self._reported: Bounds | None = None

    def run(self) -> tuple[int, int]:
        """Return value and index of the best first guess."""
        self._open(self.firsts[0])
        in_turn = len(self.firsts) > _AT_ONCE
        for first in self.firsts[1:_TREES] if in_turn else ():
            self._open(first)
        self._raise_by_one_ply()
        while alive := self._alive():
            first = alive[0]
            if in_turn:
                self._raise_whole(alive[:_AT_ONCE])
            elif first.branches is None:
                self._open(first)
            else:
                self._raise_one(first)
            self._improve(first)
            self._report()
        self._report()
        for branch in self.best.branches or ():
            self.search.know(branch.state, branch.upper, branch.guess)
        self.search.know(self.state, self.upper, self.best.guess, self.best.guess)
        if self._opening is None:
            self.search.know(self.state, self.upper, self.best.guess)
        return self.upper, self.best.guess

    def _beaten(self, first: RootMove) -> bool:
        """Return whether a first guess is known to be no better; ties go to the earlier."""
        return (first.lower, first.rank) >= (self.upper, self.best.rank)

    def _alive(self) -> list[RootMove]:
        """Return the first guesses that can still be best, the least lower bound first."""
        alive = [first for first in self.firsts if not self._beaten(first)]
        return sorted(alive, key=lambda first: (first.lower, first.rank))

    def _report(self) -> None:
        lower = min([self.upper, *(first.lower for first in self.firsts)])
        if self.upper == NO_BOUND:
            return
        reported = Bounds.of(lower, self.upper)
        if reported != self._reported:
            self._reported = reported
            self.proof_log.report(reported)

    def _improve(self, first: RootMove) -> None:
        """Make a first guess the best if its tree is better, or as good and earlier in order."""
        if (first.upper, first.rank) <= (self.upper, self.best.rank):
            self.upper, self.best = first.upper, first

    # The parts of a first guess.

    def _raise_by_one_ply(self) -> None:
        """Raise the lower bounds of all unopened first guesses by their one-ply bounds."""
        others = [each for each in self.firsts if each.branches is None and not self._beaten(each)]
        guesses = [each.guess for each in others]
        for number, bound in self.search.lower_bounds(self.state, guesses, self.upper):
            others[number].low = max(others[number].low, min(bound, self.upper))
        self._report()

    def _enough(self, first: RootMove) -> int:
        """Return the lower bound at which a first guess is beaten."""
        return self.upper + (first.rank < self.best.rank)

    def _raise_whole(self, firsts: list[RootMove]) -> None:
        """Raise the lower bounds of first guesses until they are beaten, or find their values."""
        tasks = [Task(self.state, each.guess, self._enough(each), in_turn=True) for each in firsts]
        for number, value, _ in self._solved(tasks):
            first, bound = firsts[number], tasks[number].bound
            first.low, first.exact = min(value, bound), value < bound
            if not first.exact:
                self._note(first, None, first.low)
        for first in sorted(firsts, key=lambda each: (each.low, each.rank)):
            if first.exact and not self._beaten(first):
                if first.branches is None:
                    self._open(first)
                while first.upper != first.low:
                    self._raise_one(first)
                self._improve(first)

    def _open(self, first: RootMove) -> None:
        """Find the parts of a first guess, and a tree for it if it is among the most promising."""
        search = self.search
        first.branches = branches = [
            Subproblem(answer, part, search.least(len(part.candidates), self.state.attempts))
            for answer, part in search.children(self.state, first.guess)
        ]
        if first.rank < _TREES:
            tasks = [Task(each.state, None, NO_BOUND, width=_WIDTH) for each in branches]
            for number, value, guess in search.run(tasks):
                branches[number].upper, branches[number].guess = value, guess
            self._improve(first)
            self._report()
        codes, length = search.codes, search.codes.shape[1]
        for branch in branches:
            for record in self._records.get((code_of(codes[first.guess]), branch.answer), ()):
                branch.lower = max(branch.lower, record.floor)
                if record.guess is not None:
                    branch.upper = branch.lower
                    branch.guess = int(indices_in(codes, array_of([record.guess], length))[0])
        self._improve(first)

    def _raise_one(self, first: RootMove) -> None:
        """Raise the lower bound of one part of a first guess, or of all its small parts."""
        assert first.branches is not None
        needed = self._enough(first) - first.lower
        if first.exact or first is self.best:  # the parts have no more than the value leaves them
            needed = (first.low if first.exact else self.upper) + 1 - first.of_parts
        open_ones = [branch for branch in first.branches if branch.upper > branch.lower]
        small = [each for each in open_ones if len(each.state.candidates) <= _SMALL]
        if small:
            self._raise_small(first, small, needed)
            return

        def gap(branch: Subproblem) -> int:
            return min(branch.upper - branch.lower, needed)

        branch = max(open_ones, key=lambda each: gap(each) / len(each.state.candidates) ** 2)
        self._raise_large(first, branch, branch.lower - (-gap(branch) // _STEPS))

    def _raise_small(self, first: RootMove, branches: list[Subproblem], needed: int) -> None:
        """Raise the lower bounds of parts by what is needed."""
        tasks = [Task(each.state, None, min(each.upper, each.lower + needed)) for each in branches]
        for number, value, guess in self._solved(tasks):
            branch, bound = branches[number], tasks[number].bound
            if value < bound:
                branch.lower, branch.upper, branch.guess = value, value, guess
            else:
                branch.lower = bound
            self._note_branch(first, branch)

    def _raise_large(self, first: RootMove, branch: Subproblem, target: int) -> None:
        """Raise the lower bound of a part to a target, or find its value below that."""
        state = branch.state
        if not branch.second_guesses:
            order = self.search.ranked(state)
            branch.second_guesses = [guess for guess, _ in order]
            branch.lower_bounds = [low for _, low in order]
            branch.most_parts = self.search.part_count_bounds(state)[1]
            branch.lower = max(branch.lower, min([branch.upper, *branch.lower_bounds]))
            return
        ranks = [rank for rank, bound in enumerate(branch.lower_bounds) if bound < target]
        best, bounds = (target, -1), []

        def tasks() -> Iterator[Task]:
            for rank in ranks:
                value, best_rank = best
                bounds.append(min(target, value + (rank < best_rank)))
                yield Task(state, branch.second_guesses[rank], bounds[-1], branch.most_parts)

        for number, value, _ in self._solved(tasks()):
            branch.lower_bounds[ranks[number]] = min(value, target)
            if value < bounds[number]:
                best = min(best, (value, ranks[number]))
        branch.lower, rank = best
        if rank >= 0:
            branch.upper, branch.guess = branch.lower, branch.second_guesses[rank]
        self._note_branch(first, branch)

    def _note_branch(self, first: RootMove, branch: Subproblem) -> None:
        guess = branch.guess if branch.lower == branch.upper else -1
        self._note(first, branch.answer, branch.lower, guess)

    def _note(self, first: RootMove, answer: int | None, floor: int, guess: int = -1) -> None:
        codes = self.search.codes
        best = None if guess < 0 else code_of(codes[guess])
        self.proof_log.note(BoundRecord(code_of(codes[first.guess]), answer, floor, best))

    def _solved(self, tasks: Iterable[Task]) -> Iterator[tuple[int, int, int]]:
        """Yield number, value and guess of each task, in any order."""
        if self.proof_log.elsewhere is not None:
            yield from self.proof_log.elsewhere(list(tasks))
            return
        yield from self.search.run(tasks)
