"""The commands of `lab`, each with its options."""

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Context, Option

from puzzlehunt.cli import options
from puzzlehunt.cli.options import (
    COMPARED,
    COMPARISON,
    GUESSES_BUDGET,
    KEYS,
    TOURNAMENT,
    one_of,
    option,
    takes,
)

app = typer.Typer(rich_markup_mode=None)


@app.command()
@takes(..., TOURNAMENT, GUESSES_BUDGET)
def run(
    context: Context,
    name: options.GameName,
    secrets: Annotated[
        str,
        option(
            "--secrets",
            "all|N|FILE",
            "Play all, a seeded sample of N, or those in a file.",
            one_of("all"),
        ),
    ] = "all",
    json: options.Json = False,
    jobs: Annotated[
        int | None,
        option("--jobs", "N", "How many processes share the work; by default one a core.", least=1),
    ] = None,
    cluster: Annotated[
        str | None, option("--cluster", "ADDRESS", "A Dask scheduler that shares out the work.")
    ] = None,
    checkpoint: Annotated[
        Path | None, option("--checkpoint", "FILE", "Note what is done; go on from there.")
    ] = None,
    csv: Annotated[Path | None, option("--csv", "FILE", "Write one line a game there.")] = None,
    tree: Annotated[Path | None, option("--tree", "FILE", "Write the decision tree there.")] = None,
    force: options.Force = False,
) -> None:
    """Play every secret, and report guesses in two counts: until played, until known.

    puzzlehunt lab run 4x6 --strategy parts

    puzzlehunt lab run nethack --strategy minimax --pool candidates --ties first --opening AABBC

    puzzlehunt lab run 16x6 --secrets 1000 --checkpoint 16x6.part --csv 16x6.csv

    puzzlehunt lab run wordle --secrets answers.txt

    puzzlehunt lab run 5x6 --strategy optimal --checkpoint 5x6.part
    """
    from puzzlehunt.cli.lab_run import run as run

    run(context, secrets, json, checkpoint, csv, tree, force)


@app.command()
@takes(COMPARED, ..., COMPARISON)
def compare(
    context: Context,
    name: options.GameName,
    with_published: Annotated[
        bool, Option("--published", help="Set published figures beside your own.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Play strategies against the same secrets, and say which differences are real.

    puzzlehunt lab compare 4x6 --strategy entropy --strategy parts --published

    puzzlehunt lab compare nethack --strategy "minimax pool=candidates" --strategy parts
    """
    from puzzlehunt.cli.lab_compare import compare as run

    run(context, with_published, json)


@app.command()
@takes(..., COMPARED, COMPARISON)
def plot(
    context: Context,
    name: options.GameName,
    picture: Annotated[Path, option("-o --output", "FILE", "Where to: .svg or .png.")],
    kind: Annotated[
        str,
        option(
            "--kind", "KIND", "histogram, box, or shrink.", one_of("histogram", "box", "shrink")
        ),
    ] = "histogram",
    force: options.Force = False,
) -> None:
    """Draw how many guesses games took, or how the candidates shrink from guess to guess.

    puzzlehunt lab plot 4x6 --strategy entropy --strategy parts -o guesses.svg

    puzzlehunt lab plot nethack --strategy parts --kind shrink -o shrinking.png
    """
    from puzzlehunt.cli.lab_compare import plot as run

    run(context, picture, kind, force)


@app.command()
@takes(..., COMPARED, COMPARISON)
def report(
    context: Context,
    name: options.GameName,
    output: Annotated[Path, option("-o --output", "FILE|DIR", "The page: .md, or a folder.")],
    force: options.Force = False,
) -> None:
    """Write a page of Markdown: results, differences, published figures, pictures beside it.

    puzzlehunt lab report 4x6 --strategy entropy --strategy parts -o strategies.md
    """
    from puzzlehunt.cli.lab_compare import report as run

    run(context, output, force)


@app.command()
@takes(..., KEYS)
def verify(
    context: Context,
    file: Annotated[Path, Argument(metavar="FILE", help="A tree, as lab run --tree wrote.")],
    name: Annotated[
        str | None, option("--game", "GAME", "The game, if not as in the file.", options.games)
    ] = None,
    json: options.Json = False,
) -> None:
    """Follow a tree to every secret, by the rule alone, and count its guesses anew.

    puzzlehunt lab verify 4x6.tree
    """
    from puzzlehunt.cli.lab_trees import verify as run

    run(context, file, name, json)


@app.command()
def book(
    context: Context,
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
    from puzzlehunt.cli.lab_trees import book as run

    run(context, file, kept, name, folder, force)
