"""Commands about files of decision trees: `lab verify` checks one, `lab book` shortens one."""

from pathlib import Path

from typer import Context

from puzzlehunt.cli.opening import check_free, open_game
from puzzlehunt.cli.streams import print_json, result
from puzzlehunt.errors import TreeError, in_number
from puzzlehunt.game.files.gamefile import path_of
from puzzlehunt.game.files.trusted_files import may_read
from puzzlehunt.strategies.search import tree_file as tree_files
from puzzlehunt.strategies.search.book import book_name, book_of
from puzzlehunt.strategies.search.tree_file import TreeFile


def verify(context: Context, file: Path, name: str | None, json: bool) -> None:
    """Follow a tree to every secret, and print its guesses."""
    tree_file = tree_files.read(file)
    name = name or _game_of(tree_file, file)
    game = open_game(context, name)
    try:
        counts = tree_files.verify(tree_file, game)
    except TreeError as error:
        raise TreeError(f"{file}: {error}") from None
    if json:
        print_json({"file": str(file), "game": name, **counts})
        return
    average = counts["total"] / counts["secrets"]
    result(
        f"{file}: every secret of {name} is found: {counts['secrets']} "
        f"{in_number('secret', counts['secrets'])}, "
        f"total {counts['total']}, average {average:.4f}, worst {counts['worst']}, "
        f"known {counts['known']}"
    )


def _game_of(tree_file: TreeFile, file: Path) -> str:
    """Return the name of the game that a tree's file names. Raises TreeError for a file elsewhere.

    A tree may come from a stranger: it names built-in games, and files below its own folder.
    """
    name = tree_file.head.get("game", "")
    if not name:
        raise TreeError(f"{file}: it does not say of which game it is; name it: --game GAME")
    game_file = path_of(name, Path())
    if game_file is not None and not may_read(game_file, file.absolute().parent):
        raise TreeError(f"{file}: it is of a game in another folder; name it: --game {name}")
    return name


def book(
    context: Context, file: Path, kept: int | None, name: str | None, folder: Path, force: bool
) -> None:
    """Write the opening book of a tree."""
    tree_file = tree_files.read(file)
    game = open_game(context, name or _game_of(tree_file, file))
    try:
        if name is not None:
            tree_file = tree_files.refitted(tree_file, game, name)
        else:
            tree_files.verify(tree_file, game)
        opening_book = book_of(tree_file, kept)
    except TreeError as error:
        raise TreeError(f"{file}: {error}") from None
    path = folder / book_name(opening_book)
    check_free(force, path)
    tree_files.write(path, opening_book, overwrite=force)
    result(str(path))
