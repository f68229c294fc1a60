"""What a strategy is, and the position in which it is asked."""

import random
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes import Code, SymbolSpace
from puzzlehunt.engines import CountingEngine
from puzzlehunt.errors import NoCandidatesError
from puzzlehunt.game import Game, Pool, Ties
from puzzlehunt.history import Item, Turn
from puzzlehunt.kernels import LARGEST_SPACE, Rows, array_of, code_of, space_array

Places = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A guess and what it is worth: `value` in the strategy's unit, `worst` the largest group."""

    guess: Code
    value: float | None
    worst: int | None
    candidate: bool


@dataclass(frozen=True, slots=True)
class Budget:
    """How much may be evaluated: guesses (reproducible), or seconds (for a person who waits)."""

    guesses: int | None = None
    seconds: float | None = None


@dataclass(slots=True, eq=False)
class Guesses:
    """The guesses that a strategy may choose from, prepared once for a whole game.

    `place_of` gives each secret's place among them, -1 for one that is not there; both are None
    where only candidates may be guessed.
    """

    rows: Rows | None
    place_of: Places | None

    @classmethod
    def of(cls, game: Game, pool: Pool, secrets: Rows) -> "Guesses":
        """Return the guesses of a pool. Raises TooLargeError where they cannot be listed."""
        if pool == "candidates":
            return cls(None, None)
        if pool == "secrets":
            return cls(secrets, np.arange(len(secrets)))
        rows = game.rule.rows(space_array(game.guesses, game.length))
        return cls(rows, _places_in(rows, secrets))


def _places_in(rows: Rows, wanted: Rows) -> Places:
    """Return the place of each wanted code in some rows, -1 where it is not there."""
    known, asked = _keys(rows), _keys(wanted)
    order = np.argsort(known, kind="stable")
    found = np.minimum(np.searchsorted(known[order], asked), len(known) - 1)
    return np.where(known[order[found]] == asked, order[found], -1)


def _keys(rows: Rows) -> npt.NDArray[np.bytes_]:
    """Return one sortable key a code; the end of a short code becomes the end of its key."""
    codes = np.ascontiguousarray(rows.codes + np.uint8(1))
    return codes.view(f"S{codes.shape[1]}").ravel()


@dataclass(frozen=True, slots=True)
class Position:
    """Everything that a strategy may look at: the candidates, the guesses, and how to choose.

    `used` are the symbols that something known has named; all others are alike. `alive` are the
    places of the candidates in `secrets`.
    """

    game: Game
    secrets: Rows
    alive: Places
    guesses: Guesses
    ties: Ties
    weights: npt.NDArray[np.float64] | None = None
    used: frozenset[int] | None = None
    fresh: bool = False
    rng: random.Random = field(default_factory=lambda: random.Random(0))
    budget: Budget = Budget()

    @classmethod
    def of(cls, game: Game, engine: CountingEngine, **rest: Any) -> "Position":
        """Return the position of an engine. Raises NoCandidatesError if none is left."""
        if not engine.count():
            raise NoCandidatesError("the turns contradict each other: no candidate is left")
        secrets = engine.every()
        pool: Pool = rest.pop("pool", game.play.pool)
        if pool != "candidates" and game.guesses.size > LARGEST_SPACE:
            pool = "candidates"
        return cls(
            game=game,
            secrets=secrets,
            alive=engine.places(),
            guesses=rest.pop("guesses", None) or Guesses.of(game, pool, secrets),
            ties=rest.pop("ties", game.play.ties),
            weights=engine.weights(),
            used=used_symbols(game, engine.items),
            fresh=not engine.items,
            **rest,
        )

    def after(self, guess: Code, alive: Places) -> "Position":
        """Return the position in which only some candidates are left after a guess."""
        used = None if self.used is None else self.used | set(guess)
        return replace(self, alive=alive, used=used, fresh=False)

    def pool(self) -> tuple[Rows, Places]:
        """Return the guesses to choose from, and the candidates' places among them."""
        if self.guesses.rows is None or self.guesses.place_of is None:
            return self.secrets[self.alive], np.arange(len(self.alive))
        return self.guesses.rows, self.guesses.place_of[self.alive]

    def candidate(self, place: int) -> Code:
        """Return the candidate at a place in `alive`."""
        return code_of(self.secrets.codes[self.alive[place]])


def used_symbols(game: Game, items: Iterable[Item]) -> frozenset[int] | None:
    """Return the symbols that something known has named; None where symbols are never alike."""
    products = isinstance(game.secrets, SymbolSpace) and isinstance(game.guesses, SymbolSpace)
    if not (products and game.rule.alike):
        return None
    items = list(items)
    if not all(isinstance(item, Turn) for item in items):
        return None
    return frozenset(s for item in items if isinstance(item, Turn) for s in item.guess)


def representatives(position: Position, codes: npt.NDArray[np.uint8]) -> Places:
    """Return the places of one guess, the first, of each class of guesses that are alike.

    Symbols that nothing has named are interchangeable, and before the first turn positions are.
    """
    if position.used is None:
        return np.arange(len(codes))
    free = [s for s in range(len(position.game.alphabet)) if s not in position.used]
    if not free:
        return np.arange(len(codes))
    length = codes.shape[1]
    first = np.full(len(codes), -1)
    keep = np.ones(len(codes), dtype=np.bool_)
    for symbol in free:
        held = codes == symbol
        where = np.where(held.any(axis=1), held.argmax(axis=1), length)
        keep &= where >= first
        first = where
    if position.fresh:
        times = np.stack([(codes == symbol).sum(axis=1) for symbol in free])
        keep &= (np.diff(times, axis=0) <= 0).all(axis=0)
        keep &= (codes[:, :-1] <= codes[:, 1:]).all(axis=1)
    return np.flatnonzero(keep)


class Strategy(ABC):
    """Picks the next guess."""

    name: ClassVar[str]
    measure: str
    """What the value of a suggestion is, in words: `bits`, `largest group`."""
    deterministic: bool = True
    counts: bool = True
    """Whether it looks at partitions; one that does not is served by fewer candidates."""

    @abstractmethod
    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        """Return up to `top` suggestions, best first, and whether all guesses were evaluated."""

    def choose(self, position: Position) -> Rows:
        """Return the best guess alone, as arrays of one row."""
        ranked, _ = self.rank(position, 1)
        return position.game.rule.rows(array_of([ranked[0].guess], position.game.length))

    def rate(self, position: Position, guess: Code) -> Suggestion:
        """Return what a guess of the player's is worth here."""
        rule = position.game.rule
        rows = rule.rows(array_of([guess], position.game.length))
        secrets = position.secrets[position.alive]
        worst = int(rule.partitions(rows, secrets).max())
        return Suggestion(guess, None, worst, bool((secrets.codes == rows.codes).all(axis=1).any()))


def deadline(budget: Budget) -> float:
    """Return the moment, by the monotonic clock, at which a budget of seconds ends."""
    return float("inf") if budget.seconds is None else time.monotonic() + budget.seconds
