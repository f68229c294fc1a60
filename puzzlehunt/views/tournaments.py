"""Tournaments and comparisons in words, tables and CSV, with what others published beside them."""

import csv
import io
from collections.abc import Iterable

import numpy as np

from puzzlehunt.errors import counted, in_number
from puzzlehunt.game.game import Game
from puzzlehunt.kernels.codes import code_of
from puzzlehunt.lab.comparison import Comparison, Pair
from puzzlehunt.lab.outcomes import COUNTS, CountName, guesses_of
from puzzlehunt.lab.paired import interval
from puzzlehunt.lab.published import Published
from puzzlehunt.lab.tournament import Result
from puzzlehunt.strategies.proof import Bounds
from puzzlehunt.views.basis import basis_text
from puzzlehunt.views.escapes import in_cell
from puzzlehunt.views.markup import Table

_MEANING = {"played": "the winning guess included", "known": "until one candidate is left"}

_MOST_UNLISTED = 10
"""Given secrets that were not played and are named (secrets)."""


def result_lines(result: Result) -> list[str]:
    """Return how a strategy was played, and for each count a line: how many guesses games took."""
    play, opening = result.game.play, result.opening
    opening_text = "not always the same" if opening is None else result.game.format_code(opening)
    settings = (
        f"{play.strategy_name}, pool {play.pool}, ties {play.ties}, opening {opening_text}, "
        f"seed {play.seed}"
    )
    lines = [f"{result.game_name}: {settings}"]
    for count in COUNTS:
        summary = result.summary(count)
        bars = " ".join(f"{guesses}:{games}" for guesses, games in summary.histogram.items())
        lines.append(
            f"{count:7} average {summary.average:.4f}{_more_on_average(result, count)}  "
            f"worst {summary.worst}  total {summary.total}  {bars}"
        )
    return lines


def _more_on_average(result: Result, count: CountName) -> str:
    """Return the interval of a sample's average, or the average by weight; "" where neither is."""
    if (low_and_high := result.interval(count)) is not None:
        return f" (95 %: {low_and_high[0]:.4f} to {low_and_high[1]:.4f})"
    weighed = result.weighed_average(count)
    return "" if weighed is None else f" ({weighed:.4f} by weight)"


def result_notes(result: Result) -> list[str]:
    """Return what was evaluated, if not every guess, what was lost, and the seconds it took."""
    evaluated = [f"evaluated: {basis_text(result.basis)}"] if result.basis else []
    unlisted = [unlisted_line(result)] if result.unlisted else []
    proof = [bounds_line(result.bounds, result.game)] if result.bounds else []
    lost = [] if result.bounds else _lost_lines(result)
    games = in_number("game", len(result.outcomes))
    return [
        *evaluated,
        *unlisted,
        *proof,
        *lost,
        f"{len(result.outcomes)} {games} in {round(result.seconds, 3)} s",
    ]


def _lost_lines(result: Result) -> list[str]:
    """Return how many secrets took more guesses than the game allows, if any did."""
    most = result.game.play.attempts
    if most is None:
        return []
    histogram = result.summary("played").histogram
    lost = sum(games for guesses, games in histogram.items() if guesses > most)
    secrets = counted(lost, "secret")
    return [f"found: {secrets} lost, which took more than {counted(most, 'guess')}"] if lost else []


def bounds_line(bounds: Bounds, game: Game) -> str:
    """Return how far a proof is: `at least 5,600 and at most 5,625 guesses in all (...)`.

    With a given opening, they are those of the play behind it. Where secrets are lost whatever is
    played, that comes first; each of them counts as many guesses as the game allows.
    """
    secrets, opening, most = game.secrets.size, game.play.opening, game.play.attempts
    behind = f"behind {opening} " if opening else ""
    if bounds.proved:
        fewest = f"no play takes fewer than {counted(bounds.upper, 'guess')} in all"
        average = f"({bounds.upper / secrets:.4f})"
        if not bounds.lost[1]:
            return f"proved: {behind}{fewest} {average}"
        are = "is" if bounds.lost[1] == 1 else "are"
        best = f"at best {counted(bounds.lost[1], 'secret')} {are} lost"
        lost = f"nobody can be sure in {counted(most or 0, 'guess')}: {best}"
        return f"proved: {behind}{lost}, and then {fewest} {average}"
    low, high = f"{bounds.lower / secrets:.4f}", f"{bounds.upper / secrets:.4f}"
    lost = (
        f"; {bounds.lost[0]:,} to {counted(bounds.lost[1], 'secret')} lost"
        if any(bounds.lost)
        else ""
    )
    return (
        f"{behind}at least {bounds.lower:,} and at most {counted(bounds.upper, 'guess')} in all "
        f"({low} to {high} on average{lost})"
    )


def unlisted_line(result: Result) -> str:
    """Return how many of the given secrets were not played, and some: `2 of 9 are no secrets ...`.

    They are no secrets of the game, or its log rules them out.
    """
    codes = [result.game.format_code(code) for code in result.unlisted]
    given = len(codes) + len(result.outcomes)
    dots = ", ..." if len(codes) > _MOST_UNLISTED else ""
    shown = ", ".join(codes[:_MOST_UNLISTED])
    what = "is no secret" if len(codes) == 1 else "are no secrets"
    return f"{len(codes):,} of {given:,} {what} of this game, and not played: {shown}{dots}"


def result_csv(result: Result) -> str:
    """Return one line for each game: its secret, and its guesses in both counts; below a header."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["secret", "played", "known"])
    games = result.outcomes
    for secret, played, known in zip(games.secrets, games.played, games.known, strict=True):
        writer.writerow(
            [in_cell(result.game.format_code(code_of(secret))), int(played), int(known)]
        )
    return text.getvalue()


# Comparisons.


def headline(comparison: Comparison) -> str:
    """Return in a line which game and secrets were played, which guesses counted, and the seed."""
    secrets, seed = secrets_text(comparison), comparison.game.play.seed
    return f"{comparison.game_name}: {secrets}, guesses until {comparison.count}, seed {seed}"


def secrets_text(comparison: Comparison) -> str:
    """Return which secrets were played: `all 1,296 secrets`, `a sample of 200 secrets`."""
    if comparison.games == 1:
        return "one game"
    return f"{'a sample of' if comparison.sampled else 'all'} {comparison.games:,} secrets"


def results_table(comparison: Comparison) -> Table:
    """Return a row for each contender: average, worst and total in both counts."""
    header = ["strategy", "played", "worst", "total", "known", "worst known", "total known"]
    if comparison.sampled:
        header.insert(2, "95 %")
    rows = []
    for name, result in comparison.results.items():
        cells = [name]
        for count in COUNTS:
            summary = result.summary(count)
            cells += [f"{summary.average:.4f}", str(summary.worst), f"{summary.total:,}"]
        if comparison.sampled:
            values = guesses_of(result.outcomes, "played").astype(np.int64)
            low, high = interval(values, np.random.default_rng(comparison.game.play.seed))
            cells.insert(2, "" if low is None or high is None else f"{low:.3f}-{high:.3f}")
        rows.append(cells)
    return Table.of(header, rows, text_columns=["strategy"])


def pairs_table(comparison: Comparison) -> Table:
    """Return a row for each pair: mean difference, interval, p, and p corrected for all pairs."""
    header = ["pair", "difference", "95 %", "p", "p of all pairs", "real"]
    return Table.of(header, map(_pair_row, comparison.pairs), text_columns=["pair", "real"])


def _pair_row(pair: Pair) -> list[str]:
    difference = pair.difference
    interval_text = (
        "" if difference.low is None else f"{difference.low:+.4f} to {difference.high:+.4f}"
    )
    real = "yes, exact" if pair.exact else "yes"
    return [
        f"{pair.first} - {pair.second}",
        f"{difference.mean:+.4f}",
        interval_text,
        _p_text(difference.p),
        _p_text(pair.adjusted_p),
        real if pair.real else "no",
    ]


def pair_sentence(pair: Pair) -> str:
    """Return a sentence: how many guesses two contenders differ by, and whether that is real."""
    difference = pair.difference
    if not difference.total:
        text = f"{pair.first} and {pair.second} take as many guesses"
        return f"{text}: every secret was played." if pair.exact else f"{text} here."
    fewer, more = (pair.first, pair.second) if difference.mean < 0 else (pair.second, pair.first)
    text = f"{fewer} takes {abs(difference.mean):.4f} guesses fewer than {more}"
    if pair.exact:
        return f"{text}: real, and exact, as every secret was played."
    text = f"{text} ({_interval_text(pair)}p {_p_text(pair.adjusted_p)})"
    return f"{text}: real." if pair.real else f"{text}: no more than chance would do."


def _interval_text(pair: Pair) -> str:
    low, high = pair.difference.low, pair.difference.high
    if low is None or high is None:
        return ""
    low_and_high = sorted((0.0 - low, 0.0 - high) if pair.difference.mean < 0 else (low, high))
    return f"95 % {low_and_high[0]:.4f} to {low_and_high[1]:.4f}, "


def _p_text(p: float) -> str:
    """Return a p-value in the digits that are worth reading: `0.03`, `< 0.0001`."""
    return "< 0.0001" if p < 0.0001 else f"{p:.2g}" if p < 0.1 else f"{p:.2f}"


# What others published.


def published_table(rows: Iterable[Published], results: Iterable[Result]) -> Table:
    """Return a row for each published one, with the user's result of the same strategy beside it.

    The user's result is in the count of the published row.
    """
    results = list(results)
    header = ["published", "counts", "average", "worst", "total", "yours", "source"]
    cells = []
    for row in rows:
        own = next((result for result in results if row.fits(result)), None)
        cells.append(
            [
                strategy_text(row),
                f"until {row.count}",
                "" if row.mean is None else f"{row.mean:.4f}",
                "" if row.worst is None else str(row.worst),
                "" if row.total is None else f"{row.total:,}",
                "" if own is None else _own_text(row, own),
                row.source,
            ]
        )
    return Table.of(header, cells, text_columns=["published", "counts", "yours", "source"])


def strategy_text(row: Published) -> str:
    """Return how a published strategy was played: `minimax pool=all`, and its definition if any."""
    keys = {"pool": row.pool, "ties": row.ties, "opening": row.opening}
    text = " ".join([row.strategy, *(f"{key}={value}" for key, value in keys.items() if value)])
    return f"{text}: {row.definition}" if row.definition else text


def _own_text(row: Published, own: Result) -> str:
    """Return the user's result in a published row's count, and how it differs from that row."""
    summary = own.summary(row.count)
    if row.total is not None:
        excess = summary.total - row.total
        return f"{summary.total:,}, {'the same' if not excess else f'{excess:+,}'}"
    if row.mean is None or summary.average is None:
        return f"{summary.average:.4f}"
    return f"{summary.average:.4f}, {summary.average - row.mean:+.4f}"


def counting_note(rows: Iterable[Published]) -> str:
    """Return in a line which guesses the published rows count, and which figures are comparable."""
    counts = list(dict.fromkeys(row.count for row in rows))
    meanings = "; ".join(f"until {count}: {_MEANING[count]}" for count in counts)
    note = "compare rows of one count only" if len(counts) > 1 else "yours are counted likewise"
    return f"Counts guesses {meanings}; {note}."
