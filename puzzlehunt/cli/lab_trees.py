"""Commands about files of decision trees: `lab verify` checks one, `lab book` shortens one."""

from pathlib import Path
from typing import TYPE_CHECKING

from puzzlehunt.cli.asked import Asked, check_free, open_game, takes
from puzzlehunt.cli.options import (
    BOOK_FOLDER,
    BOOK_GAME,
    BOOK_TREE,
    FORCE,
    HARD,
    JSON,
    KEPT_GUESSES,
    SET,
    SETTINGS,
    TREE_FILE,
    TREE_GAME,
)
from puzzlehunt.cli.output import print_json, result
from puzzlehunt.errors import TreeError, in_number

if TYPE_CHECKING:
    from puzzlehunt.strategies.search.tree import TreeFile


@takes(TREE_FILE, TREE_GAME, JSON, *SETTINGS)
def verify(asked: Asked) -> None:
    """Follow a tree to every secret, by the rule alone, and count its guesses anew.

    puzzlehunt lab verify 4x6.tree
    """
    from puzzlehunt.strategies.search import tree

    file = asked[TREE_FILE]
    tree_file = tree.read(file)
    name = asked[TREE_GAME] or _game_of(tree_file, file)
    game = open_game(asked, name)
    try:
        counts = tree.verify(tree_file, game)
    except TreeError as error:
        raise TreeError(f"{file}: {error}") from None
    if asked[JSON]:
        print_json({"file": str(file), "game": name, **counts})
        return
    average = counts["total"] / counts["secrets"]
    result(
        f"{file}: every secret of {name} is found: {counts['secrets']} "
        f"{in_number('secret', counts['secrets'])}, "
        f"total {counts['total']}, average {average:.4f}, worst {counts['worst']}, "
        f"known {counts['known']}"
    )


def _game_of(tree_file: "TreeFile", file: Path) -> str:
    """Return the name of the game that a tree's file names. Raises TreeError for a file elsewhere.

    A tree may come from a stranger: it names built-in games, and files below its own folder.
    """
    from puzzlehunt.game.files.gamefile import path_of
    from puzzlehunt.game.files.trusted_files import may_read

    name = tree_file.head.get("game", "")
    if not name:
        raise TreeError(f"{file}: it does not say of which game it is; name it: --game GAME")
    game_file = path_of(name, Path())
    if game_file is not None and not may_read(game_file, file.absolute().parent):
        raise TreeError(f"{file}: it is of a game in another folder; name it: --game {name}")
    return name


@takes(BOOK_TREE, KEPT_GUESSES, BOOK_GAME, BOOK_FOLDER, FORCE, SET, HARD)
def book(asked: Asked) -> None:
    """Make an opening book of a tree, for the folder `books` of puzzlehunt.

    The tree is followed to every secret first. With --game it is one of another game, if the tree
    finds every secret of that.

    puzzlehunt lab book 5x8.tree --guesses 3 --to books
    """
    from puzzlehunt.strategies.search.book import book_name, book_of
    from puzzlehunt.strategies.search.tree import read, refitted, verify, write

    file, name = asked[BOOK_TREE], asked[BOOK_GAME]
    tree = read(file)
    game = open_game(asked, name or _game_of(tree, file))
    try:
        if name is not None:
            tree = refitted(tree, game, name)
        else:
            verify(tree, game)
        opening_book = book_of(tree, asked[KEPT_GUESSES])
    except TreeError as error:
        raise TreeError(f"{file}: {error}") from None
    path = asked[BOOK_FOLDER] / book_name(opening_book)
    check_free(asked, path)
    write(path, opening_book, overwrite=asked[FORCE])
    result(str(path))
