"""The position in which a strategy chooses a guess: candidates, guesses, and how ties break."""

import random
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
from puzzlehunt.strategies.pool import (
    Pool,
    allowed_in_hard_mode,
    new_guesses,
    random_neighbour,
    without_past_guesses,
)


@dataclass(frozen=True, slots=True)
class Budget:
    """How much may be evaluated for one suggestion: guesses, or seconds while a person waits.

    Only a budget of guesses is reproducible. With `compiled` the compiled kernels do small work
    too. That pays where there is enough of it to outweigh the time to load them, as in a
    tournament; results are the same.
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


MOST_SCORES = 2_500_000_000
"""Scores up to which all guesses are evaluated where there is no budget."""
NO_BUDGET = Budget()
"""Caps neither guesses nor seconds."""


@dataclass(frozen=True, slots=True)
class Position:
    """Everything that a guess may depend on.

    `candidates` are places in `secrets`, and `weights` (S,) how likely each of the S secrets is, in
    any scale; None where all are equally likely. `probabilities` (S,) are their chances where turns
    may be misread, so that not only candidates are possible; else None. In hard mode `pool` holds
    the guesses that are still allowed. `ties` says which of equally good guesses is chosen.
    `observation` says what a player will see of an answer, None where all of it is seen and true.
    `used_symbols` are the symbols of the guesses so far, all others being interchangeable; None
    where symbols never are.
    With `nothing_known` the positions of a code are interchangeable too. `past_guesses` are the
    guesses so far; `attempts` is how many guesses are left, None for no limit.
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
        for item in engine.items if game.hard else ():
            if isinstance(item, Turn) and not item.doubted:
                pool = allowed_in_hard_mode(game, pool, item)
        observation = None
        if game.channel.weighs:
            pool = without_past_guesses(game, pool, engine.items)
            observation = observation_of(engine)
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
            past_guesses=tuple(item.guess for item in engine.items if isinstance(item, Turn)),
            attempts=attempts_left(game, engine.items),
            rng=rng or random.Random(game.play.seed),
            budget=budget,
        )

    def after(self, guess: Code, candidates: Indices, feedback: Feedback) -> "Position":
        """Return the position after a guess and its answer, which leave the given candidates."""
        used = None if self.used_symbols is None else self.used_symbols | set(guess)
        attempts = None if self.attempts is None else max(1, self.attempts - 1)
        pool = self.pool
        if self.game.hard:
            turn = Turn(guess, self.game.rule.full_clue(feedback, guess))
            pool = allowed_in_hard_mode(self.game, pool, turn)
        return replace(
            self,
            candidates=candidates,
            used_symbols=used,
            nothing_known=False,
            past_guesses=(*self.past_guesses, guess),
            attempts=attempts,
            pool=pool,
            rng=rng_of(self.game, candidates),
        )

    @property
    def with_misreadings(self) -> "Position":
        """The position in which every secret counts that is possible if rows may be misread.

        The position itself where rows may not be. Its `candidates` then fit no longer every row.
        """
        if self.probabilities is None:
            return self
        possible = np.flatnonzero(self.probabilities)
        return replace(self, candidates=possible, weights=self.probabilities, probabilities=None)

    @property
    def outside(self) -> float:
        """How likely (0 to 1) the secret is none of the candidates, since a turn is misread."""
        if self.probabilities is None:
            return 0.0
        return float(1 - self.probabilities[self.candidates].sum())

    def choices(self) -> tuple[PackedCodes, Indices]:
        """Return the guesses to choose from, and the place of each candidate among them.

        The place is -1 for a candidate that may not be guessed.
        """
        if self.pool.guesses is None or self.pool.guess_of is None:
            return self.secrets[self.candidates], np.arange(len(self.candidates))
        return self.pool.guesses, self.pool.guess_of[self.candidates]

    def chances(self, guesses: PackedCodes) -> npt.NDArray[np.float64]:
        """Return how likely (0 to 1) each guess is to be the secret, 0 if it is no candidate."""
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
        """Return the candidate whose place in `secrets` stands at an index of `candidates`."""
        return self.candidate_at(int(self.candidates[index]))

    def candidate_at(self, place: int) -> Code:
        """Return the secret at a place in `secrets`."""
        return code_of(self.secrets.codes[place])


def observation_of(engine: Listing) -> Observation:
    """Return how the next answer becomes a clue, by what the turns so far say of the channel."""
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


def rng_of(game: Game, candidates: Indices) -> random.Random:
    """Return the random numbers of a position that was reached by walking a decision tree.

    They depend on the seed and the candidates alone, and not on the positions visited before.
    """
    return random.Random(f"{game.play.seed}:{crc32(candidates.astype(np.int64).tobytes())}")


def used_symbols(game: Game, items: Iterable[Item]) -> frozenset[int] | None:
    """Return the symbols of the turns' guesses; None where symbols are not interchangeable."""
    if not (game.secrets.free and game.guesses.free and game.rule.symmetric):
        return None
    items = list(items)
    if not all(isinstance(item, Turn) for item in items):
        return None
    return frozenset(s for item in items if isinstance(item, Turn) for s in item.guess)
