"""Strategies that play a decision tree: one from a file, or an opening book of this package."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.words import resource_folder
from puzzlehunt.errors import StrategyError, TreeError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Item, Turn
from puzzlehunt.kernels.packed_codes import PackedCodes, array_of
from puzzlehunt.rules.notation.clue import Feedback
from puzzlehunt.strategies.base import Strategy, Suggestion, with_others
from puzzlehunt.strategies.measures import GUESSES_ON_AVERAGE
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.search.decision_tree import DecisionTree
from puzzlehunt.strategies.search.tree_file import TreeFile, nameless_fingerprint, read

SUFFIX = ".tree.gz"
MAKERS = ("optimal", "deep")
"""The strategies whose trees can become books, the best strategy first."""
_SHORT = 3
"""Most guesses of a large tree come after more than this many."""


def book_name(file: TreeFile) -> str:
    """Return the file name of a book: the game's name and fingerprint. `find_book` looks for it."""
    return f"{Path(file.head['game']).stem}-{file.head['print']}{SUFFIX}"


def book_of(file: TreeFile, guesses: int | None = None) -> TreeFile:
    """Return a book made from a tree, either whole or cut after `guesses` guesses of each path.

    Raises TreeError if the strategy of the tree is not one of MAKERS.
    """
    strategy = file.head.get("strategy", "")
    if strategy not in MAKERS:
        raise TreeError(f"books are made of {' and '.join(MAKERS)}, not of {strategy!r}")
    if guesses is None:
        return file
    return replace(file, tree=file.tree.cut(guesses), head={**file.head, "guesses": str(guesses)})


def find_book(game: Game, strategy: Strategy, guesses: int | None = None) -> TreeFile | None:
    """Return the book for a strategy in a game, None if there is none.

    Its tree has at least the first `guesses` guesses of each path, by default all. A book fits if
    its game has the same fingerprint, pool and ties, and if finding any secret with its tree needs
    no more guesses than the attempts of `game`.
    """
    read_guesses = guesses if guesses is not None and guesses <= _SHORT else None
    if not (strategy.books and game.secrets.free and game.guesses.free):
        return None
    for path in sorted(resource_folder("books").glob(f"*-{nameless_fingerprint(game)}{SUFFIX}")):
        book = _opened(path, read_guesses)
        attempts, head = game.play.attempts, book.head
        allowed = attempts is None or book.number("worst") <= attempts
        same = (head["pool"], head["ties"]) == (game.play.pool, game.play.ties)
        if allowed and same and head["strategy"] in strategy.books:
            return book
    return None


def title_of(book: TreeFile) -> str:
    """Return the title of a book: `4x6, optimal`."""
    return f"{book.head['game']}, {book.head['strategy']}"


@cache
def _opened(path: Path, guesses: int | None) -> TreeFile:
    return read(path, guesses)


def look_up(book: TreeFile, items: Iterable[Item]) -> int | None:
    """Return the node of a book's tree that the items of a history lead to.

    None if the tree has no such node, or if an item is a fact, a doubted turn, or a turn whose clue
    was not read in full.
    """
    turns: list[tuple[Code, Feedback]] = []
    for item in items:
        if not isinstance(item, Turn) or item.doubted:
            return None
        answers = list(islice(item.clue, 2))
        if len(answers) != 1:
            return None
        turns.append((item.guess, answers[0]))
    return book.tree.after(turns)


class Replay(Strategy):
    """Plays the decision tree in a file, as long as the past guesses are those of the tree.

    Raises TreeError if the file holds no tree, or the tree of another game.
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
        node, tree = self._node(position), self._file.tree
        rated = self.rate(position, tree.code(node))
        return [_with_total(rated, tree, node, position)], True

    def _node(self, position: Position) -> int:
        if self._checked_game is not position.game:
            try:
                self._file.check_game(position.game)
            except TreeError as error:
                raise TreeError(f"{self.path}: {error}") from None
            self._checked_game = position.game
        turns = ((guess, _answer(position, guess)) for guess in position.past_guesses)
        node = self._file.tree.after(turns)
        if node is None:
            raise StrategyError(f"{self.path}: the rows do not follow any path of this tree")
        return node


class Book(Strategy):
    """Plays the guesses of a game's opening book, and all other guesses by a second strategy.

    `make_rest` makes the second strategy. It plays if the game has no book, and after the last
    guess that the book has for the turns.
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
        """Return this strategy, or the second one.

        The second one plays if there is no book, or if the game's `play.opening` is another guess
        than the first one of the book.
        """
        book, opening = find_book(game, self, 1), game.play.opening
        begins = book is not None and opening in (None, game.format_code(book.tree.code()))
        return self if begins else self.rest.for_game(game)

    def book_title(self, game: Game) -> str:
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
        found = self._look_up(position)
        if found is None:
            return self.rest.rank(position, top)
        tree, node = found
        rated = Strategy.rate(self, position, tree.code(node))
        best = _with_total(rated, tree, node, position)
        return [best, *self.behind(best, position, top - 1)], True

    def behind(self, best: Suggestion, position: Position, most: int) -> list[Suggestion]:
        if most <= 0:
            return []
        ranked, _ = self.rest.rank(position, most + 1)
        return with_others(best, ranked, most + 1)[1:]

    def choose(self, position: Position) -> PackedCodes:
        found = self._look_up(position)
        if found is None:
            return self.rest.choose(position)
        tree, node = found
        return position.game.rule.rows(array_of([tree.code(node)], position.game.length))

    def rate(self, position: Position, guess: Code) -> Suggestion:
        return self.rest.rate(position, guess)

    def _look_up(self, position: Position) -> tuple[DecisionTree, int] | None:
        """Return the book's tree and the node of a position; None if the book has no such node."""
        book = self._book_of(position.game)
        answers_are_all = position.used_symbols is not None or position.nothing_known
        if book is None or not answers_are_all or len(position.candidates) == 1:
            return None
        past = position.past_guesses
        with suppress(StrategyError):  # an answer that was not read in full
            node = book.tree.after((guess, _answer(position, guess)) for guess in past)
            return None if node is None else (book.tree, node)
        return None

    def _book_of(self, game: Game) -> TreeFile | None:
        if self._found is None or self._found[0] is not game:
            self._found = game, find_book(game, self)
        return self._found[1]


def _with_total(rated: Suggestion, tree: DecisionTree, node: int, position: Position) -> Suggestion:
    """Return a suggestion with its value: the average number of guesses in the tree."""
    return replace(rated, value=round(tree.total_of(node) / len(position.candidates), 4))


def _answer(position: Position, guess: Code) -> Feedback:
    """Return the feedback of a past guess. Raises StrategyError if candidates differ in it."""
    rule = position.game.rule
    row = rule.rows(array_of([guess], position.game.length))
    answers = rule.table(row, position.secrets[position.candidates])[0]
    if (answers != answers[0]).any():
        raise StrategyError("a tree can only be played if every answer is read in full")
    return rule.feedbacks[answers[0]]
