"""Commands of the lab."""

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlehunt.cli.options import (
    AsJson,
    EngineName,
    GameName,
    Guesses,
    GuessWords,
    Opening,
    PoolName,
    Reads,
    SecretWords,
    Seed,
    Settings,
    SolverName,
    StrategyName,
    TiesName,
    fail,
    open_game,
    open_known,
    print_json,
)
from puzzlehunt.errors import LabError, TreeError, UnknownNameError

if TYPE_CHECKING:
    from puzzlehunt.game.game import Game
    from puzzlehunt.lab.tournament import Result
    from puzzlehunt.strategies.base import Strategy


def about() -> None:
    """Play whole tournaments and count guesses."""


def run(
    game: GameName,
    secrets: Annotated[
        str, typer.Option("--secrets", metavar="all|N", help="Play all, or a seeded sample of N.")
    ] = "all",
    as_json: AsJson = False,
    settings: Settings = None,
    secret_words: SecretWords = None,
    guess_words: GuessWords = None,
    engine: EngineName = None,
    solver: SolverName = None,
    strategy: StrategyName = None,
    pool: PoolName = None,
    ties: TiesName = None,
    opening: Opening = None,
    reads: Reads = None,
    seed: Seed = None,
    budget: Guesses = None,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", metavar="N", min=1, help="Processes that share it; one a core."),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option("--cluster", metavar="ADDRESS", help="A Dask scheduler that shares it out."),
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option("--checkpoint", metavar="FILE", help="Note what is done; go on from there."),
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write one line a game there.")
    ] = None,
    tree: Annotated[
        Path | None, typer.Option("--tree", metavar="FILE", help="Write the decision tree there.")
    ] = None,
) -> None:
    """Play every secret, and report guesses in two counts: until played, until known.

    puzzlehunt lab run 4x6 --strategy parts

    puzzlehunt lab run nethack --strategy minimax --pool candidates --ties first --opening AABBC

    puzzlehunt lab run 16x6 --secrets 1000 --checkpoint 16x6.part --csv 16x6.csv
    """
    if secrets != "all" and not (secrets.isdecimal() and len(secrets) < 1_000 and int(secrets) > 0):
        raise UnknownNameError(f"--secrets {secrets}: expected all, or a number above 0")
    from puzzlehunt.explain.rows import contradiction
    from puzzlehunt.lab import tournament
    from puzzlehunt.lab.work import LAB_ONLY
    from puzzlehunt.session.storage import write_whole
    from puzzlehunt.strategies.registry import find_strategy

    _check_new(csv)
    if strategy is not None:
        tournament.check_name(strategy)
    named = None if strategy in LAB_ONLY else strategy
    loaded = open_game(
        game, settings, reads=reads, engine=engine, solver=solver, strategy=named, pool=pool,
        ties=ties, opening=opening, seed=seed, secret_words=secret_words, guess_words=guess_words,
    )  # fmt: skip
    if strategy is not None:
        loaded = loaded.with_play({"strategy": strategy})
    ready = None if named is None and strategy is not None else find_strategy(loaded.play.strategy)
    if tree is not None:
        _check_tree(tree, loaded, ready, secrets)
    wanted = None if secrets == "all" else int(secrets)
    games = loaded.secrets.size if wanted is None else wanted
    play = partial(
        tournament.run, loaded, game, wanted, budget, jobs=jobs, cluster=cluster,
        checkpoint=checkpoint, strategy=ready,
    )  # fmt: skip
    if sys.stderr.isatty() and games <= tournament.MOST_SECRETS:
        with typer.progressbar(length=games, label="games", file=sys.stderr) as bar:
            played = play(progress=bar.update)
    else:
        played = play()
    result = played.as_json()
    if csv is not None:
        write_whole(csv, played.as_csv())
    if tree is not None and ready is not None:
        _write_tree(tree, played, ready, budget)
    if as_json:
        print_json(result)
    if not result["games"]:
        fail(contradiction(loaded, open_known(loaded)), 1)
    if as_json:
        return
    how = f"{result['strategy']}, pool {result['pool']}, ties {result['ties']}"
    opening = result["opening"] or "not always the same"
    print(f"{result['game']}: {how}, opening {opening}, seed {result['seed']}")
    for label, counts in (("played", result), ("known", result["known"])):
        bars = " ".join(f"{n}:{times}" for n, times in counts["histogram"].items())
        ends = counts["interval"]
        interval = "" if ends is None else f" (95 %: {ends[0]:.4f} to {ends[1]:.4f})"
        print(
            f"{label:7} average {counts['average']:.4f}{interval}  worst {counts['worst']}  "
            f"total {counts['total']}  {bars}"
        )
    if result["basis"]:
        print(f"evaluated: {result['basis']}", file=sys.stderr)
    print(f"{result['games']} games in {result['seconds']} s", file=sys.stderr)


def _check_new(path: Path | None) -> None:
    """Raise LabError for a file that is there already."""
    if path is not None and path.exists():
        raise LabError(f"--csv {path}: it exists already and stays as it is; name another file")
    if path is not None and not path.absolute().parent.is_dir():
        raise LabError(f"--csv {path}: there is no folder {path.parent}")


def _check_tree(path: Path, game: "Game", strategy: "Strategy | None", secrets: str) -> None:
    """Raise TreeError where no tree could be written in the end."""
    from puzzlehunt.lab.growing import check_grows

    if secrets != "all":
        raise TreeError(f"--tree {path}: a tree is of all secrets; leave --secrets out")
    if path.exists():
        raise TreeError(f"{path} exists already; nothing was written")
    if strategy is None:
        raise TreeError(
            f"--tree {path}: {game.play.strategy} makes no tree; it is for the lab alone"
        )
    check_grows(game, strategy)


def _write_tree(path: Path, played: "Result", strategy: "Strategy", budget: int | None) -> None:
    from puzzlehunt.lab.growing import grow, grown_file
    from puzzlehunt.strategies import tree
    from puzzlehunt.strategies.base import Budget

    grown = grow(played.game, strategy, Budget(guesses=budget))
    tree.write(path, grown_file(played, grown, budget))


def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A tree, as lab run --tree wrote.")],
    game: Annotated[
        str | None, typer.Option("--game", metavar="GAME", help="The game, if not as in the file.")
    ] = None,
    as_json: AsJson = False,
    settings: Settings = None,
    secret_words: SecretWords = None,
    guess_words: GuessWords = None,
) -> None:
    """Follow a tree to every secret, by the rule alone, and count its guesses anew.

    puzzlehunt lab verify 4x6.tree
    """
    from puzzlehunt.strategies import tree

    found = tree.read(file)
    name = game or found.facts.get("game", "")
    loaded = open_game(name, settings, secret_words=secret_words, guess_words=guess_words)
    try:
        counted = tree.verify(found, loaded)
    except TreeError as error:
        raise TreeError(f"{file}: {error}") from None
    if as_json:
        print_json({"file": str(file), "game": name, **counted})
        return
    average = counted["total"] / counted["secrets"]
    print(
        f"{file}: every secret of {name} is found: {counted['secrets']} secrets, "
        f"total {counted['total']}, average {average:.4f}, worst {counted['worst']}, "
        f"known {counted['known']}"
    )


def book(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A tree of optimal or deep.")],
    guesses: Annotated[
        int | None,
        typer.Option("--guesses", metavar="N", min=1, help="Keep the first N guesses of a path."),
    ] = None,
    game: Annotated[
        str | None, typer.Option("--game", metavar="GAME", help="A game with more guesses.")
    ] = None,
    folder: Annotated[
        Path, typer.Option("--to", metavar="FOLDER", help="Where the book is written.")
    ] = Path(),
) -> None:
    """Make an opening book of a tree, for the folder `books` of puzzlehunt.

    With --game it is one of another game, if the tree finds every secret of that.

    puzzlehunt lab book 5x8.tree --guesses 3 --to books
    """
    from puzzlehunt.strategies.book import book_name, book_of
    from puzzlehunt.strategies.tree import read, refitted, write

    found = read(file)
    try:
        if game is not None:
            found = refitted(found, open_game(game, None), game)
        made = book_of(found, guesses)
    except TreeError as error:
        raise TreeError(f"{file}: {error}") from None
    path = folder / book_name(made)
    write(path, made)
    print(path)
