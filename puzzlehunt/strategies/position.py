"""The position in which a strategy is asked: the candidates, the guesses, and how to choose."""

import random
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Listing
from puzzlehunt.errors import NoCandidatesError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Item, Turn
from puzzlehunt.game.play import Ties
from puzzlehunt.kernels.codes import Bytes, Places, Rows, array_of, code_of, places_in
from puzzlehunt.rules.notation.clue import Feedback
from puzzlehunt.strategies.base import Budget
from puzzlehunt.strategies.observation import Observation
from puzzlehunt.strategies.pool import Pool, a_step_from, allowed, new_guesses, untried
from puzzlehunt.strategies.symmetry import used_symbols

_EVERYTHING = Budget()


@dataclass(frozen=True, slots=True)
class Position:
    """Everything that a strategy may look at: the candidates, the guesses, and how to choose.

    `candidates` are places in `secrets`, and `weights` (S,) how likely each secret is, None where
    all are alike. In hard mode `pool` holds the guesses that are still allowed. `observation` says
    what a player will see of an answer, None where all of it is seen and true. `used` are the
    symbols that a guess has named, all others being interchangeable; None where they never are.
    `fresh` says that nothing is known yet, so that positions are interchangeable too. `made` are
    the guesses so far, `attempts` is how many are left, None for no limit.
    """

    game: Game
    secrets: Rows
    candidates: Places
    pool: Pool
    ties: Ties
    weights: npt.NDArray[np.float64] | None = None
    observation: Observation | None = None
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
        pool: Pool | None = None,
        rng: random.Random | None = None,
        budget: Budget = _EVERYTHING,
    ) -> "Position":
        """Return the position of an engine. Raises NoCandidatesError if none is left."""
        if not engine.count().exact:
            raise NoCandidatesError("the turns contradict each other: no candidate is left")
        secrets = engine.secrets()
        pool = pool or Pool.of(game, secrets)
        for item in engine.items if game.hard else ():
            if isinstance(item, Turn) and not item.doubted:
                pool = allowed(game, pool, item)
        observation = None
        if game.channel.weighs:
            pool = untried(game, pool, engine.items)
            observation = observation_of(engine)
        return cls(
            game=game,
            secrets=secrets,
            candidates=engine.candidate_places(),
            pool=pool,
            ties=game.play.ties,
            weights=engine.weights(),
            observation=observation,
            used=used_symbols(game, engine.items),
            fresh=not engine.items,
            made=tuple(item.guess for item in engine.items if isinstance(item, Turn)),
            attempts=attempts_left(game, engine.items),
            rng=rng or random.Random(game.play.seed),
            budget=budget,
        )

    def after(self, guess: Code, candidates: Places, feedback: Feedback) -> "Position":
        """Return the position after a guess and its answer, which leave the given candidates."""
        used = None if self.used is None else self.used | set(guess)
        attempts = None if self.attempts is None else max(1, self.attempts - 1)
        pool = self.pool
        if self.game.hard:
            turn = Turn(guess, self.game.rule.full_clue(feedback, guess))
            pool = allowed(self.game, pool, turn)
        return replace(
            self,
            candidates=candidates,
            used=used,
            fresh=False,
            made=(*self.made, guess),
            attempts=attempts,
            pool=pool,
        )

    def choices(self) -> tuple[Rows, Places]:
        """Return the guesses to choose from, and the place of each candidate among them.

        The place is -1 for a candidate that may not be guessed.
        """
        if self.pool.guesses is None or self.pool.as_guess is None:
            return self.secrets[self.candidates], np.arange(len(self.candidates))
        return self.pool.guesses, self.pool.as_guess[self.candidates]

    def chances(self, guesses: Rows) -> npt.NDArray[np.float64]:
        """Return how likely (0 to 1) each guess is to be the secret, 0 for no candidate."""
        secrets = self.secrets.codes[self.candidates]
        weights = np.ones(len(secrets)) if self.weights is None else self.weights[self.candidates]
        total = weights.sum()
        shares = np.append(weights / (total if total > 0 else 1), 0.0)
        return np.asarray(shares[places_in(secrets, guesses.codes)])

    def a_step_from(self, codes: Bytes, known: Bytes, chance: np.random.Generator) -> Bytes:
        """Return guesses a random step from some codes, without `known` and earlier guesses."""
        near = a_step_from(codes, len(self.game.alphabet), chance)
        made = array_of(self.made, self.game.length)
        return new_guesses(self.game, near, np.concatenate((known, made)))

    def candidate(self, place: int) -> Code:
        """Return the candidate whose place in `secrets` stands at this index of `candidates`."""
        return self.candidate_at(int(self.candidates[place]))

    def candidate_at(self, place: int) -> Code:
        """Return the secret at a place in `secrets`."""
        return code_of(self.secrets.codes[place])


def observation_of(engine: Listing) -> Observation:
    """Return what will be seen of the next answer, by what the turns so far say of the channel."""
    game, posterior = engine.game, engine.posterior
    rates = None
    if game.channel.reads is not None:
        rates = tuple(rate for rate, _ in posterior.rates)
    return Observation(game, rates, posterior.lie_next)


def attempts_left(game: Game, items: Iterable[Item]) -> int | None:
    """Return how many guesses a game still allows (1 or more), None for no limit."""
    if game.play.attempts is None:
        return None
    return max(1, game.play.attempts - sum(isinstance(item, Turn) for item in items))
