"""The commands of `lab`: tournaments, comparisons of strategies, and files of decision trees."""

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer import Option

import puzzlehunt
from puzzlehunt.cli import options
from puzzlehunt.cli.options import File, Given, Number, Text, Tried, argument, command, option
from puzzlehunt.cli.streams import fail, note, print_json, result
from puzzlehunt.errors import PuzzlehuntError, TreeError, UnknownNameError, printable
from puzzlehunt.strategies import BUILT_IN

if TYPE_CHECKING:
    from puzzlehunt.lab.batches import Player, Secrets
    from puzzlehunt.strategies.search.proof import Bounds

app = typer.Typer()


@dataclass(eq=False, repr=False)
class Run(Tried):
    """A tournament: who plays, where, and what is written."""

    strategy: options.Strategy = None
    jobs: Annotated[Number, option("--jobs N", "Processes; by default one a core.", least=1)] = None
    cluster: Annotated[Text, option("--cluster ADDRESS", "A Dask scheduler.")] = None
    checkpoint: Annotated[File, option("--checkpoint FILE", "Save progress, and resume.")] = None
    csv: Annotated[File, option("--csv FILE", "Write one line per game to FILE.")] = None
    tree: Annotated[File, option("--tree FILE", "Write the decision tree to FILE.")] = None
    certificate: Annotated[
        File, option("--certificate FILE", "Write a proof of `optimal` that others can check.")
    ] = None
    force: options.Force = False


@command(app)
def run(
    given: Run,
    secrets: Annotated[str, option("--secrets all|N|FILE", "A sample of N, or a list.")] = "all",
    json: options.Json = False,
) -> None:
    """Play every secret, and report guesses in two counts: until played, until known.

    puzzlehunt lab run 4x6 --strategy parts

    puzzlehunt lab run 16x6 --secrets 1000 --checkpoint 16x6.part --csv 16x6.csv

    puzzlehunt lab run wordle --secrets answers.txt
    """
    from puzzlehunt.cli.opening import open_game
    from puzzlehunt.lab.batches import open_player
    from puzzlehunt.views import tournaments
    from puzzlehunt.views.screen import Screen
    from puzzlehunt.views.wording import contradiction_line

    player = open_player(open_game(given), budget=given.budget)
    to_play = _secrets_to_play(secrets, player.game)
    _check_files(given, player, to_play)
    played = _played(given, player, to_play, json)
    _write_files(given, played, player)
    # The results are last: nothing is printed if a file cannot be written.
    if json:
        print_json(tournaments.result_json(played))
    elif len(played.secrets):
        Screen().lines(tournaments.result_lines(played))
        for line in tournaments.result_notes(played):
            note(line)
    if not len(played.secrets):
        if played.unlisted:
            fail(f"--secrets {secrets}: {tournaments.unlisted_line(played)}", 1)
        fail(contradiction_line(player.engine), 1)


def _secrets_to_play(text: str, game: "puzzlehunt.Game") -> "Secrets":
    from puzzlehunt.codes import words
    from puzzlehunt.codes.files import path_written

    if text == "all":
        return None
    if text.isdecimal() and text.strip("0") and len(text) < 1_000:
        return int(text)
    path = path_written(text)
    if not path.is_file():
        expected = "expected all, a number above 0, or a file with one secret a line"
        raise UnknownNameError(f"--secrets {text}: {expected}")
    try:
        secrets = [game.parse_secret(word) for word in dict(words.read(path, phrases=True))]
    except puzzlehunt.errors.InvalidCodeError as error:
        raise UnknownNameError(f"--secrets {text}: {error}") from None
    if not secrets:
        raise UnknownNameError(f"--secrets {text}: the file holds no secret")
    return secrets


def _check_files(given: Run, player: "Player", secrets: "Secrets") -> None:
    """Raise PuzzlehuntError at once if a file could not be written afterwards."""
    from puzzlehunt.game.files.atomic import check_free
    from puzzlehunt.lab.trees import check_grows
    from puzzlehunt.strategies.search.certificate import check_certifiable

    written = [path for path in (given.csv, given.tree, given.certificate) if path]
    named = [path.absolute() for path in (*written, given.checkpoint) if path]
    if len({*named}) < len(named):
        raise UnknownNameError("two options name the same file; name one for each")
    for path in written:
        check_free(path, force=given.force)
    if secrets is not None and (whole := given.tree or given.certificate):
        raise PuzzlehuntError(f"{whole}: it is of all secrets; leave out --secrets")
    if given.tree:
        check_grows(player)
    if given.certificate:
        is_optimal = player.proves and player.strategy.name == "optimal"
        if not is_optimal or given.budget is not None:
            raise PuzzlehuntError("--certificate: needs --strategy optimal without --budget")
        check_certifiable(player.game)


def _played(
    given: Run, player: "Player", secrets: "Secrets", json: bool
) -> "puzzlehunt.Tournament":
    """Play a tournament, with its progress on stderr; an interrupted proof prints its bounds."""
    from puzzlehunt.views.tournaments import bounds_line, stopped_json

    game, began = player.game, time.monotonic()
    shown = began

    def show(bounds: "Bounds") -> None:
        nonlocal shown
        now, pause = time.monotonic(), 2.0 if sys.stderr.isatty() else 60.0
        if not bounds.proved and now - shown >= pause:
            shown = now
            over_bar = "\r\x1b[K" if sys.stderr.isatty() else ""
            line = f"{printable(bounds_line(bounds, game))}, {now - began:.0f} s"
            print(over_bar + line, file=sys.stderr)

    games = len(secrets) if isinstance(secrets, Sequence) else secrets or game.secrets.size
    try:
        with _progress_bar(games) as bar:
            return puzzlehunt.run(
                player,
                secrets=secrets,
                name=given.name,
                progress=bar.update,
                bounds=show,
                execution=puzzlehunt.Execution(given.jobs, given.cluster, given.checkpoint),
            )
    except KeyboardInterrupt:
        if player.bounds is None:
            raise
        if json:
            print_json(stopped_json(game, given.name, player.bounds, time.monotonic() - began))
        else:
            result(f"{given.name}: {bounds_line(player.bounds, game)}")
        fail(f"stopped; with --checkpoint {given.checkpoint or 'FILE'} the same command goes on", 3)


def _write_files(given: Run, played: "puzzlehunt.Tournament", player: "Player") -> None:
    from puzzlehunt.game.files.atomic import write_new
    from puzzlehunt.lab import trees
    from puzzlehunt.strategies.search import certificate, tree_file
    from puzzlehunt.views.tournaments import result_csv

    game, force = player.game, given.force
    if given.csv:
        write_new(given.csv, result_csv(played), force=force)
    if given.tree:
        tree = trees.tree_of_game(player)
        file = trees.file_of_tree(game, played.game_name, tree, player.budget)
        tree_file.write(given.tree, file, overwrite=force)
    if given.certificate:
        strategy: Any = player.strategy
        bounds = played.bounds
        if bounds is None or not bounds.proved:
            raise PuzzlehuntError(f"--certificate: nothing was proved about {played.game_name}")
        search, _ = strategy.search_of(player.position())
        text = certificate.certificate_text(game, search, bounds, player.records)
        write_new(given.certificate, text, force=force)


def _progress_bar(games: int) -> Any:
    hidden = not sys.stderr.isatty()
    return typer.progressbar(length=games, label="games", width=0, file=sys.stderr, hidden=hidden)


@dataclass(eq=False, repr=False)
class Contest(Tried):
    """Strategies that play the same secrets, and how their guesses are counted."""

    strategies: Annotated[
        list[str] | None, option("--strategy NAME", "May be repeated.", lambda: [*BUILT_IN])
    ] = None
    secrets: Annotated[Number, option("--secrets N", "Play a seeded sample.", least=1)] = None
    count: Annotated[
        Literal["played", "known"],
        option("--count played|known", "Guesses until the secret was played, or was known."),
    ] = "played"


@command(app)
def compare(
    given: Contest,
    with_published: Annotated[bool, Option("--published", help="Beside published ones.")] = False,
    json: options.Json = False,
) -> None:
    """Play strategies against the same secrets, and say which differences are real.

    puzzlehunt lab compare 4x6 --strategy entropy --strategy parts --published
    """
    from puzzlehunt.cli.opening import open_game
    from puzzlehunt.lab.comparison import published
    from puzzlehunt.views import tournaments
    from puzzlehunt.views.screen import Screen

    game, strategies = open_game(given), given.strategies or []
    if not strategies or (len(strategies) == 1 and not with_published):
        raise UnknownNameError("give two strategies or more: --strategy entropy --strategy parts")
    played = _compared(given, game, strategies)
    rows = published(game) if with_published else []
    if with_published and not rows:
        note(f"no published results are known for {given.name}")
    if json:
        others = [tournaments.published_json(row) for row in rows]
        more = {"published": others} if with_published else {}
        print_json(tournaments.comparison_json(played) | more)
        return
    screen = Screen()
    screen.line(tournaments.headline(played))
    screen.table(tournaments.results_table(played))
    screen.lines(map(tournaments.pair_sentence, played.pairs))
    if rows:
        screen.line()
        screen.table(tournaments.published_table(rows, played.results.values()))


@command(app)
def plot(
    given: Contest,
    picture: Annotated[Path, option("-o --output FILE", "A picture, .svg or .png.")],
    kind: Annotated[
        Literal["histogram", "shrink"], option("--kind histogram|shrink", "What is drawn.")
    ] = "histogram",
    force: options.Force = False,
) -> None:
    """Draw how many guesses games took, or how the candidates shrink from guess to guess.

    puzzlehunt lab plot 4x6 --strategy entropy --strategy parts -o guesses.svg
    """
    from puzzlehunt.cli.opening import open_game
    from puzzlehunt.game.files.atomic import check_free, write_new
    from puzzlehunt.lab.batches import open_player
    from puzzlehunt.views import plots

    game = open_game(given)
    file_format = plots.picture_format(picture)
    plots.style()
    check_free(picture, force=force)
    strategies = given.strategies or [open_player(game).game.play.strategy_name]
    drawn = plots.plot(_compared(given, game, strategies), kind=kind, budget=given.budget)
    write_new(picture, drawn.bytes(file_format), force=force)


def _compared(
    given: Contest, game: "puzzlehunt.Game", strategies: list[str]
) -> "puzzlehunt.Comparison":
    from puzzlehunt.engines import open_engine
    from puzzlehunt.views.wording import contradiction_line

    engine = open_engine(game)
    if not engine.satisfiable():
        fail(contradiction_line(engine), 1)
    with _progress_bar((given.secrets or game.secrets.size) * len(strategies)) as bar:
        return puzzlehunt.compare(
            game,
            strategies,
            secrets=given.secrets,
            budget=given.budget,
            count=given.count,
            progress=bar.update,
            name=given.name,
        )


@dataclass(eq=False, repr=False)
class Verified(Given):
    """The game of a tree."""

    name: Annotated[
        str, option("--game GAME", "The game, if it is not the one that the file names.")
    ] = ""


@command(app)
def verify(
    given: Verified,
    file: Annotated[Path, argument("FILE", "A tree of lab run --tree, or a published one.")],
    json: options.Json = False,
) -> None:
    """Follow a tree to every secret, and count its guesses anew.

    Since a tree may come from a stranger, a file that it names as its game is not read.

    puzzlehunt lab verify 4x6.tree
    """
    from puzzlehunt.cli.opening import open_game
    from puzzlehunt.game.files.gamefile import path_of
    from puzzlehunt.strategies.search import tree_file

    tree = tree_file.read(file)
    name = given.name or tree.head.get("game", "")
    if not name:
        raise TreeError(f"{file}: the file does not name its game; add --game GAME")
    if not given.name and path_of(name, Path()):
        raise TreeError(f"{file}: its game is a file; to allow that, add --game {name}")
    game = open_game(replace(given, name=name))
    try:
        counts = tree_file.verify(tree, game)
    except PuzzlehuntError as error:
        raise TreeError(f"{file}: {error}") from None
    if json:
        print_json({"file": str(file), "game": name, **counts})
        return
    average = counts["total"] / counts["secrets"]
    result(
        f"{file}: every secret of {name} is found: {counts['secrets']} in all, "
        f"total {counts['total']}, average {average:.4f}, worst {counts['worst']}, "
        f"known {counts['known']}"
    )
