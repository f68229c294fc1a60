"""The interface of engines, which find the secrets that are still candidates."""

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import TRUE, Constraint
from puzzlehunt.engines.count import UNKNOWN, Count
from puzzlehunt.errors import InvalidCodeError, TooLargeError, check_number, check_type
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Item, Turn
from puzzlehunt.game.notebook import NotebookShown

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from puzzlehunt.engines.posterior import Posterior
    from puzzlehunt.engines.sampling.sampler import Sampler
    from puzzlehunt.kernels.packed_codes import PackedCodes


_Kind = TypeVar("_Kind", bound="Engine")

IMPOSSIBLE = 65_535
"""The number of broken turns of a secret that is excluded whatever number of turns may lie."""
BITS = 64
"""Number of items that one 64-bit word represents, with one bit for each."""


@dataclass(frozen=True, slots=True)
class BoardState:
    """One board of a game: its engine, and its secret once it is solved, else None.

    A secret that solved a board may be in no word list. In a game of one board `secret` is always
    None, since the game ends when the board is solved.
    """

    engine: "Engine"
    secret: Code | None = None

    def count(self, quickly: bool = False) -> Count:
        """Return how many candidates the board has: one if it is solved."""
        return self.engine.count(quickly) if self.secret is None else Count.exactly(1)


@dataclass(frozen=True, slots=True)
class Sample:
    """Some candidates in code order; `complete` is whether these are all candidates."""

    codes: tuple[Code, ...]
    complete: bool


class CandidateView:
    """A live view of an engine's candidates, in code order."""

    def __init__(self, engine: "Engine") -> None:
        self._engine = engine

    def __iter__(self) -> Iterator[Code]:
        return self._engine.in_code_order()

    def __contains__(self, secret: Code | str) -> bool:
        return secret in self._engine

    def __bool__(self) -> bool:
        return self._engine.satisfiable()

    def __len__(self) -> int:
        """Return the number of candidates. Raises TypeError if counting them would take long."""
        count = self._engine.count(quickly=True).exact
        if count is None:
            raise TypeError("candidates that are not listed have no len(); Engine.count tells more")
        return count

    def __repr__(self) -> str:
        return f"<Candidates of {self._engine!r}>"


class Engine(NotebookShown, ABC):
    """A stack of turns and facts (the items), and the secrets that fit all of them."""

    proves: bool = True
    """Whether "no candidate" is proved; False if a solver that may err is the only evidence."""
    sampler: "Sampler | None" = None
    """Draws candidates of a huge space; None in engines that do not draw."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._items: list[Item] = []

    def __repr__(self) -> str:
        count = self.count(quickly=True).exact
        left = "" if count is None else f", {count:,} left"
        return f"<{type(self).__name__} of {self.game.title!r}: {len(self._items)} items{left}>"

    def __reduce__(self) -> tuple[object, ...]:
        """Return the state to pickle: the engine's class, its arguments and its items."""
        return _restored, (type(self), self._arguments(), self.items)

    def _arguments(self) -> tuple[object, ...]:
        return (self.game,)

    def copy(self) -> Self:
        """Return another engine with the same game and items; each may change without the other."""
        return _restored(type(self), self._arguments(), self.items)

    @property
    def items(self) -> tuple[Item, ...]:
        """The turns and facts that were pushed, oldest first."""
        return tuple(self._items)

    def push(self, item: Item | str) -> None:
        """Add a turn or a fact. It may be a line of text, such as `CRANE GY..G` or `/fact no Q`.

        If an error or an interrupt occurs, the engine is unchanged. Raises TypeError for any other
        object. A line that cannot be read raises the same errors as in `Game.as_item`.
        """
        height, item = len(self._items), self.game.as_item(item)
        try:
            self._push(item)
        except BaseException:
            self.keep(height)
            raise

    @abstractmethod
    def _push(self, item: Item) -> None:
        """Add a turn or a fact; an error may leave it half added."""

    def pop(self) -> None:
        """Remove the newest turn or fact. Raises IndexError if there is none."""
        if not self._items:
            raise IndexError("pop from an engine without items")
        self.keep(len(self._items) - 1)

    def keep(self, height: int) -> None:
        """Remove all items but the first `height`; an interrupt is delayed until then."""
        check_number("height", height, 0, whole=True)
        try:
            self._keep(height)
        except BaseException:
            self._keep(height)
            raise

    @abstractmethod
    def _keep(self, height: int) -> None:
        """Take back all items but the first `height`, and what is half added or half taken back."""

    def _places(self, chosen: Iterable[int] | None) -> Sequence[int]:
        every = range(len(self._items))
        if chosen is None:
            return every
        check_type("chosen", chosen, Iterable, "places of items such as [0, 2]")
        places = chosen if isinstance(chosen, Sequence) else list(chosen)
        if missing := [place for place in places if place not in every]:
            raise IndexError(
                f"no item has the place {missing[0]!r:.40}; there are {len(every)} items"
            )
        return places

    @abstractmethod
    def satisfiable(self, chosen: Sequence[int] | None = None, also: Constraint = TRUE) -> bool:
        """Return whether some secret fits all items, or the chosen items alone.

        `chosen` are places in `items` (0-based); `also` is a further constraint on the secret.
        Nothing is rebuilt or changed. In a space too large to decide the question, the answer is
        True if no contradiction was found within some seconds.
        """

    def candidates(self) -> "CandidateView":
        """Return the candidates, for iteration in code order while the engine does not change.

        They also support `in`, and `len()` if the engine counts them quickly.
        """
        return CandidateView(self)

    @abstractmethod
    def in_code_order(self) -> Iterator[Code]:
        """Iterate over the candidates in code order; the engine must not change meanwhile."""

    @abstractmethod
    def sample(self, size: int, rng: random.Random, end: float | None = None) -> Sample:
        """Return up to `size` different candidates, drawn with `rng`.

        Drawing stops at the moment `end` (seconds of `time.monotonic`). The sample is empty only if
        there is no candidate, or if it is an incomplete sample of a huge space.
        """

    @abstractmethod
    def min_cost(self, costs: Mapping[int, int], limit: int) -> list[tuple[int, Code]]:
        """Return up to `limit` pairs of cost and secret: cheapest first, equals in code order.

        `costs` maps the places of some turns in `items` to what breaking the turn's clue costs (a
        whole number, 1 or more); a secret costs the sum for all clues that it breaks. Such a clue
        costs even if its turn is doubted or may be a lie. A losing guess is never a secret. A
        secret must fit all other items. Raises ValueError for a place without a turn and a cost
        below 1, and PuzzlehuntError in a game of several boards: its boards have an engine each.
        """

    def _priced(self, costs: Mapping[int, int]) -> list[tuple[int, Turn, int]]:
        """Return the places in `costs` in order, each with its turn, undoubted, and its cost."""
        check_type("costs", costs, Mapping, "a cost for each place")
        priced = []
        for place, cost in sorted(costs.items()):
            item = self._items[place] if 0 <= place < len(self._items) else None
            if not isinstance(item, Turn) or cost < 1:
                raise ValueError(f"no clue at place {place} can be broken at a cost of {cost}")
            priced.append((place, item.undoubted, cost))
        return priced

    def unsat_core(
        self, chosen: Sequence[int], also: Constraint = TRUE, quickly: bool = False
    ) -> list[int] | None:
        """Return some of the chosen items that contradict each other, None if all may be right.

        `chosen` and the result are places in `items`. The result may include items that the
        contradiction does not need. With `quickly`, None may also mean that the answer would take
        long.
        """
        return None if self.satisfiable(chosen, also) else list(chosen)

    def satisfiable_superset(self, chosen: Sequence[int]) -> list[int] | None:
        """Return the places of the chosen items and of others that may be right together with them.

        The other items are not necessarily as many as possible. Return None if the chosen items
        contradict each other.
        """
        if not self.satisfiable(chosen):
            return None
        superset = list(chosen)
        for place in range(len(self._items)):
            if place not in superset and self.satisfiable([*superset, place]):
                superset.append(place)
        return sorted(superset)

    def count(self, quickly: bool = False) -> Count:
        """Return how many candidates there are: exactly, within bounds, or unknown.

        With `quickly`, the count is also unknown if candidates would have to be listed or drawn
        first.
        """
        return UNKNOWN

    def likeliest(self, limit: int, breaking: int = 0) -> list[tuple[Code, float]]:
        """Return up to `limit` candidates, the likeliest first, equals in code order.

        Each comes with its probability (0 to 1). With `breaking` above 0, return near misses
        instead of candidates: each breaks the clues of exactly `breaking` turns, beyond the lies
        that the game allows. Raises TooLargeError in engines that do not list every secret.
        """
        raise self._no_chances()

    @property
    def posterior(self) -> "Posterior":
        """How likely each secret is, given the turns and facts, and how likely each turn is wrong.

        Raises TooLargeError in engines that do not list every secret.
        """
        raise self._no_chances()

    @property
    def outside(self) -> float | None:
        """The chance (0 to 1) that the secret is not a candidate, because a turn is misread.

        It and the probabilities of all candidates sum to 1. None if turns are never misread. Raises
        TooLargeError in engines that do not list every secret.
        """
        raise self._no_chances()

    def _no_chances(self) -> TooLargeError:
        several = "; each of `boards()` has an engine" if self.game.boards > 1 else ""
        return TooLargeError(
            f"{type(self).__name__} does not list every secret, and knows no chances{several}"
        )

    def boards(self) -> tuple[BoardState, ...]:
        """Return the boards, each with its engine; a game of one board has this engine itself."""
        return (BoardState(self),)

    @property
    def listed(self) -> "Listing | None":
        """The engine itself if it lists every secret of the game, else None."""
        return None

    def __contains__(self, secret: Code | str) -> bool:
        """Return whether a code, or the one that a text writes, is a secret and a candidate."""
        if isinstance(secret, str):
            try:
                secret = self.game.parse_secret(secret)
            except InvalidCodeError:
                return False
        return secret in self.game.secrets and self.game.fits(History(self.items), secret)

    def follow(self, history: Iterable[Item | str]) -> None:
        """Pop and push items until they are those of a history; a common beginning is kept.

        An item may be a line, as for `push`; a text of several lines is a whole history.
        """
        items = self.game.as_history(history).items
        shared = 0
        while shared < min(len(items), len(self._items)) and items[shared] == self._items[shared]:
            shared += 1
        self.keep(shared)
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
    """An engine that holds all secrets in arrays, and so can count and weigh them.

    Callers do not test an engine's class: they ask `Engine.listed`, which is None in other engines.
    """

    @property
    def listed(self) -> "Listing":
        return self

    @abstractmethod
    def secrets(self) -> "PackedCodes":
        """Return all S secrets that the engine holds, candidates or not, in code order."""

    @abstractmethod
    def places_left(self, chosen: Sequence[int]) -> "npt.NDArray[np.intp]":
        """Return the places in `secrets` of the secrets that fit the chosen items, ascending."""

    @abstractmethod
    def candidate_places(self) -> "npt.NDArray[np.intp]":
        """Return the places of the candidates in `secrets`, ascending."""

    @abstractmethod
    def weights(self) -> "npt.NDArray[np.float64] | None":
        """Return (S,): the weight of each secret, None if all candidates have the same.

        If turns are weighed, they are posterior probabilities, which may be above zero for secrets
        that are not candidates; if all candidates underflow, they are probabilities among the
        candidates only. Otherwise they are the weights of the word list.
        """

    @property
    def weighs(self) -> bool:
        """Whether some candidates may be likelier than others."""
        return self.weights() is not None

    @property
    def outside(self) -> float | None:
        if not self.game.channel.misread:
            return None
        probabilities = self.posterior.probabilities.copy()
        probabilities[self.candidate_places()] = 0
        return float(probabilities.sum())

    @abstractmethod
    def violation_counts(self) -> "npt.NDArray[np.uint16]":
        """Return (S,): the number of turns whose clue each secret breaks, or `IMPOSSIBLE`.

        A secret is impossible if it was guessed and did not win, if a fact rules it out, or if
        another code was guessed and won.
        """

    @abstractmethod
    def violations(self, begin: int = 0) -> "tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]":
        """Return (S,) twice: as bits, the unforgivable and the forgivable items each secret breaks.

        Bit n is item `begin` + n (0-based) of the next `BITS` items. A turn is forgivable if the
        secret breaks only its clue, and the game has a budget of lying turns.
        """

    @abstractmethod
    def evidence(
        self, chosen: Sequence[int], others: Iterable[Sequence[Item]]
    ) -> list[tuple[int, float]]:
        """Return, for the chosen items with each of `others` added, candidates and log probability.

        The first is the number of candidates. The second is the natural logarithm, up to a
        constant, of the probability that the secret is one of them and that all turns have their
        clues. The secrets are filtered by the chosen items only once.
        """


def _restored(kind: "type[_Kind]", arguments: tuple[Any, ...], items: Iterable[Item]) -> "_Kind":
    engine = kind(*arguments)
    engine.follow(items)
    return engine


def check_sample(size: int, rng: random.Random) -> None:
    """Raise TypeError or ValueError for an invalid sample size or random generator."""
    check_number("size", size, 0, whole=True)
    check_type("rng", rng, random.Random)


def check_engine(engine: object, game: Game | None = None) -> None:
    """Raise TypeError for anything but an engine, ValueError for an engine of another game."""
    check_type("engine", engine, Engine, "an engine, as open_engine returns it")
    of = cast(Engine, engine).game
    if game is not None and not of.is_like(game):
        raise ValueError(f"the engine is of another game: {of.title!r:.60}, not {game.title!r:.60}")
