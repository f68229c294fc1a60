"""Pictures of a comparison: histograms, and curves of the candidates left.

Pictures need matplotlib (the extra `plots`). With the same release of matplotlib, the same data
always make the same file, byte for byte.
"""

from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from puzzlehunt.errors import UnknownNameError, check_type, missing_package, unknown_name
from puzzlehunt.game.files.atomic import write_atomically
from puzzlehunt.game.files.gamefile import as_game
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History, Row
from puzzlehunt.lab.comparison import Comparison
from puzzlehunt.lab.statistics import Summary
from puzzlehunt.lab.tournament import Tournament
from puzzlehunt.lab.trees import CandidatesLeft, candidates_left, left_after
from puzzlehunt.views.drawn_tiles import SERIES
from puzzlehunt.views.escapes import one_line
from puzzlehunt.views.tournaments import secrets_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PlotName: TypeAlias = Literal["histogram", "shrink"]
PLOTS: tuple[PlotName, ...] = get_args(PlotName)
FORMATS = ("svg", "png")
_DPI = 150
"""Resolution of a picture in PNG (dots per inch)."""
_MOST_LABELS = 14
"""Largest number of labels that fit side by side on an axis."""
_INK, _FAINT = "#222222", "#888888"
_STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "text.parse_math": False,
    "svg.hashsalt": "puzzlehunt",
    "text.color": _INK,
    "axes.edgecolor": _FAINT,
    "axes.labelcolor": _INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": _INK,
    "ytick.color": _INK,
}


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture drawn with matplotlib; notebooks show it, and `save` writes it to a file."""

    figure: "Figure"

    def bytes(self, file_format: str) -> bytes:
        """Return the content of a file with the picture; `file_format` is one of `FORMATS`."""
        stream = BytesIO()
        metadata = {"Date": None} if file_format == "svg" else {"Software": None}
        with _styled():
            self.figure.savefig(stream, format=file_format, metadata=metadata, dpi=_DPI)
        return stream.getvalue()

    def save(self, path: Path) -> None:
        """Write the picture to an .svg or .png file, replacing an existing file.

        Raises UnknownNameError if the path ends in something else, SessionError if the file cannot
        be written.
        """
        write_atomically(path, self.bytes(picture_format(path)))

    def _repr_svg_(self) -> str:
        return self.bytes("svg").decode()


def picture_format(path: Path) -> str:
    """Return the format in a path's extension: `svg` or `png`.

    Raises UnknownNameError for any other extension.
    """
    file_format = path.suffix.lower().removeprefix(".")
    if file_format not in FORMATS:
        raise UnknownNameError(f"{path}: a picture's name ends in .svg or .png")
    return file_format


def check_plots() -> None:
    """Raise PuzzlehuntError if matplotlib is not installed."""
    _styled()


def _styled() -> AbstractContextManager[None]:
    try:
        import matplotlib as mpl
    except ImportError:
        raise missing_package("pictures need matplotlib", "plots") from None
    return mpl.rc_context(_STYLE)


def plot(
    played: Comparison | Tournament, kind: PlotName = "histogram", *, budget: int | None = None
) -> Picture:
    """Return a picture of the games of one or more strategies.

    `kind` is `histogram`, for the numbers of guesses by the comparison's count, or `shrink`, for
    the numbers of candidates left. For `shrink` the games are played again, and
    `budget` is the largest number of guesses evaluated for each choice (None: no limit). Raises
    PuzzlehuntError if matplotlib is not installed, and TooLargeError if the candidates for
    `shrink` cannot be counted.

    >>> import puzzlehunt
    >>> puzzlehunt.plot(puzzlehunt.run("2x2", "first")).bytes("svg")[:5]
    b'<?xml'
    """
    check_type("played", played, Comparison | Tournament, "what compare or run returns")
    if kind not in PLOTS:
        raise unknown_name("kind of picture", kind, PLOTS)
    if isinstance(played, Tournament):
        results = {played.game.play.strategy_name: played}
        played = Comparison(played.game, played.game_name, results)
    with _styled():
        if kind == "histogram":
            return _laid_out(_histograms(played))
        each = played.results.items()
        left = {name: candidates_left(result, budget) for name, result in each}
        return _laid_out(_candidates_left(played, left))


def plot_game(game: Game | str | Path, history: History | Iterable[Row] | None = None) -> Picture:
    """Return a bar chart of one game: the numbers of candidates left after each turn or fact.

    `game` is a game, its name or its file. `history` may be given as lines; by default it is the
    game's own history. Raises PuzzlehuntError if matplotlib is not installed, and TooLargeError
    if there are too many candidates to count.

    >>> import puzzlehunt
    >>> puzzlehunt.plot_game("4x6", ["AABB 1b"]).bytes("png")[1:4]
    b'PNG'
    """
    game = as_game(game)
    history = game.history if history is None else game.as_history(history)
    style, counts = _styled(), left_after(game, history)
    names = ["at first"]
    for item in history:
        names.append(one_line(item.text if isinstance(item, Fact) else game.format_turn(item)))
    with style:
        figure = _figure(7, 0.9 + 0.34 * len(counts))
        axes = figure.subplots()
        bars = axes.barh(range(len(counts)), counts, color=SERIES[0], height=0.7)
        axes.bar_label(bars, [f"{count:,}" for count in counts], padding=4)
        axes.set_yticks(range(len(counts)), names, family="DejaVu Sans Mono")
        axes.invert_yaxis()
        axes.set_xscale("log")
        axes.set_xlim(0.8, counts[0] * 3)
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        axes.minorticks_off()
        axes.set_xlabel("candidates left")
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        return _laid_out(figure)


def _laid_out(figure: "Figure") -> Picture:
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    return Picture(figure)


def _figure(width: float, height: float) -> "Figure":
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    layout = ConstrainedLayoutEngine(w_pad=0.1, h_pad=0.06)
    return Figure(figsize=(width, height), dpi=_DPI, layout=layout)


def _colour(number: int) -> str:
    return SERIES[number % len(SERIES)]


def _histograms(comparison: Comparison) -> "Figure":
    contenders = comparison.guesses
    figure = _figure(7, 0.9 + 1.35 * len(contenders))
    all_axes = figure.subplots(len(contenders), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
    for number, (axes, name) in enumerate(zip(all_axes, contenders, strict=True)):
        guesses = contenders[name]
        games = Summary.of(guesses).histogram
        _histogram(axes, name, games, float(guesses.mean()), _colour(number))
    worst = max(int(guesses.max()) for guesses in contenders.values())
    all_axes[-1].set_xticks(range(1, worst + 1))
    all_axes[-1].set_xlabel(_axis_label(comparison))
    return _titled(figure, _title(comparison))


def _histogram(axes: "Axes", name: str, games: Mapping[int, int], mean: float, colour: str) -> None:
    guesses = sorted(games)
    bars = axes.bar(guesses, [games[n] for n in guesses], width=0.82, color=colour)
    if len(guesses) <= _MOST_LABELS:
        labels = [f"{games[n]:,}" for n in guesses]
        axes.bar_label(bars, labels, fontsize=8, padding=1, color=_INK)
    axes.axvline(mean, color=_INK, linewidth=1, linestyle=(0, (4, 3)))
    axes.set_title(
        f"{one_line(name)}: {mean:.3f} on average", loc="left", fontsize=10, color=colour, pad=9
    )
    axes.margins(y=0.25)
    axes.spines["left"].set_visible(False)
    axes.set_yticks([])
    axes.tick_params(axis="x", length=0)


def _candidates_left(comparison: Comparison, left: Mapping[str, CandidatesLeft]) -> "Figure":
    figure = _figure(7, 0.9 + 1.9 * len(left))
    all_axes = figure.subplots(len(left), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
    for number, ((name, games), axes) in enumerate(zip(left.items(), all_axes, strict=True)):
        _curve(axes, name, games, _colour(number))
    longest = max(map(len, left.values())) - 1
    all_axes[-1].set_xlim(-0.15, longest + 0.4)
    all_axes[-1].locator_params(axis="x", integer=True, nbins=_MOST_LABELS, steps=[1, 2, 5, 10])
    all_axes[-1].set_xlabel("guesses made (a game that is over has one candidate left)")
    figure.supylabel("candidates left", fontsize=10)
    return _titled(figure, f"{_title(comparison)}: median, and the middle half of the games")


def _curve(axes: "Axes", name: str, games: CandidatesLeft, colour: str) -> None:
    quartiles = np.percentile(games, (25, 50, 75), axis=1).T
    turns = np.arange(len(quartiles))
    axes.fill_between(turns, quartiles[:, 0], quartiles[:, 2], color=colour, alpha=0.22, lw=0)
    step = -(-len(turns) // _MOST_LABELS)
    axes.plot(turns, quartiles[:, 1], color=colour, marker="o", markersize=4.5, markevery=step)
    medians = quartiles[:, 1].tolist()
    # Labels end at the first median of one candidate.
    ends = (turn for turn, median in enumerate(medians) if median == 1)
    labelled = medians[: 1 + next(ends, len(medians))]
    for turn, median in list(enumerate(labelled))[::step]:
        axes.annotate(
            f"{median:,.0f}" if median == int(median) else f"{median:,.1f}", (turn, median),
            xytext=(6, 5), textcoords="offset points", fontsize=9, color=_INK,
        )  # fmt: skip
    axes.set_yscale("log")
    axes.set_ylim(0.8, float(games.max()) * 3)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.minorticks_off()
    axes.grid(axis="y", color="#e5e5e5", linewidth=0.7)
    axes.set_axisbelow(True)
    axes.set_title(one_line(name), loc="left", fontsize=10, color=colour)


def _axis_label(comparison: Comparison) -> str:
    played = comparison.count == "played"
    return f"guesses until the secret is {'played' if played else 'known'}"


def _title(comparison: Comparison) -> str:
    return f"{one_line(comparison.game_name)}, {secrets_text(comparison)}"


def _titled(figure: "Figure", title: str) -> "Figure":
    figure.suptitle(title, x=0.01, ha="left", fontsize=11)
    return figure
