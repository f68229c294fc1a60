"""How good the guesses of a history were, in bits, and how good one not yet made would be.

The bits that a guess is expected to tell follow from the candidates before it, whatever strategy
the game uses; the bits that it told are how far its turn moved the belief about the secret. Skill
compares the expected bits with those of the best guesses, luck the told bits with the expected.
"""

import math
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from random import Random
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.boards import PairSpace, split
from puzzlehunt.engines.base import Engine
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Item, Turn
from puzzlehunt.strategies.adviser import LARGEST_SAMPLE, Advice, Adviser
from puzzlehunt.strategies.base import Budget
from puzzlehunt.strategies.registry import find_strategy

Chances: TypeAlias = npt.NDArray[np.float64]
Belief: TypeAlias = Chances | int | None
"""The probability of each secret (S,), or how many equally likely ones are left. None: unknown."""

_EVERYTHING = Budget()
_NO_BITS = 1e-6
"""Bits below which a guess is taken to tell nothing: rounding errors are smaller."""
_SAMPLES = 3
"""Samples drawn for one guess where candidates are too many to list; they share its time."""


@dataclass(frozen=True, slots=True)
class ReviewedTurn:
    """How good the guess of one turn was, by what was known before it.

    `expected` are the bits that it was expected to tell, `most` those of the `best` guess: the
    guess itself if none was expected to tell more; at the start the game's opening, if it has one.
    `told` are the bits that the turn told, `left` how many candidates there were after it; None
    where unknown. `sure` marks a guess that counts as the best: it had to be made, or no better one
    is known. `exact` is false where samples were evaluated.
    """

    number: int
    turn: Turn
    expected: float
    told: float | None
    best: Code
    most: float
    left: int | None
    sure: bool
    exact: bool


@dataclass(frozen=True, slots=True)
class Review:
    """How good the guesses of a history were, as far as its turns agree.

    `contradiction` is the place in the history of the item that left no candidate, None if there
    is none. `complete` is false where no time was left for the last turns.
    """

    game: Game
    history: History
    turns: tuple[ReviewedTurn, ...]
    contradiction: int | None = None
    complete: bool = True

    @property
    def exact(self) -> bool:
        """Whether everything was evaluated, and no sample in its place."""
        return all(turn.exact for turn in self.turns)

    @property
    def skill(self) -> float | None:
        """The expected bits of the guesses over those of the best guesses, 0 to 1.

        A `sure` guess counts as the best. Where the best guess would tell nothing it counts as one
        bit, which any guess that is not `sure` loses. None without guesses.
        """
        if not self.turns:
            return None
        most = [turn.most if turn.most > _NO_BITS else 1.0 for turn in self.turns]
        earned = [
            best if turn.sure else min(best, turn.expected)
            for turn, best in zip(self.turns, most, strict=True)
        ]
        return sum(earned) / sum(most)

    @property
    def luck(self) -> float | None:
        """How many bits more the turns told than expected; None where no turn's bits are known."""
        gains = [turn.told - turn.expected for turn in self.turns if turn.told is not None]
        return sum(gains) if gains else None


def reviewed(
    game: Game,
    history: History,
    budget: Budget = _EVERYTHING,
    engine: Engine | None = None,
    first: int = 1,
    within: float | None = None,
    advised: Mapping[History, Advice] = MappingProxyType({}),
) -> Review:
    """Return how good the guesses of a history were, from turn `first` (from 1) on.

    The review ends with the turn that finds every secret, or that leaves no candidate. `budget` is
    for one guess, `within` are seconds for all of them; without seconds the same history gets the
    same review. To save time, `engine` may be one of the game, which is moved through the history,
    and `advised` what the strategy `entropy` advised after some of its turns.
    """
    reviewer = _Reviewer(engine or open_engine(game), budget, within, advised)
    reviewer.engine.follow(())
    turns: list[ReviewedTurn] = []
    number = 0
    for place, item in enumerate(history):
        number += isinstance(item, Turn)
        if not isinstance(item, Turn) or number < first:
            reviewer.learn(item)
        elif reviewer.is_late:
            return Review(game, history, tuple(turns), complete=False)
        else:
            turns.append(reviewer.judge(item, number, len(history.turns) - number + 1))
        if reviewer.contradicts:
            return Review(game, history, tuple(turns), contradiction=place)
        if reviewer.has_found_all:
            break
    return Review(game, history, tuple(turns))


class _Reviewer:
    """Moves an engine through a history item by item, and judges the guesses."""

    def __init__(
        self,
        engine: Engine,
        budget: Budget,
        within: float | None,
        advised: Mapping[History, Advice],
    ) -> None:
        self.engine = engine
        self.contradicts = False
        """Whether the items learned so far contradict each other."""
        self.has_found_all = False
        """Whether all secrets were found, be they in the game's lists or not."""
        self._adviser = Adviser(engine.game, find_strategy("entropy"))
        self._advised = advised
        self._budget = budget
        self._end = math.inf if within is None else time.monotonic() + within
        self._belief_by_board: list[Belief] | None = None
        """The belief about each board now; None if it was not computed since the last item."""

    @property
    def is_late(self) -> bool:
        """Whether no time is left."""
        return time.monotonic() > self._end

    def learn(self, item: Item) -> None:
        """Take in a fact or a turn."""
        game, engine = self.engine.game, self.engine
        engine.push(item)
        self._belief_by_board = None
        history = History(engine.items)
        self.has_found_all = None not in game.winning_guesses(history)
        agrees = game.is_won(history) if self.has_found_all else engine.satisfiable()
        self.contradicts = not agrees

    def judge(self, turn: Turn, number: int, waiting: int) -> ReviewedTurn:
        """Judge a guess, and take in its turn; `waiting` guesses share the time that is left."""
        engine, budget = self.engine, self._share(waiting)
        before = (
            _beliefs(engine, budget) if self._belief_by_board is None else self._belief_by_board
        )
        advice = self._advised.get(History(engine.items))
        advice = advice or self._adviser.advise(engine, 1, budget)
        own = best = advice.suggestions[0]
        if turn.guess != best.guess:
            own = self._adviser.rate(engine, turn.guess, budget).suggestions[0]
        expected, most = own.value or 0.0, best.value or 0.0
        if expected > most:
            best, most = own, expected
        unknown = advice.count is None and most <= _NO_BITS
        sure = own is best or unknown or _had_to_be_made(engine, turn.guess)
        self.learn(turn)
        self._belief_by_board = _beliefs(engine, budget)
        return ReviewedTurn(
            number=number,
            turn=turn,
            expected=expected,
            told=None if self.contradicts else _told(before, self._belief_by_board),
            best=best.guess,
            most=most,
            left=0 if self.contradicts else self._left(),
            sure=sure,
            exact=advice.exact,
        )

    def _share(self, waiting: int) -> Budget:
        """Return the budget of one question about the next of `waiting` guesses."""
        seconds = math.inf if self._budget.seconds is None else self._budget.seconds
        seconds = min(seconds, max(0.0, self._end - time.monotonic()) / waiting)
        if self.engine.listed is None and self.engine.game.boards == 1:
            seconds /= _SAMPLES
        return replace(self._budget, seconds=None if seconds == math.inf else seconds)

    def _left(self) -> int | None:
        """Return how many candidates there are, None where that is unknown."""
        if self.has_found_all:
            return 1
        count = self.engine.count(quickly=True).exact
        if count is None and self._belief_by_board is not None and len(self._belief_by_board) == 1:
            (belief,) = self._belief_by_board
            return belief if isinstance(belief, int) else None
        return count


def _beliefs(engine: Engine, budget: Budget) -> list[Belief]:
    """Return the belief about each board; 1 for a board solved by a word that is in no list."""
    return [
        1
        if board.secret is not None and board.secret not in board.engine
        else _belief(board.engine, budget)
        for board in engine.boards()
    ]


def _belief(engine: Engine, budget: Budget) -> Belief:
    """Return the belief about the secret of one engine."""
    if (listing := engine.listed) is None:
        end = None if budget.seconds is None else time.monotonic() + budget.seconds / 2
        drawn = engine.sample(LARGEST_SAMPLE, Random(engine.game.play.seed), end)
        return len(drawn.codes) if drawn.complete and drawn.codes else None
    weights, places = listing.weights(), listing.candidate_places()
    chances = np.zeros(len(listing.secrets()))
    chances[places] = 1.0 if weights is None else weights[places]
    total = chances.sum()
    return chances / total if total > 0 else None


def _told(before: Iterable[Belief], after: Iterable[Belief]) -> float | None:
    """Return how far a turn moved the beliefs, in bits, added over all boards; None if unknown.

    It is the divergence of the new probabilities from the old (Kullback and Leibler, 1951); where
    secrets are equally likely, log2 of how many times fewer they are.
    """
    bits = 0.0
    for old, new in zip(before, after, strict=True):
        if isinstance(old, int) and isinstance(new, int):
            bits += math.log2(old / new)
        elif isinstance(old, np.ndarray) and isinstance(new, np.ndarray):
            likely = (new > 0) & (old > 0)
            bits += float((new[likely] * np.log2(new[likely] / old[likely])).sum())
        else:
            return None
    return max(0.0, round(bits, 9))


def _had_to_be_made(engine: Engine, guess: Code) -> bool:
    """Return whether a guess was sure to be a secret not found yet."""
    game = engine.game
    found = game.winning_guesses(History(engine.items))
    if game.boards > 1:
        boards = engine.boards()
        return any(
            _only_candidate(board.engine) == guess for board in boards if board.secret is None
        )
    only = _only_candidate(engine)
    return only is not None and guess in split(only, game.secrets_at_once) and guess not in found


def _only_candidate(engine: Engine) -> Code | None:
    """Return the only candidate of an engine; None where there are more, or it cannot tell."""
    return next(engine.candidates()) if engine.count(quickly=True).exact == 1 else None


# A guess that is not made yet.


@dataclass(frozen=True, slots=True)
class Tried:
    """What a guess would be worth, and the best guess, both by the game's strategy."""

    rated: Advice
    best: Advice

    @property
    def is_best(self) -> bool:
        """Whether no guess is better, as far as was evaluated."""
        guess, best = self.rated.suggestions[0], self.best.suggestions[0]
        more = self.rated.measure == "bits" and (guess.value or 0) > (best.value or 0)
        return guess.guess == best.guess or guess.value == best.value or more


def try_guess(adviser: Adviser, engine: Engine, guess: Code, budget: Budget = _EVERYTHING) -> Tried:
    """Return what a guess would be worth in the position of an engine, and the best one.

    Raises NoCandidatesError if nothing is left.
    """
    rated = adviser.rate(engine, guess, budget)
    (suggestion,) = rated.suggestions
    candidate = suggestion.candidate or _may_be_secret(engine, guess)
    suggestion = replace(suggestion, candidate=candidate)
    return Tried(replace(rated, suggestions=(suggestion,)), adviser.advise(engine, 1, budget))


def _may_be_secret(engine: Engine, guess: Code) -> bool:
    """Return whether a guess may be a secret not found yet, by all candidates and not a sample."""
    game = engine.game
    if game.boards > 1:
        return any(guess in board.engine for board in engine.boards() if board.secret is None)
    if not isinstance(game.secrets, PairSpace):
        return guess in engine
    if guess in game.winning_guesses(History(engine.items)):
        return False
    engine.push(Turn(guess, game.rule.full_clue(game.rule.winning, guess)))
    fits = engine.satisfiable()
    engine.pop()
    return fits
