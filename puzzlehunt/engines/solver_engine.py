"""The base of engines that get one code after another from a solver.

Such an engine provides a `SolverModel`, which finds codes with a prefix that satisfy some
assertions. Candidates in code order and samples are derived from it.
"""

import random
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, TypeAlias, cast

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import TRUE, AllOf, AnyOf, Bound, Constraint, holds
from puzzlehunt.engines.base import Engine, Sample, check_literals, check_sample
from puzzlehunt.engines.prefixes import Prefixes
from puzzlehunt.errors import PuzzlehuntError, TooLargeError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Item, Turn


@dataclass(frozen=True, slots=True)
class SoftConstraint:
    """A constraint that a secret may violate, as far as `AtMost` allows."""

    constraint: Constraint


@dataclass(frozen=True, slots=True)
class AtMost:
    """At most `number` of the soft constraints at some places of the stack are violated."""

    places: tuple[int, ...]
    number: int


Assertion: TypeAlias = Constraint | SoftConstraint | AtMost


class SolverModel(ABC):
    """A solver's model of one game: its secrets, and a stack of assertions."""

    @abstractmethod
    def add(self, assertion: Assertion) -> None:
        """Put an assertion on the stack."""

    @abstractmethod
    def remove(self) -> None:
        """Remove the newest assertion."""

    @abstractmethod
    def search(
        self, asked: Sequence[int], prefix: Code, most: int, end: float | None
    ) -> list[Code]:
        """Return `most` different codes that satisfy assertions, or all such codes if fewer.

        The codes begin with `prefix` and satisfy the assertions at the places `asked` of the stack.
        The search stops at the moment `end` (seconds of `time.monotonic`).
        """


class SolverEngine(Engine):
    """An engine whose solver finds codes; its answers do not depend on which codes it finds first.

    Walks along prefixes list the candidates in code order; random walks draw samples. Every code
    that the solver finds is checked against the rules of the game.
    """

    name: ClassVar[str]
    batch_size: ClassVar[int]
    """How many codes a walk along prefixes asks the solver for at a time; 2 or more."""
    largest_sample: ClassVar[int]
    """A sample has at most this many codes, since the solver takes some time for each."""
    largest_sum: ClassVar[int]
    """Largest sum of weights that the solver adds up without error."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        check_literals(game)
        self._prefixes = Prefixes(game.secrets, game.length)
        self._stack: list[Assertion] = []
        self._heights: list[int] = [0]
        """How many assertions the first n items have together, for n = 0, 1, ..."""
        self._built: SolverModel | None = None
        self._built_height = 0
        """How many of the oldest assertions the model has."""
        self._recent: deque[Code] = deque(maxlen=_RECENT)

    @abstractmethod
    def new_model(self) -> SolverModel:
        """Return a model of the game alone, without turns and facts."""

    @property
    def model(self) -> SolverModel:
        """The model with all assertions; those that it lacks are first added."""
        with self._dropping_model():
            if self._built is None:
                self._built, self._built_height = self.new_model(), 0
            while self._built_height < len(self._stack):
                self._built.add(self._stack[self._built_height])
                self._built_height += 1
            return self._built

    @contextmanager
    def _dropping_model(self) -> Iterator[None]:
        """Drop the model on any error, such as an interrupt, which may leave it half changed."""
        try:
            yield
        except BaseException:
            self._built = None
            raise

    def _push(self, item: Item) -> None:
        self._add(self._assertions(item))
        self._heights.append(len(self._stack))
        self._items.append(item)

    def _assertions(self, item: Item) -> list[Assertion]:
        if not isinstance(item, Turn):
            return [item.constraint]
        if not self.game.may_lie(item):
            return [self.game.constraint(item)]
        softs = [n for n, each in enumerate(self._stack) if isinstance(each, SoftConstraint)]
        return [
            SoftConstraint(self.game.clue_constraint(item)),
            self.game.losing_guess_constraint(item),
            AtMost((*softs, len(self._stack)), self.game.channel.lies.at_most),
        ]

    def _add(self, assertions: Sequence[Assertion]) -> None:
        """Put assertions on the stack. Raises TooLargeError if the solver cannot add them up."""
        most = max(map(_largest_sum, assertions), default=0)
        if most > self.largest_sum:
            raise TooLargeError(
                f"engine {self.name} adds up to {self.largest_sum:,} and not to {most:,}; "
                "use another engine"
            )
        self._stack += assertions

    def _keep(self, height: int) -> None:
        del self._items[height:], self._heights[height + 1 :]
        self._cut(self._heights[-1])

    def _cut(self, height: int) -> None:
        del self._stack[height:]
        with self._dropping_model():
            while self._built is not None and self._built_height > height:
                self._built.remove()
                self._built_height -= 1

    @contextmanager
    def _temporarily(self, *assertions: Assertion) -> Iterator[None]:
        height = len(self._stack)
        self._add(assertions)
        try:
            yield
        finally:
            self._cut(height)

    def _asked(self, chosen: Iterable[int]) -> list[int]:
        """Return the places on the stack of some items' assertions and of all temporary ones."""
        assertions = [place for item in chosen for place in self.assertions_of(item)]
        return [*assertions, *range(self._heights[-1], len(self._stack))]

    def assertions_of(self, item: int) -> range:
        """Return the places on the stack of the assertions of the item at a place in `items`."""
        return range(self._heights[item], self._heights[item + 1])

    def satisfiable(self, chosen: Sequence[int] | None = None, *, also: Constraint = TRUE) -> bool:
        places = self._places(chosen)
        with self._temporarily(*([] if also == TRUE else [also])):
            asked = self._asked(places)
            agrees = any(self._agrees(asked, code) for code in self._recent)
            return agrees or bool(self._find(asked, (), 1))

    def _find(
        self, asked: Sequence[int], prefix: Code, most: int, end: float | None = None
    ) -> list[Code]:
        """Return codes as `SolverModel.search` does. Raises PuzzlehuntError if one is wrong."""
        model = self.model
        with self._dropping_model():
            codes = model.search(asked, prefix, most, end)
        for code in codes:
            if code[: len(prefix)] != prefix or not self._agrees(asked, code):
                shown = self.game.format_code(code)
                raise PuzzlehuntError(f"engine {self.name}'s solver found {shown}, which is wrong")
        for code in self._recent if len(codes) < most and end is None else ():
            if code[: len(prefix)] == prefix and code not in codes and self._agrees(asked, code):
                shown = self.game.format_code(code)
                raise PuzzlehuntError(f"engine {self.name}'s solver missed {shown}, which fits")
        self._recent.extend(codes)
        return codes

    def _agrees(self, asked: Sequence[int], code: Code) -> bool:
        return code in self.game.secrets and all(
            self._meets(self._stack[place], asked, code) for place in asked
        )

    def _meets(self, assertion: Assertion, asked: Sequence[int], code: Code) -> bool:
        if isinstance(assertion, SoftConstraint):
            return True
        if not isinstance(assertion, AtMost):
            return holds(assertion, code)
        softs = [self._stack[place] for place in assertion.places if place in asked]
        broken = [not holds(cast(SoftConstraint, soft).constraint, code) for soft in softs]
        return sum(broken) <= assertion.number

    def in_code_order(self) -> Iterator[Code]:
        if not self._items:
            return iter(self.game.secrets)
        find = partial(self._find, self._asked(range(len(self._items))))
        return self._prefixes.walk(find, self.batch_size)

    def sample(self, size: int, rng: random.Random, *, end: float | None = None) -> Sample:
        check_sample(size, rng)
        if not self._items:
            return self._sample_of_all(size, rng)
        size = min(size, self.largest_sample)
        asked = self._asked(range(len(self._items)))
        # Half of the time is for finding out whether `size` or fewer candidates are left.
        half_time = None if end is None else (time.monotonic() + end) / 2
        codes = self._find(asked, (), size + 1, half_time)
        interrupted = half_time is not None and time.monotonic() >= half_time
        if len(codes) <= size and not interrupted:
            return Sample(tuple(sorted(codes)), complete=True)
        drawn: set[Code] = set()
        find = partial(self._find, asked)
        for _ in range(2 * size):
            code = self._prefixes.draw(find, codes, rng)
            drawn |= set() if code is None else {code}
            if len(drawn) == size or (end is not None and time.monotonic() >= end):
                break
        return Sample(tuple(sorted(drawn)), complete=False, even=False)

    def _sample_of_all(self, size: int, rng: random.Random) -> Sample:
        if self.game.secrets.size <= size:
            return Sample(tuple(self.game.secrets), complete=True)
        drawn: set[Code] = set()
        while len(drawn) < size:
            drawn.add(self.game.secrets.random(rng))
        return Sample(tuple(sorted(drawn)), complete=False)


_RECENT = 32
"""How many of the codes found last are kept: one that answers a question saves a search."""


def _largest_sum(assertion: Assertion) -> int:
    match assertion:
        case SoftConstraint(constraint):
            return _largest_sum(constraint)
        case AtMost(places, number):
            return len(places) + number
        case AllOf(parts) | AnyOf(parts):
            return max(map(_largest_sum, parts), default=0)
        case Bound(low, terms, high):
            return sum(abs(weight) for weight, _ in terms) + abs(low or 0) + abs(high or 0)
