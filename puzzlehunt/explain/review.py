"""How good guesses were, and how good one would be.

A guess is expected to tell so many bits, by the candidates before it, whatever strategy the game
uses; what it told is how far its row moved what is believed of the secret. Skill compares what was
expected with the best guesses, luck compares what was told with what was expected.
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
"""The chance of each secret; of secrets that are alike, how many there are; None: unknown."""

_EVERYTHING = Budget()
_NOTHING = 1e-6
"""Fewer bits than this are none at all."""
_SAMPLES = 3
"""So many samples are drawn for one guess where candidates are too many, and share its time."""


@dataclass(frozen=True, slots=True)
class ReviewedTurn:
    """How good one guess was, in bits, by what was known before it.

    `expected` is what it was expected to tell; `best` is the best guess, itself where none was
    expected to tell more, and at the start the game's opening, if it has one; `most` is what that
    was expected to tell. `told` is what its row told, `left` how many candidates there were after
    it; both are None where that is unknown. `sure` says that no guess was better, whatever it
    told: it had to be made, or none is known to tell more. `exact` is false where samples were
    evaluated.
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
    """How good the guesses of a history were, as far as its rows agree.

    `contradiction` is the place in the history of the item that left no candidate, None if there
    is none. `complete` is false where no time was left for the last rows.
    """

    game: Game
    history: History
    turns: tuple[ReviewedTurn, ...]
    contradiction: int | None = None
    complete: bool = True

    @property
    def exact(self) -> bool:
        """Whether all was evaluated, and no sample."""
        return all(turn.exact for turn in self.turns)

    @property
    def skill(self) -> float | None:
        """How much of the bits of the best guesses these were expected to tell, from 0 to 1.

        A guess that had to be made, since it was sure to be a secret, counts as the best. Where
        nothing was left to be told, any other guess is a bit lost. None without guesses.
        """
        if not self.turns:
            return None
        most = [turn.most if turn.most > _NOTHING else 1.0 for turn in self.turns]
        earned = [
            best if turn.sure else min(best, turn.expected)
            for turn, best in zip(self.turns, most, strict=True)
        ]
        return sum(earned) / sum(most)

    @property
    def luck(self) -> float | None:
        """How many bits more the rows told than expected; None where none of them is known."""
        known = [turn.told - turn.expected for turn in self.turns if turn.told is not None]
        return sum(known) if known else None


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

    The review ends with the row that finds everything, or that leaves no candidate. The budget is
    that of one guess; `within` are seconds for all of them. Without seconds the same history gets
    the same review. What is there already need not be made again: an engine of the game, which is
    moved through the history, and what the strategy `entropy` advised after some of its rows.
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
    """Moves an engine through a history, and judges guess after guess."""

    def __init__(
        self,
        engine: Engine,
        budget: Budget,
        within: float | None,
        advised: Mapping[History, Advice],
    ) -> None:
        self.engine = engine
        self.contradicts = False
        """Whether what is known contradicts itself."""
        self.has_found_all = False
        """Whether all secrets were found; they may be in no list."""
        self._adviser = Adviser(engine.game, find_strategy("entropy"))
        self._advised = advised
        self._budget = budget
        self._end = math.inf if within is None else time.monotonic() + within
        self._known: list[Belief] | None = None
        """What is believed of each board now; None where nobody has looked."""

    @property
    def is_late(self) -> bool:
        """Whether no time is left."""
        return time.monotonic() > self._end

    def learn(self, item: Item) -> None:
        """Take in a fact or a turn."""
        game, engine = self.engine.game, self.engine
        engine.push(item)
        self._known = None
        history = History(engine.items)
        self.has_found_all = None not in game.winning_guesses(history)
        agrees = game.is_won(history) if self.has_found_all else engine.satisfiable()
        self.contradicts = not agrees

    def judge(self, turn: Turn, number: int, waiting: int) -> ReviewedTurn:
        """Judge a guess, and take in its turn; so many guesses wait for their time."""
        engine, budget = self.engine, self._share(waiting)
        before = _beliefs(engine, budget) if self._known is None else self._known
        advice = self._advised.get(History(engine.items))
        advice = advice or self._adviser.advise(engine, 1, budget)
        own = best = advice.suggestions[0]
        if turn.guess != best.guess:
            own = self._adviser.rate(engine, turn.guess, budget).suggestions[0]
        expected, most = own.value or 0.0, best.value or 0.0
        if expected > most:
            best, most = own, expected
        unknown = advice.count is None and most <= _NOTHING
        sure = own is best or unknown or _had_to_be_made(engine, turn.guess)
        self.learn(turn)
        self._known = _beliefs(engine, budget)
        return ReviewedTurn(
            number=number,
            turn=turn,
            expected=expected,
            told=None if self.contradicts else _told(before, self._known),
            best=best.guess,
            most=most,
            left=0 if self.contradicts else self._left(),
            sure=sure,
            exact=advice.exact,
        )

    def _share(self, waiting: int) -> Budget:
        """Return the budget of one question about the next guess; most are quickly answered."""
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
        if count is None and self._known is not None and len(self._known) == 1:
            (belief,) = self._known
            return belief if isinstance(belief, int) else None
        return count


def _beliefs(engine: Engine, budget: Budget) -> list[Belief]:
    """Return what is believed of each board; of one that was solved by a word of no list, 1."""
    return [
        1
        if board.secret is not None and board.secret not in board.engine
        else _belief(board.engine, budget)
        for board in engine.boards()
    ]


def _belief(engine: Engine, budget: Budget) -> Belief:
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
    """Return how far a row moved what is believed, in bits, on all boards together.

    It is the divergence of the new chances from the old ones (Kullback and Leibler, 1951); where
    secrets are alike, the logarithm of how many times fewer they are.
    """
    told = 0.0
    for old, new in zip(before, after, strict=True):
        if isinstance(old, int) and isinstance(new, int):
            told += math.log2(old / new)
        elif isinstance(old, np.ndarray) and isinstance(new, np.ndarray):
            likely = (new > 0) & (old > 0)
            told += float((new[likely] * np.log2(new[likely] / old[likely])).sum())
        else:
            return None
    return max(0.0, round(told, 9))


def _had_to_be_made(engine: Engine, guess: Code) -> bool:
    """Return whether a guess is sure to be a secret that nobody has found yet."""
    game = engine.game
    found = game.winning_guesses(History(engine.items))
    if game.boards > 1:
        boards = engine.boards()
        return any(_only(board.engine) == guess for board in boards if board.secret is None)
    only = _only(engine)
    return only is not None and guess in split(only, game.secrets_at_once) and guess not in found


def _only(engine: Engine) -> Code | None:
    """Return the only candidate of an engine that counts them, None where there are others."""
    return next(engine.candidates()) if engine.count(quickly=True).exact == 1 else None


# A guess that was not made yet.


@dataclass(frozen=True, slots=True)
class Tried:
    """What a guess would be worth, and the best that there is, both by the game's strategy."""

    rated: Advice
    best: Advice

    @property
    def is_best(self) -> bool:
        """Whether no guess is better, as far as was evaluated."""
        own, best = self.rated.suggestions[0], self.best.suggestions[0]
        more = self.rated.measure == "bits" and (own.value or 0) > (best.value or 0)
        return own.guess == best.guess or own.value == best.value or more


def try_guess(adviser: Adviser, engine: Engine, guess: Code, budget: Budget = _EVERYTHING) -> Tried:
    """Return what a guess would be worth in the position of an engine, and the best one.

    Raises NoCandidatesError if nothing is left.
    """
    rated = adviser.rate(engine, guess, budget)
    (own,) = rated.suggestions
    own = replace(own, candidate=own.candidate or _may_be_secret(engine, guess))
    return Tried(replace(rated, suggestions=(own,)), adviser.advise(engine, 1, budget))


def _may_be_secret(engine: Engine, guess: Code) -> bool:
    """Return whether a guess may be a secret that nobody has found yet, samples left aside."""
    game = engine.game
    if game.boards > 1:
        return any(guess in board.engine for board in engine.boards() if board.secret is None)
    if not isinstance(game.secrets, PairSpace):
        return guess in engine
    if guess in game.winning_guesses(History(engine.items)):
        return False
    engine.push(Turn(guess, game.rule.exactly(game.rule.winning, guess)))
    fits = engine.satisfiable()
    engine.pop()
    return fits
