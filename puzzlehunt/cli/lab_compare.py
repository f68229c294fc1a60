"""Commands of the lab that set strategies side by side: `compare`, `plot` and `report`."""

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from typer import Context

from puzzlehunt.cli.lab_run import sample_size
from puzzlehunt.cli.opening import (
    allow_local_modules,
    check_free,
    engine_with_history,
    open_game,
    write_file,
)
from puzzlehunt.cli.streams import fail, note, print_json, progress_bar, result
from puzzlehunt.errors import UnknownNameError, one_named
from puzzlehunt.game.files.atomic import make_folder
from puzzlehunt.game.game import Game
from puzzlehunt.lab import comparison, guess_counts
from puzzlehunt.lab.candidates_left import is_countable
from puzzlehunt.lab.comparison import Comparison, contender
from puzzlehunt.lab.published import Published, published
from puzzlehunt.lab.secrets import MOST_SECRETS
from puzzlehunt.lab.tournament import with_strategy_that_plays
from puzzlehunt.views import plots
from puzzlehunt.views.explanations import contradiction_line
from puzzlehunt.views.screen import Screen
from puzzlehunt.views.tournaments import (
    comparison_json,
    counting_note,
    headline,
    pair_sentence,
    pairs_table,
    published_json,
    published_table,
    report_page,
    results_table,
)


def compare(context: Context, with_published: bool, json: bool) -> None:
    """Play strategies against the same secrets, and print the differences."""
    game, strategies = open_game(context), context.params["strategies"]
    if not strategies or (len(strategies) == 1 and not with_published):
        raise UnknownNameError("give two strategies or more: --strategy entropy --strategy parts")
    played = _played(context, game, strategies)
    rows = _published(context, game) if with_published else []
    if json:
        others = {"published": [published_json(row) for row in rows]} if with_published else {}
        print_json(comparison_json(played) | others)
    else:
        _show(played, rows)


def plot(context: Context, picture: Path, kind: str, force: bool) -> None:
    """Draw how many guesses games took."""
    game = open_game(context)
    chosen = one_named("kind of plot", kind, plots.PLOTS)
    file_format = plots.picture_format(picture)
    plots.check_plots()
    check_free(force, picture)
    played = _played(context, game, _strategies(context, game))
    drawn = plots.plot(played, chosen, context.params["budget"])
    write_file(force, picture, drawn.bytes(file_format))


def report(context: Context, output: Path, force: bool) -> None:
    """Write a page about strategies, with its pictures."""
    game = open_game(context)
    plots.check_plots()
    page = _page(output)
    contenders = _strategies(context, game)
    can_shrink = all(is_countable(contender(game, text)) for text in contenders)
    kinds = [kind for kind in plots.PLOTS if kind != "shrink" or can_shrink]
    pictures = {kind: page.with_name(f"{page.stem}-{kind}.svg") for kind in kinds}
    make_folder(page.parent)
    check_free(force, page, *pictures.values())
    played = _played(context, game, contenders)
    for kind, picture in pictures.items():
        drawn = plots.plot(played, kind, context.params["budget"])
        write_file(force, picture, drawn.bytes(plots.picture_format(picture)))
    names: dict[str, str] = {kind: picture.name for kind, picture in pictures.items()}
    command = shlex.join(["puzzlehunt", *(word for word in sys.argv[1:] if word != "--force")])
    write_file(force, page, report_page(played, command, _published(context, game), names))
    result(str(page))


def _strategies(context: Context, game: Game) -> list[str]:
    return context.params["strategies"] or [with_strategy_that_plays(game).play.strategy_name]


def _played(context: Context, game: Game, strategies: list[str]) -> Comparison:
    given = context.params
    secret_count = sample_size(given["secrets"])
    count = one_named("count", given["count"], guess_counts.COUNTS)
    allow_local_modules(*strategies)
    engine = engine_with_history(game)
    if not engine.satisfiable():
        fail(contradiction_line(game, engine), 1)
    games = game.secrets.size if secret_count is None else secret_count
    play_all = comparison.compare if len(strategies) > 1 else comparison.comparison_of
    with progress_bar(games * len(strategies) if games <= MOST_SECRETS else 0) as progress:
        return play_all(
            game, strategies, secret_count, given["budget"], count, progress, name=given["name"]
        )


def _published(context: Context, game: Game) -> list[Published]:
    rows = published(game)
    if not rows:
        note(f"nothing published is known here of {context.params['name']}")
    return rows


def _show(comparison: Comparison, rows: Sequence[Published]) -> None:
    screen = Screen()
    screen.line(headline(comparison))
    screen.table(results_table(comparison))
    if comparison.pairs:
        screen.line()
        screen.table(pairs_table(comparison))
        screen.line()
    for pair in comparison.pairs:
        screen.line(pair_sentence(pair))
    if rows:
        screen.line()
        screen.table(published_table(rows, comparison.results.values()))
        screen.line(counting_note(rows))


def _page(output: Path) -> Path:
    if output.suffix.lower() == ".md":
        return output
    if output.suffix and not output.is_dir():
        raise UnknownNameError(f"{output}: a report's name ends in .md, or is a folder")
    return output / "report.md"
