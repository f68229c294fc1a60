"""The strategies that play decision trees: from a file, and from an opening book."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import StrategyError, TreeError
from puzzlehunt.game.game import Game
from puzzlehunt.kernels.packed_codes import PackedCodes, array_of
from puzzlehunt.rules.notation.clue import Feedback
from puzzlehunt.strategies.base import Strategy, Suggestion, with_others
from puzzlehunt.strategies.measures import GUESSES_ON_AVERAGE
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.search.book import MAKERS, find_book, title_of
from puzzlehunt.strategies.search.tree import Tree, TreeFile, read


class Replay(Strategy):
    """Plays a tree, as long as the turns so far are a path from its first guess.

    Raises TreeError for a file that is no tree or the tree of another game.
    """

    name: ClassVar[str] = "tree"
    measure = GUESSES_ON_AVERAGE
    allows_for_channel = False

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = read(path)
        self._checked_game: object = None
        """The last game for which `check_game` found the tree to be made."""

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        if len(position.candidates) == 1:
            return [self.rate(position, position.candidate(0))], True
        tree = self._tree(position)
        return [_with_total(self.rate(position, tree.guess), tree, position)], True

    def _tree(self, position: Position) -> Tree:
        if self._checked_game is not position.game:
            try:
                self._file.check_game(position.game)
            except TreeError as error:
                raise TreeError(f"{self.path}: {error}") from None
            self._checked_game = position.game
        tree = self._file.tree.after(
            (guess, _answer(position, guess)) for guess in position.past_guesses
        )
        if tree is None:
            raise StrategyError(f"{self.path}: the rows are not those of any path of this tree")
        return tree


class Book(Strategy):
    """Plays the opening book of a game, and where there is none, or it ends, as another strategy.

    `make_rest` makes that other strategy.
    """

    name: ClassVar[str] = "book"
    measure = GUESSES_ON_AVERAGE
    allows_for_channel = False
    books = MAKERS

    def __init__(self, make_rest: Callable[[], Strategy]) -> None:
        self.rest = make_rest()
        self._found: tuple[Game, TreeFile | None] | None = None
        """The last game, and its book."""

    def for_game(self, game: Game) -> Strategy:
        """Return this strategy, or the other one where no book begins as the game does."""
        book, opening = find_book(game, self), game.play.opening
        begins = book is not None and opening in (None, game.format_code(book.tree.guess))
        return self if begins else self.rest.for_game(game)

    def title(self, game: Game) -> str:
        """Return what the game's book is called, "" where it has none."""
        book = self._book_of(game)
        return "" if book is None else title_of(book)

    @property
    def without_book(self) -> Strategy:
        return self.rest

    @property
    def for_sample(self) -> Strategy:
        return self.rest.for_sample

    def bits(self, position: Position, guesses: PackedCodes) -> npt.NDArray[np.float64] | None:
        return self.rest.bits(position, guesses)

    def ranks_by_bits(self) -> bool:
        return self.rest.ranks_by_bits()

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        tree = self._tree(position)
        if tree is None:
            return self.rest.rank(position, top)
        best = _with_total(Strategy.rate(self, position, tree.guess), tree, position)
        return [best, *self.behind(best, position, top - 1)], True

    def behind(self, best: Suggestion, position: Position, most: int) -> list[Suggestion]:
        if most <= 0:
            return []
        ranked, _ = self.rest.rank(position, most + 1)
        return with_others(best, ranked, most + 1)[1:]

    def choose(self, position: Position) -> PackedCodes:
        tree = self._tree(position)
        if tree is None:
            return self.rest.choose(position)
        return position.game.rule.rows(array_of([tree.guess], position.game.length))

    def rate(self, position: Position, guess: Code) -> Suggestion:
        return self.rest.rate(position, guess)

    def _tree(self, position: Position) -> Tree | None:
        """Return the rest of the book, None where it says nothing of a position."""
        book = self._book_of(position.game)
        answers_are_all = position.used_symbols is not None or position.nothing_known
        if book is None or not answers_are_all or len(position.candidates) == 1:
            return None
        past = position.past_guesses
        with suppress(StrategyError):  # an answer that was not read in full
            return book.tree.after((guess, _answer(position, guess)) for guess in past)
        return None

    def _book_of(self, game: Game) -> TreeFile | None:
        if self._found is None or self._found[0] is not game:
            self._found = game, find_book(game, self)
        return self._found[1]


def _with_total(rated: Suggestion, tree: Tree, position: Position) -> Suggestion:
    """Return a suggestion with its value: the guesses on average that the tree says."""
    return replace(rated, value=round(tree.total / len(position.candidates), 4))


def _answer(position: Position, guess: Code) -> Feedback:
    """Return the feedback of a past guess. Raises StrategyError where candidates differ in it."""
    rule = position.game.rule
    row = rule.rows(array_of([guess], position.game.length))
    answers = rule.table(row, position.secrets[position.candidates])[0]
    if (answers != answers[0]).any():
        raise StrategyError("a tree can only be played where every answer is read in full")
    return tuple(rule.feedbacks[answers[0]])
