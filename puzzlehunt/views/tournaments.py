"""Tournaments, comparisons and published results as sentences, tables, JSON and CSV."""

import csv
import io
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict

from puzzlehunt import __version__
from puzzlehunt.errors import counted
from puzzlehunt.game.game import Game, fingerprint
from puzzlehunt.kernels.packed_codes import code_of
from puzzlehunt.lab.comparison import Comparison, Pair, Published
from puzzlehunt.lab.statistics import COUNTS, CountName, Difference
from puzzlehunt.lab.tournament import Tournament
from puzzlehunt.strategies.search.proof import Bounds
from puzzlehunt.views.escapes import csv_cell
from puzzlehunt.views.json import NUMBER, ROUGH, TEXT, TRUTH, WHOLE, Json, list_of
from puzzlehunt.views.screen import Table, cell


def result_lines(result: Tournament) -> Iterator[str]:
    """Yield a line with the settings of a run, and a line with the guesses of each count."""
    play, opening = result.game.play, result.opening
    opening_text = "not always the same" if opening is None else result.game.format_code(opening)
    yield (
        f"{result.game_name}: {play.strategy_name}, pool {play.pool}, ties {play.ties}, "
        f"opening {opening_text}, seed {play.seed}"
    )
    for count in COUNTS:
        summary, weighed = result.summary(count), result.weighed_average(count)
        more = "" if weighed is None else f" ({weighed:.4f} by weight)"
        if ends := result.interval(count):
            more = f" (95 %: {ends[0]:.4f} to {ends[1]:.4f})"
        bars = " ".join(f"{guesses}:{games}" for guesses, games in summary.histogram.items())
        yield (
            f"{count:7} average {summary.average:.4f}{more}  "
            f"worst {summary.worst}  total {summary.total}  {bars}"
        )


def result_notes(result: Tournament) -> Iterator[str]:
    """Yield notes on a run: what was evaluated, the secrets lost or not played, the time."""
    if result.basis:
        yield f"evaluated: {result.basis}"
    if result.unlisted:
        yield unlisted_line(result)
    if result.bounds:
        yield bounds_line(result.bounds, result.game)
    elif result.losses:
        most = counted(result.game.play.attempts or 0, "guess")
        yield f"found: {counted(result.losses, 'secret')} lost, which took more than {most}"
    yield f"{counted(len(result.secrets), 'game')} in {round(result.seconds, 3)} s"


def bounds_line(bounds: Bounds, game: Game) -> str:
    """Return a line on the bounds of a proof for the total number of guesses of all secrets.

    For example `at least 5,600 and at most 5,625 guesses in all (...)`. With an opening, it is of
    games that begin with it; with a limit of attempts, it also has how many secrets are lost.
    """
    low, high = (f"{total / game.secrets.size:.4f}" for total in (bounds.lower, bounds.upper))
    guesses, (least, most) = counted(bounds.upper, "guess"), bounds.lost
    after = f"after {game.play.opening} " if game.play.opening else ""
    if bounds.proved:
        limit = counted(game.play.attempts or 0, "guess")
        loses = f"every play loses at least {counted(most, 'secret')} in {limit}, and then "
        fewest = f"no play takes fewer than {guesses} in all ({high})"
        return f"proved: {after}{loses if most else ''}{fewest}"
    lost = f"; {least:,} to {most:,} secrets lost" if most else ""
    total = f"at least {bounds.lower:,} and at most {guesses} in all"
    return f"{after}{total} ({low} to {high} on average{lost})"


def unlisted_line(result: Tournament) -> str:
    """Return a line on the given secrets that were not played: `2 of 9 are not secrets ...`.

    A given secret is not played if it is not a secret of the game, or if the history excludes it.
    """
    codes = [result.game.format_code(code) for code in result.unlisted]
    given = len(codes) + len(result.secrets)
    shown = ", ".join(codes if len(codes) <= 10 else [*codes[:10], "..."])
    what = "is not a secret" if len(codes) == 1 else "are not secrets"
    return f"{len(codes):,} of {given:,} {what} of this game, and not played: {shown}"


def result_csv(result: Tournament) -> str:
    """Return CSV with a header and a line for each game: the secret and two numbers of guesses.

    The column `played` counts the guesses until the secret was played, `known` until it was known.
    """
    secrets = (csv_cell(result.game.format_code(code_of(secret))) for secret in result.secrets)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["secret", *result.guesses])
    writer.writerows(zip(secrets, *result.guesses.values(), strict=True))
    return text.getvalue()


# Comparisons.


def headline(comparison: Comparison) -> str:
    """Return a line with the game, the secrets played, the count of guesses, and the seed."""
    return (
        f"{comparison.game_name}: {secrets_text(comparison)}, "
        f"guesses until {comparison.count}, seed {comparison.game.play.seed}"
    )


def secrets_text(comparison: Comparison) -> str:
    """Return `all 1,296 secrets`, or `a sample of 200 secrets`, as they were played."""
    return f"{'a sample of' if comparison.sampled else 'all'} {counted(comparison.games, 'secret')}"


def results_table(comparison: Comparison) -> Table:
    """Return a table of the strategies, best first: average, worst and total number of guesses.

    Each is given until the secret is played, and until it is known. With a limit of attempts, a
    column has the number of lost secrets.
    """
    results = [comparison.results[name] for name in comparison.ranking]
    columns = {"strategy": comparison.ranking}
    if comparison.game.play.attempts is not None:
        columns["lost"] = [f"{result.losses:,}" for result in results]
    for count in COUNTS:
        summaries = [result.summary(count) for result in results]
        known = " known" if count == "known" else ""
        columns[count] = [f"{summary.average:.4f}" for summary in summaries]
        if comparison.sampled and not known:
            ends = [result.interval(count) or () for result in results]
            columns["95 %"] = ["-".join(f"{end:.3f}" for end in pair) for pair in ends]
        columns[f"worst{known}"] = [str(summary.worst) for summary in summaries]
        columns[f"total{known}"] = [f"{summary.total:,}" for summary in summaries]
    return Table(columns, ["strategy"])


def pair_sentence(pair: Pair) -> str:
    """Return a sentence or two on how strategies differ, and if chance explains that."""
    guesses, lost = pair.difference, pair.lost
    text = _judged(pair, guesses, "takes", f"{abs(guesses.mean):.4f} guesses", "guesses")
    if lost is None:
        return text
    number = counted(abs(lost.total), "secret")
    return f"{_judged(pair, lost, 'loses', number, 'secrets')} On average {text}"


def _judged(pair: Pair, difference: Difference, verb: str, number: str, noun: str) -> str:
    exact = " (exact: every secret was played)" if pair.exact else ""
    if not difference.total:
        return f"{pair.first} {verb} as many {noun} as {pair.second}{exact}."
    sign = -1 if difference.mean < 0 else 1
    better, worse = (pair.first, pair.second) if sign < 0 else (pair.second, pair.first)
    ps = dict.fromkeys(map(_p_text, (difference.p, difference.adjusted_p)))
    figures = f"p {', corrected for all pairs '.join(ps)}"
    if difference.interval is not None:
        least, most = sorted(sign * end + 0.0 for end in difference.interval)
        figures = f"95 % {least:.4f} to {most:.4f}, {figures}"
    sample = ". In a random sample as large, " if pair.exact else ": "
    chance = f"chance {'would hardly' if difference.beyond_chance else 'might'} do as much"
    return f"{better} {verb} {number} fewer than {worse}{exact}{sample}{chance} ({figures})."


def _p_text(p: float) -> str:
    """Return a p-value with two decimals, or two significant digits if small: `< 0.0001`."""
    return "< 0.0001" if p < 0.0001 else f"{p:.2g}" if p < 0.1 else f"{p:.2f}"


# What others published.


def published_table(rows: Sequence[Published], results: Collection[Tournament]) -> Table:
    """Return a table of published results, each with the user's of the same strategy, if any.

    Both results in a row count guesses in the same way.
    """
    columns = {
        "published": [_definition(row) for row in rows],
        "counts": [f"until {row.count}" for row in rows],
        "average": [cell(row.mean, "{:.4f}".format) for row in rows],
        "worst": [cell(row.worst, str) for row in rows],
        "total": [cell(row.total, "{:,}".format) for row in rows],
        "yours": [
            next((_own_text(row, result) for result in results if row.fits(result)), "")
            for row in rows
        ],
        "source": [row.source for row in rows],
    }
    return Table(columns, ["published", "counts", "yours", "source"])


def _definition(row: Published) -> str:
    keys = {"pool": row.pool, "ties": row.ties, "opening": row.opening}
    name = " ".join([row.strategy, *(f"{key}={value}" for key, value in keys.items() if value)])
    return f"{name}: {row.definition}" if row.definition else name


def _own_text(row: Published, own: Tournament) -> str:
    summary = own.summary(row.count)
    if row.total is not None:
        excess = summary.total - row.total
        return f"{summary.total:,}, {f'{excess:+,}' if excess else 'the same'}"
    shown = f"{summary.average:.4f}"
    if row.mean is None or summary.average is None:
        return shown
    return f"{shown}, {summary.average - row.mean:+.4f}"


# JSON.


def result_json(result: Tournament) -> Json:
    """Return the result of a tournament as JSON, with the keys of `lab run --json`."""
    game, opening = result.game, result.opening
    return {
        **stopped_json(game, result.game_name, result.bounds, result.seconds),
        "opening": None if opening is None else game.format_code(opening),
        "exact": not result.basis,
        "basis": result.basis,
        "games": len(result.secrets),
        **_summary_json(result, "played"),
        "known": _summary_json(result, "known"),
        "unlisted": [game.format_code(code) for code in result.unlisted],
    }


def stopped_json(game: Game, game_name: str, bounds: Bounds | None, seconds: float) -> Json:
    """Return a run's settings and bounds as JSON: all that a stopped proof knows."""
    play = game.play
    told: Json = {"game": game_name, "strategy": play.strategy_name}
    told |= {key: getattr(play, key) for key in ("pool", "ties", "opening", "seed")}
    told |= {"version": __version__, "seconds": round(seconds, 3)}
    if bounds is not None:
        told |= {"lower": bounds.lower, "upper": bounds.upper, "proved": bounds.proved}
        told |= {"lost": list(bounds.lost)} if any(bounds.lost) else {}
    return told


def _summary_json(result: Tournament, count: CountName) -> Json:
    summary, ends = result.summary(count), result.interval(count)
    return {
        "total": summary.total,
        "average": _rounded(summary.average),
        "weighed": _rounded(result.weighed_average(count)),
        "worst": summary.worst,
        "histogram": {str(guesses): games for guesses, games in summary.histogram.items()},
        "interval": None if ends is None else [*map(_rounded, ends)],
    }


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 6)


_PAIRS = list_of({
    "first": TEXT, "second": TEXT, "mean": ROUGH.of("difference.mean"),
    "total": WHOLE.of("difference.total"),
    "low": NUMBER.of(lambda pair: pair.difference.interval and pair.difference.interval[0]),
    "high": NUMBER.of(lambda pair: pair.difference.interval and pair.difference.interval[1]),
    "p": NUMBER.of("difference.p"), "adjusted": NUMBER.of("difference.adjusted_p"),
    "exact": TRUTH, "real": TRUTH.of("difference.beyond_chance"),
    "losses": WHOLE.of(lambda pair: pair.lost and pair.lost.total),
    "losses_adjusted": NUMBER.of(lambda pair: pair.lost and pair.lost.adjusted_p),
    "sentence": TEXT.of(pair_sentence),
})  # fmt: skip


def comparison_json(comparison: Comparison) -> Json:
    """Return a comparison as JSON, with the keys of `lab compare --json`."""
    return {
        "game": comparison.game_name,
        "hash": fingerprint(comparison.game),
        "version": __version__,
        "seed": comparison.game.play.seed,
        "count": comparison.count,
        "games": comparison.games,
        "sampled": comparison.sampled,
        "results": [
            {"name": name, **result_json(result), "losses": result.losses}
            for name, result in comparison.results.items()
        ],
        "ranking": comparison.ranking,
        "pairs": _PAIRS.write(comparison.game, comparison.pairs),
    }


def published_json(row: Published) -> Json:
    """Return a published result as JSON, with the keys of `lab compare --published --json`."""
    histogram = {str(guesses): games for guesses, games in row.histogram.items()} or None
    return asdict(row) | {"average": _rounded(row.mean), "histogram": histogram}
