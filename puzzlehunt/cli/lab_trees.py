"""Commands about files of decision trees: `lab verify` checks one, `lab book` shortens one."""

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument

from puzzlehunt.cli import options
from puzzlehunt.cli.opening import check_free, open_game
from puzzlehunt.cli.options import option
from puzzlehunt.cli.streams import print_json, result
from puzzlehunt.errors import TreeError, in_number
from puzzlehunt.game.files.gamefile import path_of
from puzzlehunt.game.files.trusted_files import may_read
from puzzlehunt.strategies.search import tree
from puzzlehunt.strategies.search.book import book_name, book_of
from puzzlehunt.strategies.search.tree import TreeFile

app = typer.Typer(rich_markup_mode=None)


@app.command()
def verify(
    context: typer.Context,
    file: Annotated[Path, Argument(metavar="FILE", help="A tree, as lab run --tree wrote.")],
    name: Annotated[
        str | None, option("--game", "GAME", "The game, if not as in the file.", options.games)
    ] = None,
    json: options.Json = False,
    settings: options.Settings = None,
    words: options.Words = None,
    guesses: options.Guesses = None,
    hard: options.HardMode = None,
) -> None:
    """Follow a tree to every secret, by the rule alone, and count its guesses anew.

    puzzlehunt lab verify 4x6.tree
    """
    tree_file = tree.read(file)
    name = name or _game_of(tree_file, file)
    game = open_game(context, name)
    try:
        counts = tree.verify(tree_file, game)
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


@app.command()
def book(
    context: typer.Context,
    file: Annotated[Path, Argument(metavar="FILE", help="A tree of optimal or deep.")],
    kept: Annotated[
        int | None, option("--guesses", "N", "Keep the first N guesses of a path.", least=1)
    ] = None,
    name: Annotated[
        str | None, option("--game", "GAME", "A game with more guesses.", options.games)
    ] = None,
    folder: Annotated[Path, option("--to", "FOLDER", "Where the book is written.")] = Path(),
    force: options.Force = False,
    settings: options.Settings = None,
    hard: options.HardMode = None,
) -> None:
    """Make an opening book of a tree, for the folder `books` of puzzlehunt.

    The tree is followed to every secret first. With --game it is one of another game, if the tree
    finds every secret of that.

    puzzlehunt lab book 5x8.tree --guesses 3 --to books
    """
    tree_file = tree.read(file)
    game = open_game(context, name or _game_of(tree_file, file))
    try:
        if name is not None:
            tree_file = tree.refitted(tree_file, game, name)
        else:
            tree.verify(tree_file, game)
        opening_book = book_of(tree_file, kept)
    except TreeError as error:
        raise TreeError(f"{file}: {error}") from None
    path = folder / book_name(opening_book)
    check_free(force, path)
    tree.write(path, opening_book, overwrite=force)
    result(str(path))
