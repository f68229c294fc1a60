"""What a strategy is, and the position in which it is asked."""

import random
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.boards import PairSpace
from puzzlehunt.codes.spaces import CodeSpace, SymbolSpace, WordSpace
from puzzlehunt.engines.base import Listing
from puzzlehunt.errors import NoCandidatesError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Item, Turn
from puzzlehunt.game.play import Ties
from puzzlehunt.kernels.codes import (
    LARGEST_SPACE,
    Bytes,
    Places,
    Rows,
    array_of,
    code_of,
    places_in,
    satisfied,
    space_array,
)
from puzzlehunt.rules.notation.clue import Feedback
from puzzlehunt.strategies.observation import Outlook


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A guess and what it is worth: `value` in the strategy's unit, `worst` the largest group.

    `chance` is how likely it is to win now, among the candidates; None where all are alike.
    """

    guess: Code
    value: float | None
    worst: int | None
    candidate: bool
    chance: float | None = None


@dataclass(frozen=True, slots=True)
class Budget:
    """How much may be evaluated: guesses (reproducible), or seconds (for a person who waits).

    With `compiled` the compiled kernels serve small work, too: much of it is to come, as in a
    tournament. Else they are loaded where one piece of work is worth it. Results are the same.
    """

    guesses: int | None = None
    seconds: float | None = None
    compiled: bool = False


_EVERYTHING = Budget()
_MOST_SHAPES = 5000
"""So many first guesses are tried."""
_AROUND = 1_500
"""So many codes a step from candidates, and as many two steps from them, are guesses too."""
_ALONE = "candidates alone, of too many guesses"


@dataclass(slots=True, eq=False)
class Guesses:
    """The guesses that a strategy may choose from, prepared once for a whole game.

    `place_of` gives each secret's place among them, -1 for one that is not there; both are None
    where only candidates may be guessed. `limited` says which they are, where more were asked for
    than can be listed. With `steps`, codes a few steps from the best of them may be guessed too.
    """

    rows: Rows | None = None
    place_of: Places | None = None
    limited: str = ""
    steps: bool = False

    @classmethod
    def of(cls, game: Game, secrets: Rows) -> "Guesses":
        """Return the guesses of the game's own pool; `secrets` are those of an engine."""
        if game.play.pool == "candidates":
            return cls()
        space = _asked_for(game)
        if space.size > LARGEST_SPACE:
            return cls(limited=_ALONE)
        if len(secrets) == game.secrets.size and (space is game.secrets or _same(game)):
            return cls(secrets, np.arange(len(secrets)))
        rows = game.rule.rows(space_array(space, game.length))
        return cls(rows, places_in(rows.codes, secrets.codes))

    @classmethod
    def sampled(cls, game: Game) -> "Guesses":
        """Return what goes with a sample of candidates: those alone, and steps from them."""
        return cls(limited=_ALONE, steps=True) if _takes_steps(game) else cls()

    @classmethod
    def to_begin(cls, game: Game, secrets: Rows) -> "Guesses":
        """Return some secrets and the guesses AAAA, AAAB, AABB, ...: one of each first guess.

        Before the first turn all guesses of one shape tell the same.
        """
        space, length = game.guesses, game.length
        if not (
            isinstance(space, SymbolSpace) and game.rule.alike and game.play.pool != "candidates"
        ):
            return cls()
        shapes = islice(_shapes(game, length), _MOST_SHAPES)
        rows = [code for code in shapes if code in space]
        if not rows:
            return cls()
        codes = np.concatenate((secrets.codes, array_of(rows, secrets.codes.shape[1])))
        return cls(game.rule.rows(codes), np.arange(len(secrets)))

    @classmethod
    def around(cls, game: Game, secrets: Rows, rng: random.Random) -> "Guesses":
        """Return some secrets, and codes a step or two from them: symbols changed or exchanged.

        They tell apart what no secret alone does, where all guesses are too many to be listed.
        """
        chance = np.random.default_rng(rng.randrange(2**32))
        symbols = len(game.alphabet)
        one = _a_step_from(
            secrets.codes[chance.integers(len(secrets), size=_AROUND)], symbols, chance
        )
        codes = np.concatenate((one, _a_step_from(one, symbols, chance)))
        rows = np.concatenate((secrets.codes, _fresh(game, codes, secrets.codes)))
        told = "candidates and codes near them, of too many guesses"
        return cls(game.rule.rows(rows), np.arange(len(secrets)), told, _takes_steps(game))

    def only(self, kept: npt.NDArray[np.bool_]) -> "Guesses":
        """Return some of the guesses."""
        if self.rows is None or self.place_of is None:
            return self
        moved = np.append(np.where(kept, np.cumsum(kept) - 1, -1), -1)
        return Guesses(self.rows[kept], moved[self.place_of], self.limited)


def _asked_for(game: Game) -> CodeSpace:
    """Return what a game's pool asks for: its guesses, or its secrets, of one board."""
    space = game.secrets if game.play.pool == "secrets" else game.guesses
    return space.one if isinstance(space, PairSpace) else space


def _takes_steps(game: Game) -> bool:
    """Return whether guesses are too many to be listed, and quickly scored whatever they are."""
    free = not game.hard and not game.channel.weighs and game.play.pool != "candidates"
    space = _asked_for(game)
    wide = isinstance(space, SymbolSpace) and space.size > LARGEST_SPACE
    return free and wide and game.rule.pair_offsets is not None


def _fresh(game: Game, codes: Bytes, known: Bytes) -> Bytes:
    """Return which codes among some may be guessed, are of full length, and are not known."""
    codes = np.unique(codes[(codes < len(game.alphabet)).all(axis=1)], axis=0)
    space = _asked_for(game)
    if isinstance(space, SymbolSpace) and space.distinct:
        ordered = np.sort(codes, axis=1)
        codes = codes[(ordered[:, 1:] != ordered[:, :-1]).all(axis=1)]
    return codes[places_in(known, codes) < 0]


def _a_step_from(codes: Bytes, symbols: int, chance: np.random.Generator) -> Bytes:
    """Return each code with two of its symbols exchanged, or one changed."""
    codes, each = codes.copy(), np.arange(len(codes))
    here, there = chance.integers(codes.shape[1], size=(2, len(codes)))
    first, second = codes[each, here], codes[each, there]
    exchanged = chance.random(len(codes)) < 0.5
    other = chance.integers(symbols, size=len(codes), dtype=codes.dtype)
    codes[each, there] = np.where(exchanged, first, second)
    codes[each, here] = np.where(exchanged, second, other)
    return codes


def _same(game: Game) -> bool:
    """Return whether guesses are the same codes as secrets, without listing them."""
    ours, theirs = game.secrets, game.guesses
    if isinstance(ours, SymbolSpace) and isinstance(theirs, SymbolSpace):
        return ours.lengths == theirs.lengths and ours.distinct == theirs.distinct
    return isinstance(theirs, WordSpace) and theirs.weights is getattr(ours, "weights", None)


@dataclass(frozen=True, slots=True)
class Position:
    """Everything that a strategy may look at: the candidates, the guesses, and how to choose.

    `used` are the symbols that something known has named; all others are alike. `made` are the
    guesses so far. `alive` are the places of the candidates in `secrets`. `attempts` is how many
    guesses are left, None for no limit. In hard mode `guesses` are those that are still allowed.
    `outlook` is what becomes of answers on their way to the player, None where they are told, read
    and right.
    """

    game: Game
    secrets: Rows
    alive: Places
    guesses: Guesses
    ties: Ties
    weights: npt.NDArray[np.float64] | None = None
    outlook: Outlook | None = None
    used: frozenset[int] | None = None
    fresh: bool = False
    made: tuple[Code, ...] = ()
    attempts: int | None = None
    rng: random.Random = field(default_factory=lambda: random.Random(0))
    budget: Budget = _EVERYTHING

    @classmethod
    def of(
        cls,
        game: Game,
        engine: Listing,
        guesses: Guesses | None = None,
        rng: random.Random | None = None,
        budget: Budget = _EVERYTHING,
    ) -> "Position":
        """Return the position of an engine. Raises NoCandidatesError if none is left."""
        if not engine.count().exact:
            raise NoCandidatesError("the turns contradict each other: no candidate is left")
        secrets = engine.every()
        guesses = guesses or Guesses.of(game, secrets)
        for item in engine.items if game.hard else ():
            if isinstance(item, Turn) and not item.doubted:
                guesses = _allowed(game, guesses, item)
        outlook = None
        if game.channel.weighs:
            guesses = _untried(game, guesses, engine.items)
            outlook = outlook_of(engine)
        return cls(
            game=game,
            secrets=secrets,
            alive=engine.places(),
            guesses=guesses,
            ties=game.play.ties,
            weights=engine.weights(),
            outlook=outlook,
            used=used_symbols(game, engine.items),
            fresh=not engine.items,
            made=tuple(item.guess for item in engine.items if isinstance(item, Turn)),
            attempts=attempts_left(game, engine.items),
            rng=rng or random.Random(game.play.seed),
            budget=budget,
        )

    def after(self, guess: Code, alive: Places, feedback: Feedback) -> "Position":
        """Return the position after a guess and its answer, which leave only some candidates."""
        used = None if self.used is None else self.used | set(guess)
        left = None if self.attempts is None else max(1, self.attempts - 1)
        guesses = self.guesses
        if self.game.hard:
            turn = Turn(guess, self.game.rule.exactly(feedback, guess))
            guesses = _allowed(self.game, guesses, turn)
        return replace(
            self,
            alive=alive,
            used=used,
            fresh=False,
            made=(*self.made, guess),
            attempts=left,
            guesses=guesses,
        )

    def pool(self) -> tuple[Rows, Places]:
        """Return the guesses to choose from, and the candidates' places among them."""
        if self.guesses.rows is None or self.guesses.place_of is None:
            return self.secrets[self.alive], np.arange(len(self.alive))
        return self.guesses.rows, self.guesses.place_of[self.alive]

    def chances(self, guesses: Rows) -> npt.NDArray[np.float64]:
        """Return how likely each guess is to be the secret, if that is a candidate."""
        secrets = self.secrets.codes[self.alive]
        weights = np.ones(len(secrets)) if self.weights is None else self.weights[self.alive]
        total = weights.sum()
        shares = np.append(weights / (total if total > 0 else 1), 0.0)
        return np.asarray(shares[places_in(secrets, guesses.codes)])

    def a_step_from(self, codes: Bytes, known: Bytes, chance: np.random.Generator) -> Bytes:
        """Return codes a step from some guesses, that are neither known nor made before."""
        near = _a_step_from(codes, len(self.game.alphabet), chance)
        made = array_of(self.made, self.game.length)
        return _fresh(self.game, near, np.concatenate((known, made)))

    def candidate(self, place: int) -> Code:
        """Return the candidate at a place in `alive`."""
        return code_of(self.secrets.codes[self.alive[place]])


def outlook_of(engine: Listing) -> Outlook:
    """Return what becomes of the next answer, by what the rows so far say of the channel."""
    game, posterior = engine.game, engine.posterior
    rates = None
    if game.channel.reads is not None:
        rates = tuple(rate for rate, _ in posterior.rates)
    return Outlook(game, rates, posterior.lie_next)


def _untried(game: Game, guesses: Guesses, items: Iterable[Item]) -> Guesses:
    """Return the guesses that were not made yet; how a mark was read once says how it would be."""
    turns = [item.guess for item in items if isinstance(item, Turn)]
    if guesses.rows is None or not turns:
        return guesses
    tried = places_in(guesses.rows.codes, array_of(turns, game.length))
    kept = np.ones(len(guesses.rows), dtype=np.bool_)
    kept[tried[tried >= 0]] = False
    return guesses.only(kept)


def _allowed(game: Game, guesses: Guesses, turn: Turn) -> Guesses:
    """Return the guesses that hard mode allows after a turn."""
    if guesses.rows is None:
        return guesses
    return guesses.only(satisfied(game.hint(turn), guesses.rows.codes))


def attempts_left(game: Game, items: Iterable[Item]) -> int | None:
    """Return how many guesses the game still allows, None for no limit; at least one."""
    if game.play.attempts is None:
        return None
    return max(1, game.play.attempts - sum(isinstance(item, Turn) for item in items))


def used_symbols(game: Game, items: Iterable[Item]) -> frozenset[int] | None:
    """Return the symbols that something known has named; None where symbols are never alike."""
    products = isinstance(game.secrets, SymbolSpace) and isinstance(game.guesses, SymbolSpace)
    if not (products and game.rule.alike) or game.hard:
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
    if position.fresh:
        return _profiles(position.game, codes)
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
    return np.flatnonzero(keep)


def sampled(position: Position, tried: Places, candidates: Places, most: int) -> Places:
    """Return up to `most` of some guesses in a seeded order: candidates and others in turn."""
    rng = np.random.default_rng(position.rng.randrange(2**32))
    sample = rng.permutation(tried)
    favour = np.isin(sample, candidates)
    favoured = sample[favour][: max(1, min(most, len(sample)) // 2)]
    others = sample[~np.isin(sample, favoured)]
    return rng.permutation(np.concatenate((favoured, others))[:most])


def _profiles(game: Game, codes: npt.NDArray[np.uint8]) -> Places:
    """Return the places of AAAAA, AAAAB, AAABB, ...: of all classes before the first turn."""
    space = game.guesses
    assert isinstance(space, SymbolSpace)
    profiles = [code for length in space.lengths for code in _shapes(game, length)]
    rows = array_of([profile for profile in profiles if profile in space], codes.shape[1])
    found = np.ones(len(codes), dtype=np.bool_)
    places: list[int] = []
    for row in rows:
        np.equal(codes[:, 0], row[0], out=found)
        for position in range(1, len(row)):
            found &= codes[:, position] == row[position]
        places.extend(np.flatnonzero(found))
    return np.sort(np.array(places, dtype=np.intp))


def _shapes(game: Game, length: int) -> Iterator[Code]:
    """Yield the codes AAAA, AAAB, AABB, ... of a length, one of each shape."""
    for profile in _partitions_of(length, len(game.guesses.alphabet), length):
        yield tuple(symbol for symbol, times in enumerate(profile) for _ in range(times))


def _partitions_of(total: int, most_parts: int, largest: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to write a number as a sum of at most so many parts, largest first."""
    if total == 0:
        yield ()
    elif most_parts:
        for part in range(min(total, largest), 0, -1):
            for rest in _partitions_of(total - part, most_parts - 1, part):
                yield (part, *rest)


class Strategy(ABC):
    """Picks the next guess."""

    name: ClassVar[str]
    measure: str
    """What the value of a suggestion is, in words: `bits`, `largest group`."""
    deterministic: bool = True
    through_channel: bool = True
    """Whether what it says of a guess counts in that answers may be unread or false."""
    counts: bool = True
    """Whether it looks at partitions; one that does not is served by fewer candidates."""

    compiled_from: ClassVar[int] = 20_000_000
    """Guesses times secrets of a game from which a tournament uses the compiled kernels."""

    def bits(self, position: Position, guesses: Rows) -> npt.NDArray[np.float64] | None:
        """Return how much the answer to each guess tells, in bits; None where it does not look."""
        return None

    in_order: bool = False
    """Whether it takes candidates as they come in code order, so that no sample will do."""
    whole: bool = False
    """Whether it has to know all candidates, so that no sample will do."""

    def trouble(self, position: Position) -> str:
        """Return in a few words why it cannot serve in a position; nothing if it can."""
        return ""

    def plans(self, position: Position) -> bool:
        """Return whether `prepare` finds out all that is asked in the positions behind this one."""
        return False

    def prepare(self, position: Position, opening: Code | None = None) -> None:  # noqa: B027
        """Get ready for all positions behind this one; with an opening, for those after it."""

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
        worst = int(rule.partitions(rows, secrets, compiled=position.budget.compiled).max())
        candidate = bool((secrets.codes == rows.codes).all(axis=1).any())
        chance = None if position.weights is None else float(position.chances(rows)[0])
        return Suggestion(guess, None, worst, candidate, chance)


def deadline(budget: Budget) -> float:
    """Return the moment, by the monotonic clock, at which a budget of seconds ends."""
    return float("inf") if budget.seconds is None else time.monotonic() + budget.seconds
