"""Pictures of a comparison, by matplotlib: histograms, and curves of the candidates left."""

from collections.abc import Collection
from contextlib import AbstractContextManager
from dataclasses import dataclass
from io import BytesIO
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from puzzlehunt.errors import UnknownNameError, missing_package, one_line, unknown_name
from puzzlehunt.game.files.atomic import write_atomically
from puzzlehunt.game.files.gamefile import GameLike, as_game
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, Rows
from puzzlehunt.game.turn_notation import format_turn
from puzzlehunt.lab.comparison import Comparison
from puzzlehunt.lab.statistics import Summary
from puzzlehunt.lab.tournament import Tournament
from puzzlehunt.lab.trees import candidates_left, left_after
from puzzlehunt.views.tournaments import secrets_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PlotName: TypeAlias = Literal["histogram", "shrink"]
PLOTS: tuple[PlotName, ...] = get_args(PlotName)
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""Colours that colour-blind people can tell apart (Okabe and Ito, 2008)."""
_STYLE: Any = {
    "font.family": "DejaVu Sans",
    "text.parse_math": False,
    "svg.hashsalt": "puzzlehunt",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 10,
}


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture drawn with matplotlib; notebooks show it, and `save` writes it to a file."""

    figure: "Figure"

    def bytes(self, file_format: str) -> bytes:
        """Return the content of a file with the picture; `file_format` is `svg` or `png`."""
        stream = BytesIO()
        metadata = {"Date": None} if file_format == "svg" else {"Software": None}
        with style():
            self.figure.savefig(stream, format=file_format, metadata=metadata, dpi=150)
        return stream.getvalue()

    def save(self, path: Path) -> None:
        """Write the picture to an .svg or .png file, replacing an existing file.

        Raises UnknownNameError for another ending, SessionError if the file cannot be written.
        """
        write_atomically(path, self.bytes(picture_format(path)))

    def _repr_svg_(self) -> str:
        return self.bytes("svg").decode()


def picture_format(path: Path) -> str:
    """Return the ending of a path, `svg` or `png`. Raises UnknownNameError for any other."""
    file_format = path.suffix.lower().removeprefix(".")
    if file_format not in ("svg", "png"):
        raise UnknownNameError(f"{path}: a picture's name ends in .svg or .png")
    return file_format


def style() -> AbstractContextManager[None]:
    """Return the style of all pictures. Raises PuzzlehuntError without matplotlib."""
    try:
        import matplotlib as mpl
    except ImportError:
        raise missing_package("pictures need matplotlib", "plots") from None
    return mpl.rc_context(_STYLE)


def plot(
    played: Comparison | Tournament | GameLike,
    rows: Rows | None = None,
    *,
    kind: PlotName = "histogram",
    budget: int | None = None,
) -> Picture:
    """Return a picture of the games of one or more strategies, or of one game with its rows.

    For what `compare` or `run` returned, `kind` is `histogram`, for the numbers of guesses by the
    comparison's count, or `shrink`, for the numbers of candidates left. For `shrink` the games are
    played again, and `budget` is the largest number of guesses evaluated for each choice (None: no
    limit). For a game and `rows`, as in `candidates`, it is a bar chart of the numbers of
    candidates left after each turn or fact. Raises PuzzlehuntError without matplotlib, and
    TooLargeError if the candidates cannot be counted.

    >>> puzzlehunt.plot(puzzlehunt.run("2x2", "first")).bytes("svg")[:5]
    b'<?xml'
    >>> puzzlehunt.plot("4x6", ["AABB 1b"]).bytes("png")[1:4]
    b'PNG'
    """
    if kind not in PLOTS:
        raise unknown_name("kind of picture", kind, PLOTS)
    with style():
        if not isinstance(played, Comparison | Tournament):
            return _bars(as_game(played, rows))
        if isinstance(played, Tournament):
            results = {played.game.play.strategy_name: played}
            played = Comparison(played.game, played.game_name, results)
        return _histograms(played) if kind == "histogram" else _curves(played, budget)


def _bars(game: Game) -> Picture:
    items = [
        item.text if isinstance(item, Fact) else format_turn(game, item) for item in game.history
    ]
    counts = left_after(game)
    figure, [(_, axes, colour)] = _panels("", [""], 0.34 * len(counts))
    bars = axes.barh(range(len(counts)), counts, color=colour)
    axes.bar_label(bars, [f"{count:,}" for count in counts], padding=4)
    names = ["at first", *map(one_line, items)]
    axes.set_yticks(range(len(counts)), names, family="DejaVu Sans Mono")
    axes.invert_yaxis()
    axes.set_xlabel("candidates left")
    axes.set_xscale("log", subs=[])
    axes.set_xlim(0.8, counts[0] * 3)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    return Picture(figure)


def _panels(
    title: str, names: Collection[str], height: float
) -> tuple["Figure", list[tuple[str, "Axes", str]]]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 0.9 + height * len(names)), layout="constrained")
    figure.suptitle(title, x=0.01, ha="left", fontsize=11)
    panels = figure.subplots(len(names), 1, sharex=True, sharey=True, squeeze=False)
    return figure, list(zip(names, panels[:, 0], cycle(_COLOURS), strict=False))


def _histograms(comparison: Comparison) -> Picture:
    title = f"{one_line(comparison.game_name)}, {secrets_text(comparison)}"
    figure, panels = _panels(title, comparison.results, 1.35)
    for name, axes, colour in panels:
        guesses = comparison.guesses[name]
        games, mean = Summary.of(guesses).histogram, float(guesses.mean())
        axes.bar_label(axes.bar(list(games), list(games.values()), color=colour), fontsize=8)
        axes.axvline(mean, color="black", linewidth=1, linestyle="dashed")
        axes.set_title(f"{one_line(name)}: {mean:.3f} on average", color=colour)
        axes.margins(y=0.25)
        axes.set_yticks([])
    worst = max(int(guesses.max()) for guesses in comparison.guesses.values())
    axes.set_xticks(range(1, worst + 1))
    axes.set_xlabel(f"guesses until the secret is {comparison.count}")
    return Picture(figure)


def _curves(comparison: Comparison, budget: int | None) -> Picture:
    title = f"{one_line(comparison.game_name)}, {secrets_text(comparison)}"
    title += ": median, and the middle half of the games"
    figure, panels = _panels(title, comparison.results, 1.9)
    for name, axes, colour in panels:
        left = candidates_left(comparison.results[name], budget)
        low, medians, high = np.percentile(left, (25, 50, 75), axis=1)
        turns = np.arange(len(medians))
        axes.fill_between(turns, low, high, color=colour, alpha=0.22, linewidth=0)
        axes.plot(turns, medians, color=colour, marker="o", markersize=4.5)
        axes.set_title(one_line(name), color=colour)
        axes.set_yscale("log", subs=[])
        axes.yaxis.set_major_formatter("{x:,.0f}")
        axes.grid(axis="y", alpha=0.4)
    axes.locator_params(axis="x", integer=True)
    axes.set_xlabel("guesses made (a game that is over has one candidate left)")
    figure.supylabel("candidates left", fontsize=10)
    return Picture(figure)
