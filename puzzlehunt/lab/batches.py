"""Batches: groups of a tournament's games, each of which one process plays.

Results depend neither on the process that plays a batch nor on the order of batches.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Engine
from puzzlehunt.engines.choice import chosen, open_engine
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn
from puzzlehunt.kernels import fast
from puzzlehunt.kernels.packed_codes import (
    LARGEST_SPACE,
    CodeArray,
    Indices,
    array_of,
    code_of,
    indices_in,
)
from puzzlehunt.session.codemaker import open_codemaker, play_against
from puzzlehunt.strategies.adviser import Advice, Adviser
from puzzlehunt.strategies.base import Strategy
from puzzlehunt.strategies.player import planner_of, player_of, player_of_game
from puzzlehunt.strategies.pool import GUESS_SAMPLE, Pool
from puzzlehunt.strategies.position import MOST_SCORES, Budget, Position
from puzzlehunt.strategies.registry import find_strategy
from puzzlehunt.strategies.search.book import Replay, title_of
from puzzlehunt.strategies.search.decision_tree import DecisionTree
from puzzlehunt.strategies.search.deep import Deep
from puzzlehunt.strategies.search.grow import Progress, grow, suits
from puzzlehunt.strategies.search.proof import BoundRecord

Secrets: TypeAlias = int | Sequence[Code] | None
"""The secrets to play: the size of a random sample, a list of codes, or None for all secrets."""
_WORTH_COMPILING = 1_000_000
"""From this many scores (guesses times secrets), tournaments use the compiled kernels."""


class BatchResult(NamedTuple):
    """Guesses of each game of a batch until the secret was played, and until it was known.

    In a game of questions alone, both numbers are those of the questions until it was known.

    `numbers` are the numbers of the games, in the order of `played` and `known`. `first` is the
    first guess that all games share, None if they differ. `basis` says what was evaluated, if that
    was less than every guess and candidate, else "". A checkpoint's lines have these names
    as keys.
    """

    numbers: list[int]
    played: list[int]
    known: list[int]
    first: Code | None
    basis: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Some games of a tournament that one process plays together.

    `numbers` (N,) and `secrets` (N, length) are the number of each game and its secret. If the
    games share a decision tree, `guess` is the first guess, else None.
    """

    numbers: Indices
    secrets: CodeArray
    guess: Code | None = None

    def of(self, games: Indices) -> "Batch":
        """Return the batch of some of these games, given their places in it."""
        return replace(self, numbers=self.numbers[games], secrets=self.secrets[games])


@dataclass(eq=False)
class Player:
    """Plays batches of one game; its engine and guesses are prepared once.

    `budget` caps the guesses evaluated per turn (None: no cap). `records` are what a proof found
    about the parts of first guesses.
    """

    game: Game
    budget: int | None = None
    records: list[BoundRecord] = field(default_factory=list)

    @cached_property
    def strategy(self) -> Strategy:
        """The strategy that plays."""
        return player_of_game(self.game, find_strategy(self.game.play.strategy))

    @cached_property
    def engine(self) -> Engine:
        """An engine that has followed the game's history."""
        return open_engine(self.game)

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

    @property
    def _budget(self) -> Budget:
        """The budget of each turn."""
        scores = self.game.secrets.size * min(self.game.guesses.size, LARGEST_SPACE)
        compiled = scores >= _WORTH_COMPILING and fast.is_installed()
        return Budget(guesses=self.budget, compiled=compiled)

    @property
    def proves(self) -> bool:
        """Whether games begin with the proof that their play is the best."""
        return not self.game.history.items and self.strategy.proves

    @property
    def repeatable(self) -> bool:
        """Whether the same secret always meets the same guesses."""
        fixed = all(gift in ("first", "sum") for gift in self.game.gives)
        return fixed and self.strategy.deterministic and not self.game.channel.weighs

    @property
    def shares_tree(self) -> bool:
        """Whether games share a decision tree: the same answers lead to the same guess."""
        game = self.game
        plain = game.boards == 1 and game.host == "truthful" and not game.gives
        return plain and self.repeatable and chosen(game, game.play.engine) == "explicit"

    def play(self, batch: Batch) -> BatchResult:
        """Return how many guesses each game of a batch took."""
        if batch.guess is not None:
            return self.play_tree(batch)
        numbers = batch.numbers.tolist()
        codes = map(code_of, batch.secrets)
        games = [self._play_game(*game) for game in zip(numbers, codes, strict=True)]
        played, known, firsts, bases = zip(*games, strict=True)
        first = firsts[0] if len(set(firsts)) == 1 else None
        basis = next(filter(None, bases), "")
        return BatchResult(numbers, list(played), list(known), first, basis)

    def _play_game(self, number: int, secret: Code) -> tuple[int, int, Code, str]:
        """Return guesses until played and until known, first guess, and basis of one game."""
        turns = list(self.turns(number, secret))
        played = len(turns)
        known = next((n for n, (_, advice) in enumerate(turns) if advice.count == 1), played)
        basis = next((advice.basis for _, advice in turns if advice.basis), "")
        return played, known, turns[0][0].guess, basis

    def turns(self, number: int, secret: Code) -> Iterator[tuple[Turn, Advice]]:
        """Yield the turns of one game, each with the advice that it follows."""
        rng = random.Random(f"{self.game.play.seed}:{number}")
        self.engine.follow(self.game.history)
        codemaker = open_codemaker(self.game, secret, rng=rng)
        yield from play_against(codemaker, self._adviser, self.engine, rng, self._budget)

    def position(self) -> Position:
        """Return the position after the history."""
        self.engine.follow(self.game.history)
        return Position.of(self.game, self.listing, pool=self._pool, budget=self._budget)

    def first_guess(self) -> Code:
        """Return the first guess of games that share a tree."""
        opening = opening_of(self.game)
        return opening or code_of(self.strategy.choose(self.position()).codes[0])

    def is_quick(self) -> bool:
        """Return whether a whole tree is found at once, and its branches need not be parted."""
        position = self.position()
        return suits(position, self.strategy) or planner_of(self.strategy, position) is not None

    def places(self, secrets: CodeArray) -> Indices:
        """Return the places (N,) of some secrets (N, length) in the engine's list."""
        return indices_in(self.listing.secrets().codes, secrets)

    def tree(
        self,
        position: Position,
        secrets: Indices | None = None,
        opening: Code | None = None,
        progress: Progress = lambda _done: None,
    ) -> DecisionTree:
        """Return the tree that finds the secrets at some places, by default all candidates.

        Raises StrategyError for an uninformative guess.
        """
        wanted = None
        if secrets is not None:
            wanted = np.zeros(len(position.secrets), dtype=np.bool_)
            wanted[secrets] = True
        return grow(position, self.strategy, opening, wanted, progress)

    def play_tree(
        self, batch: Batch, whole: bool = False, progress: Progress = lambda _done: None
    ) -> BatchResult:
        """Return the guesses of games that share a tree; `whole` if the batch has all of them."""
        position, places = self.position(), self.places(batch.secrets)
        planner = planner_of(self.strategy, position) if whole else None
        if planner is not None:
            planner.prepare(position, batch.guess)
        tree = self.tree(position, places, batch.guess, progress)
        counts = np.zeros((2, len(position.secrets)), dtype=np.int32)
        counts[:, tree.order] = tree.played(), tree.known()
        played, known = counts[:, places].tolist()
        basis = "" if planner is not None else basis_of(position, self.strategy)
        return BatchResult(batch.numbers.tolist(), played, known, batch.guess, basis)

    def branches(self, tree: Batch) -> list[Batch]:
        """Return the games below each answer to the first guess of a tree."""
        assert tree.guess is not None
        rule, secrets = self.game.rule, self.listing.secrets()[self.places(tree.secrets)]
        guess = rule.rows(array_of([tree.guess], self.game.length))
        answers = rule.table(guess, secrets)[0]
        return [tree.of(np.flatnonzero(answers == answer)) for answer in np.unique(answers)]


def open_player(game: Game, budget: int | None = None) -> Player:
    """Return the player of a game's strategy, or of the one to which that strategy delegates.

    Raises UnknownNameError if there is no such strategy, RuleError if nobody knows the rule.
    """
    game.check_explained()
    own = find_strategy(game.play.strategy)
    strategy = player_of_game(game, own)
    if strategy is not own:
        game = game.with_play({"strategy": strategy.name})
    return Player(game, budget)


def name_of(game: Game | str | Path) -> str:
    """Return the name of a game for results: its name, or else its title."""
    return game.title if isinstance(game, Game) else str(game)


def opening_of(game: Game) -> Code | None:
    """Return the game's `play.opening`, None if turns have been played."""
    text = game.play.opening
    return game.parse_guess(text) if text and not game.history.turns else None


def basis_of(position: Position, strategy: Strategy) -> str:
    """Return a description of the guesses evaluated in a tree; "" if every guess is."""
    player = player_of(strategy, position)
    if player is not strategy and isinstance(player, Replay):
        return f"a book: {title_of(player.file)}"
    if position.pool.basis or player.proves or isinstance(player, Deep):
        return position.pool.basis
    rows = position.pool.guesses
    guesses = len(position.candidates) if rows is None else len(rows)
    most = position.budget.guesses
    if most is None:
        many = guesses * len(position.candidates) > MOST_SCORES
        return f"{GUESS_SAMPLE} where many candidates are left" if many else ""
    return GUESS_SAMPLE if most < guesses else ""
