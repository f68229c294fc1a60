"""Commands of the lab that set strategies side by side."""

import shlex
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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
    TiesName,
    fail,
    find_modules_here,
    open_game,
    open_known,
    open_screen,
    print_json,
)
from puzzlehunt.errors import SessionError, UnknownNameError, unknown

if TYPE_CHECKING:
    from puzzlehunt.game.game import Game
    from puzzlehunt.lab.comparison import Comparison
    from puzzlehunt.lab.published import Published

Strategies = Annotated[
    list[str] | None,
    typer.Option(
        "--strategy",
        metavar="NAME",
        help="A strategy, or module:function; as often as you like. pool=, ties= and opening= may "
        "follow in the same quotes.",
    ),
]
Secrets = Annotated[
    str, typer.Option("--secrets", metavar="all|N", help="Play all, or a seeded sample of N.")
]
CountedUntil = Annotated[
    str, typer.Option("--count", metavar="played|known", help="Which guesses are compared.")
]
Force = Annotated[bool, typer.Option("--force", help="Write over a file that is there.")]


def compare(
    game: GameName,
    strategy: Strategies = None,
    secrets: Secrets = "all",
    count: CountedUntil = "played",
    published: Annotated[
        bool, typer.Option("--published", help="Set published figures beside your own.")
    ] = False,
    as_json: AsJson = False,
    settings: Settings = None,
    secret_words: SecretWords = None,
    guess_words: GuessWords = None,
    engine: EngineName = None,
    solver: SolverName = None,
    pool: PoolName = None,
    ties: TiesName = None,
    opening: Opening = None,
    reads: Reads = None,
    seed: Seed = None,
    budget: Guesses = None,
) -> None:
    """Play strategies against the same secrets, and say which differences are real.

    puzzlehunt lab compare 4x6 --strategy entropy --strategy parts --published

    puzzlehunt lab compare nethack --strategy "minimax pool=candidates" --strategy parts
    """
    loaded = open_game(
        game, settings, reads=reads, engine=engine, solver=solver, pool=pool, ties=ties,
        opening=opening, seed=seed, secret_words=secret_words, guess_words=guess_words,
    )  # fmt: skip
    if not strategy or (len(strategy) == 1 and not published):
        raise UnknownNameError("give two strategies or more: --strategy entropy --strategy parts")
    found = _played(loaded, game, strategy, secrets, budget, count)
    rows = _published(loaded, game) if published else []
    if as_json:
        from puzzlehunt.views.json import comparison_json

        more = {"published": [row.as_json() for row in rows]} if published else {}
        print_json(comparison_json(found) | more)
        return
    _print_comparison(found, rows)


def plot(
    game: GameName,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="Where to: .svg or .png.")
    ],
    kind: Annotated[
        str, typer.Option("--kind", metavar="KIND", help="histogram, box, or shrink.")
    ] = "histogram",
    force: Force = False,
    strategy: Strategies = None,
    secrets: Secrets = "all",
    count: CountedUntil = "played",
    settings: Settings = None,
    secret_words: SecretWords = None,
    guess_words: GuessWords = None,
    engine: EngineName = None,
    solver: SolverName = None,
    pool: PoolName = None,
    ties: TiesName = None,
    opening: Opening = None,
    reads: Reads = None,
    seed: Seed = None,
    budget: Guesses = None,
) -> None:
    """Draw how many guesses games took, or how the candidates shrink from guess to guess.

    puzzlehunt lab plot 4x6 --strategy entropy --strategy parts -o guesses.svg

    puzzlehunt lab plot nethack --strategy parts --kind shrink -o shrinking.png
    """
    loaded = open_game(
        game, settings, reads=reads, engine=engine, solver=solver, pool=pool, ties=ties,
        opening=opening, seed=seed, secret_words=secret_words, guess_words=guess_words,
    )  # fmt: skip
    from puzzlehunt.views import plots

    known = {name: name for name in plots.PLOTS}
    if kind not in known:
        raise unknown("kind of plot", kind, known)
    plots.picture_format(output)
    plots.check_plots()
    _check_free([output], force)
    strategy = strategy or [loaded.play.strategy]
    found = _played(loaded, game, strategy, secrets, budget, count)
    plots.plot(found, known[kind], budget).save(output)


def report(
    game: GameName,
    output: Annotated[
        Path,
        typer.Option("-o", "--output", metavar="FILE|DIR", help="The page: .md, or a folder."),
    ],
    force: Force = False,
    strategy: Strategies = None,
    secrets: Secrets = "all",
    count: CountedUntil = "played",
    settings: Settings = None,
    secret_words: SecretWords = None,
    guess_words: GuessWords = None,
    engine: EngineName = None,
    solver: SolverName = None,
    pool: PoolName = None,
    ties: TiesName = None,
    opening: Opening = None,
    reads: Reads = None,
    seed: Seed = None,
    budget: Guesses = None,
) -> None:
    """Write a page of Markdown: results, differences, published figures, pictures beside it.

    puzzlehunt lab report 4x6 --strategy entropy --strategy parts -o strategies.md
    """
    loaded = open_game(
        game, settings, reads=reads, engine=engine, solver=solver, pool=pool, ties=ties,
        opening=opening, seed=seed, secret_words=secret_words, guess_words=guess_words,
    )  # fmt: skip
    from puzzlehunt.lab.comparison import contender
    from puzzlehunt.lab.shrinking import countable
    from puzzlehunt.views import plots
    from puzzlehunt.views.report import Report

    plots.check_plots()
    page = _page(output)
    strategy = strategy or [loaded.play.strategy]
    shrinks = all(countable(contender(loaded, text)) for text in strategy)
    kinds = [kind for kind in plots.PLOTS if kind != "shrink" or shrinks]
    files = {kind: page.with_name(f"{page.stem}-{kind}.svg") for kind in kinds}
    _check_free([page, *files.values()], force)
    found = _played(loaded, game, strategy, secrets, budget, count)
    page.parent.mkdir(parents=True, exist_ok=True)
    for kind, file in files.items():
        plots.plot(found, kind, budget).save(file)
    names: dict[str, str] = {kind: file.name for kind, file in files.items()}
    command = shlex.join(["puzzlehunt", *(word for word in sys.argv[1:] if word != "--force")])
    told = Report(found, command, tuple(_published(loaded, game)), names)
    from puzzlehunt.session.storage import write_whole

    write_whole(page, told.markdown())
    print(page)


def _played(
    loaded: "Game", name: str, strategies: list[str], secrets: str, budget: int | None, count: str
) -> "Comparison":
    """Return the games of all strategies; leaves where the game's rows contradict each other."""
    from puzzlehunt.explain.rows import contradiction
    from puzzlehunt.lab import comparison, tournament

    if secrets != "all" and not (secrets.isdecimal() and len(secrets) < 1_000 and int(secrets) > 0):
        raise UnknownNameError(f"--secrets {secrets}: expected all, or a number above 0")
    counts = {name: name for name in comparison.COUNTS}
    if count not in counts:
        raise unknown("count", count, counts)
    find_modules_here(*strategies)
    known = open_known(loaded)
    if not known.satisfiable():
        fail(contradiction(loaded, known), 1)
    wanted = None if secrets == "all" else int(secrets)
    games = loaded.secrets.size if wanted is None else wanted
    few = games <= tournament.MOST_SECRETS
    compared = comparison.compare if len(strategies) > 1 else comparison.played
    with _progress(games * len(strategies) if few else 0) as update:
        return compared(loaded, name, strategies, wanted, budget, counts[count], update)


def _progress(games: int) -> AbstractContextManager[Callable[[int], None]]:
    """Return a bar on stderr, where somebody sees it."""
    if not (games and sys.stderr.isatty()):
        return nullcontext(lambda _done: None)
    bar: Any = typer.progressbar(length=games, label="games", file=sys.stderr)

    class Bar(AbstractContextManager[Callable[[int], None]]):
        def __enter__(self) -> Callable[[int], None]:
            update: Callable[[int], None] = bar.__enter__().update
            return update

        def __exit__(self, *error: object) -> None:
            bar.__exit__(*error)

    return Bar()


def _published(loaded: "Game", name: str) -> "list[Published]":
    from puzzlehunt.lab.published import published

    rows = published(loaded)
    if not rows:
        print(f"nothing published is known here of {name}", file=sys.stderr)
    return rows


def _print_comparison(found: "Comparison", rows: "list[Published]") -> None:
    from puzzlehunt.views.comparisons import (
        counting_note,
        headline,
        pairs_table,
        published_table,
        results_table,
        sentence,
    )
    from puzzlehunt.views.tables import text_table

    screen = open_screen()
    screen.line(headline(found))
    screen.table(text_table(results_table(found)))
    if found.pairs:
        screen.line()
        screen.table(text_table(pairs_table(found)))
        screen.line()
    for pair in found.pairs:
        screen.line(sentence(pair))
    if rows:
        screen.line()
        screen.table(text_table(published_table(rows, found.results.values())))
        screen.line(counting_note(rows))


def _page(output: Path) -> Path:
    """Return the page of a report: the file itself, or report.md in a folder."""
    if output.suffix.lower() == ".md":
        return output
    if output.suffix and not output.is_dir():
        raise UnknownNameError(f"{output}: a report's name ends in .md, or is a folder")
    return output / "report.md"


def _check_free(files: list[Path], force: bool) -> None:
    """Raise SessionError for a file that is there, or whose folder is not."""
    for file in files:
        if file.exists() and not force:
            raise SessionError(f"{file} exists already; --force writes over it")
    folder = files[0].parent
    if len(files) == 1 and not folder.is_dir():
        raise SessionError(f"{folder} is no folder; make it first")
