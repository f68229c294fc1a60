"""Engines whose solver finds one code after another: what is asked of it, and what follows.

A `Model` is all that such a solver has to bring: codes that begin with a prefix and meet some
demands. Candidates in code order, samples, and what breaks the least come from that alone.
"""

import random
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import ClassVar, TypeAlias

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import TRUE, AllOf, AnyOf, Bound, Constraint, holds
from puzzlehunt.engines.base import Engine, Sample
from puzzlehunt.engines.prefixes import Prefixes, by_cost, lowest
from puzzlehunt.errors import SolverError, TooLargeError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Item, Turn


@dataclass(frozen=True, slots=True)
class Soft:
    """Rules nothing out; a `Total` counts whether a secret breaks its constraint."""

    constraint: Constraint


@dataclass(frozen=True, slots=True)
class Total:
    """True if a secret pays at least `low` and at most `high` (None: any more).

    `costs` holds places of `Soft`s on the stack, each with what it costs to break it; one that is
    not asked for costs nothing.
    """

    low: int
    costs: tuple[tuple[int, int], ...]
    high: int | None


Demand: TypeAlias = Constraint | Soft | Total


class Model(ABC):
    """What a solver holds of one game: a stack of demands, each behind a switch of its own."""

    @abstractmethod
    def add(self, demand: Demand) -> None:
        """Put a demand on the stack."""

    @abstractmethod
    def remove(self) -> None:
        """Take the newest demand back."""

    @abstractmethod
    def search(
        self, asked: Sequence[int], prefix: Code, most: int, end: float | None
    ) -> list[Code]:
        """Return up to so many different codes that begin so, fewer only if there are no others.

        The demands at the places `asked` hold, and no others. After the moment `end`, by the
        monotonic clock, nothing more is looked for.
        """


class SearchingEngine(Engine):
    """An engine whose solver finds codes; its answers say which there are, not which it found.

    Candidates come in code order by their prefixes, samples from the ends of random branches. Every
    code that the solver finds is checked.
    """

    name: ClassVar[str]
    at_once: ClassVar[int]
    """So many codes are looked for before a prefix is made longer; 2 or more."""
    many: ClassVar[int]
    """A sample holds no more, since each code takes time."""
    largest_sum: ClassVar[int]
    """The solver adds up so far without error."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        symbols = len(game.secrets.alphabet)
        if game.length * symbols > _MOST_LITERALS:
            raise TooLargeError(
                f"{game.length} positions x {symbols} symbols are too many for engine {self.name}; "
                f"the limit is {_MOST_LITERALS:,} in all"
            )
        self._prefixes = Prefixes(game.secrets, game.length)
        self._stack: list[Demand] = []
        self._ends: list[int] = [0]
        self._built: Model | None = None
        self._height = 0
        self._met: deque[Code] = deque(maxlen=_REMEMBERED)

    @abstractmethod
    def new_model(self) -> Model:
        """Return what the solver holds of the game without any item."""

    @property
    def model(self) -> Model:
        """What the solver holds, brought up to date when it is asked."""
        with self._giving_up():
            if self._built is None:
                self._built, self._height = self.new_model(), 0
            while self._height < len(self._stack):
                self._built.add(self._stack[self._height])
                self._height += 1
            return self._built

    @contextmanager
    def _giving_up(self) -> Iterator[None]:
        """Give the model up if it may be left half changed: a player may interrupt."""
        try:
            yield
        except BaseException:
            self._built = None
            raise

    def push(self, item: Item) -> None:
        demands = list(self._demands(item))
        for demand in demands:
            self._refuse_large(demand)
        self._stack += demands
        self._ends.append(len(self._stack))
        self._items.append(item)

    def _demands(self, item: Item) -> Iterator[Demand]:
        """Yield what an item says: what may be a lie is soft, and so many are forgiven."""
        if not isinstance(item, Turn):
            yield item.constraint
        elif self.game.may_lie(item):
            softs = [place for place, known in enumerate(self._stack) if isinstance(known, Soft)]
            costs = tuple((place, 1) for place in (*softs, len(self._stack)))
            yield Soft(self.game.clue_constraint(item))
            yield self.game.losing_guess_constraint(item)
            yield Total(0, costs, self.game.channel.lies.at_most)
        else:
            yield self.game.constraint(item)

    def _refuse_large(self, demand: Demand) -> None:
        """Raise TooLargeError where the solver could add up wrongly."""
        most = _largest_sum(demand)
        if most > self.largest_sum:
            raise TooLargeError(
                f"engine {self.name} adds up to {self.largest_sum:,} and not to {most:,}; "
                "use another engine"
            )

    def pop(self) -> None:
        self._items.pop()
        self._ends.pop()
        self._cut(self._ends[-1])

    def _cut(self, height: int) -> None:
        """Take back all demands above a height."""
        del self._stack[height:]
        with self._giving_up():
            while self._built is not None and self._height > height:
                self._built.remove()
                self._height -= 1

    @contextmanager
    def _for_now(self, *demands: Demand) -> Iterator[None]:
        """Demand more, and take it back afterwards."""
        height = len(self._stack)
        for demand in demands:
            self._refuse_large(demand)
        try:
            self._stack += demands
            yield
        finally:
            self._cut(height)

    def _asked(self, chosen: Iterable[int]) -> list[int]:
        """Return where the stack has what some items say, and what is demanded for now."""
        said = [place for item in chosen for place in self.demanded_by(item)]
        return [*said, *range(self._ends[-1], len(self._stack))]

    def demanded_by(self, item: int) -> range:
        """Return the places on the stack of what an item says, by its place in `items`."""
        return range(self._ends[item], self._ends[item + 1])

    def satisfiable(self, chosen: Sequence[int] | None = None, also: Constraint = TRUE) -> bool:
        places = range(len(self._items)) if chosen is None else chosen
        with self._for_now(*([] if also == TRUE else [also])):
            asked = self._asked(places)
            met = any(self._agrees(asked, code) for code in self._met)
            return met or bool(self._find(asked, (), 1))

    def _find(
        self, asked: Sequence[int], prefix: Code, most: int, end: float | None = None
    ) -> list[Code]:
        """Return what the solver finds, checked. Raises SolverError if it is wrong."""
        model = self.model
        with self._giving_up():
            found = model.search(asked, prefix, most, end)
        for code in found:
            if code[: len(prefix)] != prefix or not self._agrees(asked, code):
                shown = self.game.format_code(code)
                raise SolverError(f"the solver of engine {self.name} found {shown}, which is wrong")
        self._met.extend(found)
        return found

    def _agrees(self, asked: Sequence[int], code: Code) -> bool:
        """Return whether a code is a secret and agrees with demands, by what they mean."""
        return code in self.game.secrets and all(
            self._meets(self._stack[place], asked, code) for place in asked
        )

    def _meets(self, demand: Demand, asked: Sequence[int], code: Code) -> bool:
        if isinstance(demand, Soft):
            return True
        if not isinstance(demand, Total):
            return holds(demand, code)
        paid = self._paid((cost for cost in demand.costs if cost[0] in asked), code)
        return demand.low <= paid and (demand.high is None or paid <= demand.high)

    def _paid(self, costs: Iterable[tuple[int, int]], code: Code) -> int:
        """Return what a code pays for what it breaks."""
        total = 0
        for place, cost in costs:
            soft = self._stack[place]
            assert isinstance(soft, Soft)
            total += 0 if holds(soft.constraint, code) else cost
        return total

    def candidates(self) -> Iterator[Code]:
        if not self._items:
            return iter(self.game.secrets)
        return self._walk(self._asked(range(len(self._items))))

    def _walk(self, asked: Sequence[int]) -> Iterator[Code]:
        """Iterate over the codes that meet some demands, in code order."""
        return self._prefixes.walk(partial(self._find, asked), self.at_once)

    def sample(self, size: int, rng: random.Random, end: float | None = None) -> Sample:
        if not self._items:
            return self._sample_of_all(size, rng)
        size = min(size, self.many)
        asked = self._asked(range(len(self._items)))
        # Half of the time for finding out whether they are few.
        half = None if end is None else (time.monotonic() + end) / 2
        found = self._find(asked, (), size + 1, half)
        over = half is not None and time.monotonic() >= half
        if len(found) <= size and not over:
            return Sample(tuple(sorted(found)), complete=True)
        drawn: set[Code] = set()
        find = partial(self._find, asked)
        for _ in range(2 * size):
            code = self._prefixes.draw(find, found, rng)
            drawn |= set() if code is None else {code}
            if len(drawn) == size or (end is not None and time.monotonic() >= end):
                break
        return Sample(tuple(sorted(drawn)), complete=False)

    def _sample_of_all(self, size: int, rng: random.Random) -> Sample:
        """Return a sample where nothing is known: no solver is needed."""
        if self.game.secrets.size <= size:
            return Sample(tuple(self.game.secrets), complete=True)
        drawn: set[Code] = set()
        while len(drawn) < size:
            drawn.add(self.game.secrets.random(rng))
        return Sample(tuple(sorted(drawn)), complete=False)

    def cheapest(self, costs: Mapping[int, int], limit: int) -> list[tuple[int, Code]]:
        """Return the codes of the least cost, then those of the next, each level in code order."""
        priced = self._priced(costs)
        held = [place for place in range(len(self._items)) if place not in costs]
        softs = [Soft(self.game.clue_constraint(turn)) for turn, _ in priced]
        paid = tuple((len(self._stack) + n, cost) for n, (_, cost) in enumerate(priced))

        def codes(cost: int, most: int) -> list[Code]:
            with self._for_now(Total(cost, paid, cost)):
                return list(islice(self._walk(self._asked(held)), most))

        with self._for_now(
            *softs, *(self.game.losing_guess_constraint(turn) for turn, _ in priced)
        ):
            return by_cost(partial(self._least, held, paid), codes, limit)

    def _least(
        self, held: Sequence[int], costs: tuple[tuple[int, int], ...], low: int
    ) -> int | None:
        """Return the least that any code pays, `low` or more; None if none does."""

        def paid_below(most: int | None) -> int | None:
            high = None if most is None else most - 1
            with self._for_now(Total(low, costs, high)):
                codes = self._find(self._asked(held), (), 1)
            return self._paid(costs, codes[0]) if codes else None

        return lowest(paid_below)


_MOST_LITERALS = 100_000
_REMEMBERED = 32
"""So many codes are remembered: one that agrees saves a search."""


def _largest_sum(demand: Demand) -> int:
    """Return how far a solver must count for a demand."""
    match demand:
        case Soft(constraint):
            return _largest_sum(constraint)
        case Total(low, costs, high):
            return sum(cost for _, cost in costs) + low + (high or 0)
        case AllOf(parts) | AnyOf(parts):
            return max(map(_largest_sum, parts), default=0)
        case Bound(low, terms, high):
            return sum(abs(weight) for weight, _ in terms) + abs(low or 0) + abs(high or 0)
