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
from puzzlehunt.strategies.pool import Guesses, a_step_from, allowed, unknown_guesses, untried
from puzzlehunt.strategies.symmetry import used_symbols

_EVERYTHING = Budget()


@dataclass(frozen=True, slots=True)
class Position:
    """Everything that a strategy may look at: the candidates, the guesses, and how to choose.

    `used` are the symbols that something known has named; all others are alike. `made` are the
    guesses so far. `alive` are the places of the candidates in `secrets`. `attempts` is how many
    guesses are left, None for no limit. In hard mode `guesses` are those that are still allowed.
    `observation` is what becomes of answers on their way to the player, None where all are told,
    read and right.
    """

    game: Game
    secrets: Rows
    alive: Places
    guesses: Guesses
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
                guesses = allowed(game, guesses, item)
        observation = None
        if game.channel.weighs:
            guesses = untried(game, guesses, engine.items)
            observation = observation_of(engine)
        return cls(
            game=game,
            secrets=secrets,
            alive=engine.places(),
            guesses=guesses,
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

    def after(self, guess: Code, alive: Places, feedback: Feedback) -> "Position":
        """Return the position after a guess and its answer, which leave only some candidates."""
        used = None if self.used is None else self.used | set(guess)
        left = None if self.attempts is None else max(1, self.attempts - 1)
        guesses = self.guesses
        if self.game.hard:
            turn = Turn(guess, self.game.rule.exactly(feedback, guess))
            guesses = allowed(self.game, guesses, turn)
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
        near = a_step_from(codes, len(self.game.alphabet), chance)
        made = array_of(self.made, self.game.length)
        return unknown_guesses(self.game, near, np.concatenate((known, made)))

    def candidate(self, place: int) -> Code:
        """Return the candidate at a place in `alive`."""
        return self.candidate_at(int(self.alive[place]))

    def candidate_at(self, place: int) -> Code:
        """Return the secret at a place in `secrets`."""
        return code_of(self.secrets.codes[place])


def observation_of(engine: Listing) -> Observation:
    """Return what becomes of the next answer, by what the rows so far say of the channel."""
    game, posterior = engine.game, engine.posterior
    rates = None
    if game.channel.reads is not None:
        rates = tuple(rate for rate, _ in posterior.rates)
    return Observation(game, rates, posterior.lie_next)


def attempts_left(game: Game, items: Iterable[Item]) -> int | None:
    """Return how many guesses the game still allows, None for no limit; at least one."""
    if game.play.attempts is None:
        return None
    return max(1, game.play.attempts - sum(isinstance(item, Turn) for item in items))
