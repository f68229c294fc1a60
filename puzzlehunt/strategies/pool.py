"""Which guesses a strategy may choose from, in a whole game and in a position."""

import random
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.boards import PairSpace
from puzzlehunt.codes.spaces import CodeSpace, SymbolSpace, WordSpace
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Item, Turn
from puzzlehunt.kernels.codes import (
    LARGEST_SPACE,
    Bytes,
    Places,
    Rows,
    array_of,
    places_in,
    satisfied,
    space_array,
)
from puzzlehunt.strategies.symmetry import shapes

if TYPE_CHECKING:
    from puzzlehunt.strategies.position import Position

_MOST_SHAPES = 5000
"""First guesses that are tried before the first turn of a huge game."""
_AROUND = 1_500
"""Codes one step from candidates that are guesses too, and as many two steps from them."""
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
            isinstance(space, SymbolSpace)
            and game.rule.symmetric
            and game.play.pool != "candidates"
        ):
            return cls()
        some = islice(shapes(game, length), _MOST_SHAPES)
        rows = [code for code in some if code in space]
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
        one = a_step_from(
            secrets.codes[chance.integers(len(secrets), size=_AROUND)], symbols, chance
        )
        codes = np.concatenate((one, a_step_from(one, symbols, chance)))
        rows = np.concatenate((secrets.codes, unknown_guesses(game, codes, secrets.codes)))
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
    return space.single_space if isinstance(space, PairSpace) else space


def _takes_steps(game: Game) -> bool:
    """Return whether guesses are too many to be listed, and quickly scored whatever they are."""
    free = not game.hard and not game.channel.weighs and game.play.pool != "candidates"
    space = _asked_for(game)
    wide = isinstance(space, SymbolSpace) and space.size > LARGEST_SPACE
    return free and wide and game.rule.pair_offsets is not None


def unknown_guesses(game: Game, codes: Bytes, known: Bytes) -> Bytes:
    """Return which codes among some may be guessed, are of full length, and are not known."""
    codes = np.unique(codes[(codes < len(game.alphabet)).all(axis=1)], axis=0)
    space = _asked_for(game)
    if isinstance(space, SymbolSpace) and space.distinct:
        ordered = np.sort(codes, axis=1)
        codes = codes[(ordered[:, 1:] != ordered[:, :-1]).all(axis=1)]
    return codes[places_in(known, codes) < 0]


def a_step_from(codes: Bytes, symbols: int, chance: np.random.Generator) -> Bytes:
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


def untried(game: Game, guesses: Guesses, items: Iterable[Item]) -> Guesses:
    """Return the guesses that were not made yet; how a mark was read once says how it would be."""
    turns = [item.guess for item in items if isinstance(item, Turn)]
    if guesses.rows is None or not turns:
        return guesses
    tried = places_in(guesses.rows.codes, array_of(turns, game.length))
    kept = np.ones(len(guesses.rows), dtype=np.bool_)
    kept[tried[tried >= 0]] = False
    return guesses.only(kept)


def allowed(game: Game, guesses: Guesses, turn: Turn) -> Guesses:
    """Return the guesses that hard mode allows after a turn."""
    if guesses.rows is None:
        return guesses
    return guesses.only(satisfied(game.hint(turn), guesses.rows.codes))


def sampled(position: "Position", tried: Places, candidates: Places, most: int) -> Places:
    """Return up to `most` of some guesses in a seeded order: candidates and others in turn."""
    rng = np.random.default_rng(position.rng.randrange(2**32))
    sample = rng.permutation(tried)
    favour = np.isin(sample, candidates)
    favoured = sample[favour][: max(1, min(most, len(sample)) // 2)]
    others = sample[~np.isin(sample, favoured)]
    return rng.permutation(np.concatenate((favoured, others))[:most])
