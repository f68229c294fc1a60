"""The position in which a strategy chooses a guess: candidates, guesses, and how ties break."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from zlib import crc32

import numpy as np

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.errors import NoCandidatesError, StrategyError, check_number
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn
from puzzlehunt.kernels.feedback_matrix import Table
from puzzlehunt.kernels.packed_codes import (
    LARGEST_SPACE,
    CodeArray,
    Indices,
    Mask,
    PackedCodes,
    array_of,
    code_of,
    indices_in,
    space_array,
    where_holds,
)
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.notation.clue import Feedback
from puzzlehunt.strategies.measures import Values
from puzzlehunt.strategies.observation import Observation


@dataclass(frozen=True, slots=True)
class Budget:
    """A limit for one suggestion: of guesses to evaluate, or of `seconds` while a person waits.

    Suggestions with a limit of guesses are reproducible, those with a limit of seconds are not.
    `compiled` allows compiled kernels for small work, too. They give the same results, but loading
    them takes time, which pays if much follows, as in a tournament.

    >>> puzzlehunt.suggest("4x6", ["AABB 1b"], 1, budget=puzzlehunt.Budget(guesses=10)).exact
    False
    """

    guesses: int | None = None
    seconds: float | None = None
    compiled: bool = False

    def __post_init__(self) -> None:
        if self.guesses is not None:
            check_number("guesses", self.guesses, 0, whole=True)
        if self.seconds is not None:
            check_number("seconds", self.seconds, 0)


MOST_SCORES = 2_500_000_000
"""Without a budget, all guesses are tried up to this many scores (a guess against a candidate)."""
NO_BUDGET = Budget()
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
    _table: Table | None = None

    def table(self, rule: Rule, secrets: PackedCodes) -> Table:
        """Return the scores (G, S) of all guesses for all secrets, kept from then on."""
        if self._table is None:
            assert self.guesses is not None
            self._table = rule.table(self.guesses, secrets)
        return self._table

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

    def restricted(self, holds: Callable[[CodeArray], Mask]) -> "Pool":
        """Return the pool of those guesses for which a function of their codes holds."""
        if self.guesses is None or self.guess_of is None:
            return self
        kept = holds(self.guesses.codes)
        # The last is that of no guess, -1.
        new_places = np.append(np.where(kept, np.cumsum(kept) - 1, -1), -1)
        return Pool(self.guesses[kept], new_places[self.guess_of], self.basis)

    def allowed_after(self, game: Game, turn: Turn) -> "Pool":
        """Return the pool of the guesses that hard mode allows after a turn."""
        allowed = game.rule.hard_mode_constraint(turn.code, turn.clue)
        return self.restricted(partial(where_holds, allowed))


@dataclass(frozen=True, slots=True)
class Position:
    """Everything that a strategy's next guess may depend on.

    - `secrets`: all S secrets of the game, or a sample of them
    - `candidates`: the indices in `secrets` of the secrets that fit all turns
    - `pool`: the guesses to choose from; in hard mode only those that are still allowed
    - `weights` (S,): how likely each secret is, in any scale; None if all are equally likely
    - `probabilities` (S,): the chance of each secret if turns may be misread, because then secrets
      that are not candidates are possible, too; None if turns are never misread
    - `observation`: how answers become clues; None if every answer is seen in full and is true
    - `used_symbols`: the symbols of past guesses. All other symbols are interchangeable. None if no
      symbols are
    - `past_guesses`: the guesses so far
    - `attempts`: how many guesses are left; None if there is no limit
    - `rng`: the source of random choices
    - `budget`: how much may be evaluated

    >>> game = puzzlehunt.load("3x4", {"turns": ["AAB 1b"]})
    >>> listing = puzzlehunt.engines.open_engine(game).listed
    >>> listing is not None and len(Position.of(game, listing).candidates)
    27
    """

    game: Game
    secrets: PackedCodes
    candidates: Indices
    pool: Pool
    weights: Values | None = None
    probabilities: Values | None = None
    observation: Observation | None = None
    used_symbols: frozenset[int] | None = None
    past_guesses: tuple[Code, ...] = ()
    attempts: int | None = None
    rng: random.Random = field(default_factory=lambda: random.Random(0))
    budget: Budget = NO_BUDGET

    @classmethod
    def of(
        cls,
        game: Game,
        engine: ExplicitEngine,
        *,
        pool: Pool | None = None,
        rng: random.Random | None = None,
        budget: Budget = NO_BUDGET,
    ) -> "Position":
        """Return the position after the turns that an engine follows.

        Raises NoCandidatesError if no candidate is left.
        """
        if not engine.count().exact:
            raise NoCandidatesError("the turns contradict each other: no candidate is left")
        secrets = engine.secrets()
        pool = pool or Pool.of(game, secrets)
        turns = engine.history.turns
        past_guesses = tuple(turn.code for turn in turns)
        for turn in turns if game.hard else ():
            if not turn.doubt:
                pool = pool.allowed_after(game, turn)
        repeats_tell = game.only_questions and game.channel.answers_anew
        if turns and (game.hard or (game.channel.weighs and not repeats_tell)):
            past = array_of(past_guesses, game.length)
            pool = pool.restricted(lambda codes: indices_in(past, codes) < 0)
        attempts = game.play.attempts
        has_facts = len(turns) < len(engine.items)
        symmetric = game.secrets.free and game.guesses.free and game.rule.symmetric
        return cls(
            game=game,
            secrets=secrets,
            candidates=engine.candidate_places(),
            pool=pool,
            weights=engine.weights(),
            probabilities=engine.posterior.probabilities if game.channel.misread else None,
            observation=observation_of(engine) if game.channel.weighs else None,
            used_symbols=None if has_facts or not symmetric else frozenset().union(*past_guesses),
            past_guesses=past_guesses,
            attempts=None if attempts is None else max(1, attempts - len(turns)),
            rng=rng or random.Random(game.play.seed),
            budget=budget,
        )

    def after(self, guess: Code, candidates: Indices, feedback: Feedback) -> "Position":
        """Return the position after a guess and its `feedback`, which leave these `candidates`."""
        pool, digest = self.pool, crc32(candidates.astype(np.int64).tobytes())
        if self.game.hard:
            turn = Turn(guess, self.game.rule.notation.full_clue(feedback, guess))
            pool = pool.allowed_after(self.game, turn)
        return replace(
            self,
            candidates=candidates,
            used_symbols=None if self.used_symbols is None else self.used_symbols | set(guess),
            past_guesses=(*self.past_guesses, guess),
            attempts=None if self.attempts is None else max(1, self.attempts - 1),
            pool=pool,
            rng=random.Random(f"{self.game.play.seed}:{digest}"),
        )

    @property
    def nothing_known(self) -> bool:
        """Whether no answer and no fact tells any secret, or any place in it, from the others."""
        return not self.past_guesses and len(self.candidates) == len(self.secrets)

    @property
    def with_misreadings(self) -> "Position":
        """This position, but with every possible secret as a candidate if turns may be misread."""
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
        if not len(self.pool.guesses):
            raise StrategyError("hard mode allows no guess of the list; try consistent")
        return self.pool.guesses, self.pool.guess_of[self.candidates]

    @property
    def ties(self) -> Values:
        """(G,): the order of equally good `choices`: likely secrets first, if a person waits."""
        guesses, of_secret = self.pool.guesses, self.pool.guess_of
        if guesses is None or of_secret is None:
            return np.zeros(len(self.candidates))
        likely = np.zeros(guesses.codes.shape[0] + 1)  # the last for no guess, -1
        if self.budget.seconds is not None and self.game.play.ties == "candidate":
            likely[of_secret] = 1.0 if self.weights is None else self.weights
        return -likely[:-1]

    @property
    def shares(self) -> Values:
        """How likely each candidate is (C,), all together 1; alike if no weight is above 0."""
        shares = np.ones(len(self.candidates))
        if self.weights is not None and self.weights[self.candidates].any():
            shares = self.weights[self.candidates]
        return np.asarray(shares / shares.sum())

    def chances(self, guesses: PackedCodes) -> Values:
        """Return the chance (0 to 1) of each guess to be the secret: 0 if it is not a candidate."""
        if self.game.only_questions:
            return np.zeros(len(guesses))
        places = indices_in(self.secrets.codes[self.candidates], guesses.codes)
        return np.where(places < 0, 0.0, self.shares[places])

    def chance(self, guess: Code) -> float:
        """Return the chance (0 to 1) that a guess is the secret, allowing for misread turns."""
        return float(self.with_misreadings.chances(self.row(guess))[0])

    def row(self, guess: Code) -> PackedCodes:
        """Return a guess as arrays of one row."""
        return self.game.rule.rows_of([guess])

    def candidate(self, place: int) -> Code:
        """Return the code of a candidate, by its place (from 0) in `candidates`."""
        if place >= (left := len(self.candidates)):
            raise IndexError(f"place {place} of {left} candidates; places go from 0 to {left - 1}")
        return code_of(self.secrets.codes[self.candidates[place]])


def observation_of(engine: ExplicitEngine) -> Observation:
    """Return a model of how the next answer becomes a clue, estimated from the turns so far."""
    game, posterior = engine.game, engine.posterior
    reads = game.channel.reads is not None
    rates = tuple(rate for rate, _ in posterior.rates) if reads else None
    return Observation(game, rates, posterior.lie_next)


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
    candidates = shuffled[np.isin(shuffled, guess_of)][: max(1, most // 2)]
    others = shuffled[~np.isin(shuffled, candidates)]
    return rng.permutation(np.concatenate((candidates, others))[:most])
