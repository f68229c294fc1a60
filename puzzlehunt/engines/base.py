"""What an engine is: it answers which secrets are still candidates."""

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import TRUE, Constraint
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Item, Turn
from puzzlehunt.game.viewed import Viewed

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from puzzlehunt.engines.posterior import Posterior
    from puzzlehunt.engines.sampling.sampler import Sampler
    from puzzlehunt.kernels.codes import Rows


@dataclass(frozen=True, slots=True)
class Count:
    """How many candidates there are: from `low` to `high`, most probably `number`.

    Exact where the two bounds are equal. Else they hold with a probability of 95 % (Wilson, 1927).
    A `number` of None: there is no estimate; a `high` of None: there is no bound.
    """

    low: int
    high: int | None
    number: int | None = None

    @classmethod
    def exactly(cls, number: int) -> "Count":
        """Return the count of candidates that were counted."""
        return cls(number, number, number)

    @classmethod
    def of(cls, number: int | None) -> "Count":
        """Return the count of candidates that may have been counted; None says that they were not.

        Then the count is unknown.
        """
        return UNKNOWN if number is None else cls.exactly(number)

    @property
    def exact(self) -> int | None:
        """The number where it is known exactly, else None."""
        return self.low if self.low == self.high else None


UNKNOWN = Count(0, None)


@dataclass(frozen=True, slots=True)
class Board:
    """What is asked of one board: its engine, and its secret once it is solved.

    A solved secret may be in no list. In a game of one board `secret` is None to the end: no other
    board goes on.
    """

    engine: "Engine"
    secret: Code | None = None

    def count(self, quickly: bool = False) -> Count:
        """Return how many candidates the board has; of a solved one, one."""
        return self.engine.count(quickly) if self.secret is None else Count.exactly(1)


@dataclass(frozen=True, slots=True)
class Sample:
    """Some candidates in code order, and whether there are no others."""

    codes: tuple[Code, ...]
    complete: bool


class Engine(Viewed, ABC):
    """Keeps a stack of turns and facts, and answers for the secrets that agree with them all."""

    sampler: "Sampler | None" = None
    """What draws candidates of a huge space, where the engine has that."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._items: list[Item] = []

    @property
    def items(self) -> tuple[Item, ...]:
        """What the engine knows, oldest first."""
        return tuple(self._items)

    @abstractmethod
    def push(self, item: Item) -> None:
        """Add a turn or a fact."""

    @abstractmethod
    def pop(self) -> None:
        """Take the newest turn or fact back."""

    @abstractmethod
    def satisfiable(self, chosen: Sequence[int] | None = None, also: Constraint = TRUE) -> bool:
        """Return whether some secret agrees with everything, or with the chosen items alone.

        `chosen` are places in `items`, from 0; `also` is a further constraint on the secret.
        Nothing is rebuilt or changed. Of a space too huge to decide it, also true where nothing
        was found within some seconds that says otherwise.
        """

    @abstractmethod
    def candidates(self) -> Iterator[Code]:
        """Iterate over the candidates in code order; the engine must not change meanwhile."""

    @abstractmethod
    def sample(self, size: int, rng: random.Random, end: float | None = None) -> Sample:
        """Return up to `size` different candidates, drawn with the seed.

        At the moment `end`, by the monotonic clock, it makes do with what it has, at least one;
        none only if there is none, or if the space is huge and the sample not complete.
        """

    @abstractmethod
    def cheapest(self, costs: Mapping[int, int], limit: int) -> list[tuple[int, Code]]:
        """Return up to so many secrets, those first that break the least; equals in code order.

        Each comes after its cost. `costs` says what it costs, 1 or more, to break the clues of some
        turns, by their places in `items`. Such a clue counts even if its turn is doubted, and no
        budget of lies forgives it; but a guess that did not win stays no secret. All other items
        hold as they stand. Raises PuzzlehuntError in a game of several boards: each has an engine.
        """

    def _priced(self, costs: Mapping[int, int]) -> list[tuple[Turn, int]]:
        """Return the turns that may be broken, each with its cost. Raises ValueError for others."""
        priced = []
        for place, cost in sorted(costs.items()):
            item = self._items[place] if 0 <= place < len(self._items) else None
            if not isinstance(item, Turn) or cost < 1:
                raise ValueError(f"no clue at place {place} can be broken at a cost of {cost}")
            priced.append((item.undoubted, cost))
        return priced

    def core(
        self, chosen: Sequence[int], also: Constraint = TRUE, quickly: bool = False
    ) -> list[int] | None:
        """Return some of the chosen items that cannot all be right, None if all can.

        There may be more of them than are needed. `quickly`, None may also mean that the answer
        would take long.
        """
        return None if self.satisfiable(chosen, also) else list(chosen)

    def agreeing(self, chosen: Sequence[int]) -> list[int] | None:
        """Return items, all the chosen and maybe others, that can all be right; None for none.

        As many as are easily found.
        """
        if not self.satisfiable(chosen):
            return None
        kept = list(chosen)
        for place in range(len(self._items)):
            if place not in kept and self.satisfiable([*kept, place]):
                kept.append(place)
        return sorted(kept)

    def count(self, quickly: bool = False) -> Count:
        """Return how many candidates there are: exactly, within bounds, or unknown.

        `quickly`, unknown too where they would first have to be listed or drawn.
        """
        return UNKNOWN

    def boards(self) -> tuple[Board, ...]:
        """Return the boards, each with its engine; that of one board is its only one."""
        return (Board(self),)

    @property
    def listed(self) -> "Listing | None":
        """The engine itself if it lists every secret of the game, else None."""
        return None

    def __contains__(self, secret: Code) -> bool:
        """Return whether a secret of the game is a candidate."""
        return secret in self.game.secrets and self.game.fits(History(self.items), secret)

    def follow(self, history: Iterable[Item]) -> None:
        """Bring the engine to a history, keeping what the two share at the beginning."""
        items = list(history)
        shared = 0
        while shared < min(len(items), len(self._items)) and items[shared] == self._items[shared]:
            shared += 1
        while len(self._items) > shared:
            self.pop()
        for item in items[shared:]:
            self.push(item)

    def first_conflict(self) -> int | None:
        """Return the place of the first item that leaves no candidate, None if some are left."""
        if self.satisfiable():
            return None
        return next(
            place for place in range(len(self._items)) if not self.satisfiable(range(place + 1))
        )


class Listing(Engine):
    """An engine that lists every secret, and so counts and weighs the candidates.

    Ask `Engine.listed` for it, not for its class.
    """

    @property
    def listed(self) -> "Listing":
        return self

    @abstractmethod
    def every(self) -> "Rows":
        """Return all secrets that the engine started from, as arrays, in code order."""

    @abstractmethod
    def places(self) -> "npt.NDArray[np.intp]":
        """Return the places of the candidates in `every`, ascending."""

    @abstractmethod
    def weights(self) -> "npt.NDArray[np.float64] | None":
        """Return the weight of each secret of `every`, None where all candidates are alike.

        What the rows say is counted in, where they say more than what is possible: then the
        weights are probabilities, and may be above zero for secrets that are no candidates.
        """

    @property
    def weighs(self) -> bool:
        """Whether some candidates may be likelier than others."""
        return self.weights() is not None

    @abstractmethod
    def likeliest(self, limit: int, breaking: int = 0) -> list[tuple[Code, float]]:
        """Return up to so many candidates, the likeliest first, equals in code order.

        Each comes with its probability among all secrets, candidates or not. With `breaking` they
        are the secrets that would be candidates if just so many rows said nothing.
        """

    @property
    @abstractmethod
    def posterior(self) -> "Posterior":
        """What the rows say of every secret of `every`, and the secrets of the rows."""

    @abstractmethod
    def broken(self) -> "npt.NDArray[np.uint8]":
        """Return how many rows each secret of `every` breaks; 255 for one that cannot be at all.

        That is a secret that was guessed, or that a fact rules out.
        """

    @abstractmethod
    def broken_items(self) -> "tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]":
        """Return, as bits, which items each secret of `every` breaks: for good, and forgivably.

        A game with a budget of lies forgives some of the latter. At most 64 items have bits.
        """

    @abstractmethod
    def evidence(
        self, chosen: Sequence[int], others: Iterable[Sequence[Item]]
    ) -> list[tuple[int, float]]:
        """Return for each of some other items what there would be with them and the chosen ones.

        That is how many candidates, and the logarithm of how likely it is that they made all
        those rows, but for a constant. The chosen items are filtered once.
        """


def first_codes(codes: Iterator[Code], limit: int) -> tuple[list[Code], bool]:
    """Return the first codes up to a limit, and whether there are more."""
    listed = list(islice(codes, limit))
    return listed, next(codes, None) is not None
