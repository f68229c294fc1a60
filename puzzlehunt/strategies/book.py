"""Opening books: trees that come with the package, so that good first guesses cost nothing."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.spaces import SymbolSpace
from puzzlehunt.codes.words import resource_folder
from puzzlehunt.errors import TreeError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Item, Turn
from puzzlehunt.rules.notation.clue import Feedback
from puzzlehunt.strategies.tree import Tree, TreeFile, game_print, read

SUFFIX = ".tree.gz"
_SERVES = {"optimal": ("optimal",), "deep": ("optimal", "deep")}
"""Whose books serve a strategy."""


def book_name(file: TreeFile) -> str:
    """Return the file name of a book: the game's name, and its print by which it is found."""
    return f"{file.facts['game']}-{file.facts['print']}{SUFFIX}"


def book_of(file: TreeFile, guesses: int | None = None) -> TreeFile:
    """Return the book of a tree: all of it, or the first so many guesses of each path.

    Raises TreeError for a tree of a strategy that uses no book.
    """
    strategy = file.facts.get("strategy", "")
    if strategy not in _SERVES:
        raise TreeError(f"books are made of {' and '.join(_SERVES)}, not of {strategy!r}")
    if guesses is None:
        return file
    return replace(file, tree=file.tree.cut(guesses), facts={**file.facts, "guesses": str(guesses)})


def find_book(game: Game, strategy: str) -> TreeFile | None:
    """Return the book that serves a strategy in a game, None where none does.

    It is one of a game with the same print, pool and ties, and needs no more guesses than the game
    allows.
    """
    plain = isinstance(game.secrets, SymbolSpace) and isinstance(game.guesses, SymbolSpace)
    if strategy not in _SERVES or not plain:
        return None
    for path in sorted(resource_folder("books").glob(f"*-{game_print(game)}{SUFFIX}")):
        book = _opened(path)
        attempts, facts = game.play.attempts, book.facts
        allowed = attempts is None or book.number("worst") <= attempts
        same = (facts["pool"], facts["ties"]) == (game.play.pool, game.play.ties)
        if allowed and same and facts["strategy"] in _SERVES[strategy]:
            return book
    return None


@cache
def _opened(path: Path) -> TreeFile:
    return read(path)


def look_up(book: TreeFile, game: Game, items: Iterable[Item]) -> Tree | None:
    """Return what a book says after some items; None where it says nothing.

    It knows nothing of facts, doubted rows, and rows that were not read in full.
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
