"""Tournaments and comparisons in words, tables and CSV, with what others published beside them."""

import csv
import io
from collections.abc import Iterable

import numpy as np

from puzzlehunt.kernels.codes import code_of
from puzzlehunt.lab.comparison import Comparison, Pair
from puzzlehunt.lab.outcomes import COUNTS, guesses_of
from puzzlehunt.lab.paired import interval
from puzzlehunt.lab.published import Published
from puzzlehunt.lab.tournament import Result
from puzzlehunt.views.basis import basis_text
from puzzlehunt.views.markup import Table

_MEANING = {"played": "the winning guess included", "known": "until one candidate is left"}


def result_lines(result: Result) -> list[str]:
    """Return how a strategy was played, then what its games took, a line for each count."""
    play, opening = result.game.play, result.opening
    first = "not always the same" if opening is None else result.game.format_code(opening)
    how = f"{play.strategy}, pool {play.pool}, ties {play.ties}, opening {first}, seed {play.seed}"
    lines = [f"{result.game_name}: {how}"]
    for count in COUNTS:
        told, ends = result.summary(count), result.interval(count)
        bars = " ".join(f"{guesses}:{games}" for guesses, games in told.histogram.items())
        interval = "" if ends is None else f" (95 %: {ends[0]:.4f} to {ends[1]:.4f})"
        lines.append(
            f"{count:7} average {told.average:.4f}{interval}  worst {told.worst}  "
            f"total {told.total}  {bars}"
        )
    return lines


def result_notes(result: Result) -> list[str]:
    """Return what was evaluated, where not all guesses were, and how long the games took."""
    evaluated = [f"evaluated: {basis_text(result.basis)}"] if result.basis else []
    return [*evaluated, f"{len(result.outcomes)} games in {round(result.seconds, 3)} s"]


def result_csv(result: Result) -> str:
    """Return one line for each game: `secret,played,known`, below these words."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["secret", "played", "known"])
    games = result.outcomes
    for secret, played, known in zip(games.secrets, games.played, games.known, strict=True):
        writer.writerow([result.game.format_code(code_of(secret)), int(played), int(known)])
    return text.getvalue()


# Comparisons.


def headline(comparison: Comparison) -> str:
    """Return what was played and counted, in a line."""
    seed = comparison.game.play.seed
    name, count = comparison.game_name, comparison.count
    return f"{name}: {which(comparison)}, guesses until {count}, seed {seed}"


def which(comparison: Comparison) -> str:
    """Return which secrets were played: `all 1,296 secrets`, `a sample of 200 secrets`."""
    if comparison.games == 1:
        return "one game"
    return f"{'a sample of' if comparison.sampled else 'all'} {comparison.games:,} secrets"


def results_table(comparison: Comparison) -> Table:
    """Return a line for each contender: averages, worst and total in both counts."""
    header = ["strategy", "played", "worst", "total", "known", "worst known", "total known"]
    if comparison.sampled:
        header.insert(2, "95 %")
    rows = []
    for name, result in comparison.results.items():
        cells = [name]
        for count in COUNTS:
            told = result.summary(count)
            cells += [f"{told.average:.4f}", str(told.worst), f"{told.total:,}"]
        if comparison.sampled:
            values = guesses_of(result.outcomes, "played").astype(np.int64)
            low, high = interval(values, np.random.default_rng(comparison.game.play.seed))
            cells.insert(2, "" if low is None or high is None else f"{low:.3f}-{high:.3f}")
        rows.append(cells)
    return Table.of(header, rows, left=["strategy"])


def pairs_table(comparison: Comparison) -> Table:
    """Return a line a pair: the mean difference, its interval, and p as it is and for all."""
    header = ["pair", "difference", "95 %", "p", "p of all pairs", "real"]
    return Table.of(header, map(_pair_row, comparison.pairs), left=["pair", "real"])


def _pair_row(pair: Pair) -> list[str]:
    found = pair.difference
    ends = "" if found.low is None else f"{found.low:+.4f} to {found.high:+.4f}"
    real = "yes, exact" if pair.exact else "yes"
    return [
        f"{pair.first} - {pair.second}",
        f"{found.mean:+.4f}",
        ends,
        _p(found.p),
        _p(pair.adjusted_p),
        real if pair.real else "no",
    ]


def sentence(pair: Pair) -> str:
    """Return what the difference of two contenders is, and whether it is real, in a sentence."""
    found = pair.difference
    if not found.total:
        same = f"{pair.first} and {pair.second} take as many guesses"
        return f"{same}: every secret was played." if pair.exact else f"{same} here."
    fewer, more = (pair.first, pair.second) if found.mean < 0 else (pair.second, pair.first)
    told = f"{fewer} takes {abs(found.mean):.4f} guesses fewer than {more}"
    if pair.exact:
        return f"{told}: real, and exact, as every secret was played."
    told = f"{told} ({_range(pair)}p {_p(pair.adjusted_p)})"
    return f"{told}: real." if pair.real else f"{told}: no more than chance would do."


def _range(pair: Pair) -> str:
    low, high = pair.difference.low, pair.difference.high
    if low is None or high is None:
        return ""
    ends = sorted((0.0 - low, 0.0 - high) if pair.difference.mean < 0 else (low, high))
    return f"95 % {ends[0]:.4f} to {ends[1]:.4f}, "


def _p(p: float) -> str:
    """Return a p-value as it is read: `0.03`, `< 0.0001`."""
    return "< 0.0001" if p < 0.0001 else f"{p:.2g}" if p < 0.1 else f"{p:.2f}"


# What others published.


def published_table(rows: Iterable[Published], results: Iterable[Result]) -> Table:
    """Return the published rows, each with one's own result of the same strategy beside it.

    Like is set beside like: one's own is in the count of the published row.
    """
    results = list(results)
    header = ["published", "counts", "average", "worst", "total", "yours", "source"]
    cells = []
    for row in rows:
        own = next((result for result in results if row.fits(result)), None)
        cells.append(
            [
                described(row),
                f"until {row.count}",
                "" if row.mean is None else f"{row.mean:.4f}",
                "" if row.worst is None else str(row.worst),
                "" if row.total is None else f"{row.total:,}",
                "" if own is None else _beside(row, own),
                row.source,
            ]
        )
    return Table.of(header, cells, left=["published", "counts", "yours", "source"])


def described(row: Published) -> str:
    """Return how a published strategy was played: `minimax pool=all`, and its definition if any."""
    keys = {"pool": row.pool, "ties": row.ties, "opening": row.opening}
    told = " ".join([row.strategy, *(f"{key}={text}" for key, text in keys.items() if text)])
    return f"{told}: {row.definition}" if row.definition else told


def _beside(row: Published, own: Result) -> str:
    """Return one's own result in a published row's count, and whether it is the same."""
    told = own.summary(row.count)
    if row.total is not None:
        off = told.total - row.total
        return f"{told.total:,}, {'the same' if not off else f'{off:+,}'}"
    if row.mean is None or told.average is None:
        return f"{told.average:.4f}"
    return f"{told.average:.4f}, {told.average - row.mean:+.4f}"


def counting_note(rows: Iterable[Published]) -> str:
    """Return what the published rows count, in a line; where they differ, that they do."""
    counts = list(dict.fromkeys(row.count for row in rows))
    told = "; ".join(f"until {count}: {_MEANING[count]}" for count in counts)
    note = "compare rows of one count only" if len(counts) > 1 else "yours are counted likewise"
    return f"Counts guesses {told}; {note}."
