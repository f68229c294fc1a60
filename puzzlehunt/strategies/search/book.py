"""Opening books: trees that come with the package, so that good first guesses cost nothing."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.words import resource_folder
from puzzlehunt.errors import TreeError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Item, Turn
from puzzlehunt.rules.notation.clue import Feedback
from puzzlehunt.strategies.base import Strategy
from puzzlehunt.strategies.search.tree import Tree, TreeFile, nameless_fingerprint, read

SUFFIX = ".tree.gz"
MAKERS = ("optimal", "deep")
"""The strategies that books are made of, the best first."""


def book_name(file: TreeFile) -> str:
    """Return the file name of a book: the game's name, and the fingerprint by which it is found."""
    return f"{Path(file.head['game']).stem}-{file.head['print']}{SUFFIX}"


def book_of(file: TreeFile, guesses: int | None = None) -> TreeFile:
    """Return the book of a tree: all of it, or the first `guesses` guesses of each path.

    Raises TreeError for a tree of a strategy of which no books are made.
    """
    strategy = file.head.get("strategy", "")
    if strategy not in MAKERS:
        raise TreeError(f"books are made of {' and '.join(MAKERS)}, not of {strategy!r}")
    if guesses is None:
        return file
    return replace(file, tree=file.tree.cut(guesses), head={**file.head, "guesses": str(guesses)})


def find_book(game: Game, strategy: Strategy) -> TreeFile | None:
    """Return the book that serves a strategy in a game, None where none does.

    The book's game has the same fingerprint, pool and ties, and the book never takes more guesses
    than this game allows.
    """
    if not (strategy.books and game.secrets.free and game.guesses.free):
        return None
    for path in sorted(resource_folder("books").glob(f"*-{nameless_fingerprint(game)}{SUFFIX}")):
        book = _opened(path)
        attempts, head = game.play.attempts, book.head
        allowed = attempts is None or book.number("worst") <= attempts
        same = (head["pool"], head["ties"]) == (game.play.pool, game.play.ties)
        if allowed and same and head["strategy"] in strategy.books:
            return book
    return None


def title_of(book: TreeFile) -> str:
    """Return what a book is called: `4x6, optimal`."""
    return f"{book.head['game']}, {book.head['strategy']}"


@cache
def _opened(path: Path) -> TreeFile:
    return read(path)


def look_up(book: TreeFile, items: Iterable[Item]) -> Tree | None:
    """Return the rest of a book's tree after some items; None where the book ends before.

    A book also ends at facts, doubted turns, and turns whose clue was not read in full.
    """
    turns: list[tuple[Code, Feedback]] = []
    for item in items:
        if not isinstance(item, Turn) or item.doubted:
            return None
        answers = list(islice(item.clue, 2))
        if len(answers) != 1:
            return None
        turns.append((item.guess, tuple(answers[0])))
    return book.tree.after(iter(turns))
