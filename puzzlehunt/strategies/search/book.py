"""Strategies that play a decision tree: one from a file, or an opening book of this package."""

from dataclasses import replace
from functools import cache
from pathlib import Path

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.words import resource_folder
from puzzlehunt.errors import StrategyError, TreeError
from puzzlehunt.game.game import Game
from puzzlehunt.game.play import strategy_name
from puzzlehunt.kernels.packed_codes import PackedCodes, array_of
from puzzlehunt.rules.notation.clue import Feedback
from puzzlehunt.strategies.base import Strategy, Suggestion
from puzzlehunt.strategies.measures import GUESSES_ON_AVERAGE
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.search.decision_tree import DecisionTree
from puzzlehunt.strategies.search.tree_file import (
    TreeFile,
    nameless_fingerprint,
    of_text,
    read,
    text_of,
)

SUFFIX = ".tree.gz"
MAKERS = ("optimal", "deep")
"""The strategies whose trees can become books, the best strategy first."""
_MAKERS_FOR = {"optimal": ("optimal",), "deep": MAKERS, "book": MAKERS}
"""The makers of the books that serve a strategy."""
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
    cut = of_text(text_of(file), guesses)
    return replace(cut, head={**file.head, "guesses": str(guesses)})


def find_book(game: Game, strategy: Strategy, guesses: int | None = None) -> TreeFile | None:
    """Return the book for a strategy in a game, None if there is none.

    Its tree has at least the first `guesses` guesses of each path, by default all. A book fits if
    its game has the same fingerprint, pool and ties, and if finding any secret with its tree needs
    no more guesses than the attempts of `game`.
    """
    read_guesses = guesses if guesses is not None and guesses <= _SHORT else None
    makers = _MAKERS_FOR.get(strategy_name(strategy), ())
    if not (makers and game.secrets.free and game.guesses.free):
        return None
    for path in sorted(resource_folder("books").glob(f"*-{nameless_fingerprint(game)}{SUFFIX}")):
        book = _opened(path, read_guesses)
        attempts, head = game.play.attempts, book.head
        allowed = attempts is None or book.number("worst") <= attempts
        same = (head["pool"], head["ties"]) == (game.play.pool, game.play.ties)
        if allowed and same and head["strategy"] in makers:
            return book
    return None


def title_of(book: TreeFile) -> str:
    """Return the title of a book: `4x6, optimal`."""
    return f"{book.head['game']}, {book.head['strategy']}"


@cache
def _opened(path: Path, guesses: int | None) -> TreeFile:
    return read(path, guesses)


class Replay(Strategy):
    """Plays a decision tree, as long as the past guesses are those of the tree."""

    name = "tree"
    measure = GUESSES_ON_AVERAGE

    def __init__(self, file: TreeFile, path: Path | None = None) -> None:
        self.file, self.path = file, path
        self._game: object = None
        """The last game for which `check_game` found the tree to be made."""

    @classmethod
    def of_file(cls, path: Path) -> "Replay":
        """Return the strategy of a file. Raises TreeError if it holds no tree."""
        return cls(read(path), path)

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        guess, value = self._guess_at(position)
        return [replace(self.rate(position, guess), value=value)], True

    def choose(self, position: Position) -> PackedCodes:
        guess, _ = self._guess_at(position)
        return position.game.rule.rows(array_of([guess], position.game.length))

    def _guess_at(self, position: Position) -> tuple[Code, float | None]:
        """Return the guess in a position, and the guesses on average from there on."""
        if len(position.candidates) == 1:
            return position.candidate(0), None
        node = self.node_of(position)
        if node is None:
            raise StrategyError(f"{self.path}: the rows do not follow any path of this tree")
        tree = self.file.tree
        return tree.code(node), average(tree, node, len(position.candidates))

    def node_of(self, position: Position) -> int | None:
        """Return the node of a position, None if the tree has none.

        Raises TreeError for the position of another game, StrategyError if a row was read in part.
        """
        if self._game is not position.game:
            try:
                self.file.check_game(position.game)
            except TreeError as error:
                raise TreeError(f"{self.path}: {error}") from None
            self._game = position.game
        turns = ((guess, _answer(position, guess)) for guess in position.past_guesses)
        return self.file.tree.after(turns)


def average(tree: DecisionTree, node: int, candidates: int) -> float:
    """Return the average number of guesses that a tree takes from a node on."""
    return round(tree.total_of(node) / candidates, 4)


def _answer(position: Position, guess: Code) -> Feedback:
    """Return the feedback of a past guess. Raises StrategyError if candidates differ in it."""
    rule = position.game.rule
    row = rule.rows(array_of([guess], position.game.length))
    answers = rule.table(row, position.secrets[position.candidates])[0]
    if (answers != answers[0]).any():
        raise StrategyError("a tree can only be played if every answer is read in full")
    return rule.feedbacks[answers[0]]
