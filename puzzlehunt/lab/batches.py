"""Batches: groups of a tournament's games, each of which one process plays.

Results depend neither on the process that plays a batch nor on the order of batches.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Engine, chosen, open_engine
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.errors import IllegalGuessError, check_number
from puzzlehunt.game import meaning
from puzzlehunt.game.files.gamefile import is_text
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn
from puzzlehunt.game.play import Host
from puzzlehunt.kernels import fast
from puzzlehunt.kernels.packed_codes import LARGEST_SPACE, CodeArray, Indices, code_of, indices_in
from puzzlehunt.session.codemaker import open_codemaker, play_against
from puzzlehunt.strategies.adviser import Advice, Adviser
from puzzlehunt.strategies.base import Strategy
from puzzlehunt.strategies.player import player_of, player_of_game
from puzzlehunt.strategies.position import GUESS_SAMPLE, MOST_SCORES, Budget, Pool, Position
from puzzlehunt.strategies.registry import StrategyLike, find_strategy
from puzzlehunt.strategies.search.deep import Deep
from puzzlehunt.strategies.search.grow import DecisionTree, Progress, grow, suits
from puzzlehunt.strategies.search.optimal import Optimal
from puzzlehunt.strategies.search.proof import BoundRecord, Bounds
from puzzlehunt.strategies.search.tree_file import Replay
from puzzlehunt.strategies.symmetry import orbit_representatives

Secrets: TypeAlias = int | Sequence[Code] | None
"""The secrets to play: the size of a random sample, a list of codes, or None for all secrets."""


class BatchResult(NamedTuple):
    """Guesses of each game of a batch until the secret was played, and until it was known.

    In a game of questions alone, both numbers are those of the questions until it was known.

    `numbers` are the numbers of the games, in the order of `played` and `known`. `first` is the
    first guess that all games share, None if they differ. `basis` says what was evaluated, if that
    was less than every guess and candidate, else "". A checkpoint's lines have these names as keys.
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


@dataclass(eq=False)
class Player:
    """Plays batches of one game; its engine and guesses are prepared once.

    `budget` caps the guesses evaluated per turn (None: no cap). A proof found `bounds` of all
    guesses, and `records` about the parts of first guesses.
    """

    game: Game
    budget: int | None = None
    bounds: Bounds | None = None
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
        return Adviser(self.game, self.strategy)

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
        """The budget of each turn; loading compiled kernels pays from a million scores on."""
        scores = self.game.secrets.size * min(self.game.guesses.size, LARGEST_SPACE)
        compiled = scores >= 1_000_000 and fast.is_installed()
        return Budget(guesses=self.budget, compiled=compiled)

    @property
    def opening(self) -> Code | None:
        """The game's `play.opening`, None if turns have been played."""
        text = self.game.play.opening
        return self.game.parse_guess(text) if text and not self.game.history.turns else None

    @property
    def proves(self) -> bool:
        """Whether games begin with the proof that their play is the best."""
        return not self.game.history.items and self.strategy.proves

    @property
    def repeatable(self) -> bool:
        """Whether the same secret always meets the same guesses."""
        fixed = all(gift in ("first", "sum") for gift in self.game.host.gives)
        return fixed and self.strategy.deterministic and not self.game.channel.weighs

    @property
    def shares_tree(self) -> bool:
        """Whether games share a decision tree: the same answers lead to the same guess."""
        game = self.game
        plain = game.boards == 1 and game.host == Host()
        return plain and self.repeatable and chosen(game, game.play.engine) == "explicit"

    def play(self, batch: Batch) -> BatchResult:
        """Return how many guesses each game of a batch took."""
        if batch.guess is not None:
            return self.play_tree(batch)
        numbers = batch.numbers.tolist()
        games = map(self._play_game, numbers, map(code_of, batch.secrets))
        played, known, firsts, bases = zip(*games, strict=True)
        first = firsts[0] if len(set(firsts)) == 1 else None
        return BatchResult(numbers, list(played), list(known), first, max(bases))

    def _play_game(self, number: int, secret: Code) -> tuple[int, int, Code, str]:
        """Return guesses until played and until known, first guess, and basis of one game."""
        turns = list(self.turns(number, secret))
        counts = [*(advice.count for _, advice in turns), 1]  # what was played is known
        basis = next((advice.basis for _, advice in turns if advice.basis), "")
        return len(turns), counts.index(1), turns[0][0].code, basis

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

    def plans(self, opening: Code | None) -> bool:
        """Return whether a search finds all guesses at once, after an opening; let it do so."""
        position = self.position()
        player = player_of(self.strategy, position)
        if isinstance(player, Optimal) and not player.selects(position):
            player.prepare(position, opening)
            return True
        return False

    def tree(
        self, secrets: CodeArray, opening: Code | None, progress: Progress = lambda _done: None
    ) -> tuple[DecisionTree, Indices]:
        """Return the tree that finds some secrets (N, length), and their places in its order (N,).

        Raises StrategyError for an uninformative guess.
        """
        position = self.position()
        listed = indices_in(position.secrets.codes, secrets)
        wanted = np.zeros(len(position.secrets), dtype=np.bool_)
        wanted[listed] = True
        tree = grow(position, self.strategy, opening, wanted, progress)
        ascending = np.argsort(tree.order)
        return tree, ascending[np.searchsorted(tree.order, listed, sorter=ascending)]

    def play_tree(self, batch: Batch, progress: Progress = lambda _done: None) -> BatchResult:
        """Return the guesses of games that share a tree."""
        tree, places = self.tree(batch.secrets, batch.guess, progress)
        played, known = tree.played()[places].tolist(), tree.known()[places].tolist()
        return BatchResult(batch.numbers.tolist(), played, known, batch.guess, self._tree_basis())

    def _tree_basis(self) -> str:
        """Return a description of the guesses evaluated in a tree; "" if every guess is."""
        position, strategy = self.position(), self.strategy
        player, pool = player_of(strategy, position), position.pool
        if player is not strategy and isinstance(player, Replay):
            return f"a book: {player.title}"
        if pool.basis or player.proves or isinstance(player, Deep):
            return pool.basis
        codes, most = position.choices()[0].codes, MOST_SCORES // len(position.candidates)
        if suits(position, strategy):  # of the guesses after the first, compiled code evaluates all
            codes = codes[[] if self.opening else orbit_representatives(position, codes)]
        return GUESS_SAMPLE if (position.budget.guesses or most) < len(codes) else ""

    def branches(self, tree: Batch) -> list[Batch]:
        """Return the games below each answer to the first guess of a tree."""
        assert tree.guess is not None
        rule = self.game.rule
        answers = rule.table(self.position().row(tree.guess), rule.rows(tree.secrets))[0]
        parts = [np.flatnonzero(answers == answer) for answer in np.unique(answers)]
        return [Batch(tree.numbers[part], tree.secrets[part], tree.guess) for part in parts]


def open_player(
    game: Game, strategy: StrategyLike | None = None, budget: int | None = None
) -> Player:
    """Return the player of a strategy, or of the one to which that strategy delegates.

    The strategy is by default the game's own, `budget` at least 1.
    Raises UnknownNameError if there is no such strategy, RuleError if nobody knows the rule, and
    IllegalGuessError or InvalidCodeError for an opening that is no guess.
    """
    if budget is not None:
        check_number("budget", budget, 1, whole=True)
    if strategy is not None:
        game = game.with_play({"strategy": strategy})
    meaning.check_explained(game)
    named = find_strategy(game.play.strategy)
    player = player_of_game(game, named)
    if player is not named:
        game = game.with_play({"strategy": player.name})
    made = Player(game, budget)
    opening = made.opening
    if opening is not None and not meaning.is_listed(game, opening):
        text = game.format_code(opening)
        raise IllegalGuessError(f"the opening {text}: the game does not admit this guess")
    return made


def name_of(named: object, game: Game) -> str:
    """Return the name of a game for results: the name that it was given by, or else its title."""
    is_name = isinstance(named, str | Path) and not is_text(named)
    return str(named) if is_name else game.title
