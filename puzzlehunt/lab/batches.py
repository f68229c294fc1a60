"""Batches: groups of a tournament's games, each of which one process plays.

A batch holds some games by their numbers. If all games share a decision tree, it holds the branch
of the tree below one answer to the first guess. Results do not depend on the process that plays a
batch, or on the order of batches. A player reuses its engine and other preparations.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Engine
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Item, Turn
from puzzlehunt.kernels import fast
from puzzlehunt.kernels.packed_codes import LARGEST_SPACE, array_of, indices_in
from puzzlehunt.lab import naive
from puzzlehunt.lab.trees import walk
from puzzlehunt.session.codemaker import open_codemaker, play_against
from puzzlehunt.strategies.adviser import Advice, Adviser
from puzzlehunt.strategies.base import Strategy
from puzzlehunt.strategies.basis import GUESS_SAMPLE, Basis, EvaluationScope
from puzzlehunt.strategies.pool import Pool
from puzzlehunt.strategies.position import MOST_SCORES, Budget, Position
from puzzlehunt.strategies.registry import find_strategy
from puzzlehunt.strategies.search.grow import tells_nothing

LAB_ONLY: tuple[str, ...] = naive.NAMES
"""Strategies that play a game from its rule alone."""


@dataclass(frozen=True, slots=True)
class BatchResult:
    """Guesses of each game of a batch until the secret was played, and until it was known.

    In a game of questions alone, both numbers are those of the questions until it was known.

    `numbers` are the numbers of the games, in the order of `played` and `known`. `first` is the
    first guess that all games share, None if they differ. `basis` describes what was evaluated, if
    that was less than every guess and candidate, else None. A checkpoint's lines have these names
    as keys.
    """

    numbers: list[int]
    played: list[int]
    known: list[int]
    first: Code | None
    basis: Basis | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """Some games of a tournament that one process plays together.

    - `numbers` and `secrets`: the number of each game and its secret, in the same order

    If the games share a decision tree, the batch is one branch of it, given by:

    - `items`: what the codemaker tells before the first turn
    - `guess`: the first guess; None if the games share no tree
    - `answer`: the answer to that guess, as an index into the rule's feedbacks
    """

    numbers: tuple[int, ...]
    secrets: tuple[Code, ...]
    items: tuple[Item, ...] = ()
    guess: Code | None = None
    answer: int = -1


@dataclass(eq=False)
class Player:
    """Plays batches of one game; its engine and guesses are prepared once.

    `budget` caps the guesses evaluated per turn (None: no cap).
    """

    game: Game
    budget: int | None = None

    @cached_property
    def strategy(self) -> Strategy:
        """The strategy that plays."""
        return find_strategy(self.game.play.strategy).for_game(self.game)

    @cached_property
    def engine(self) -> Engine:
        """An engine that has followed the game's history."""
        engine = open_engine(self.game)
        engine.follow(self.game.history)
        return engine

    @cached_property
    def _adviser(self) -> Adviser:
        return Adviser(self.game, self.strategy, opens_books=False)

    @cached_property
    def _pool(self) -> Pool:
        return Pool.of(self.game, self.listing.secrets())

    @property
    def listing(self) -> ExplicitEngine:
        """The engine, which must list every secret, as games from one tree need."""
        listing = self.engine.listed
        assert listing is not None
        return listing

    def play(self, batch: Batch) -> BatchResult:
        """Return how many guesses each game of a batch took."""
        if batch.guess is not None:
            return self._play_branch(batch)
        games = [self._play_game(*game) for game in zip(batch.numbers, batch.secrets, strict=True)]
        played, known, firsts, bases = zip(*games, strict=True)
        first = firsts[0] if len(set(firsts)) == 1 else None
        basis = next(filter(None, bases), None)
        return BatchResult(list(batch.numbers), list(played), list(known), first, basis)

    def _play_game(self, number: int, secret: Code) -> tuple[int, int, Code, Basis | None]:
        """Return guesses until played and until known, first guess, and basis of one game."""
        name = self.game.play.strategy
        if name in naive.NAMES:
            return *naive.play(self.game, name, secret), (0,), None
        played, known, first = 0, None, None
        basis: Basis | None = None
        for turn, advice in self.turns(number, secret):
            first = turn.guess if first is None else first
            basis = basis or advice.basis
            if advice.count == 1 and known is None:
                known = played
            played += 1
        assert first is not None, "a game takes at least one guess"
        return played, played if known is None else known, first, basis

    def turns(self, number: int, secret: Code) -> Iterator[tuple[Turn, Advice]]:
        """Yield the turns of one game, each with the advice that it follows."""
        rng = random.Random(f"{self.game.play.seed}:{number}")
        self.engine.follow(self.game.history)
        codemaker = open_codemaker(self.game, secret, rng=rng)
        budget = budget_of(self.game, self.strategy, self.budget)
        yield from play_against(codemaker, self._adviser, self.engine, rng, budget)

    def position(self, items: Sequence[Item], answer: int | None = None) -> Position:
        """Return the position after the history and more items.

        Its random numbers depend on the seed and `answer` alone, not on other batches.
        """
        self.engine.follow((*self.game.history.items, *items))
        seed = self.game.play.seed
        rng = random.Random(seed if answer is None else f"{seed}:{answer}")
        budget = budget_of(self.game, self.strategy, self.budget)
        return Position.of(self.game, self.listing, pool=self._pool, rng=rng, budget=budget)

    def _play_branch(self, batch: Batch) -> BatchResult:
        """Walk the tree below one answer to the first guess."""
        assert batch.guess is not None
        rule = self.game.rule
        first = self.position(batch.items, batch.answer)
        guess = rule.rows(array_of([batch.guess], self.game.length))
        answers = rule.table(guess, first.secrets[first.candidates])[0]
        candidates = first.candidates[answers == batch.answer]
        numbers, basis = list(batch.numbers), basis_of(first, self.strategy)
        feedback = rule.feedbacks[batch.answer]
        if feedback == rule.winning:
            return BatchResult(numbers, [1], [int(len(first.candidates) > 1)], batch.guess, basis)
        if len(candidates) == 1 and self.game.only_questions:
            return BatchResult(numbers, [1], [1], batch.guess, basis)
        if len(candidates) == len(first.candidates):
            raise tells_nothing(self.game, batch.guess)
        position = first.after(batch.guess, candidates, feedback)
        wanted = array_of(batch.secrets, self.game.length)
        places = indices_in(position.secrets.codes[position.candidates], wanted)
        outcomes = walk(position, self.strategy, position.candidates[places])
        played, known = (outcomes.played + 1).tolist(), (outcomes.known + 1).tolist()
        return BatchResult(numbers, played, known, batch.guess, basis)


def budget_of(game: Game, strategy: Strategy, guesses: int | None) -> Budget:
    """Return the budget of each turn: at most `guesses` are evaluated (None: no cap)."""
    scores = game.secrets.size * min(game.guesses.size, LARGEST_SPACE)
    compiled = scores >= strategy.compiled_from and fast.is_installed()
    return Budget(guesses=guesses, compiled=compiled)


def opening_of(game: Game) -> Code | None:
    """Return the game's `play.opening`, None if turns have been played."""
    text = game.play.opening
    return game.parse_guess(text) if text and not game.history.turns else None


def basis_of(position: Position, strategy: Strategy) -> Basis | None:
    """Return a description of the guesses evaluated in a tree; None if every guess is."""
    if title := strategy.book_title(position.game):
        return Basis(EvaluationScope.BOOK, book=title)
    if position.pool.basis or strategy.searches(position):
        return position.pool.basis
    rows = position.pool.guesses
    guesses = len(position.candidates) if rows is None else len(rows)
    most = position.budget.guesses
    if most is None:
        many = guesses * len(position.candidates) > MOST_SCORES
        return Basis(EvaluationScope.GUESS_SAMPLE_AT_FIRST) if many else None
    return GUESS_SAMPLE if most < guesses else None
