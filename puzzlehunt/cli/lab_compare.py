"""Commands of the lab that set strategies side by side: `compare`, `plot` and `report`."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from puzzlehunt.cli.asked import (
    Asked,
    allow_local_modules,
    check_free,
    engine_with_history,
    open_game,
    takes,
    write_file,
)
from puzzlehunt.cli.lab_run import sample_size
from puzzlehunt.cli.options import (
    COUNT,
    ENGINES,
    FORCE,
    GAME,
    GUESS_BUDGET,
    GUESS_CHOICE,
    JSON,
    KIND,
    PAGE,
    PICTURE,
    PUBLISHED,
    READS,
    SAMPLE,
    SEED,
    SETTINGS,
    STRATEGIES,
)
from puzzlehunt.cli.output import fail, note, open_screen, print_json, progress_bar, result
from puzzlehunt.errors import UnknownNameError, unknown_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from puzzlehunt.game.game import Game
    from puzzlehunt.lab.comparison import Comparison
    from puzzlehunt.lab.published import Published

_TOURNAMENT = (STRATEGIES, SAMPLE, COUNT)
"""Options: which strategies play which secrets, and which guesses are counted."""
_PLAY = (*SETTINGS, *ENGINES, *GUESS_CHOICE, READS, SEED, GUESS_BUDGET)
"""Options: how each game is played."""


@takes(GAME, *_TOURNAMENT, PUBLISHED, JSON, *_PLAY)
def compare(asked: Asked) -> None:
    """Play strategies against the same secrets, and say which differences are real.

    puzzlehunt lab compare 4x6 --strategy entropy --strategy parts --published

    puzzlehunt lab compare nethack --strategy "minimax pool=candidates" --strategy parts
    """
    game, strategies = open_game(asked), asked[STRATEGIES]
    if not strategies or (len(strategies) == 1 and not asked[PUBLISHED]):
        raise UnknownNameError("give two strategies or more: --strategy entropy --strategy parts")
    comparison = _played(asked, game, strategies)
    rows = _published(asked, game) if asked[PUBLISHED] else []
    if asked[JSON]:
        from puzzlehunt.views.json import comparison_json, published_json

        published_keys = (
            {"published": [published_json(row) for row in rows]} if asked[PUBLISHED] else {}
        )
        print_json(comparison_json(comparison) | published_keys)
    else:
        _show(comparison, rows)


@takes(GAME, PICTURE, KIND, FORCE, *_TOURNAMENT, *_PLAY)
def plot(asked: Asked) -> None:
    """Draw how many guesses games took, or how the candidates shrink from guess to guess.

    puzzlehunt lab plot 4x6 --strategy entropy --strategy parts -o guesses.svg

    puzzlehunt lab plot nethack --strategy parts --kind shrink -o shrinking.png
    """
    from puzzlehunt.views import plots

    game, picture, kind = open_game(asked), asked[PICTURE], asked[KIND]
    kinds = {name: name for name in plots.PLOTS}
    if kind not in kinds:
        raise unknown_name("kind of plot", kind, kinds)
    file_format = plots.picture_format(picture)
    plots.check_plots()
    check_free(asked, picture)
    comparison = _played(asked, game, _strategies(asked, game))
    drawn = plots.plot(comparison, kinds[kind], asked[GUESS_BUDGET])
    write_file(asked, picture, drawn.bytes(file_format))


@takes(GAME, PAGE, FORCE, *_TOURNAMENT, *_PLAY)
def report(asked: Asked) -> None:
    """Write a page of Markdown: results, differences, published figures, pictures beside it.

    puzzlehunt lab report 4x6 --strategy entropy --strategy parts -o strategies.md
    """
    from puzzlehunt.game.files.atomic import make_folder
    from puzzlehunt.lab.candidates_left import is_countable
    from puzzlehunt.lab.comparison import contender
    from puzzlehunt.views import plots
    from puzzlehunt.views.report import Report

    game = open_game(asked)
    plots.check_plots()
    page = _page(asked[PAGE])
    strategies = _strategies(asked, game)
    can_shrink = all(is_countable(contender(game, text)) for text in strategies)
    kinds = [kind for kind in plots.PLOTS if kind != "shrink" or can_shrink]
    pictures = {kind: page.with_name(f"{page.stem}-{kind}.svg") for kind in kinds}
    make_folder(page.parent)
    check_free(asked, page, *pictures.values())
    comparison = _played(asked, game, strategies)
    for kind, picture in pictures.items():
        drawn = plots.plot(comparison, kind, asked[GUESS_BUDGET])
        write_file(asked, picture, drawn.bytes(plots.picture_format(picture)))
    names: dict[str, str] = {kind: picture.name for kind, picture in pictures.items()}
    command = shlex.join(["puzzlehunt", *(word for word in sys.argv[1:] if word != "--force")])
    report_page = Report(comparison, command, tuple(_published(asked, game)), names)
    write_file(asked, page, report_page.markdown())
    result(str(page))


def _strategies(asked: Asked, game: "Game") -> list[str]:
    """Return the names of the strategies asked for: where there are none, the one that plays."""
    from puzzlehunt.lab.tournament import with_strategy_that_plays

    return asked[STRATEGIES] or [with_strategy_that_plays(game).play.strategy_name]


def _played(asked: Asked, game: "Game", strategies: list[str]) -> "Comparison":
    """Return the games of all strategies; leave with status 1 where the game's turns contradict."""
    from puzzlehunt.lab import comparison, outcomes
    from puzzlehunt.lab.secrets import MOST_SECRETS
    from puzzlehunt.views.explanations import contradiction_line

    secret_count, count = sample_size(asked[SAMPLE]), asked[COUNT]
    counts = {name: name for name in outcomes.COUNTS}
    if count not in counts:
        raise unknown_name("count", count, counts)
    allow_local_modules(*strategies)
    engine = engine_with_history(game)
    if not engine.satisfiable():
        fail(contradiction_line(game, engine), 1)
    games = game.secrets.size if secret_count is None else secret_count
    is_count_known = games <= MOST_SECRETS
    play_all = comparison.compare if len(strategies) > 1 else comparison.comparison_of
    with progress_bar(games * len(strategies) if is_count_known else 0) as progress:
        return play_all(
            game,
            strategies,
            secret_count,
            asked[GUESS_BUDGET],
            counts[count],
            progress,
            name=asked[GAME],
        )


def _published(asked: Asked, game: "Game") -> "list[Published]":
    """Return the results published for a game; print a note where there are none."""
    from puzzlehunt.lab.published import published

    rows = published(game)
    if not rows:
        note(f"nothing published is known here of {asked[GAME]}")
    return rows


def _show(comparison: "Comparison", rows: "Sequence[Published]") -> None:
    from puzzlehunt.views.tables import text_table
    from puzzlehunt.views.tournaments import (
        counting_note,
        headline,
        pair_sentence,
        pairs_table,
        published_table,
        results_table,
    )

    screen = open_screen()
    screen.line(headline(comparison))
    screen.table(text_table(results_table(comparison)))
    if comparison.pairs:
        screen.line()
        screen.table(text_table(pairs_table(comparison)))
        screen.line()
    for pair in comparison.pairs:
        screen.line(pair_sentence(pair))
    if rows:
        screen.line()
        screen.table(text_table(published_table(rows, comparison.results.values())))
        screen.line(counting_note(rows))


def _page(output: Path) -> Path:
    """Return the file of a report, given the file or its folder. Raises UnknownNameError."""
    if output.suffix.lower() == ".md":
        return output
    if output.suffix and not output.is_dir():
        raise UnknownNameError(f"{output}: a report's name ends in .md, or is a folder")
    return output / "report.md"
