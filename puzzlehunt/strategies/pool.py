"""Which guesses a strategy may choose from, in a whole game and in a position."""

import random
from dataclasses import dataclass

import numpy as np

from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn
from puzzlehunt.kernels.packed_codes import (
    LARGEST_SPACE,
    CodeArray,
    Indices,
    Mask,
    PackedCodes,
    indices_in,
    space_array,
    where_holds,
)

GUESS_SAMPLE = "a sample of the guesses"


@dataclass(slots=True, eq=False)
class Pool:
    """The guesses that a strategy may choose from, prepared once for a whole game.

    `guesses` (G,) are the guesses. `guess_of` (S,) is the index of each of S secrets among them, or
    -1 for a secret that may not be guessed. Both are None if only candidates may be guessed.
    `basis` describes the choice of guesses if the game admits too many to list, else "".
    """

    guesses: PackedCodes | None = None
    guess_of: Indices | None = None
    basis: str = ""

    @classmethod
    def of(cls, game: Game, secrets: PackedCodes) -> "Pool":
        """Return the pool that `play.pool` names in a game; `secrets` are all its secrets."""
        if game.only_questions:
            guesses = game.rule.rows(space_array(game.guesses, game.length))
            return cls(guesses, np.full(len(secrets), -1))
        if game.play.pool == "candidates":
            return cls()
        space = game.secrets if game.play.pool == "secrets" else game.guesses
        if space.size > LARGEST_SPACE:
            return cls(basis="candidates alone, of too many guesses")
        if len(secrets) == game.secrets.size and game.secrets in (space, game.guesses):
            return cls(secrets, np.arange(len(secrets)))
        guesses = game.rule.rows(space_array(space, game.length))
        return cls(guesses, indices_in(guesses.codes, secrets.codes))

    def restricted(self, kept: Mask) -> "Pool":
        """Return the pool of those guesses for which the mask `kept` (G,) is true."""
        if self.guesses is None or self.guess_of is None:
            return self
        # The last is that of no guess, -1.
        new_places = np.append(np.where(kept, np.cumsum(kept) - 1, -1), -1)
        return Pool(self.guesses[kept], new_places[self.guess_of], self.basis)

    def without(self, past: CodeArray) -> "Pool":
        """Return the pool without the guesses in `past` (N, length)."""
        if self.guesses is None or not len(past):
            return self
        return self.restricted(indices_in(past, self.guesses.codes) < 0)

    def allowed_after(self, game: Game, turn: Turn) -> "Pool":
        """Return the pool of the guesses that hard mode allows after a turn."""
        if self.guesses is None:
            return self
        return self.restricted(
            where_holds(game.rule.hard_mode_constraint(turn.guess, turn.clue), self.guesses.codes)
        )


def array_rng(rng: random.Random) -> "np.random.Generator":
    """Return a generator of numpy's, seeded by the next number of another."""
    return np.random.default_rng(rng.randrange(2**32))


def sample_of_guesses(
    chance: random.Random, tried: Indices, guess_of: Indices, most: int
) -> Indices:
    """Return up to `most` of the guesses at the places `tried`: all, or in an order by `chance`.

    Half of them are candidates (at the places `guess_of`), if there are so many.
    """
    if len(tried) <= most:
        return tried
    rng = array_rng(chance)
    shuffled = rng.permutation(tried)
    is_candidate = np.isin(shuffled, guess_of)
    candidates = shuffled[is_candidate][: max(1, most // 2)]
    others = shuffled[~np.isin(shuffled, candidates)]
    return rng.permutation(np.concatenate((candidates, others))[:most])
