"""The position in which a strategy chooses a guess: candidates, guesses, and how ties break."""

import random
import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from zlib import crc32

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Listing
from puzzlehunt.errors import NoCandidatesError, check_number
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Item, Turn
from puzzlehunt.game.play import Ties
from puzzlehunt.kernels.packed_codes import (
    CodeArray,
    Indices,
    PackedCodes,
    array_of,
    code_of,
    indices_in,
)
from puzzlehunt.rules.notation.clue import Feedback
from puzzlehunt.strategies.observation import Observation
from puzzlehunt.strategies.pool import Pool, new_guesses, random_neighbour


@dataclass(frozen=True, slots=True)
class Budget:
    """How much may be evaluated for one suggestion: guesses, or seconds while a person waits.

    Only a budget of guesses is reproducible. With `compiled`, compiled kernels are also used for
    small work. That is faster if the work outweighs the time to load them, as in a tournament;
    results are the same.
    """

    guesses: int | None = None
    seconds: float | None = None
    compiled: bool = False

    def __post_init__(self) -> None:
        if self.guesses is not None:
            check_number("guesses", self.guesses, 0, whole=True)
        if self.seconds is not None:
            check_number("seconds", self.seconds, 0)

    @property
    def person_waits(self) -> bool:
        """Whether a person waits for the suggestion."""
        return self.seconds is not None

    def end(self, start: float | None = None, share: float = 1.0) -> float | None:
        """Return the moment at which a share of the seconds is over, None without seconds.

        The seconds begin at `start` (default: now). Moments are times of `time.monotonic`.
        """
        start = time.monotonic() if start is None else start
        return None if self.seconds is None else start + share * self.seconds


MOST_SCORES = 2_500_000_000
"""Scores up to which all guesses are evaluated where there is no budget."""
NO_BUDGET = Budget()
"""Caps neither guesses nor seconds."""


@dataclass(frozen=True, slots=True)
class Position:
    """Everything that a guess may depend on.

    `candidates` are places in `secrets`, and `weights` (S,) how likely each of the S secrets is, in
    any scale; None if all are equally likely. `probabilities` (S,) are their chances if turns may
    be misread, so that not only candidates are possible; else None. In hard mode `pool` has the
    guesses that are still allowed. `ties` decides between equally good guesses. `observation`
    describes what a player will see of an answer, None if all of it is seen and true.
    `used_symbols` are the symbols of the guesses so far, all others being interchangeable; None if
    symbols never are. With `nothing_known` the positions of a code are interchangeable too.
    `past_guesses` are the guesses so far; `attempts` is how many guesses are left, None for no
    limit.
    """

    game: Game
    secrets: PackedCodes
    candidates: Indices
    pool: Pool
    ties: Ties
    weights: npt.NDArray[np.float64] | None = None
    probabilities: npt.NDArray[np.float64] | None = None
    observation: Observation | None = None
    used_symbols: frozenset[int] | None = None
    nothing_known: bool = False
    past_guesses: tuple[Code, ...] = ()
    attempts: int | None = None
    rng: random.Random = field(default_factory=lambda: random.Random(0))
    budget: Budget = NO_BUDGET

    @classmethod
    def of(
        cls,
        game: Game,
        engine: Listing,
        pool: Pool | None = None,
        rng: random.Random | None = None,
        budget: Budget = NO_BUDGET,
    ) -> "Position":
        """Return the position of an engine. Raises NoCandidatesError if no candidate is left."""
        if not engine.count().exact:
            raise NoCandidatesError("the turns contradict each other: no candidate is left")
        secrets = engine.secrets()
        pool = pool or Pool.of(game, secrets)
        turns = [item for item in engine.items if isinstance(item, Turn)]
        past_guesses = tuple(turn.guess for turn in turns)
        for turn in turns if game.hard else ():
            if not turn.doubted:
                pool = pool.allowed_after(game, turn)
        observation = None
        if game.channel.weighs:
            pool = pool.without(array_of(past_guesses, game.length))
            observation = observation_of(engine)
        attempts = game.play.attempts
        return cls(
            game=game,
            secrets=secrets,
            candidates=engine.candidate_places(),
            pool=pool,
            ties=game.play.ties,
            weights=engine.weights(),
            probabilities=engine.posterior.probabilities if game.channel.misread else None,
            observation=observation,
            used_symbols=used_symbols(game, engine.items),
            nothing_known=not engine.items,
            past_guesses=past_guesses,
            attempts=None if attempts is None else max(1, attempts - len(turns)),
            rng=rng or random.Random(game.play.seed),
            budget=budget,
        )

    def after(self, guess: Code, candidates: Indices, feedback: Feedback) -> "Position":
        """Return the position after a guess and its answer, which leave the given candidates."""
        pool = self.pool
        if self.game.hard:
            turn = Turn(guess, self.game.rule.full_clue(feedback, guess))
            pool = pool.allowed_after(self.game, turn)
        return replace(
            self,
            candidates=candidates,
            used_symbols=None if self.used_symbols is None else self.used_symbols | set(guess),
            nothing_known=False,
            past_guesses=(*self.past_guesses, guess),
            attempts=None if self.attempts is None else max(1, self.attempts - 1),
            pool=pool,
            rng=rng_of(self.game, candidates),
        )

    @property
    def with_misreadings(self) -> "Position":
        """The position with every secret that is possible if turns may be misread."""
        if self.probabilities is None:
            return self
        possible = np.flatnonzero(self.probabilities)
        return replace(self, candidates=possible, weights=self.probabilities, probabilities=None)

    @property
    def outside(self) -> float:
        """The chance (0 to 1) that the secret is not a candidate, because a turn is misread."""
        if self.probabilities is None:
            return 0.0
        return float(1 - self.probabilities[self.candidates].sum())

    def choices(self) -> tuple[PackedCodes, Indices]:
        """Return the guesses to choose from, and each candidate's place in them (-1 if none)."""
        if self.pool.guesses is None or self.pool.guess_of is None:
            return self.secrets[self.candidates], np.arange(len(self.candidates))
        return self.pool.guesses, self.pool.guess_of[self.candidates]

    def chances(self, guesses: PackedCodes) -> npt.NDArray[np.float64]:
        """Return how likely (0 to 1) each guess is to be the secret, 0 if it is not a candidate."""
        secrets = self.secrets.codes[self.candidates]
        weights = np.ones(len(secrets)) if self.weights is None else self.weights[self.candidates]
        total = weights.sum()
        shares = np.append(weights / (total if total > 0 else 1), 0.0)
        return np.asarray(shares[indices_in(secrets, guesses.codes)])

    def chance(self, guess: Code) -> float:
        """Return how likely (0 to 1) a guess is to be the secret, a candidate or not."""
        rows = self.game.rule.rows(array_of([guess], self.game.length))
        return float(self.with_misreadings.chances(rows)[0])

    def guesses_near(
        self, codes: CodeArray, excluded: CodeArray, generator: np.random.Generator
    ) -> CodeArray:
        """Return guesses one random step from `codes`, without past and `excluded` ones."""
        symbols, positions = np.arange(len(self.game.alphabet)), np.arange(codes.shape[1])
        near = random_neighbour(codes, symbols, positions, generator)
        past = array_of(self.past_guesses, self.game.length)
        return new_guesses(self.game, near, np.concatenate((excluded, past)))

    def candidate(self, index: int) -> Code:
        """Return the code of the candidate at an index of `candidates`."""
        return code_of(self.secrets.codes[self.candidates[index]])


def observation_of(engine: Listing) -> Observation:
    """Return how the next answer becomes a clue, given what the turns imply about the channel."""
    game, posterior = engine.game, engine.posterior
    reads = game.channel.reads is not None
    rates = tuple(rate for rate, _ in posterior.rates) if reads else None
    return Observation(game, rates, posterior.lie_next)


def rng_of(game: Game, candidates: Indices) -> random.Random:
    """Return a random generator for a position in a tree, from the seed and the candidates."""
    return random.Random(f"{game.play.seed}:{crc32(candidates.astype(np.int64).tobytes())}")


def used_symbols(game: Game, items: Iterable[Item]) -> frozenset[int] | None:
    """Return the symbols of the turns' guesses; None if symbols are not interchangeable."""
    if not (game.secrets.free and game.guesses.free and game.rule.symmetric):
        return None
    guesses = [item.guess if isinstance(item, Turn) else None for item in items]
    return None if None in guesses else frozenset().union(*filter(None, guesses))
